use std::sync::atomic::Ordering;
use std::time::Duration;

use docstore::access::Mode;
use futures::future::join_all;
use proptest::prelude::*;

use super::support::{BUCKET, Bench};
use crate::catalog::Usage;
use crate::options::Limits;
use crate::sweep::{FREED_AGE_SECONDS, ORPHAN_AGE_SECONDS, Swept};

#[tokio::test]
async fn a_crash_before_the_commit_leaves_nothing_visible() {
    let (bench, records) = Bench::fragile(Mode::Serving, Limits::default());
    records.crashes.store(1, Ordering::SeqCst);
    assert_eq!(bench.put("a.txt", "text/plain", "hello").await.status, 503);
    let bench = bench.restarted();
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fa.txt", "").await.status, 404);
    assert_eq!(bench.user("GET", "o?prefix=users/u/", "").await.json()["items"], serde_json::json!([]));
    assert_eq!(bench.state.usage("u").await.unwrap(), Usage::default());
    // The content is an orphan: too young to be swept, then swept.
    assert_eq!(bench.keys().await.len(), 1);
    assert_eq!(bench.state.sweep().await.unwrap(), Swept::default());
    bench.clock.advance(Duration::from_secs(ORPHAN_AGE_SECONDS + 1));
    assert_eq!(bench.state.sweep().await.unwrap(), Swept { contents: 1, ..Swept::default() });
    assert!(bench.keys().await.is_empty());
    // A replacement that dies leaves the old file as it was.
    bench.put("a.txt", "text/plain", "old").await;
    records.crashes.store(1, Ordering::SeqCst);
    assert_eq!(bench.put("a.txt", "text/plain", "new").await.status, 503);
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fa.txt?alt=media", "").await.body, "old");
}

#[tokio::test]
async fn a_crash_while_finishing_loses_no_bytes() {
    let (bench, records) = Bench::fragile(Mode::Serving, Limits::default());
    let headers = [
        ("authorization", "Firebase user-u"),
        ("x-goog-upload-protocol", "resumable"),
        ("x-goog-upload-command", "start"),
    ];
    let reply = bench.send("POST", &format!("/v0/b/{BUCKET}/o?name=users/u/r"), &headers, "").await;
    let url = reply.header("x-goog-upload-url").trim_start_matches("http://127.0.0.1:9199").to_owned();
    let command = async |command: &str, body: &'static str| {
        bench.restarted().send("POST", &url, &[("x-goog-upload-command", command)], body).await
    };
    assert_eq!(command("upload", "hello").await.status, 200);
    records.crashes.store(1, Ordering::SeqCst);
    assert_eq!(command("finalize", "").await.status, 503);
    assert_eq!(command("query", "").await.header("x-goog-upload-status"), "active");
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fr", "").await.status, 404);
    assert_eq!(command("finalize", "").await.status, 200);
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fr?alt=media", "").await.body, "hello");
    bench.clock.advance(Duration::from_secs(ORPHAN_AGE_SECONDS + 1));
    bench.state.sweep().await.unwrap();
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fr?alt=media", "").await.body, "hello");
    assert_eq!(bench.keys().await.len(), 1);
}

#[tokio::test]
async fn the_sweep_takes_only_what_nobody_has() {
    let bench = Bench::new(Mode::Serving).await;
    let png = super::support::noise_image(300, 300, image::ImageFormat::Png);
    for name in ["a", "b"] {
        bench.put(name, "image/png", png.clone()).await;
    }
    bench.user("GET", "o/users%2Fu%2Fa?alt=media&thumb=64", "").await;
    assert_eq!(bench.keys().await.len(), 2, "one content, one thumbnail");
    let day = Duration::from_secs(ORPHAN_AGE_SECONDS + 1);
    bench.user("DELETE", "o/users%2Fu%2Fa", "").await;
    bench.clock.advance(day);
    assert_eq!(bench.state.sweep().await.unwrap(), Swept::default());
    bench.user("DELETE", "o/users%2Fu%2Fb", "").await;
    // The same content comes back before the sweep: under a key of its own, which the sweep leaves alone.
    bench.put("c", "image/png", png.clone()).await;
    assert_eq!(
        bench.state.sweep().await.unwrap(),
        Swept::default(),
        "who looked it up can read it for a while"
    );
    bench.clock.advance(Duration::from_secs(FREED_AGE_SECONDS));
    assert_eq!(bench.state.sweep().await.unwrap(), Swept { contents: 1, ..Swept::default() });
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fc?alt=media", "").await.body, png);
    bench.user("DELETE", "o/users%2Fu%2Fc", "").await;
    bench.clock.advance(day);
    assert_eq!(bench.state.sweep().await.unwrap(), Swept { contents: 1, thumbs: 1, ..Swept::default() });
    assert!(bench.keys().await.is_empty());
}

