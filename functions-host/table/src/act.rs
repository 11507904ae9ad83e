//! Acts: the closed set of verbs, and the reasons for which one is refused.

use crate::ids::{DefNo, SeatNo, SurfaceNo};
use crate::model::{Arrangement, Button, ContainerKind, Facing, Follow, Policy, Rights, Role, UndoMode};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An act: a verb, the pieces it is about, and the piece it is done to. Clients name pieces by handle, the log by
/// number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act<P> {
    /// The pieces, in the order in which they are handled.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<P>,
    /// The container, or the piece to stack on.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub into: Option<P>,
    /// The verb with its parameters.
    #[serde(flatten)]
    pub verb: Verb,
}

fn none<P>() -> Option<P> {
    None
}

impl<P> Act<P> {
    /// An act without pieces.
    pub fn new(verb: Verb) -> Self {
        Self { pieces: Vec::new(), into: None, verb }
    }

    /// The same act with other names for its pieces.
    ///
    /// # Errors
    /// The first error of `name`.
    pub fn renamed<Q, E>(&self, name: impl Fn(&P) -> Result<Q, E>) -> Result<Act<Q>, E> {
        Ok(Act {
            pieces: self.pieces.iter().map(&name).collect::<Result<_, _>>()?,
            into: self.into.as_ref().map(&name).transpose()?,
            verb: self.verb.clone(),
        })
    }
}

/// A position on a surface, in tenths of a millimetre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the type says it")]
pub struct At {
    pub surface: SurfaceNo,
    pub x: i32,
    pub y: i32,
}

/// A new container.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewContainer {
    /// Its kind.
    pub kind: ContainerKind,
    /// Its name.
    pub name: String,
    /// Its owner.
    #[serde(default)]
    pub owner: Option<SeatNo>,
    /// Its policy; the usual one of its kind if it is missing.
    #[serde(default)]
    pub policy: Option<Policy>,
    /// Layout of its contents.
    #[serde(default)]
    pub arrangement: Arrangement,
    /// Width and height in tenths of a millimetre.
    #[serde(default)]
    pub size: (u32, u32),
}

/// Things that `spawn` makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Spawned {
    Pieces { definition: DefNo, count: u32 },
    Container(NewContainer),
}

/// Things that `edit` changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Edit {
    /// The container of `into`; it may raise nobody's sight of what is inside.
    Container {
        policy: Policy,
        arrangement: Arrangement,
        size: (u32, u32),
    },
    Settings {
        rights: Rights,
        undo: UndoMode,
        remembers: bool,
        open_to_observers: bool,
        phases: Vec<String>,
    },
    Seat {
        seat: SeatNo,
        name: String,
        colour: u32,
        role: Role,
    },
    RemoveSeat {
        seat: SeatNo,
    },
    /// The way the table takes changes of the project's cards.
    Follow {
        follow: Follow,
    },
    /// The own seat's consent to observers who see everything.
    Agree {
        on: bool,
    },
    Button {
        name: String,
        button: Option<Button>,
    },
    Setup {
        button: Option<Button>,
    },
}

/// States that `restore` goes back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restored {
    /// The table as its set-up makes it, with new shuffles.
    Setup,
    /// No pieces.
    Clean,
    /// The state after an entry, with hidden stacks and bags shuffled.
    Entry(u64),
}

impl Restored {
    /// True if a new game begins with it.
    pub(crate) fn begins_a_game(self) -> bool {
        matches!(self, Self::Setup | Self::Clean)
    }
}

