//! The operator's socket in the data folder: commands reach a running server through it, as its own user alone.

use std::fs::{File, Permissions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use axum::Router;
use docstore::{Code, Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::net::UnixListener;
use tokio::task::JoinHandle;

/// The socket's name in the data folder.
pub(crate) const SOCKET: &str = "control.sock";

/// Longest path of a socket, in bytes: the system takes 107.
const MAX_PATH: usize = 100;

/// Largest answer, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// The answer to an order that is carried out.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    /// The result in words.
    pub(crate) said: String,
    /// The error of a backup that is made and lacks something.
    pub(crate) lacks: Option<String>,
}

/// A socket that is served; dropping the value removes it.
#[derive(Debug)]
pub(crate) struct Control {
    path: PathBuf,
    serving: JoinHandle<()>,
}

impl Drop for Control {
    fn drop(&mut self) {
        self.serving.abort();
        let _gone = std::fs::remove_file(&self.path);
    }
}

/// The path by which the socket is reached, and a folder that must stay open as long as the path is used.
fn reachable(data: &Path) -> io::Result<(PathBuf, Option<File>)> {
    let path = data.join(SOCKET);
    if path.as_os_str().len() <= MAX_PATH {
        return Ok((path, None));
    }
    let folder = File::open(data)?;
    Ok((PathBuf::from(format!("/proc/self/fd/{}/{SOCKET}", folder.as_raw_fd())), Some(folder)))
}

/// Serves `routes` on the socket of a data folder that this process has taken.
///
/// # Errors
/// The system's own.
pub(crate) fn serve(data: &Path, routes: Router) -> io::Result<Control> {
    let path = data.join(SOCKET);
    // One of a server that was killed.
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let (reachable, _folder) = reachable(data)?;
    let listener = UnixListener::bind(reachable)?;
    std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
    let serving = tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, routes).await {
            tracing::error!(%error, "the operator's socket has ended");
        }
    });
    Ok(Control { path, serving })
}

/// Sends an order to the server that has the data folder, and waits until it is carried out.
///
/// # Errors
/// The server's own; `Unavailable` (`NoControl`) if it does not listen.
pub(crate) async fn order(data: &Path, route: &str, order: &impl Serialize) -> Result<Answer> {
    let unreachable = |cause: &dyn std::fmt::Display| {
        let message = format!(
            "the server with the data folder {} does not answer on its socket {SOCKET}: {cause}. It may be starting, or of an older version: try again, or stop it and run the command then",
            data.display()
        );
        Error::new(Code::Unavailable, "NoControl", message)
    };
    let (path, _folder) = reachable(data).map_err(|cause| unreachable(&cause))?;
    let client = reqwest::Client::builder().no_proxy().unix_socket(path).build();
    let client = client.map_err(|cause| unreachable(&cause))?;
    let request = client.post(format!("http://localhost/{route}")).json(order);
    let mut answer = request.send().await.map_err(|cause| unreachable(&cause))?;
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|cause| unreachable(&cause))? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_ANSWER {
            return Err(unreachable(&"its answer is too long"));
        }
    }
    if answer.status().is_success() {
        return serde_json::from_slice(&body).map_err(|cause| unreachable(&cause));
    }
    let refused: Value = serde_json::from_slice(&body).map_err(|cause| unreachable(&cause))?;
    let message = refused.get("error").and_then(Value::as_str).unwrap_or("it refused without a reason");
    Err(Error::new(Code::FailedPrecondition, "OrderRefused", message))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::body::Body;
    use axum::routing::post;
    use bytes::Bytes;
    use futures::{StreamExt as _, stream};

    use super::*;

    #[tokio::test]
    async fn an_answer_is_read_to_its_limit_only() {
        const ALL: usize = 64 * MAX_ANSWER;
        static PIECE: [u8; 1 << 16] = [b' '; 1 << 16];
        _ = rustls::crypto::ring::default_provider().install_default();
        let folder = tempfile::tempdir().unwrap();
        let sent = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&sent);
        let long = move || async move {
            let pieces = stream::repeat(Bytes::from_static(&PIECE)).take(ALL / PIECE.len());
            Body::from_stream(pieces.map(move |piece| {
                counted.fetch_add(piece.len(), Ordering::Relaxed);
                Ok::<_, io::Error>(piece)
            }))
        };
        let _control = serve(folder.path(), Router::new().route("/go", post(long))).unwrap();
        let error = order(folder.path(), "go", &()).await.unwrap_err();
        assert_eq!(error.tag(), "NoControl");
        assert!(error.message().contains("its answer is too long"), "{error}");
        let sent = sent.load(Ordering::Relaxed);
        assert!((MAX_ANSWER..ALL).contains(&sent), "{sent} of {ALL} bytes");
    }
}
