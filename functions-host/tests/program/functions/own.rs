//! Custom functions in a whole server: their cancellation when the caller leaves.

use std::time::Duration;

use clap::Parser;
use docstore::access::Mode;
use functions_host::functions::callable::{CallError, Chunks, Context, Function};
use functions_host::host::settings::{ServerArgs, Settings};
use functions_host::server::Server;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

#[derive(Parser)]
struct Args {
    #[command(flatten)]
    server: ServerArgs,
}

/// Reports when it is dropped, like everything in a cancelled function.
struct Running(UnboundedSender<&'static str>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.send("ended").unwrap();
    }
}

/// A server in emulator mode with these functions, and the folder of its configuration.
pub(crate) async fn serve(own: Vec<Function>) -> (Server, tempfile::TempDir) {
    _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("firebase.json");
    std::fs::write(&config, "{}").unwrap();
    let config = config.to_str().unwrap();
    let args = ["own", "--config", config, "--project", "demo", "--in-memory", "--port", "0"];
    let settings = Settings::new(&Args::parse_from(args).server, Mode::Emulator).unwrap();
    (Server::start_with(&settings, own).await.unwrap(), folder)
}

/// A server whose functions never return, and their reports.
async fn server() -> (Server, UnboundedReceiver<&'static str>, tempfile::TempDir) {
    let (tell, told) = unbounded_channel();
    let waits = move |_: Context, _: Value, chunks: Chunks| {
        let running = Running(tell.clone());
        async move {
            chunks.send(&"begun").await?;
            running.0.send("begun").unwrap();
            std::future::pending::<Result<Value, CallError>>().await
        }
    };
    let own = vec![
        Function::streaming("waits", waits.clone()),
        Function::streaming("hurries", waits).timeout(Duration::from_millis(50)),
    ];
    let (server, folder) = serve(own).await;
    (server, told, folder)
}

/// Sends a call on a connection of its own.
async fn call(server: &Server, name: &str, accept: &str) -> TcpStream {
    let url = server.addresses().url();
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut connection = TcpStream::connect(address).await.unwrap();
    let body = r#"{"data":null}"#;
    let request = format!(
        "POST /demo/us-central1/{name} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/json\r\naccept: {accept}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    connection.write_all(request.as_bytes()).await.unwrap();
    connection
}

async fn answer(mut connection: TcpStream) -> String {
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_caller_that_hangs_up_ends_the_function() {
    let (server, mut told, _folder) = server().await;
    for accept in ["application/json", "text/event-stream"] {
        let connection = call(&server, "waits", accept).await;
        assert_eq!(told.recv().await, Some("begun"), "{accept}");
        drop(connection);
        assert_eq!(told.recv().await, Some("ended"), "{accept}");
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_deadline_ends_the_function_and_its_caller_is_told() {
    let (server, mut told, _folder) = server().await;
    let late =
        json!({ "message": "The function did not finish in its time.", "status": "DEADLINE_EXCEEDED" });
    let late = json!({ "error": late }).to_string();
    let plain = answer(call(&server, "hurries", "application/json").await).await;
    assert!(plain.starts_with("HTTP/1.1 504 ") && plain.ends_with(&late), "{plain}");
    assert_eq!((told.recv().await, told.recv().await), (Some("begun"), Some("ended")));
    let events = answer(call(&server, "hurries", "text/event-stream").await).await;
    assert!(events.contains("data: {\"message\":\"begun\"}\n\n"), "{events}");
    assert!(events.contains(&format!("data: {late}\n\n")), "{events}");
    assert_eq!((told.recv().await, told.recv().await), (Some("begun"), Some("ended")));
    server.stop().await.unwrap();
}
