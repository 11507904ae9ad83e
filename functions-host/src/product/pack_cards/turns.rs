//! Turns at the program that packs cards. Each owner's tables take theirs one after the other, and an owner whose project
//! takes long rests in proportion: nobody's projects keep those of others waiting, or a processor busy.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::OwnedMutexGuard;
use tokio::time::{Instant, sleep_until};

/// Length of a run up to which an owner does not rest.
const FREE: Duration = Duration::from_secs(1);

/// Length of a rest, as a multiple of the time that the run took beyond that.
const REST: u32 = 4;

/// The end of an owner's rest; locked by the table whose turn it is.
type Owner = Arc<tokio::sync::Mutex<Instant>>;

/// The turns of all owners.
#[derive(Debug, Default)]
pub(super) struct Turns(Mutex<HashMap<String, Owner>>);

/// A turn of an owner. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Turn {
    rests_until: OwnedMutexGuard<Instant>,
    /// Time of runs.
    took: Duration,
}

impl Turns {
    /// Waits until no other table of an owner has a turn, and the owner's rest is over.
    pub(super) async fn take(&self, owner: &str) -> Turn {
        let rests_until = self.of(owner).lock_owned().await;
        sleep_until(*rests_until).await;
        Turn { rests_until, took: Duration::ZERO }
    }

    fn of(&self, owner: &str) -> Owner {
        let mut owners = self.0.lock();
        let now = Instant::now();
        // Only owners who wait, run or rest are remembered.
        owners.retain(|_, one| Arc::strong_count(one) > 1 || one.try_lock().is_ok_and(|until| *until > now));
        let found = owners.entry(owner.to_owned());
        Arc::clone(found.or_insert_with(|| Arc::new(tokio::sync::Mutex::new(now))))
    }
}

impl Turn {
    /// Counts a run that began then.
    pub(super) fn ran(&mut self, began: Instant) {
        self.took += began.elapsed();
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *self.rests_until = Instant::now() + self.took.saturating_sub(FREE) * REST;
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;
    use tokio::time::{advance, timeout};

    use super::*;

    async fn run(turns: &Turns, owner: &str, length: Duration) {
        let mut turn = turns.take(owner).await;
        let began = Instant::now();
        advance(length).await;
        turn.ran(began);
    }

    #[tokio::test(start_paused = true)]
    async fn an_owner_whose_runs_take_long_rests_and_others_do_not_wait_meanwhile() {
        let turns = Turns::default();
        run(&turns, "eve", Duration::from_secs(21)).await;
        assert!(timeout(Duration::from_secs(79), turns.take("eve")).await.is_err());
        assert!(turns.take("bob").now_or_never().is_some());
        assert!(timeout(Duration::from_secs(2), turns.take("eve")).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn tables_of_one_owner_take_turns_and_short_runs_follow_each_other_at_once() {
        let turns = Turns::default();
        let first = turns.take("ann").await;
        assert!(turns.take("ann").now_or_never().is_none());
        assert!(turns.take("bob").now_or_never().is_some());
        drop(first);
        for _ in 0..100 {
            run(&turns, "ann", FREE).await;
            assert!(turns.take("ann").now_or_never().is_some());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_neither_runs_nor_rests_is_forgotten() {
        let turns = Turns::default();
        for owner in 0..100 {
            run(&turns, &owner.to_string(), FREE).await;
        }
        run(&turns, "eve", FREE * 2).await;
        drop(turns.take("bob").await);
        let names: Vec<_> = turns.0.lock().keys().cloned().collect();
        assert_eq!(names.len(), 2, "{names:?}");
    }
}
