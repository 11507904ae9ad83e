//! The emulator's endpoints for rules: `PUT …:securityRules`, `GET …:ruleCoverage` and `GET …:ruleCoverage.html`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use docstore::access::SecurityRules;
use http::StatusCode;
use rules::Diagnostic;
use serde::Deserialize;
use serde_json::{Value, json};

use super::coverage_page;

/// Largest body of `PUT …:securityRules`, in bytes: rules of the largest size with every character escaped.
const MAX_BODY: usize = 2 * 1024 * 1024;

/// The endpoints; for emulator mode only, because they do not authenticate.
pub(crate) fn router(policy: Arc<SecurityRules>) -> Router {
    Router::new()
        .route("/emulator/v1/projects/{project}", get(coverage).put(replace))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(policy)
}

#[derive(Debug, Deserialize)]
struct Replace {
    rules: Files,
    #[serde(default, alias = "ignoreErrors")]
    ignore_errors: bool,
}

#[derive(Debug, Deserialize)]
struct Files {
    files: Vec<File>,
}

#[derive(Debug, Deserialize)]
struct File {
    name: Option<String>,
    content: String,
}

async fn replace(
    State(policy): State<Arc<SecurityRules>>,
    Path(target): Path<String>,
    // The official testing library sends JSON without its content type.
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let Some(project) = target.strip_suffix(":securityRules") else { return unknown(&target) };
    let body = match body {
        Ok(body) => body,
        Err(rejection) => return refusal(rejection.status(), &rejection.body_text()),
    };
    let Replace { rules, ignore_errors } = match serde_json::from_slice(&body) {
        Ok(body) => body,
        Err(error) => {
            return refusal(StatusCode::BAD_REQUEST, &format!("The body is not as expected: {error}"));
        }
    };
    let [file] = rules.files.as_slice() else {
        return refusal(StatusCode::BAD_REQUEST, "rules.files must hold exactly one file.");
    };
    let name = file.name.as_deref().unwrap_or("firestore.rules");
    match policy.set(project, &file.content) {
        Ok(warnings) if warnings.is_empty() => Json(json!({})).into_response(),
        Ok(warnings) => Json(issues(name, &warnings)).into_response(),
        Err(invalid) if ignore_errors => Json(issues(name, &invalid.diagnostics)).into_response(),
        Err(invalid) => refusal(StatusCode::BAD_REQUEST, &invalid.to_string()),
    }
}

fn issues(name: &str, diagnostics: &[Diagnostic]) -> Value {
    let issue = |diagnostic: &Diagnostic| {
        json!({
            "sourcePosition": {
                "fileName": name,
                "line": diagnostic.position.line,
                "column": diagnostic.position.column,
                "currentOffset": diagnostic.position.start_offset,
                "endOffset": diagnostic.position.end_offset,
            },
            "description": diagnostic.message,
            "severity": diagnostic.severity.as_str(),
        })
    };
    json!({"issues": diagnostics.iter().map(issue).collect::<Vec<_>>()})
}

async fn coverage(State(policy): State<Arc<SecurityRules>>, Path(target): Path<String>) -> Response {
    let as_page = target.strip_suffix(":ruleCoverage.html");
    let Some(project) = as_page.or_else(|| target.strip_suffix(":ruleCoverage")) else {
        return unknown(&target);
    };
    match policy.coverage(project) {
        Some(report) if as_page.is_some() => Html(coverage_page::page(&report)).into_response(),
        Some(report) => Json(report).into_response(),
        None => refusal(
            StatusCode::NOT_FOUND,
            &format!("Project {project} has no rules; PUT :securityRules first."),
        ),
    }
}

fn unknown(target: &str) -> Response {
    let message = format!(
        "{target} is no endpoint; known are PROJECT:securityRules, PROJECT:ruleCoverage and PROJECT:ruleCoverage.html."
    );
    refusal(StatusCode::NOT_FOUND, &message)
}

fn refusal(status: StatusCode, message: &str) -> Response {
    let name = if status == StatusCode::NOT_FOUND { "NOT_FOUND" } else { "INVALID_ARGUMENT" };
    let error = json!({"error": {"code": status.as_u16(), "message": message, "status": name}});
    (status, Json(error)).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use docstore::access::RulesOptions;
    use http::Request;
    use http_body_util::BodyExt as _;
    use tower_service::Service as _;

    use super::*;

    async fn ask(router: &mut Router, method: &str, target: &str, body: Value) -> (u16, Value) {
        let request = Request::builder()
            .method(method)
            .uri(format!("/emulator/v1/projects/{target}"))
            .body(Body::from(body.to_string()))
            .unwrap();
        let response = router.call(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap())
    }

    #[tokio::test]
    async fn rules_are_replaced_refused_and_reported() {
        let options = RulesOptions { coverage: true, ..RulesOptions::default() };
        let mut router = router(Arc::new(SecurityRules::new(options)));
        let files = |text: &str| json!({"rules": {"files": [{"name": "my.rules", "content": text}]}});
        let (status, body) = ask(&mut router, "GET", "p:ruleCoverage", Value::Null).await;
        assert_eq!((status, &body["error"]["status"]), (404, &json!("NOT_FOUND")));
        let good = "rules_version = '2'; service cloud.firestore { match /a { allow read: if true; } }";
        assert_eq!(ask(&mut router, "PUT", "p:securityRules", files(good)).await, (200, json!({})));
        let (status, body) =
            ask(&mut router, "PUT", "p:securityRules", files(&good.replace("true", "nope"))).await;
        assert_eq!(status, 200);
        assert_eq!(body["issues"][0]["description"], "Invalid variable name: nope.");
        assert_eq!(body["issues"][0]["sourcePosition"]["fileName"], "my.rules");
        assert_eq!(body["issues"][0]["sourcePosition"]["column"], 74);
        let (status, body) = ask(&mut router, "PUT", "p:securityRules", files("nonsense")).await;
        assert_eq!(status, 400);
        assert!(
            body["error"]["message"].as_str().unwrap().starts_with("Error compiling rules:\nL1:1 mismatched")
        );
        let mut lenient = files("nonsense");
        lenient["ignore_errors"] = json!(true);
        let (status, body) = ask(&mut router, "PUT", "p:securityRules", lenient).await;
        assert_eq!((status, &body["issues"][1]["severity"]), (200, &json!("ERROR")));
        let (status, body) = ask(&mut router, "GET", "p:ruleCoverage", Value::Null).await;
        assert_eq!((status, body["report"].as_array().unwrap().len()), (200, 1));
        assert_eq!(ask(&mut router, "PUT", "p:securityRules", json!({"rules": 1})).await.0, 400);
        assert_eq!(ask(&mut router, "PUT", "p:somethingElse", files(good)).await.0, 404);
    }
}
