//! Schedules of locks: on the bare table, and as tasks on a paused clock.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use tokio::sync::oneshot;

use super::*;

fn txn(number: u64) -> TxnId {
    TxnId(number.into())
}

fn key(number: u8) -> Key {
    vec![0, 0, 0, 1, number]
}

/// One step of a schedule.
#[derive(Debug, Clone)]
enum Step {
    Ask(u64, Vec<(u8, bool)>),
    Release(u64),
    /// A waiting request is withdrawn.
    Withdraw(proptest::sample::Index),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let wants = proptest::collection::btree_map(0u8..5, any::<bool>(), 1..4);
    let step = prop_oneof![
        6 => (0u64..6, wants).prop_map(|(owner, wants)| Step::Ask(owner, wants.into_iter().collect())),
        2 => (0u64..6).prop_map(Step::Release),
        1 => any::<proptest::sample::Index>().prop_map(Step::Withdraw),
    ];
    proptest::collection::vec(step, 1..60)
}

struct Asking {
    owner: u64,
    wants: Vec<(u8, bool)>,
    woken: oneshot::Receiver<Outcome>,
    /// True if the owner held or awaited something at its request, and so may overtake others.
    known: bool,
}

/// Model of the table, built from its answers alone.
#[derive(Default)]
struct Model {
    table: Table,
    /// True for exclusive, by key and owner.
    held: BTreeMap<(u8, u64), bool>,
    asking: BTreeMap<RequestId, Asking>,
}

impl Model {
    fn step(&mut self, step: Step) -> Result<(), TestCaseError> {
        match step {
            // A transaction waits for one thing at a time; any other is bounded by the timeout alone.
            Step::Ask(owner, _) if self.asking.values().any(|asking| asking.owner == owner) => {}
            Step::Ask(owner, wants) => {
                let known = self.held.keys().any(|(_, holder)| *holder == owner)
                    || self.asking.values().any(|asking| asking.owner == owner);
                let mode = |alone: bool| if alone { LockMode::Exclusive } else { LockMode::Shared };
                let asked = wants.iter().map(|(number, alone)| (key(*number), mode(*alone))).collect();
                match self.table.ask(Owner::Txn(txn(owner)), asked) {
                    Asked::Granted => {
                        // The request may have ended other owners, and granted other requests of its own.
                        let granted = self.take_losses();
                        self.grant(owner, &wants, known, None)?;
                        self.take_grants(granted)?;
                    }
                    Asked::Waiting(id, woken) => {
                        self.asking.insert(id, Asking { owner, wants, woken, known });
                    }
                    Asked::Lost => self.release(owner),
                }
            }
            Step::Release(owner) => self.release(owner),
            Step::Withdraw(which) => {
                if !self.asking.is_empty() {
                    let id = *which.get(&self.asking.keys().copied().collect::<Vec<_>>());
                    self.asking.remove(&id);
                    self.table.withdraw(id);
                }
            }
        }
        self.take_turns()
    }

    fn release(&mut self, owner: u64) {
        self.held.retain(|(_, holder), _| *holder != owner);
        self.asking.retain(|_, asking| asking.owner != owner);
        self.table.release(Owner::Txn(txn(owner)));
    }

    fn take_turns(&mut self) -> Result<(), TestCaseError> {
        let outcomes = self.take_losses();
        self.take_grants(outcomes)
    }

    /// Applies lost outcomes to the model; returns the granted requests.
    fn take_losses(&mut self) -> Vec<RequestId> {
        let mut outcomes: Vec<(RequestId, Outcome)> = Vec::new();
        for (id, asking) in &mut self.asking {
            outcomes.extend(asking.woken.try_recv().ok().map(|outcome| (*id, outcome)));
        }
        for (id, _) in outcomes.iter().filter(|(_, outcome)| *outcome == Outcome::Lost) {
            // Another request of the same owner may have received the outcome first.
            if let Some(asking) = self.asking.get(id) {
                self.release(asking.owner);
            }
        }
        outcomes.into_iter().filter(|(_, outcome)| *outcome == Outcome::Granted).map(|(id, _)| id).collect()
    }

