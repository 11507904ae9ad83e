//! Databases that cannot be used: each is refused with what is wrong and what to do, and nothing in it is touched.

use std::sync::Arc;

use docstore::clock::{Clock as _, ManualClock, SystemClock};
use docstore::engine::shared::{CLOCK_OFF, ClusterId, SharedLog as _};
use docstore::model::Ts;
use docstore::{Code, Error};
use docstore_postgres::{FORMAT, PostgresLog, PostgresOptions};

use crate::server::{Server, USER};
use crate::{batch, of_cluster, open, options, place};

/// The refusal of an address.
async fn refusal(url: &str) -> Error {
    PostgresLog::open(options(url, 1)).await.unwrap_err()
}

#[track_caller]
fn assert_refused(error: &Error, code: Code, tag: &str, parts: &[&str]) {
    assert_eq!((error.code(), error.tag()), (code, tag), "{error}");
    for part in parts {
        assert!(error.message().contains(part), "{part:?} is not in {:?}", error.message());
    }
    assert!(!error.message().contains("right"), "no message shows a password");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_used_is_refused_with_the_reason() {
    let Some(mut server) = Server::start(&[], &[]) else { return };
    databases_of_others_are_left_alone(&server).await;
    formats_clocks_and_read_only_databases_are_noticed(&server).await;
    what_is_wrong_with_a_login_is_said(&mut server).await;
}

/// Stops the server in the end.
async fn what_is_wrong_with_a_login_is_said(server: &mut Server) {
    let unmet = Code::FailedPrecondition;
    let name = server.database().await;
    let error = refusal(&server.url_of(USER, "wrong", &name)).await;
    assert_refused(&error, unmet, "DatabaseLogin", &[&name, "password authentication failed", "pg_hba.conf"]);
    let no_password = server.url(&name).replace("&password=right", "");
    assert_refused(&refusal(&no_password).await, unmet, "DatabaseLogin", &["password", "address"]);
    let error = refusal(&server.url("nowhere")).await;
    assert_refused(&error, unmet, "NoSuchDatabase", &["nowhere", "createdb"]);
    server.run("postgres", "CREATE ROLE poor LOGIN PASSWORD 'poor'").await;
    let error = refusal(&server.url_of("poor", "poor", &name)).await;
    assert_refused(&error, unmet, "DatabaseRights", &[&name, "permission denied", "owner"]);
    // Once it owns the database, it needs nothing else.
    server.run("postgres", &format!("ALTER DATABASE {name} OWNER TO poor")).await;
    let log = open(&server.url_of("poor", "poor", &name), 1).await;
    let led = log.take_over(&log.head().await.unwrap()).await.unwrap();
    log.append(led.term, batch(led.position, 10)).await.unwrap();
    server.stop();
    let away = log.head().await.unwrap_err();
    assert_refused(&away, Code::Unavailable, "DatabaseUnreachable", &[&name, "cannot be reached"]);
    assert_refused(&refusal(&server.url(&name)).await, Code::Unavailable, "DatabaseUnreachable", &[&name]);
    let refused = refusal("postgres://ann@127.0.0.1:1/games").await;
    assert_refused(
        &refused,
        Code::Unavailable,
        "DatabaseUnreachable",
        &["games at 127.0.0.1:1", "PostgreSQL runs"],
    );
}

async fn databases_of_others_are_left_alone(server: &Server) {
    let unmet = Code::FailedPrecondition;
    let (one, other) = (server.database().await, server.database().await);
    let cluster = open(&server.url(&one), 1).await.cluster();
    assert_ne!(cluster, ClusterId::default());
    // An empty one, where the node has data already.
    let refused = PostgresLog::open(of_cluster(&server.url(&other), cluster)).await.unwrap_err();
    assert_refused(&refused, unmet, "DatabaseEmpty", &[&other, &cluster.to_string(), "cache folder"]);
    let client = server.client(&other).await;
    let made: bool = client.query_one("SELECT to_regnamespace('tuckbox') IS NULL", &[]).await.unwrap().get(0);
    assert!(made, "nothing was set up");
    // Another cluster's.
    let theirs = open(&server.url(&other), 1).await.cluster();
    assert_ne!(theirs, cluster);
    let refused = PostgresLog::open(of_cluster(&server.url(&other), cluster)).await.unwrap_err();
    let ids = [theirs.to_string(), cluster.to_string()];
    assert_refused(&refused, unmet, "OtherCluster", &[&other, &ids[0], &ids[1], "cache folder"]);
    assert_eq!(PostgresLog::open(of_cluster(&server.url(&one), cluster)).await.unwrap().cluster(), cluster);
    // Under a node that runs, as after a wrong entry in a proxy.
    let log = open(&server.url(&one), 1).await;
    let led = log.take_over(&log.head().await.unwrap()).await.unwrap();
    for name in [&one, &other] {
        server.allow_connections(name, false).await;
    }
    server.run("postgres", &format!("ALTER DATABASE {one} RENAME TO kept")).await;
    server.run("postgres", &format!("ALTER DATABASE {other} RENAME TO {one}")).await;
    server.allow_connections(&one, true).await;
    assert_refused(&log.head().await.unwrap_err(), unmet, "OtherCluster", &[&ids[0], &ids[1]]);
    let refused = log.beat(led.term).await.unwrap_err();
    assert_refused(&refused, unmet, "OtherCluster", &[]);
    assert_refused(
        &log.append(led.term, batch(led.position, 10)).await.unwrap_err(),
        unmet,
        "OtherCluster",
        &[],
    );
    // A schema of the name that is somebody else's.
    let third = server.database().await;
    server.run(&third, "CREATE SCHEMA tuckbox; CREATE TABLE tuckbox.cards (id int)").await;
    assert_refused(&refusal(&server.url(&third)).await, unmet, "NotTuckbox", &[&third, "tuckbox"]);
}

async fn formats_clocks_and_read_only_databases_are_noticed(server: &Server) {
    let (unmet, name) = (Code::FailedPrecondition, server.database().await);
    let url = server.url(&name);
    let log = open(&url, 1).await;
    let led = log.take_over(&log.head().await.unwrap()).await.unwrap();
    for (format, tag, way) in
        [(FORMAT + 1, "DatabaseNewer", "Install"), (FORMAT - 1, "DatabaseOlder", "Upgrade")]
    {
        server.run(&name, &format!("UPDATE tuckbox.head SET format = {format}")).await;
        assert_refused(&refusal(&url).await, unmet, tag, &[&format!("format {format}"), way]);
        // A node that runs notices when it connects again.
        server.end_sessions(&name).await;
        assert_refused(&log.head().await.unwrap_err(), unmet, tag, &[]);
    }
    server.run(&name, &format!("UPDATE tuckbox.head SET format = {FORMAT}")).await;
    log.beat(led.term).await.unwrap();
    read_only(server, &name, &log).await;
    clocks(&url).await;
    // Durability is asked for where the database does without, and the isolation that appends need.
    server.run("postgres", &format!("ALTER DATABASE {name} SET synchronous_commit = off")).await;
    let strict = format!("ALTER DATABASE {name} SET default_transaction_isolation = serializable");
    server.run("postgres", &strict).await;
    let log = open(&url, 2).await;
    let led = log.take_over(&log.head().await.unwrap()).await.unwrap();
    server.run(&name, "CREATE TABLE settings (value text)").await;
    let trigger = "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                   INSERT INTO settings VALUES (concat_ws(' ', current_setting('synchronous_commit'), \
                   current_setting('transaction_isolation'))); RETURN NEW; END $$; \
                   CREATE TRIGGER note BEFORE INSERT ON tuckbox.log FOR EACH ROW EXECUTE FUNCTION note()";
    server.run(&name, trigger).await;
    log.append(led.term, batch(led.position, 10)).await.unwrap();
    let noted = server.client(&name).await.query_one("SELECT value FROM settings", &[]).await.unwrap();
    assert_eq!(noted.get::<_, &str>(0), "on read committed");
}

async fn read_only(server: &Server, name: &str, log: &PostgresLog) {
    let set = |on| format!("ALTER DATABASE {name} SET default_transaction_read_only = {on}");
    server.run("postgres", &set("on")).await;
    server.end_sessions(name).await;
    let refused = log.head().await.unwrap_err();
    assert_refused(&refused, Code::Unavailable, "DatabaseReadOnly", &[name, "standby", "primary"]);
    assert_refused(&refusal(&server.url(name)).await, Code::Unavailable, "DatabaseReadOnly", &[name]);
    server.run("postgres", &set("off")).await;
    log.head().await.unwrap();
}

/// A clock that is off by more than five seconds is not led by; one that is off by less is.
async fn clocks(url: &str) {
    for (off, leads) in [(-7_000_000, false), (-3_000_000, true), (3_000_000, true), (7_000_000, false)] {
        let clock = Arc::new(ManualClock::new(Ts::ZERO));
        let log =
            PostgresLog::open(PostgresOptions { clock: clock.clone(), ..options(url, 1) }).await.unwrap();
        let seen = log.head().await.unwrap();
        let shown = SystemClock.now().micros().saturating_add_signed(off);
        clock.advance(std::time::Duration::from_micros(shown));
        let taken = log.take_over(&seen).await;
        if leads {
            taken.unwrap();
        } else {
            let side = if off > 0 { "ahead of" } else { "behind" };
            assert_refused(&taken.unwrap_err(), Code::FailedPrecondition, CLOCK_OFF, &[side, "NTP"]);
            assert_eq!(log.head().await.unwrap(), seen);
            assert!(
                log.read(place(1), 1).await.is_err() || seen.position == place(1),
                "it reads all the same"
            );
        }
    }
}
