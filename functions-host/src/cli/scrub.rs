//! `tuckbox doctor --scrub`: reads all stored data and compares it with its checksums, and looks for what records name.

use std::sync::Arc;

use docstore::clock::{SharedClock, SystemClock};
use docstore::{Result, Store, engine};
use storage_emu::blobs::Blobs;
use storage_emu::{FileCatalog, LostFiles};

use super::doctor::Finding;
use crate::host::data_dir::DataDir;
use crate::host::settings::{Data, Settings};
use crate::host::words::number_of;
use crate::product::plans::Plans;
use crate::schema::opening::{self, Older};
use crate::server::services::{blob_options, documents_folder, store_options};

/// Reads the documents' log, snapshots and view, and the contents of files, then looks for the contents that records
/// name. Nothing is repaired.
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
    let damaged = findings.iter().any(Finding::is_wrong);
    findings.push(
        files(settings, &taken).await.unwrap_or_else(|error| Finding::wrong_with_cause("files", &error)),
    );
    if damaged {
        findings
            .push(Finding::advice("files", "not looked for by the records, because documents are damaged"));
    } else if documents_folder(taken.path()).exists() {
        let compared = Box::pin(records(settings, &taken)).await;
        findings.extend(compared.unwrap_or_else(|error| vec![Finding::wrong_with_cause("records", &error)]));
    }
    findings
}

/// Compares records with what they are of, over the documents as a start opens them.
async fn records(settings: &Settings, taken: &DataDir) -> Result<Vec<Finding>> {
    let clock: SharedClock = Arc::new(SystemClock);
    let options = store_options(settings, Some(taken), Arc::clone(&clock)).await?;
    // Documents of an older version are looked through as they are; a newer one is refused.
    let store = opening::open(options, &settings.project, &Older::Keep).await?;
    let findings = compared(settings, taken, clock, &store).await;
    let closed = store.close().await;
    let findings = findings?;
    closed.map(|()| findings)
}

async fn compared(
    settings: &Settings,
    taken: &DataDir,
    clock: SharedClock,
    store: &Store,
) -> Result<Vec<Finding>> {
    let blobs = Blobs::open(&blob_options(settings, Some(taken.path())), clock)?;
    let (mut lost, mut drifted) = (LostFiles::default(), 0);
    for project in store.projects() {
        lost.add(FileCatalog::new(store, &project).lost(&blobs).await?);
        drifted += Plans::new(store, &project, &[]).sizes().drifted().await?;
    }
    let mut findings = vec![lost_files(&lost)];
    if drifted > 0 {
        findings.push(Finding::advice("sizes", wrong_sizes(drifted as u64)));
    }
    Ok(findings)
}

fn wrong_sizes(count: u64) -> String {
    format!(
        "the stored size of all documents is wrong for {}, so a limit on documents may refuse too much or too little; no \
         document is lost. Start the server: it counts all documents again",
        number_of(count, "account or project", "accounts and projects")
    )
}

fn lost_files(report: &LostFiles) -> Finding {
    let LostFiles { files, lost, named } = report;
    if *lost == 0 {
        return Finding::fine("files", format!("the contents of all {files} files are there"));
    }
    let named: Vec<String> =
        named.iter().map(|file| format!("{}/{} (content {})", file.bucket, file.name, file.key)).collect();
    let text = format!(
        "{lost} of {files} files have lost their contents: put these back from a backup of the data folder, or upload the \
         files again, or delete them: {}",
        named.join(", ")
    );
    Finding::damage("files", text)
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

#[cfg(test)]
mod tests {
    use docstore::model::{DatabaseId, DocPath, Fields, Value, Write};
    use docstore::{Draft, Limits, StoreOptions};

    use super::*;
    use docstore::access::Mode;

    use crate::host::settings::ServerArgs;

    #[tokio::test]
    async fn documents_of_a_newer_version_are_not_looked_through() {
        let folder = tempfile::tempdir().unwrap();
        let args = ServerArgs { data: Some(folder.path().to_owned()), ..ServerArgs::default() };
        let settings = Settings::new(&args, Mode::Serving).unwrap();
        let engine = docstore::EngineOptions::disk(documents_folder(folder.path()));
        let options = StoreOptions { engine, clock: Arc::new(SystemClock), limits: Limits::default() };
        let store = Store::open(options).await.unwrap();
        let schema = store.database(&DatabaseId::new(&settings.project, "__schema__"));
        let path = DocPath::parse("state/schema").unwrap();
        let newer = Value::Integer(i64::from(crate::schema::VERSION) + 1);
        let fields = Fields::from([("version".to_owned(), newer)]);
        schema.commit(Draft::of(vec![Write::set(path, fields)])).await.unwrap();
        store.close().await.unwrap();
        drop((store, schema));
        let findings = scrub(&settings).await;
        let refused = findings.iter().find(|finding| finding.is_wrong()).unwrap();
        assert!(refused.text().contains("newer"), "{}", refused.text());
        // The folder can be taken again.
        drop(DataDir::take(folder.path()).unwrap());
    }

    #[test]
    fn sizes_that_are_wrong_are_said_with_the_way_out() {
        assert!(wrong_sizes(1).contains("1 account or project,"));
        assert!(wrong_sizes(3).contains("3 accounts and projects,"));
    }
}
