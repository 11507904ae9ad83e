//! The log: segments of records, appended and synced by one writer.
//!
//! A segment is `log/<time>.log`, named for the time before its first commit, so that the names alone say what each
//! covers. The end of the last segment may be torn by a crash and is cut; damage anywhere else is never passed over.

use std::io;
use std::sync::Arc;

use super::files::{AppendFile, Files, join};
use super::record::{self, Logged};
use super::space::Shortage;
use crate::engine::Commit;
use crate::model::Ts;
use crate::{Code, Error, Result};

/// The log's folder.
const FOLDER: &str = "log";
/// A write buffer that grew past this is given back, in bytes.
const KEPT_BUFFER: usize = 8 << 20;
/// Where a segment is made before it gets its name.
const FRESH: &str = "log/next";
/// How many times its size a segment may grow to while no next one can be made.
const SEGMENT_STRETCH: u64 = 4;

/// The log of one data folder.
#[derive(Debug)]
pub(super) struct Log<F: Files> {
    files: Arc<F>,
    /// Oldest first; the last one is being written.
    segments: Vec<Segment>,
    /// The last segment, once it is open for writing.
    writer: Option<F::File>,
    /// A segment that reached this size, in bytes, is followed by a new one.
    segment_bytes: u64,
    /// The newest commit.
    end: Ts,
    /// What may lie behind the last whole record.
    tail: Tail,
    /// A power cut may take the last segment's name.
    unnamed: bool,
    /// The last segment, between [`Self::whole_until`] and [`Self::replay`].
    looked_at: Option<Vec<u8>>,
    buffer: Vec<u8>,
}

/// What lies behind the last whole record of the segment being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// Nothing.
    Clean,
    /// What an append that failed has left. It is cut off before the next.
    Torn,
    /// That cannot be told: the disk failed. A start looks.
    Unknown,
}

#[derive(Debug, Clone, Copy)]
struct Segment {
    /// Every commit in it is after this, and every later segment's too.
    after: Ts,
    bytes: u64,
}

fn path(segment: Ts) -> String {
    join(FOLDER, &format!("{:020}.log", segment.micros()))
}

impl<F: Files> Log<F> {
    /// The log in `files`, whose segments are not read yet. `start` is where an empty log begins; a segment of
    /// `segment_bytes` is followed by a new one.
    pub(super) fn open(files: Arc<F>, start: Ts, segment_bytes: u64) -> Result<Self> {
        let names = files.list(FOLDER).map_err(|error| unreadable(FOLDER, error))?;
        let mut segments = names
            .iter()
            .filter_map(|name| name.strip_suffix(".log")?.parse().ok())
            .map(|micros| Segment { after: Ts::from_micros(micros), bytes: 0 })
            .collect::<Vec<_>>();
        segments.sort_by_key(|segment| segment.after);
        for segment in &mut segments {
            let name = path(segment.after);
            segment.bytes = files.size(&name).map_err(|error| unreadable(&name, error))?;
        }
        let end = segments.last().map_or(start, |segment| segment.after);
        Ok(Self {
            files,
            segments,
            writer: None,
            segment_bytes,
            end,
            tail: Tail::Clean,
            unnamed: false,
            looked_at: None,
            buffer: Vec::new(),
        })
    }

    /// The time before the oldest commit that is kept.
    pub(super) fn begins_after(&self) -> Ts {
        self.segments.first().map_or(self.end, |segment| segment.after)
    }

    /// Whether there is no segment.
    pub(super) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Up to where the last segment is whole, which replaying it will find to be the newest commit. What was read is kept
    /// for that.
    ///
    /// # Errors
    /// `DataLoss` when a record of it is damaged that is not the last.
    pub(super) fn whole_until(&mut self) -> Result<Ts> {
        let Some(segment) = self.segments.last() else { return Ok(self.end) };
        let name = path(segment.after);
        let bytes = self.files.read(&name).map_err(|error| unreadable(&name, error))?;
        let (mut at, mut newest) = (0, segment.after);
        while let Some((payload, next)) = record::payload(&bytes, at) {
            let commits = record::read(payload).ok_or_else(|| damaged(&name, at))?;
            newest = commits.last().map_or(newest, |commit| commit.ts);
            at = next;
        }
        if followed(&bytes, at, newest) {
            return Err(damaged(&name, at));
        }
        self.looked_at = Some(bytes);
        Ok(newest)
    }

    /// The newest commit.
    pub(super) fn end(&self) -> Ts {
        self.end
    }

    /// How many bytes of segments begin at or after `ts`.
    pub(super) fn bytes_since(&self, ts: Ts) -> u64 {
        let from = self.segments.partition_point(|segment| segment.after < ts);
        self.segments[from..].iter().map(|segment| segment.bytes).sum()
    }

