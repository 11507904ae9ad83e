//! HTTP to a worker: a pooled client over its unix socket.

use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body;
use http::Uri;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::UnixStream;
use tower_service::Service;

/// A client whose every connection goes to one worker's socket.
pub(super) type WorkerClient = Client<SocketConnector, Body>;

/// A client for the worker that listens at `socket`.
pub(super) fn client(socket: PathBuf) -> WorkerClient {
    Client::builder(TokioExecutor::new()).build(SocketConnector { socket: socket.into() })
}

/// Connects to the socket, whatever host a URI names.
#[derive(Debug, Clone)]
pub(super) struct SocketConnector {
    socket: Arc<std::path::Path>,
}

impl Service<Uri> for SocketConnector {
    type Response = SocketStream;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<SocketStream>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        let socket = self.socket.clone();
        Box::pin(async move { Ok(SocketStream(TokioIo::new(UnixStream::connect(socket).await?))) })
    }
}

/// One connection to a worker.
#[derive(Debug)]
pub(super) struct SocketStream(TokioIo<UnixStream>);

impl Connection for SocketStream {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl Read for SocketStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl Write for SocketStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
