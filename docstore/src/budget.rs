//! A shared budget of memory, in bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::{Code, Error, Result};

/// So many bytes everybody may hold, whatever the others have; what is beyond counts.
pub const OWN_BYTES: usize = 16 * 1024;

/// Bytes that all holders may hold together, beyond [`OWN_BYTES`] each.
#[derive(Debug)]
pub struct Budget {
    most: usize,
    taken: AtomicUsize,
}

impl Budget {
    /// A budget of `most` bytes.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, taken: AtomicUsize::new(0) })
    }

    fn take(&self, bytes: usize) -> bool {
        let more = |taken: usize| taken.checked_add(bytes).filter(|taken| *taken <= self.most);
        self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    fn give_back(&self, bytes: usize) {
        self.taken.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// True if the budget is used up or overdrawn.
    pub fn is_full(&self) -> bool {
        self.taken.load(Ordering::Relaxed) >= self.most
    }

    /// Bytes taken now.
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }
}

/// One holder's part of a budget; returned when dropped.
#[derive(Debug)]
pub struct Share {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Share {
    /// A share of nothing yet.
    pub fn of(budget: &Arc<Budget>) -> Self {
        Self { budget: Arc::clone(budget), bytes: 0 }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes `bytes` more.
    ///
    /// # Errors
    /// `Unavailable`, with `tag`, where all hold so much that these do not fit in; nothing has changed then. `what` says
    /// of what there are too many bytes.
    pub fn grow(&mut self, bytes: usize, tag: &'static str, what: &str) -> Result<()> {
        let held = self.bytes.saturating_add(bytes);
        if !self.budget.take(counted(held) - counted(self.bytes)) {
            return Err(Error::new(Code::Unavailable, tag, format!("{what}: try again later")));
        }
        self.bytes = held;
        Ok(())
    }

    /// Holds `bytes` more, whatever all hold: for what is there already. Whoever adds to it asks
    /// [`Share::is_pressed`] first.
    pub fn overdraw(&mut self, bytes: usize) {
        let held = self.bytes.saturating_add(bytes);
        self.budget.taken.fetch_add(counted(held) - counted(self.bytes), Ordering::Relaxed);
        self.bytes = held;
    }

    /// True if the budget is used up and a holder of data should wait until that is gone.
    pub fn is_pressed(&self) -> bool {
        self.budget.is_full()
    }

    /// Holds no more than `bytes` from now on.
    pub fn shrink_to(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes);
        self.budget.give_back(counted(self.bytes) - counted(bytes));
        self.bytes = bytes;
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

/// Part of one holder's bytes that counts against the budget.
fn counted(bytes: usize) -> usize {
    bytes.saturating_sub(OWN_BYTES)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_taken_is_what_is_held(
            steps in prop::collection::vec((0_usize..4, 0_u8..4, 0_usize..60_000), 0..60),
        ) {
            const MOST: usize = 100_000;
            let budget = Budget::new(MOST);
            let mut shares: Vec<Share> = (0..4).map(|_| Share::of(&budget)).collect();
            for (who, what, bytes) in steps {
                let others: usize = (0..4).filter(|i| *i != who).map(|i| counted(shares[i].bytes())).sum();
                let held = shares[who].bytes();
                match what {
                    0 => shares[who] = Share::of(&budget),
                    1 => shares[who].shrink_to(bytes),
                    _ => {
                        let fits = others + counted(held + bytes) <= MOST;
                        prop_assert_eq!(shares[who].grow(bytes, "Many", "too many").is_ok(), fits);
                        prop_assert_eq!(shares[who].bytes(), if fits { held + bytes } else { held });
                    }
                }
                prop_assert_eq!(budget.taken(), shares.iter().map(|share| counted(share.bytes())).sum::<usize>());
            }
            drop(shares);
            prop_assert_eq!(budget.taken(), 0);
        }
    }
}
