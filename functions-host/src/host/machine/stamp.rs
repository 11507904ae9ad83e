//! Changes of files that are read again while the server runs.

use std::path::Path;
use std::time::{Duration, SystemTime};

use docstore::Result;

/// Interval of checks for a change.
pub(crate) const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Modification time and size of a file when it was last read; `None` if it cannot be read.
pub(crate) type Stamp = Option<(SystemTime, u64)>;

/// The stamp of a file as it is now.
pub(crate) fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// Something read from files, which is read again when they change.
pub(crate) trait Reload: Send + 'static {
    /// Its name in the log.
    const NAME: &'static str;
    /// The log's words after an error.
    const KEPT: &'static str;

    /// The file that the log names.
    fn file(&self) -> &Path;

    /// Reads the files again if one has changed. Returns true if the new contents are in use; after an error the old stay;
    /// `None` once nobody needs them any more.
    fn reload(&mut self) -> Option<Result<bool>>;
}

/// Follows the files until nobody needs them any more.
pub(crate) async fn follow<R: Reload>(mut one: R) {
    let mut look = tokio::time::interval(LOOK_EVERY);
    loop {
        look.tick().await;
        let reloaded = tokio::task::spawn_blocking(move || {
            let outcome = one.reload();
            (one, outcome)
        });
        let Ok((returned, Some(outcome))) = reloaded.await else { return };
        one = returned;
        match outcome {
            Ok(true) => tracing::info!(file = %one.file().display(), "reloaded the {}", R::NAME),
            Ok(false) => {}
            Err(error) => tracing::error!("{}; {}", error.message(), R::KEPT),
        }
    }
}
