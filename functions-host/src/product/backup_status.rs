//! `adminBackup`: the last backup, for admins.

use std::sync::Arc;

use serde::Serialize;

use super::admin::admin_of;
use crate::backup::Runner;
use crate::functions::callable::{CallError, Context, Function};

/// Times in milliseconds since the epoch.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    /// False for a server in memory, of which there are no backups.
    stored: bool,
    /// The last backup.
    last: Option<Last>,
    /// True if there was none for a week.
    overdue: bool,
    /// The server's time; 0 without backups.
    now: u64,
}

#[derive(Debug, Serialize)]
struct Last {
    time: u64,
    place: String,
    documents: u64,
    files: u64,
    bytes: u64,
}

/// The function.
pub(super) fn function(backups: Option<Arc<Runner>>) -> Function {
    Function::new("adminBackup", move |context: Context, (): ()| {
        let backups = backups.clone();
        async move {
            admin_of(&context)?;
            let last = backups.as_ref().and_then(|backups| backups.last());
            Ok::<_, CallError>(Status {
                stored: backups.is_some(),
                overdue: backups.as_ref().is_some_and(|backups| backups.is_overdue()),
                last: last.map(|last| Last {
                    time: last.at().micros() / 1_000,
                    place: last.place,
                    documents: last.documents,
                    files: last.files,
                    bytes: last.bytes,
                }),
                now: backups.map_or(0, |backups| backups.now().micros() / 1_000),
            })
        }
    })
}
