//! Members of a deck: `inviteToDeck`, `readInvitation`, `acceptInvitation` and `changeMember`.
//!
//! A project has an `owner`, a map `members` from user to role with the owner in it, a list `memberIds` of the same
//! users for queries, and a map `people` from user to display name. Maps `removed` and `demoted` record who lost
//! membership or a role, and when; `translates` has the languages of each translator; `shared` is true once somebody
//! has joined. The rules let only these functions write
//! them; a client that could would make itself a member. An invitation is a document below the project with an
//! unguessable id. A link may be used by anyone who has it until it expires; an invitation by
//! e-mail once, by the account with that address.

mod accept;
mod admitted;
mod change;
mod invite;
mod languages;
mod leave;
mod mailer;
pub(super) mod offers;

#[cfg(test)]
mod tests;

use auth_emu::entropy::SharedEntropy;
use docstore::database::Database;
use docstore::model::{DocPath, Document, Fields, Value, Write, WriteOp};
use docstore::store::Store;
use docstore::txn::TxnId;
use docstore::{Code, Result};
use serde::Deserialize;

use super::admin::admin_of;
use super::audit::AuditLog;
use crate::functions::callable::{AuthContext, CallError, Context, Function};
use crate::product::plans::Plans;
use crate::project;
use crate::schema::moved::{Kind, Moved};
use crate::table::{Standing, Standings};

pub(crate) use admitted::Admitted;
pub(super) use mailer::InvitationMailer;
pub(crate) use offers::{OfferParts, Offers};

/// Most members of a deck, besides its owner.
const MAX_MEMBERS: usize = 100;

/// Most open invitations of a deck.
const MAX_INVITATIONS: usize = 100;

/// Longest validity of an invitation, in days.
const MAX_DAYS: u64 = 90;

/// Most people admitted by one link, and the default.
const MAX_USES: u32 = 100;
const USUAL_USES: u32 = 20;

/// Most people recorded as removed, and as demoted, per deck; the oldest records go first.
const MAX_REMEMBERED: usize = 1_000;

/// The maps that record them, from user to time in milliseconds since the epoch. Older invitations do not undo either.
const REMOVED: &str = "removed";
const DEMOTED: &str = "demoted";

/// Random bytes in an invitation's id.
const TOKEN_BYTES: usize = 24;

/// Longest display name stored in a deck, in characters.
const MAX_NAME_CHARS: usize = 120;

const DAY_MICROS: u64 = 24 * 60 * 60 * 1_000_000;

/// Role of a member. Each role may do all that the earlier ones may; `Playtester` sees the title page only, `Translator`
/// writes translations into languages of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    Playtester,
    Viewer,
    Commenter,
    Translator,
    Editor,
    Owner,
}

impl Role {
    const fn name(self) -> &'static str {
        match self {
            Self::Playtester => "playtester",
            Self::Viewer => "viewer",
            Self::Commenter => "commenter",
            Self::Translator => "translator",
            Self::Editor => "editor",
            Self::Owner => "owner",
        }
    }

    fn read(text: &str) -> Option<Self> {
        let roles =
            [Self::Playtester, Self::Viewer, Self::Commenter, Self::Translator, Self::Editor, Self::Owner];
        roles.into_iter().find(|role| role.name() == text)
    }
}

/// A project as callers name it: by its id, and by its owner in addresses from before projects had documents of their
/// own. An owner that is named must be the project's.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DeckName {
    #[serde(default)]
    owner_id: Option<String>,
    deck_id: String,
}

impl DeckName {
    fn path(&self) -> Result<DocPath, CallError> {
        for (name, id) in [("ownerId", self.owner_id.as_ref()), ("deckId", Some(&self.deck_id))] {
            if id.is_some_and(|id| id.is_empty() || id.contains('/')) {
                return Err(CallError::invalid(format!("{name} must be an id: not empty, without a slash.")));
            }
        }
        let path = project::path(&self.deck_id);
        path.map_err(|error| CallError::invalid(format!("This names no deck: {}", error.message())))
    }

    /// True if a project with this id is the one that is named.
    fn names(&self, project: &Document) -> bool {
        self.owner_id.as_deref().is_none_or(|owner| project::owner(&project.fields) == Some(owner))
    }

    /// The error for a project that is not there: only whoever names it as their own learns that.
    fn not_found(&self, person: &Person) -> CallError {
        if self.owner_id.as_ref() == Some(&person.uid) { no_such_deck() } else { owners_only() }
    }
}

/// The caller, as far as their account proves it.
#[derive(Debug)]
pub(super) struct Person {
    uid: String,
    /// Lower case; only if the account has verified it.
    email: Option<String>,
    name: String,
}

