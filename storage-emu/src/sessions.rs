//! Resumable uploads: bytes arrive in any number of requests, also over restarts of either side.
//!
//! A session is a document; each request's bytes are a part in the object store, which counts only once the
//! session's document names it. Finishing joins the parts into one content and commits it like any other.

use docstore::access::{Auth, Caller};
use docstore::model::DocPath;
use docstore::{Code, Error, Result};
use futures::{Stream, StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};

use crate::blobs::Blobs;
use crate::body::ByteStream;
use crate::catalog::{Catalog, Condition, Object};
use crate::digest::expected::Expected;
use crate::meta::{Settable, from_fields};
use crate::records::{MAX_ATTEMPTS, Unit, contention};

/// The collection of sessions.
const UPLOADS: &str = "uploads";
/// Sessions read together when all are; one may name thousands of parts.
const ALL_STEP: u32 = 256;
/// The most parts of one upload. Its document must stay within a document's size.
pub const MAX_PARTS: usize = 4_096;
/// Clients are told to send multiples of this, in bytes (the last request excepted).
pub const CHUNK_GRANULARITY: u64 = 256 * 1024;
/// Time an idle upload is kept, in seconds: a week.
pub const SESSION_LIFE_SECONDS: u64 = 7 * 24 * 3600;

/// State of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Takes bytes.
    Active,
    /// Given up by its client.
    Cancelled,
    /// Finished, well or not.
    Final,
}

impl Status {
    /// As `x-goog-upload-status` says it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Cancelled => "cancelled",
            Self::Final => "final",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) key: String,
    pub(crate) size: u64,
}

/// An upload under way or done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Session {
    pub(crate) bucket: String,
    pub(crate) name: String,
    pub(crate) set: Settable,
    /// Condition on the existing object when the upload finishes.
    pub(crate) condition: Condition,
    /// Checksums that were announced at its start.
    #[serde(default, skip_serializing_if = "Expected::is_none")]
    pub(crate) expected: Expected,
    pub(crate) caller: StoredCaller,
    pub(crate) owner: Option<String>,
    pub(crate) status: Status,
    /// Bytes that are safe.
    pub(crate) received: u64,
    /// Bytes the client announced.
    pub(crate) declared: Option<u64>,
    pub(crate) parts: Vec<Part>,
    /// Last change, microseconds since the epoch.
    pub(crate) updated: u64,
    /// The HTTP status it ended with.
    pub(crate) code: Option<u16>,
    /// The stored object.
    pub(crate) result: Option<Object>,
}

/// A caller as a session remembers it: later requests of the session need not prove it again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum StoredCaller {
    Admin,
    User { uid: String, token: serde_json::Value },
    Anonymous,
}

impl From<&Caller> for StoredCaller {
    fn from(caller: &Caller) -> Self {
        match caller {
            Caller::Admin => Self::Admin,
            Caller::User(auth) => Self::User { uid: auth.uid.clone(), token: auth.token.clone() },
            Caller::Anonymous => Self::Anonymous,
        }
    }
}

impl From<&StoredCaller> for Caller {
    fn from(caller: &StoredCaller) -> Self {
        match caller {
            StoredCaller::Admin => Self::Admin,
            StoredCaller::User { uid, token } => Self::User(Auth { uid: uid.clone(), token: token.clone() }),
            StoredCaller::Anonymous => Self::Anonymous,
        }
    }
}

impl Session {
    fn unlimited(&self) -> bool {
        matches!(self.caller, StoredCaller::Admin)
    }
}

/// Resumable uploads.
#[derive(Debug, Clone)]
pub(crate) struct Sessions {
    pub(crate) catalog: Catalog,
    pub(crate) blobs: Blobs,
}

impl Sessions {
    /// Opens a session and returns its id: 128 random bits, the only credential later requests need.
    ///
    /// # Errors
    /// `ResourceExhausted` if the announced bytes are over a limit or too many sessions are open.
    pub(crate) async fn start(&self, session: &Session) -> Result<String> {
        if let Some(declared) = session.declared
            && declared > self.catalog.limits.file_bytes
        {
            return Err(crate::blobs::too_large(self.catalog.limits.file_bytes));
        }
        let id = format!("{:032x}", rand::random::<u128>());
        let path = document(&id)?;
        let _lock = self.catalog.lock(session.owner.as_deref()).await;
        for _ in 0..MAX_ATTEMPTS {
            let mut unit = self.catalog.unit();
            unit.load(&[&path]).await?;
            unit.put(&path, session)?;
            self.catalog
                .charge(&mut unit, session.owner.as_deref(), session.unlimited(), |usage| usage.sessions += 1)
                .await?;
            if unit.commit().await? {
                return Ok(id);
            }
        }
        Err(contention())
    }

