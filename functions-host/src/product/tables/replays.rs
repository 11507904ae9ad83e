//! Replays of playtests by a public link: `publishReplay`, `closeReplay` and `readReplay`.
//!
//! Owners and editors publish a game once it has ended: as observers saw it, or with all hands open. What the link shows
//! is in the reserved database; the document `shares/{link}` says that it is published, and `playtests/{table}` where.
//! The public link of a project and the admin's switch for sharing close it as they close all others.

use std::sync::Arc;

use docstore::commit::Draft;
use docstore::database::Database;
use docstore::model::{DocPath, Document, FieldPath, Fields, Precondition, Value, Write, WriteOp};
use docstore::{Code, Error};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use super::playtests::{makers_only, refused};
use crate::functions::callable::{CallError, Context, Function};
use crate::product::site::sharing_is_on;
use crate::product::{members, published};
use crate::project;
use crate::table::messages::Refused;
use crate::table::replays::NotReplayed;
use crate::table::{LiveTables, Standing, lobby};

/// Kind of a public link that shows a replay.
const KIND: &str = "replay";

/// Field of a table's public document that says where its replay is.
const FIELD: &str = "replay";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Publish {
    table: String,
    /// True to show what each seat saw, and the chance of the game.
    #[serde(default)]
    hands: bool,
}

#[derive(Debug, Serialize)]
struct Published {
    link: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Close {
    table: String,
}

#[derive(Debug, Serialize)]
struct Closed {
    closed: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    link: String,
    #[serde(default)]
    part: usize,
    /// The version whose parts were read before: of another one, none is of use.
    version: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Part {
    text: String,
    parts: usize,
    version: u64,
}

#[derive(Debug, Clone)]
struct Replays {
    database: Database,
    live: LiveTables,
    /// Games are worked out one after the other: each takes as much time as a log has acts.
    working: Arc<Mutex<()>>,
}

/// The functions over `database` and `live`.
pub(in crate::product) fn functions(database: &Database, live: &LiveTables) -> [Function; 3] {
    let replays = Replays { database: database.clone(), live: live.clone(), working: Arc::default() };
    let shared = replays.clone();
    let publish = Function::new("publishReplay", move |context: Context, request: Publish| {
        let shared = shared.clone();
        async move { shared.publish(&context.user()?.uid, &request).await }
    });
    let shared = replays.clone();
    let close = Function::new("closeReplay", move |context: Context, request: Close| {
        let shared = shared.clone();
        async move { shared.close(&context.user()?.uid, &request.table).await }
    });
    let read = Function::new("readReplay", move |_: Context, request: Read| {
        let shared = replays.clone();
        async move { shared.read(&request).await }
    });
    [publish, close, read.admit_guests()]
}

impl Replays {
    /// The public document of a table that the caller may publish.
    async fn table(&self, uid: &str, table: &str) -> Result<(Document, String), CallError> {
        let not_found = || refused(Refused::Stranger);
        let found = lobby::find(&self.database, table).await?.ok_or_else(not_found)?;
        let project = lobby::project(&found.fields).ok_or_else(not_found)?.to_owned();
        let document = project::find(&self.database, &project).await?.ok_or_else(not_found)?;
        match members::standings(&document.fields).get(uid) {
            Some(Standing::Maker) => Ok((found, project)),
            Some(Standing::Member) => Err(makers_only()),
            None => Err(not_found()),
        }
    }

    async fn publish(&self, uid: &str, request: &Publish) -> Result<Published, CallError> {
        // The log says if the game has ended; the table's public document follows it a moment later.
        let (_, project) = self.table(uid, &request.table).await?;
        if !sharing_is_on(&self.database).await? {
            return Err(CallError::new(
                Code::FailedPrecondition,
                "Sharing by links is switched off on this server. Ask its admin.",
            ));
        }
        let _working = self.working.lock().await;
        // Whoever worked before may have published the same game: it keeps that link.
        let (found, _) = self.table(uid, &request.table).await?;
        let name = lobby::name(&found.fields).unwrap_or_default().to_owned();
        let known = link_of(&found.fields);
        let link = self.live.publish_replay(&request.table, &name, known, request.hands).await;
        let link = link.map_err(|why| match why {
            NotReplayed::NotEnded => not_ended(),
            NotReplayed::TooLong => CallError::new(
                Code::ResourceExhausted,
                "This game is too long to be replayed with all hands. Publish it as observers saw it.",
            ),
            NotReplayed::Damaged(error) => error.into(),
        })?;
        let text = |text: &str| Value::String(text.to_owned());
        let now = Value::Timestamp(self.live.now());
        let share = Fields::from(
            [
                ("kind", text(KIND)),
                ("projectId", text(&project)),
                ("of", text(&request.table)),
                ("title", text(&name)),
                ("number", Value::Integer(1)),
                ("name", text("")),
                ("by", text(uid)),
                ("at", now.clone()),
                ("file", text("")),
                ("folder", text("")),
                ("before", Value::Null),
            ]
            .map(|(name, value)| (name.to_owned(), value)),
        );
        let op = WriteOp::Set { fields: share, transforms: Vec::new() };
        let share = Write { path: share_path(&link)?, op, precondition: Precondition::None };
        let about = [("link", text(&link)), ("hands", Value::Boolean(request.hands)), ("at", now)];
        let about = Value::Map(about.map(|(name, value)| (name.to_owned(), value)).into());
        let noted = self.noted(found.path, Some(about))?;
        if let Err(error) = self.database.commit(Draft::of(vec![share, noted])).await {
            // Whoever deleted the table meanwhile did not know of it.
            if lobby::find(&self.database, &request.table).await?.is_none() {
                self.live.close_replay(&request.table, &link).await?;
                return Err(refused(Refused::Stranger));
            }
            return Err(error.into());
        }
        Ok(Published { link })
    }

