//! A background thread of the engine that runs whenever it is woken.

use std::sync::mpsc;
use std::thread::JoinHandle;

use crate::{Error, Result};

/// A thread that waits to be woken.
#[derive(Debug)]
pub(super) struct Worker {
    /// Dropping it ends the thread.
    wake: Option<mpsc::SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts a thread that does `work` until nobody can wake it any more.
    pub(super) fn start(name: &str, work: impl FnOnce(&mpsc::Receiver<()>) + Send + 'static) -> Result<Self> {
        // One call that waits stands for any number.
        let (wake, woken) = mpsc::sync_channel(1);
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || work(&woken))
            .map_err(|error| Error::internal("WorkerThread", "the store could not start a thread", error))?;
        Ok(Self { wake: Some(wake), thread: Some(thread) })
    }

    /// Has it look for work.
    pub(super) fn wake(&self) {
        if let Some(wake) = &self.wake {
            // A call already waits, or the thread has ended and there is nothing to wake.
            let _ = wake.try_send(());
        }
    }

    /// Lets it finish, and waits for that.
    pub(super) fn end(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("a thread of the store had panicked");
        }
    }
}