    fn take_grants(&mut self, granted: Vec<RequestId>) -> Result<(), TestCaseError> {
        for id in granted {
            let asking = self.asking.remove(&id).unwrap();
            self.grant(asking.owner, &asking.wants, asking.known, Some(id))?;
        }
        Ok(())
    }

    fn grant(
        &mut self,
        owner: u64,
        wants: &[(u8, bool)],
        known: bool,
        id: Option<RequestId>,
    ) -> Result<(), TestCaseError> {
        for (number, alone) in wants {
            let against = self.held.iter().any(|((held, holder), held_alone)| {
                held == number && *holder != owner && (*alone || *held_alone)
            });
            prop_assert!(!against, "key {number} was given to {owner} while another held it");
            // Only owners that held or awaited something may overtake.
            if !known {
                let overtaken = self.asking.iter().any(|(other, asking)| {
                    id.is_none_or(|id| *other < id)
                        && asking.owner != owner
                        && asking.wants.iter().any(|(n, a)| n == number && (*a || *alone))
                });
                prop_assert!(!overtaken, "{owner} overtook another on key {number}");
            }
        }
        for (number, alone) in wants {
            *self.held.entry((*number, owner)).or_default() |= alone;
        }
        Ok(())
    }

    /// Ends every owner that can proceed until none is left, which is possible exactly if there is no deadlock.
    fn finish(&mut self) -> Result<(), TestCaseError> {
        loop {
            let waits = |owner: u64| self.asking.values().any(|asking| asking.owner == owner);
            let free =
                (0..6).find(|owner| !waits(*owner) && self.held.keys().any(|(_, holder)| holder == owner));
            match free {
                Some(owner) => self.release(owner),
                None => break,
            }
            self.take_turns()?;
        }
        prop_assert!(self.asking.is_empty(), "somebody waits for ever");
        prop_assert!(self.table.is_empty());
        Ok(())
    }
}

/// A transaction's script: documents read in sequence, then documents written.
type Program = (Vec<u8>, Vec<u8>);

fn programs() -> impl Strategy<Value = Vec<Program>> {
    let keys = || proptest::collection::vec(0u8..4, 0..4);
    proptest::collection::vec((keys(), keys()), 2..12)
}

