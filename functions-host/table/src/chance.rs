//! Chance that can be verified: every draw is HMAC-SHA-256 of a counter under the table's seed. The seed's SHA-256 is
//! published at the start and the seed at the end, so that anybody can draw again.

use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Draws of one HMAC: four words of 64 bits.
const WORDS: u64 = 4;

fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    // An HMAC takes a key of any length, so this cannot fail.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// A source of chance. The counter never goes back: an undone roll is rolled anew.
#[derive(Clone)]
pub struct Chance {
    seed: [u8; 32],
    counter: u64,
    /// The block of the last word, because a shuffle draws many words in a row.
    block: Option<(u64, [u8; 32])>,
    /// Draws since they were last taken, once somebody wants them.
    drawn: Option<Vec<Drawn>>,
}

/// A draw that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Drawn {
    /// A bound, and the number below it.
    Below(u64, u64),
    /// An order: index `i` holds what was at `order[i]`.
    Order(Vec<u16>),
}

impl Chance {
    /// A source from a secret seed, after `counter` words.
    pub fn new(seed: [u8; 32], counter: u64) -> Self {
        Self { seed, counter, block: None, drawn: None }
    }

    /// Words drawn so far.
    pub fn counter(&self) -> u64 {
        self.counter
    }

    /// The SHA-256 of the seed, which is published before the first draw.
    pub fn commitment(&self) -> [u8; 32] {
        Sha256::digest(self.seed).into()
    }

    /// Takes back the words of an act that was refused: nobody saw one.
    pub(crate) fn rewind(&mut self, counter: u64) {
        self.counter = counter;
        self.drawn.iter_mut().for_each(Vec::clear);
    }

    /// Keeps all draws from now on.
    pub(crate) fn record(&mut self) {
        self.drawn = Some(Vec::new());
    }

    /// The draws that were kept since they were last taken.
    pub(crate) fn take_drawn(&mut self) -> Vec<Drawn> {
        self.drawn.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn word(&mut self) -> u64 {
        let index = self.counter / WORDS;
        let block = match self.block {
            Some((at, block)) if at == index => block,
            _ => hmac(&self.seed, &[b"draw", &index.to_be_bytes()]),
        };
        self.block = Some((index, block));
        let at = (self.counter % WORDS) as usize * 8;
        self.counter += 1;
        let mut word = [0; 8];
        word.copy_from_slice(&block[at..at + 8]);
        u64::from_be_bytes(word)
    }

    /// A number below `bound`, each with the same chance; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let got = self.number(bound);
        self.drawn.iter_mut().for_each(|drawn| drawn.push(Drawn::Below(bound, got)));
        got
    }

    fn number(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        // Words from the last, incomplete run of `bound` numbers would favour small ones.
        let usable = u64::MAX - (u64::MAX % bound + 1) % bound;
        loop {
            let word = self.word();
            if word <= usable {
                return word % bound;
            }
        }
    }

    /// A permutation of `0..len` (Fisher–Yates from the end), each with the same chance.
    pub fn permutation(&mut self, len: usize) -> Vec<u16> {
        let mut order: Vec<u16> = (0..len).map(|at| at as u16).collect();
        for last in (1..order.len()).rev() {
            let other = self.number(last as u64 + 1) as usize;
            order.swap(last, other);
        }
        self.drawn.iter_mut().for_each(|drawn| drawn.push(Drawn::Order(order.clone())));
        order
    }
}

/// A running seal over the log's bytes. It is keyed: an unkeyed one could be compared with that of every order of a
/// small deck. After the seed is published anybody can compute it.
#[derive(Clone, PartialEq, Eq)]
pub struct Seal {
    key: [u8; 32],
    value: [u8; 32],
}

impl Seal {
    /// The seal of an empty log.
    pub fn new(seed: &[u8; 32]) -> Self {
        Self { key: hmac(seed, &[b"seal"]), value: [0; 32] }
    }

