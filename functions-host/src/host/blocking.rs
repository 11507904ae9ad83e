//! The blocking work of a backup, which ends soon when nobody waits for it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use docstore::{Code, Error, Result};

const ABANDONED: &str =
    "the backup ended before it was complete, because nobody waits for it any more: start it again";
const PANICKED: &str = "the backup ended by a fault of the program, and is not complete: start it again, and report what the log says";

/// Tells the work that nobody waits for it. The default is work that is always wanted.
#[derive(Debug, Default, Clone)]
pub(crate) struct Abandoned(Arc<AtomicBool>);

impl Abandoned {
    /// True once nobody waits.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// # Errors
    /// `Unavailable` (`BackupAbandoned`) once nobody waits.
    pub(crate) fn check(&self) -> Result<()> {
        if self.is_set() {
            return Err(Error::new(Code::Unavailable, "BackupAbandoned", ABANDONED));
        }
        Ok(())
    }
}

/// Waits for the work; dropping the value abandons it.
#[derive(Debug, Default)]
pub(crate) struct Waiting(Abandoned);

impl Waiting {
    /// For the work to ask.
    pub(crate) fn abandoned(&self) -> Abandoned {
        self.0.clone()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Runs work on a thread for it. It is abandoned when the future is dropped.
///
/// # Errors
/// Those of the work.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce(&Abandoned) -> Result<T> + Send + 'static,
) -> Result<T> {
    let waiting = Waiting::default();
    let abandoned = waiting.abandoned();
    let done = tokio::task::spawn_blocking(move || work(&abandoned)).await;
    done.map_err(|cause| Error::internal("BackupPanicked", PANICKED, cause))?
}
