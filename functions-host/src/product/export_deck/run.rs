//! One run of the export program, from its start to the removal of its folder.

use std::os::unix::process::ExitStatusExt as _;
use std::process::Output;
use std::time::Duration;

use docstore::Code;
use rustix::process::Signal;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Child;
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::{MAX_ANSWER_BYTES, MAX_COMPLAINT_BYTES, failed};
use crate::functions::callable::CallError;
use crate::host::confinement::{Limits, outgrown};

/// Resource limits of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) time: Duration,
    /// Largest resident memory, in bytes.
    pub(super) resident: u64,
    pub(super) limits: Limits,
}

/// Sends a program its request and waits for its reply. In every case, even when the caller has stopped waiting, the
/// program has ended before `held` (its folder and its permit) is dropped.
pub(super) async fn supervise(
    mut child: Child,
    request: Vec<u8>,
    bounds: Bounds,
    held: impl Send + 'static,
) -> Result<Output, CallError> {
    let (mut answer, answered) = oneshot::channel();
    tokio::spawn(async move {
        let process = child.id();
        let output = tokio::select! {
            output = converse(&mut child, &request, bounds.limits) => output,
            () = outgrown(process, bounds.resident) => Err(too_large()),
            () = sleep(bounds.time) => Err(too_long()),
            () = answer.closed() => Err(failed("Nobody waits for it.")),
        };
        // No effect if it has ended by itself.
        let _ = child.kill().await;
        // The folder may be large.
        let _ = tokio::task::spawn_blocking(move || drop(held)).await;
        let _ = answer.send(output);
    });
    answered.await.map_err(|_| failed("The export was lost."))?
}

/// Sends the request and reads both outputs, keeping no more of them than is used.
async fn converse(child: &mut Child, request: &[u8], limits: Limits) -> Result<Output, CallError> {
    limits.confine(child)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let ask = async {
        if let Some(mut stdin) = stdin {
            // A program that ended early reports the reason itself.
            let _ = stdin.write_all(request).await;
        }
    };
    let (status, stdout, stderr, ()) =
        tokio::join!(child.wait(), head(stdout, MAX_ANSWER_BYTES), head(stderr, MAX_COMPLAINT_BYTES), ask);
    Ok(Output { status: status.map_err(|_| failed("The export was lost."))?, stdout, stderr })
}

/// The first `most` bytes of an output, and one more if it is longer. Reads to the end, so that the program never
/// blocks.
async fn head(output: Option<impl AsyncRead + Unpin>, most: usize) -> Vec<u8> {
    let mut kept = Vec::new();
    let Some(mut output) = output else { return kept };
    let mut chunk = [0; 8 << 10];
    while let Ok(count @ 1..) = output.read(&mut chunk).await {
        let room = (most + 1).saturating_sub(kept.len());
        kept.extend(chunk.iter().take(count.min(room)));
    }
    kept
}

/// The limit that ended a program without a reply, if it was one.
pub(super) fn outgrew(output: &Output) -> Option<CallError> {
    let signal = Signal::from_named_raw(output.status.signal()?)?;
    match signal {
        Signal::XCPU => Some(too_long()),
        Signal::XFSZ => Some(too_large_file()),
        // Signals that Node and its canvas end with when memory runs out.
        Signal::ABORT | Signal::TRAP => Some(too_large()),
        _ => None,
    }
}

fn too_long() -> CallError {
    let message = "The export took longer than an export here may take. Name one component, choose fewer dots per inch, \
                   or use the command line.";
    CallError::new(Code::DeadlineExceeded, message)
}

fn too_large() -> CallError {
    let message = "The export needed more memory than an export here may take. Name one component, choose fewer dots \
                   per inch, or use the command line.";
    CallError::new(Code::ResourceExhausted, message)
}