#[tokio::test]
async fn contents_of_deleted_files_go_within_ten_minutes_and_other_uploads_of_them_stay() {
    let bench = Bench::new(Mode::Serving).await;
    let minutes = |minutes: u64| bench.clock.advance(Duration::from_secs(60 * minutes));
    for name in ["a", "b", "copy-of-b", "c"] {
        bench.put(name, "text/plain", name.trim_start_matches("copy-of-")).await;
    }
    // Deleted, replaced, and one of two files with a content: the first two contents are nobody's now.
    bench.user("DELETE", "o/users%2Fu%2Fa", "").await;
    bench.put("c", "text/plain", "d").await;
    bench.user("DELETE", "o/users%2Fu%2Fb", "").await;
    assert_eq!(bench.state.sweep_freed().await.unwrap(), Swept::default());
    assert_eq!(bench.keys().await.len(), 4);
    // An upload of the first content begins before it goes, and becomes visible after.
    let headers = [
        ("authorization", "Firebase user-u"),
        ("x-goog-upload-protocol", "resumable"),
        ("x-goog-upload-command", "start"),
    ];
    let reply = bench.send("POST", &format!("/v0/b/{BUCKET}/o?name=users/u/again"), &headers, "").await;
    let url = reply.header("x-goog-upload-url").trim_start_matches("http://127.0.0.1:9199").to_owned();
    assert_eq!(bench.send("POST", &url, &[("x-goog-upload-command", "upload")], "a").await.status, 200);
    // Another has it at once.
    bench.put("a2", "text/plain", "a").await;
    minutes(8);
    let restarted = bench.restarted();
    assert_eq!(restarted.state.sweep_freed().await.unwrap(), Swept { contents: 2, ..Swept::default() });
    assert_eq!(bench.send("POST", &url, &[("x-goog-upload-command", "finalize")], "").await.status, 200);
    for (name, content) in [("a2", "a"), ("again", "a"), ("copy-of-b", "b"), ("c", "d")] {
        let path = format!("o/users%2Fu%2F{name}?alt=media");
        assert_eq!(bench.user("GET", &path, "").await.body, content, "{name}");
    }
    assert_eq!(bench.state.sweep_freed().await.unwrap(), Swept::default(), "each goes once");
    for name in ["a2", "again", "copy-of-b", "c"] {
        bench.user("DELETE", &format!("o/users%2Fu%2F{name}"), "").await;
    }
    minutes(8);
    bench.state.sweep_freed().await.unwrap();
    assert_eq!(bench.keys().await.len(), 0, "{:?}", bench.keys().await);
}

