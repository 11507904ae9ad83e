//! Answering an offer.

use docstore::Code;
use docstore::access::Caller;
use docstore::model::{
    DocPath, Document, FieldFilter, FieldOp, FieldPath, FieldTransform, Fields, Filter, Precondition, Query,
    Source, Transform, Value, Write, WriteOp,
};
use docstore::txn::TxnId;

use super::super::change::{field, remember};
use super::super::languages::TRANSLATES;
use super::super::{
    DEMOTED, MAX_MEMBERS, Person, REMOVED, Role, deletion, is_in_trash, member_count, role_of, text,
};
use super::record::{AT, Offer, handover_path, offer_path};
use super::{Answer, Answered, Found, Offers, found, path_of, refused};
use crate::functions::callable::{CallError, retried};
use crate::project;
use crate::table::lobby;

impl Offers {
    pub(super) async fn answer(&self, person: &Person, request: &Answer) -> Result<Answered, CallError> {
        let path = path_of(&request.project_id)?;
        if !request.accept {
            let (answered, next) = retried(|| self.try_decline(person, &path)).await?;
            if let Some(next) = next {
                self.tell_taker(&next).await?;
            }
            return Ok(answered);
        }
        let paths = [path.clone(), offer_path(path.id())?];
        let (project, offer) =
            self.acceptable(person, found(self.members.database.get(&paths, None).await?.value))?;
        self.fits(person, &project, &offer).await?;
        // Kept until the commit, so that nothing else takes the room meanwhile. Taken before the transaction: clients too
        // wait for room before they write.
        let database = self.members.database.id();
        let room = match &self.room {
            Some(room) => room.admit(&Caller::Admin, database, &[given(&path, &person.uid)?]).await?,
            None => None,
        };
        // Whoever began to delete their account, and stopped, is there still.
        let gone = offer.closing && self.accounts.account(&offer.from).await?.is_none();
        retried(|| self.try_accept(person, &path, gone)).await?;
        drop(room);
        if let Err(error) = self.files_follow(path.id()).await {
            let error = error.inner();
            tracing::warn!(%error, "files of a project count for its former owner still; the sweep goes on");
        }
        Ok(Answered { role: Role::Owner.name() })
    }

