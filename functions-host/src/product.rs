//! The product's own functions.

mod delete_deck;
mod fetch_table;

use docstore::Result;
use docstore::model::DatabaseId;
use docstore::store::Store;

use crate::callable::Registry;
use crate::config::Tables;

/// All of them, over the project's default database.
///
/// # Errors
/// Two have the same name, a name is none, or a host of `tables` is none.
pub fn registry(store: &Store, project: &str, tables: &Tables) -> Result<Registry> {
    let database = store.database(&DatabaseId::default_of(project));
    let mut registry = Registry::default();
    registry.register(delete_deck::function(database))?;
    registry.register(fetch_table::function(tables)?)?;
    Ok(registry)
}