fn too_large_file() -> CallError {
    let message = "The export would be larger than an export here may be. Name one component, choose fewer dots per \
                   inch, or use the command line.";
    CallError::new(Code::ResourceExhausted, message)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::{Output, Stdio};
    use std::time::Duration;

    use docstore::Code;
    use tempfile::TempDir;
    use tokio::process::{Child, Command};
    use tokio::sync::oneshot;

    use super::super::capacity::Capacity;
    use super::super::{MAX_ANSWER_BYTES, MAX_COMPLAINT_BYTES};
    use super::{Bounds, outgrew, supervise};
    use crate::functions::callable::CallError;

    /// A shell script in place of the export program.
    fn script(text: &str, folder: &Path) -> Child {
        Command::new("sh")
            .args(["-c", text])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap()
    }

    fn bounds() -> Bounds {
        Capacity::of(None).bounds
    }

    async fn supervised(text: &str, bounds: Bounds) -> Result<Output, CallError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let child = script(text, &path);
        let output = supervise(child, b"request".to_vec(), bounds, folder).await;
        assert!(!path.exists(), "the folder was left behind");
        output
    }

    #[tokio::test]
    async fn a_request_is_answered() {
        let output = supervised("cat; echo complaint >&2; exit 3", bounds()).await.unwrap();
        assert_eq!(
            (output.stdout.as_slice(), output.stderr.as_slice()),
            (&b"request"[..], &b"complaint\n"[..])
        );
        assert_eq!(output.status.code(), Some(3));
    }

    #[tokio::test]
    async fn of_output_without_end_little_is_kept() {
        let output =
            supervised("head -c 9000000 /dev/zero; head -c 9000000 /dev/zero >&2", bounds()).await.unwrap();
        assert_eq!(output.stdout.len(), MAX_ANSWER_BYTES + 1);
        assert_eq!(output.stderr.len(), MAX_COMPLAINT_BYTES + 1);
    }

    #[tokio::test]
    async fn what_takes_too_long_ends_with_what_it_wrote() {
        let bounds = Bounds { time: Duration::from_millis(200), ..bounds() };
        let error = supervised("while :; do echo half >> half; sleep 0.01; done", bounds).await.unwrap_err();
        assert_eq!(error.code(), Code::DeadlineExceeded);
        assert!(error.inner().message().contains("Name one component"));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn what_grows_ends_and_the_caller_is_told_why() {
        let bounds = Bounds { resident: 64 << 20, ..bounds() };
        let error = supervised("exec tail /dev/zero", bounds).await.unwrap_err();
        assert_eq!(error.code(), Code::ResourceExhausted);
        assert!(error.inner().message().contains("more memory"));
    }

    #[tokio::test]
    async fn a_signal_of_a_limit_is_the_callers_to_mend() {
        for (signal, code) in [
            ("XCPU", Some(Code::DeadlineExceeded)),
            ("XFSZ", Some(Code::ResourceExhausted)),
            ("ABRT", Some(Code::ResourceExhausted)),
            ("SEGV", None),
        ] {
            let output = supervised(&format!("kill -{signal} $$"), bounds()).await.unwrap();
            assert_eq!(outgrew(&output).map(|error| error.code()), code, "{signal}");
        }
    }

    /// Reports when the folder is dropped.
    struct Held(TempDir, Option<oneshot::Sender<bool>>);

    impl Drop for Held {
        fn drop(&mut self) {
            let alone = std::fs::read_to_string(self.0.path().join("process"))
                .is_ok_and(|process| !Path::new("/proc").join(process.trim()).exists());
            if let Some(tell) = self.1.take() {
                let _ = tell.send(alone);
            }
        }
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn who_no_longer_waits_leaves_no_program_behind() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("process"), "").unwrap();
        let child = script("exec sleep 1000", folder.path());
        std::fs::write(folder.path().join("process"), child.id().unwrap().to_string()).unwrap();
        let (tell, told) = oneshot::channel();
        let mut call = Box::pin(supervise(child, Vec::new(), bounds(), Held(folder, Some(tell))));
        assert!(futures::poll!(call.as_mut()).is_pending());
        drop(call);
        assert!(told.await.unwrap(), "the program lives on");
    }
}
