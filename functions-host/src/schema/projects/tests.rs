use std::collections::{BTreeMap, BTreeSet};

use docstore::Draft;
use docstore::model::{Document, Timestamp, Write};
use proptest::prelude::*;

use super::conflicts::Search;
use super::*;
use crate::schema::moved::{Kind, new_id};
use crate::schema::testing::{self, Contents, Killed, TINY, block_on, fields, target, text};

const OWNERS: [&str; 3] = ["ann", "bob", "cat"];
const IDS: [&str; 3] = ["d", "e", "f"];

async fn contents(target: &Target) -> Contents {
    let found = testing::documents(target).await;
    let pair = |document: Document| {
        let mut fields = document.fields;
        // Recovered projects are as old as their recovery.
        for name in ["createdAt", "updatedAt"] {
            if matches!(fields.get(name), Some(Value::Timestamp(_))) {
                fields.insert(name.to_owned(), Value::Timestamp(Timestamp(0)));
            }
        }
        (document.path.as_str().to_owned(), fields)
    };
    found.into_iter().map(pair).collect()
}

async fn upgrade(target: &Target, limits: Limits, progress: &dyn Progress) -> Result<()> {
    conflicts::resolve(target).await?;
    moving::run(target, limits, progress).await
}

/// The present id of a project.
async fn id_of(target: &Target, owner: &str, id: &str) -> String {
    let moved = target.moved.now(Kind::Project, &[(owner, id)]).await.unwrap();
    moved.into_iter().next().flatten().unwrap_or_else(|| id.to_owned())
}

/// Checks that everything before is found after, and nothing more, whatever new ids there are.
async fn check(before: &[(String, Fields)], target: &Target) {
    let mut after = contents(target).await;
    let mut taken = BTreeMap::new();
    let owners: BTreeSet<(String, String)> = before.iter().filter_map(|(path, _)| project(path)).collect();
    for (owner, id) in &owners {
        let now = id_of(target, owner, id).await;
        assert_eq!(taken.insert(now.clone(), (owner, id)), None, "two projects have the id {now}");
    }
    for id in IDS {
        // The oldest with a document of its own; then it is the first account's.
        let oldest = before.iter().find_map(|(path, _)| {
            let (owner, of) = project(path)?;
            (of == id && path.split('/').count() == 4).then_some(owner)
        });
        let first = || owners.iter().find(|(_, of)| of == id).map(|(owner, _)| owner.clone());
        if let Some(keeps) = oldest.or_else(first) {
            assert_eq!(id_of(target, &keeps, id).await, id);
        }
    }
    for (path, fields) in before {
        let Some((owner, id)) = project(path) else {
            let mut wanted = fields.clone();
            if let (Some(Value::Array(ids)), Some(owner)) =
                (wanted.get_mut("deckIds"), path.split('/').nth(1))
            {
                for named in ids {
                    let Value::String(old) = &*named else { continue };
                    *named = text(&id_of(target, owner, old).await);
                }
            }
            assert_eq!(after.remove(path), Some(wanted), "{path}");
            continue;
        };
        let now = id_of(target, &owner, &id).await;
        let part: Vec<&str> = path.split('/').skip(4).collect();
        if matches!(part[..], ["components", _, "presence", _]) {
            continue;
        }
        let place = format!("projects/{now}/{}", part.join("/"));
        let found = after.remove(place.trim_end_matches('/')).unwrap_or_else(|| panic!("{path} is lost"));
        let mut wanted = fields.clone();
        if part.is_empty() {
            assert_eq!(found["owner"], text(&owner));
            assert_eq!(
                found.get("shared"),
                wanted.contains_key("memberIds").then_some(&Value::Boolean(true))
            );
            let (Value::Map(members), Value::Array(ids)) = (&found["members"], &found["memberIds"]) else {
                panic!("{path} has no members");
            };
            assert_eq!(members[owner.as_str()], text("owner"));
            assert!(ids.iter().all(|uid| matches!(uid, Value::String(uid) if members.contains_key(uid))));
            assert_eq!(members.len(), ids.len());
            let Some(Value::Map(old)) = wanted.get("members") else { panic!("each has some") };
            assert_eq!(members.len(), old.len() + 1);
            assert!(old.iter().all(|(uid, role)| members[uid] == *role));
            for added in ["owner", "members", "memberIds", "shared"] {
                wanted.remove(added);
            }
        } else if wanted.contains_key("deckId") {
            wanted.insert("deckId".to_owned(), text(&now));
        }
        assert!(wanted.iter().all(|(name, value)| found.get(name) == Some(value)), "{path}");
    }
    // Projects that had parts and no document of their own have one.
    for (path, fields) in after {
        let (_, (owner, id)) = taken.remove_entry(path.trim_start_matches("projects/")).unwrap();
        assert_eq!((&fields["name"], &fields["owner"]), (&text("Recovered project"), &text(owner)));
        assert!(!before.iter().any(|(path, _)| *path == format!("users/{owner}/decks/{id}")), "{path}");
    }
}

