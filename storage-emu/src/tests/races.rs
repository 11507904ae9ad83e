//! Many uploads at once, by every way there is: together they keep to a user's limits, and fill them exactly.

use docstore::access::Mode;
use futures::future::join_all;

use super::support::Bench;
use super::ways::{CLOUD, USERS, Way};
use crate::catalog::Usage;
use crate::options::Limits;

const USER: &str = "Firebase user-u";
const ADMIN: &str = "Bearer owner";
/// Files each way tries to store.
const TRIES: usize = 6;

/// The same over documents that really are in the store and over ones that are quicker.
async fn benches(limits: Limits) -> [Bench; 2] {
    [Bench::with(Mode::Serving, limits).await, Bench::fragile(Mode::Serving, limits).0]
}

/// Every try of every way, all at once; answers their statuses.
async fn race(
    bench: &Bench,
    ways: &[Way],
    authorization: &str,
    name: impl Fn(Way, usize) -> String,
) -> Vec<u16> {
    let tries = ways.iter().flat_map(|way| (0..TRIES).map(move |i| (*way, i))).map(|(way, i)| {
        let name = name(way, i);
        async move {
            let data = format!("{name:>10}");
            way.store(bench, authorization, (&name, "text/plain"), data.as_bytes()).await.status.as_u16()
        }
    });
    join_all(tries).await
}

fn well(statuses: &[u16]) -> u64 {
    statuses.iter().filter(|status| **status == 200).count() as u64
}

/// Stored files and counters agree, and nothing unreferenced is left.
async fn agree(bench: &Bench, files: u64) {
    let listed = bench.user("GET", "o?prefix=users/u/", "").await.json();
    assert_eq!(listed["items"].as_array().map(Vec::len), usize::try_from(files).ok());
    let counted = Usage { bytes: files * 10, files, ..Usage::default() };
    assert_eq!(bench.state.usage("u").await.unwrap(), counted);
    assert_eq!(bench.keys().await.len() as u64, files, "{:?}", bench.keys().await);
}

fn own_name(way: Way, i: usize) -> String {
    format!("{i}{}", &format!("{way:?}")[..2].to_lowercase())
        + if way == Way::ResumableAtOnce { "a" } else { "" }
}

#[tokio::test]
async fn no_way_and_no_race_passes_the_limit_of_bytes() {
    for bench in benches(Limits { user_bytes: 50, ..Limits::default() }).await {
        let statuses = race(&bench, &USERS, USER, own_name).await;
        // Partial uploads may have blocked each other; a finished or failed one releases its quota.
        assert!((1..=5).contains(&well(&statuses)), "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 402].contains(status)), "{statuses:?}");
        agree(&bench, well(&statuses)).await;
        // Uploads in one request fill the rest of the quota, to the last byte.
        let more = race(&bench, &[Way::Media, Way::Multipart, Way::ResumableAtOnce], USER, |way, i| {
            format!("m{}", own_name(way, i))
        });
        let more = more.await;
        assert_eq!(well(&statuses) + well(&more), 5, "{statuses:?} {more:?}");
        assert!(more.iter().all(|status| [200, 402].contains(status)), "{more:?}");
        agree(&bench, 5).await;
    }
}

#[tokio::test]
async fn no_way_and_no_race_passes_the_limit_of_files() {
    for bench in benches(Limits { user_files: 5, ..Limits::default() }).await {
        let statuses = race(&bench, &USERS, USER, own_name).await;
        assert_eq!(well(&statuses), 5, "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 402].contains(status)), "{statuses:?}");
        agree(&bench, 5).await;
    }
}

/// Callers other than administrators cannot bypass the limits through the administrators' API: it is closed to them.
/// Files that administrators store for a user count for the user, whose own uploads then find no room.
#[tokio::test]
async fn the_administrators_api_is_no_way_around_a_quota() {
    for bench in benches(Limits { user_bytes: 50, ..Limits::default() }).await {
        let refused = race(&bench, &CLOUD, USER, own_name).await;
        assert!(refused.iter().all(|status| *status == 403), "{refused:?}");
        agree(&bench, 0).await;
        let (users, admins) = tokio::join!(
            race(&bench, &USERS, USER, own_name),
            race(&bench, &CLOUD[..1], ADMIN, |_, i| format!("admin{i}")),
        );
        assert_eq!(well(&admins), TRIES as u64, "{admins:?}");
        assert!(well(&users) <= 5, "{users:?}");
        agree(&bench, well(&users) + well(&admins)).await;
        let late = race(&bench, &USERS, USER, |way, i| format!("l{}", own_name(way, i))).await;
        assert!(late.iter().all(|status| *status == 402), "{late:?}");
        agree(&bench, well(&users) + well(&admins)).await;
    }
}

/// Twenty-four uploads of one file: one is there in the end, and it is counted once.
#[tokio::test]
async fn a_race_for_one_name_is_counted_once() {
    for bench in benches(Limits { user_files: 1, user_bytes: 500, ..Limits::default() }).await {
        let statuses = race(&bench, &USERS, USER, |_, _| "one".to_owned()).await;
        assert!(well(&statuses) >= 1, "{statuses:?}");
        // An upload that lost too often is told to retry.
        assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
        let usage = bench.state.usage("u").await.unwrap();
        assert_eq!((usage.files, usage.bytes), (1, 10), "{usage:?}");
        assert_eq!(bench.user("GET", "o/users%2Fu%2Fone?alt=media", "").await.body, "       one");
    }
}
