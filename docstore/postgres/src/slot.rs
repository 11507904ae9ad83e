//! Connections that are checked before they are used, and replaced when they have ended.

use std::sync::Arc;

use docstore::Result;
use docstore::engine::shared::outcome_unknown;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::session::{ANSWER, CONNECT, Purpose, Session, silent};
use crate::{Link, failure, schema};

/// Connects, and checks that this is the cluster's database and takes writes.
pub(crate) async fn connect(link: &Link, purpose: Purpose) -> Result<Session> {
    let mut session = Session::unchecked(&link.address, purpose).await?;
    let checking = async {
        schema::check(&session, link).await?;
        session.prepare().await.map_err(|error| failure::of(&link.address, error))?;
        Ok(session)
    };
    timeout(CONNECT, checking).await.map_err(|_| silent(&link.address))?
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
        let session = Arc::new(connect(link, self.purpose).await?);
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
            Err(_) => outcome_unknown(),
        };
        self.give_up(&session).await;
        Err(error)
    }
}
