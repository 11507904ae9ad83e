//! The documents in a database that machines share: the conditions under which a server works with one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use auth_emu::entropy::{Entropy as _, SystemEntropy};
use docstore::clock::SharedClock;
use docstore::engine::shared::{AnyLog, NodeId, cluster_of_copy};
use docstore::{Code, EngineOptions, Error, FOLDER_FORMAT, Result};
use docstore_postgres::{PostgresLog, PostgresOptions};

use super::services::documents_folder;
use crate::host::data_dir::DataDir;
use crate::host::settings::{Settings, StoreAddress};

/// Folder of the local copy in the data folder. It may be removed while the server is stopped.
const COPY: &str = "shared";

/// Environment variable that names the file with the database's password, as PostgreSQL's own programs have it.
const PASSFILE: &str = "PGPASSFILE";

/// The local copy in a data folder.
pub(crate) fn copy_folder(data: &Path) -> PathBuf {
    data.join(COPY)
}

/// Error of a start without the database on a data folder that was used with one: it would begin empty.
pub(super) fn left_out(data: &Path) -> Error {
    Error::new(
        Code::FailedPrecondition,
        "StoreLeftOut",
        format!(
            "the data folder {} was used with a shared store: name it with --store or tuckbox.store, or name another folder with \
             --data",
            data.display()
        ),
    )
}

/// The database's options for this process, and the way to it.
pub(crate) fn options(address: &StoreAddress, data: &Path, clock: SharedClock) -> PostgresOptions {
    let mut id = [0; 16];
    SystemEntropy.fill(&mut id);
    PostgresOptions {
        url: address.url.clone(),
        passfile: std::env::var_os(PASSFILE).map(PathBuf::from),
        node: NodeId(u128::from_be_bytes(id)),
        cluster: cluster_of_copy(&copy_folder(data)),
        clock,
        notifications: true,
    }
}

/// # Errors
/// `FailedPrecondition` (`StoreFiles`) when the files of users lie in a local folder.
pub(crate) fn check_files(settings: &Settings) -> Result<()> {
    if settings.config.firebase.tuckbox.files.s3.is_some() {
        return Ok(());
    }
    Err(Error::new(
        Code::FailedPrecondition,
        "StoreFiles",
        "with a shared store the files of users must be where every machine finds them: name a bucket in tuckbox.files.s3",
    ))
}

/// # Errors
/// `FailedPrecondition` (`StoreFolder`) when the data folder has documents.
pub(crate) fn check_folder(data: &Path) -> Result<()> {
    if !documents_folder(data).join(FOLDER_FORMAT).exists() {
        return Ok(());
    }
    Err(Error::new(
        Code::FailedPrecondition,
        "StoreFolder",
        format!(
            "the data folder {} has documents of its own, which a server on a shared store would hide: name another folder \
             with --data, or leave out --store",
            data.display()
        ),
    ))
}

/// Connects to the database and checks it.
///
/// # Errors
/// `FailedPrecondition` with the way out: the data folder has documents of its own, files are in a local folder, or the
/// database is not to be entered, not this program's, or read-only. `Unavailable` when it cannot be reached.
pub(super) async fn engine(
    address: &StoreAddress,
    settings: &Settings,
    data_dir: &DataDir,
    clock: SharedClock,
) -> Result<EngineOptions> {
    check_files(settings)?;
    check_folder(data_dir.path())?;
    let options = options(address, data_dir.path(), clock);
    let node = options.node;
    Ok(EngineOptions::Shared {
        log: AnyLog::new(PostgresLog::open(options).await?),
        node,
        dir: copy_folder(data_dir.path()),
        view: settings.config.firebase.tuckbox.documents.view.0,
        keep_log: Duration::from_secs(3_600 * u64::from(address.keep_hours.get())),
    })
}
