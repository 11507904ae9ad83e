//! Public links of projects: `shares/{link}`. Members write these documents under the rules; they go with their project.

use docstore::Result;
use docstore::database::Database;
use docstore::model::{DocPath, FieldFilter, FieldOp, FieldPath, Filter, Query, Source, Value, Write};

use super::subtree;

/// Collection of everything that is published.
pub(super) const COLLECTION: &str = "shares";

/// Links of one project that are looked up together.
const LINKS_AT_ONCE: u32 = 100;

/// The writes that close some links of a project. A document of a project may name any link; one of another project stays.
///
/// # Errors
/// Those of the store.
pub(super) async fn closing(database: &Database, project: &str, links: &[String]) -> Result<Vec<Write>> {
    let path = |link: &String| DocPath::parse(&format!("{COLLECTION}/{link}")).ok();
    let paths: Vec<DocPath> = links.iter().filter(|link| !link.contains('/')).filter_map(path).collect();
    let found = database.get(&paths, None).await?.value.into_iter().flatten();
    let of = Value::String(project.to_owned());
    let own = found.filter(|link| link.fields.get("projectId") == Some(&of));
    Ok(own.map(|link| Write::delete(link.path)).collect())
}

/// Closes every public link of a project. Returns how many there were.
///
/// # Errors
/// Those of the store; what was closed by then stays closed.
pub(super) async fn close_all(database: &Database, project: &str) -> Result<u64> {
    let source = Source { collection: Some(COLLECTION.to_owned()), all_descendants: false };
    let query = Query {
        filter: Some(Filter::Field(FieldFilter {
            field: FieldPath::parse("projectId")?,
            op: FieldOp::Equal,
            value: Value::String(project.to_owned()),
        })),
        limit: Some(LINKS_AT_ONCE),
        select: Some(Vec::new()),
        ..Query::all(None, source)
    };
    let mut closed = 0;
    loop {
        let found = database.run(&query, None).await?.documents;
        let last = found.len() < LINKS_AT_ONCE as usize;
        for link in found {
            closed += subtree::delete(database, link.path).await?;
        }
        if last {
            return Ok(closed);
        }
    }
}
