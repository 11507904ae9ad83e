//! A file system in memory that separates written bytes from durable ones.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor, Read};
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use super::files::{AppendFile, Files};

/// A simulated disk. Cloning shares it.
#[derive(Debug, Clone, Default)]
pub struct SimFiles(Arc<Mutex<Disk>>);

#[derive(Debug, Default)]
struct Disk {
    /// The files as programs see them.
    live: BTreeMap<String, usize>,
    /// The names as the disk has them.
    durable: BTreeMap<String, usize>,
    contents: Vec<Content>,
    /// Operations until the power cut; `None` means never.
    fuse: Option<u64>,
    /// Space-consuming operations until the disk is full; `None` means never.
    room: Option<u64>,
    /// Free space reported to programs, in bytes.
    free: Option<u64>,
    /// Paths read, in order.
    read: Vec<String>,
    /// No file can be opened.
    handles_gone: bool,
    /// A full disk refuses truncation, too.
    stuck: bool,
    /// The last random bytes.
    random: u128,
}

#[derive(Debug, Default, Clone)]
struct Content {
    bytes: Vec<u8>,
    /// Length of the durable part.
    synced: usize,
}

impl SimFiles {
    /// Lets `operations` more succeed; then the power is cut and every later one fails.
    pub fn cut_after(&self, operations: u64) {
        self.lock().fuse = Some(operations);
    }

    /// Lets `operations` more that need space succeed. Then the disk is full: every later one fails, and a write leaves
    /// half of its bytes.
    pub fn full_after(&self, operations: u64) {
        self.lock().room = Some(operations);
    }

    /// Gives the disk room again.
    pub fn room_again(&self) {
        let mut disk = self.lock();
        (disk.room, disk.free, disk.stuck) = (None, None, false);
    }

    /// Makes truncation fail, too, while the disk is full.
    pub fn stuck_when_full(&self) {
        self.lock().stuck = true;
    }

    /// Paths read since the last call, in order.
    pub fn reads(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().read)
    }

    /// Sets whether files can be opened from now on.
    pub fn handles(&self, there: bool) {
        self.lock().handles_gone = !there;
    }

    /// Sets the free space reported to programs, in bytes.
    pub fn set_free(&self, bytes: u64) {
        self.lock().free = Some(bytes);
    }

    /// The disk after a power cut. `torn` returns, for each file with unsynced bytes, how many of them (up to the
    /// number given) reached the disk.
    pub fn after_power_cut(&self, mut torn: impl FnMut(usize) -> usize) -> Self {
        let disk = self.lock();
        let mut found = Disk::default();
        for (name, &at) in &disk.durable {
            let content = &disk.contents[at];
            let lucky = torn(content.bytes.len() - content.synced).min(content.bytes.len() - content.synced);
            let bytes = content.bytes[..content.synced + lucky].to_vec();
            found.live.insert(name.clone(), found.contents.len());
            found.durable.insert(name.clone(), found.contents.len());
            found.contents.push(Content { synced: bytes.len(), bytes });
        }
        Self(Arc::new(Mutex::new(found)))
    }

    /// Flips a byte of a file in place.
    pub fn damage(&self, path: &str, at: usize) {
        let mut disk = self.lock();
        let Some(&content) = disk.live.get(path) else { return };
        if let Some(byte) = disk.contents[content].bytes.get_mut(at) {
            *byte ^= 0xff;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Disk> {
        self.0.lock()
    }

    fn operate<T>(&self, run: impl FnOnce(&mut Disk) -> io::Result<T>) -> io::Result<T> {
        let mut disk = self.lock();
        if let Some(fuse) = &mut disk.fuse {
            if *fuse == 0 {
                return Err(io::Error::other("the power is off"));
            }
            *fuse -= 1;
        }
        run(&mut disk)
    }

    /// As above, for operations that need space; `full` tells `run` that there is none.
    fn grow<T>(&self, run: impl FnOnce(&mut Disk, bool) -> io::Result<T>) -> io::Result<T> {
        self.operate(|disk| {
            let full = disk.room == Some(0);
            disk.room = disk.room.map(|room| room.saturating_sub(1));
            run(disk, full)
        })
    }
}

fn no_room<T>() -> io::Result<T> {
    Err(io::Error::from(io::ErrorKind::StorageFull))
}

fn missing(path: &str) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, path.to_owned())
}

