//! Encrypted backups: a target that encrypts what another one keeps.
//!
//! ```text
//! file    salt (32 bytes), chunks
//! chunk   64 KiB of the file, or less if it is the last one; its tag (16 bytes)
//! ```
//! Each file has a key of its own, derived from the key file, its salt and its path, so that no file can take another's
//! place. The chunks are ChaCha20-Poly1305 in the STREAM construction: none can be changed, moved, left out or added. An
//! attacker sees names, lengths and times of backups; contents have names that tell nothing.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

use aead_stream::{DecryptorBE32, EncryptorBE32, Nonce, StreamBE32};
use auth_emu::entropy::{Entropy as _, SystemEntropy};
use chacha20poly1305::{ChaCha20Poly1305, KeyInit as _};

use super::hex;
use super::key::BackupKey;
use super::target::{BackupTarget, NewFile};

/// Length of a file's salt, in bytes.
const SALT: usize = 32;
/// Plain bytes of a chunk.
const CHUNK: usize = 64 << 10;
/// Bytes of a chunk's tag.
const TAG: usize = 16;

/// See the module's description.
pub(super) struct Encrypted<T> {
    inner: T,
    key: Arc<BackupKey>,
}

impl<T: BackupTarget> fmt::Debug for Encrypted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encrypted").field("inner", &self.inner).finish_non_exhaustive()
    }
}

impl<T> Encrypted<T> {
    pub(super) fn new(inner: T, key: BackupKey) -> Self {
        Self { inner, key: Arc::new(key) }
    }
}

/// The cipher of one file. Its key is used for no other, so the nonce may begin with zeros.
fn cipher(key: &BackupKey, salt: &[u8], path: &str) -> ChaCha20Poly1305 {
    ChaCha20Poly1305::new(&key.derive(&[b"file", salt, path.as_bytes()]).into())
}

fn nonce() -> Nonce<ChaCha20Poly1305, StreamBE32<ChaCha20Poly1305>> {
    Nonce::<ChaCha20Poly1305, StreamBE32<ChaCha20Poly1305>>::default()
}

/// Error of a chunk that is not what was written.
fn forged(path: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{path} is damaged, cut or of another key"))
}

/// Length of a file before it was encrypted; `None` if no file has that length.
fn plain_length(length: u64) -> Option<u64> {
    let chunks = length.checked_sub(SALT as u64)?;
    let count = chunks.div_ceil((CHUNK + TAG) as u64).max(1);
    chunks.checked_sub(count * TAG as u64)
}

impl<T: BackupTarget> BackupTarget for Encrypted<T> {
    fn place(&self) -> &str {
        self.inner.place()
    }

    fn content_name(&self, sha256: &str) -> String {
        hex(&self.key.derive(&[b"content", sha256.as_bytes()]))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.inner.list(folder)
    }

    fn size(&self, path: &str) -> io::Result<u64> {
        plain_length(self.inner.size(path)?).ok_or_else(|| forged(path))
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send>> {
        let mut file = self.inner.open(path)?;
        let mut salt = [0; SALT];
        file.read_exact(&mut salt).map_err(|cause| match cause.kind() {
            io::ErrorKind::UnexpectedEof => forged(path),
            _ => cause,
        })?;
        let decryptor = DecryptorBE32::from_aead(cipher(&self.key, &salt, path), &nonce());
        Ok(Box::new(Decrypting {
            file,
            path: path.to_owned(),
            decryptor: Some(decryptor),
            ended: false,
            ahead: Vec::new(),
            plain: Vec::new(),
            read: 0,
        }))
    }

    fn create(&self, path: &str) -> io::Result<Box<dyn NewFile>> {
        let mut file = self.inner.create(path)?;
        let mut salt = [0; SALT];
        SystemEntropy.fill(&mut salt);
        file.write(&salt)?;
        let encryptor = EncryptorBE32::from_aead(cipher(&self.key, &salt, path), &nonce());
        Ok(Box::new(Encrypting { file, encryptor, plain: Vec::with_capacity(CHUNK + TAG) }))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.inner.remove(path)
    }

    fn remove_folder(&self, path: &str) -> io::Result<()> {
        self.inner.remove_folder(path)
    }

    fn free(&self) -> Option<u64> {
        self.inner.free()
    }

    fn device(&self) -> Option<u64> {
        self.inner.device()
    }
}

/// A file that is written. A chunk is encrypted once more follows it: the last one is marked.
struct Encrypting {
    file: Box<dyn NewFile>,
    encryptor: EncryptorBE32<ChaCha20Poly1305>,
    plain: Vec<u8>,
}

/// The cipher refuses only what no file has: more than 256 TiB.
fn too_long(_: aead_stream::aead::Error) -> io::Error {
    io::ErrorKind::FileTooLarge.into()
}

impl NewFile for Encrypting {
    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.plain.len() == CHUNK {
                self.encryptor.encrypt_next_in_place(b"", &mut self.plain).map_err(too_long)?;
                self.file.write(&self.plain)?;
                self.plain.clear();
            }
            let (now, later) = bytes.split_at(bytes.len().min(CHUNK - self.plain.len()));
            self.plain.extend_from_slice(now);
            bytes = later;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let Self { mut file, encryptor, mut plain } = *self;
        encryptor.encrypt_last_in_place(b"", &mut plain).map_err(too_long)?;
        file.write(&plain)?;
        file.finish()
    }
}

