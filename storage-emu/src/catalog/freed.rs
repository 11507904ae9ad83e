//! Contents that were files' and are no file's any more, until the sweep removes them.
//!
//! A freed content never becomes visible again: the same bytes, uploaded again, are stored under a key of their own. So
//! it needs no such wait as a content that an upload may still make visible.

use docstore::Result;
use docstore::model::DocPath;
use serde::{Deserialize, Serialize};

use super::Catalog;
use crate::records::Unit;

/// The collection of freed contents, by the last part of their keys.
pub(crate) const FREED: &str = "freed";

/// A freed content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Freed {
    pub(crate) key: String,
    /// Time of the deletion, in microseconds.
    pub(crate) at: u64,
}

/// The document of a freed content.
pub(crate) fn freed_document(key: &str) -> Result<DocPath> {
    DocPath::parse(&format!("{FREED}/{}", key.rsplit('/').next().unwrap_or(key)))
}

impl Catalog {
    /// Notes in the unit of work that takes a content's last file that the content can go.
    pub(super) async fn free(&self, unit: &mut Unit<'_>, key: &str) -> Result<()> {
        let path = freed_document(key)?;
        unit.load(&[&path]).await?;
        unit.put(&path, &Freed { key: key.to_owned(), at: self.clock.now().micros() })
    }
}
