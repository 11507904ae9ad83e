//! Functions of playtest tables: opening and forking them, who sits there, sample tables, feedback and replays.

pub(super) mod feedback;
pub(crate) mod people;
pub(super) mod playtests;
pub(super) mod replays;
pub(crate) mod samples;
