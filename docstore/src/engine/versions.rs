//! Versioned keys over any ordered byte map: the one place that knows how a version is written into a key.
//!
//! A version's physical key is its logical key followed by the inverted timestamp (8 bytes, big endian), so
//! that versions of one key lie side by side, newest first. Logical keys are prefix-free, so versions of
//! different keys never mix.

use std::iter::Fuse;

use crate::Error;
use crate::encoding::key::Key;
use crate::model::Ts;

use super::{Page, Scan, ScanDirection, Stored};

/// The length of the timestamp at the end of a physical key.
pub(crate) const TS_BYTES: usize = 8;

/// The physical key of `key` at `ts`.
pub(crate) fn versioned(key: &[u8], ts: Ts) -> Key {
    let mut physical = Vec::with_capacity(key.len() + TS_BYTES);
    physical.extend_from_slice(key);
    physical.extend_from_slice(&(!ts.micros()).to_be_bytes());
    physical
}

/// Splits a physical key into its logical key and timestamp.
pub(crate) fn split(physical: &[u8]) -> Option<(&[u8], Ts)> {
    let (key, ts) = physical.split_last_chunk::<TS_BYTES>()?;
    Some((key, Ts::from_micros(!u64::from_be_bytes(*ts))))
}

/// Range of physical keys that become garbage once no reader goes back before `ts`: all older versions of `key`, and
/// the one at `ts` itself if it removes the key.
pub(crate) fn replaced(key: &[u8], ts: Ts, gone: bool) -> (Key, Key) {
    let newest = if gone { ts.micros() } else { ts.micros().saturating_sub(1) };
    (versioned(key, Ts::from_micros(newest)), versioned(key, Ts::ZERO))
}

/// One version from an ordered map: physical key, and the value unless it is a tombstone.
pub(crate) trait Version {
    fn physical(&self) -> &[u8];
    fn live(&self) -> bool;
    /// Called only for versions that the reader sees: an older one may be half removed.
    fn value(&self) -> Result<Stored, Error>;
}

impl Version for Box<dyn Version + '_> {
    fn physical(&self) -> &[u8] {
        (**self).physical()
    }
    fn live(&self) -> bool {
        (**self).live()
    }
    fn value(&self) -> Result<Stored, Error> {
        (**self).value()
    }
}

/// Versions of one range from one source, in scan order.
pub(crate) type Versions<'a> = Box<dyn Iterator<Item = Result<Box<dyn Version + 'a>, Error>> + 'a>;

/// One of the merged sources.
struct Source<'a> {
    head: Option<Box<dyn Version + 'a>>,
    /// Fused: a source that has ended could return versions added behind its end.
    rest: Fuse<Versions<'a>>,
}

impl Source<'_> {
    fn advance(&mut self) -> Result<(), Error> {
        self.head = self.rest.next().transpose()?;
        Ok(())
    }
}

/// The versions of several sources merged in order, without duplicates.
pub(crate) struct Merged<'a> {
    sources: Vec<Source<'a>>,
    direction: ScanDirection,
}

impl<'a> Merged<'a> {
    /// Reads the first version of each source.
    pub(crate) fn new(places: Vec<Versions<'a>>, direction: ScanDirection) -> Result<Self, Error> {
        let sources = places.into_iter().map(|place| {
            let mut source = Source { head: None, rest: place.fuse() };
            source.advance().map(|()| source)
        });
        Ok(Self { sources: sources.collect::<Result<_, _>>()?, direction })
    }

    fn leading(&self) -> Option<usize> {
        let heads = self.sources.iter().enumerate();
        let heads = heads.filter_map(|(at, source)| Some((at, source.head.as_ref()?.physical())));
        match self.direction {
            ScanDirection::Forward => heads.min_by(|a, b| a.1.cmp(b.1)),
            ScanDirection::Backward => heads.max_by(|a, b| a.1.cmp(b.1)),
        }
        .map(|(at, _)| at)
    }
}

impl<'a> Iterator for Merged<'a> {
    type Item = Result<Box<dyn Version + 'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let leading = self.leading()?;
        let found = self.sources[leading].head.take()?;
        for source in &mut self.sources {
            // A version being flushed is in two sources for a moment.
            if source.head.as_ref().is_none_or(|head| head.physical() == found.physical())
                && let Err(error) = source.advance()
            {
                return Some(Err(error));
            }
        }
        Some(Ok(found))
    }
}

/// Collects the page of a scan from versions in scan order.
pub(crate) fn collect<V: Version>(
    versions: impl Iterator<Item = Result<V, Error>>,
    scan: &Scan<'_>,
) -> Result<Page, Error> {
    match scan.direction {
        ScanDirection::Forward => forward(versions, scan),
        ScanDirection::Backward => backward(versions, scan),
    }
}

