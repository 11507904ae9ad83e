//! The log: segments of records, appended and synced by one writer.
//!
//! A segment is `log/<time>.seg` (`.log` in format 1), named for the time before its first commit, so that the names
//! alone say which commits each covers. A crash may tear the end of the last segment, which is then truncated; damage
//! anywhere else is an error. Only segments of format 2 are written.

use std::io;
use std::sync::Arc;

use super::files::{AppendFile, Files, join};
use super::lock::{self, FolderFormat};
use super::record::{self, Logged};
use super::segment::{self, Binding, SEGMENT_HEADER, SegmentBytes, SegmentFormat, Undecodable};
use super::space::Shortage;
use crate::engine::Commit;
use crate::model::Ts;
use crate::{Code, Error, Result};

/// Folder of the log.
pub(super) const FOLDER: &str = "log";
/// Size above which a write buffer is freed, in bytes.
const KEPT_BUFFER: usize = 8 << 20;
/// Temporary name of a segment while it is created.
const FRESH: &str = "log/next";
/// Factor by which a segment may exceed its size while the next one cannot be created.
const SEGMENT_STRETCH: u64 = 4;

/// The log of one data folder.
#[derive(Debug)]
pub(super) struct Log<F: Files> {
    files: Arc<F>,
    folder: FolderFormat,
    /// Oldest first; the last one is open for writing.
    segments: Vec<Segment>,
    /// File of the last segment, once it is open for writing.
    writer: Option<F::File>,
    /// Binding of the last segment's records, once it is open for writing.
    binding: Binding,
    /// Size at which a segment is followed by a new one, in bytes.
    segment_bytes: u64,
    /// Timestamp of the newest commit.
    end: Ts,
    /// State of the bytes behind the last whole record.
    tail: Tail,
    /// The last segment's name is not durable yet.
    unnamed: bool,
    /// Bytes of the last segment, kept between [`Self::whole_until`] and [`Self::replay`].
    looked_at: Option<SegmentBytes>,
    buffer: Vec<u8>,
}

/// State of the bytes behind the last whole record of the open segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// There are none.
    Clean,
    /// A failed append left some. They are truncated before the next append.
    Torn,
    /// Unknown, because the disk failed. Only a start can find out.
    Unknown,
}

#[derive(Debug, Clone, Copy)]
struct Segment {
    /// Every commit in this and later segments is after this time.
    after: Ts,
    format: SegmentFormat,
    bytes: u64,
}

impl Segment {
    fn path(&self) -> String {
        path(self.after, self.format)
    }

    /// True if it has a header, so that records can be appended.
    fn is_bound(&self) -> bool {
        self.format == SegmentFormat::V2 && self.bytes >= SEGMENT_HEADER as u64
    }
}

fn path(after: Ts, format: SegmentFormat) -> String {
    join(FOLDER, &segment::name(after, format))
}

/// Reads the segment `name`.
fn read<F: Files>(files: &F, name: &str, format: SegmentFormat) -> Result<SegmentBytes> {
    let bytes = files.read(name).map_err(|error| unreadable(name, error))?;
    SegmentBytes::new(bytes, format).ok_or_else(|| damaged(name, 0))
}

impl<F: Files> Log<F> {
    /// Opens the log in `files` without reading its segments. `folder` gives the beginning of an empty log; a segment
    /// that reaches `segment_bytes` is followed by a new one.
    pub(super) fn open(files: Arc<F>, folder: FolderFormat, segment_bytes: u64) -> Result<Self> {
        let names = files.list(FOLDER).map_err(|error| unreadable(FOLDER, error))?;
        let mut segments = names
            .iter()
            .filter_map(|name| segment::parse_name(name))
            .map(|(after, format)| Segment { after, format, bytes: 0 })
            .collect::<Vec<_>>();
        segments.sort_by_key(|segment| (segment.after, segment.format));
        for segment in &mut segments {
            let name = segment.path();
            segment.bytes = files.size(&name).map_err(|error| unreadable(&name, error))?;
        }
        let end = segments.last().map_or(folder.begins, |segment| segment.after);
        Ok(Self {
            files,
            folder,
            segments,
            writer: None,
            binding: Binding::None,
            segment_bytes,
            end,
            tail: Tail::Clean,
            unnamed: false,
            looked_at: None,
            buffer: Vec::new(),
        })
    }

