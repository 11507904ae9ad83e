//! Buttons and set-ups as data: steps without conditions, variables or loops.

use super::formula::Formula;
use super::piece::{Arrangement, ContainerKind, Facing, Policy};
use crate::ids::{DefNo, SeatNo, SetNo, SurfaceNo};
use serde::{Deserialize, Serialize};

/// A button: a list of steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    /// Its steps, at most [`crate::limits::STEPS`].
    pub steps: Vec<Step>,
}

/// A step, repeated for seats and times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// True to do it for each seat with somebody on it, or for all seats if it makes a container; `own` names then mean
    /// that seat's pieces.
    #[serde(default)]
    pub each_seat: bool,
    /// The only seat it is done for, somebody on it or not; `own` names then mean its pieces. A table without that seat
    /// leaves the step out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<SeatNo>,
    /// Times it is done.
    #[serde(default)]
    pub times: Count,
    /// The thing to do.
    #[serde(flatten)]
    pub kind: StepKind,
}

/// A number of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Count {
    /// Always this.
    Fixed(u32),
    /// The number that the presser's client worked out for this formula of the button.
    Given(usize),
    /// Worked out when the step is done.
    Formula(Formula),
}

impl Default for Count {
    fn default() -> Self {
        Self::Fixed(1)
    }
}

/// A piece by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ref {
    /// Its name.
    pub name: String,
    /// True for the one that belongs to the seat the step is done for.
    #[serde(default)]
    pub own: bool,
}

/// Pieces of a container, from the top.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Select {
    /// The container.
    pub from: Ref,
    /// The most pieces; all if it is missing.
    #[serde(default)]
    pub most: Option<Count>,
    /// Only pieces of this set. Everybody must see their faces: a set must not sort hidden cards.
    #[serde(default)]
    pub set: Option<SetNo>,
}

/// A place by name or position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Target {
    Into(Ref),
    At {
        surface: SurfaceNo,
        x: i32,
        y: i32,
    },
    /// A position in a zone or a tray.
    Within {
        into: Ref,
        x: i32,
        y: i32,
    },
}

/// Things that the step `place` makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Placed {
    /// All copies of the definitions of a set.
    Set(SetNo),
    /// Copies of the definitions of a set, but for those of which everybody sees that they are on the table already.
    Rest {
        /// The set.
        set: SetNo,
        /// The most pieces, then chosen by chance; all if it is missing.
        #[serde(default)]
        most: Option<Count>,
    },
    /// A number of pieces of one definition.
    Pieces {
        /// The definition.
        definition: DefNo,
        /// Pieces; the box's copies if it is missing.
        #[serde(default)]
        copies: Option<u32>,
        /// Pieces by formula, instead of `copies`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<Count>,
        /// Name of each.
        #[serde(default)]
        name: Option<String>,
    },
    /// A container; with `each_seat` it belongs to the seat.
    Container {
        /// Its kind.
        kind: ContainerKind,
        /// Its name.
        name: String,
        /// Its policy; the usual one of its kind if it is missing.
        #[serde(default)]
        policy: Option<Policy>,
        /// Layout of its contents.
        #[serde(default)]
        arrangement: Arrangement,
        /// Width and height in tenths of a millimetre.
        #[serde(default)]
        size: (u32, u32),
    },
}

/// State of pieces that a step puts somewhere. A stack, a bag and a hand take it away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedMarks {
    /// Degrees clockwise.
    #[serde(default)]
    pub turn: u16,
    /// True if they may not be moved, turned or flipped.
    #[serde(default)]
    pub locked: bool,
    /// Colour, 24 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tint: Option<u32>,
}

/// The twelve kinds of steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the fields are described with their types")]
pub enum StepKind {
    /// Takes pieces out of the box, or makes a container.
    Place {
        place: Placed,
        to: Target,
        #[serde(default)]
        face: Option<Facing>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        marks: Option<PlacedMarks>,
    },
    /// Shuffles a container.
    Shuffle { what: Ref },
    /// Deals to the hands of these seats in turn, or of all seats with somebody on them.
    Deal {
        from: Ref,
        most: Count,
        #[serde(default)]
        seats: Option<Vec<SeatNo>>,
    },
    /// Moves pieces.
    Move {
        what: Select,
        to: Target,
        #[serde(default)]
        face: Option<Facing>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        marks: Option<PlacedMarks>,
    },
    /// Puts a note on the table.
    Note {
        text: String,
        to: Target,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        marks: Option<PlacedMarks>,
    },
    /// Turns pieces over, or to one side.
    Flip {
        what: Select,
        #[serde(default)]
        face: Option<Facing>,
    },
    /// Sets the value of a named piece.
    Set {
        what: Ref,
        value: i64,
        /// The value by formula, instead of `value`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        formula: Option<Formula>,
    },
    /// Rolls a named die.
    Roll { what: Ref },
    /// Turns pieces face up.
    Reveal { what: Select },
    /// Goes to a phase.
    Phase { phase: String },
    /// Writes a line to the log.
    Say { text: String },
    /// Waits until the host continues: the steps before and after it are entries of their own.
    WaitForHost,
}

impl Step {
    /// Formulas of its numbers.
    pub fn formulas(&self) -> Vec<&Formula> {
        let own = match &self.kind {
            StepKind::Place {
                place: Placed::Rest { most, .. } | Placed::Pieces { count: most, .. }, ..
            } => most.as_ref(),
            StepKind::Deal { most, .. } => Some(most),
            StepKind::Move { what, .. } | StepKind::Flip { what, .. } | StepKind::Reveal { what } => {
                what.most.as_ref()
            }
            StepKind::Set { formula, .. } => {
                return self.times.formula().into_iter().chain(formula).collect();
            }
            _ => None,
        };
        self.times.formula().into_iter().chain(own.and_then(Count::formula)).collect()
    }
}

impl Count {
    fn formula(&self) -> Option<&Formula> {
        match self {
            Self::Formula(formula) => Some(formula),
            Self::Fixed(_) | Self::Given(_) => None,
        }
    }
}
