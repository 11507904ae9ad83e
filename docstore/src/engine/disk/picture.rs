//! The picture of the log that reads are answered from. It may be thrown away at any time and made again.

use std::fmt;

use super::super::map::VersionMap;
use super::super::versions::{Superseded, Version as _, Versions, collect, replaced, superseded, versioned};
use super::record::Logged;
use crate::Result;
use crate::engine::{Page, Put, Scan, ScanDirection, Stored};
use crate::key::{Key, KeyRange, successor};
use crate::model::Ts;

/// Versioned keys, fed by the log alone. Inserting the same version again changes nothing.
pub(crate) trait Picture: fmt::Debug + Send + Sync + 'static {
    /// Takes in versions.
    fn insert(&self, versions: &VersionMap) -> Result<()>;

    /// Removes versions, given by their physical keys in rising order.
    fn remove(&self, dead: &[Key]) -> Result<()>;

    /// The versions of a range, with their values or without. Ones that are inserted or removed meanwhile may or may not
    /// be among them.
    fn versions(&self, range: &KeyRange, direction: ScanDirection, values: bool) -> Versions<'_>;

    /// Makes everything inserted before the call survive a power cut. `false` when this picture never survives one.
    fn sync(&self) -> Result<bool>;

    /// What `key` held at `at`.
    fn get(&self, key: &[u8], at: Ts) -> Result<Option<Stored>> {
        let range = KeyRange { start: versioned(key, at), end: successor(key) };
        let newest = self.versions(&range, ScanDirection::Forward, true).next().transpose()?;
        Ok(newest.filter(|found| found.live).map(|found| found.value()))
    }

    /// One page of a range.
    fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        let versions = self.versions(scan.range, scan.direction, scan.values);
        collect(versions, scan.at, scan.direction, scan.limit, scan.values)
    }

    /// Drops what commits' keys have replaced: all their older versions, and keys that are gone altogether. Returns how
    /// many versions. A key without a value is an index entry: it was not there before, so it replaced nothing.
    fn retire(&self, commits: &[Logged]) -> Result<usize> {
        let mut dead = Vec::new();
        for commit in commits {
            let replacing = |value: &Stored| !value.is_empty();
            for put in commit.puts.iter().filter(|put| put.value.as_ref().is_none_or(replacing)) {
                let (newest, mut oldest) = replaced(&put.key, commit.ts, put.value.is_none());
                oldest.push(0);
                let range = KeyRange { start: newest, end: oldest };
                for found in self.versions(&range, ScanDirection::Forward, false) {
                    dead.push(found?.physical);
                }
            }
        }
        dead.sort_unstable();
        dead.dedup();
        self.remove(&dead)?;
        Ok(dead.len())
    }

    /// Finds versions that no reader at or after `before` can see, going on after the physical key `from`, and removes
    /// them.
    fn forget(&self, from: &Key, before: Ts, slice: usize) -> Result<Superseded> {
        let mut start = from.clone();
        start.push(0);
        let range = KeyRange { start, end: END.to_vec() };
        let found = superseded(self.versions(&range, ScanDirection::Forward, false), before, slice)?;
        self.remove(&found.dead)?;
        Ok(found)
    }
}

/// Behind every key there is: they begin with the number of a database.
const END: [u8; 16] = [0xff; 16];

/// How much a start puts into a picture at a time, in bytes of keys and values.
const LOADED_AT_ONCE: usize = 16 << 20;

/// Fills a picture by the megabyte.
pub(super) struct Loading<'a, P: Picture> {
    picture: &'a P,
    versions: VersionMap,
    bytes: usize,
}

impl<'a, P: Picture> Loading<'a, P> {
    pub(super) fn new(picture: &'a P) -> Self {
        Self { picture, versions: VersionMap::default(), bytes: 0 }
    }

    /// Takes in one commit's keys.
    pub(super) fn add(&mut self, ts: Ts, puts: &[Put]) -> Result<()> {
        self.versions.insert([(ts, puts)]);
        self.bytes += puts.iter().map(Put::size).sum::<usize>();
        if self.bytes < LOADED_AT_ONCE {
            return Ok(());
        }
        self.bytes = 0;
        self.picture.insert(&std::mem::take(&mut self.versions))
    }

    /// Puts in what is left.
    pub(super) fn finish(self) -> Result<()> {
        self.picture.insert(&self.versions)
    }
}
