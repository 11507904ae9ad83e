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
    if settings.config.firebase.tuckbox.files.s3.is_none() {
        return Err(Error::new(
            Code::FailedPrecondition,
            "StoreFiles",
            "with a shared store the files of users must be where every machine finds them: name a bucket in tuckbox.files.s3",
        ));
    }
    let own = documents_folder(data_dir.path());
    if own.join(FOLDER_FORMAT).exists() {
        return Err(Error::new(
            Code::FailedPrecondition,
            "StoreFolder",
            format!(
                "the data folder {} has documents of its own, which a server on a shared store would hide: name another folder \
                 with --data, or leave out --store",
                data_dir.path().display()
            ),
        ));
    }
    let mut id = [0; 16];
    SystemEntropy.fill(&mut id);
    let node = NodeId(u128::from_be_bytes(id));
    let options = PostgresOptions {
        url: address.url.clone(),
        passfile: std::env::var_os(PASSFILE).map(PathBuf::from),
        node,
        cluster: cluster_of_copy(&copy_folder(data_dir.path())),
        clock,
        notifications: true,
    };
    Ok(EngineOptions::Shared {
        log: AnyLog::new(PostgresLog::open(options).await?),
        node,
        dir: copy_folder(data_dir.path()),
        view: settings.config.firebase.tuckbox.documents.view.0,
        keep_log: Duration::from_secs(3_600 * u64::from(address.keep_hours.get())),
    })
}
