//! A look at the database that changes nothing, for whoever checks an installation.

use std::time::Duration;

use docstore::Result;
use docstore::engine::shared::ClusterId;
use tokio::time::timeout;

use crate::address::Address;
use crate::changes::Clocks;
use crate::session::{ANSWER, Purpose, Session, silent};
use crate::{PostgresOptions, failure, passfile, schema};

/// The server, and the rights of the role. A role needs to make the schema, or to use what is in it.
const SERVER: &str = "
SELECT current_setting('server_version_num')::int4, current_setting('fsync') = 'on',
    current_setting('full_page_writes') = 'on', current_setting('synchronous_commit'),
    current_setting('synchronous_standby_names') <> '', current_user::text,
    has_database_privilege(current_database(), 'CREATE')";

/// The tables that the role may not change. Rows: one for each, by name.
const LACKING: &str = "
SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'tuckbox' AND c.relkind = 'r' AND NOT (has_schema_privilege(n.oid, 'USAGE')
    AND has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
    AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))
ORDER BY c.relname";

const STORED: &str = "
SELECT h.term::int8, greatest(h.ts - f.ts, 0)::int8,
    pg_total_relation_size('tuckbox.log'), pg_total_relation_size('tuckbox.docs')
FROM tuckbox.head h JOIN tuckbox.fold f USING (shard) WHERE h.shard = 0";

/// Standbys, for roles that may see them.
const STANDBYS: &str = "
SELECT coalesce(application_name, ''), sync_state IN ('sync', 'quorum'),
    coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn), 0)::int8
FROM pg_stat_replication WHERE sync_state IS NOT NULL ORDER BY 1";

/// A database as it was found.
#[derive(Debug, Clone)]
pub struct Examined {
    /// `the database NAME at HOST:PORT`.
    pub address: String,
    /// PostgreSQL's major version.
    pub version: u32,
    /// True if it waits for its disk (`fsync`).
    pub durable: bool,
    /// True if it survives pages that are half written (`full_page_writes`).
    pub whole_pages: bool,
    /// Its `synchronous_commit`.
    pub synchronous_commit: String,
    /// True if it waits for a standby before it acknowledges.
    pub waits_for_standby: bool,
    /// The role.
    pub role: String,
    /// True if the role may make a schema.
    pub may_create: bool,
    /// Tables that the role may not read and change.
    pub lacking: Vec<String>,
    /// Difference between its clock and this machine's, at least.
    pub clock_off: Duration,
    /// True if this machine's clock is ahead.
    pub ahead: bool,
    /// Its standbys, as far as the role may see them.
    pub standbys: Vec<Standby>,
    /// The shared store in it; `None` if it is not set up yet.
    pub stored: Option<Stored>,
}

/// A standby.
#[derive(Debug, Clone)]
pub struct Standby {
    /// Name of its connection.
    pub name: String,
    /// True if acknowledgements wait for it.
    pub synchronous: bool,
    /// Bytes of the write-ahead log that are not on its disk.
    pub behind: u64,
}

/// A shared store that is set up.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Identity of the data.
    pub cluster: ClusterId,
    /// Number of the term; 0 before the first.
    pub term: u64,
    /// Time of commits that are not folded into the documents yet.
    pub unfolded: Duration,
    /// Bytes of the log.
    pub log_bytes: u64,
    /// Bytes of the documents.
    pub document_bytes: u64,
}

/// Looks at a database without changing anything.
///
/// # Errors
/// As of [`crate::PostgresLog::open`]; a database that is empty is none.
pub async fn examine(options: PostgresOptions) -> Result<Examined> {
    let mut address = Address::parse(&options.url)?;
    if let Some(file) = &options.passfile {
        passfile::apply(file, &mut address.config)?;
    }
    let session = Session::unchecked(&address, Purpose::Reads).await?;
    let looking = look(&session, &address, &options);
    timeout(ANSWER, looking).await.map_err(|_| silent(&address))?
}

async fn look(session: &Session, address: &Address, options: &PostgresOptions) -> Result<Examined> {
    let failed = |error| failure::of(address, error);
    schema::check_server(session, address).await?;
    let row = session.query_one(SERVER, &[]).await.map_err(failed)?;
    let skew = Clocks::read(session, &options.clock).await.map_err(failed)?.skew()?;
    let version: i32 = row.get(0);
    let mut examined = Examined {
        address: address.to_string(),
        version: u32::try_from(version / 10_000).unwrap_or_default(),
        durable: row.get(1),
        whole_pages: row.get(2),
        synchronous_commit: row.get(3),
        waits_for_standby: row.get(4),
        role: row.get(5),
        may_create: row.get(6),
        lacking: Vec::new(),
        clock_off: skew.by,
        ahead: skew.ahead,
        standbys: standbys(session).await.map_err(failed)?,
        stored: None,
    };
    // Without the right to use the schema its tables cannot be named.
    let tables = session.query(LACKING, &[]).await.map_err(failed)?;
    examined.lacking = tables.iter().map(|row| row.get(0)).collect();
    if !examined.lacking.is_empty() || !schema::has_head(session, address).await? {
        return Ok(examined);
    }
    let cluster = schema::cluster_of(session, address).await?;
    if let Some(own) = options.cluster.filter(|own| *own != cluster) {
        return Err(schema::other_cluster(address, cluster, own));
    }
    let row = session.query_one(STORED, &[]).await.map_err(failed)?;
    let stored = Stored {
        cluster,
        term: unsigned(row.get(0)),
        unfolded: Duration::from_micros(unsigned(row.get(1))),
        log_bytes: unsigned(row.get(2)),
        document_bytes: unsigned(row.get(3)),
    };
    examined.stored = Some(stored);
    Ok(examined)
}

async fn standbys(session: &Session) -> Result<Vec<Standby>, tokio_postgres::Error> {
    let rows = session.query(STANDBYS, &[]).await?;
    let standby = |row: &tokio_postgres::Row| Standby {
        name: row.get(0),
        synchronous: row.get(1),
        behind: unsigned(row.get(2)),
    };
    Ok(rows.iter().map(standby).collect())
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
