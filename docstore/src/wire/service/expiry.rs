//! Tokens that run out while a stream is open.

use std::time::Duration;

use tokio::time::sleep;

use super::{Caller, Service};
use crate::access;
use crate::error::{Error, Result};
use crate::model::{DatabaseId, Ts};

/// How long after a token's last second it is looked at again, so that a clock's rounding cannot keep it alive.
const MARGIN: Duration = Duration::from_secs(1);

/// When the caller's token ends; callers without a token, and tokens without an end, have none.
pub(super) fn end_of(caller: &access::Caller) -> Option<Ts> {
    let access::Caller::User(auth) = caller else { return None };
    let seconds = auth.token.get("exp")?.as_u64()?;
    Some(Ts::from_micros(seconds.checked_mul(1_000_000)?))
}

impl Service {
    /// Waits until the caller's token has ended and is refused; forever where that never happens: an emulator takes
    /// tokens that have ended.
    pub(super) async fn token_refused(
        &self,
        caller: &Caller,
        database: &DatabaseId,
        mut end: Option<Ts>,
    ) -> Error {
        loop {
            let now = self.store.0.clock.now();
            match end {
                Some(end) if end > now => sleep(Duration::from_micros(end.micros() - now.micros())).await,
                Some(_) => {}
                None => std::future::pending().await,
            }
            sleep(MARGIN).await;
            end = match self.caller(caller, database).await {
                Ok(caller) => end_of(&caller).filter(|end| *end > self.store.0.clock.now()),
                Err(error) => return error,
            };
        }
    }

    /// Refuses a caller whose token has ended since the stream was opened.
    ///
    /// # Errors
    /// Those of the authenticator.
    pub(super) async fn still_holds(
        &self,
        caller: &Caller,
        database: &DatabaseId,
        end: Option<Ts>,
    ) -> Result<()> {
        if end.is_some_and(|end| end <= self.store.0.clock.now()) {
            self.caller(caller, database).await?;
        }
        Ok(())
    }
}
