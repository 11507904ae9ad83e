//! `tuckbox export` and `tuckbox import`: all data to and from a folder, in the format of the official emulator suite.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use docstore::access::Mode;
use docstore::{Code, Error, Result};
use serde_json::{Value, json};

use super::say;
use crate::emulator::hub::locator_path;
use crate::host::data_dir::DataDir;
use crate::host::settings::{Data, ServerArgs, Settings};
use crate::schema::opening::Older;
use crate::server::services::Services;
use crate::transfer::{self, Moved, Parts};

/// The folder and the server's settings.
#[derive(Debug, clap::Args)]
pub struct MoveArgs {
    /// The export's folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    server: ServerArgs,
}

/// Exports all data: of the project's running server if it has a hub, else from the data folder.
///
/// # Errors
/// The data cannot be read, or the folder cannot be written.
pub async fn export(args: &MoveArgs) -> Result<ExitCode> {
    let settings = settings(args)?;
    let folder = absolute(&args.folder)?;
    // A hub is an emulator's, which keeps its data to itself.
    if settings.store.is_none()
        && let Some(hub) = running(&settings.project).await
    {
        let body = json!({ "path": folder, "initiatedBy": "tuckbox" });
        let failed = |what: String| Error::new(Code::Unavailable, "ExportFailed", what);
        let request = reqwest::Client::new().post(format!("{hub}/_admin/export")).json(&body);
        let answer = request.send().await.map_err(|cause| failed(format!("cannot reach {hub}: {cause}")))?;
        if !answer.status().is_success() {
            return Err(failed(answer.text().await.unwrap_or_default()));
        }
        say(&format!("The server at {hub} has written {}.", folder.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let moved =
        on_data(&settings, async |_, parts| transfer::export(parts, &settings.project, &folder, None).await);
    say(&format!("Written to {}: {}.", folder.display(), moved.await?))?;
    Ok(ExitCode::SUCCESS)
}

/// Imports an export into a stopped server's data folder.
///
/// # Errors
/// The folder is not an export, or the data folder is in use.
pub async fn import(args: &MoveArgs) -> Result<ExitCode> {
    let settings = settings(args)?;
    let folder = absolute(&args.folder)?;
    let moved = on_data(&settings, async |services, parts| {
        services.importing(&settings, transfer::import(parts, &settings.project, &folder)).await
    });
    say(&format!("Read from {}: {}.", folder.display(), moved.await?))?;
    Ok(ExitCode::SUCCESS)
}

fn settings(args: &MoveArgs) -> Result<Settings> {
    let server = ServerArgs { store: None, ..args.server.clone() };
    let mut settings = Settings::new(&server, Mode::Emulator)?;
    settings.store = settings.serving_store(&args.server)?;
    // The administrators' interface used here is open in this mode only; no port is opened.
    settings.mode = Mode::Emulator;
    Ok(settings)
}

fn absolute(folder: &Path) -> Result<PathBuf> {
    std::path::absolute(folder)
        .map_err(|cause| Error::invalid("BadFolder", format!("{}: {cause}", folder.display())))
}

async fn on_data(
    settings: &Settings,
    act: impl AsyncFnOnce(&Services, &Parts) -> Result<Moved>,
) -> Result<Moved> {
    let Data::Folder(path) = &settings.data else {
        return Err(Error::invalid(
            "NoDataFolder",
            "a server in memory has no data folder: leave out --in-memory, or use serve --import",
        ));
    };
    let data_dir = DataDir::take(path)?;
    let services =
        Services::open(settings, Some(&data_dir), "http://localhost", &Older::refuse(settings)).await?;
    let moved = match services.parts() {
        Ok(parts) => act(&services, &parts).await,
        Err(error) => Err(error),
    };
    services.close().await?;
    moved
}

/// Address of the hub of the project's running server, if it responds.
async fn running(project: &str) -> Option<String> {
    let text = std::fs::read(locator_path(project, &std::env::temp_dir())).ok()?;
    let locator: Value = serde_json::from_slice(&text).ok()?;
    let origin = locator.get("origins")?.get(0)?.as_str()?.to_owned();
    let answer = reqwest::get(format!("{origin}/emulators")).await.ok()?;
    answer.status().is_success().then_some(origin)
}