/// Runs a script until it succeeds; every attempt is a new transaction with the age of the first.
async fn run(locks: Arc<LockManager>, chance: Arc<AtomicU64>, birth: u64, (reads, writes): Program) {
    loop {
        let id = TxnId(u128::from(birth) << 64 | u128::from(chance.fetch_add(1, Ordering::Relaxed)));
        let attempt = async {
            for read in &reads {
                locks.read(id, [key(*read)]).await?;
                tokio::task::yield_now().await;
            }
            let held = locks.commit_in(id);
            held.alone(writes.iter().copied().map(key).collect()).await?;
            tokio::task::yield_now().await;
            Ok::<_, Error>(())
        };
        let outcome = attempt.await;
        locks.release(id);
        match outcome {
            Ok(()) => return,
            Err(error) => assert_eq!(error.tag(), "Contention"),
        }
        tokio::task::yield_now().await;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// For any requests, withdrawals and releases: exclusive locks are exclusive, no request is overtaken, and there is
    /// no deadlock.
    #[test]
    fn locks_are_fair_exclusive_and_never_stuck(steps in steps()) {
        let mut model = Model::default();
        for step in steps {
            model.step(step)?;
        }
        model.finish()?;
    }

    /// Transactions that read and write anything in any order all finish without running into a timeout: on a paused
    /// clock, no time passes.
    #[test]
    fn transactions_get_through_without_a_timeout(programs in programs()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let elapsed = runtime.block_on(async {
            let begun = Instant::now();
            let locks = Arc::new(LockManager::new(LOCK_WAIT));
            let chance = Arc::new(AtomicU64::new(0));
            let start = |(birth, program)| {
                tokio::spawn(run(Arc::clone(&locks), Arc::clone(&chance), birth, program))
            };
            let tasks: Vec<_> = (1..).zip(programs).map(start).collect();
            for task in tasks {
                task.await.unwrap();
            }
            assert!(locks.state().table.is_empty());
            begun.elapsed()
        });
        prop_assert_eq!(elapsed, Duration::ZERO);
    }
}

#[tokio::test(start_paused = true)]
async fn writes_wait_for_readers_in_their_order() {
    let locks = Arc::new(LockManager::new(LOCK_WAIT));
    locks.read(txn(1), [key(1)]).await.unwrap();
    locks.read(txn(2), [key(1)]).await.unwrap();
    let (done, mut order) = tokio::sync::mpsc::unbounded_channel();
    for number in 0..5 {
        let (locks, done) = (Arc::clone(&locks), done.clone());
        tokio::spawn(async move {
            let held = locks.commit(vec![key(1)]).await.unwrap();
            done.send(number).unwrap();
            tokio::task::yield_now().await;
            drop(held);
        });
        tokio::task::yield_now().await;
    }
    // A later reader waits behind the writes.
    let late = tokio::spawn({
        let locks = Arc::clone(&locks);
        async move { locks.read(txn(3), [key(1)]).await.unwrap() }
    });
    tokio::task::yield_now().await;
    // The first reader's own commit waits for the other reader only.
    let first = tokio::spawn({
        let locks = Arc::clone(&locks);
        async move { locks.commit_in(txn(1)).alone(vec![key(1)]).await.unwrap() }
    });
    tokio::task::yield_now().await;
    assert!(order.try_recv().is_err());
    locks.release(txn(2));
    first.await.unwrap();
    for number in 0..5 {
        assert_eq!(order.recv().await, Some(number));
    }
    assert!(late.await.unwrap(), "it had to wait");
}

#[tokio::test(start_paused = true)]
async fn waiting_ends_and_a_silent_holder_loses_its_locks() {
    let locks = LockManager::new(LOCK_WAIT);
    locks.read(txn(1), [key(1)]).await.unwrap();
    let begun = Instant::now();
    let error = locks.commit(vec![key(1)]).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (Code::Aborted, "Transaction lock timeout."));
    assert_eq!(begun.elapsed(), LOCK_WAIT);
    // The next one need not wait.
    assert!(locks.commit(vec![key(1)]).await.unwrap().is_none());
    assert_eq!(begun.elapsed(), LOCK_WAIT);

    // An active holder keeps its locks.
    locks.read(txn(2), [key(1)]).await.unwrap();
    let life = async {
        tokio::time::sleep(LOCK_WAIT / 2).await;
        locks.read(txn(2), [key(2)]).await.unwrap();
    };
    let (outcome, ()) = tokio::join!(locks.commit(vec![key(1)]), life);
    assert_eq!(outcome.unwrap_err().tag(), "TransactionLockTimeout");
    assert!(locks.are_held());
    locks.release(txn(2));
    assert!(!locks.are_held());
}

#[tokio::test(start_paused = true)]
async fn of_two_readers_that_write_one_starts_over_at_once_and_then_queues() {
    let locks = Arc::new(LockManager::new(LOCK_WAIT));
    locks.read(txn(1), [key(1)]).await.unwrap();
    locks.read(txn(2), [key(1)]).await.unwrap();
    let first = tokio::spawn({
        let locks = Arc::clone(&locks);
        async move { locks.commit_in(txn(1)).alone(vec![key(1)]).await.unwrap() }
    });
    tokio::task::yield_now().await;
    let begun = Instant::now();
    let error = locks.commit_in(txn(2)).alone(vec![key(1)]).await.unwrap_err();
    assert_eq!((error.tag(), begun.elapsed()), ("Contention", Duration::ZERO));
    first.await.unwrap();
    // From now on one reader is admitted at a time.
    assert!(!locks.read(txn(3), [key(1)]).await.unwrap());
    let mut fourth = std::pin::pin!(locks.read(txn(4), [key(1)]));
    assert!(futures::poll!(fourth.as_mut()).is_pending());
    locks.release(txn(3));
    assert!(fourth.await.unwrap());
    // Readers share again once contention has passed.
    locks.release(txn(4));
    tokio::time::advance(CONTENDED_FOR).await;
    locks.read(txn(5), [key(1)]).await.unwrap();
    locks.read(txn(6), [key(1)]).await.unwrap();
    // A cancelled reader leaves the queue.
    let waiting = locks.read(txn(7), [key(1)]);
    drop(waiting);
    locks.release(txn(5));
    locks.release(txn(6));
    assert!(!locks.are_held());
}
