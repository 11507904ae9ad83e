//! Sample tables from the first call to nothing at all.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU64, Ordering};

use auth_emu::AuthOptions;
use auth_emu::entropy::SeededEntropy;
use docstore::Store;
use docstore::clock::Clock;
use docstore::commit::Draft;
use docstore::model::{DatabaseId, DocPath, Fields, Query, Source, Timestamp, Value, Write};
use serde_json::{Value as Json, json};

use super::*;
use crate::host::metrics::TableNumbers;
use crate::product::members;
use crate::table::cards::NoPacker;
use crate::table::{Dependencies, SLEEP_AFTER, lobby};

const SECOND: u64 = 1_000_000;
const HOUR: u64 = 3_600 * SECOND;

/// A clock that goes on when it is told to.
#[derive(Debug, Default)]
struct Settable(AtomicU64);

impl Clock for Settable {
    fn now(&self) -> Ts {
        Ts::from_micros(SECOND + self.0.load(Ordering::SeqCst))
    }
}

struct World {
    store: Store,
    clock: Arc<Settable>,
    tables: SampleTables,
}

fn game() -> SampleGame {
    let card = |no: usize| json!({"face": json!({"name": format!("Card {no}")}).to_string(), "back": 0, "copies": 1});
    let seat = |name: &str| json!({"name": name, "colour": 0});
    let deck = json!({"into": {"name": "Deck"}});
    let hand = json!({"container": {"kind": "hand", "name": "Hand"}});
    let stack = json!({"container": {"kind": "stack", "name": "Deck", "size": [630, 880]}});
    let middle = json!({"at": {"surface": 0, "x": 0, "y": 0}});
    let seats = ["Red", "Blue", "Yellow", "Green"].map(seat);
    serde_json::from_value(json!({
        "name": "Driftglass",
        "box": {
            "backs": [{"look": "{}", "kind": "card", "size": [630, 880]}],
            "definitions": (0..12).map(card).collect::<Vec<_>>(),
            "sets": [{"name": "Cards", "members": (0..12).collect::<Vec<_>>()}],
        },
        "setUp": {"steps": [
            {"do": "place", "each_seat": true, "place": hand, "to": middle},
            {"do": "place", "place": stack, "to": middle},
            {"do": "place", "place": {"set": 0}, "to": deck, "face": "down"},
            {"do": "shuffle", "what": {"name": "Deck"}},
        ]},
        "seats": seats,
    }))
    .unwrap()
}

impl World {
    async fn new() -> Self {
        Self::over(Store::in_memory().await.unwrap(), Arc::default()).await
    }

    /// A server over what another one stored.
    async fn over(store: Store, clock: Arc<Settable>) -> Self {
        let live = LiveTables::new(Dependencies {
            store: &store,
            project: "demo",
            clock: Arc::<Settable>::clone(&clock),
            entropy: Arc::new(SeededEntropy::new(clock.0.load(Ordering::SeqCst) + 1)),
            numbers: TableNumbers::default(),
            standings: members::standings,
            idle_limit: SLEEP_AFTER,
            packer: Arc::new(NoPacker),
        });
        let mut options =
            AuthOptions::new(store.clone(), "demo", docstore::access::Mode::Serving, "http://localhost");
        options.clock = Arc::<Settable>::clone(&clock);
        let tables = SampleTables {
            database: store.database(&DatabaseId::default_of("demo")),
            accounts: AuthState::new(options).await.unwrap(),
            live,
            guesses: Arc::default(),
            game: Arc::new(OnceCell::new_with(Some(Arc::new(game())))),
        };
        Self { store, clock, tables }
    }

    fn pass(&self, micros: u64) {
        self.clock.0.fetch_add(micros, Ordering::SeqCst);
    }

    async fn open(&self, address: Option<IpAddr>) -> Result<String, CallError> {
        Ok(self.tables.open(address).await?.table)
    }

