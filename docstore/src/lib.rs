//! A small Firestore-compatible document database.
//!
//! The commit log is the product: live queries, function triggers, checkpoints and backups are readers of
//! one ordered log, each with its own cursor. One number, [`model::Ts`], is at once commit version, update
//! time, read time and resume token.
//!
//! # How it works
//!
//! Everything is a key with versions. A document is one key; each of its fields has index entries, which are keys without
//! a value, so made that they sort as the values do ([`encoding::key`]). A reader names the time it reads at and sees, of every key,
//! the newest version at or before it: nobody who reads waits for anybody who writes.
//!
//! A write waits in one queue for one committer ([`commit`]). It checks that nothing the writer had read has changed since,
//! works out the new documents and which entries close and open, and gives the commit its time. What has come together
//! meanwhile goes to the log as one record; when that is on the disk, the callers are answered. What answers reads is a
//! view of the log, which can be made again from it ([`engine`]).
//!
//! A query becomes ranges of index entries that already come in its order ([`query`]), so that it reads what it finds,
//! however much there is beside. A live query runs once and then follows the log ([`watch`]).
//!
//! # What there is
//!
//! | modules | notion |
//! | --- | --- |
//! | [`model`] | names, values, documents, writes and queries, with Firestore's order and limits |
//! | [`encoding::key`], [`index`], [`catalog`] | bytes that sort as values do; which entries a document has; which indexes there are |
//! | [`engine`] | versioned keys with a commit log: in memory, or a log on disk and a view of it |
//! | [`engine::shared`] | the contract of a log that several nodes share |
//! | [`commit`], [`txn`] | the one committer; transactions, their locks and what they rest on |
//! | [`query`] | from a query to index scans: cost grows with the results |
//! | [`watch`], [`changes`] | live queries, each stream a series of consistent cuts; the log for other readers |
//! | [`database`], [`session`], [`access`] | a database for the server itself, and as one caller may use it |
//! | [`garbage`] | garbage collection of old versions |
//!
//! # What always holds
//!
//! Each line is a test over random data, schedules or moments; a failure prints what repeats it.
//!
//! | property | tested in |
//! | --- | --- |
//! | encoded keys sort as the values do, and that order is total | `encoding/key/tests.rs`, `model/tests.rs` |
//! | every plan finds what a naive filter and sort of the same documents finds | `tests/queries.rs` |
//! | entries read grow with the results, not with the documents, wherever an index answers | `tests/queries/cost.rs` |
//! | a scan passes over nothing that a query asks for | `query/plan/spans/tests.rs` |
//! | indexes built while commits go on hold exactly what the documents say | `tests/queries.rs` |
//! | after any commits, slow reads and reconnects, a live query holds what a fresh run finds | `tests/live.rs` |
//! | at every cut on the way it holds what was to be found at that time | `tests/live.rs` |
//! | whatever matches a change is found among the live queries | `watch/ranges/tests.rs`, `watch/intervals.rs` |
//! | transfers are serialisable, power cuts or not; no acknowledged one is lost | `store/tests.rs`, `tests/bank.rs` |
//! | power cuts at any operation lose nothing acknowledged | `engine/disk/tests.rs`, `engine/disk/log.rs` |
//! | kill -9 and power cuts of the real process lose nothing; entries are what the documents say | `tests/crash.rs` |
//! | readers see the same wherever a commit is: in memory, on its way, in the view | `engine/disk/memtable.rs` |
//! | garbage collection removes exactly the versions that nobody can see | `engine/disk/tests.rs`, `garbage.rs` |
//! | on a log that nodes share, nothing acknowledged is lost, nothing refused is stored, and rewritten histories are noticed | `engine/shared/tests/simulation.rs`, `postgres/tests` |
//! | locks are fair, exclusive and never stuck | `txn/lock_manager/tests.rs` |
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
pub mod backup;
pub mod budget;
pub mod catalog;
pub mod changes;
pub mod clock;
pub mod commit;
pub mod database;
pub mod encoding;
pub mod engine;
pub mod error;
pub mod garbage;
pub mod index;
mod indexer;
pub mod model;
pub mod query;
pub mod session;
pub mod shares;
mod slow;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod txn;
pub mod watch;

pub use access::{Access, Auth, Authenticator, Caller};
pub use commit::{Committed, Draft};
pub use database::Database;
pub use engine::{FOLDER_FORMAT, ViewEngine};
pub use error::{Code, Error, Result};
pub use query::{QueryResult, Snapshot};
pub use session::Session;
pub use store::{EngineOptions, Limits, Store, StoreOptions};
pub use txn::{TxnId, TxnOptions};
pub use watch::{Target, TargetId, WatchEvent, Watcher};
