//! Objects of a bucket below a prefix, for threads that may block.

use std::fmt;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use object_store::path::Path as Key;
use object_store::{Error, ObjectStore, ObjectStoreExt as _, PutPayload};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use super::key_of;

/// A bucket below a prefix; clones are cheap.
#[derive(Clone)]
pub(super) struct Service {
    pub(super) store: Arc<dyn ObjectStore>,
    prefix: Arc<str>,
    runtime: Arc<Background>,
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

/// A runtime of its own: a thread of another one must not wait for that one's work.
struct Background(Option<Runtime>);

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Service {
    /// # Errors
    /// The system gives no thread.
    pub(super) fn new(store: Arc<dyn ObjectStore>, prefix: &str) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("backup bucket")
            .enable_all()
            .build()?;
        let runtime = Arc::new(Background(Some(runtime)));
        Ok(Self { store, prefix: prefix.into(), runtime })
    }

    /// The key of a path.
    pub(super) fn key(&self, path: &str) -> Key {
        key_of(&self.prefix, path)
    }

    /// Waits for `work`, on this thread.
    ///
    /// # Errors
    /// Those of the work.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> io::Result<T> {
        self.run(work)?.map_err(as_io)
    }

    /// Waits for `work`, on this thread, and returns its outcome.
    ///
    /// # Errors
    /// The work panicked.
    pub(super) fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> io::Result<T> {
        let (done, outcome) = sync_channel(1);
        self.spawn(async move {
            let _nobody_waits = done.send(work.await);
        });
        outcome.recv().map_err(|_| io::Error::other("the work for the bucket ended early"))
    }

    /// Runs `work` beside.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) -> Option<JoinHandle<()>> {
        self.runtime.0.as_ref().map(|runtime| runtime.spawn(work))
    }

    /// The whole of a small object; `None` if there is none.
    pub(super) fn small(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        let (store, key) = (Arc::clone(&self.store), self.key(path));
        self.wait(async move {
            match store.get(&key).await {
                Ok(found) => Ok(Some(found.bytes().await?.to_vec())),
                Err(Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(error),
            }
        })
    }

    /// Writes an object whole.
    pub(super) fn put(&self, path: &str, bytes: Vec<u8>) -> io::Result<()> {
        let (store, key) = (Arc::clone(&self.store), self.key(path));
        self.wait(async move { store.put(&key, PutPayload::from(bytes)).await.map(drop) })
    }

    /// Length of an object, in bytes.
    pub(super) fn size(&self, path: &str) -> io::Result<u64> {
        let (store, key) = (Arc::clone(&self.store), self.key(path));
        self.wait(async move { store.head(&key).await.map(|found| found.size) })
    }

    /// Names of objects and folders in a folder.
    pub(super) fn names(&self, folder: &str) -> io::Result<Vec<String>> {
        let (store, key) = (Arc::clone(&self.store), self.key(folder));
        self.wait(async move {
            let found = store.list_with_delimiter(Some(&key)).await?;
            let keys = found.objects.iter().map(|object| &object.location).chain(&found.common_prefixes);
            Ok(keys.filter_map(|key| key.filename().map(str::to_owned)).collect())
        })
    }

    /// Removes an object; a missing one is no error.
    pub(super) fn remove(&self, path: &str) -> io::Result<()> {
        let (store, key) = (Arc::clone(&self.store), self.key(path));
        self.wait(async move {
            match store.delete(&key).await {
                Err(Error::NotFound { .. }) => Ok(()),
                removed => removed,
            }
        })
    }
}

/// An error of a service as one of files.
pub(super) fn as_io(error: Error) -> io::Error {
    let kind = match &error {
        Error::NotFound { .. } => io::ErrorKind::NotFound,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}
