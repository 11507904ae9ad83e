//! People at a table who need not be members of its project: `joinTable` and `changeTableAdmission`.
//!
//! Whoever has a table's code joins it, with an account or without: then one is made, with a claim for which
//! the rules and all other functions have nothing.

use std::sync::Arc;

use auth_emu::AuthState;
use docstore::database::Database;
use docstore::model::Ts;
use docstore::{Code, Error};
use serde::{Deserialize, Serialize};

use super::playtests::{person_name, refused};
use crate::functions::callable::{CallError, Context, Function};
use crate::product::guest_accounts;
use crate::table::admission::{Admission, AdmissionChange, Entry, NotJoined};
use crate::table::admissions::code_of;
use crate::table::guesses::{Guesses, Try};
use crate::table::{GUEST_SWEEP, LiveTables, lobby};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Join {
    code: String,
    name: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Joined {
    table: String,
    /// Owner of the table's project, whose name stands in its address.
    owner_id: String,
    /// Name of the table.
    name: String,
    /// True if the host has to approve.
    waits: bool,
    /// For callers without an account: a custom token to sign in with as the guest that was made for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeAdmission {
    table: String,
    change: AskedChange,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum AskedChange {
    /// `true`.
    NewCode(bool),
    Lock(bool),
    Ask(bool),
    LetIn(String),
    Kick(String),
}

impl AskedChange {
    fn read(self) -> Result<AdmissionChange, CallError> {
        Ok(match self {
            Self::NewCode(true) => AdmissionChange::NewCode,
            Self::NewCode(false) => return Err(CallError::invalid("change.newCode can only be true.")),
            Self::Lock(on) => AdmissionChange::Lock(on),
            Self::Ask(on) => AdmissionChange::Ask(on),
            Self::LetIn(uid) => AdmissionChange::LetIn(uid),
            Self::Kick(uid) => AdmissionChange::Kick(uid),
        })
    }
}

/// Admission after the change; sockets of those who lead are sent it too.
#[derive(Debug, Serialize)]
struct Changed {
    code: Option<String>,
    locked: bool,
    asks: bool,
}

/// Dependencies of the functions.
#[derive(Debug, Clone)]
struct People {
    database: Database,
    accounts: AuthState,
    live: LiveTables,
    guesses: Arc<Guesses>,
}

/// The functions over `database`, `accounts` and `live`.
pub(in crate::product) fn functions(
    database: &Database,
    accounts: &AuthState,
    live: &LiveTables,
    guesses: &Arc<Guesses>,
) -> [Function; 2] {
    let people = People {
        database: database.clone(),
        accounts: accounts.clone(),
        live: live.clone(),
        guesses: Arc::clone(guesses),
    };
    let shared = people.clone();
    let join = Function::new("joinTable", move |context: Context, request: Join| {
        let people = shared.clone();
        async move { people.join(&context, &request).await }
    });
    let change = Function::new("changeTableAdmission", move |context: Context, request: ChangeAdmission| {
        let people = people.clone();
        async move { people.change(&context.user()?.uid, request).await }
    });
    [join.admit_guests(), change.admit_guests()]
}

impl People {
    async fn join(&self, context: &Context, request: &Join) -> Result<Joined, CallError> {
        let name = person_name(&request.name)?;
        let code = code_of(&request.code).ok_or_else(|| {
            CallError::invalid("A code has six letters and digits, none of which is 0, 1, I, L or O.")
        })?;
        let address = guest_accounts::address_of(context);
        let now = Ts::from_micros(u64::try_from(self.live.now().0).unwrap_or_default());
        let tried = self.guesses.begin(address, now).ok_or_else(|| {
            CallError::new(
                Code::ResourceExhausted,
                "Too many wrong codes came from your network. Wait a minute, and ask the host for the code.",
            )
        })?;
        let table = self.live.admissions().table_of(&code).await?.ok_or_else(wrong_code)?;
        let listed = lobby::find(&self.database, &table).await?.ok_or_else(wrong_code)?;
        self.guesses.was_right(&tried);
        if lobby::has_ended(&listed.fields) {
            return Err(CallError::new(
                Code::FailedPrecondition,
                "The game at this table has ended, and its code with it.",
            ));
        }
        let owner_id = lobby::owner(&listed.fields).unwrap_or_default().to_owned();
        let table_name = lobby::name(&listed.fields).unwrap_or_default().to_owned();
        let (uid, token) = match &context.auth {
            Some(user) => (user.uid.clone(), None),
            None => {
                let (uid, token) = self.new_guest(&table, &name, &tried).await?;
                (uid, Some(token))
            }
        };
        let is_guest = token.is_some() || context.auth.as_ref().is_some_and(|user| user.is_guest());
        // Members of the project need no code, and are not asked about.
        let waits = if token.is_none() && self.live.is_member(&table, &uid).await {
            false
        } else {
            let join = |admission: &mut Admission, _: &str| {
                admission.join(&uid, &name, is_guest, tried.waits).map_err(not_joined)
            };
            let (admission, entry) = self.live.admissions().change(&table, join).await?;
            self.live.tell_admission(&table, admission).await;
            entry == Entry::Waiting
        };
        Ok(Joined { table, owner_id, name: table_name, waits, token })
    }

    /// Makes an account for somebody who has none: its id, and a token to sign in with.
    async fn new_guest(&self, table: &str, name: &str, tried: &Try) -> Result<(String, String), CallError> {
        // Nobody is given an account who would be refused with it.
        let mut admission = self.live.admissions().get(table).await?;
        admission.join("", name, true, false).map_err(not_joined)?;
        let may = self.guesses.may_make_account(tried);
        let note = async |uid: &str| self.live.admissions().note_visit(uid, self.live.now()).await;
        guest_accounts::make(&self.accounts, name, may, note).await
    }

    async fn change(&self, uid: &str, request: ChangeAdmission) -> Result<Changed, CallError> {
        let ChangeAdmission { table, change } = request;
        let change = change.read()?;
        if !self.live.leads(&table, uid).await.map_err(refused)? {
            return Err(CallError::new(
                Code::PermissionDenied,
                "Only hosts and co-hosts, and owners and editors of the project, say who comes to a table.",
            ));
        }
        if let AdmissionChange::Kick(who) = &change
            && who == uid
        {
            return Err(CallError::invalid("Nobody shows themselves out: leave the page."));
        }
        let listed = lobby::find(&self.database, &table).await?;
        if change == AdmissionChange::NewCode && listed.is_none_or(|listed| lobby::has_ended(&listed.fields))
        {
            return Err(CallError::new(
                Code::FailedPrecondition,
                "The game has ended: nobody joins any more.",
            ));
        }
        let apply = |admission: &mut Admission, code: &str| {
            if admission.change(&change, code) { Ok(()) } else { Err(nobody()) }
        };
        let (admission, ()) = self.live.admissions().change(&table, apply).await?;
        let Admission { code, locked, asks, .. } = admission.clone();
        self.live.tell_admission(&table, admission).await;
        Ok(Changed { code, locked, asks })
    }
}

/// Sweeps the accounts of absent guests, forever.
pub(crate) async fn keep_guests_swept(accounts: &AuthState, live: &LiveTables) {
    let mut ticks = tokio::time::interval(GUEST_SWEEP);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match sweep_guests(accounts, live).await {
            Ok(0) => {}
            Ok(swept) => {
                tracing::info!(swept, "removed the accounts of guests who came to no table for long");
            }
            Err(error) => tracing::warn!(%error, "the sweep of guests did not finish; it goes on later"),
        }
    }
}

/// Deletes the accounts of guests who came to no table for thirty days; answers how many.
///
/// # Errors
/// Those of the stores; what was deleted by then stays deleted.
async fn sweep_guests(accounts: &AuthState, live: &LiveTables) -> docstore::Result<usize> {
    let mut swept = 0;
    loop {
        let absent = live.admissions().absent_guests(live.now()).await?;
        if absent.is_empty() {
            return Ok(swept);
        }
        for guest in absent {
            guest_accounts::remove(accounts, live, &guest).await?;
            swept += 1;
        }
    }
}

fn wrong_code() -> CallError {
    CallError::new(
        Code::NotFound,
        "No table has this code. Codes end with their game, and hosts make new ones: ask the host for the present one.",
    )
}

fn nobody() -> CallError {
    CallError::new(Code::NotFound, "Nobody of this name has joined the table by its code.")
}

fn not_joined(why: NotJoined) -> CallError {
    let (code, message) = match why {
        NotJoined::Locked => (
            Code::FailedPrecondition,
            "The host has locked this table: nobody new joins. Ask them to unlock it.",
        ),
        NotJoined::Out => (Code::PermissionDenied, "The host has removed you from this table."),
        NotJoined::Full => (
            Code::ResourceExhausted,
            "As many people have joined this table as it remembers. The host can open another.",
        ),
    };
    Error::new(code, "NotJoined", message).into()
}
