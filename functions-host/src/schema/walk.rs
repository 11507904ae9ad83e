//! The documents of one collection below all accounts, page by page: also those without a document of their own that have
//! documents below them. And the documents below any other.

use std::collections::VecDeque;

use docstore::database::{ListDocuments, Page};
use docstore::model::{
    CollectionPath, Cursor, Direction, DocPath, Document, FieldPath, Order, Query, Source,
};
use docstore::{Database, Result};

/// Accounts listed at once.
const ACCOUNTS: u32 = 250;

/// A document below an account.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) owner: String,
    pub(super) id: String,
    pub(super) path: DocPath,
    /// `None` if there are only documents below it.
    pub(super) document: Option<Document>,
}

/// Collection below each account.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    pub(super) name: &'static str,
    /// Documents listed at once.
    pub(super) page: u32,
}

impl Origin {
    fn of(self, owner: &str) -> Result<CollectionPath> {
        CollectionPath::parse(&format!("users/{owner}/{}", self.name))
    }
}

/// A walk through all accounts.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    database: &'a Database,
    origin: Origin,
    owners: VecDeque<String>,
    /// Token of the next page of accounts.
    more: Option<String>,
    /// The account whose documents come next, and the token of their next page.
    within: Option<(String, String)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(database: &'a Database, origin: Origin) -> Self {
        Self { database, origin, owners: VecDeque::new(), more: Some(String::new()), within: None }
    }

    /// The next page, of one account; `None` at the end. Documents that go meanwhile do no harm.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Found>>> {
        loop {
            if let Some((owner, token)) = self.within.take() {
                let (names, more) = self.list(self.origin.of(&owner)?, self.origin.page, token).await?;
                self.within = more.map(|token| (owner.clone(), token));
                if !names.is_empty() {
                    let found = |(path, document): (DocPath, _)| Found {
                        owner: owner.clone(),
                        id: path.id().to_owned(),
                        path,
                        document,
                    };
                    return Ok(Some(names.into_iter().map(found).collect()));
                }
            } else if let Some(owner) = self.owners.pop_front() {
                self.within = Some((owner, String::new()));
            } else if let Some(token) = self.more.take() {
                let (names, more) = self.list(CollectionPath::parse("users")?, ACCOUNTS, token).await?;
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
        size: u32,
        token: String,
    ) -> Result<(Vec<(DocPath, Option<Document>)>, Option<String>)> {
        let page = Page { size, token };
        let list = ListDocuments { collection, page, show_missing: true };
        let page = self.database.list_documents(&list, None).await?;
        Ok((page.documents, page.next))
    }
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
    let query = Query {
        select: names_only.then(Vec::new),
        ..after_name(database, Some(root.clone()), source, after, size)
    };
    read(database, &query).await
}

/// Documents of one collection, in the order of their names, from behind `after` on; with these fields, or all.
///
/// # Errors
/// Those of the store.
pub(super) async fn children(
    database: &Database,
    collection: &CollectionPath,
    after: Option<&DocPath>,
    size: Size,
    select: Option<Vec<FieldPath>>,
) -> Result<Vec<Document>> {
    let source = Source { collection: Some(collection.id().to_owned()), all_descendants: false };
    let query = Query { select, ..after_name(database, collection.parent(), source, after, size) };
    read(database, &query).await
}

/// Documents of all collections of a name, in the order of their names, from behind `after` on.
///
/// # Errors
/// Those of the store.
pub(super) async fn group(
    database: &Database,
    collection: &str,
    after: Option<&DocPath>,
    size: Size,
) -> Result<Vec<Document>> {
    let source = Source { collection: Some(collection.to_owned()), all_descendants: true };
    read(database, &after_name(database, None, source, after, size)).await
}

/// Attempts of a read whose version is collected meanwhile.
const MAX_ATTEMPTS: u32 = 20;

/// Reads at the newest version, again where so much is written meanwhile that the garbage collector takes that version.
async fn read(database: &Database, query: &Query) -> Result<Vec<Document>> {
    let mut attempt = 1;
    loop {
        match database.run(query, None).await {
            Err(error) if error.tag() == "VersionCollected" && attempt < MAX_ATTEMPTS => attempt += 1,
            found => return Ok(found?.documents),
        }
    }
}

/// A query in the order of names, from behind `after` on.
fn after_name(
    database: &Database,
    parent: Option<DocPath>,
    source: Source,
    after: Option<&DocPath>,
    size: Size,
) -> Query {
    Query {
        order_by: vec![Order { field: FieldPath::document_name(), direction: Direction::Ascending }],
        start: after.map(|path| Cursor::after_name(database.id(), path.clone())),
        limit: Some(size.documents),
        limit_bytes: Some(size.bytes),
        ..Query::all(parent, source)
    }
}
