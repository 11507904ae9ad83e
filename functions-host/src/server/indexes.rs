//! Composite indexes from the files that `firebase.json` names, declared at the server's start.

use docstore::model::DatabaseId;
use docstore::{Code, Error, Result, Store};

use crate::host::config::{Config, FirestoreSection, MissingIndexes, blank_comments};

/// Default database of a section.
const DEFAULT_DATABASE: &str = "(default)";

/// Builds the declared indexes that do not exist yet.
///
/// # Errors
/// A file cannot be read or is invalid, if queries without an index are refused. Otherwise this is only logged, because
/// such queries are answered anyway.
pub(crate) async fn declare(store: &Store, config: &Config, project: &str) -> Result<()> {
    let refuse = config.firebase.tuckbox.documents.missing_indexes == MissingIndexes::Refuse;
    for section in config.firebase.firestore.iter() {
        match declare_section(store, config, project, section).await {
            Err(error) if refuse => return Err(error),
            Err(error) => tracing::warn!("{}", error.message()),
            Ok(()) => {}
        }
    }
    Ok(())
}

async fn declare_section(
    store: &Store,
    config: &Config,
    project: &str,
    section: &FirestoreSection,
) -> Result<()> {
    let Some(file) = section.indexes.as_deref().map(|file| config.resolve(file)) else { return Ok(()) };
    let json = std::fs::read_to_string(&file).map_err(|error| {
        let message = format!("firestore.indexes: cannot read {}: {error}", file.display());
        Error::new(Code::NotFound, "IndexesFile", message)
    })?;
    let id = DatabaseId::new(project, section.database.as_deref().unwrap_or(DEFAULT_DATABASE));
    store.database(&id).declare_indexes(&blank_comments(&json)).await
}

#[cfg(test)]
mod tests {
    use docstore::store::{EngineOptions, StoreOptions};

    use super::*;
    use docstore::access::Mode;

    const DECLARED: &str = r#"{"indexes": [{"collectionGroup": "cards", "queryScope": "COLLECTION", "fields": [
        {"fieldPath": "owner", "order": "ASCENDING"}, {"fieldPath": "rank", "order": "DESCENDING"}]}]}"#;

    /// Starts with `firebase.json` and returns the number of indexes afterwards.
    async fn started(firebase: &str, indexes: Option<&str>) -> Result<usize> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("firebase.json"), firebase).unwrap();
        if let Some(indexes) = indexes {
            std::fs::write(folder.path().join("firestore.indexes.json"), indexes).unwrap();
        }
        let config = Config::load(None, folder.path()).unwrap();
        let limits = config.firebase.tuckbox.documents.limits(Mode::Serving);
        let clock = std::sync::Arc::new(docstore::clock::SystemClock);
        let store = Store::open(StoreOptions { engine: EngineOptions::Memory, clock, limits }).await?;
        declare(&store, &config, "demo").await?;
        let db = store.database(&DatabaseId::default_of("demo"));
        db.settle_indexes().await;
        Ok(db.indexes().len())
    }

    #[tokio::test]
    async fn files_are_declared_and_what_is_wrong_with_them_is_told() {
        let section = r#""firestore": {"indexes": "firestore.indexes.json"}"#;
        let (learn, refuse) = (
            format!("{{{section}}}"),
            format!(
                r#"{{{section}, "tuckbox": {{"documents": {{"missingIndexes": "refuse", "cacheMiB": 64}}}}}}"#
            ),
        );
        assert_eq!(started("{}", None).await.unwrap(), 0);
        let with_comments = DECLARED.replacen('{', "{ // by owner\n", 1);
        assert_eq!(started(&refuse, Some(&with_comments)).await.unwrap(), 1);
        for firebase in [&learn, &refuse] {
            assert_eq!(started(firebase, Some(DECLARED)).await.unwrap(), 1);
        }
        assert_eq!(started(&learn, None).await.unwrap(), 0);
        assert_eq!(started(&learn, Some("{")).await.unwrap(), 0);
        assert_eq!(started(&refuse, None).await.unwrap_err().tag(), "IndexesFile");
        assert_eq!(started(&refuse, Some("{")).await.unwrap_err().tag(), "IndexesJson");
    }
}
