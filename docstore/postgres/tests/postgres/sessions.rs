//! Sessions that break, and sessions that are in the way.

use docstore::engine::shared::{OUTCOME_UNKNOWN, SharedLog as _, Unsettled, settle};
use docstore::{Code, Error};

use crate::server::Server;
use crate::{batch, open, place};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_break_and_are_in_the_way() {
    let Some(server) = Server::start(&[], &[]) else { return };
    whoever_locks_the_head_is_ended_by_the_next_leader(&server).await;
    a_connection_that_breaks_during_an_append_leaves_it_unknown(&server).await;
}

async fn whoever_locks_the_head_is_ended_by_the_next_leader(server: &Server) {
    let name = server.database().await;
    let (old, new) = (open(&server.url(&name), 1).await, open(&server.url(&name), 2).await);
    let led = old.take_over(&old.head().await.unwrap()).await.unwrap();
    let locker = server.client(&name).await;
    locker.batch_execute("BEGIN; UPDATE tuckbox.head SET beat = beat").await.unwrap();
    // The old leader's append waits behind the lock; what it will find is another term.
    let append = old.append(led.term, batch(led.position, 10));
    let take_over = async {
        let seen = new.head().await.unwrap();
        new.take_over(&seen).await
    };
    let (appended, taken) = tokio::join!(append, take_over);
    let locked = locker.batch_execute("COMMIT").await.unwrap_err();
    assert!(locked.is_closed() || locked.code().is_some(), "{locked}");
    match (appended, taken) {
        // The append waited longer, so it came first.
        (Ok(()), taken) => {
            assert_eq!(taken.unwrap_err().tag(), "HeadMoved");
            assert_eq!(new.head().await.unwrap().position, place(10));
        }
        (Err(error), taken) => {
            assert_eq!((error.tag(), taken.unwrap().term.0), ("Fenced", led.term.0 + 1));
        }
    }
}

async fn a_connection_that_breaks_during_an_append_leaves_it_unknown(server: &Server) {
    let name = server.database().await;
    let log = open(&server.url(&name), 1).await;
    let mut led = log.take_over(&log.head().await.unwrap()).await.unwrap();
    // Held up before it is stored, then its session is ended: not stored. Ended while a standby is waited for: stored.
    for (number, expected) in [(10, false), (20, true)] {
        let unknown = batch(led.position, number);
        let error = broken_append(server, &name, &log, led.term, unknown.clone(), expected).await;
        assert_eq!((error.code(), error.tag()), (Code::Unknown, OUTCOME_UNKNOWN), "{error}");
        let settled = settle(&log, Unsettled::of(led.term, &unknown)).await.unwrap();
        assert_eq!(settled.stored, expected);
        assert_eq!(settled.head.position, if expected { unknown.position } else { unknown.prev });
        led = settled.head;
    }
    // A refusal by PostgreSQL itself is certain.
    server.run(&name, "ALTER TABLE tuckbox.log ADD CONSTRAINT small CHECK (octet_length(payload) < 3)").await;
    let refused = log.append(led.term, batch(led.position, 100)).await.unwrap_err();
    assert_eq!((refused.code(), refused.tag()), (Code::Internal, "DatabaseError"));
    log.append(led.term, batch(led.position, 30)).await.unwrap();
}

/// Appends, and ends the session when it waits: for a lock, or for a standby that does not exist.
async fn broken_append(
    server: &Server,
    name: &str,
    log: &docstore_postgres::PostgresLog,
    term: docstore::engine::Term,
    batch: docstore::engine::shared::NewBatch,
    stored: bool,
) -> Error {
    let client = server.client(name).await;
    let standbys = |names: &str| {
        [
            format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'"),
            "SELECT pg_reload_conf()".to_owned(),
        ]
    };
    if stored {
        for statement in standbys("nobody") {
            client.batch_execute(&statement).await.unwrap();
        }
        // The backends have heard of it when a new one has.
        while server
            .client(name)
            .await
            .query_one("SHOW synchronous_standby_names", &[])
            .await
            .unwrap()
            .get::<_, &str>(0)
            != "nobody"
        {}
    } else {
        client.batch_execute("BEGIN; LOCK TABLE tuckbox.log").await.unwrap();
    }
    let end = async {
        let watcher = server.client("postgres").await;
        let waits = if stored { "wait_event = 'SyncRep'" } else { "wait_event_type = 'Lock'" };
        let end = format!(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
             WHERE application_name = 'tuckbox writes' AND datname = '{name}' AND {waits}"
        );
        while watcher.query(&end, &[]).await.unwrap().is_empty() {}
        if stored {
            for statement in standbys("") {
                watcher.batch_execute(&statement).await.unwrap();
            }
        } else {
            client.batch_execute("ROLLBACK").await.unwrap();
        }
    };
    let (appended, ()) = tokio::join!(log.append(term, batch), end);
    appended.unwrap_err()
}