    /// Time before the oldest commit that is kept.
    pub(super) fn begins_after(&self) -> Ts {
        self.segments.first().map_or(self.end, |segment| segment.after)
    }

    /// True if there is no segment.
    pub(super) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Timestamp of the last whole commit of the last segment, which a replay will end at. Keeps the bytes read for the
    /// replay.
    ///
    /// # Errors
    /// `DataLoss` when a record other than the last is damaged.
    pub(super) fn whole_until(&mut self) -> Result<Ts> {
        let Some(segment) = self.segments.last() else { return Ok(self.end) };
        let name = segment.path();
        let mut records = read(&*self.files, &name, segment.format)?;
        let mut newest = segment.after;
        while let Some(commits) = next_record(&mut records, &name)? {
            newest = commits.last().map_or(newest, |commit| commit.ts);
        }
        if records.is_followed(newest) {
            return Err(damaged(&name, records.at()));
        }
        records.rewind();
        self.looked_at = Some(records);
        Ok(newest)
    }

    /// Timestamp of the newest commit.
    pub(super) fn end(&self) -> Ts {
        self.end
    }

    /// Size of the segments that begin at or after `ts`, in bytes.
    pub(super) fn bytes_since(&self, ts: Ts) -> u64 {
        let from = self.segments.partition_point(|segment| segment.after < ts);
        self.segments[from..].iter().map(|segment| segment.bytes).sum()
    }

    /// The latest time with at least `bytes` of log after it, at a segment boundary; [`Ts::ZERO`] when there is less
    /// log.
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
    pub(super) fn whole_segment(&self, after: Ts, until: Ts) -> Option<(WholeSegment, Ts)> {
        let mut pairs = self.segments.windows(2).map(|pair| (pair[0], pair[1].after));
        let (segment, last) = pairs.find(|(_, last)| *last > after)?;
        (last <= until).then_some((WholeSegment(segment), last))
    }

    /// Passes the commits of every segment that may hold commits after `after` to `each`, oldest first, then opens the
    /// log for appending. A torn tail is truncated: [`Self::whole_until`] has already checked that it held nothing
    /// acknowledged.
    ///
    /// # Errors
    /// `DataLoss` when a record other than the last is damaged, or a commit is missing.
    pub(super) fn replay(&mut self, after: Ts, each: impl FnMut(Vec<Logged>) -> Result<()>) -> Result<()> {
        self.walk(after, each)?;
        if let Some(segment) = self.segments.last() {
            let name = segment.path();
            let writer = self.files.reopen(&name, segment.bytes).map_err(|error| unwritable(&name, error))?;
            self.writer = Some(writer);
        }
        Ok(())
    }

    /// Reads like [`Self::replay`], and changes nothing on disk.
    ///
    /// # Errors
    /// The same.
    pub(super) fn walk(&mut self, after: Ts, mut each: impl FnMut(Vec<Logged>) -> Result<()>) -> Result<()> {
        let from = self.segments.partition_point(|segment| segment.after <= after).saturating_sub(1);
        let mut expected: Option<Ts> = None;
        for index in from..self.segments.len() {
            let Segment { after, format, .. } = self.segments[index];
            let name = path(after, format);
            let last = index + 1 == self.segments.len();
            let mut records = match self.looked_at.take_if(|_| last) {
                Some(records) => records,
                None => read(&*self.files, &name, format)?,
            };
            // An empty segment continues the one before it, too.
            if expected.is_some_and(|expected| expected != after) {
                return Err(missing(&name, after));
            }
            while let Some(commits) = next_record(&mut records, &name)? {
                for commit in &commits {
                    if expected.is_some_and(|expected| expected != commit.prev) {
                        return Err(missing(&name, commit.prev));
                    }
                    expected = Some(commit.ts);
                    self.end = commit.ts;
                }
                each(commits)?;
            }
            if !records.is_at_end() && (!last || records.is_followed(self.end)) {
                return Err(damaged(&name, records.at()));
            }
            self.segments[index].bytes = records.at() as u64;
            self.binding = records.binding();
        }
        Ok(())
    }

