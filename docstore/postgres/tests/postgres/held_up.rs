//! An append that is held up on its way, and arrives when its leader has given it up.

use std::sync::Arc;

use docstore::engine::shared::{OUTCOME_UNKNOWN, SharedLog as _, Unsettled, settle};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::server::Server;
use crate::{batch, open, place};

/// A way to a server on which a connection can be held up: what it sends waits from then on.
struct Proxy {
    port: u16,
    /// Number of the connection that is held up; 0 for none.
    held: Arc<watch::Sender<usize>>,
    accepted: watch::Receiver<usize>,
}

impl Proxy {
    async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = listener.local_addr().unwrap().port();
        let held = Arc::new(watch::Sender::new(0));
        let (count, accepted) = watch::channel(0);
        let holds = Arc::clone(&held);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                count.send_modify(|count| *count += 1);
                let server = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                tokio::spawn(carry(client, server, *count.borrow(), holds.subscribe()));
            }
        });
        Self { port: own, held, accepted }
    }

    /// Holds up the newest connection.
    fn hold_newest(&self) {
        self.held.send_replace(*self.accepted.borrow());
    }

    fn let_go(&self) {
        self.held.send_replace(0);
    }
}

async fn carry(client: TcpStream, server: TcpStream, number: usize, mut held: watch::Receiver<usize>) {
    let ((mut from_client, mut to_client), (mut from_server, mut to_server)) =
        (client.into_split(), server.into_split());
    let answers = async move {
        // It ends when either side does.
        drop(tokio::io::copy(&mut from_server, &mut to_client).await);
    };
    let requests = async move {
        let mut buffer = vec![0; 16_384];
        while let Ok(read @ 1..) = from_client.read(&mut buffer).await {
            if held.wait_for(|held| *held != number).await.is_err() {
                return;
            }
            if to_server.write_all(&buffer[..read]).await.is_err() {
                return;
            }
        }
    };
    tokio::join!(answers, requests);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_that_arrives_after_it_was_settled_is_refused() {
    let Some(server) = Server::start(&[], &[]) else { return };
    let name = server.database().await;
    let proxy = Proxy::to(server.port()).await;
    let log = open(&Server::url_over_tcp("127.0.0.1", proxy.port, &name, "sslmode=disable"), 1).await;
    let led = log.take_over(&log.head().await.unwrap()).await.unwrap();
    log.append(led.term, batch(led.position, 10)).await.unwrap();
    let writer = "SELECT pid FROM pg_stat_activity WHERE application_name = 'tuckbox writes'";
    let client = server.client(&name).await;
    let old: i32 = client.query_one(writer, &[]).await.unwrap().get(0);

    // The leader has connected for its appends last.
    proxy.hold_newest();
    let held_up = batch(place(10), 20);
    let error = log.append(led.term, held_up.clone()).await.unwrap_err();
    assert_eq!(error.tag(), OUTCOME_UNKNOWN, "{error}");
    let settled = settle(&log, Unsettled::of(led.term, &held_up)).await.unwrap();
    assert_eq!((settled.stored, settled.head.position), (false, place(10)));

    proxy.let_go();
    // Its session carries it out, and ends because nobody is there any more.
    let there = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1";
    while client.query_one(there, &[&old]).await.unwrap().get::<_, i64>(0) > 0 {}
    assert_eq!(log.head().await.unwrap(), settled.head);
    log.append(settled.head.term, batch(place(10), 30)).await.unwrap();
    let places: Vec<_> =
        log.read(place(10), usize::MAX).await.unwrap().batches.iter().map(|batch| batch.position).collect();
    assert_eq!(places, [place(30)]);
}
