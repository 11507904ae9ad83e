//! `GET /emulator/action`: handles links from mails in emulator mode.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde_json::{Value, json};
use url::Url;

use crate::AuthState;
use crate::call::{Access, Call, begin};
use crate::error::{ApiError, Result};
use crate::operations::{password, update};
use crate::validate;
use crate::wire::{OobRequestType, ResetPasswordRequest, Text, UpdateRequest};

/// Result of opening a link.
enum Outcome {
    Message(StatusCode, Value),
    Redirect(String),
}

pub(crate) async fn act(State(state): State<AuthState>, request: Request) -> Response {
    match run(state, request).await {
        Ok(Outcome::Message(status, message)) => {
            (status, axum::Json(json!({ "authEmulator": message }))).into_response()
        }
        Ok(Outcome::Redirect(url)) => match HeaderValue::from_str(&url) {
            Ok(location) => (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response(),
            Err(error) => ApiError::internal(error).into_response(),
        },
        Err(error) => error.into_response(),
    }
}

async fn run(state: AuthState, request: Request) -> Result<Outcome> {
    let query: Vec<(String, String)> =
        url::form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes())
            .into_owned()
            .collect();
    let find = |name: &str| {
        query.iter().find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value.as_str())
    };
    for (name, example) in [("apiKey", "YOUR_API_KEY"), ("oobCode", "YOUR_OOB_CODE")] {
        if find(name).is_none() {
            return Ok(refused(json!({
                "error": format!("missing {name} query parameter"),
                "instructions": format!("Please modify the URL to specify {name}, such as ...&{name}={example}"),
            })));
        }
    }
    let (call, _) = begin(state, request, Access::Open).await?;
    let code = find("oobCode").unwrap_or_default();
    let next = find("continueUrl").filter(|url| validate::continue_url(url).is_ok());
    let confirmed = match find("mode") {
        Some("signIn") => return Ok(sign_in(&query, next)),
        Some("resetPassword") => return reset(call, code, find("newPassword"), next).await,
        Some("verifyEmail") => Confirmed {
            kind: OobRequestType::VerifyEmail,
            done: "The email has been successfully verified.",
            member: "email",
            purpose: "verify your email",
        },
        Some("verifyAndChangeEmail") => Confirmed {
            kind: OobRequestType::VerifyAndChangeEmail,
            done: "The email has been successfully changed.",
            member: "newEmail",
            purpose: "change your email",
        },
        Some("recoverEmail") => Confirmed {
            kind: OobRequestType::RecoverEmail,
            done: "The email has been successfully reset.",
            member: "email",
            purpose: "revert your email",
        },
        _ => return Ok(refused(json!({ "error": "Invalid mode" }))),
    };
    apply(call, code, next, &confirmed).await
}

/// Page texts for a link that asks for confirmation.
struct Confirmed {
    kind: OobRequestType,
    done: &'static str,
    /// Name of the reply's member with the address.
    member: &'static str,
    purpose: &'static str,
}

fn refused(message: Value) -> Outcome {
    Outcome::Message(StatusCode::BAD_REQUEST, message)
}

/// The app uses the code: it is passed on with all other parameters.
fn sign_in(query: &[(String, String)], next: Option<&str>) -> Outcome {
    let Some(mut url) = next.and_then(|next| Url::parse(next).ok()) else {
        return refused(json!({
            "error": "Missing continueUrl query parameter",
            "instructions": "To sign in, append &continueUrl=YOUR_APP_URL to the link.",
        }));
    };
    let ours = query.iter().filter(|(name, _)| name != "continueUrl");
    let is_ours = |name: &str| query.iter().any(|(known, _)| known == name && known != "continueUrl");
    let theirs: Vec<_> = url.query_pairs().into_owned().filter(|(name, _)| !is_ours(name)).collect();
    url.query_pairs_mut().clear().extend_pairs(theirs).extend_pairs(ours);
    Outcome::Redirect(url.into())
}

async fn apply(call: Call, code: &str, next: Option<&str>, confirmed: &Confirmed) -> Result<Outcome> {
    let stale = || {
        let purpose = confirmed.purpose;
        refused(json!({
            "error": format!("Your request to {purpose} has expired or the link has already been used."),
            "instructions": "Ask for a new link.",
        }))
    };
    match call.code(Some(code)).await {
        Ok(found) if found.kind == confirmed.kind => {}
        _ => return Ok(stale()),
    }
    let request = UpdateRequest { oob_code: Some(Text(code.to_owned())), ..UpdateRequest::default() };
    match update::by_code(call, request).await {
        Ok(reply) => Ok(match next {
            Some(next) => Outcome::Redirect(next.to_owned()),
            None => {
                let member = confirmed.member;
                Outcome::Message(StatusCode::OK, json!({ "success": confirmed.done, member: reply[member] }))
            }
        }),
        Err(error) if error.message() == "INVALID_OOB_CODE" => Ok(stale()),
        Err(error) => Err(error),
    }
}

async fn reset(call: Call, code: &str, password: Option<&str>, next: Option<&str>) -> Result<Outcome> {
    let found = match call.code(Some(code)).await {
        Ok(found) if found.kind == OobRequestType::PasswordReset => found,
        _ => {
            return Ok(refused(json!({
                "error": "Your request to reset your password has expired or the link has already been used.",
                "instructions": "Try resetting your password again.",
            })));
        }
    };
    let Some(password) = password.filter(|password| *password != "NEW_PASSWORD_HERE") else {
        return Ok(refused(json!({
            "error": "missing newPassword query parameter",
            "instructions": format!("To reset the password for {}, append &newPassword=… to the link.", found.record.email),
        })));
    };
    let request = ResetPasswordRequest {
        oob_code: Some(Text(code.to_owned())),
        new_password: Some(Text(password.to_owned())),
        ..ResetPasswordRequest::default()
    };
    let reply = password::reset(call, request).await?;
    Ok(match next {
        Some(next) => Outcome::Redirect(next.to_owned()),
        None => Outcome::Message(
            StatusCode::OK,
            json!({ "success": "The password has been successfully updated.", "email": reply["email"] }),
        ),
    })
}
