//! Moves, copies and what takes them back, under the application's own rules, with others who write in between.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;

use auth_emu::entropy::SeededEntropy;
use axum::body::Body;
use docstore::access::{CommitHook, CommitPermit, Mode, RulesOptions, SecurityRules};
use docstore::clock::SystemClock;
use docstore::commit::Draft;
use docstore::model::{DatabaseId, Query, Source};
use http::Request;
use parking_lot::Mutex;
use serde_json::{Value as Json, json};
use storage_emu::{BlobOptions, RulesAccess, StorageOptions};
use tower_service::Service as _;

use super::*;
use crate::policies::{BUILT_IN_DOCUMENTS, BUILT_IN_FILES};
use crate::schema::images::tests::{TOKEN, upload, url};

type Documents = BTreeMap<String, Fields>;

/// Writes what others write after a caller's commit has been allowed, and before it takes effect.
#[derive(Debug, Default)]
struct Meanwhile(Mutex<Option<(Database, Vec<Write>)>>);

impl CommitHook for Meanwhile {
    fn admit<'a>(
        &'a self,
        _caller: &'a Caller,
        _database: &'a DatabaseId,
        _writes: &'a [Write],
    ) -> Pin<Box<dyn Future<Output = Result<CommitPermit>> + Send + 'a>> {
        Box::pin(async {
            let others = self.0.lock().take();
            if let Some((database, writes)) = others {
                database.commit(Draft::of(writes)).await?;
            }
            Ok(None)
        })
    }
}

struct World {
    copier: Copier,
    meanwhile: Arc<Meanwhile>,
}

