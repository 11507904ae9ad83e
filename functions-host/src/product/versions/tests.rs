//! Versions of a small project, from its first freeze to nothing at all.

mod branches;
mod damage;
mod histories;
mod hostile;
mod parts;
mod restores;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use auth_emu::entropy::SeededEntropy;
use docstore::access::Caller;
use docstore::clock::ManualClock;
use docstore::commit::Draft;
use docstore::model::{DatabaseId, Query, Source, Ts};
use docstore::{EngineOptions, Limits, StoreOptions};
use serde_json::json;
use storage_emu::{BlobOptions, OwnSubtree, StorageOptions};

use super::requests::{Compare, Compared, Restore, RestoreReply};
use super::*;

/// The middle of 2026, in microseconds.
const BEGINNING: u64 = 1_780_000_000_000_000;

pub(super) type Documents = BTreeMap<String, Fields>;

pub(super) struct World {
    pub(super) versions: Versions,
    pub(super) clock: Arc<ManualClock>,
}

pub(super) fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

pub(super) fn fields(fields: &[(&str, Value)]) -> Fields {
    fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

pub(super) fn user(uid: &str) -> AuthContext {
    AuthContext { uid: uid.to_owned(), token: json!({"name": uid}) }
}

/// A project of ann's; eve edits it, cid comments, vic looks, pat plays.
fn project_fields(name: &str) -> Fields {
    let roles =
        [("ann", "owner"), ("eve", "editor"), ("cid", "commenter"), ("vic", "viewer"), ("pat", "playtester")];
    let members = roles.map(|(uid, role)| (uid.to_owned(), text(role)));
    fields(&[
        ("name", text(name)),
        ("owner", text("ann")),
        ("members", Value::Map(members.into())),
        ("memberIds", Value::Array(roles.iter().map(|(uid, _)| text(uid)).collect())),
        ("people", Value::Map(fields(&[("eve", text("Eve Editor"))]))),
        ("trashedAt", Value::Null),
    ])
}

impl World {
    pub(super) async fn new() -> Self {
        let clock = Arc::new(ManualClock::new(Ts::from_micros(BEGINNING)));
        let world = Self::open_at(EngineOptions::Memory, BlobOptions::Memory, clock, 1).await;
        world.set("projects/p", project_fields("Ironsworn")).await;
        world
    }

    /// A world whose documents and files lie in these places; whatever is there, is there. Each opening of one place needs
    /// a seed of its own: with the same one, new versions would get the ids of old ones.
    pub(super) async fn open_at(
        engine: EngineOptions,
        blobs: BlobOptions,
        clock: Arc<ManualClock>,
        seed: u64,
    ) -> Self {
        let options =
            StoreOptions { engine, clock: Arc::<ManualClock>::clone(&clock), limits: Limits::default() };
        let store = Store::open(options).await.unwrap();
        let files = StorageState::new(StorageOptions {
            store: store.clone(),
            project: "demo".to_owned(),
            mode: docstore::access::Mode::Serving,
            clock: Arc::<ManualClock>::clone(&clock),
            blobs,
            authenticator: Arc::new(Caller::Anonymous),
            access: Arc::new(OwnSubtree),
            limits: storage_emu::Limits::default(),
            active_svg: false,
            quotas: None,
        });
        let database = store.database(&DatabaseId::default_of("demo"));
        let entropy = Arc::new(SeededEntropy::new(seed));
        let versions = Versions::new(&store, database, &files.unwrap(), entropy, None);
        Self { versions, clock }
    }

    pub(super) fn pass(&self, hours: u64) {
        self.clock.advance(Duration::from_secs(hours * 3_600));
    }

    pub(super) async fn commit(&self, writes: Vec<Write>) {
        self.versions.database.commit(Draft::of(writes)).await.unwrap();
    }

    pub(super) async fn set(&self, path: &str, fields: Fields) {
        self.commit(vec![Write::set(DocPath::parse(path).unwrap(), fields)]).await;
    }

    pub(super) async fn delete(&self, path: &str) {
        self.commit(vec![Write::delete(DocPath::parse(path).unwrap())]).await;
    }

    pub(super) async fn get(&self, path: &str) -> Option<Fields> {
        let found = self.versions.database.get(&[DocPath::parse(path).unwrap()], None).await.unwrap().value;
        found.into_iter().flatten().next().map(|document| document.fields)
    }

    /// All documents below one, by their paths below it, and itself by the empty one.
    pub(super) async fn below(&self, root: &str) -> Documents {
        let path = DocPath::parse(root).unwrap();
        let source = Source { collection: None, all_descendants: true };
        let found = self.versions.database.run(&Query::all(Some(path), source), None).await.unwrap();
        let below = found.documents.into_iter().map(|one| {
            let path = one.path.as_str().strip_prefix(root).unwrap().trim_start_matches('/').to_owned();
            (path, one.fields)
        });
        let own = self.get(root).await.map(|own| (String::new(), own));
        below.chain(own).collect()
    }

    /// Ids in a collection below the project.
    pub(super) async fn ids(&self, collection: &str) -> Vec<String> {
        self.ids_in("p", collection).await
    }

    pub(super) async fn ids_in(&self, project: &str, collection: &str) -> Vec<String> {
        let prefix = format!("{collection}/");
        let below = self.below(&format!("projects/{project}")).await;
        below.keys().filter_map(|path| path.strip_prefix(&prefix).map(str::to_owned)).collect()
    }

    pub(super) async fn card(&self, id: &str, name: &str) {
        let cells = Value::Map(fields(&[("name", text(name))]));
        self.set(&format!("projects/p/components/c/cards/{id}"), fields(&[("cells", cells)])).await;
    }

    /// Freezes under a name; answers the id.
    pub(super) async fn freeze_as(&self, uid: &str, name: &str) -> Result<String, CallError> {
        self.freeze_in("p", uid, name).await
    }

    pub(super) async fn freeze_in(&self, project: &str, uid: &str, name: &str) -> Result<String, CallError> {
        let request = json!({"projectId": project, "name": name});
        let request = serde_json::from_value(request).unwrap();
        Ok(self.versions.clone().freeze(user(uid), request).await?.version)
    }

    pub(super) async fn freeze(&self, name: &str) -> String {
        self.freeze_as("eve", name).await.unwrap()
    }

    /// Makes an automatic version; answers the id, and whether there was nothing to make.
    pub(super) async fn freeze_daily(&self) -> (String, bool) {
        let request = serde_json::from_value(json!({"projectId": "p", "reason": "daily"})).unwrap();
        let reply = self.versions.clone().freeze(user("ann"), request).await.unwrap();
        (reply.version, reply.unchanged)
    }

    pub(super) async fn open(&self, uid: &str, version: &str) -> Result<OpenReply, CallError> {
        self.open_in("p", uid, version).await
    }

    pub(super) async fn open_in(
        &self,
        project: &str,
        uid: &str,
        version: &str,
    ) -> Result<OpenReply, CallError> {
        let request = Open { project_id: project.to_owned(), version: version.to_owned() };
        self.versions.clone().open_for(user(uid), request).await
    }

    pub(super) async fn remove(&self, version: &str) -> Result<(), CallError> {
        self.remove_in("p", version).await
    }

    pub(super) async fn remove_in(&self, project: &str, version: &str) -> Result<(), CallError> {
        let request = Delete { project_id: project.to_owned(), version: version.to_owned() };
        self.versions.clone().delete(user("eve"), request).await.map(drop)
    }

    pub(super) async fn compare(&self, from: &str, to: &str) -> Result<Compared, CallError> {
        self.compare_with(from, to, None).await
    }

    pub(super) async fn compare_with(
        &self,
        from: &str,
        to: &str,
        branch: Option<&str>,
    ) -> Result<Compared, CallError> {
        let [from, to] = [from, to].map(str::to_owned);
        let branch = branch.map(str::to_owned);
        self.versions
            .clone()
            .compare(user("vic"), Compare { project_id: "p".to_owned(), from, to, branch })
            .await
    }

    pub(super) async fn changed(&self, from: &str, to: &str) -> Vec<String> {
        self.compare(from, to).await.unwrap().changes.into_iter().map(|change| change.path).collect()
    }

    pub(super) async fn restore(
        &self,
        version: &str,
        paths: Option<&[&str]>,
    ) -> Result<RestoreReply, CallError> {
        let paths = paths.map(|paths| paths.iter().map(|path| (*path).to_owned()).collect());
        let request = Restore { project_id: "p".to_owned(), version: version.to_owned(), paths };
        self.versions.clone().restore(user("eve"), request).await
    }
}

#[tokio::test]
async fn an_opened_version_shows_what_was_while_the_project_moves_on() {
    let world = World::new().await;
    world.set("projects/p/components/c", fields(&[("name", text("Assets"))])).await;
    world.card("a", "Ash").await;
    let version = world.freeze("v0.7").await;
    world.card("a", "Oak").await;
    world.card("b", "Elm").await;
    let opened = world.open("vic", &version).await.unwrap();
    assert_eq!(opened, OpenReply { project_id: format!("p~{version}"), damaged: Vec::new() });
    let root = format!("projects/{}", opened.project_id);
    let mut there = world.below(&root).await;
    let own = there.remove("").unwrap();
    assert_eq!(there.keys().collect::<Vec<_>>(), ["components/c", "components/c/cards/a"]);
    let Value::Map(cells) = &there["components/c/cards/a"]["cells"] else { panic!("no cells") };
    assert_eq!(cells["name"], text("Ash"));
    for (name, value) in
        [("frozenOf", "p"), ("version", &version), ("versionName", "v0.7"), ("name", "Ironsworn")]
    {
        assert_eq!(own[name], text(value), "{name}");
    }
    assert_eq!(own.get("owner"), None);
    assert_eq!(own["memberIds"], Value::Array(Vec::new()));
    let record = world.get(&format!("projects/p/gameVersions/{version}")).await.unwrap();
    assert_eq!((&record["byName"], &record["kind"]), (&text("Eve Editor"), &text("named")));
    assert_eq!(record["number"], Value::Integer(1));
}

#[tokio::test]
async fn what_did_not_change_is_not_stored_again() {
    let world = World::new().await;
    world.set("projects/p/components/c", fields(&[("name", text("Assets"))])).await;
    for card in 0..500 {
        world.card(&format!("k{card:03}"), &format!("Card {card}")).await;
    }
    world.freeze("v1").await;
    let first = world.ids("versionObjects").await.len();
    assert!(first > 500, "{first}");
    world.card("k007", "Changed").await;
    world.freeze("v2").await;
    // The card, the leaf that has it, and the root.
    assert_eq!(world.ids("versionObjects").await.len(), first + 3);
    world.freeze("v3").await;
    assert_eq!(world.ids("versionObjects").await.len(), first + 3);
    world.card("k007", "Card 7").await;
    world.freeze("v4").await;
    assert_eq!(world.ids("versionObjects").await.len(), first + 3, "the content of the first version");
}

#[tokio::test]
async fn automatic_versions_are_made_if_something_changed_and_thinned_out_by_age() {
    let world = World::new().await;
    world.card("a", "0").await;
    let named = world.freeze("v1").await;
    let (same, unchanged) = world.freeze_daily().await;
    assert_eq!((same, unchanged), (named.clone(), true));
    for hour in 1..=72 {
        world.pass(1);
        world.card("a", &hour.to_string()).await;
        assert!(!world.freeze_daily().await.1);
    }
    let left = world.ids("gameVersions").await;
    assert!(left.contains(&named));
    // Those of the last day, one of each day before, and the named one.
    assert!((27..=29).contains(&left.len()), "{}", left.len());
    world.pass(24 * 400);
    world.card("a", "late").await;
    world.freeze_daily().await;
    assert_eq!(world.ids("gameVersions").await.len(), 2, "of a year ago, only what has a name is kept");
    assert_eq!(world.open("ann", &named).await.unwrap().damaged, Vec::<String>::new());
}

#[tokio::test]
async fn an_opened_version_goes_an_hour_after_the_last_call_and_counts_for_nobody() {
    let world = World::new().await;
    world.card("a", "Ash").await;
    let version = world.freeze("v1").await;
    world.open("vic", &version).await.unwrap();
    let database = &world.versions.database;
    assert_eq!(project::count(database, "ann", None).await.unwrap(), 1);
    assert_eq!(project::owned(database, "ann", None, 10).await.unwrap().len(), 1);
    assert_eq!(project::all_opened(database, &[]).await.unwrap().len(), 1);
    world.clock.advance(Duration::from_secs(59 * 60));
    world.open("eve", &version).await.unwrap();
    world.clock.advance(Duration::from_secs(59 * 60));
    assert_eq!(world.versions.close_unused().await.unwrap(), 0);
    world.clock.advance(Duration::from_secs(2 * 60));
    assert_eq!(world.versions.close_unused().await.unwrap(), 1);
    assert_eq!(world.below(&format!("projects/p~{version}")).await, Documents::new());
    // It can be opened again.
    world.open("vic", &version).await.unwrap();
    assert!(world.get(&format!("projects/p~{version}/components/c/cards/a")).await.is_some());
}

#[tokio::test]
async fn projects_of_other_applications_are_never_taken_for_opened_versions() {
    let world = World::new().await;
    let old = Value::Timestamp(Timestamp(0));
    for (id, own) in [
        ("site", vec![("openedAt", old.clone())]),
        ("shop", vec![("openedAt", old.clone()), ("frozenOf", text("p")), ("version", text("v"))]),
        ("p~w", vec![("openedAt", old.clone()), ("frozenOf", text("p")), ("version", text("v"))]),
        ("p~x", vec![("openedAt", old), ("frozenOf", text("p"))]),
    ] {
        world.set(&format!("projects/{id}"), fields(&own)).await;
        world.set(&format!("projects/{id}/parts/a"), fields(&[("name", text("Roof"))])).await;
    }
    world.pass(24);
    assert_eq!(world.versions.close_unused().await.unwrap(), 0);
    for id in ["site", "shop", "p~w", "p~x"] {
        assert_eq!(world.below(&format!("projects/{id}")).await.len(), 2, "{id}");
    }
}

#[tokio::test]
async fn one_opened_version_that_cannot_be_closed_keeps_no_other() {
    let world = World::new().await;
    world.card("a", "Ash").await;
    let version = world.freeze("v1").await;
    world.open("vic", &version).await.unwrap();
    let opened = world.get(&format!("projects/p~{version}")).await.unwrap();
    // Of a project whose turn somebody else has.
    world.set("projects/a", project_fields("Busy")).await;
    let until = Value::Timestamp(Timestamp(i64::MAX));
    world.set("projects/a/versionState/turn", fields(&[("until", until)])).await;
    let mut busy = opened;
    busy.insert("frozenOf".to_owned(), text("a"));
    world.set(&format!("projects/a~{version}"), busy).await;
    world.pass(2);
    tokio::time::pause();
    assert_eq!(world.versions.close_unused().await.unwrap(), 1);
    assert_eq!(world.below(&format!("projects/p~{version}")).await, Documents::new());
    assert!(world.get(&format!("projects/a~{version}")).await.is_some());
}

#[tokio::test]
async fn a_copy_that_was_interrupted_is_finished_by_the_next_call() {
    let world = World::new().await;
    world.card("a", "Ash").await;
    let version = world.freeze("v1").await;
    let opened = format!("projects/p~{version}");
    world.open("vic", &version).await.unwrap();
    let mut own = world.get(&opened).await.unwrap();
    own.insert("ready".to_owned(), Value::Boolean(false));
    world.set(&opened, own).await;
    world.delete(&format!("{opened}/components/c/cards/a")).await;
    world.open("vic", &version).await.unwrap();
    assert!(world.get(&format!("{opened}/components/c/cards/a")).await.is_some());
    assert_eq!(world.get(&opened).await.unwrap()["ready"], Value::Boolean(true));
}

#[tokio::test]
async fn ten_versions_are_open_at_once_and_an_unused_one_makes_room() {
    let world = World::new().await;
    let mut all = Vec::new();
    for number in 0..=limits::OPENED {
        world.card("a", &number.to_string()).await;
        all.push(world.freeze(&format!("v{number}")).await);
    }
    let (last, others) = all.split_last().unwrap();
    for version in others {
        world.open("vic", version).await.unwrap();
    }
    let refused = world.open("vic", last).await.unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    world.clock.advance(Duration::from_secs(16 * 60));
    world.open("vic", last).await.unwrap();
    assert_eq!(project::all_opened(&world.versions.database, &[]).await.unwrap().len(), limits::OPENED);
}

#[tokio::test]
async fn a_version_is_of_one_moment_while_somebody_writes() {
    let world = World::new().await;
    let paths = ["components/c/cards/a", "components/d/cards/b", "layouts/l", "notes/main", "rulebooks/r"];
    let write = |n: i64| -> Vec<Write> {
        let set = |path: &&str| {
            let path = DocPath::parse(&format!("projects/p/{path}")).unwrap();
            Write::set(path, fields(&[("n", Value::Integer(n))]))
        };
        paths.iter().map(set).collect()
    };
    world.commit(write(0)).await;
    for component in ["c", "d"] {
        world.set(&format!("projects/p/components/{component}"), Fields::new()).await;
    }
    let (stop, mut stopped) = tokio::sync::oneshot::channel::<()>();
    let database = world.versions.database.clone();
    let writer = async {
        let mut n = 0;
        while stopped.try_recv().is_err() {
            n += 1;
            database.commit(Draft::of(write(n))).await.unwrap();
            tokio::task::yield_now().await;
        }
        n
    };
    let freezer = async {
        let mut made = Vec::new();
        for number in 0..20 {
            made.push(world.freeze(&format!("v{number}")).await);
        }
        stop.send(()).unwrap();
        made
    };
    let (written, made) = tokio::join!(writer, freezer);
    assert!(written > 20, "{written} commits meanwhile");
    let mut moments = std::collections::BTreeSet::new();
    for version in made {
        let opened = world.open("vic", &version).await.unwrap().project_id;
        let there = world.below(&format!("projects/{opened}")).await;
        let numbers: Vec<i64> = paths.iter().map(|path| integer(&there[*path], "n")).collect();
        assert!(numbers.windows(2).all(|pair| pair[0] == pair[1]), "{numbers:?}");
        moments.insert(numbers[0]);
        world.remove(&version).await.unwrap();
    }
    assert!(moments.len() > 10, "{moments:?}");
}
