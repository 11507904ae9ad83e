//! A token bucket on the table's clock.

/// See the module's description.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bucket {
    a_second: u64,
    /// In thousandths; below zero if more was spent than there was.
    left: i64,
    /// Milliseconds since the epoch.
    at: u64,
}

impl Bucket {
    /// A bucket with two seconds' worth.
    pub(super) const fn full(a_second: u64, at: u64) -> Self {
        Self { a_second, left: most(a_second), at }
    }

    /// Takes one, if there is one.
    pub(super) fn take(&mut self, now: u64) -> bool {
        self.fill(now);
        let has = self.left >= 1_000;
        if has {
            self.left -= 1_000;
        }
        has
    }

    /// True if nothing is owed.
    pub(super) fn is_paid(&mut self, now: u64) -> bool {
        self.fill(now);
        self.left >= 0
    }

    /// Takes what was used, which is known only afterwards. What is not there is owed.
    pub(super) fn spend(&mut self, used: usize) {
        let used = i64::try_from(used).unwrap_or(i64::MAX).saturating_mul(1_000);
        self.left = self.left.saturating_sub(used);
    }

    fn fill(&mut self, now: u64) {
        let back = now.saturating_sub(self.at).saturating_mul(self.a_second);
        let back = i64::try_from(back).unwrap_or(i64::MAX);
        self.left = self.left.saturating_add(back).min(most(self.a_second));
        self.at = self.at.max(now);
    }
}

/// Two seconds' worth, in thousandths.
const fn most(a_second: u64) -> i64 {
    a_second as i64 * 2_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_its_rate() {
        let mut bucket = Bucket::full(40, 5_000);
        assert_eq!((0..200).filter(|_| bucket.take(5_000)).count(), 80);
        assert_eq!((0..200).filter(|_| bucket.take(6_000)).count(), 40);
        assert_eq!((0..200).filter(|_| bucket.take(900_000)).count(), 80);
        // A clock that is set back gives nothing twice.
        assert!(!bucket.take(1));
        assert!(!bucket.take(900_000));
    }

    #[test]
    fn what_was_spent_beyond_the_rate_is_owed() {
        let mut bucket = Bucket::full(100, 5_000);
        bucket.spend(500);
        assert!(!bucket.is_paid(5_000) && !bucket.is_paid(7_999));
        assert!(bucket.is_paid(8_000));
        bucket.spend(usize::MAX);
        assert!(!bucket.is_paid(900_000));
    }
}
