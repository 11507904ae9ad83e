//! A view that fails in use: a start rebuilds it, and a checkpoint in progress is abandoned.

use super::state::ViewState;
use super::tests::Folder;
use crate::Code;
use crate::encoding::key::KeyRange;
use crate::engine::disk::tests::commit;
use crate::engine::disk::*;
use crate::engine::map::VersionMap;
use crate::engine::versions::{Superseded, Versions};
use crate::engine::{Put, ScanDirection};

/// A view with injected failures.
struct Faulty {
    view: AnyView,
    /// Every read of a row fails.
    unreadable: bool,
    /// Every insertion fails.
    full: AtomicBool,
    /// Runs during a sync of the view.
    on_sync: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl std::fmt::Debug for Faulty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.view.fmt(f)
    }
}

fn unreadable() -> Error {
    Error::new(Code::Unavailable, view::READ_FAILED, "a page is damaged")
}

impl View for Faulty {
    fn insert(&self, versions: &VersionMap) -> Result<()> {
        if self.full.load(Ordering::SeqCst) {
            return Err(Error::new(Code::ResourceExhausted, "DiskFull", "the disk is full"));
        }
        self.view.insert(versions)
    }
    fn record(&self, state: ViewState) -> Result<()> {
        self.view.record(state)
    }
    fn state(&self) -> Result<Option<ViewState>> {
        self.view.state()
    }
    fn get(&self, key: &[u8], at: Ts) -> Result<Option<Stored>> {
        if self.unreadable { Err(unreadable()) } else { self.view.get(key, at) }
    }
    fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        self.view.scan(scan)
    }
    fn versions(&self, range: &KeyRange, direction: ScanDirection) -> Versions<'_> {
        self.view.versions(range, direction)
    }
    fn remove_replaced(&self, ts: Ts, puts: &[Put]) -> Result<usize> {
        self.view.remove_replaced(ts, puts)
    }
    fn remove_superseded(&self, from: &Key, before: Ts, slice: usize) -> Result<Superseded> {
        View::remove_superseded(&self.view, from, before, slice)
    }
    fn sync(&self) -> Result<bool> {
        let happens = self.on_sync.lock().take();
        if let Some(happens) = happens {
            happens();
        }
        self.view.sync()
    }
}

/// Opens a folder whose view fails until it is rebuilt, or every time if `always`.
fn open_faulty(
    folder: &Folder,
    unreadable: bool,
    always: bool,
) -> (Result<Inner<RealFiles, Faulty>>, Vec<bool>) {
    let opened = Mutex::new(Vec::new());
    let view_folder = ViewFolder::new(folder.folder.path(), folder.engine, 1 << 24);
    let open_view = |fresh: bool| {
        opened.lock().push(fresh);
        let view = if fresh { view_folder.create()? } else { view_folder.open_existing()? };
        Ok(Faulty {
            view,
            unreadable: unreadable && (always || !fresh),
            full: AtomicBool::default(),
            on_sync: Mutex::default(),
        })
    };
    let cadence = Cadence { layer: 500, ..Cadence::default() };
    let inner = Inner::open(lock::files(folder.folder.path()), open_view, "view", folder.now, cadence);
    (inner, opened.into_inner())
}

#[test]
fn a_view_that_a_start_cannot_read_is_built_again_once() {
    ViewEngine::ALL.into_iter().for_each(view_that_a_start_cannot_read_is_built_again_once);
}

fn view_that_a_start_cannot_read_is_built_again_once(engine: ViewEngine) {
    let folder = Folder::new(engine);
    let before = folder.contents();
    let (engine, opened) = open_faulty(&folder, true, false);
    drop(engine.unwrap());
    assert_eq!(opened, [false, true]);
    assert_eq!(folder.contents(), before);
    let (engine, opened) = open_faulty(&folder, true, true);
    assert_eq!(engine.unwrap_err().tag(), view::READ_FAILED);
    assert_eq!(opened, [false, true]);
    assert_eq!(folder.contents(), before);
}

#[test]
fn a_read_that_fails_during_a_checkpoint_leaves_none_and_removes_no_log() {
    ViewEngine::ALL.into_iter().for_each(read_that_fails_during_a_checkpoint_leaves_none_and_removes_no_log);
}

fn read_that_fails_during_a_checkpoint_leaves_none_and_removes_no_log(engine: ViewEngine) {
    let folder = Folder::new(engine);
    let engine = open_faulty(&folder, false, false).0.unwrap();
    let term = engine.lead();
    let last = *engine.shared.recent.visible().borrow();
    engine.append(term, vec![commit(last, last.next(), 50, 10)]).unwrap();
    engine.shared.memtable.flush(&engine.shared.view, last.next()).unwrap();
    let shared = Arc::clone(&engine.shared);
    let fails = move || {
        let failed: Result<()> = shared.noted(Err(unreadable()));
        assert!(failed.is_err());
    };
    *engine.shared.view.on_sync.lock() = Some(Box::new(fails));
    engine.shared.save(false).unwrap();
    assert!(engine.shared.distrusted());
    assert!(!folder.path("CHECKPOINT").exists());
    assert_eq!(engine.shared.retention().checkpoint, last);
}

#[test]
fn a_view_without_room_refuses_before_the_log_has_it_and_goes_on_by_itself() {
    ViewEngine::ALL
        .into_iter()
        .for_each(view_without_room_refuses_before_the_log_has_it_and_goes_on_by_itself);
}

fn view_without_room_refuses_before_the_log_has_it_and_goes_on_by_itself(engine: ViewEngine) {
    let folder = Folder::new(engine);
    let before = folder.contents().len();
    let engine = open_faulty(&folder, false, false).0.unwrap();
    let term = engine.lead();
    let append = |number: u8| {
        let last = *engine.shared.recent.visible().borrow();
        engine.append(term, vec![commit(last, last.next(), number, 1_000)])
    };
    let full = &engine.shared.view.full;
    full.store(true, Ordering::SeqCst);
    let mut stored = before;
    let refused = loop {
        match append(100 + u8::try_from(stored - before).unwrap()) {
            Ok(()) => stored += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(refused.tag(), "ViewWrite");
    full.store(false, Ordering::SeqCst);
    while append(99).is_err() {
        std::thread::yield_now();
    }
    drop(engine);
    assert_eq!(folder.contents().len(), stored + 1);
}
