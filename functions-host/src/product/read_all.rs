//! Reading all documents of a collection, page by page.

use docstore::Code;
use docstore::model::{
    CollectionPath, Cursor, Direction, Document, FieldPath, Order, Query, Reference, Source, Value,
};
use docstore::session::Session;

use crate::functions::callable::CallError;

/// Most documents and bytes that are read at a time: other callers' documents have room in memory beside them.
const PAGE: u32 = 2_000;
const PAGE_BYTES: usize = 4 << 20;

/// Most documents that are read: more images than somebody draws, and few enough for one answer.
const MAX_DOCUMENTS: usize = 20_000;

/// Most bytes of the fields that are kept of them: a kilobyte and a half each. People may have written documents of a
/// megabyte.
const MAX_BYTES: usize = 32 << 20;

/// Some fields of all documents of a collection, in the order of their ids, as somebody may read them.
///
/// # Errors
/// `FailedPrecondition` for more than the limits above, `PermissionDenied`; those of the store.
pub(super) async fn read_all(
    session: &Session,
    collection: &CollectionPath,
    fields: &[&str],
) -> Result<Vec<Document>, CallError> {
    let select = fields.iter().map(|name| FieldPath::parse(name)).collect::<docstore::Result<Vec<_>>>()?;
    let source = Source { collection: Some(collection.id().to_owned()), all_descendants: false };
    let mut query = Query {
        select: Some(select),
        order_by: vec![Order { field: FieldPath::document_name(), direction: Direction::Ascending }],
        limit: Some(PAGE),
        limit_bytes: Some(PAGE_BYTES),
        ..Query::all(collection.parent(), source)
    };
    let (mut all, mut bytes) = (Vec::new(), 0);
    loop {
        let page = session.run(&query, None).await?.documents;
        let Some(last) = page.last() else { return Ok(all) };
        let name = Reference { database: session.database().id().clone(), path: last.path.clone() };
        query.start = Some(Cursor { values: vec![Value::Reference(name)], before: false });
        bytes += page.iter().map(Document::size).sum::<usize>();
        all.extend(page);
        if all.len() > MAX_DOCUMENTS || bytes > MAX_BYTES {
            return Err(CallError::new(
                Code::FailedPrecondition,
                format!(
                    "{collection} has more than {MAX_DOCUMENTS} documents, or more than {} MiB in them; all are looked \
                     through here. Delete those that nobody needs, then try again.",
                    MAX_BYTES >> 20
                ),
            ));
        }
    }
}
