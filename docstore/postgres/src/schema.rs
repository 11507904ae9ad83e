//! The tables, their setting up, and the check that a database has them.
//!
//! | table | contents |
//! | --- | --- |
//! | `head` | one row: the cluster's identity, the format, who leads in which term, the last batch |
//! | `log` | a row for each batch; `prev` and `prev_batch` are the batch before |
//! | `docs` | the newest version of each document, as of the place in `fold` |
//! | `fold` | one row: that place |
//! | `nodes` | the nodes that run, with the address at which others reach them |
//!
//! All of them lie in the schema `tuckbox`. Times are microseconds since 1970.

use docstore::engine::shared::ClusterId;
use docstore::{Code, Error, Result};
use uuid::Uuid;

use crate::address::Address;
use crate::session::{Purpose, Session};
use crate::{Link, failure};

/// Version of the tables. A release that changes them raises it.
pub const FORMAT: i32 = 1;
/// Oldest PostgreSQL that has all that is used, as its `server_version_num`.
const OLDEST_SERVER: i32 = 130_000;
/// Lock under which an empty database is set up: "tuckbox" in ASCII.
const SETTING_UP: i64 = 0x0074_7563_6b62_6f78;

/// Payloads come compressed; PostgreSQL is to leave them as they are. The head is written all the time: its page keeps
/// room for new versions of the row, so that none needs an entry in the index.
const TABLES: &str = "
CREATE SCHEMA tuckbox;
CREATE TABLE tuckbox.head (
    shard int2 PRIMARY KEY, cluster uuid NOT NULL, format int4 NOT NULL, term int8 NOT NULL, leader uuid NOT NULL,
    ts int8 NOT NULL, batch uuid NOT NULL, beat int8 NOT NULL
) WITH (fillfactor = 10);
CREATE TABLE tuckbox.log (
    shard int2, ts int8, prev int8 NOT NULL, prev_batch uuid NOT NULL, term int8 NOT NULL, batch uuid NOT NULL,
    payload bytea NOT NULL, PRIMARY KEY (shard, ts)
);
ALTER TABLE tuckbox.log ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE TABLE tuckbox.docs (shard int2, key bytea, ts int8 NOT NULL, value bytea NOT NULL, PRIMARY KEY (shard, key));
CREATE TABLE tuckbox.fold (shard int2 PRIMARY KEY, ts int8 NOT NULL, batch uuid NOT NULL);
CREATE TABLE tuckbox.nodes (
    id uuid PRIMARY KEY, address text NOT NULL, fingerprint bytea NOT NULL, version text NOT NULL,
    formats int4range NOT NULL, applied int8 NOT NULL, beat int8 NOT NULL
);
INSERT INTO tuckbox.fold VALUES (0, 0, '00000000-0000-0000-0000-000000000000');
INSERT INTO tuckbox.head VALUES (0, gen_random_uuid(), 1, 0, '00000000-0000-0000-0000-000000000000',
    0, '00000000-0000-0000-0000-000000000000', 0);
";

/// Sets up a database that is empty, unless the node has data of a cluster already.
///
/// # Errors
/// `FailedPrecondition` for a database that cannot be or become this cluster's.
pub(crate) async fn set_up(link: &Link) -> Result<()> {
    let session = Session::unchecked(&link.address, Purpose::Base).await?;
    let address = &link.address;
    let failed = |error| failure::of(address, error);
    check_server(&session, address).await?;
    if has_head(&session, address).await? {
        return Ok(());
    }
    if let Some(cluster) = link.cluster.get() {
        return Err(precondition(
            "DatabaseEmpty",
            format!(
                "{address} is empty, but this node has data of the cluster {cluster}. Name the cluster's database, or \
                 start with an empty cache folder to begin a new cluster"
            ),
        ));
    }
    session.batch_execute("BEGIN").await.map_err(failed)?;
    session.query_one("SELECT pg_advisory_xact_lock($1)", &[&SETTING_UP]).await.map_err(failed)?;
    // Another node may have been faster.
    if !has_head(&session, address).await? {
        session.batch_execute(TABLES).await.map_err(failed)?;
        tracing::info!(%address, "the database was empty and is set up");
    }
    session.batch_execute("COMMIT").await.map_err(failed)
}

