//! A small Firestore-compatible document database.
//!
//! The commit log is the product: live queries, function triggers, checkpoints and backups are readers of
//! one ordered log, each with its own cursor. One number, [`model::Ts`], is at once commit version, update
//! time, read time and resume token.
//!
//! # What there is
//!
//! | modules | notion |
//! | --- | --- |
//! | [`model`] | names, values, documents, writes and queries, with Firestore's order and limits |
//! | [`key`], [`index`], [`catalog`] | bytes that sort as values do; which entries a document has; which indexes there are |
//! | [`engine`] | versioned keys with a commit log: in memory, or a log on disk and a picture of it |
//! | [`commit`], [`txn`], [`reads`] | the one committer; transactions, their locks and what they rest on |
//! | [`query`] | from a query to index scans: cost grows with the results |
//! | [`watch`], [`changes`] | live queries, each stream a series of consistent cuts; the log for other readers |
//! | [`database`], [`session`], [`access`] | a database for the server itself, and as one caller may use it |
//! | [`wire`] | Firestore's own protocols: gRPC, REST and WebChannel |
//! | [`garbage`] | forgetting old versions |
//!
//! # A write and a query
//!
//! ```
//! use docstore::model::{DatabaseId, DocPath, Fields, Precondition, Query, Source, Value, Write, WriteOp};
//! use docstore::{Draft, Result, Store};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<()> {
//! let store = Store::in_memory().await?;
//! let db = store.database(&DatabaseId::default_of("demo"));
//! let fields = Fields::from([("name".to_owned(), Value::String("Wolf".to_owned()))]);
//! let write = Write {
//!     path: DocPath::parse("cards/wolf")?,
//!     op: WriteOp::Set { fields, transforms: Vec::new() },
//!     precondition: Precondition::None,
//! };
//! let committed = db.commit(Draft::of(vec![write])).await?;
//! let cards = Source { collection: Some("cards".to_owned()), all_descendants: false };
//! let found = db.run(&Query::all(None, cards), None).await?;
//! assert_eq!(found.documents[0].update_time, committed.commit_time);
//! store.close().await
//! # }
//! ```

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
