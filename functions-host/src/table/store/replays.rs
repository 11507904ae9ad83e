//! Replays of games, as they are read by their links.
//!
//! ```text
//! replays/{link}                       the table, and the version of its replay that the link shows
//! tables/{table}/replays/{version}-{nth} part of it
//! ```

use bytes::Bytes;
use docstore::model::{
    CollectionPath, Direction, DocPath, Document, FieldFilter, FieldOp, FieldPath, Filter, Query, Source,
    Value, Write,
};
use docstore::{Draft, Result};

use super::{PAGE, PART_BYTES, TableStore, count, damaged, head_path, part_id, parts};

/// Collection of the links.
const LINKS: &str = "replays";

/// A part of a replay.
#[derive(Debug, PartialEq, Eq)]
pub struct ReplayPart {
    /// Its text.
    pub text: String,
    /// Parts in all.
    pub parts: usize,
    /// The version that it is of.
    pub version: u64,
}

impl TableStore {
    /// The secret seed of a table.
    ///
    /// # Errors
    /// The store cannot be read, or there is no such table.
    pub async fn seed(&self, id: &str) -> Result<[u8; 32]> {
        let head = self.get(vec![head_path(id)?]).await?.pop().flatten().ok_or_else(|| damaged(id))?;
        let Some(Value::Bytes(seed)) = head.fields.get("seed") else { return Err(damaged(id)) };
        <[u8; 32]>::try_from(&seed[..]).map_err(|_| damaged(id))
    }

    /// Stores the replay of a table, and lets a link lead to it. Readers of the one before read on meanwhile; it goes.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn put_replay(&self, id: &str, link: &str, text: &str) -> Result<()> {
        let before = self.get(vec![link_path(link)?]).await?.pop().flatten();
        let version = before.map_or(0, |head| version_of(&head) + 1);
        let split = split(text);
        for (nth, part) in split.iter().enumerate() {
            let path = self.path(id, "replays", &part_id(version, nth))?;
            let bytes = Value::Bytes(Bytes::copy_from_slice(part.as_bytes()));
            let write = Write::set(path, [("bytes".to_owned(), bytes)].into());
            self.database.commit(Draft::of(vec![write])).await?;
        }
        let fields = [
            ("table", Value::String(id.to_owned())),
            ("version", count(usize::try_from(version).unwrap_or(usize::MAX))),
            ("parts", count(split.len())),
        ];
        let fields = fields.map(|(name, value)| (name.to_owned(), value)).into();
        self.database.commit(Draft::of(vec![Write::set(link_path(link)?, fields)])).await?;
        self.delete_replays(id, Some(version)).await
    }

    /// A part of the replay at a link; `None` if no link leads there, or it has no such part.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn replay_part(&self, link: &str, nth: usize) -> Result<Option<ReplayPart>> {
        let Ok(path) = link_path(link) else { return Ok(None) };
        let mut before = None;
        loop {
            let Some(head) = self.get(vec![path.clone()]).await?.pop().flatten() else { return Ok(None) };
            let Some(Value::String(table)) = head.fields.get("table") else { return Err(damaged(link)) };
            let (version, parts) = (version_of(&head), parts(&head));
            // Between two reads the next version may have taken its place; the second time it is not there.
            if nth >= parts || before == Some(version) {
                return Ok(None);
            }
            before = Some(version);
            let path = self.path(table, "replays", &part_id(version, nth))?;
            let Some(part) = self.get(vec![path]).await?.pop().flatten() else { continue };
            let Some(Value::Bytes(bytes)) = part.fields.get("bytes") else { return Err(damaged(table)) };
            let text = String::from_utf8(bytes.to_vec()).map_err(|_| damaged(table))?;
            return Ok(Some(ReplayPart { text, parts, version }));
        }
    }

    /// The links that lead to replays of a table.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn replay_links(&self, id: &str) -> Result<Vec<String>> {
        let (field, value) = (FieldPath::parse("table")?, Value::String(id.to_owned()));
        let source = Source { collection: Some(LINKS.to_owned()), all_descendants: false };
        let query = Query {
            filter: Some(Filter::Field(FieldFilter { field, op: FieldOp::Equal, value })),
            select: Some(Vec::new()),
            ..Query::all(None, source)
        };
        let found = self.database.run(&query, None).await?.documents;
        Ok(found.iter().map(|head| head.path.id().to_owned()).collect())
    }

    /// Closes the link of a table's replay, and deletes it.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn close_replay(&self, id: &str, link: &str) -> Result<()> {
        self.database.commit(Draft::of(vec![Write::delete(link_path(link)?)])).await?;
        self.delete_replays(id, None).await
    }

    /// Deletes replays of a table but one version.
    async fn delete_replays(&self, id: &str, kept: Option<u64>) -> Result<()> {
        let mut after = None;
        loop {
            let page = self.list(id, "replays", after.take(), Direction::Ascending, PAGE).await?;
            after = page.last().map(|part| part.path.clone());
            let kept = kept.map(|version| part_id(version, 0));
            let is_kept = |path: &DocPath| kept.as_ref().is_some_and(|kept| path.id()[..12] == kept[..12]);
            let old: Vec<_> = page.iter().filter(|part| !is_kept(&part.path)).collect();
            if !old.is_empty() {
                let writes = old.iter().map(|part| Write::delete(part.path.clone())).collect();
                self.database.commit(Draft::of(writes)).await?;
            }
            if page.len() < PAGE as usize {
                return Ok(());
            }
        }
    }
}

fn version_of(head: &Document) -> u64 {
    match head.fields.get("version") {
        Some(Value::Integer(version)) => u64::try_from(*version).unwrap_or_default(),
        _ => 0,
    }
}

fn link_path(link: &str) -> Result<DocPath> {
    CollectionPath::parse(LINKS)?.doc(link)
}

/// A text in parts that are texts.
fn split(text: &str) -> Vec<&str> {
    let (mut rest, mut parts) = (text, Vec::new());
    while !rest.is_empty() {
        let most = rest.len().min(PART_BYTES);
        let at = (1..=most).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(most);
        let (part, later) = rest.split_at(at);
        parts.push(part);
        rest = later;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_between_signs() {
        let text = format!("{}{}", "x".repeat(PART_BYTES - 1), "é".repeat(PART_BYTES));
        let parts = split(&text);
        assert_eq!((parts.len(), parts.concat()), (3, text.clone()));
        assert!(parts.iter().all(|part| part.len() <= PART_BYTES));
        assert!(split("").is_empty());
    }
}
