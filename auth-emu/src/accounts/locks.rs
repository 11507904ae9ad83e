//! A striped lock per account: concurrent changes of one account wait for each other instead of failing and retrying.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use tokio::sync::{Mutex, MutexGuard};

/// Number of stripes; accounts rarely share one.
const STRIPES: usize = 256;

/// Locks by hash of the account's id. For efficiency only: correctness never depends on them, because a change names
/// the version it was computed from.
#[derive(Debug)]
pub(crate) struct AccountLocks(Vec<Mutex<()>>);

impl AccountLocks {
    pub(crate) fn new() -> Self {
        Self((0..STRIPES).map(|_| Mutex::new(())).collect())
    }

    /// Waits for earlier changes of this account. `None` if there are no stripes.
    pub(crate) async fn of(&self, local_id: &str) -> Option<MutexGuard<'_, ()>> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(local_id);
        let stripe = usize::try_from(hash % STRIPES as u64).unwrap_or_default();
        match self.0.get(stripe) {
            Some(lock) => Some(lock.lock().await),
            None => None,
        }
    }
}
