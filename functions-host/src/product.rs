//! The product's own functions.

mod account;
mod admin;
mod audit;
mod backup_status;
pub mod checkout;
mod copy_assets;
mod delete_deck;
pub(crate) mod export_deck;
mod fetch_table;
pub(crate) mod first_admin;
mod guest_accounts;
mod layout_images;
pub(crate) mod members;
mod one_line;
pub(crate) mod pack_cards;
mod place;
mod plain_json;
pub mod plans;
mod published;
mod read_all;
mod site;
mod subtree;
pub(crate) mod tables;
pub(crate) mod versions;
mod where_is;

use std::path::Path;
use std::sync::Arc;

use auth_emu::AuthState;
use auth_emu::entropy::SystemEntropy;
use docstore::Result;
use docstore::model::DatabaseId;
use docstore::shares::Shares;
use docstore::store::Store;
use storage_emu::StorageState;

use crate::backup::Runner;
use crate::functions::callable::Registry;
use crate::host::config::Tables;
use crate::product::checkout::Payments;
use crate::product::plans::Plans;
use crate::table::LiveTables;

/// Dependencies of the product's functions.
#[derive(Debug)]
pub struct Needs<'a> {
    /// Documents.
    pub store: &'a Store,
    /// Accounts.
    pub accounts: &'a AuthState,
    /// Files.
    pub files: &'a StorageState,
    /// Hosts that tables may be fetched from.
    pub tables: &'a Tables,
    /// Plans and their limits.
    pub plans: &'a Plans,
    /// Versions of games.
    pub(crate) versions: &'a versions::Versions,
    /// The payment service; `None` if nothing is sold.
    pub payments: Option<&'a Payments>,
    /// Members of projects, and offers of projects to them.
    pub(crate) offers: &'a members::Offers,
    /// Counts fair shares of resources among callers.
    pub shares: &'a Arc<dyn Shares>,
    /// Playtest tables.
    pub live_tables: &'a LiveTables,
    /// The code that makes the first admin.
    pub(crate) first_admin: &'a first_admin::FirstAdmin,
    /// The maker of backups; `None` for a server in memory.
    pub(crate) backups: Option<&'a Arc<Runner>>,
    /// Public URL of the application, without a trailing slash.
    pub url: &'a str,
    /// URL of this server from the same machine.
    pub local_url: &'a str,
    /// Folder of the copies of programs that functions run.
    pub programs: &'a Path,
}

/// The registry of all product functions, over the project's default database and its accounts.
///
/// # Errors
/// Two functions share a name, a name is invalid, or a host of `tables` is invalid.
pub fn registry(needs: &Needs<'_>) -> Result<Registry> {
    let Needs { store, accounts, files, tables, .. } = *needs;
    let project = accounts.project();
    let database = store.database(&DatabaseId::default_of(project));
    let log = audit::AuditLog::new(store, project);
    let mut registry = Registry::default();
    let offers = needs.offers;
    let (members, parts) = (offers.members(), offers.parts());
    registry.register(delete_deck::function(parts.clone()))?;
    let copier = copy_assets::Copier {
        database: database.clone(),
        files: files.clone(),
        entropy: Arc::new(SystemEntropy),
        store: store.clone(),
    };
    registry.register(copy_assets::function(copier.clone()))?;
    registry.register(copy_assets::removal::function(copier))?;
    registry.register(layout_images::function(database.clone()))?;
    registry.register(where_is::function(database.clone(), parts.moved.clone()))?;
    registry.register(export_deck::function(needs))?;
    registry.register(fetch_table::function(tables)?)?;
    let counter = plans::callables::Counter {
        plans: needs.plans.clone(),
        payments: needs.payments.cloned(),
        files: files.clone(),
        url: needs.url.to_owned(),
    };
    for function in members::functions(members, &log) {
        registry.register(function)?;
    }
    for function in members::offers::functions(offers) {
        registry.register(function)?;
    }
    for function in account::functions(store, parts, accounts, &counter, offers) {
        registry.register(function)?;
    }
    for function in admin::functions(&database, accounts, &counter, &log) {
        registry.register(function)?;
    }
    for function in first_admin::functions(needs.first_admin, &log) {
        registry.register(function)?;
    }
    registry.register(backup_status::function(needs.backups.cloned()))?;
    for function in plans::callables::functions(&counter, accounts, &log) {
        registry.register(function)?;
    }
    for function in tables::playtests::functions(&database, needs.live_tables) {
        registry.register(function)?;
    }
    for function in tables::feedback::functions(&database, needs.live_tables) {
        registry.register(function)?;
    }
    for function in tables::replays::functions(&database, needs.live_tables) {
        registry.register(function)?;
    }
    let guesses = Arc::default();
    for function in tables::people::functions(&database, accounts, needs.live_tables, &guesses) {
        registry.register(function)?;
    }
    for function in guest_accounts::functions(accounts, needs.live_tables) {
        registry.register(function)?;
    }
    for function in tables::samples::functions(&database, accounts, needs.live_tables, &guesses) {
        registry.register(function)?;
    }
    for function in versions::functions(needs.versions) {
        registry.register(function)?;
    }
    for function in site::functions(&database, &log) {
        registry.register(function)?;
    }
    Ok(registry)
}
