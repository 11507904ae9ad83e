//! The contents of a version of a game, read from its project at one moment.

use std::collections::BTreeMap;

use docstore::database::{Database, ListDocuments, Page};
use docstore::model::{
    CollectionPath, Cursor, Direction, DocPath, Document, FieldPath, Fields, Order, Query, Source, Ts, Value,
};
use docstore::{Code, Result};

use super::limits::{BYTES, DOCUMENTS, PAGE, PAGE_BYTES};
use crate::functions::callable::CallError;

/// Fields of a project's own document that describe the game. The others say whose it is and who works on it.
pub(super) const DESCRIBES: [&str; 6] = ["name", "description", "tags", "coverColor", "cover", "language"];

/// Collections that a version holds as they are.
pub(super) const COLLECTIONS: [&str; 8] =
    ["components", "layouts", "images", "fonts", "notes", "printPresets", "rulebooks", "languages"];

/// Fields that say who may see something, by collection: they are no content, and a restore leaves them as they are.
const ACCESS: [(&str, &str); 2] = [("layouts", "shared"), ("rulebooks", ACCESS_LINK)];

/// Field of a rulebook with its public link.
pub(super) const ACCESS_LINK: &str = "link";

/// Fields that say when something was saved, and how often: two documents that differ in these alone say the same.
pub(super) const BOOKKEEPING: [&str; 4] = ["createdAt", "updatedAt", "revision", "head"];

/// Collections of the text of a rulebook, below it.
pub(super) const TEXT: [&str; 2] = ["versions", "steps"];

/// Numbers of things, as lists of versions show them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) components: usize,
    pub(super) cards: usize,
    pub(super) layouts: usize,
    pub(super) images: usize,
    pub(super) rulebooks: usize,
}

impl Counts {
    /// Each with its name.
    pub(super) const fn named(&self) -> [(&'static str, usize); 5] {
        [
            ("components", self.components),
            ("cards", self.cards),
            ("layouts", self.layouts),
            ("images", self.images),
            ("rulebooks", self.rulebooks),
        ]
    }

    fn count(&mut self, path: &str) {
        let mut segments = path.split('/');
        match (segments.next(), segments.nth(1), segments.nth(1)) {
            (Some("components"), None, _) => self.components += 1,
            (Some("components"), Some("cards"), None) => self.cards += 1,
            (Some("layouts"), None, _) => self.layouts += 1,
            (Some("images"), None, _) => self.images += 1,
            (Some("rulebooks"), None, _) => self.rulebooks += 1,
            _ => {}
        }
    }
}

/// A document of a project at a moment.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) fields: Fields,
    /// Fields that are no content.
    pub(super) access: Fields,
    pub(super) update_time: Ts,
}

/// The documents that a version holds, by their paths below the project; its own has the empty path.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) at: Ts,
    pub(super) documents: BTreeMap<String, Held>,
    pub(super) counts: Counts,
    /// Bytes of the documents.
    pub(super) bytes: usize,
}

/// Reads a project at a moment.
///
/// # Errors
/// `NotFound`, `FailedPrecondition` for more than a version holds; those of the store.
pub(super) async fn read(database: &Database, project: &DocPath, at: Ts) -> Result<Contents, CallError> {
    let mut reader = Reader {
        database,
        project,
        contents: Contents { at, documents: BTreeMap::new(), counts: Counts::default(), bytes: 0 },
    };
    let found = database.get(std::slice::from_ref(project), Some(at)).await?.value;
    let mut own = found.into_iter().flatten().next().ok_or_else(super::no_such_project)?;
    own.fields.retain(|name, _| DESCRIBES.contains(&name.as_str()));
    reader.add(vec![own])?;
    for collection in COLLECTIONS {
        let found = reader.all(&project.child(collection)?).await?;
        let is_held = |one: &Document| collection != "rulebooks" || !is_put_away(&one.fields);
        let found: Vec<Document> = found.into_iter().filter(is_held).collect();
        let mut paths: Vec<DocPath> = found.iter().map(|one| one.path.clone()).collect();
        if matches!(collection, "components" | "languages") {
            paths.extend(reader.missing(project.child(collection)?).await?);
        }
        reader.add(found)?;
        for path in paths {
            match collection {
                "components" => reader.take(&path.child("cards")?).await?,
                "rulebooks" => reader.rulebook(&path).await?,
                "languages" => reader.take(&path.child("parts")?).await?,
                _ => {}
            }
        }
    }
    Ok(reader.contents)
}

/// True for a rulebook that somebody put away.
pub(super) fn is_put_away(fields: &Fields) -> bool {
    match fields.get("deletedAt") {
        Some(Value::Integer(at)) => *at != 0,
        Some(Value::Double(at)) => *at != 0.0,
        _ => false,
    }
}

