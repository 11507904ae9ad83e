//! The playtest table, pure: pieces, containers, verbs, secrets, chance, undo and buttons. Nothing here blocks, reads a
//! clock, draws randomness or panics.

pub mod act;
pub mod chance;
pub mod game_box;
pub mod ids;
pub mod limits;
pub mod log;
pub mod model;
mod mutants;
pub mod replay;
mod rules;
pub mod session;
pub mod stats;
pub mod view;

#[cfg(test)]
mod tests;

pub use act::{Act, Refusal, Verb};
pub use session::Session;
pub use view::View;
