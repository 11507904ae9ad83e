//! `tuckbox backup` and `tuckbox restore`.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use auth_emu::entropy::SystemEntropy;
use docstore::access::Mode;
use docstore::clock::SystemClock;
use docstore::{Code, Error, Result, Store};
use storage_emu::BlobOptions;
use storage_emu::blobs::Blobs;

use super::order::order;
use super::say;
use crate::backup::{
    self, BackupKey, LogCopies, Made, Manifest, Order, Purpose, Replayed, Restored, Source, Wanted,
    open_target, resolved, shown,
};
use crate::host::data_dir::DataDir;
use crate::host::settings::{Data, ServerArgs, Settings, working_dir};
use crate::host::words::number_of;
use crate::server::operator;
use crate::server::services::{blob_options, documents_folder, store_options};

/// The place of the backups, and the server's settings.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct BackupArgs {
    /// The folder of the backups, or s3://BUCKET/FOLDER[?endpoint=URL&region=NAME]; one that has none yet must be empty
    #[arg(value_name = "DIR", required = true)]
    folder: Option<PathBuf>,
    /// Encrypt the backups with the key in this file [default: tuckbox.backup.keyFile, or none]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    #[command(subcommand)]
    also: Option<Also>,
    /// Keep this many backups and remove the oldest ones [default: all]
    #[arg(long, value_name = "N")]
    keep: Option<NonZeroU32>,
    #[command(flatten)]
    server: ServerArgs,
}

