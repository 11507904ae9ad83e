//! Files of a folder, and nothing outside it.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use bytes::Bytes;

use super::site::{COMPRESSED, Content, File};

/// Largest file read whole, in bytes; larger ones are streamed.
const WHOLE_BYTES: u64 = 256 * 1024;

/// A folder of files, by its canonical path.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) const fn new(root: PathBuf) -> Self {
        Self(root)
    }

    /// The file at `path`, unless the path or a link leads out of the folder.
    pub(super) async fn load(&self, path: &str) -> Option<File> {
        let (content, etag) = self.open(path).await?;
        let mut compressed = Vec::new();
        for (suffix, coding) in COMPRESSED {
            if let Some((content, _)) = self.open(&format!("{path}{suffix}")).await {
                compressed.push((coding, content));
            }
        }
        Some(File { path: path.to_owned(), content, compressed, etag, built_in: false })
    }

    async fn open(&self, path: &str) -> Option<(Content, String)> {
        let safe = path.split('/').all(|s| !matches!(s, "" | "." | "..") && !s.contains(['\\', '\0']));
        if !safe {
            return None;
        }
        let file =
            tokio::fs::canonicalize(self.0.join(path)).await.ok().filter(|file| file.starts_with(&self.0))?;
        let metadata = tokio::fs::metadata(&file).await.ok().filter(std::fs::Metadata::is_file)?;
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let etag = format!("\"{:x}-{:x}\"", modified.unwrap_or_default().as_nanos(), metadata.len());
        Some((content(&file, metadata.len()).await?, etag))
    }
}

async fn content(file: &Path, bytes: u64) -> Option<Content> {
    if bytes > WHOLE_BYTES {
        return Some(Content::OnDisk { path: file.to_path_buf(), bytes });
    }
    tokio::fs::read(file).await.ok().map(|data| Content::Here(Bytes::from(data)))
}
