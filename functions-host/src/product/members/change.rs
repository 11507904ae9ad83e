//! Changing a member's role, removing a member, leaving.

use docstore::Code;
use docstore::model::{
    DocPath, Document, FieldFilter, FieldOp, FieldPath, FieldTransform, Fields, Filter, Precondition, Query,
    Source, Transform, Value, Write, WriteOp,
};
use docstore::txn::{TxnId, TxnOptions};
use serde::Deserialize;

use super::languages::{Languages, TRANSLATES};
use super::{
    DEMOTED, DeckName, MAX_INVITATIONS, MAX_REMEMBERED, Members, Person, REMOVED, Role, deletion, entry,
    map_of, millis_of, owners_only, role_of, text, text_of,
};
use crate::functions::callable::{CallError, retried};
use crate::project;
use crate::table::lobby;

#[derive(Debug, Deserialize)]
pub(super) struct Request {
    #[serde(flatten)]
    pub(super) deck: DeckName,
    /// The member.
    pub(super) uid: String,
    /// The new role; none removes the member.
    pub(super) role: Option<Role>,
    /// Of a translator: what they translate into from now on.
    #[serde(default)]
    pub(super) languages: Vec<String>,
}

impl Members {
    /// Owners may change and remove members; all may remove themselves.
    pub(super) async fn change(&self, person: &Person, request: &Request) -> Result<(), CallError> {
        retried(|| self.try_change(person, request)).await
    }

