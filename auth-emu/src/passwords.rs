//! Password hashes: argon2id in serving mode, a cheap hash marked as such in emulator mode.
//!
//! Hashing is slow on purpose, so it runs on a few threads of its own: at most [`Passwords::MAX_RUNNING`] at a time,
//! with at most [`Passwords::MAX_WAITING`] queued, and nothing else in the server waits for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use argon2::password_hash::phc::{PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::access::Mode;
use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;

use crate::entropy::{self, SharedEntropy};
use crate::error::{ApiError, Result};

mod imported;

pub(crate) use imported::HashOptions;

/// Prefix of a hash that is cheap on purpose and protects nothing: emulator mode only.
const CHEAP_PREFIX: &str = "emulatorHash:sha256:";
/// Prefix of a hash that holds the password itself, as exports of other emulators do.
const PLAIN_PREFIX: &str = "fakeHash:salt=";
/// The shortest password.
pub(crate) const MIN_LENGTH: usize = 6;
/// The longest password, in bytes: hashing longer ones could be used to keep the server busy.
pub(crate) const MAX_LENGTH: usize = 4_096;
/// Passwords found in fewer guesses than this are refused: strangers get about one guess a minute at an account (see
/// [`crate::limits`]), so this is a week of guessing.
const MIN_GUESSES: u64 = 10_000;
/// Characters of a password examined for strength: longer ones are not guessed, and examining takes time.
const MAX_LOOKED_AT: usize = 72;
/// Memory for one argon2id hash, in KiB (OWASP's first recommendation: 19 MiB, two passes, one lane).
const ARGON2_KIB: u32 = 19 * 1_024;
/// Passes over that memory.
const ARGON2_PASSES: u32 = 2;

/// Makes and checks password hashes.
#[derive(Debug)]
pub(crate) struct Passwords {
    mode: Mode,
    entropy: SharedEntropy,
    running: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// A random hash, checked if there is no account, so that the reply takes as long.
    decoy: tokio::sync::OnceCell<String>,
}

impl Passwords {
    /// Hashes computed at a time.
    pub(crate) const MAX_RUNNING: usize = 2;
    /// Hashes that may wait; at about 20 ms each that is seconds, and a longer queue helps nobody.
    pub(crate) const MAX_WAITING: usize = 256;

    pub(crate) fn new(mode: Mode, entropy: SharedEntropy) -> Self {
        Self {
            mode,
            entropy,
            running: Arc::new(Semaphore::new(Self::MAX_RUNNING)),
            waiting: AtomicUsize::new(0),
            decoy: tokio::sync::OnceCell::new(),
        }
    }

    /// Hashes a new password. `known` holds facts about the person that it must not contain: address and name.
    ///
    /// # Errors
    /// `WEAK_PASSWORD : …` if it is short or, in serving mode, among the first an attacker tries;
    /// `PASSWORD_DOES_NOT_MEET_REQUIREMENTS : …` if it is too long; too many hashes under way.
    pub(crate) async fn hash(&self, password: &str, known: &[&str]) -> Result<String> {
        check_length(password)?;
        if self.mode == Mode::Serving {
            let chosen = password.to_owned();
            let known: Vec<String> = known.iter().map(|&text| text.to_owned()).collect();
            self.run(move || check_guesses(&chosen, &known)).await?;
        }
        self.hash_as_is(password).await
    }

    /// Hashes a password that is in use already.
    ///
    /// # Errors
    /// As [`Passwords::hash`], but for weak ones.
    pub(crate) async fn hash_as_is(&self, password: &str) -> Result<String> {
        check_length(password)?;
        if self.mode == Mode::Emulator {
            return Ok(cheap(&entropy::alphanumeric(&*self.entropy, 16), password));
        }
        let mut salt = [0; 16];
        self.entropy.fill(&mut salt);
        let password = password.to_owned();
        self.run(move || {
            let salt = Salt::new(&salt).map_err(ApiError::internal)?;
            let hash: PasswordHash = argon2id()?
                .hash_password_with_salt(password.as_bytes(), salt.as_ref())
                .map_err(|error| ApiError::internal(error.to_string()))?;
            Ok(hash.to_string())
        })
        .await
    }

