//! File-system operations of the log and the snapshots, as a trait, so that tests can simulate power cuts.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rand::TryRng as _;
use rand::rngs::SysRng;

/// Permissions of files: accessible to the server's user alone.
pub(crate) const FILE_MODE: u32 = 0o600;
/// Permissions of folders.
const FOLDER_MODE: u32 = 0o700;

/// A folder of files. Paths are relative to it, with `/` between folders.
pub trait Files: fmt::Debug + Send + Sync + 'static {
    /// A file open for appending.
    type File: AppendFile;

    /// Lists a folder; empty if the folder does not exist.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;
    /// Creates a file that must not exist, and its folder if necessary. The file is durable only once
    /// [`Files::sync_folder`] has returned.
    fn create(&self, path: &str) -> io::Result<Self::File>;
    /// Opens a file for appending, truncated to `len` bytes.
    fn reopen(&self, path: &str, len: u64) -> io::Result<Self::File>;
    /// A file's length, in bytes.
    fn size(&self, path: &str) -> io::Result<u64>;
    /// Opens a file for reading.
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send>>;
    /// Removes an empty folder; a missing one is no error.
    fn remove_folder(&self, path: &str) -> io::Result<()>;
    /// Removes a file; a missing file is no error.
    fn remove(&self, path: &str) -> io::Result<()>;
    /// Renames a file within its folder, replacing an existing one.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    /// Makes creations, removals and renames in a folder durable.
    fn sync_folder(&self, folder: &str) -> io::Result<()>;
    /// Free space for this process, in bytes; `None` if unknown.
    fn free(&self) -> Option<u64>;
    /// Unguessable random bytes.
    fn random(&self) -> io::Result<[u8; 16]>;
    /// Creates a file that takes `len` bytes of the disk.
    fn reserve(&self, path: &str, len: u64) -> io::Result<()>;

    /// Reads a whole file.
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Replaces a small file atomically: a power cut leaves the old or the new one whole.
    fn replace(&self, folder: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = join(folder, name);
        let fresh = format!("{path}.new");
        self.remove(&fresh)?;
        let mut file = self.create(&fresh)?;
        file.write(bytes)?;
        file.sync()?;
        drop(file);
        self.rename(&fresh, &path)?;
        self.sync_folder(folder)
    }
}

/// An append-only file.
pub trait AppendFile: fmt::Debug + Send + 'static {
    /// Appends bytes.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Makes everything written durable.
    fn sync(&mut self) -> io::Result<()>;
    /// Truncates the file to `len` bytes, durably.
    fn cut(&mut self, len: u64) -> io::Result<()>;
}

/// Joins folder and name; the empty folder is the root.
pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Creates a folder and its parents, accessible to this process's user alone.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
}

/// The real file system below one folder.
#[derive(Debug, Clone)]
pub struct RealFiles(PathBuf);

impl RealFiles {
    /// Files below `root`, which must exist.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self(root.into())
    }
}

impl Files for RealFiles {
    type File = File;

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(self.0.join(folder)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = Vec::new();
        for entry in entries {
            if let Ok(name) = entry?.file_name().into_string() {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn create(&self, path: &str) -> io::Result<File> {
        let path = self.0.join(path);
        if let Some(folder) = path.parent()
            && !folder.exists()
        {
            let fresh = folder.ancestors().take_while(|folder| !folder.exists()).count();
            create_folder(folder)?;
            for holder in folder.ancestors().skip(1).take(fresh) {
                File::open(holder)?.sync_all()?;
            }
        }
        OpenOptions::new().append(true).create_new(true).mode(FILE_MODE).open(path)
    }

    fn reopen(&self, path: &str, len: u64) -> io::Result<File> {
        let file = OpenOptions::new().append(true).open(self.0.join(path))?;
        if file.metadata()?.len() != len {
            file.set_len(len)?;
            file.sync_all()?;
        }
        Ok(file)
    }

    fn size(&self, path: &str) -> io::Result<u64> {
        Ok(fs::metadata(self.0.join(path))?.len())
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(BufReader::new(File::open(self.0.join(path))?)))
    }

    fn remove_folder(&self, path: &str) -> io::Result<()> {
        match fs::remove_dir(self.0.join(path)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        match fs::remove_file(self.0.join(path)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        File::open(self.0.join(folder))?.sync_all()
    }

    fn free(&self) -> Option<u64> {
        let found = rustix::fs::statvfs(&self.0).ok()?;
        Some(found.f_bavail.saturating_mul(found.f_frsize))
    }

    fn random(&self) -> io::Result<[u8; 16]> {
        let mut bytes = [0; 16];
        SysRng.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
        Ok(bytes)
    }

    fn reserve(&self, path: &str, len: u64) -> io::Result<()> {
        let file = self.create(path)?;
        rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, len)?;
        Ok(())
    }
}

impl AppendFile for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        Write::write_all(self, bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        self.set_len(len)?;
        self.sync_all()
    }
}