    async fn try_change(&self, person: &Person, request: &Request) -> Result<(), CallError> {
        let path = request.deck.path()?;
        let txn = self.database.begin(TxnOptions::ReadWrite { retry: None }).await?;
        let found =
            self.database.get_in(txn, std::slice::from_ref(&path)).await?.value.into_iter().flatten().next();
        let planned = match found.filter(|deck| request.deck.names(deck)) {
            Some(deck) => self.plan_change(txn, person, request, deck).await,
            None => Err(request.deck.not_found(person)),
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
        if !leaving && role_of(&deck.fields, &person.uid) != Some(Role::Owner) {
            return Err(owners_only());
        }
        if project::owner(&deck.fields) == Some(&request.uid) {
            return Err(CallError::new(
                Code::FailedPrecondition,
                "This account owns the project and stays its owner: hand the project over, or delete it.",
            ));
        }
        let languages = Languages::asked(request.role, &request.languages)?;
        let Some(held) = role_of(&deck.fields, &request.uid) else {
            return Err(CallError::new(Code::NotFound, "They are no member of this project."));
        };
        // Only owners may have open invitations.
        let mut writes = if request.role.is_none_or(|role| held == Role::Owner && role < held) {
            self.withdrawals(txn, &deck.path, &request.uid).await?
        } else {
            Vec::new()
        };
        if request.role.is_none() {
            writes.extend(self.leave_tables(txn, deck.path.id(), &request.uid).await?);
            writes.extend(self.withdraw_offer_to(txn, &deck, &request.uid).await?);
        }
        writes.push(match request.role {
            Some(role) => self.with_role(deck, &request.uid, held, (role, languages))?,
            None => {
                let gone = if leaving { Gone::ByTheirWill } else { Gone::TakenOut(self.now()) };
                taking_out(deck, &request.uid, gone)?
            }
        });
        Ok(writes)
    }

    /// Gives a member another role, or a translator other languages. Whoever loses a role or a language is recorded.
    fn with_role(
        &self,
        deck: Document,
        uid: &str,
        held: Role,
        (role, languages): (Role, Languages),
    ) -> Result<Write, CallError> {
        let loses =
            Languages::of_member(&deck.fields, uid).is_more_than(&languages) && role == Role::Translator;
        let mut fields = Fields::from([("members".to_owned(), entry(uid, text(role.name())))]);
        let mut mask = vec![field(&["members", uid])?];
        if role < held || loses {
            remember(&deck.fields, DEMOTED, uid, self.now(), &mut fields, &mut mask)?;
        }
        languages.into_member(uid, role, &mut fields, &mut mask)?;
        let op = WriteOp::Update { fields, mask, transforms: Vec::new() };
        Ok(Write { path: deck.path, op, precondition: Precondition::Exists(true) })
    }

    /// Writes that delete the invitations made by a member, who still knows their links.
    pub(super) async fn withdrawals(
        &self,
        txn: TxnId,
        deck: &DocPath,
        uid: &str,
    ) -> Result<Vec<Write>, CallError> {
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

impl Members {
    /// Writes that take a user off the lists of players of a project's tables: they let players read those documents.
    /// Tables that are awake bring theirs up to date themselves.
    pub(super) async fn leave_tables(
        &self,
        txn: TxnId,
        project: &str,
        uid: &str,
    ) -> Result<Vec<Write>, CallError> {
        let source = Source { collection: Some(lobby::COLLECTION.to_owned()), all_descendants: false };
        let equals = |name: &str, op, value: &str| -> docstore::Result<Filter> {
            let field = FieldPath::parse(name)?;
            Ok(Filter::Field(FieldFilter { field, op, value: text(value) }))
        };
        let filters = vec![
            equals("projectId", FieldOp::Equal, project)?,
            equals("playerIds", FieldOp::ArrayContains, uid)?,
        ];
        let query = Query { filter: Some(Filter::And(filters)), ..Query::all(None, source) };
        let tables = self.database.run_in(txn, &query).await?.documents;
        let writes = tables.into_iter().map(|table| {
            let transform = Transform::ArrayRemove(vec![text(uid)]);
            let left = FieldTransform { field: FieldPath::parse("playerIds")?, transform };
            let op = WriteOp::Update { fields: Fields::new(), mask: Vec::new(), transforms: vec![left] };
            Ok(Write { path: table.path, op, precondition: Precondition::Exists(true) })
        });
        writes.collect()
    }
}

/// The reason a membership ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Gone {
    /// They left; they may return.
    ByTheirWill,
    /// An owner removed them, at this time in milliseconds since the epoch.
    TakenOut(i64),
    /// Their account was deleted: nothing is recorded.
    WithAccount,
}

/// Removes a member.
pub(super) fn taking_out(deck: Document, uid: &str, gone: Gone) -> Result<Write, CallError> {
    let mut fields = Fields::new();
    let mut mask = vec![field(&["members", uid])?, field(&["people", uid])?, field(&[TRANSLATES, uid])?];
    match gone {
        Gone::ByTheirWill => {}
        Gone::TakenOut(now) => remember(&deck.fields, REMOVED, uid, now, &mut fields, &mut mask)?,
        Gone::WithAccount => mask.extend([field(&[REMOVED, uid])?, field(&[DEMOTED, uid])?]),
    }
    let left = FieldTransform {
        field: FieldPath::parse("memberIds")?,
        transform: Transform::ArrayRemove(vec![text(uid)]),
    };
    let op = WriteOp::Update { fields, mask, transforms: vec![left] };
    Ok(Write { path: deck.path, op, precondition: Precondition::Exists(true) })
}

/// Records in the map `what` that a user was removed or demoted; drops the oldest record when the map is full.
pub(super) fn remember(
    deck: &Fields,
    what: &str,
    uid: &str,
    now: i64,
    fields: &mut Fields,
    mask: &mut Vec<FieldPath>,
) -> Result<(), CallError> {
    fields.insert(what.to_owned(), entry(uid, Value::Integer(now)));
    mask.push(field(&[what, uid])?);
    let full = map_of(deck, what).filter(|known| known.len() >= MAX_REMEMBERED);
    let longest_ago = full.and_then(|known| {
        known.keys().filter(|one| *one != uid).min_by_key(|one| millis_of(known, one)).cloned()
    });
    if let Some(forgotten) = longest_ago {
        mask.push(field(&[what, &forgotten])?);
    }
    Ok(())
}

/// A field path of these names, with any characters.
pub(super) fn field(names: &[&str]) -> Result<FieldPath, CallError> {
    Ok(FieldPath::from_segments(names.iter().map(|&name| name.to_owned()).collect())?)
}
