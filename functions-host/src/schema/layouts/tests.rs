use std::collections::{BTreeMap, BTreeSet};

use docstore::Draft;
use docstore::model::{Document, Timestamp, Write};
use proptest::prelude::*;

use super::*;
use crate::schema::testing::{self, Contents, Killed, TINY, block_on, fields, target, text};

const LAYOUT_IDS: [&str; 4] = ["k", "l", "m", "n"];

fn texts(all: &[&str]) -> Value {
    Value::Array(all.iter().map(|one| text(one)).collect())
}

/// A project of an account, made at a time.
fn project(owner: &str, id: &str, created: i64, shared: bool) -> (String, Fields) {
    let mut own = fields(&[("owner", text(owner)), ("createdAt", Value::Timestamp(Timestamp(created)))]);
    if shared {
        own.insert("shared".to_owned(), Value::Boolean(true));
    }
    (format!("projects/{id}"), own)
}

/// A component that names a layout for fronts, and one for the cards of a value.
fn component(project: &str, id: &str, layout: &str, by: &str) -> (String, Fields) {
    let by = fields(&[("layouts", Value::Map(fields(&[("Fire", text(by))])))]);
    let own = fields(&[("layoutId", text(layout)), ("frontBy", Value::Map(by)), ("name", text(id))]);
    (format!("projects/{project}/components/{id}"), own)
}

/// A layout of an account. Its name says which it was.
fn layout(owner: &str, id: &str, decks: &[&str]) -> (String, Fields) {
    let own = fields(&[("name", text(&format!("{owner}'s {id}"))), ("deckIds", texts(decks))]);
    (format!("users/{owner}/layouts/{id}"), own)
}

async fn contents(target: &Target) -> Contents {
    let all = testing::documents(target).await;
    all.into_iter().map(|Document { path, fields, .. }| (path.as_str().to_owned(), fields)).collect()
}

async fn upgraded(documents: &[(String, Fields)]) -> Contents {
    let target = target(documents).await;
    plan::record(&target).await.unwrap();
    run(&target, Limits::default(), &Killed::after(i64::MAX)).await.unwrap();
    contents(&target).await
}

/// The name of the layout that a component of a project has.
fn shown<'a>(after: &'a Contents, project: &str, component: &str, by: bool) -> Option<&'a Value> {
    let fields = &after[&format!("projects/{project}/components/{component}")];
    let mut value = fields[if by { "frontBy" } else { "layoutId" }].clone();
    let mut id = String::new();
    each_named(&mut value, &mut |named| id.clone_from(named));
    after.get(&format!("projects/{project}/layouts/{id}"))?.get("name")
}

#[tokio::test]
async fn the_oldest_project_keeps_the_id_and_links_follow() {
    let follows = |layout: &str| Value::Map(fields(&[("layout", text(layout)), ("scene", text("before"))]));
    let mut variant = layout("ann", "variant", &["old"]);
    variant.1.insert("follows".to_owned(), follows("l"));
    let mut elsewhere = layout("ann", "elsewhere", &["new"]);
    elsewhere.1.insert("follows".to_owned(), follows("variant"));
    let mut kept = layout("ann", "kept", &[]);
    kept.1.insert("follows".to_owned(), follows("l"));
    let mut of_kept = layout("ann", "of-kept", &["new"]);
    of_kept.1.insert("follows".to_owned(), follows("kept"));
    let mut shared = layout("ann", "l", &["old"]);
    shared.1.insert("shared".to_owned(), Value::Boolean(true));
    shared.1.insert("pictures".to_owned(), texts(&["p"]));
    let version = ("users/ann/layouts/l/versions/v".to_owned(), fields(&[("name", text("first"))]));
    let after = upgraded(&[
        project("ann", "new", 2, false),
        project("ann", "old", 1, false),
        component("new", "c", "l", "l"),
        component("old", "c", "l", "gone"),
        shared,
        version.clone(),
        variant,
        elsewhere,
        kept,
        of_kept,
    ])
    .await;
    assert!(!after.keys().any(|path| path.starts_with("users/ann/layouts/")), "{after:?}");
    let first = &after["projects/old/layouts/l"];
    assert_eq!((&first["shared"], &first["pictures"]), (&Value::Boolean(true), &texts(&["p"])));
    assert!(!first.contains_key("deckIds"));
    assert_eq!(after["projects/old/layouts/l/versions/v"], version.1);
    for by in [false, true] {
        assert_eq!(shown(&after, "new", "c", by), Some(&text("ann's l")));
    }
    assert_eq!(shown(&after, "old", "c", false), Some(&text("ann's l")));
    assert_eq!(shown(&after, "old", "c", true), None);
    let Value::String(second) = after["projects/new/components/c"]["layoutId"].clone() else { panic!() };
    assert_ne!(second, "l");
    let copy = &after[&format!("projects/new/layouts/{second}")];
    assert!(!copy.contains_key("shared") && !copy.contains_key("pictures"));
    assert_eq!(after[&format!("projects/new/layouts/{second}/versions/v")], version.1);
    let followed = |path: &str| {
        let Some(Value::Map(follows)) = after[path].get("follows") else { panic!("{path}") };
        ["layout", "project", "library"].map(|name| text_of(follows, name).map(str::to_owned))
    };
    let some = |id: &str| Some(id.to_owned());
    assert_eq!(followed("projects/old/layouts/variant"), [some("l"), None, None]);
    assert_eq!(followed("projects/new/layouts/elsewhere"), [some("variant"), some("old"), None]);
    assert_eq!(followed("projects/new/layouts/of-kept"), [some("kept"), None, some("ann")]);
    assert_eq!(followed("users/ann/library/layouts/items/kept"), [some("l"), some("old"), None]);
}

