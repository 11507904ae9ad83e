//! Hashes that other systems made, as `accounts:batchCreate` takes them: the algorithms, their parameters and bounds.

use aes::Aes256;
use aes::cipher::{KeyIvInit as _, StreamCipher as _};
use argon2::{Algorithm as Argon2Kind, Argon2, Params as Argon2Params, Version};
use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hmac::{Hmac, KeyInit, Mac};
use md5::Md5;
use serde::{Deserialize, Serialize};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use crate::encoding::lenient::Text;
use crate::error::{ApiError, Result};

/// The most repetitions of a plain digest.
const MAX_DIGEST_ROUNDS: u32 = 8_192;
/// The most repetitions of PBKDF2.
const MAX_PBKDF_ROUNDS: u32 = 120_000;
/// The largest memory exponent and the most rounds of `SCRYPT`.
const MAX_SCRYPT: (u32, u32) = (14, 8);
/// Memory one check may take, in bytes: every sign-in pays for the parameters of an import.
const MAX_MEMORY: u64 = 64 << 20;
/// The most lanes of one hash, which run one after the other.
const MAX_LANES: u32 = 16;
/// The most passes of argon2 over its memory.
const MAX_PASSES: u32 = 16;
/// The most rounds of bcrypt, as the power of two.
const MAX_BCRYPT_COST: u32 = 14;
/// The longest derived key, in bytes.
const MAX_KEY: u32 = 1_024;
/// The longest signer key or salt separator, in characters of base64.
const MAX_ENCODED: usize = 1_024;

