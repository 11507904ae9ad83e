//! Changes of one account take turns, so that they do not fail each other for nothing.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use tokio::sync::{Mutex, MutexGuard};

/// Accounts that share a turn are few at this number.
const STRIPES: usize = 256;

/// Queues of writers per account. For efficiency only: correctness never depends on a turn, because a change names the
/// version it was computed from.
#[derive(Debug)]
pub(crate) struct Turns(Vec<Mutex<()>>);

impl Turns {
    pub(crate) fn new() -> Self {
        Self((0..STRIPES).map(|_| Mutex::new(())).collect())
    }

    /// Waits for the changes of this account that came first. None where there are no turns at all.
    pub(crate) async fn of(&self, local_id: &str) -> Option<MutexGuard<'_, ()>> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(local_id);
        let stripe = usize::try_from(hash % STRIPES as u64).unwrap_or_default();
        match self.0.get(stripe) {
            Some(turn) => Some(turn.lock().await),
            None => None,
        }
    }
}
