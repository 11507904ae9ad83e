//! A backup's manifest: what it holds, with lengths and checksums.
//!
//! The file is JSON, followed by a line with the SHA-256 of that JSON.

use std::collections::BTreeMap;
use std::io::{self, Read};

use docstore::model::Ts;
use docstore::{Code, Error, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::target::BackupTarget;
use super::{damaged, hex, shown, unusable};
use crate::host::clock::stamp;

/// Version of the manifest, and of everything it lists.
pub(super) const FORMAT: u32 = 1;
/// Ending of a manifest's name.
pub(super) const ENDING: &str = ".manifest";
/// Beginning of the line with the checksum.
const CHECKSUM: &str = "\nsha256 ";
/// Largest manifest, in bytes; a longer one is damaged.
const MAX_BYTES: u64 = 16 << 20;
/// Contents that a backup may lack. With more, the folder of files is not the one that belongs to the documents.
pub(super) const MAX_LACKING: usize = 1_000;

/// A file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Part {
    /// Its name in the backup's folder.
    pub(crate) name: String,
    /// Its length.
    pub(crate) bytes: u64,
    /// Its checksum, in hexadecimal digits.
    pub(crate) sha256: String,
}

/// A file of the data folder, kept as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SmallFile {
    /// Its path in the data folder.
    pub(crate) path: String,
    /// The file in the backup.
    pub(crate) part: Part,
}

/// Number of things and their bytes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Amount {
    /// Number.
    pub(crate) count: u64,
    /// Bytes.
    pub(crate) bytes: u64,
}

impl Amount {
    pub(super) fn add(&mut self, bytes: u64) {
        self.count += 1;
        self.bytes += bytes;
    }
}

/// A backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Manifest {
    /// Version of the format.
    pub(crate) format: u32,
    /// Its name among the backups of a folder.
    pub(crate) id: String,
    /// Version of the program that wrote it.
    pub(crate) program: String,
    /// The project of the server.
    pub(crate) project: String,
    /// The moment it shows, in microseconds since the epoch, by the server's clock.
    pub(crate) time: u64,
    /// Version of the newest commit in it.
    pub(crate) commit: u64,
    /// All documents.
    pub(crate) documents: Part,
    /// Number of documents in each database, as `project/database`.
    pub(crate) databases: BTreeMap<String, u64>,
    /// The list of contents.
    pub(crate) contents: Part,
    /// The contents in the list.
    pub(crate) files: Amount,
    /// Contents that no backup before had.
    pub(crate) copied: Amount,
    /// Contents that files have and that were missing or damaged in the data folder, by their keys.
    pub(crate) lacking: Vec<String>,
    /// Keys and other small files.
    pub(crate) small: Vec<SmallFile>,
}

impl Manifest {
    /// The moment it shows.
    pub(crate) fn at(&self) -> Ts {
        Ts::from_micros(self.time)
    }

    /// Number of documents.
    pub(crate) fn document_count(&self) -> u64 {
        self.databases.values().sum()
    }

    /// Bytes it would take alone.
    pub(crate) fn bytes(&self) -> u64 {
        let small = self.small.iter().map(|file| file.part.bytes);
        self.documents.bytes + self.contents.bytes + self.files.bytes + small.sum::<u64>()
    }

