//! All of a table: what its statistics are counted from.

use docstore::model::{Direction, Value};
use tuckbox_table::game_box::{BoxChange, GameBox};
use tuckbox_table::log::Entry;
use tuckbox_table::model::{Change, Table};
use tuckbox_table::session::Snapshot;

use super::{PAGE, TableStore, damaged, head_path, number, part_id, parts};

/// All of a table: its first state and box, and what was done since.
#[derive(Debug)]
pub struct History {
    /// The table before its first entry.
    pub start: Table,
    /// Its box then.
    pub game_box: GameBox,
    /// Changes of the box, in order.
    pub updates: Vec<BoxChange>,
    /// All entries, in order.
    pub log: Vec<Entry>,
}

impl TableStore {
    /// The changes of a table's box up to one, in order.
    ///
    /// # Errors
    /// The store cannot be read, or what it holds is damaged.
    pub async fn updates(&self, id: &str, last: u32) -> docstore::Result<Vec<BoxChange>> {
        let mut updates = Vec::new();
        let mut joined = Vec::new();
        let (mut no, mut nth, mut after) = (1, 0, None);
        while no <= u64::from(last) {
            let page = self.list(id, "updates", after.take(), Direction::Ascending, PAGE).await?;
            after = page.last().map(|part| part.path.clone());
            if page.is_empty() {
                return Err(damaged(id));
            }
            for part in page {
                // One that was stored and never counted may have had more parts than the one that did.
                if part.path.id() != part_id(no, nth) {
                    continue;
                }
                let Some(Value::Bytes(list)) = part.fields.get("bytes") else { return Err(damaged(id)) };
                joined.extend_from_slice(list);
                nth += 1;
                if nth == parts(&part) {
                    updates.push(serde_json::from_slice(&joined).map_err(|_| damaged(id))?);
                    joined.clear();
                    (no, nth) = (no + 1, 0);
                }
            }
        }
        updates.truncate(last as usize);
        Ok(updates)
    }

    /// All of a table, from its first state on.
    ///
    /// # Errors
    /// The store cannot be read, or there is no such table, or what it holds is damaged.
    pub async fn history(&self, id: &str) -> docstore::Result<History> {
        let head = self.get(vec![head_path(id)?]).await?.pop().flatten().ok_or_else(|| damaged(id))?;
        let paths = (0..parts(&head)).map(|nth| self.path(id, "box", &format!("{nth:04}")));
        let game_box: GameBox = self.joined(id, paths.collect::<docstore::Result<_>>()?).await?;
        let shot = self.list(id, "shots", None, Direction::Ascending, 1).await?.pop();
        let shot = shot.ok_or_else(|| damaged(id))?;
        let n = shot.path.id().parse().map_err(|_| damaged(id))?;
        let paths = (0..parts(&shot)).map(|nth| self.path(id, "parts", &part_id(n, nth)));
        let snapshot: Snapshot = self.joined(id, paths.collect::<docstore::Result<_>>()?).await?;
        let (mut log, mut after) = (Vec::new(), Some(self.path(id, "log", &number(0))?));
        while let Some(start) = after.take() {
            let page = self.list(id, "log", Some(start), Direction::Ascending, PAGE).await?;
            for chunk in &page {
                let Some(Value::Bytes(list)) = chunk.fields.get("bytes") else { return Err(damaged(id)) };
                let entries: Vec<Entry> = serde_json::from_slice(list).map_err(|_| damaged(id))?;
                log.extend(entries);
                after = Some(chunk.path.clone());
            }
        }
        let changes = log.iter().rev().flat_map(|entry: &Entry| &entry.changes);
        let last = { changes }.find_map(|change| match change {
            Change::Cards { now, .. } => Some(now.no),
            _ => None,
        });
        let updates = self.updates(id, last.unwrap_or_default()).await?;
        Ok(History { start: snapshot.table, game_box, updates, log })
    }
}
