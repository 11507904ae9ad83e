//! Backups in a bucket: whole and restored, cut off at any request, and written by one at a time.

use std::collections::HashMap;
use std::fmt;
use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use auth_emu::entropy::SystemEntropy;
use docstore::clock::AdjustableClock;
use docstore::model::Ts;
use futures::StreamExt as _;
use futures::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::{
    CopyOptions, Error as StoreError, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result as StoreResult,
};

use parking_lot::Mutex;

use super::super::encrypted::Encrypted;
use super::super::manifest::ids;
use super::super::tests::{Server, numbers, restored, whole};
use super::lease::Uptime;
use super::object::PART;
use super::*;
use crate::host::blocking::blocking;

/// A service in memory that answers so many requests more.
#[derive(Debug)]
struct Counted {
    kept: InMemory,
    left: AtomicI64,
    /// Time of the bucket's clock beyond the system's, in minutes, now and as each object was written.
    ahead: AtomicI64,
    written: Mutex<HashMap<Key, i64>>,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a service")
    }
}

impl Default for Counted {
    fn default() -> Self {
        Self {
            kept: InMemory::new(),
            left: AtomicI64::new(i64::MAX),
            ahead: AtomicI64::new(0),
            written: Mutex::default(),
        }
    }
}

fn cut_off() -> StoreError {
    StoreError::Generic { store: "service", source: "no answer".into() }
}

impl Counted {
    fn answers(&self) -> StoreResult<()> {
        if self.left.fetch_sub(1, Ordering::Relaxed) > 0 { Ok(()) } else { Err(cut_off()) }
    }

    fn allow(&self, requests: i64) {
        self.left.store(requests, Ordering::Relaxed);
    }
}

#[async_trait]
impl ObjectStore for Counted {
    async fn put_opts(&self, at: &Key, payload: PutPayload, opts: PutOptions) -> StoreResult<PutResult> {
        self.answers()?;
        let put = self.kept.put_opts(at, payload, opts).await?;
        self.written.lock().insert(at.clone(), self.ahead.load(Ordering::Relaxed));
        Ok(put)
    }

    async fn put_multipart_opts(
        &self,
        at: &Key,
        opts: PutMultipartOptions,
    ) -> StoreResult<Box<dyn MultipartUpload>> {
        self.answers()?;
        self.kept.put_multipart_opts(at, opts).await
    }

    async fn get_opts(&self, at: &Key, options: GetOptions) -> StoreResult<GetResult> {
        self.answers()?;
        let mut found = self.kept.get_opts(at, options).await?;
        let ahead = self.written.lock().get(at).copied().unwrap_or_default();
        found.meta.last_modified += std::time::Duration::from_secs(60 * ahead.unsigned_abs());
        Ok(found)
    }

    fn delete_stream(
        &self,
        all: BoxStream<'static, StoreResult<Key>>,
    ) -> BoxStream<'static, StoreResult<Key>> {
        match self.answers() {
            Ok(()) => self.kept.delete_stream(all),
            Err(error) => futures::stream::iter([Err(error)]).boxed(),
        }
    }

    fn list(&self, prefix: Option<&Key>) -> BoxStream<'static, StoreResult<ObjectMeta>> {
        self.kept.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Key>) -> StoreResult<ListResult> {
        self.answers()?;
        self.kept.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Key, to: &Key, options: CopyOptions) -> StoreResult<()> {
        self.answers()?;
        self.kept.copy_opts(from, to, options).await
    }
}

/// A bucket and its clock, which is the system's until it is turned.
#[derive(Default)]
struct Place {
    service: Arc<Counted>,
    clock: Arc<AdjustableClock>,
    uptime: Arc<ManualUptime>,
}

/// Minutes.
#[derive(Debug, Default)]
struct ManualUptime(AtomicI64);

impl Uptime for ManualUptime {
    fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::from_secs(60 * self.0.load(Ordering::Relaxed).unsigned_abs())
    }
}

impl Place {
    fn open(&self, purpose: Purpose) -> Result<BucketTarget> {
        self.keyed(purpose, None)
    }

    fn keyed(&self, purpose: Purpose, key: Option<&BackupKey>) -> Result<BucketTarget> {
        let address = Address::parse("s3://cards/backups").unwrap();
        let store = Arc::clone(&self.service) as Arc<dyn ObjectStore>;
        let clocks = Clocks { wall: self.clock.clone(), uptime: self.uptime.clone() };
        open_over(store, &address, purpose, key, clocks)
    }

