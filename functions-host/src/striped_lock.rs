//! Locks by the hash of a key: one for each key would be as many as there are keys.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, Hash};
use std::sync::Arc;

use tokio::sync::{Mutex, OwnedMutexGuard};

/// Number of stripes; keys that are in use at once rarely share one.
const STRIPES: usize = 64;

/// A striped lock. Clones share the stripes.
#[derive(Debug, Clone)]
pub(crate) struct StripedLock(Arc<[Arc<Mutex<()>>]>);

impl Default for StripedLock {
    fn default() -> Self {
        Self((0..STRIPES).map(|_| Arc::default()).collect())
    }
}

impl StripedLock {
    /// The stripe of a key. Whoever holds several takes them in the order of their numbers.
    pub(crate) fn stripe(key: impl Hash) -> usize {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(key);
        usize::try_from(hash % STRIPES as u64).unwrap_or_default()
    }

    /// Waits for a stripe. `None` for a number that is none of [`Self::stripe`].
    pub(crate) async fn lock(&self, stripe: usize) -> Option<OwnedMutexGuard<()>> {
        Some(Arc::clone(self.0.get(stripe)?).lock_owned().await)
    }
}