    /// True if `hash` was made from `password`. `None` takes as long and never matches.
    pub(crate) async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        if password.len() > MAX_LENGTH {
            return Ok(false);
        }
        if self.mode == Mode::Emulator {
            return Ok(hash.is_some_and(|hash| verify_cheap(password, hash)));
        }
        let (hash, real) = match hash {
            Some(hash) => (hash.to_owned(), true),
            None => (self.decoy.get_or_try_init(|| self.hash_as_is("no such account")).await?.clone(), false),
        };
        let password = password.to_owned();
        let right = self
            .run(move || {
                let hash = PasswordHash::new(&hash).map_err(|error| ApiError::internal(error.to_string()))?;
                Ok(argon2id()?.verify_password(password.as_bytes(), &hash).is_ok())
            })
            .await?;
        Ok(right && real)
    }

    /// True if the imported hash was made from `password`.
    pub(crate) async fn verify_imported(
        &self,
        password: &str,
        hash: &str,
        salt: &str,
        options: &HashOptions,
    ) -> Result<bool> {
        if password.len() > MAX_LENGTH {
            return Ok(false);
        }
        let (password, hash, salt) = (password.to_owned(), hash.to_owned(), salt.to_owned());
        let options = options.clone();
        self.run(move || Ok(options.verify(&password, &hash, &salt))).await
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        struct Waiting<'a>(&'a AtomicUsize);
        impl Drop for Waiting<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::SeqCst);
            }
        }
        if self.waiting.fetch_add(1, Ordering::SeqCst) >= Self::MAX_RUNNING + Self::MAX_WAITING {
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            return Err(ApiError::too_many(
                "The server is busy checking passwords. Try again in a few seconds.",
            ));
        }
        let _waiting = Waiting(&self.waiting);
        let permit = Arc::clone(&self.running).acquire_owned().await.map_err(ApiError::internal)?;
        let run = move || {
            let _permit = permit;
            work()
        };
        tokio::task::spawn_blocking(run).await.map_err(ApiError::internal)?
    }
}

/// Refuses passwords that an attacker finds in few guesses: common ones, and facts about the person.
fn check_guesses(password: &str, known: &[String]) -> Result<()> {
    let parts = known.iter().flat_map(|text| text.split(['@', ' '])).filter(|part| part.len() > 2);
    let known: Vec<&str> = known.iter().map(String::as_str).chain(parts).collect();
    let looked_at: String = password.chars().take(MAX_LOOKED_AT).collect();
    if zxcvbn::zxcvbn(&looked_at, &known).guesses() < MIN_GUESSES {
        return Err(ApiError::bad(
            "WEAK_PASSWORD : This password is among the first that somebody would guess. Choose a longer or less common one.",
        ));
    }
    Ok(())
}

/// Refuses passwords that are too short or too long.
pub(crate) fn check_length(password: &str) -> Result<()> {
    if password.chars().count() < MIN_LENGTH {
        return Err(ApiError::bad("WEAK_PASSWORD : Password should be at least 6 characters"));
    }
    if password.len() > MAX_LENGTH {
        let message = "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Password must contain at most 4096 characters";
        return Err(ApiError::bad(message));
    }
    Ok(())
}

