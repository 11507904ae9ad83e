//! `tuckbox doctor --scrub`: reads all stored data and compares it with its checksums.

use std::sync::Arc;

use docstore::Result;
use docstore::clock::SystemClock;
use docstore::engine;
use storage_emu::blobs::Blobs;

use super::doctor::Finding;
use crate::host::data_dir::DataDir;
use crate::host::settings::{Data, Settings};
use crate::server::services::{blob_options, documents_folder};

/// Reads the documents' log, snapshots and view, and the contents of files. Nothing is repaired.
pub(super) async fn scrub(settings: &Settings) -> Vec<Finding> {
    let folder = match &settings.data {
        Data::Folder(path) if path.exists() => path,
        _ => return vec![Finding::advice("scrub", "there is no data folder to read")],
    };
    // Held until everything is read.
    let taken = match DataDir::take(folder) {
        Ok(taken) => taken,
        Err(error) => return vec![Finding::wrong("scrub", &error)],
    };
    let mut findings = documents(&taken).await;
    findings.push(files(settings, &taken).await.unwrap_or_else(|error| Finding::wrong("files", &error)));
    findings
}

async fn documents(taken: &DataDir) -> Vec<Finding> {
    let folder = documents_folder(taken.path());
    if !folder.exists() {
        return vec![Finding::advice("documents", "none are stored yet")];
    }
    let read = tokio::task::spawn_blocking(move || engine::scrub(&folder, engine::DEFAULT_CACHE)).await;
    let report = match read {
        Ok(Ok(report)) => report,
        Ok(Err(error)) => return vec![Finding::wrong("documents", &error)],
        Err(panic) => {
            let error = docstore::Error::internal("ScrubPanicked", "the documents cannot be read", panic);
            return vec![Finding::wrong("documents", &error)];
        }
    };
    let mut findings = Vec::new();
    for fault in &report.described {
        findings.push(Finding::damage("documents", fault));
    }
    let unsaid = report.faults - report.described.len() as u64;
    if unsaid > 0 {
        findings.push(Finding::damage("documents", format!("{unsaid} more faults")));
    }
    findings.extend(report.remarks.iter().map(|remark| Finding::advice("documents", remark)));
    if report.faults == 0 {
        let rows = report.rows.map_or_else(String::new, |rows| format!(", {rows} rows of the view"));
        let text = format!(
            "{} commits of the log, {} entries of snapshots{rows} are whole",
            report.commits, report.snapshot_entries
        );
        findings.push(Finding::fine("documents", text));
    }
    findings
}

async fn files(settings: &Settings, taken: &DataDir) -> Result<Finding> {
    let blobs = Blobs::open(&blob_options(settings, Some(taken.path())), Arc::new(SystemClock))?;
    let report = blobs.scrub().await?;
    if report.damaged == 0 {
        let text = format!("{} contents of {} bytes are whole", report.contents, report.bytes);
        return Ok(Finding::fine("files", text));
    }
    let text = format!(
        "{} of {} contents are damaged: restore these from a backup of the data folder: {}",
        report.damaged,
        report.contents,
        report.named.join(", ")
    );
    Ok(Finding::damage("files", text))
}
