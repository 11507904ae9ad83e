//! Orders of the operator to a running server, through the socket in the data folder.

use std::sync::Arc;

use auth_emu::AuthState;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use docstore::{Error, Result};
use http::StatusCode;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::watch;

use crate::backup::{Made, Order, Runner};
use crate::host::control::Answer;
use crate::host::settings::for_folders_alone;
use crate::host::words::{number_of, size};

/// The claim that admits to the administrators' pages.
const ADMIN_CLAIM: &str = "admin";

/// The command that asks for a backup.
pub(crate) const BACKUP_COMMAND: &str = "tuckbox backup";

/// Route of [`Order`].
pub(crate) const BACKUP: &str = "backup";
/// Route of [`AdminAction`].
pub(crate) const ADMIN: &str = "admin";

/// A change of an account.
#[derive(Debug, Clone, Serialize, Deserialize, clap::Subcommand)]
pub(crate) enum AdminAction {
    /// Make the account with this address an administrator (the claim `admin`)
    Grant {
        /// The account's e-mail address
        email: String,
    },
    /// Take it away again, and end the account's sessions
    Revoke {
        /// The account's e-mail address
        email: String,
    },
    /// Remove the second factors and recovery codes of an account whose owner has lost them, and end its sessions
    RemoveSecondFactor {
        /// The account's e-mail address
        email: String,
    },
}

impl AdminAction {
    /// Carries it out.
    ///
    /// # Errors
    /// There is no such account; those of the store.
    pub(crate) async fn act(&self, accounts: &AuthState) -> Result<Answer> {
        let said = match self {
            Self::Grant { email } => {
                accounts.grant_claim(email, ADMIN_CLAIM).await?;
                format!("{email} is an administrator from the next sign-in or token refresh on.")
            }
            Self::Revoke { email } => {
                accounts.revoke_claim(email, ADMIN_CLAIM).await?;
                format!("{email} is no administrator any more; all sessions of the account are ended.")
            }
            Self::RemoveSecondFactor { email } => {
                let removed = accounts.remove_second_factors(email).await?;
                let factors = number_of(removed as u64, "factor", "factors");
                format!(
                    "{email} has no second factor any more ({factors} removed); all sessions of the account are ended."
                )
            }
        };
        Ok(Answer { said, lacks: None })
    }
}

/// The answer to the order of a backup that is made.
pub(crate) fn answer(made: &Made) -> Answer {
    Answer { said: summary(made), lacks: missing_contents(made) }
}

fn summary(made: &Made) -> String {
    let manifest = &made.manifest;
    let mut text = format!(
        "Backup {} is in {}: {}, {} ({}), of which {} ({}) are new.",
        manifest.id,
        made.last.place,
        number_of(manifest.document_count(), "document", "documents"),
        number_of(manifest.files.count, "file content", "file contents"),
        size(manifest.files.bytes),
        manifest.copied.count,
        size(manifest.copied.bytes),
    );
    if made.removed > 0 {
        text.push_str(&format!(
            " {} removed.",
            number_of(made.removed, "older backup was", "older backups were")
        ));
    }
    text
}

/// Error for a backup that is made and lacks contents of files.
fn missing_contents(made: &Made) -> Option<String> {
    let lacking = &made.manifest.lacking;
    let first = lacking.first()?;
    Some(format!(
        "{} contents of files are missing or damaged in the data, so the backup lacks them, {first} among them: `tuckbox doctor --scrub` names damaged ones, and an older backup may have them",
        lacking.len()
    ))
}

/// Services that orders are carried out on.
#[derive(Debug, Clone)]
pub(super) struct OperatorState {
    pub(super) accounts: AuthState,
    /// None on a shared store.
    pub(super) backups: Option<Arc<Runner>>,
    /// Closed when the server stops.
    pub(super) stopping: watch::Receiver<()>,
}

/// The routes of the operator's socket.
pub(super) fn router(state: OperatorState) -> Router {
    Router::new()
        .route(&format!("/{BACKUP}"), post(make_backup))
        .route(&format!("/{ADMIN}"), post(administer))
        .with_state(state)
}

async fn make_backup(State(mut state): State<OperatorState>, body: Bytes) -> Response {
    let order = match read::<Order>(&body) {
        Ok(order) => order,
        Err(error) => return refusal(&error),
    };
    let Some(backups) = state.backups else { return refusal(&for_folders_alone(BACKUP_COMMAND)) };
    let made = tokio::select! {
        made = backups.run(order) => made,
        _ = state.stopping.changed() => {
            Err(Error::new(docstore::Code::Unavailable, "Stopping", "the server is stopping: run the command again"))
        }
    };
    match made {
        Ok(made) => Json(answer(&made)).into_response(),
        Err(error) => refusal(&error),
    }
}

async fn administer(State(state): State<OperatorState>, body: Bytes) -> Response {
    let done = match read::<AdminAction>(&body) {
        Ok(action) => action.act(&state.accounts).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(answer) => Json(answer).into_response(),
        Err(error) => refusal(&error),
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    serde_json::from_slice(body).map_err(|cause| {
        let message =
            format!("the server does not know this order, which may be of another version: {cause}");
        Error::invalid("UnknownOrder", message).with_source(cause)
    })
}

fn refusal(error: &Error) -> Response {
    (StatusCode::CONFLICT, Json(json!({ "error": error.message() }))).into_response()
}
