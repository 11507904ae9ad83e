//! Who works on a deck: `inviteToDeck`, `readInvitation`, `acceptInvitation` and `changeMember`.
//!
//! A deck has a map `members` from user to role, a list `memberIds` of the same users for queries, and a map `people`
//! from user to the name that the others see. Maps `removed` and `demoted` say from whom it was taken, and when. Rules let nobody but owners write them; a client that could would make
//! itself a member. An invitation is a document below the deck whose id nobody can guess. Its link may be used by
//! anybody who has it until it expires; one for an e-mail address by the account with that address, once.

mod accept;
mod change;
mod invite;
mod layouts;
mod leave;
mod post;

#[cfg(test)]
mod tests;

use auth_emu::entropy::SharedEntropy;
use docstore::database::Database;
use docstore::model::{DocPath, Fields, Value, Write, WriteOp};
use docstore::store::Store;
use docstore::txn::TxnId;
use docstore::{Code, Result};
use serde::Deserialize;

use super::admin::admin_of;
use super::audit::AuditLog;
use crate::callable::{AuthContext, CallError, Context, Function};
use crate::plans::Plans;

pub(super) use post::Post;

/// How many members a deck has at most, its owner not counted.
const MAX_MEMBERS: usize = 100;

/// How many invitations of a deck may be open.
const MAX_INVITATIONS: usize = 100;

/// The longest time an invitation is good for, in days.
const MAX_DAYS: u64 = 90;

/// How many people one link lets in, at most and unless it is said.
const MAX_USES: u32 = 100;
const USUAL_USES: u32 = 20;

/// How many people who were taken out a project remembers, and how many whose role was lowered; whom it happened to
/// longest ago are forgotten first.
const MAX_REMEMBERED: usize = 1_000;

/// The maps in which a deck remembers them, from user to the time in milliseconds since the epoch. Invitations that are
/// older do not undo it.
const REMOVED: &str = "removed";
const DEMOTED: &str = "demoted";

/// How many random bytes an invitation's id has.
const TOKEN_BYTES: usize = 24;

/// The longest name that is kept for the others to see, in characters.
const MAX_NAME_CHARS: usize = 120;

/// How often a transaction that met another is tried.
const MAX_ATTEMPTS: usize = 5;

const DAY_MICROS: u64 = 24 * 60 * 60 * 1_000_000;

/// What a member may do; later roles may all that earlier ones may, and `Playtester` sees the title page only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    Playtester,
    Viewer,
    Commenter,
    Editor,
    Owner,
}

impl Role {
    const fn name(self) -> &'static str {
        match self {
            Self::Playtester => "playtester",
            Self::Viewer => "viewer",
            Self::Commenter => "commenter",
            Self::Editor => "editor",
            Self::Owner => "owner",
        }
    }

    fn read(text: &str) -> Option<Self> {
        [Self::Playtester, Self::Viewer, Self::Commenter, Self::Editor, Self::Owner]
            .into_iter()
            .find(|role| role.name() == text)
    }
}

/// A deck, by whose it is.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DeckName {
    owner_id: String,
    deck_id: String,
}

impl DeckName {
    fn path(&self) -> Result<DocPath, CallError> {
        for (name, id) in [("ownerId", &self.owner_id), ("deckId", &self.deck_id)] {
            if id.is_empty() || id.contains('/') {
                return Err(CallError::invalid(format!("{name} must be an id: not empty, without a slash.")));
            }
        }
        let path = DocPath::parse(&format!("users/{}/decks/{}", self.owner_id, self.deck_id));
        path.map_err(|error| CallError::invalid(format!("This names no deck: {}", error.message())))
    }
}

/// Who calls, as far as their account proves it.
#[derive(Debug)]
struct Person {
    uid: String,
    /// Lower case; only an address that the account has verified.
    email: Option<String>,
    name: String,
}

impl Person {
    fn of(user: &AuthContext) -> Self {
        let text = |name: &str| user.token.get(name).and_then(serde_json::Value::as_str);
        let verified = user.token.get("email_verified") == Some(&serde_json::Value::Bool(true));
        let shown =
            text("name").filter(|name| !name.is_empty()).or_else(|| text("email")).unwrap_or("Somebody");
        Self {
            uid: user.uid.clone(),
            email: text("email").filter(|_| verified).map(str::to_lowercase),
            name: shown.chars().take(MAX_NAME_CHARS).collect(),
        }
    }

    /// Their role in a deck of `owner`'s with these fields.
    fn role_in(&self, owner: &str, deck: &Fields) -> Option<Role> {
        if self.uid == owner {
            return Some(Role::Owner);
        }
        role_of(deck, &self.uid)
    }
}

