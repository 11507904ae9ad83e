//! The `tuckbox` section: what other tools that read the file know nothing of.

use std::num::NonZeroU32;

use serde::Deserialize;

use super::mail::MailSection;
use super::plans::PlansSection;
use super::sign_in::SignIn;
use super::site::SiteWords;
use crate::networks::Networks;
use crate::plans::{Rate, Rates};
use crate::settings::Mode;

/// Settings of this server alone.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object of sections such as \"files\"")]
pub struct Tuckbox {
    /// How documents are kept.
    #[serde(default)]
    pub documents: Documents,
    /// Where files lie, and how many a user may have.
    #[serde(default)]
    pub files: Files,
    /// Other providers that people may sign in with.
    #[serde(default)]
    pub sign_in: SignIn,
    /// What the operator says about the server.
    #[serde(default)]
    pub site: SiteWords,
    /// Where tables may be fetched from.
    #[serde(default)]
    pub tables: Tables,
    /// How mail is sent.
    pub mail: Option<MailSection>,
    /// What people may have, and what it costs.
    #[serde(default)]
    pub plans: PlansSection,
    /// Users' own functions.
    #[serde(default)]
    pub functions: OwnFunctions,
    /// Further names of this machine, without ports, under which emulator mode shows its console and answers control
    /// endpoints.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// The reverse proxies in front of the server, whose word on where callers are is believed.
    #[serde(default)]
    pub trusted_proxies: Networks,
    /// Who may read the numbers at `/metrics`.
    #[serde(default)]
    pub metrics: MetricsReaders,
}

/// Who may read the numbers at `/metrics` beside those who have the token.
#[derive(Debug, Default, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"allow\": [\"10.0.0.0/8\"]}"
)]
pub struct MetricsReaders {
    /// Networks that need no token.
    #[serde(default)]
    pub allow: Networks,
}

/// The document store.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"cacheMiB\": 512, \"missingIndexes\": \"learn\"}"
)]
pub struct Documents {
    /// Memory for the page cache, in MiB; 512 unless given.
    #[serde(rename = "cacheMiB")]
    pub cache_mib: Option<NonZeroU32>,
    /// What happens to a query that lacks an index over several fields.
    #[serde(default)]
    pub missing_indexes: MissingIndexes,
    /// How much one caller may write: in serving mode as usual unless given, in emulator mode as much as they like.
    pub rates: Option<WriteRates>,
}

/// How much one caller may write; see [`crate::plans::Rates`] for the usual figures.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"documents\": 1200, \"burstDocuments\": 20000}"
)]
pub struct WriteRates {
    /// Documents a minute, after a burst.
    pub documents: Option<u64>,
    /// Bytes of documents a minute, after a burst.
    pub bytes: Option<u64>,
    /// Documents at once.
    pub burst_documents: Option<u64>,
    /// Bytes of documents at once.
    pub burst_bytes: Option<u64>,
}

/// What happens to a query that lacks an index over several fields.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MissingIndexes {
    /// It is answered, and the index is built in the background: in serving mode, for people's queries only few.
    #[default]
    Learn,
    /// It is refused, as the cloud does.
    Refuse,
}

impl WriteRates {
    fn over(self, usual: Rates) -> Rates {
        let rate = |burst: Option<u64>, a_minute: Option<u64>, usual: Rate| Rate {
            burst: burst.unwrap_or(usual.burst),
            a_minute: a_minute.unwrap_or(usual.a_minute),
        };
        Rates {
            documents: rate(self.burst_documents, self.documents, usual.documents),
            bytes: rate(self.burst_bytes, self.bytes, usual.bytes),
        }
    }
}

impl Documents {
    /// How much one caller may write; `None` where nothing is counted.
    pub fn rates(&self, mode: Mode) -> Option<Rates> {
        let written = self.rates.map(|rates| rates.over(Rates::default()));
        written.or_else(|| (mode == Mode::Serving).then(Rates::default))
    }

