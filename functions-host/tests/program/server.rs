//! The real program, started for a test and killed afterwards.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};

/// Prefix of every ready line.
const READY: &str = "Tuckbox is ready: ";

/// A running server. Dropping it kills it and waits for its end, so that the next one finds the data folder free.
pub(crate) struct Server {
    pub(crate) url: String,
    child: Child,
    stdout: BufReader<ChildStdout>,
    stderr: BufReader<ChildStderr>,
}

/// The result of a process that ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A folder for one test, with a `firebase.json` if there is text for one.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new(firebase: Option<&str>) -> Self {
        // The tests' HTTP client needs one even for unencrypted connections.
        _ = rustls::crypto::ring::default_provider().install_default();
        let folder = tempfile::tempdir().unwrap();
        if let Some(text) = firebase {
            fs::write(folder.path().join("firebase.json"), text).unwrap();
        }
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn join(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn command(&self, args: &[&str], variables: &[(&str, &str)]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tuckbox"));
        command.current_dir(self.path()).args(args).envs(variables.iter().copied()).kill_on_drop(true);
        // Other servers of this machine announce themselves in the default one.
        command.env("TMPDIR", self.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// `tuckbox serve --project demo --port 0` and `args`, once it is ready.
    pub(crate) async fn serve(&self, args: &[&str]) -> Server {
        self.serve_with(args, &[]).await
    }

    /// The same with environment variables.
    pub(crate) async fn serve_with(&self, args: &[&str], variables: &[(&str, &str)]) -> Server {
        self.started(&[&["serve", "--project", "demo", "--port", "0"], args].concat(), variables).await
    }

    /// The same for another project.
    pub(crate) async fn serve_project(&self, project: &str, args: &[&str]) -> Server {
        self.started(&[&["serve", "--project", project, "--port", "0"], args].concat(), &[]).await
    }

    #[expect(clippy::panic, reason = "the log belongs into the test's output")]
    async fn started(&self, args: &[&str], variables: &[(&str, &str)]) -> Server {
        let mut child = self.command(args, variables).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).await.unwrap();
        let Some(url) = line.trim_end().strip_prefix(READY) else {
            let mut log = String::new();
            stderr.read_to_string(&mut log).await.unwrap();
            panic!("no ready line but {line:?}; the log:\n{log}");
        };
        Server { url: url.to_owned(), child, stdout, stderr }
    }

    /// Starts `tuckbox` and does not wait for anything.
    pub(crate) fn spawn(&self, args: &[&str], variables: &[(&str, &str)]) -> Child {
        self.command(args, variables).spawn().unwrap()
    }

    /// Runs `tuckbox` to its end.
    pub(crate) async fn run(&self, args: &[&str]) -> Ended {
        self.run_with(args, &[]).await
    }

    /// The same with environment variables.
    pub(crate) async fn run_with(&self, args: &[&str], variables: &[(&str, &str)]) -> Ended {
        let output = self.command(args, variables).output().await.unwrap();
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Server {
    /// A URL of this server.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// Reads the log up to a line with `text`. Returns everything read.
    pub(crate) async fn logged(&mut self, text: &str) -> String {
        let (mut read, mut seen) = (String::new(), 0);
        while !read[seen..].contains(text) {
            seen = read.len();
            assert!(
                self.stderr.read_line(&mut read).await.unwrap() > 0,
                "the log ended without {text:?}:\n{read}"
            );
        }
        read
    }

    pub(crate) async fn signal(&self, signal: &str) {
        let id = self.child.id().unwrap().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().await.unwrap().success());
    }

    /// Waits until the process has ended. Returns the rest of its output.
    pub(crate) async fn ended(mut self) -> Ended {
        let (mut stdout, mut stderr) = (String::new(), String::new());
        let (out, err, status) = tokio::join!(
            self.stdout.read_to_string(&mut stdout),
            self.stderr.read_to_string(&mut stderr),
            self.child.wait()
        );
        out.unwrap();
        err.unwrap();
        Ended { code: status.unwrap().code(), stdout, stderr }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // None once it has been waited for.
        let Some(id) = self.child.id() else { return };
        _ = self.child.start_kill();
        let pid = i32::try_from(id).ok().and_then(Pid::from_raw).unwrap();
        // Leaves the status to the runtime, which collects it.
        _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    }
}

/// Fields of a project as its owner makes it.
pub(crate) fn new_project_of(uid: &str) -> serde_json::Value {
    serde_json::json!({
        "name": { "stringValue": "Deck" },
        "owner": { "stringValue": uid },
        "members": { "mapValue": { "fields": { uid: { "stringValue": "owner" } } } },
        "memberIds": { "arrayValue": { "values": [{ "stringValue": uid }] } },
    })
}