fn argon2id() -> Result<Argon2<'static>> {
    let params = Params::new(ARGON2_KIB, ARGON2_PASSES, 1, None)
        .map_err(|error| ApiError::internal(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// The salt that a hash of this server's own, or a hash that holds the password itself, carries.
pub(crate) fn salt_of(hash: &str) -> Option<&str> {
    if hash.starts_with("$argon2") {
        return hash.rsplit('$').nth(1);
    }
    let cheap = hash.strip_prefix(CHEAP_PREFIX).and_then(|rest| rest.split_once(':'));
    let plain = || hash.strip_prefix(PLAIN_PREFIX).and_then(|rest| rest.split_once(":password="));
    cheap.or_else(plain).map(|(salt, _)| salt)
}

fn cheap(salt: &str, password: &str) -> String {
    let hash = Sha256::new().chain_update(salt).chain_update(":").chain_update(password).finalize();
    format!("{CHEAP_PREFIX}{salt}:{}", URL_SAFE_NO_PAD.encode(hash))
}

fn verify_cheap(password: &str, hash: &str) -> bool {
    if let Some(rest) = hash.strip_prefix(CHEAP_PREFIX) {
        return rest.split_once(':').is_some_and(|(salt, _)| cheap(salt, password) == hash);
    }
    let plain = hash.strip_prefix(PLAIN_PREFIX).and_then(|rest| rest.split_once(":password="));
    plain.is_some_and(|(_, plain)| plain == password)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SystemEntropy;

    fn passwords(mode: Mode) -> Passwords {
        Passwords::new(mode, Arc::new(SystemEntropy))
    }

    #[tokio::test]
    async fn a_hash_fits_its_password_and_no_other() {
        for mode in [Mode::Serving, Mode::Emulator] {
            let passwords = passwords(mode);
            let hash = passwords.hash("correct horse", &[]).await.unwrap();
            assert!(!hash.contains("correct horse"));
            assert!(salt_of(&hash).is_some_and(|salt| salt.len() >= 16 && hash.contains(salt)), "{hash}");
            assert!(passwords.verify("correct horse", Some(&hash)).await.unwrap());
            assert!(!passwords.verify("correct hors", Some(&hash)).await.unwrap());
            assert!(!passwords.verify("no such account", None).await.unwrap());
            assert_ne!(hash, passwords.hash("correct horse", &[]).await.unwrap(), "salted");
        }
    }

    #[tokio::test]
    async fn serving_mode_uses_argon2id_and_takes_no_cheap_hash() {
        let serving = passwords(Mode::Serving);
        let hash = serving.hash("correct horse", &[]).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        let cheap = passwords(Mode::Emulator).hash("correct horse", &[]).await.unwrap();
        assert!(serving.verify("correct horse", Some(&cheap)).await.is_err());
    }

    #[tokio::test]
    async fn emulator_mode_takes_what_other_emulators_export() {
        let hash = "fakeHash:salt=fakeSaltAbc:password=a:password=b";
        assert!(passwords(Mode::Emulator).verify("a:password=b", Some(hash)).await.unwrap());
        assert!(!passwords(Mode::Emulator).verify("a", Some(hash)).await.unwrap());
    }

    #[tokio::test]
    async fn what_attackers_try_first_is_refused_where_people_are_served() {
        let known = ["ada.verne@example.com", "Ada Verne"];
        for weak in
            ["123456", "password", "qwerty123", "ada.verne@example.com", "Ada.Verne", "iloveyou", "aaaaaaaa"]
        {
            assert_eq!(
                passwords(Mode::Serving).hash(weak, &known).await.unwrap_err().code(),
                "WEAK_PASSWORD",
                "{weak}"
            );
            passwords(Mode::Emulator).hash(weak, &known).await.unwrap();
        }
        let serving = passwords(Mode::Serving);
        for fine in ["correct horse", "secret1 and more", "Tr0ub4dor&3", &"x9!k".repeat(1_000)] {
            serving.hash(fine, &known).await.unwrap();
        }
    }

    #[test]
    fn length_is_counted_in_characters_and_bounded() {
        assert_eq!(check_length("12345").unwrap_err().code(), "WEAK_PASSWORD");
        check_length("пароль").unwrap();
        check_length(&"x".repeat(MAX_LENGTH)).unwrap();
        let error = check_length(&"x".repeat(MAX_LENGTH + 1)).unwrap_err();
        assert_eq!(error.code(), "PASSWORD_DOES_NOT_MEET_REQUIREMENTS");
    }
}
