//! Packs the cards of projects for tables that follow them, with the program `pack-cards`: the client's own code, run by
//! Node. One warm program serves all tables of the server, one after the other, and is sent only documents that changed
//! since it was last asked. It runs within limits of time and memory, as exports do, and owners take turns ([`turns`]).

mod documents;
mod turns;
mod warm;

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use docstore::Database;
use docstore::model::DocPath;
use futures::future::BoxFuture;
use tokio::process::Command;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};
use tuckbox_table::game_box::GameBox;

use self::turns::{Turn, Turns};
use self::warm::{Fault, Warm};
use super::export_deck::program::{Program, no_node};
use crate::project;
use crate::table::cards::{NotPacked, Packer};

/// Time after which a program without work ends.
const IDLE: Duration = Duration::from_secs(300);

/// Longest wait for the answer of Node to its version.
const PROBE: Duration = Duration::from_secs(10);

/// The packer of a server.
#[derive(Debug)]
pub(crate) struct CardPacker {
    database: Database,
    /// URL of the server from this machine: fonts of layouts are read from it.
    url: String,
    /// Folder of the program's copies.
    copies: PathBuf,
    /// True once Node was found.
    has_node: AtomicBool,
    turns: Turns,
    warm: Arc<Mutex<Option<Warm>>>,
}

impl CardPacker {
    /// Over documents of a database.
    pub(crate) fn new(database: Database, url: &str, copies: PathBuf) -> Self {
        let url = url.to_owned();
        let (has_node, turns) = (AtomicBool::new(false), Turns::default());
        Self { database, url, copies, has_node, turns, warm: Arc::default() }
    }

    async fn start(&self) -> Result<Warm, NotPacked> {
        let copies = self.copies.clone();
        let program = tokio::task::spawn_blocking(move || Program::prepare(&copies)).await;
        let program = program.map_err(|_| failed())?.map_err(|error| {
            tracing::error!("cards cannot be packed: {}", error.message());
            failed()
        })?;
        Warm::start(program, &self.url).await
    }

    /// Packs a project, with another program if the one that there was has ended meanwhile.
    async fn run(&self, project: &DocPath, components: &[String]) -> Result<GameBox, NotPacked> {
        let mut turn = self.turns.take(&self.owner(project).await?).await;
        match self.attempt(&mut turn, project, components).await {
            Err(Fault::Ended) => match self.attempt(&mut turn, project, components).await {
                Err(Fault::Ended) => {
                    tracing::error!(%project, "cards were not packed: the program ended twice");
                    Err(failed())
                }
                Err(Fault::Refused(why)) => Err(why),
                Ok(packed) => Ok(packed),
            },
            Err(Fault::Refused(why)) => Err(why),
            Ok(packed) => Ok(packed),
        }
    }

    /// The account that owns the project.
    async fn owner(&self, project: &DocPath) -> Result<String, NotPacked> {
        let found = self.database.get(std::slice::from_ref(project), None).await.map_err(|error| {
            tracing::warn!("a table's project cannot be read: {}", error.message());
            failed()
        })?;
        let found = found.value.into_iter().flatten().next();
        Ok(found.and_then(|found| project::owner(&found.fields).map(str::to_owned)).unwrap_or_default())
    }

    async fn attempt(
        &self,
        turn: &mut Turn,
        project: &DocPath,
        components: &[String],
    ) -> Result<GameBox, Fault> {
        let mut warm = self.warm.lock().await;
        // Only now, so that the documents of one project at a time are in memory.
        let found = documents::read(&self.database, project, components).await.map_err(Fault::Refused)?;
        if warm.as_mut().is_none_or(|warm| !warm.lives()) {
            *warm = Some(self.start().await.map_err(Fault::Refused)?);
            tokio::spawn(end_unused(Arc::clone(&self.warm)));
        }
        let running = warm.as_mut().ok_or(Fault::Ended)?;
        let began = Instant::now();
        let answer = running.ask(project, components, found).await;
        turn.ran(began);
        if answer.is_err() && !running.lives() {
            *warm = None;
        }
        answer
    }
}

/// Ends the program once it had no work for long.
async fn end_unused(warm: Arc<Mutex<Option<Warm>>>) {
    loop {
        sleep(IDLE).await;
        let mut warm = warm.lock().await;
        if warm.as_ref().is_none_or(|warm| warm.used() + IDLE <= Instant::now()) {
            *warm = None;
            return;
        }
    }
}

impl Packer for CardPacker {
    fn hindrance(&self) -> BoxFuture<'_, Option<String>> {
        Box::pin(async {
            if self.has_node.load(Ordering::Relaxed) {
                return None;
            }
            let mut node = Command::new("node");
            node.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            match timeout(PROBE, node.kill_on_drop(true).status()).await {
                Ok(Ok(status)) if status.success() => {
                    self.has_node.store(true, Ordering::Relaxed);
                    None
                }
                Ok(Err(error)) => {
                    tracing::warn!("tables do not follow their projects: {}", no_node(error).message());
                    Some(NO_NODE.to_owned())
                }
                _ => Some(NO_NODE.to_owned()),
            }
        })
    }

    fn pack<'a>(
        &'a self,
        project: &'a DocPath,
        components: &'a [String],
    ) -> BoxFuture<'a, Result<GameBox, NotPacked>> {
        Box::pin(self.run(project, components))
    }
}

const NO_NODE: &str =
    "This server has no Node.js, which packs changed cards. Whoever runs it can install Node.js 20 or newer.";

fn failed() -> NotPacked {
    NotPacked("The changed cards could not be packed; the server's log says why.".to_owned())
}
