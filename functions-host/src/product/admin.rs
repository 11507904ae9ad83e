//! Functions of admins: accounts, usage and the log. The claim `admin` of the caller's token is checked at every call;
//! nothing stored in a document makes anyone an admin.

use auth_emu::{AccountChange, AuthState};
use docstore::Code;
use docstore::database::Database;
use docstore::model::{DocPath, Query, Source};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::audit::{AuditLog, Entry};
use super::plans::callables::Counter;
use crate::functions::callable::{AuthContext, CallError, Context, Function};
use crate::project;

/// The claim of an admin.
pub(super) const CLAIM: &str = "admin";

/// Accounts per page.
const PAGE: usize = 25;

/// Most accounts that are counted.
const MAX_COUNTED: usize = 100_000;

/// Longest search text, in bytes.
const MAX_SEARCH_BYTES: usize = 200;

/// The caller, who must be an admin.
///
/// # Errors
/// [`Code::Unauthenticated`] without a user, [`Code::PermissionDenied`] without the claim.
pub(super) fn admin_of(context: &Context) -> Result<&AuthContext, CallError> {
    let user = context.user()?;
    if user.token.get(CLAIM) == Some(&Value::Bool(true)) {
        return Ok(user);
    }
    Err(CallError::new(Code::PermissionDenied, "This needs an administrator of the server."))
}

#[derive(Debug, Deserialize)]
struct Search {
    text: String,
    /// The last id of the previous page.
    after: Option<String>,
}

#[derive(Debug, Serialize)]
struct Found {
    people: Vec<Person>,
    more: bool,
}

/// An account as shown to admins. Times in milliseconds since the epoch, 0 for never.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Person {
    uid: String,
    email: String,
    display_name: String,
    email_verified: bool,
    disabled: bool,
    admin: bool,
    created_at: u64,
    last_login_at: u64,
    /// Id of the plan in force; null if there are no plans.
    plan: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Action {
    Disable,
    Enable,
    Verify,
    GrantAdmin,
    RevokeAdmin,
    SignOut,
}

#[derive(Debug, Deserialize)]
struct Change {
    uid: String,
    action: Action,
}

#[derive(Debug, Serialize)]
struct Changed {
    person: Person,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Usage {
    accounts: usize,
    projects: u64,
    components: u64,
    cards: u64,
    layouts: u64,
    /// Files in users' folders, and their bytes.
    files: u64,
    file_bytes: u64,
}

#[derive(Debug, Deserialize)]
struct LogRequest {
    /// Id of the last entry on the previous page.
    before: Option<String>,
}

#[derive(Debug, Serialize)]
struct LogReply {
    entries: Vec<Entry>,
}

/// Dependencies of the admins' functions.
#[derive(Debug, Clone)]
struct Office {
    database: Database,
    accounts: AuthState,
    counter: Counter,
    log: AuditLog,
}

/// `adminFindPeople`, `adminChangePerson`, `adminUsage` and `adminLog`.
pub(super) fn functions(
    database: &Database,
    accounts: &AuthState,
    counter: &Counter,
    log: &AuditLog,
) -> [Function; 4] {
    let office = Office {
        database: database.clone(),
        accounts: accounts.clone(),
        counter: counter.clone(),
        log: log.clone(),
    };
    let shared = office.clone();
    let find = Function::new("adminFindPeople", move |context: Context, request: Search| {
        let office = shared.clone();
        async move {
            admin_of(&context)?;
            office.find(&request).await
        }
    });
    let shared = office.clone();
    let change = Function::new("adminChangePerson", move |context: Context, request: Change| {
        let office = shared.clone();
        async move { office.change(admin_of(&context)?, &request).await }
    });
    let shared = office.clone();
    let usage = Function::new("adminUsage", move |context: Context, (): ()| {
        let office = shared.clone();
        async move {
            admin_of(&context)?;
            office.usage().await
        }
    });
    let read_log = Function::new("adminLog", move |context: Context, request: LogRequest| {
        let office = office.clone();
        async move {
            admin_of(&context)?;
            Ok::<_, CallError>(LogReply { entries: office.log.read(request.before.as_deref()).await? })
        }
    });
    [find, change, usage, read_log]
}

impl Office {
    async fn find(&self, request: &Search) -> Result<Found, CallError> {
        if request.text.len() > MAX_SEARCH_BYTES {
            return Err(CallError::invalid(format!("text may have {MAX_SEARCH_BYTES} bytes at most.")));
        }
        let mut found =
            self.accounts.search_accounts(&request.text, request.after.as_deref(), PAGE + 1).await?;
        let more = found.len() > PAGE;
        found.truncate(PAGE);
        let mut people = Vec::with_capacity(found.len());
        for account in &found {
            people.push(self.person(account).await?);
        }
        Ok(Found { people, more })
    }

