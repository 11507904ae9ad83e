//! The `tuckbox` section: settings unknown to other tools that read the file.

use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use docstore::access::Mode;
use serde::Deserialize;

use super::backup::BackupSection;
use super::mail::MailSection;
use super::plans::PlansSection;
use super::rates::{Rate, Rates};
use super::sign_in::SignIn;
use super::site::SiteWords;
use crate::host::networks::Networks;

/// Settings of this server alone.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object of sections such as \"files\"")]
pub struct Tuckbox {
    /// Documents: memory, indexes and limits of writing.
    #[serde(default)]
    pub documents: Documents,
    /// A database in which documents are, in serving mode, instead of in the data folder. Files then need `files.s3`.
    pub store: Option<StoreSection>,
    /// Files of users: their place and their quotas.
    #[serde(default)]
    pub files: Files,
    /// Ways to sign in besides e-mail and password.
    #[serde(default)]
    pub sign_in: SignIn,
    /// Information about the server and its operator; all of it is public.
    #[serde(default)]
    pub site: SiteWords,
    /// Hosts that tables linked by their address may be fetched from.
    #[serde(default)]
    pub tables: Tables,
    /// Mail delivery. Without this section mails stay in the outbox, shown by `tuckbox outbox`.
    pub mail: Option<MailSection>,
    /// Plans: limits of accounts, and their prices. Without them nothing is limited and nothing is sold.
    #[serde(default)]
    pub plans: PlansSection,
    /// The functions in the top-level section `functions`.
    #[serde(default)]
    pub functions: OwnFunctions,
    /// Further names of this machine, without ports, under which emulator mode serves its console and control
    /// endpoints. Default: none.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Addresses or networks of trusted reverse proxies in front of the server, which report the callers' addresses.
    /// Default: none.
    #[serde(default)]
    pub trusted_proxies: Networks,
    /// Certificate of the ports in serving mode, which then speak HTTPS. Without this section they speak HTTP.
    pub tls: Option<TlsSection>,
    /// Regular backups in serving mode. Without this section `tuckbox backup` makes them.
    pub backup: Option<BackupSection>,
    /// Access to the metrics at `/metrics`.
    #[serde(default)]
    pub metrics: MetricsReaders,
    /// True if the section is there.
    #[serde(skip, default = "written")]
    pub written: bool,
}

const fn written() -> bool {
    true
}

/// The PostgreSQL database of the documents.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"url\": \"postgres://tuckbox@db.example.com/tuckbox\"}"
)]
pub struct StoreSection {
    /// Address as `postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full`. The password is in the file that the environment
    /// variable `PGPASSFILE` names.
    pub url: String,
    /// Hours for which commits are kept in the database after they are folded into its documents. A machine that was away
    /// for longer copies all documents anew. Default: 24.
    pub keep_hours: Option<NonZeroU32>,
}

impl fmt::Debug for StoreSection {
    /// The address may have a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreSection").finish_non_exhaustive()
    }
}

/// Files of the certificate, in PEM. Changed ones are read again.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"cert\": \"/etc/tuckbox/cert.pem\", \"key\": \"/etc/tuckbox/key.pem\"}"
)]
pub struct TlsSection {
    /// The certificate, followed by those of its authorities; a relative path begins at the configuration file's folder.
    pub cert: PathBuf,
    /// The private key of the certificate.
    pub key: PathBuf,
}

/// Access to the metrics at `/metrics` without the token.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"allow\": [\"10.0.0.0/8\"]}"
)]
pub struct MetricsReaders {
    /// Addresses or networks that need no token. Default: none.
    #[serde(default)]
    pub allow: Networks,
}

/// Bytes of documents that a user may have: a hundred projects of ten thousand cards with a kilobyte of text each.
const USER_DOCUMENT_BYTES: u64 = 1 << 30;

/// Milliseconds from which on an operation of a server is logged as slow.
const SLOW_MILLIS: u64 = 1_000;

/// The document store.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"cacheMiB\": 512, \"missingIndexes\": \"learn\"}"
)]
pub struct Documents {
    /// Memory of the page cache, in MiB. Default: 512.
    #[serde(rename = "cacheMiB")]
    pub cache_mib: Option<NonZeroU32>,
    /// Treatment of queries that lack a composite index. `learn` answers them and builds the index in the background;
    /// in serving mode users' queries cause only a few. `refuse` refuses them, as the cloud does. Default: `learn`.
    #[serde(default)]
    pub missing_indexes: MissingIndexes,
    /// Limits of what one caller writes, in serving mode; in emulator mode they hold only if this section is there.
    pub rates: Option<WriteRates>,
    /// Total size of the documents of a user and of the user's projects, in bytes, in serving mode; in emulator mode it
    /// holds only if it is set. Default: 1,073,741,824 (1 GiB).
    pub user_bytes: Option<u64>,
    /// Commits, queries and decisions of the rules that take so many milliseconds are logged, with the time of their
    /// stages and the indexes of queries; 0 logs none. Default: 1,000 in serving mode, 0 in emulator mode.
    pub slow_millis: Option<u64>,
    /// Storage engine of the view from which reads are answered: `sled` or `fjall`. After a change the next start builds
    /// the view again from the log. Default: `fjall`.
    #[serde(default)]
    pub view: View,
}