    /// All sessions with their ids. They may be changed and removed meanwhile.
    pub(crate) fn all(&self) -> impl Stream<Item = Result<(String, Session)>> + Send {
        let records = self.catalog.records.all(None, UPLOADS, ALL_STEP);
        records.and_then(|(id, record)| async move { Ok((id, from_fields(&record.fields)?)) })
    }

    /// The session.
    ///
    /// # Errors
    /// `NotFound` (`UploadMissing`).
    pub(crate) async fn get(&self, id: &str) -> Result<Session> {
        let path = document(id)?;
        let mut unit = self.catalog.unit();
        self.load(&mut unit, &path).await
    }

    async fn load(&self, unit: &mut Unit<'_>, path: &DocPath) -> Result<Session> {
        unit.load(&[path]).await?;
        unit.get(path)?.ok_or_else(missing)
    }

    /// Appends bytes that start at `offset` of the file (by default, at the end of the received ones). Bytes that are
    /// stored already are skipped, so that a request may be repeated. Returns the number of stored bytes.
    ///
    /// # Errors
    /// `FailedPrecondition` (`UploadNotActive`), `OutOfRange` (`UploadOffset`) for a gap, `ResourceExhausted` over a
    /// limit, `Cancelled` (`BodyBroken`) if the body breaks off; the bytes received are stored even then.
    pub(crate) async fn append(&self, id: &str, offset: Option<u64>, body: ByteStream) -> Result<u64> {
        let session = self.get(id).await?;
        active(&session)?;
        let at = session.received;
        let offset = offset.unwrap_or(at);
        if offset > at {
            return Err(Error::new(
                Code::OutOfRange,
                "UploadOffset",
                format!(
                    "The upload has {at} bytes; bytes from {offset} on would leave a gap. Continue at {at}."
                ),
            ));
        }
        if session.parts.len() >= MAX_PARTS {
            return Err(Error::new(
                Code::ResourceExhausted,
                "UploadParts",
                format!("The upload came in more than {MAX_PARTS} pieces; start again with larger ones."),
            ));
        }
        let limit =
            session.declared.unwrap_or(u64::MAX).min(self.catalog.limits.file_bytes).saturating_sub(at);
        let stamp = self.blobs.stamp();
        let part = Part { key: format!("parts/{id}/{at:016x}-{stamp}"), size: 0 };
        let received = self.blobs.receive(&part.key, without_first(body, at - offset), limit).await?;
        let part = Part { size: received.size, ..part };
        let safe = if part.size == 0 { Ok(at) } else { self.add_part(id, at, &part).await };
        match (safe, received.broken) {
            (Ok(_), Some(broken)) => Err(broken),
            (safe, _) => safe,
        }
    }

    async fn add_part(&self, id: &str, at: u64, part: &Part) -> Result<u64> {
        let outcome = self.commit_part(id, at, part).await;
        // Another request was faster with these bytes, or the part is refused.
        if !matches!(outcome, Ok((_, true))) {
            self.blobs.remove(&part.key).await?;
        }
        outcome.map(|(safe, _)| safe)
    }

    async fn commit_part(&self, id: &str, at: u64, part: &Part) -> Result<(u64, bool)> {
        let path = document(id)?;
        for _ in 0..MAX_ATTEMPTS {
            let mut unit = self.catalog.unit();
            let mut session = self.load(&mut unit, &path).await?;
            active(&session)?;
            if session.received != at {
                return if session.received >= at + part.size {
                    Ok((session.received, false))
                } else {
                    Err(contention())
                };
            }
            session.received += part.size;
            session.parts.push(part.clone());
            session.updated = self.catalog.clock.now().micros();
            let (owner, unlimited) = (session.owner.clone(), session.unlimited());
            unit.put(&path, &session)?;
            self.catalog
                .charge(&mut unit, owner.as_deref(), unlimited, |usage| usage.staged += part.size)
                .await?;
            if unit.commit().await? {
                return Ok((session.received, true));
            }
        }
        Err(contention())
    }

