//! WebSockets: the handshake, and a socket's life beside its connection.

use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use http::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use crate::host::lifecycle::{Lifecycle, Phase};
use crate::host::listeners::Held;

/// Time for the client to take the answer to its handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Bytes that are read from a socket at once. Clients send about a hundred at a time; a larger message makes the buffer
/// grow. The library's own 128 KiB are most of a table's memory, and are cleared before every read.
const READ_BYTES: usize = 4 * 1024;

/// The protocol's only version.
const VERSION: &str = "13";

/// Beginning of the paths of tables' sockets, which only pages of this server open.
pub(crate) const TABLES: &str = "/__/table/";

/// The server's stop, as a socket sees it.
#[derive(Debug)]
pub(crate) struct Stopping(Option<Lifecycle>);

impl Stopping {
    /// Completes when the server begins to stop: time to say goodbye.
    pub(crate) async fn begins(&self) {
        match &self.0 {
            Some(lifecycle) => lifecycle.reached(Phase::Draining).await,
            None => std::future::pending().await,
        }
    }
}

/// The server's side of a socket.
pub(crate) type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// Answers the handshake in `request` and serves the socket in a task of its own, until `serve` ends. When the server stops
/// it has as long as streams have to end by itself.
/// Messages of more than `most_bytes` end the socket. A request that asks for no socket is told so.
pub(crate) fn upgrade<F, S>(mut request: Request<Body>, most_bytes: usize, serve: S) -> Response
where
    F: Future<Output = ()> + Send + 'static,
    S: FnOnce(Socket, Stopping) -> F + Send + 'static,
{
    let Some(accept) = accept(request.method(), request.headers()) else {
        let headers = [
            (UPGRADE, HeaderValue::from_static("websocket")),
            (SEC_WEBSOCKET_VERSION, HeaderValue::from_static(VERSION)),
        ];
        return (StatusCode::UPGRADE_REQUIRED, headers, "Connect with a WebSocket.\n").into_response();
    };
    let held = request.extensions_mut().remove::<Held>();
    let upgraded = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        let upgraded = match tokio::time::timeout(HANDSHAKE, upgraded).await {
            Ok(Ok(upgraded)) => upgraded,
            Ok(Err(error)) => return tracing::debug!("a WebSocket's handshake failed: {error}"),
            Err(_) => return tracing::debug!("a WebSocket's handshake took too long"),
        };
        let limits = WebSocketConfig::default()
            .read_buffer_size(READ_BYTES)
            .max_message_size(Some(most_bytes))
            .max_frame_size(Some(most_bytes));
        let stream = TokioIo::new(upgraded);
        let socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(limits)).await;
        let lifecycle = held.as_ref().map(|held| held.lifecycle.clone());
        let ending = async {
            match &lifecycle {
                Some(lifecycle) => lifecycle.reached(Phase::Ending).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = serve(socket, Stopping(lifecycle.clone())) => {}
            () = ending => {}
        }
        // The connection counts until here.
        drop(held);
    });
    let headers: [(HeaderName, HeaderValue); 3] = [
        (UPGRADE, HeaderValue::from_static("websocket")),
        (CONNECTION, HeaderValue::from_static("upgrade")),
        (SEC_WEBSOCKET_ACCEPT, accept),
    ];
    (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
}

/// The answer to a handshake's key; `None` if this is no handshake.
fn accept(method: &Method, headers: &HeaderMap) -> Option<HeaderValue> {
    let lists = |name: HeaderName, wanted: &str| {
        let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).any(|value| value.trim().eq_ignore_ascii_case(wanted))
    };
    let asks = *method == Method::GET
        && lists(CONNECTION, "upgrade")
        && lists(UPGRADE, "websocket")
        && lists(SEC_WEBSOCKET_VERSION, VERSION);
    let key = headers.get(SEC_WEBSOCKET_KEY).filter(|_| asks)?;
    HeaderValue::try_from(derive_accept_key(key.as_bytes())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handshake_is_told_from_other_requests() {
        // The example of RFC 6455.
        let pairs = [
            ("connection", "keep-alive, Upgrade"),
            ("upgrade", "WebSocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        let headers = |without: &str| -> HeaderMap {
            let pairs = pairs.iter().filter(|(name, _)| *name != without);
            pairs.map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
        };
        let accepted = accept(&Method::GET, &headers("")).unwrap();
        assert_eq!(accepted, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        assert_eq!(accept(&Method::POST, &headers("")), None);
        for (name, _) in pairs {
            assert_eq!(accept(&Method::GET, &headers(name)), None, "{name}");
        }
    }
}
