//! Seats, rights, the clock, and what waits for people.

use crate::ids::{SeatNo, SeatSet};
use serde::{Deserialize, Serialize};

/// A role at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Role {
    Host,
    Cohost,
    Player,
}

/// A seat that plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// Name of the person, or of the seat while it is free.
    pub name: String,
    /// Colour, 24 bits.
    pub colour: u32,
    /// The account that sits here.
    pub who: Option<String>,
    /// Role of whoever sits here.
    pub role: Role,
    /// True if it agrees that observers see everything.
    #[serde(default)]
    pub agrees: bool,
}

/// Rights of players; hosts and co-hosts may do all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rights {
    /// Move pieces outside of one's own hand and trays.
    pub move_all: bool,
    /// Take pieces out of the box.
    pub spawn: bool,
    /// Put pieces back into the box.
    pub remove: bool,
    /// Change containers and settings.
    pub edit: bool,
    /// Press buttons.
    pub buttons: bool,
    /// Undo others' acts without being asked.
    pub undo_others: bool,
    /// Take cards from other hands, by chance.
    pub take: bool,
}

impl Default for Rights {
    fn default() -> Self {
        Self {
            move_all: true,
            spawn: false,
            remove: false,
            edit: false,
            buttons: true,
            undo_others: false,
            take: true,
        }
    }
}

/// The way undo treats secrets and other people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UndoMode {
    /// Never over a shown face or chance.
    Strict,
    /// Others are asked.
    #[default]
    Ask,
    /// Nobody is asked.
    Free,
}

/// The way a table takes changes of its project's cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Follow {
    /// At once.
    Live,
    /// When a host says so.
    Ask,
    /// Never.
    #[default]
    Frozen,
}

/// Settings of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Rights of players.
    pub rights: Rights,
    /// Rules of undo.
    pub undo: UndoMode,
    /// True if a seat may look again at a face-down piece that it has seen and can follow.
    pub remembers: bool,
    /// True if the host may look into hands; it is set when the table is made and never changes.
    pub designer_view: bool,
    /// True if observers see what all seats see, once every seat agrees.
    pub open_to_observers: bool,
    /// Phases of a turn.
    pub phases: Vec<String>,
    /// The way it takes changes of the project's cards.
    #[serde(default)]
    pub follow: Follow,
    /// Name of the version of the project whose cards it has; it is set when the table is made and never changes, and such
    /// a table takes no changes of its cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// The turn: its seat, phase and round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// The seat whose turn it is.
    pub turn: Option<SeatNo>,
    /// The present phase.
    pub phase: String,
    /// Rounds begun; it rises when the turn comes back to the first seat.
    pub round: u32,
}

/// An undo that others are asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The entry to be undone.
    pub n: u64,
    /// The seat that asks.
    pub by: SeatNo,
    /// Seats in favour.
    pub agree: SeatSet,
    /// Seats against.
    pub refuse: SeatSet,
    /// Milliseconds since the epoch when it ends.
    pub until: u64,
}

/// A button that waits for the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The button's name.
    pub button: String,
    /// The step it continues with.
    pub step: usize,
    /// The seat that pressed it.
    pub by: SeatNo,
    /// Numbers worked out when it was pressed.
    pub numbers: Vec<u32>,
}
