//! What a query reads through: one database at one version, on somebody's behalf.

use std::sync::Arc;

use crate::catalog::Catalog;
use crate::engine::{AnyEngine, Author, Engine, Page, Scan, Stored};
use crate::key::{DbNo, Key, doc_key};
use crate::model::{DatabaseId, DocPath, Document, Ts};
use crate::{Result, codec};

use super::pace::Pace;

/// Reads documents of one database at one version.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    pub(crate) engine: Arc<AnyEngine>,
    pub(crate) catalog: Catalog,
    pub(crate) id: DatabaseId,
    /// `None` for a database that nothing was ever written to.
    pub(crate) number: Option<DbNo>,
    pub(crate) at: Ts,
    /// On whose behalf: who pays for what is read, and may be taught indexes by.
    pub(crate) by: Author,
    /// Whether what was read is noted key by key, for a transaction.
    pub(crate) notes_reads: bool,
    /// Its turn and its memory, where it has to share.
    pub(crate) pace: Option<Arc<Pace>>,
}

impl Reader {
    /// One page of a range.
    pub(super) async fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        let page = self.engine.scan(scan).await?;
        if let Some(pace) = &self.pace {
            pace.read(page.examined).await;
        }
        Ok(page)
    }

    /// The query has ended; others may read.
    pub(crate) async fn end(&self) {
        if let Some(pace) = &self.pace {
            pace.end().await;
        }
    }

    /// The documents at `paths`.
    pub(crate) async fn documents(&self, paths: &[DocPath]) -> Result<Vec<Option<Document>>> {
        let Some(number) = self.number else { return Ok(vec![None; paths.len()]) };
        let keys: Vec<Key> = paths.iter().map(|path| doc_key(number, path)).collect();
        let values = self.engine.get(&keys, self.at).await?;
        let decode = |(path, value): (&DocPath, Option<Stored>)| match value {
            Some(bytes) => codec::decode_document(path, &bytes).map(Some),
            None => Ok(None),
        };
        paths.iter().zip(values).map(decode).collect()
    }
}
