//! Keys that sign tokens: storage, rotation and publication.
//!
//! The newest key signs. Older ones verify until nothing they signed can still be valid.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::clock::SharedClock;
use docstore::model::Ts;
use docstore::{Error, Result};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use parking_lot::{Mutex, RwLock};
use rsa::pkcs1::EncodeRsaPrivateKey as _;
use rsa::pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _, LineEnding};
use rsa::traits::PublicKeyParts as _;
use rsa::{RsaPrivateKey, RsaPublicKey};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{Claims, TokenFault};
use crate::error::ApiError;

/// The size of a signing key, in bits.
const KEY_BITS: usize = 2_048;
/// A key signs for this long; then a new one takes over.
pub(crate) const ROTATE_AFTER: Duration = Duration::from_secs(30 * 24 * 3_600);
/// A key that signs no more still verifies for this long: the longest session cookie and a day.
pub(crate) const RETIRE_AFTER: Duration = Duration::from_secs(15 * 24 * 3_600);
/// Key files read; more means that something else writes into the folder.
const MAX_KEYS: usize = 64;

/// Storage of signing keys.
#[derive(Debug, Clone)]
pub enum KeySource {
    /// A folder of PEM files (PKCS#8), readable only by the server's own user.
    Dir(PathBuf),
    /// Made at start and gone with the process: for tests and in-memory servers.
    InMemory,
}

struct SigningKey {
    id: String,
    created: Ts,
    encoding: EncodingKey,
    decoding: DecodingKey,
    jwk: Value,
    file: Option<PathBuf>,
}

/// The signing keys of one server.
pub(crate) struct Keyring {
    keys: RwLock<Vec<Arc<SigningKey>>>,
    source: KeySource,
    clock: SharedClock,
    rotating: Mutex<()>,
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyring").field("source", &self.source).finish_non_exhaustive()
    }
}

impl Keyring {
    /// Reads the keys, and makes one if there is none or a new one is due. Blocks: reads files and may search for
    /// primes.
    ///
    /// # Errors
    /// A folder that cannot be read or written, a file that is not an RSA key, or one that others may read.
    pub(crate) fn open(source: KeySource, clock: SharedClock) -> Result<Self> {
        let keys = match &source {
            KeySource::Dir(dir) => read_keys(dir)?,
            KeySource::InMemory => Vec::new(),
        };
        let keyring = Self { keys: RwLock::new(keys), source, clock, rotating: Mutex::new(()) };
        keyring.rotate_if_due()?;
        Ok(keyring)
    }

    /// A ring without keys: it signs nothing and verifies nothing.
    pub(crate) fn empty(clock: SharedClock) -> Self {
        Self { keys: RwLock::default(), source: KeySource::InMemory, clock, rotating: Mutex::new(()) }
    }

    /// Makes a new signing key if the newest is old enough, and drops keys whose tokens have all expired. Blocks.
    ///
    /// # Errors
    /// As [`Keyring::open`].
    pub(crate) fn rotate_if_due(&self) -> Result<()> {
        let _one_at_a_time = self.rotating.lock();
        let now = self.clock.now();
        if self.newest().is_none_or(|key| age(now, key.created) >= ROTATE_AFTER) {
            let key = Arc::new(create_key(&self.source, now)?);
            self.keys.write().push(key);
        }
        let mut keys = self.keys.write();
        let newest = keys.last().map(|key| key.created);
        keys.retain(|key| {
            let dead = Some(key.created) != newest && age(now, key.created) >= ROTATE_AFTER + RETIRE_AFTER;
            if dead && let Some(Err(error)) = key.file.as_ref().map(std::fs::remove_file) {
                tracing::warn!(key = %key.id, %error, "a retired signing key could not be deleted");
            }
            !dead
        });
        Ok(())
    }

    /// True if a new signing key is due and nobody is making one.
    pub(super) fn is_due(&self, now: Ts) -> bool {
        self.newest().is_none_or(|key| age(now, key.created) >= ROTATE_AFTER)
            && self.rotating.try_lock().is_some()
    }

    /// Signs claims with the newest key, off the asynchronous threads.
    pub(super) async fn sign(&self, claims: Claims) -> Result<String, ApiError> {
        let key = self.newest().ok_or_else(|| ApiError::internal("the key ring is empty"))?;
        let sign = move || {
            let mut header = Header::new(Algorithm::RS256);
            header.kid = Some(key.id.clone());
            jsonwebtoken::encode(&header, &claims, &key.encoding)
        };
        let signed = tokio::task::spawn_blocking(sign).await.map_err(ApiError::internal)?;
        signed.map_err(ApiError::internal)
    }

    /// The claims of a token that one of the keys signed. Times, issuer and audience are the caller's to check.
    pub(super) fn verify(&self, token: &str) -> Result<Claims, TokenFault> {
        let (header, _) = super::decode_unverified(token).ok_or(TokenFault::Malformed)?;
        let algorithm = header.get("alg").and_then(Value::as_str).unwrap_or("missing");
        if algorithm != "RS256" {
            return Err(TokenFault::Algorithm(algorithm.chars().take(16).collect()));
        }
        let id = header.get("kid").and_then(Value::as_str).ok_or(TokenFault::UnknownKey)?;
        let keys = self.keys.read();
        let key = keys.iter().find(|key| key.id == id).cloned().ok_or(TokenFault::UnknownKey)?;
        drop(keys);
        let mut validation = Validation::new(Algorithm::RS256);
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        validation.validate_aud = false;
        let token = jsonwebtoken::decode::<Claims>(token, &key.decoding, &validation);
        token.map(|token| token.claims).map_err(|_| TokenFault::Signature)
    }

