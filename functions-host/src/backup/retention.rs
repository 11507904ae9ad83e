//! Removal: of old backups, of what interrupted ones have left, and of contents that no backup has any more.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader};
use std::num::NonZeroU32;

use docstore::Result;

use super::folder::{LOCK, UNFINISHED};
use super::make::{CONTENTS, CONTENTS_FOLDER, parse};
use super::manifest::{self, ENDING, is_id};
use super::target::BackupTarget;
use super::unusable;

/// Removes what interrupted backups have left, but contents, which the next one need not copy again.
///
/// # Errors
/// `FailedPrecondition` (`BackupUnusable`).
pub(super) fn remove_leftovers(target: &dyn BackupTarget) -> Result<()> {
    let failed = |cause| unusable(target.place(), cause);
    let names = target.list("").map_err(failed)?;
    for name in names {
        let whole = |id: &str| target.size(&format!("{id}{ENDING}")).is_ok();
        if is_id(&name) && !whole(&name) {
            remove_folder(target, &name)?;
        } else if name.ends_with(UNFINISHED) && name != LOCK {
            target.remove(&name).map_err(failed)?;
        }
    }
    Ok(())
}

/// Removes the oldest backups but `keep`, and then the contents that the others do not have. Returns their number.
///
/// # Errors
/// `FailedPrecondition` (`BackupUnusable`); `DataLoss` if a backup that is kept cannot be read: nothing is removed then.
pub(super) fn remove_oldest(target: &dyn BackupTarget, keep: NonZeroU32) -> Result<u64> {
    let ids = manifest::ids(target)?;
    let mut all = ids.iter().map(|id| manifest::read(target, id)).collect::<Result<Vec<_>>>()?;
    all.sort_by_key(manifest::order);
    let spare = all.len().saturating_sub(usize::try_from(keep.get()).unwrap_or(usize::MAX));
    if spare == 0 {
        return Ok(0);
    }
    let mut needed = HashSet::new();
    for kept in &all[spare..] {
        let path = format!("{}/{CONTENTS}", kept.id);
        let list = target.open(&path).map_err(|cause| unusable(target.place(), cause))?;
        for line in BufReader::new(list).lines() {
            needed.insert(parse(&line.map_err(|cause| unusable(target.place(), cause))?, &path)?.sha256);
        }
    }
    for old in &all[..spare] {
        // Without its manifest it is no backup any more, whatever happens then.
        target.remove(&format!("{}{ENDING}", old.id)).map_err(|cause| unusable(target.place(), cause))?;
        remove_folder(target, &old.id)?;
    }
    remove_contents(target, &needed)?;
    Ok(spare as u64)
}

fn remove_contents(target: &dyn BackupTarget, needed: &HashSet<String>) -> Result<()> {
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

fn remove_folder(target: &dyn BackupTarget, folder: &str) -> Result<()> {
    let failed = |cause| unusable(target.place(), cause);
    for name in target.list(folder).map_err(failed)? {
        target.remove(&format!("{folder}/{name}")).map_err(failed)?;
    }
    target.remove_folder(folder).map_err(failed)
}
