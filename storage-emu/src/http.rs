//! HTTP code shared by both APIs: parsing of requests, replies, errors, bodies.

pub(crate) mod bytes;
pub(crate) mod cors;
pub(crate) mod incoming;
pub(crate) mod reply;
