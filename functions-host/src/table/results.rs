//! `playtests/{table}/result/game`: what came of a game, once it has ended. Those who may read the project read it; the
//! server alone writes it.

use docstore::model::{DocPath, Fields, Precondition, Timestamp, Value, Write, WriteOp};
use docstore::{Code, Draft, Error, Result};
use tuckbox_table::stats::{self, Statistics};

use super::live::Shared;
use super::lobby;

/// Most bytes of the statistics as JSON: they are one field of a document. A larger game has those of its seats alone.
const MOST_BYTES: usize = 900 << 10;

fn path(id: &str) -> Result<DocPath> {
    DocPath::parse(&format!("{}/result/game", lobby::path(id)?))
}

/// Writes the result of a table whose game has ended, unless it is there already.
///
/// # Errors
/// Those of the store.
pub(super) async fn write(shared: &Shared, id: &str, now: Timestamp) -> Result<()> {
    let Shared { tables, database, histories, .. } = shared;
    let path = path(id)?;
    let found = database.get(std::slice::from_ref(&path), None).await?.value;
    let Some(listed) = lobby::find(database, id).await? else { return Ok(()) };
    if found.into_iter().flatten().next().is_some() {
        return Ok(());
    }
    let _reading = histories.lock().await;
    let history = tables.history(id).await?;
    let counted = tokio::task::spawn_blocking(move || {
        stats::statistics(history.start, &history.game_box, &history.updates, &history.log)
    });
    let counted = counted.await.map_err(|_| failed())?.map_err(|_| failed())?;
    let mut fields = Fields::from([
        ("statistics".to_owned(), Value::String(text(counted))),
        ("writtenAt".to_owned(), Value::Timestamp(now)),
    ]);
    for name in ["projectId", "ownerId", "name"] {
        fields.extend(listed.fields.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    let op = WriteOp::Set { fields, transforms: Vec::new() };
    let write = Write { path, op, precondition: Precondition::Exists(false) };
    match database.commit(Draft::of(vec![write])).await {
        // Another actor was first, with the same log.
        Err(error) if error.code() == Code::AlreadyExists => Ok(()),
        done => done.map(drop),
    }
}

fn text(mut counted: Statistics) -> String {
    let json = |counted: &Statistics| serde_json::to_string(counted).unwrap_or_default();
    let whole = json(&counted);
    if whole.len() <= MOST_BYTES {
        return whole;
    }
    counted.cards.clear();
    json(&counted)
}

fn failed() -> Error {
    Error::new(Code::DataLoss, "NoStatistics", "the log of a table could not be counted")
}
