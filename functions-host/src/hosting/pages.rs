//! The server's own pages.

use axum::response::{Html, IntoResponse, Response};
use http::StatusCode;
use http::header::CACHE_CONTROL;

/// A line of text.
pub(super) fn plain(status: StatusCode, text: &str) -> Response {
    (status, format!("{text}\n")).into_response()
}

/// Shown if the application was not built.
pub(super) fn client_missing() -> Response {
    let page = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tuckbox: the application is not built</title>
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{background:#8883;padding:.1em .3em;border-radius:.2em}</style>
<h1>The server runs; the application is not built</h1>
<p>Build it in the source folder, then reload this page (a release build of the server has to be built again after it):</p>
<pre><code>cd client
npm ci
npm run build</code></pre>
<p>Or run <code>./scripts/start</code>, which does all of it. Documents, accounts and functions are served already.</p>
</html>
"#;
    (StatusCode::SERVICE_UNAVAILABLE, [(CACHE_CONTROL, "no-store")], Html(page)).into_response()
}