    async fn change(&self, admin: &AuthContext, request: &Change) -> Result<Changed, CallError> {
        let own = admin.uid == request.uid;
        if own && matches!(request.action, Action::Disable | Action::RevokeAdmin) {
            return Err(CallError::new(
                Code::FailedPrecondition,
                "You cannot disable your own account or remove your own rights: ask another administrator.",
            ));
        }
        let account = account_of(&self.accounts, &request.uid).await?;
        let (change, words) = match request.action {
            Action::Disable => (AccountChange::Disabled(true), "disabled"),
            Action::Enable => (AccountChange::Disabled(false), "enabled"),
            Action::Verify => (AccountChange::VerifyEmail, "marked as verified"),
            Action::GrantAdmin => (AccountChange::GrantClaim(CLAIM.to_owned()), "made an admin of"),
            Action::RevokeAdmin => (AccountChange::RevokeClaim(CLAIM.to_owned()), "took admin from"),
            Action::SignOut => (AccountChange::EndSessions, "signed out everywhere"),
        };
        self.log.write(admin, words, name_of(&account)).await?;
        let changed = self.accounts.change_by_id(&request.uid, &change).await?;
        Ok(Changed { person: self.person(&changed).await? })
    }

    async fn usage(&self) -> Result<Usage, CallError> {
        let stored = self.counter.files.total_usage().await?;
        let opened: Vec<DocPath> =
            project::all_opened(&self.database, &[]).await?.into_iter().map(|version| version.path).collect();
        // Nothing of theirs lies in collections of these names.
        let whole = async |collection: &str| count(&self.database, collection, &[]).await;
        let count = async |collection: &str| count(&self.database, collection, &opened).await;
        Ok(Usage {
            accounts: self.accounts.search_accounts("", None, MAX_COUNTED).await?.len(),
            projects: whole(project::COLLECTION).await?.saturating_sub(opened.len() as u64),
            components: count("components").await?,
            cards: count("cards").await?,
            // Those of projects, and those of libraries.
            layouts: count("layouts").await? + whole("items").await?,
            files: stored.files,
            file_bytes: stored.bytes,
        })
    }

    /// An account as the account service reports it, with its plan.
    async fn person(&self, account: &Value) -> Result<Person, CallError> {
        let text = |name: &str| account.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let flag = |name: &str| account.get(name).and_then(Value::as_bool).unwrap_or_default();
        let claims: Value = serde_json::from_str(&text("customAttributes")).unwrap_or_default();
        let uid = text("localId");
        Ok(Person {
            email: text("email"),
            display_name: text("displayName"),
            email_verified: flag("emailVerified"),
            disabled: flag("disabled"),
            admin: claims.get(CLAIM) == Some(&Value::Bool(true)),
            created_at: text("createdAt").parse().unwrap_or_default(),
            last_login_at: text("lastLoginAt").parse().unwrap_or_default(),
            plan: self.counter.plans.of(&uid).await?.map(|plan| plan.id.clone()),
            uid,
        })
    }
}

/// The account with this id, as its owner sees it.
///
/// # Errors
/// [`Code::NotFound`] if there is none; those of the store.
pub(super) async fn account_of(accounts: &AuthState, uid: &str) -> Result<Value, CallError> {
    accounts
        .account(uid)
        .await?
        .ok_or_else(|| CallError::new(Code::NotFound, "There is no such account; it may have been deleted."))
}

/// An account's name in the log: its e-mail address, or its id if it has none.
pub(super) fn name_of(account: &Value) -> &str {
    let text = |name: &str| account.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    text("email").or_else(|| text("localId")).unwrap_or_default()
}

/// Number of documents in all collections of that name, those below the opened versions of projects left out: they are
/// copies that go by themselves.
async fn count(database: &Database, collection: &str, opened: &[DocPath]) -> Result<u64, CallError> {
    let below = async |parent: Option<DocPath>| {
        let source = Source { collection: Some(collection.to_owned()), all_descendants: true };
        database.count(&Query::all(parent, source), None).await
    };
    let mut counted = below(None).await?;
    for version in opened {
        counted = counted.saturating_sub(below(Some(version.clone())).await?);
    }
    Ok(counted)
}
