//! Reading and accepting an invitation.

use docstore::Code;
use docstore::model::{
    DocPath, Document, FieldPath, FieldTransform, Fields, Precondition, Transform, Value, Write, WriteOp,
};
use docstore::txn::TxnOptions;
use serde::{Deserialize, Serialize};

use super::change::{again, field};
use super::{
    DeckName, MAX_ATTEMPTS, Members, Person, Role, deletion, entry, full, member_count, millis_of, role_of,
    text, text_of,
};
use crate::callable::CallError;

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
    /// Milliseconds since the epoch.
    pub(super) expires_at: i64,
    /// The caller sees the project already.
    pub(super) member: bool,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Accepted {
    pub(super) role: &'static str,
}

/// An invitation that the caller may accept, and its deck.
struct Open {
    deck: Document,
    invitation: Document,
    role: Role,
    /// It is used up by accepting it.
    once: bool,
}

impl Members {
    /// What an invitation is to, before it is accepted.
    pub(super) async fn read(&self, person: &Person, request: &Request) -> Result<Shown, CallError> {
        let found = self.database.get(&paths(request)?, None).await?.value;
        let open = self.open(person, found)?;
        Ok(Shown {
            deck_name: text_of(&open.deck.fields, "name").unwrap_or_default(),
            invited_by: text_of(&open.invitation.fields, "invitedBy").unwrap_or_default(),
            role: open.role.name(),
            expires_at: millis_of(&open.invitation.fields, "expiresAt"),
            member: person.role_in(&request.deck.owner_id, &open.deck.fields).is_some(),
        })
    }

    /// Makes the caller a member. Who has a larger role keeps it.
    pub(super) async fn accept(&self, person: &Person, request: &Request) -> Result<Accepted, CallError> {
        if person.uid == request.deck.owner_id {
            return Err(CallError::new(Code::FailedPrecondition, "This project is your own."));
        }
        let mut attempts = 0;
        loop {
            attempts += 1;
            match self.try_accept(person, request).await {
                Err(error) if again(&error) && attempts < MAX_ATTEMPTS => {}
                outcome => break outcome,
            }
        }
    }

    async fn try_accept(&self, person: &Person, request: &Request) -> Result<Accepted, CallError> {
        let txn = self.database.begin(TxnOptions::ReadWrite { retry: None }).await?;
        let found = self.database.get_in(txn, &paths(request)?).await?.value;
        let most = self.most(&request.deck.owner_id).await?;
        let planned = self.open(person, found).and_then(|open| plan(person, open, most));
        match planned {
            Ok((role, writes)) => {
                self.end(txn, writes).await?;
                self.open_layouts(&request.deck).await?;
                Ok(Accepted { role: role.name() })
            }
            Err(error) => {
                self.database.rollback(txn).await?;
                Err(error)
            }
        }
    }

    /// Checks that the invitation stands.
    fn open(&self, person: &Person, found: Vec<Option<Document>>) -> Result<Open, CallError> {
        let [Some(deck), Some(invitation)] = <[_; 2]>::try_from(found).unwrap_or_default() else {
            return Err(gone("This invitation is no longer there: it was withdrawn, or has been used."));
        };
        let now = i64::try_from(self.store.clock().now().micros() / 1_000).unwrap_or(i64::MAX);
        if millis_of(&invitation.fields, "expiresAt") <= now {
            return Err(gone("This invitation has expired. Ask for a new one."));
        }
        let email = text_of(&invitation.fields, "email");
        if email.is_some() && email != person.email {
            return Err(CallError::new(
                Code::PermissionDenied,
                "This invitation is for another e-mail address. Log in with the account it was sent to; its address must be verified.",
            ));
        }
        if !matches!(deck.fields.get("trashedAt"), None | Some(Value::Null)) {
            return Err(gone("This project is in its owner’s trash."));
        }
        let Some(role) = text_of(&invitation.fields, "role").and_then(|role| Role::read(&role)) else {
            return Err(gone("This invitation cannot be read. Ask for a new one."));
        };
        Ok(Open { deck, invitation, role, once: email.is_some() })
    }
}

/// The role the person has afterwards, and what makes it so. The deck may have `most` members.
fn plan(person: &Person, open: Open, most: usize) -> Result<(Role, Vec<Write>), CallError> {
    let held = role_of(&open.deck.fields, &person.uid);
    if held.is_none() && member_count(&open.deck.fields) >= most {
        return Err(full(most));
    }
    let role = held.map_or(open.role, |held| held.max(open.role));
    let fields = Fields::from([
        ("members".to_owned(), entry(&person.uid, text(role.name()))),
        ("people".to_owned(), entry(&person.uid, text(&person.name))),
    ]);
    let joined = FieldTransform {
        field: FieldPath::parse("memberIds")?,
        transform: Transform::ArrayUnion(vec![text(&person.uid)]),
    };
    let mut writes = vec![Write {
        path: open.deck.path,
        op: WriteOp::Update {
            fields,
            mask: vec![field(&["members", &person.uid])?, field(&["people", &person.uid])?],
            transforms: vec![joined],
        },
        precondition: Precondition::Exists(true),
    }];
    if open.once {
        writes.push(deletion(open.invitation.path));
    }
    Ok((role, writes))
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

fn gone(message: &str) -> CallError {
    CallError::new(Code::FailedPrecondition, message)
}
