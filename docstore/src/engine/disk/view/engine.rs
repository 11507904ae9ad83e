//! The engines that can hold the materialised view, and the folder of the chosen one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::View;
use super::fjall_view::FjallView;
use super::sled_view::{CompactOnClose, SledView};
use super::state::ViewState;
use crate::encoding::key::{Key, KeyRange};
use crate::engine::disk::files::RealFiles;
use crate::engine::disk::space::Space;
use crate::engine::map::VersionMap;
use crate::engine::versions::{Superseded, Versions};
use crate::engine::{Page, Put, Scan, ScanDirection, Stored};
use crate::model::Ts;
use crate::{Code, Error, Result};

/// Engine that holds the materialised view. A data folder may be opened with another one at any start; the view is then
/// built again from the newest snapshot and the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ViewEngine {
    /// A B+ tree, sled 0.34.
    Sled,
    /// A log-structured merge tree, fjall 3.
    #[default]
    Fjall,
}

impl ViewEngine {
    /// All engines.
    pub const ALL: [Self; 2] = [Self::Sled, Self::Fjall];

    /// Name of the engine in settings, and of its folder in the data folder.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sled => "sled",
            Self::Fjall => "fjall",
        }
    }

    /// The engine of a name; `None` for an unknown one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.name() == name)
    }
}

/// A view in any of the engines.
#[derive(Debug)]
pub(in crate::engine::disk) enum AnyView {
    Sled(SledView),
    Fjall(FjallView),
}

macro_rules! each {
    ($self:ident, $view:ident => $call:expr) => {
        match $self {
            AnyView::Sled($view) => $call,
            AnyView::Fjall($view) => $call,
        }
    };
}

impl View for AnyView {
    fn insert(&self, versions: &VersionMap) -> Result<()> {
        each!(self, view => view.insert(versions))
    }
    fn record(&self, state: ViewState) -> Result<()> {
        each!(self, view => view.record(state))
    }
    fn state(&self) -> Result<Option<ViewState>> {
        each!(self, view => view.state())
    }
    fn get(&self, key: &[u8], at: Ts) -> Result<Option<Stored>> {
        each!(self, view => view.get(key, at))
    }
    fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        each!(self, view => view.scan(scan))
    }
    fn versions(&self, range: &KeyRange, direction: ScanDirection) -> Versions<'_> {
        each!(self, view => view.versions(range, direction))
    }
    fn remove_replaced(&self, ts: Ts, puts: &[Put]) -> Result<usize> {
        each!(self, view => view.remove_replaced(ts, puts))
    }
    fn remove_superseded(&self, from: &Key, before: Ts, slice: usize) -> Result<Superseded> {
        each!(self, view => view.remove_superseded(from, before, slice))
    }
    fn sync(&self) -> Result<bool> {
        each!(self, view => view.sync())
    }
}

/// The place of one engine's view in a data folder.
#[derive(Debug)]
pub(in crate::engine::disk) struct ViewFolder {
    data: PathBuf,
    engine: ViewEngine,
    /// Size of the view's cache, in bytes.
    cache: u64,
    /// Free space of the disk, without which the view is not written.
    space: Option<Space<RealFiles>>,
    /// Bytes written since the start.
    written: Arc<std::sync::atomic::AtomicU64>,
}

impl ViewFolder {
    pub(in crate::engine::disk) fn new(data: &Path, engine: ViewEngine, cache: u64) -> Self {
        Self { data: data.to_owned(), engine, cache, space: None, written: Arc::default() }
    }

    /// Makes changes of the view fail while there is too little free space.
    pub(in crate::engine::disk) fn within(self, space: Space<RealFiles>) -> Self {
        Self { space: Some(space), ..self }
    }

    /// Path of the view.
    pub(in crate::engine::disk) fn path(&self) -> PathBuf {
        self.data.join(self.engine.name())
    }

    /// Opens the existing view; creates none.
    ///
    /// # Errors
    /// `Unavailable` (`ViewOpen`): it is missing or damaged and must be rebuilt.
    pub(in crate::engine::disk) fn open_existing(&self) -> Result<AnyView> {
        let (path, cache) = (self.path(), self.cache);
        Ok(match self.engine {
            ViewEngine::Sled => self.sled(SledView::open_existing(&path, cache)?),
            ViewEngine::Fjall => self.fjall(FjallView::open_existing(&path, cache)?),
        })
    }

