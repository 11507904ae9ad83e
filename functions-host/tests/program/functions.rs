//! Functions over the network: calls, events, and the users' own code in its processes.

pub(super) mod callable;
pub(super) mod contained;
pub(super) mod events;
pub(super) mod own;
pub(super) mod protocol;
pub(super) mod serving;
