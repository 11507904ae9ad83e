//! Properties of the table over random sessions.

mod oracle;
mod properties;
mod replays;
mod scenes;
mod statistics;
mod steps;
mod twins;
mod world;
