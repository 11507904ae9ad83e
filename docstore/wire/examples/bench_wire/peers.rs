//! The servers that are measured.

use std::net::Ipv4Addr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt as _;
use docstore::access::{Caller, Mode};
use docstore::clock::SystemClock;
use docstore::{EngineOptions, Limits, Store, StoreOptions};
use docstore_wire::{Ids, WireState, health, router};
use tokio::process::{Child, Command};

use super::Outcome;

/// Google's emulator, as its Debian package installs it.
const JAR: &str = "/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar";
const MAIN: &str = "com.google.cloud.datastore.emulator.firestore.CloudFirestore";

/// Names of the servers.
pub(super) const REFERENCE: &str = "Google's emulator";
pub(super) const ON_DISK: &str = "tuckbox, disk";
pub(super) const IN_MEMORY: &str = "tuckbox, memory";

/// Interval between readiness checks of a starting server, and their largest number.
const ASK: (Duration, usize) = (Duration::from_millis(50), 600);

/// A kind of server.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Disk,
    Memory,
    Reference,
}

/// A running server; it ends when this is dropped.
pub(super) struct Peer {
    pub(super) name: &'static str,
    /// `http://HOST:PORT`.
    pub(super) base: String,
    _child: Child,
    _folder: tempfile::TempDir,
}

/// All kinds.
pub(super) fn all() -> [Kind; 3] {
    [Kind::Disk, Kind::Memory, Kind::Reference]
}

/// Starts a server; `None` where it is not installed.
pub(super) async fn start(kind: Kind) -> Outcome<Option<Peer>> {
    // Beside the project, not in a file system that is memory.
    let folder = tempfile::Builder::new().prefix("bench-wire-").tempdir_in(".")?;
    let port = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
    let (name, mut command) = match kind {
        Kind::Disk | Kind::Memory => {
            let mut command = Command::new(std::env::current_exe()?);
            let place = match kind {
                Kind::Disk => folder.path().display().to_string(),
                Kind::Memory | Kind::Reference => String::new(),
            };
            command.args(["--serve", &format!("{port},{place}")]);
            (if place.is_empty() { IN_MEMORY } else { ON_DISK }, command)
        }
        Kind::Reference if !Path::new(JAR).exists() => return Ok(None),
        Kind::Reference => {
            let mut command = Command::new("java");
            command.args(["-cp", JAR, MAIN, "--host", "127.0.0.1", "--port", &port.to_string()]);
            (REFERENCE, command)
        }
    };
    let Ok(child) = command.stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).spawn() else {
        return Ok(None);
    };
    let base = format!("http://127.0.0.1:{port}");
    let http = super::calls::client().build()?;
    for _ in 0..ASK.1 {
        if http.get(&base).send().await.is_ok_and(|response| response.status().is_success()) {
            return Ok(Some(Peer { name, base, _child: child, _folder: folder }));
        }
        tokio::time::sleep(ASK.0).await;
    }
    if matches!(kind, Kind::Reference) {
        // Measurements of the others are still useful.
        println!("{name} did not start and is left out");
        return Ok(None);
    }
    Err(format!("{name} did not start").into())
}

/// Serves on `PORT,FOLDER`; in memory when the folder is empty.
pub(super) async fn serve(at: &str) -> Outcome<()> {
    let (port, folder) = at.split_once(',').ok_or("--serve PORT,FOLDER")?;
    let engine = match folder {
        "" => EngineOptions::Memory,
        folder => EngineOptions::disk(folder),
    };
    let options = StoreOptions { engine, clock: Arc::new(SystemClock), limits: Limits::default() };
    let state = WireState {
        store: Store::open(options).await?,
        authenticator: Arc::new(Caller::Admin),
        mode: Mode::Emulator,
        ids: Ids::from_system(),
    };
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port.parse::<u16>()?)).await?;
    let listener = listener.tap_io(|connection| _ = connection.set_nodelay(true));
    Ok(axum::serve(listener, router(state)?.merge(health())).await?)
}
