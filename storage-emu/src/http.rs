//! What both APIs share on the wire: requests taken apart, replies, errors, bytes.

pub(crate) mod bytes;
pub(crate) mod cors;
pub(crate) mod incoming;
pub(crate) mod reply;
