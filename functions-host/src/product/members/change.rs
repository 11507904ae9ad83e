//! Changing a member's role, removing a member, leaving.

use docstore::Code;
use docstore::model::{FieldPath, FieldTransform, Fields, Precondition, Transform, Write, WriteOp};
use docstore::txn::TxnOptions;
use serde::Deserialize;

use super::{DeckName, MAX_ATTEMPTS, Members, Person, Role, entry, no_such_deck, owners_only, role_of, text};
use crate::callable::CallError;

#[derive(Debug, Deserialize)]
pub(super) struct Request {
    #[serde(flatten)]
    pub(super) deck: DeckName,
    /// Whose role.
    pub(super) uid: String,
    /// The new one; without one they are a member no longer.
    pub(super) role: Option<Role>,
}

impl Members {
    /// Owners change and remove members; everybody may remove themselves.
    pub(super) async fn change(&self, person: &Person, request: &Request) -> Result<(), CallError> {
        let mut attempts = 0;
        loop {
            attempts += 1;
            match self.try_change(person, request).await {
                Err(error) if again(&error) && attempts < MAX_ATTEMPTS => {}
                outcome => break outcome,
            }
        }
    }

    async fn try_change(&self, person: &Person, request: &Request) -> Result<(), CallError> {
        let path = request.deck.path()?;
        let txn = self.database.begin(TxnOptions::ReadWrite { retry: None }).await?;
        let found =
            self.database.get_in(txn, std::slice::from_ref(&path)).await?.value.into_iter().flatten().next();
        let own_deck = person.uid == request.deck.owner_id;
        let planned = match found {
            Some(deck) => plan(person, request, &deck.fields),
            // Who may not see the deck is not told whether there is one.
            None => Err(if own_deck { no_such_deck() } else { owners_only() }),
        };
        match planned {
            Ok(op) => {
                self.end(txn, vec![Write { path, op, precondition: Precondition::Exists(true) }]).await?;
                Ok(())
            }
            Err(error) => {
                self.database.rollback(txn).await?;
                Err(error)
            }
        }
    }
}

fn plan(person: &Person, request: &Request, deck: &Fields) -> Result<WriteOp, CallError> {
    let leaving = person.uid == request.uid && request.role.is_none();
    if !leaving && person.role_in(&request.deck.owner_id, deck) != Some(Role::Owner) {
        return Err(owners_only());
    }
    if role_of(deck, &request.uid).is_none() {
        return Err(CallError::new(Code::NotFound, "They are no member of this project."));
    }
    let mut mask = vec![field(&["members", &request.uid])?];
    Ok(match request.role {
        Some(role) => WriteOp::Update {
            fields: Fields::from([("members".to_owned(), entry(&request.uid, text(role.name())))]),
            mask,
            transforms: Vec::new(),
        },
        None => {
            mask.push(field(&["people", &request.uid])?);
            let left = FieldTransform {
                field: FieldPath::parse("memberIds")?,
                transform: Transform::ArrayRemove(vec![text(&request.uid)]),
            };
            WriteOp::Update { fields: Fields::new(), mask, transforms: vec![left] }
        }
    })
}

/// Another transaction was first: what was read has to be read again.
pub(super) fn again(error: &CallError) -> bool {
    error.code() == Code::Aborted
}

/// A field by its names, whatever characters they have.
pub(super) fn field(names: &[&str]) -> Result<FieldPath, CallError> {
    Ok(FieldPath::from_segments(names.iter().map(|&name| name.to_owned()).collect())?)
}
