//! Containment of an import: only files and folders inside its folder, never through a link or `..`.
//!
//! The folder may come from somebody other than the operator who imports it, and imported files are served.

use std::path::{Component, Path, PathBuf};

use docstore::{Error, Result};

use super::unreadable;

/// A part of the folder, by the path in the export's own metadata, such as `storage_export`. Blocks while it checks
/// everything inside.
///
/// # Errors
/// It lies outside of the folder, or it is or contains a link or anything other than files and folders.
pub(super) fn part(folder: &Path, named: &str) -> Result<PathBuf> {
    let plain = |step: Component<'_>| matches!(step, Component::Normal(_) | Component::CurDir);
    if !Path::new(named).components().all(plain) {
        let message =
            format!("{} names {named:?}, which leads out of it: its parts must lie in it", folder.display());
        return Err(Error::invalid("ExportLeadsOut", message));
    }
    let mut path = folder.to_owned();
    for step in Path::new(named).components().filter(|step| matches!(step, Component::Normal(_))) {
        path.push(step);
        check(&path)?;
    }
    let mut folders = vec![path.clone()];
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(&folder).map_err(|cause| unreadable(&folder, cause))? {
            let path = entry.map_err(|cause| unreadable(&folder, cause))?.path();
            if check(&path)? {
                folders.push(path);
            }
        }
    }
    Ok(path)
}

/// True if it is a folder.
///
/// # Errors
/// It exists and is neither file nor folder.
fn check(path: &Path) -> Result<bool> {
    let kind = match std::fs::symlink_metadata(path) {
        Ok(about) => about.file_type(),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(cause) => return Err(unreadable(path, cause)),
    };
    if kind.is_dir() || kind.is_file() {
        return Ok(kind.is_dir());
    }
    let what =
        if kind.is_symlink() { "a link, and links are not followed" } else { "neither file nor folder" };
    let message =
        format!("{} is {what}: put the file itself there, or take it out of the export", path.display());
    Err(Error::invalid("ExportLeadsOut", message))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::part;

    #[test]
    fn parts_lie_in_the_folder_and_hold_no_links() {
        let place = tempfile::tempdir().unwrap();
        let (outside, folder) = (place.path().join("outside"), place.path().join("export"));
        std::fs::create_dir_all(outside.join("blobs")).unwrap();
        std::fs::create_dir_all(folder.join("good/blobs")).unwrap();
        std::fs::write(folder.join("good/blobs/a"), "a").unwrap();
        let refused = |named: &str| part(&folder, named).unwrap_err().message().to_owned();

        assert_eq!(part(&folder, "good").unwrap(), folder.join("good"));
        assert_eq!(part(&folder, "./good/blobs").unwrap(), folder.join("good/blobs"));
        assert_eq!(part(&folder, "not-there").unwrap(), folder.join("not-there"));
        for named in ["../outside", "good/../../outside", "/etc", outside.to_str().unwrap()] {
            assert!(refused(named).contains("leads out"), "{named}");
        }
        symlink(&outside, folder.join("linked")).unwrap();
        assert!(refused("linked").contains("is a link"));
        assert!(refused("linked/blobs").contains("is a link"));
        std::fs::create_dir(folder.join("good/blobs/deep")).unwrap();
        symlink("/etc/hostname", folder.join("good/blobs/deep/b")).unwrap();
        assert!(refused("good").contains("deep/b is a link"));
    }
}
