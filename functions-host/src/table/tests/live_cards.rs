//! Cards that change in the project while a table is played.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use docstore::model::{DocPath, Fields, Query, Source as From, Value};
use docstore::{Database, Store};
use futures::future::BoxFuture;
use serde_json::json;
use tuckbox_table::game_box::{CardSet, Source};
use tuckbox_table::ids::DefNo;
use tuckbox_table::model::Follow;

use super::super::cards::{NotPacked, Packer};
use super::*;

/// Packs the documents of the component's cards: each is a card with its text.
#[derive(Debug)]
struct Plain {
    database: Database,
    hindrance: Option<&'static str>,
    runs: AtomicUsize,
}

fn packed(cards: &[(String, String)]) -> GameBox {
    let card = |(id, text): &(String, String)| Definition {
        face: json!({ "name": text }).to_string().into(),
        back: BackNo(0),
        copies: 1,
        source: Some(Source { component: "c".into(), cards: vec![id.as_str().into()] }),
    };
    let members = (0..cards.len()).map(|no| DefNo(no as u16)).collect();
    let parts = Parts {
        backs: vec![Back { look: "{}".into(), kind: Kind::Card, size: (630, 880), sides: 0 }],
        definitions: cards.iter().map(card).collect(),
        sets: vec![CardSet { name: "Spells".to_owned(), members, component: Some("c".into()), value: None }],
        common: "{}".into(),
    };
    GameBox::try_from(parts).unwrap()
}

impl Packer for Plain {
    fn hindrance(&self) -> BoxFuture<'_, Option<String>> {
        Box::pin(async { self.hindrance.map(str::to_owned) })
    }

    fn pack<'a>(
        &'a self,
        project: &'a DocPath,
        components: &'a [String],
    ) -> BoxFuture<'a, Result<GameBox, NotPacked>> {
        Box::pin(async move {
            self.runs.fetch_add(1, Ordering::SeqCst);
            assert_eq!(components, ["c"]);
            let parent = DocPath::parse(&format!("{project}/components/c")).unwrap();
            let source = From { collection: Some("cards".to_owned()), all_descendants: false };
            let found = self.database.run(&Query::all(Some(parent), source), None).await.unwrap().documents;
            let text = |document: &docstore::model::Document| match document.fields.get("text") {
                Some(Value::String(text)) => (document.path.id().to_owned(), text.clone()),
                _ => panic!("a card without text"),
            };
            let cards: Vec<_> = found.iter().map(text).collect();
            if cards.is_empty() {
                Err(NotPacked("Nothing can lie on a table.".to_owned()))
            } else {
                Ok(packed(&cards))
            }
        })
    }
}

async fn edit(store: &Store, card: usize, text: &str) {
    let fields = Fields::from([("text".to_owned(), Value::String(text.to_owned()))]);
    put(store, &format!("projects/p/components/c/cards/k{card:02}"), fields).await;
}

struct Scene {
    world: World,
    packer: Arc<Plain>,
}

impl Scene {
    async fn new(follow: Follow, hindrance: Option<&'static str>) -> Self {
        Self::of_version(follow, hindrance, None).await
    }

    async fn of_version(follow: Follow, hindrance: Option<&'static str>, version: Option<&str>) -> Self {
        let store = Store::in_memory().await.unwrap();
        put_members(&store, &[("ann", "owner"), ("bob", "playtester")]).await;
        let mut cards = Vec::new();
        for card in 0..CARDS {
            edit(&store, card, &marker(card)).await;
            cards.push((format!("k{card:02}"), marker(card)));
        }
        let packer = Arc::new(Plain { database: database(&store), hindrance, runs: AtomicUsize::new(0) });
        let live = LiveTables::new(Dependencies {
            store: &store,
            project: "demo",
            clock: Arc::<Hurried>::default(),
            entropy: Arc::new(SeededEntropy::new(1)),
            numbers: TableNumbers::default(),
            standings,
            idle_limit: Duration::from_millis(100),
            packer: Arc::clone(&packer) as _,
        });
        let mut table = table();
        table.settings.follow = follow;
        table.settings.version = version.map(str::to_owned);
        let id = live.create(table.clone(), packed(&cards)).await.unwrap();
        let mut fields = lobby::following(&table, |_| true);
        fields.insert("projectId".to_owned(), Value::String("p".to_owned()));
        put(&store, &format!("playtests/{id}"), fields).await;
        Self { world: World { store, live, id }, packer }
    }

    /// Ann and Bob at the table: a deck, and two cards in each hand.
    async fn dealt(&self) -> (Client, Client) {
        let mut ann = self.world.client("ann").await;
        set_up(&mut ann).await;
        let mut bob = self.world.client("bob").await;
        bob.asks(json!({"verb": "claim", "name": "Bob", "as": 1})).await;
        let deck = ann.named("Deck");
        ann.does(json!({"verb": "deal", "into": deck, "count": 2, "seats": [0, 1]})).await;
        bob.reach(ann.n).await;
        (ann, bob)
    }
}

