//! Copies of the log, and what is restored with them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use docstore::engine::{Files as _, SimFiles};
use docstore::model::Ts;
use docstore::{Result, Store};
use proptest::prelude::*;

use super::super::folder::FolderTarget;
use super::super::manifest::chosen;
use super::super::restore::{Restored, Wanted, restore};
use super::super::target::BackupTarget;
use super::super::tests::{Server, contents, numbers, options, runtime};
use super::chunks;
use super::follow::{Follower, LogState};
use super::replay::LogCopies;

fn over(files: &SimFiles) -> Arc<dyn BackupTarget> {
    Arc::new(FolderTarget::over(files.clone()))
}

async fn follower(server: &Server, log: &SimFiles) -> Result<Follower> {
    Follower::over(&server.source(), &Arc::new(LogState::default()), over(log)).await
}

/// Copies all commits that a follower has not copied yet, `pieces` at a time.
async fn catch_up(follower: &mut Follower, pieces: usize) -> Result<()> {
    for commits in follower.available().await?.chunks(pieces) {
        follower.write(commits.to_vec()).await?;
    }
    Ok(())
}

/// Restores a simulated disk's backup with the copies of the log on another one.
async fn restored(backups: &SimFiles, log: &SimFiles, until: Option<Ts>, data: &Path) -> Result<Restored> {
    let target: Box<dyn BackupTarget> = Box::new(FolderTarget::over(backups.clone()));
    let manifest = chosen(&*target, None)?;
    let log: Box<dyn BackupTarget> = Box::new(FolderTarget::over(log.clone()));
    let log = LogCopies::after(log, Ts::from_micros(manifest.commit), until)?;
    restore(Wanted {
        target,
        manifest,
        data: data.to_owned(),
        documents: data.join("documents"),
        store: options(data),
        blobs: contents(data),
        blobs_empty: false,
        log: Some(log),
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_and_the_copied_log_give_everything_back() {
    let (server, backups, log) = (Server::new().await, SimFiles::default(), SimFiles::default());
    server.put("cards/a", 1).await;
    let mut copies = follower(&server, &log).await.unwrap();
    server.put("cards/b", 2).await;
    server.upload(b"before").await;
    server.backup(over(&backups), None).await.unwrap();
    server.put("cards/a", 3).await;
    server.upload(b"after").await;
    server.upload(b"").await;
    server.put("cards/c", 4).await;
    catch_up(&mut copies, 2).await.unwrap();
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let back = restored(&backups, &log, None, &data).await.unwrap();
    assert_eq!(back.replayed.unwrap().until, server.source().store.newest());
    assert_eq!((back.replayed.unwrap().gap, back.lacking.len()), (false, 0));
    let expected = BTreeMap::from([("a".to_owned(), 3), ("b".to_owned(), 2), ("c".to_owned(), 4)]);
    assert_eq!(numbers(&data, "cards").await, expected);
    let blobs =
        storage_emu::blobs::Blobs::open(&contents(&data), Arc::new(docstore::clock::SystemClock)).unwrap();
    let scrubbed = blobs.scrub().await.unwrap();
    assert_eq!((scrubbed.contents, scrubbed.damaged), (3, 0));
    // It takes writes, and its log can be copied to a new folder.
    let store = Store::open(options(&data)).await.unwrap();
    assert!(store.newest() > server.source().store.newest());
    store.close().await.unwrap();
    drop(store);
    let report = docstore::engine::scrub(&data.join("documents"), docstore::engine::DEFAULT_CACHE).unwrap();
    assert_eq!(report.faults, 0, "{:?}", report.described);
}

#[tokio::test(flavor = "multi_thread")]
async fn any_moment_after_the_backup_can_be_restored() {
    let (server, backups, log) = (Server::new().await, SimFiles::default(), SimFiles::default());
    server.put("cards/a", 0).await;
    let mut copies = follower(&server, &log).await.unwrap();
    server.backup(over(&backups), None).await.unwrap();
    let mut moments = Vec::new();
    for value in 1..=4 {
        server.put("cards/a", value).await;
        moments.push((server.source().store.newest(), value));
    }
    catch_up(&mut copies, 3).await.unwrap();
    let place = tempfile::tempdir().unwrap();
    for (moment, value) in moments {
        let data = place.path().join(format!("data-{value}"));
        let back = restored(&backups, &log, Some(moment), &data).await.unwrap();
        assert_eq!(back.replayed.unwrap().until, moment);
        assert_eq!(numbers(&data, "cards").await, BTreeMap::from([("a".to_owned(), value)]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn copying_goes_on_after_a_restart_and_refuses_the_copies_of_other_data() {
    let (server, log) = (Server::new().await, SimFiles::default());
    server.put("cards/a", 1).await;
    let mut copies = follower(&server, &log).await.unwrap();
    server.put("cards/a", 2).await;
    catch_up(&mut copies, 9).await.unwrap();
    server.put("cards/a", 3).await;
    let mut again = follower(&server, &log).await.unwrap();
    catch_up(&mut again, 9).await.unwrap();
    let copied = chunks::list(&*over(&log)).unwrap();
    assert_eq!(copied.len(), 2);
    assert_eq!(copied[0].last, copied[1].after);
    // A store that is older than the copies, and one whose commits are others.
    let other = Server::new().await;
    other.put("cards/a", 9).await;
    let mut foreign = follower(&other, &SimFiles::default()).await.unwrap();
    foreign.claim(copied[1].last);
    other.put("cards/a", 10).await;
    let refused = catch_up(&mut foreign, 9).await.unwrap_err();
    assert_eq!(refused.tag(), "LogCopiesForeign");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_asked_for_once_the_copies_can_be_written_and_seldom() {
    let (server, log) = (Server::new().await, SimFiles::default());
    let state = Arc::new(LogState::default());
    let open = async |disk: &SimFiles| Follower::over(&server.source(), &state, over(disk)).await;
    let asked = || futures::FutureExt::now_or_never(state.asked()).is_some();
    let mut copies = open(&log).await.unwrap();
    log.full_after(0);
    server.put("cards/a", 1).await;
    catch_up(&mut copies, 9).await.unwrap_err();
    assert!(!asked(), "a full disk would have it made again and again, and older ones removed");
    let disk = log.after_power_cut(|_| 0);
    let mut again = open(&disk).await.unwrap();
    catch_up(&mut again, 9).await.unwrap();
    assert_eq!(chunks::list(&*over(&disk)).unwrap().len(), 1, "the commit that failed is there");
    assert!(asked());
    // Another process, before that backup was made.
    let state = Arc::new(LogState::default());
    let asked = || futures::FutureExt::now_or_never(state.asked()).is_some();
    let mut restarted = Follower::over(&server.source(), &state, over(&disk)).await.unwrap();
    for (value, expected) in [(2, true), (3, false)] {
        server.put("cards/a", value).await;
        catch_up(&mut restarted, 9).await.unwrap();
        assert_eq!(asked(), expected, "{value}");
    }
    // And one after it was made.
    let state = Arc::new(LogState::default());
    state.backed_up(server.source().store.newest().micros());
    let mut later = Follower::over(&server.source(), &state, over(&disk)).await.unwrap();
    server.put("cards/a", 4).await;
    catch_up(&mut later, 9).await.unwrap();
    assert!(futures::FutureExt::now_or_never(state.asked()).is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_that_no_backup_needs_go_although_none_can_be_written() {
    let (server, log) = (Server::new().await, SimFiles::default());
    let mut copies = follower(&server, &log).await.unwrap();
    for value in 0..3 {
        server.put("cards/a", value).await;
    }
    catch_up(&mut copies, 1).await.unwrap();
    let state = Arc::new(LogState::default());
    let before = chunks::list(&*over(&log)).unwrap();
    state.keep_after(Some(before[1].last));
    Follower::over(&server.source(), &state, over(&log)).await.unwrap();
    assert_eq!(chunks::list(&*over(&log)).unwrap(), before[2..]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_content_among_the_copies_is_named_and_another_place_has_it() {
    let (server, backups, log) = (Server::new().await, SimFiles::default(), SimFiles::default());
    let mut copies = follower(&server, &log).await.unwrap();
    server.backup(over(&backups), None).await.unwrap();
    server.upload(b"after").await;
    catch_up(&mut copies, 9).await.unwrap();
    let target = over(&log);
    let folder = target.list("contents").unwrap().remove(0);
    let name = target.list(&format!("contents/{folder}")).unwrap().remove(0);
    log.replace(&format!("contents/{folder}"), &name, b"AFTER").unwrap();
    let place = tempfile::tempdir().unwrap();
    let error = restored(&backups, &log, None, &place.path().join("data")).await.unwrap_err();
    assert!(error.message().contains(&name) && error.message().contains("--no-log"), "{error}");
    // Without the damaged one the file's content is nowhere, which is said.
    target.remove(&format!("contents/{folder}/{name}")).unwrap();
    let back = restored(&backups, &log, None, &place.path().join("data")).await.unwrap();
    assert_eq!(back.lacking.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_copies_are_said_and_what_comes_before_them_is_restored() {
    let (server, backups, log) = (Server::new().await, SimFiles::default(), SimFiles::default());
    server.put("cards/a", 0).await;
    let mut copies = follower(&server, &log).await.unwrap();
    server.backup(over(&backups), None).await.unwrap();
    for value in 1..=5 {
        server.put("cards/a", value).await;
    }
    catch_up(&mut copies, 1).await.unwrap();
    let target = over(&log);
    let third = chunks::list(&*target).unwrap()[2];
    target.remove(&third.commits()).unwrap();
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let back = restored(&backups, &log, None, &data).await.unwrap().replayed.unwrap();
    assert_eq!((back.until, back.gap), (third.after, true));
    let data = place.path().join("within");
    let within = restored(&backups, &log, Some(third.last), &data);
    let within = within.await.unwrap().replayed.unwrap();
    assert_eq!((within.until, within.gap), (third.after, true), "a moment within the gap");
    assert_eq!(numbers(&data, "cards").await, BTreeMap::from([("a".to_owned(), 2)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_are_joined_and_removed_with_their_contents() {
    let (server, log) = (Server::new().await, SimFiles::default());
    let mut copies = follower(&server, &log).await.unwrap();
    server.upload(b"old").await;
    catch_up(&mut copies, 1).await.unwrap();
    let old = server.source().store.newest();
    for value in 0..70 {
        server.put("cards/a", value).await;
    }
    server.upload(b"new").await;
    catch_up(&mut copies, 1).await.unwrap();
    let target = over(&log);
    chunks::join(&*target).unwrap();
    let joined = chunks::list(&*target).unwrap();
    assert!(joined.len() < 64, "{}", joined.len());
    let contents = || {
        let folders = target.list("contents").unwrap();
        folders.iter().map(|folder| target.list(&format!("contents/{folder}")).unwrap().len()).sum::<usize>()
    };
    assert_eq!(contents(), 2);
    chunks::remove_until(&*target, old).unwrap();
    // The joined file has later commits too.
    assert_eq!(contents(), 2);
    chunks::remove_until(&*target, server.source().store.newest()).unwrap();
    assert_eq!((chunks::list(&*target).unwrap().len(), contents()), (0, 0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// After a power cut of the copies' disk at any operation, a follower that opens them again goes on, and everything is
    /// restored.
    #[test]
    fn a_power_cut_at_any_operation_loses_no_commit(operation in 0u64..120, torn in any::<bool>(), full in any::<bool>(), pieces in 1usize..4) {
        runtime().block_on(async {
            let (server, backups, log) = (Server::new().await, SimFiles::default(), SimFiles::default());
            FolderTarget::over(log.clone()).mark(None).unwrap();
            server.put("cards/a", 0).await;
                    let mut copies = follower(&server, &log).await.unwrap();
            server.backup(over(&backups), None).await.unwrap();
            if full { log.full_after(operation) } else { log.cut_after(operation) }
            for value in 1..=12 {
                server.put("cards/a", value).await;
                server.upload(&[value as u8; 3]).await;
                if catch_up(&mut copies, pieces).await.is_err() { break; }
            }
            let disk = log.after_power_cut(|unsynced| if torn { unsynced / 2 } else { 0 });
            let mut copies = follower(&server, &disk).await.unwrap();
            if chunks::list(&*over(&disk)).unwrap().is_empty() {
                // The copies of another process begin with a backup.
                server.backup(over(&backups), None).await.unwrap();
            }
            server.put("cards/b", 1).await;
            catch_up(&mut copies, pieces).await.unwrap();
            let place = tempfile::tempdir().unwrap();
            let data = place.path().join("data");
            let back = restored(&backups, &disk, None, &data).await.unwrap();
            prop_assert_eq!((back.replayed.unwrap().gap, back.lacking.len()), (false, 0));
            prop_assert_eq!(back.replayed.unwrap().until, server.source().store.newest());
            prop_assert_eq!(numbers(&data, "cards").await.len(), 2);
            Ok(())
        })?;
    }
}