/// Base64 as clients send it: either alphabet, padded or not.
const STANDARD: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Algorithm and parameters of imported hashes, under their wire names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct HashOptions {
    #[serde(skip_serializing_if = "Option::is_none")]
    hash_algorithm: Option<Text>,
    /// The key of an HMAC or of `SCRYPT`, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    signer_key: Option<Text>,
    /// Separator between salt and password, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    salt_separator: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<u32>,
    /// `SCRYPT`: the power of two of its memory cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_cost: Option<u32>,
    /// `STANDARD_SCRYPT`: its memory cost, a power of two.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_mem_cost: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallelization: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block_size: Option<u32>,
    /// `STANDARD_SCRYPT`: how many bytes it derives.
    #[serde(skip_serializing_if = "Option::is_none")]
    dk_len: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    password_hash_order: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    argon2_parameters: Option<Argon2Options>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Argon2Options {
    hash_length_bytes: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash_type: Option<Text>,
    parallelism: u32,
    iterations: u32,
    memory_cost_kib: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    associated_data: Option<Text>,
}

impl HashOptions {
    /// Hash options of a request; `None` if it names no algorithm.
    ///
    /// # Errors
    /// `INVALID_HASH_ALGORITHM`, `INVALID_HASH_PARAMETER : …` with the parameter and its bounds.
    pub(crate) fn checked(&self) -> Result<Option<&Self>> {
        let Some(name) = self.hash_algorithm.as_deref().filter(|name| !name.is_empty()) else {
            return Ok(None);
        };
        for (member, text) in [("signerKey", &self.signer_key), ("saltSeparator", &self.salt_separator)] {
            let text = text.as_deref().unwrap_or_default();
            ensure_parameter(
                text.len() <= MAX_ENCODED && decode(text).is_some(),
                &format!("{member} must be base64, of at most {MAX_ENCODED} characters"),
            )?;
        }
        let rounds = |range: std::ops::RangeInclusive<u32>| {
            let (least, most) = (range.start(), range.end());
            let message = format!("rounds must be from {least} to {most} for {name}");
            ensure_parameter(range.contains(&self.rounds.unwrap_or(0)), &message)
        };
        match name {
            "HMAC_SHA512" | "HMAC_SHA256" | "HMAC_SHA1" | "HMAC_MD5" => {
                let keyed = self.signer_key.as_deref().is_some_and(|key| !key.is_empty());
                ensure_parameter(keyed, "signerKey is missing")?;
            }
            "MD5" => rounds(0..=MAX_DIGEST_ROUNDS)?,
            "SHA1" | "SHA256" | "SHA512" => rounds(1..=MAX_DIGEST_ROUNDS)?,
            "PBKDF_SHA1" | "PBKDF2_SHA256" => rounds(0..=MAX_PBKDF_ROUNDS)?,
            "SCRYPT" => {
                rounds(1..=MAX_SCRYPT.1)?;
                let cost = self.memory_cost.unwrap_or(0);
                let message = format!("memoryCost must be from 1 to {}", MAX_SCRYPT.0);
                ensure_parameter((1..=MAX_SCRYPT.0).contains(&cost), &message)?;
            }
            "STANDARD_SCRYPT" => self.check_standard_scrypt()?,
            "ARGON2" => {
                self.argon2()?;
            }
            "BCRYPT" => {}
            _ => {
                return Err(ApiError::bad(
                    "INVALID_HASH_ALGORITHM : One of HMAC_SHA512, HMAC_SHA256, HMAC_SHA1, HMAC_MD5, MD5, SHA1, \
                     SHA256, SHA512, PBKDF_SHA1, PBKDF2_SHA256, SCRYPT, STANDARD_SCRYPT, BCRYPT, ARGON2",
                ));
            }
        }
        Ok(Some(self))
    }

    fn check_standard_scrypt(&self) -> Result<()> {
        let cost = self.cpu_mem_cost.unwrap_or(0);
        ensure_parameter(cost > 1 && cost.is_power_of_two(), "cpuMemCost must be a power of two")?;
        let block = self.block_size.unwrap_or(0);
        let memory = 128 * u64::from(cost) * u64::from(block);
        let message = format!("cpuMemCost x blockSize x 128 must be from 1 to {MAX_MEMORY} bytes");
        ensure_parameter((1..=MAX_MEMORY).contains(&memory), &message)?;
        let lanes = self.parallelization.unwrap_or(0);
        let message = format!("parallelization must be from 1 to {MAX_LANES}");
        ensure_parameter((1..=MAX_LANES).contains(&lanes), &message)?;
        let message = format!("dkLen must be from 1 to {MAX_KEY}");
        ensure_parameter((1..=MAX_KEY).contains(&self.dk_len.unwrap_or(0)), &message)
    }

    fn argon2(&self) -> Result<Argon2<'static>> {
        let options = self.argon2_parameters.clone().unwrap_or_default();
        let kind = match options.hash_type.as_deref().unwrap_or_default() {
            "ARGON2_D" => Argon2Kind::Argon2d,
            "ARGON2_I" => Argon2Kind::Argon2i,
            "ARGON2_ID" => Argon2Kind::Argon2id,
            _ => return Err(parameter("argon2Parameters.hashType must be ARGON2_D, ARGON2_I or ARGON2_ID")),
        };
        let version = match options.version.as_deref().unwrap_or("VERSION_13") {
            "VERSION_10" => Version::V0x10,
            "VERSION_13" | "VERSION_UNSPECIFIED" => Version::V0x13,
            _ => return Err(parameter("argon2Parameters.version must be VERSION_10 or VERSION_13")),
        };
        let memory = u64::from(options.memory_cost_kib) << 10;
        let bounded = memory <= MAX_MEMORY
            && options.iterations <= MAX_PASSES
            && options.parallelism <= MAX_LANES
            && options.hash_length_bytes <= MAX_KEY;
        ensure_parameter(bounded, "argon2Parameters ask for more than one sign-in may cost")?;
        let plain = options.associated_data.as_deref().is_none_or(str::is_empty);
        ensure_parameter(plain, "argon2Parameters.associatedData cannot be used")?;
        let length = usize::try_from(options.hash_length_bytes).ok();
        let params =
            Argon2Params::new(options.memory_cost_kib, options.iterations, options.parallelism, length)
                .map_err(|error| parameter(&format!("argon2Parameters: {error}")))?;
        Ok(Argon2::new(kind, version, params))
    }

    /// True if `hash` was made from `password` with `salt`; both as they were imported, in base64. Takes as long as its
    /// parameters demand.
    pub(crate) fn verify(&self, password: &str, hash: &str, salt: &str) -> bool {
        let (Some(hash), Some(salt)) = (decode(hash), decode(salt)) else { return false };
        self.matches(password.as_bytes(), &hash, &salt).unwrap_or(false)
    }

    fn matches(&self, password: &[u8], hash: &[u8], salt: &[u8]) -> Option<bool> {
        let member = |text: &Option<Text>| decode(text.as_deref().unwrap_or_default());
        let key = member(&self.signer_key)?;
        let rounds = self.rounds.unwrap_or(0).max(1);
        let order = self.password_hash_order.as_deref().unwrap_or_default();
        let joined = |salt_first: bool| {
            let salt_first = match order {
                "SALT_AND_PASSWORD" => true,
                "PASSWORD_AND_SALT" => false,
                _ => salt_first,
            };
            if salt_first { [salt, password].concat() } else { [password, salt].concat() }
        };
        let made = match self.hash_algorithm.as_deref()? {
            "HMAC_SHA512" => keyed::<Hmac<Sha512>>(&key, &joined(false))?,
            "HMAC_SHA256" => keyed::<Hmac<Sha256>>(&key, &joined(false))?,
            "HMAC_SHA1" => keyed::<Hmac<Sha1>>(&key, &joined(false))?,
            "HMAC_MD5" => keyed::<Hmac<Md5>>(&key, &joined(false))?,
            "MD5" => repeated::<Md5>(&joined(true), rounds),
            "SHA1" => repeated::<Sha1>(&joined(true), rounds),
            "SHA256" => repeated::<Sha256>(&joined(true), rounds),
            "SHA512" => repeated::<Sha512>(&joined(true), rounds),
            "PBKDF_SHA1" => derived(hash, |out| pbkdf2::pbkdf2_hmac::<Sha1>(password, salt, rounds, out))?,
            "PBKDF2_SHA256" => {
                derived(hash, |out| pbkdf2::pbkdf2_hmac::<Sha256>(password, salt, rounds, out))?
            }
            "SCRYPT" => {
                let salt = [salt, &member(&self.salt_separator)?].concat();
                let mut derived = [0; 64];
                let cost = u8::try_from(self.memory_cost?).ok()?;
                let params = scrypt::Params::new(cost, rounds, 1).ok()?;
                scrypt::scrypt(password, &salt, &params, &mut derived).ok()?;
                let mut made = key;
                ctr::Ctr128BE::<Aes256>::new_from_slices(derived.get(..32)?, &[0; 16])
                    .ok()?
                    .apply_keystream(&mut made);
                made
            }
            "STANDARD_SCRYPT" => {
                let cost = u8::try_from(self.cpu_mem_cost?.trailing_zeros()).ok()?;
                let params = scrypt::Params::new(cost, self.block_size?, self.parallelization?).ok()?;
                let mut made = vec![0; usize::try_from(self.dk_len?).ok()?];
                scrypt::scrypt(password, salt, &params, &mut made).ok()?;
                made
            }
            "BCRYPT" => return bcrypt_matches(password, hash),
            "ARGON2" => return self.argon2_matches(password, hash, salt),
            _ => return None,
        };
        // Digests are also imported as the hexadecimal text of their bytes.
        let hex: String = made.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(same(&made, hash) | same(hex.as_bytes(), &hash.to_ascii_lowercase()))
    }

    fn argon2_matches(&self, password: &[u8], hash: &[u8], salt: &[u8]) -> Option<bool> {
        let argon2 = self.argon2().ok()?;
        let mut made = vec![0; argon2.params().output_len()?];
        argon2.hash_password_into(password, salt, &mut made).ok()?;
        Some(same(&made, hash))
    }
}

