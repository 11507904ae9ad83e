//! Read access of one query: one database at one version, on behalf of one caller.

use std::sync::Arc;

use crate::Result;
use crate::catalog::Catalog;
use crate::encoding::codec;
use crate::encoding::key::{DbNo, Key, doc_key};
use crate::engine::{AnyEngine, Author, Engine, Page, Scan, Stored};
use crate::model::{DatabaseId, DocPath, Document, Ts};

use super::pace::Pace;

/// Reads documents of one database at one version.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    pub(crate) engine: Arc<AnyEngine>,
    pub(crate) catalog: Catalog,
    pub(crate) id: DatabaseId,
    /// `None` for a database that was never written to.
    pub(crate) number: Option<DbNo>,
    pub(crate) at: Ts,
    /// Caller who pays for the reads and from whom indexes may be learned.
    pub(crate) by: Author,
    /// True if reads are recorded key by key, for a transaction.
    pub(crate) notes_reads: bool,
    /// Its permit and memory accounting, if it shares resources with others.
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

    /// Releases the permit at the end of the query.
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
