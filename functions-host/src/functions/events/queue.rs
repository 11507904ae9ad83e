//! The durable queue: deliveries, the change feed's cursor and the dead letters, as documents of a reserved database.
//!
//! ```text
//! queue/{number}          a delivery's head, and its body unless that is large
//! parts/{number}-{nth}    part of a large body
//! claims/{claim}          the queued delivery that holds a unique name
//! deadLetters/{number}    a delivery that was given up, with the reason
//! state/cursor            position of the change feed in the log
//! ```
//! Numbers rise in commit order, so a reader that continues after the last number it saw misses nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use docstore::clock::SharedClock;
use docstore::model::{
    Cursor, Direction, DocPath, Document, FieldPath, Fields, Order, Precondition, Query, Source, Ts, Value,
    Write, WriteOp,
};
use docstore::{Code, Database, Draft, Result};
use futures::future::BoxFuture;
use tokio::sync::{Mutex, Notify};

use super::delivery::{Delivery, Head, read_time, time};
use crate::host::metrics::EventNumbers;

/// The reserved database's id.
pub(crate) const DATABASE: &str = "__events__";
/// Largest body stored in its delivery's own document, in bytes.
const INLINE_BYTES: usize = 64 << 10;
/// The size of a part of a large body, in bytes.
const PART_BYTES: usize = 900 << 10;
/// Most bytes in one commit, approximately.
const COMMIT_BYTES: usize = 4 << 20;
/// Most deliveries in one commit.
const COMMIT_DELIVERIES: usize = 500;
/// Heads read per page.
pub(super) const PAGE: u32 = 200;
/// Dead letters kept; past this the oldest is deleted.
pub(super) const MAX_DEAD_LETTERS: usize = 1_000;

/// The queue of a project.
#[derive(Debug)]
pub(crate) struct Queue {
    database: Database,
    clock: SharedClock,
    /// The next number. Held while a push commits, so that numbers become visible in order.
    next: Mutex<u64>,
    changed: Notify,
    dead: AtomicUsize,
    numbers: EventNumbers,
}

/// A delivery that was given up.
#[derive(Debug)]
pub(crate) struct DeadLetter {
    pub(crate) id: String,
    /// The delivery; `None` where changes were lost before they became deliveries.
    pub(crate) head: Option<Head>,
    pub(crate) error: String,
    pub(crate) died: Ts,
    pub(crate) body: Option<Bytes>,
}

