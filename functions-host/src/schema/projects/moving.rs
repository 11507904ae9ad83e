//! Moving the projects, in commits of limited size.

use docstore::model::{
    DocPath, Document, FieldFilter, FieldOp, FieldPath, FieldTransform, Fields, Filter, Precondition, Query,
    Source, Transform, Value, Write, WriteOp, check_document,
};
use docstore::{Database, Result};

use super::{DECKS, is_presence, part_of, place_of};
use crate::schema::batches::{Batches, Limits};
use crate::schema::moved::Kind;
use crate::schema::walk::{Found, Walk, below};
use crate::schema::{Progress, Target};

/// Name of a project that has lost its own document.
const RECOVERED: &str = "Recovered project";

/// Moves every project there is, and reports commits to `progress`.
///
/// # Errors
/// Those of the store and of `progress`; what is committed by then stays.
pub(super) async fn run(target: &Target, limits: Limits, progress: &dyn Progress) -> Result<()> {
    let mut moving = Moving { target, batches: Batches::new(&target.documents, limits, progress) };
    let mut walk = Walk::new(&target.documents, DECKS);
    while let Some(page) = walk.next().await? {
        let names: Vec<(&str, &str)> =
            page.iter().map(|found| (found.owner.as_str(), found.id.as_str())).collect();
        let renamed = target.moved.now(Kind::Project, &names).await?;
        for (found, renamed) in page.iter().zip(renamed) {
            moving.project(found, renamed.as_deref().unwrap_or(&found.id)).await?;
        }
    }
    moving.batches.commit().await
}

/// The projects on their way.
struct Moving<'a> {
    target: &'a Target,
    batches: Batches<'a>,
}

impl Moving<'_> {
    async fn project(&mut self, found: &Found, id: &str) -> Result<()> {
        let (from, to) = (found.path.clone(), place_of(id)?);
        if id != found.id {
            self.rename_in_layouts(&found.owner, &found.id, id).await?;
        }
        if let Some(document) = &found.document {
            self.own_document(document, &to, &found.owner).await?;
        }
        let mut recovers = found.document.is_none() && !exists(&self.target.documents, &to).await?;
        let mut after = None;
        loop {
            let page =
                below(&self.target.documents, &from, after.as_ref(), self.batches.limits.page, false).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.path.clone());
            for document in page {
                let part = part_of(&from, &document.path);
                if is_presence(&part) {
                    self.batches.add([Write::delete(document.path)], 0).await?;
                    continue;
                }
                let path = DocPath::parse(&format!("{to}/{}", part.join("/")))?;
                let fields = with_id(&part, document.fields, &found.id, id);
                if let Err(error) = check_document(&path, &fields) {
                    tracing::warn!("{} stays as it is: {}", document.path, error.message());
                    continue;
                }
                if std::mem::take(&mut recovers) {
                    self.batches.add([recovered(&to, &found.owner)?], 0).await?;
                }
                self.batches.add([Write::set(path, fields), Write::delete(document.path)], 1).await?;
            }
        }
    }

    /// Moves a project's own document, before anything below it. One that has become too large stays, and the project gets
    /// another one.
    async fn own_document(&mut self, document: &Document, to: &DocPath, owner: &str) -> Result<()> {
        let fields = owned(document.fields.clone(), owner);
        let Err(error) = check_document(to, &fields) else {
            return self
                .batches
                .add([Write::set(to.clone(), fields), Write::delete(document.path.clone())], 1)
                .await;
        };
        tracing::warn!("{} stays as it is: {}", document.path, error.message());
        if exists(&self.target.documents, to).await? {
            return Ok(());
        }
        self.batches.add([recovered(to, owner)?], 0).await
    }

    /// Lets the layouts of `owner` that name a project by its old id name it by the new one.
    async fn rename_in_layouts(&mut self, owner: &str, old: &str, new: &str) -> Result<()> {
        // The query below must see the writes so far.
        self.batches.commit().await?;
        let field = FieldPath::parse("deckIds")?;
        let naming = FieldFilter { field: field.clone(), op: FieldOp::ArrayContains, value: text(old) };
        let source = Source { collection: Some("layouts".to_owned()), all_descendants: false };
        let query = Query {
            filter: Some(Filter::Field(naming)),
            select: Some(vec![field.clone()]),
            limit: Some(self.batches.limits.page.documents),
            ..Query::all(Some(DocPath::parse(&format!("users/{owner}"))?), source)
        };
        loop {
            let layouts = self.target.documents.run(&query, None).await?.documents;
            if layouts.is_empty() {
                return Ok(());
            }
            for layout in layouts {
                let Some(Value::Array(mut ids)) = layout.fields.get("deckIds").cloned() else { continue };
                for id in ids.iter_mut().filter(|id| **id == text(old)) {
                    *id = text(new);
                }
                let op = WriteOp::Update {
                    fields: Fields::from([("deckIds".to_owned(), Value::Array(ids))]),
                    mask: vec![field.clone()],
                    transforms: Vec::new(),
                };
                self.batches
                    .add([Write { path: layout.path, op, precondition: Precondition::None }], 0)
                    .await?;
            }
            self.batches.commit().await?;
        }
    }
}

/// A project's fields with its owner. `shared` is kept true once others have worked on it: a list of members, even an
/// empty one, says so.
fn owned(mut fields: Fields, owner: &str) -> Fields {
    let shared = fields.contains_key("memberIds");
    let mut members = match fields.remove("members") {
        Some(Value::Map(members)) => members,
        _ => Fields::new(),
    };
    members.insert(owner.to_owned(), text("owner"));
    let mut ids = match fields.remove("memberIds") {
        Some(Value::Array(ids)) => ids,
        _ => Vec::new(),
    };
    if !ids.contains(&text(owner)) {
        ids.push(text(owner));
    }
    fields.insert("owner".to_owned(), text(owner));
    fields.insert("members".to_owned(), Value::Map(members));
    fields.insert("memberIds".to_owned(), Value::Array(ids));
    // Nothing that somebody wrote there before it had a meaning.
    fields.remove("shared");
    if shared {
        fields.insert("shared".to_owned(), Value::Boolean(true));
    }
    fields
}

/// A document's fields after its project got the id `new`: invitations name it.
fn with_id(part: &[&str], mut fields: Fields, old: &str, new: &str) -> Fields {
    if let (["invitations", _], Some(id)) = (part, fields.get_mut("deckId"))
        && *id == text(old)
    {
        *id = text(new);
    }
    fields
}

/// The document of a project that has only documents below it, so that its owner sees them and can delete them.
fn recovered(path: &DocPath, owner: &str) -> Result<Write> {
    let fields = owned(Fields::from([("name".to_owned(), text(RECOVERED))]), owner);
    let now = |name: &str| {
        Ok(FieldTransform { field: FieldPath::parse(name)?, transform: Transform::ServerTimestamp })
    };
    let transforms = vec![now("createdAt")?, now("updatedAt")?];
    Ok(Write {
        path: path.clone(),
        op: WriteOp::Set { fields, transforms },
        precondition: Precondition::None,
    })
}

async fn exists(database: &Database, path: &DocPath) -> Result<bool> {
    let found = database.get(std::slice::from_ref(path), None).await?.value;
    Ok(found.into_iter().any(|document| document.is_some()))
}

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}
