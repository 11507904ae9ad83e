//! The tables of contents of fjall's files, checked before fjall reads them: it takes room for as many entries as a
//! table says it has, and a process that cannot have that much room ends.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// Layout of a file's end, after crate `sfa`: magic, version, kind of checksum, checksum, position and length of the
/// table of contents.
const TRAILER_BYTES: u64 = 4 + 1 + 1 + 16 + 8 + 8;
const TRAILER_MAGIC: &[u8] = b"SFA!";
/// Offset of the position in it.
const POSITION_AT: usize = 4 + 1 + 1 + 16;
/// A table of contents begins with a magic word and the number of its entries.
const CONTENTS_HEAD_BYTES: usize = 4 + 4;
/// Least room of an entry: position, length, and the length of its name.
const ENTRY_BYTES: u64 = 8 + 8 + 2;

/// A file below a folder whose table of contents has more entries than bytes.
pub(super) fn find_impossible(folder: &Path) -> io::Result<Option<PathBuf>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let found = if entry.file_type()?.is_dir() {
            find_impossible(&entry.path())?
        } else {
            is_impossible(&entry.path())?.then(|| entry.path())
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Files of another kind, or with another damage, are left to fjall, which refuses them.
fn is_impossible(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let Some(trailer_at) = size.checked_sub(TRAILER_BYTES) else { return Ok(false) };
    let mut trailer = [0; TRAILER_BYTES as usize];
    file.seek(SeekFrom::Start(trailer_at))?;
    file.read_exact(&mut trailer)?;
    if !trailer.starts_with(TRAILER_MAGIC) {
        return Ok(false);
    }
    let position = u64::from_le_bytes(trailer[POSITION_AT..POSITION_AT + 8].try_into().unwrap_or_default());
    let Some(room) = trailer_at.checked_sub(position) else { return Ok(false) };
    if room < CONTENTS_HEAD_BYTES as u64 {
        return Ok(false);
    }
    let mut head = [0; CONTENTS_HEAD_BYTES];
    file.seek(SeekFrom::Start(position))?;
    file.read_exact(&mut head)?;
    let entries = u32::from_le_bytes(head[4..].try_into().unwrap_or_default());
    Ok(u64::from(entries) * ENTRY_BYTES > room)
}