/// The verbs. A verb's documentation names what `pieces` and `into` are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "lowercase")]
pub enum Verb {
    /// Moves `pieces` so that the first lies there; the others keep their distances to it.
    Move {
        /// The place of the first piece.
        to: At,
        /// The side to lie up.
        #[serde(default)]
        face: Option<Facing>,
        /// The angle at which `pieces` lie then, in degrees clockwise; each keeps its own if it is missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<i32>,
    },
    /// Puts `pieces` into a container.
    Drop {
        /// Index from the bottom; on top if it is missing.
        #[serde(default)]
        at: Option<u32>,
        /// Position in a zone or tray.
        #[serde(default)]
        xy: Option<(i32, i32)>,
        /// The side to lie up.
        #[serde(default)]
        face: Option<Facing>,
    },
    /// Turns `pieces` over, or to one side. A stack turns as a whole.
    Flip {
        /// The side to lie up.
        #[serde(default)]
        face: Option<Facing>,
    },
    /// Turns `pieces` clockwise.
    Turn {
        /// Degrees.
        by: i32,
    },
    /// Makes a pile of `pieces`, on the piece or stack of `into`.
    Stack,
    /// Lays a stack out in a row.
    Unstack,
    /// Draws from a stack's top, or by chance from a bag, to the own hand.
    Draw {
        /// The most pieces.
        count: u32,
    },
    /// Deals from a stack or bag to hands in turn.
    Deal {
        /// Pieces for each.
        count: u32,
        /// Seats; all with somebody on them if it is missing.
        #[serde(default)]
        seats: Option<Vec<SeatNo>>,
    },
    /// Shuffles a container, or the places of `pieces`.
    Shuffle,
    /// Cuts a stack: the pieces above go under it.
    Cut {
        /// Pieces that stay below; by chance and unseen if it is missing.
        #[serde(default)]
        at: Option<u32>,
    },
    /// Begins or ends a look through a container.
    Search {
        /// True to begin.
        open: bool,
    },
    /// Looks at `pieces`, or at the top of a stack.
    Peek {
        /// Pieces from the top.
        #[serde(default)]
        count: u32,
    },
    /// Shows `pieces` to seats.
    Show {
        /// The seats; everybody if it is missing.
        #[serde(default)]
        to: Option<Vec<SeatNo>>,
    },
    /// Gives `pieces` into a hand.
    Give {
        /// Its seat.
        to: SeatNo,
    },
    /// Takes by chance from another hand.
    Take {
        /// The most pieces.
        count: u32,
    },
    /// Moves one of `pieces` to another place of its container.
    Reorder {
        /// Index from the bottom.
        at: u32,
    },
    /// Rolls dice.
    Roll,
    /// Turns `pieces` to an angle by chance.
    Spin,
    /// Sets value or colour of `pieces`.
    Set {
        /// The value.
        #[serde(default)]
        value: Option<i64>,
        /// The colour, 24 bits.
        #[serde(default)]
        tint: Option<u32>,
    },
    /// Adds to the value of `pieces`.
    Bump {
        /// The difference.
        by: i64,
    },
    /// Locks `pieces` in their place, or frees them.
    Lock {
        /// True to lock.
        on: bool,
    },
    /// Makes `pieces` move together, or apart.
    Group {
        /// True to join.
        on: bool,
    },
    /// Takes pieces out of the box, or makes a container.
    Spawn {
        /// The thing to make.
        what: Spawned,
        /// The place of the first.
        to: At,
    },
    /// Puts `pieces` back into the box.
    Remove,
    /// Writes a new note, or the text of one of `pieces`.
    Note {
        /// The text.
        text: String,
        /// The place of a new note.
        #[serde(default)]
        to: Option<At>,
    },
    /// Names the own seat, or one of `pieces`.
    Name {
        /// The name.
        name: String,
    },
    /// Sits down.
    Claim {
        /// The account; the server fills it in.
        #[serde(default)]
        who: String,
        /// The person's name.
        name: String,
        /// The account that has left the seat, which the claim then takes over; the server fills it in.
        #[serde(skip)]
        left_by: Option<String>,
    },
    /// Gets up, or frees somebody's seat.
    Leave {
        /// The seat; the own one if it is missing.
        #[serde(default)]
        seat: Option<SeatNo>,
    },
    /// Passes the turn.
    Pass {
        /// To a seat; to the next if it is missing.
        #[serde(default)]
        to: Option<SeatNo>,
    },
    /// Goes to a phase.
    Phase {
        /// Its name.
        phase: String,
    },
    /// Presses a button, or continues the one that waits.
    Run {
        /// Its name.
        #[serde(default)]
        button: Option<String>,
        /// Results of its formulas.
        #[serde(default)]
        numbers: Vec<u32>,
    },
    /// Changes containers, settings, seats or buttons.
    Edit {
        /// The change.
        edit: Edit,
    },
    /// Takes an entry back with what depends on it, proposes that, or votes on it.
    Undo {
        /// The entry.
        n: u64,
        /// False to vote against.
        #[serde(default = "yes")]
        agree: bool,
    },
    /// Goes back to an earlier state.
    Restore {
        /// The state.
        to: Restored,
    },
    /// Pins a remark to this moment and `pieces`.
    Mark {
        /// The remark.
        text: String,
    },
    /// Takes the cards as the project has them now.
    Update {
        /// Of the change of the box, as [`crate::game_box::BoxChange::hash`] makes it.
        #[serde(default)]
        hash: String,
    },
    /// Ends the game.
    End {
        /// Its result in words.
        #[serde(default)]
        result: String,
        /// Seats that won.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        winners: Vec<SeatNo>,
        /// Points of seats.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        points: Vec<(SeatNo, i64)>,
    },
}

