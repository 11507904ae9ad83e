//! A bounded list of recent entries that any number of readers follow, each at its own pace.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

/// Keeps the newest entries and wakes readers. Writers never wait for readers: a slow reader misses entries that were
/// dropped, and notices it from the numbers.
pub(crate) struct Journal<T> {
    most: usize,
    kept: Mutex<VecDeque<Arc<T>>>,
    /// The number of the newest entry; the first has 1.
    newest: watch::Sender<u64>,
}

impl<T> fmt::Debug for Journal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").field("newest", &*self.newest.borrow()).finish_non_exhaustive()
    }
}

impl<T> Journal<T> {
    /// An empty journal that keeps the newest `most` entries.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, kept: Mutex::default(), newest: watch::Sender::new(0) }
    }

    /// Adds an entry. Returns its number.
    pub(crate) fn push(&self, entry: T) -> u64 {
        let mut kept = self.lock();
        if kept.len() == self.most {
            kept.pop_front();
        }
        kept.push_back(Arc::new(entry));
        let mut number = 0;
        // Under the lock, so that numbers and entries agree.
        self.newest.send_modify(|newest| {
            *newest += 1;
            number = *newest;
        });
        number
    }

    /// At most `most` kept entries after the one numbered `seen`, oldest first, with their numbers.
    pub(crate) fn after(&self, seen: u64, most: usize) -> Vec<(u64, Arc<T>)> {
        let kept = self.lock();
        let newest = *self.newest.borrow();
        let first = newest + 1 - u64::try_from(kept.len()).unwrap_or(u64::MAX).min(newest);
        let skipped = usize::try_from((seen + 1).saturating_sub(first)).unwrap_or(usize::MAX);
        let numbers = (first..).skip(skipped);
        numbers.zip(kept.iter().skip(skipped).take(most).cloned()).collect()
    }

    /// Waits until there is an entry after the one numbered `seen`.
    pub(crate) async fn wait_after(&self, seen: u64) {
        // The sender lives as long as `self`.
        let _ = self.newest.subscribe().wait_for(|newest| *newest > seen).await;
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<T>>> {
        self.kept.lock()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::FutureExt as _;
    use proptest::prelude::*;

    use super::Journal;

    proptest! {
        #[test]
        fn a_reader_sees_what_is_kept_once_and_in_order(
            most in 1_usize..20, pushed in 0_u64..60, seen in 0_u64..60, batch in 1_usize..70,
        ) {
            let journal = Journal::new(most);
            for entry in 1..=pushed {
                prop_assert_eq!(journal.push(entry), entry);
            }
            let oldest = pushed.saturating_sub(most as u64) + 1;
            let expected: Vec<u64> = (oldest..=pushed).filter(|entry| *entry > seen).take(batch).collect();
            let read = journal.after(seen, batch);
            prop_assert!(read.iter().all(|(number, entry)| *number == **entry));
            prop_assert_eq!(read.into_iter().map(|(number, _)| number).collect::<Vec<_>>(), expected);
        }
    }

    #[tokio::test]
    async fn a_waiting_reader_is_woken() {
        let journal = Arc::new(Journal::new(2));
        assert!(journal.wait_after(0).now_or_never().is_none());
        let waiting = tokio::spawn({
            let journal = Arc::clone(&journal);
            async move {
                journal.wait_after(0).await;
                journal.after(0, 9).len()
            }
        });
        journal.push("a");
        assert_eq!(waiting.await.unwrap(), 1);
    }
}