    async fn close(&self, uid: &str, table: &str) -> Result<Closed, CallError> {
        self.table(uid, table).await?;
        let _working = self.working.lock().await;
        // Whoever worked before may have published it.
        let (found, _) = self.table(uid, table).await?;
        let closed = close(&self.database, &self.live, &found).await?;
        self.database.commit(Draft::of(vec![self.noted(found.path, None)?])).await?;
        Ok(Closed { closed })
    }

    async fn read(&self, request: &Read) -> Result<Part, CallError> {
        let nothing = || CallError::new(Code::NotFound, "Nothing is published at this link.");
        let Ok(path) = share_path(&request.link) else { return Err(nothing()) };
        if !sharing_is_on(&self.database).await? {
            return Err(nothing());
        }
        let share = self.database.get(&[path], None).await?.value.into_iter().flatten().next();
        let is_replay =
            share.is_some_and(|share| share.fields.get("kind") == Some(&Value::String(KIND.into())));
        if !is_replay {
            return Err(nothing());
        }
        let part = self.live.replay_part(&request.link, request.part).await?.ok_or_else(nothing)?;
        if request.version.is_some_and(|version| version != part.version) {
            return Err(CallError::new(
                Code::Aborted,
                "The replay was published anew meanwhile. Read it again from its first part.",
            ));
        }
        Ok(Part { text: part.text, parts: part.parts, version: part.version })
    }

    /// The write that notes on a table's public document where its replay is. It leaves all else as it is by then: people
    /// may have got up while the replay was worked out.
    fn noted(&self, table: DocPath, replay: Option<Value>) -> Result<Write, Error> {
        let mut fields = Fields::from([("updatedAt".to_owned(), Value::Timestamp(self.live.now()))]);
        fields.extend(replay.map(|replay| (FIELD.to_owned(), replay)));
        let mask = vec![FieldPath::parse("updatedAt")?, FieldPath::parse(FIELD)?];
        let op = WriteOp::Update { fields, mask, transforms: Vec::new() };
        Ok(Write { path: table, op, precondition: Precondition::Exists(true) })
    }
}

/// Closes the link of a table's replay, if it has one. True if it had.
///
/// # Errors
/// Those of the store.
pub(super) async fn close(
    database: &Database,
    live: &LiveTables,
    table: &Document,
) -> docstore::Result<bool> {
    let Some(link) = link_of(&table.fields) else { return Ok(false) };
    close_link(database, live, table.path.id(), &link).await?;
    Ok(true)
}

/// Closes links of a deleted table that were made while it was being deleted. From now on none is made.
///
/// # Errors
/// Those of the store.
pub(super) async fn close_late(database: &Database, live: &LiveTables, table: &str) -> docstore::Result<()> {
    for link in live.replay_links(table).await? {
        close_link(database, live, table, &link).await?;
    }
    Ok(())
}

async fn close_link(database: &Database, live: &LiveTables, table: &str, link: &str) -> docstore::Result<()> {
    database.commit(Draft::of(vec![Write::delete(share_path(link)?)])).await?;
    live.close_replay(table, link).await
}

fn link_of(fields: &Fields) -> Option<String> {
    let Some(Value::Map(replay)) = fields.get(FIELD) else { return None };
    if let Some(Value::String(link)) = replay.get("link") { Some(link.clone()) } else { None }
}

fn share_path(link: &str) -> Result<DocPath, Error> {
    docstore::model::CollectionPath::parse(published::COLLECTION)?.doc(link)
}

fn not_ended() -> CallError {
    CallError::new(
        Code::FailedPrecondition,
        "The game has not ended. A replay would show what must stay hidden: end the game first.",
    )
}
