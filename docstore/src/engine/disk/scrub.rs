//! Reads everything in a data folder that nobody has open, and compares it: every record of the log, every block of every
//! snapshot, and every row of the view with what snapshot and log say it must hold. Nothing is repaired.
//!
//! The snapshot and the view are read in key order, side by side; of the log only keys and checksums are held in memory.

use std::collections::{BTreeMap, VecDeque, btree_map};
use std::fmt;
use std::iter::Peekable;
use std::path::Path;

use super::checkpointer::read_checkpoint;
use super::files::Files;
use super::lock::{self, FolderFormat};
use super::log::Log;
use super::snapshot;
use super::view::View;
use super::view::engine::{ViewEngine, ViewFolder};
use super::view::state;
use crate::encoding::key::{Key, KeyRange, successor};
use crate::engine::{Scan, Stored};
use crate::model::Ts;
use crate::{Code, Error, Result};

/// Rows of the view read at a time.
const PAGE: usize = 1_000;
/// Faults that are described; more are only counted.
const DESCRIBED_FAULTS: usize = 20;

/// The report of [`scrub`].
#[derive(Debug, Default)]
pub struct ScrubReport {
    /// Commits in the log.
    pub commits: u64,
    /// Entries of all snapshots.
    pub snapshot_entries: u64,
    /// Rows of the view that were compared; `None` when there is no view that a start would use.
    pub rows: Option<u64>,
    /// Number of faults.
    pub faults: u64,
    /// The first faults, in words.
    pub described: Vec<String>,
    /// Remarks that are no faults.
    pub remarks: Vec<String>,
}

impl ScrubReport {
    fn fault(&mut self, fault: impl fmt::Display) {
        self.faults += 1;
        if self.described.len() < DESCRIBED_FAULTS {
            self.described.push(fault.to_string());
        }
    }
}

/// Reads and compares everything in the data folder `folder`; `cache` bytes of the view are kept in memory. Blocks on the
/// disk, for as long as reading the folder takes.
///
/// # Errors
/// `FailedPrecondition` when another process has the folder, or when it is of another version or is no data folder.
pub fn scrub(folder: &Path, cache: u64) -> Result<ScrubReport> {
    if !folder.join(lock::FORMAT).exists() {
        let message = format!("{} is no data folder: it has no {}", folder.display(), lock::FORMAT);
        return Err(Error::new(Code::FailedPrecondition, "FolderFormat", message));
    }
    let _lock = lock::take(folder)?;
    let files = lock::files(folder);
    let format = lock::begin(&files, Ts::ZERO)?;
    // A view of an engine that is no longer chosen is removed once the other one is complete.
    let there = |engine: &ViewEngine| folder.join(engine.name()).exists();
    let engine = ViewEngine::ALL.into_iter().find(there).unwrap_or_default();
    scrub_files(&files, format, || ViewFolder::new(folder, engine, cache).open_existing())
}

fn scrub_files<F: Files + Clone, V: View>(
    files: &F,
    folder: FolderFormat,
    open_view: impl FnOnce() -> Result<V>,
) -> Result<ScrubReport> {
    let mut report = ScrubReport::default();
    let mut log = Log::open(std::sync::Arc::new(files.clone()), folder, u64::MAX)?;
    let log_begins = log.begins_after();
    let walked = log.walk(Ts::ZERO, |commits| {
        report.commits += commits.len() as u64;
        Ok(())
    });
    let whole_log = walked.map_err(|error| report.fault(error)).is_ok();
    let snapshots = snapshot::list(files)?;
    for at in &snapshots {
        let read = snapshot::entries(files, *at, |puts| {
            report.snapshot_entries += puts.len() as u64;
            Ok(())
        });
        if let Err(error) = read {
            report.fault(error);
        }
    }
    if report.faults > 0 || !whole_log {
        report.remarks.push("the view was not compared: log or snapshots are damaged".to_owned());
        return Ok(report);
    }
    let Some(checkpoint) = read_checkpoint(files) else {
        report.remarks.push("there is no checkpoint: the next start builds the view again".to_owned());
        return Ok(report);
    };
    if checkpoint.at > log.end() {
        report.fault(format!(
            "the log ends at {}, but the checkpoint has seen commits up to {}: its end is missing",
            log.end(),
            checkpoint.at
        ));
        return Ok(report);
    }
    let view = open_view().and_then(|view| view.state().map(|state| (view, state)));
    let usable = view.and_then(|(view, state)| {
        let verified = state::verify(state, checkpoint, folder.begins);
        verified
            .map(|_| view)
            .map_err(|mismatch| Error::new(Code::DataLoss, "ViewUnusable", mismatch.to_string()))
    });
    let view = match usable {
        Ok(view) => view,
        Err(error) => {
            report.remarks.push(format!("the next start builds the view again: {}", error.message()));
            return Ok(report);
        }
    };
    let base = snapshots.iter().copied().find(|at| *at <= checkpoint.at && *at >= log_begins);
    if base.is_none() && log_begins != folder.begins {
        report.fault("the log begins later than the data, and no snapshot lies before the checkpoint");
        return Ok(report);
    }
    let changed = changes(&mut log, base.unwrap_or(folder.begins), checkpoint.at)?;
    compare(files, &view, base, checkpoint.at, changed, &mut report)?;
    Ok(report)
}

