//! Reading rows of fjall.

use fjall::{UserKey, UserValue};
use parking_lot::RwLockReadGuard;

use super::{LIVE, Opened, closed, guarded, read_failed};
use crate::engine::Stored;
use crate::engine::versions::Version;
use crate::{Error, Result};

/// Rows of a range; ends at a failed read.
pub(super) struct Rows<'a> {
    iter: Option<fjall::Iter>,
    /// Error returned first.
    failed: Option<Error>,
    /// The database is not opened again while it is read.
    _opened: RwLockReadGuard<'a, Option<Opened>>,
}

impl<'a> Rows<'a> {
    /// The rows of `range`; none if it is `empty`.
    pub(super) fn new(
        opened: RwLockReadGuard<'a, Option<Opened>>,
        range: impl FnOnce(&Opened) -> fjall::Iter,
        empty: bool,
    ) -> Self {
        let (iter, failed) = match &*opened {
            _ if empty => (None, None),
            None => (None, Some(closed())),
            Some(opened) => match guarded(|| Ok(range(opened))) {
                Ok(iter) => (Some(iter), None),
                Err(error) => (None, Some(read_failed(error))),
            },
        };
        Self { iter, failed, _opened: opened }
    }

    fn advance(
        &mut self,
        step: impl Fn(&mut fjall::Iter) -> Option<fjall::Guard>,
    ) -> Option<Result<FjallVersion>> {
        if let Some(error) = self.failed.take() {
            return Some(Err(error));
        }
        let iter = self.iter.as_mut()?;
        let found = guarded(|| step(iter).map(fjall::Guard::into_inner).transpose()).transpose()?;
        if found.is_err() {
            self.iter = None;
        }
        Some(found.map(|(key, stored)| FjallVersion { key, stored }).map_err(read_failed))
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<FjallVersion>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance(Iterator::next)
    }
}

impl DoubleEndedIterator for Rows<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.advance(DoubleEndedIterator::next_back)
    }
}

/// A row.
pub(super) struct FjallVersion {
    key: UserKey,
    /// First byte: live or a tombstone; then the value.
    stored: UserValue,
}

impl FjallVersion {
    pub(super) fn into_key(self) -> UserKey {
        self.key
    }
}

impl Version for FjallVersion {
    fn physical(&self) -> &[u8] {
        &self.key
    }
    fn live(&self) -> bool {
        self.stored.first() == Some(&LIVE)
    }
    fn value(&self) -> Result<Stored> {
        Ok(self.stored.get(1..).unwrap_or_default().into())
    }
}
