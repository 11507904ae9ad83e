//! `tuckbox doctor`: checks whether the server could run, and explains why not.

use std::io::Write;
use std::process::ExitCode;

use docstore::access::Mode;
use docstore::{Error, Result};

use super::{reachability, scrub, shared_store, surroundings};
use crate::functions::node;
use crate::host::config::Hosting;
use crate::host::data_dir::DataDir;
use crate::host::listeners;
use crate::host::machine::handles;
use crate::host::settings::{Data, ServerArgs, Settings};
use crate::hosting;
use crate::policies;

/// Fewer file descriptors than this cause a warning: each connection takes one.
const FEW_DESCRIPTORS: u64 = 1024;

/// The server's settings, and how much is checked.
#[derive(Debug, clap::Args)]
pub struct DoctorArgs {
    /// Also read all stored data of a stopped server and compare it with its checksums; nothing is repaired
    #[arg(long)]
    scrub: bool,
    /// Also send a test message to this address
    #[arg(long, value_name = "ADDRESS")]
    mail: Option<String>,
    #[command(flatten)]
    server: ServerArgs,
}

/// One finding.
pub(super) struct Finding {
    what: &'static str,
    verdict: Verdict,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Fine,
    Advice,
    Wrong,
}

impl Finding {
    pub(super) fn fine(what: &'static str, text: impl Into<String>) -> Self {
        Self { what, verdict: Verdict::Fine, text: text.into() }
    }

    pub(super) fn advice(what: &'static str, text: impl Into<String>) -> Self {
        Self { what, verdict: Verdict::Advice, text: text.into() }
    }

    pub(super) fn wrong(what: &'static str, error: &Error) -> Self {
        Self { what, verdict: Verdict::Wrong, text: error.message().to_owned() }
    }

    /// For faults of the store of files, whose messages are for its users and do not say why.
    pub(super) fn wrong_with_cause(what: &'static str, error: &Error) -> Self {
        let cause = std::error::Error::source(error).map(|cause| format!(" ({cause})")).unwrap_or_default();
        Self { text: format!("{}{cause}", error.message()), ..Self::wrong(what, error) }
    }

    #[cfg(test)]
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.verdict == Verdict::Wrong
    }

    pub(super) fn damage(what: &'static str, text: impl Into<String>) -> Self {
        Self { what, verdict: Verdict::Wrong, text: text.into() }
    }
}