impl Verb {
    /// Its name on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Move { .. } => "move",
            Self::Drop { .. } => "drop",
            Self::Flip { .. } => "flip",
            Self::Turn { .. } => "turn",
            Self::Stack => "stack",
            Self::Unstack => "unstack",
            Self::Draw { .. } => "draw",
            Self::Deal { .. } => "deal",
            Self::Shuffle => "shuffle",
            Self::Cut { .. } => "cut",
            Self::Search { .. } => "search",
            Self::Peek { .. } => "peek",
            Self::Show { .. } => "show",
            Self::Give { .. } => "give",
            Self::Take { .. } => "take",
            Self::Reorder { .. } => "reorder",
            Self::Roll => "roll",
            Self::Spin => "spin",
            Self::Set { .. } => "set",
            Self::Bump { .. } => "bump",
            Self::Lock { .. } => "lock",
            Self::Group { .. } => "group",
            Self::Spawn { .. } => "spawn",
            Self::Remove => "remove",
            Self::Note { .. } => "note",
            Self::Name { .. } => "name",
            Self::Claim { .. } => "claim",
            Self::Leave { .. } => "leave",
            Self::Pass { .. } => "pass",
            Self::Phase { .. } => "phase",
            Self::Run { .. } => "run",
            Self::Edit { .. } => "edit",
            Self::Undo { .. } => "undo",
            Self::Restore { .. } => "restore",
            Self::Mark { .. } => "mark",
            Self::Update { .. } => "update",
            Self::End { .. } => "end",
        }
    }
}

fn yes() -> bool {
    true
}

/// A reason to refuse an act. A refusal depends on nothing that the seat does not see.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the texts of Display describe them")]
pub enum Refusal {
    /// There is no such piece, or the seat may not touch it: one answer for both.
    NotThere,
    NotAllowed(&'static str),
    Malformed(&'static str),
    NotPossible(&'static str),
    Empty,
    Full,
    NotAccepted,
    Locked,
    Busy,
    Limit(&'static str, usize),
    /// The log has [`crate::limits::LOG_BYTES`]: the game can only end.
    LogFull,
    Ended,
    /// The state does not allow the change: a defect, not the seat's fault.
    Internal,
}

impl Refusal {
    /// A stable word for clients.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotThere => "not-there",
            Self::NotAllowed(_) => "not-allowed",
            Self::Malformed(_) => "malformed",
            Self::NotPossible(_) => "not-possible",
            Self::Empty => "empty",
            Self::Full => "full",
            Self::NotAccepted => "not-accepted",
            Self::Locked => "locked",
            Self::Busy => "busy",
            Self::Limit(..) => "limit",
            Self::LogFull => "log-full",
            Self::Ended => "ended",
            Self::Internal => "internal",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotThere => f.write_str("That piece is not there, or you may not touch it."),
            Self::NotAllowed(what) | Self::NotPossible(what) | Self::Malformed(what) => f.write_str(what),
            Self::Empty => f.write_str("Nothing is left there."),
            Self::Full => f.write_str("There is no room left there."),
            Self::NotAccepted => f.write_str("That does not belong there."),
            Self::Locked => f.write_str("That piece is locked. Unlock it first."),
            Self::Busy => f.write_str("Somebody is looking through it. Wait until they are done."),
            Self::Limit(what, most) => write!(f, "A table has at most {most} {what}."),
            Self::LogFull => write!(
                f,
                "The log of this table has reached {} MiB, the most that is kept. End the game, and open another table.",
                crate::limits::LOG_BYTES >> 20
            ),
            Self::Ended => f.write_str("The game has ended."),
            Self::Internal => f.write_str("That failed, and nothing has changed. Try again."),
        }
    }
}

impl std::error::Error for Refusal {}
