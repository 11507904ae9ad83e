//! Connections to the database, each checked before it is used.

use std::fmt;
use std::future::poll_fn;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use docstore::engine::shared::Position;
use docstore::{Error, Result};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Mutex, watch};
use tokio::time::timeout;
use tokio_postgres::{AsyncMessage, Client, Connection, NoTls, Statement};

use crate::address::Address;
use crate::{Link, changes, failure, news, rows, schema};

/// Longest wait for a new connection with all its checks, over all hosts.
const CONNECT: Duration = Duration::from_secs(12);
/// Longest wait for an answer. The server gives up before, so that its refusal arrives.
pub(crate) const ANSWER: Duration = Duration::from_secs(10);

/// Use of a connection; the database's list of sessions shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Appends and changes of term.
    Writes,
    /// Questions.
    Reads,
    /// Base and folds: statements that may take long.
    Base,
    /// Notifications.
    News,
}

impl Purpose {
    const fn name(self) -> &'static str {
        match self {
            Self::Writes => "tuckbox writes",
            Self::Reads => "tuckbox reads",
            Self::Base => "tuckbox base",
            Self::News => "tuckbox news",
        }
    }

    /// Settings of the session, whatever the server's defaults are. A commit is acknowledged once it is durable. An append
    /// that waited for a change of term must see it, which it does in this isolation alone.
    fn settings(self) -> String {
        let limit = if self == Self::Base { "0" } else { "8s" };
        format!(
            "SET statement_timeout = '{limit}'; SET lock_timeout = '5s'; \
             SET idle_in_transaction_session_timeout = '30s'; \
             SET default_transaction_isolation = 'read committed'; \
             SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )
    }
}

/// A connection. It ends when it is dropped, and with it whatever transaction it had open.
pub(crate) struct Session {
    client: Client,
    statements: Option<Statements>,
    /// Newest notification; closed when the connection has ended.
    pub(crate) notified: watch::Receiver<Option<Position>>,
}

/// Prepared statements.
pub(crate) struct Statements {
    pub(crate) head: Statement,
    pub(crate) read: Statement,
    pub(crate) append: Statement,
    pub(crate) beat: Statement,
    pub(crate) take_over: Statement,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("closed", &self.client.is_closed()).finish_non_exhaustive()
    }
}

impl Deref for Session {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Session {
    /// Connects without looking at what is in the database.
    pub(crate) async fn unchecked(address: &Address, purpose: Purpose) -> Result<Self> {
        let connecting = async {
            let mut config = address.config.clone();
            config.application_name(purpose.name());
            let (sender, notified) = watch::channel(None);
            let client = match &address.tls {
                Some(tls) => {
                    let (client, connection) = config.connect(tls.clone()).await?;
                    tokio::spawn(drive(connection, sender));
                    client
                }
                None => {
                    let (client, connection) = config.connect(NoTls).await?;
                    tokio::spawn(drive(connection, sender));
                    client
                }
            };
            client.batch_execute(&purpose.settings()).await?;
            Ok(Self { client, statements: None, notified })
        };
        match timeout(CONNECT, connecting).await {
            Ok(connected) => connected.map_err(|error| failure::of(address, error)),
            Err(_) => Err(silent(address)),
        }
    }

    /// Connects, and checks that this is the cluster's database and takes writes.
    pub(crate) async fn connect(link: &Link, purpose: Purpose) -> Result<Self> {
        let mut session = Self::unchecked(&link.address, purpose).await?;
        let checking = async {
            schema::check(&session, link).await?;
            let prepared = Statements::prepare(&session.client).await;
            prepared.map_err(|error| failure::of(&link.address, error))
        };
        session.statements = Some(timeout(CONNECT, checking).await.map_err(|_| silent(&link.address))??);
        Ok(session)
    }

