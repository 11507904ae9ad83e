//! Playtest tables on the server: the store of their logs. No route or callable reaches it yet.

pub mod store;
