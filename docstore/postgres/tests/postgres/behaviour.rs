//! The behaviour suite.

use docstore::engine::shared::NodeId;
use docstore::engine::shared::suite::{CASES, Subject, run};
use docstore::model::Ts;
use docstore_postgres::{PostgresLog, PostgresOptions};

use crate::options;
use crate::server::Server;

/// A database of a server.
struct Database<'a> {
    server: &'a Server,
    name: String,
    /// Number of the case.
    number: usize,
    notifications: bool,
}

impl Subject for Database<'_> {
    type Log = PostgresLog;
    type Backup = String;

    async fn connect(&self, node: NodeId) -> PostgresLog {
        let options = options(&self.server.url(&self.name), node.0);
        PostgresLog::open(PostgresOptions { notifications: self.notifications, ..options }).await.unwrap()
    }

    async fn backup(&self) -> String {
        let copy = format!("{}_backup_{}", self.name, self.number);
        // A copy needs that nobody is connected.
        self.server.allow_connections(&self.name, false).await;
        let copying = format!("CREATE DATABASE {copy} TEMPLATE {}", self.name);
        self.server.run("postgres", &copying).await;
        self.server.allow_connections(&self.name, true).await;
        copy
    }

    async fn restore(&self, backup: String) {
        let Self { server, name, .. } = self;
        server.allow_connections(name, false).await;
        // To drop it takes a checkpoint, which takes long.
        server.run("postgres", &format!("ALTER DATABASE {name} RENAME TO lost_with_{backup}")).await;
        server.run("postgres", &format!("ALTER DATABASE {backup} RENAME TO {name}")).await;
    }

    async fn damage(&self, ts: Ts) {
        self.server.run(&self.name, &format!("DELETE FROM tuckbox.log WHERE ts = {ts}")).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_in_postgresql_behaves() {
    let Some(server) = Server::start(&[], &[]) else { return };
    let database = server.database().await;
    let without = ["news_reach_every_node", "a_reader_ahead_of_a_restored_log_notices"];
    let cases = CASES.iter().map(|case| (*case, true)).chain(without.map(|case| (case, false)));
    for (number, (case, notifications)) in cases.enumerate() {
        println!("{case}, notifications: {notifications}");
        server.run(&database, "DROP SCHEMA IF EXISTS tuckbox CASCADE").await;
        let subject = Database { server: &server, name: database.clone(), number, notifications };
        run(case, &subject).await;
        server.end_sessions(&database).await;
    }
}