/// Owner and id of the project that a path lies in.
fn project(path: &str) -> Option<(String, String)> {
    let parts: Vec<&str> = path.split('/').collect();
    match parts[..] {
        ["users", owner, "decks", id, ..] => Some((owner.to_owned(), id.to_owned())),
        _ => None,
    }
}

/// Accounts with projects of the same ids, shared ones, parts without a project, and things nobody expects.
fn documents() -> impl Strategy<Value = Vec<(String, Fields)>> {
    let own = any::<bool>().prop_map(|shared| {
        let mut own = fields(&[("name", text("Wolves")), ("members", Value::Map(Fields::new()))]);
        if shared {
            let members = fields(&[("dan", text("editor")), ("eve", text("viewer"))]);
            own.insert("members".to_owned(), Value::Map(members));
            own.insert("memberIds".to_owned(), Value::Array(vec![text("dan"), text("eve")]));
        }
        (String::new(), own)
    });
    let part = prop_oneof![
        (0..4, 0..2).prop_map(|(card, component)| format!("/components/c{component}/cards/{card}")),
        (0..2).prop_map(|component| format!("/components/c{component}")),
        (0..2).prop_map(|window| format!("/components/c0/presence/w{window}")),
        Just("/notes/main".to_owned()),
        Just("/unheard/1/of/2/things/3".to_owned()),
    ];
    let part = (part, any::<i64>()).prop_map(|(path, value)| (path, fields(&[("n", Value::Integer(value))])));
    let one = (
        0..OWNERS.len(),
        0..IDS.len(),
        prop_oneof![2 => own, 4 => part, 1 => Just(("/invitations/i".to_owned(), Fields::new()))],
    );
    let one = one.prop_map(|(owner, id, (part, mut fields))| {
        let (owner, id) = (OWNERS[owner], IDS[id]);
        if part.starts_with("/invitations") {
            fields.insert("deckId".to_owned(), text(id));
        }
        (format!("users/{owner}/decks/{id}{part}"), fields)
    });
    let layout = (0..OWNERS.len(), 0..3, prop::collection::vec(0..IDS.len(), 0..3));
    let layout = layout.prop_map(|(owner, layout, ids)| {
        let ids: BTreeSet<&str> = ids.into_iter().map(|id| IDS[id]).collect();
        let ids = ids.into_iter().map(text).collect();
        (format!("users/{}/layouts/{layout}", OWNERS[owner]), fields(&[("deckIds", Value::Array(ids))]))
    });
    let other = prop_oneof![Just("users/ann"), Just("site/state"), Just("users/gus/userData/userObject")]
        .prop_map(|path| (path.to_owned(), fields(&[("name", text("Other"))])));
    let one = prop_oneof![8 => one, 2 => layout, 1 => other];
    prop::collection::vec(one, 0..24).prop_map(|all| {
        let mut seen = BTreeSet::new();
        all.into_iter().filter(|(path, _)| seen.insert(path.clone())).collect()
    })
}