impl Person {
    pub(super) fn of(user: &AuthContext) -> Self {
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
}

/// Dependencies of the functions.
#[derive(Debug, Clone)]
pub(super) struct Members {
    pub(super) database: Database,
    /// Its clock decides what has expired.
    pub(super) store: Store,
    pub(super) entropy: SharedEntropy,
    /// Limits on members per owner's plan.
    pub(super) plans: Plans,
    /// Mails invitations.
    pub(super) mailer: InvitationMailer,
}

/// All four functions. Admins of the server who become members are recorded in `log`: the owner thereby lets them see
/// the project.
pub(super) fn functions(members: &Members, log: &AuditLog) -> [Function; 4] {
    let shared = members.clone();
    let invite = Function::new("inviteToDeck", move |context: Context, request: invite::Request| {
        let members = shared.clone();
        async move { members.invite(&Person::of(context.user()?), &request).await }
    });
    let shared = members.clone();
    let read = Function::new("readInvitation", move |context: Context, request: accept::Request| {
        let members = shared.clone();
        async move {
            let person = Person::of(context.user()?);
            members.read(&person, &members.of_old_address(request).await?).await
        }
    });
    let (shared, log) = (members.clone(), log.clone());
    let accept = Function::new("acceptInvitation", move |context: Context, request: accept::Request| {
        let (members, log) = (shared.clone(), log.clone());
        async move {
            let person = Person::of(context.user()?);
            let request = members.of_old_address(request).await?;
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
    /// Most members of this deck, besides its owner.
    async fn most(&self, deck: &Fields) -> Result<usize> {
        let owner = project::owner(deck).unwrap_or_default();
        let of_plan = self.plans.limits_of(owner).await?.members;
        Ok(of_plan
            .and_then(|most| usize::try_from(most).ok())
            .map_or(MAX_MEMBERS, |most| most.min(MAX_MEMBERS)))
    }

    /// A request with the present id of its project. Links to invitations outlive upgrades that gave projects new ids.
    async fn of_old_address(&self, mut request: accept::Request) -> Result<accept::Request, CallError> {
        let DeckName { owner_id: Some(owner), deck_id } = &request.deck else { return Ok(request) };
        let there = project::find(&self.database, deck_id).await?;
        if !there.is_some_and(|project| request.deck.names(&project)) {
            let moved = Moved::new(&self.store, &self.database.id().project);
            let now = moved.now(Kind::Project, &[(owner, deck_id)]).await?;
            if let Some(id) = now.into_iter().flatten().next() {
                request.deck.deck_id = id;
            }
        }
        Ok(request)
    }

    /// Milliseconds since the epoch.
    fn now(&self) -> i64 {
        i64::try_from(self.store.clock().now().micros() / 1_000).unwrap_or(i64::MAX)
    }

    /// Commits `txn` with these writes.
    async fn end(&self, txn: TxnId, writes: Vec<Write>) -> Result<()> {
        self.database.commit(docstore::commit::Draft { writes, txn: Some(txn) }).await.map(drop)
    }
}

fn role_of(deck: &Fields, uid: &str) -> Option<Role> {
    let Some(Value::Map(members)) = deck.get("members") else { return None };
    text_of(members, uid).and_then(|role| Role::read(&role))
}

/// True if a member has the role of an owner; `None` for somebody who is no member.
pub(super) fn is_owner(deck: &Fields, uid: &str) -> Option<bool> {
    role_of(deck, uid).map(|role| role == Role::Owner)
}

/// True if a member sees the whole project: everybody but playtesters.
pub(super) fn sees(deck: &Fields, uid: &str) -> bool {
    role_of(deck, uid).is_some_and(|role| role >= Role::Viewer)
}

/// True if a member changes the project.
pub(super) fn edits(deck: &Fields, uid: &str) -> bool {
    role_of(deck, uid).is_some_and(|role| role >= Role::Editor)
}

/// Name of a member: by the project, otherwise by their account.
pub(super) fn name_in(deck: &Fields, user: &AuthContext) -> String {
    let known = map_of(deck, "people").and_then(|people| text_of(people, &user.uid));
    known.filter(|name| !name.is_empty()).unwrap_or_else(|| Person::of(user).name)
}

/// Standing at the project's tables of each member: owners and editors run them.
pub(crate) fn standings(deck: &Fields) -> Standings {
    let standing = |value: &Value| match value {
        Value::String(role) => {
            let role = Role::read(role)?;
            Some(if role >= Role::Editor { Standing::Maker } else { Standing::Member })
        }
        _ => None,
    };
    let members = map_of(deck, "members").into_iter().flatten();
    members.filter_map(|(uid, role)| Some((uid.clone(), standing(role)?))).collect()
}

/// True for a project in the trash.
fn is_in_trash(deck: &Fields) -> bool {
    !matches!(deck.get("trashedAt"), None | Some(Value::Null))
}

/// Members besides the owner.
fn member_count(deck: &Fields) -> usize {
    let owner = project::owner(deck);
    map_of(deck, "members")
        .map_or(0, |members| members.keys().filter(|uid| Some(uid.as_str()) != owner).count())
}

fn text_of(fields: &Fields, name: &str) -> Option<String> {
    if let Some(Value::String(text)) = fields.get(name) { Some(text.clone()) } else { None }
}

/// Time at which a user was removed or demoted, in milliseconds since the epoch; `what` is [`REMOVED`] or [`DEMOTED`].
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

/// A map of one entry.
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
