//! Reading `firebase.json`.
//!
//! Keys unknown to this server are ignored, so that a file written for other tools works unchanged. Keys it uses are
//! checked when the file is read; a wrong one is reported as `file:line: key: fault`.

use std::path::{Path, PathBuf};

use docstore::{Code, Error, Result};
use serde::Deserialize;

mod backup;
mod emulators;
mod hosting;
mod mail;
mod one_or_many;
mod pattern;
mod plans;
mod project;
mod rates;
mod sign_in;
mod site;
mod source;
mod tuckbox;

pub use backup::{BackupSection, BackupTimes};
pub use emulators::{Emulators, Port, Service, ServicePort, UiPort};
pub use hosting::{HeaderPair, HeaderRule, Hosting, Redirect, RedirectStatus, Rewrite, RewriteTarget};
pub use mail::MailSection;
pub(crate) use mail::SERVER_ENV as MAIL_SERVER;
pub use one_or_many::OneOrMany;
pub use pattern::Pattern;
pub use plans::{MAX_PLANS, Plan, PlanLimits, PlansSection, Stripe};
pub use project::{DEFAULT_PROJECT, project_id};
pub use rates::{Rate, Rates};
pub use sign_in::SignUp;
pub use site::{MAX_ADMINS, SiteWords};
pub(crate) use source::blank_comments;
pub use tuckbox::{
    FileLimits, Files, MetricsReaders, MissingIndexes, OwnFunctions, S3, Tables, Tuckbox, WriteRates,
};

/// Default name of the configuration file.
pub const FILE_NAME: &str = "firebase.json";

/// Largest configuration file, in bytes.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// The parts of `firebase.json` that this server uses.
#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "an object of sections such as \"hosting\"")]
pub struct FirebaseJson {
    /// Ports, by service.
    pub emulators: Option<Emulators>,
    /// Static sites, each with a port of its own.
    #[serde(default)]
    pub hosting: OneOrMany<Hosting>,
    /// The document databases' rules and indexes.
    #[serde(default)]
    pub firestore: OneOrMany<FirestoreSection>,
    /// The file store's rules.
    #[serde(default)]
    pub storage: OneOrMany<RulesSection>,
    /// Source folders of functions.
    #[serde(default)]
    pub functions: OneOrMany<FunctionsSection>,
    /// Settings of accounts in the cloud.
    #[serde(default)]
    pub auth: Mentioned,
    /// The Realtime Database, which this server lacks.
    #[serde(default)]
    pub database: Mentioned,
    /// Data Connect, which this server lacks.
    #[serde(default)]
    pub dataconnect: Mentioned,
    /// App Hosting, which this server lacks.
    #[serde(default)]
    pub apphosting: Mentioned,
    /// Extensions, which this server lacks.
    #[serde(default)]
    pub extensions: Mentioned,
    /// Settings specific to this server.
    #[serde(default)]
    pub tuckbox: Tuckbox,
}

/// A section of which only its presence matters.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Mentioned(pub bool);

impl<'de> Deserialize<'de> for Mentioned {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(Self(match value {
            serde_json::Value::Null | serde_json::Value::Bool(false) => false,
            serde_json::Value::Object(object) => !object.is_empty(),
            serde_json::Value::Array(list) => !list.is_empty(),
            _ => true,
        }))
    }
}

/// A section that names a rules file.
#[derive(Debug, Deserialize)]
pub struct RulesSection {
    /// The rules file, relative to the configuration file.
    pub rules: Option<PathBuf>,
}

/// A section of a document database.
#[derive(Debug, Deserialize)]
pub struct FirestoreSection {
    /// The database; default `(default)`.
    pub database: Option<String>,
    /// The rules file, relative to the configuration file.
    pub rules: Option<PathBuf>,
    /// File that declares composite indexes, relative to the configuration file.
    pub indexes: Option<PathBuf>,
}

