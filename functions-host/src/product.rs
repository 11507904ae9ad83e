//! The product's own functions.

mod account;
mod admin;
mod audit;
mod delete_deck;
mod fetch_table;
mod members;
mod plain_json;
mod site;
mod subtree;

use std::sync::Arc;

use auth_emu::AuthState;
use auth_emu::entropy::SystemEntropy;
use docstore::Result;
use docstore::model::DatabaseId;
use docstore::store::Store;
use storage_emu::StorageState;

use crate::callable::Registry;
use crate::config::Tables;

/// All of them, over the project's default database and its accounts.
///
/// # Errors
/// Two have the same name, a name is none, or a host of `tables` is none.
pub fn registry(
    store: &Store,
    accounts: &AuthState,
    files: &StorageState,
    tables: &Tables,
) -> Result<Registry> {
    let project = accounts.project();
    let database = store.database(&DatabaseId::default_of(project));
    let log = audit::AuditLog::new(store, project);
    let mut registry = Registry::default();
    registry.register(delete_deck::function(database.clone()))?;
    registry.register(fetch_table::function(tables)?)?;
    let members = members::Members {
        database: database.clone(),
        store: store.clone(),
        entropy: Arc::new(SystemEntropy),
    };
    for function in members::functions(&members) {
        registry.register(function)?;
    }
    for function in account::functions(store, &database, accounts, files) {
        registry.register(function)?;
    }
    for function in admin::functions(&database, accounts, &log) {
        registry.register(function)?;
    }
    for function in site::functions(&database, &log) {
        registry.register(function)?;
    }
    Ok(registry)
}
