//! Emulator mode alone: the hub, the console, and the port of the database that is not there.

pub(crate) mod console;
pub(crate) mod database;
pub(crate) mod denial;
pub mod hub;
pub(crate) mod request_log;
