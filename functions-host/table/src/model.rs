//! The state of a table, the changes it is the sum of, and the one function that says who sees what.

mod button;
mod change;
mod formula;
mod piece;
mod secret;
mod seen;
mod settings;
mod table;

pub use button::{Button, Count, Placed, PlacedMarks, Ref, Select, Step, StepKind, Target};
pub(crate) use change::Moments;
pub use change::{Change, Corrupt, Field};
pub use formula::Formula;
pub(crate) use formula::{bounded, quotient};
pub use piece::{
    Arrangement, Audience, Container, ContainerKind, Facing, Holder, Marks, Piece, Policy, Pos, Shows, Spot,
};
pub use seen::Level;
pub(crate) use seen::{
    admits, definition_after_game, face_of, face_shown, followers, level, public_face, seats_at, seats_shown,
};
pub use settings::{Clock, Follow, Pending, Proposal, Rights, Role, Seat, Settings, UndoMode};
pub use table::{Revision, Table};