    /// Continues a seal from a snapshot.
    pub fn resume(seed: &[u8; 32], value: [u8; 32]) -> Self {
        Self { value, ..Self::new(seed) }
    }

    /// Adds the bytes of an entry.
    pub fn add(&mut self, entry: &[u8]) {
        self.value = hmac(&self.key, &[&self.value, entry]);
    }

    /// The seal of everything added; it may be shown to anybody at any time.
    pub fn value(&self) -> [u8; 32] {
        self.value
    }
}

/// Handles of one view: as unpredictable as its key, and the same for the same key and order.
#[derive(Clone)]
pub(crate) struct HandleSource {
    key: [u8; 32],
    minted: u64,
}

impl HandleSource {
    pub(crate) fn new(key: [u8; 32]) -> Self {
        Self { key, minted: 0 }
    }

    pub(crate) fn next(&mut self) -> crate::ids::Handle {
        let block = hmac(&self.key, &[b"handle", &self.minted.to_be_bytes()]);
        self.minted += 1;
        let mut word = [0; 8];
        word.copy_from_slice(&block[..8]);
        crate::ids::Handle::from_bits(u64::from_be_bytes(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn shuffles_of_four_have_no_favourite() {
        let mut chance = Chance::new([7; 32], 0);
        let mut seen: BTreeMap<Vec<u16>, u32> = BTreeMap::new();
        const RUNS: u32 = 100_000;
        for _ in 0..RUNS {
            *seen.entry(chance.permutation(4)).or_default() += 1;
        }
        let expected = f64::from(RUNS) / 24.0;
        let chi: f64 = seen.values().map(|n| (f64::from(*n) - expected).powi(2) / expected).sum();
        assert_eq!(seen.len(), 24);
        // The 99.9 % quantile of χ² with 23 degrees of freedom. The seed is fixed, so this never varies.
        assert!(chi < 49.7, "χ² = {chi}");
    }

    /// Browsers draw again what was drawn here: the same numbers stand in `client/src/core/play/replay/verify.test.ts`.
    #[test]
    fn browsers_draw_the_same() {
        let mut chance = Chance::new([7; 32], 0);
        assert_eq!(chance.permutation(10), [0, 2, 6, 8, 4, 5, 7, 9, 1, 3]);
        assert_eq!([6, 6, 6, 360, 1 << 40].map(|bound| chance.below(bound)), [2, 1, 4, 358, 211_864_326_874]);
        assert_eq!(chance.counter(), 14);
    }

    #[test]
    fn numbers_below_three_quarters_of_the_words_are_even() {
        let bound = 3 << 62;
        let mut chance = Chance::new([9; 32], 0);
        let low = (0..4_000).filter(|_| chance.below(bound) < bound / 3).count();
        // Without rejection half of them would be in the lowest third.
        assert!((1_150..1_520).contains(&low), "{low}");
    }

    proptest! {
        #[test]
        fn a_source_continues_from_its_counter(seed in any::<[u8; 32]>(), skip in 0_u64..40, bound in 1_u64..) {
            let mut whole = Chance::new(seed, 0);
            for _ in 0..skip {
                whole.below(bound);
            }
            let mut tail = Chance::new(seed, whole.counter());
            prop_assert_eq!(whole.permutation(20), tail.permutation(20));
        }

        #[test]
        fn a_seal_changes_with_every_byte(mut log in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 1..6), at in any::<prop::sample::Index>(), bit in 0_u8..8) {
            let seal = |log: &[Vec<u8>]| {
                let mut seal = Seal::new(&[1; 32]);
                log.iter().for_each(|entry| seal.add(entry));
                seal.value()
            };
            let before = seal(&log);
            let entry = at.index(log.len());
            let byte = at.index(log[entry].len());
            log[entry][byte] ^= 1 << bit;
            prop_assert_ne!(before, seal(&log));
        }
    }
}
