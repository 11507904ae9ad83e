//! Reloads a source when its files change: new calls go to new workers, running calls finish in the old ones.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use docstore::Result;
use parking_lot::RwLock;
use tokio::time::MissedTickBehavior;

use super::log::Level;
use super::{NodeFunctions, NodeOptions};

/// Interval between looks at the files. A state seen twice is loaded, so that a build that writes many files causes one
/// reload.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Most files of a source that are watched.
const MAX_FILES: usize = 10_000;
/// Consequence of a fault in a source of which no earlier state runs.
const START_LATER: &str = "the functions start once this is mended";
/// Folders that are not watched.
const SKIPPED: [&str; 2] = ["node_modules", ".git"];
/// Files that npm, pnpm and Yarn write last.
const INSTALLED: [&str; 3] =
    ["node_modules/.package-lock.json", "node_modules/.modules.yaml", "node_modules/.yarn-integrity"];

/// A source and its current functions.
#[derive(Debug)]
pub(super) struct Source {
    options: NodeOptions,
    /// `None` while the source has not loaded yet.
    current: RwLock<Option<Arc<NodeFunctions>>>,
    /// Fingerprint from before the first load: changes made during the load cause a reload.
    first: u64,
}

impl Source {
    /// Loads a source. If it does not load and is not `required`, the fault is logged, and a change of the files may
    /// mend it.
    ///
    /// # Errors
    /// As [`NodeFunctions::load`], for a source that is `required`.
    pub(super) async fn load(options: NodeOptions, required: bool) -> Result<Self> {
        let first = look(options.source.clone()).await;
        let current = match NodeFunctions::load(options.clone()).await {
            Ok(functions) => Some(Arc::new(functions)),
            Err(error) if required => return Err(error),
            Err(error) => {
                let text = format!("{}; {START_LATER}", error.message());
                tracing::warn!(target: "functions", "{text}");
                options.log.host(Level::Error, text);
                None
            }
        };
        Ok(Self { options, current: RwLock::new(current), first })
    }

    /// Its functions; `None` while it has not loaded yet.
    pub(super) fn functions(&self) -> Option<Arc<NodeFunctions>> {
        self.current.read().clone()
    }

    /// Reloads it.
    ///
    /// # Errors
    /// It does not load; the old functions stay, unless a debugger may attach to them.
    pub(super) async fn reload(&self) -> Result<()> {
        // Two workers cannot have the inspector's port.
        if self.options.inspect.is_some() {
            let old = self.current.write().take();
            if let Some(old) = old {
                old.stop();
            }
        }
        let new = Arc::new(NodeFunctions::load(self.options.clone()).await?);
        let mut current = self.current.write();
        let old = current.replace(new);
        drop(current);
        if let Some(old) = old {
            old.pool.retire();
        }
        Ok(())
    }
}

/// Watches the files of a source until it is dropped. `changed` is called after each reload.
pub(super) async fn follow(source: Weak<Source>, changed: Arc<dyn Fn() + Send + Sync>) {
    let of = |source: Arc<Source>| (source.options.source.clone(), source.first);
    let Some((folder, mut loaded)) = source.upgrade().map(of) else { return };
    let mut seen = loaded;
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if source.strong_count() == 0 {
            return;
        }
        let now = look(folder.clone()).await;
        let settled = now == seen;
        seen = now;
        if !settled || now == loaded {
            continue;
        }
        loaded = now;
        let Some(source) = source.upgrade() else { return };
        match source.reload().await {
            Ok(()) => {
                tracing::info!(target: "functions", source = %folder.display(), "reloaded the functions");
                source.options.log.host(Level::Info, "reloaded the functions");
                changed();
            }
            Err(error) => {
                let then = match source.functions() {
                    Some(_) => "the old functions stay active",
                    None => START_LATER,
                };
                let text = format!("{}; {then}", error.message());
                tracing::error!(target: "functions", "{text}");
                source.options.log.host(Level::Error, text);
            }
        }
    }
}

async fn look(folder: PathBuf) -> u64 {
    tokio::task::spawn_blocking(move || fingerprint(&folder)).await.unwrap_or_default()
}

/// A hash of the names, sizes and modification times of the source's files, and of the end of the latest installation of
/// its packages.
fn fingerprint(folder: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    for installed in INSTALLED {
        std::fs::metadata(folder.join(installed)).and_then(|about| about.modified()).ok().hash(&mut hasher);
    }
    let mut folders = vec![folder.to_owned()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() {
                if !SKIPPED.iter().any(|skipped| entry.file_name() == *skipped) {
                    folders.push(entry.path());
                }
                continue;
            }
            files += 1;
            if files > MAX_FILES {
                return hasher.finish();
            }
            entry.path().hash(&mut hasher);
            about.len().hash(&mut hasher);
            about.modified().ok().hash(&mut hasher);
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_source_is_seen_and_its_packages_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        std::fs::create_dir_all(folder.path().join("lib/deep")).unwrap();
        std::fs::create_dir_all(folder.path().join("node_modules/x")).unwrap();
        write("index.js", "1");
        let first = fingerprint(folder.path());
        assert_eq!(fingerprint(folder.path()), first);
        write("node_modules/x/index.js", "2");
        assert_eq!(fingerprint(folder.path()), first);
        write("lib/deep/more.js", "3");
        let second = fingerprint(folder.path());
        write("node_modules/.package-lock.json", "{}");
        assert_ne!(fingerprint(folder.path()), second, "an installation has ended");
        let second = fingerprint(folder.path());
        write(".env", "A=1");
        let third = fingerprint(folder.path());
        std::fs::remove_file(folder.path().join("lib/deep/more.js")).unwrap();
        let fourth = fingerprint(folder.path());
        let all = std::collections::BTreeSet::from([first, second, third, fourth]);
        assert_eq!(all.len(), 4);
    }
}
