//! Reading rows of sled, and the borders at which its panics end.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sled::IVec;

use super::super::key_escape::unescape;
use super::{SledView, TOMBSTONE, read_failed, write_failed};
use crate::Result;
use crate::engine::Stored;
use crate::engine::versions::Version;

/// Unescaped keys and stored values; ends at a failed read.
pub(super) struct Rows(pub(super) Option<sled::Iter>);

impl Rows {
    fn advance(
        &mut self,
        step: impl Fn(&mut sled::Iter) -> Option<sled::Result<(IVec, IVec)>>,
    ) -> Option<Result<(IVec, IVec)>> {
        let iter = self.0.as_mut()?;
        let found = guarded(|| step(iter).transpose()).transpose()?;
        if found.is_err() {
            self.0 = None;
        }
        Some(found.map(|(key, stored)| (unescape(key), stored)))
    }
}

impl Iterator for Rows {
    type Item = Result<(IVec, IVec)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance(Iterator::next)
    }
}

impl DoubleEndedIterator for Rows {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.advance(DoubleEndedIterator::next_back)
    }
}

/// Runs a read of sled, which panics as often as it fails on a damaged page.
pub(super) fn guarded<T>(read: impl FnOnce() -> sled::Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(read) => read.map_err(read_failed),
        Err(_) => Err(read_failed(sled::Error::ReportableBug("sled panicked while it read".to_owned()))),
    }
}

/// Runs a change of sled, which reads the page first: on a damaged page the error is a failed read.
pub(super) fn written<T>(write: impl FnOnce() -> sled::Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(write)) {
        Ok(Err(error @ (sled::Error::Corruption { .. } | sled::Error::ReportableBug(_)))) => {
            Err(read_failed(error))
        }
        Ok(written) => written.map_err(write_failed),
        Err(_) => Err(read_failed(sled::Error::ReportableBug("sled panicked while it wrote".to_owned()))),
    }
}

pub(super) struct SledVersion<'a> {
    pub(super) view: &'a SledView,
    pub(super) key: IVec,
    pub(super) stored: IVec,
}

impl Version for SledVersion<'_> {
    fn physical(&self) -> &[u8] {
        &self.key
    }
    fn live(&self) -> bool {
        self.stored.first() != Some(&TOMBSTONE)
    }
    fn value(&self) -> Result<Stored> {
        Ok(self.view.value(&self.key, &self.stored)?.unwrap_or_default())
    }
}
