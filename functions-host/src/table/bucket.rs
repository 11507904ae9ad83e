//! A token bucket on the table's clock.

/// See the module's description.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bucket {
    a_second: u64,
    /// In thousandths.
    left: u64,
    /// Milliseconds since the epoch.
    at: u64,
}

impl Bucket {
    /// A bucket with two seconds' worth.
    pub(super) const fn full(a_second: u64, at: u64) -> Self {
        Self { a_second, left: a_second * 2_000, at }
    }

    /// Takes one, if there is one.
    pub(super) fn take(&mut self, now: u64) -> bool {
        let back = now.saturating_sub(self.at).saturating_mul(self.a_second);
        self.left = self.left.saturating_add(back).min(self.a_second * 2_000);
        self.at = self.at.max(now);
        let has = self.left >= 1_000;
        if has {
            self.left -= 1_000;
        }
        has
    }
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
}
