//! The product's own functions.

mod account;
mod admin;
mod audit;
mod delete_deck;
mod export_deck;
mod fetch_table;
mod members;
mod plain_json;
mod plans;
mod site;
mod subtree;

use std::sync::Arc;

use auth_emu::AuthState;
use auth_emu::entropy::SystemEntropy;
use auth_emu::mail::Mailer;
use docstore::Result;
use docstore::model::DatabaseId;
use docstore::shares::Shares;
use docstore::store::Store;
use storage_emu::StorageState;

use crate::callable::Registry;
use crate::checkout::Payments;
use crate::config::Tables;
use crate::plans::Plans;

/// What the product's functions work with.
#[derive(Debug)]
pub struct Needs<'a> {
    /// Documents.
    pub store: &'a Store,
    /// Accounts.
    pub accounts: &'a AuthState,
    /// Files.
    pub files: &'a StorageState,
    /// Where tables may be fetched from.
    pub tables: &'a Tables,
    /// Who may have how much.
    pub plans: &'a Plans,
    /// How plans are paid; `None` where nothing is sold.
    pub payments: Option<&'a Payments>,
    /// Who delivers mail; `None` where nobody does.
    pub mailer: Option<&'a Arc<dyn Mailer>>,
    /// Who holds how many of what everybody shares.
    pub shares: &'a Arc<dyn Shares>,
    /// Where people reach the application, without a slash at its end.
    pub url: &'a str,
    /// Where this server is reached from this machine.
    pub local_url: &'a str,
}

/// All of them, over the project's default database and its accounts.
///
/// # Errors
/// Two have the same name, a name is none, or a host of `tables` is none.
pub fn registry(needs: &Needs<'_>) -> Result<Registry> {
    let Needs { store, accounts, files, tables, .. } = *needs;
    let project = accounts.project();
    let database = store.database(&DatabaseId::default_of(project));
    let log = audit::AuditLog::new(store, project);
    let mut registry = Registry::default();
    registry.register(delete_deck::function(database.clone()))?;
    registry.register(export_deck::function(needs.local_url, needs.shares, accounts.mode()))?;
    registry.register(fetch_table::function(tables)?)?;
    let members = members::Members {
        database: database.clone(),
        store: store.clone(),
        entropy: Arc::new(SystemEntropy),
        plans: needs.plans.clone(),
        post: members::Post::new(needs.mailer.cloned(), needs.url),
    };
    let counter = plans::Counter {
        plans: needs.plans.clone(),
        payments: needs.payments.cloned(),
        files: files.clone(),
        url: needs.url.to_owned(),
    };
    for function in members::functions(&members, &log) {
        registry.register(function)?;
    }
    for function in account::functions(store, &database, accounts, &counter, &members) {
        registry.register(function)?;
    }
    for function in admin::functions(&database, accounts, &counter, &log) {
        registry.register(function)?;
    }
    for function in plans::functions(&counter, accounts, &log) {
        registry.register(function)?;
    }
    for function in site::functions(&database, &log) {
        registry.register(function)?;
    }
    Ok(registry)
}
