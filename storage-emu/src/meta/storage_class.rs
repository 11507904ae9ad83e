//! Storage classes: labels here, since all bytes lie in one place.

use docstore::{Error, Result};

/// The class of what has no other.
pub(crate) const DEFAULT: &str = "STANDARD";
/// The classes there are; the last three are older names that the service still takes.
const CLASSES: [&str; 7] = [
    DEFAULT,
    "NEARLINE",
    "COLDLINE",
    "ARCHIVE",
    "MULTI_REGIONAL",
    "REGIONAL",
    "DURABLE_REDUCED_AVAILABILITY",
];

/// Refuses what is no storage class.
///
/// # Errors
/// `InvalidArgument` (`StorageClass`).
pub(crate) fn check(class: &str) -> Result<()> {
    if CLASSES.contains(&class) {
        return Ok(());
    }
    let message = format!("'{class}' is no storage class; there are {}.", CLASSES.join(", "));
    Err(Error::invalid("StorageClass", message))
}
