//! A running program that packs cards.

use std::collections::{BTreeMap, HashMap};
use std::process::Stdio;
use std::time::Duration;

use docstore::model::{DocPath, Ts};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tuckbox_table::game_box::GameBox;

use super::documents::Documents;
use super::failed;
use crate::host::confinement::{Limits, outgrown};
use crate::hosting;
use crate::product::export_deck::program::{Program, no_node};
use crate::product::plain_json;
use crate::table::cards::NotPacked;

/// Its entry in the built-in application.
const PROGRAM: &str = "headless/pack-cards.mjs";

const MIB: u64 = 1 << 20;
/// Most resident memory, in bytes.
const RESIDENT: u64 = 768 * MIB;
/// Heap of JavaScript, in MiB.
const HEAP: &str = "--max-old-space-size=512";
/// Longest run.
const TIME: Duration = Duration::from_secs(20);
/// Runs after which a new program takes over: what each leaves behind is little, and has an end.
const RUNS: u64 = 2_000;
/// Bytes of documents, as JSON, that a program is given to keep before it is told to forget them.
const KEPT: usize = 96 << 20;
/// Longest answer in bytes: the largest box, its texts escaped.
const ANSWER: u64 = 24 << 20;
/// Longest complaint that is logged, in bytes: its end.
const COMPLAINT: usize = 2 << 10;

/// See the module's description.
#[derive(Debug)]
pub(super) struct Warm {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The end of its error output.
    said: JoinHandle<Vec<u8>>,
    /// Documents that it has, by project and path, as they were when they last changed.
    known: HashMap<DocPath, BTreeMap<String, Ts>>,
    bytes: usize,
    runs: u64,
    used: Instant,
    /// Its folder goes after it.
    _program: Program,
}

/// A reason for which there is no box.
pub(super) enum Fault {
    /// The program has ended.
    Ended,
    /// Another program would do no better.
    Refused(NotPacked),
}

#[derive(Deserialize)]
struct Answer {
    no: u64,
    #[serde(rename = "box")]
    game_box: Option<GameBox>,
    refused: Option<String>,
}

impl Warm {
    pub(super) async fn start(program: Program, url: &str) -> Result<Self, NotPacked> {
        let mut command = program.command_of(PROGRAM, [HEAP]);
        command
            .args(["--server", url])
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .envs(hosting::font_pack_environment())
            .env("TMPDIR", program.temporary())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            tracing::error!("cards cannot be packed: {}", no_node(error).message());
            failed()
        })?;
        let limits = Limits {
            data: RESIDENT + 1024 * MIB,
            file: 16 * MIB,
            // Of all its runs.
            processor: TIME * 1_000,
            niceness: 10,
        };
        limits.confine(&child).map_err(|_| failed())?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(failed());
        };
        let output = BufReader::new(output);
        let said = tokio::spawn(end_of(errors));
        let (known, used) = (HashMap::new(), Instant::now());
        Ok(Self { child, input, output, said, known, bytes: 0, runs: 0, used, _program: program })
    }

    /// True if it can be asked.
    pub(super) fn lives(&mut self) -> bool {
        self.runs < RUNS && matches!(self.child.try_wait(), Ok(None))
    }

    /// The last time it was asked.
    pub(super) fn used(&self) -> Instant {
        self.used
    }

    /// Packs a project. After anything but an answer the program is ended.
    pub(super) async fn ask(
        &mut self,
        project: &DocPath,
        components: &[String],
        documents: Documents,
    ) -> Result<GameBox, Fault> {
        (self.used, self.runs) = (Instant::now(), self.runs + 1);
        let line = self.request(project, components, documents);
        let process = self.child.id();
        let answer = tokio::select! {
            answer = timeout(TIME, Self::converse(&mut self.input, &mut self.output, &line)) => {
                answer.map_err(|_| NotPacked("The project takes too long to pack for a table to follow it.".to_owned()))
            }
            // Another program begins without the documents of other projects.
            () = outgrown(process, RESIDENT) => if self.known.len() > 1 { Ok(None) } else {
                Err(NotPacked("The project takes too much memory to pack for a table to follow it.".to_owned()))
            }
        };
        let why = match answer {
            Ok(Some(Answer { no, game_box: Some(game_box), .. })) if no == self.runs => return Ok(game_box),
            Ok(Some(Answer { no, refused: Some(why), .. })) if no == self.runs => {
                return Err(Fault::Refused(NotPacked(why)));
            }
            Ok(_) => {
                let _ = self.child.kill().await;
                self.complain().await;
                Fault::Ended
            }
            Err(why) => Fault::Refused(why),
        };
        // It would answer the next one with what it was asked now.
        let _ = self.child.kill().await;
        self.runs = RUNS;
        Err(why)
    }

    /// A request with the documents that are new to the program.
    fn request(&mut self, project: &DocPath, components: &[String], documents: Documents) -> String {
        let forget = self.bytes > KEPT;
        if forget {
            self.known.clear();
            self.bytes = 0;
        }
        let known = self.known.entry(project.clone()).or_default();
        let mut changed = serde_json::Map::new();
        let gone: Vec<_> = known.keys().filter(|path| !documents.contains_key(*path)).cloned().collect();
        for path in gone {
            known.remove(&path);
            changed.insert(path, Json::Null);
        }
        for (path, document) in documents {
            if known.insert(path.clone(), document.update_time) != Some(document.update_time) {
                changed.insert(path, plain_json::object(&document.fields));
            }
        }
        let id = project.id();
        let request = json!({
            "no": self.runs, "forget": forget, "project": id, "components": components, "documents": changed,
        });
        let line = format!("{request}\n");
        self.bytes += line.len();
        line
    }

    async fn converse(
        input: &mut ChildStdin,
        output: &mut BufReader<ChildStdout>,
        line: &str,
    ) -> Option<Answer> {
        let ask = async {
            // A program that ended says so by its output's end.
            let _ = input.write_all(line.as_bytes()).await;
            let _ = input.flush().await;
        };
        let mut answer = String::new();
        let mut limited = output.take(ANSWER);
        let read = limited.read_line(&mut answer);
        let ((), read) = tokio::join!(ask, read);
        read.ok().filter(|bytes| *bytes > 0)?;
        serde_json::from_str(&answer).ok()
    }

    /// Logs the last words of a program that has ended, on one line: they may quote users' texts.
    async fn complain(&mut self) {
        let said = timeout(Duration::from_secs(1), &mut self.said).await;
        let said = said.ok().and_then(Result::ok).unwrap_or_default();
        let said = format!("{:?}", String::from_utf8_lossy(&said));
        tracing::warn!(said, "the program that packs cards has ended");
    }
}

/// The last bytes of an output. It is read to its end, so that a program of many words never blocks.
async fn end_of(mut output: impl AsyncRead + Unpin) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut chunk = [0; 1 << 10];
    while let Ok(count @ 1..) = output.read(&mut chunk).await {
        kept.extend(chunk.iter().take(count));
        kept.drain(..kept.len().saturating_sub(COMPLAINT));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_end_of_many_words_is_kept() {
        assert_eq!(end_of(&b"few"[..]).await, b"few");
        let mut many = vec![b'.'; 1 << 20];
        many.extend(b"the last");
        let end = end_of(&many[..]).await;
        assert!(end.len() == COMPLAINT && end.ends_with(b"..the last"));
    }
}