    /// The time behind which there are at least `bytes` of log, and not a whole segment more: [`Ts::ZERO`] when there are
    /// fewer.
    pub(super) fn horizon(&self, bytes: u64) -> Ts {
        let mut behind = 0;
        let mut newest_first = self.segments.iter().rev();
        let enough = newest_first.find(|segment| {
            behind += segment.bytes;
            behind >= bytes
        });
        enough.map_or(Ts::ZERO, |segment| segment.after)
    }

    /// The oldest segment with commits after `after` and none after `until`, and the time of its last commit.
    pub(super) fn whole_segment(&self, after: Ts, until: Ts) -> Option<(String, Ts)> {
        let mut pairs = self.segments.windows(2).map(|pair| (pair[0].after, pair[1].after));
        let (segment, last) = pairs.find(|(_, last)| *last > after)?;
        (last <= until).then(|| (path(segment), last))
    }

    /// Hands the commits of the segments that may hold commits after `after` to `each`, oldest first, then opens the
    /// log for appending. A torn tail is cut off: that nothing acknowledged was in it, [`Self::whole_until`] tells before.
    ///
    /// # Errors
    /// `DataLoss` when a record is damaged that is not the last, or when a commit is missing.
    pub(super) fn replay(
        &mut self,
        after: Ts,
        mut each: impl FnMut(Vec<Logged>) -> Result<()>,
    ) -> Result<()> {
        let from = self.segments.partition_point(|segment| segment.after <= after).saturating_sub(1);
        let mut expected: Option<Ts> = None;
        for index in from..self.segments.len() {
            let name = path(self.segments[index].after);
            let last = index + 1 == self.segments.len();
            let bytes = match self.looked_at.take_if(|_| last) {
                Some(bytes) => bytes,
                None => self.files.read(&name).map_err(|error| unreadable(&name, error))?,
            };
            // An empty segment, too, goes on from the one before it.
            if expected.is_some_and(|expected| expected != self.segments[index].after) {
                return Err(missing(&name, self.segments[index].after));
            }
            let mut at = 0;
            while let Some((payload, next)) = record::payload(&bytes, at) {
                let commits = record::read(payload).ok_or_else(|| damaged(&name, at))?;
                for commit in &commits {
                    if expected.is_some_and(|expected| expected != commit.prev) {
                        return Err(missing(&name, commit.prev));
                    }
                    expected = Some(commit.ts);
                    self.end = commit.ts;
                }
                each(commits)?;
                at = next;
            }
            if at < bytes.len() && (!last || followed(&bytes, at, self.end)) {
                return Err(damaged(&name, at));
            }
            self.segments[index].bytes = at as u64;
        }
        if let Some(segment) = self.segments.last() {
            let name = path(segment.after);
            let writer = self.files.reopen(&name, segment.bytes).map_err(|error| unwritable(&name, error))?;
            self.writer = Some(writer);
        }
        Ok(())
    }

    /// Appends a batch. When this returns, no crash can lose it.
    ///
    /// # Errors
    /// `ResourceExhausted` (`DiskFull`) when nothing of it is stored, for want of room or file handles: a later append may
    /// succeed. `Unknown` (`LogWrite`) when it may or may not be stored. `Unavailable` (`LogBroken`) when nothing of it is
    /// stored and nothing will be before the next start.
    pub(super) fn append(&mut self, batch: &[Arc<Commit>]) -> Result<()> {
        let Some(last) = batch.last() else { return Ok(()) };
        self.prepare()?;
        self.buffer.clear();
        record::write(&mut self.buffer, batch);
        if let Err(error) = self.write() {
            return Err(self.write_failed(error));
        }
        if let Some(segment) = self.segments.last_mut() {
            segment.bytes += self.buffer.len() as u64;
        }
        self.end = last.ts;
        if self.buffer.capacity() > KEPT_BUFFER {
            self.buffer = Vec::new();
        }
        Ok(())
    }

    /// Makes the log ready for an append: cuts off what a failed one has left, and begins the next segment when it is
    /// time.
    ///
    /// # Errors
    /// `ResourceExhausted` (`DiskFull`) when that cannot be done now; `Unavailable` (`LogBroken`) when it cannot be done
    /// before the next start.
    pub(super) fn prepare(&mut self) -> Result<()> {
        match self.tail {
            Tail::Clean => {}
            Tail::Torn => self.cut().map_err(|error| match Shortage::of(&error) {
                Some(shortage) => shortage.refusal(FOLDER),
                None => broken(),
            })?,
            Tail::Unknown => return Err(broken()),
        }
        let written = self.segments.last().map(|segment| segment.bytes);
        if written.is_some_and(|written| written < self.segment_bytes) {
            return Ok(());
        }
        match self.begin_segment() {
            Ok(()) => Ok(()),
            // The one that is open has room left: long before it must, the next one is tried for.
            Err(_) if written.is_some_and(|bytes| bytes < self.segment_bytes * SEGMENT_STRETCH) => Ok(()),
            Err(error) => Err(match Shortage::of(&error) {
                Some(shortage) => shortage.refusal(&path(self.end)),
                None => Error::new(
                    Code::Unavailable,
                    "LogSegment",
                    format!("cannot make {} of the data folder: {error}", path(self.end)),
                )
                .with_source(error),
            }),
        }
    }

