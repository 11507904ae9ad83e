//! `exportDeck({project, format, …})`: runs `tuckbox export-deck` and stores the result among the project's files,
//! `{name, bytes, url, remarks}` with an unguessable path on this host as `url`.
//!
//! The program reads and writes with the caller's own token, so it has exactly their rights. Request and reply pass
//! through its standard input and output as JSON; it validates the request itself. Its input is written by users, so it
//! runs within limits: of time, memory and disk ([`run`]), and of concurrent exports, in total and per account
//! ([`fair_queue`]).

mod fair_queue;
pub(crate) mod program;
mod run;

use std::process::{Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use auth_emu::Mode;
use docstore::Code;
use docstore::shares::Shares;
use http::header::AUTHORIZATION;
use serde::Deserialize;
use serde_json::{Map, Value};

use self::fair_queue::{FairQueue, Most};
use self::program::{Program, no_node, sweep};
use self::run::Bounds;
use crate::functions::callable::{CallError, Context, Function};
use crate::host::confinement::Limits;

/// Exports running at once.
const MAX_AT_ONCE: usize = 2;

/// Exports of one account running at once; the rest is left to others.
const MAX_AT_ONCE_FOR_ONE: usize = 1;

/// Exports running or queued.
const MAX_WAITING: usize = 32;

/// Exports of one account running or queued.
const MAX_WAITING_FOR_ONE: usize = 5;

/// Longest request passed on, in bytes of JSON.
const MAX_REQUEST_BYTES: usize = 16 * 1024;

/// Longest reply read from the program, in bytes.
const MAX_ANSWER_BYTES: usize = 256 * 1024;

/// Longest error output that is logged, in bytes.
const MAX_COMPLAINT_BYTES: usize = 2 * 1024;

/// Time limit of a call, queueing included.
const CALL_TIMEOUT: Duration = Duration::from_secs(180);

/// Longest wait in the queue; the rest is left for the run and the cleanup.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(110);

const MIB: u64 = 1 << 20;

/// Resource limits of one export. The wall time equals the processor time, because the program works alone.
const BOUNDS: Bounds = Bounds {
    time: Duration::from_secs(60),
    resident: 1024 * MIB,
    limits: Limits {
        data: 2048 * MIB,
        // The program's canvas is backed by a file, too.
        file: 128 * MIB,
        processor: Duration::from_secs(60),
        niceness: 10,
    },
};

/// JavaScript heap of the program, in MiB; pixels and files lie outside it.
const HEAP: &str = "--max-old-space-size=512";

/// The program's reply on standard output.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Answer {
    Done(Map<String, Value>),
    /// Shown to the caller: the fault in the request or the project.
    Refused(String),
}

/// Limits on running and queued exports; in an emulator, one account may use all.
const fn most(mode: Mode) -> Most {
    let (running_for_one, calls_for_one) = match mode {
        Mode::Serving => (MAX_AT_ONCE_FOR_ONE, MAX_WAITING_FOR_ONE),
        Mode::Emulator => (MAX_AT_ONCE, MAX_WAITING),
    };
    Most { running: MAX_AT_ONCE, running_for_one, calls: MAX_WAITING, calls_for_one, wait: QUEUE_TIMEOUT }
}

/// The function, for a server reached at `url` from this machine.
pub(super) fn function(url: &str, shares: &Arc<dyn Shares>, mode: Mode) -> Function {
    // Nothing waits for it: every export uses a new folder.
    std::thread::spawn(|| sweep(&std::env::temp_dir()));
    let url: Arc<str> = url.into();
    let queue = FairQueue::new(most(mode), shares);
    Function::new("exportDeck", move |context: Context, request: Map<String, Value>| {
        let (url, queue) = (Arc::clone(&url), Arc::clone(&queue));
        async move {
            let token = token(&context)?;
            let request =
                serde_json::to_vec(&request).map_err(|_| CallError::invalid("The request is no JSON."))?;
            if request.len() > MAX_REQUEST_BYTES {
                let message = format!("The request must be at most {MAX_REQUEST_BYTES} bytes long.");
                return Err(CallError::invalid(message));
            }
            let permit = queue.take(&context.user()?.uid).await?;
            read(&export(&url, &token, request, permit).await?)
        }
    })
    .timeout(CALL_TIMEOUT)
}

/// The caller's own token, already verified for this call.
fn token(context: &Context) -> Result<String, CallError> {
    context.user()?;
    let header = context.raw.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = header.and_then(|value| value.split_once(' ')).map(|(_, token)| token.trim().to_owned());
    token.filter(|token| !token.is_empty()).ok_or_else(CallError::sign_in_first)
}

async fn export(
    url: &str,
    token: &str,
    request: Vec<u8>,
    permit: impl Send + 'static,
) -> Result<Output, CallError> {
    let program = tokio::task::spawn_blocking(Program::lay_down)
        .await
        .map_err(|_| failed("The export could not be prepared."))?
        .map_err(CallError::from)?;
    let mut command = program.command([HEAP]);
    command
        .args(["--call", "--server", url])
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .env("TMPDIR", program.temporary())
        .env("TUCKBOX_TOKEN", token)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().map_err(|error| CallError::from(no_node(error)))?;
    run::supervise(child, request, BOUNDS, (program, permit)).await
}

/// Parses the program's reply.
fn read(output: &Output) -> Result<Map<String, Value>, CallError> {
    if output.stdout.len() > MAX_ANSWER_BYTES {
        return Err(failed("The export answered more than can be passed on."));
    }
    match serde_json::from_slice(&output.stdout) {
        Ok(Answer::Done(done)) => Ok(done),
        Ok(Answer::Refused(message)) => Err(CallError::new(Code::FailedPrecondition, message)),
        Err(_) => {
            let (status, said) = (output.status, complaint(&output.stderr));
            tracing::error!(%status, said, "an export failed");
            Err(run::outgrew(output)
                .unwrap_or_else(|| failed("The export failed; the server's log says why.")))
        }
    }
}

/// The program's error output on one line: it may quote users' text, which must not be able to forge log lines.
fn complaint(said: &[u8]) -> String {
    let (head, cut) = said.split_at(said.len().min(MAX_COMPLAINT_BYTES));
    format!("{:?}{}", String::from_utf8_lossy(head), if cut.is_empty() { "" } else { " …" })
}

fn failed(message: &str) -> CallError {
    CallError::new(Code::Internal, message)
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{ExitStatus, Output};

    use docstore::Code;

    use super::{MAX_ANSWER_BYTES, MAX_COMPLAINT_BYTES, complaint, read};

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

    #[test]
    fn a_complaint_is_one_line_of_the_log_and_not_a_long_one() {
        let forged =
            complaint("no font x\n2026-01-01T00:00:00Z  INFO all is well\u{1b}[31m\u{202e}".as_bytes());
        assert!(forged.chars().all(|character| !character.is_control()), "{forged}");
        assert!(forged.contains(r"\n2026") && !forged.contains('\u{202e}'), "{forged}");
        assert!(complaint(&[b'x'; 1 << 20]).len() < 2 * MAX_COMPLAINT_BYTES);
        assert!(complaint(&[b'\n'; 1 << 20]).ends_with('…'));
    }
}