/// The rest of a path below a folder.
fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

fn in_folder<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    below(path, folder).filter(|name| !name.contains('/'))
}

impl Files for SimFiles {
    type File = SimFile;

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let disk = self.lock();
        let names = disk.live.keys().filter_map(|path| below(path, folder)?.split('/').next());
        Ok(names.map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect())
    }

    fn create(&self, path: &str) -> io::Result<SimFile> {
        self.grow(|disk, full| {
            if disk.handles_gone {
                return Err(rustix::io::Errno::MFILE.into());
            }
            if full {
                return no_room();
            }
            if disk.live.contains_key(path) {
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, path.to_owned()));
            }
            let content = disk.contents.len();
            disk.contents.push(Content::default());
            disk.live.insert(path.to_owned(), content);
            Ok(SimFile { files: self.clone(), content })
        })
    }

    fn reopen(&self, path: &str, len: u64) -> io::Result<SimFile> {
        self.operate(|disk| {
            let content = *disk.live.get(path).ok_or_else(|| missing(path))?;
            let file = &mut disk.contents[content];
            file.bytes.truncate(usize::try_from(len).map_err(io::Error::other)?);
            file.synced = file.bytes.len();
            Ok(SimFile { files: self.clone(), content })
        })
    }

    fn size(&self, path: &str) -> io::Result<u64> {
        let disk = self.lock();
        let content = *disk.live.get(path).ok_or_else(|| missing(path))?;
        Ok(disk.contents[content].bytes.len() as u64)
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send>> {
        let mut disk = self.lock();
        disk.read.push(path.to_owned());
        let content = *disk.live.get(path).ok_or_else(|| missing(path))?;
        Ok(Box::new(Cursor::new(disk.contents[content].bytes.clone())))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.operate(|disk| {
            disk.live.remove(path);
            Ok(())
        })
    }

    fn remove_folder(&self, _: &str) -> io::Result<()> {
        // A folder without files is not there.
        self.operate(|_| Ok(()))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.operate(|disk| {
            let content = disk.live.remove(from).ok_or_else(|| missing(from))?;
            disk.live.insert(to.to_owned(), content);
            Ok(())
        })
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        self.operate(|disk| {
            if disk.handles_gone {
                return Err(rustix::io::Errno::MFILE.into());
            }
            disk.durable.retain(|path, _| in_folder(path, folder).is_none());
            let here = disk.live.iter().filter(|(path, _)| in_folder(path, folder).is_some());
            disk.durable.extend(here.map(|(path, content)| (path.clone(), *content)).collect::<Vec<_>>());
            Ok(())
        })
    }

    fn free(&self) -> Option<u64> {
        self.lock().free
    }

    /// Differs from call to call, and is the same in every run.
    fn random(&self) -> io::Result<[u8; 16]> {
        let mut disk = self.lock();
        disk.random = disk.random.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        Ok(disk.random.to_le_bytes())
    }

    fn reserve(&self, path: &str, _len: u64) -> io::Result<()> {
        self.create(path).map(drop)
    }
}

/// A file of a [`SimFiles`].
#[derive(Debug)]
pub struct SimFile {
    files: SimFiles,
    content: usize,
}

impl AppendFile for SimFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.files.grow(|disk, full| {
            let written = if full { &bytes[..bytes.len() / 2] } else { bytes };
            disk.contents[self.content].bytes.extend_from_slice(written);
            if full { no_room() } else { Ok(()) }
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        self.files.grow(|disk, full| {
            if full {
                return no_room();
            }
            let file = &mut disk.contents[self.content];
            file.synced = file.bytes.len();
            Ok(())
        })
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        self.files.operate(|disk| {
            if disk.stuck && disk.room == Some(0) {
                return no_room();
            }
            let file = &mut disk.contents[self.content];
            file.bytes.truncate(usize::try_from(len).map_err(io::Error::other)?);
            file.synced = file.bytes.len();
            Ok(())
        })
    }
}
