//! Request headers that become metadata of a call.

use http::HeaderMap;

/// The request headers that are passed on to the service.
pub(super) fn metadata(headers: &HeaderMap) -> HeaderMap {
    headers
        .iter()
        .filter(|(name, _)| is_metadata(name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// True if the service reads this header.
pub(super) fn is_metadata(name: &str) -> bool {
    matches!(name, "authorization" | "google-cloud-resource-prefix")
        || name.starts_with("x-goog-")
        || name.starts_with("x-firebase-")
}
