//! Emulator mode alone: the hub and the console.

pub(crate) mod console;
pub mod hub;
