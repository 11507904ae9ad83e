//! Disk use of the parts of a data folder.

use std::fs;
use std::path::Path;

use super::{log, snapshot};

/// Bytes on the disk, by part of the data folder. Files that are removed meanwhile do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskUsage {
    /// The log.
    pub log: u64,
    /// Snapshots.
    pub snapshots: u64,
    /// The materialised view.
    pub view: u64,
    /// Free space for this process; `None` if unknown.
    pub free: Option<u64>,
}

impl DiskUsage {
    /// Looks at the size of each file below `folder`.
    pub(super) fn of(folder: &Path, view: &str, free: Option<u64>) -> Self {
        let below = |name: &str| bytes_below(&folder.join(name));
        Self { log: below(log::FOLDER), snapshots: below(snapshot::FOLDER), view: below(view), free }
    }
}

fn bytes_below(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let size = |entry: fs::DirEntry| {
        let metadata = entry.metadata().ok()?;
        Some(if metadata.is_dir() { bytes_below(&entry.path()) } else { metadata.len() })
    };
    entries.flatten().filter_map(size).sum()
}

#[cfg(test)]
mod tests {
    use super::DiskUsage;

    #[test]
    fn parts_are_counted_with_their_folders() {
        let place = tempfile::tempdir().unwrap();
        let write = |path: &str, bytes: usize| {
            let file = place.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, vec![0; bytes]).unwrap();
        };
        write("log/1.seg", 10);
        write("log/2.seg", 20);
        write("fjall/keyspaces/a/1", 40);
        write("fjall/journal", 5);
        write("sled/db", 1_000);
        let usage = DiskUsage::of(place.path(), "fjall", Some(7));
        assert_eq!(usage, DiskUsage { log: 30, snapshots: 0, view: 45, free: Some(7) });
    }
}