/// True if the tables are there.
pub(crate) async fn has_head(session: &Session, address: &Address) -> Result<bool> {
    let question = "SELECT to_regclass('tuckbox.head') IS NOT NULL, to_regnamespace('tuckbox') IS NOT NULL";
    let row = session.query_one(question, &[]).await.map_err(|error| failure::of(address, error))?;
    let (head, schema): (bool, bool) = (row.get(0), row.get(1));
    if schema && !head {
        let message = format!(
            "{address} has a schema \"tuckbox\" without the table head: it is not the shared store's, or its tables were \
             dropped. Restore this database from a backup, or name an empty one"
        );
        return Err(precondition("NotTuckbox", message));
    }
    Ok(head)
}

pub(crate) async fn check_server(session: &Session, address: &Address) -> Result<()> {
    let question = "SELECT current_setting('server_version_num')::int4, current_setting('fsync') = 'on', \
                    pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'";
    let row = session.query_one(question, &[]).await.map_err(|error| failure::of(address, error))?;
    let (version, durable, read_only): (i32, bool, bool) = (row.get(0), row.get(1), row.get(2));
    if version < OLDEST_SERVER {
        return Err(precondition(
            "DatabaseTooOld",
            format!("{address} is of PostgreSQL {}; 13 or newer is needed", version / 10_000),
        ));
    }
    if read_only {
        return Err(failure::read_only(address));
    }
    if !durable {
        tracing::warn!(%address, "PostgreSQL runs with fsync = off: a power cut loses what was acknowledged");
    }
    Ok(())
}

/// Checks a connection: it leads to the cluster's database, which has a format that is understood and takes writes.
///
/// # Errors
/// `FailedPrecondition` for another database; `Unavailable` for one that is read-only.
pub(crate) async fn check(session: &Session, link: &Link) -> Result<()> {
    let address = &link.address;
    let found = cluster_of(session, address).await?;
    let known = *link.cluster.get_or_init(|| found);
    if known != found {
        return Err(other_cluster(address, found, known));
    }
    Ok(())
}

/// The identity of a database's data, which this program can use.
///
/// # Errors
/// As of [`check`].
pub(crate) async fn cluster_of(session: &Session, address: &Address) -> Result<ClusterId> {
    let question = "SELECT cluster::uuid, format::int4, pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' \
                    FROM tuckbox.head WHERE shard = 0";
    let row = session.query_opt(question, &[]).await.map_err(|error| failure::of(address, error))?;
    let row = row.ok_or_else(|| headless(address))?;
    let (cluster, format, read_only): (Uuid, i32, bool) = (row.get(0), row.get(1), row.get(2));
    if read_only {
        return Err(failure::read_only(address));
    }
    if format > FORMAT {
        return Err(precondition(
            "DatabaseNewer",
            format!(
                "{address} has format {format}, and this program knows {FORMAT} at most: a newer one has upgraded it. \
                 Install that"
            ),
        ));
    }
    if format < FORMAT {
        return Err(precondition(
            "DatabaseOlder",
            format!(
                "{address} has format {format}, which this program no longer reads; it knows {FORMAT}. Upgrade it with a \
                 release that knows both"
            ),
        ));
    }
    Ok(ClusterId(cluster.as_u128()))
}

/// Error of a database whose table `head` is empty.
fn headless(address: &Address) -> Error {
    let message =
        format!("{address} lacks the one row of the table tuckbox.head. Restore the database from a backup");
    precondition("NotTuckbox", message)
}

/// Error of a database with the data of another cluster than the `known` one.
pub(crate) fn other_cluster(address: &Address, found: ClusterId, known: ClusterId) -> Error {
    precondition(
        "OtherCluster",
        format!(
            "{address} has the data of the cluster {found}, but this node belongs to {known}. Name that cluster's \
             database, or move the node's cache folder away to join this one"
        ),
    )
}

fn precondition(tag: &'static str, message: String) -> Error {
    Error::new(Code::FailedPrecondition, tag, message)
}
