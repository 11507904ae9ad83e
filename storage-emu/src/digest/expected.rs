//! Checksums that an uploader announces, so that bytes damaged on the way are never stored.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use docstore::{Error, Result};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::Digests;

/// The checksums an upload must have; absent ones are not compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Expected {
    /// MD5 of the bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    md5: Option<[u8; 16]>,
    /// CRC-32C of the bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    crc32c: Option<u32>,
}

impl Expected {
    /// True if nothing is compared.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Those in an object's metadata of the Cloud Storage API: `md5Hash` and `crc32c`, in base64.
    ///
    /// # Errors
    /// `InvalidArgument` (`Checksum`) for anything that is no checksum.
    pub(crate) fn from_json(metadata: &Value) -> Result<Self> {
        let crc32c = field(metadata, "crc32c")?.map(u32::from_be_bytes);
        Ok(Self { crc32c, ..Self::from_firebase_json(metadata)? })
    }

    /// The one in an object's metadata of the Firebase API: `md5Hash`. Its `crc32c` is for reading alone.
    ///
    /// # Errors
    /// As [`Self::from_json`].
    pub(crate) fn from_firebase_json(metadata: &Value) -> Result<Self> {
        Ok(Self { md5: field(metadata, "md5Hash")?, crc32c: None })
    }

    /// Those in the headers `x-goog-hash` (`crc32c=…,md5=…`) and `content-md5`.
    ///
    /// # Errors
    /// As [`Self::from_json`].
    pub(crate) fn from_headers(headers: &HeaderMap) -> Result<Self> {
        let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let mut expected = Self::default();
        if let Some(text) = header("content-md5") {
            expected.md5 = Some(decoded("Content-MD5", text)?);
        }
        let hashes = header("x-goog-hash").unwrap_or_default();
        for (name, text) in hashes.split(',').filter_map(|hash| hash.trim().split_once('=')) {
            match name.trim() {
                "md5" => expected.md5 = Some(decoded("x-goog-hash", text)?),
                "crc32c" => expected.crc32c = Some(u32::from_be_bytes(decoded("x-goog-hash", text)?)),
                _ => {}
            }
        }
        Ok(expected)
    }

    /// These and those of `other`, which an uploader announced at another place.
    ///
    /// # Errors
    /// `InvalidArgument` (`ChecksumMismatch`) if the two differ: no bytes have both.
    pub(crate) fn and(self, other: Self) -> Result<Self> {
        let differ = |one: &str| {
            Error::invalid(
                "ChecksumMismatch",
                format!("The upload announces two different checksums ({one})."),
            )
        };
        if self.md5.is_some() && other.md5.is_some() && self.md5 != other.md5 {
            return Err(differ("MD5 hash"));
        }
        if self.crc32c.is_some() && other.crc32c.is_some() && self.crc32c != other.crc32c {
            return Err(differ("CRC32C"));
        }
        Ok(Self { md5: self.md5.or(other.md5), crc32c: self.crc32c.or(other.crc32c) })
    }

    /// Compares the checksums with those of the bytes that came.
    ///
    /// # Errors
    /// `InvalidArgument` (`ChecksumMismatch`) naming both.
    pub(crate) fn check(&self, came: &Digests) -> Result<()> {
        if let Some(md5) = self.md5.map(|md5| STANDARD.encode(md5))
            && md5 != came.md5
        {
            return Err(mismatch("MD5 hash", &md5, &came.md5));
        }
        if let Some(crc32c) = self.crc32c
            && crc32c != came.crc32c
        {
            let announced = STANDARD.encode(crc32c.to_be_bytes());
            return Err(mismatch("CRC32C", &announced, &came.crc32c_base64()));
        }
        Ok(())
    }
}

fn field<const N: usize>(metadata: &Value, name: &str) -> Result<Option<[u8; N]>> {
    match metadata.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => decoded(name, text).map(Some),
        Some(_) => Err(bad(name)),
    }
}

fn decoded<const N: usize>(name: &str, text: &str) -> Result<[u8; N]> {
    STANDARD.decode(text.trim()).ok().and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| bad(name))
}

fn bad(name: &str) -> Error {
    Error::invalid("Checksum", format!("The checksum in '{name}' is not valid base64 of its length."))
}

fn mismatch(kind: &str, announced: &str, came: &str) -> Error {
    Error::invalid(
        "ChecksumMismatch",
        format!(
            "Provided {kind} \"{announced}\" doesn't match calculated {kind} \"{came}\". The file was damaged on its \
             way and is not stored; send it again."
        ),
    )
}
