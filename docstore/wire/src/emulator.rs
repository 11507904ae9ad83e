//! The endpoints that only the emulator has.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::delete;
use http::header::CONTENT_TYPE;

use super::convert;
use super::rest::failure;
use super::status::to_status;
use docstore::model::DatabaseId;
use docstore::store::Store;

#[derive(Clone)]
struct Emulator {
    store: Store,
}

/// `DELETE /emulator/v1/projects/{p}/databases/{d}/documents`: forgets every document of a database. Like the
/// emulator's own it asks for no token.
pub(super) fn router(store: Store) -> Router {
    Router::new()
        .route("/emulator/v1/projects/{project}/databases/{database}/documents", delete(clear))
        .with_state(Emulator { store })
}

async fn clear(
    State(emulator): State<Emulator>,
    Path((project, database)): Path<(String, String)>,
) -> Response {
    let clear = async {
        let id = convert::database(&DatabaseId::new(&project, &database).to_string())?;
        emulator.store.database(&id).clear().await
    };
    match clear.await {
        Ok(()) => ([(CONTENT_TYPE, "application/json")], "{}").into_response(),
        Err(error) => failure(&to_status(&error)),
    }
}