    /// Appends a batch durably.
    ///
    /// # Errors
    /// `ResourceExhausted` (`DiskFull`) when nothing is stored for lack of space or file handles; a later append may
    /// succeed. `Unknown` (`LogWrite`) when the batch may or may not be stored. `Unavailable` (`LogBroken`) when
    /// nothing is stored, and nothing will be until a restart.
    pub(super) fn append(&mut self, batch: &[Arc<Commit>]) -> Result<()> {
        let Some(last) = batch.last() else { return Ok(()) };
        self.prepare()?;
        self.buffer.clear();
        let at = self.segments.last().map_or(0, |segment| segment.bytes);
        record::write(&mut self.buffer, batch, self.binding, usize::try_from(at).unwrap_or(usize::MAX));
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

    /// Prepares the log for an append: truncates the remains of a failed one, and begins the next segment when it is
    /// due.
    ///
    /// # Errors
    /// `ResourceExhausted` (`DiskFull`) when that is impossible now; `Unavailable` (`LogBroken`) when it is impossible
    /// until a restart.
    pub(super) fn prepare(&mut self) -> Result<()> {
        match self.tail {
            Tail::Clean => {}
            Tail::Torn => self.cut().map_err(|error| match Shortage::of(&error) {
                Some(shortage) => shortage.refusal(FOLDER),
                None => broken(),
            })?,
            Tail::Unknown => return Err(broken()),
        }
        let written = self.segments.last().filter(|segment| segment.is_bound()).map(|segment| segment.bytes);
        if written.is_some_and(|written| written < self.segment_bytes) {
            return Ok(());
        }
        match self.begin_segment() {
            Ok(()) => Ok(()),
            // The open segment may still grow: creating the next one is attempted long before it is required.
            Err(_) if written.is_some_and(|bytes| bytes < self.segment_bytes * SEGMENT_STRETCH) => Ok(()),
            Err(error) => Err(match Shortage::of(&error) {
                Some(shortage) => shortage.refusal(&path(self.end, SegmentFormat::V2)),
                None => {
                    let name = path(self.end, SegmentFormat::V2);
                    let message = format!("cannot make {name} of the data folder: {error}");
                    Error::new(Code::Unavailable, "LogSegment", message).with_source(error)
                }
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

    /// Undoes a failed append as far as possible; returns the error for its outcome.
    fn write_failed(&mut self, error: io::Error) -> Error {
        let name = self.segments.last().map_or_else(|| FOLDER.to_owned(), Segment::path);
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

    /// Removes segments without commits after `before`.
    pub(super) fn drop_before(&mut self, before: Ts) -> Result<()> {
        let keep_from = self.segments.partition_point(|segment| segment.after <= before).saturating_sub(1);
        if keep_from == 0 {
            return Ok(());
        }
        for segment in self.segments.drain(..keep_from) {
            let name = segment.path();
            self.files.remove(&name).map_err(|error| unwritable(&name, error))?;
        }
        self.files.sync_folder(FOLDER).map_err(|error| unwritable(FOLDER, error))
    }

    /// Creates the segment that continues from the newest commit. It is renamed last, so that a failure leaves the
    /// previous segment usable.
    ///
    /// Its header is synced before that: a segment with its final name and without a whole header is damaged.
    fn begin_segment(&mut self) -> io::Result<()> {
        if self.folder.version < lock::VERSION {
            self.folder = lock::write_format(&*self.files, self.folder.begins)?;
        }
        let nonce = self.files.random()?;
        self.files.remove(FRESH)?;
        let mut writer = self.files.create(FRESH)?;
        writer.write(&segment::header(nonce))?;
        writer.sync()?;
        self.files.rename(FRESH, &path(self.end, SegmentFormat::V2))?;
        self.unnamed = true;
        self.writer = Some(writer);
        self.binding = Binding::Nonce(nonce);
        // A segment without commits had the same name and was replaced.
        self.segments.pop_if(|last| (last.after, last.format) == (self.end, SegmentFormat::V2));
        self.segments.push(Segment {
            after: self.end,
            format: SegmentFormat::V2,
            bytes: SEGMENT_HEADER as u64,
        });
        Ok(())
    }
}

/// A completed segment, which is no longer written.
#[derive(Debug)]
pub(super) struct WholeSegment(Segment);

impl WholeSegment {
    /// Reads its records.
    pub(super) fn read<F: Files>(&self, files: &F) -> Result<SegmentBytes> {
        read(files, &self.0.path(), self.0.format)
    }
}

fn next_record(records: &mut SegmentBytes, name: &str) -> Result<Option<Vec<Logged>>> {
    records.next_record().map_err(|Undecodable| damaged(name, records.at()))
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

/// Error of a commit of which nothing is stored.
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

    use super::super::sim_files::SimFiles;
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

    fn log_in(files: &SimFiles) -> Result<Log<SimFiles>> {
        let folder = lock::begin(files, Ts::ZERO)?;
        Log::open(Arc::new(files.clone()), folder, 64 << 20)
    }

    fn replayed(files: &SimFiles) -> Result<Vec<u64>> {
        let mut log = log_in(files)?;
        let mut found = Vec::new();
        log.replay(Ts::ZERO, |commits| {
            found.extend(commits.iter().map(|commit| commit.ts.micros()));
            Ok(())
        })?;
        Ok(found)
    }

    const FIRST: &str = "log/00000000000000000000.seg";
    const FIRST_V1: &str = "log/00000000000000000000.log";

    /// A data folder of format 1: `commits` in one segment, followed by `tail`.
    fn folder_v1(commits: &[Arc<Commit>], tail: &[u8]) -> SimFiles {
        let files = SimFiles::default();
        files.replace("", "FORMAT", b"tuckbox 1 begins 0\n").unwrap();
        let mut bytes = Vec::new();
        for commit in commits {
            let at = bytes.len();
            record::write(&mut bytes, std::slice::from_ref(commit), Binding::None, at);
        }
        bytes.extend_from_slice(tail);
        let mut file = files.create(FIRST_V1).unwrap();
        file.write(&bytes).unwrap();
        file.sync().unwrap();
        files.sync_folder(FOLDER).unwrap();
        files
    }

    fn holding(prev: u64, ts: u64, bytes: Vec<u8>) -> Arc<Commit> {
        let put = Put { key: vec![1; 9], value: Some(bytes.into()) };
        Arc::new(Commit::new(Ts::from_micros(prev), Ts::from_micros(ts), Vec::new(), None, vec![put]))
    }

    /// Records that a visitor could have stored: an empty one, older ones, and newer ones with and without the nonce of
    /// another segment.
    fn forged() -> Vec<Vec<u8>> {
        let mut all = vec![[record::MAGIC.as_slice(), &[0; 8]].concat()];
        for (prev, ts) in [(0, 1), (2, 3), (5, 9)] {
            for binding in [Binding::None, Binding::Nonce([7; 16]), Binding::Nonce([0; 16])] {
                let mut bytes = segment::header([7; 16]).to_vec();
                record::write(&mut bytes, &[commit(prev, ts, 10)], binding, SEGMENT_HEADER);
                all.push(bytes);
            }
        }
        all
    }

    #[test]
    fn bytes_of_users_in_a_torn_tail_are_no_records() {
        for bytes in forged() {
            let files = SimFiles::default();
            let mut log = log_in(&files).unwrap();
            log.append(&[commit(0, 1, 10)]).unwrap();
            log.append(&[holding(1, 2, bytes)]).unwrap();
            let end = usize::try_from(log.segments[0].bytes).unwrap();
            files.damage(FIRST, end - 1);
            assert_eq!(log_in(&files).unwrap().whole_until().unwrap(), Ts::from_micros(1));
            assert_eq!(replayed(&files).unwrap(), [1]);
        }
    }

    #[test]
    fn older_records_of_users_in_a_torn_tail_of_format_1_are_no_records() {
        let empty = [record::MAGIC.as_slice(), &[0; 8]].concat();
        let mut older = Vec::new();
        record::write(&mut older, &[commit(0, 1, 10)], Binding::None, 0);
        for bytes in [empty, older] {
            let files = folder_v1(&[commit(0, 1, 10), holding(1, 2, bytes)], b"");
            let end = usize::try_from(files.size(FIRST_V1).unwrap()).unwrap();
            files.damage(FIRST_V1, end - 1);
            assert_eq!(replayed(&files).unwrap(), [1]);
        }
    }

    #[test]
    fn a_log_of_format_1_goes_on_in_format_2() {
        for (commits, tail) in
            [(vec![commit(0, 1, 10), commit(1, 2, 10)], &b""[..]), (vec![], b""), (vec![], b"TBX1torn")]
        {
            let files = folder_v1(&commits, tail);
            let newest = commits.last().map_or(0, |commit| commit.ts.micros());
            let expected = (1..=newest).collect::<Vec<_>>();
            assert_eq!(replayed(&files).unwrap(), expected);
            assert_eq!(
                files.read("FORMAT").unwrap(),
                b"tuckbox 1 begins 0\n",
                "an open alone upgrades nothing"
            );

            let mut log = log_in(&files).unwrap();
            log.replay(Ts::ZERO, |_| Ok(())).unwrap();
            log.append(&[commit(newest, newest + 1, 10)]).unwrap();
            log.append(&[commit(newest + 1, newest + 2, 10)]).unwrap();
            assert_eq!(files.read("FORMAT").unwrap(), b"tuckbox 2 begins 0\n");
            assert_eq!(replayed(&files).unwrap(), (1..=newest + 2).collect::<Vec<_>>());
            let found = files.after_power_cut(|_| 0);
            assert_eq!(replayed(&found).unwrap(), (1..=newest + 2).collect::<Vec<_>>());
        }
    }

    /// At whatever operation the power is cut, no folder marked as version 1 holds a segment of format 2.
    #[test]
    fn the_folder_says_2_before_it_holds_a_segment_of_format_2() {
        for fuse in 0..20 {
            let files = folder_v1(&[commit(0, 1, 10)], b"");
            let mut log = log_in(&files).unwrap();
            log.replay(Ts::ZERO, |_| Ok(())).unwrap();
            files.cut_after(fuse);
            let appended = log.append(&[commit(1, 2, 10)]).is_ok();
            let found = files.after_power_cut(|unsynced| unsynced);
            let bound = found.list(FOLDER).unwrap().iter().any(|name| name.ends_with(".seg"));
            assert!(!bound || found.read("FORMAT").unwrap().starts_with(b"tuckbox 2"));
            let times = replayed(&found).unwrap();
            assert!(times == [1, 2] || (times == [1] && !appended), "{times:?}");
        }
    }

    /// Missing commits are detected by the view, the checkpoint and snapshots.
    #[test]
    fn a_segment_that_was_cut_within_its_header_is_replaced() {
        for len in 0..SEGMENT_HEADER as u64 {
            let files = SimFiles::default();
            log_in(&files).unwrap().append(&[commit(0, 1, 10)]).unwrap();
            files.reopen(FIRST, len).unwrap();
            let mut log = log_in(&files).unwrap();
            assert_eq!(log.whole_until().unwrap(), Ts::ZERO);
            log.replay(Ts::ZERO, |_| Ok(())).unwrap();
            log.append(&[commit(0, 1, 20)]).unwrap();
            log.append(&[commit(1, 2, 20)]).unwrap();
            assert_eq!(replayed(&files).unwrap(), [1, 2]);
        }
    }

    #[test]
    fn a_damaged_header_is_told() {
        let whole = SimFiles::default();
        log_in(&whole).unwrap().append(&[commit(0, 1, 10)]).unwrap();
        for at in 0..SEGMENT_HEADER {
            let files = whole.after_power_cut(|_| 0);
            files.damage(FIRST, at);
            assert_eq!(replayed(&files).unwrap_err().tag(), "LogDamaged", "byte {at}");
        }
    }

    proptest! {
        /// At any point of the cut, and whichever part of the tail survives it, every acknowledged batch is there and
        /// nothing is there that was not appended.
        #[test]
        fn a_power_cut_loses_nothing_acknowledged(
            sizes in proptest::collection::vec(0usize..400, 1..30), fuse in 0u64..90, luck in any::<u64>()
        ) {
            let files = SimFiles::default();
            let mut log = log_in(&files).unwrap();
            files.cut_after(fuse);
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

        /// Damage is truncated only where no good record lies behind it.
        #[test]
        fn damage_before_good_records_is_told(at in 0usize..2_000) {
            let files = SimFiles::default();
            let mut log = log_in(&files).unwrap();
            let mut ends = Vec::new();
            for ts in 1..=5 {
                log.append(&[commit(ts - 1, ts, 100)]).unwrap();
                ends.push(log.segments[0].bytes);
            }
            files.damage(FIRST, at);
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