/// Faces on view, by definition.
fn seen(client: &Client) -> Vec<usize> {
    client.pieces.values().filter_map(|shown| Some(usize::from(shown.face?.0))).collect()
}

#[tokio::test]
async fn a_changed_card_is_sent_to_those_who_see_it_and_to_nobody_else() {
    let scene = Scene::new(Follow::Live, None).await;
    let (mut ann, mut bob) = scene.dealt().await;
    let anns = seen(&ann)[0];
    edit(&scene.world.store, anns, "NewFaceOfAnns").await;
    let patch = loop {
        let message = ann.read().await.unwrap();
        if message["verb"] == "update" {
            break message;
        }
    };
    assert_eq!(patch["faces"][anns.to_string()], json!({"name": "NewFaceOfAnns"}).to_string());
    assert_eq!(patch["say"], json!([{"say": "cards", "faces": [anns]}]));
    bob.reach(ann.n).await;
    assert!(!bob.bytes.contains("NewFaceOfAnns"));
    // Of a card in the deck both are told that the project changed, in the same bytes.
    let hidden = (0..CARDS).find(|card| !seen(&ann).contains(card) && !seen(&bob).contains(card)).unwrap();
    let before = (ann.bytes.len(), bob.bytes.len());
    edit(&scene.world.store, hidden, "NewFaceOfTheDeck").await;
    ann.reach(ann.n + 1).await;
    bob.reach(ann.n).await;
    assert_eq!(ann.bytes[before.0..], bob.bytes[before.1..]);
    let expected =
        format!(r#"{{"n":{},"by":62,"verb":"update","say":[{{"say":"cards","faces":[]}}]}}"#, ann.n);
    assert_eq!(ann.bytes[before.0..], expected);
    // It is shown as it is now to whoever comes to see it.
    let deck = ann.named("Deck");
    ann.does(json!({"verb": "draw", "into": deck, "count": 12})).await;
    bob.reach(ann.n).await;
    assert!(ann.bytes.contains("NewFaceOfTheDeck") && !bob.bytes.contains("NewFaceOfTheDeck"));
    assert!(!ann.bytes[before.0..].contains(&marker(hidden)), "it is never sent as it was");
    // The table is the same after it has slept.
    drop((ann, bob));
    scene.world.live.asleep(&scene.world.id).await;
    let ann = scene.world.client("ann").await;
    assert!(ann.bytes.contains("NewFaceOfAnns") && ann.bytes.contains("NewFaceOfTheDeck"));
}

#[tokio::test]
async fn a_host_takes_a_change_that_they_have_seen() {
    let scene = Scene::new(Follow::Ask, None).await;
    let (mut ann, mut bob) = scene.dealt().await;
    let anns = seen(&ann)[0];
    edit(&scene.world.store, anns, "FirstFace").await;
    let first = loop {
        let cards = ann.until("cards").await;
        if cards.get("waiting").is_some() {
            break cards;
        }
    };
    let part = json!({"name": "Spells", "new": 0, "gone": 0, "changed": 1, "id": "c", "cards": [format!("k{anns:02}")]});
    assert_eq!(first["waiting"]["components"], json!([part]));
    edit(&scene.world.store, anns, "SecondFace").await;
    let second = ann.until("cards").await;
    let old = ann.asks(json!({"verb": "update", "hash": first["waiting"]["hash"]})).await;
    assert_eq!(old["code"], "not-possible", "it was another change by then");
    let theirs = bob.asks(json!({"verb": "update", "hash": second["waiting"]["hash"]})).await;
    assert_eq!(theirs["code"], "not-allowed");
    assert!(bob.others.iter().all(|message| message.get("cards").is_none()), "only those who lead are told");
    assert!(!ann.bytes.contains("SecondFace"));
    ann.does(json!({"verb": "update", "hash": second["waiting"]["hash"]})).await;
    assert!(ann.bytes.contains("SecondFace") && !ann.bytes.contains("FirstFace"));
    bob.reach(ann.n).await;
    assert!(!bob.bytes.contains("SecondFace"));
    assert!(ann.until("cards").await.get("waiting").is_none());
    // A frozen table is not packed for.
    ann.does(json!({"verb": "edit", "edit": {"follow": {"follow": "frozen"}}})).await;
    let runs = scene.packer.runs.load(Ordering::SeqCst);
    edit(&scene.world.store, anns, "ThirdFace").await;
    ann.does(json!({"verb": "note", "text": "Later", "to": {"surface": 0, "x": 0, "y": 0}})).await;
    assert_eq!(scene.packer.runs.load(Ordering::SeqCst), runs);
    let players = bob.asks(json!({"verb": "edit", "edit": {"follow": {"follow": "live"}}})).await;
    assert_eq!(players["code"], "not-allowed");
    // Changes from meanwhile come when it follows again.
    ann.does(json!({"verb": "edit", "edit": {"follow": {"follow": "live"}}})).await;
    ann.reach(ann.n + 1).await;
    assert!(ann.bytes.contains("ThirdFace"));
}

#[tokio::test]
async fn without_a_packer_a_host_brings_the_cards() {
    let scene = Scene::new(Follow::Ask, Some("There is no Node here.")).await;
    let (mut ann, mut bob) = scene.dealt().await;
    let live = ann.asks(json!({"verb": "edit", "edit": {"follow": {"follow": "live"}}})).await;
    assert_eq!(live["code"], "not-possible");
    let anns = seen(&ann)[0];
    edit(&scene.world.store, anns, "NewFace").await;
    let news = loop {
        let cards = ann.until("cards").await;
        if cards["behind"] == true {
            break cards;
        }
    };
    assert_eq!((&news["why"], &news["components"]), (&json!("There is no Node here."), &json!(["c"])));
    let text = |card: usize| if card == anns { "NewFace".to_owned() } else { marker(card) };
    let cards: Vec<_> = (0..CARDS).map(|card| (format!("k{card:02}"), text(card))).collect();
    let World { live, id, .. } = &scene.world;
    let bobs = live.take_cards(id, "bob", packed(&cards)).await.unwrap();
    assert!(bobs.unwrap_err().contains("Only hosts"));
    assert!(live.take_cards(id, "eve", packed(&cards)).await.is_err());
    assert_eq!(
        live.take_cards(id, "ann", game_box()).await.unwrap().unwrap_err(),
        "The box does not say which cards it has."
    );
    assert_eq!(live.take_cards(id, "ann", packed(&cards)).await, Ok(Ok(true)));
    assert_eq!(live.take_cards(id, "ann", packed(&cards)).await, Ok(Ok(false)));
    ann.reach(ann.n + 1).await;
    assert!(ann.bytes.contains("NewFace"));
    bob.reach(ann.n).await;
    assert!(!bob.bytes.contains("NewFace"));
    assert_eq!(scene.packer.runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn what_cannot_be_packed_changes_nothing_and_the_host_reads_why() {
    let scene = Scene::new(Follow::Live, None).await;
    let (mut ann, _bob) = scene.dealt().await;
    let n = ann.n;
    for card in 0..CARDS {
        let write = Write {
            path: DocPath::parse(&format!("projects/p/components/c/cards/k{card:02}")).unwrap(),
            op: WriteOp::Delete,
            precondition: Precondition::None,
        };
        database(&scene.world.store).commit(Draft::of(vec![write])).await.unwrap();
    }
    let news = loop {
        let cards = ann.until("cards").await;
        if !cards["trouble"].is_null() {
            break cards;
        }
    };
    assert_eq!(news["trouble"], "Nothing can lie on a table.");
    assert!(ann.n >= n);
    // A later change that can be packed is taken.
    edit(&scene.world.store, 3, "OnlyOne").await;
    loop {
        let cards = ann.until("cards").await;
        if cards["trouble"].is_null() {
            break;
        }
    }
}

#[tokio::test]
async fn a_table_of_a_version_keeps_its_cards_whatever_its_host_asks() {
    for hindrance in [None, Some("There is no Node here.")] {
        let scene = Scene::of_version(Follow::Frozen, hindrance, Some("v0.7")).await;
        let (mut ann, _bob) = scene.dealt().await;
        assert!(ann.bytes.contains(r#""version":"v0.7""#));
        for follow in ["live", "ask"] {
            let refused = ann.asks(json!({"verb": "edit", "edit": {"follow": {"follow": follow}}})).await;
            assert_eq!(refused["code"], "not-possible", "{follow}");
        }
        // Settings of another kind leave it a table of the version.
        let rights = serde_json::to_value(tuckbox_table::model::Rights::default()).unwrap();
        let settings = json!({"rights": rights, "undo": "free", "remembers": false, "open_to_observers": false,
            "phases": []});
        ann.does(json!({"verb": "edit", "edit": {"settings": settings}})).await;
        assert!(scene.world.client("ann").await.bytes.contains(r#""version":"v0.7""#));
        let anns = seen(&ann)[0];
        edit(&scene.world.store, anns, "NewFace").await;
        let cards: Vec<_> = (0..CARDS).map(|card| (format!("k{card:02}"), "NewFace".to_owned())).collect();
        let World { live, id, .. } = &scene.world;
        assert!(live.take_cards(id, "ann", packed(&cards)).await.unwrap().is_err());
        ann.does(json!({"verb": "note", "text": "Later", "to": {"surface": 0, "x": 0, "y": 0}})).await;
        assert!(!ann.bytes.contains("NewFace"));
        assert_eq!(scene.packer.runs.load(Ordering::SeqCst), 0);
    }
}
