//! All data to and from a folder, in the form the official emulator suite exports and imports.
//!
//! ```text
//! firebase-export-metadata.json
//! firestore_export/   documents of the (default) database, as Datastore entities in LevelDB's log format
//! auth_export/        accounts and the project's settings, as the accounts' API answers
//! storage_export/     files
//! ```

mod accounts;
mod documents;
mod entity;
mod files;
mod inside;
mod local;
mod log_file;
mod proto;

use std::path::{Path, PathBuf};

use axum::Router;
use docstore::clock::SharedClock;
use docstore::model::DatabaseId;
use docstore::{Code, Error, Result, Store};
use serde_json::{Value, json};

use crate::host::private;
use local::Local;

/// Version of the official suite whose format is written.
const FORMAT: &str = "15.28.0";
/// The file that lists the others.
const METADATA: &str = "firebase-export-metadata.json";

/// Data sources of an export, and destinations of an import. The services must be in emulator mode.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    /// The documents.
    pub(crate) store: Store,
    /// Stamps exports.
    pub(crate) clock: SharedClock,
    /// The routes of all services.
    pub(crate) routes: Router,
}

/// Number of items moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// Documents.
    pub documents: u64,
    /// Accounts.
    pub accounts: usize,
    /// Files.
    pub files: usize,
}

impl std::fmt::Display for Moved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { documents, accounts, files } = self;
        write!(f, "{documents} documents, {accounts} accounts, {files} files")
    }
}

/// Exports the data of `project` to `folder`: all, or that of the services in `targets`.
///
/// # Errors
/// The folder contains something else or cannot be written.
pub(crate) async fn export(
    source: &Parts,
    project: &str,
    folder: &Path,
    targets: Option<&[String]>,
) -> Result<Moved> {
    let wanted = |service: &str| targets.is_none_or(|targets| targets.iter().any(|target| target == service));
    check_export_folder(folder)?;
    for old in ["firestore_export", "auth_export", "storage_export"] {
        let old = folder.join(old);
        if old.exists() {
            tokio::fs::remove_dir_all(&old).await.map_err(|cause| unwritable(&old, cause))?;
        }
    }
    let (store, clock) = (&source.store, &source.clock);
    let local = Local(source.routes.clone());
    let mut moved = Moved { documents: 0, accounts: 0, files: 0 };
    let mut about = json!({ "version": FORMAT });
    create_folder(folder)?;
    if wanted("firestore") {
        let database = store.database(&DatabaseId::default_of(project));
        let (part, started) = (folder.join("firestore_export"), clock.now());
        moved.documents = documents::export(&database, &part, started, || clock.now()).await?;
        for other in store.databases(project).await?.iter().filter(|id| &*id.database != "(default)") {
            tracing::warn!(
                "the database {} is not exported: the format supports only (default)",
                other.database
            );
        }
        about["firestore"] = json!({
            "version": "1.19.9",
            "path": "firestore_export",
            "metadata_file": "firestore_export/firestore_export.overall_export_metadata",
        });
    }
    if wanted("auth") {
        moved.accounts = accounts::export(&local, project, &folder.join("auth_export")).await?;
        about["auth"] = json!({ "version": FORMAT, "path": "auth_export" });
    }
    if wanted("storage") {
        let of_files = store.database(&DatabaseId::new(project, storage_emu::DATABASE));
        moved.files = files::export(&local, &of_files, &folder.join("storage_export")).await?;
        about["storage"] = json!({ "version": FORMAT, "path": "storage_export" });
    }
    // Written last, so that an export without it is known to be incomplete.
    write_json(&folder.join(METADATA), &about).await?;
    Ok(moved)
}

/// Fails if `folder` holds something that an export would mix with. Files such as `.gitkeep` are none.
///
/// # Errors
/// `FolderTaken`.
pub(crate) fn check_export_folder(folder: &Path) -> Result<()> {
    let hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
    let occupied =
        folder.read_dir().is_ok_and(|entries| entries.flatten().any(|entry| !hidden(&entry.file_name())));
    if occupied && !is_export(folder) {
        let message = format!(
            "{} holds something that is no export: name another folder, or one that is not there yet",
            folder.display()
        );
        return Err(Error::new(Code::FailedPrecondition, "FolderTaken", message));
    }
    Ok(())
}

/// True if `folder` holds an export.
pub(crate) fn is_export(folder: &Path) -> bool {
    folder.join(METADATA).exists()
}

/// Imports an export into `project`: documents, accounts and files of the same name are replaced, all others stay.
///
/// # Errors
/// The folder is not an export, or a part of it is outside the folder, damaged or rejected.
pub(crate) async fn import(target: &Parts, project: &str, folder: &Path) -> Result<Moved> {
    let Some(about) = read_json(&part(folder, METADATA).await?).await? else {
        let message = format!("{} is no export: it has no {METADATA}", folder.display());
        return Err(Error::new(Code::NotFound, "NoExport", message));
    };
    // All parts are checked first, so that nothing of a rejected export is imported.
    let mut parts = [None, None, None];
    for (place, name) in parts.iter_mut().zip(["firestore", "auth", "storage"]) {
        if let Some(path) = about.get(name).and_then(|about| about.get("path")?.as_str()) {
            *place = Some(part(folder, path).await?);
        }
    }
    let [firestore, auth, storage] = parts;
    let local = Local(target.routes.clone());
    let documents = match firestore {
        Some(part) => documents::import(&target.store, &DatabaseId::default_of(project), &part).await?,
        None => 0,
    };
    let accounts = match auth {
        Some(part) => accounts::import(&local, project, &part).await?,
        None => 0,
    };
    let files = match storage {
        Some(part) => files::import(&local, &part).await?,
        None => 0,
    };
    Ok(Moved { documents, accounts, files })
}

/// A part of an import's folder; see [`inside::part`].
async fn part(folder: &Path, named: &str) -> Result<PathBuf> {
    let (folder, named) = (folder.to_owned(), named.to_owned());
    let looked = tokio::task::spawn_blocking(move || inside::part(&folder, &named)).await;
    looked
        .map_err(|cause| Error::internal("ImportLost", "the import's folder could not be looked at", cause))?
}

async fn write_json(path: &Path, value: &Value) -> Result<()> {
    let text = format!("{value:#}\n");
    tokio::fs::write(path, text).await.map_err(|cause| unwritable(path, cause))
}

/// A JSON file; `None` if it does not exist.
async fn read_json(path: &Path) -> Result<Option<Value>> {
    let bytes = match tokio::fs::read(path).await {
        Ok(bytes) => bytes,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(cause) => return Err(unreadable(path, cause)),
    };
    serde_json::from_slice(&bytes).map(Some).map_err(|cause| {
        Error::invalid("ExportDamaged", format!("{} is no JSON: {cause}", path.display())).with_source(cause)
    })
}

/// Exports are as private as the data folder.
fn create_folder(path: &Path) -> Result<()> {
    private::create_folder(path).map_err(|cause| unwritable(path, cause))
}

fn unwritable(path: &Path, cause: std::io::Error) -> Error {
    let message = format!("cannot write {}: {cause}", path.display());
    Error::new(Code::FailedPrecondition, "ExportUnwritable", message).with_source(cause)
}

fn unreadable(path: &Path, cause: std::io::Error) -> Error {
    let message = format!("cannot read {}: {cause}", path.display());
    Error::new(Code::FailedPrecondition, "ExportUnreadable", message).with_source(cause)
}
