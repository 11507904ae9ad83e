//! Playtest tables over the network.

pub(super) mod client;
pub(super) mod feedback;
pub(super) mod games;
pub(super) mod guests;
pub(super) mod replays;
