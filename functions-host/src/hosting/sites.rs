//! The configured sites, each on a port of its own.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use docstore::Result;
use docstore::access::Mode;
use http::Request;
use http::header::HOST;

use super::Hosting;
use super::console::Console;
use super::init::{self, WebConfig};
use crate::functions::callable::Callables;
use crate::functions::node::NodeServer;
use crate::host::addresses::Addresses;
use crate::host::settings::{Settings, SiteNumber};

/// Serves every site, and the project's configuration for pages.
#[derive(Debug)]
pub struct Sites {
    web_config: WebConfig,
    first: Hosting,
    further: Vec<Hosting>,
}

impl Sites {
    /// The configured sites. The application may connect to the services' own ports; `history` is the identity of the
    /// documents' history.
    ///
    /// # Errors
    /// `hosting.public` of a site is not a folder.
    pub(crate) fn new(
        settings: &Settings,
        addresses: &Addresses,
        callables: &Arc<Callables>,
        node: Option<&Arc<NodeServer>>,
        history: Option<&str>,
    ) -> Result<Self> {
        let open = |rules| Hosting::new(settings, rules, addresses, callables, node);
        let mut sites = settings.sites.iter();
        let first = sites.next().cloned().unwrap_or_default();
        let console = (settings.mode == Mode::Emulator).then(|| Console::new(addresses.others()));
        Ok(Self {
            web_config: WebConfig::new(settings, history),
            first: open(&first)?.with_console(console),
            further: sites.map(open).collect::<Result<_>>()?,
        })
    }

    /// The routes; all other requests go to the site of the port they came in on.
    pub fn router(self) -> Router {
        Router::new()
            .route("/__/firebase/init.json", get(init_json))
            .route("/__/firebase/init.js", get(init_js))
            .fallback(serve)
            .with_state(Arc::new(self))
    }

    fn of(&self, SiteNumber(number): SiteNumber) -> &Hosting {
        number.checked_sub(1).and_then(|nth| self.further.get(nth)).unwrap_or(&self.first)
    }
}

async fn serve(State(sites): State<Arc<Sites>>, request: Request<Body>) -> Response {
    let number = request.extensions().get().copied().unwrap_or_default();
    sites.of(number).answer(request).await
}

async fn init_json(State(sites): State<Arc<Sites>>, request: Request<Body>) -> Response {
    let body = sites.web_config.json(host(&request));
    (init::HEADERS_JSON, body.to_string()).into_response()
}

async fn init_js(State(sites): State<Arc<Sites>>, request: Request<Body>) -> Response {
    let body = sites.web_config.script(host(&request), request.uri().query());
    (init::HEADERS_JS, body).into_response()
}

fn host(request: &Request<Body>) -> Option<&str> {
    let header = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    header.or_else(|| request.uri().authority().map(http::uri::Authority::as_str))
}
