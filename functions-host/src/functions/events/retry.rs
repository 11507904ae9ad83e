//! Retry policies: when a failed delivery is retried, and when it is given up.

use std::time::Duration;

use docstore::model::Ts;

/// First wait of an event function with retries enabled.
pub(super) const FIRST_WAIT: Duration = Duration::from_secs(1);
/// Longest wait between two attempts of an event.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(600);
/// Time during which an event is retried, as in the cloud's second generation.
pub(super) const EVENT_LIFE: Duration = Duration::from_secs(24 * 3600);

/// Limits and timing of the attempts of one delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Policy {
    /// Most attempts; `None` for no limit.
    pub(crate) tries: Option<u32>,
    /// No attempt starts later than this after queueing; `None` for no limit.
    pub(crate) life: Option<Duration>,
    /// Wait after the first failure.
    pub(crate) first: Duration,
    /// The longest wait.
    pub(crate) longest: Duration,
    /// Number of times the wait doubles; after that it grows by the last doubled wait each time.
    pub(crate) doublings: u32,
}

impl Policy {
    /// A single attempt.
    pub(crate) const ONCE: Self =
        Self { tries: Some(1), life: None, first: FIRST_WAIT, longest: LONGEST_WAIT, doublings: 0 };

    /// An event function with retries enabled.
    pub(crate) const EVENT: Self = Self {
        tries: None,
        life: Some(EVENT_LIFE),
        first: FIRST_WAIT,
        longest: LONGEST_WAIT,
        doublings: u32::MAX,
    };

    /// The wait after `failures` failed attempts.
    pub(crate) fn wait(&self, failures: u32) -> Duration {
        let nth = failures.saturating_sub(1);
        let doubled = self.first.saturating_mul(2_u32.saturating_pow(nth.min(self.doublings)));
        doubled.saturating_mul(nth.saturating_sub(self.doublings).saturating_add(1)).min(self.longest)
    }

    /// Time of the next attempt after `failures` failed ones; `None` to give up.
    pub(crate) fn again(&self, failures: u32, queued: Ts, now: Ts) -> Option<Ts> {
        let due = later(now, self.wait(failures));
        let spent = self.tries.is_some_and(|tries| failures >= tries);
        let old = self.life.is_some_and(|life| due > later(queued, life));
        // As in Cloud Tasks: if both limits are given, both must be exceeded.
        let over = match (self.tries, self.life) {
            (Some(_), Some(_)) => spent && old,
            _ => spent || old,
        };
        (!over).then_some(due)
    }
}

/// `ts` plus a duration.
pub(crate) fn later(ts: Ts, by: Duration) -> Ts {
    Ts::from_micros(ts.micros().saturating_add(u64::try_from(by.as_micros()).unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn secs(seconds: u64) -> Ts {
        Ts::from_micros(seconds * 1_000_000)
    }

    #[test]
    fn events_wait_from_a_second_to_ten_minutes_for_a_day() {
        let waits: Vec<_> = (1..=12).map(|failures| Policy::EVENT.wait(failures).as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
        assert_eq!(Policy::EVENT.again(1, secs(0), secs(10)), Some(secs(11)));
        assert_eq!(Policy::EVENT.again(30, secs(0), secs(86_400 - 600)), Some(secs(86_400)));
        assert_eq!(Policy::EVENT.again(30, secs(0), secs(86_400 - 599)), None);
        assert_eq!(Policy::ONCE.again(1, secs(0), secs(0)), None);
    }

    #[test]
    fn tasks_double_so_often_and_then_grow_evenly() {
        let policy = Policy {
            tries: Some(9),
            life: None,
            first: Duration::from_secs(10),
            longest: Duration::from_secs(300),
            doublings: 3,
        };
        let waits: Vec<_> = (1..=8).map(|failures| policy.wait(failures).as_secs()).collect();
        assert_eq!(waits, [10, 20, 40, 80, 160, 240, 300, 300]);
        assert_eq!(policy.again(9, secs(0), secs(0)), None);
        let both = Policy { life: Some(Duration::from_secs(1_000)), ..policy };
        assert!(both.again(9, secs(0), secs(0)).is_some());
        assert_eq!(both.again(9, secs(0), secs(1_000)), None);
    }

    proptest! {
        #[test]
        fn waits_never_shrink_and_never_exceed_the_longest(
            failures in 1..u32::MAX, first in 1..10_000u64, longest in 1..10_000_000u64, doublings in 0..64u32,
        ) {
            let (first, longest) = (Duration::from_millis(first), Duration::from_millis(longest));
            let policy = Policy { tries: None, life: None, first, longest, doublings };
            prop_assert!(policy.wait(failures) <= policy.wait(failures.saturating_add(1)));
            prop_assert!(policy.wait(failures) <= longest);
        }
    }
}