/// Checks the prerequisites of `serve` with the same arguments and prints one line per finding. Returns 1 if the server
/// could not run.
///
/// # Errors
/// Stdout cannot be written.
pub async fn examine(args: &DoctorArgs) -> Result<ExitCode> {
    let mut findings = Vec::new();
    match Settings::new(&args.server, Mode::Serving) {
        Ok(settings) => {
            findings.push(configuration(&settings));
            findings.extend(rules_files(&settings));
            findings.push(data(&settings));
            findings.extend(shared_store::check(&settings).await);
            findings.extend(surroundings::check(&settings, args.mail.as_deref()).await);
            if args.scrub {
                findings.extend(scrub::scrub(&settings).await);
            }
            findings.extend(ports(&settings).await);
            findings.extend(reachability::check(&settings).await);
            findings.extend(sites(&settings));
            findings.extend(functions(&settings).await);
        }
        Err(error) => findings.push(Finding::wrong("configuration", &error)),
    }
    findings.push(descriptors());
    print(&findings)
        .map_err(|error| Error::internal("NoStdout", "cannot write the findings to stdout", error))?;
    let wrong = findings.iter().any(|finding| finding.verdict == Verdict::Wrong);
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn print(findings: &[Finding]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for Finding { what, verdict, text } in findings {
        let sign = match verdict {
            Verdict::Fine => "ok     ",
            Verdict::Advice => "advice ",
            Verdict::Wrong => "WRONG  ",
        };
        writeln!(out, "{sign} {what}: {text}")?;
    }
    out.flush()
}

fn configuration(settings: &Settings) -> Finding {
    let file = settings.config.file.as_ref();
    let file =
        file.map_or_else(|| "no firebase.json: defaults".to_owned(), |file| file.display().to_string());
    Finding::fine(
        "configuration",
        format!("{file}; project {}; {} mode", settings.project, settings.mode.name()),
    )
}

fn rules_files(settings: &Settings) -> Vec<Finding> {
    policies::check(settings).iter().map(|error| Finding::wrong("rules", error)).collect()
}

fn data(settings: &Settings) -> Finding {
    match &settings.data {
        Data::Memory => Finding::advice("data", "kept in memory: all is gone when the server ends"),
        // A check must not create anything.
        Data::Folder(path) if !path.exists() => {
            Finding::fine("data", format!("{} will be created", path.display()))
        }
        Data::Folder(path) => match DataDir::take(path) {
            Ok(taken) => {
                let view = settings.config.firebase.tuckbox.documents.view.0.name();
                let path = taken.path().display();
                Finding::fine(
                    "data",
                    format!("{path} can be used; {view} is the engine of the documents' view"),
                )
            }
            Err(error) => Finding::wrong("data", &error),
        },
    }
}

async fn ports(settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    for endpoint in &settings.endpoints {
        findings.push(match listeners::bind(std::slice::from_ref(endpoint)).await {
            // Closed again at once.
            Ok(found) => {
                let next = found.first().map_or(endpoint.port, |found| found.address.port());
                let (host, key) = (&endpoint.host, endpoint.service.key());
                if endpoint.port == 0 || next == endpoint.port {
                    Finding::fine("port", format!("{} on {host} ({key}) is free", endpoint.port))
                } else {
                    let text = format!("{} on {host} ({key}) is taken; {next} will be used", endpoint.port);
                    Finding::advice("port", text)
                }
            }
            Err(error) => Finding::wrong("port", &error),
        });
    }
    findings
}

fn sites(settings: &Settings) -> Vec<Finding> {
    settings.sites.iter().map(|site| content(settings, site)).collect()
}

fn content(settings: &Settings, site: &Hosting) -> Finding {
    if let Some(reason) = site.absent {
        return Finding::advice("site", reason);
    }
    if let Some(public) = &site.public {
        let path = settings.config.resolve(public);
        return if path.is_dir() {
            Finding::fine("site", path.display().to_string())
        } else {
            let text = format!("hosting.public names {}, which is no folder", path.display());
            match settings.mode {
                Mode::Serving => Finding::wrong("site", &Error::invalid("PublicMissing", text)),
                Mode::Emulator => Finding::advice("site", text),
            }
        };
    }
    if hosting::has_application() {
        Finding::fine("application", "built in")
    } else {
        Finding::advice(
            "application",
            "not built: run `npm ci` and `npm run build` in client/, then build the server again",
        )
    }
}

/// In serving mode functions run only where the configuration enables them; otherwise their faults do not matter.
async fn functions(settings: &Settings) -> Vec<Finding> {
    let run = settings.serves_functions() || settings.mode == Mode::Emulator;
    let finding = |found: Result<String>| match found {
        Ok(text) if run => Finding::fine("functions", text),
        Ok(text) => Finding::fine("functions", format!("{text}; they run in emulator mode only")),
        Err(error) if run => Finding::wrong("functions", &error),
        Err(error) => Finding::advice("functions", error.message()),
    };
    node::check(settings).await.into_iter().map(finding).collect()
}

fn descriptors() -> Finding {
    match handles::limit() {
        Some(limit) if limit < FEW_DESCRIPTORS => Finding::advice(
            "file descriptors",
            format!(
                "{limit} may be open at once, of which connections get {}; raise it with `ulimit -n`",
                handles::connections(Some(limit))
            ),
        ),
        Some(limit) => Finding::fine("file descriptors", format!("{limit} may be open at once")),
        None => Finding::fine("file descriptors", "no limit"),
    }
}