    /// A visitor without an account comes; answers who that is now.
    async fn visitor(&self, table: &str) -> Result<String, CallError> {
        let before = self.people(table).await;
        let joined = self.tables.join(None, None, table).await?;
        assert!(joined.token.is_some() && joined.name == "Driftglass");
        let mut people = self.people(table).await;
        people.retain(|one| !before.contains(one));
        Ok(people.pop().unwrap())
    }

    async fn people(&self, table: &str) -> Vec<String> {
        self.tables.live.admissions().get(table).await.unwrap().people.into_keys().collect()
    }

    /// The answers to an act.
    async fn act(&self, table: &str, uid: &str, act: Json) -> Result<Vec<Json>, Refused> {
        let mut act = act;
        act["c"] = json!(1);
        let asked = serde_json::from_value(act).unwrap();
        let frames = self.tables.live.call(table, uid, (None, None), Some(asked)).await?;
        Ok(frames.iter().map(|frame| serde_json::from_str(frame).unwrap()).collect())
    }

    /// The present state as somebody is sent it, and whether they lead.
    async fn state(&self, table: &str, uid: &str) -> (Json, Json) {
        let frames = self.tables.live.call(table, uid, (None, None), None).await.unwrap();
        let messages: Vec<Json> = frames.iter().map(|frame| serde_json::from_str(frame).unwrap()).collect();
        let of = |key: &str| messages.iter().find_map(|message| message.get(key)).unwrap().clone();
        (of("state"), of("you"))
    }

    async fn forget(&self) -> usize {
        forget(&self.tables.accounts, &self.tables.live).await.unwrap()
    }

    /// Documents that are left of tables, by path.
    async fn left(&self) -> Vec<String> {
        let mut left = Vec::new();
        for database in [DatabaseId::new("demo", "__tables__"), DatabaseId::default_of("demo")] {
            let source = Source { collection: None, all_descendants: true };
            let found = self.store.database(&database).run(&Query::all(None, source), None).await.unwrap();
            left.extend(found.documents.into_iter().map(|found| found.path.to_string()));
        }
        left
    }
}

fn home(nth: u8) -> Option<IpAddr> {
    Some(Ipv4Addr::new(192, 0, 2, nth).into())
}

fn code(refused: Result<impl std::fmt::Debug, CallError>) -> Code {
    refused.unwrap_err().code()
}

#[tokio::test]
async fn an_address_opens_three_and_one_more_when_the_first_is_gone() {
    let world = World::new().await;
    for _ in 0..3 {
        world.open(home(1)).await.unwrap();
        world.pass(SECOND);
    }
    assert_eq!(code(world.open(home(1)).await), Code::ResourceExhausted);
    world.open(home(2)).await.unwrap();
    let of = |text: &str| Some(text.parse().unwrap());
    for nth in 0..3 {
        world.open(of(&format!("2001:db8::{nth}"))).await.unwrap();
    }
    assert_eq!(
        code(world.open(of("2001:db8::9")).await),
        Code::ResourceExhausted,
        "one network is one caller"
    );
    world.pass(HOUR - 3 * SECOND - 1);
    assert_eq!(code(world.open(home(1)).await), Code::ResourceExhausted);
    // It makes room even before it is swept.
    world.pass(1);
    world.open(home(1)).await.unwrap();
    assert_eq!(code(world.open(home(1)).await), Code::ResourceExhausted);
}

#[tokio::test]
async fn the_server_has_five_hundred() {
    let world = World::new().await;
    for nth in 0..500 {
        // Three of each address.
        world.open(home((nth / 3) as u8)).await.unwrap();
    }
    for address in [home(250), None] {
        assert_eq!(code(world.open(address).await), Code::ResourceExhausted);
    }
    world.pass(HOUR);
    assert_eq!(world.forget().await, 500);
    assert_eq!(world.left().await, Vec::<String>::new());
    world.open(home(250)).await.unwrap();
}