    /// Creates an empty view; an existing one is moved aside.
    ///
    /// # Errors
    /// `ResourceExhausted` (`DiskFull`) when there is no room for it: the existing one, which may be good, stays.
    pub(in crate::engine::disk) fn create(&self) -> Result<AnyView> {
        self.space.as_ref().map_or(Ok(()), Space::for_view)?;
        set_aside(&self.path())?;
        let (path, cache) = (self.path(), self.cache);
        Ok(match self.engine {
            ViewEngine::Sled => self.sled(SledView::open(&path, cache)?),
            ViewEngine::Fjall => self.fjall(FjallView::create(&path, cache)?),
        })
    }

    fn sled(&self, view: SledView) -> AnyView {
        AnyView::Sled(view.counted(Arc::clone(&self.written)).within(self.space.clone()))
    }

    fn fjall(&self, view: FjallView) -> AnyView {
        AnyView::Fjall(view.within(self.space.clone()))
    }

    /// The guard that must be dropped after the view and all its clones, if the engine needs one.
    pub(in crate::engine::disk) fn compact_on_close(&self) -> Option<CompactOnClose> {
        (self.engine == ViewEngine::Sled)
            .then(|| SledView::compact_on_close(&self.path(), Arc::clone(&self.written)))
    }

    /// Removes the views of the other engines. The checkpoint names one view only, so they would never be used again.
    pub(in crate::engine::disk) fn remove_others(&self) {
        for other in ViewEngine::ALL.into_iter().filter(|engine| *engine != self.engine) {
            let path = self.data.join(other.name());
            for path in [path.with_extension(ASIDE), path] {
                match fs::remove_dir_all(&path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        let path = path.display();
                        tracing::warn!(%error, %path, "a view that is no longer used could not be removed");
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Extension of a view that was moved aside.
const ASIDE: &str = "damaged";

/// Moves a view aside, replacing one moved aside before.
fn set_aside(view: &Path) -> Result<()> {
    let aside = view.with_extension(ASIDE);
    let moved = if view.exists() {
        fs::remove_dir_all(&aside)
            .or_else(|error| match error.kind() {
                io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            })
            .and_then(|()| fs::rename(view, &aside))
    } else {
        Ok(())
    };
    moved.map_err(|error| {
        let message = format!("cannot move {} away: {error}", view.display());
        Error::new(Code::Unavailable, "ViewOpen", message).with_source(error)
    })
}

#[cfg(test)]
impl AnyView {
    /// An empty view in `data`.
    pub(in crate::engine::disk) fn fresh(data: &Path, engine: ViewEngine) -> Self {
        ViewFolder::new(data, engine, 1 << 24).create().unwrap()
    }

    /// The existing view in `data`.
    pub(in crate::engine::disk) fn existing(data: &Path, engine: ViewEngine) -> Result<Self> {
        ViewFolder::new(data, engine, 1 << 24).open_existing()
    }

    /// Moves rows from the engine's memory into its files, where it has such a step of its own.
    pub(in crate::engine::disk) fn settle(&self) {
        match self {
            Self::Sled(view) => drop(view.sync().unwrap()),
            Self::Fjall(view) => view.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_have_names_of_their_own() {
        for engine in ViewEngine::ALL {
            assert_eq!(ViewEngine::from_name(engine.name()), Some(engine));
        }
        assert_eq!(ViewEngine::from_name("Sled"), None);
    }

    #[test]
    fn a_view_moved_aside_replaces_the_one_before() {
        let data = tempfile::tempdir().unwrap();
        let view = data.path().join("fjall");
        for name in ["first", "second"] {
            fs::create_dir(&view).unwrap();
            fs::write(view.join(name), name).unwrap();
            set_aside(&view).unwrap();
        }
        let aside = data.path().join("fjall.damaged");
        assert!(!view.exists() && aside.join("second").exists() && !aside.join("first").exists());
    }

    #[test]
    fn only_the_views_of_other_engines_are_removed() {
        let data = tempfile::tempdir().unwrap();
        let names = ["sled", "sled.damaged", "fjall", "fjall.damaged", "snap"];
        for name in names {
            fs::create_dir(data.path().join(name)).unwrap();
        }
        ViewFolder::new(data.path(), ViewEngine::Fjall, 1 << 24).remove_others();
        let left: Vec<_> = names.into_iter().filter(|name| data.path().join(name).exists()).collect();
        assert_eq!(left, ["fjall", "fjall.damaged", "snap"]);
    }
}
