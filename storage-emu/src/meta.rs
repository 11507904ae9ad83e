//! Metadata of one object, and their form in its document.

pub(crate) mod contexts;
pub mod json;
pub(crate) mod retention;
pub mod served_type;
pub(crate) mod storage_class;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use docstore::model::{Fields, Ts, Value};
use docstore::{Error, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::digest::Digests;
use crate::sniff::Dimensions;
pub use contexts::ObjectContext;

/// The most bytes all custom metadata keys and values of an object may have (Cloud Storage's own limit).
pub const MAX_CUSTOM_METADATA_BYTES: usize = 8 * 1024;
/// The most bytes one fixed field (content type, cache control…) may have.
pub const MAX_FIELD_BYTES: usize = 1_024;
/// The most download tokens an object may have.
pub const MAX_DOWNLOAD_TOKENS: usize = 64;
/// The custom metadata key under which the Cloud Storage API shows download tokens.
pub const TOKENS_KEY: &str = "firebaseStorageDownloadTokens";

/// A secret that grants access to one object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DownloadToken {
    /// The secret.
    pub value: String,
    /// Made by the server for this very content, so that its URL never shows other bytes.
    pub minted: bool,
}

/// The fields a client may set; absent ones are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settable {
    /// `contentType`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// `contentDisposition`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_disposition: Option<String>,
    /// `contentEncoding`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_encoding: Option<String>,
    /// `contentLanguage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_language: Option<String>,
    /// `cacheControl`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_control: Option<String>,
    /// `customTime`, as given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_time: Option<String>,
    /// `storageClass`, if it is not the usual one; fixed with the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_class: Option<String>,
    /// `metadata`, without the download tokens.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub custom: BTreeMap<String, String>,
    /// `contexts`, by their keys.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub contexts: BTreeMap<String, ObjectContext>,
    /// Download tokens, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<DownloadToken>,
}

/// One object's metadata. The document that holds it makes the object visible.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectMeta {
    /// The bucket.
    pub bucket: String,
    /// The name in the bucket.
    pub name: String,
    /// Changes with every new content; microseconds since the epoch.
    pub generation: u64,
    /// Counts changes of metadata within a generation, from 1.
    pub metageneration: u64,
    /// When this generation was made, microseconds since the epoch.
    pub created: u64,
    /// When the metadata last changed, microseconds since the epoch.
    pub updated: u64,
    /// Checksums and length.
    pub digests: Digests,
    /// Type detected from the bytes, if it is a known one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sniffed: Option<String>,
    /// Width and height, for images.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub dimensions: Option<Dimensions>,
    /// Number of uploaded objects it was composed of; `None` for one that was uploaded itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub components: Option<u32>,
    /// The user whose quota it counts for; `None` for files that an administrator stored outside users' subtrees.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub owner: Option<String>,
    /// Metadata set by the client.
    #[serde(flatten)]
    pub set: Settable,
}

impl ObjectMeta {
    /// The entity tag of this generation and metageneration, without quotes.
    pub fn etag(&self) -> String {
        let digest = Sha256::digest(format!("{}/{}", self.generation, self.metageneration));
        STANDARD_NO_PAD.encode(digest.get(..15).unwrap_or_default())
    }

    /// The content type, `application/octet-stream` unless set.
    pub fn content_type(&self) -> &str {
        self.set.content_type.as_deref().unwrap_or("application/octet-stream")
    }

    /// The object's download token equal to `token`, if any; it also says whether its URL is bound to this content.
    pub fn token(&self, token: &str) -> Option<&DownloadToken> {
        // Every token is compared in full, so that the time taken does not tell how much of a guess was right.
        let mut found = None;
        for candidate in &self.set.tokens {
            if same_secret(candidate.value.as_bytes(), token.as_bytes()) {
                found = Some(candidate);
            }
        }
        found
    }

    /// Marks a change of metadata at `now`.
    pub fn touch(&mut self, now: Ts) {
        self.metageneration += 1;
        self.updated = now.micros().max(self.updated);
        contexts::stamp(&mut self.set.contexts, now);
    }

    /// The document's fields.
    ///
    /// # Errors
    /// `Internal` when the metadata does not serialise.
    pub fn to_fields(&self) -> Result<Fields> {
        to_fields(self)
    }

    /// Reads the document's fields.
    ///
    /// # Errors
    /// `DataLoss` if they were not written by [`Self::to_fields`].
    pub fn from_fields(fields: &Fields) -> Result<Self> {
        from_fields(fields)
    }
}

fn same_secret(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// A record as one JSON string: custom metadata keys and such need not obey the database's field names.
pub(crate) fn to_fields(record: &impl Serialize) -> Result<Fields> {
    let json = serde_json::to_string(record)
        .map_err(|source| Error::internal("RecordWrite", "A record could not be written.", source))?;
    Ok(Fields::from([("json".to_owned(), Value::String(json))]))
}

/// Reads fields written by [`to_fields`].
pub(crate) fn from_fields<T: for<'de> Deserialize<'de>>(fields: &Fields) -> Result<T> {
    let lost = || Error::new(docstore::Code::DataLoss, "RecordRead", "A stored record cannot be read.");
    match fields.get("json") {
        Some(Value::String(json)) => serde_json::from_str(json).map_err(|source| lost().with_source(source)),
        _ => Err(lost()),
    }
}
