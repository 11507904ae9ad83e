//! Checks of `tuckbox doctor` on the database of a shared store, and on the node's copy of it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use docstore::clock::SystemClock;
use docstore::engine::shared::{ClusterId, MAX_CLOCK_SKEW, cluster_of_copy};
use docstore_postgres::{Examined, Standby, Stored, examine};

use super::doctor::Finding;
use crate::host::settings::{Data, Settings};
use crate::host::words::{number_of, size};
use crate::server::shared_store::{check_files, check_folder, copy_folder, options};

/// Difference between the clocks from which on there is advice.
const CLOCK_ADVICE: Duration = Duration::from_millis(500);
/// Age of commits that are not folded from which on there is advice: the leader folds each minute.
const UNFOLDED_ADVICE: Duration = Duration::from_secs(600);
/// Bytes that a standby may lag behind before there is advice.
const LAG_ADVICE: u64 = 64 << 20;

/// Checks the database, if there is one, without changing it.
pub(super) async fn check(settings: &Settings) -> Vec<Finding> {
    let (Some(address), Data::Folder(data)) = (&settings.store, &settings.data) else { return Vec::new() };
    let mut findings = Vec::new();
    if let Err(error) = check_files(settings) {
        findings.push(Finding::wrong("database", &error));
    }
    match examine(options(address, data, Arc::new(SystemClock))).await {
        Ok(found) => {
            findings.extend(database(&found));
            findings.push(copy(data, found.stored.as_ref().map(|stored| stored.cluster)));
        }
        Err(error) => findings.push(Finding::wrong("database", &error)),
    }
    findings
}

fn database(found: &Examined) -> Vec<Finding> {
    let Examined { address, version, role, .. } = found;
    let mut findings = vec![Finding::fine("database", format!("{address} is of PostgreSQL {version}"))];
    findings.push(rights(found));
    findings.push(durability(found));
    findings.push(clock(found));
    findings.extend(found.standbys.iter().map(standby));
    findings.push(match &found.stored {
        Some(stored) => log(stored),
        None if found.lacking.is_empty() => {
            Finding::fine("database", format!("it is empty; the first start sets it up as {role}"))
        }
        None => Finding::advice("database", "what is in it could not be read"),
    });
    findings
}

fn rights(found: &Examined) -> Finding {
    let Examined { role, lacking, .. } = found;
    if !lacking.is_empty() {
        let tables = lacking.join(", ");
        return Finding::damage(
            "database",
            format!(
                "the role {role} may not read and change {tables} in the schema tuckbox: run GRANT USAGE ON SCHEMA tuckbox TO \
                 {role}; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tuckbox TO {role}"
            ),
        );
    }
    if found.stored.is_none() && !found.may_create {
        return Finding::damage(
            "database",
            format!(
                "the role {role} may not set it up: make it the owner of the database, or GRANT CREATE ON DATABASE"
            ),
        );
    }
    Finding::fine("database", format!("the role {role} has the rights it needs"))
}

fn durability(found: &Examined) -> Finding {
    let lost = "a power cut loses what was acknowledged, or the whole database: set";
    if !found.durable {
        return Finding::damage("database", format!("fsync is off, so {lost} fsync = on"));
    }
    if !found.whole_pages {
        return Finding::damage(
            "database",
            format!("full_page_writes is off, so {lost} full_page_writes = on"),
        );
    }
    match (found.waits_for_standby, found.synchronous_commit.as_str()) {
        (true, "local" | "off") => Finding::advice(
            "database",
            "it names a synchronous standby and does not wait for it (synchronous_commit = local): what was acknowledged \
             last is lost with the primary",
        ),
        (true, _) => Finding::fine("database", "it acknowledges what is on its disk and on a standby"),
        (false, _) => Finding::fine(
            "database",
            "it acknowledges what is on its disk; without a synchronous standby that goes with the disk",
        ),
    }
}

fn clock(found: &Examined) -> Finding {
    let side = if found.ahead { "ahead of" } else { "behind" };
    let text =
        format!("this machine's clock is {:.1} s {side} the database's", found.clock_off.as_secs_f64());
    if found.clock_off > MAX_CLOCK_SKEW {
        Finding::damage(
            "database",
            format!("{text}, so the server does not serve: let both follow a time server (NTP)"),
        )
    } else if found.clock_off > CLOCK_ADVICE {
        Finding::advice("database", format!("{text}: let both follow a time server (NTP)"))
    } else {
        Finding::fine("database", "its clock and this machine's agree")
    }
}

fn standby(standby: &Standby) -> Finding {
    let kind = if standby.synchronous { "synchronous" } else { "asynchronous" };
    let text = format!("the {kind} standby {} is {} behind", standby.name, size(standby.behind));
    if standby.behind > LAG_ADVICE {
        Finding::advice("database", text)
    } else {
        Finding::fine("database", text)
    }
}

fn log(stored: &Stored) -> Finding {
    let Stored { cluster, term, log_bytes, document_bytes, unfolded, .. } = stored;
    let text = format!(
        "it has the cluster {cluster} in term {term}: {} of documents, {} of log",
        size(*document_bytes),
        size(*log_bytes)
    );
    if *unfolded > UNFOLDED_ADVICE {
        let minutes = number_of(unfolded.as_secs() / 60, "minute", "minutes");
        return Finding::advice(
            "database",
            format!(
                "{text}; commits of {minutes} are not folded into the documents: a server that runs says why in its log"
            ),
        );
    }
    Finding::fine("database", text)
}

/// The local copy. A copy of another cluster was refused before.
fn copy(data: &Path, cluster: Option<ClusterId>) -> Finding {
    if let Err(error) = check_folder(data) {
        return Finding::wrong("copy", &error);
    }
    let folder = copy_folder(data);
    match cluster_of_copy(&folder) {
        Some(_) if cluster.is_none() => Finding::damage(
            "copy",
            format!(
                "{} is a copy of a shared store, and the database is empty: restore it, or name the right one",
                folder.display()
            ),
        ),
        Some(_) => Finding::fine("copy", format!("{} is a copy of this cluster", folder.display())),
        None => Finding::fine(
            "copy",
            format!("there is none in {}: the next start makes it from the database", folder.display()),
        ),
    }
}
