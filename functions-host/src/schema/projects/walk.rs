//! All projects below their owners, page by page: also those without a document that have documents below them.

use std::collections::VecDeque;

use docstore::database::{ListDocuments, Page};
use docstore::model::{
    CollectionPath, Cursor, Direction, DocPath, Document, FieldPath, Order, Query, Reference, Source, Value,
};
use docstore::{Database, Result};

/// Names listed at once.
const PAGE: u32 = 250;

/// A project below its owner.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) owner: String,
    pub(super) id: String,
    /// `None` if there are only documents below it.
    pub(super) document: Option<Document>,
}

impl Found {
    /// The place of the project.
    pub(super) fn path(&self) -> Result<DocPath> {
        decks(&self.owner)?.doc(&self.id)
    }
}

/// A walk through all accounts.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    database: &'a Database,
    owners: VecDeque<String>,
    /// Token of the next page of accounts.
    more: Option<String>,
    /// The account whose projects come next, and the token of their next page.
    within: Option<(String, String)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(database: &'a Database) -> Self {
        Self { database, owners: VecDeque::new(), more: Some(String::new()), within: None }
    }

    /// The next page, of one account; `None` at the end. Projects that go meanwhile do no harm.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Found>>> {
        loop {
            if let Some((owner, token)) = self.within.take() {
                let (names, more) = self.list(decks(&owner)?, token).await?;
                self.within = more.map(|token| (owner.clone(), token));
                if !names.is_empty() {
                    let found = |(path, document): (DocPath, _)| Found {
                        owner: owner.clone(),
                        id: path.id().to_owned(),
                        document,
                    };
                    return Ok(Some(names.into_iter().map(found).collect()));
                }
            } else if let Some(owner) = self.owners.pop_front() {
                self.within = Some((owner, String::new()));
            } else if let Some(token) = self.more.take() {
                let (names, more) = self.list(CollectionPath::parse("users")?, token).await?;
                self.owners = names.into_iter().map(|(path, _)| path.id().to_owned()).collect();
                self.more = more;
            } else {
                return Ok(None);
            }
        }
    }

    async fn list(
        &self,
        collection: CollectionPath,
        token: String,
    ) -> Result<(Vec<(DocPath, Option<Document>)>, Option<String>)> {
        let page = Page { size: PAGE, token };
        let list = ListDocuments { collection, page, show_missing: true };
        let page = self.database.list_documents(&list, None).await?;
        Ok((page.documents, page.next))
    }
}

fn decks(owner: &str) -> Result<CollectionPath> {
    CollectionPath::parse(&format!("users/{owner}/decks"))
}

/// The size of a page of [`below`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) documents: u32,
    pub(super) bytes: usize,
}

/// Documents below `root` at any depth, in the order of their names, from behind `after` on.
///
/// # Errors
/// Those of the store.
pub(super) async fn below(
    database: &Database,
    root: &DocPath,
    after: Option<&DocPath>,
    size: Size,
    names_only: bool,
) -> Result<Vec<Document>> {
    let source = Source { collection: None, all_descendants: true };
    let start = after.map(|path| {
        let name = Reference { database: database.id().clone(), path: path.clone() };
        Cursor { values: vec![Value::Reference(name)], before: false }
    });
    let query = Query {
        order_by: vec![Order { field: FieldPath::document_name(), direction: Direction::Ascending }],
        start,
        select: names_only.then(Vec::new),
        limit: Some(size.documents),
        limit_bytes: Some(size.bytes),
        ..Query::all(Some(root.clone()), source)
    };
    Ok(database.run(&query, None).await?.documents)
}