struct Reader<'a> {
    database: &'a Database,
    project: &'a DocPath,
    contents: Contents,
}

impl Reader<'_> {
    /// The languages of a rulebook, and its text: the newest stored version, and the steps after it.
    async fn rulebook(&mut self, rulebook: &DocPath) -> Result<(), CallError> {
        for language in self.all(&rulebook.child("languages")?).await? {
            let parts = language.path.child("parts")?;
            self.add(vec![language])?;
            self.take(&parts).await?;
        }
        let versions = by_name(&rulebook.child("versions")?, Direction::Descending);
        let newest = Query { limit: Some(1), ..versions };
        let newest = self.database.run(&newest, Some(self.contents.at)).await?.documents;
        let steps = rulebook.child("steps")?;
        let mut after = in_order(&steps);
        if let Some(version) = newest.first() {
            let step = steps.doc(version.path.id())?;
            after.start = Some(Cursor::after_name(self.database.id(), step));
        }
        self.add(newest)?;
        self.pages(after, true).await.map(drop)
    }

    /// Names of a collection that have documents below them and none of their own: cards of a component that was deleted,
    /// or parts of a translation, would be seen again if it were restored without them.
    async fn missing(&self, collection: CollectionPath) -> Result<Vec<DocPath>> {
        let mut list = ListDocuments { collection, page: Page::default(), show_missing: true };
        let mut missing = Vec::new();
        loop {
            let found = self.database.list_documents(&list, Some(self.contents.at)).await?;
            let without = found.documents.into_iter().filter(|(_, document)| document.is_none());
            missing.extend(without.map(|(path, _)| path));
            let Some(next) = found.next else { return Ok(missing) };
            list.page.token = next;
        }
    }

    /// Adds all documents of a collection.
    async fn take(&mut self, collection: &CollectionPath) -> Result<(), CallError> {
        self.pages(in_order(collection), true).await.map(drop)
    }

    /// All documents of a collection.
    async fn all(&mut self, collection: &CollectionPath) -> Result<Vec<Document>, CallError> {
        self.pages(in_order(collection), false).await
    }

    /// Reads a query page by page; the documents are added, or answered.
    async fn pages(&mut self, mut query: Query, added: bool) -> Result<Vec<Document>, CallError> {
        query.limit = Some(PAGE);
        query.limit_bytes = Some(PAGE_BYTES);
        let (mut all, mut bytes) = (Vec::new(), 0);
        loop {
            let page = self.database.run(&query, Some(self.contents.at)).await?.documents;
            let Some(last) = page.last() else { return Ok(all) };
            query.start = Some(Cursor::after_name(self.database.id(), last.path.clone()));
            if added {
                self.add(page)?;
            } else {
                bytes += page.iter().map(Document::size).sum::<usize>();
                all.extend(page);
                check(self.contents.documents.len() + all.len(), self.contents.bytes + bytes)?;
            }
        }
    }

    fn add(&mut self, found: Vec<Document>) -> Result<(), CallError> {
        let below = self.project.as_str().len() + 1;
        for document in found {
            self.contents.bytes += document.size();
            let Document { path, mut fields, update_time, .. } = document;
            let access = access_of(&path, &mut fields);
            let path = path.as_str().get(below..).unwrap_or_default().to_owned();
            self.contents.counts.count(&path);
            self.contents.documents.insert(path, Held { fields, access, update_time });
        }
        check(self.contents.documents.len(), self.contents.bytes)
    }
}

/// Takes the fields that are no content from a document's.
pub(super) fn access_of(path: &DocPath, fields: &mut Fields) -> Fields {
    let of =
        |(collection, _): &&(&str, &str)| path.segments().count() == 4 && path.collection_id() == *collection;
    let taken =
        ACCESS.iter().filter(of).filter_map(|(_, name)| Some(((*name).to_owned(), fields.remove(*name)?)));
    taken.collect()
}

fn by_name(collection: &CollectionPath, direction: Direction) -> Query {
    let source = Source { collection: Some(collection.id().to_owned()), all_descendants: false };
    let order_by = vec![Order { field: FieldPath::document_name(), direction }];
    Query { order_by, ..Query::all(collection.parent(), source) }
}

/// A query of all documents of a collection, in the order of their ids.
pub(super) fn in_order(collection: &CollectionPath) -> Query {
    by_name(collection, Direction::Ascending)
}

fn check(documents: usize, bytes: usize) -> Result<(), CallError> {
    if documents <= DOCUMENTS && bytes <= BYTES {
        return Ok(());
    }
    Err(CallError::new(
        Code::FailedPrecondition,
        format!(
            "The project has more than a version holds: {DOCUMENTS} cards, layouts and other parts, or {} MiB of them. \
             Divide it into two projects, then freeze each.",
            BYTES >> 20
        ),
    ))
}