    fn write(&mut self) -> io::Result<()> {
        let writer = self.writer.as_mut().ok_or_else(|| io::Error::other("the log is not open"))?;
        writer.write(&self.buffer)?;
        writer.sync()?;
        if self.unnamed {
            self.files.sync_folder(FOLDER)?;
            self.unnamed = false;
        }
        Ok(())
    }

    /// Takes back what a failed append has left, and says what is known of it.
    fn write_failed(&mut self, error: io::Error) -> Error {
        let name = self.segments.last().map_or_else(|| FOLDER.to_owned(), |segment| path(segment.after));
        let Some(shortage) = Shortage::of(&error) else {
            self.tail = Tail::Unknown;
            return unwritable(&name, error);
        };
        self.tail = Tail::Torn;
        match self.cut() {
            Ok(()) => shortage.refusal(&name),
            Err(_) => unwritable(&name, error),
        }
    }

    fn cut(&mut self) -> io::Result<()> {
        if let (Some(writer), Some(segment)) = (&mut self.writer, self.segments.last())
            && let Err(error) = writer.cut(segment.bytes)
        {
            if Shortage::of(&error).is_none() {
                self.tail = Tail::Unknown;
            }
            return Err(error);
        }
        self.tail = Tail::Clean;
        Ok(())
    }

    /// Removes segments that hold nothing after `before`.
    pub(super) fn drop_before(&mut self, before: Ts) -> Result<()> {
        let keep_from = self.segments.partition_point(|segment| segment.after <= before).saturating_sub(1);
        if keep_from == 0 {
            return Ok(());
        }
        for segment in self.segments.drain(..keep_from) {
            let name = path(segment.after);
            self.files.remove(&name).map_err(|error| unwritable(&name, error))?;
        }
        self.files.sync_folder(FOLDER).map_err(|error| unwritable(FOLDER, error))
    }

    /// Makes the segment that goes on from the newest commit. It gets its name last, so that a failure leaves nothing that
    /// stands in the way of the one before.
    fn begin_segment(&mut self) -> io::Result<()> {
        self.files.remove(FRESH)?;
        let writer = self.files.create(FRESH)?;
        self.files.rename(FRESH, &path(self.end))?;
        self.unnamed = true;
        self.writer = Some(writer);
        self.segments.push(Segment { after: self.end, bytes: 0 });
        Ok(())
    }
}

/// The bytes of a segment that [`Log::whole_segment`] named.
pub(super) fn read_segment<F: Files>(files: &F, name: &str) -> Result<Vec<u8>> {
    files.read(name).map_err(|error| unreadable(name, error))
}

/// Whether a record that was written after the one at `at` begins somewhere behind it: then what lies at `at` is no torn
/// tail. What users write may look like a record, so one counts only with commits that go on from later than `newest`, the
/// last commit before `at`.
fn followed(bytes: &[u8], at: usize, newest: Ts) -> bool {
    let rest = bytes.get(at + 1..).unwrap_or_default();
    rest.windows(record::MAGIC.len())
        .enumerate()
        .filter(|(_, window)| *window == record::MAGIC)
        .filter_map(|(offset, _)| record::payload(bytes, at + 1 + offset))
        .filter_map(|(payload, _)| record::read(payload))
        .any(|commits| goes_on(&commits, newest))
}

/// Whether commits follow each other, and something that came after `newest`.
fn goes_on(commits: &[Logged], newest: Ts) -> bool {
    commits.first().is_some_and(|first| first.prev > newest)
        && commits.iter().all(|commit| commit.prev < commit.ts)
        && commits.windows(2).all(|pair| pair[0].ts == pair[1].prev)
}

fn damaged(name: &str, at: usize) -> Error {
    Error::new(
        Code::DataLoss,
        "LogDamaged",
        format!(
            "the log is damaged in {name} at byte {at}, with good records behind it: restore the data folder from a backup"
        ),
    )
}

fn missing(name: &str, ts: Ts) -> Error {
    Error::new(
        Code::DataLoss,
        "LogGap",
        format!("{name} continues from {ts}, which is not in the log: restore the data folder from a backup"),
    )
}

fn unreadable(name: &str, error: io::Error) -> Error {
    Error::new(Code::Unavailable, "LogRead", format!("cannot read {name} of the data folder: {error}"))
        .with_source(error)
}