fn map(all: &[(&str, Value)]) -> Fields {
    all.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn project(roles: &[(&str, &str)]) -> Fields {
    let members = roles.iter().map(|(uid, role)| ((*uid).to_owned(), text(role))).collect();
    map(&[("owner", text("ann")), ("name", text("P")), ("members", Value::Map(members))])
}

fn layout(name: &str, sources: &[&str]) -> Fields {
    let zone = |source: &&str| Value::Map(map(&[("source", text(source))]));
    let zones = Value::Array(sources.iter().map(zone).collect());
    map(&[
        ("name", text(name)),
        ("version", Value::Integer(1)),
        ("revision", Value::Integer(4)),
        ("tags", Value::Array(vec![text("blue")])),
        ("scene", Value::Map(map(&[("name", text(name)), ("zones", zones)]))),
    ])
}

fn component(layout: &str) -> Fields {
    map(&[("name", text("Heroes")), ("columns", Value::Array(Vec::new())), ("layoutId", text(layout))])
}

fn set(path: &str, fields: Fields) -> Write {
    Write::set(DocPath::parse(path).unwrap(), fields)
}

fn delete(path: &str) -> Write {
    Write::delete(DocPath::parse(path).unwrap())
}

fn uses(kind: uses::UseKind, name: &str) -> Vec<uses::Use> {
    vec![uses::Use { kind, name: name.to_owned() }]
}

const EDITS: [(&str, &str); 2] = [("ann", "owner"), ("eve", "editor")];
const LOOKS: [(&str, &str); 2] = [("ann", "owner"), ("eve", "viewer")];

impl World {
    /// Eve edits `p` and `q`; `p` has the layouts `a` and `b`, and the image `fox`, which `a` shows by its name.
    async fn new() -> Self {
        let store = Store::in_memory().await.unwrap();
        let storage = |mode, access| StorageOptions {
            store: store.clone(),
            project: "demo".to_owned(),
            mode,
            clock: Arc::new(SystemClock),
            blobs: BlobOptions::Memory,
            authenticator: Arc::new(Caller::Admin),
            access,
            limits: storage_emu::Limits::default(),
            active_svg: false,
            quotas: None,
        };
        let rules = RulesAccess::new(store.clone(), "demo", "storage.rules", BUILT_IN_FILES).unwrap();
        let files = StorageState::new(storage(Mode::Emulator, Arc::new(rules))).unwrap();
        let options = RulesOptions { allow_without_rules: false, explain: false, coverage: false };
        let rules = SecurityRules::new(options);
        rules.set_default(BUILT_IN_DOCUMENTS).unwrap();
        store.set_access(Arc::new(rules));
        let meanwhile = Arc::new(Meanwhile::default());
        store.set_commit_hook(Arc::<Meanwhile>::clone(&meanwhile));
        let database = store.database(&DatabaseId::default_of("demo"));
        let entropy = Arc::new(SeededEntropy::new(1));
        let world = Self { copier: Copier { database, files, entropy, store }, meanwhile };
        world
            .commit(vec![
                set("projects/p", project(&EDITS)),
                set("projects/q", project(&EDITS)),
                set("projects/p/layouts/a", layout("Frame", &["fox.png"])),
                set(
                    "projects/p/layouts/a/versions/1",
                    map(&[("name", text("first")), ("scene", Value::Map(Fields::new()))]),
                ),
                set("projects/p/layouts/b", layout("Back", &[])),
            ])
            .await;
        world.image("projects/p", "fox").await;
        world
    }

    async fn commit(&self, writes: Vec<Write>) {
        self.copier.database.commit(Draft::of(writes)).await.unwrap();
    }

    /// Stores an image of a project with its file.
    async fn image(&self, project: &str, id: &str) {
        let file = format!("{project}/images/{id}.png");
        upload(&self.copier.files, &file, id).await;
        let fields = map(&[
            ("path", text(&format!("{id}.png"))),
            ("file", text(&file)),
            ("url", text(&url(&file, TOKEN))),
            ("hash", text(&format!("hash of {id}"))),
            ("createdAt", Value::Timestamp(Timestamp(1_000))),
        ]);
        self.commit(vec![set(&format!("{project}/images/{id}"), fields)]).await;
    }

    /// Lets others write after the next commit of a caller has been allowed.
    fn meanwhile(&self, writes: Vec<Write>) {
        *self.meanwhile.0.lock() = Some((self.copier.database.clone(), writes));
    }

    async fn ask(&self, request: Json) -> Result<Reply, CallError> {
        let eve = AuthContext { uid: "eve".to_owned(), token: json!({"name": "Eve"}) };
        self.copier.run(&eve, &serde_json::from_value(request).unwrap()).await
    }

    async fn move_to(&self, kind: &str, from: &str, to: &str, ids: &[&str]) -> Result<Reply, CallError> {
        let place = |id: &str| if id.is_empty() { json!({}) } else { json!({"project": id}) };
        self.ask(json!({"kind": kind, "from": place(from), "to": place(to), "ids": ids, "move": true})).await
    }

    async fn remove(&self, request: Json) -> Result<Uses, CallError> {
        let eve = AuthContext { uid: "eve".to_owned(), token: json!({}) };
        removal::run(&self.copier, &eve, &serde_json::from_value(request).unwrap())
            .await
            .map(|reply| reply.kept)
    }

    /// All documents, without what says when and where something was stored.
    async fn documents(&self) -> Documents {
        let all = Query::all(None, Source { collection: None, all_descendants: true });
        let found = self.copier.database.run(&all, None).await.unwrap().documents;
        let plain = |Document { path, mut fields, .. }: Document| {
            for name in ["updatedAt", "file", "url"] {
                fields.remove(name);
            }
            (path.to_string(), fields)
        };
        found.into_iter().map(plain).collect()
    }

    async fn has_file(&self, document: &str) -> bool {
        let path = DocPath::parse(document).unwrap();
        let found = self.copier.database.get(&[path], None).await.unwrap().value;
        let Some(fields) = found.into_iter().flatten().next().map(|found| found.fields) else { return false };
        let file = text_in(&fields, "file").unwrap();
        self.copier.files.stored("demo.appspot.com", file).await.unwrap().is_some()
    }

    /// Number of all files.
    async fn files(&self) -> usize {
        let request = Request::get("/v0/b/demo.appspot.com/o").body(Body::empty()).unwrap();
        let response = storage_emu::router(self.copier.files.clone()).call(request).await.unwrap();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        serde_json::from_slice::<Json>(&body).unwrap()["items"].as_array().unwrap().len()
    }
}

#[tokio::test]
async fn a_layout_moves_with_its_versions_and_comes_back_as_it_was() {
    let world = World::new().await;
    let before = world.documents().await;
    let reply = world.move_to("layouts", "p", "q", &["a", "gone"]).await.unwrap();
    assert_eq!(reply.ids, BTreeMap::from([("a".to_owned(), "a".to_owned())]));
    assert_eq!(reply.made["images"], ["fox"]);
    let after = world.documents().await;
    assert!(!after.keys().any(|path| path.starts_with("projects/p/layouts/a")));
    // The image shows in `p` as before; the name in the layout means the copy that lies in `q`.
    assert_eq!(after["projects/q/layouts/a"], before["projects/p/layouts/a"]);
    assert_eq!(after["projects/q/layouts/a/versions/1"], before["projects/p/layouts/a/versions/1"]);
    assert!(world.has_file("projects/p/images/fox").await && world.has_file("projects/q/images/fox").await);
    // Undone on both sides: the layout goes back, where its image is; its copy shows nowhere any more.
    world.move_to("layouts", "q", "p", &["a"]).await.unwrap();
    let kept = world.remove(json!({"project": "q", "images": ["fox"], "since": reply.at})).await.unwrap();
    assert_eq!(kept, Uses::new());
    assert_eq!(world.documents().await, before);
    assert_eq!(world.files().await, 1, "no file is left behind");
}

#[tokio::test]
async fn an_image_moves_with_its_file_and_comes_back_as_it_was() {
    let world = World::new().await;
    world.commit(vec![delete("projects/p/layouts/a")]).await;
    let before = world.documents().await;
    for to in ["q", ""] {
        let reply = world.move_to("images", "p", to, &["fox"]).await.unwrap();
        let there =
            if to.is_empty() { "users/eve/library/images/items/fox" } else { "projects/q/images/fox" };
        assert!(world.has_file(there).await);
        assert!(!world.has_file("projects/p/images/fox").await);
        assert_eq!((reply.made["images"].len(), world.files().await), (1, 1));
        world.move_to("images", to, "p", &["fox"]).await.unwrap();
        assert_eq!(world.documents().await, before);
        assert!(world.has_file("projects/p/images/fox").await);
    }
}

#[tokio::test]
async fn what_something_shows_stays_with_the_name_of_what_shows_it() {
    let world = World::new().await;
    let mut follower = layout("Variant", &[]);
    follower.insert("follows".to_owned(), Value::Map(map(&[("layout", text("b"))])));
    let mut shared = layout("Shared", &[]);
    shared.insert("shared".to_owned(), Value::Boolean(true));
    let by = Value::Map(map(&[("layouts", Value::Map(map(&[("Fire", text("d"))])))]));
    let mut choosing = component("x");
    choosing.insert("backBy".to_owned(), by);
    let columns = [("key", text("art")), ("type", text("image"))];
    choosing.insert("columns".to_owned(), Value::Array(vec![Value::Map(map(&columns))]));
    let cells = Value::Map(map(&[("art", text("owl"))]));
    world
        .commit(vec![
            set("projects/p/layouts/c", follower),
            set("projects/p/layouts/d", layout("Fire", &[])),
            set("projects/p/layouts/e", shared),
            set("projects/p/components/one", component("c")),
            set("projects/p/components/two", choosing),
            set("projects/p/components/two/cards/1", map(&[("cells", cells)])),
            set("projects/p/rulebooks/r", map(&[("title", text("Rules")), ("deletedAt", Value::Integer(0))])),
            set(
                "projects/p/rulebooks/r/steps/1",
                map(&[("s", text(r#"[{"attrs": {"source": "image:elk/elk.png"}}]"#))]),
            ),
        ])
        .await;
    world.image("projects/p", "owl").await;
    world.image("projects/p", "elk").await;
    let before = world.documents().await;
    let reply = world.move_to("layouts", "p", "q", &["b", "c", "d", "e"]).await.unwrap();
    assert_eq!((reply.ids, reply.at), (BTreeMap::new(), None));
    let expected = [
        ("b", uses(uses::UseKind::Layout, "Variant")),
        ("c", uses(uses::UseKind::Component, "Heroes")),
        ("d", uses(uses::UseKind::Component, "Heroes")),
        ("e", uses(uses::UseKind::Link, "")),
    ];
    assert_eq!(reply.kept, expected.map(|(id, uses)| (id.to_owned(), uses)).into());
    let reply = world.move_to("images", "p", "q", &["fox", "owl", "elk"]).await.unwrap();
    let expected = [
        ("fox", uses(uses::UseKind::Layout, "Frame")),
        ("owl", uses(uses::UseKind::Card, "owl")),
        ("elk", uses(uses::UseKind::Rulebook, "Rules")),
    ];
    assert_eq!(reply.kept, expected.map(|(id, uses)| (id.to_owned(), uses)).into());
    let check =
        json!({"kind": "images", "from": {"project": "p"}, "to": {}, "ids": ["fox", "elk"], "check": true});
    let reply = world.ask(check).await.unwrap();
    assert_eq!(
        (reply.kept.into_keys().collect::<Vec<_>>(), reply.ids.len()),
        (vec!["elk".to_owned(), "fox".to_owned()], 0)
    );
    assert_eq!(world.documents().await, before);
    // A follower that goes with the layout that it follows goes on following it.
    world.commit(vec![delete("projects/p/components/one")]).await;
    let reply = world.move_to("layouts", "p", "q", &["b", "c", "e"]).await.unwrap();
    assert_eq!(reply.ids.len(), 2);
    assert_eq!(world.documents().await["projects/q/layouts/c"], before["projects/p/layouts/c"]);
}

#[tokio::test]
async fn what_is_used_meanwhile_stays() {
    let world = World::new().await;
    world.meanwhile(vec![set("projects/p/components/c", component("a"))]);
    let reply = world.move_to("layouts", "p", "q", &["a", "b"]).await.unwrap();
    assert_eq!(reply.kept, Uses::from([("a".to_owned(), uses(uses::UseKind::Component, "Heroes"))]));
    let documents = world.documents().await;
    assert!(
        documents.contains_key("projects/p/layouts/a") && !documents.contains_key("projects/q/layouts/a")
    );
    assert!(
        documents.contains_key("projects/q/layouts/b") && !documents.contains_key("projects/p/layouts/b")
    );
    assert_eq!(world.files().await, 1, "what the first attempt copied is taken back");

    world.commit(vec![delete("projects/p/components/c"), delete("projects/p/layouts/a")]).await;
    world.meanwhile(vec![set("projects/p/layouts/new", layout("New", &["fox.png"]))]);
    let reply = world.move_to("images", "p", "q", &["fox"]).await.unwrap();
    assert_eq!(reply.kept, Uses::from([("fox".to_owned(), uses(uses::UseKind::Layout, "New"))]));
    assert!(world.has_file("projects/p/images/fox").await);
    assert_eq!(world.files().await, 1);
}

#[tokio::test]
async fn an_icon_of_a_translation_stays() {
    let world = World::new().await;
    let unit = Value::Map(map(&[("source", text("Draw")), ("text", text("Zieh {fox.png}"))]));
    let units = Value::Map(map(&[("card.k.text", unit)]));
    let german = [
        set("projects/p/languages/de", map(&[("by", text("ann"))])),
        set("projects/p/languages/de/parts/0", map(&[("units", units)])),
    ];
    world.commit(german.to_vec()).await;
    let gone = ["a", "b"].map(|id| delete(&format!("projects/p/layouts/{id}")));
    world.commit(gone.to_vec()).await;
    let reply = world.move_to("images", "p", "q", &["fox"]).await.unwrap();
    assert_eq!(reply.kept, Uses::from([("fox".to_owned(), uses(uses::UseKind::Translation, "de"))]));
}

#[tokio::test]
async fn what_is_deleted_meanwhile_comes_to_nothing() {
    let world = World::new().await;
    world.meanwhile(vec![delete("projects/p/layouts/a"), delete("projects/p/layouts/a/versions/1")]);
    let reply = world.move_to("layouts", "p", "q", &["a", "b"]).await.unwrap();
    assert_eq!(reply.ids.into_keys().collect::<Vec<_>>(), ["b"]);
    let documents = world.documents().await;
    assert!(!documents.keys().any(|path| path.contains("layouts/a")));
    assert!(!documents.contains_key("projects/q/images/fox"));

    // A copy that was there already, and goes while the original is about to leave for it.
    let request = json!({"kind": "images", "from": {"project": "p"}, "to": {"project": "q"}, "ids": ["fox"]});
    world.ask(request).await.unwrap();
    world.meanwhile(vec![delete("projects/q/images/fox")]);
    let reply = world.move_to("images", "p", "q", &["fox"]).await.unwrap();
    assert_eq!(reply.ids["fox"], "fox");
    assert!(world.has_file("projects/q/images/fox").await, "there is one at every time");
}

#[tokio::test]
async fn a_member_demoted_meanwhile_moves_nothing() {
    for demoted in ["projects/p", "projects/q"] {
        let world = World::new().await;
        world.meanwhile(vec![set(demoted, project(&LOOKS))]);
        let refused = world.move_to("layouts", "p", "q", &["a"]).await.unwrap_err();
        assert_eq!(refused.code(), Code::PermissionDenied, "{demoted}");
        let documents = world.documents().await;
        assert!(documents.contains_key("projects/p/layouts/a"));
        assert!(!documents.keys().any(|path| path.starts_with("projects/q/")), "{documents:?}");
        assert_eq!(world.files().await, 1);
        let refused = world.move_to("layouts", "p", "q", &["a"]).await.unwrap_err();
        assert_eq!(refused.code(), Code::PermissionDenied, "{demoted}");
    }
}

#[tokio::test]
async fn copies_are_taken_back_unless_they_were_changed_or_shown() {
    let world = World::new().await;
    let before = world.documents().await;
    let copy =
        json!({"kind": "layouts", "from": {"project": "p"}, "to": {"project": "q"}, "ids": ["a", "b"]});
    let made = world.ask(copy.clone()).await.unwrap();
    let layouts = made.made["layouts"].clone();
    let back = json!({"project": "q", "layouts": layouts, "images": made.made["images"], "since": made.at});
    assert_eq!(world.remove(back).await.unwrap(), Uses::new());
    assert_eq!(world.documents().await, before);

    let made = world.ask(copy).await.unwrap();
    let [a, b] = [&made.ids["a"], &made.ids["b"]];
    world.commit(vec![set(&format!("projects/q/layouts/{b}"), layout("Mine now", &[]))]).await;
    let back = json!({"project": "q", "layouts": [a, b], "images": ["fox"], "since": made.at});
    world.meanwhile(vec![set("projects/q/components/c", component(a))]);
    let kept = world.remove(back).await.unwrap();
    assert_eq!(kept[a], uses(uses::UseKind::Component, "Heroes"));
    assert_eq!(kept[b], vec![uses::Use::change()]);
    assert_eq!(kept["fox"], uses(uses::UseKind::Layout, "Frame"));
    let layouts = [a, b].map(|id| delete(&format!("projects/q/layouts/{id}")));
    world.commit([vec![set("projects/q", project(&LOOKS))], layouts.to_vec()].concat()).await;
    let refused = world.remove(json!({"project": "q", "images": ["fox"]})).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
}

#[tokio::test]
async fn copies_name_their_images_where_the_names_mean_others() {
    let world = World::new().await;
    world.image("projects/q", "fox").await;
    let copy = json!({"kind": "layouts", "from": {"project": "p"}, "to": {"project": "q"}, "ids": ["a"]});
    let made = world.ask(copy.clone()).await.unwrap();
    let image = &made.made["images"][0];
    let scene =
        |documents: &Documents, id: &str| documents[&format!("projects/q/layouts/{id}")]["scene"].clone();
    let mut named = layout("Frame", &[&format!("image:{image}/fox (2).png")]);
    let documents = world.documents().await;
    assert_eq!(Some(scene(&documents, &made.ids["a"])), named.remove("scene"));
    // Once more: the images are there, and names of layouts get a number.
    let again = world.ask(copy).await.unwrap();
    assert_eq!(again.made.keys().collect::<Vec<_>>(), [&"layouts"]);
    let documents = world.documents().await;
    assert_eq!(documents[&format!("projects/q/layouts/{}", again.ids["a"])]["name"], text("Frame (2)"));
    // From the library: the copy follows it.
    world.commit(vec![set("users/eve/library/layouts/items/l", layout("Mine", &[]))]).await;
    let copy = json!({"kind": "layouts", "from": {}, "to": {"project": "q"}, "ids": ["l"]});
    let made = world.ask(copy).await.unwrap();
    let documents = world.documents().await;
    let Value::Map(follows) = &documents[&format!("projects/q/layouts/{}", made.ids["l"])]["follows"] else {
        panic!("it follows nothing")
    };
    assert_eq!((text_in(follows, "layout"), text_in(follows, "library")), (Some("l"), Some("eve")));
}

#[tokio::test]
async fn requests_that_mean_nothing_are_refused() {
    let world = World::new().await;
    let to = json!({"project": "q"});
    let many: Vec<String> = (0..51).map(|n| format!("l{n}")).collect();
    for bad in [
        json!({"kind": "fonts", "from": {"project": "p"}, "to": to, "ids": ["a"], "move": true}),
        json!({"kind": "images", "from": {"project": "p", "layout": "a"}, "to": to, "ids": ["a"], "move": true}),
        json!({"kind": "images", "from": {"project": "p"}, "to": to, "ids": ["a"], "move": true, "renew": true}),
        json!({"kind": "layouts", "from": {"project": "p", "layout": "a"}, "to": to, "ids": ["a"]}),
        json!({"kind": "layouts", "from": {"project": "q"}, "to": to, "ids": ["a"], "move": true}),
        json!({"kind": "layouts", "from": {"project": "p"}, "to": to, "ids": many}),
        json!({"kind": "layouts", "from": {"project": "p"}, "to": to, "ids": ["a/b/c"]}),
    ] {
        let refused = world.ask(bad.clone()).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{bad}");
    }
    let nothing = world.remove(json!({"project": "q"})).await.unwrap_err();
    assert_eq!(nothing.code(), Code::InvalidArgument);
}
