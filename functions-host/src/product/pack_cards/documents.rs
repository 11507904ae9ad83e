//! The documents of a project that its cards are made of.

use std::collections::BTreeMap;

use docstore::Database;
use docstore::model::{DocPath, Document, Query, Source};

use super::failed;
use crate::table::cards::NotPacked;

/// Most documents of one collection: more than a table has room for.
const MOST: u32 = 10_000;

/// Most bytes of all documents.
const MOST_BYTES: usize = 64 << 20;

/// Documents by their paths below the project.
pub(super) type Documents = BTreeMap<String, Document>;

/// Reads the documents of components with their cards, of all layouts, and of all images.
pub(super) async fn read(
    database: &Database,
    project: &DocPath,
    components: &[String],
) -> Result<Documents, NotPacked> {
    let mut documents = Documents::new();
    let mut bytes = 0;
    let wanted = components.iter().map(|component| (format!("components/{component}"), "cards"));
    let all = ["components", "layouts", "images"].map(|collection| (String::new(), collection));
    for (parent, collection) in all.into_iter().chain(wanted) {
        let path = if parent.is_empty() { project.to_string() } else { format!("{project}/{parent}") };
        let parent = DocPath::parse(&path).map_err(|_| failed())?;
        let source = Source { collection: Some(collection.to_owned()), all_descendants: false };
        // The document that exceeds it is read still.
        let limit_bytes = Some(MOST_BYTES.saturating_sub(bytes));
        let query = Query { limit: Some(MOST + 1), limit_bytes, ..Query::all(Some(parent), source) };
        let found = database.run(&query, None).await.map_err(|error| {
            tracing::warn!("a table's project cannot be read: {}", error.message());
            failed()
        })?;
        bytes += found.documents.iter().map(Document::size).sum::<usize>();
        if found.documents.len() > MOST as usize || bytes > MOST_BYTES {
            return Err(NotPacked("The project is too large for a table to follow it.".to_owned()));
        }
        let prefix = project.to_string().len() + 1;
        let below = found
            .documents
            .into_iter()
            .filter_map(|document| Some((document.path.to_string().get(prefix..)?.to_owned(), document)));
        documents.extend(below);
    }
    Ok(documents)
}
