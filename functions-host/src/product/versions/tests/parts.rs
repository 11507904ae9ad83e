//! Objects, manifests and the rule of ages by themselves.

use docstore::model::{GeoPoint, Timestamp};
use proptest::prelude::*;

use super::*;
use crate::product::versions::manifest::{Entries, Entry, build};
use crate::product::versions::objects::{self, Hash, Kind, Objects};
use crate::product::versions::thin::too_many;

const DAY: i64 = 86_400_000_000;

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Boolean),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_map(Value::Double),
        (0_i64..DAY).prop_map(|at| Value::Timestamp(Timestamp(at))),
        ".{0,12}".prop_map(Value::String),
        prop::collection::vec(any::<u8>(), 0..9).prop_map(|bytes| Value::Bytes(bytes.into())),
        (-90.0..90.0, -180.0..180.0)
            .prop_map(|(latitude, longitude)| Value::GeoPoint(GeoPoint { latitude, longitude })),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop::collection::btree_map("[a-z]{1,3}", inner, 0..4).prop_map(Value::Map)
    })
}

fn documents() -> impl Strategy<Value = BTreeMap<String, Fields>> {
    let documents = prop::collection::btree_map("[a-z]{1,4}", values(), 0..5);
    prop::collection::btree_map("components/[a-c]/cards/[a-z0-9]{1,6}", documents, 0..200)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn is_same(a: &Fields, b: &Fields) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && a.1.identical(b.1))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn what_is_stored_is_read_again_to_the_bit(documents in documents()) {
        runtime().block_on(async {
            let world = World::new().await;
            let project = DocPath::parse("projects/p").unwrap();
            let store = Objects::of(&world.versions.database, &project).unwrap();
            let mut made = Vec::new();
            let entries: Entries = documents.iter().map(|(path, fields)| {
                let (stored, objects) = objects::store(fields.clone());
                made.extend(objects);
                (path.clone(), Entry { stored, file: None })
            }).collect();
            let (root, nodes) = build(&entries);
            made.extend(nodes);
            let names: std::collections::HashSet<Hash> = made.iter().map(|object| object.hash).collect();
            let writes = store.missing(made.clone()).await.unwrap();
            assert_eq!(writes.len(), names.len(), "each content once");
            world.commit(writes).await;
            assert_eq!(store.missing(made).await.unwrap().len(), 0);
            let listing = manifest::read(&store, &[root]).await.unwrap();
            assert_eq!(listing.entries, entries);
            assert_eq!((listing.damaged.len(), listing.objects), (0, names));
            let stored: Vec<_> = listing.entries.values().map(|entry| &entry.stored).collect();
            let read = store.documents(&stored).await.unwrap();
            for (read, wanted) in read.into_iter().zip(documents.values()) {
                assert!(is_same(&read.unwrap(), wanted));
            }
        });
    }

    #[test]
    fn what_is_kept_today_is_kept_by_its_age_and_never_less_than_the_newest(
        ages in prop::collection::btree_set(0_i64..500 * DAY, 1..200), later in 0_i64..60 * DAY,
    ) {
        let now = 1_780_000_000_000_000;
        // The newest first: ages rise.
        let times: Vec<Timestamp> = ages.iter().map(|age| Timestamp(now - age)).collect();
        let gone = too_many(Timestamp(now), &times);
        let left: Vec<Timestamp> =
            times.iter().enumerate().filter(|(at, _)| !gone.contains(at)).map(|(_, time)| *time).collect();
        prop_assert_eq!(too_many(Timestamp(now), &left), Vec::<usize>::new());
        let old = |age: i64| age >= 365 * DAY;
        prop_assert!(ages.iter().all(|age| !old(*age) || !left.contains(&Timestamp(now - age))));
        // Every day of a month, and every week of a year, that had one has one.
        for (place, time) in times.iter().enumerate() {
            let age = now - time.0;
            let span = if age < 30 * DAY { DAY } else { 7 * DAY };
            let has = left.iter().any(|kept| kept.0.div_euclid(span) == time.0.div_euclid(span));
            prop_assert!(old(age) || has, "nothing is left of the time of version {}", place);
        }
        let afterwards = too_many(Timestamp(now + later), &left);
        prop_assert!(afterwards.len() <= left.len());
    }
}

