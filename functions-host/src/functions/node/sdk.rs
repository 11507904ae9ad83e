//! The `firebase-functions` package of a source: its place, its release and its discovery command.

use std::path::{Path, PathBuf};

use docstore::{Code, Error, Result};
use serde::Deserialize;
use tokio::process::Command;

use super::environment::Machine;

/// Major and minor version.
type Release = (u64, u64);

/// Oldest release that can describe a source.
const OLDEST: Release = (3, 24);
/// First release whose command writes the description to a file.
const WRITES_FILE: Release = (6, 4);
/// Its command, in the package's folder.
const COMMAND: &str = "lib/bin/firebase-functions.js";
/// Describes sources of older releases.
const DESCRIBE: &str = include_str!("describe.mjs");

/// The SDK package of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sdk {
    program: PathBuf,
    /// As stated by the package.
    version: String,
    release: Release,
}

#[derive(Deserialize)]
struct Package {
    #[serde(default)]
    version: String,
}

impl Sdk {
    /// The package of a source, resolved as Node does; an error if there is none.
    pub(super) fn of(source: &Path) -> Result<Self> {
        if !source.join("package.json").is_file() {
            return Err(missing(format!(
                "{} has no package.json: functions.source in firebase.json must name the folder of the functions",
                source.display()
            )));
        }
        for at in source.ancestors() {
            let folder = at.join("node_modules/firebase-functions");
            if let Ok(text) = std::fs::read(folder.join("package.json")) {
                return Self::in_folder(&folder, &text);
            }
        }
        Err(missing(format!(
            "the package firebase-functions is not installed for {}: run npm install there",
            source.display()
        )))
    }

    fn in_folder(folder: &Path, package: &[u8]) -> Result<Self> {
        let Package { version } = serde_json::from_slice(package).map_err(|cause| {
            missing(format!("{}/package.json cannot be read: {cause}", folder.display())).with_source(cause)
        })?;
        // A custom build may have any version; it is taken for a new release.
        let release = release(&version).unwrap_or(WRITES_FILE);
        if release < OLDEST {
            let (major, minor) = OLDEST;
            return Err(missing(format!(
                "{} has firebase-functions {version}, which cannot say what a source defines: {major}.{minor} or newer \
                 is needed, npm install firebase-functions@latest brings it",
                folder.display()
            )));
        }
        let program = folder.join(COMMAND).canonicalize().map_err(|cause| {
            missing(format!("{} is not whole: run npm install again", folder.display())).with_source(cause)
        })?;
        Ok(Self { program, version, release })
    }

    /// Its version as stated by the package.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// The command that writes the description of `source` to `file`. `scratch` is a temporary folder for it.
    pub(super) fn describe(
        &self,
        node: &Path,
        machine: &Machine,
        source: &Path,
        file: &Path,
        scratch: &Path,
    ) -> Result<Command> {
        let mut command = Command::new(node);
        command.env_clear().envs(machine);
        if self.release >= WRITES_FILE {
            command.arg(&self.program).arg(source).env("FUNCTIONS_MANIFEST_OUTPUT_PATH", file);
        } else {
            let describe = scratch.join("describe.mjs");
            std::fs::write(&describe, DESCRIBE).map_err(|cause| {
                Error::internal("WorkerScratch", "cannot write to a temporary folder", cause)
            })?;
            command.arg(describe).args([self.program.as_path(), source, file]);
        }
        Ok(command)
    }
}

/// Major and minor number of a version.
fn release(version: &str) -> Option<Release> {
    let mut numbers = version.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn missing(what: String) -> Error {
    Error::new(Code::FailedPrecondition, "NoFunctionsSource", what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installed(version: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("node_modules/firebase-functions");
        std::fs::create_dir_all(package.join("lib/bin")).unwrap();
        std::fs::write(folder.path().join("package.json"), "{}").unwrap();
        std::fs::write(package.join("package.json"), format!(r#"{{"version":"{version}"}}"#)).unwrap();
        std::fs::write(package.join(COMMAND), "").unwrap();
        folder
    }

    #[test]
    fn says_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let message = |folder: &tempfile::TempDir| Sdk::of(folder.path()).unwrap_err().message().to_owned();
        assert!(message(&folder).contains("has no package.json"));
        std::fs::write(folder.path().join("package.json"), "{}").unwrap();
        assert!(message(&folder).contains("run npm install"));
        let old = message(&installed("3.6.1"));
        assert!(old.contains("3.6.1") && old.contains("3.24 or newer"), "{old}");
        let broken = installed("7.0.0");
        std::fs::remove_file(broken.path().join("node_modules/firebase-functions").join(COMMAND)).unwrap();
        assert!(message(&broken).contains("run npm install again"));
    }

    #[test]
    fn old_releases_are_described_by_a_program_of_ours() {
        for (version, ours) in [
            ("3.24.1", true),
            ("4.9.0", true),
            ("6.3.2", true),
            ("6.4.0-rc.1", false),
            ("7.4.0", false),
            ("local", false),
        ] {
            let folder = installed(version);
            // Resolved as Node does, from any folder below.
            let source = folder.path().join("packages/functions");
            std::fs::create_dir_all(&source).unwrap();
            std::fs::write(source.join("package.json"), "{}").unwrap();
            let sdk = Sdk::of(&source).unwrap();
            assert_eq!(sdk.version(), version);
            let file = folder.path().join("manifest.json");
            sdk.describe(Path::new("node"), &Machine::new(), &source, &file, folder.path()).unwrap();
            assert_eq!(folder.path().join("describe.mjs").exists(), ours, "{version}");
        }
    }

    #[tokio::test]
    async fn an_old_release_describes_a_source_or_says_why_not() {
        let folder = installed("5.1.1");
        let runtime = folder.path().join("node_modules/firebase-functions/lib/runtime");
        std::fs::create_dir(&runtime).unwrap();
        let loader = "exports.loadStack = async folder => require(folder);";
        std::fs::write(runtime.join("loader.js"), loader).unwrap();
        let manifest = "exports.stackToWire = stack => ({ wire: stack });";
        std::fs::write(runtime.join("manifest.js"), manifest).unwrap();
        let file = folder.path().join("manifest.json");
        let run = async |text: &str| {
            std::fs::write(folder.path().join("index.js"), text).unwrap();
            let source = folder.path();
            let sdk = Sdk::of(source).unwrap();
            let machine = std::env::vars_os().collect();
            sdk.describe(Path::new("node"), &machine, source, &file, source).unwrap().output().await.unwrap()
        };
        let good = run("exports.endpoints = {};").await;
        assert!(good.status.success(), "{good:?}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), r#"{"wire":{"endpoints":{}}}"#);
        let bad = run("throw new Error('the reason')").await;
        assert!(!bad.status.success());
        assert!(String::from_utf8_lossy(&bad.stderr).contains("the reason"), "{bad:?}");
    }
}
