//! Reading and accepting an invitation.

use docstore::Code;
use docstore::model::{
    DocPath, Document, FieldPath, FieldTransform, Fields, Precondition, Transform, Value, Write, WriteOp,
};
use docstore::txn::TxnOptions;
use serde::{Deserialize, Serialize};

use super::change::field;
use super::languages::Languages;
use super::{
    DEMOTED, DeckName, MAX_USES, Members, Person, REMOVED, Role, deletion, entry, full, happened_at,
    is_in_trash, map_of, member_count, millis_of, role_of, text, text_of,
};
use crate::functions::callable::{CallError, retried};
use crate::project;

#[derive(Debug, Deserialize)]
pub(super) struct Request {
    #[serde(flatten)]
    pub(super) deck: DeckName,
    pub(super) invitation: String,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown {
    pub(super) deck_name: String,
    pub(super) invited_by: String,
    pub(super) role: &'static str,
    /// Of a translator.
    pub(super) languages: Vec<String>,
    /// Milliseconds since the epoch.
    pub(super) expires_at: i64,
    /// Role of a caller who is a member already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) held: Option<&'static str>,
    /// True if accepting it makes the caller a member, or gives a member a larger role or further languages.
    pub(super) gains: bool,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Accepted {
    pub(super) role: &'static str,
}

/// An invitation the caller may accept, and its deck.
struct Open {
    deck: Document,
    invitation: Document,
    role: Role,
    /// Of a translator.
    languages: Languages,
    /// Accepting it uses it up.
    once: bool,
}

impl Members {
    /// The content of an invitation, before it is accepted.
    pub(super) async fn read(&self, person: &Person, request: &Request) -> Result<Shown, CallError> {
        let found = self.database.get(&paths(request)?, None).await?.value;
        let open = self.open(person, request, found)?;
        let held = role_of(&open.deck.fields, &person.uid);
        let theirs = Languages::of_member(&open.deck.fields, &person.uid);
        let (role, languages) = open.outcome(person);
        Ok(Shown {
            deck_name: text_of(&open.deck.fields, "name").unwrap_or_default(),
            invited_by: text_of(&open.invitation.fields, "invitedBy").unwrap_or_default(),
            role: open.role.name(),
            languages: open.languages.tags(),
            expires_at: millis_of(&open.invitation.fields, "expiresAt"),
            gains: held != Some(role) || role == Role::Translator && languages.is_more_than(&theirs),
            held: held.map(Role::name),
        })
    }

    /// Makes the caller a member. An existing larger role is kept.
    pub(super) async fn accept(&self, person: &Person, request: &Request) -> Result<Accepted, CallError> {
        retried(|| self.try_accept(person, request)).await
    }

    async fn try_accept(&self, person: &Person, request: &Request) -> Result<Accepted, CallError> {
        let txn = self.database.begin(TxnOptions::ReadWrite { retry: None }).await?;
        let found = self.database.get_in(txn, &paths(request)?).await?.value;
        let planned = match self.open(person, request, found) {
            Ok(open) => self.plan(person, open).await,
            Err(error) => Err(error),
        };
        match planned {
            Ok((role, writes)) => {
                self.end(txn, writes).await?;
                Ok(Accepted { role: role.name() })
            }
            Err(error) => {
                self.database.rollback(txn).await?;
                Err(error)
            }
        }
    }

    /// Checks that the invitation is valid.
    fn open(
        &self,
        person: &Person,
        request: &Request,
        found: Vec<Option<Document>>,
    ) -> Result<Open, CallError> {
        let [Some(deck), Some(invitation)] = <[_; 2]>::try_from(found).unwrap_or_default() else {
            return Err(withdrawn());
        };
        // A project may have changed hands since: its links go on naming the owner of then.
        let named = text_of(&invitation.fields, "ownerId");
        if !request.deck.names(&deck) && request.deck.owner_id != named {
            return Err(withdrawn());
        }
        if millis_of(&invitation.fields, "expiresAt") <= self.now() {
            return Err(gone("This invitation has expired. Ask for a new one."));
        }
        let email = text_of(&invitation.fields, "email");
        if email.is_some() && email != person.email {
            return Err(CallError::new(
                Code::PermissionDenied,
                "This invitation is for another e-mail address. Log in with the account it was sent to; its address must be verified.",
            ));
        }
        if is_in_trash(&deck.fields) {
            return Err(gone("This project is in its owner’s trash."));
        }
        let Some(role) = text_of(&invitation.fields, "role").and_then(|role| Role::read(&role)) else {
            return Err(gone("This invitation cannot be read. Ask for a new one."));
        };
        let languages = Languages::of_invitation(&invitation.fields, role);
        let open = Open { deck, invitation, role, languages, once: email.is_some() };
        if role_of(&open.deck.fields, &person.uid).is_none() {
            open.lets_in(person)?;
        }
        Ok(open)
    }

    /// The person's role afterwards, and the writes that establish it.
    async fn plan(&self, person: &Person, open: Open) -> Result<(Role, Vec<Write>), CallError> {
        if project::owner(&open.deck.fields) == Some(&person.uid) {
            return Err(gone("This project is your own."));
        }
        let most = self.most(&open.deck.fields).await?;
        let held = role_of(&open.deck.fields, &person.uid);
        if held.is_none() && member_count(&open.deck.fields) >= most {
            return Err(full(most));
        }
        let (role, languages) = open.outcome(person);
        let (deck, invitation) = (open.deck.path.clone(), open.invitation.path.clone());
        let mut writes = vec![joining(person, deck, role, languages)?];
        if open.once {
            writes.push(deletion(invitation));
        } else if held.is_none() {
            writes.push(self.came_by(person, invitation)?);
        }
        Ok((role, writes))
    }

    /// Records who joined by a link, and when.
    fn came_by(&self, person: &Person, invitation: DocPath) -> Result<Write, CallError> {
        Ok(Write {
            path: invitation,
            op: WriteOp::Update {
                fields: Fields::from([("joined".to_owned(), entry(&person.uid, Value::Integer(self.now())))]),
                mask: vec![field(&["joined", &person.uid])?],
                transforms: Vec::new(),
            },
            precondition: Precondition::Exists(true),
        })
    }
}

impl Open {
    /// True if the invitation was made after the person's removal or demotion, or if there was none.
    fn is_after(&self, what: &str, person: &Person) -> bool {
        let made = millis_of(&self.invitation.fields, "createdAt");
        happened_at(&self.deck.fields, what, &person.uid).is_none_or(|at| made > at)
    }

    /// The person's role and languages once it is accepted.
    fn outcome(&self, person: &Person) -> (Role, Languages) {
        let theirs = Languages::of_member(&self.deck.fields, &person.uid);
        match role_of(&self.deck.fields, &person.uid) {
            None => (self.role, self.languages.clone()),
            Some(held) if self.may_raise(person) => (held.max(self.role), theirs.and(&self.languages)),
            Some(held) => (held, theirs),
        }
    }

    /// True if it may raise a member's role: not to one that they had by it and lost.
    fn may_raise(&self, person: &Person) -> bool {
        let came_by_it =
            map_of(&self.invitation.fields, "joined").is_some_and(|joined| joined.contains_key(&person.uid));
        !came_by_it && self.is_after(DEMOTED, person)
    }

    /// Checks that somebody who is not a member may join by it.
    fn lets_in(&self, person: &Person) -> Result<(), CallError> {
        let fields = &self.invitation.fields;
        let removed = happened_at(&self.deck.fields, REMOVED, &person.uid).is_some();
        if removed && !(self.once && self.is_after(REMOVED, person)) {
            return Err(CallError::new(
                Code::PermissionDenied,
                "You were taken out of this project. Ask its owner to invite your e-mail address.",
            ));
        }
        // Leaving does not undo it either.
        if !self.is_after(DEMOTED, person) {
            return Err(CallError::new(
                Code::PermissionDenied,
                "Your role in this project was lowered after this invitation was made. Ask its owner for a new one.",
            ));
        }
        let joined = map_of(fields, "joined");
        let came = joined.map_or(0, Fields::len);
        // Links from before the limit existed admit as many as any.
        let uses = match fields.get("uses") {
            Some(Value::Integer(uses)) => usize::try_from(*uses).unwrap_or(0),
            _ => MAX_USES as usize,
        };
        if !self.once && came >= uses && !joined.is_some_and(|joined| joined.contains_key(&person.uid)) {
            return Err(gone("This link has let in as many people as it may. Ask for a new one."));
        }
        Ok(())
    }
}

/// Makes somebody a member with this role; a translator, of these languages.
fn joining(person: &Person, deck: DocPath, role: Role, languages: Languages) -> Result<Write, CallError> {
    let mut fields = Fields::from([
        ("members".to_owned(), entry(&person.uid, text(role.name()))),
        ("people".to_owned(), entry(&person.uid, text(&person.name))),
        ("shared".to_owned(), Value::Boolean(true)),
    ]);
    let uid = person.uid.as_str();
    let mut mask = vec![
        field(&["members", uid])?,
        field(&["people", uid])?,
        field(&[REMOVED, uid])?,
        field(&["shared"])?,
    ];
    languages.into_member(uid, role, &mut fields, &mut mask)?;
    let joined = FieldTransform {
        field: FieldPath::parse("memberIds")?,
        transform: Transform::ArrayUnion(vec![text(uid)]),
    };
    Ok(Write {
        path: deck,
        op: WriteOp::Update { fields, mask, transforms: vec![joined] },
        precondition: Precondition::Exists(true),
    })
}

fn paths(request: &Request) -> Result<[DocPath; 2], CallError> {
    let deck = request.deck.path()?;
    let id = &request.invitation;
    if id.is_empty() || id.contains('/') {
        return Err(CallError::invalid("invitation must be the id of an invitation."));
    }
    let invitation = deck.child("invitations")?.doc(id)?;
    Ok([deck, invitation])
}

fn withdrawn() -> CallError {
    gone("This invitation is no longer there: it was withdrawn, or has been used.")
}

fn gone(message: &str) -> CallError {
    CallError::new(Code::FailedPrecondition, message)
}
