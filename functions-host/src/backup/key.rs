//! The key file of encrypted backups.

use std::fmt;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use auth_emu::entropy::Entropy;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::{Code, Error, Result};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::hex;

/// Beginning of the line with the key.
const LINE: &str = "TUCKBOX-BACKUP-KEY-1 ";
/// Length of the key, in bytes.
const KEY_BYTES: usize = 32;
/// Largest key file, in bytes: one line, and what people write beside it.
const MAX_FILE: u64 = 4_096;
/// Digits of a key's name.
const NAME_DIGITS: usize = 32;

/// A key from which those of the files are derived.
#[derive(Clone)]
pub(crate) struct BackupKey([u8; KEY_BYTES]);

impl fmt::Debug for BackupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BackupKey({})", self.name())
    }
}

fn fault(path: &Path, why: impl fmt::Display) -> Error {
    let message = format!("the key file {} cannot be used: {why}", path.display());
    Error::new(Code::FailedPrecondition, "BackupKeyFile", message)
}

impl BackupKey {
    /// Reads a key file.
    ///
    /// # Errors
    /// `FailedPrecondition` (`BackupKeyFile`).
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let length = std::fs::metadata(path).map_err(|cause| fault(path, cause))?.len();
        let foreign = || fault(path, "`tuckbox backup new-key` did not make it");
        if length > MAX_FILE {
            return Err(foreign());
        }
        let text = std::fs::read_to_string(path).map_err(|cause| fault(path, cause))?;
        let line = text.lines().find_map(|line| line.trim().strip_prefix(LINE)).ok_or_else(foreign)?;
        let bytes = URL_SAFE_NO_PAD.decode(line.trim()).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or_else(|| fault(path, "its key is cut or damaged"))
    }

    /// Makes a key and writes it into a new file, which its user alone can read.
    ///
    /// # Errors
    /// `FailedPrecondition` (`BackupKeyFile`): there is such a file, or it cannot be written.
    pub(crate) fn create(path: &Path, entropy: &dyn Entropy) -> Result<Self> {
        let mut bytes = [0; KEY_BYTES];
        entropy.fill(&mut bytes);
        let text = format!(
            "# Key of encrypted Tuckbox backups. Without it they cannot be restored: keep a copy elsewhere.\n{LINE}{}\n",
            URL_SAFE_NO_PAD.encode(bytes)
        );
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        let written = opened.and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written.map_err(|cause| match cause.kind() {
            std::io::ErrorKind::AlreadyExists => {
                fault(path, "it is there already, and backups may need it: name another file")
            }
            _ => fault(path, cause),
        })?;
        Ok(Self(bytes))
    }

    /// A name that tells keys apart and nothing about them.
    pub(super) fn name(&self) -> String {
        hex(&self.derive(&[b"name"]))[..NAME_DIGITS].to_owned()
    }

    /// A key for one purpose, which tells nothing about another's. Each part goes in with its length.
    pub(super) fn derive(&self, purpose: &[&[u8]]) -> [u8; KEY_BYTES] {
        // A key of any length will do.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return [0; KEY_BYTES] };
        for part in purpose {
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use auth_emu::entropy::SystemEntropy;

    use super::*;

    #[test]
    fn a_key_file_is_its_users_alone_and_is_never_replaced() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let made = BackupKey::create(&path, &SystemEntropy).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(BackupKey::read(&path).unwrap().0, made.0);
        let error = BackupKey::create(&path, &SystemEntropy).unwrap_err();
        assert!(error.message().contains("there already"), "{error}");
        assert_eq!(BackupKey::read(&path).unwrap().0, made.0);
        assert!(!format!("{made:?}").contains(&URL_SAFE_NO_PAD.encode(made.0)));
    }

    #[test]
    fn other_files_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        assert_eq!(BackupKey::read(&path).unwrap_err().tag(), "BackupKeyFile");
        for text in ["", "secret", "TUCKBOX-BACKUP-KEY-1 abc", &"x".repeat(5_000)] {
            std::fs::write(&path, text).unwrap();
            let error = BackupKey::read(&path).unwrap_err();
            assert!(error.message().contains("key cannot be used"), "{error}");
        }
    }
}
