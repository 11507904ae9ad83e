//! A background thread of the engine that runs whenever it is woken.

use std::sync::mpsc;
use std::thread::JoinHandle;

use crate::{Error, Result};

/// A thread that sleeps until it is woken.
#[derive(Debug)]
pub(super) struct Worker {
    /// Dropping the sender ends the thread.
    wake: Option<mpsc::SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts a thread that runs `work` until the worker is ended.
    pub(super) fn start(name: &str, work: impl FnOnce(&mpsc::Receiver<()>) + Send + 'static) -> Result<Self> {
        // One queued wake-up stands for any number.
        let (wake, woken) = mpsc::sync_channel(1);
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || work(&woken))
            .map_err(|error| Error::internal("WorkerThread", "the store could not start a thread", error))?;
        Ok(Self { wake: Some(wake), thread: Some(thread) })
    }

    /// Wakes the thread.
    pub(super) fn wake(&self) {
        if let Some(wake) = &self.wake {
            // A wake-up is already queued, or the thread has ended.
            let _ = wake.try_send(());
        }
    }

    /// Ends the thread and joins it.
    pub(super) fn end(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("a thread of the store had panicked");
        }
    }
}
