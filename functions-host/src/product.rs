//! The product's own functions.

mod delete_deck;

use docstore::Result;
use docstore::model::DatabaseId;
use docstore::store::Store;

use crate::callable::Registry;

/// All of them, over the project's default database.
///
/// # Errors
/// Two have the same name, or a name is none.
pub fn registry(store: &Store, project: &str) -> Result<Registry> {
    let database = store.database(&DatabaseId::default_of(project));
    let mut registry = Registry::default();
    registry.register(delete_deck::function(database))?;
    Ok(registry)
}
