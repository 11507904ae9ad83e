use std::sync::Arc;

use docstore::clock::{ManualClock, SystemClock};
use proptest::prelude::*;
use tempfile::TempDir;

use super::write::PART_BYTES;
use super::*;
use crate::options::{S3Options, S3Waits};

#[path = "../../examples/support/s3.rs"]
mod s3;

fn local() -> (TempDir, Blobs) {
    let dir = TempDir::new().unwrap();
    let blobs = Blobs::open(&BlobOptions::Folder(dir.path().join("files")), Arc::new(SystemClock)).unwrap();
    (dir, blobs)
}

async fn service() -> (TempDir, Blobs) {
    let dir = TempDir::new().unwrap();
    let options = S3Options {
        bucket: s3::BUCKET.to_owned(),
        endpoint: Some(s3::serve(dir.path()).await.unwrap()),
        region: s3::REGION.to_owned(),
        credentials: Some((s3::KEYS.0.to_owned(), s3::KEYS.1.to_owned())),
        waits: S3Waits::default(),
    };
    let blobs = Blobs::open(&BlobOptions::S3(options), Arc::new(SystemClock)).unwrap();
    (dir, blobs)
}

/// The same behaviour of every kind of object store.
macro_rules! each_store {
    ($($behaviour:ident),+ $(,)?) => {
        mod in_a_folder {
            $(#[tokio::test]
            async fn $behaviour() {
                let (_dir, blobs) = super::local();
                super::$behaviour(blobs).await;
            })+
        }
        mod in_an_s3_bucket {
            $(#[tokio::test]
            async fn $behaviour() {
                let (_dir, blobs) = super::service().await;
                super::$behaviour(blobs).await;
            })+
        }
    };
}

each_store!(
    small_and_large_contents_come_back,
    nothing_stays_of_a_body_that_is_too_large_or_breaks,
    a_broken_part_keeps_what_arrived,
    missing_keys_are_told_apart_from_failures,
);

fn body(pieces: Vec<Vec<u8>>) -> ByteStream {
    futures::stream::iter(pieces.into_iter().map(|piece| Ok(Bytes::from(piece)))).boxed()
}

async fn keys(blobs: &Blobs) -> Vec<String> {
    let mut all = Vec::new();
    for folder in ["blobs", "staging", "parts", "thumbs"] {
        all.extend(blobs.list(folder).map_ok(|listed| listed.key).try_collect::<Vec<_>>().await.unwrap());
    }
    all
}

async fn read_all(blobs: &Blobs, key: &str, range: Range<u64>) -> Vec<u8> {
    blobs.read(key, range).await.unwrap().try_collect::<Vec<_>>().await.unwrap().concat()
}

async fn small_and_large_contents_come_back(blobs: Blobs) {
    for size in [0, 1, PART_BYTES - 1, PART_BYTES, 2 * PART_BYTES + 17] {
        let data: Vec<u8> = (0..size).map(|i| (i % 251) as u8).collect();
        let pieces = data.chunks(1 << 20).map(<[u8]>::to_vec).collect();
        let stored = blobs.store(body(pieces), u64::MAX).await.unwrap();
        assert_eq!(stored.digests.size, size as u64);
        assert_eq!(checksum_of(&stored.key), Some(stored.digests.sha256.as_str()));
        assert!(stamped_at(&stored.key).is_some());
        assert_eq!(keys(&blobs).await, std::slice::from_ref(&stored.key));
        assert!(read_all(&blobs, &stored.key, 0..size as u64).await == data);
        if size > 10 {
            assert_eq!(read_all(&blobs, &stored.key, 3..9).await, data[3..9]);
            let inner = 7..size - 2;
            assert!(read_all(&blobs, &stored.key, 7..size as u64 - 2).await == data[inner]);
        }
        blobs.remove(&stored.key).await.unwrap();
    }
}

async fn nothing_stays_of_a_body_that_is_too_large_or_breaks(blobs: Blobs) {
    let large = vec![vec![1; PART_BYTES], vec![2; PART_BYTES]];
    let refused = blobs.store(body(large.clone()), PART_BYTES as u64 + 1).await.unwrap_err();
    assert_eq!((refused.code(), refused.tag()), (Code::ResourceExhausted, "FileTooLarge"));
    let mut pieces: Vec<Result<Bytes>> = large.into_iter().map(|piece| Ok(piece.into())).collect();
    pieces.push(Err(Error::new(Code::Cancelled, "BodyBroken", "gone")));
    let broken = blobs.store(futures::stream::iter(pieces).boxed(), u64::MAX).await.unwrap_err();
    assert_eq!(broken.tag(), "BodyBroken");
    assert!(keys(&blobs).await.is_empty());
}