    /// Its parts.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Part> {
        [&self.documents, &self.contents].into_iter().chain(self.small.iter().map(|file| &file.part))
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// None: all fields have a JSON form.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>> {
        let json = serde_json::to_string_pretty(self);
        let json = json.map_err(|cause| Error::internal("ManifestForm", "a manifest has no form", cause))?;
        Ok(format!("{json}{CHECKSUM}{}\n", hex(&Sha256::digest(&json))).into_bytes())
    }

    /// Reads a file's bytes. `name` is for errors.
    ///
    /// # Errors
    /// `DataLoss` (`BackupDamaged`); `FailedPrecondition` (`BackupNewer`).
    pub(super) fn parse(name: &str, bytes: &[u8]) -> Result<Self> {
        let broken = || damaged(format!("the manifest {name} is damaged or cut"));
        let text = std::str::from_utf8(bytes).map_err(|_| broken())?;
        let (json, checksum) = text.rsplit_once(CHECKSUM).ok_or_else(broken)?;
        if checksum != format!("{}\n", hex(&Sha256::digest(json))) {
            return Err(broken());
        }
        let format: Format = serde_json::from_str(json).map_err(|_| broken())?;
        if format.format > FORMAT {
            let message = format!(
                "the backup {name} has format {}, and this Tuckbox ({}) reads up to {FORMAT}: use a newer one",
                format.format,
                crate::VERSION
            );
            return Err(Error::new(Code::FailedPrecondition, "BackupNewer", message));
        }
        serde_json::from_str(json).map_err(|_| broken())
    }
}

/// The version alone, which a newer manifest has too.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// A new backup's name: its time in UTC, and a number if there is one of that second.
pub(super) fn new_id(at: Ts, taken: &[String]) -> String {
    let stamp = stamp(at);
    let names = (2..).map(|number| format!("{stamp}-{number}"));
    std::iter::once(stamp.clone()).chain(names).find(|name| !taken.contains(name)).unwrap_or(stamp)
}

/// True if a name is one that [`new_id`] gives.
pub(super) fn is_id(name: &str) -> bool {
    let (stamp, number) = name.split_once('-').unwrap_or((name, "2"));
    let digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    // Bytes: a foreign name may have letters of several.
    let stamp = match stamp.as_bytes() {
        [day @ .., b'T', _, _, _, _, _, _, b'Z'] if day.len() == 8 => {
            digits(day) && digits(&stamp.as_bytes()[9..15])
        }
        _ => false,
    };
    stamp && digits(number.as_bytes())
}

/// Names of the backups of a place, by their manifests. None is read.
///
/// # Errors
/// `FailedPrecondition` (`BackupUnusable`).
pub(super) fn ids(target: &dyn BackupTarget) -> Result<Vec<String>> {
    let names = target.list("").map_err(|cause| unusable(target.place(), cause))?;
    let ids = names.iter().filter_map(|name| name.strip_suffix(ENDING)).filter(|id| is_id(id));
    Ok(ids.map(str::to_owned).collect())
}

/// The manifest of one backup.
///
/// # Errors
/// Those of [`Manifest::parse`]; `DataLoss` if it cannot be read.
pub(super) fn read(target: &dyn BackupTarget, id: &str) -> Result<Manifest> {
    let name = format!("{id}{ENDING}");
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        target.open(&name)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|cause| damaged(format!("the manifest {name} cannot be read: {cause}")))?;
    let manifest = Manifest::parse(&name, &bytes)?;
    if manifest.id != id {
        return Err(damaged(format!("the manifest {name} is that of the backup {}", manifest.id)));
    }
    Ok(manifest)
}

/// The order of backups, the oldest first. Commits never go back, as a clock does that is set back.
pub(super) fn order(manifest: &Manifest) -> (u64, u64, String) {
    (manifest.commit, manifest.time, manifest.id.clone())
}

/// The manifests of a place, and the errors of those that cannot be read, each with its name.
///
/// # Errors
/// `FailedPrecondition` (`BackupUnusable`).
pub(super) fn readable(target: &dyn BackupTarget) -> Result<(Vec<Manifest>, Vec<Error>)> {
    let (mut manifests, mut unreadable) = (Vec::new(), Vec::new());
    for id in ids(target)? {
        match read(target, &id) {
            Ok(manifest) => manifests.push(manifest),
            Err(error) => unreadable.push(error),
        }
    }
    Ok((manifests, unreadable))
}

