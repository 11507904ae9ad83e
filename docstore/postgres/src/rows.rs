//! Rows as the log's types, and back.

use bytes::Bytes;
use docstore::Result;
use docstore::engine::Term;
use docstore::engine::shared::{BatchId, ClusterId, Head, LogBatch, NodeId, Position, Slice};
use docstore::model::Ts;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::damaged;

/// Columns of the head and of the base's place, in the order of [`head`]. `h` is the head's row, `f` the base's.
pub(crate) const HEAD_COLUMNS: &str = "h.cluster, h.term, h.leader, h.ts, h.batch, h.beat, f.ts, f.batch";
/// Their number.
const HEAD: usize = 8;

/// A time as PostgreSQL has it, in microseconds.
pub(crate) fn micros(ts: Ts) -> Result<i64> {
    i64::try_from(ts.micros()).map_err(|_| damaged("a time"))
}

/// A time from PostgreSQL.
pub(crate) fn time(micros: i64) -> Result<Ts> {
    u64::try_from(micros).map(Ts::from_micros).map_err(|_| damaged("a time"))
}

/// A term as PostgreSQL has it.
pub(crate) fn term(term: Term) -> Result<i64> {
    i64::try_from(term.0).map_err(|_| damaged("a term"))
}

fn count(row: &Row, column: usize) -> Result<u64> {
    let number: i64 = get(row, column)?;
    u64::try_from(number).map_err(|_| damaged("a number"))
}

fn get<'a, T: tokio_postgres::types::FromSql<'a>>(row: &'a Row, column: usize) -> Result<T> {
    row.try_get(column).map_err(|error| damaged("a column").with_source(error))
}

fn place(row: &Row, column: usize) -> Result<Position> {
    let batch: Uuid = get(row, column + 1)?;
    Ok(Position { ts: time(get(row, column)?)?, batch: BatchId(batch.as_u128()) })
}

/// A place in two columns.
pub(crate) fn position(row: &Row) -> Result<Position> {
    place(row, 0)
}

/// The head in the first columns of a row.
pub(crate) fn head(row: &Row) -> Result<Head> {
    let (cluster, leader): (Uuid, Uuid) = (get(row, 0)?, get(row, 2)?);
    Ok(Head {
        cluster: ClusterId(cluster.as_u128()),
        term: Term(count(row, 1)?),
        leader: NodeId(leader.as_u128()),
        position: place(row, 3)?,
        beat: count(row, 5)?,
        folded: place(row, 6)?,
    })
}

/// The rows of a read: the head in each, then a batch, and whether the rows end before the log does.
pub(crate) fn slice(rows: &[Row]) -> Result<(Slice, bool)> {
    let first = rows.first().ok_or_else(|| damaged("no head"))?;
    let head = head(first)?;
    let mut batches = Vec::with_capacity(rows.len());
    let mut more = false;
    for row in rows {
        // Without a batch, the join leaves these empty.
        let Some(ts) = get::<Option<i64>>(row, HEAD)? else { break };
        let payload: Option<&[u8]> = get(row, HEAD + 5)?;
        // A row beyond the limit has no payload: it only shows that there is more.
        let Some(payload) = payload else {
            more = true;
            break;
        };
        let batch: Uuid = get(row, HEAD + 1)?;
        batches.push(LogBatch {
            position: Position { ts: time(ts)?, batch: BatchId(batch.as_u128()) },
            prev: place(row, HEAD + 2)?,
            term: Term(count(row, HEAD + 4)?),
            payload: Bytes::copy_from_slice(payload),
        });
    }
    Ok((Slice { head, batches }, !more))
}

/// An id as PostgreSQL has it.
pub(crate) const fn uuid(id: u128) -> Uuid {
    Uuid::from_u128(id)
}

/// The notification of a batch: time, and id in hexadecimal digits.
pub(crate) fn note(position: Position) -> String {
    format!("{} {:x}", position.ts, position.batch.0)
}

/// Reads a notification; `None` for one of somebody else.
pub(crate) fn parse_note(note: &str) -> Option<Position> {
    let (ts, batch) = note.split_once(' ')?;
    let batch = BatchId(u128::from_str_radix(batch, 16).ok()?);
    Some(Position { ts: Ts::from_micros(ts.parse().ok()?), batch })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_back_and_others_are_not() {
        for position in [
            Position::default(),
            Position { ts: Ts::from_micros(7), batch: BatchId(u128::MAX) },
            Position { ts: Ts::MAX, batch: BatchId(1) },
        ] {
            assert_eq!(parse_note(&note(position)), Some(position));
        }
        for other in ["", "7", "x 1", "7 x", "7 1 1"] {
            assert_eq!(parse_note(other), None);
        }
    }
}