#[tokio::test]
async fn a_refused_body_leaves_no_file() {
    let (dir, blobs) = local();
    let large = vec![vec![1; PART_BYTES], vec![2; PART_BYTES]];
    blobs.store(body(large), PART_BYTES as u64 + 1).await.unwrap_err();
    let staging = dir.path().join("files/staging");
    let left = std::fs::read_dir(staging).map_or(0, Iterator::count);
    assert_eq!(left, 0);
}

async fn a_broken_part_keeps_what_arrived(blobs: Blobs) {
    let pieces =
        vec![Ok(Bytes::from_static(b"hello")), Err(Error::new(Code::Cancelled, "BodyBroken", "gone"))];
    let received = blobs.receive("parts/s/1", futures::stream::iter(pieces).boxed(), 100).await.unwrap();
    assert_eq!(received.size, 5);
    assert_eq!(received.broken.unwrap().tag(), "BodyBroken");
    assert_eq!(read_all(&blobs, "parts/s/1", 0..5).await, b"hello");
}

#[tokio::test]
async fn a_file_cut_short_under_its_reader_is_an_error() {
    let (dir, blobs) = local();
    let stored = blobs.store(body(vec![vec![7; 3 << 20]]), u64::MAX).await.unwrap();
    let mut reader = blobs.read(&stored.key, 0..3 << 20).await.unwrap();
    reader.next().await.unwrap().unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(dir.path().join("files").join(&stored.key));
    file.unwrap().set_len(1 << 20).unwrap();
    let rest: Vec<_> = reader.collect().await;
    assert_eq!(rest.last().unwrap().as_ref().unwrap_err().tag(), "BlobStore");
}

#[tokio::test]
async fn a_restart_removes_staged_files() {
    let (dir, blobs) = local();
    let staged = dir.path().join("files/staging/x#1");
    std::fs::create_dir_all(staged.parent().unwrap()).unwrap();
    std::fs::write(&staged, b"half").unwrap();
    drop(blobs);
    Blobs::open(&BlobOptions::Folder(dir.path().join("files")), Arc::new(SystemClock)).unwrap();
    assert!(!staged.exists());
}

#[test]
fn stamps_tell_the_time() {
    let clock = Arc::new(ManualClock::new(Ts::from_micros(1_234_567)));
    let blobs = Blobs::open(&BlobOptions::Memory, clock).unwrap();
    assert_eq!(stamped_at(&blobs.content_key(&"ab".repeat(32))), Some(Ts::from_micros(1_234_567)));
    assert_ne!(blobs.stamp(), blobs.stamp());
}

async fn missing_keys_are_told_apart_from_failures(blobs: Blobs) {
    assert_eq!(blobs.read("blobs/aa/none", 0..1).await.err().unwrap().tag(), "BlobMissing");
    assert_eq!(blobs.read("blobs/aa/none", 0..0).await.err().unwrap().tag(), "BlobMissing");
    assert_eq!(blobs.read_small("blobs/aa/none").await.unwrap(), None);
    blobs.remove("blobs/aa/none").await.unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    /// Checksums and bytes do not depend on the pieces a content arrives in.
    #[test]
    fn pieces_do_not_matter(pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..50), 0..8)) {
        let whole = pieces.concat();
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
            let blobs = Blobs::open(&BlobOptions::Memory, Arc::new(SystemClock)).unwrap();
            let a = blobs.store(body(pieces), u64::MAX).await.unwrap();
            let b = blobs.store(body(vec![whole.clone()]), u64::MAX).await.unwrap();
            assert_eq!(a.digests, b.digests);
            assert_eq!(read_all(&blobs, &a.key, 0..whole.len() as u64).await, whole);
        });
    }
}

#[tokio::test]
async fn a_service_that_takes_connections_and_never_answers_is_not_waited_for_long() {
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let wait = std::time::Duration::from_millis(50);
    let options = S3Options {
        bucket: s3::BUCKET.to_owned(),
        endpoint: Some(format!("http://{}", socket.local_addr().unwrap())),
        region: s3::REGION.to_owned(),
        credentials: Some((s3::KEYS.0.to_owned(), s3::KEYS.1.to_owned())),
        waits: S3Waits { connect: wait, answer: wait, again: wait / 2, ..S3Waits::default() },
    };
    let blobs = Blobs::open(&BlobOptions::S3(options), Arc::new(SystemClock)).unwrap();
    let silent = async {
        let mut open = Vec::new();
        while let Ok((stream, _)) = socket.accept().await {
            open.push(stream);
        }
    };
    let ask = async {
        let read = blobs.read_small("blobs/x").await.unwrap_err();
        let write = blobs.write_small("blobs/x", Bytes::from_static(b"x")).await.unwrap_err();
        for error in [read, write] {
            assert_eq!((error.code(), error.tag()), (Code::Unavailable, "BlobStore"));
            assert!(error.message().contains("does not answer"), "{}", error.message());
        }
    };
    tokio::select! {
        () = ask => {}
        () = silent => unreachable!("connections are taken for ever"),
    }
}
