//! Emulator mode alone: the hub and the console.

pub(crate) mod console;
pub(crate) mod denial;
pub mod hub;
pub(crate) mod request_log;