fn bcrypt_matches(password: &[u8], hash: &[u8]) -> Option<bool> {
    let hash = std::str::from_utf8(hash).ok()?;
    let cost = hash.split('$').nth(2)?.parse::<u32>().ok()?;
    (cost <= MAX_BCRYPT_COST).then(|| bcrypt::verify(password, hash).unwrap_or(false))
}

fn keyed<M: Mac + KeyInit>(key: &[u8], message: &[u8]) -> Option<Vec<u8>> {
    let mac = <M as KeyInit>::new_from_slice(key).ok()?;
    Some(mac.chain_update(message).finalize().into_bytes().to_vec())
}

fn repeated<D: Digest>(message: &[u8], rounds: u32) -> Vec<u8> {
    let first = D::digest(message).to_vec();
    (1..rounds).fold(first, |bytes, _| D::digest(&bytes).to_vec())
}

/// Derives as many bytes as the given hash has, if that is a sensible number.
fn derived(hash: &[u8], derive: impl FnOnce(&mut [u8])) -> Option<Vec<u8>> {
    let length = u32::try_from(hash.len()).ok().filter(|length| (16..=MAX_KEY).contains(length))?;
    let mut made = vec![0; usize::try_from(length).ok()?];
    derive(&mut made);
    Some(made)
}

/// Constant-time comparison.
fn same(one: &[u8], other: &[u8]) -> bool {
    !one.is_empty()
        && one.len() == other.len()
        && one.iter().zip(other).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

fn decode(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text.replace('-', "+").replace('_', "/")).ok()
}

fn parameter(message: &str) -> ApiError {
    ApiError::bad(format!("INVALID_HASH_PARAMETER : {message}"))
}

fn ensure_parameter(holds: bool, message: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(parameter(message)) }
}

#[cfg(test)]
mod tests;
