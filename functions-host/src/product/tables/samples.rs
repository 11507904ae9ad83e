//! Sample tables: `openSampleTable` and `joinSampleTable`. Anybody opens one, with an account or without, and its address
//! is the invitation. An hour later it is forgotten, with the accounts that were made for it.

use std::net::IpAddr;
use std::sync::Arc;

use auth_emu::AuthState;
use docstore::database::Database;
use docstore::model::{Timestamp, Ts};
use docstore::{Code, Error};
use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;

use super::playtests::{person_name, refused};
use crate::functions::callable::{AuthContext, CallError, Context, Function};
use crate::hosting;
use crate::product::guest_accounts::{self, address_of};
use crate::product::{site, subtree};
use crate::table::admission::Admission;
use crate::table::guesses::Guesses;
use crate::table::messages::Refused;
use crate::table::samples::{NotOpened, Sample, SampleGame};
use crate::table::{LiveTables, SAMPLE_PEOPLE, SAMPLE_SWEEP};

/// The game, in the built-in application.
const GAME: &str = "sample-table.json";

/// Name of an account that is made for a visitor. At the table they have the name of their seat.
const VISITOR: &str = "Visitor";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Opened {
    table: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Join {
    table: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Joined {
    /// Name of the game.
    name: String,
    /// Milliseconds until the table goes: clocks of browsers differ.
    lasts: i64,
    /// For callers without an account: a custom token to sign in with as the guest that was made for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

/// Dependencies of the functions.
#[derive(Debug, Clone)]
struct SampleTables {
    database: Database,
    accounts: AuthState,
    live: LiveTables,
    guesses: Arc<Guesses>,
    game: Arc<OnceCell<Arc<SampleGame>>>,
}

/// The functions over `database`, `accounts` and `live`. `guesses` counts the accounts that are made for an address, those
/// for codes among them.
pub(in crate::product) fn functions(
    database: &Database,
    accounts: &AuthState,
    live: &LiveTables,
    guesses: &Arc<Guesses>,
) -> [Function; 2] {
    let tables = SampleTables {
        database: database.clone(),
        accounts: accounts.clone(),
        live: live.clone(),
        guesses: Arc::clone(guesses),
        game: Arc::default(),
    };
    let shared = tables.clone();
    let open = Function::new("openSampleTable", move |context: Context, Open {}: Open| {
        let tables = shared.clone();
        async move { tables.open(address_of(&context)).await }
    });
    let join = Function::new("joinSampleTable", move |context: Context, request: Join| {
        let tables = tables.clone();
        async move { tables.join(context.auth.as_ref(), address_of(&context), &request.table).await }
    });
    [open.admit_guests(), join.admit_guests()]
}

impl SampleTables {
    async fn open(&self, address: Option<IpAddr>) -> Result<Opened, CallError> {
        self.check_switch().await?;
        let game = self.game().await?;
        let opened = self.live.open_sample(&game, address).await;
        let too_many = |message: &str| CallError::new(Code::ResourceExhausted, message);
        let table = opened.map_err(|why| match why {
            NotOpened::OfAddress => too_many(
                "Three sample tables are open from your network, which is the most. Each goes an hour after it was \
                 opened: come to one of them by its link, or wait.",
            ),
            NotOpened::InAll => too_many(
                "This server has no room for another sample table now. Each goes an hour after it was opened: try again \
                 in a few minutes.",
            ),
            NotOpened::Failed(error) => {
                tracing::warn!("a sample table was not made: {error}");
                CallError::new(Code::Unavailable, "The table could not be made. Try again.")
            }
        })?;
        Ok(Opened { table })
    }

    /// Lets somebody in and sits them down, if a seat is free. Whoever was there before is let in again.
    async fn join(
        &self,
        user: Option<&AuthContext>,
        address: Option<IpAddr>,
        table: &str,
    ) -> Result<Joined, CallError> {
        self.check_switch().await?;
        let sample = self.live.sample(table).await?.ok_or_else(|| refused(Refused::Gone))?;
        let (uid, token) = match user {
            Some(user) => (user.uid.clone(), None),
            None => {
                let (uid, token) = self.new_guest(table, address, sample.ends).await?;
                (uid, Some(token))
            }
        };
        let is_guest = user.is_none_or(AuthContext::is_guest);
        if is_guest && token.is_none() {
            self.live.admissions().note_sample_guest(&uid, sample.ends).await?;
        }
        let name = user.and_then(own_name);
        let join = |admission: &mut Admission, _: &str| {
            check_room(admission, &uid)?;
            let name = name.as_deref().unwrap_or(VISITOR);
            admission.join(&uid, name, is_guest, false).map_err(|_| full())
        };
        let (admission, _) = self.live.admissions().change(table, join).await?;
        self.live.tell_admission(table, admission).await;
        // Whoever has no seat yet watches, and takes one there. Refused now, an account that was just made would be lost.
        if let Err(error) = self.sit_down(table, &uid, name.as_deref()).await {
            tracing::warn!(table, "somebody who came to a sample table was given no seat: {}", error.inner());
        }
        let Sample { name, ends } = sample;
        Ok(Joined { name, lasts: (ends.0 - self.live.now().0).max(0) / 1_000, token })
    }

    /// Makes an account for a visitor, which goes with the table: its id, and a token to sign in with.
    async fn new_guest(
        &self,
        table: &str,
        address: Option<IpAddr>,
        ends: Timestamp,
    ) -> Result<(String, String), CallError> {
        // Nobody is given an account who would be refused with it.
        check_room(&self.live.admissions().get(table).await?, "")?;
        let now = Ts::from_micros(u64::try_from(self.live.now().0).unwrap_or_default());
        let may = self.guesses.may_make_account_at(address, now);
        let note = async |uid: &str| self.live.admissions().note_sample_guest(uid, ends).await;
        guest_accounts::make(&self.accounts, VISITOR, may, note).await
    }

    /// Gives somebody the first free seat, unless they have one; without a free one they watch. Without a name of their own
    /// they have the seat's.
    async fn sit_down(&self, table: &str, uid: &str, name: Option<&str>) -> Result<(), CallError> {
        let game = self.game().await?;
        let names: Vec<_> = game.seats.iter().map(|seat| name.unwrap_or(&seat.name).to_owned()).collect();
        self.live.sit(table, uid, &names).await.map(drop).map_err(refused)
    }

    async fn check_switch(&self) -> Result<(), CallError> {
        if site::is_on(&self.database, site::SAMPLE_TABLES).await? {
            return Ok(());
        }
        Err(CallError::new(Code::FailedPrecondition, "Sample tables are switched off on this server."))
    }

    async fn game(&self) -> Result<Arc<SampleGame>, CallError> {
        Ok(Arc::clone(self.game.get_or_try_init(|| async { built_in().map(Arc::new) }).await?))
    }
}

/// The game of the built-in application.
fn built_in() -> Result<SampleGame, Error> {
    let (_, file) = hosting::application_files(GAME).next().ok_or_else(|| {
        Error::new(
            Code::FailedPrecondition,
            "NotBuilt",
            "the application is not built in: run `npm run build` in client/, and build the server again after it",
        )
    })?;
    serde_json::from_slice(&file.content()?).map_err(|error| {
        Error::new(Code::Internal, "SampleUnreadable", format!("{GAME} cannot be read: {error}"))
    })
}

/// Name of somebody with an account, as far as a table can show it.
fn own_name(user: &AuthContext) -> Option<String> {
    if user.is_guest() && user.token["name"] == VISITOR {
        return None;
    }
    user.token["name"].as_str().and_then(|name| person_name(name).ok())
}

fn check_room(admission: &Admission, uid: &str) -> Result<(), CallError> {
    if admission.people.len() >= SAMPLE_PEOPLE && admission.entry(uid).is_none() {
        return Err(full());
    }
    Ok(())
}

fn full() -> CallError {
    CallError::new(Code::ResourceExhausted, "No more people can come to this sample table. Open another one.")
}

/// Forgets sample tables whose time is over, forever.
pub(crate) async fn keep_forgetting(accounts: &AuthState, live: &LiveTables) {
    let mut ticks = tokio::time::interval(SAMPLE_SWEEP);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = forget(accounts, live).await {
            tracing::warn!(%error, "sample tables were not all forgotten; it goes on later");
        }
    }
}

/// Deletes the sample tables whose time is over, and the accounts that were made for them; answers how many tables.
///
/// # Errors
/// Those of the stores; what was deleted by then stays deleted.
async fn forget(accounts: &AuthState, live: &LiveTables) -> docstore::Result<usize> {
    let mut forgotten = 0;
    loop {
        let over = live.end_samples().await?;
        if over.is_empty() {
            break;
        }
        for table in over {
            let (logs, log) = live.log_of(&table)?;
            live.admissions().close(&table).await?;
            subtree::delete(&logs, log).await?;
            // Last: what is not finished is found again.
            live.forget_sample(&table).await?;
            forgotten += 1;
        }
    }
    loop {
        let gone = live.admissions().gone_sample_guests(live.now()).await?;
        if gone.is_empty() {
            return Ok(forgotten);
        }
        for guest in gone {
            guest_accounts::remove(accounts, live, &guest).await?;
        }
    }
}

#[cfg(test)]
mod tests;
