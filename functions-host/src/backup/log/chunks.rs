//! Files of copied commits: their names, their order, joining small ones and removing old ones.

use std::collections::HashSet;
use std::io::{self, Read as _};

use docstore::Result;
use docstore::model::Ts;
use storage_emu::KeptContent;

use super::super::contents::each_listed;
use super::super::retention::remove_contents;
use super::super::target::BackupTarget;
use super::super::{damaged, unusable};

/// Folder of the copies.
const FOLDER: &str = "log";
/// Ending of the file with the commits.
const COMMITS: &str = ".log";
/// Ending of the file that lists contents.
const CONTENTS: &str = ".files";
/// Files that follow each other are joined when there are so many of them below [`SMALL`].
const JOIN_AT: usize = 64;
/// Bytes below which a file is worth joining.
const SMALL: u64 = 4 << 20;
/// Most bytes of a joined file, which a restore reads whole.
const JOINED: u64 = 64 << 20;

/// A file of commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Version of the commit before its first one.
    pub(super) after: Ts,
    /// Version of its last commit.
    pub(super) last: Ts,
}

impl Chunk {
    fn name(self) -> String {
        format!("{:020}-{:020}", self.after.micros(), self.last.micros())
    }

    /// Path of the commits.
    pub(super) fn commits(self) -> String {
        format!("{FOLDER}/{}{COMMITS}", self.name())
    }

    /// Path of the list of contents.
    pub(super) fn contents(self) -> String {
        format!("{FOLDER}/{}{CONTENTS}", self.name())
    }

    fn parse(name: &str) -> Option<Self> {
        let (after, last) = name.strip_suffix(COMMITS)?.split_once('-')?;
        let ts = |digits: &str| {
            let whole = digits.len() == 20 && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| whole).map(Ts::from_micros)
        };
        Some(Self { after: ts(after)?, last: ts(last)? }).filter(|chunk| chunk.after < chunk.last)
    }

    /// Reads its commits; `None` if it is not there any more.
    ///
    /// # Errors
    /// `DataLoss` (`BackupDamaged`).
    pub(super) fn read(self, target: &dyn BackupTarget) -> Result<Option<Vec<u8>>> {
        let path = self.commits();
        match read(target, &path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(damaged(format!("{path} cannot be read: {cause}"))),
        }
    }

    /// Hands the contents of files that its commits name to `each`.
    ///
    /// # Errors
    /// `DataLoss` (`BackupDamaged`); whatever `each` returns.
    pub(super) fn each_content(
        self,
        target: &dyn BackupTarget,
        each: impl FnMut(KeptContent) -> Result<()>,
    ) -> Result<()> {
        if listed(target, self)?.is_empty() {
            return Ok(());
        }
        let path = self.contents();
        each_listed(target, &path, |cause| damaged(format!("{path} cannot be read: {cause}")), each)
    }

    /// Writes it: the list of contents first, so that commits are never there without it.
    ///
    /// # Errors
    /// `FailedPrecondition` (`BackupUnusable`).
    pub(super) fn write(self, target: &dyn BackupTarget, commits: &[u8], contents: &str) -> Result<()> {
        let put = |path: String, bytes: &[u8]| {
            let mut file = target.create(&path)?;
            file.write(bytes)?;
            file.finish()
        };
        let listed = if contents.is_empty() { Ok(()) } else { put(self.contents(), contents.as_bytes()) };
        listed.and_then(|()| put(self.commits(), commits)).map_err(|cause| unusable(target.place(), cause))
    }

    fn remove(self, target: &dyn BackupTarget) -> Result<()> {
        // The list goes last: commits are never there without it.
        let removed = target.remove(&self.commits()).and_then(|()| target.remove(&self.contents()));
        removed.map_err(|cause| unusable(target.place(), cause))
    }
}

