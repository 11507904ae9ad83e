//! Checks the prerequisites of functions without running them.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use docstore::{Code, Error, Result};
use tokio::process::Command;

use super::environment::{EMULATED, environment};
use super::sdk::Sdk;
use super::serve::sources;
use crate::host::settings::Settings;

/// Longest wait for Node to print its version.
const NODE_TIMEOUT: Duration = Duration::from_secs(10);

/// For each configured source, the runtime it would use, or the reason it cannot run.
pub(crate) async fn check(settings: &Settings) -> Vec<Result<String>> {
    let mut found = Vec::new();
    for source in sources(settings) {
        found.push(examine(&source, &settings.project).await);
    }
    found
}

async fn examine(source: &Path, project: &str) -> Result<String> {
    if !source.is_dir() {
        let message = format!("functions.source names {}, which does not exist", source.display());
        return Err(Error::new(Code::FailedPrecondition, "NoFunctionsSource", message));
    }
    let sdk = Sdk::of(source)?;
    environment(source, project, EMULATED, &[])?;
    let node = node_version(Path::new("node")).await?;
    Ok(format!("{} with firebase-functions {} under Node.js {node}", source.display(), sdk.version()))
}

async fn node_version(node: &Path) -> Result<String> {
    let asked = Command::new(node).arg("--version").stdin(Stdio::null()).kill_on_drop(true).output();
    let output = tokio::time::timeout(NODE_TIMEOUT, asked).await.ok().and_then(std::io::Result::ok);
    let said =
        output.filter(|output| output.status.success()).and_then(|said| String::from_utf8(said.stdout).ok());
    said.map(|version| version.trim().trim_start_matches('v').to_owned()).ok_or_else(|| {
        let message = format!("cannot run {}: Node.js is needed for functions", node.display());
        Error::new(Code::FailedPrecondition, "NoNode", message)
    })
}
