//! Listing of the databases.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::Asked;
use crate::functions::events::failed;

/// `GET …/databases`: names of the project's databases, the default one first, without reserved ones.
pub(super) async fn list(State(shared): Asked, Path(project): Path<String>) -> Response {
    let console = match shared.of(&project) {
        Ok(console) => console,
        Err(error) => return failed(&error),
    };
    match console.store.databases(&project).await {
        Ok(found) => {
            let mut names = vec!["(default)".to_owned()];
            let others = found.iter().map(|id| id.database.to_string());
            names.extend(others.filter(|name| name != "(default)" && !name.starts_with("__")));
            Json(json!({ "databases": names })).into_response()
        }
        Err(error) => failed(&error),
    }
}