#[tokio::test]
async fn a_private_layout_does_not_open_because_a_member_named_it() {
    let after = upgraded(&[
        project("ann", "p", 1, true),
        project("bob", "q", 1, false),
        component("p", "c", "secret", "open"),
        component("q", "c", "secret", "open"),
        layout("ann", "secret", &["q"]),
        layout("ann", "open", &["p", "q"]),
    ])
    .await;
    assert!(after.contains_key("users/ann/library/layouts/items/secret"));
    assert_eq!(shown(&after, "p", "c", false), None);
    assert_eq!(shown(&after, "p", "c", true), Some(&text("ann's open")));
    // Nobody's layouts go to a project of somebody else.
    assert!(!after.keys().any(|path| path.starts_with("projects/q/layouts/")));
}

#[tokio::test]
async fn what_comes_again_joins_what_was_moved_before() {
    let before = [
        project("ann", "p", 1, false),
        project("ann", "q", 2, false),
        component("p", "c", "l", "l"),
        component("q", "c", "l", "l"),
        layout("ann", "l", &[]),
    ];
    let target = target(&before).await;
    for _ in 0..2 {
        plan::record(&target).await.unwrap();
        run(&target, TINY, &Killed::after(i64::MAX)).await.unwrap();
        // As an import of an old export does.
        let once = contents(&target).await;
        for (path, fields) in &before {
            let write = Write::set(DocPath::parse(path).unwrap(), fields.clone());
            target.documents.commit(Draft::of(vec![write])).await.unwrap();
        }
        plan::record(&target).await.unwrap();
        run(&target, TINY, &Killed::after(i64::MAX)).await.unwrap();
        assert_eq!(contents(&target).await, once);
    }
    // A project that has gone gets none.
    let gone = [deletion_of("projects/q"), deletion_of("projects/q/components/c")];
    target.documents.commit(Draft::of(gone.into())).await.unwrap();
    let (path, fields) = &before[4];
    let again = Write::set(DocPath::parse(path).unwrap(), fields.clone());
    target.documents.commit(Draft::of(vec![again])).await.unwrap();
    let former: BTreeSet<String> = contents(&target).await.into_keys().collect();
    run(&target, TINY, &Killed::after(i64::MAX)).await.unwrap();
    let after: BTreeSet<String> = contents(&target).await.into_keys().collect();
    assert!(after.is_subset(&former), "{after:?}");
}

fn deletion_of(path: &str) -> Write {
    Write::delete(DocPath::parse(path).unwrap())
}

/// Accounts with projects, components that name layouts, and layouts with versions, named by projects or not.
fn documents() -> impl Strategy<Value = Vec<(String, Fields)>> {
    let owner = prop_oneof![Just("ann"), Just("bob")];
    let id = prop::sample::select(LAYOUT_IDS.as_slice());
    let place = prop::sample::select(["p", "q", "r"].as_slice());
    let one = prop_oneof![
        2 => (0..3_i64, place.clone(), any::<bool>()).prop_map(|(at, id, shared)| {
            project(if id == "r" { "bob" } else { "ann" }, id, at, shared)
        }),
        3 => (place.clone(), 0..2, id.clone(), id.clone())
            .prop_map(|(place, n, front, by)| component(place, &format!("c{n}"), front, by)),
        4 => (owner.clone(), id.clone(), prop::collection::vec(place, 0..3), prop::option::of(id.clone()))
            .prop_map(|(owner, id, decks, follows)| {
                let (path, mut own) = layout(owner, id, &decks);
                if let Some(followed) = follows {
                    let follows = Value::Map(fields(&[("layout", text(followed))]));
                    own.insert("follows".to_owned(), follows);
                }
                (path, own)
            }),
        2 => (owner, id, 0..3).prop_map(|(owner, id, n)| {
            (format!("users/{owner}/layouts/{id}/versions/{n}"), fields(&[("name", text(&format!("{owner} {id} {n}")))]))
        }),
        1 => Just(("users/ann".to_owned(), fields(&[("name", text("Ann"))]))),
    ];
    prop::collection::vec(one, 0..24).prop_map(|all| {
        let mut seen = BTreeSet::new();
        all.into_iter().filter(|(path, _)| seen.insert(path.clone())).collect()
    })
}

