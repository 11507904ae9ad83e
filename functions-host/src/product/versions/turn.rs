//! Turns: those who freeze, open, restore or delete versions of one project do so one after another, on several servers
//! too. Whoever has the turn holds a document, and every commit of theirs rests on it; so what somebody does whose turn is
//! over comes to nothing.

use std::sync::Arc;

use docstore::access::{Auth, Caller, CommitHook, CommitPermit};
use docstore::commit::{Draft, write_weight};
use docstore::database::Database;
use docstore::model::{DocPath, Fields, Precondition, Timestamp, Ts, Value, Write, WriteOp};
use docstore::{Code, Result};
use tokio::sync::OwnedMutexGuard;
use tokio::time::{Instant, sleep, timeout};

use super::limits::{BATCH, BATCH_BYTES, QUEUE_WAIT, TURN_LOOK, TURN_MICROS, TURN_WAIT};
use super::{Versions, integer, timestamp};
use crate::functions::callable::{AuthContext, CallError};
use crate::striped_lock::StripedLock;

/// The document that is held, below a project. It also has the number of the newest version there ever was.
const DOCUMENT: &str = "versionState/turn";
const UNTIL: &str = "until";
const NUMBER: &str = "number";
/// Counts commits, so that each changes the document.
const STEP: &str = "step";

/// A turn with the versions of a project.
#[derive(Debug)]
pub(super) struct Turn {
    versions: Versions,
    project: DocPath,
    path: DocPath,
    step: i64,
    number: i64,
    update_time: Option<Ts>,
    _waiting: Option<OwnedMutexGuard<()>>,
}

impl Turn {
    /// Waits for the turn.
    ///
    /// # Errors
    /// `Aborted` if others have it for long, `NotFound` if the project is gone; those of the store.
    pub(super) async fn take(versions: &Versions, project: &DocPath) -> Result<Self, CallError> {
        let waiting = timeout(QUEUE_WAIT, versions.turns.lock(StripedLock::stripe(project)))
            .await
            .map_err(|_| taken())?;
        let mut turn = Self {
            versions: versions.clone(),
            project: project.clone(),
            path: DocPath::parse(&format!("{project}/{DOCUMENT}"))?,
            step: 0,
            number: 0,
            update_time: None,
            _waiting: waiting,
        };
        let patience = Instant::now() + TURN_WAIT;
        loop {
            let found = turn.database().get(std::slice::from_ref(&turn.path), None).await?.value;
            let found = found.into_iter().flatten().next();
            let fields = found.as_ref().map(|found| found.fields.clone()).unwrap_or_default();
            // Whoever took it before this server began was cut off by its end. On another server, what they still do comes
            // to nothing, as with a turn that is over.
            let is_left = found.as_ref().is_some_and(|found| found.update_time <= versions.began);
            let is_free = is_left || timestamp(&fields, UNTIL).is_none_or(|until| until < versions.now());
            if is_free {
                turn.update_time = found.map(|found| found.update_time);
                turn.number = integer(&fields, NUMBER).max(turn.number);
                turn.step = integer(&fields, STEP);
                match turn.commit(Vec::new()).await {
                    Ok(()) => return Ok(turn),
                    Err(error) if error.code() == Code::Aborted && Instant::now() < patience => {}
                    Err(error) => return Err(error),
                }
            } else if Instant::now() >= patience {
                return Err(taken());
            }
            sleep(TURN_LOOK).await;
        }
    }

    fn database(&self) -> &Database {
        &self.versions.database
    }

    /// The number of a new version; it is taken with the next commit.
    pub(super) const fn next_number(&mut self) -> i64 {
        self.number += 1;
        self.number
    }

    /// Commits writes while the turn lasts and the project is there.
    ///
    /// # Errors
    /// `Aborted` if the turn is over, `NotFound` if the project is gone; those of the store.
    pub(super) async fn commit(&mut self, mut writes: Vec<Write>) -> Result<(), CallError> {
        self.step += 1;
        let until = Timestamp(self.versions.now().0.saturating_add(TURN_MICROS));
        writes.push(Write {
            path: self.project.clone(),
            op: WriteOp::Verify,
            precondition: Precondition::Exists(true),
        });
        writes.push(self.hold(until));
        let committed = self.database().commit(Draft::of(writes)).await;
        let committed = match committed {
            Ok(committed) => committed,
            Err(error) => return Err(self.explained(error.into()).await),
        };
        self.update_time = committed.results.last().and_then(|result| result.update_time);
        Ok(())
    }

    fn hold(&self, until: Timestamp) -> Write {
        let fields = Fields::from([
            (UNTIL.to_owned(), Value::Timestamp(until)),
            (NUMBER.to_owned(), Value::Integer(self.number)),
            (STEP.to_owned(), Value::Integer(self.step)),
        ]);
        Write {
            path: self.path.clone(),
            op: WriteOp::Set { fields, transforms: Vec::new() },
            precondition: self.update_time.map_or(Precondition::Exists(false), Precondition::UpdateTime),
        }
    }

    /// The error of a commit, in words if it was the turn or the project that was gone.
    async fn explained(&self, error: CallError) -> CallError {
        if !matches!(error.code(), Code::FailedPrecondition | Code::NotFound | Code::AlreadyExists) {
            return error;
        }
        let paths = [self.project.clone(), self.path.clone()];
        let Ok(found) = self.database().get(&paths, None).await else { return error };
        let mut found = found.value.into_iter();
        if found.next().flatten().is_none() {
            return super::no_such_project();
        }
        if found.next().flatten().map(|turn| turn.update_time) == self.update_time {
            return error;
        }
        CallError::new(
            Code::Aborted,
            "This took so long that somebody else began to change the versions of this project. Try again.",
        )
    }

    /// Commits writes that need not come together, a batch at a time.
    ///
    /// # Errors
    /// Those of [`Self::commit`]; what was committed by then stays.
    pub(super) async fn commit_all(&mut self, writes: Vec<Write>) -> Result<(), CallError> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        for write in writes {
            bytes += write_weight(&write);
            batch.push(write);
            if batch.len() >= BATCH || bytes >= BATCH_BYTES {
                self.commit(std::mem::take(&mut batch)).await?;
                bytes = 0;
            }
        }
        if batch.is_empty() { Ok(()) } else { self.commit(batch).await }
    }

    /// Ends the turn. One that cannot be ended is over by itself after a while.
    pub(super) async fn end(self) {
        let write = self.hold(Timestamp(0));
        if let Err(error) = self.database().commit(Draft::of(vec![write])).await {
            tracing::debug!(%error, "a turn with the versions of a project was not ended");
        }
    }
}

fn taken() -> CallError {
    CallError::new(
        Code::Aborted,
        "Another version of this project is being made, opened or deleted. Try again in a few minutes.",
    )
}

/// Admits writes that a caller has the server make, by the limits of the plan that they count for.
///
/// # Errors
/// Those of the limits.
pub(super) async fn admit(
    room: Option<&Arc<dyn CommitHook>>,
    user: &AuthContext,
    database: &Database,
    writes: &[Write],
) -> Result<CommitPermit> {
    let Some(room) = room else { return Ok(None) };
    let caller = Caller::User(Auth { uid: user.uid.clone(), token: user.token.clone() });
    room.admit(&caller, database.id(), writes).await
}