    /// Lets minutes pass, everywhere.
    fn wait(&self, minutes: i64) {
        self.turn(minutes);
        self.uptime.0.fetch_add(minutes, Ordering::Relaxed);
        self.service.ahead.fetch_add(minutes, Ordering::Relaxed);
    }

    /// Lets the minutes pass after which a lease is nobody's.
    fn wait_out(&self) {
        self.wait(11);
    }

    /// Sets this machine's clock forward or back.
    fn turn(&self, minutes: i64) {
        let by = minutes * 60_000_000;
        self.clock.set(false, |now| Ts::from_micros(now.micros().saturating_add_signed(by)));
    }
}

/// A key file.
struct KeyFile(tempfile::TempDir);

impl KeyFile {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        BackupKey::create(&folder.path().join("key"), &SystemEntropy).unwrap();
        Self(folder)
    }

    fn read(&self) -> BackupKey {
        BackupKey::read(&self.0.path().join("key")).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_restored_from_a_bucket_with_or_without_a_key() {
    for encrypts in [false, true] {
        let (server, place) = (Server::new().await, Place::default());
        let key = encrypts.then(KeyFile::new);
        let large = vec![7; 2 * PART + 1];
        for contents in [&b""[..], b"one", &large] {
            server.upload(contents).await;
        }
        server.put("cards/a", 1).await;
        let target = |purpose| -> Result<Box<dyn BackupTarget>> {
            let key = key.as_ref().map(KeyFile::read);
            let target = place.keyed(purpose, key.as_ref())?;
            Ok(match key {
                Some(key) => Box::new(Encrypted::new(target, key)),
                None => Box::new(target),
            })
        };
        let first = server.backup(target(Purpose::Write).unwrap().into(), None).await.unwrap();
        server.put("cards/b", 2).await;
        let second = server.backup(target(Purpose::Write).unwrap().into(), Some(1)).await.unwrap();
        let reads = target(Purpose::Read).unwrap();
        assert_eq!(ids(&*reads).unwrap(), std::slice::from_ref(&second.id), "the first went: {}", first.id);
        let id = second.id.clone();
        let reads = blocking(move |_| whole(&*reads, &id).map(|()| reads)).await.unwrap();
        let data = tempfile::tempdir().unwrap();
        let done = restored(reads, None, &data.path().join("data")).await.unwrap();
        assert_eq!((done.manifest.files.count, done.lacking), (3, Vec::new()));
        let found = numbers(&data.path().join("data"), "cards").await;
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [("a".to_owned(), 1), ("b".to_owned(), 2)]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_is_cut_off_at_any_request_leaves_the_older_one_and_hinders_no_newer_one() {
    let (server, place) = (Server::new().await, Place::default());
    server.upload(b"one").await;
    server.put("cards/a", 1).await;
    let mut last = server.backup(Arc::new(place.open(Purpose::Write).unwrap()), Some(2)).await.unwrap();
    for contents in ["two", "three"] {
        server.upload(contents.as_bytes()).await;
    }
    let mut cuts = 0;
    // Every request of the beginning, and some of each later stage.
    for requests in (0..12).chain((12..).step_by(4)) {
        server.put("cards/a", requests).await;
        place.service.allow(requests);
        let made = match place.open(Purpose::Write) {
            Ok(target) => server.backup(Arc::new(target), Some(2)).await,
            Err(error) => Err(error),
        };
        place.service.allow(i64::MAX);
        place.wait_out();
        let reads = place.open(Purpose::Read).unwrap();
        for id in ids(&reads).unwrap() {
            whole(&reads, &id).unwrap();
        }
        let (finished, id) = (made.is_ok(), super::super::manifest::chosen(&reads, None).unwrap().id);
        // A backup may be whole although the answer that said so was lost.
        assert!(id >= last.id, "{requests}: {made:?}");
        last = made.unwrap_or(last);
        if finished {
            break;
        }
        cuts += 1;
    }
    assert!(cuts > 12, "{cuts}");
    server.backup(Arc::new(place.open(Purpose::Write).unwrap()), Some(2)).await.unwrap();
}

#[test]
fn one_writes_at_a_time_and_others_read_meanwhile() {
    let place = Place::default();
    let tag = |opened: Result<BucketTarget>| opened.map(drop).unwrap_err().tag();
    assert_eq!(tag(place.open(Purpose::Read)), "NoBackups");
    let writer = place.open(Purpose::Write).unwrap();
    assert_eq!(tag(place.open(Purpose::Write)), "BackupBusy");
    for purpose in [Purpose::Read, Purpose::ReadCopies] {
        place.open(purpose).unwrap();
    }
    drop(writer);
    drop(place.open(Purpose::Write).unwrap());
}

#[test]
fn who_was_away_for_minutes_writes_no_more_even_if_nobody_else_does() {
    let place = Place::default();
    let writer = place.open(Purpose::Write).unwrap();
    let mut begun = writer.create("contents/ab/x").unwrap();
    begun.write(b"x").unwrap();
    place.wait_out();
    let other = place.open(Purpose::Write).unwrap();
    assert!(writer.create("contents/ab/y").is_err());
    assert!(writer.remove("contents/ab/z").is_err());
    assert!(begun.finish().is_err(), "what was begun before is not finished");
    drop(writer);
    assert_eq!(place.open(Purpose::Write).unwrap_err().tag(), "BackupBusy", "the other's right stays");
    other.create("contents/ab/y").unwrap().finish().unwrap();
    assert_eq!(other.list("contents/ab").unwrap(), ["y"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_lease_is_kept_until_another_takes_it() {
    let place = Place::default();
    let writer = place.open(Purpose::Write).unwrap();
    let lease = writer.lease.as_ref().unwrap();
    place.wait(4);
    lease.renew_now().await;
    place.wait(4);
    writer.create("x").unwrap();
    place
        .service
        .kept
        .put_opts(&key_of("backups", lease::NAME), "other".into(), PutOptions::default())
        .await
        .unwrap();
    lease.renew_now().await;
    assert!(writer.create("x").is_err());
}

#[test]
fn clocks_that_differ_by_hours_make_no_second_writer() {
    let place = Place::default();
    let writer = place.open(Purpose::Write).unwrap();
    let other = Place { service: Arc::clone(&place.service), ..Place::default() };
    for hours in [5, -10] {
        other.turn(60 * hours);
        assert_eq!(other.open(Purpose::Write).map(drop).unwrap_err().tag(), "BackupBusy");
    }
    assert!(!writer.list("").unwrap().contains(&lease::PROBE.to_owned()));
    // A clock that is set back does not make the holder's time longer.
    place.turn(-60);
    place.uptime.0.fetch_add(6, Ordering::Relaxed);
    assert!(writer.create("x").is_err());
    // By the bucket's clock it is still held for minutes: nobody writes in between.
    place.service.ahead.fetch_add(6, Ordering::Relaxed);
    assert_eq!(other.open(Purpose::Write).map(drop).unwrap_err().tag(), "BackupBusy");
    place.service.ahead.fetch_add(5, Ordering::Relaxed);
    other.open(Purpose::Write).unwrap().create("x").unwrap();
}

#[test]
fn a_bucket_with_other_objects_is_refused() {
    let place = Place::default();
    let writer = place.open(Purpose::Write).unwrap();
    writer.create("thesis.txt").unwrap().finish().unwrap();
    writer.remove(MARK).unwrap();
    drop(writer);
    assert_eq!(place.open(Purpose::Write).unwrap_err().tag(), "BackupFolderTaken");
}

#[test]
fn backups_of_another_key_are_refused() {
    let (place, one, other) = (Place::default(), KeyFile::new().read(), KeyFile::new().read());
    drop(place.keyed(Purpose::Write, Some(&one)).unwrap());
    for wrong in [None, Some(&other)] {
        assert_eq!(place.keyed(Purpose::Read, wrong).unwrap_err().tag(), "BackupKey");
    }
    place.keyed(Purpose::Read, Some(&one)).unwrap();
}

#[test]
fn an_object_reads_as_it_was_written_whatever_its_length() {
    let place = Place::default();
    let writer = place.open(Purpose::Write).unwrap();
    for length in [0, 1, PART - 1, PART, PART + 1, 2 * PART + 3] {
        let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
        let mut file = writer.create("x").unwrap();
        for piece in bytes.chunks(PART / 3 + 1) {
            file.write(piece).unwrap();
        }
        file.finish().unwrap();
        assert_eq!(writer.size("x").unwrap(), length as u64);
        let mut read = Vec::new();
        writer.open("x").unwrap().read_to_end(&mut read).unwrap();
        assert!(read == bytes, "{length}");
    }
    let mut dropped = writer.create("y").unwrap();
    dropped.write(&vec![1; PART + 1]).unwrap();
    drop(dropped);
    assert_eq!(writer.list("").unwrap().iter().filter(|name| *name == "y").count(), 0);
    assert_eq!(writer.open("y").map(drop).unwrap_err().kind(), io::ErrorKind::NotFound);
}
