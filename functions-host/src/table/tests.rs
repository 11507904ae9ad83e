//! Tables that are awake, over a store in memory.

mod client;
mod crash;
mod guests;
mod live_cards;
mod people;
mod results;
mod room_for_others;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use auth_emu::entropy::SeededEntropy;
use docstore::clock::{Clock, SharedClock};
use docstore::model::{DatabaseId, DocPath, Fields, Precondition, Ts, Value, Write, WriteOp};
use docstore::{Database, Draft, Store};
use serde_json::json;
use tuckbox_table::game_box::{Back, Definition, GameBox, Kind, Parts};
use tuckbox_table::ids::{BackNo, SeatNo};
use tuckbox_table::model::{Role, Seat, Settings, Table};

use self::client::Client;
use super::cards::NoPacker;
use super::live::{Dependencies, LiveTables};
use super::{SLEEP_AFTER, Standing, Standings, lobby};
use crate::host::metrics::TableNumbers;

/// Cards of the box.
const CARDS: usize = 12;

/// A world with one table of the project `p`: Ann hosts, Bob is a member, Eve is nobody.
struct World {
    store: Store,
    live: LiveTables,
    id: String,
}

fn standings(fields: &Fields) -> Standings {
    let Some(Value::Map(members)) = fields.get("members") else { return Standings::new() };
    let maker = Value::String("owner".to_owned());
    members
        .iter()
        .map(|(uid, role)| (uid.clone(), if *role == maker { Standing::Maker } else { Standing::Member }))
        .collect()
}

/// A clock that is two seconds later whenever it is asked, so that no rate is reached.
#[derive(Debug, Default)]
struct Hurried(AtomicU64);

impl Clock for Hurried {
    fn now(&self) -> Ts {
        Ts::from_micros(self.0.fetch_add(2_000_000, Ordering::SeqCst))
    }
}

/// A clock that stands still.
#[derive(Debug)]
struct Still;

impl Clock for Still {
    fn now(&self) -> Ts {
        Ts::from_micros(1_000_000)
    }
}

/// A clock that goes on when it is told to.
#[derive(Debug, Default)]
struct Settable(AtomicU64);

impl Settable {
    fn pass(&self, micros: u64) {
        self.0.fetch_add(micros, Ordering::SeqCst);
    }
}

impl Clock for Settable {
    fn now(&self) -> Ts {
        Ts::from_micros(1_000_000 + self.0.load(Ordering::SeqCst))
    }
}

fn live(store: &Store, seed: u64, idle_limit: Duration) -> LiveTables {
    live_at(store, seed, idle_limit, Arc::<Hurried>::default())
}

fn live_at(store: &Store, seed: u64, idle_limit: Duration, clock: SharedClock) -> LiveTables {
    LiveTables::new(Dependencies {
        store,
        project: "demo",
        clock,
        entropy: Arc::new(SeededEntropy::new(seed)),
        numbers: TableNumbers::default(),
        standings,
        idle_limit,
        packer: Arc::new(NoPacker),
    })
}

fn database(store: &Store) -> Database {
    store.database(&DatabaseId::default_of("demo"))
}

async fn put(store: &Store, path: &str, fields: Fields) {
    let write = Write {
        path: DocPath::parse(path).unwrap(),
        op: WriteOp::Set { fields, transforms: Vec::new() },
        precondition: Precondition::None,
    };
    database(store).commit(Draft::of(vec![write])).await.unwrap();
}

async fn put_members(store: &Store, members: &[(&str, &str)]) {
    let members = members.iter().map(|(uid, role)| ((*uid).to_owned(), Value::String((*role).to_owned())));
    put(store, "projects/p", Fields::from([("members".to_owned(), Value::Map(members.collect()))])).await;
}

/// A card's text that appears nowhere else.
fn marker(card: usize) -> String {
    format!("Marker{card:02}")
}

fn game_box() -> GameBox {
    let back = Back { look: "{\"back\":1}".into(), kind: Kind::Card, size: (630, 880), sides: 0 };
    let card = |card| Definition {
        face: json!({ "name": marker(card) }).to_string().into(),
        back: BackNo(0),
        copies: 1,
        source: None,
    };
    let parts = Parts { backs: vec![back], definitions: (0..CARDS).map(card).collect(), ..Parts::default() };
    GameBox::try_from(parts).unwrap()
}

fn table() -> Table {
    let mut table = Table::new(1, Settings::default());
    for (no, (who, role)) in [(Some("ann"), Role::Host), (None, Role::Player)].into_iter().enumerate() {
        let seat =
            Seat { name: format!("Seat {no}"), colour: 0, who: who.map(str::to_owned), role, agrees: false };
        table.seats.insert(SeatNo(no as u8), seat);
    }
    table
}

impl World {
    async fn new() -> Self {
        Self::at(Arc::<Hurried>::default()).await
    }

    async fn at(clock: SharedClock) -> Self {
        let store = Store::in_memory().await.unwrap();
        put_members(&store, &[("ann", "owner"), ("bob", "playtester")]).await;
        let live = live_at(&store, 1, SLEEP_AFTER, clock);
        let id = live.create(table(), game_box()).await.unwrap();
        let mut fields = lobby::following(&table(), |_| true);
        fields.insert("projectId".to_owned(), Value::String("p".to_owned()));
        put(&store, &format!("playtests/{id}"), fields).await;
        Self { store, live, id }
    }

    /// Somebody at the table, with everything on view.
    async fn client(&self, uid: &str) -> Client {
        Client::enter(&self.live, &self.id, uid, None).await.unwrap()
    }
}

/// Makes a deck of all cards, face down, and a hand for each seat.
async fn set_up(ann: &mut Client) {
    ann.spawn("stack", "Deck", None).await;
    ann.spawn("hand", "Hand 0", Some(0)).await;
    ann.spawn("hand", "Hand 1", Some(1)).await;
    for card in 0..CARDS {
        let spawn = json!({"verb": "spawn", "what": {"pieces": {"definition": card, "count": 1}},
            "to": {"surface": 0, "x": 50 + card, "y": 0}});
        ann.does(spawn).await;
    }
    let (deck, cards) = (ann.named("Deck"), ann.loose_cards());
    ann.does(json!({"verb": "drop", "pieces": cards, "into": deck, "face": "down"})).await;
    ann.does(json!({"verb": "shuffle", "into": deck})).await;
}
