//! The hub: which services run, and where.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, put};
use axum::{Extension, Router};
use docstore::{Code, Error, Result};
use http::StatusCode;
use serde_json::{Value, json};

use crate::VERSION;
use crate::addresses::Addresses;
use crate::config::Service;
use crate::events::Events;
use crate::settings::Mode;

/// What the hub tells.
#[derive(Debug, Clone)]
pub struct Hub {
    addresses: Arc<Addresses>,
    mode: Mode,
    events: Option<Arc<Events>>,
}

impl Hub {
    /// A hub for these services.
    pub const fn new(addresses: Arc<Addresses>, mode: Mode) -> Self {
        Self { addresses, mode, events: None }
    }

    /// Also switches background functions on and off.
    #[must_use]
    pub(crate) fn with_events(mut self, events: Option<Arc<Events>>) -> Self {
        self.events = events;
        self
    }

    /// `GET /emulators` and the switches of background functions. Only where it is wanted: on the hub's own port, or on all ports in emulator mode.
    pub fn router(self) -> Router {
        Router::new()
            .route("/emulators", get(emulators))
            .route("/functions/disableBackgroundTriggers", put(disable))
            .route("/functions/enableBackgroundTriggers", put(enable))
            .with_state(self)
    }

    /// Whether it answers on this port.
    fn is_here(&self, service: Service) -> bool {
        service == Service::Hub || self.mode == Mode::Emulator
    }

    async fn switch(&self, service: Service, enabled: bool) -> Response {
        if self.mode != Mode::Emulator || !self.is_here(service) {
            return StatusCode::NOT_FOUND.into_response();
        }
        if let Some(events) = &self.events {
            events.enable(enabled).await;
        }
        axum::Json(json!({ "enabled": enabled })).into_response()
    }

    /// What `GET /` answers on the hub's port, and what the locator file holds.
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
        // Every service is reachable, on the hosting port where it has none of its own.
        Service::ALL.into_iter().map(described).collect()
    }
}

const fn family(address: SocketAddr) -> &'static str {
    if address.is_ipv4() { "IPv4" } else { "IPv6" }
}

async fn emulators(State(hub): State<Hub>, Extension(service): Extension<Service>) -> Response {
    if !hub.is_here(service) {
        return StatusCode::NOT_FOUND.into_response();
    }
    axum::Json(hub.list()).into_response()
}

async fn disable(State(hub): State<Hub>, Extension(service): Extension<Service>) -> Response {
    hub.switch(service, false).await
}

async fn enable(State(hub): State<Hub>, Extension(service): Extension<Service>) -> Response {
    hub.switch(service, true).await
}

/// The file by which other tools find the hub, `hub-{project}.json` in the folder for temporary files. It goes
/// with the value.
#[derive(Debug)]
pub struct LocatorFile(PathBuf);

impl LocatorFile {
    /// Writes the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(hub: &Hub, project: &str, folder: &Path) -> Result<Self> {
        let path = folder.join(format!("hub-{project}.json"));
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