/// Engine of the documents' view; see [`docstore::ViewEngine`].
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String")]
pub struct View(#[cfg_attr(test, schemars(with = "String"))] pub docstore::ViewEngine);

impl TryFrom<String> for View {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let known = || docstore::ViewEngine::ALL.map(|engine| format!("{:?}", engine.name())).join(" or ");
        docstore::ViewEngine::from_name(&name)
            .map(Self)
            .ok_or_else(|| format!("unknown engine {name:?}: expected {}", known()))
    }
}

/// Write-rate limits of one caller; [`Rates`] has the defaults.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"documents\": 1200, \"burstDocuments\": 20000}"
)]
pub struct WriteRates {
    /// Documents per minute, after a burst. Default: 1,200.
    pub documents: Option<u64>,
    /// Bytes of documents per minute, after a burst. Default: 8,388,608 (8 MiB).
    pub bytes: Option<u64>,
    /// Documents in a burst. Default: 20,000.
    pub burst_documents: Option<u64>,
    /// Bytes of documents in a burst. Default: 67,108,864 (64 MiB).
    pub burst_bytes: Option<u64>,
}

/// Treatment of queries that lack a composite index.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum MissingIndexes {
    /// Answered, and the index is built in the background; in serving mode users' queries cause only a few.
    #[default]
    Learn,
    /// Refused, as in the cloud.
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
    /// Write-rate limits of one caller; `None` for unlimited.
    pub fn rates(&self, mode: Mode) -> Option<Rates> {
        let written = self.rates.map(|rates| rates.over(Rates::default()));
        written.or_else(|| (mode == Mode::Serving).then(Rates::default))
    }

    /// Bytes of documents that a user may have; `None` for unlimited.
    pub fn user_bytes(&self, mode: Mode) -> Option<u64> {
        self.user_bytes.or_else(|| (mode == Mode::Serving).then_some(USER_DOCUMENT_BYTES))
    }

    /// Time from which on an operation is logged as slow; `None` logs none.
    fn slow(&self, mode: Mode) -> Option<Duration> {
        let usual = if mode == Mode::Serving { SLOW_MILLIS } else { 0 };
        let millis = self.slow_millis.unwrap_or(usual);
        (millis > 0).then(|| Duration::from_millis(millis))
    }

    /// Resource limits of the store.
    pub fn limits(&self, mode: Mode) -> docstore::Limits {
        let usual = docstore::Limits { slow: self.slow(mode), ..docstore::Limits::default() };
        docstore::Limits {
            cache_bytes: self.cache_mib.map_or(usual.cache_bytes, |mib| u64::from(mib.get()) << 20),
            missing_indexes: match (self.missing_indexes, mode) {
                (MissingIndexes::Learn, Mode::Serving) => docstore::store::MissingIndexes::Learn,
                (MissingIndexes::Learn, Mode::Emulator) => docstore::store::MissingIndexes::LearnAtOnce,
                (MissingIndexes::Refuse, _) => docstore::store::MissingIndexes::Refuse,
            },
            // A developer is one caller, however many pages are open.
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

/// Settings of the functions in the top-level section `functions`.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object such as {\"serve\": true}")]
pub struct OwnFunctions {
    /// True if they also run in serving mode. It must be set explicitly, because they may read and write all documents
    /// and files. Default: `false`.
    #[serde(default)]
    pub serve: bool,
}

/// Hosts that `fetchTable` may download from.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"hosts\": [\"docs.google.com\", \"*.example.com\"]}"
)]
pub struct Tables {
    /// Public hosts, reached over https; `*.` before a name stands for all hosts below it, and `[]` allows none. Default:
    /// the usual services for sheets and source code.
    pub hosts: Option<Vec<String>>,
    /// Hosts with their ports that may be in the operator's own network. Default: none.
    #[serde(default)]
    pub private_hosts: Vec<String>,
}

/// File storage.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"s3\": {…}, \"limits\": {…}}"
)]
pub struct Files {
    /// An S3-compatible service for the contents of files; without one they are in the data folder. Its keys come from
    /// the environment.
    pub s3: Option<S3>,
    /// True if SVGs with scripts or external references are accepted from users; they are served in a sandbox. Default:
    /// `false`.
    #[serde(default)]
    pub active_svg: bool,
    /// Quotas of one user.
    #[serde(default)]
    pub limits: FileLimits,
}

/// A bucket of an S3-compatible service. Its keys come from the environment (`AWS_ACCESS_KEY_ID`,
/// `AWS_SECRET_ACCESS_KEY`, or a machine's role), because shared configuration files must not hold secrets.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct S3 {
    /// The bucket, which must exist.
    pub bucket: String,
    /// URL of the service. Default: AWS.
    pub endpoint: Option<String>,
    /// The region. Default: `us-east-1`.
    pub region: Option<String>,
}

/// Overrides of the default limits; see [`storage_emu::Limits`] for the units.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileLimits {
    /// All files of a user together, in bytes. Default: 2,147,483,648 (2 GiB), in emulator mode unlimited.
    user_bytes: Option<u64>,
    /// Number of files of a user. Default: 20,000, in emulator mode unlimited.
    user_files: Option<u64>,
    /// One file, in bytes. Default: 209,715,200 (200 MiB), in emulator mode 5,368,709,120 (5 GiB).
    file_bytes: Option<u64>,
    /// One image, in pixels (width times height). Default: 64,000,000.
    image_pixels: Option<u64>,
    /// Number of unfinished resumable uploads of a user. Default: 256.
    user_sessions: Option<u64>,
}

/// The region of services that have none.
const DEFAULT_REGION: &str = "us-east-1";

impl FileLimits {
    /// `usual` with these overrides.
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
    /// Connection options.
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
