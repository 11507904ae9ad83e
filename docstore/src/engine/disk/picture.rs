//! The picture of the log that reads are answered from. It may be thrown away at any time and made again.

use std::fmt;

use super::super::versions::Superseded;
use crate::Result;
use crate::engine::{Page, Put, Scan, Stored};
use crate::key::Key;
use crate::model::Ts;

/// Versioned keys, fed by the log alone. Inserting the same version again changes nothing.
pub(crate) trait Picture: fmt::Debug + Send + Sync + 'static {
    /// Takes in commits' keys, in whatever order suits.
    fn insert(&self, commits: &[(Ts, &[Put])]) -> Result<()>;
    /// What `key` held at `at`.
    fn get(&self, key: &[u8], at: Ts) -> Result<Option<Stored>>;
    /// One page of a range.
    fn scan(&self, scan: &Scan<'_>) -> Result<Page>;
    /// Drops what one commit's keys have replaced: all their older versions, and keys that are gone altogether. Returns
    /// how many versions. A key without a value is an index entry: it was not there before, so it replaced nothing.
    fn retire(&self, ts: Ts, puts: &[Put]) -> Result<usize>;
    /// Finds versions that no reader at or after `before` can see, going on after the physical key `from`, and removes
    /// them.
    fn forget(&self, from: &Key, before: Ts, slice: usize) -> Result<Superseded>;
    /// Makes everything inserted before the call survive a power cut. `false` when this picture never survives one.
    fn sync(&self) -> Result<bool>;
}
