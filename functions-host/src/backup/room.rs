//! Free space that a backup leaves on the disk it is written to.

use std::cell::Cell;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use docstore::{Code, Error, Result};

use super::target::BackupTarget;

/// Free space left on a disk of backups, in bytes.
const KEPT_FREE: u64 = 64 << 20;
/// The same on the disk of the data. The store refuses commits below 96 MiB, and a backup must end long before.
const KEPT_FREE_BESIDE_DATA: u64 = 512 << 20;
/// Bytes written between two looks at the free space.
const LOOK_EVERY: u64 = 4 << 20;

/// The free space of a target, while a backup is written.
pub(super) struct Room<'a> {
    target: &'a dyn BackupTarget,
    floor: u64,
    /// Bytes written since the last look.
    written: Cell<u64>,
}

impl<'a> Room<'a> {
    /// The room at `target` for a backup of the folder `data`.
    pub(super) fn new(target: &'a dyn BackupTarget, data: &Path) -> Self {
        let of_data = device(data);
        let beside_data = of_data.is_some() && target.device() == of_data;
        let floor = if beside_data { KEPT_FREE_BESIDE_DATA } else { KEPT_FREE };
        Self { target, floor, written: Cell::new(LOOK_EVERY) }
    }

    /// Asks for room for bytes to be written now.
    ///
    /// # Errors
    /// `ResourceExhausted` (`BackupDiskFull`).
    pub(super) fn take(&self, bytes: u64) -> Result<()> {
        let written = self.written.get().saturating_add(bytes);
        if written < LOOK_EVERY {
            self.written.set(written);
            return Ok(());
        }
        self.written.set(0);
        match self.target.free() {
            Some(free) if free < self.floor + LOOK_EVERY + bytes => {
                let message = format!(
                    "the disk of {} is nearly full, and a backup leaves {} MiB free: free space, keep fewer backups with --keep, or name a folder on another disk",
                    self.target.place(),
                    self.floor >> 20
                );
                Err(Error::new(Code::ResourceExhausted, "BackupDiskFull", message))
            }
            _ => Ok(()),
        }
    }
}

/// The device that a folder lies on; `None` if it cannot be found out.
pub(super) fn device(folder: &Path) -> Option<u64> {
    folder.metadata().ok().map(|found| found.dev())
}

#[cfg(test)]
mod tests {
    use super::super::target::{Purpose, open_target};
    use super::*;

    #[test]
    fn more_is_left_free_on_the_disk_of_the_data() {
        let folder = tempfile::tempdir().unwrap();
        let target = open_target(&folder.path().join("backups"), Purpose::Write, None).unwrap();
        assert_eq!(Room::new(&*target, folder.path()).floor, KEPT_FREE_BESIDE_DATA);
        assert_eq!(Room::new(&*target, &folder.path().join("missing")).floor, KEPT_FREE);
        assert_eq!(Room::new(&*target, Path::new("/proc")).floor, KEPT_FREE);
    }
}