/// The newest change of a key behind the snapshot.
#[derive(Debug, Clone, Copy)]
enum Changed {
    /// To a value with this checksum; `None` when the key was removed.
    To(Option<u32>),
    /// Behind the checkpoint: a crash may have kept any version of it in the view.
    Later,
}

fn changes<F: Files>(log: &mut Log<F>, after: Ts, until: Ts) -> Result<BTreeMap<Key, Changed>> {
    let mut changed = BTreeMap::new();
    log.walk(after, |commits| {
        for commit in commits.into_iter().filter(|commit| commit.ts > after) {
            for put in commit.puts {
                let change =
                    if commit.ts > until { Changed::Later } else { Changed::To(put.value.as_ref().map(sum)) };
                changed.insert(put.key, change);
            }
        }
        Ok(())
    })?;
    Ok(changed)
}

fn sum(value: &Stored) -> u32 {
    crc32c::crc32c(value)
}

fn compare<F: Files>(
    files: &F,
    view: &impl View,
    base: Option<Ts>,
    at: Ts,
    changed: BTreeMap<Key, Changed>,
    report: &mut ScrubReport,
) -> Result<()> {
    let mut compared = Comparison {
        rows: Rows { view, at, start: Vec::new(), page: VecDeque::new(), done: false },
        changed: changed.into_iter().peekable(),
        matched: 0,
        report,
    };
    let mut read = Ok(());
    if let Some(base) = base {
        // A damaged snapshot was reported before this; what fails now is the view.
        read = snapshot::entries(files, base, |puts| {
            puts.into_iter()
                .try_for_each(|put| compared.snapshot_entry(&put.key, put.value.as_ref().map(sum)))
        });
    }
    let finished = read.and_then(|()| compared.finish());
    let matched = compared.matched;
    match finished {
        Ok(()) => report.rows = Some(matched),
        Err(error) => report.fault(error),
    }
    Ok(())
}

struct Comparison<'a, V: View> {
    rows: Rows<'a, V>,
    changed: Peekable<btree_map::IntoIter<Key, Changed>>,
    matched: u64,
    report: &'a mut ScrubReport,
}

impl<V: View> Comparison<'_, V> {
    fn snapshot_entry(&mut self, key: &Key, value: Option<u32>) -> Result<()> {
        while let Some((key, change)) = self.changed.next_if(|(changed, _)| changed < key) {
            self.expect(&key, change)?;
        }
        let change = self.changed.next_if(|(changed, _)| changed == key);
        self.expect(key, change.map_or(Changed::To(value), |(_, change)| change))
    }

    fn finish(&mut self) -> Result<()> {
        while let Some((key, change)) = self.changed.next() {
            self.expect(&key, change)?;
        }
        while let Some((key, _)) = self.rows.next()? {
            self.report.fault(format!("the view has {}, which log and snapshot do not", name(&key)));
        }
        Ok(())
    }

    fn expect(&mut self, key: &Key, change: Changed) -> Result<()> {
        while let Some((stray, _)) = self.rows.next_if(|row| row < key)? {
            self.report.fault(format!("the view has {}, which log and snapshot do not", name(&stray)));
        }
        let row = self.rows.next_if(|row| row == key)?.map(|(_, value)| sum(&value));
        match change {
            Changed::Later => {}
            Changed::To(expected) if expected == row => self.matched += u64::from(row.is_some()),
            Changed::To(Some(_)) if row.is_none() => {
                self.report.fault(format!("the view lacks {}", name(key)));
            }
            Changed::To(None) => {
                self.report.fault(format!("the view still has {}, which was removed", name(key)));
            }
            Changed::To(Some(_)) => self.report.fault(format!("the view has another value of {}", name(key))),
        }
        Ok(())
    }
}

/// The live rows of a view at one time, in key order.
struct Rows<'a, V: View> {
    view: &'a V,
    at: Ts,
    start: Key,
    page: VecDeque<(Key, Stored)>,
    done: bool,
}

