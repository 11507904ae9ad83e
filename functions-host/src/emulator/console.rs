//! The console's own API, besides the public ones: the request log, the functions and their log, and a rules
//! playground. In emulator mode only, and only for this machine.

mod databases;
mod functions;
mod rules;
mod stream;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::middleware::from_fn;
use axum::routing::{get, post};
use docstore::access::SecurityRules;
use docstore::{Code, Error, Result, Store};
use storage_emu::{RulesAccess, StorageState};
use tokio::sync::Semaphore;

use crate::emulator::here_only;
use crate::emulator::request_log::RequestLog;
use crate::functions::callable::Callables;
use crate::functions::node::NodeServer;

/// Most concurrent streams.
const MAX_STREAMS: usize = 32;
/// Largest request body, in bytes: rules of the largest size, and the documents they are evaluated on.
const MAX_BODY: usize = 4 << 20;

/// Data sources of the routes.
#[derive(Debug)]
pub(crate) struct Console {
    pub(crate) project: String,
    pub(crate) store: Store,
    pub(crate) rules: Arc<SecurityRules>,
    pub(crate) files: StorageState,
    pub(crate) file_rules: Arc<RulesAccess>,
    pub(crate) callables: Arc<Callables>,
    pub(crate) node: Option<Arc<NodeServer>>,
    pub(crate) requests: Arc<RequestLog>,
}

#[derive(Debug, Clone)]
struct Shared {
    console: Arc<Console>,
    streams: Arc<Semaphore>,
}

/// The routes.
pub(crate) fn router(console: Console) -> Router {
    let shared = Shared { console: Arc::new(console), streams: Arc::new(Semaphore::new(MAX_STREAMS)) };
    let base = "/emulator/v1/projects/{project}";
    Router::new()
        .route(&format!("{base}/requests"), get(stream::requests))
        .route(&format!("{base}/logs"), get(stream::lines))
        .route(&format!("{base}/functions"), get(functions::list))
        .route(&format!("{base}/databases"), get(databases::list))
        .route(&format!("{base}/rules"), get(rules::text).put(rules::replace))
        .route(&format!("{base}/rules/try"), post(rules::attempt))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn(here_only))
        .with_state(shared)
}

impl Shared {
    /// The console, if `project` is this server's project.
    fn of(&self, project: &str) -> Result<&Arc<Console>> {
        if project == self.console.project {
            return Ok(&self.console);
        }
        let message = format!("This server serves the project {}, not {project}.", self.console.project);
        Err(Error::new(Code::NotFound, "OtherProject", message))
    }
}

type Asked = State<Shared>;