impl Queue {
    /// Opens the queue in its database.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn open(
        database: Database,
        clock: SharedClock,
        numbers: EventNumbers,
    ) -> Result<Arc<Self>> {
        let mut newest = 0;
        for collection in ["queue", "deadLetters"] {
            let last = list(&database, collection, None, Direction::Descending, 1).await?;
            newest = newest.max(last.first().and_then(number).unwrap_or_default());
        }
        let dead = list(&database, "deadLetters", None, Direction::Ascending, u32::MAX).await?.len();
        numbers.dead_letters(dead);
        let next = Mutex::new(newest + 1);
        Ok(Arc::new(Self { database, clock, next, changed: Notify::new(), dead: dead.into(), numbers }))
    }

    /// The current time.
    pub(crate) fn now(&self) -> Ts {
        self.clock.now()
    }

    /// Completes when the clock is set after this call.
    pub(crate) fn clock_set(&self) -> BoxFuture<'static, ()> {
        self.clock.set_by_hand()
    }

    /// The metrics.
    pub(crate) const fn numbers(&self) -> &EventNumbers {
        &self.numbers
    }

    /// Completes after the next push.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Reserves `count` unique numbers for names. Returns the first of them.
    pub(crate) async fn reserve(&self, count: usize) -> u64 {
        let mut next = self.next.lock().await;
        let first = (*next).max(self.clock.now().micros());
        *next = first + u64::try_from(count).unwrap_or(u64::MAX);
        first
    }

    /// Queues deliveries in order, and makes the writes `also` together with the last of them. All of it is durable on
    /// return. Returns the number of the first; the others follow it. A crash in between may leave the first few queued
    /// without `also`.
    ///
    /// # Errors
    /// The store refuses; `AlreadyExists` if a delivery's claim is taken.
    pub(crate) async fn push(&self, deliveries: Vec<Delivery>, also: Vec<Write>) -> Result<u64> {
        let count = deliveries.len();
        let first = {
            let mut next = self.next.lock().await;
            *next = (*next).max(self.clock.now().micros());
            let first = *next;
            let (mut writes, mut weight, mut held) = (Vec::new(), 0, 0);
            for Delivery { head, body } in deliveries {
                let bytes = body.len() + 512;
                if held > 0 && (weight + bytes > COMMIT_BYTES || held == COMMIT_DELIVERIES) {
                    self.database.commit(Draft::of(std::mem::take(&mut writes))).await?;
                    (weight, held) = (0, 0);
                }
                writes.append(&mut self.writes(*next, &head, &body).await?);
                *next += 1;
                weight += bytes;
                held += 1;
            }
            writes.extend(also);
            if !writes.is_empty() {
                self.database.commit(Draft::of(writes)).await?;
            }
            first
        };
        self.numbers.queued(count);
        // Stores a permit if nobody is waiting.
        self.changed.notify_one();
        Ok(first)
    }

    /// The writes of one delivery. The parts of a very large body are written immediately.
    async fn writes(&self, number: u64, head: &Head, body: &Bytes) -> Result<Vec<Write>> {
        let mut fields = head.fields();
        let mut claims = Vec::new();
        if let Some(claim) = &head.claim {
            let held = i64::try_from(number).unwrap_or(i64::MAX);
            let mut write =
                Write::set(claim_path(claim)?, Fields::from([("number".to_owned(), Value::Integer(held))]));
            write.precondition = Precondition::Exists(false);
            claims.push(write);
        }
        if body.len() <= INLINE_BYTES {
            fields.insert("body".to_owned(), Value::Bytes(body.clone()));
            claims.push(Write::set(queue_path(number)?, fields));
            return Ok(claims);
        }
        let mut writes = Vec::new();
        for (nth, start) in (0..body.len()).step_by(PART_BYTES).enumerate() {
            let part = body.slice(start..(start + PART_BYTES).min(body.len()));
            writes.push(Write::set(
                part_path(number, nth)?,
                Fields::from([("body".to_owned(), Value::Bytes(part))]),
            ));
        }
        fields.insert("parts".to_owned(), Value::Integer(i64::try_from(writes.len()).unwrap_or(i64::MAX)));
        if body.len() > COMMIT_BYTES {
            for write in writes.drain(..) {
                self.database.commit(Draft::of(vec![write])).await?;
            }
        }
        writes.append(&mut claims);
        writes.push(Write::set(queue_path(number)?, fields));
        Ok(writes)
    }

    /// The next deliveries after `after`, in order.
    ///
    /// # Errors
    /// The store cannot be read. A delivery that cannot be decoded is buried, not returned.
    pub(super) async fn page(&self, after: u64) -> Result<Vec<(u64, Head)>> {
        let mut heads = Vec::new();
        let mut after = after;
        loop {
            let found =
                list(&self.database, "queue", Some(queue_path(after)?), Direction::Ascending, PAGE).await?;
            let Some(last) = found.last().and_then(number) else { return Ok(heads) };
            for document in &found {
                let Some(number) = number(document) else { continue };
                match Head::read(document) {
                    Ok(head) => heads.push((number, head)),
                    Err(error) => self.bury(number, error.message()).await?,
                }
            }
            if !heads.is_empty() {
                return Ok(heads);
            }
            after = last;
        }
    }

    /// A delivery; `None` if it is no longer queued.
    ///
    /// # Errors
    /// The store cannot be read, or a part is missing.
    pub(crate) async fn get(&self, number: u64) -> Result<Option<Delivery>> {
        let path = queue_path(number)?;
        let Some(document) = self.one(path).await? else { return Ok(None) };
        let body = self.body(number, &document).await?;
        Ok(Some(Delivery { head: Head::read(&document)?, body }))
    }

    async fn one(&self, path: DocPath) -> Result<Option<Document>> {
        Ok(self.database.get(&[path], None).await?.value.into_iter().flatten().next())
    }

    async fn body(&self, number: u64, document: &Document) -> Result<Bytes> {
        if let Some(Value::Bytes(body)) = document.fields.get("body") {
            return Ok(body.clone());
        }
        let paths = parts(number, document)?;
        let mut body = Vec::new();
        for part in self.database.get(&paths, None).await?.value {
            match part.as_ref().and_then(|part| part.fields.get("body")) {
                Some(Value::Bytes(bytes)) => body.extend_from_slice(bytes),
                _ => {
                    let message = format!("a part of the queued delivery {} is missing", document.path);
                    return Err(docstore::Error::new(Code::DataLoss, "DeliveryDamaged", message));
                }
            }
        }
        Ok(body.into())
    }

    /// Removes a delivery; a missing one is no error.
    ///
    /// # Errors
    /// The store refuses.
    pub(crate) async fn remove(&self, number: u64) -> Result<()> {
        let path = queue_path(number)?;
        let Some(document) = self.one(path.clone()).await? else { return Ok(()) };
        let parts = parts(number, &document)?.into_iter().map(Write::delete);
        let claim = claim(&document)?.map(Write::delete);
        self.database
            .commit(Draft::of(parts.chain([Write::delete(path)]).chain(claim).collect()))
            .await
            .map(drop)
    }

    /// The queued delivery that holds a claim.
    ///
    /// # Errors
    /// The store cannot be read, or the claim is no valid document id.
    pub(crate) async fn claimed(&self, claim: &str) -> Result<Option<u64>> {
        let document = self.one(claim_path(claim)?).await?;
        Ok(document.and_then(|document| match document.fields.get("number") {
            Some(Value::Integer(number)) => u64::try_from(*number).ok(),
            _ => None,
        }))
    }

    /// Records a failed attempt and the time of the next.
    ///
    /// # Errors
    /// The store refuses; `NotFound` if the delivery was removed meanwhile.
    pub(super) async fn again(&self, number: u64, failures: u32, due: Ts) -> Result<()> {
        let fields = Fields::from([
            ("failures".to_owned(), Value::Integer(failures.into())),
            ("due".to_owned(), time(due)),
        ]);
        let mask = vec![FieldPath::parse("failures")?, FieldPath::parse("due")?];
        let op = WriteOp::Update { fields, mask, transforms: Vec::new() };
        let write = Write { path: queue_path(number)?, op, precondition: Precondition::Exists(true) };
        self.database.commit(Draft::of(vec![write])).await.map(drop)
    }

    /// Moves a delivery to the dead letters.
    ///
    /// # Errors
    /// The store refuses.
    pub(super) async fn bury(&self, number: u64, why: &str) -> Result<()> {
        let path = queue_path(number)?;
        let Some(document) = self.one(path.clone()).await? else { return Ok(()) };
        let claim = claim(&document)?.map(Write::delete);
        let mut fields = document.fields;
        fields.insert("error".to_owned(), Value::String(why.to_owned()));
        fields.insert("died".to_owned(), time(self.clock.now()));
        let moved = [Write::delete(path), Write::set(dead_path(number)?, fields)];
        self.database.commit(Draft::of(moved.into_iter().chain(claim).collect())).await?;
        self.one_more_dead().await
    }

    /// Records as a dead letter that changes were lost before they became deliveries.
    ///
    /// # Errors
    /// The store refuses.
    pub(super) async fn bury_gap(&self, why: &str) -> Result<()> {
        let number = self.reserve(1).await;
        let fields = Fields::from([
            ("error".to_owned(), Value::String(why.to_owned())),
            ("died".to_owned(), time(self.clock.now())),
        ]);
        self.database.commit(Draft::of(vec![Write::set(dead_path(number)?, fields)])).await?;
        self.one_more_dead().await
    }

    async fn one_more_dead(&self) -> Result<()> {
        let dead = self.dead.fetch_add(1, Ordering::AcqRel) + 1;
        self.numbers.died();
        if dead > MAX_DEAD_LETTERS {
            let oldest = list(&self.database, "deadLetters", None, Direction::Ascending, 1).await?;
            for document in oldest {
                self.delete_dead(&document).await?;
            }
        }
        self.numbers.dead_letters(self.dead.load(Ordering::Acquire));
        Ok(())
    }

    async fn delete_dead(&self, document: &Document) -> Result<()> {
        let parts = parts(number(document).unwrap_or_default(), document)?.into_iter().map(Write::delete);
        let writes = parts.chain([Write::delete(document.path.clone())]).collect();
        self.database.commit(Draft::of(writes)).await?;
        self.dead.fetch_sub(1, Ordering::AcqRel);
        Ok(())
    }

    /// The dead letters, newest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn dead_letters(&self) -> Result<Vec<DeadLetter>> {
        let found = list(&self.database, "deadLetters", None, Direction::Descending, u32::MAX).await?;
        let mut letters = Vec::with_capacity(found.len());
        for document in found {
            letters.push(DeadLetter {
                id: document.path.id().to_owned(),
                head: Head::read(&document).ok(),
                error: match document.fields.get("error") {
                    Some(Value::String(error)) => error.clone(),
                    _ => String::new(),
                },
                died: document.fields.get("died").and_then(read_time).unwrap_or_default(),
                body: match document.fields.get("body") {
                    Some(Value::Bytes(body)) => Some(body.clone()),
                    _ => None,
                },
            });
        }
        Ok(letters)
    }

    /// Deletes all dead letters.
    ///
    /// # Errors
    /// The store refuses.
    pub(crate) async fn clear_dead_letters(&self) -> Result<()> {
        for document in list(&self.database, "deadLetters", None, Direction::Ascending, u32::MAX).await? {
            self.delete_dead(&document).await?;
        }
        self.numbers.dead_letters(self.dead.load(Ordering::Acquire));
        Ok(())
    }

    /// Position of the change feed in the log; `None` before the first run.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(super) async fn cursor(&self) -> Result<Option<Ts>> {
        let document = self.one(cursor_path()?).await?;
        Ok(document.as_ref().and_then(|document| document.fields.get("after")).and_then(read_time))
    }

    /// The write that moves the cursor.
    ///
    /// # Errors
    /// None; the path is well-formed.
    pub(super) fn move_cursor(after: Ts) -> Result<Write> {
        Ok(Write::set(cursor_path()?, Fields::from([("after".to_owned(), time(after))])))
    }
}