/// What the functions need.
#[derive(Debug, Clone)]
pub(super) struct Members {
    pub(super) database: Database,
    /// Whose clock says what has expired.
    pub(super) store: Store,
    pub(super) entropy: SharedEntropy,
    /// How many members an owner's plan holds.
    pub(super) plans: Plans,
    /// Takes invitations to their addresses.
    pub(super) post: Post,
}

/// All four. `log` is told when an admin of the server becomes a member: that is an owner's leave to see a project.
pub(super) fn functions(members: &Members, log: &AuditLog) -> [Function; 4] {
    let shared = members.clone();
    let invite = Function::new("inviteToDeck", move |context: Context, request: invite::Request| {
        let members = shared.clone();
        async move { members.invite(&Person::of(context.user()?), &request).await }
    });
    let shared = members.clone();
    let read = Function::new("readInvitation", move |context: Context, request: accept::Request| {
        let members = shared.clone();
        async move { members.read(&Person::of(context.user()?), &request).await }
    });
    let (shared, log) = (members.clone(), log.clone());
    let accept = Function::new("acceptInvitation", move |context: Context, request: accept::Request| {
        let (members, log) = (shared.clone(), log.clone());
        async move {
            let person = Person::of(context.user()?);
            if let Ok(admin) = admin_of(&context) {
                members.read(&person, &request).await?;
                log.write(admin, "was let into the project", &request.deck.path()?.to_string()).await?;
            }
            members.accept(&person, &request).await
        }
    });
    let shared = members.clone();
    let change = Function::new("changeMember", move |context: Context, request: change::Request| {
        let members = shared.clone();
        async move { members.change(&Person::of(context.user()?), &request).await }
    });
    [invite, read, accept, change]
}

impl Members {
    /// How many members a deck of `owner`'s may have.
    async fn most(&self, owner: &str) -> Result<usize> {
        let of_plan = self.plans.limits_of(owner).await?.members;
        Ok(of_plan
            .and_then(|most| usize::try_from(most).ok())
            .map_or(MAX_MEMBERS, |most| most.min(MAX_MEMBERS)))
    }

    /// Milliseconds since the epoch.
    fn now(&self) -> i64 {
        i64::try_from(self.store.clock().now().micros() / 1_000).unwrap_or(i64::MAX)
    }

    /// Ends `txn` with these writes.
    async fn end(&self, txn: TxnId, writes: Vec<Write>) -> Result<()> {
        self.database.commit(docstore::commit::Draft { writes, txn: Some(txn) }).await.map(drop)
    }
}

fn role_of(deck: &Fields, uid: &str) -> Option<Role> {
    let Some(Value::Map(members)) = deck.get("members") else { return None };
    text_of(members, uid).and_then(|role| Role::read(&role))
}

fn member_count(deck: &Fields) -> usize {
    if let Some(Value::Map(members)) = deck.get("members") { members.len() } else { 0 }
}

fn text_of(fields: &Fields, name: &str) -> Option<String> {
    if let Some(Value::String(text)) = fields.get(name) { Some(text.clone()) } else { None }
}

/// When this happened to somebody in a deck, in milliseconds since the epoch; `what` is [`REMOVED`] or [`DEMOTED`].
fn happened_at(deck: &Fields, what: &str, uid: &str) -> Option<i64> {
    match map_of(deck, what)?.get(uid)? {
        Value::Integer(millis) => Some(*millis),
        _ => None,
    }
}

fn map_of<'a>(fields: &'a Fields, name: &str) -> Option<&'a Fields> {
    if let Some(Value::Map(inner)) = fields.get(name) { Some(inner) } else { None }
}

fn millis_of(fields: &Fields, name: &str) -> i64 {
    if let Some(Value::Integer(millis)) = fields.get(name) { *millis } else { 0 }
}

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}

/// The value under a name, as a map of one.
fn entry(name: &str, value: Value) -> Value {
    Value::Map(Fields::from([(name.to_owned(), value)]))
}

fn full(most: usize) -> CallError {
    CallError::new(
        Code::FailedPrecondition,
        format!(
            "This project may have {most} members, and has them. Its owner can remove some, or choose a larger plan where there is one."
        ),
    )
}

fn no_such_deck() -> CallError {
    CallError::new(Code::NotFound, "There is no such project; it may have been deleted.")
}

fn owners_only() -> CallError {
    CallError::new(Code::PermissionDenied, "Only owners of a project say who works on it.")
}

const fn deletion(path: DocPath) -> Write {
    Write { path, op: WriteOp::Delete, precondition: docstore::model::Precondition::None }
}
