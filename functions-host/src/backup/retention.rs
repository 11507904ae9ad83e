//! Removal: of old backups, of what interrupted ones have left, and of contents that no backup has any more.

use std::collections::HashSet;
use std::num::NonZeroU32;

use docstore::Result;

use super::contents::{CONTENTS_FOLDER, each_content};
use super::folder::UNFINISHED;
use super::manifest::{self, Amount, ENDING, Manifest, is_id};
use super::target::BackupTarget;
use super::unusable;

/// Removes what interrupted backups have left, but contents, which the next one need not copy again.
///
/// # Errors
/// `FailedPrecondition` (`BackupUnusable`).
pub(super) fn remove_leftovers(target: &dyn BackupTarget) -> Result<()> {
    let failed = |cause| unusable(target.place(), cause);
    let names = target.list("").map_err(failed)?;
    // One list tells both: a manifest that cannot be looked at is there all the same.
    let whole: HashSet<&str> = names.iter().filter_map(|name| name.strip_suffix(ENDING)).collect();
    for name in &names {
        if is_id(name) && !whole.contains(&**name) {
            remove_folder(target, name)?;
        } else if name.ends_with(UNFINISHED) {
            target.remove(name).map_err(failed)?;
        }
    }
    Ok(())
}

/// Removes the oldest backups but `keep`, never the one just `made`, and then the contents that the others do not have.
/// Returns their number. A backup that cannot be read stays and does not count; as nobody knows what it needs, all contents
/// stay with it.
///
/// # Errors
/// `FailedPrecondition` (`BackupUnusable`).
pub(super) fn remove_oldest(target: &dyn BackupTarget, keep: NonZeroU32, made: &str) -> Result<u64> {
    let (mut all, unreadable) = manifest::readable(target)?;
    all.sort_by_key(|manifest| (manifest.id == made, manifest::order(manifest)));
    let spare = all.len().saturating_sub(usize::try_from(keep.get()).unwrap_or(usize::MAX));
    if spare == 0 {
        return Ok(0);
    }
    for error in &unreadable {
        tracing::warn!(
            "{}: contents of removed backups stay, for it may need them; remove it by hand if it is of no use",
            error.message()
        );
    }
    let needed = if unreadable.is_empty() { needed_by(target, &all[spare..]) } else { None };
    for old in &all[..spare] {
        // Without its manifest it is no backup any more, whatever happens then.
        target.remove(&format!("{}{ENDING}", old.id)).map_err(|cause| unusable(target.place(), cause))?;
        remove_folder(target, &old.id)?;
    }
    if let Some(needed) = needed {
        remove_contents(target, &needed)?;
    }
    Ok(spare as u64)
}

/// Names of the contents of backups; `None` if a list of them is damaged.
fn needed_by(target: &dyn BackupTarget, kept: &[Manifest]) -> Option<HashSet<String>> {
    let mut needed = HashSet::new();
    for manifest in kept {
        let mut listed = Amount::default();
        let read = each_content(target, manifest, |content| {
            listed.add(content.size);
            needed.insert(target.content_name(&content.sha256));
            Ok(())
        });
        if read.is_err() || listed != manifest.files {
            tracing::warn!(
                "the list of contents of the backup {} is damaged: contents of removed backups stay; remove it by hand if it is of no use",
                manifest.id
            );
            return None;
        }
    }
    Some(needed)
}

pub(super) fn remove_contents(target: &dyn BackupTarget, needed: &HashSet<String>) -> Result<()> {
    let failed = |cause| unusable(target.place(), cause);
    for folder in target.list(CONTENTS_FOLDER).map_err(failed)? {
        let folder = format!("{CONTENTS_FOLDER}/{folder}");
        for name in target.list(&folder).map_err(failed)? {
            if !needed.contains(&name) {
                target.remove(&format!("{folder}/{name}")).map_err(failed)?;
            }
        }
    }
    Ok(())
}

/// Removes a folder with its files.
///
/// # Errors
/// `FailedPrecondition` (`BackupUnusable`).
pub(super) fn remove_folder(target: &dyn BackupTarget, folder: &str) -> Result<()> {
    let failed = |cause| unusable(target.place(), cause);
    for name in target.list(folder).map_err(failed)? {
        target.remove(&format!("{folder}/{name}")).map_err(failed)?;
    }
    target.remove_folder(folder).map_err(failed)
}
