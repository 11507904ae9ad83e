//! The disk engine on a simulated disk.

use super::sim_files::SimFiles;
use super::view::View;
use super::view::state::ViewState;
use super::{Cadence, Inner};
use crate::encoding::key::{Key, KeyRange};
use crate::engine::map::VersionMap;
use crate::engine::versions::{Superseded, Versions};
use crate::engine::{Page, Put, Scan, ScanDirection, Stored, replaced_keys};
use crate::model::Ts;
use crate::{Error, Result};

/// The disk engine on a simulated disk.
#[derive(Debug)]
pub struct SimEngine {
    pub(super) inner: Simulated,
}

pub(super) type Simulated = Inner<SimFiles, VersionMap>;

impl SimEngine {
    /// Opens the simulated disk, with every threshold low.
    pub(crate) fn on(files: &SimFiles) -> Result<Self> {
        let inner = open(files, SMALL)?;
        Ok(Self { inner })
    }

    /// Reason why commits are refused now, or `None`.
    pub(crate) fn refusal(&self) -> Option<Error> {
        self.inner.shared.refusal()
    }
}

/// Checkpoints, segments, snapshots, layers and garbage collection are due every few commits.
pub(super) const SMALL: Cadence =
    Cadence { checkpoint: 1_000, snapshot: 3_000, segment: 700, layer: 500, history: 2_000, durable: true };

pub(super) fn open(files: &SimFiles, cadence: Cadence) -> Result<Simulated> {
    Inner::open(files.clone(), |_| Ok(VersionMap::default()), "view", Ts::from_micros(1), cadence)
}

/// A view that is never durable, so that every start goes through snapshots and the log.
impl View for VersionMap {
    fn insert(&self, versions: &Self) -> Result<()> {
        self.extend(versions);
        Ok(())
    }
    fn record(&self, _: ViewState) -> Result<()> {
        Ok(())
    }
    fn state(&self) -> Result<Option<ViewState>> {
        Ok(None)
    }
    fn versions(&self, range: &KeyRange, direction: ScanDirection) -> Versions<'_> {
        Self::versions(self, range, direction)
    }
    fn get(&self, key: &[u8], at: Ts) -> Result<Option<Stored>> {
        Ok(Self::get(self, &[key.to_vec()], at).pop().flatten())
    }
    fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        Self::scan(self, scan)
    }
    fn remove_replaced(&self, ts: Ts, puts: &[Put]) -> Result<usize> {
        Ok(Self::remove_replaced(self, ts, &replaced_keys(puts)))
    }
    fn remove_superseded(&self, from: &Key, before: Ts, slice: usize) -> Result<Superseded> {
        Self::remove_superseded(self, from, before, slice)
    }
    fn sync(&self) -> Result<bool> {
        Ok(false)
    }
}
