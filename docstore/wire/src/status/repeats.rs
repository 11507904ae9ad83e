//! Failures that come in numbers are logged once.

use std::collections::BTreeMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// Time during which a logged failure is not logged again.
const QUIET: Duration = Duration::from_secs(10);

/// When each kind of failure was last logged, and how many were not since.
#[derive(Debug)]
pub(super) struct Repeats(Mutex<BTreeMap<&'static str, (Instant, u64)>>);

impl Repeats {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// Number of failures with this tag that were not logged before this one; `None` if this one is not logged either.
    pub(super) fn of(&self, tag: &'static str, now: Instant) -> Option<u64> {
        let mut said = self.0.lock();
        match said.get_mut(tag) {
            Some((at, unsaid)) if now.saturating_duration_since(*at) < QUIET => {
                *unsaid += 1;
                None
            }
            found => {
                let unsaid = found.map_or(0, |(_, unsaid)| *unsaid);
                said.insert(tag, (now, 0));
                Some(unsaid)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_of_a_kind_are_said_once() {
        let (repeats, start) = (Repeats::new(), Instant::now());
        assert_eq!(repeats.of("a", start), Some(0));
        for _ in 0..1_000 {
            assert_eq!(repeats.of("a", start + QUIET / 2), None);
        }
        assert_eq!(repeats.of("b", start), Some(0));
        assert_eq!(repeats.of("a", start + QUIET), Some(1_000));
        assert_eq!(repeats.of("a", start + QUIET * 2), Some(0));
    }
}
