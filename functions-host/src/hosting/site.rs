//! Sources of files: the application, or a folder.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use docstore::access::Mode;
use docstore::{Code, Error, Result};

use super::embedded::{Application, BROTLI, Embedded};
use super::folder::Folder;
use super::font_pack;
use crate::host::config::Hosting;
use crate::host::settings::Settings;

/// A set of files.
#[derive(Debug)]
pub(super) enum Site {
    Application,
    Folder(Folder),
    /// A folder that may be built later.
    Unbuilt(PathBuf),
    /// No files, and the reason.
    Absent(&'static str),
}

/// A file with the metadata that replies need.
#[derive(Debug)]
pub(super) struct File {
    /// Its path in the site, without a leading slash.
    pub(super) path: String,
    /// Its content; it is decompressed if it must be.
    pub(super) content: Content,
    /// Precompressed forms, by content coding, best first.
    pub(super) compressed: Vec<(&'static str, Content)>,
    /// The entity tag of the uncompressed form, quoted.
    pub(super) etag: String,
    /// True if it is part of the program, false if it is in a folder.
    pub(super) built_in: bool,
}

/// A file's bytes, in memory or on disk.
#[derive(Debug)]
pub(super) enum Content {
    Here(Bytes),
    /// The compressed form, which is the only one there is.
    Compressed(Bytes),
    OnDisk {
        path: PathBuf,
        bytes: u64,
    },
}

/// The console's page.
pub(super) const CONSOLE: &str = "console.html";

/// Suffixes of precompressed files and their content codings, best first.
pub(super) const COMPRESSED: [(&str, &str); 2] = [BROTLI, (".gz", "gzip")];

impl Site {
    /// `hosting.public` if configured, else the application. In emulator mode the folder may be missing.
    pub(super) fn open(settings: &Settings, rules: &Hosting) -> Result<Self> {
        if let Some(reason) = rules.absent {
            return Ok(Self::Absent(reason));
        }
        let Some(public) = &rules.public else { return Ok(Self::Application) };
        let path = settings.config.resolve(public);
        match folder(&path) {
            Some(folder) => Ok(Self::Folder(folder)),
            None if settings.mode == Mode::Emulator => {
                tracing::warn!("{}", missing(&path));
                Ok(Self::Unbuilt(path))
            }
            None => Err(Error::new(Code::NotFound, "PublicMissing", missing(&path))),
        }
    }

    /// The reason why there are no files; `None` if there may be.
    pub(super) fn absence(&self) -> Option<String> {
        match self {
            Self::Application | Self::Folder(_) => None,
            Self::Unbuilt(path) => folder(path).is_none().then(|| format!("{}.", missing(path))),
            Self::Absent(reason) => Some((*reason).to_owned()),
        }
    }

    pub(super) const fn is_application(&self) -> bool {
        matches!(self, Self::Application)
    }

    /// The file at `path`, which has no leading slash.
    pub(super) async fn load(&self, path: &str) -> Option<File> {
        match self {
            // The console is a page of emulator mode only, which serves it separately.
            Self::Application if path.starts_with(font_pack::PREFIX) => font_pack::load(path).await,
            Self::Application => Some(path).filter(|path| *path != CONSOLE).and_then(built_in),
            Self::Folder(folder) => folder.load(path).await,
            Self::Unbuilt(root) => folder(root)?.load(path).await,
            Self::Absent(_) => None,
        }
    }
}

fn folder(path: &Path) -> Option<Folder> {
    path.canonicalize().ok().filter(|root| root.is_dir()).map(Folder::new)
}

fn missing(path: &Path) -> String {
    format!(
        "hosting.public in firebase.json names {}, which is no folder: build the site first, or correct the path",
        path.display()
    )
}

pub(super) fn has_application() -> bool {
    Embedded::find::<Application>("index.html").is_some()
}

/// Files of the application below `prefix`, but for the pack of fonts, which is beside the program.
pub(super) fn files_below(prefix: &str) -> impl Iterator<Item = (String, Embedded)> {
    Embedded::below::<Application>(prefix).filter(|(path, _)| !path.starts_with(font_pack::PREFIX))
}

/// A file of the application.
pub(super) fn built_in(path: &str) -> Option<File> {
    // Debug builds read the disk, where a path could leave the folder.
    if path.split('/').any(|segment| segment.is_empty() || segment.starts_with('.')) {
        return None;
    }
    let whole = Embedded::uncompressed::<Application>(path);
    let compressed = Embedded::compressed::<Application>(path);
    let hash = whole.as_ref().or(compressed.as_ref())?.hash;
    let hash: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let compressed = compressed.map(held);
    let content = whole.map(|file| Content::Here(held(file)));
    Some(File {
        path: path.to_owned(),
        content: content.or_else(|| compressed.clone().map(Content::Compressed))?,
        compressed: compressed.map(|data| (BROTLI.1, Content::Here(data))).into_iter().collect(),
        etag: format!("\"{hash}\""),
        built_in: true,
    })
}

fn held(file: Embedded) -> Bytes {
    match file.into_held() {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => Bytes::from(data),
    }
}
