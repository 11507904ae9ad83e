//! `/__/table/{table}/socket`: the WebSocket of a table. The token is in the first message, not in the address, which
//! proxies write into their logs.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use docstore::access::{Authenticator, Caller};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use futures::stream::SplitSink;
use futures::{SinkExt as _, StreamExt as _};
use http::Request;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};
use tokio_tungstenite::tungstenite;

use super::live::{LiveTables, Seated};
use super::messages::{Frame, Hello, Message, Pointer, bye};
use crate::host::fair::SocketShare;
use crate::host::sockets::{self, Socket, Stopping, TABLES};

/// Largest message of a client.
const MESSAGE_BYTES: usize = 16 * 1024;

/// Larger messages to a client are deflated, and binary.
const PLAIN_BYTES: usize = 1024;

/// Larger ones are deflated beside other work.
const BESIDE_BYTES: usize = 64 * 1024;

/// Time for the first message.
const HELLO: Duration = Duration::from_secs(5);

/// Interval of pings: proxies close what is silent for a minute.
const PING: Duration = Duration::from_secs(20);

/// Longest silence of a client, which answers pings.
const SILENCE: Duration = Duration::from_secs(60);

/// Time for a message to be taken.
const WRITE: Duration = Duration::from_secs(10);

/// Interval of checks whether the token still holds.
const RECHECK: Duration = Duration::from_secs(30);

/// Least time between two requests for the whole view.
const REFRESH: Duration = Duration::from_secs(2);

/// Least time between two moves of the pointer that are passed on; clients send fewer.
const BETWEEN_POINTERS: Duration = Duration::from_millis(30);

/// The version of the messages.
const VERSION: u32 = 2;

/// The sockets of all tables.
#[derive(Clone)]
pub struct Sockets {
    /// The tables.
    pub live: LiveTables,
    /// Authenticates callers.
    pub authenticator: Arc<dyn Authenticator>,
    /// The project of this server.
    pub project: String,
}

/// The route of the sockets.
pub fn router(sockets: Sockets) -> Router {
    Router::new().route(&format!("{TABLES}{{table}}/socket"), get(open)).with_state(sockets)
}

async fn open(
    State(sockets): State<Sockets>,
    Path(table): Path<String>,
    mut request: Request<Body>,
) -> Response {
    let share = request.extensions_mut().remove::<SocketShare>();
    sockets::upgrade(request, MESSAGE_BYTES, move |socket, stopping| async move {
        let _counted = sockets.live.numbers().socket();
        sockets.serve(&table, socket, stopping).await;
        drop(share);
    })
}

/// The reason for which a socket ends, and whether it is worth connecting again; `None` where nobody listens.
type Ending = Option<(&'static str, bool)>;

impl Sockets {
    async fn serve(&self, table: &str, mut socket: Socket, stopping: Stopping) {
        let first = tokio::select! {
            first = timeout(HELLO, socket.next()) => first,
            () = stopping.begins() => return end(socket, Some(("restart", true))).await,
        };
        let Ok(Some(Ok(tungstenite::Message::Text(text)))) = first else {
            return end(socket, Some(("hello", false))).await;
        };
        let Some(hello) = serde_json::from_str::<Hello>(&text).ok().filter(|it| it.hello == VERSION) else {
            return end(socket, Some(("hello", false))).await;
        };
        let Some(uid) = self.user(&hello.token).await else {
            return end(socket, Some(("signed-out", true))).await;
        };
        let talk = match self.live.enter(table, &uid, hello.seat, hello.have).await {
            Ok(seated) => Connection {
                sockets: self,
                uid,
                token: hello.token,
                seated,
                heard: Instant::now(),
                refreshed: None,
                pointed: None,
            },
            Err(why) => return end(socket, Some((why.word(), why.is_passing()))).await,
        };
        talk.run(socket, &stopping).await;
    }

    /// The user of a token; `None` if it does not hold.
    async fn user(&self, token: &str) -> Option<String> {
        let header = format!("Bearer {token}");
        match self.authenticator.authenticate(&self.project, Some(&header)).await {
            Ok(Caller::User(auth)) => Some(auth.uid),
            Ok(Caller::Admin | Caller::Anonymous) | Err(_) => None,
        }
    }
}

/// A socket of somebody at a table.
struct Connection<'a> {
    sockets: &'a Sockets,
    uid: String,
    token: String,
    seated: Seated,
    /// The last time the client was heard.
    heard: Instant,
    refreshed: Option<Instant>,
    pointed: Option<Instant>,
}

