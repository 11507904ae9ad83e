//! `tuckbox migrate`: upgrades the documents of a stopped server, or tells what that would do.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use docstore::access::Mode;
use docstore::clock::SystemClock;
use docstore::{Error, Result, Store, StoreOptions};

use super::say;
use crate::host::data_dir::DataDir;
use crate::host::settings::{Data, ServerArgs, Settings};
use crate::schema::Schema;
use crate::schema::opening::{self, Backup, Older};
use crate::server::services::store_options;

/// The server's settings, and what is done.
#[derive(Debug, clap::Args)]
pub struct MigrateArgs {
    /// Only tell what would be done
    #[arg(long)]
    dry_run: bool,
    /// Folder of the backup [default: backups in the data folder]
    #[arg(long, value_name = "DIR", conflicts_with = "dry_run")]
    backup: Option<PathBuf>,
    /// Make no backup: there is one already
    #[arg(long, conflicts_with_all = ["dry_run", "backup"])]
    no_backup: bool,
    #[command(flatten)]
    server: ServerArgs,
}

/// Upgrades the documents in the data folder.
///
/// # Errors
/// There is no data folder, it is in use, or its documents are of a newer version; see [`opening::open`].
pub async fn migrate(args: &MigrateArgs) -> Result<ExitCode> {
    let settings = Settings::new(&args.server, Mode::Serving)?;
    let folder = match &settings.data {
        Data::Folder(path) if path.exists() => path,
        Data::Folder(path) => {
            let message = format!("there is no data folder {}: name it with --data DIR", path.display());
            return Err(Error::invalid("NoDataFolder", message));
        }
        Data::Memory => {
            let message = "a server in memory has nothing to upgrade: leave out --in-memory";
            return Err(Error::invalid("NoDataFolder", message));
        }
    };
    let data_dir = DataDir::take(folder)?;
    let options = store_options(&settings, Some(&data_dir), Arc::new(SystemClock)).await?;
    if args.dry_run {
        return survey(options, &settings.project).await;
    }
    let older = match (&args.backup, args.no_backup) {
        (Some(place), _) => Older::Upgrade(Backup::In(absolute(place)?)),
        (None, true) => Older::Upgrade(Backup::Without),
        (None, false) => Older::upgrade(&settings, Some(&data_dir)),
    };
    let store = opening::open(options, &settings.project, &older).await?;
    store.close().await?;
    say(&format!("The documents are of version {}.", crate::schema::VERSION))?;
    Ok(ExitCode::SUCCESS)
}

async fn survey(options: StoreOptions, project: &str) -> Result<ExitCode> {
    let store = Store::open(options).await?;
    let told = match Schema::new(&store, project) {
        Ok(schema) => schema.survey(&mut say).await,
        Err(error) => Err(error),
    };
    store.close().await?;
    told.map(|()| ExitCode::SUCCESS)
}

fn absolute(folder: &std::path::Path) -> Result<PathBuf> {
    std::path::absolute(folder)
        .map_err(|cause| Error::invalid("BadFolder", format!("{}: {cause}", folder.display())))
}