/// Other work on backups.
#[derive(Debug, clap::Subcommand)]
enum Also {
    /// Make a key for encrypted backups and write it into a new file
    NewKey {
        /// The file, which must not be there yet
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

/// The backup, and where it goes.
#[derive(Debug, clap::Args)]
pub struct RestoreArgs {
    /// The folder of the backups, or s3://BUCKET/FOLDER[?endpoint=URL&region=NAME]
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The data folder to restore into, which must be empty or not there [default: that of the settings]
    #[arg(long, value_name = "DATA")]
    into: Option<PathBuf>,
    /// A backup by its name, or a time such as 2027-01-31T18:00:00Z or 2027-01-31: the newest backup made by then, with the copied commits up to it [default: everything]
    #[arg(long, value_name = "WHICH")]
    at: Option<String>,
    /// The folder of the copies of the log [default: tuckbox.backup.logTo, or none]
    #[arg(long, value_name = "LOG", conflicts_with = "no_log")]
    log: Option<PathBuf>,
    /// Restore the backup alone, without commits copied after it
    #[arg(long)]
    no_log: bool,
    /// The key file of encrypted backups [default: tuckbox.backup.keyFile, or none]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Only read the whole backup and compare it with its checksums
    #[arg(long, conflicts_with = "into")]
    verify: bool,
    /// No other server uses the bucket in tuckbox.files.s3: restore although it has contents of files
    #[arg(long)]
    bucket_is_free: bool,
    #[command(flatten)]
    server: ServerArgs,
}

/// Makes a backup: by the running server of the data folder if there is one, else of the folder itself.
///
/// # Errors
/// The data cannot be read, or the backup not be written.
pub async fn backup(args: &BackupArgs) -> Result<ExitCode> {
    if let Some(Also::NewKey { file }) = &args.also {
        return new_key(&working_dir()?.join(file));
    }
    let settings = Settings::new(&args.server, Mode::Serving)?;
    settings.without_store(operator::BACKUP_COMMAND)?;
    let data = data_folder(&settings)?;
    if !documents_folder(data).exists() {
        let message = format!(
            "{} is not a server's data folder: name one with --data DIR, or the server's firebase.json with --config FILE",
            data.display()
        );
        return Err(Error::new(Code::NotFound, "NoDataFolder", message));
    }
    let Some(folder) = &args.folder else {
        return Err(Error::invalid("NoFolder", "name the folder of the backups"));
    };
    let working_dir = working_dir()?;
    let key = key_file(args.key.as_deref(), &settings, &working_dir);
    let wanted = Order { folder: resolved(folder, &working_dir), keep: args.keep, key };
    let stopped = async |data_dir: &DataDir| {
        of_stopped(&settings, data_dir, wanted.clone()).await.map(|made| operator::answer(&made))
    };
    let answer = order(data, operator::BACKUP, &wanted, stopped).await?;
    say(&answer.said)?;
    match answer.lacks {
        None => Ok(ExitCode::SUCCESS),
        Some(lacks) => Err(Error::new(Code::DataLoss, "BackupLacks", lacks)),
    }
}

fn new_key(file: &Path) -> Result<ExitCode> {
    BackupKey::create(file, &SystemEntropy)?;
    say(&format!(
        "The key is in {}. Backups that are made with it cannot be restored without it: keep a copy in another place than the server and the backups.",
        file.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// The key file that was named, or else that of the configuration.
fn key_file(named: Option<&Path>, settings: &Settings, working_dir: &Path) -> Option<PathBuf> {
    let section = settings.config.firebase.tuckbox.backup.as_ref();
    let listed = section.and_then(|section| section.key_file.as_ref());
    let listed = listed.map(|file| settings.config.root.join(file));
    named.map(|file| working_dir.join(file)).or(listed)
}

async fn of_stopped(settings: &Settings, data_dir: &DataDir, order: Order) -> Result<Made> {
    let clock = Arc::new(SystemClock);
    let store = Store::open(store_options(settings, Some(data_dir), clock.clone()).await?).await?;
    let blobs = Blobs::open(&blob_options(settings, Some(data_dir.path())), clock.clone());
    let made = match blobs {
        Ok(blobs) => {
            let data = data_dir.path().to_owned();
            let source =
                Source { store: store.clone(), blobs, data, project: settings.project.clone(), clock };
            backup::make_once(source, order).await
        }
        Err(error) => Err(error),
    };
    store.close().await?;
    made
}

/// Restores a backup, or checks it.
///
/// # Errors
/// There is no such backup, it is not whole, or the data folder is not empty.
pub async fn restore(args: &RestoreArgs) -> Result<ExitCode> {
    let settings = Settings::new(&args.server, Mode::Serving)?;
    let working_dir = working_dir()?;
    let key = key_file(args.key.as_deref(), &settings, &working_dir);
    let read_key = || key.as_deref().map(BackupKey::read).transpose();
    let target = open_target(&resolved(&args.folder, &working_dir), Purpose::Read, read_key()?)?;
    let manifest = backup::chosen(&*target, args.at.as_deref())?;
    let place = target.place().to_owned();
    let log = match log_folder(args, &manifest, &settings, &working_dir) {
        Some(folder) => Some(log_copies(&folder, args, &manifest, read_key()?)?),
        None => None,
    };
    if args.verify {
        let mut text = format!("The backup {} in {place} is whole. {}", manifest.id, described(&manifest));
        if let Some(log) = &log {
            text.push_str(&format!(" {}", continued(log.reach(), log.target().place(), &manifest)));
        }
        backup::verify(target, manifest, log).await?;
        say(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let data = match &args.into {
        Some(into) => working_dir.join(into),
        None => data_folder(&settings)?.to_owned(),
    };
    let mut store = store_options(&settings, None, Arc::new(SystemClock)).await?;
    store.engine = docstore::EngineOptions::Disk {
        dir: documents_folder(&data),
        view: settings.config.firebase.tuckbox.documents.view.0,
    };
    let blobs = blob_options(&settings, Some(&data));
    let bucket = matches!(blobs, BlobOptions::S3(_));
    let wanted = Wanted {
        target,
        manifest,
        documents: documents_folder(&data),
        data: data.clone(),
        store,
        blobs,
        blobs_empty: bucket && !args.bucket_is_free,
        log,
    };
    let log_place = wanted.log.as_ref().map(|log| log.target().place().to_owned());
    let restored = backup::restore(wanted).await?;
    let log = restored.replayed.zip(log_place);
    say(&report(&restored, log, &place, &data, bucket, &settings.project))?;
    match lost(&restored) {
        None => Ok(ExitCode::SUCCESS),
        Some(lost) => Err(Error::new(Code::DataLoss, "RestoreLacks", lost)),
    }
}

/// Contents that are neither in the backup nor among the copies, in words. The backup has said which it lacks.
fn lost(Restored { manifest, lacking, .. }: &Restored) -> Option<String> {
    let lost: Vec<&String> = lacking.iter().filter(|key| !manifest.lacking.contains(key)).collect();
    let first = lost.first()?;
    let count = number_of(lost.len() as u64, "content of a file is", "contents of files are");
    Some(format!(
        "everything else is restored, but {count} in no copy, such as {first}: upload these files again"
    ))
}

/// The folder of the copies of the log that continue a backup; `None` to restore it alone.
fn log_folder(
    args: &RestoreArgs,
    manifest: &Manifest,
    settings: &Settings,
    working_dir: &Path,
) -> Option<PathBuf> {
    let named = args.log.as_ref().map(|folder| resolved(folder, working_dir));
    // A backup that is named is wanted as it is.
    let is_named = args.at.as_ref().is_some_and(|which| *which == manifest.id);
    let section = settings.config.firebase.tuckbox.backup.as_ref().filter(|_| !args.no_log && !is_named);
    let listed = section.and_then(|section| section.log_to.as_ref());
    named.or_else(|| listed.map(|folder| resolved(folder, &settings.config.root)))
}

fn log_copies(
    folder: &Path,
    args: &RestoreArgs,
    manifest: &Manifest,
    key: Option<BackupKey>,
) -> Result<LogCopies> {
    let target = open_target(folder, Purpose::ReadCopies, key).map_err(|error| {
        let message = format!("{}. --no-log restores the backup without copies of the log", error.message());
        Error::new(error.code(), error.tag(), message)
    })?;
    let until = args.at.as_deref().filter(|which| *which != manifest.id);
    let until = until.map(backup::time_named).transpose()?;
    LogCopies::after(target, docstore::model::Ts::from_micros(manifest.commit), until)
}

/// The commits after a backup in words.
fn continued(replayed: Replayed, place: &str, manifest: &Manifest) -> String {
    let reach = if replayed.until.micros() == manifest.commit {
        format!("The copies of the log in {place} have nothing after it.")
    } else {
        format!("The copies of the log in {place} continue it up to {}.", shown(replayed.until))
    };
    if replayed.gap {
        format!("{reach} Commits are missing there, so later ones are not restored.")
    } else {
        reach
    }
}

/// A backup's moment and contents in words.
fn described(manifest: &Manifest) -> String {
    let lacking = match manifest.lacking.len() {
        0 => String::new(),
        1 => " 1 content was missing or damaged when it was made, and is not in it.".to_owned(),
        count => format!(" {count} contents were missing or damaged when it was made, and are not in it."),
    };
    format!(
        "It shows the project {} at {}: {} in {}, {} of files with {}, and {}.{lacking}",
        manifest.project,
        shown(manifest.at()),
        number_of(manifest.document_count(), "document", "documents"),
        number_of(manifest.databases.len() as u64, "database", "databases"),
        number_of(manifest.files.count, "content", "contents"),
        number_of(manifest.files.bytes, "byte", "bytes"),
        number_of(manifest.small.len() as u64, "key or small file", "keys and small files"),
    )
}

fn report(
    restored: &Restored,
    log: Option<(Replayed, String)>,
    place: &str,
    data: &Path,
    bucket: bool,
    project: &str,
) -> String {
    let Restored { manifest, uploads, .. } = restored;
    let mut text = format!(
        "Restored the backup {} from {place} into {}, and counted everything. {} ",
        manifest.id,
        data.display(),
        described(manifest)
    );
    match log {
        Some((replayed, place)) => text.push_str(&continued(replayed, &place, manifest)),
        None => text.push_str("What was written later is not in it."),
    }
    if *uploads > 0 {
        text.push_str(&format!(" Uploads that were under way then were ended: {uploads}."));
    }
    if bucket {
        text.push_str(" The contents of files went to the bucket in tuckbox.files.s3.");
    }
    if manifest.project != project {
        text.push_str(&format!(
            " The settings are for the project {project}: start the server with --project {} to see these data.",
            manifest.project
        ));
    }
    text
}

fn data_folder(settings: &Settings) -> Result<&Path> {
    match &settings.data {
        Data::Folder(folder) => Ok(folder),
        Data::Memory => Err(Error::invalid(
            "NoDataFolder",
            "a server in memory has no data folder: leave out --in-memory, or name one with --data DIR",
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_backup_is_described_with_one_or_more() {
        let described_with = |count: u64, lacking: &[&str], small: bool| {
            let part = json!({"name": "part-1", "bytes": 1, "sha256": ""});
            let small = if small { vec![json!({"path": "keys/1.pem", "part": part})] } else { Vec::new() };
            let manifest = json!({
                "format": 1, "id": "20270131T180000Z", "program": "", "project": "demo",
                "time": 1_801_418_400_000_000_u64, "commit": 1, "documents": part, "contents": part,
                "databases": {"demo/(default)": count}, "files": {"count": count, "bytes": count},
                "copied": {"count": 0, "bytes": 0}, "lacking": lacking, "small": small
            });
            described(&serde_json::from_value(manifest).unwrap())
        };
        assert_eq!(
            described_with(1, &["a"], true),
            "It shows the project demo at 2027-01-31 18:00:00 UTC: 1 document in 1 database, 1 content of files with 1 byte, and 1 key or small file. 1 content was missing or damaged when it was made, and is not in it."
        );
        assert_eq!(
            described_with(2, &["a", "b"], false),
            "It shows the project demo at 2027-01-31 18:00:00 UTC: 2 documents in 1 database, 2 contents of files with 2 bytes, and 0 keys and small files. 2 contents were missing or damaged when it was made, and are not in it."
        );
    }
}
