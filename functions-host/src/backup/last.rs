//! The record of the last backup in the data folder, which survives restarts and counts backups made by hand.

use std::path::Path;

use docstore::engine::{Files as _, RealFiles};
use docstore::model::Ts;
use serde::{Deserialize, Serialize};

use super::manifest::Manifest;

/// The file in the data folder.
const FILE: &str = "backup.json";

/// The last backup of a data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LastBackup {
    /// The moment it shows, in microseconds since the epoch.
    pub(crate) time: u64,
    /// The folder it is in.
    pub(crate) place: String,
    /// Its name there.
    pub(crate) id: String,
    /// Number of documents.
    pub(crate) documents: u64,
    /// Number of contents of files.
    pub(crate) files: u64,
    /// Bytes it would take alone.
    pub(crate) bytes: u64,
    /// Version of the newest commit in it; 0 in records of earlier programs.
    #[serde(default)]
    pub(crate) commit: u64,
}

impl LastBackup {
    /// The record of a backup at `place`.
    pub(super) fn of(manifest: &Manifest, place: &str) -> Self {
        Self {
            time: manifest.time,
            place: place.to_owned(),
            id: manifest.id.clone(),
            documents: manifest.document_count(),
            files: manifest.files.count,
            bytes: manifest.bytes(),
            commit: manifest.commit,
        }
    }

    /// The moment it shows.
    pub(crate) fn at(&self) -> Ts {
        Ts::from_micros(self.time)
    }

    /// The record in a data folder; `None` if none was made, or the record cannot be read.
    pub(crate) fn read(data: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(data.join(FILE)).ok()?).ok()
    }

    /// Writes the record. A backup is whole without it, so a failure is only logged.
    pub(super) fn write(&self, data: &Path) {
        let bytes = serde_json::to_vec_pretty(self).map_err(std::io::Error::other);
        let written = bytes.and_then(|bytes| RealFiles::new(data).replace("", FILE, &bytes));
        if let Err(error) = written {
            tracing::warn!(%error, "the backup is made, but {FILE} of the data folder could not be written");
        }
    }
}
