//! A small Firestore-compatible document database.
//!
//! The commit log is the product: live queries, function triggers, checkpoints and backups are readers of
//! one ordered log, each with its own cursor. One number, [`model::Ts`], is at once commit version, update
//! time, read time and resume token.

pub mod access;
pub mod catalog;
pub mod changes;
pub mod clock;
mod codec;
pub mod commit;
pub mod database;
pub mod engine;
pub mod error;
pub mod garbage;
pub mod index;
mod indexer;
pub mod key;
pub mod model;
pub mod query;
pub mod reads;
pub mod session;
pub mod store;
pub mod txn;
pub mod watch;
pub mod wire;

pub use access::{Access, Auth, Authenticator, Caller};
pub use commit::{Committed, Draft};
pub use database::Database;
pub use error::{Code, Error, Result};
pub use query::{QueryResult, Snapshot};
pub use session::Session;
pub use store::{EngineOptions, Limits, Store, StoreOptions};
pub use txn::{TxnId, TxnOptions};
pub use watch::{Target, TargetId, WatchEvent, Watcher};