/// The projects that get a new id, found by comparing so many ids at once.
async fn losers(target: &Target, compared: u64) -> BTreeSet<(String, String)> {
    let (mut search, mut all) = (Search::comparing(target, compared).await.unwrap(), BTreeSet::new());
    while let Some(some) = search.next().await.unwrap() {
        all.extend(some);
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn all_that_was_there_is_there_however_often_it_was_interrupted(
        before in documents(), pauses in prop::collection::vec(0_i64..6, 0..8),
    ) {
        block_on(async {
            let whole = target(&before).await;
            upgrade(&whole, Limits::default(), &Killed::after(i64::MAX)).await.unwrap();
            check(&before, &whole).await;
            let after = contents(&whole).await;

            let pieces = target(&before).await;
            conflicts::resolve(&pieces).await.unwrap();
            // Decided once more after an interruption: the same.
            conflicts::resolve(&pieces).await.unwrap();
            for commits in pauses {
                _ = moving::run(&pieces, TINY, &Killed::after(commits)).await;
            }
            moving::run(&pieces, TINY, &Killed::after(i64::MAX)).await.unwrap();
            assert_eq!(contents(&pieces).await, after);

            // Queries may have begun an index, whose commits count too.
            pieces.documents.settle_indexes().await;
            let time = pieces.documents.read_time();
            moving::run(&pieces, TINY, &Killed::after(0)).await.unwrap();
            assert_eq!(pieces.documents.read_time(), time, "a second run has written something");
        });
    }

    #[test]
    fn a_survey_changes_nothing(before in documents()) {
        block_on(async {
            let target = target(&before).await;
            let (time, mut lines) = (target.documents.read_time(), Vec::new());
            let tell = &mut |line: &str| { lines.push(line.to_owned()); Ok(()) };
            survey::survey(&target, tell).await.unwrap();
            assert_eq!(losers(&target, 1).await, losers(&target, 1_000).await);
            assert_eq!(target.documents.read_time(), time);
            let accounts: BTreeSet<_> = before.iter().filter_map(|(path, _)| Some(project(path)?.0)).collect();
            assert_eq!(lines.iter().filter(|line| line.starts_with("account ")).count(), accounts.len());
        });
    }
}

#[tokio::test]
async fn a_project_is_whole_after_a_stop_at_every_commit() {
    let mut before = vec![(
        "users/ann/decks/d".to_owned(),
        fields(&[("name", text("Wolves")), ("members", Value::Map(Fields::new()))]),
    )];
    for card in 0..20 {
        before.push((
            format!("users/ann/decks/d/components/c/cards/{card}"),
            fields(&[("n", Value::Integer(card))]),
        ));
    }
    before.push(("users/bob/decks/d/components/c/cards/1".to_owned(), fields(&[("n", text("bob's"))])));
    let mut commits = 0;
    loop {
        let target = target(&before).await;
        let stopped = upgrade(&target, TINY, &Killed::after(commits)).await;
        if stopped.is_err() {
            upgrade(&target, TINY, &Killed::after(i64::MAX)).await.unwrap();
        }
        check(&before, &target).await;
        commits += 1;
        if stopped.is_ok() {
            break;
        }
    }
    assert!(commits > 20, "{commits}");
}

#[tokio::test]
async fn a_new_id_that_somebody_has_taken_on_purpose_is_not_used() {
    let own = fields(&[("members", Value::Map(Fields::new()))]);
    let stolen = new_id(Kind::Project, "bob", "d", 0);
    let before: Vec<_> = ["users/ann/decks/d", "users/bob/decks/d", &format!("users/cat/decks/{stolen}")]
        .map(|path| (path.to_owned(), own.clone()))
        .into();
    let target = target(&before).await;
    upgrade(&target, TINY, &Killed::after(i64::MAX)).await.unwrap();
    check(&before, &target).await;
    let now = contents(&target).await;
    assert_eq!(now[&format!("projects/{stolen}")]["owner"], text("cat"));
    assert_eq!(id_of(&target, "bob", "d").await, new_id(Kind::Project, "bob", "d", 1));
}

#[tokio::test]
async fn what_comes_again_joins_what_was_moved_before() {
    let own = fields(&[("members", Value::Map(Fields::new()))]);
    let before: Vec<_> =
        ["users/ann/decks/d", "users/bob/decks/d"].map(|path| (path.to_owned(), own.clone())).into();
    let target = target(&before).await;
    upgrade(&target, TINY, &Killed::after(i64::MAX)).await.unwrap();
    let once = contents(&target).await;
    // As an import of an old export does.
    for (path, fields) in &before {
        target
            .documents
            .commit(Draft::of(vec![Write::set(DocPath::parse(path).unwrap(), fields.clone())]))
            .await
            .unwrap();
    }
    upgrade(&target, TINY, &Killed::after(i64::MAX)).await.unwrap();
    assert_eq!(contents(&target).await, once);
}

#[tokio::test]
async fn a_document_that_grows_too_large_stays_and_holds_nothing_up() {
    let huge = text(&"x".repeat(1_048_480));
    let before = vec![
        ("users/ann/decks/d".to_owned(), fields(&[("notes", huge)])),
        ("users/ann/decks/d/notes/main".to_owned(), fields(&[("text", text("kept"))])),
    ];
    let target = target(&before).await;
    upgrade(&target, Limits::default(), &Killed::after(i64::MAX)).await.unwrap();
    let after = contents(&target).await;
    assert_eq!(after["users/ann/decks/d"], before[0].1);
    assert_eq!(after["projects/d"]["name"], text("Recovered project"));
    assert_eq!(after["projects/d/notes/main"], before[1].1);
}