    /// What the store may use.
    pub fn limits(&self, mode: Mode) -> docstore::Limits {
        let usual = docstore::Limits::default();
        docstore::Limits {
            cache_bytes: self.cache_mib.map_or(usual.cache_bytes, |mib| u64::from(mib.get()) << 20),
            missing_indexes: match (self.missing_indexes, mode) {
                (MissingIndexes::Learn, Mode::Serving) => docstore::store::MissingIndexes::Learn,
                (MissingIndexes::Learn, Mode::Emulator) => docstore::store::MissingIndexes::LearnAtOnce,
                (MissingIndexes::Refuse, _) => docstore::store::MissingIndexes::Refuse,
            },
            // Who develops is one caller, however many pages are open.
            ..match mode {
                Mode::Serving => usual,
                Mode::Emulator => docstore::Limits {
                    live_bytes_of_one: usize::MAX,
                    query_bytes: usize::MAX,
                    query_bytes_of_one: usize::MAX,
                    ..usual
                },
            }
        }
    }
}

/// The functions of the top section `functions`, where people use them.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object such as {\"serve\": true}")]
pub struct OwnFunctions {
    /// Whether they also run in serving mode. They may read and write all documents and files, so it is asked for.
    #[serde(default)]
    pub serve: bool,
}

/// Hosts that `fetchTable` opens for users.
#[derive(Debug, Default, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"hosts\": [\"docs.google.com\", \"*.example.com\"]}"
)]
pub struct Tables {
    /// Hosts on the public internet, opened over https; the usual ones unless given. `[]` is none.
    pub hosts: Option<Vec<String>>,
    /// Hosts with their ports, such as `sheets.lan:8080`, that may lie in the operator's own network.
    #[serde(default)]
    pub private_hosts: Vec<String>,
}

/// File storage.
#[derive(Debug, Default, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"s3\": {…}, \"limits\": {…}}"
)]
pub struct Files {
    /// An S3-compatible service to keep files in; without one they lie in the data folder.
    pub s3: Option<S3>,
    /// Takes SVGs from users that run something or bring something from elsewhere; they are served in a sandbox.
    #[serde(default)]
    pub active_svg: bool,
    /// What one user may store.
    #[serde(default)]
    pub limits: FileLimits,
}

/// A bucket of an S3-compatible service. Its keys come from the environment (`AWS_ACCESS_KEY_ID`,
/// `AWS_SECRET_ACCESS_KEY`, or a machine's role): a file that is shared must not hold secrets.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct S3 {
    /// The bucket, which must exist.
    pub bucket: String,
    /// The service's URL; AWS itself unless given.
    pub endpoint: Option<String>,
    /// The region; `us-east-1` unless given.
    pub region: Option<String>,
}

/// Limits that differ from the usual ones; see [`storage_emu::Limits`] for the units.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileLimits {
    user_bytes: Option<u64>,
    user_files: Option<u64>,
    file_bytes: Option<u64>,
    image_pixels: Option<u64>,
    user_sessions: Option<u64>,
}

/// The region of services that have none.
const DEFAULT_REGION: &str = "us-east-1";

impl FileLimits {
    /// The usual limits, with these in their place.
    pub fn over(self, usual: storage_emu::Limits) -> storage_emu::Limits {
        storage_emu::Limits {
            user_bytes: self.user_bytes.unwrap_or(usual.user_bytes),
            user_files: self.user_files.unwrap_or(usual.user_files),
            file_bytes: self.file_bytes.unwrap_or(usual.file_bytes),
            image_pixels: self.image_pixels.unwrap_or(usual.image_pixels),
            user_sessions: self.user_sessions.unwrap_or(usual.user_sessions),
        }
    }
}

impl S3 {
    /// How to reach it.
    pub fn options(&self) -> storage_emu::S3Options {
        storage_emu::S3Options {
            bucket: self.bucket.clone(),
            endpoint: self.endpoint.clone(),
            region: self.region.clone().unwrap_or_else(|| DEFAULT_REGION.to_owned()),
            credentials: None,
            waits: storage_emu::S3Waits::default(),
        }
    }
}
