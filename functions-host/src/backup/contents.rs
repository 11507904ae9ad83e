//! The contents of files: their list in a backup, and their places beside the backups.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read};

use docstore::backup::documents;
use docstore::{Error, Result};
use sha2::{Digest as _, Sha256};
use storage_emu::KeptContent;

use super::manifest::Manifest;
use super::target::BackupTarget;
use super::{damaged, hex};

/// Folder of the contents.
pub(super) const CONTENTS_FOLDER: &str = "contents";

/// Path of a content in the place of the backups.
pub(super) fn place_of(target: &dyn BackupTarget, sha256: &str) -> String {
    let name = target.content_name(sha256);
    format!("{CONTENTS_FOLDER}/{}/{name}", name.get(..2).unwrap_or("00"))
}

/// A content's line in the list.
pub(super) fn line(content: &KeptContent) -> String {
    format!("{} {} {}\n", content.sha256, content.size, content.key)
}

/// The content of a line in the list `path`.
///
/// # Errors
/// `DataLoss` (`BackupDamaged`).
fn parse(line: &str, path: &str) -> Result<KeptContent> {
    let mut words = line.splitn(3, ' ');
    let parsed = (|| {
        let (sha256, size, key) = (words.next()?, words.next()?.parse().ok()?, words.next()?);
        let is_checksum = sha256.len() == 64 && sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_key = key.starts_with("blobs/") && !key.split('/').any(|name| name.is_empty() || name == "..");
        (is_checksum && is_key).then(|| KeptContent { key: key.to_owned(), sha256: sha256.to_owned(), size })
    })();
    parsed.ok_or_else(|| damaged(format!("{path} has a line that names no content: {line:?}")))
}

/// Hands the contents of the list in the file `path` to `each`, in its order. `unreadable` is the error of a failed read.
///
/// # Errors
/// `DataLoss` (`BackupDamaged`); `unreadable`; whatever `each` returns.
pub(super) fn each_listed(
    target: &dyn BackupTarget,
    path: &str,
    unreadable: impl Fn(io::Error) -> Error,
    mut each: impl FnMut(KeptContent) -> Result<()>,
) -> Result<()> {
    for line in BufReader::new(target.open(path).map_err(&unreadable)?).lines() {
        each(parse(&line.map_err(&unreadable)?, path)?)?;
    }
    Ok(())
}

/// Hands the contents of a backup to `each`, in the order of the list.
///
/// # Errors
/// `DataLoss` (`BackupDamaged`); whatever `each` returns.
pub(super) fn each_content(
    target: &dyn BackupTarget,
    manifest: &Manifest,
    each: impl FnMut(KeptContent) -> Result<()>,
) -> Result<()> {
    let path = format!("{}/{}", manifest.id, manifest.contents.name);
    each_listed(target, &path, |cause| damaged(format!("{path} cannot be read: {cause}")), each)
}

/// Hands the contents that the documents of a snapshot name to `each`. Returns the number of documents in each database.
///
/// # Errors
/// `DataLoss` when the snapshot is damaged; whatever `each` returns.
pub(super) fn each_named(
    snapshot: &mut dyn Read,
    name: &str,
    mut each: impl FnMut(&KeptContent) -> Result<()>,
) -> Result<BTreeMap<String, u64>> {
    let mut databases = BTreeMap::new();
    documents(snapshot, name, &mut |database, document| {
        *databases.entry(format!("{}/{}", database.project, database.database)).or_default() += 1;
        KeptContent::of(database, &document)?.map_or(Ok(()), |content| each(&content))
    })?;
    Ok(databases)
}

/// Number of documents in each database, and the checksum of the list of contents they name.
///
/// # Errors
/// `DataLoss` when the snapshot is damaged.
pub(super) fn counted(snapshot: &mut dyn Read, name: &str) -> Result<(BTreeMap<String, u64>, String)> {
    let mut hash = Sha256::new();
    let databases = each_named(snapshot, name, |content| {
        hash.update(line(content));
        Ok(())
    })?;
    Ok((databases, hex(&hash.finalize())))
}