#[tokio::test]
async fn whoever_comes_takes_a_free_seat_and_nobody_says_who_comes() {
    let world = World::new().await;
    let id = world.open(home(1)).await.unwrap();
    let mut people = Vec::new();
    for nth in 0..5 {
        let uid = world.visitor(&id).await.unwrap();
        let (state, you) = world.state(&id, &uid).await;
        let own = if nth < 4 { json!([nth]) } else { json!([]) };
        assert_eq!(you, json!({"seats": own, "leads": false, "table": "Driftglass"}));
        assert_eq!(world.tables.live.leads(&id, &uid).await, Ok(false));
        if let Some(seat) = state["set"].as_object().filter(|_| nth == 0) {
            assert_eq!(seat.values().filter(|piece| piece["container"]["kind"] == "hand").count(), 4);
        }
        people.push(uid);
    }
    // The first leads the game, and nobody says who comes.
    let refused = async |uid: &str, act: Json| {
        let answers = world.act(&id, uid, act).await.unwrap();
        answers.iter().any(|answer| answer.get("no").is_some())
    };
    for act in [
        json!({"verb": "end"}),
        json!({"verb": "restore", "to": "setup"}),
        json!({"verb": "edit", "edit": {"setup": {"button": null}}}),
        json!({"verb": "leave", "seat": 2}),
    ] {
        assert!(refused(&people[1], act.clone()).await, "{act}");
    }
    // Whoever comes back has the seat that they had, and somebody with an account their own name.
    let blue = AuthContext { uid: people[1].clone(), token: json!({"guest": true, "name": VISITOR}) };
    assert!(world.tables.join(Some(&blue), None, &id).await.unwrap().token.is_none());
    assert_eq!(world.state(&id, &people[1]).await.1["seats"], json!([1]));
    world.act(&id, &people[0], json!({"verb": "leave"})).await.unwrap();
    let ann = AuthContext { uid: "ann".to_owned(), token: json!({"name": "Ann Ames"}) };
    world.tables.join(Some(&ann), None, &id).await.unwrap();
    assert!(world.state(&id, "ann").await.0.to_string().contains("Ann Ames"));
    // She has the first seat now, and leads the game.
    assert!(!refused("ann", json!({"verb": "restore", "to": "setup"})).await);
    // Nothing that begins at a table's public document knows it.
    assert!(lobby::find(&world.tables.database, &id).await.unwrap().is_none());
    assert_eq!(world.tables.live.check_way(&id, "eve").await, Err(Refused::Stranger));
}

#[tokio::test]
async fn its_host_starts_over_takes_that_back_and_ends_the_game() {
    let world = World::new().await;
    let id = world.open(home(1)).await.unwrap();
    let (red, blue) = (world.visitor(&id).await.unwrap(), world.visitor(&id).await.unwrap());
    let deck = async || {
        let (state, _) = world.state(&id, &blue).await;
        let pieces = state["set"].as_object().unwrap().clone();
        { pieces.into_iter() }.find(|(_, piece)| piece["name"] == "Deck").unwrap()
    };
    let cards = async || deck().await.1["container"]["count"].as_u64().unwrap();
    let draw = json!({"verb": "draw", "count": 2, "into": deck().await.0});
    world.act(&id, &blue, draw).await.unwrap();
    assert_eq!(cards().await, 10);
    let answers = world.act(&id, &red, json!({"verb": "restore", "to": "setup"})).await.unwrap();
    let n = answers.iter().find_map(|answer| answer["n"].as_u64()).unwrap();
    assert_eq!(cards().await, 12);
    world.act(&id, &red, json!({"verb": "undo", "n": n})).await.unwrap();
    assert_eq!(cards().await, 10);
    world.act(&id, &red, json!({"verb": "end"})).await.unwrap();
    assert_eq!(world.state(&id, &blue).await.0["table"]["ended"], json!(true));
    // It keeps nothing of the game that has ended, and whoever comes now watches.
    let yellow = world.visitor(&id).await.unwrap();
    assert_eq!(world.state(&id, &yellow).await.1["seats"], json!([]));
    world.pass(HOUR);
    assert_eq!(world.forget().await, 1);
    assert_eq!(world.left().await, Vec::<String>::new());
}

