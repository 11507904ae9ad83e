//! The emulator hub: lists the running services and their addresses.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use bytes::Bytes;
use docstore::access::Mode;
use docstore::{Code, Error, Result};
use http::header::ORIGIN;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use crate::VERSION;
use crate::functions::events::Events;
use crate::host::addresses::Addresses;
use crate::host::config::Service;
use crate::transfer;

/// Information served by the hub.
#[derive(Debug, Clone)]
pub struct Hub {
    addresses: Arc<Addresses>,
    mode: Mode,
    events: Option<Arc<Events>>,
    data: Option<Arc<Exported>>,
}

/// Data sources of an export.
#[derive(Debug)]
pub(crate) struct Exported {
    pub(crate) parts: transfer::Parts,
    pub(crate) project: String,
}

/// The body of `POST /_admin/export`.
#[derive(Debug, serde::Deserialize)]
struct ExportRequest {
    /// The folder to write to.
    path: PathBuf,
    /// Services to export, such as `firestore`; all by default.
    targets: Option<Vec<String>>,
}

impl Hub {
    /// A hub for these services.
    pub const fn new(addresses: Arc<Addresses>, mode: Mode) -> Self {
        Self { addresses, mode, events: None, data: None }
    }

    /// Adds control of background functions.
    #[must_use]
    pub(crate) fn with_events(mut self, events: Option<Arc<Events>>) -> Self {
        self.events = events;
        self
    }

    /// Adds exports.
    #[must_use]
    pub(crate) fn with_data(mut self, data: Exported) -> Self {
        self.data = Some(Arc::new(data));
        self
    }

    /// `GET /emulators` and control of background functions, on all ports: for emulator mode.
    pub fn router(self) -> Router {
        Router::new()
            .route("/emulators", get(emulators))
            .route("/functions/disableBackgroundTriggers", put(disable))
            .route("/functions/enableBackgroundTriggers", put(enable))
            .route("/_admin/export", post(export))
            .with_state(self)
    }

    /// True in emulator mode: only there is the list public.
    pub(crate) fn is_public(&self) -> bool {
        self.mode == Mode::Emulator
    }

    async fn switch(&self, enabled: bool) -> Response {
        if let Some(events) = &self.events {
            events.enable(enabled).await;
        }
        axum::Json(json!({ "enabled": enabled })).into_response()
    }

    /// The response to `GET /` on the hub's port, also the content of the locator file.
    pub fn locator(&self) -> Value {
        let address = self.addresses.of(Service::Hub);
        json!({
            "version": VERSION,
            "origins": [format!("http://{address}")],
            "host": address.ip().to_string(),
            "port": address.port(),
            "pid": std::process::id(),
        })
    }

    fn list(&self) -> BTreeMap<&'static str, Value> {
        let described = |service: Service| {
            let address = self.addresses.of(service);
            let listen = json!([{"address": address.ip().to_string(), "family": family(address), "port": address.port()}]);
            let name = service.key();
            (
                name,
                json!({"name": name, "host": address.ip().to_string(), "port": address.port(), "listen": listen}),
            )
        };
        // Every service is reachable: on the hosting port if it has none of its own. The Realtime Database's port refuses in
        // words, and tests that look for it here are to read them.
        let refuses = self.addresses.own(Service::Database).is_some();
        Service::ALL
            .into_iter()
            .filter(|service| refuses || *service != Service::Database)
            .map(described)
            .collect()
    }
}

const fn family(address: SocketAddr) -> &'static str {
    if address.is_ipv4() { "IPv4" } else { "IPv6" }
}

async fn emulators(State(hub): State<Hub>) -> Response {
    axum::Json(hub.list()).into_response()
}

async fn disable(State(hub): State<Hub>) -> Response {
    hub.switch(false).await
}

async fn enable(State(hub): State<Hub>) -> Response {
    hub.switch(true).await
}

/// Writes all data to a folder of this machine. Refused to web pages, which send an origin.
async fn export(State(hub): State<Hub>, headers: HeaderMap, body: Bytes) -> Response {
    let Some(data) = &hub.data else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if headers.contains_key(ORIGIN) {
        let message = json!({ "message": "Export cannot be triggered by external callers." });
        return (StatusCode::FORBIDDEN, axum::Json(message)).into_response();
    }
    let request: ExportRequest = match serde_json::from_slice(&body) {
        Ok(request) => request,
        Err(cause) => {
            let message = json!({ "message": format!("send {{\"path\": folder}}: {cause}") });
            return (StatusCode::BAD_REQUEST, axum::Json(message)).into_response();
        }
    };
    match transfer::export(&data.parts, &data.project, &request.path, request.targets.as_deref()).await {
        Ok(moved) => {
            tracing::info!("exported to {}: {moved}", request.path.display());
            axum::Json(json!({ "message": "OK" })).into_response()
        }
        Err(error) => {
            let status =
                StatusCode::from_u16(error.code().http()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            (status, axum::Json(json!({ "message": error.message() }))).into_response()
        }
    }
}

/// Path of the file by which other tools find a project's hub.
pub(crate) fn locator_path(project: &str, folder: &Path) -> PathBuf {
    folder.join(format!("hub-{project}.json"))
}

/// The file by which other tools find the hub, `hub-{project}.json` in the folder for temporary files. It is deleted
/// with this value.
#[derive(Debug)]
pub struct LocatorFile(PathBuf);

impl LocatorFile {
    /// Writes the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(hub: &Hub, project: &str, folder: &Path) -> Result<Self> {
        let path = locator_path(project, folder);
        std::fs::write(&path, hub.locator().to_string()).map_err(|cause| {
            let what = format!(
                "cannot write {}: {cause}; set TMPDIR to a folder that can be written",
                path.display()
            );
            Error::new(Code::FailedPrecondition, "LocatorUnwritable", what)
        })?;
        Ok(Self(path))
    }
}

impl Drop for LocatorFile {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.0) {
            tracing::debug!("cannot remove {}: {error}", self.0.display());
        }
    }
}
