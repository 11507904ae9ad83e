//! Forgetting what was replaced, in the order in which it was: by reading the log again.
//!
//! A commit in the log names every key it changed. Once no reader goes back before it, the older versions of those keys
//! are out of everybody's sight, and each is found by one look beside the newer one. So forgetting costs what was
//! written, however much is stored, and the picture holds little more than what is live.

use std::sync::Mutex;

use super::files::Files;
use super::log::Log;
use super::picture::Picture;
use super::{held, record};
use crate::Result;
use crate::engine::Forgotten;
use crate::model::Ts;

/// How far the log has been gone through.
#[derive(Debug)]
pub(super) struct History {
    /// What commits up to here have replaced is gone.
    done: Ts,
    current: Option<Segment>,
}

/// A whole segment being gone through.
#[derive(Debug)]
struct Segment {
    bytes: Vec<u8>,
    at: usize,
    /// Its last commit.
    until: Ts,
}

impl History {
    /// Nothing after `done` has been gone through.
    pub(super) fn new(done: Ts) -> Self {
        Self { done, current: None }
    }

    /// What commits up to here have replaced is gone.
    pub(super) fn done(&self) -> Ts {
        self.done
    }

    /// Drops what commits up to `horizon` have replaced, segment by segment; stops after about `slice` keys.
    pub(super) fn advance<F: Files>(
        &mut self,
        files: &F,
        log: &Mutex<Log<F>>,
        picture: &impl Picture,
        horizon: Ts,
        slice: usize,
    ) -> Result<Forgotten> {
        let mut forgotten = Forgotten::default();
        loop {
            let segment = match &mut self.current {
                Some(segment) => segment,
                None => {
                    let Some((name, until)) = held(log).whole_segment(self.done, horizon) else {
                        forgotten.done = true;
                        return Ok(forgotten);
                    };
                    let bytes = super::log::read_segment(files, &name)?;
                    self.current.insert(Segment { bytes, at: 0, until })
                }
            };
            while let Some((payload, next)) = record::payload(&segment.bytes, segment.at) {
                if forgotten.examined >= slice {
                    return Ok(forgotten);
                }
                for commit in record::read(payload).unwrap_or_default() {
                    forgotten.dropped += picture.retire(commit.ts, &commit.puts)?;
                    forgotten.examined += commit.puts.len();
                }
                segment.at = next;
            }
            self.done = segment.until;
            self.current = None;
        }
    }
}