#[tokio::test]
async fn after_an_hour_it_is_gone_whoever_is_there_and_nothing_is_left() {
    let world = World::new().await;
    let id = world.open(home(1)).await.unwrap();
    let (red, blue) = (world.visitor(&id).await.unwrap(), world.visitor(&id).await.unwrap());
    let mut there = world.tables.live.enter(&id, &red, None, None).await.unwrap();
    let asleep = world.open(home(1)).await.unwrap();
    world.visitor(&asleep).await.unwrap();
    world.pass(HOUR - 1);
    assert_eq!(world.forget().await, 0);
    assert_eq!(world.tables.join(None, None, &id).await.unwrap().lasts, 0);
    world.pass(1);
    // Nobody is let in, and no act is done, before it is swept.
    assert_eq!(code(world.tables.join(None, None, &id).await), Code::NotFound);
    assert_eq!(world.act(&id, &blue, json!({"verb": "leave"})).await, Err(Refused::Stranger));
    there.act(serde_json::from_value(json!({"c": 1, "verb": "leave"})).unwrap()).await;
    let mut last = None;
    while let Some(frame) = there.next().await {
        assert!(!frame.contains("\"ack\""), "{frame}");
        last = Some(frame);
    }
    assert_eq!(last.as_deref(), Some(r#"{"bye":{"again":false,"why":"gone"}}"#));
    assert_eq!(world.forget().await, 2);
    assert_eq!(world.left().await, Vec::<String>::new());
    for uid in [red, blue] {
        assert_eq!(world.tables.accounts.account(&uid).await.unwrap(), None);
    }
    assert_eq!(code(world.tables.join(None, None, &id).await), Code::NotFound);
}

#[tokio::test]
async fn a_sweep_lets_go_who_is_there() {
    let world = World::new().await;
    let id = world.open(home(1)).await.unwrap();
    let red = world.visitor(&id).await.unwrap();
    let mut there = world.tables.live.enter(&id, &red, None, None).await.unwrap();
    world.pass(HOUR);
    assert_eq!(world.forget().await, 1);
    let mut last = None;
    while let Some(frame) = there.next().await {
        last = Some(frame);
    }
    assert!(last.unwrap().contains("\"gone\""));
    assert_eq!(world.left().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_restart_in_between_lets_no_table_last_longer() {
    let World { store, clock, tables } = World::new().await;
    let before = World { store, clock, tables };
    let id = before.open(home(1)).await.unwrap();
    let red = before.visitor(&id).await.unwrap();
    before.act(&id, &red, json!({"verb": "name", "name": "Ruth"})).await.unwrap();
    before.pass(HOUR / 2);
    let after = World::over(before.store.clone(), Arc::clone(&before.clock)).await;
    // It goes on, and counts for its address.
    assert!(after.state(&id, &red).await.0.to_string().contains("Ruth"));
    for _ in 0..2 {
        after.open(home(1)).await.unwrap();
    }
    assert_eq!(code(after.open(home(1)).await), Code::ResourceExhausted);
    // The rest of a table after a crash, while it was made or forgotten, goes in time as well.
    let reserved = after.store.database(&DatabaseId::new("demo", "__tables__"));
    let fields = Fields::from([
        ("name".to_owned(), Value::String("Half".to_owned())),
        ("ends".to_owned(), Value::Timestamp(Timestamp(1))),
    ]);
    for path in ["samples/half", "tables/half/log/000000000001"] {
        let write = Write::set(DocPath::parse(path).unwrap(), fields.clone());
        reserved.commit(Draft::of(vec![write])).await.unwrap();
    }
    after.pass(HOUR / 2);
    assert_eq!(after.forget().await, 2);
    after.pass(HOUR / 2);
    let again = World::over(after.store.clone(), Arc::clone(&after.clock)).await;
    assert_eq!(again.forget().await, 2);
    assert_eq!(again.left().await, Vec::<String>::new());
    assert_eq!(again.tables.accounts.account(&red).await.unwrap(), None);
}

#[tokio::test]
async fn as_many_come_as_may_and_no_account_is_made_for_more() {
    let world = World::new().await;
    let id = world.open(home(1)).await.unwrap();
    let user = |nth: usize| AuthContext { uid: format!("user-{nth}"), token: json!({}) };
    for nth in 0..SAMPLE_PEOPLE {
        world.tables.join(Some(&user(nth)), None, &id).await.unwrap();
    }
    for who in [Some(user(SAMPLE_PEOPLE)), None] {
        assert_eq!(code(world.tables.join(who.as_ref(), None, &id).await), Code::ResourceExhausted);
    }
    assert_eq!(world.people(&id).await.len(), SAMPLE_PEOPLE);
    world.tables.join(Some(&user(7)), None, &id).await.unwrap();
    // Of one address, no more accounts a minute than codes make.
    let id = world.open(home(1)).await.unwrap();
    for _ in 0..SAMPLE_PEOPLE {
        world.tables.join(None, home(1), &id).await.unwrap();
    }
    let other = world.open(home(2)).await.unwrap();
    assert_eq!(code(world.tables.join(None, home(1), &other).await), Code::ResourceExhausted);
    world.tables.join(None, home(2), &other).await.unwrap();
}

#[tokio::test]
async fn a_guest_of_another_table_stays_when_the_sample_goes() {
    let world = World::new().await;
    let id = world.open(home(1)).await.unwrap();
    let (gus, may) = (world.visitor(&id).await.unwrap(), world.visitor(&id).await.unwrap());
    let admissions = world.tables.live.admissions();
    // Gus gave the code of another table meanwhile, and comes back.
    admissions.note_visit(&gus, world.tables.live.now()).await.unwrap();
    let guest = AuthContext { uid: gus.clone(), token: json!({"guest": true, "name": "Gus"}) };
    world.tables.join(Some(&guest), None, &id).await.unwrap();
    // May goes on to a second one.
    world.pass(HOUR / 2);
    let second = world.open(home(1)).await.unwrap();
    let guest = AuthContext { uid: may.clone(), token: json!({"guest": true}) };
    world.tables.join(Some(&guest), None, &second).await.unwrap();
    world.pass(HOUR / 2);
    assert_eq!(world.forget().await, 1);
    for uid in [&gus, &may] {
        assert!(world.tables.accounts.account(uid).await.unwrap().is_some());
    }
    world.pass(HOUR / 2);
    assert_eq!(world.forget().await, 1);
    assert!(world.tables.accounts.account(&gus).await.unwrap().is_some());
    assert_eq!(world.tables.accounts.account(&may).await.unwrap(), None);
}

#[tokio::test]
async fn an_admin_switches_them_off() {
    let world = World::new().await;
    let id = world.open(home(1)).await.unwrap();
    let flags = Value::Map(Fields::from([(site::SAMPLE_TABLES.to_owned(), Value::Boolean(false))]));
    let fields = Fields::from([("flags".to_owned(), flags)]);
    let write = Write::set(DocPath::parse("site/state").unwrap(), fields);
    world.tables.database.commit(Draft::of(vec![write])).await.unwrap();
    assert_eq!(code(world.open(home(1)).await), Code::FailedPrecondition);
    assert_eq!(code(world.tables.join(None, home(2), &id).await), Code::FailedPrecondition);
}

#[test]
fn nobody_brings_a_box_or_a_time() {
    serde_json::from_value::<Open>(json!({})).unwrap();
    for crafted in [json!({"box": {}}), json!({"seats": []}), json!({"ends": 0})] {
        assert!(serde_json::from_value::<Open>(crafted.clone()).is_err(), "{crafted}");
    }
    assert!(serde_json::from_value::<Join>(json!({"table": "t", "seat": 0})).is_err());
}