/// Of a commit of which nothing is stored.
fn broken() -> Error {
    Error::new(
        Code::Unavailable,
        "LogBroken",
        "the commit log could not be written, so nothing more is accepted: see the server's log, and restart",
    )
}

fn unwritable(name: &str, error: io::Error) -> Error {
    Error::new(
        Code::Unknown,
        "LogWrite",
        format!("cannot write {name} of the data folder: {error}; the last commits may or may not be stored"),
    )
    .with_source(error)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::sim::SimFiles;
    use super::*;
    use crate::engine::Put;

    fn commit(prev: u64, ts: u64, size: usize) -> Arc<Commit> {
        let put = Put { key: vec![1; 9], value: Some(vec![7; size].into()) };
        Arc::new(Commit {
            prev: Ts::from_micros(prev),
            ts: Ts::from_micros(ts),
            changes: Vec::new(),
            author: crate::engine::Author::Unknown,
            backfill: None,
            puts: vec![put],
            weight: 0,
        })
    }

    fn replayed(files: &SimFiles) -> Result<Vec<u64>> {
        let mut log = Log::open(Arc::new(files.clone()), Ts::ZERO, 64 << 20)?;
        let mut found = Vec::new();
        log.replay(Ts::ZERO, |commits| {
            found.extend(commits.iter().map(|commit| commit.ts.micros()));
            Ok(())
        })?;
        Ok(found)
    }

    /// What a visitor has written lies in the torn record, whole.
    #[test]
    fn bytes_of_users_in_a_torn_tail_are_no_records() {
        let empty = [record::MAGIC.as_slice(), &[0; 8]].concat();
        let mut older = Vec::new();
        record::write(&mut older, &[commit(0, 1, 10)]);
        for bytes in [empty, older] {
            let files = SimFiles::default();
            let mut log = Log::open(Arc::new(files.clone()), Ts::ZERO, 64 << 20).unwrap();
            log.append(&[commit(0, 1, 10)]).unwrap();
            let put = Put { key: vec![1; 9], value: Some(bytes.into()) };
            let (prev, ts) = (Ts::from_micros(1), Ts::from_micros(2));
            log.append(&[Arc::new(Commit::new(prev, ts, Vec::new(), None, vec![put]))]).unwrap();
            let end = usize::try_from(log.segments[0].bytes).unwrap();
            files.damage(&path(Ts::ZERO), end - 1);
            let mut log = Log::open(Arc::new(files.clone()), Ts::ZERO, 64 << 20).unwrap();
            assert_eq!(log.whole_until().unwrap(), prev);
            assert_eq!(replayed(&files).unwrap(), [1]);
        }
    }

    proptest! {
        /// Whatever the moment of the cut and whatever part of the tail survives it, every acknowledged batch is there
        /// and nothing is there that was not appended.
        #[test]
        fn a_power_cut_loses_nothing_acknowledged(
            sizes in proptest::collection::vec(0usize..400, 1..30), fuse in 0u64..80, luck in any::<u64>()
        ) {
            let files = SimFiles::default();
            files.cut_after(fuse);
            let mut log = Log::open(Arc::new(files.clone()), Ts::ZERO, 64 << 20).unwrap();
            let mut acknowledged = 0;
            for (index, size) in sizes.iter().enumerate() {
                let prev = index as u64;
                if log.append(&[commit(prev, prev + 1, *size)]).is_err() {
                    break;
                }
                acknowledged = prev + 1;
            }
            let found = files.after_power_cut(|unsynced| usize::try_from(luck).unwrap_or(0) % (unsynced + 1));
            let times = replayed(&found).unwrap();
            prop_assert!(times.len() as u64 >= acknowledged);
            prop_assert!(times.len() as u64 <= acknowledged + 1);
            prop_assert!(times.iter().enumerate().all(|(index, ts)| *ts == index as u64 + 1));
        }

        /// Damage is cut off only where nothing good lies behind it.
        #[test]
        fn damage_before_good_records_is_told(at in 0usize..2_000) {
            let files = SimFiles::default();
            let mut log = Log::open(Arc::new(files.clone()), Ts::ZERO, 64 << 20).unwrap();
            let mut ends = Vec::new();
            for ts in 1..=5 {
                log.append(&[commit(ts - 1, ts, 100)]).unwrap();
                ends.push(log.segments[0].bytes);
            }
            files.damage(&path(Ts::ZERO), at);
            let result = replayed(&files);
            let at = at as u64;
            if at >= ends[4] {
                prop_assert_eq!(result.unwrap(), vec![1, 2, 3, 4, 5]);
            } else if at >= ends[3] {
                prop_assert_eq!(result.unwrap(), vec![1, 2, 3, 4]);
            } else {
                prop_assert_eq!(result.unwrap_err().tag(), "LogDamaged");
            }
        }
    }
}