/// The backup that `which` names, by its name or by a time from which on it was the newest; the newest one without. Ones
/// that cannot be read are named in a warning and passed over.
///
/// # Errors
/// `NotFound` (`NoBackups`, `NoSuchBackup`), `InvalidArgument` (`BackupTime`); the manifest's own when it is named, or when
/// no other fits.
pub(crate) fn chosen(target: &dyn BackupTarget, which: Option<&str>) -> Result<Manifest> {
    let all = ids(target)?;
    if let Some(id) = which.filter(|which| all.iter().any(|id| id == which)) {
        return read(target, id);
    }
    let until = which.map(time_named).transpose()?;
    let (found, unreadable) = readable(target)?;
    let fits = |manifest: &&Manifest| until.is_none_or(|until| manifest.at() <= until);
    // Commits were made while the backup began; after a clock was set back all may be later.
    let is_before = |manifest: &&Manifest| until.is_none_or(|until| manifest.commit <= until.micros());
    let newest = |found: Vec<&Manifest>| found.into_iter().max_by_key(|manifest| order(manifest)).cloned();
    let fitting: Vec<&Manifest> = found.iter().filter(fits).collect();
    let chosen = newest(fitting.iter().copied().filter(is_before).collect()).or_else(|| newest(fitting));
    let Some(newest) = chosen else {
        return Err(none_fits(target.place(), &found, &unreadable));
    };
    for error in unreadable {
        tracing::warn!("{}: the backup is passed over", error.message());
    }
    Ok(newest)
}

fn none_fits(place: &str, found: &[Manifest], unreadable: &[Error]) -> Error {
    let oldest = found.iter().map(Manifest::at).min();
    match (unreadable.first(), oldest) {
        (Some(first), _) => {
            let reasons: Vec<&str> = unreadable.iter().map(Error::message).collect();
            let mut names: Vec<&str> = found.iter().map(|manifest| &*manifest.id).collect();
            names.sort_unstable();
            let others = match names.len() {
                0 => "there is no other one".to_owned(),
                _ => format!("others are {}: --at NAME chooses one", names.join(", ")),
            };
            let message = format!("no backup in {place} can be restored: {}; {others}", reasons.join("; "));
            Error::new(first.code(), first.tag(), message)
        }
        (None, None) => Error::new(Code::NotFound, "NoBackups", format!("{place} has no whole backup")),
        (None, Some(oldest)) => {
            let message = format!("the oldest backup in {place} is of {}", shown(oldest));
            Error::new(Code::NotFound, "NoSuchBackup", message)
        }
    }
}

/// The time that a text names; a day is its end.
///
/// # Errors
/// `InvalidArgument` (`BackupTime`).
pub(crate) fn time_named(text: &str) -> Result<Ts> {
    let day = || text.parse::<chrono::NaiveDate>().ok()?.and_hms_micro_opt(23, 59, 59, 999_999);
    let time = chrono::DateTime::parse_from_rfc3339(text).map(|time| time.to_utc()).ok();
    let time = time.or_else(|| Some(day()?.and_utc()));
    let micros = time.and_then(|time| u64::try_from(time.timestamp_micros()).ok());
    micros.map(Ts::from_micros).ok_or_else(|| {
        let message = format!(
            "{text:?} is neither the name of a backup in this place nor a time: write the name of a backup, a time such as 2027-01-31T18:00:00Z, or a day such as 2027-01-31"
        );
        Error::invalid("BackupTime", message)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_foreign_name_is_no_backups_name(name in any::<String>(), nearly in "[0-9]{7,8}.[0-9T]{5,6}.(-.)?") {
            for name in [name, nearly] {
                let (stamp, number) = name.split_once('-').unwrap_or((&name, "2"));
                let form: Vec<char> = stamp.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
                let expected = form.iter().collect::<String>() == "00000000T000000Z"
                    && !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
                prop_assert_eq!(is_id(&name), expected, "{}", name);
            }
        }

        #[test]
        fn a_given_name_is_a_backups_name(seconds in 0u64..4_000_000_000, taken in any::<bool>()) {
            let at = Ts::from_micros(seconds * 1_000_000);
            let first = new_id(at, &[]);
            let id = if taken { new_id(at, &[first]) } else { first };
            prop_assert!(is_id(&id), "{}", id);
        }
    }
}
