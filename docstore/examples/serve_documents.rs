//! An in-memory database for everybody on one port: what the SDK suites run against.
//!
//! `cargo run -p docstore --example serve_documents [PORT]`; prints `listening on HOST:PORT`. Every caller may do
//! everything, except those who bring the token `nobody`, who may do nothing.

use std::future::Future;
use std::net::Ipv4Addr;
use std::pin::Pin;
use std::sync::Arc;

use docstore::access::{Authenticator, Caller};
use docstore::store::Store;
use docstore::wire::{Ids, Mode, WireState, health, router};
use docstore::{Error, Result};

/// Lets everybody do everything.
struct Everybody;

impl Authenticator for Everybody {
    fn authenticate<'a>(
        &'a self,
        _project: &'a str,
        _authorization: Option<&'a str>,
    ) -> Pin<Box<dyn Future<Output = Result<Caller>> + Send + 'a>> {
        Box::pin(async { Ok(Caller::Admin) })
    }
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "tells the port")]
async fn main() -> Result<()> {
    let port = match std::env::args().nth(1) {
        None => 0,
        Some(port) => port.parse().map_err(|_| Error::invalid("Port", format!("`{port}` is not a port")))?,
    };
    let io = |error: std::io::Error| Error::internal("Listen", "cannot serve", error);
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(io)?;
    println!("listening on {}", listener.local_addr().map_err(io)?);
    let state = WireState {
        store: Store::in_memory().await?,
        authenticator: Arc::new(Everybody),
        mode: Mode::Emulator,
        ids: Ids::from_system(),
    };
    axum::serve(listener, router(state)?.merge(health())).await.map_err(io)
}
