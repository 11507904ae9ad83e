//! Properties of the table over random sessions.

mod oracle;
mod properties;
mod scenes;
mod twins;
mod world;
mod statistics;