    /// Gives an upload up; doing so again is no error.
    ///
    /// # Errors
    /// `FailedPrecondition` (`UploadNotActive`) when it is finished.
    pub(crate) async fn cancel(&self, id: &str) -> Result<()> {
        if self.get(id).await?.status == Status::Cancelled {
            return Ok(());
        }
        self.end(id, Status::Cancelled, 499).await
    }

    /// Ends an active session without a file, with this HTTP status.
    pub(crate) async fn end(&self, id: &str, status: Status, code: u16) -> Result<()> {
        let path = document(id)?;
        for _ in 0..MAX_ATTEMPTS {
            let mut unit = self.catalog.unit();
            let session = self.load(&mut unit, &path).await?;
            active(&session)?;
            let parts = session.parts.clone();
            self.close(&mut unit, &path, Session { status, code: Some(code), ..session }).await?;
            if unit.commit().await? {
                self.remove_parts(&parts).await;
                return Ok(());
            }
        }
        Err(contention())
    }

    /// Marks a session as ended, in a unit of work that may make its object visible: both happen or neither.
    async fn close(&self, unit: &mut Unit<'_>, path: &DocPath, session: Session) -> Result<()> {
        self.catalog
            .charge(unit, session.owner.as_deref(), true, |usage| {
                usage.staged = usage.staged.saturating_sub(session.received);
                usage.sessions = usage.sessions.saturating_sub(1);
            })
            .await?;
        let updated = self.catalog.clock.now().micros();
        unit.put(path, &Session { parts: Vec::new(), updated, ..session })
    }

    /// Finishes a session with its object, in one commit. If another request finished it first, returns that object.
    pub(crate) async fn finish(&self, id: &str, new: &crate::catalog::NewObject) -> Result<Object> {
        let path = document(id)?;
        let _lock = self.catalog.lock(new.owner.as_deref()).await;
        for _ in 0..MAX_ATTEMPTS {
            let mut unit = self.catalog.unit();
            let session = self.load(&mut unit, &path).await?;
            if let Some(done) = session.result {
                return Ok(done);
            }
            active(&session)?;
            let parts = session.parts.clone();
            // First the staged bytes are given back, then the file is charged: it is not counted twice.
            let closing = Session { status: Status::Final, code: Some(200), ..session };
            self.close(&mut unit, &path, closing.clone()).await?;
            let object = self.catalog.place_in(&mut unit, new).await?;
            let updated = self.catalog.clock.now().micros();
            unit.put(
                &path,
                &Session { parts: Vec::new(), updated, result: Some(object.clone()), ..closing },
            )?;
            if unit.commit().await? {
                self.remove_parts(&parts).await;
                return Ok(object);
            }
        }
        Err(contention())
    }

    /// The bytes of a session, in order.
    pub(crate) fn bytes(&self, session: &Session) -> ByteStream {
        let blobs = self.blobs.clone();
        futures::stream::iter(session.parts.clone())
            .then(move |part| {
                let blobs = blobs.clone();
                async move { blobs.read(&part.key, 0..part.size).await }
            })
            .try_flatten()
            .boxed()
    }

    async fn remove_parts(&self, parts: &[Part]) {
        for part in parts {
            if let Err(error) = self.blobs.remove(&part.key).await {
                tracing::warn!(%error, key = %part.key, "a part of a finished upload could not be removed; the sweep will remove it");
            }
        }
    }
}

/// The error of a session that takes nothing more.
fn active(session: &Session) -> Result<()> {
    match session.status {
        Status::Active => Ok(()),
        status => Err(Error::new(
            Code::FailedPrecondition,
            "UploadNotActive",
            format!("The upload is {} and takes nothing more; start a new one.", status.name()),
        )),
    }
}

pub(crate) fn document(id: &str) -> Result<DocPath> {
    if id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase()) {
        DocPath::parse(&format!("{UPLOADS}/{id}"))
    } else {
        Err(missing())
    }
}

fn missing() -> Error {
    Error::new(Code::NotFound, "UploadMissing", "There is no such upload; start a new one.")
}

/// Passes over the first `count` bytes.
fn without_first(body: ByteStream, count: u64) -> ByteStream {
    let mut left = count;
    body.map_ok(move |mut chunk| {
        let skip = usize::try_from(left).unwrap_or(usize::MAX).min(chunk.len());
        left -= skip as u64;
        chunk.split_off(skip)
    })
    .boxed()
}