    /// The public keys as a JSON Web Key set.
    pub(crate) fn jwks(&self) -> Value {
        let keys = self.keys.read();
        json!({ "keys": keys.iter().map(|key| key.jwk.clone()).collect::<Vec<_>>() })
    }

    fn newest(&self) -> Option<Arc<SigningKey>> {
        self.keys.read().last().cloned()
    }
}

fn age(now: Ts, created: Ts) -> Duration {
    Duration::from_micros(now.micros().saturating_sub(created.micros()))
}

fn create_key(source: &KeySource, now: Ts) -> Result<SigningKey> {
    let private = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, KEY_BITS)
        .map_err(|error| Error::internal("KeyGeneration", "no signing key could be made", error))?;
    let file = match source {
        KeySource::InMemory => None,
        KeySource::Dir(dir) => Some(write_key(dir, now, &private)?),
    };
    signing_key(&private, now, file)
}

fn signing_key(private: &RsaPrivateKey, created: Ts, file: Option<PathBuf>) -> Result<SigningKey> {
    let broken = |error| Error::internal("KeyEncoding", "a signing key could not be encoded", error);
    let der = private.to_pkcs1_der().map_err(|error| broken(Box::new(error) as Box<_>))?;
    let public = RsaPublicKey::from(private);
    let (modulus, exponent) = (public.n().to_bytes_be(), public.e().to_bytes_be());
    let id: String = Sha256::digest(&modulus).iter().take(10).map(|byte| format!("{byte:02x}")).collect();
    let jwk = json!({
        "kty": "RSA", "alg": "RS256", "use": "sig", "kid": id,
        "n": URL_SAFE_NO_PAD.encode(&modulus), "e": URL_SAFE_NO_PAD.encode(&exponent),
    });
    Ok(SigningKey {
        id,
        created,
        encoding: EncodingKey::from_rsa_der(der.as_bytes()),
        decoding: DecodingKey::from_rsa_raw_components(&modulus, &exponent),
        jwk,
        file,
    })
}

/// Reads every `token-<microseconds>.pem`, oldest first.
fn read_keys(dir: &Path) -> Result<Vec<Arc<SigningKey>>> {
    let fault = |path: &Path, what: &str, error: std::io::Error| {
        Error::internal("KeyFolder", format!("{what} {}: {error}", path.display()), error.to_string())
    };
    create_private_dir(dir).map_err(|error| fault(dir, "cannot create the key folder", error))?;
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(|error| fault(dir, "cannot read the key folder", error))? {
        let path = entry.map_err(|error| fault(dir, "cannot read the key folder", error))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let created = name.strip_prefix("token-").and_then(|rest| rest.strip_suffix(".pem"));
        if let Some(created) = created.and_then(|digits| digits.parse().ok()) {
            files.push((Ts::from_micros(created), path));
        }
    }
    if files.len() > MAX_KEYS {
        let message = format!(
            "{} holds {} key files; {MAX_KEYS} is the most. Remove old ones.",
            dir.display(),
            files.len()
        );
        return Err(Error::new(docstore::Code::FailedPrecondition, "TooManyKeys", message));
    }
    files.sort();
    let mut keys = Vec::with_capacity(files.len());
    for (created, path) in files {
        check_private(&path)?;
        let pem =
            std::fs::read_to_string(&path).map_err(|error| fault(&path, "cannot read the key", error))?;
        let private = RsaPrivateKey::from_pkcs8_pem(&pem).map_err(|error| {
            let message = format!("{} is not an RSA private key (PKCS#8 PEM); move it away.", path.display());
            Error::new(docstore::Code::FailedPrecondition, "BadKeyFile", message).with_source(error)
        })?;
        keys.push(Arc::new(signing_key(&private, created, Some(path))?));
    }
    Ok(keys)
}

/// Writes a key so that it is either there whole and private, or not at all.
fn write_key(dir: &Path, created: Ts, private: &RsaPrivateKey) -> Result<PathBuf> {
    let broken = |error: Box<dyn std::error::Error + Send + Sync>| {
        let message = format!("cannot write a signing key into {}: {error}", dir.display());
        Error::internal("KeyWrite", message, error)
    };
    let pem = private.to_pkcs8_pem(LineEnding::LF).map_err(|error| broken(Box::new(error)))?;
    let path = dir.join(format!("token-{}.pem", created.micros()));
    let partial = dir.join(format!("token-{}.partial", created.micros()));
    let write = || -> std::io::Result<()> {
        use std::io::Write as _;
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&partial)?;
        file.write_all(pem.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&partial, &path)?;
        std::fs::File::open(dir)?.sync_all()
    };
    write().map_err(|error| broken(Box::new(error)))?;
    Ok(path)
}

#[cfg(unix)]
fn create_private_dir(dir: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

#[cfg(not(unix))]
fn create_private_dir(dir: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(dir)
}

/// Refuses a key that anybody but its owner may read or write.
#[cfg(unix)]
fn check_private(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let metadata = std::fs::metadata(path)
        .map_err(|error| Error::internal("KeyFolder", format!("cannot read {}", path.display()), error))?;
    let mode = metadata.permissions().mode() & 0o777;
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let path = path.display();
    let message =
        format!("the signing key {path} has mode {mode:04o}: others may read it. Run: chmod 600 {path}");
    Err(Error::new(docstore::Code::FailedPrecondition, "KeyNotPrivate", message))
}

#[cfg(not(unix))]
fn check_private(_path: &Path) -> Result<()> {
    Ok(())
}
