//! Serves accounts from memory, for test suites that drive official SDKs.
//!
//! `serve_accounts [--serving] [--port N] [--project ID] [--provider ISSUER]`: prints one line, `listening on
//! http://127.0.0.1:PORT`, and serves until its standard input closes or it is killed. The provider is Google here, with
//! the client `tuckbox` and no secret. `GET /example/mails` shows the mails that wait, which a serving router does not.

use std::io::{Read as _, Write as _};
use std::net::SocketAddr;

use auth_emu::providers::ProviderOptions;
use auth_emu::{AuthOptions, AuthState, index, router};
use docstore::access::Mode;
use docstore::store::Store;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let mode =
        if arguments.iter().any(|argument| argument == "--serving") { Mode::Serving } else { Mode::Emulator };
    let port: u16 = after("--port").map_or(Ok(0), |port| port.parse())?;
    let project = after("--project").unwrap_or_else(|| "demo-auth".to_owned());

    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    let origin = format!("http://{}", listener.local_addr()?);
    let store = Store::in_memory().await?;
    let mut options = AuthOptions::new(store, &project, mode, &origin);
    options.anonymous = true;
    options.providers.extend(after("--provider").map(|issuer| ProviderOptions {
        id: "google.com".to_owned(),
        name: "Google".to_owned(),
        issuer,
        client_id: "tuckbox".to_owned(),
        client_secret: None,
    }));
    let state = AuthState::new(options).await?;
    let mails = {
        let state = state.clone();
        axum::routing::get(move || async move { axum::Json(state.waiting_mails()) })
    };
    // For the suite alone: a server of accounts never shows its mails.
    let app = router(state.clone()).merge(index(state)).route("/example/mails", mails);

    let mut stdout = std::io::stdout();
    writeln!(stdout, "listening on {origin}")?;
    stdout.flush()?;
    let parent_gone = async {
        // The suite holds the other end: when it dies, so does this server.
        let closed = || std::io::stdin().read_to_end(&mut Vec::new());
        if tokio::task::spawn_blocking(closed).await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    axum::serve(listener, app.into_make_service_with_connect_info::<SocketAddr>())
        .with_graceful_shutdown(parent_gone)
        .await?;
    Ok(())
}
