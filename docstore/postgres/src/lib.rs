//! The shared log of [`docstore`] in a PostgreSQL database.
//!
//! Everything lies in the schema `tuckbox` (see the module `schema`). What makes it safe:
//!
//! - **An append is one statement.** It changes the row of the head if the term, its leader and the last batch are those
//!   that the append states, and adds the batch's row only then. A leader that stops at any moment holds no lock, for
//!   there is no moment between two statements.
//! - **A change of term waits for a lock only so long**, then ends the session that holds it: somebody who looked into the
//!   database by hand and forgot a transaction, say.
//! - **Every connection is checked** before it is used: it is this cluster's database, of a format that is understood, and
//!   takes writes. A failover or a wrong entry in a proxy is noticed, not written to.
//! - **An error of PostgreSQL itself says that nothing is stored.** Anything else that ends a change (the connection breaks,
//!   the server ends the session, the answer takes too long) leaves its outcome unknown.

mod address;
mod base;
mod changes;
mod examine;
mod failure;
mod news;
mod passfile;
mod rows;
mod schema;
mod session;
mod slot;
mod statements;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use docstore::clock::SharedClock;
use docstore::engine::Term;
use docstore::engine::shared::{
    Base, Chain, ClusterId, Fold, Head, NewBatch, NodeId, Position, SharedLog, Slice,
};
use docstore::model::Ts;
use docstore::{Error, Result};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use self::address::Address;
pub use self::examine::{Examined, Standby, Stored, examine};
pub use self::schema::FORMAT;
use self::session::Purpose;
use self::slot::Slot;

/// Most batches of one read, whatever their size: their rows are held in memory several times over.
const READ_BATCHES: i64 = 1_000;

/// Options of the log in PostgreSQL.
#[derive(Debug, Clone)]
pub struct PostgresOptions {
    /// Address as `postgres://USER:PASSWORD@HOST:PORT/DATABASE?…`. `sslmode` is `verify-full` (or `require`, which is the
    /// same here) or `disable`; without it, TLS is used but for sockets and this machine itself. `sslrootcert` names a
    /// file with the certificates of authorities, in PEM; without it the machine's are trusted.
    pub url: String,
    /// File with passwords, in the format of PostgreSQL's `.pgpass`, for an address without one.
    pub passfile: Option<PathBuf>,
    /// This run of this node.
    pub node: NodeId,
    /// Identity of the data that the node has already. Without it, the database's is taken, and an empty database is set
    /// up.
    pub cluster: Option<ClusterId>,
    /// This node's clock, which is compared with the database's.
    pub clock: SharedClock,
    /// False where notifications do not arrive, as behind a proxy that pools transactions: the log is then asked for
    /// news every 20 ms instead of every second.
    pub notifications: bool,
}

/// The log in a PostgreSQL database. Dropping it closes its connections.
#[derive(Debug)]
pub struct PostgresLog {
    link: Arc<Link>,
    /// Appends and changes of term.
    writer: Slot,
    /// Questions.
    reader: Slot,
    news: watch::Sender<Position>,
    listener: JoinHandle<()>,
}

/// Everything that is needed for a connection.
#[derive(Debug)]
struct Link {
    address: Address,
    node: NodeId,
    clock: SharedClock,
    /// Identity of the data, once it is known.
    cluster: OnceLock<ClusterId>,
}

impl PostgresLog {
    /// Connects, sets an empty database up, and checks everything.
    ///
    /// # Errors
    /// As [`SharedLog`] says; `InvalidArgument` for an address that is none.
    pub async fn open(options: PostgresOptions) -> Result<Self> {
        let PostgresOptions { url, passfile, node, cluster, clock, notifications } = options;
        let known = cluster.map_or_else(OnceLock::new, OnceLock::from);
        let mut address = Address::parse(&url)?;
        if let Some(file) = passfile {
            passfile::apply(&file, &mut address.config)?;
        }
        let link = Arc::new(Link { address, node, clock, cluster: known });
        schema::set_up(&link).await?;
        let (writer, reader) = (Slot::new(Purpose::Writes), Slot::new(Purpose::Reads));
        let head = Self::head_of(&link, &reader).await?;
        let news = watch::Sender::new(head.position);
        let listener = tokio::spawn(news::follow(Arc::clone(&link), news.clone(), notifications));
        let log = Self { link, writer, reader, news, listener };
        log.warn_of_skew().await?;
        Ok(log)
    }

    /// Identity of the data.
    pub fn cluster(&self) -> ClusterId {
        self.link.cluster.get().copied().unwrap_or_default()
    }

    async fn head_of(link: &Link, reader: &Slot) -> Result<Head> {
        let row = reader
            .ask(link, |session| async move { session.query_one(&session.statements().head, &[]).await })
            .await?;
        rows::head(&row)
    }
}

impl Drop for PostgresLog {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

impl SharedLog for PostgresLog {
    async fn head(&self) -> Result<Head> {
        Self::head_of(&self.link, &self.reader).await
    }

    async fn take_over(&self, seen: &Head) -> Result<Head> {
        self.begin_term(seen).await
    }

    async fn beat(&self, term: Term) -> Result<()> {
        self.show_life(term).await
    }

    async fn append(&self, term: Term, batch: NewBatch) -> Result<()> {
        self.add(term, batch).await
    }

    async fn read(&self, after: Position, bytes: usize) -> Result<Slice> {
        let (ts, bytes) = (rows::micros(after.ts)?, i64::try_from(bytes).unwrap_or(i64::MAX));
        let found = self
            .reader
            .ask(&self.link, |session| async move {
                session.query(&session.statements().read, &[&ts, &READ_BATCHES, &bytes]).await
            })
            .await?;
        let (slice, whole) = rows::slice(&found)?;
        Chain::after(after).check(&slice.head, &slice.batches, whole)?;
        Ok(slice)
    }

    async fn base(&self) -> Result<Base> {
        base::read(&self.link).await
    }

    async fn fold(&self, fold: Fold) -> Result<()> {
        fold.check()?;
        base::fold(&self.link, fold).await
    }

    async fn trim(&self, up_to: Ts, most: usize) -> Result<usize> {
        let (up_to, most) =
            (rows::micros(up_to).unwrap_or(i64::MAX), i64::try_from(most).unwrap_or(i64::MAX));
        let trimmed = self
            .reader
            .ask(&self.link, |session| async move { session.execute(base::TRIM, &[&up_to, &most]).await })
            .await?;
        Ok(usize::try_from(trimmed).unwrap_or(usize::MAX))
    }

    fn news(&self) -> watch::Receiver<Position> {
        self.news.subscribe()
    }
}

/// Error of a database that has something this program did not write.
fn damaged(what: &str) -> Error {
    Error::new(
        docstore::Code::DataLoss,
        "DatabaseDamaged",
        format!("the database has {what} that this program did not write: restore it from a backup"),
    )
}