fn queue_path(number: u64) -> Result<DocPath> {
    DocPath::parse(&format!("queue/{number:020}"))
}

fn dead_path(number: u64) -> Result<DocPath> {
    DocPath::parse(&format!("deadLetters/{number:020}"))
}

fn claim_path(claim: &str) -> Result<DocPath> {
    DocPath::parse(&format!("claims/{claim}"))
}

fn claim(document: &Document) -> Result<Option<DocPath>> {
    match document.fields.get("claim") {
        Some(Value::String(claim)) => claim_path(claim).map(Some),
        _ => Ok(None),
    }
}

fn part_path(number: u64, nth: usize) -> Result<DocPath> {
    DocPath::parse(&format!("parts/{number:020}-{nth:04}"))
}

fn cursor_path() -> Result<DocPath> {
    DocPath::parse("state/cursor")
}

fn parts(number: u64, document: &Document) -> Result<Vec<DocPath>> {
    let count = match document.fields.get("parts") {
        Some(Value::Integer(count)) => usize::try_from(*count).unwrap_or_default(),
        _ => 0,
    };
    (0..count).map(|nth| part_path(number, nth)).collect()
}

fn number(document: &Document) -> Option<u64> {
    document.path.id().parse().ok()
}

/// Documents of a collection in name order, starting after `after`.
async fn list(
    database: &Database,
    collection: &str,
    after: Option<DocPath>,
    direction: Direction,
    limit: u32,
) -> Result<Vec<Document>> {
    let query = Query {
        order_by: vec![Order { field: FieldPath::document_name(), direction }],
        start: after.map(|path| Cursor::after_name(database.id(), path)),
        limit: Some(limit),
        ..Query::all(None, Source { collection: Some(collection.to_owned()), all_descendants: false })
    };
    Ok(database.run(&query, None).await?.documents)
}