/// A section that names a folder of functions.
#[derive(Debug, Deserialize)]
pub struct FunctionsSection {
    /// The folder, relative to the configuration file; default `functions`.
    pub source: Option<PathBuf>,
    /// The folder's name among several ones.
    pub codebase: Option<String>,
    /// Language and version, such as `nodejs22` or `python312`.
    pub runtime: Option<String>,
}

impl FunctionsSection {
    /// True if its functions are for Node.js, as far as the section says: `nodejs22`, or an older spelling such as `node16`.
    pub fn is_node(&self) -> bool {
        self.runtime.as_deref().is_none_or(|runtime| runtime.starts_with("node"))
    }
}

impl FirebaseJson {
    /// True if it has settings of this server, so that it was written for it.
    pub fn is_ours(&self) -> bool {
        self.tuckbox.written
    }
}

/// A configuration file's content and location.
#[derive(Debug)]
pub struct Config {
    /// The file; `None` if there is none and the defaults apply.
    pub file: Option<PathBuf>,
    /// Base of relative paths: the file's folder, else the working directory.
    pub root: PathBuf,
    /// The content.
    pub firebase: FirebaseJson,
}

impl Config {
    /// Reads `file`, else the nearest `firebase.json` in `working_dir` or above it, else returns the defaults.
    ///
    /// # Errors
    /// The file is missing or unreadable, is not JSON, or has an invalid value under a key that is used.
    pub fn load(file: Option<&Path>, working_dir: &Path) -> Result<Self> {
        Self::load_without(file, working_dir, &[])
    }

    /// Like [`Config::load`], but passes over what is wrong below the keys `left_out`, such as `hosting`.
    ///
    /// # Errors
    /// The same as of [`Config::load`].
    pub fn load_without(file: Option<&Path>, working_dir: &Path, left_out: &[String]) -> Result<Self> {
        let file = match file {
            Some(file) => Some(working_dir.join(file)),
            None => nearest(working_dir),
        };
        let Some(file) = file else {
            return Ok(Self {
                file: None,
                root: working_dir.to_path_buf(),
                firebase: FirebaseJson::default(),
            });
        };
        let text = read(&file)?;
        let firebase = source::parse(&file, &text, left_out)?;
        let root = file.parent().map_or_else(|| working_dir.to_path_buf(), Path::to_path_buf);
        Ok(Self { file: Some(file), root, firebase })
    }

    /// A path from the file as an absolute path.
    pub fn resolve(&self, path: &Path) -> PathBuf {
        self.root.join(path)
    }

    /// True if the `emulators` block gives `service` a port.
    pub fn lists(&self, service: Service) -> bool {
        self.firebase.emulators.as_ref().is_some_and(|emulators| emulators.service(service).is_some())
    }

    /// The document database's rules file.
    pub fn firestore_rules(&self) -> Option<PathBuf> {
        self.firebase
            .firestore
            .first()
            .and_then(|section| section.rules.as_deref())
            .map(|path| self.resolve(path))
    }

    /// The file store's rules file.
    pub fn storage_rules(&self) -> Option<PathBuf> {
        self.firebase
            .storage
            .first()
            .and_then(|section| section.rules.as_deref())
            .map(|path| self.resolve(path))
    }
}

fn nearest(working_dir: &Path) -> Option<PathBuf> {
    working_dir.ancestors().map(|folder| folder.join(FILE_NAME)).find(|file| file.is_file())
}

fn read(file: &Path) -> Result<String> {
    let unreadable = |cause: std::io::Error| {
        Error::new(
            Code::NotFound,
            "ConfigUnreadable",
            format!("cannot read {}: {cause}; name another file with --config FILE", file.display()),
        )
    };
    let bytes = std::fs::metadata(file).map_err(unreadable)?.len();
    if bytes > MAX_FILE_BYTES {
        return Err(Error::invalid(
            "ConfigTooLarge",
            format!("{} has {bytes} bytes; a configuration file may have {MAX_FILE_BYTES}", file.display()),
        ));
    }
    std::fs::read_to_string(file).map_err(unreadable)
}

#[cfg(test)]
mod tests;
