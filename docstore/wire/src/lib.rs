//! The Firestore protocol: one service, three transports.
//!
//! `service` implements the generated `google.firestore.v1.Firestore` trait over the database. gRPC serves it as
//! it is; REST and WebChannel call it in-process (`rpc`) with messages transcoded from JSON by the
//! descriptor set (`schema`, `json`).

mod body;
mod convert;
mod cors;
mod emulator;
#[doc(hidden)]
pub mod fuzz;
mod ids;
mod json;
mod metadata;
pub mod pb;
mod rest;
mod rpc;
mod schema;
mod service;
mod status;
mod template;
mod webchannel;

use std::fmt;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::routing::{any, get};

use cors::CORS;
use docstore::access::{Authenticator, Mode};
use docstore::budget::Budget;
use docstore::error::Result;
use docstore::model::{DatabaseId, DocPath, Document, Fields, Query};
use docstore::store::Store;
use pb::v1::firestore_server::FirestoreServer;
use schema::{SERVICE, Schema};
use service::Service;
use webchannel::Sessions;

pub use body::MAX_BODIES_BYTES;
pub use ids::Ids;

/// The largest request message, in bytes: Firestore's limit of 10 MiB for a request, and as much again as
/// base64 and JSON may add to it.
pub const MAX_MESSAGE_BYTES: usize = 16 * 1024 * 1024;

/// The parts of the service.
#[derive(Clone)]
pub struct WireState {
    /// The databases.
    pub store: Store,
    /// Authenticates callers.
    pub authenticator: Arc<dyn Authenticator>,
    /// Enables the emulator's endpoints.
    pub mode: Mode,
    /// Source of random ids.
    pub ids: Ids,
}

impl fmt::Debug for WireState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireState").field("mode", &self.mode).finish_non_exhaustive()
    }
}

/// A document as the protocol's message, all fields included.
pub fn document_message(database: &DatabaseId, document: Document) -> pb::v1::Document {
    convert::document::from_document(database, document, None)
}

/// Fields as the protocol's message of a document without a name: the same bytes for the same fields.
pub fn fields_message(fields: Fields) -> pb::v1::Document {
    pb::v1::Document { fields: convert::value::from_fields(fields), ..pb::v1::Document::default() }
}

/// Reads the fields of the protocol's message of a document.
///
/// # Errors
/// A value is none, or breaks a limit.
pub fn message_fields(message: pb::v1::Document) -> Result<Fields> {
    convert::value::to_fields(message.fields)
}

/// Reads a document's fields from the protocol's JSON, such as `{"n": {"integerValue": "1"}}`.
///
/// # Errors
/// They are not the protocol's, or break a limit.
pub fn fields_from_json(fields: &serde_json::Value) -> Result<Fields> {
    let body = serde_json::json!({ "fields": fields });
    let document: pb::v1::Document = json::message("google.firestore.v1.Document", &body)?;
    convert::value::to_fields(document.fields)
}

/// Reads a `StructuredQuery` below `parent` from the protocol's JSON.
///
/// # Errors
/// It is not the protocol's, or asks for something impossible.
pub fn query_from_json(
    database: &DatabaseId,
    parent: Option<DocPath>,
    query: &serde_json::Value,
) -> Result<Query> {
    convert::query::to_query(database, parent, json::message("google.firestore.v1.StructuredQuery", query)?)
}

/// The one service as gRPC serves it.
type Server = FirestoreServer<Service>;

/// State shared by the transports.
struct Transports {
    schema: Schema,
    server: Server,
    sessions: Arc<Sessions>,
    /// Memory of all request bodies.
    bodies: Arc<Budget>,
    ids: Ids,
}

/// All routes of the protocol, by absolute path: gRPC and WebChannel below `/google.firestore.v1.Firestore`, REST
/// below `/v1/projects`, and in emulator mode the database part of `/emulator/v1`.
///
/// # Errors
/// `Internal` when the descriptors that are built in cannot be read.
pub fn router(state: WireState) -> Result<Router> {
    let WireState { store, authenticator, mode, ids } = state;
    let service = Service::new(store.clone(), authenticator, ids.clone());
    let server = Server::new(service)
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .max_encoding_message_size(usize::MAX);
    let bodies = Budget::new(MAX_BODIES_BYTES);
    let transports = Arc::new(Transports {
        schema: Schema::load()?,
        server: server.clone(),
        sessions: Arc::new(Sessions::new(store.stream_bytes())),
        bodies: bodies.clone(),
        ids,
    });
    let mut browsers = Router::new().route("/v1/projects/{*path}", any(rest::handle));
    let mut streams = Router::new();
    for method in transports.schema.streams() {
        let answer = {
            let method = method.clone();
            move |State(transports), request| webchannel::handle(transports, method.clone(), request)
        };
        let path = format!("/{SERVICE}/{}", method.name());
        browsers = browsers.route(&format!("{path}/channel"), any(answer));
        streams = streams.route_service(&path, server.clone());
    }
    let mut browsers = browsers.with_state(transports);
    if mode == Mode::Emulator {
        browsers = browsers.merge(emulator::router(store));
    }
    let grpc = Router::new()
        .route_service(&format!("/{SERVICE}/{{*method}}"), server)
        .layer(from_fn_with_state(bodies.clone(), body::as_whole))
        .merge(streams.layer(from_fn_with_state(bodies, body::as_messages)))
        .layer(map_response(status::blame));
    Ok(browsers.layer(from_fn(|request, next| CORS.layer(request, next))).merge(grpc))
}

/// `GET /` as the emulator answers it on its own port: a sign of life.
pub fn health() -> Router {
    Router::new().route("/", get(|| async { "Ok\n" }))
}

#[cfg(test)]
mod tests;
