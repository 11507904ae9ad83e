//! The three checksums of a file, computed while it streams by.

pub(super) mod expected;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest as _, Md5};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// The checksums and length of some bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digests {
    /// Length in bytes.
    pub size: u64,
    /// SHA-256, 64 lower-case hexadecimal digits: the content's address.
    pub sha256: String,
    /// MD5 in base64, as both APIs show it.
    pub md5: String,
    /// CRC-32C (Castagnoli).
    pub crc32c: u32,
}

impl Digests {
    /// The CRC as the Cloud Storage API writes it: base64 of its four bytes, most significant first.
    pub fn crc32c_base64(&self) -> String {
        STANDARD.encode(self.crc32c.to_be_bytes())
    }
}

/// Computes [`Digests`].
#[derive(Debug, Clone, Default)]
pub struct Hasher {
    size: u64,
    sha256: Sha256,
    md5: Md5,
    crc32c: u32,
}

impl Hasher {
    /// Takes in more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.size += bytes.len() as u64;
        self.sha256.update(bytes);
        self.md5.update(bytes);
        self.crc32c = crc32c::crc32c_append(self.crc32c, bytes);
    }

    /// Bytes seen so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The checksums of all bytes.
    pub fn finish(self) -> Digests {
        Digests {
            size: self.size,
            sha256: hex(&self.sha256.finalize()),
            md5: STANDARD.encode(self.md5.finalize()),
            crc32c: self.crc32c,
        }
    }
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        let mut hasher = Hasher::default();
        hasher.update(b"hello ");
        hasher.update(b"world");
        let digests = hasher.finish();
        assert_eq!(digests.size, 11);
        assert_eq!(digests.sha256, "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9");
        assert_eq!(digests.md5, "XrY7u+Ae7tCTyyK7j1rNww==");
        assert_eq!(digests.crc32c, 0xc994_65aa);
        assert_eq!(digests.crc32c_base64(), "yZRlqg==");
    }
}