impl Connection<'_> {
    async fn run(mut self, socket: Socket, stopping: &Stopping) {
        let (mut sink, mut stream) = socket.split();
        let every = |period| {
            let mut ticks = interval_at(Instant::now() + period, period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            ticks
        };
        let (mut pings, mut checks) = (every(PING), every(RECHECK));
        let mut said_bye = false;
        let ending = loop {
            tokio::select! {
                () = stopping.begins() => break Some(("restart", true)),
                frame = self.seated.next() => match frame {
                    Some(frame) => {
                        said_bye = frame.starts_with("{\"bye\"");
                        if !send(&mut sink, packed(frame).await).await {
                            break None;
                        }
                    }
                    // Whoever read too slowly comes back with what they have.
                    None => break Some(("slow", true)).filter(|_| !said_bye),
                },
                message = stream.next() => match message {
                    Some(Ok(message)) => if let Err(ending) = self.take(message).await { break ending },
                    Some(Err(_)) | None => break None,
                },
                _ = pings.tick() => {
                    let ping = tungstenite::Message::Ping(bytes::Bytes::new());
                    if self.heard.elapsed() > SILENCE || !send(&mut sink, ping).await {
                        break None;
                    }
                }
                _ = checks.tick() => {
                    if self.sockets.user(&self.token).await.as_ref() != Some(&self.uid) {
                        break Some(("signed-out", true));
                    }
                }
            }
        };
        // Others see at once that this one is gone.
        drop(self.seated);
        if let Ok(socket) = sink.reunite(stream) {
            end(socket, ending).await;
        }
    }

    /// Takes a message of the client. Errors end the socket.
    async fn take(&mut self, message: tungstenite::Message) -> Result<(), Ending> {
        self.heard = Instant::now();
        let text = match message {
            tungstenite::Message::Text(text) => text,
            tungstenite::Message::Ping(_) | tungstenite::Message::Pong(_) => return Ok(()),
            tungstenite::Message::Close(_) => return Err(None),
            tungstenite::Message::Binary(_) | tungstenite::Message::Frame(_) => {
                return Err(Some(("malformed", false)));
            }
        };
        let message: Message = serde_json::from_str(&text).map_err(|_| Some(("malformed", false)))?;
        if let Some(token) = message.token {
            if self.sockets.user(&token).await.as_ref() != Some(&self.uid) {
                return Err(Some(("signed-out", true)));
            }
            self.token = token;
        }
        if let Some(at) = message.at
            && self.pointed.is_none_or(|at| at.elapsed() >= BETWEEN_POINTERS)
        {
            self.pointed = Some(Instant::now());
            self.seated.point(Pointer { at, drag: message.drag, ping: false });
        }
        if let Some(at) = message.ping {
            self.seated.point(Pointer { at, drag: None, ping: true });
        }
        if message.fresh.is_some() && self.refreshed.is_none_or(|at| at.elapsed() >= REFRESH) {
            self.refreshed = Some(Instant::now());
            // The end of the table is seen by the reader of its messages.
            self.seated.refresh().await;
        }
        if let Some(seat) = message.look {
            self.seated.look(seat).await;
        }
        if let Some(asked) = message.act {
            self.seated.act(asked).await;
        }
        Ok(())
    }
}

/// A message as it goes out.
async fn packed(frame: Frame) -> tungstenite::Message {
    if frame.len() <= PLAIN_BYTES {
        return tungstenite::Message::text(frame.as_ref());
    }
    let deflated = if frame.len() > BESIDE_BYTES {
        let frame = Arc::clone(&frame);
        tokio::task::spawn_blocking(move || deflated(&frame)).await.ok().flatten()
    } else {
        deflated(&frame)
    };
    match deflated {
        Some(bytes) => tungstenite::Message::binary(bytes),
        None => tungstenite::Message::text(frame.as_ref()),
    }
}

fn deflated(frame: &str) -> Option<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(frame.as_bytes()).ok()?;
    encoder.finish().ok()
}

/// Sends a message. False if nobody takes it.
async fn send(sink: &mut SplitSink<Socket, tungstenite::Message>, message: tungstenite::Message) -> bool {
    matches!(timeout(WRITE, sink.send(message)).await, Ok(Ok(())))
}

/// Says the reason and closes.
async fn end(mut socket: Socket, ending: Ending) {
    let closing = async {
        if let Some((why, again)) = ending {
            socket.send(tungstenite::Message::text(bye(why, again).as_ref())).await?;
        }
        socket.close(None).await
    };
    // The client may be gone already.
    drop(timeout(WRITE, closing).await);
}
