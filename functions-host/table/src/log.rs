//! The log: entries with everything that replay, undo, views and the verifier need.

use crate::act::Act;
use crate::ids::{PieceNo, SeatNo, SeatSet};
use crate::model::Change;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// One entry: an act that was accepted, with its changes. It names pieces by number and holds secrets; clients get it
/// only through a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number: one more than that of the entry before it.
    pub n: u64,
    /// Milliseconds since the epoch.
    pub at: u64,
    /// The seat that acted.
    pub by: SeatNo,
    /// Its act.
    pub act: Act<PieceNo>,
    /// All changes of the state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Words of chance it used.
    #[serde(default, skip_serializing_if = "Draws::is_none")]
    pub draws: Draws,
    /// Things to tell seats about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Entries that it takes back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undoes: Vec<u64>,
    /// Faces it showed: pairs of a piece and a seat that had not seen it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub faces: u32,
}

/// Entries that do not stand, because they are taken back; from the last entries of a log, newest first. What an undo took
/// back stands again if the undo is taken back.
pub(crate) fn taken_back<'a>(newest_first: impl Iterator<Item = &'a Entry>) -> BTreeSet<u64> {
    let mut back = BTreeSet::new();
    for entry in newest_first {
        if !back.contains(&entry.n) {
            back.extend(entry.undoes.iter().copied());
        }
    }
    back
}

fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// Words of chance: the first, and their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the type says it")]
pub struct Draws {
    pub from: u64,
    pub count: u64,
}

impl Draws {
    /// True if chance was not used.
    pub fn is_none(&self) -> bool {
        self.count == 0
    }
}

/// A thing to tell seats, each as far as it may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Note {
    /// Pieces went from one container to another, or were handled in place.
    Moved {
        /// The pieces.
        pieces: Vec<PieceNo>,
        /// The container they left.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<PieceNo>,
        /// The container they are in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<PieceNo>,
    },
    /// Faces shown to seats for this moment.
    Shown {
        /// The pieces, from the top.
        pieces: Vec<PieceNo>,
        /// The seats.
        to: SeatSet,
        /// The container they lie in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<PieceNo>,
    },
    /// A button rolled dice.
    Rolled {
        /// The dice.
        pieces: Vec<PieceNo>,
    },
    /// A line of a button, a remark, a result.
    Text(String),
    /// The host says who won.
    Won {
        /// Their seats.
        winners: Vec<SeatNo>,
        /// Points of seats.
        points: Vec<(SeatNo, i64)>,
    },
    /// Entries were taken back.
    Undone {
        /// Their number.
        entries: u32,
        /// Faces that had been shown by then.
        faces: u32,
        /// True if chance had been used.
        chance: bool,
    },
}