#[tokio::test]
async fn a_content_that_cannot_be_removed_stops_no_other_and_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let bench = Bench::in_folder(folder.path());
    for name in ["a", "b", "c"] {
        bench.put(name, "text/plain", name).await;
    }
    let keys = bench.keys().await;
    for name in ["a", "b", "c"] {
        bench.user("DELETE", &format!("o/users%2Fu%2F{name}"), "").await;
    }
    bench.clock.advance(Duration::from_secs(FREED_AGE_SECONDS + 1));
    // The first in order: a folder in its place cannot be removed as a file.
    let first = folder.path().join(keys.iter().min().unwrap());
    std::fs::remove_file(&first).unwrap();
    std::fs::create_dir(&first).unwrap();
    for (sweep, removed) in [("the first", 2), ("the second", 0)] {
        let swept = bench.state.sweep_freed().await.unwrap();
        assert_eq!(swept, Swept { contents: removed, ..Swept::default() }, "{sweep}");
    }
    std::fs::remove_dir(&first).unwrap();
    std::fs::write(&first, "a").unwrap();
    assert_eq!(bench.state.sweep().await.unwrap(), Swept { contents: 1, ..Swept::default() });
    assert!(bench.keys().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_server_removes_them_by_itself() {
    let (bench, _) = Bench::fragile(Mode::Serving, Limits::default());
    bench.put("a", "text/plain", "a").await;
    bench.user("DELETE", "o/users%2Fu%2Fa", "").await;
    let state = bench.state.clone();
    let sweeping = tokio::spawn(async move { state.maintain().await });
    for _ in 0..10 {
        bench.clock.advance(Duration::from_secs(60));
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
    assert!(bench.keys().await.is_empty(), "within ten minutes");
    sweeping.abort();
}

#[tokio::test]
async fn uploads_that_rest_for_a_week_are_given_up() {
    let bench = Bench::new(Mode::Serving).await;
    let headers = [
        ("authorization", "Firebase user-u"),
        ("x-goog-upload-protocol", "resumable"),
        ("x-goog-upload-command", "start"),
    ];
    let reply = bench.send("POST", &format!("/v0/b/{BUCKET}/o?name=users/u/r"), &headers, "").await;
    let url = reply.header("x-goog-upload-url").trim_start_matches("http://127.0.0.1:9199").to_owned();
    bench.send("POST", &url, &[("x-goog-upload-command", "upload")], "hello").await;
    bench.clock.advance(Duration::from_secs(2 * 24 * 3600));
    assert_eq!(bench.state.sweep().await.unwrap(), Swept::default());
    bench.clock.advance(Duration::from_secs(6 * 24 * 3600));
    bench.state.sweep().await.unwrap();
    assert_eq!(bench.state.usage("u").await.unwrap(), Usage::default());
    assert!(bench.keys().await.is_empty());
    bench.clock.advance(Duration::from_secs(8 * 24 * 3600));
    assert_eq!(bench.state.sweep().await.unwrap(), Swept { sessions: 1, ..Swept::default() });
    assert_eq!(bench.send("POST", &url, &[("x-goog-upload-command", "query")], "").await.status, 404);
}

/// Many uploads at once cannot get past a quota, and fill it exactly.
#[tokio::test]
async fn quotas_hold_in_a_race() {
    for real in [true, false] {
        let limits = Limits { user_bytes: 50, user_files: 7, ..Limits::default() };
        let bench = if real {
            Bench::with(Mode::Serving, limits).await
        } else {
            Bench::fragile(Mode::Serving, limits).0
        };
        let puts = (0..20).map(|i| {
            let bench = &bench;
            async move { bench.put(&format!("f{i}"), "text/plain", format!("{i:010}")).await.status.as_u16() }
        });
        let statuses = join_all(puts).await;
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 5, "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 402].contains(status)), "{statuses:?}");
        let usage = bench.state.usage("u").await.unwrap();
        assert_eq!((usage.bytes, usage.files), (50, 5));
        assert_eq!(bench.state.total_usage().await.unwrap(), usage);
        assert_eq!(bench.keys().await.len(), 5);
        // Empty files count too; and replacing is not adding.
        let empty = (0..5).map(|i| {
            bench.user(
                "POST",
                [
                    "o/users%2Fu%2Fe0",
                    "o/users%2Fu%2Fe1",
                    "o/users%2Fu%2Fe2",
                    "o/users%2Fu%2Fe3",
                    "o/users%2Fu%2Fe4",
                ][i],
                "",
            )
        });
        let statuses: Vec<_> = join_all(empty).await.iter().map(|reply| reply.status.as_u16()).collect();
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 2, "{statuses:?}");
        let kept = bench.user("GET", "o?prefix=users/u/", "").await.json();
        let name = kept["items"][6]["name"].as_str().unwrap().trim_start_matches("users/u/").to_owned();
        assert_eq!(bench.put(&name, "text/plain", "9999999999").await.status, 200);
    }
}

#[derive(Debug, Clone)]
enum Act {
    Put(u8, u8),
    Delete(u8),
    Copy(u8, u8),
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// After any concurrent operations, every file reads with its checksum, the counters are the sums, and after a
    /// sweep there are exactly as many contents as distinct visible ones.
    #[test]
    fn counters_and_contents_agree_with_what_is_visible(
        rounds in proptest::collection::vec(proptest::collection::vec(prop_oneof![
            (0..4_u8, 0..3_u8).prop_map(|(name, data)| Act::Put(name, data)),
            (0..4_u8).prop_map(Act::Delete),
            (0..4_u8, 0..4_u8).prop_map(|(from, to)| Act::Copy(from, to)),
        ], 1..5), 1..6),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (bench, _) = Bench::fragile(Mode::Emulator, Limits::default());
            for acts in &rounds {
                join_all(acts.iter().map(|act| {
                    let bench = &bench;
                    async move {
                        let status = match act {
                            Act::Put(name, data) => {
                                bench.put(&name.to_string(), "text/plain", vec![b'x'; usize::from(*data)]).await.status
                            }
                            Act::Delete(name) => bench.user("DELETE", &format!("o/users%2Fu%2F{name}"), "").await.status,
                            Act::Copy(from, to) => {
                                let uri = format!("/b/{BUCKET}/o/users%2Fu%2F{from}/copyTo/b/{BUCKET}/o/users%2Fu%2F{to}");
                                bench.send("POST", &uri, &[], "").await.status
                            }
                        };
                        assert!([200, 204, 404, 412, 503].contains(&status.as_u16()), "{act:?}: {status}");
                    }
                }))
                .await;
            }
            let listed = bench.send("GET", &format!("/b/{BUCKET}/o"), &[], "").await.json();
            let items = listed["items"].as_array().cloned().unwrap_or_default();
            let sizes: Vec<u64> = items.iter().map(|item| item["size"].as_str().unwrap().parse().unwrap()).collect();
            let usage = bench.state.usage("u").await.unwrap();
            // Of one size there is one content, which counts once.
            let different: std::collections::BTreeSet<u64> = sizes.iter().copied().collect();
            assert_eq!((usage.files, usage.bytes), (sizes.len() as u64, different.iter().sum()));
            bench.clock.advance(Duration::from_secs(ORPHAN_AGE_SECONDS + 1));
            bench.state.sweep().await.unwrap();
            assert_eq!(bench.keys().await.len(), different.len());
            for item in &items {
                let uri = format!("/b/{BUCKET}/o/{}?alt=media", item["name"].as_str().unwrap().replace('/', "%2F"));
                let read = bench.send("GET", &uri, &[], "").await;
                assert_eq!((read.status.as_u16(), read.body.len().to_string().as_str()), (200, item["size"].as_str().unwrap()));
            }
        });
    }
}

