//! Points in time as numbers on this wire; `Ts::rfc3339_millis` is the text.

use docstore::model::Ts;

/// Whole seconds since the epoch, as in token claims.
pub(crate) const fn seconds(at: Ts) -> u64 {
    at.micros() / 1_000_000
}

/// Whole milliseconds since the epoch, as in `createdAt`.
pub(crate) const fn millis(at: Ts) -> u64 {
    at.micros() / 1_000
}
