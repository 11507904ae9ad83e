//! Resource limits of a child process that handles untrusted input: memory, disk and time.
//!
//! The kernel enforces [`Limits`] from the start; [`outgrown`] watches the resident memory, which no kernel limit
//! covers. If the machine runs out of memory all the same, the kernel ends the child first. All this works on Linux;
//! elsewhere only the caller's time limits apply.

use std::time::Duration;

use docstore::Result;
use tokio::process::Child;

/// Interval of checks on a child's memory.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The kernel's score of processes to end first when memory runs out.
#[cfg(target_os = "linux")]
const OOM_FIRST: &str = "1000";

/// Limits enforced by the kernel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Memory it may allocate, in bytes: stops a child that grows faster than it is checked.
    pub(crate) data: u64,
    /// Largest file it may write, in bytes.
    pub(crate) file: u64,
    /// Processor time.
    pub(crate) processor: Duration,
    /// Niceness, 0 to 19.
    pub(crate) niceness: i32,
}

impl Limits {
    /// Applies the limits to a child.
    ///
    /// # Errors
    /// The kernel refuses; the child must not continue then.
    #[cfg(target_os = "linux")]
    pub(crate) fn confine(&self, child: &Child) -> Result<()> {
        use docstore::Error;
        use rustix::process::{Resource, Rlimit, getrlimit, prlimit, setpriority_process};

        let Some(pid) = id(child) else { return Ok(()) };
        let refused =
            |error| Error::internal("NotConfined", "cannot limit what a child process takes", error);
        let limits = [
            (Resource::Data, self.data),
            (Resource::Fsize, self.file),
            (Resource::Cpu, self.processor.as_secs().max(1)),
            (Resource::Core, 0),
        ];
        for (resource, most) in limits {
            // A lower limit that is already set stays.
            let most = getrlimit(resource).maximum.map_or(most, |allowed| allowed.min(most));
            let limit = Rlimit { current: Some(most), maximum: Some(most) };
            match prlimit(Some(pid), resource, limit) {
                // It ended already.
                Ok(_) | Err(rustix::io::Errno::SRCH) => {}
                Err(error) => return Err(refused(error)),
            }
        }
        // Best effort: some containers deny it.
        let _ = std::fs::write(format!("/proc/{}/oom_score_adj", pid.as_raw_nonzero()), OOM_FIRST);
        match setpriority_process(Some(pid), self.niceness) {
            Ok(()) | Err(rustix::io::Errno::SRCH) => Ok(()),
            Err(error) => Err(refused(error)),
        }
    }

    /// Does nothing: this system has no such limits.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
    pub(crate) fn confine(&self, _child: &Child) -> Result<()> {
        Ok(())
    }
}

#[cfg(target_os = "linux")]
fn id(child: &Child) -> Option<rustix::process::Pid> {
    child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw)
}

/// Completes when a process holds more than `most` bytes of memory; otherwise never.
pub(crate) async fn outgrown(process: Option<u32>, most: u64) {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    loop {
        looks.tick().await;
        if process.and_then(resident).is_some_and(|bytes| bytes > most) {
            return;
        }
    }
}

/// Resident memory of a process, in bytes; `None` if the system does not tell.
fn resident(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::Stdio;
    use std::time::Duration;

    use rustix::process::Signal;
    use tokio::io::AsyncWriteExt as _;
    use tokio::process::{Child, Command};

    use super::{Limits, outgrown};

    const MIB: u64 = 1 << 20;
    const LIMITS: Limits =
        Limits { data: 512 * MIB, file: MIB, processor: Duration::from_secs(1), niceness: 10 };

    /// A shell that starts once it is confined.
    async fn confined(script: &str, limits: Limits) -> Child {
        let mut child = Command::new("sh")
            .args(["-c", &format!("read start; {script}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        limits.confine(&child).unwrap();
        child.stdin.take().unwrap().write_all(b"go\n").await.unwrap();
        child
    }

    #[tokio::test]
    async fn files_end_at_their_limit() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let script = format!("exec head -c 9000000 /dev/zero > {}", file.display());
        let status = confined(&script, LIMITS).await.wait().await.unwrap();
        assert_eq!(status.signal(), Some(Signal::XFSZ.as_raw()));
        assert_eq!(std::fs::metadata(file).unwrap().len(), MIB);
    }

    #[tokio::test]
    async fn a_loop_ends_when_its_processor_time_is_used_up() {
        let status = confined("while :; do :; done", LIMITS).await.wait().await.unwrap();
        assert!(
            matches!(status.signal(), Some(signal) if signal == Signal::XCPU.as_raw() || signal == Signal::KILL.as_raw())
        );
    }

    #[tokio::test]
    async fn memory_beyond_the_limit_is_not_given_and_priority_is_low() {
        // `tail` buffers an endless line whole.
        let limits = Limits { data: 64 * MIB, processor: Duration::from_secs(60), ..LIMITS };
        let output = confined("nice; cat /proc/$$/oom_score_adj; exec tail /dev/zero", limits)
            .await
            .wait_with_output()
            .await
            .unwrap();
        assert!(!output.status.success());
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), "10\n1000");
    }

    #[tokio::test]
    async fn one_that_holds_too_much_memory_is_noticed() {
        let limits = Limits { processor: Duration::from_secs(60), ..LIMITS };
        let mut child = confined("exec tail /dev/zero", limits).await;
        tokio::select! {
            () = outgrown(child.id(), 128 * MIB) => {}
            status = child.wait() => panic!("it ended with {status:?} before it was noticed"),
        }
        child.kill().await.unwrap();
    }
}
