//! A small Firestore-compatible document database.
//!
//! The commit log is the product: live queries, function triggers, checkpoints and backups are readers of
//! one ordered log, each with its own cursor. One number, [`model::Ts`], is at once commit version, update
//! time, read time and resume token.

pub mod clock;
pub mod error;
pub mod model;
pub mod wire;

pub use error::{Code, Error, Result};
