//! Checking a backup: every file of it is read and compared with its checksum.

use std::collections::BTreeSet;
use std::io::{BufReader, Read as _};

use docstore::{Code, Error, Result};
use sha2::{Digest as _, Sha256};

use super::contents::{counted, each_content, place_of};
use super::log::LogCopies;
use super::manifest::{Amount, Manifest, Part};
use super::target::BackupTarget;
use super::{damaged, hex};
use crate::host::blocking::{Abandoned, blocking};

/// Faults that are named; more are only counted.
const NAMED: usize = 20;
/// Bytes read at a time.
const PIECE: usize = 1 << 20;

/// Faults of a backup, in words.
#[derive(Debug, Default)]
struct Faults {
    count: u64,
    named: Vec<String>,
}

impl Faults {
    fn add(&mut self, fault: impl Into<String>) {
        self.count += 1;
        if self.named.len() < NAMED {
            self.named.push(fault.into());
        }
    }
}

/// Reads everything that belongs to a backup, and the copies of the log that continue it, on a thread for it.
///
/// # Errors
/// As of [`check`] and [`LogCopies::check`].
pub(crate) async fn verify(
    target: Box<dyn BackupTarget>,
    manifest: Manifest,
    log: Option<LogCopies>,
) -> Result<()> {
    blocking(move |abandoned| {
        check(&*target, &manifest, abandoned)?;
        log.map_or(Ok(()), |log| log.check(abandoned))
    })
    .await
}

/// Reads everything that belongs to a backup. Blocks on the disk.
///
/// # Errors
/// `DataLoss` (`BackupDamaged`), with the names of the files that are damaged, cut, missing or foreign.
pub(super) fn check(target: &dyn BackupTarget, manifest: &Manifest, abandoned: &Abandoned) -> Result<()> {
    let mut faults = Faults::default();
    let id = &manifest.id;
    let mut known = BTreeSet::new();
    for part in manifest.parts() {
        let path = format!("{id}/{}", part.name);
        known.insert(part.name.as_str());
        if let Some(fault) = fault_of(target, &path, part, abandoned)? {
            faults.add(fault);
        }
    }
    let there =
        target.list(id).map_err(|cause| damaged(format!("the folder {id} cannot be read: {cause}")))?;
    for name in there.iter().filter(|name| !known.contains(name.as_str())) {
        faults.add(format!("{id}/{name} does not belong to the backup"));
    }
    if faults.count == 0 {
        // The rest is found by what these files say.
        check_contents(target, manifest, abandoned, &mut faults)?;
        check_counts(target, manifest, &mut faults)?;
    }
    if faults.count == 0 {
        return Ok(());
    }
    let more = faults.count - faults.named.len() as u64;
    let more = if more == 0 { String::new() } else { format!("; and {more} more") };
    let named = faults.named.join("; ");
    Err(damaged(format!(
        "the backup {id} in {} is not whole: {named}{more}. Restore another one: --at TIME chooses it",
        target.place()
    )))
}

/// The fault of a file, in words; `None` if it is whole.
pub(super) fn fault_of(
    target: &dyn BackupTarget,
    path: &str,
    expected: &Part,
    abandoned: &Abandoned,
) -> Result<Option<String>> {
    let mut file = match target.open(path) {
        Ok(file) => file,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Some(format!("{path} is missing")));
        }
        Err(cause) => return Ok(Some(format!("{path} cannot be read: {cause}"))),
    };
    let (mut hash, mut size, mut piece) = (Sha256::new(), 0, vec![0; PIECE]);
    loop {
        abandoned.check()?;
        match file.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => {
                hash.update(&piece[..read]);
                size += read as u64;
            }
            Err(cause) => return Ok(Some(format!("{path} cannot be read: {cause}"))),
        }
    }
    Ok(match size.cmp(&expected.bytes) {
        std::cmp::Ordering::Less => Some(format!("{path} is cut")),
        _ if hex(&hash.finalize()) != expected.sha256 => Some(format!("{path} is damaged")),
        _ => None,
    })
}

fn check_contents(
    target: &dyn BackupTarget,
    manifest: &Manifest,
    abandoned: &Abandoned,
    faults: &mut Faults,
) -> Result<()> {
    let lacking: BTreeSet<&str> = manifest.lacking.iter().map(String::as_str).collect();
    let mut listed = Amount::default();
    each_content(target, manifest, |content| {
        listed.add(content.size);
        if lacking.contains(content.key.as_str()) {
            return Ok(());
        }
        let path = place_of(target, &content.sha256);
        let expected = Part { name: path.clone(), bytes: content.size, sha256: content.sha256 };
        if let Some(fault) = fault_of(target, &path, &expected, abandoned)? {
            faults.add(fault);
        }
        Ok(())
    })?;
    if listed != manifest.files {
        faults.add(format!(
            "{}/{} lists other contents than the manifest counts",
            manifest.id, manifest.contents.name
        ));
    }
    Ok(())
}

fn check_counts(target: &dyn BackupTarget, manifest: &Manifest, faults: &mut Faults) -> Result<()> {
    let path = format!("{}/{}", manifest.id, manifest.documents.name);
    let file = target.open(&path).map_err(|cause| damaged(format!("{path} cannot be read: {cause}")))?;
    let found = counted(&mut BufReader::new(file), &path);
    match found {
        Ok((databases, contents)) => {
            if databases != manifest.databases {
                faults.add(format!("{path} has other documents than the manifest counts"));
            }
            if contents != manifest.contents.sha256 {
                faults.add(format!("{path} names other contents than the backup's list"));
            }
        }
        Err(error) if error.code() == Code::DataLoss => faults.add(Error::message(&error).to_owned()),
        Err(error) => return Err(error),
    }
    Ok(())
}
