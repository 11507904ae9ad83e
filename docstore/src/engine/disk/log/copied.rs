//! Copies of the log elsewhere, and the way back: a restored folder's log continues with them.
//!
//! A copy holds records of format 1, one after another. Its files are written whole and under their final names, so a
//! record need not be bound to its place.

use std::sync::Arc;

use super::super::files::Files;
use super::super::record::{self, Logged};
use super::super::segment::Binding;
use super::super::{Cadence, lock};
use super::Log;
use crate::engine::{Commit, Put};
use crate::model::Ts;
use crate::{Code, Error, Result};

/// Bytes of commits that a restore appends at a time.
const APPEND_BYTES: usize = 4 << 20;

/// Commits as a record of a copy.
pub(crate) fn copy_record(commits: &[Arc<Commit>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    record::write(&mut bytes, commits, Binding::None, 0);
    bytes
}

/// Hands the commits of a copy to `each`, by record. Errors call it `name`.
///
/// # Errors
/// `DataLoss` (`LogCopyDamaged`) when it is damaged or cut; whatever `each` returns.
fn records(bytes: &[u8], name: &str, each: &mut dyn FnMut(Vec<Logged>) -> Result<()>) -> Result<()> {
    let mut at = 0;
    while at < bytes.len() {
        let read = record::payload(bytes, at, Binding::None);
        let read = read.and_then(|(payload, next)| Some((record::read(payload)?, next)));
        let Some((commits, next)) = read else { return Err(damaged(name)) };
        at = next;
        each(commits)?;
    }
    Ok(())
}

/// Reads a copy, and checks that its commits follow each other from `after` to `last`.
///
/// # Errors
/// `DataLoss` (`LogCopyDamaged`).
pub(crate) fn check_copy(bytes: &[u8], name: &str, after: Ts, last: Ts) -> Result<()> {
    let mut position = after;
    records(bytes, name, &mut |commits| {
        for commit in commits {
            if commit.prev != position || commit.ts <= position {
                return Err(damaged(name));
            }
            position = commit.ts;
        }
        Ok(())
    })?;
    if position == last { Ok(()) } else { Err(damaged(name)) }
}

/// The log of a folder that was made of a snapshot, to which the copied commits after it are appended.
#[derive(Debug)]
pub(crate) struct Continuation<F: Files> {
    log: Log<F>,
    /// The newest commit so far, in the times of the lost store.
    position: Ts,
}

impl<F: Files> Continuation<F> {
    /// Continues the log of the folder `files`, whose snapshot shows the lost store at `snapshot`.
    ///
    /// # Errors
    /// `Unavailable` when the folder cannot be read or written.
    pub(crate) fn open(files: F, snapshot: Ts) -> Result<Self> {
        let files = Arc::new(files);
        let format = lock::begin(&*files, Ts::ZERO)?;
        let log = Log::open(files, format, Cadence::default().segment)?;
        Ok(Self { log, position: snapshot })
    }

    /// The newest commit so far, in the times of the lost store.
    pub(crate) fn position(&self) -> Ts {
        self.position
    }

    /// Appends the commits of a copy that are new and not after `until`. They get times after those of the folder.
    /// Errors call the copy `name`.
    ///
    /// # Errors
    /// `DataLoss`: `LogCopyDamaged`, `LogCopyGap` when commits before it are missing; those of an append.
    pub(crate) fn append(&mut self, bytes: &[u8], name: &str, until: Ts) -> Result<()> {
        let (mut batch, mut weight) = (Vec::new(), 0);
        let (log, position) = (&mut self.log, &mut self.position);
        let mut end = log.end();
        records(bytes, name, &mut |commits| {
            for commit in commits {
                if commit.ts <= *position || commit.ts > until {
                    continue;
                }
                if commit.prev != *position {
                    return Err(gap(name));
                }
                *position = commit.ts;
                weight += commit.puts.iter().map(Put::size).sum::<usize>();
                batch.push(Arc::new(anew(commit, end)));
                end = end.next();
                if weight >= APPEND_BYTES {
                    log.append(&std::mem::take(&mut batch))?;
                    weight = 0;
                }
            }
            Ok(())
        })?;
        self.log.append(&batch)
    }
}

/// A copied commit at the time after `end`.
fn anew(Logged { author, backfill, puts, .. }: Logged, end: Ts) -> Commit {
    Commit { prev: end, ts: end.next(), changes: Vec::new(), author, backfill, puts, weight: 0 }
}

fn damaged(name: &str) -> Error {
    Error::new(Code::DataLoss, "LogCopyDamaged", format!("the copy of the log {name} is damaged or cut"))
}

fn gap(name: &str) -> Error {
    let message = format!("commits before those of {name} are missing from the copies of the log");
    Error::new(Code::DataLoss, "LogCopyGap", message)
}

#[cfg(test)]
mod tests;