/// Checks that every layout and every version is somewhere, and that components show what they showed.
fn check(before: &[(String, Fields)], after: &Contents) {
    let before: Contents = before.iter().cloned().collect();
    let names = |contents: &Contents| -> BTreeSet<String> {
        let name = |(path, fields): (&String, &Fields)| {
            let kept = path.contains("layouts/").then(|| text_of(fields, "name"))?;
            kept.map(str::to_owned)
        };
        contents.iter().filter_map(name).collect()
    };
    assert_eq!(names(&before), names(after));
    for (path, own) in &before {
        let ["projects", project, "components", component] = path.split('/').collect::<Vec<_>>()[..] else {
            continue;
        };
        let Some(of) = before.get(&format!("projects/{project}")) else { continue };
        let owner = text_of(of, "owner").unwrap();
        for by in [false, true] {
            let mut value = own[if by { "frontBy" } else { "layoutId" }].clone();
            let mut id = String::new();
            each_named(&mut value, &mut |named| id.clone_from(named));
            let named = before.get(&format!("users/{owner}/layouts/{id}"));
            let open = named.is_some_and(|named| {
                let decks = matches!(&named["deckIds"], Value::Array(ids) if ids.contains(&text(project)));
                decks || !of.contains_key("shared")
            });
            let wanted = open.then(|| text(&format!("{owner}'s {id}")));
            assert_eq!(shown(after, project, component, by), wanted.as_ref(), "{path}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn all_that_was_there_is_there_however_often_it_was_interrupted(
        before in documents(), pauses in prop::collection::vec(0_i64..6, 0..8),
    ) {
        block_on(async {
            let after = upgraded(&before).await;
            check(&before, &after);
            assert!(!after.keys().any(|path| path.starts_with("users/ann/layouts") || path.starts_with("users/bob/layouts")));

            let pieces = target(&before).await;
            plan::record(&pieces).await.unwrap();
            // Decided once more after an interruption: the same.
            plan::record(&pieces).await.unwrap();
            for commits in pauses {
                _ = run(&pieces, TINY, &Killed::after(commits)).await;
            }
            run(&pieces, TINY, &Killed::after(i64::MAX)).await.unwrap();
            assert_eq!(contents(&pieces).await, after);

            // Queries may have begun an index, whose commits count too.
            pieces.documents.settle_indexes().await;
            let time = pieces.documents.read_time();
            run(&pieces, TINY, &Killed::after(0)).await.unwrap();
            assert_eq!(pieces.documents.read_time(), time, "a second run has written something");
        });
    }

    #[test]
    fn a_survey_changes_nothing_and_counts_what_happens(before in documents()) {
        block_on(async {
            let target = target(&before).await;
            let (time, mut lines) = (target.documents.read_time(), Vec::new());
            let tell = &mut |line: &str| { lines.push(line.to_owned()); Ok(()) };
            survey::survey(&target, tell).await.unwrap();
            assert_eq!(target.documents.read_time(), time);
            plan::record(&target).await.unwrap();
            run(&target, Limits::default(), &Killed::after(i64::MAX)).await.unwrap();
            let after = contents(&target).await;
            let segments = |path: &&String, wanted: usize| path.split('/').count() == wanted;
            let kept = after.keys().filter(|path| path.contains("/library/") && segments(path, 6));
            // Layouts of which only versions are left have no document to count.
            let before: BTreeMap<_, _> = before.into_iter().collect();
            let ghosts = before.keys().filter(|path| segments(path, 6)).map(|path| path.rsplitn(3, '/').last().unwrap());
            let ghosts: BTreeSet<_> = ghosts.filter(|path| !before.contains_key(*path)).collect();
            let unused = lines.last().unwrap().rsplit_once(", ").unwrap().1;
            let count: usize = unused.split(' ').next().unwrap().parse().unwrap();
            let places_of_ghosts = ghosts.iter().filter(|path| {
                let id = path.rsplit('/').next().unwrap();
                let owner = path.split('/').nth(1).unwrap();
                after.keys().any(|path| path.starts_with(&format!("users/{owner}/library/layouts/items/{id}/")))
            });
            assert_eq!(count, kept.count() + places_of_ghosts.count(), "{lines:?}");
        });
    }
}
