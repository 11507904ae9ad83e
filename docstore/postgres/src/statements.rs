//! Statements that are prepared on each connection.

use tokio_postgres::{Client, Error, Statement};

use crate::rows;

/// Adds a batch if the head is at its predecessor, in one statement: its result is one row or none.
const APPEND: &str = "
WITH h AS (
    UPDATE tuckbox.head SET ts = $1, batch = $2, beat = beat + 1
    WHERE shard = 0 AND term = $3 AND leader = $4 AND ts = $5 AND batch = $6 RETURNING shard
), n AS (SELECT pg_notify('tuckbox', $7) FROM h)
INSERT INTO tuckbox.log (shard, ts, prev, prev_batch, term, batch, payload)
SELECT h.shard, $1, $5, $6, $3, $2, $8 FROM h, n";

const BEAT: &str = "UPDATE tuckbox.head SET beat = beat + 1 WHERE shard = 0 AND term = $1 AND leader = $2";

const TAKE_OVER: &str = "
UPDATE tuckbox.head h SET term = h.term + 1, leader = $1, beat = h.beat + 1 FROM tuckbox.fold f
WHERE h.shard = 0 AND f.shard = 0 AND h.term = $2 AND h.leader = $3 AND h.ts = $4 AND h.batch = $5 AND h.beat = $6
RETURNING h.cluster, h.term, h.leader, h.ts, h.batch, h.beat, f.ts, f.batch";

/// Prepared statements.
pub(crate) struct Statements {
    pub(crate) head: Statement,
    pub(crate) read: Statement,
    pub(crate) append: Statement,
    pub(crate) beat: Statement,
    pub(crate) take_over: Statement,
}

impl Statements {
    pub(crate) async fn prepare(client: &Client) -> Result<Self, Error> {
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
            client.prepare(APPEND),
            client.prepare(BEAT),
            client.prepare(TAKE_OVER),
        )?;
        Ok(Self { head, read, append, beat, take_over })
    }
}
