//! All documents below a document: paged reads and deletion.

use docstore::Result;
use docstore::commit::Draft;
use docstore::database::Database;
use docstore::model::{Cursor, Direction, DocPath, Document, FieldPath, Order, Query, Source, Write};

/// Documents deleted per commit; other writers run between commits.
const BATCH: u32 = 250;

/// A query of every document below `root`, at any depth, in name order.
fn below(root: &DocPath, limit: u32) -> Query {
    Query {
        limit: Some(limit),
        ..Query::all(Some(root.clone()), Source { collection: None, all_descendants: true })
    }
}

/// At most `limit` documents below `root`, starting after `after`.
///
/// # Errors
/// Those of the store.
pub(super) async fn page(
    database: &Database,
    root: &DocPath,
    after: Option<&DocPath>,
    limit: u32,
) -> Result<Vec<Document>> {
    let mut query = below(root, limit);
    if let Some(after) = after {
        query.order_by =
            vec![Order { field: FieldPath::parse("__name__")?, direction: Direction::Ascending }];
        query.start = Some(Cursor::after_name(database.id(), after.clone()));
    }
    Ok(database.run(&query, None).await?.documents)
}

/// Deletes everything below `root` and then `root` itself. Returns the number of documents deleted. An interrupted
/// deletion leaves a root that is still visible and can be deleted again.
///
/// # Errors
/// Those of the store; deletions up to then stay.
pub(super) async fn delete(database: &Database, root: DocPath) -> Result<u64> {
    let names_only = Query { select: Some(Vec::new()), ..below(&root, BATCH) };
    let mut deleted = 0;
    loop {
        let found = database.run(&names_only, None).await?.documents;
        let count = found.len();
        if count > 0 {
            let writes = found.into_iter().map(|document| Write::delete(document.path)).collect();
            database.commit(Draft::of(writes)).await?;
            deleted += count as u64;
        }
        if count < BATCH as usize {
            break;
        }
    }
    let existed = database.get(std::slice::from_ref(&root), None).await?.value.into_iter().flatten().count();
    database.commit(Draft::of(vec![Write::delete(root)])).await?;
    Ok(deleted + existed as u64)
}
