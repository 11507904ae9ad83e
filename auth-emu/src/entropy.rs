//! Randomness as an argument, so that codes and ids can be predicted in tests and nowhere else.

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

/// Letters and digits, the alphabet of account and tenant ids.
const ALPHANUMERIC: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Lower case and digits without 0, o, 1, l and i.
const LEGIBLE: &[u8; 31] = b"23456789abcdefghjkmnpqrstuvwxyz";

/// Source of secrets, codes and ids.
pub trait Entropy: Send + Sync + fmt::Debug + 'static {
    /// Fills `buffer` with bytes that nobody can guess.
    fn fill(&self, buffer: &mut [u8]);
}

/// The handle that is passed around.
pub type SharedEntropy = Arc<dyn Entropy>;

/// The cryptographic generator that the operating system seeds.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        rand::rng().fill_bytes(buffer);
    }
}

/// A repeatable generator for tests: the same seed gives the same codes.
#[derive(Debug)]
pub struct SeededEntropy(Mutex<StdRng>);

impl SeededEntropy {
    /// A generator that starts at `seed`.
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(StdRng::seed_from_u64(seed)))
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        self.0.lock().fill_bytes(buffer);
    }
}

/// An id of `length` letters and digits.
pub(crate) fn alphanumeric(entropy: &dyn Entropy, length: usize) -> String {
    picked(entropy, ALPHANUMERIC, length)
}

/// A code of `length` decimal digits, leading zeros included.
pub(crate) fn digits(entropy: &dyn Entropy, length: usize) -> String {
    picked(entropy, b"0123456789", length)
}

/// A code of `length` characters for people to write down and type: without those that look alike.
pub fn legible(entropy: &dyn Entropy, length: usize) -> String {
    picked(entropy, LEGIBLE, length)
}

/// An id of `bytes` random bytes in hexadecimal digits.
pub fn hex(entropy: &dyn Entropy, bytes: usize) -> String {
    let mut random = vec![0; bytes];
    entropy.fill(&mut random);
    random.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A secret of `bytes` random bytes in URL-safe base64.
pub(crate) fn secret(entropy: &dyn Entropy, bytes: usize) -> String {
    let mut buffer = vec![0; bytes];
    entropy.fill(&mut buffer);
    URL_SAFE_NO_PAD.encode(buffer)
}

/// `length` characters of `alphabet`, each equally likely: bytes beyond the largest multiple are thrown away.
fn picked(entropy: &dyn Entropy, alphabet: &[u8], length: usize) -> String {
    let fair = 256 - 256 % alphabet.len();
    let mut text = String::with_capacity(length);
    let mut buffer = [0_u8; 32];
    while text.len() < length {
        entropy.fill(&mut buffer);
        for byte in buffer.iter().map(|&byte| usize::from(byte)).filter(|&byte| byte < fair) {
            if text.len() == length {
                break;
            }
            text.push(char::from(alphabet[byte % alphabet.len()]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_the_asked_length_and_alphabet() {
        let entropy = SeededEntropy::new(7);
        for length in [0, 1, 6, 28, 100] {
            let id = alphanumeric(&entropy, length);
            assert_eq!(id.len(), length);
            assert!(id.bytes().all(|byte| byte.is_ascii_alphanumeric()));
            assert!(digits(&entropy, length).bytes().all(|byte| byte.is_ascii_digit()));
        }
    }

    #[test]
    fn the_system_generator_does_not_repeat_itself() {
        assert_ne!(secret(&SystemEntropy, 32), secret(&SystemEntropy, 32));
    }
}