    /// `gone` if the account of the owner is deleted.
    async fn try_accept(&self, person: &Person, path: &DocPath, gone: bool) -> Result<(), CallError> {
        let txn = self.begin().await?;
        let planned = match self.found_in(txn, path).await {
            Ok(found) => match self.acceptable(person, found) {
                Ok((project, offer)) => self.plan(txn, person, (project, gone), &offer).await,
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        self.finish(txn, planned.map(|writes| ((), writes))).await
    }

    /// The project and its offer, if the person may take it.
    fn acceptable(&self, person: &Person, found: Found) -> Result<(Document, Offer), CallError> {
        let offer = self.offered(person, found.1)?;
        let project = found.0.filter(|project| project::owner(&project.fields) == Some(&offer.from));
        let project = project.ok_or_else(no_offer)?;
        if role_of(&project.fields, &person.uid).is_none() {
            return Err(CallError::new(
                Code::PermissionDenied,
                "You are no longer a member of this project, so it cannot become yours.",
            ));
        }
        if !offer.closing && is_in_trash(&project.fields) {
            return Err(refused("This project is in its owner’s trash."));
        }
        Ok((project, offer))
    }

    /// The offer, if it stands and is for the person; others learn nothing.
    fn offered(&self, person: &Person, offer: Option<Offer>) -> Result<Offer, CallError> {
        offer.filter(|offer| offer.to == person.uid && offer.is_open(self.members.now())).ok_or_else(no_offer)
    }

    /// Refuses what the person's plan has no room for, documents apart: of those a count would be old by the commit.
    async fn fits(&self, person: &Person, project: &Document, offer: &Offer) -> Result<(), CallError> {
        let of_plan = self.members.plans.limits_of(&person.uid).await?.members;
        let most = of_plan.and_then(|most| usize::try_from(most).ok()).unwrap_or(MAX_MEMBERS);
        // The former owner takes the place of the new one, or has gone.
        let there = member_count(&project.fields) - usize::from(offer.closing);
        if there > most {
            return Err(refused(format!(
                "This project has {there} members besides its owner, and your plan allows {most}. Ask for some to be \
                 removed, or choose a larger plan where there is one.",
            )));
        }
        match self.parts.files.would_fit(&format!("{}/", project.path), &person.uid).await {
            Err(error) if error.code() == Code::ResourceExhausted => Err(refused(format!(
                "The files of this project do not fit beside yours. {}",
                error.message()
            ))),
            fits => Ok(fits?),
        }
    }

    async fn plan(
        &self,
        txn: TxnId,
        person: &Person,
        (project, gone): (Document, bool),
        offer: &Offer,
    ) -> Result<Vec<Write>, CallError> {
        // Only owners may have open invitations.
        let mut writes = self.members.withdrawals(txn, &project.path, &offer.from).await?;
        writes.extend(self.tables_follow(txn, project.path.id(), &person.uid).await?);
        let id = project.path.id().to_owned();
        writes.push(self.new_owner(person, (project, gone), offer)?);
        writes.push(deletion(offer_path(&id)?));
        let at = Fields::from([(AT.to_owned(), Value::Integer(self.members.now()))]);
        writes.push(Write::set(handover_path(&id)?, at));
        Ok(writes)
    }

    /// Makes the person the owner. The former one becomes an editor, or leaves with their account.
    fn new_owner(
        &self,
        person: &Person,
        (project, gone): (Document, bool),
        offer: &Offer,
    ) -> Result<Write, CallError> {
        let (to, from) = (person.uid.as_str(), offer.from.as_str());
        let mut members = Fields::from([(to.to_owned(), text(Role::Owner.name()))]);
        let mut people = Fields::from([(to.to_owned(), text(&person.name))]);
        let mut fields = Fields::from([("owner".to_owned(), text(to))]);
        let mut mask = vec![
            field(&["owner"])?,
            field(&["members", to])?,
            field(&["members", from])?,
            field(&["people", to])?,
            field(&["people", from])?,
            field(&[TRANSLATES, to])?,
            field(&[DEMOTED, to])?,
        ];
        let mut transforms = Vec::new();
        if gone {
            mask.extend([field(&[REMOVED, from])?, field(&[DEMOTED, from])?]);
            let transform = Transform::ArrayRemove(vec![text(from)]);
            transforms.push(FieldTransform { field: FieldPath::parse("memberIds")?, transform });
        } else {
            members.insert(from.to_owned(), text(Role::Editor.name()));
            people.insert(from.to_owned(), text(&offer.from_name));
            remember(&project.fields, DEMOTED, from, self.members.now(), &mut fields, &mut mask)?;
        }
        fields
            .extend([("members".to_owned(), Value::Map(members)), ("people".to_owned(), Value::Map(people))]);
        let op = WriteOp::Update { fields, mask, transforms };
        Ok(Write { path: project.path, op, precondition: Precondition::Exists(true) })
    }

    /// Writes that give a project's tables to its new owner: they say whose they are, so that their lists need no project.
    async fn tables_follow(&self, txn: TxnId, project: &str, to: &str) -> Result<Vec<Write>, CallError> {
        let source = Source { collection: Some(lobby::COLLECTION.to_owned()), all_descendants: false };
        let field = FieldPath::parse("projectId")?;
        let filter = Filter::Field(FieldFilter { field, op: FieldOp::Equal, value: text(project) });
        let query = Query { filter: Some(filter), ..Query::all(None, source) };
        let tables = self.members.database.run_in(txn, &query).await?.documents;
        tables.into_iter().map(|table| update(table.path, "ownerId", text(to))).collect()
    }

    /// Declines. A closing offer goes to the next member; if there is none, it can still be taken until it ends.
    async fn try_decline(
        &self,
        person: &Person,
        path: &DocPath,
    ) -> Result<(Answered, Option<Offer>), CallError> {
        let txn = self.begin().await?;
        let planned = match self.found_in(txn, path).await {
            Ok((project, offer)) => self.offered(person, offer).and_then(|offer| {
                let fields = project.map(|project| project.fields).unwrap_or_default();
                let answered = Answered { role: role_of(&fields, &person.uid).map_or("", Role::name) };
                if !offer.closing {
                    return Ok(((answered, None), vec![deletion(offer_path(path.id())?)]));
                }
                let next = offer.passed_on(&fields);
                let write = next.as_ref().map(Offer::write).transpose()?;
                Ok(((answered, next), write.into_iter().collect()))
            }),
            Err(error) => Err(error),
        };
        self.finish(txn, planned).await
    }
}

/// The write by which limits are asked whether a project has room with somebody.
fn given(project: &DocPath, to: &str) -> Result<Write, CallError> {
    update(project.clone(), "owner", text(to))
}

/// The write that changes one field of a document that is there.
pub(super) fn update(path: DocPath, name: &str, value: Value) -> Result<Write, CallError> {
    let fields = Fields::from([(name.to_owned(), value)]);
    let op = WriteOp::Update { fields, mask: vec![field(&[name])?], transforms: Vec::new() };
    Ok(Write { path, op, precondition: Precondition::Exists(true) })
}

fn no_offer() -> CallError {
    refused("There is no offer of this project to you: it was withdrawn or answered, or it has ended.")
}