/// Collects the page of a scan from versions in key order.
pub(crate) fn page<V: Version>(
    versions: impl DoubleEndedIterator<Item = Result<V, Error>>,
    scan: &Scan<'_>,
) -> Result<Page, Error> {
    match scan.direction {
        ScanDirection::Forward => collect(versions, scan),
        ScanDirection::Backward => collect(versions.rev(), scan),
    }
}

fn entry<V: Version>(key: &[u8], version: &V, values: bool) -> Result<(Key, Stored), Error> {
    Ok((key.to_vec(), if values { version.value()? } else { Stored::default() }))
}

/// Entries and bytes that a page still takes.
struct Room {
    entries: usize,
    bytes: usize,
}

impl Room {
    fn of(scan: &Scan<'_>) -> Self {
        Self { entries: scan.limit, bytes: scan.bytes }
    }

    fn is_full(&self) -> bool {
        self.entries == 0 || self.bytes == 0
    }

    fn taken(&mut self, entry: (Key, Stored)) -> (Key, Stored) {
        self.entries = self.entries.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(entry.0.len() + entry.1.len());
        entry
    }
}

/// Newest version first: the first one at or before `at` decides its key, the rest of the key is skipped.
fn forward<V: Version>(
    versions: impl Iterator<Item = Result<V, Error>>,
    scan: &Scan<'_>,
) -> Result<Page, Error> {
    let (mut page, mut room) = (Page::default(), Room::of(scan));
    let mut decided: Key = Vec::new();
    for version in versions {
        let version = version?;
        let Some((key, ts)) = split(version.physical()) else { continue };
        if ts > scan.at || key == decided.as_slice() {
            page.examined += 1;
            continue;
        }
        if room.is_full() {
            return Ok(page);
        }
        page.examined += 1;
        decided.clear();
        decided.extend_from_slice(key);
        if version.live() {
            page.entries.push(room.taken(entry(key, &version, scan.values)?));
        }
    }
    page.done = true;
    Ok(page)
}

/// Oldest version first: the last one at or before `at` decides, which is known when the key ends.
fn backward<V: Version>(
    versions: impl Iterator<Item = Result<V, Error>>,
    scan: &Scan<'_>,
) -> Result<Page, Error> {
    let (mut page, mut room) = (Page::default(), Room::of(scan));
    let mut pending: Option<V> = None;
    for version in versions {
        let version = version?;
        let Some((key, ts)) = split(version.physical()) else { continue };
        let same = pending.as_ref().and_then(|v| split(v.physical())).is_some_and(|(k, _)| k == key);
        if !same && let Some(last) = pending.take() {
            settle(&mut page, &mut room, &last, scan.values)?;
            if room.is_full() {
                return Ok(page);
            }
        }
        page.examined += 1;
        if ts <= scan.at {
            pending = Some(version);
        }
    }
    if let Some(last) = pending {
        settle(&mut page, &mut room, &last, scan.values)?;
    }
    page.done = true;
    Ok(page)
}

fn settle<V: Version>(page: &mut Page, room: &mut Room, version: &V, values: bool) -> Result<(), Error> {
    if version.live()
        && let Some((key, _)) = split(version.physical())
    {
        page.entries.push(room.taken(entry(key, version, values)?));
    }
    Ok(())
}

/// Garbage found by one slice: versions that no reader can see.
pub(crate) struct Superseded {
    pub(crate) dead: Vec<Key>,
    pub(crate) examined: usize,
    /// Physical key after which the next slice resumes; empty at the end.
    pub(crate) resume: Key,
}

/// Finds garbage among up to `slice` versions (in forward order, from the first version of some key). No reader at or
/// after `before` can see any but the newest version at or before `before`, nor that one if it is a tombstone.
pub(crate) fn superseded<V: Version, E>(
    versions: impl Iterator<Item = Result<V, E>>,
    before: Ts,
    slice: usize,
) -> Result<Superseded, E> {
    let mut found = Superseded { dead: Vec::new(), examined: 0, resume: Key::new() };
    // The key whose newest version at or before `before` has been seen.
    let mut decided: Key = Vec::new();
    let mut last: Key = Vec::new();
    for version in versions {
        let version = version?;
        let Some((key, ts)) = split(version.physical()) else { continue };
        // Stop only between keys, so that every slice starts with a key's newest version.
        if found.examined >= slice && split(&last).is_none_or(|(k, _)| k != key) {
            found.resume = last;
            return Ok(found);
        }
        found.examined += 1;
        last.clear();
        last.extend_from_slice(version.physical());
        if ts > before {
            continue;
        }
        if key == decided.as_slice() {
            found.dead.push(version.physical().to_vec());
        } else {
            decided.clear();
            decided.extend_from_slice(key);
            if !version.live() {
                found.dead.push(version.physical().to_vec());
            }
        }
    }
    Ok(found)
}
