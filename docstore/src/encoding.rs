//! Documents and keys as bytes.

pub(super) mod codec;
pub mod key;
