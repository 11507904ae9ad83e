//! Codes of authenticator apps (RFC 6238: SHA-1, six digits, thirty seconds).

use docstore::model::Ts;
use totp_rs::{Algorithm, Builder, Secret, Totp};

use crate::encoding::time::seconds;
use crate::entropy::Entropy;
use crate::error::{ApiError, Result};

/// The length of a code.
pub(crate) const DIGITS: u8 = 6;
/// Lifetime of a code, in seconds.
pub(crate) const PERIOD_SECONDS: u64 = 30;
/// The length of a shared secret, in bytes: that of a SHA-1 sum, as RFC 4226 recommends.
const SECRET_BYTES: usize = 20;
/// Periods the app's clock may be off, either way.
const SKEW: u16 = 1;

/// A new shared secret, in base32.
pub(crate) fn new_secret(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; SECRET_BYTES];
    entropy.fill(&mut bytes);
    Secret::new_stack(bytes).to_base32()
}

/// The period `code` belongs to, if it is valid now.
pub(crate) fn check(secret: &str, code: &str, now: Ts) -> Result<Option<u64>> {
    Ok(totp(secret)?.check(code, seconds(now)))
}

fn totp(secret: &str) -> Result<Totp> {
    let secret = Secret::try_from_base32(secret).map_err(|error| ApiError::internal(error.to_string()))?;
    let builder = Builder::new()
        .with_algorithm(Algorithm::SHA1)
        .with_digits(DIGITS)
        .with_skew(SKEW)
        .with_step_duration(PERIOD_SECONDS)
        .with_secret(secret);
    builder.build().map_err(|error| ApiError::internal(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;

    fn at(seconds: u64) -> Ts {
        Ts::from_micros(seconds * 1_000_000)
    }

    /// RFC 6238, appendix B: the last six digits of its eight.
    #[test]
    fn the_standard_s_own_examples() {
        let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        for (time, code) in [(59, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924")] {
            assert_eq!(check(secret, code, at(time)).unwrap(), Some(time / PERIOD_SECONDS), "{time}");
            assert_eq!(check(secret, code, at(time + 90)).unwrap(), None);
            assert_eq!(check(secret, "000000", at(time)).unwrap(), None);
        }
    }

    #[test]
    fn a_clock_may_be_one_period_off() {
        let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        assert_eq!(check(secret, "287082", at(59 + 30)).unwrap(), Some(1));
        assert_eq!(check(secret, "287082", at(29)).unwrap(), Some(1));
    }

    #[test]
    fn secrets_are_long_enough() {
        assert_eq!(new_secret(&SeededEntropy::new(1)).len(), 32);
    }
}
