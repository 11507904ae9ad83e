//! Parts of the protocol that this server does not implement, and unknown paths.

use axum::extract::Request;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// Path prefixes, after the service's version, that the protocol has and this server does not implement.
const UNSUPPORTED: [&str; 10] = [
    "accounts:issueSamlResponse",
    "accounts:signInWithGameCenter",
    "accounts:verifyIosClient",
    "defaultSupportedIdps",
    "identityPlatform:initializeAuth",
    ":getIamPolicy",
    ":setIamPolicy",
    ":testIamPermissions",
    "relyingparty/signOutUser",
    "relyingparty/setProjectConfig",
];

pub(crate) async fn answer(request: Request) -> Response {
    let path = request.uri().path();
    match UNSUPPORTED.iter().find(|name| path.contains(**name)) {
        Some(name) => ApiError::not_implemented(format!(
            "{} is not implemented on this server.",
            name.trim_matches(':')
        )),
        None => ApiError::not_found("Not Found"),
    }
    .into_response()
}
