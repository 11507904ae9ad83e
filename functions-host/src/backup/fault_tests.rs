//! Backups of a server whose clock is set back, whose disk is full, and whose files are damaged.

use std::fs;
use std::io::{self, Read};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use docstore::clock::{AdjustableClock, SystemClock};
use docstore::engine::SimFiles;
use docstore::model::{Precondition, Query, Source as Of, Ts, Write, WriteOp};
use docstore::{Draft, Result};
use storage_emu::blobs::Blobs;
use storage_emu::{BlobOptions, S3Options, S3Waits};

use super::folder::FolderTarget;
use super::make::make;
use super::manifest::{ENDING, Manifest, chosen, ids, is_id};
use super::restore::{Wanted, restore};
use super::retention::remove_leftovers;
use super::runner::{Order, make_once};
use super::target::{BackupTarget, NewFile, Purpose, open_target};
use super::tests::{Server, contents, options, restored, walk, whole};
use crate::host::blocking::blocking;

/// A year, in microseconds.
const YEAR: u64 = 365 * 24 * 3_600 * 1_000_000;

async fn backup_by(
    server: &Server,
    clock: &Arc<AdjustableClock>,
    target: &Arc<dyn BackupTarget>,
    keep: Option<u32>,
) -> Manifest {
    let mut source = server.source();
    source.clock = clock.clone();
    let (target, keep) = (Arc::clone(target), keep.and_then(NonZeroU32::new));
    blocking(move |abandoned| make(&source, &*target, keep, abandoned)).await.unwrap().manifest
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_made_while_the_clock_was_ahead_is_not_the_newest() {
    for writes in [true, false] {
        let server = Server::new().await;
        let target: Arc<dyn BackupTarget> = Arc::new(FolderTarget::over(SimFiles::default()));
        let clock = Arc::new(AdjustableClock::default());
        server.put("cards/a", 1).await;
        clock.set(false, |now| Ts::from_micros(now.micros() + YEAR));
        let ahead = backup_by(&server, &clock, &target, None).await;
        clock.reset();
        if writes {
            server.put("cards/a", 2).await;
            let second = backup_by(&server, &clock, &target, None).await;
            assert!(second.time < ahead.time && second.commit > ahead.commit);
            assert_eq!(chosen(&*target, None).unwrap().id, second.id);
        }
        let last = backup_by(&server, &clock, &target, Some(1)).await;
        assert_eq!(ids(&*target).unwrap(), [last.id], "the one just made stays");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn contents_of_another_server_are_left_alone() {
    let server = Server::new().await;
    server.upload(b"one").await;
    let place = tempfile::tempdir().unwrap();
    let order = Order { folder: place.path().join("backups"), keep: None, key: None };
    make_once(server.source(), order.clone()).await.unwrap();
    let data = place.path().join("data");
    // The folder stands for a bucket.
    let bucket = contents(place.path());
    let into_bucket = async || -> Result<()> {
        let target = open_target(&order.folder, Purpose::Read, None)?;
        let manifest = chosen(&*target, None)?;
        let documents = data.join("documents");
        let (store, data, blobs) = (options(&data), data.clone(), bucket.clone());
        restore(Wanted { target, manifest, data, documents, store, blobs, blobs_empty: true, log: None })
            .await
            .map(drop)
    };
    let others = Blobs::open(&bucket, Arc::new(SystemClock)).unwrap();
    for key in ["blobs/ab/content", "parts/session/0"] {
        others.write_small(key, "other".into()).await.unwrap();
        let error = into_bucket().await.unwrap_err();
        assert_eq!(error.tag(), "BucketNotEmpty");
        assert!(error.message().contains("--bucket-is-free"), "{error}");
        assert!(!data.exists());
        others.remove(key).await.unwrap();
    }
    into_bucket().await.unwrap();
}

/// A target that cannot look at its files for a while.
#[derive(Debug)]
struct Unlooked(FolderTarget<SimFiles>);

impl BackupTarget for Unlooked {
    fn place(&self) -> &str {
        self.0.place()
    }
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.0.list(folder)
    }
    fn size(&self, _: &str) -> io::Result<u64> {
        Err(io::ErrorKind::ResourceBusy.into())
    }
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send>> {
        self.0.open(path)
    }
    fn create(&self, path: &str) -> io::Result<Box<dyn NewFile>> {
        self.0.create(path)
    }
    fn remove(&self, path: &str) -> io::Result<()> {
        self.0.remove(path)
    }
    fn remove_folder(&self, path: &str) -> io::Result<()> {
        self.0.remove_folder(path)
    }
    fn free(&self) -> Option<u64> {
        self.0.free()
    }
    fn device(&self) -> Option<u64> {
        self.0.device()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_cannot_be_looked_at_is_no_leftover() {
    let server = Server::new().await;
    let target: Arc<dyn BackupTarget> = Arc::new(Unlooked(FolderTarget::over(SimFiles::default())));
    let made = server.backup(Arc::clone(&target), None).await.unwrap();
    remove_leftovers(&*target).unwrap();
    whole(&*target, &made.id).unwrap();
}

/// The file of a content of a server.
fn file_of(server: &Server, content: &[u8]) -> std::path::PathBuf {
    let mut files = Vec::new();
    walk(&server.folder.path().join("files/blobs"), &mut files);
    files.into_iter().find(|path| fs::read(path).unwrap() == content).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_bad_file_stops_no_backup() {
    let server = Server::new().await;
    for content in [&b"kept"[..], b"emptied", b"unreadable", b"cut"] {
        server.upload(content).await;
    }
    fs::write(file_of(&server, b"emptied"), "").unwrap();
    fs::write(file_of(&server, b"cut"), "cu").unwrap();
    let folder = file_of(&server, b"unreadable");
    fs::remove_file(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    let place = tempfile::tempdir().unwrap();
    let order = Order { folder: place.path().join("backups"), keep: None, key: None };
    let made = make_once(server.source(), order.clone()).await.unwrap().manifest;
    assert_eq!((made.lacking.len(), made.copied.count), (3, 1), "{:?}", made.lacking);
    restored(open_target(&order.folder, Purpose::Read, None).unwrap(), None, &place.path().join("data"))
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_does_not_answer_fails_the_backup_and_the_content_is_named() {
    let server = Server::new().await;
    server.upload(b"one").await;
    let mut source = server.source();
    let again = Duration::ZERO;
    let waits = S3Waits { again, ..S3Waits::default() };
    // Nothing listens there.
    let service = S3Options {
        bucket: "files".to_owned(),
        endpoint: Some("http://127.0.0.1:1".to_owned()),
        region: "local".to_owned(),
        credentials: Some(("id".to_owned(), "secret".to_owned())),
        waits,
    };
    source.blobs = Blobs::open(&BlobOptions::S3(service), Arc::new(SystemClock)).unwrap();
    let place = tempfile::tempdir().unwrap();
    let error = make_once(source, Order { folder: place.path().join("backups"), keep: None, key: None })
        .await
        .unwrap_err();
    assert_eq!(error.tag(), "BlobStore");
    assert!(error.message().contains("the content blobs/"), "{error}");
}

fn damage(folder: &Path, id: &str) {
    fs::write(folder.join(format!("{id}{ENDING}")), "bent").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_manifest_that_cannot_be_read_is_passed_over() {
    let server = Server::new().await;
    server.put("cards/a", 1).await;
    let place = tempfile::tempdir().unwrap();
    let order = Order { folder: place.path().join("backups"), keep: None, key: None };
    let mut made = Vec::new();
    for value in 0..3 {
        server.put("cards/a", value).await;
        made.push(make_once(server.source(), order.clone()).await.unwrap().manifest.id);
    }
    let open = || open_target(&order.folder, Purpose::Read, None).unwrap();
    damage(&order.folder, &made[2]);
    let back = restored(open(), None, &place.path().join("data")).await.unwrap();
    assert_eq!(back.manifest.id, made[1], "the newest one that can be read");
    assert!(chosen(&*open(), Some(&made[2])).unwrap_err().message().contains(&made[2]));
    let error = chosen(&*open(), Some("2001-01-01")).unwrap_err();
    for text in [&*made[2], &format!("{}, {}", made[0], made[1]), "--at NAME"] {
        assert!(error.message().contains(text), "{text}: {error}");
    }
    damage(&order.folder, &made[0]);
    damage(&order.folder, &made[1]);
    let error = chosen(&*open(), None).unwrap_err();
    assert!(made.iter().all(|id| error.message().contains(id)), "{error}");
}

/// Deletes what refers to contents.
async fn delete_contents(server: &Server) {
    let of = Of { collection: Some("contents".to_owned()), all_descendants: false };
    let database = server.database("__storage__");
    let found = database.run(&Query::all(None, of), None).await.unwrap().documents;
    let delete = |path| Write { path, op: WriteOp::Delete, precondition: Precondition::None };
    let writes = found.into_iter().map(|document| delete(document.path)).collect();
    database.commit(Draft::of(writes)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_manifest_that_cannot_be_read_contents_stay_and_old_backups_go() {
    let server = Server::new().await;
    server.upload(b"one").await;
    let place = tempfile::tempdir().unwrap();
    let order = Order { folder: place.path().join("backups"), keep: NonZeroU32::new(1), key: None };
    let damaged = make_once(server.source(), order.clone()).await.unwrap().manifest.id;
    damage(&order.folder, &damaged);
    // It takes no other backup's place.
    let older = make_once(server.source(), order.clone()).await.unwrap();
    assert_eq!(older.removed, 0);
    let target = || open_target(&order.folder, Purpose::Read, None).unwrap();
    let sum = fs::read_dir(order.folder.join("contents")).unwrap().count();
    // Contents of the removed one may be the damaged one's too.
    delete_contents(&server).await;
    let newer = make_once(server.source(), order.clone()).await.unwrap();
    assert_eq!((newer.removed, newer.manifest.files.count), (1, 0));
    let mut left = ids(&*target()).unwrap();
    left.sort();
    let mut expected = vec![damaged.clone(), newer.manifest.id.clone()];
    expected.sort();
    assert_eq!(left, expected);
    assert!(!order.folder.join(&older.manifest.id).exists());
    let mut files = Vec::new();
    walk(&order.folder.join("contents"), &mut files);
    assert_eq!((files.len(), sum), (1, 1));
    // Once the damaged one is gone, so are the contents.
    fs::remove_file(order.folder.join(format!("{damaged}{ENDING}"))).unwrap();
    make_once(server.source(), order.clone()).await.unwrap();
    let mut files = Vec::new();
    walk(&order.folder.join("contents"), &mut files);
    assert_eq!(files.len(), 0);
}

fn folders(target: &dyn BackupTarget) -> Vec<String> {
    target.list("").unwrap().into_iter().filter(|name| is_id(name)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_fails_leaves_nothing_behind() {
    let server = Server::new().await;
    server.upload(b"one").await;
    for operation in 0..40 {
        let files = SimFiles::default();
        files.full_after(operation);
        let target: Arc<dyn BackupTarget> = Arc::new(FolderTarget::over(files));
        let made = server.backup(Arc::clone(&target), None).await;
        assert_eq!(folders(&*target).len(), usize::from(made.is_ok()), "{operation}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_ends_before_the_disk_is_full() {
    let server = Server::new().await;
    server.put("cards/a", 1).await;
    let files = SimFiles::default();
    let target: Arc<dyn BackupTarget> = Arc::new(FolderTarget::over(files.clone()));
    files.set_free(60 << 20);
    let error = server.backup(Arc::clone(&target), None).await.unwrap_err();
    assert_eq!(error.tag(), "BackupDiskFull");
    assert_eq!(folders(&*target), [""; 0]);
    files.set_free(200 << 20);
    server.backup(target, None).await.unwrap();
}
