//! Failovers to real standbys: one that has everything, and one that lags behind.

use docstore::engine::shared::{HISTORY_REWRITTEN, Head, Position, SharedLog as _};
use docstore_postgres::PostgresLog;

use crate::server::Server;
use crate::{batch, open, place};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_that_has_everything_goes_on_and_one_that_lags_is_noticed() {
    let Some(mut first) = Server::start(&[], &[]) else { return };
    let name = first.database().await;
    let mut second = first.standby();
    first.run("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'").await;
    first.run("postgres", "SELECT pg_reload_conf()").await;
    let url = Server::url_of_all(&[&first, &second], &name);
    // Of the two, a node finds the one that takes writes.
    let (log, reader) = (open(&url, 1).await, open(&url, 2).await);
    while is(&first, "SELECT count(*) = 0 FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')")
        .await
    {}
    let led = lead(&log).await;
    append(&log, led, 1..=20).await;
    first.stop();
    second.run("postgres", "ALTER SYSTEM RESET synchronous_standby_names").await;
    second.run("postgres", "SELECT pg_promote()").await;
    // Nothing that was acknowledged is lost, and nobody has to begin anew.
    assert_eq!(reader.read(place(7), usize::MAX).await.unwrap().head.position, place(20));
    // The leader goes on in its term, once its connection is made anew.
    log.beat(led.term).await.unwrap();
    append(&log, Head { position: place(20), ..led }, 21..=21).await;
    let mut news = reader.news();
    news.wait_for(|known| *known == place(21)).await.unwrap();

    let third = second.standby();
    let url = Server::url_of_all(&[&second, &third], &name);
    let (log, reader) = (open(&url, 3).await, open(&url, 4).await);
    let led = lead(&log).await;
    append(&log, led, 30..=32).await;
    while !is_at(&third, &name, 32).await {}
    // From here on it receives nothing.
    third.run("postgres", "ALTER SYSTEM SET primary_conninfo = ''").await;
    third.run("postgres", "SELECT pg_reload_conf()").await;
    while is(&third, "SELECT count(*) > 0 FROM pg_stat_wal_receiver").await {}
    append(&log, Head { position: place(32), ..led }, 33..=35).await;
    assert_eq!(reader.read(place(32), usize::MAX).await.unwrap().batches.len(), 3);
    second.stop();
    third.run("postgres", "SELECT pg_promote()").await;
    let taken = lead(&reader).await;
    assert_eq!(taken.position, place(32));
    append(&reader, taken, 40..=41).await;
    for after in [33, 35] {
        assert_eq!(log.read(place(after), usize::MAX).await.unwrap_err().tag(), HISTORY_REWRITTEN);
    }
    assert_eq!(log.beat(led.term).await.unwrap_err().tag(), "Fenced");
    assert_eq!(log.append(led.term, batch(place(35), 36)).await.unwrap_err().tag(), "Fenced");
    assert_eq!(log.read(place(32), usize::MAX).await.unwrap().batches.len(), 2);
}

async fn lead(log: &PostgresLog) -> Head {
    log.take_over(&log.head().await.unwrap()).await.unwrap()
}

async fn append(log: &PostgresLog, head: Head, numbers: std::ops::RangeInclusive<u64>) -> Position {
    let mut prev = head.position;
    for number in numbers {
        log.append(head.term, batch(prev, number)).await.unwrap();
        prev = place(number);
    }
    prev
}

/// The answer of a server to a question that is true or false.
async fn is(server: &Server, question: &str) -> bool {
    server.client("postgres").await.query_one(question, &[]).await.unwrap().get(0)
}

/// True if a standby has everything up to a batch.
async fn is_at(standby: &Server, database: &str, number: i64) -> bool {
    let question = "SELECT coalesce(max(ts), 0) >= $1 FROM tuckbox.log";
    standby.client(database).await.query_one(question, &[&number]).await.unwrap().get(0)
}
