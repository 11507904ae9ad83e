//! Reading all documents of a collection, page by page.

use docstore::Code;
use docstore::model::{CollectionPath, Cursor, Direction, Document, FieldPath, Order, Query, Source};
use docstore::session::Session;
use docstore::txn::TxnId;

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
    read_all_in(session, None, collection, fields).await
}

/// [`read_all`] in a transaction: a commit of it fails if one of them has changed, or another has come.
///
/// # Errors
/// Those of [`read_all`].
pub(super) async fn read_all_in(
    session: &Session,
    txn: Option<TxnId>,
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
        let page = match txn {
            Some(txn) => session.run_in(txn, &query).await?.documents,
            None => session.run(&query, None).await?.documents,
        };
        let Some(last) = page.last() else { return Ok(all) };
        query.start = Some(Cursor::after_name(session.database().id(), last.path.clone()));
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

#[cfg(test)]
mod tests {
    use docstore::access::Caller;
    use docstore::commit::Draft;
    use docstore::database::Database;
    use docstore::model::{CollectionPath, DatabaseId, Fields, Value, Write};
    use docstore::store::Store;

    use super::*;

    async fn database(documents: usize, path_bytes: usize) -> (Database, CollectionPath) {
        let database = Store::in_memory().await.unwrap().database(&DatabaseId::default_of("demo"));
        let images = CollectionPath::parse("projects/p/images").unwrap();
        let text = |bytes: usize| Value::String("x".repeat(bytes));
        let fields = Fields::from([("path".to_owned(), text(path_bytes)), ("url".to_owned(), text(9))]);
        let writes: Vec<Write> = (0..documents)
            .map(|number| Write::set(images.doc(&format!("{number:05}")).unwrap(), fields.clone()))
            .collect();
        for chunk in writes.chunks(if path_bytes > 1_000 { 5 } else { 400 }) {
            database.commit(Draft::of(chunk.to_vec())).await.unwrap();
        }
        (database, images)
    }

    #[tokio::test]
    async fn pages_end_by_their_documents_and_by_their_bytes_and_nothing_is_left_out() {
        for (documents, path_bytes) in [(0, 1), (PAGE as usize, 1), (PAGE as usize + 1, 1), (12, 900_000)] {
            let (database, images) = database(documents, path_bytes).await;
            let all = read_all(&database.as_caller(Caller::Admin), &images, &["path"]).await.unwrap();
            let ids: Vec<&str> = all.iter().map(|one| one.path.id()).collect();
            let expected: Vec<String> = (0..documents).map(|number| format!("{number:05}")).collect();
            assert_eq!(ids, expected);
            assert!(all.iter().all(|one| one.fields.len() == 1), "the fields that were asked for");
        }
    }

    #[tokio::test]
    async fn more_than_is_looked_through_is_an_error_that_says_so() {
        let (database, images) = database(36, 1_000_000).await;
        let session = database.as_caller(Caller::Admin);
        let error = read_all(&session, &images, &["path"]).await.unwrap_err();
        assert_eq!(error.code(), Code::FailedPrecondition);
        assert!(
            error.inner().message().starts_with("projects/p/images has more than 20000 documents"),
            "{error:?}"
        );
        // Fields that are not kept take no room.
        assert_eq!(read_all(&session, &images, &["url"]).await.unwrap().len(), 36);
    }
}
