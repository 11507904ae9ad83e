//! Write-rate limits per caller: a burst, then a steady rate of documents and bytes. Operators are exempt.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use docstore::access::{Caller, CommitHook, CommitPermit};
use docstore::clock::SharedClock;
use docstore::commit::write_weight;
use docstore::model::{DatabaseId, Ts, Write, WriteOp};
use docstore::{Code, Error, Result};
use parking_lot::Mutex;

use super::Plans;
use crate::host::config::{Rate, Rates};

/// Callers tracked; past this the one nearest to a full burst is dropped.
const CALLERS: usize = 10_000;
/// Microseconds in a minute: one document or byte counts as this many units.
const MINUTE: u128 = 60_000_000;

/// A token bucket, in sixty-millionths of a unit.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: u128,
    at: Ts,
}

impl Bucket {
    fn full(rate: Rate, now: Ts) -> Self {
        Self { left: u128::from(rate.burst) * MINUTE, at: now }
    }

    /// Refills up to `now`.
    fn fill(&mut self, rate: Rate, now: Ts) {
        let passed = u128::from(now.micros().saturating_sub(self.at.micros()));
        let back = passed.saturating_mul(u128::from(rate.a_minute));
        self.left = self.left.saturating_add(back).min(u128::from(rate.burst) * MINUTE);
        self.at = self.at.max(now);
    }

    /// Wait until `amount` is available; `None` if it never is.
    fn wait(&self, rate: Rate, amount: u64) -> Option<Duration> {
        let missing = (u128::from(amount) * MINUTE).saturating_sub(self.left);
        if missing == 0 {
            return Some(Duration::ZERO);
        }
        if amount > rate.burst || rate.a_minute == 0 {
            return None;
        }
        let micros = missing.div_ceil(u128::from(rate.a_minute));
        Some(Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX)))
    }
}

/// The token buckets of one caller.
#[derive(Debug, Clone, Copy)]
struct Left {
    documents: Bucket,
    bytes: Bucket,
}

/// The rate limits of all callers, as a commit hook.
#[derive(Debug)]
pub struct RateHook {
    rates: Rates,
    plans: Plans,
    clock: SharedClock,
    /// By user; all anonymous callers share one entry. Locked for a look-up, never across an await.
    callers: Mutex<HashMap<Option<String>, Left>>,
}

impl RateHook {
    /// A commit hook with these rates, except where a plan of `plans` has its own.
    pub fn new(rates: Rates, plans: Plans, clock: SharedClock) -> Self {
        Self { rates, plans, clock, callers: Mutex::default() }
    }

    async fn check(&self, caller: &Caller, writes: &[Write]) -> Result<CommitPermit> {
        let who = match caller {
            Caller::Admin => None,
            Caller::User(auth) => Some(Some(auth.uid.clone())),
            Caller::Anonymous => Some(None),
        };
        if let Some(who) = who {
            let rates = self.rates_of(who.as_deref()).await?;
            self.take(who, rates, writes)?;
        }
        Ok(None)
    }

    /// The rates of a user's plan, otherwise the server's.
    async fn rates_of(&self, uid: Option<&str>) -> Result<Rates> {
        let mut rates = self.rates;
        if let Some(uid) = uid {
            let limits = self.plans.limits_of(uid).await?;
            let over = |rate: &mut Rate, a_minute: Option<u64>| {
                if let Some(a_minute) = a_minute {
                    *rate = Rate { burst: rate.burst.max(a_minute), a_minute };
                }
            };
            over(&mut rates.documents, limits.documents_a_minute.map(u64::from));
            over(&mut rates.bytes, limits.document_bytes_a_minute);
        }
        Ok(rates)
    }

    fn take(&self, who: Option<String>, rates: Rates, writes: &[Write]) -> Result<()> {
        let counted = || writes.iter().filter(|write| !matches!(write.op, WriteOp::Verify));
        let documents = counted().count() as u64;
        let bytes = counted().map(|write| write_weight(write) as u64).sum::<u64>();
        let now = self.clock.now();
        let mut callers = self.callers.lock();
        if callers.len() >= CALLERS && !callers.contains_key(&who) {
            forget_one(&mut callers, self.rates, now);
        }
        let left = callers.entry(who).or_insert_with(|| Left {
            documents: Bucket::full(rates.documents, now),
            bytes: Bucket::full(rates.bytes, now),
        });
        left.documents.fill(rates.documents, now);
        left.bytes.fill(rates.bytes, now);
        let waits = [left.documents.wait(rates.documents, documents), left.bytes.wait(rates.bytes, bytes)];
        let wait = match waits {
            [Some(documents), Some(bytes)] => documents.max(bytes),
            _ => return Err(too_much(rates)),
        };
        if !wait.is_zero() {
            return Err(too_fast(rates, wait));
        }
        left.documents.left -= u128::from(documents) * MINUTE;
        left.bytes.left -= u128::from(bytes) * MINUTE;
        Ok(())
    }
}

impl CommitHook for RateHook {
    fn admit<'a>(
        &'a self,
        caller: &'a Caller,
        _database: &'a DatabaseId,
        writes: &'a [Write],
    ) -> Pin<Box<dyn Future<Output = Result<CommitPermit>> + Send + 'a>> {
        Box::pin(self.check(caller, writes))
    }
}

/// Drops the caller nearest to a full burst: that loses least.
fn forget_one(callers: &mut HashMap<Option<String>, Left>, rates: Rates, now: Ts) {
    let used = |left: &Left| {
        let part = |mut bucket: Bucket, rate: Rate| {
            bucket.fill(rate, now);
            let whole = u128::from(rate.burst) * MINUTE;
            (whole - bucket.left).saturating_mul(1_000) / whole.max(1)
        };
        part(left.documents, rates.documents).max(part(left.bytes, rates.bytes))
    };
    let least = callers.iter().min_by_key(|(_, left)| used(left)).map(|(who, _)| who.clone());
    if let Some(who) = least {
        callers.remove(&who);
    }
}

/// No wait helps, so clients must not try the same commit again, as they do for `ResourceExhausted`.
fn too_much(Rates { documents, bytes }: Rates) -> Error {
    let message = if documents.a_minute == 0 || bytes.a_minute == 0 {
        "This plan takes no more writes. Choose another plan to go on writing.".to_owned()
    } else {
        format!(
            "One commit may write at most {} documents and {} bytes here; split it.",
            documents.burst, bytes.burst
        )
    };
    Error::new(Code::InvalidArgument, "CommitTooLarge", message)
}

fn too_fast(Rates { documents, bytes }: Rates, wait: Duration) -> Error {
    let seconds = wait.as_secs() + 1;
    let message = format!(
        "You have written so much that only {} documents and {} bytes a minute are taken: try again in {seconds} {}.",
        documents.a_minute,
        bytes.a_minute,
        if seconds == 1 { "second" } else { "seconds" }
    );
    Error::new(Code::ResourceExhausted, "WriteRate", message)
}

#[cfg(test)]
mod tests;
