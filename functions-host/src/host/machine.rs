//! The machine, or the container, that the server runs in: its memory, disks and file handles.

pub(crate) mod disk;
pub mod handles;
pub(crate) mod memory;
pub(crate) mod stamp;