fn read(target: &dyn BackupTarget, path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    target.open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The list of contents of a chunk; empty if it has none.
fn listed(target: &dyn BackupTarget, chunk: Chunk) -> Result<String> {
    match read(target, &chunk.contents()) {
        Ok(bytes) => {
            String::from_utf8(bytes).map_err(|_| damaged(format!("{} is damaged", chunk.contents())))
        }
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(cause) => Err(damaged(format!("{} cannot be read: {cause}", chunk.contents()))),
    }
}

/// All chunks in order. One that covers others, which a crash while joining leaves, comes before them.
///
/// # Errors
/// `FailedPrecondition` (`BackupUnusable`).
pub(super) fn list(target: &dyn BackupTarget) -> Result<Vec<Chunk>> {
    let names = target.list(FOLDER).map_err(|cause| unusable(target.place(), cause))?;
    let mut chunks: Vec<Chunk> = names.iter().filter_map(|name| Chunk::parse(name)).collect();
    chunks.sort_by_key(|chunk| (chunk.after, std::cmp::Reverse(chunk.last)));
    Ok(chunks)
}

/// The chunks that continue from `from` without a gap.
pub(super) fn chain(chunks: &[Chunk], from: Ts) -> Vec<Chunk> {
    let (mut position, mut chain) = (from, Vec::new());
    for chunk in chunks.iter().filter(|chunk| chunk.last > from) {
        if chunk.after > position {
            break;
        }
        if chunk.last > position {
            position = chunk.last;
            chain.push(*chunk);
        }
    }
    chain
}

/// The version after which the chain that ends at `end` begins.
pub(super) fn beginning(chunks: &[Chunk], end: Ts) -> Ts {
    chunks.iter().rev().fold(end, |start, chunk| {
        if chunk.after < start && chunk.last >= start { chunk.after } else { start }
    })
}

/// Joins small chunks that follow each other, once there are many. One that is damaged stays as it is.
///
/// # Errors
/// `FailedPrecondition` (`BackupUnusable`).
pub(super) fn join(target: &dyn BackupTarget) -> Result<()> {
    let mut run: Vec<Chunk> = Vec::new();
    let mut bytes = 0;
    for chunk in list(target)? {
        let size = target.size(&chunk.commits()).map_err(|cause| unusable(target.place(), cause))?;
        let follows = run.last().is_none_or(|last| last.last == chunk.after);
        if !follows || size >= SMALL || bytes + size > JOINED {
            try_join(target, &run);
            (run, bytes) = (Vec::new(), 0);
        }
        if size < SMALL {
            run.push(chunk);
            bytes += size;
        }
    }
    try_join(target, &run);
    Ok(())
}

fn try_join(target: &dyn BackupTarget, run: &[Chunk]) {
    if let Err(error) = join_run(target, run) {
        tracing::warn!(%error, place = target.place(), "copies of the log are not joined");
    }
}

fn join_run(target: &dyn BackupTarget, run: &[Chunk]) -> Result<()> {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return Ok(()) };
    if run.len() < JOIN_AT {
        return Ok(());
    }
    let (mut commits, mut contents) = (Vec::new(), String::new());
    for chunk in run {
        let missing = || damaged(format!("{} is missing", chunk.commits()));
        commits.append(&mut chunk.read(target)?.ok_or_else(missing)?);
        contents.push_str(&listed(target, *chunk)?);
    }
    let joined = Chunk { after: first.after, last: last.last };
    docstore::backup::check_log(&commits, &joined.commits(), joined.after, joined.last)?;
    joined.write(target, &commits, &contents)?;
    run.iter().try_for_each(|chunk| chunk.remove(target))
}

/// Removes chunks with no commit after `before`, and the contents that the others do not list.
///
/// # Errors
/// `FailedPrecondition` (`BackupUnusable`); `DataLoss` (`BackupDamaged`) if a list cannot be read: contents stay then.
pub(super) fn remove_until(target: &dyn BackupTarget, before: Ts) -> Result<()> {
    let (old, kept): (Vec<Chunk>, Vec<Chunk>) =
        list(target)?.into_iter().partition(|chunk| chunk.last <= before);
    if old.is_empty() {
        return Ok(());
    }
    old.iter().try_for_each(|chunk| chunk.remove(target))?;
    let mut needed = HashSet::new();
    for chunk in kept {
        chunk.each_content(target, |content| {
            needed.insert(target.content_name(&content.sha256));
            Ok(())
        })?;
    }
    remove_contents(target, &needed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(after: u64, last: u64) -> Chunk {
        Chunk { after: Ts::from_micros(after), last: Ts::from_micros(last) }
    }

    #[test]
    fn names_are_read_back_and_foreign_ones_are_not() {
        let one = chunk(3, 70);
        let name = one.commits();
        assert_eq!(Chunk::parse(name.strip_prefix("log/").unwrap()), Some(one));
        for name in ["", "1-2.log", "x.log", "00000000000000000009-00000000000000000003.log", "a-b.files"] {
            assert_eq!(Chunk::parse(name), None, "{name}");
        }
    }

    #[test]
    fn a_chain_passes_over_what_is_covered_and_ends_at_a_gap() {
        let mut chunks =
            vec![chunk(0, 5), chunk(5, 6), chunk(5, 9), chunk(6, 7), chunk(9, 12), chunk(13, 20)];
        chunks.sort_by_key(|chunk| (chunk.after, std::cmp::Reverse(chunk.last)));
        let from = |at| chain(&chunks, Ts::from_micros(at));
        assert_eq!(from(0), [chunk(0, 5), chunk(5, 9), chunk(9, 12)]);
        assert_eq!(from(8), [chunk(5, 9), chunk(9, 12)]);
        assert_eq!(from(12), []);
        assert_eq!(from(15), [chunk(13, 20)]);
        assert_eq!(from(20), []);
        let begins = |end| beginning(&chunks, Ts::from_micros(end)).micros();
        assert_eq!([begins(12), begins(9), begins(20), begins(30)], [0, 0, 13, 30]);
    }
}
