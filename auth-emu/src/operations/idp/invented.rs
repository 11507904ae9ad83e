//! `/emulator/auth/provider`: the page of a simulated identity provider.
//!
//! In emulator mode nobody has an account at a real provider; on this page anybody may make one up.

use axum::extract::Query;
use axum::response::{Html, IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::error::{ApiError, Result};
use crate::validate;

/// Path of the page.
pub(crate) const PATH: &str = "/emulator/auth/provider";

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Visit {
    provider_id: String,
    redirect_uri: String,
    state: String,
}

pub(crate) async fn show(Query(visit): Query<Visit>) -> Response {
    match checked(&visit) {
        Ok(_) => Html(page(&visit, None)).into_response(),
        Err(error) => error.into_response(),
    }
}

pub(crate) async fn invent(Query(visit): Query<Visit>, form: String) -> Response {
    let mut url = match checked(&visit) {
        Ok(url) => url,
        Err(error) => return error.into_response(),
    };
    let said = |name: &str| {
        let found = url::form_urlencoded::parse(form.as_bytes()).find(|(key, _)| key == name);
        found.map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    let Ok(email) = validate::email(&said("email")) else {
        return Html(page(&visit, Some("Give an e-mail address such as ada@example.com."))).into_response();
    };
    // The same address gives the same person next time.
    let id = Sha256::digest(email.as_bytes()).iter().take(10).map(u8::to_string).collect::<String>();
    let mut claims = json!({ "sub": id, "email": email, "email_verified": true });
    let name = said("name");
    if !name.is_empty() {
        claims["name"] = json!(name);
    }
    let mut query = url.query_pairs_mut();
    query
        .append_pair("providerId", &visit.provider_id)
        .append_pair("state", &visit.state)
        .append_pair("id_token", &claims.to_string());
    if visit.provider_id.starts_with("saml.") {
        // SDKs read a SAML user's profile from the assertion; the claims only say who it is.
        let attributes = json!({ "email": email, "name": name });
        let assertion = json!({ "subject": { "nameId": email }, "attributeStatements": attributes });
        query.append_pair("SAMLResponse", &json!({ "assertion": assertion }).to_string());
    }
    drop(query);
    Redirect::to(url.as_str()).into_response()
}

fn checked(visit: &Visit) -> Result<Url> {
    let url = validate::continue_url(&visit.redirect_uri)?;
    if matches!(url.scheme(), "http" | "https") {
        Ok(url)
    } else {
        Err(ApiError::bad("INVALID_CONTINUE_URI"))
    }
}

fn page(visit: &Visit, problem: Option<&str>) -> String {
    let provider = escape(&visit.provider_id);
    let problem = problem.map(|problem| format!("<p role=\"alert\">{problem}</p>")).unwrap_or_default();
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Sign in with {provider}</title>\
         <style>body{{font:16px/1.5 system-ui,sans-serif;max-width:24rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}}\
         label{{display:block;margin:1rem 0 .25rem}}input,button{{font:inherit;width:100%;padding:.5rem;box-sizing:border-box}}\
         button{{margin-top:1.5rem}}[role=alert]{{color:#c92a2a}}</style>\
         <h1>{provider}</h1><p>This server runs for tests. Nobody is asked for a password: say who you are.</p>{problem}\
         <form method=\"post\"><label for=\"email\">E-mail</label>\
         <input id=\"email\" name=\"email\" type=\"email\" required autofocus>\
         <label for=\"name\">Name</label><input id=\"name\" name=\"name\" autocomplete=\"name\">\
         <button>Sign in</button></form></html>"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
