//! Changes of the head: appends, beats and terms.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use docstore::clock::SharedClock;
use docstore::engine::shared::{CLOCK_OFF, Head, MAX_CLOCK_SKEW, NewBatch, head_moved};
use docstore::engine::{Term, fenced};
use docstore::model::Ts;
use docstore::{Code, Error, Result};
use tokio::time::sleep;
use tokio_postgres::Row;

use crate::session::Session;
use crate::slot::Slot;
use crate::{Link, PostgresLog, news, rows};

/// Ends the sessions that the session $1 waits for, also behind others that wait; those are spared.
const END_BLOCKERS: &str = "
WITH RECURSIVE blockers (pid) AS (
    SELECT unnest(pg_blocking_pids($1))
    UNION
    SELECT further.pid FROM blockers b, LATERAL unnest(pg_blocking_pids(b.pid)) AS further (pid)
)
SELECT a.pid, a.usename::text, a.application_name, pg_terminate_backend(a.pid)
FROM pg_stat_activity a JOIN blockers USING (pid)
WHERE a.pid <> pg_backend_pid() AND a.wait_event_type IS DISTINCT FROM 'Lock'";

/// Time for which a take-over waits for a lock before it ends the session that holds it. Honest ones hold it for as long as
/// a commit takes.
const BLOCKED: Duration = Duration::from_millis(500);
/// Difference between the clocks from which on there is a warning.
const SKEW_WARNING: Duration = Duration::from_millis(500);

impl PostgresLog {
    pub(crate) async fn add(&self, term: Term, batch: NewBatch) -> Result<()> {
        batch.check()?;
        let NewBatch { position, prev, payload } = batch;
        let (term, leader) = (rows::term(term)?, rows::uuid(self.link.node.0));
        let (ts, id) = (rows::micros(position.ts)?, rows::uuid(position.batch.0));
        let (prev_ts, prev_id) = (rows::micros(prev.ts)?, rows::uuid(prev.batch.0));
        let note = rows::note(position);
        let stored = self
            .writer
            .change(&self.link, |session| async move {
                let append = &session.statements().append;
                let payload = &payload[..];
                session
                    .execute(append, &[&ts, &id, &term, &leader, &prev_ts, &prev_id, &note, &payload])
                    .await
            })
            .await?;
        if stored == 0 {
            return Err(fenced());
        }
        news::heard(&self.news, position);
        Ok(())
    }

    pub(crate) async fn show_life(&self, term: Term) -> Result<()> {
        let (term, leader) = (rows::term(term)?, rows::uuid(self.link.node.0));
        // A second beat does no harm, so a broken connection is simply replaced.
        let shown = self
            .writer
            .ask(&self.link, |session| async move {
                session.execute(&session.statements().beat, &[&term, &leader]).await
            })
            .await?;
        if shown == 0 { Err(fenced()) } else { Ok(()) }
    }

    pub(crate) async fn begin_term(&self, seen: &Head) -> Result<Head> {
        let skew = Skew::measure(&self.link, &self.writer).await?;
        if skew.by > MAX_CLOCK_SKEW {
            return Err(Error::new(
                Code::FailedPrecondition,
                CLOCK_OFF,
                format!(
                    "This node's clock is {} the clock of {}, so it does not lead: the times of commits would be wrong. \
                     Let both follow a time server (NTP)",
                    skew.said(),
                    self.link.address
                ),
            ));
        }
        let (node, term, leader) =
            (rows::uuid(self.link.node.0), rows::term(seen.term)?, rows::uuid(seen.leader.0));
        let (ts, batch) = (rows::micros(seen.position.ts)?, rows::uuid(seen.position.batch.0));
        let beat = i64::try_from(seen.beat).map_err(|_| crate::damaged("a beat"))?;
        let begun = self.writer.change(&self.link, |session| async move {
            let backend: i32 = session.query_one("SELECT pg_backend_pid()", &[]).await?.get(0);
            let params: [&(dyn tokio_postgres::types::ToSql + Sync); 6] =
                [&node, &term, &leader, &ts, &batch, &beat];
            let begin = session.query_opt(&session.statements().take_over, &params);
            let mut begin = pin!(begin);
            loop {
                tokio::select! {
                    biased;
                    begun = &mut begin => return begun,
                    () = sleep(BLOCKED) => self.end_blockers(backend).await,
                }
            }
        });
        let row: Option<Row> = begun.await?;
        rows::head(&row.ok_or_else(head_moved)?)
    }

    /// Ends what the session `waiting` waits for. Without the right to, its lock times out.
    async fn end_blockers(&self, waiting: i32) {
        let ended = self.reader.ask(&self.link, |session: Arc<Session>| async move {
            session.query(END_BLOCKERS, &[&waiting]).await
        });
        match ended.await {
            Ok(sessions) => {
                for row in sessions {
                    let (pid, user, application): (i32, Option<String>, Option<String>) =
                        (row.get(0), row.get(1), row.get(2));
                    tracing::warn!(
                        pid,
                        user,
                        application,
                        "a session of the database that held up a change of leader was ended"
                    );
                }
            }
            Err(error) => {
                tracing::warn!(%error, "a session that holds up a change of leader could not be ended");
            }
        }
    }

    pub(crate) async fn warn_of_skew(&self) -> Result<()> {
        let skew = Skew::measure(&self.link, &self.reader).await?;
        if skew.by > SKEW_WARNING {
            tracing::warn!(
                "this node's clock is {} the database's; let both follow a time server",
                skew.said()
            );
        }
        Ok(())
    }
}

/// Difference between two clocks, at least.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Skew {
    pub(crate) by: Duration,
    pub(crate) ahead: bool,
}

impl Skew {
    /// Compares them over a connection, which is replaced first if it has ended: what follows on it finds a living one.
    async fn measure(link: &Link, slot: &Slot) -> Result<Self> {
        slot.ask(link, |session| async move { Clocks::read(&session, &link.clock).await }).await?.skew()
    }

    fn said(self) -> String {
        let side = if self.ahead { "ahead of" } else { "behind" };
        format!("{:.1} s {side}", self.by.as_secs_f64())
    }
}

/// Both clocks, looked at together.
pub(crate) struct Clocks {
    before: Ts,
    theirs: i64,
    after: Ts,
}

impl Clocks {
    /// Looks at both over a connection.
    pub(crate) async fn read(session: &Session, clock: &SharedClock) -> Result<Self, tokio_postgres::Error> {
        let question = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8";
        let before = clock.now();
        let row = session.query_one(question, &[]).await?;
        Ok(Self { before, theirs: row.get(0), after: clock.now() })
    }

    /// Their difference, at least.
    pub(crate) fn skew(&self) -> Result<Skew> {
        let Self { before, theirs, after } = *self;
        let theirs = rows::time(theirs)?.micros();
        // The database looked at its clock somewhere in between.
        let (behind, ahead) = (theirs.saturating_sub(after.micros()), before.micros().saturating_sub(theirs));
        Ok(Skew { by: Duration::from_micros(behind.max(ahead)), ahead: ahead > behind })
    }
}
