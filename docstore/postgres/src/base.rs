//! The base: documents in their newest version, behind the log.

use docstore::engine::Stored;
use docstore::engine::shared::{
    BASE_PART_BYTES, Base, BaseDocument, Fold, Folded, Position, base_moved, outcome_unknown,
};
use docstore::{Error, Result};
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use tokio_postgres::binary_copy::{BinaryCopyOutRow, BinaryCopyOutStream};
use tokio_postgres::types::Type;

use crate::session::{Purpose, Session};
use crate::{Link, damaged, failure, rows, slot};

/// Most documents of one statement, and most bytes of them.
const FOLD_DOCUMENTS: usize = 5_000;
const FOLD_BYTES: usize = 8 << 20;

const PLACE: &str = "SELECT ts, batch FROM tuckbox.fold WHERE shard = 0";
const DOCUMENTS: &str =
    "COPY (SELECT key, ts, value FROM tuckbox.docs WHERE shard = 0) TO STDOUT (FORMAT binary)";
const SET: &str = "
INSERT INTO tuckbox.docs (shard, key, ts, value)
SELECT 0, key, ts, value FROM unnest($1::bytea[], $2::int8[], $3::bytea[]) AS new (key, ts, value)
ON CONFLICT (shard, key) DO UPDATE SET ts = excluded.ts, value = excluded.value";
const REMOVE: &str = "DELETE FROM tuckbox.docs WHERE shard = 0 AND key = ANY($1::bytea[])";
const MOVE: &str = "
UPDATE tuckbox.fold SET ts = $1, batch = $2 WHERE shard = 0 AND ts = $3 AND batch = $4
AND EXISTS (SELECT FROM tuckbox.log WHERE shard = 0 AND ts = $1 AND batch = $2)";

/// Removes the oldest batches up to $1, $2 at most, and only what is folded.
pub(crate) const TRIM: &str = "
DELETE FROM tuckbox.log WHERE shard = 0 AND ts IN (
    SELECT l.ts FROM tuckbox.log l WHERE l.shard = 0 AND l.ts <= $1
    AND l.ts <= (SELECT f.ts FROM tuckbox.fold f WHERE f.shard = 0) ORDER BY l.ts LIMIT $2
)";

/// All documents, in a snapshot of their own on a connection of their own, which ends with the stream.
pub(crate) async fn read(link: &Link) -> Result<Base> {
    let session = slot::connect(link, Purpose::Base).await?;
    let opened = async {
        session.batch_execute("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY").await?;
        let place = session.query_one(PLACE, &[]).await?;
        Ok((place, session.copy_out(DOCUMENTS).await?))
    };
    let (place, copied) = opened.await.map_err(|error| failure::of(&link.address, error))?;
    let at = rows::position(&place)?;
    let rows = BinaryCopyOutStream::new(copied, &[Type::BYTEA, Type::INT8, Type::BYTEA]);
    let address = link.address.clone();
    let rows = rows.map(move |row| match row {
        Ok(row) => document(&row),
        Err(error) => Err(failure::of(&address, error)),
    });
    // The last part ends with the rows' end, and the part after it looks once more.
    let rows = rows.fuse();
    let parts = stream::try_unfold((session, Box::pin(rows)), async |(session, mut rows)| {
        let (mut part, mut bytes) = (Vec::new(), 0);
        while bytes < BASE_PART_BYTES
            && let Some(document) = rows.try_next().await?
        {
            bytes += document.key.len() + document.value.len();
            part.push(document);
        }
        Ok::<_, Error>((!part.is_empty()).then_some((part, (session, rows))))
    });
    Ok(Base { at, documents: parts.boxed() })
}

fn document(row: &BinaryCopyOutRow) -> Result<BaseDocument> {
    let broken = |error: tokio_postgres::Error| damaged("a document").with_source(error);
    let (key, ts): (&[u8], i64) = (row.try_get(0).map_err(broken)?, row.try_get(1).map_err(broken)?);
    let value: &[u8] = row.try_get(2).map_err(broken)?;
    Ok(BaseDocument { key: key.to_vec(), ts: rows::time(ts)?, value: Stored::from(value) })
}

/// Moves the base, in one transaction on a connection of its own.
pub(crate) async fn fold(link: &Link, fold: Fold) -> Result<()> {
    let session = slot::connect(link, Purpose::Base).await?;
    let failed = |error| failure::of(&link.address, error);
    let Fold { from, to, documents } = fold;
    session.batch_execute("BEGIN").await.map_err(failed)?;
    // The row of the place first: another fold waits here, and then finds that the base has moved.
    if !move_place(&session, from, to).await?.map_err(failed)? {
        return Err(base_moved());
    }
    let mut rest = &documents[..];
    while !rest.is_empty() {
        let (mut bytes, mut count) = (0, 0);
        while count < rest.len().min(FOLD_DOCUMENTS) && bytes < FOLD_BYTES {
            bytes += rest[count].key.len() + rest[count].value.as_ref().map_or(0, |value| value.len());
            count += 1;
        }
        let (now, later) = rest.split_at(count);
        write(&session, now).await?.map_err(failed)?;
        rest = later;
    }
    match session.batch_execute("COMMIT").await {
        Ok(()) => Ok(()),
        Err(error) if failure::is_refusal(&error) => Err(failed(error)),
        Err(error) => Err(outcome_unknown().with_source(error)),
    }
}

/// True if the base was at `from` and the log has `to`.
async fn move_place(
    session: &Session,
    from: Position,
    to: Position,
) -> Result<Result<bool, tokio_postgres::Error>> {
    let (to_ts, to_batch) = (rows::micros(to.ts)?, rows::uuid(to.batch.0));
    let (from_ts, from_batch) = (rows::micros(from.ts)?, rows::uuid(from.batch.0));
    let moved = session.execute(MOVE, &[&to_ts, &to_batch, &from_ts, &from_batch]).await;
    Ok(moved.map(|moved| moved == 1))
}

async fn write(session: &Session, documents: &[Folded]) -> Result<Result<(), tokio_postgres::Error>> {
    let (mut keys, mut times, mut values, mut removed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for Folded { key, ts, value } in documents {
        match value {
            Some(value) => {
                keys.push(&key[..]);
                times.push(rows::micros(*ts)?);
                values.push(&value[..]);
            }
            None => removed.push(&key[..]),
        }
    }
    let written = async {
        session.execute(SET, &[&keys, &times, &values]).await?;
        session.execute(REMOVE, &[&removed]).await?;
        Ok(())
    };
    Ok(written.await)
}
