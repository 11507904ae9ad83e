//! Limits on attempts: token buckets per account and per network address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

use docstore::model::Ts;
use parking_lot::Mutex;

use crate::error::{ApiError, Result};

/// Buckets kept; full ones are dropped first, then all.
const MAX_BUCKETS: usize = 65_536;

/// A bucket's size and how fast it fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Attempts a full bucket holds.
    pub burst: u32,
    /// Time until one attempt is available again.
    pub refill: Duration,
}

impl Rate {
    /// `burst` tries at once, then one every `refill`.
    pub const fn new(burst: u32, refill: Duration) -> Self {
        Self { burst, refill }
    }
}

/// The limits of serving mode; emulator mode has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthLimits {
    /// Wrong passwords and codes for one account.
    pub failures_per_account: Rate,
    /// Wrong passwords and codes from one address.
    pub failures_per_address: Rate,
    /// Messages to one mailbox.
    pub mails_per_account: Rate,
    /// Messages asked for from one address.
    pub mails_per_address: Rate,
    /// New accounts from one address.
    pub sign_ups_per_address: Rate,
    /// Challenges for passkeys asked for from one address.
    pub challenges_per_address: Rate,
    /// New sets of recovery codes for one account.
    pub recovery_codes_per_account: Rate,
}

impl Default for AuthLimits {
    fn default() -> Self {
        Self {
            failures_per_account: Rate::new(10, Duration::from_secs(60)),
            failures_per_address: Rate::new(50, Duration::from_secs(10)),
            mails_per_account: Rate::new(5, Duration::from_secs(60)),
            mails_per_address: Rate::new(60, Duration::from_secs(20)),
            sign_ups_per_address: Rate::new(100, Duration::from_secs(36)),
            challenges_per_address: Rate::new(120, Duration::from_secs(2)),
            recovery_codes_per_account: Rate::new(5, Duration::from_secs(60)),
        }
    }
}

/// Subject of a limit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    /// Failed sign-ins of an account, by its address or id.
    AccountFailures(String),
    /// Failed sign-ins of an account from an address it knows.
    KnownFailures(String, IpAddr),
    /// Failed sign-ins from an address.
    AddressFailures(IpAddr),
    /// Mail to a mailbox.
    AccountMail(String),
    /// Mail requested from an address.
    AddressMail(IpAddr),
    /// New accounts from an address.
    AddressSignUps(IpAddr),
    /// Challenges for passkeys from an address.
    AddressChallenges(IpAddr),
    /// New recovery codes of an account, by its id.
    AccountRecovery(String),
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    /// Microseconds of refill missing for a full bucket, at `at`.
    debt: u64,
    at: Ts,
}

/// Rate limiter for attempts.
#[derive(Debug)]
pub(crate) struct Limiter {
    limits: Option<AuthLimits>,
    buckets: Mutex<HashMap<Subject, Bucket>>,
}

impl Limiter {
    /// A limiter; without limits it never refuses.
    pub(crate) fn new(limits: Option<AuthLimits>) -> Self {
        Self { limits, buckets: Mutex::default() }
    }

    /// Clears the attempts: the right password was given.
    pub(crate) fn forgive(&self, subject: &Subject) {
        self.buckets.lock().remove(subject);
    }

    /// Returns one attempt to the bucket.
    pub(crate) fn give_back(&self, subject: &Subject, now: Ts) {
        let Some(rate) = self.rate_of(subject) else { return };
        let refill = u64::try_from(rate.refill.as_micros()).unwrap_or(u64::MAX);
        let mut buckets = self.buckets.lock();
        if let Some(bucket) = buckets.get_mut(subject) {
            *bucket = Bucket { debt: settled(bucket, now).saturating_sub(refill), at: now };
        }
    }

