//! The active security rules: the configured files, or defaults for the mode.

mod coverage_page;
mod endpoints;
mod reload;

use std::path::Path;
use std::sync::Arc;

use docstore::access::{DenialObserver, Mode, RulesOptions, SecurityRules};
use docstore::{Code, Error, Result, Store};
use rules::{InvalidRuleset, Ruleset, Severity};
use storage_emu::access::rules_access::FileDenialObserver;
use storage_emu::{RulesAccess, RulesSource, StorageAccess as _};

use crate::host::settings::Settings;
use reload::RulesFile;

pub(crate) use endpoints::router;

/// The application's own rules for documents, used if no file is configured.
pub(crate) const BUILT_IN_DOCUMENTS: &str = include_str!("../../firestore.rules");

/// The application's own rules for files.
pub(crate) const BUILT_IN_FILES: &str = include_str!("../../storage.rules");

/// Rules for files in emulator mode if no file is configured: everything is allowed, as for documents.
const OPEN_FILES: &str = "rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /{file=**} {
      allow read, write;
    }
  }
}
";

/// Rules for files until the configured ones are loaded: nothing is allowed.
const CLOSED_FILES: &str =
    "rules_version = '2'; service firebase.storage { match /b/{bucket}/o { allow read, write: if false; } }";

/// The policy for documents: `firestore.rules` of firebase.json, reloaded on changes. Without it, the application's own
/// rules in serving mode; in emulator mode none, which allows everything, as it does until a file exists. `observer`
/// receives denials.
///
/// # Errors
/// The file cannot be read or is not a valid ruleset, with the position.
pub fn documents(settings: &Settings, observer: Option<DenialObserver>) -> Result<Arc<SecurityRules>> {
    let emulating = settings.mode == Mode::Emulator;
    let options = RulesOptions { allow_without_rules: emulating, explain: emulating, coverage: emulating };
    let policy = SecurityRules::new(options);
    let policy = Arc::new(match observer {
        Some(observer) => policy.observed(observer),
        None => policy,
    });
    match settings.firestore_rules() {
        Some(file) if emulating && !file.exists() => {
            tracing::warn!(
                "firestore.rules names {}, which does not exist: until it does, everybody may read and write all documents",
                file.display()
            );
            RulesFile::missing(file, for_documents(&policy)).follow();
        }
        Some(file) => RulesFile::load(file, for_documents(&policy))?.follow(),
        None if emulating => {}
        None => set(&policy, "the built-in firestore.rules", BUILT_IN_DOCUMENTS)?,
    }
    Ok(policy)
}

/// Activates a file as the policy for documents until the policy is dropped.
fn for_documents(policy: &Arc<SecurityRules>) -> impl Fn(&Path) -> Option<Result<()>> + Send + use<> {
    let policy = Arc::downgrade(policy);
    move |file| {
        let policy = policy.upgrade()?;
        let text = read(file, "firestore.rules");
        Some(text.and_then(|text| set(&policy, &file.display().to_string(), &text)))
    }
}

/// Activates a file as the policy for files until the policy is dropped.
fn for_files(policy: &Arc<RulesAccess>) -> impl Fn(&Path) -> Option<Result<()>> + Send + use<> {
    let policy = Arc::downgrade(policy);
    move |file| {
        let policy = policy.upgrade()?;
        let name = file.display().to_string();
        let text = read(file, "storage.rules");
        Some(text.and_then(|content| policy.replace(&[RulesSource { name, content, resource: None }])))
    }
}

fn set(policy: &SecurityRules, name: &str, text: &str) -> Result<()> {
    for warning in policy.set_default(text).map_err(|invalid| refused(name, &invalid))? {
        tracing::warn!("{name}:{}: {}", warning.position.line, warning.message);
    }
    Ok(())
}

/// The policy for files, found and reloaded in the same way under `storage.rules`. `observer` receives denials.
///
/// # Errors
/// As [`documents`].
pub fn files(
    settings: &Settings,
    store: &Store,
    observer: Option<FileDenialObserver>,
) -> Result<Arc<RulesAccess>> {
    let built_in = |name, text| {
        let policy = RulesAccess::new(store.clone(), &settings.project, name, text)?;
        Ok::<_, Error>(Arc::new(match observer {
            Some(observer) => policy.observed(observer),
            None => policy,
        }))
    };
    let policy = match settings.storage_rules() {
        Some(file) if settings.mode == Mode::Emulator && !file.exists() => {
            tracing::warn!(
                "storage.rules names {}, which does not exist: until it does, everybody may read and write all files",
                file.display()
            );
            let policy = built_in("open rules", OPEN_FILES)?;
            RulesFile::missing(file, for_files(&policy)).follow();
            policy
        }
        Some(file) => {
            let policy = built_in("no rules", CLOSED_FILES)?;
            RulesFile::load(file, for_files(&policy))?.follow();
            policy
        }
        None if settings.mode == Mode::Emulator => built_in("open rules", OPEN_FILES)?,
        None => built_in("the built-in storage.rules", BUILT_IN_FILES)?,
    };
    Ok(policy)
}

/// Faults in the configured rules files.
pub fn check(settings: &Settings) -> Vec<Error> {
    let emulating = settings.mode == Mode::Emulator;
    let file = settings.storage_rules().filter(|file| !emulating || file.exists());
    let compiled = file.map(|file| {
        let text = read(&file, "storage.rules")?;
        Ruleset::compile(&text).map_err(|invalid| refused(&file.display().to_string(), &invalid))
    });
    let files = compiled.and_then(Result::err);
    documents(settings, None).err().into_iter().chain(files).collect()
}

fn read(file: &Path, key: &str) -> Result<String> {
    std::fs::read_to_string(file).map_err(|cause| {
        let what = format!("cannot read {}, which firebase.json names as {key}: {cause}", file.display());
        Error::new(Code::NotFound, "RulesUnreadable", what)
    })
}

/// One line: the first error with its position, and the number of further ones.
fn refused(name: &str, invalid: &InvalidRuleset) -> Error {
    let mut errors = invalid.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let first = errors.next().map_or_else(
        || format!("{name}: the rules are refused"),
        |error| format!("{name}:{}: {}", error.position.line, error.message),
    );
    let what = match errors.count() {
        0 => first,
        more => format!("{first} (and {more} more)"),
    };
    Error::invalid("RulesInvalid", what)
}
