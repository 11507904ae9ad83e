//! Opening a store of which some documents may be of an older version.

use std::path::PathBuf;

use docstore::{Code, EngineOptions, Error, Result, Store, StoreOptions};

use super::{Schema, Standing, VERSION, backup};
use crate::host::clock::stamp;
use crate::host::data_dir::DataDir;
use crate::host::settings::Settings;

/// Folder of the backups in the data folder.
const BACKUPS: &str = "backups";

/// The treatment of documents of an older version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Older {
    /// The store is not opened.
    Refuse,
    /// They are upgraded, after a backup.
    Upgrade(Backup),
    /// Nothing: they are another application's.
    Keep,
}

/// Place of the backup before an upgrade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Backup {
    /// This folder, which is created if it is missing.
    In(PathBuf),
    /// There is none: data in memory, or the operator has one.
    Without,
}

impl Older {
    /// The way of a server, and of `tuckbox migrate`: a backup in the data folder, then an upgrade.
    pub(crate) fn upgrade(settings: &Settings, data_dir: Option<&DataDir>) -> Self {
        if settings.is_other_application() {
            return Self::Keep;
        }
        Self::Upgrade(data_dir.map_or(Backup::Without, |folder| Backup::In(folder.path().join(BACKUPS))))
    }

    /// The way of commands that have another purpose.
    pub(crate) fn refuse(settings: &Settings) -> Self {
        if settings.is_other_application() { Self::Keep } else { Self::Refuse }
    }
}

/// Opens a store with the documents of `project` in this program's version.
///
/// # Errors
/// `FailedPrecondition`: `SchemaNewer`, `SchemaOlder` for [`Older::Refuse`], `NoRoomForBackup`; those of the store.
pub(crate) async fn open(options: StoreOptions, project: &str, older: &Older) -> Result<Store> {
    let mut store = Store::open(options.clone()).await?;
    let schema = Schema::new(&store, project)?;
    let standing = match schema.standing().await {
        Ok(standing) => standing,
        Err(error) => return closed(&store, error).await,
    };
    match (standing, older) {
        (_, Older::Keep) => return Ok(store),
        (Standing::Current, _) => {
            schema.mark_empty().await?;
            return Ok(store);
        }
        (Standing::Older { version, .. }, Older::Refuse) => return closed(&store, refused(version)).await,
        (Standing::Older { version, begun: false }, Older::Upgrade(Backup::In(_)))
            if matches!(options.engine, EngineOptions::Shared { .. }) =>
        {
            return closed(&store, refused_shared(version)).await;
        }
        (Standing::Older { version, begun: false }, Older::Upgrade(Backup::In(place))) => {
            drop(schema);
            if let EngineOptions::Disk { dir, .. } = &options.engine {
                // Nothing writes to the folder while it is copied.
                store.close().await?;
                drop(store);
                let name = format!("{}{version}-{}", backup::PREFIX, stamp(options.clock.now()));
                backup::run(dir.clone(), place.clone(), name).await?;
                store = Store::open(options.clone()).await?;
            }
        }
        (_, Older::Upgrade(_)) => {}
    }
    let upgraded = match Schema::new(&store, project) {
        Ok(schema) => schema.upgrade().await,
        Err(error) => Err(error),
    };
    match upgraded {
        Ok(()) => Ok(store),
        Err(error) => closed(&store, error).await,
    }
}

async fn closed(store: &Store, error: Error) -> Result<Store> {
    store.close().await?;
    Err(error)
}

fn refused_shared(found: u32) -> Error {
    Error::new(
        Code::FailedPrecondition,
        "SchemaOlder",
        format!(
            "the documents in the database are of version {found}, and this Tuckbox ({}) works with version {VERSION}: back the \
             database up, then run `tuckbox migrate --no-backup` with the same --store",
            crate::VERSION
        ),
    )
}

fn refused(found: u32) -> Error {
    Error::new(
        Code::FailedPrecondition,
        "SchemaOlder",
        format!(
            "these documents are of version {found}, and this Tuckbox ({}) works with version {VERSION}: start the server, or run `tuckbox migrate`, which upgrades them after a backup",
            crate::VERSION
        ),
    )
}