    /// The prepared statements.
    ///
    /// # Panics
    /// For a session that was not checked.
    #[expect(clippy::expect_used, reason = "only sessions that were checked are given out")]
    pub(crate) fn statements(&self) -> &Statements {
        self.statements.as_ref().expect("a checked session has its statements")
    }
}

impl Statements {
    async fn prepare(client: &Client) -> Result<Self, tokio_postgres::Error> {
        let head = format!(
            "SELECT {} FROM tuckbox.head h JOIN tuckbox.fold f USING (shard) WHERE h.shard = 0",
            rows::HEAD_COLUMNS
        );
        // One statement sees one moment. A batch beyond the limit comes without its payload, as a sign that there is more.
        let read = format!(
            "SELECT {}, l.ts, l.batch, l.prev, l.prev_batch, l.term, l.payload \
             FROM tuckbox.head h JOIN tuckbox.fold f USING (shard) LEFT JOIN LATERAL ( \
               SELECT ts, batch, prev, prev_batch, term, \
                 CASE WHEN n = 1 OR (n < $2 AND taken < $3::int8) THEN payload END AS payload \
               FROM (SELECT *, row_number() OVER (ORDER BY ts) AS n, coalesce(sum(octet_length(payload)) OVER \
                       (ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS taken \
                     FROM (SELECT * FROM tuckbox.log WHERE shard = 0 AND ts > $1 ORDER BY ts LIMIT $2) AS page \
                    ) AS numbered \
             ) AS l ON true WHERE h.shard = 0 ORDER BY l.ts",
            rows::HEAD_COLUMNS
        );
        let (head, read, append, beat, take_over) = futures::try_join!(
            client.prepare(&head),
            client.prepare(&read),
            client.prepare(changes::APPEND),
            client.prepare(changes::BEAT),
            client.prepare(changes::TAKE_OVER),
        )?;
        Ok(Self { head, read, append, beat, take_over })
    }
}

/// Carries a connection's messages until it ends.
async fn drive<S, T>(mut connection: Connection<S, T>, notified: watch::Sender<Option<Position>>)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    loop {
        match poll_fn(|context| connection.poll_message(context)).await {
            Some(Ok(AsyncMessage::Notification(notification))) => {
                if let Some(position) = news::parse(notification.payload()) {
                    notified.send_replace(Some(position));
                }
            }
            Some(Ok(message)) => tracing::debug!(?message, "PostgreSQL says"),
            Some(Err(error)) => {
                tracing::debug!(%error, "a connection to PostgreSQL has ended");
                return;
            }
            None => return,
        }
    }
}

fn silent(address: &Address) -> Error {
    failure::unreachable(address, "it does not answer")
}

/// A connection that is made again when it has ended.
#[derive(Debug)]
pub(crate) struct Slot {
    purpose: Purpose,
    current: Mutex<Option<Arc<Session>>>,
}

impl Slot {
    pub(crate) fn new(purpose: Purpose) -> Self {
        Self { purpose, current: Mutex::new(None) }
    }

    /// The connection, or a new one.
    pub(crate) async fn get(&self, link: &Link) -> Result<Arc<Session>> {
        let mut current = self.current.lock().await;
        if let Some(session) = current.as_ref().filter(|session| !session.is_closed()) {
            return Ok(Arc::clone(session));
        }
        *current = None;
        let session = Arc::new(Session::connect(link, self.purpose).await?);
        *current = Some(Arc::clone(&session));
        Ok(session)
    }

    /// Gives a connection up, after a failure that may be the connection's.
    async fn give_up(&self, session: &Arc<Session>) {
        let mut current = self.current.lock().await;
        if current.as_ref().is_some_and(|one| Arc::ptr_eq(one, session)) {
            *current = None;
        }
    }

    /// Asks something that may be asked twice: a connection that turns out to have ended is replaced once.
    pub(crate) async fn ask<T, F>(&self, link: &Link, question: impl Fn(Arc<Session>) -> F) -> Result<T>
    where
        F: Future<Output = Result<T, tokio_postgres::Error>>,
    {
        let mut has_failed = false;
        loop {
            let session = self.get(link).await?;
            let error = match timeout(ANSWER, question(Arc::clone(&session))).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(error)) if failure::is_refusal(&error) => {
                    return Err(failure::of(&link.address, error));
                }
                Ok(Err(error)) => error,
                Err(_) => {
                    self.give_up(&session).await;
                    return Err(silent(&link.address));
                }
            };
            self.give_up(&session).await;
            if std::mem::replace(&mut has_failed, true) {
                return Err(failure::of(&link.address, error));
            }
        }
    }

    /// Changes something, once.
    pub(crate) async fn change<T, F>(&self, link: &Link, change: impl FnOnce(Arc<Session>) -> F) -> Result<T>
    where
        F: Future<Output = Result<T, tokio_postgres::Error>>,
    {
        let session = self.get(link).await?;
        let error = match timeout(ANSWER, change(Arc::clone(&session))).await {
            Ok(Ok(changed)) => return Ok(changed),
            Ok(Err(error)) if failure::is_refusal(&error) => return Err(failure::of(&link.address, error)),
            Ok(Err(error)) => failure::of_change(&link.address, error),
            Err(_) => docstore::engine::shared::outcome_unknown(),
        };
        self.give_up(&session).await;
        Err(error)
    }
}
