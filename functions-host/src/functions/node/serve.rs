//! Requests to users' functions: routing, and the responses to failures.

use std::path::PathBuf;
use std::sync::Arc;

use auth_emu::OperatorToken;
use axum::body::Body;
use axum::response::Response;
use docstore::access::Mode;
use docstore::clock::SharedClock;
use docstore::{Code, Error, Result};
use http::{Request, StatusCode};

use super::reload::{Source, follow};
use super::{Endpoint, FunctionLog, Kind, NodeFunctions, NodeOptions};
use crate::DEFAULT_REGION;
use crate::functions::callable::{Address, Callables};
use crate::host::addresses::Addresses;
use crate::host::config::FunctionsSection;
use crate::host::environment;
use crate::host::settings::Settings;

/// Default folder of functions.
const DEFAULT_SOURCE: &str = "functions";

/// The configured folders of functions for Node.js.
pub(super) fn sources(settings: &Settings) -> impl Iterator<Item = PathBuf> {
    let folder = move |FunctionsSection { source, .. }: &FunctionsSection| {
        settings.config.root.join(source.as_deref().unwrap_or_else(|| DEFAULT_SOURCE.as_ref()))
    };
    settings.config.firebase.functions.iter().filter(|section| section.is_node()).map(folder)
}

/// The functions of every configured source.
#[derive(Debug)]
pub(crate) struct NodeServer {
    pub(super) project: String,
    pub(super) sources: Vec<Arc<Source>>,
    log: Arc<FunctionLog>,
    serving: bool,
}

impl NodeServer {
    /// Loads the sources; `None` if there are none or functions are disabled. In emulator mode a source that does not
    /// load starts once it is mended.
    ///
    /// # Errors
    /// A source does not load in serving mode; with its own output.
    pub(crate) async fn load(
        settings: &Settings,
        addresses: &Addresses,
        clock: SharedClock,
        operator: Option<&OperatorToken>,
    ) -> Result<Option<Self>> {
        if sources(settings).next().is_none() || !settings.functions {
            return Ok(None);
        }
        let serving = settings.mode == Mode::Serving;
        if serving && !settings.serves_functions() {
            tracing::warn!(
                "the functions in firebase.json do not run in serving mode, because they may read and write all data: \
                 {{\"tuckbox\": {{\"functions\": {{\"serve\": true}}}}}} allows it"
            );
            return Ok(None);
        }
        let log = Arc::new(FunctionLog::new(clock));
        let mut variables = environment::variables(addresses, settings);
        // With the first the Admin SDK would accept unsigned tokens.
        let emulators_only = ["FIREBASE_AUTH_EMULATOR_HOST", "FIREBASE_EMULATOR_HUB"];
        variables.retain(|(name, _)| !serving || !emulators_only.contains(name));
        let mut loaded = Vec::new();
        for (nth, source) in sources(settings).enumerate() {
            let nth = u16::try_from(nth).unwrap_or(u16::MAX);
            let options = NodeOptions {
                node: "node".into(),
                source,
                project: settings.project.clone(),
                services: variables.clone(),
                workers: None,
                log: Arc::clone(&log),
                operator: operator.cloned(),
                inspect: settings.launch.inspect.map(|port| port.saturating_add(nth)),
            };
            loaded.push(Arc::new(Source::load(options, serving).await?));
        }
        Ok(Some(Self { project: settings.project.clone(), sources: loaded, log, serving }))
    }

    /// Reloads the sources whenever their files change; `changed` is called after each reload.
    pub(crate) fn follow(&self, changed: &Arc<dyn Fn() + Send + Sync>) {
        for source in &self.sources {
            tokio::spawn(follow(Arc::downgrade(source), Arc::clone(changed)));
        }
    }

    /// The functions' log.
    pub(crate) fn log(&self) -> &Arc<FunctionLog> {
        &self.log
    }

    /// True if there is such a function and it answers requests.
    pub(crate) fn has(&self, address: Address<'_>) -> bool {
        self.find(address).is_some()
    }

    fn find(&self, Address { region, name }: Address<'_>) -> Option<(Arc<NodeFunctions>, Arc<Endpoint>)> {
        self.sources.iter().find_map(|source| {
            let source = source.functions()?;
            let endpoint = Arc::clone(source.endpoints.get(name)?);
            let here = match endpoint.region.as_slice() {
                [] => region == DEFAULT_REGION,
                regions => regions.iter().any(|one| one == region),
            };
            // Blocking functions are for the accounts service alone, which cannot be told from other callers here.
            let open = !(self.serving && endpoint.blocking_trigger.is_some());
            (here && open && endpoint.kind() != Kind::Background).then_some((source, endpoint))
        })
    }

    /// The first region of the function with this name, if it answers requests.
    pub(crate) fn region_of(&self, name: &str) -> Option<String> {
        let (_, endpoint) = self.function(name)?;
        Some(endpoint.first_region().to_owned()).filter(|_| endpoint.kind() != Kind::Background)
    }

    /// Passes a request to the function at `address`.
    pub(crate) async fn serve(
        &self,
        address: Address<'_>,
        callables: &Callables,
        request: Request<Body>,
    ) -> Response {
        let path = self.rest(&request);
        self.serve_at(address, &path, callables, request).await
    }

    /// Like [`Self::serve`], with `path` (and query) as the function's path.
    pub(crate) async fn serve_at(
        &self,
        address: Address<'_>,
        path: &str,
        callables: &Callables,
        request: Request<Body>,
    ) -> Response {
        let Some((source, endpoint)) = self.find(address) else {
            return plain(&Error::new(Code::NotFound, "NoFunction", "there is no such function"));
        };
        if endpoint.kind() == Kind::Https {
            let answered = source.call(&endpoint, path, request).await;
            return answered.unwrap_or_else(|error| plain(&error));
        }
        let (mut parts, body) = request.into_parts();
        if self.serving {
            // Attestations cannot be verified here, and workers would trust the host for it.
            parts.headers.remove("x-firebase-appcheck");
        }
        if let Some(refused) = callables.answer_early(&parts).await {
            return refused;
        }
        let head = parts.clone();
        let answered = source.call(&endpoint, path, Request::from_parts(parts, body)).await;
        answered.map_or_else(
            |error| callables.fail(address, &head, error),
            |response| Callables::relay(&head, response),
        )
    }

    /// Kills all workers.
    pub(crate) fn stop(&self) {
        for source in &self.sources {
            if let Some(functions) = source.functions() {
                functions.stop();
            }
        }
    }

    /// The path as the function sees it: the part after its name, and the query.
    fn rest(&self, request: &Request<Body>) -> String {
        let path = request.uri().path();
        let first = path.split('/').nth(1).unwrap_or_default();
        let by_path = first.strip_suffix(self.project.as_str()).is_some_and(|region| region.ends_with('-'));
        let named = match (first == self.project, by_path) {
            (true, _) => 3,
            (false, true) => 2,
            (false, false) => 1,
        };
        let rest = path.splitn(named + 2, '/').nth(named + 1).unwrap_or_default();
        let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
        format!("/{rest}{query}")
    }
}

fn plain(error: &Error) -> Response {
    let mut response = Response::new(Body::from(format!("{}\n", error.message())));
    *response.status_mut() =
        StatusCode::from_u16(error.code().http()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response
}
