//! `exportDeck({project, format, …})`: runs `tuckbox export-deck` and stores the result among the project's files,
//! `{name, bytes, url, remarks}` with an unguessable path on this host as `url`.
//!
//! The program reads and writes with the caller's own token, so it has exactly their rights. Request and reply pass
//! through its standard input and output as JSON; it validates the request itself. Its input is written by users, so it
//! runs within limits: of time, memory and disk ([`run`]), and of concurrent exports, in total and per account
//! ([`fair_queue`]); both follow the memory of the machine ([`capacity`]). A caller who has to wait is sent a chunk that
//! says so, `{waiting: {others, atOnce}}`, if it takes chunks; the result has `waitedSeconds`.

mod capacity;
mod fair_queue;
pub(crate) mod program;
mod run;

use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use docstore::Code;
use docstore::access::Mode;
use http::header::AUTHORIZATION;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use self::capacity::Capacity;
use self::fair_queue::{FairQueue, Held, Most};
use self::program::{Program, no_node, sweep};
use crate::functions::callable::{CallError, Chunks, Context, Function};
use crate::host::machine::memory;
use crate::hosting;
use crate::product::Needs;

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

/// The program's reply on standard output.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Answer {
    Done(Map<String, Value>),
    /// Shown to the caller: the fault in the request or the project.
    Refused(String),
}

/// Limits on running and queued exports; in an emulator, one account may use all.
const fn most(mode: Mode, at_once: usize) -> Most {
    let (running_for_one, calls_for_one) = match mode {
        Mode::Serving => (MAX_AT_ONCE_FOR_ONE, MAX_WAITING_FOR_ONE),
        Mode::Emulator => (at_once, MAX_WAITING),
    };
    Most { running: at_once, running_for_one, calls: MAX_WAITING, calls_for_one, wait: QUEUE_TIMEOUT }
}

/// State shared by all exports of a server.
#[derive(Debug)]
struct Exporter {
    /// URL of the server from this machine.
    url: String,
    /// Folder of the program's copies.
    copies: PathBuf,
    capacity: Capacity,
    queue: Arc<FairQueue>,
}

/// The function.
pub(super) fn function(needs: &Needs<'_>) -> Function {
    let capacity = Capacity::of(memory::total());
    let exporter = Arc::new(Exporter {
        url: needs.local_url.to_owned(),
        copies: needs.programs.to_owned(),
        capacity,
        queue: FairQueue::new(most(needs.accounts.mode(), capacity.at_once), needs.shares),
    });
    let copies = exporter.copies.clone();
    // Nothing waits for it: what is in use stays.
    std::thread::spawn(move || sweep(&copies));
    Function::streaming("exportDeck", move |context: Context, request: Map<String, Value>, chunks: Chunks| {
        let exporter = Arc::clone(&exporter);
        async move {
            let token = token(&context)?;
            let request =
                serde_json::to_vec(&request).map_err(|_| CallError::invalid("The request is no JSON."))?;
            if request.len() > MAX_REQUEST_BYTES {
                let message = format!("The request must be at most {MAX_REQUEST_BYTES} bytes long.");
                return Err(CallError::invalid(message));
            }
            let (permit, waited) = exporter.wait(&context.user()?.uid, &chunks).await?;
            let mut done = read(&exporter.run(&token, request, permit).await?)?;
            if !waited.is_zero() {
                done.insert("waitedSeconds".to_owned(), waited.as_secs().max(1).into());
            }
            Ok(done)
        }
    })
    .timeout(CALL_TIMEOUT)
}

impl Exporter {
    /// Waits for a permit, and tells the caller if that is not there yet. Returns the time waited, which is zero if the
    /// permit was there at once.
    async fn wait(&self, account: &str, chunks: &Chunks) -> Result<(Held, Duration), CallError> {
        let queued = match self.queue.join(account)?.at_once() {
            Ok(held) => return Ok((held, Duration::ZERO)),
            Err(queued) => queued,
        };
        let begun = Instant::now();
        let waiting = json!({"waiting": {"others": queued.others, "atOnce": self.capacity.at_once}});
        chunks.send(&waiting).await?;
        Ok((queued.permit().await?, begun.elapsed()))
    }

    async fn run(&self, token: &str, request: Vec<u8>, permit: Held) -> Result<Output, CallError> {
        let copies = self.copies.clone();
        let program = tokio::task::spawn_blocking(move || Program::prepare(&copies))
            .await
            .map_err(|_| failed("The export could not be prepared."))?
            .map_err(CallError::from)?;
        let mut command = program.command([self.capacity.heap_option().as_str()]);
        command
            .args(["--call", "--server", &self.url])
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .envs(hosting::font_pack_environment())
            .env("TMPDIR", program.temporary())
            .env("TUCKBOX_TOKEN", token)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().map_err(|error| CallError::from(no_node(error)))?;
        run::supervise(child, request, self.capacity.bounds, (program, permit)).await
    }
}

/// The caller's own token, already verified for this call.
fn token(context: &Context) -> Result<String, CallError> {
    context.user()?;
    let header = context.raw.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = header.and_then(|value| value.split_once(' ')).map(|(_, token)| token.trim().to_owned());
    token.filter(|token| !token.is_empty()).ok_or_else(CallError::sign_in_first)
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
