//! Backups on a disk that fails, under writes, and damaged.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use docstore::clock::SystemClock;
use docstore::engine::SimFiles;
use docstore::model::{
    DatabaseId, DocPath, Fields, Precondition, Query, Source as Of, Value, Write, WriteOp,
};
use docstore::{Database, Draft, EngineOptions, Limits, Result, Store, StoreOptions};
use futures::StreamExt as _;
use proptest::prelude::*;
use storage_emu::BlobOptions;
use storage_emu::blobs::Blobs;
use tempfile::TempDir;

use super::check::check;
use super::folder::FolderTarget;
use super::make::{Source, make};
use super::manifest::{Manifest, chosen, ids, is_id};
use super::restore::{Restored, Wanted, restore};
use super::runner::{Order, make_once};
use super::target::{BackupTarget, Purpose, open_target};
use crate::host::blocking::{Abandoned, blocking};

/// A server's data in a folder.
pub(super) struct Server {
    pub(super) folder: TempDir,
    store: Store,
    blobs: Blobs,
}

pub(super) fn options(data: &Path) -> StoreOptions {
    let engine = EngineOptions::disk(data.join("documents"));
    StoreOptions { engine, clock: Arc::new(SystemClock), limits: Limits::default() }
}

pub(super) fn contents(data: &Path) -> BlobOptions {
    BlobOptions::Folder(data.join("files"))
}

fn set(path: &str, fields: Fields) -> Write {
    let op = WriteOp::Set { fields, transforms: Vec::new() };
    Write { path: DocPath::parse(path).unwrap(), op, precondition: Precondition::None }
}

fn number(value: i64) -> Fields {
    Fields::from([("n".to_owned(), Value::Integer(value))])
}

impl Server {
    pub(super) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(options(folder.path())).await.unwrap();
        let blobs = Blobs::open(&contents(folder.path()), Arc::new(SystemClock)).unwrap();
        fs::create_dir(folder.path().join("keys")).unwrap();
        fs::write(folder.path().join("keys/1.pem"), "secret").unwrap();
        fs::write(folder.path().join("outbox.jsonl"), "{}\n{half").unwrap();
        Self { folder, store, blobs }
    }

    pub(super) fn source(&self) -> Source {
        Source {
            store: self.store.clone(),
            blobs: self.blobs.clone(),
            data: self.folder.path().to_owned(),
            project: "demo".to_owned(),
            clock: Arc::new(SystemClock),
        }
    }

    pub(super) fn database(&self, name: &str) -> Database {
        self.store.database(&DatabaseId::new("demo", name))
    }

    pub(super) async fn put(&self, path: &str, value: i64) {
        self.database("(default)").commit(Draft::of(vec![set(path, number(value))])).await.unwrap();
    }

    /// Stores a content, and then what refers to it, as an upload does.
    pub(super) async fn upload(&self, bytes: &[u8]) {
        let body = futures::stream::iter([Ok(Bytes::copy_from_slice(bytes))]).boxed();
        let stored = self.blobs.store(body, u64::MAX).await.unwrap();
        let json = serde_json::json!({"key": stored.key, "size": stored.digests.size, "refs": 1}).to_string();
        let fields = Fields::from([("json".to_owned(), Value::String(json))]);
        let write = set(&format!("contents/{}", stored.digests.sha256), fields);
        self.database("__storage__").commit(Draft::of(vec![write])).await.unwrap();
    }

    pub(super) async fn backup(&self, target: Arc<dyn BackupTarget>, keep: Option<u32>) -> Result<Manifest> {
        let (source, keep) = (self.source(), keep.and_then(std::num::NonZeroU32::new));
        blocking(move |abandoned| make(&source, &*target, keep, abandoned)).await.map(|made| made.manifest)
    }
}

/// A backup of a simulated disk, restored.
pub(super) async fn restored(
    target: Box<dyn BackupTarget>,
    which: Option<&str>,
    data: &Path,
) -> Result<Restored> {
    let manifest = chosen(&*target, which)?;
    restore(Wanted {
        target,
        manifest,
        data: data.to_owned(),
        documents: data.join("documents"),
        store: options(data),
        blobs: contents(data),
        blobs_empty: false,
        log: None,
    })
    .await
}

