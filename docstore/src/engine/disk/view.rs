//! The view of the log that reads are answered from. It may be thrown away at any time and made again.

use std::fmt;

use super::super::map::VersionMap;
use super::super::versions::{Superseded, Versions};
use super::view_state::ViewState;
use crate::engine::{Page, Put, Scan, ScanDirection, Stored};
use crate::key::{Key, KeyRange};
use crate::model::Ts;
use crate::{Error, Result};

/// Versioned keys, fed by the log alone. Inserting the same version again changes nothing.
pub(crate) trait View: fmt::Debug + Send + Sync + 'static {
    /// Takes in versions.
    fn insert(&self, versions: &VersionMap) -> Result<()>;
    /// Writes down how far it has come, behind everything inserted before.
    fn record(&self, state: ViewState) -> Result<()>;
    /// What [`Self::record`] wrote last; `None` in one that is new, half made, or kept nowhere.
    fn state(&self) -> Result<Option<ViewState>>;
    /// What `key` held at `at`.
    fn get(&self, key: &[u8], at: Ts) -> Result<Option<Stored>>;
    /// One page of a range.
    fn scan(&self, scan: &Scan<'_>) -> Result<Page>;
    /// The versions of a range. Ones that are inserted or removed meanwhile may or may not
    /// be among them.
    fn versions(&self, range: &KeyRange, direction: ScanDirection) -> Versions<'_>;
    /// Drops what one commit's keys have replaced: all their older versions, and keys that are gone altogether. Returns
    /// how many versions. A key without a value is an index entry: it was not there before, so it replaced nothing.
    fn remove_replaced(&self, ts: Ts, puts: &[Put]) -> Result<usize>;
    /// Finds versions that no reader at or after `before` can see, going on after the physical key `from`, and removes
    /// them.
    fn remove_superseded(&self, from: &Key, before: Ts, slice: usize) -> Result<Superseded>;
    /// Makes everything inserted before the call survive a power cut. `false` when this view never survives one.
    fn sync(&self) -> Result<bool>;
}

/// The tag of an error: a row could not be read.
pub(super) const READ_FAILED: &str = "ViewRead";
/// The tag of an error: a part of a row is missing.
pub(super) const TORN: &str = "ViewTorn";

/// Whether a view gave this error for what it holds, which can then no longer be told.
pub(super) fn is_read_failure(error: &Error) -> bool {
    matches!(error.tag(), READ_FAILED | TORN)
}

/// How much a start puts into a view at a time, in bytes of keys and values.
const LOADED_AT_ONCE: usize = 4 << 20;

/// Fills a view by the megabyte.
pub(super) struct Loading<'a, V: View> {
    view: &'a V,
    versions: VersionMap,
    bytes: usize,
}

impl<'a, V: View> Loading<'a, V> {
    pub(super) fn new(view: &'a V) -> Self {
        Self { view, versions: VersionMap::default(), bytes: 0 }
    }

    /// Takes in one commit's keys.
    pub(super) fn add(&mut self, ts: Ts, puts: &[Put]) -> Result<()> {
        self.versions.insert([(ts, puts)]);
        self.bytes += puts.iter().map(Put::size).sum::<usize>();
        if self.bytes < LOADED_AT_ONCE {
            return Ok(());
        }
        self.bytes = 0;
        self.view.insert(&std::mem::take(&mut self.versions))
    }

    /// Puts in what is left.
    pub(super) fn finish(self) -> Result<()> {
        self.view.insert(&self.versions)
    }
}