    fn rate_of(&self, subject: &Subject) -> Option<Rate> {
        let limits = self.limits.as_ref()?;
        Some(match subject {
            Subject::AccountFailures(_) | Subject::KnownFailures(..) => limits.failures_per_account,
            Subject::AddressFailures(_) => limits.failures_per_address,
            Subject::AccountMail(_) => limits.mails_per_account,
            Subject::AddressMail(_) => limits.mails_per_address,
            Subject::AddressSignUps(_) => limits.sign_ups_per_address,
            Subject::AddressChallenges(_) => limits.challenges_per_address,
            Subject::AccountRecovery(_) => limits.recovery_codes_per_account,
        })
    }

    /// Takes one attempt from the bucket, or refuses if it is empty.
    pub(crate) fn take(&self, subject: &Subject, now: Ts) -> Result<()> {
        let Some(rate) = self.rate_of(subject) else { return Ok(()) };
        let refill = u64::try_from(rate.refill.as_micros()).unwrap_or(u64::MAX);
        let full = refill.saturating_mul(rate.burst.into());
        let mut buckets = self.buckets.lock();
        let debt = buckets.get(subject).map_or(0, |bucket| settled(bucket, now));
        if debt.saturating_add(refill) > full {
            let wait = (debt.saturating_add(refill) - full).div_ceil(1_000_000);
            return Err(ApiError::too_many(&format!("Too many attempts. Try again in {wait} seconds.")));
        }
        if buckets.len() >= MAX_BUCKETS {
            buckets.retain(|_, bucket| settled(bucket, now) > 0);
            if buckets.len() >= MAX_BUCKETS {
                buckets.clear();
            }
        }
        buckets.insert(subject.clone(), Bucket { debt: debt + refill, at: now });
        Ok(())
    }
}

fn settled(bucket: &Bucket, now: Ts) -> u64 {
    bucket.debt.saturating_sub(now.micros().saturating_sub(bucket.at.micros()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn limiter(burst: u32, refill: u64) -> Limiter {
        let rate = Rate::new(burst, Duration::from_secs(refill));
        Limiter::new(Some(AuthLimits { mails_per_account: rate, ..AuthLimits::default() }))
    }

    fn at(seconds: u64) -> Ts {
        Ts::from_micros(1_700_000_000_000_000 + seconds * 1_000_000)
    }

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let limiter = limiter(3, 60);
        let ada = Subject::AccountMail("ada@x".into());
        for _ in 0..3 {
            limiter.take(&ada, at(0)).unwrap();
        }
        let refused = limiter.take(&ada, at(0)).unwrap_err();
        assert_eq!(
            refused.message(),
            "TOO_MANY_ATTEMPTS_TRY_LATER : Too many attempts. Try again in 60 seconds."
        );
        limiter.take(&Subject::AccountMail("bob@x".into()), at(0)).unwrap();
        limiter.take(&ada, at(59)).unwrap_err();
        limiter.take(&ada, at(60)).unwrap();
        limiter.take(&ada, at(60)).unwrap_err();
        limiter.forgive(&ada);
        limiter.take(&ada, at(60)).unwrap();
    }

    #[test]
    fn a_try_that_is_given_back_does_not_count() {
        let limiter = limiter(2, 60);
        let ada = Subject::AccountMail("ada@x".into());
        for _ in 0..9 {
            limiter.take(&ada, at(0)).unwrap();
            limiter.give_back(&ada, at(0));
        }
        limiter.take(&ada, at(0)).unwrap();
        limiter.take(&ada, at(0)).unwrap();
        limiter.take(&ada, at(0)).unwrap_err();
    }

    proptest! {
        /// Over any stretch of time no more pass than the burst and what refilled.
        #[test]
        fn never_more_than_burst_plus_refill(gaps in proptest::collection::vec(0_u64..100, 1..200)) {
            let limiter = limiter(5, 30);
            let subject = Subject::AccountMail("ada@x".into());
            let (mut now, mut passed) = (0, 0);
            for gap in gaps {
                now += gap;
                passed += u64::from(limiter.take(&subject, at(now)).is_ok());
                prop_assert!(passed <= 5 + now / 30);
            }
        }
    }
}