/// A file that is read. Nothing of a chunk is handed out before its tag was right.
struct Decrypting {
    file: Box<dyn Read + Send>,
    path: String,
    /// `None` after the last chunk, and after a failure.
    decryptor: Option<DecryptorBE32<ChaCha20Poly1305>>,
    /// True after the last chunk.
    ended: bool,
    /// The first byte of the next chunk: without one, this is the last.
    ahead: Vec<u8>,
    plain: Vec<u8>,
    /// Bytes of `plain` that were handed out.
    read: usize,
}

impl Decrypting {
    /// Reads the next chunk into `plain`.
    fn next(&mut self) -> io::Result<()> {
        let mut decryptor = match self.decryptor.take() {
            Some(decryptor) => decryptor,
            None if self.ended => return Ok(()),
            None => return Err(forged(&self.path)),
        };
        let mut chunk = std::mem::take(&mut self.ahead);
        let wanted = CHUNK + TAG + 1 - chunk.len();
        Read::by_ref(&mut self.file).take(wanted as u64).read_to_end(&mut chunk)?;
        let opened = if chunk.len() > CHUNK + TAG {
            self.ahead = chunk.split_off(CHUNK + TAG);
            let opened = decryptor.decrypt_next_in_place(b"", &mut chunk);
            self.decryptor = opened.is_ok().then_some(decryptor);
            opened
        } else {
            let opened = decryptor.decrypt_last_in_place(b"", &mut chunk);
            self.ended = opened.is_ok();
            opened
        };
        opened.map_err(|_| forged(&self.path))?;
        (self.plain, self.read) = (chunk, 0);
        Ok(())
    }
}

impl Read for Decrypting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.plain.len() {
            (self.plain, self.read) = (Vec::new(), 0);
            self.next()?;
        }
        let count = buffer.len().min(self.plain.len() - self.read);
        buffer[..count].copy_from_slice(&self.plain[self.read..self.read + count]);
        self.read += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use docstore::engine::{Files as _, SimFiles};
    use proptest::prelude::*;

    use super::super::folder::FolderTarget;
    use super::*;

    fn key(folder: &std::path::Path, name: &str) -> BackupKey {
        BackupKey::create(&folder.join(name), &SystemEntropy).unwrap()
    }

    fn written(target: &dyn BackupTarget, path: &str, bytes: &[u8], pieces: usize) {
        let mut file = target.create(path).unwrap();
        for piece in bytes.chunks(pieces) {
            file.write(piece).unwrap();
        }
        file.finish().unwrap();
    }

    fn read(target: &dyn BackupTarget, path: &str) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        target.open(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Lengths around those of chunks.
    fn lengths() -> impl Strategy<Value = usize> {
        (0_usize..4, 0_usize..3).prop_map(|(chunks, more)| (chunks * CHUNK + more).saturating_sub(1))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn what_is_written_is_read_and_nothing_else(
            length in lengths(),
            pieces in 1_usize..100_000,
            (at, bit) in (any::<prop::sample::Index>(), 0_u8..8),
            cut in any::<prop::sample::Index>(),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let files = SimFiles::default();
            let inner = FolderTarget::over(files.clone());
            let key = key(folder.path(), "key");
            let target = Encrypted::new(inner, key.clone());
            let bytes: Vec<u8> = (0..length).map(|nth| (nth % 251) as u8).collect();
            written(&target, "20270131T033000Z/documents", &bytes, pieces);
            let path = "20270131T033000Z/documents";
            prop_assert_eq!(target.size(path).unwrap(), length as u64);
            prop_assert!(read(&target, path).unwrap() == bytes);
            let stored = files.read(path).unwrap();
            let put = |name: &str, bytes: &[u8]| files.replace("20270131T033000Z", name, bytes).unwrap();
            let mut bent = stored.clone();
            bent[at.index(stored.len())] ^= 1 << bit;
            let longer = [&stored[..], b"x"].concat();
            for changed in [&bent[..], &stored[..cut.index(stored.len())], &longer] {
                put("documents", changed);
                prop_assert!(read(&target, path).is_err());
            }
            // The same bytes under another name, and with another key.
            put("contents", &stored);
            prop_assert!(read(&target, "20270131T033000Z/contents").is_err());
            put("documents", &stored);
            prop_assert!(read(&target, path).unwrap() == bytes);
            let stranger = Encrypted::new(FolderTarget::over(files), self::key(folder.path(), "stranger"));
            prop_assert!(read(&stranger, path).is_err());
        }
    }

    #[test]
    fn chunks_cannot_change_places() {
        let folder = tempfile::tempdir().unwrap();
        let files = SimFiles::default();
        let target = Encrypted::new(FolderTarget::over(files.clone()), key(folder.path(), "key"));
        written(&target, "a", &vec![7; 3 * CHUNK], CHUNK);
        let stored = files.read("a").unwrap();
        let chunk = |nth: usize| &stored[SALT + nth * (CHUNK + TAG)..][..CHUNK + TAG];
        for order in [[1, 0, 2], [0, 0, 2], [0, 1, 1]] {
            let mut changed = stored[..SALT].to_vec();
            order.iter().for_each(|nth| changed.extend_from_slice(chunk(*nth)));
            files.replace("", "a", &changed).unwrap();
            assert!(read(&target, "a").is_err(), "{order:?}");
        }
    }

    #[test]
    fn names_of_contents_tell_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target =
            |name: &str| Encrypted::new(FolderTarget::over(SimFiles::default()), key(folder.path(), name));
        let (one, other) = (target("one"), target("other"));
        let sum = "ab".repeat(32);
        assert_eq!(one.content_name(&sum), one.content_name(&sum));
        assert_ne!(one.content_name(&sum), sum);
        assert_ne!(one.content_name(&sum), other.content_name(&sum));
    }
}
