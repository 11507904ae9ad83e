//! Connections to the database.

use std::fmt;
use std::future::poll_fn;
use std::ops::Deref;
use std::time::Duration;

use docstore::engine::shared::Position;
use docstore::{Error, Result};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_postgres::{AsyncMessage, Client, Connection, NoTls};

use crate::address::Address;
use crate::statements::Statements;
use crate::{failure, rows};

/// Longest wait for a new connection with all its checks, over all hosts.
pub(crate) const CONNECT: Duration = Duration::from_secs(12);
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

    /// Prepares the statements, on a connection that was checked.
    pub(crate) async fn prepare(&mut self) -> Result<(), tokio_postgres::Error> {
        self.statements = Some(Statements::prepare(&self.client).await?);
        Ok(())
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

/// Carries a connection's messages until it ends.
async fn drive<S, T>(mut connection: Connection<S, T>, notified: watch::Sender<Option<Position>>)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    loop {
        match poll_fn(|context| connection.poll_message(context)).await {
            Some(Ok(AsyncMessage::Notification(notification))) => {
                if let Some(position) = rows::parse_note(notification.payload()) {
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

/// Error of a server that does not answer in time.
pub(crate) fn silent(address: &Address) -> Error {
    failure::unreachable(address, "it does not answer")
}
