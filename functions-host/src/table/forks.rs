//! Tables from a moment of another one, on which one person plays on alone.

use docstore::{Code, Error};
use tuckbox_table::game_box::GameBox;
use tuckbox_table::log::Entry;
use tuckbox_table::model::Table;
use tuckbox_table::session::replay;

use super::live::LiveTables;
use super::store::History;

/// A reason for which a table is not forked.
#[derive(Debug)]
pub enum NotForked {
    /// The game has not ended: a fork would show hands, and the order of every pile that is still drawn from.
    Running,
    /// The table has no such entry.
    NoEntry,
    /// The store cannot be read, or the log is damaged.
    Store(Error),
}

impl From<Error> for NotForked {
    fn from(error: Error) -> Self {
        Self::Store(error)
    }
}

impl LiveTables {
    /// The table right after entry `n` of another one, or as it is now, with somebody on all seats; and its box then.
    ///
    /// # Errors
    /// [`NotForked`]
    pub async fn forked(&self, id: &str, n: Option<u64>, uid: &str) -> Result<(Table, GameBox), NotForked> {
        let _reading = self.shared().histories.lock().await;
        let history = self.shared().tables.history(id).await?;
        let uid = uid.to_owned();
        tokio::task::spawn_blocking(move || at(history, n, &uid)).await.map_err(|_| damaged())?
    }
}

fn at(history: History, n: Option<u64>, uid: &str) -> Result<(Table, GameBox), NotForked> {
    let History { start, game_box, updates, log } = history;
    let last = log.last().map_or(start.n, |entry| entry.n);
    let n = n.unwrap_or(last);
    if n < start.n || n > last {
        return Err(NotForked::NoEntry);
    }
    let (mut table, mut then, mut box_then) = (start, None, game_box);
    let mut updates = updates.iter();
    let mut box_now = box_then.clone();
    if table.n == n {
        then = Some(table.clone());
    }
    for entry in &log {
        if is_update(entry) {
            let update = updates.next().ok_or_else(damaged)?;
            box_now = box_now.changed(update).map_err(|_| damaged())?;
        }
        replay(&mut table, entry).map_err(|_| damaged())?;
        if entry.n == n {
            (then, box_then) = (Some(table.clone()), box_now.clone());
        }
    }
    let then = then.ok_or(NotForked::NoEntry)?;
    if table.ended { Ok((then.forked(uid), box_then)) } else { Err(NotForked::Running) }
}

fn is_update(entry: &Entry) -> bool {
    matches!(entry.act.verb, tuckbox_table::Verb::Update { .. })
}

fn damaged() -> NotForked {
    NotForked::Store(Error::new(Code::DataLoss, "NoFork", "the log of a table could not be replayed"))
}
