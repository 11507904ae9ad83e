//! The materialised view of the log, which answers reads. It can be discarded and rebuilt at any time.

pub(super) mod engine;
pub(super) mod failure;
#[cfg(test)]
mod failure_tests;
pub(super) mod fjall_view;
pub(super) mod key_escape;
#[cfg(test)]
mod order_tests;
pub(super) mod sled_view;
pub(super) mod state;
#[cfg(test)]
pub(super) mod tests;

use std::fmt;

use self::state::ViewState;
use super::super::map::VersionMap;
use super::super::versions::{Superseded, Versions};
use crate::encoding::key::{Key, KeyRange};
use crate::engine::{Page, Put, Scan, ScanDirection, Stored};
use crate::model::Ts;
use crate::{Code, Error, Result};

/// Versioned keys, written from the log alone. Inserting a version again changes nothing.
pub(crate) trait View: fmt::Debug + Send + Sync + 'static {
    /// Inserts versions.
    fn insert(&self, versions: &VersionMap) -> Result<()>;
    /// Records the view's state, ordered after everything inserted before.
    fn record(&self, state: ViewState) -> Result<()>;
    /// The state last written by [`Self::record`]; `None` for a view that is new, incomplete or not stored.
    fn state(&self) -> Result<Option<ViewState>>;
    /// Value of `key` at `at`.
    fn get(&self, key: &[u8], at: Ts) -> Result<Option<Stored>>;
    /// One page of a range.
    fn scan(&self, scan: &Scan<'_>) -> Result<Page>;
    /// The versions of a range. Versions inserted or removed meanwhile may or may not be among them.
    fn versions(&self, range: &KeyRange, direction: ScanDirection) -> Versions<'_>;
    /// Removes the versions that one commit's puts replaced: all older versions of their keys, and removed keys
    /// altogether. Returns the number of versions. A put without a value is a new index entry and replaces nothing.
    fn remove_replaced(&self, ts: Ts, puts: &[Put]) -> Result<usize>;
    /// Finds and removes versions that no reader at or after `before` can see, starting after the physical key `from`.
    fn remove_superseded(&self, from: &Key, before: Ts, slice: usize) -> Result<Superseded>;
    /// Makes everything inserted before the call durable. `false` if this view is never durable.
    fn sync(&self) -> Result<bool>;
}

/// Error tag: a row could not be read.
pub(super) const READ_FAILED: &str = "ViewRead";
/// Error tag: a part of a row is missing.
pub(super) const TORN: &str = "ViewTorn";

/// True if the error means that the view's contents cannot be trusted.
pub(super) fn is_read_failure(error: &Error) -> bool {
    matches!(error.tag(), READ_FAILED | TORN)
}

/// Error of an engine, for the operator.
pub(super) fn failed(tag: &'static str, cause: &dyn fmt::Display) -> Error {
    Error::new(Code::Unavailable, tag, format!("the store's view of the log failed: {cause}"))
}

/// Error of a read for callers, who cannot act on the cause. The cause goes to the log for the operator.
pub(super) fn unreadable(tag: &'static str, cause: impl std::error::Error + Send + Sync + 'static) -> Error {
    tracing::error!(error = %cause, "the store's view of the log could not be read");
    let message = "The stored data could not be read. Please try again later.";
    Error::new(Code::Unavailable, tag, message).with_source(cause)
}

/// Bytes of keys and values inserted at a time while a view is built.
const LOADED_AT_ONCE: usize = 4 << 20;

/// Fills a view in batches of megabytes.
pub(super) struct Loading<'a, V: View> {
    view: &'a V,
    versions: VersionMap,
    bytes: usize,
}

impl<'a, V: View> Loading<'a, V> {
    pub(super) fn new(view: &'a V) -> Self {
        Self { view, versions: VersionMap::default(), bytes: 0 }
    }

    /// Adds one commit's keys.
    pub(super) fn add(&mut self, ts: Ts, puts: &[Put]) -> Result<()> {
        self.versions.insert([(ts, puts)]);
        self.bytes += puts.iter().map(Put::size).sum::<usize>();
        if self.bytes < LOADED_AT_ONCE {
            return Ok(());
        }
        self.bytes = 0;
        self.view.insert(&std::mem::take(&mut self.versions))
    }

    /// Inserts the last batch.
    pub(super) fn finish(self) -> Result<()> {
        self.view.insert(&self.versions)
    }
}
