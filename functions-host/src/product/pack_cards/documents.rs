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

/// Path of what is told of the project itself.
const DETAILS: &str = "details/main";

/// Most languages: the client's limit, and room for more.
const LANGUAGES: usize = 60;

/// Reads the documents of components with their cards, of all layouts, of all images, and of all languages; of the project
/// itself the language of its words.
pub(super) async fn read(
    database: &Database,
    project: &DocPath,
    components: &[String],
) -> Result<Documents, NotPacked> {
    let mut reading = Reading { database, project, documents: Documents::new(), bytes: 0 };
    for collection in ["components", "layouts", "images", "languages"] {
        reading.collection("", collection).await?;
    }
    for component in components {
        reading.collection(&format!("components/{component}"), "cards").await?;
    }
    let languages: Vec<_> =
        reading.documents.keys().filter(|path| path.starts_with("languages/")).cloned().collect();
    for language in languages.iter().take(LANGUAGES) {
        reading.collection(language, "parts").await?;
    }
    reading.details().await?;
    Ok(reading.documents)
}

/// Documents as far as they are read.
struct Reading<'a> {
    database: &'a Database,
    project: &'a DocPath,
    documents: Documents,
    bytes: usize,
}

impl Reading<'_> {
    /// Reads a collection below a document of the project; below the project itself where `parent` is empty.
    async fn collection(&mut self, parent: &str, collection: &str) -> Result<(), NotPacked> {
        let project = self.project.to_string();
        let path = if parent.is_empty() { project.clone() } else { format!("{project}/{parent}") };
        let parent = DocPath::parse(&path).map_err(|_| failed())?;
        let source = Source { collection: Some(collection.to_owned()), all_descendants: false };
        // The document that exceeds it is read still.
        let limit_bytes = Some(MOST_BYTES.saturating_sub(self.bytes));
        let query = Query { limit: Some(MOST + 1), limit_bytes, ..Query::all(Some(parent), source) };
        let found = self.database.run(&query, None).await.map_err(|error| unreadable(&error))?;
        self.bytes += found.documents.iter().map(Document::size).sum::<usize>();
        if found.documents.len() > MOST as usize || self.bytes > MOST_BYTES {
            return Err(NotPacked("The project is too large for a table to follow it.".to_owned()));
        }
        let below = found.documents.into_iter().filter_map(|document| {
            Some((document.path.to_string().get(project.len() + 1..)?.to_owned(), document))
        });
        self.documents.extend(below);
        Ok(())
    }

    /// Reads the language of the project's own words.
    async fn details(&mut self) -> Result<(), NotPacked> {
        let found = self.database.get(std::slice::from_ref(self.project), None).await;
        let found = found.map_err(|error| unreadable(&error))?.value.into_iter().flatten().next();
        if let Some(Document { mut fields, path, create_time, update_time }) = found {
            fields.retain(|name, _| name == "language");
            let document = Document { fields, path, create_time, update_time };
            self.documents.insert(DETAILS.to_owned(), document);
        }
        Ok(())
    }
}

fn unreadable(error: &docstore::Error) -> NotPacked {
    tracing::warn!("a table's project cannot be read: {}", error.message());
    failed()
}