impl<V: View> Rows<'_, V> {
    fn next_if(&mut self, wanted: impl FnOnce(&Key) -> bool) -> Result<Option<(Key, Stored)>> {
        while self.page.is_empty() && !self.done {
            let range = KeyRange { start: self.start.clone(), end: vec![0xff; 16] };
            let scan = Scan { limit: PAGE, ..Scan::all(&range, self.at) };
            let page = self.view.scan(&scan)?;
            self.done = page.done || page.entries.is_empty();
            if let Some((last, _)) = page.entries.last() {
                self.start = successor(last);
            }
            self.page.extend(page.entries);
        }
        let front = self.page.front().is_some_and(|(key, _)| wanted(key));
        Ok(if front { self.page.pop_front() } else { None })
    }

    fn next(&mut self) -> Result<Option<(Key, Stored)>> {
        self.next_if(|_| true)
    }
}

/// A key for people: a document's path, or an index entry's database.
fn name(key: &Key) -> String {
    let database = key.first_chunk::<4>().map_or(0, |number| u32::from_be_bytes(*number));
    match crate::encoding::key::read_doc_key(key) {
        Some(path) if key.get(4) == Some(&crate::encoding::key::DOCS) => {
            format!("the document {path} of database {database}")
        }
        _ => format!("an index entry of database {database}"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::engine::Put;
    use crate::engine::disk::view::engine::AnyView;
    use crate::engine::disk::view::tests::Folder;
    use crate::engine::map::VersionMap;

    fn report(folder: &Folder) -> ScrubReport {
        scrub(folder.folder.path(), 1 << 24).unwrap()
    }

    #[test]
    fn a_whole_folder_has_no_faults_and_stays_as_it_is() {
        ViewEngine::ALL.into_iter().for_each(whole_folder_has_no_faults);
    }

    fn whole_folder_has_no_faults(engine: ViewEngine) {
        let folder = Folder::new(engine);
        let files = |of: &str| {
            let mut all: Vec<_> =
                fs::read_dir(folder.path(of)).unwrap().map(|entry| entry.unwrap().path()).collect();
            all.sort();
            all.into_iter().map(|path| (fs::read(&path).unwrap(), path)).collect::<Vec<_>>()
        };
        let before = files("log");
        let found = report(&folder);
        assert_eq!(
            (found.faults, found.described.as_slice(), found.remarks.as_slice()),
            (0, &[][..], &[][..])
        );
        assert!(found.commits >= 40, "{found:?}");
        assert!(found.rows.unwrap() > 0, "{found:?}");
        assert_eq!(files("log"), before);
        assert_eq!(folder.contents().len() as u64, found.rows.unwrap());
    }

    #[test]
    fn a_damaged_log_is_named() {
        let folder = Folder::new(ViewEngine::default());
        let segment =
            fs::read_dir(folder.path("log")).unwrap().map(|entry| entry.unwrap().path()).max().unwrap();
        let mut bytes = fs::read(&segment).unwrap();
        bytes[100] ^= 1;
        fs::write(&segment, bytes).unwrap();
        let found = report(&folder);
        assert_eq!(found.faults, 1);
        assert!(found.described[0].contains("the log is damaged in log/"), "{found:?}");
    }

    #[test]
    fn a_row_that_was_lost_changed_or_made_up_is_named() {
        let folder = Folder::new(ViewEngine::default());
        let key = folder.contents().into_keys().nth(3).unwrap();
        let checkpoint = read_checkpoint(&lock::files(folder.folder.path())).unwrap();
        let other = [&key[..key.len() - 2], b"zz", &key[key.len() - 2..]].concat();
        for (key, value, said) in [
            (key.clone(), None, "the view lacks the document"),
            (key, Some(Stored::from(&b"other"[..])), "the view has another value of the document"),
            (other, Some(Stored::from(&b"x"[..])), "which log and snapshot do not"),
        ] {
            let folder = Folder::new(ViewEngine::default());
            let view = AnyView::existing(folder.folder.path(), folder.engine).unwrap();
            let versions = VersionMap::default();
            let puts = [Put { key, value }];
            versions.insert([(checkpoint.at, &puts[..])]);
            view.insert(&versions).unwrap();
            view.sync().unwrap();
            drop(view);
            let found = report(&folder);
            assert_eq!(found.faults, 1, "{found:?}");
            assert!(found.described[0].contains(said), "{found:?}");
        }
    }

    #[test]
    fn a_view_that_a_start_would_not_use_is_remarked() {
        let folder = Folder::new(ViewEngine::default());
        fs::remove_dir_all(folder.path(folder.engine.name())).unwrap();
        let found = report(&folder);
        assert_eq!((found.faults, found.rows), (0, None));
        assert!(found.remarks[0].contains("builds the view again"), "{found:?}");
    }

    #[test]
    fn a_folder_of_something_else_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(scrub(folder.path(), 1 << 24).unwrap_err().tag(), "FolderFormat");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