/// Numbers of the documents of `collection` in a data folder.
pub(super) async fn numbers(data: &Path, collection: &str) -> BTreeMap<String, i64> {
    let store = Store::open(options(data)).await.unwrap();
    let database = store.database(&DatabaseId::new("demo", "(default)"));
    let of = Of { collection: Some(collection.to_owned()), all_descendants: false };
    let found = database.run(&Query::all(None, of), None).await.unwrap().documents;
    store.close().await.unwrap();
    let number = |value: Option<&Value>| if let Some(Value::Integer(n)) = value { *n } else { i64::MIN };
    found.iter().map(|document| (document.path.id().to_owned(), number(document.fields.get("n")))).collect()
}

pub(super) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

pub(super) fn whole(target: &dyn BackupTarget, id: &str) -> Result<()> {
    check(target, &chosen(target, Some(id))?, &Abandoned::default())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_folder_has_everything_and_goes_on() {
    let server = Server::new().await;
    server.put("cards/a", 1).await;
    for bytes in [&b"one"[..], b"", b"three"] {
        server.upload(bytes).await;
    }
    let place = tempfile::tempdir().unwrap();
    let order = Order { folder: place.path().join("backups"), keep: None, key: None };
    let made = make_once(server.source(), order.clone()).await.unwrap().manifest;
    assert_eq!((made.files.count, made.copied.count, made.databases["demo/(default)"]), (3, 3, 1));

    // Only what is new is copied again.
    server.put("cards/a", 2).await;
    server.upload(b"four").await;
    let second = make_once(server.source(), order.clone()).await.unwrap().manifest;
    assert_eq!((second.files.count, second.copied.count, second.copied.bytes), (4, 1, 4));

    let open = || open_target(&order.folder, Purpose::Read, None).unwrap();
    for (which, value, files) in [(Some(made.id.as_str()), 1, 3), (None, 2, 4)] {
        let data = place.path().join(format!("data-{value}"));
        let back = restored(open(), which, &data).await.unwrap();
        assert_eq!(back.manifest.files.count, files);
        assert_eq!(numbers(&data, "cards").await, BTreeMap::from([("a".to_owned(), value)]));
        assert_eq!(fs::read(data.join("keys/1.pem")).unwrap(), b"secret");
        // The line that was being written is left out.
        assert_eq!(fs::read(data.join("outbox.jsonl")).unwrap(), b"{}\n");
        let scrubbed = Blobs::open(&contents(&data), Arc::new(SystemClock)).unwrap().scrub().await.unwrap();
        assert_eq!((scrubbed.contents, scrubbed.damaged), (files, 0));
        // It takes writes, and has them after the next start.
        let store = Store::open(options(&data)).await.unwrap();
        let database = store.database(&DatabaseId::new("demo", "(default)"));
        database.commit(Draft::of(vec![set("cards/b", number(7))])).await.unwrap();
        store.close().await.unwrap();
        drop((store, database));
        assert_eq!(numbers(&data, "cards").await.len(), 2);
        let report =
            docstore::engine::scrub(&data.join("documents"), docstore::engine::DEFAULT_CACHE).unwrap();
        assert_eq!(report.faults, 0, "{:?}", report.described);
        let refused = restored(open(), None, &data).await.unwrap_err();
        assert_eq!(refused.tag(), "DataDirNotEmpty");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn old_backups_and_the_contents_of_them_alone_are_removed() {
    let server = Server::new().await;
    let target: Arc<dyn BackupTarget> = Arc::new(FolderTarget::over(SimFiles::default()));
    let mut made = Vec::new();
    for round in 0..4_u8 {
        server.upload(&[round]).await;
        if round > 0 {
            // The upload of an earlier round is deleted.
            let of = Of { collection: Some("contents".to_owned()), all_descendants: false };
            let database = server.database("__storage__");
            let found = database.run(&Query::all(None, of), None).await.unwrap().documents;
            let old = found.iter().min_by_key(|document| document.create_time).unwrap();
            let delete =
                Write { path: old.path.clone(), op: WriteOp::Delete, precondition: Precondition::None };
            database.commit(Draft::of(vec![delete])).await.unwrap();
        }
        made.push(server.backup(Arc::clone(&target), Some(2)).await.unwrap().id);
    }
    let mut left = ids(&*target).unwrap();
    left.sort();
    assert_eq!(left.len(), 2);
    for id in &made[2..] {
        whole(&*target, id).unwrap();
    }
    let contents = target.list("contents").unwrap();
    let files = contents.iter().flat_map(|folder| target.list(&format!("contents/{folder}")).unwrap());
    assert_eq!(files.count(), 2, "one for each backup");
    // The folders of the removed ones are gone too.
    assert_eq!(target.list("").unwrap().iter().filter(|name| is_id(name)).count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_content_that_is_gone_is_named_and_the_rest_is_kept() {
    let server = Server::new().await;
    server.upload(b"kept").await;
    server.upload(b"lost").await;
    server.upload(b"bent").await;
    let mut files = Vec::new();
    walk(&server.folder.path().join("files/blobs"), &mut files);
    for path in files {
        match &*fs::read(&path).unwrap() {
            b"lost" => fs::remove_file(path).unwrap(),
            b"bent" => fs::write(path, "BENT").unwrap(),
            _ => {}
        }
    }
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("backups");
    let made =
        make_once(server.source(), Order { folder: folder.clone(), keep: None, key: None }).await.unwrap();
    assert_eq!((made.manifest.lacking.len(), made.manifest.copied.count), (2, 1));
    let data = place.path().join("data");
    restored(open_target(&folder, Purpose::Read, None).unwrap(), None, &data).await.unwrap();
    let scrubbed = Blobs::open(&contents(&data), Arc::new(SystemClock)).unwrap().scrub().await.unwrap();
    assert_eq!((scrubbed.contents, scrubbed.damaged), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_older_backup_hinders_no_new_one() {
    let server = Server::new().await;
    let place = tempfile::tempdir().unwrap();
    let order = Order { folder: place.path().join("backups"), keep: std::num::NonZeroU32::new(1), key: None };
    let older = make_once(server.source(), order.clone()).await.unwrap().manifest;
    fs::write(order.folder.join(format!("{}.manifest", older.id)), "bent").unwrap();
    let made = make_once(server.source(), order.clone()).await.unwrap();
    assert_eq!(made.removed, 0, "nobody knows which contents that one has");
    whole(&*open_target(&order.folder, Purpose::Read, None).unwrap(), &made.manifest.id).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_backup_is_made_in_the_data_folder() {
    let server = Server::new().await;
    let folder = server.folder.path().join("files/deep/backups");
    let error = make_once(server.source(), Order { folder, keep: None, key: None }).await.unwrap_err();
    assert_eq!(error.tag(), "BackupInData");
    assert!(!server.folder.path().join("files/deep").exists());
}

/// Writers move amounts between two documents, and upload files and count them in one document, while a backup is made.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_writes_shows_one_moment() {
    let server = Arc::new(Server::new().await);
    server.put("sums/a", 0).await;
    server.put("sums/b", 0).await;
    for padding in 0..600 {
        server.put(&format!("padding/{padding}"), padding).await;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let written = Arc::new(tokio::sync::Notify::new());
    let writer = tokio::spawn({
        let (server, stop, written) = (Arc::clone(&server), Arc::clone(&stop), Arc::clone(&written));
        async move {
            let mut round = 0;
            while !stop.load(Ordering::Relaxed) {
                round += 1;
                let pair = vec![set("sums/a", number(round)), set("sums/b", number(-round))];
                server.database("(default)").commit(Draft::of(pair)).await.unwrap();
                server.upload(&round.to_le_bytes()).await;
                server.put("uploads/count", round).await;
                written.notify_one();
            }
            round
        }
    });
    written.notified().await;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("backups");
    let mut made = Vec::new();
    for _ in 0..3 {
        let order = Order { folder: folder.clone(), keep: None, key: None };
        made.push(make_once(server.source(), order).await.unwrap().manifest);
        written.notified().await;
    }
    stop.store(true, Ordering::Relaxed);
    let rounds = writer.await.unwrap();
    let mut last = 0;
    for (index, manifest) in made.iter().enumerate() {
        let data = place.path().join(format!("data-{index}"));
        let target = open_target(&folder, Purpose::Read, None).unwrap();
        restored(target, Some(&manifest.id), &data).await.unwrap();
        let sums = numbers(&data, "sums").await;
        assert_eq!(sums.values().sum::<i64>(), 0, "{sums:?}");
        let (sum, uploads) = (sums["a"], numbers(&data, "uploads").await["count"]);
        assert!((sum - 1..=sum).contains(&uploads), "{sum} {uploads}");
        // Files that are counted are there; one more may have come.
        let files = i64::try_from(manifest.files.count).unwrap();
        assert!((uploads..=uploads + 1).contains(&files), "{files} {uploads}");
        assert!((last..=rounds).contains(&sum), "none shows an earlier moment than the one before");
        last = sum;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// After a power cut at any operation of a backup the older one is whole, and so is the new one if it is there at all.
    /// The next backup succeeds.
    #[test]
    fn a_power_cut_at_any_operation_leaves_whole_backups(operation in 0u64..90, torn in any::<bool>(), full in any::<bool>()) {
        runtime().block_on(async {
            let server = Server::new().await;
            let files = SimFiles::default();
            FolderTarget::over(files.clone()).mark(None).unwrap();
            server.put("cards/a", 1).await;
            server.upload(b"one").await;
            server.upload(b"two").await;
            let older = server.backup(Arc::new(FolderTarget::over(files.clone())), None).await.unwrap();
            server.put("cards/a", 2).await;
            server.upload(b"three").await;
            if full { files.full_after(operation) } else { files.cut_after(operation) }
            let newer = server.backup(Arc::new(FolderTarget::over(files.clone())), Some(1)).await;
            let disk = files.after_power_cut(|unsynced| if torn { unsynced / 2 } else { 0 });
            let target = FolderTarget::over(disk.clone());
            let left = ids(&target).unwrap();
            match &newer {
                // The cut may come when the new one is durable and the older one is not removed yet.
                Ok(newer) => prop_assert!(left.contains(&newer.id)),
                Err(_) => prop_assert!(!left.is_empty()),
            }
            for id in &left {
                whole(&target, id).unwrap();
            }
            let next = server.backup(Arc::new(FolderTarget::over(disk.clone())), Some(2)).await.unwrap();
            let target = FolderTarget::over(disk);
            whole(&target, &next.id).unwrap();
            let unfinished = target.list("").unwrap().into_iter().filter(|name| name.ends_with(".new")).count();
            prop_assert_eq!(unfinished, 0);
            let left_folders = target.list("").unwrap().into_iter().filter(|name| is_id(name)).count();
            prop_assert_eq!(left_folders, ids(&target).unwrap().len());
            let data = tempfile::tempdir().unwrap();
            let into = data.path().join("data");
            restored(Box::new(target), Some(&older.id), &into).await.map(drop).or_else(|error| {
                // It was removed by then.
                if error.message().contains("is neither the name of a backup") { Ok(()) } else { Err(error) }
            }).unwrap();
            Ok(())
        })?;
    }
}

pub(super) fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            walk(&entry.path(), found);
        } else {
            found.push(entry.path());
        }
    }
}

/// A fault of one file.
#[derive(Debug, Clone, Copy)]
enum Fault {
    Flip,
    Cut,
    Longer,
    Missing,
    Foreign,
}

fn inflict(fault: Fault, path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    let at = if bytes.is_empty() { 0 } else { at % bytes.len() };
    match fault {
        Fault::Flip => bytes[at] ^= 1 << (at % 8),
        Fault::Cut => bytes.truncate(at),
        Fault::Longer => bytes.push(b'\n'),
        Fault::Missing => return fs::remove_file(path).unwrap(),
        Fault::Foreign => return fs::write(path.with_file_name("thesis.txt"), "x").unwrap(),
    }
    fs::write(path, bytes).unwrap();
}

#[test]
fn no_damage_of_any_file_is_restored() {
    let runtime = runtime();
    let server = runtime.block_on(async {
        let server = Server::new().await;
        for card in 0..40 {
            server.put(&format!("cards/{card}"), card).await;
        }
        server.upload(b"one").await;
        server.upload(b"two").await;
        server
    });
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("backups");
    let made =
        runtime.block_on(make_once(server.source(), Order { folder: folder.clone(), keep: None, key: None }));
    let id = made.unwrap().manifest.id;
    let mut files = Vec::new();
    walk(&folder, &mut files);
    files.retain(|path| path.file_name().unwrap() != "LOCK");
    files.sort();
    let faults = prop_oneof![
        6 => Just(Fault::Flip), 2 => Just(Fault::Cut), 1 => Just(Fault::Longer), 1 => Just(Fault::Missing),
        1 => Just(Fault::Foreign)
    ];
    let strategy = (prop::sample::select(files), faults, any::<usize>());
    let config = ProptestConfig { cases: 96, ..ProptestConfig::default() };
    proptest!(config, |((path, fault, at) in strategy)| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let own = path.parent().unwrap().ends_with(&id);
        if matches!(fault, Fault::Foreign) && !own {
            // Beside other backups and contents there may be more.
            return Ok(());
        }
        let kept = fs::read(&path).unwrap();
        inflict(fault, &path, at);
        let data = place.path().join("data");
        let error = runtime.block_on(async {
            let target = open_target(&folder, Purpose::Read, None)?;
            restored(target, None, &data).await.map(drop)
        });
        fs::write(&path, kept).unwrap();
        if matches!(fault, Fault::Foreign) {
            fs::remove_file(path.with_file_name("thesis.txt")).unwrap();
        }
        let error = error.expect_err("it was restored");
        let named = if matches!(fault, Fault::Foreign) { "thesis.txt" } else { &name };
        let gone = matches!(fault, Fault::Missing) && (name == "BACKUPS" || name.ends_with(".manifest"));
        prop_assert!(gone || error.message().contains(named), "{named}: {error}");
        prop_assert!(!data.exists() || data.read_dir().unwrap().count() == 0, "something is left of it");
    });
    // All is as it was.
    runtime.block_on(async {
        let target = open_target(&folder, Purpose::Read, None).unwrap();
        restored(target, None, &place.path().join("last")).await.unwrap();
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_restore_is_no_data_folder_and_is_done_again() {
    let server = Server::new().await;
    server.put("cards/a", 1).await;
    let place = tempfile::tempdir().unwrap();
    let (folder, data) = (place.path().join("backups"), place.path().join("data"));
    make_once(server.source(), Order { folder: folder.clone(), keep: None, key: None }).await.unwrap();
    // A restore that was killed leaves its mark and what it had done.
    drop(crate::host::data_dir::DataDir::take_empty(&data).unwrap());
    fs::create_dir_all(data.join("files/blobs/ab")).unwrap();
    fs::write(data.join("files/blobs/ab/half"), "x").unwrap();
    assert_eq!(crate::host::data_dir::DataDir::take(&data).unwrap_err().tag(), "RestoreInterrupted");
    restored(open_target(&folder, Purpose::Read, None).unwrap(), None, &data).await.unwrap();
    assert!(!data.join("files/blobs/ab/half").exists());
    assert_eq!(numbers(&data, "cards").await.len(), 1);
    crate::host::data_dir::DataDir::take(&data).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_chosen_by_name_or_by_time() {
    let server = Server::new().await;
    let target: Arc<dyn BackupTarget> = Arc::new(FolderTarget::over(SimFiles::default()));
    let made = [
        server.backup(Arc::clone(&target), None).await.unwrap(),
        server.backup(Arc::clone(&target), None).await.unwrap(),
    ];
    let at = |which: Option<&str>| chosen(&*target, which).map(|manifest| manifest.id);
    assert_eq!(at(None).unwrap(), made[1].id);
    assert_eq!(at(Some(&made[0].id)).unwrap(), made[0].id);
    assert_eq!(at(Some("2999-01-01")).unwrap(), made[1].id);
    assert_eq!(at(Some("2999-01-01T00:00:00+02:00")).unwrap(), made[1].id);
    assert_eq!(at(Some("2001-01-01")).unwrap_err().tag(), "NoSuchBackup");
    assert_eq!(at(Some("yesterday")).unwrap_err().tag(), "BackupTime");
}

#[test]
fn a_manifest_of_a_newer_format_is_refused_in_words() {
    use sha2::Digest as _;
    let json = r#"{"format": 2, "novel": true}"#;
    let text = format!("{json}\nsha256 {}\n", super::hex(&sha2::Sha256::digest(json)));
    let error = Manifest::parse("x", text.as_bytes()).unwrap_err();
    assert_eq!(error.tag(), "BackupNewer");
    assert!(error.message().contains("use a newer one"), "{error}");
}
