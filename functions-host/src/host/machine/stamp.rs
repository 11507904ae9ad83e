//! Changes of files that are read again while the server runs.

use std::path::Path;
use std::time::{Duration, SystemTime};

/// Interval of checks for a change.
pub(crate) const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Modification time and size of a file when it was last read; `None` if it cannot be read.
pub(crate) type Stamp = Option<(SystemTime, u64)>;

/// The stamp of a file as it is now.
pub(crate) fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
