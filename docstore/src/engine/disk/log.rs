//! The log: segments of records, appended and synced by one writer.
//!
//! A segment is `log/<time>.seg` (`.log` in format 1), named for the time before its first commit, so that the names
//! alone say which commits each covers. A crash may tear the end of the last segment, which is then truncated; damage
//! anywhere else is an error. Only segments of format 2 are written.

mod copied;

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

pub(crate) use copied::{Continuation, check_copy, copy_record};

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
    /// Appends wait until the disk has them.
    durable: bool,
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
            durable: true,
            end,
            tail: Tail::Clean,
            unnamed: false,
            looked_at: None,
            buffer: Vec::new(),
        })
    }

    /// Leaves it to the system when appends reach the disk: for a log that can be had again.
    pub(super) fn write_behind(&mut self) {
        self.durable = false;
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
        if !self.durable {
            return Ok(());
        }
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
mod tests;
