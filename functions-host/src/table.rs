//! Playtest tables on the server. A table that somebody uses is an actor ([`live`]) that stores every entry before anybody
//! is shown it; everything that leaves it is a difference of one seat's view.

mod actor;
pub mod admission;
pub mod admissions;
mod audience;
mod bucket;
pub mod cards;
mod departures;
mod feed;
mod forks;
pub mod guesses;
mod limits;
pub mod live;
pub mod lobby;
pub mod messages;
mod outbox;
mod presence;
pub mod replays;
mod results;
mod room;
pub mod samples;
pub mod sockets;
pub mod store;

pub use forks::NotForked;
pub use limits::{GUEST_SWEEP, SAMPLE_PEOPLE, SAMPLE_SWEEP, SLEEP_AFTER};
pub use live::{Dependencies, LiveTables};
pub use room::{Standing, Standings};

#[cfg(test)]
mod tests;
