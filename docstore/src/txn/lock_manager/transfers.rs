//! Transfers between accounts by clients that retry like the server SDK, on a paused clock: their waits on a busy
//! machine are exact numbers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use super::*;

/// Wait of the SDK after the first failure; each later wait is half as long again. Source: its backoff.
const FIRST_BACKOFF: Duration = Duration::from_secs(1);

/// Versions of accounts, with the committer's validation.
#[derive(Default)]
struct Accounts(Mutex<BTreeMap<u8, u64>>);

impl Accounts {
    fn version(&self, account: u8) -> u64 {
        self.0.lock().get(&account).copied().unwrap_or(0)
    }

    fn commit(&self, read: &[(u8, u64)]) -> bool {
        let mut versions = self.0.lock();
        let unchanged =
            read.iter().all(|(account, version)| versions.get(account).copied().unwrap_or(0) == *version);
        if unchanged {
            versions.extend(read.iter().map(|(account, version)| (*account, version + 1)));
        }
        unchanged
    }
}

fn key(account: u8) -> Key {
    vec![0, 0, 0, 1, account]
}

/// A pseudo-random number generator.
struct Chance(AtomicU64);

impl Chance {
    fn next(&self) -> u64 {
        let seed = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 33
    }

    /// Latency of a request on a busy machine.
    async fn travel(&self, most: Duration) {
        let micros = u64::try_from(most.as_micros()).unwrap().max(1);
        tokio::time::sleep(Duration::from_micros(self.next() % micros)).await;
    }
}

/// Makes one transfer; returns the number of failed attempts.
async fn transfer(
    locks: &LockManager,
    accounts: &Accounts,
    chance: &Chance,
    birth: u64,
    (from, to): (u8, u8),
    busy: Duration,
) -> u32 {
    let mut failures = 0;
    let mut backoff = FIRST_BACKOFF;
    loop {
        let id = TxnId(u128::from(birth) << 64 | u128::from(chance.next()));
        let attempt = async {
            let mut read = Vec::new();
            for account in [from, to] {
                chance.travel(busy).await;
                locks.read(id, [key(account)]).await?;
                read.push((account, accounts.version(account)));
                chance.travel(busy).await;
            }
            chance.travel(busy).await;
            let held = locks.commit_in(id);
            held.alone(vec![key(from), key(to)]).await?;
            if accounts.commit(&read) { Ok(()) } else { Err(contention()) }
        };
        let outcome: Result<()> = attempt.await;
        locks.release(id);
        if outcome.is_ok() {
            return failures;
        }
        failures += 1;
        tokio::time::sleep(backoff / 2 + backoff * u32::try_from(chance.next() % 1_000).unwrap() / 1_000)
            .await;
        backoff = backoff * 3 / 2;
    }
}

/// All clients transfer between the same three accounts at once. However slow the machine, none fails more than a few
/// times, so none waits long.
#[test]
fn nobody_is_sent_away_often() {
    const MOST: u32 = 4;
    for (busy, seeds) in [(10, 60), (300, 60), (3_000, 60)] {
        for seed in 0..seeds {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build()
                .unwrap();
            runtime.block_on(async {
                let locks = Arc::new(LockManager::new(LOCK_WAIT));
                let accounts = Arc::new(Accounts::default());
                let chance = Arc::new(Chance(AtomicU64::new(seed)));
                let moves = [(0, 1), (1, 2), (2, 0), (1, 0), (0, 2), (0, 1)];
                let start = |(birth, ends)| {
                    let (locks, accounts, chance) =
                        (Arc::clone(&locks), Arc::clone(&accounts), Arc::clone(&chance));
                    let busy = Duration::from_millis(busy);
                    tokio::spawn(async move { transfer(&locks, &accounts, &chance, birth, ends, busy).await })
                };
                let tasks: Vec<_> = (1..).zip(moves).map(start).collect();
                for task in tasks {
                    let failures = task.await.unwrap();
                    assert!(failures <= MOST, "{failures} failures with seed {seed} at {busy} ms");
                }
                assert!(locks.state().table.is_empty());
                let moved: u64 = (0..3).map(|account| accounts.version(account)).sum();
                assert_eq!(moved, 2 * moves.len() as u64);
            });
        }
    }
}
