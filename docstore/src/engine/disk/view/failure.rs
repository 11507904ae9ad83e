//! The reaction to a view that cannot be read: nothing more is derived from it, and the next start rebuilds it.

use std::sync::atomic::Ordering;

use super::{View, is_read_failure};
use crate::engine::disk::Shared;
use crate::engine::disk::checkpointer::remove_checkpoint;
use crate::engine::disk::files::Files;
use crate::{Error, Result};

impl<F: Files, V: View> Shared<F, V> {
    /// Notes that the view could not be read. From now on no checkpoint or snapshot is made of it and no log is
    /// removed; the next start rebuilds it.
    fn distrust(&self, error: &Error) {
        if self.distrusted.swap(true, Ordering::SeqCst) {
            return;
        }
        tracing::error!(
            %error,
            "the store's view of the log could not be read: it is built again at the next start, and until then no \
             snapshot is made and no log is removed"
        );
        if let Err(error) = remove_checkpoint(&*self.files) {
            tracing::error!(%error, "CHECKPOINT could not be removed: remove it before the next start");
        }
    }

    /// True if a read of the view has failed since the start.
    pub(in crate::engine::disk) fn distrusted(&self) -> bool {
        self.distrusted.load(Ordering::SeqCst)
    }

    /// Passes the result of a read of the view on, and notes a failure.
    pub(in crate::engine::disk) fn noted<T>(&self, read: Result<T>) -> Result<T> {
        if let Err(error) = &read
            && is_read_failure(error)
        {
            self.distrust(error);
        }
        read
    }

    /// Reason why commits are refused now, or `None`.
    pub(in crate::engine::disk) fn refusal(&self) -> Option<Error> {
        let short = self.space.for_commits().err();
        // While a commit is being written, the log works.
        short.or_else(|| self.log.try_lock()?.prepare().err())
    }
}
