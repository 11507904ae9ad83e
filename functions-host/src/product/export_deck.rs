//! `exportDeck({project, format, …})`: what `tuckbox export-deck` makes, stored among the project's files,
//! `{name, bytes, url, remarks}` with `url` a path on this host that nobody can guess.
//!
//! The program reads and writes with the caller's own token, so that it may do what they may and no more. What it
//! is asked and what it answers goes through its standard input and output as JSON; it checks the request itself.

use std::process::{Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use docstore::Code;
use http::header::AUTHORIZATION;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Semaphore;

use crate::callable::{CallError, Context, Function};
use crate::export_deck::{Program, no_node};

/// Exports that run at once; each may take some hundred megabytes.
const MAX_AT_ONCE: usize = 2;

/// The longest request handed on, in bytes of JSON.
const MAX_REQUEST_BYTES: usize = 16 * 1024;

/// The longest answer taken from the program, in bytes.
const MAX_ANSWER_BYTES: usize = 256 * 1024;

/// How long an export may take.
const TIMEOUT: Duration = Duration::from_secs(300);

/// What the program writes to its standard output.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Answer {
    Done(Map<String, Value>),
    /// For the caller: what was wrong with the request or the project.
    Refused(String),
}

/// The function of the server that is reached at `url` from here.
pub(super) fn function(url: &str) -> Function {
    let url: Arc<str> = url.into();
    let running = Arc::new(Semaphore::new(MAX_AT_ONCE));
    Function::new("exportDeck", move |context: Context, request: Map<String, Value>| {
        let (url, running) = (Arc::clone(&url), Arc::clone(&running));
        async move {
            let token = token(&context)?;
            let request =
                serde_json::to_vec(&request).map_err(|_| CallError::invalid("The request is no JSON."))?;
            if request.len() > MAX_REQUEST_BYTES {
                let message = format!("The request must be at most {MAX_REQUEST_BYTES} bytes long.");
                return Err(CallError::invalid(message));
            }
            let _turn = running.acquire().await.map_err(|_| failed("The server is stopping."))?;
            read(&run(&url, &token, &request).await?)
        }
    })
    .timeout(TIMEOUT)
}

/// The caller's own token: the call was let in with it.
fn token(context: &Context) -> Result<String, CallError> {
    context.user()?;
    let header = context.raw.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = header.and_then(|value| value.split_once(' ')).map(|(_, token)| token.trim().to_owned());
    token.filter(|token| !token.is_empty()).ok_or_else(CallError::sign_in_first)
}

async fn run(url: &str, token: &str, request: &[u8]) -> Result<Output, CallError> {
    let program = tokio::task::spawn_blocking(Program::lay_down)
        .await
        .map_err(|_| failed("The export could not be prepared."))?
        .map_err(CallError::from)?;
    let mut child = program
        .command()
        .args(["--call", "--server", url])
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .env("TUCKBOX_TOKEN", token)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| CallError::from(no_node(error)))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that ended early says why itself.
        let _ = stdin.write_all(request).await;
    }
    child.wait_with_output().await.map_err(|_| failed("The export was lost."))
}

/// What the program answered.
fn read(output: &Output) -> Result<Map<String, Value>, CallError> {
    if output.stdout.len() > MAX_ANSWER_BYTES {
        return Err(failed("The export answered more than can be passed on."));
    }
    match serde_json::from_slice(&output.stdout) {
        Ok(Answer::Done(done)) => Ok(done),
        Ok(Answer::Refused(message)) => Err(CallError::new(Code::FailedPrecondition, message)),
        Err(_) => {
            let said = String::from_utf8_lossy(&output.stderr);
            tracing::error!(status = %output.status, said = %said, "an export failed");
            Err(failed("The export failed; the server's log says why."))
        }
    }
}

fn failed(message: &str) -> CallError {
    CallError::new(Code::Internal, message)
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{ExitStatus, Output};

    use docstore::Code;

    use super::{MAX_ANSWER_BYTES, read};

    fn output(stdout: &str) -> Output {
        Output { status: ExitStatus::from_raw(0), stdout: stdout.into(), stderr: Vec::new() }
    }

    #[test]
    fn an_answer_is_passed_on_and_a_refusal_is_the_callers() {
        let done = read(&output(r#"{"done":{"url":"/v0/b/x"}}"#)).unwrap();
        assert_eq!(done["url"], "/v0/b/x");
        let refused = read(&output(r#"{"refused":"There is no project “X”."}"#)).unwrap_err();
        assert_eq!(
            (refused.code(), refused.inner().message()),
            (Code::FailedPrecondition, "There is no project “X”.")
        );
    }

    #[test]
    fn what_is_no_answer_is_a_failure_that_tells_nothing() {
        for bad in ["", "Error: secret", "{}", &format!("\"{}\"", "x".repeat(MAX_ANSWER_BYTES))] {
            let error = read(&output(bad)).unwrap_err();
            assert_eq!(error.code(), Code::Internal);
            assert!(!error.inner().message().contains("secret"));
        }
    }
}