#[tokio::test]
async fn a_document_as_large_as_one_can_be_is_kept_in_parts() {
    let world = World::new().await;
    let large = fields(&[("doc", text(&"x".repeat(1_048_300)))]);
    world.set("projects/p/notes/main", large.clone()).await;
    let version = world.freeze("v1").await;
    // The project, three parts of which two are equal, and the root.
    assert_eq!(world.ids("versionObjects").await.len(), 1 + 2 + 1);
    let opened = world.open("vic", &version).await.unwrap().project_id;
    assert_eq!(world.get(&format!("projects/{opened}/notes/main")).await, Some(large));
    world.remove(&version).await.unwrap();
    assert_eq!(world.ids("versionObjects").await, Vec::<String>::new());
}

#[test]
fn kinds_of_objects_have_names_apart() {
    let [document, node] = [Kind::Document, Kind::Node].map(|kind| Hash::of(kind, b"same"));
    assert_ne!(document, node);
    assert_eq!(Hash::parse(&document.to_string()), Some(document));
    for bad in ["", "0", "zz", "00", "é0", &"0".repeat(41)] {
        assert_eq!(Hash::parse(bad), None, "{bad}");
    }
}

#[tokio::test]
async fn an_export_has_versions_in_words() {
    let world = World::new().await;
    world.card("a", "Ash").await;
    world.freeze("v1").await;
    let mut documents = Vec::new();
    let mut lists = Vec::new();
    for (path, fields) in world.below("projects/p").await {
        let path = DocPath::parse(format!("projects/p/{path}").trim_end_matches('/')).unwrap();
        let is_object = path.collection_id() == "versionObjects";
        let document = Document { path, fields, create_time: Ts::ZERO, update_time: Ts::ZERO };
        let readable = readable(&document);
        assert_eq!(readable.is_some(), is_object);
        let Some(mut readable) = readable else { continue };
        match readable["document"].take() {
            Json::Null => lists.push(readable),
            document => documents.push(document),
        }
    }
    assert_eq!(documents.len(), 2);
    assert!(documents.contains(&json!({"cells": {"name": "Ash"}})));
    assert!(lists[0]["documents"]["components/c/cards/a"].is_string());
}

#[tokio::test]
async fn a_branch_is_compared_with_the_version_that_it_began_as_by_those_who_see_both() {
    let world = World::new().await;
    world.card("a", "Ash").await;
    world.card("b", "Birch").await;
    let version = world.freeze("v1").await;
    world.card("b", "Beech").await;
    let from = |project: &str| Value::Map(fields(&[("project", text(project)), ("version", text(&version))]));
    for (id, of) in [("q", Some("p")), ("r", Some("other")), ("s", None)] {
        let mut own = project_fields("Branch");
        own.extend(of.map(|of| ("from".to_owned(), from(of))));
        world.set(&format!("projects/{id}"), own).await;
    }
    for (card, name) in [("a", "Oak"), ("b", "Birch")] {
        let cells = Value::Map(fields(&[("name", text(name))]));
        world.set(&format!("projects/q/components/c/cards/{card}"), fields(&[("cells", cells)])).await;
    }
    let compare = |uid: &'static str, to: &str, branch: &str| {
        let [from, to, branch] = [&*version, to, branch].map(str::to_owned);
        let request = Compare { project_id: "p".to_owned(), from, to, branch: Some(branch) };
        world.versions.clone().compare(user(uid), request)
    };
    let changes = compare("vic", "now", "q").await.unwrap().changes;
    let paths: Vec<&str> = changes.iter().map(|change| &*change.path).collect();
    assert_eq!(paths, ["", "components/c/cards/a"]);
    assert_eq!(changes[1].before, Some(json!({"cells": {"name": "Ash"}})));
    assert_eq!(changes[1].after, Some(json!({"cells": {"name": "Oak"}})));
    for (to, branch) in [("now", "r"), ("now", "s"), ("now", "p"), (&*version, "q")] {
        assert_eq!(compare("vic", to, branch).await.unwrap_err().code(), Code::InvalidArgument, "{branch}");
    }
    let mut hidden = project_fields("Branch");
    hidden.insert("from".to_owned(), from("p"));
    hidden.insert("members".to_owned(), Value::Map(fields(&[("ann", text("owner"))])));
    world.set("projects/h", hidden).await;
    assert_eq!(compare("vic", "now", "h").await.unwrap_err().code(), Code::NotFound);
    assert!(compare("ann", "now", "h").await.is_ok());
    assert_eq!(compare("pat", "now", "q").await.unwrap_err().code(), Code::NotFound);
}
