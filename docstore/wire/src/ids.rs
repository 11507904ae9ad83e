//! Random names: sessions, streams, documents.

use std::sync::Arc;

use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

/// The letters of names.
const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Length of a generated document id.
const DOCUMENT_ID_LENGTH: usize = 20;

/// Length of a secret id: 190 bits, beyond guessing.
const SECRET_LENGTH: usize = 32;

/// Source of random ids.
#[derive(Debug, Clone)]
pub struct Ids(Arc<Mutex<StdRng>>);

impl Ids {
    /// Names nobody can guess, from the operating system's randomness.
    pub fn from_system() -> Self {
        Self(Arc::new(Mutex::new(StdRng::from_rng(&mut rand::rng()))))
    }

    /// The same names on every run; for tests.
    pub fn seeded(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// A name for a document that was created without one.
    pub(super) fn document(&self) -> String {
        self.letters(DOCUMENT_ID_LENGTH)
    }

    /// A name that serves as a key to what it names.
    pub(super) fn secret(&self) -> String {
        self.letters(SECRET_LENGTH)
    }

    fn letters(&self, count: usize) -> String {
        let mut random = self.0.lock();
        (0..count).map(|_| char::from(LETTERS[random.random_range(0..LETTERS.len())])).collect()
    }
}
