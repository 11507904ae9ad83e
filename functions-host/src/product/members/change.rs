//! Changing a member's role, removing a member, leaving.

use docstore::Code;
use docstore::model::{
    DocPath, Document, FieldPath, FieldTransform, Fields, Precondition, Query, Source, Transform, Value,
    Write, WriteOp,
};
use docstore::txn::{TxnId, TxnOptions};
use serde::Deserialize;

use super::{
    DeckName, MAX_ATTEMPTS, MAX_INVITATIONS, MAX_REMOVED, Members, Person, Role, deletion, entry, map_of,
    millis_of, no_such_deck, owners_only, role_of, text, text_of,
};
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
            Some(deck) => self.plan_change(txn, person, request, deck).await,
            // Who may not see the deck is not told whether there is one.
            None => Err(if own_deck { no_such_deck() } else { owners_only() }),
        };
        match planned {
            Ok(writes) => self.end(txn, writes).await.map_err(Into::into),
            Err(error) => {
                self.database.rollback(txn).await?;
                Err(error)
            }
        }
    }

    async fn plan_change(
        &self,
        txn: TxnId,
        person: &Person,
        request: &Request,
        deck: Document,
    ) -> Result<Vec<Write>, CallError> {
        let leaving = person.uid == request.uid && request.role.is_none();
        if !leaving && person.role_in(&request.deck.owner_id, &deck.fields) != Some(Role::Owner) {
            return Err(owners_only());
        }
        if role_of(&deck.fields, &request.uid).is_none() {
            return Err(CallError::new(Code::NotFound, "They are no member of this project."));
        }
        let Some(role) = request.role else {
            let mut writes = self.withdrawals(txn, &deck.path, &request.uid).await?;
            writes.push(taking_out(deck, &request.uid, (!leaving).then(|| self.now()))?);
            return Ok(writes);
        };
        let op = WriteOp::Update {
            fields: Fields::from([("members".to_owned(), entry(&request.uid, text(role.name())))]),
            mask: vec![field(&["members", &request.uid])?],
            transforms: Vec::new(),
        };
        Ok(vec![Write { path: deck.path, op, precondition: Precondition::Exists(true) }])
    }

    /// What withdraws the invitations that somebody made: their links are known to them still.
    async fn withdrawals(&self, txn: TxnId, deck: &DocPath, uid: &str) -> Result<Vec<Write>, CallError> {
        let source = Source { collection: Some("invitations".to_owned()), all_descendants: false };
        let limit = u32::try_from(MAX_INVITATIONS).ok();
        let query = Query { limit, ..Query::all(Some(deck.clone()), source) };
        let invitations = self.database.run_in(txn, &query).await?.documents;
        let theirs = invitations
            .into_iter()
            .filter(|one| text_of(&one.fields, "invitedById").as_deref() == Some(uid))
            .map(|one| deletion(one.path));
        Ok(theirs.collect())
    }
}

/// Takes a member out: for good at `removed_at`, or until they come again.
pub(super) fn taking_out(deck: Document, uid: &str, removed_at: Option<i64>) -> Result<Write, CallError> {
    let mut fields = Fields::new();
    let mut mask = vec![field(&["members", uid])?, field(&["people", uid])?];
    if let Some(now) = removed_at {
        fields.insert("removed".to_owned(), entry(uid, Value::Integer(now)));
        mask.push(field(&["removed", uid])?);
        let known = map_of(&deck.fields, "removed").filter(|known| known.len() >= MAX_REMOVED);
        let longest_gone = known.and_then(|known| {
            known.keys().filter(|one| *one != uid).min_by_key(|one| millis_of(known, one)).cloned()
        });
        if let Some(forgotten) = longest_gone {
            mask.push(field(&["removed", &forgotten])?);
        }
    }
    let left = FieldTransform {
        field: FieldPath::parse("memberIds")?,
        transform: Transform::ArrayRemove(vec![text(uid)]),
    };
    let op = WriteOp::Update { fields, mask, transforms: vec![left] };
    Ok(Write { path: deck.path, op, precondition: Precondition::Exists(true) })
}

/// Another transaction was first: what was read has to be read again.
pub(super) fn again(error: &CallError) -> bool {
    error.code() == Code::Aborted
}

/// A field by its names, whatever characters they have.
pub(super) fn field(names: &[&str]) -> Result<FieldPath, CallError> {
    Ok(FieldPath::from_segments(names.iter().map(|&name| name.to_owned()).collect())?)
}
