//! Tokens that run out, or are revoked, while a stream is open.

use std::time::Duration;

use tokio::time::sleep;

use super::{Caller, Service};
use docstore::access;
use docstore::error::{Code, Error, Result};
use docstore::model::{DatabaseId, Ts};

/// Delay after a token's expiry before it is checked again, so that a rounded clock cannot keep it alive.
const MARGIN: Duration = Duration::from_secs(1);

/// Interval at which the token of an open stream is checked again; a revoked one may go on listening for this long.
const REVIEW: Duration = Duration::from_secs(30);

/// When the caller's token ends, for a caller with one; tokens without an end are never due.
pub(super) fn end_of(caller: &access::Caller) -> Option<Ts> {
    let access::Caller::User(auth) = caller else { return None };
    let seconds = auth.token.get("exp").and_then(serde_json::Value::as_u64);
    let micros = seconds.and_then(|seconds| seconds.checked_mul(1_000_000));
    Some(Ts::from_micros(micros.unwrap_or(u64::MAX)))
}

impl Service {
    /// Waits until the caller's token is refused, because it has ended or was revoked; forever where that never
    /// happens: callers without a token stay, and an emulator takes every token.
    pub(super) async fn token_refused(
        &self,
        caller: &Caller,
        database: &DatabaseId,
        end: Option<Ts>,
    ) -> Error {
        let Some(end) = end else { std::future::pending().await };
        loop {
            let left = end.micros().saturating_sub(self.store.clock().now().micros());
            let due = if left == 0 { REVIEW } else { Duration::from_micros(left).saturating_add(MARGIN) };
            sleep(REVIEW.min(due)).await;
            match self.caller(caller, database).await {
                // A failed lookup of the account says nothing about the token.
                Err(error) if error.code() == Code::Unauthenticated => return error,
                _ => {}
            }
        }
    }

    /// Refuses a caller whose token has ended or was revoked since the stream was opened.
    ///
    /// # Errors
    /// Those of the authenticator.
    pub(super) async fn still_holds(&self, caller: &Caller, database: &DatabaseId) -> Result<()> {
        self.caller(caller, database).await.map(drop)
    }
}