/// Files from before contents counted once are counted one by one until they go; then nothing is left of their counts.
#[tokio::test]
async fn files_that_were_counted_one_by_one_leave_no_count_behind() {
    const NAMES: [&str; 5] = ["old0", "old1", "new0", "new1", "new2"];
    for turn in 0..NAMES.len() {
        let bench = Bench::new(Mode::Serving).await;
        let catalog = &bench.state.files.catalog;
        for (at, name) in NAMES.iter().enumerate() {
            assert_eq!(bench.put(name, "text/plain", "0123456789").await.status, 200);
            if at < 2 {
                let mut hasher = crate::digest::Hasher::default();
                hasher.update(b"0123456789");
                let path = crate::catalog::copies_document("u", &hasher.finish().sha256).unwrap();
                let mut unit = catalog.unit();
                unit.load(&[&path]).await.unwrap();
                unit.delete(&path);
                assert!(unit.commit().await.unwrap());
            }
        }
        assert_eq!(
            bench.state.usage("u").await.unwrap().bytes,
            30,
            "two one by one, and the others together"
        );
        let mut names = NAMES;
        names.rotate_left(turn);
        for (gone, name) in names.iter().enumerate() {
            assert!(bench.state.usage("u").await.unwrap().bytes >= 10, "{names:?}, {gone} gone");
            assert_eq!(bench.user("DELETE", &format!("o/users%2Fu%2F{name}"), "").await.status, 204);
        }
        assert_eq!(bench.state.usage("u").await.unwrap(), Usage::default(), "{names:?}");
    }
}

#[tokio::test]
async fn everything_of_a_user_can_be_removed_and_nothing_of_others() {
    let bench = Bench::new(Mode::Emulator).await;
    for name in ["a.txt", "deep/er/b.txt"] {
        assert_eq!(bench.put(name, "text/plain", "mine").await.status, 200);
    }
    let theirs = format!("/v0/b/{BUCKET}/o?name=users/u2/c.txt");
    let headers = [("authorization", "Firebase user-u2"), ("content-type", "text/plain")];
    assert_eq!(bench.send("POST", &theirs, &headers, "theirs").await.status, 200);
    assert_eq!(bench.state.delete_folder("users/u/").await.unwrap(), 2);
    assert_eq!(bench.state.delete_folder("users/u/").await.unwrap(), 0);
    assert_eq!(bench.state.usage("u").await.unwrap().files, 0);
    let read = bench.send("GET", &format!("/v0/b/{BUCKET}/o/users%2Fu2%2Fc.txt"), &headers, "").await;
    assert_eq!(read.status, 200);
}

#[tokio::test]
async fn a_download_of_a_file_with_a_flipped_bit_breaks_off() {
    let bench = Bench::new(Mode::Serving).await;
    bench.put("a.txt", "text/plain", "hello").await;
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fa.txt?alt=media", "").await.body, "hello");
    let key = bench.keys().await.remove(0);
    bench.state.files.blobs.write_small(&key, "hellp".into()).await.unwrap();
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fa.txt?alt=media", "").await.body, "");
    // A denied caller does not learn that the file exists.
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fa.txt", "").await.status, 200);
}
