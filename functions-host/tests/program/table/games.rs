//! Whole games over real sockets: every byte is recorded and compared with what the log grants.

use std::collections::BTreeMap;
use std::sync::Arc;

use docstore::clock::SystemClock;
use docstore::{EngineOptions, Limits, Store, StoreOptions};
use functions_host::table::store::TableStore;
use serde_json::{Value, json};
use tuckbox_table::View;
use tuckbox_table::ids::SeatNo;
use tuckbox_table::model::{Role, Seat, Settings, Table};
use tuckbox_table::session::replay;

use crate::server::Place;
use crate::table::client::{Player, emulator, open_table, put_project};

const CARDS: usize = 24;
const SEATS: usize = 4;
const PLAYERS: [&str; SEATS] = ["ann", "bob", "cat", "dan"];
const MEMBERS: [(&str, &str); 4] =
    [("bob", "playtester"), ("cat", "viewer"), ("dan", "playtester"), ("obs", "viewer")];

/// Numbers from a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn one<'a>(&mut self, all: &'a [String]) -> Option<&'a String> {
        if all.is_empty() { None } else { all.get(self.below(all.len())) }
    }
}

/// An act that a player chooses among what they see.
fn choose(player: &Player, chance: &mut Chance) -> Value {
    let is = |shown: &Value, kind: &str| shown["container"]["kind"] == kind;
    let all = |fits: &dyn Fn(&Value) -> bool| -> Vec<String> {
        player.pieces.iter().filter(|(_, shown)| fits(shown)).map(|(handle, _)| handle.clone()).collect()
    };
    let hands = all(&|shown| is(shown, "hand"));
    let own = all(&|shown| is(shown, "hand") && shown["container"]["owner"].as_u64() == player.seat);
    let held = all(&|shown| own.iter().any(|hand| shown["holder"] == **hand));
    let cards = all(&|shown| shown.get("container").is_none());
    let piles = all(&|shown| is(shown, "stack"));
    let pile = chance.one(&piles).cloned();
    let card = chance.one(&cards).cloned();
    let seat = chance.below(SEATS);
    let at = json!({"surface": 0, "x": chance.below(900), "y": chance.below(900)});
    match (chance.below(12), chance.one(&held).cloned()) {
        (0..=2, _) => json!({"verb": "draw", "into": pile, "count": 1 + chance.below(2)}),
        (3, Some(held)) => json!({"verb": "move", "pieces": [held], "to": at, "face": "up"}),
        (4, Some(held)) => json!({"verb": "drop", "pieces": [held], "into": pile, "face": "down"}),
        (5, Some(held)) => json!({"verb": "give", "pieces": [held], "to": seat}),
        (6, Some(held)) => json!({"verb": "show", "pieces": [held], "to": [seat]}),
        (7, _) => json!({"verb": "flip", "pieces": card.into_iter().collect::<Vec<_>>()}),
        (8, _) => json!({"verb": "take", "into": chance.one(&hands), "count": 1}),
        (9, _) => json!({"verb": "peek", "into": pile, "count": 1}),
        (10, _) => json!({"verb": "undo", "n": player.n}),
        _ => json!({"verb": "shuffle", "into": pile}),
    }
}

/// The table as `openTable` makes it.
fn start() -> Table {
    let mut table = Table::new(1, Settings::default());
    for no in 0..SEATS {
        let role = if no == 0 { Role::Host } else { Role::Player };
        let who = (no == 0).then(|| "ann".to_owned());
        let seat = Seat { name: format!("Seat {no}"), colour: 0, who, role, agrees: false };
        table.seats.insert(SeatNo(no as u8), seat);
    }
    table
}

async fn players(server: &crate::server::Server, table: &str) -> Vec<Player> {
    let mut players = Vec::new();
    for (seat, uid) in PLAYERS.into_iter().enumerate() {
        let mut player = Player::come(server, table, uid, None).await;
        player.until("state").await;
        if player.seat.is_none() {
            player.does(json!({"verb": "claim", "as": seat, "name": uid})).await;
            player.until("state").await;
        }
        players.push(player);
    }
    players
}

async fn catch_up(players: &mut [Player], n: u64) {
    for player in players {
        while player.n < n {
            player.read().await.unwrap();
        }
    }
}

/// Secrecy over real sockets: a face is sent to a seat at the entry that grants it, and never before or to another.
#[tokio::test(flavor = "multi_thread")]
async fn in_twenty_random_games_every_byte_was_granted() {
    let place = Place::new(None);
    let server = emulator(&place).await;
    put_project(&server, &MEMBERS).await;
    let mut games = Vec::new();
    for game in 0..20 {
        let table = open_table(&server, CARDS, SEATS).await;
        let mut chance = Chance(game);
        let mut players = players(&server, &table).await;
        let mut observer = Player::come(&server, &table, "obs", None).await;
        observer.until("state").await;
        players[0].set_up().await;
        let n = players[0].n;
        catch_up(&mut players, n).await;
        for _ in 0..30 {
            let at = chance.below(SEATS);
            let act = choose(&players[at], &mut chance);
            players[at].asks(act).await;
            let n = players[at].n;
            if chance.below(3) == 0 {
                catch_up(&mut players, n).await;
            }
            if chance.below(8) == 0 {
                let have = players[at].have();
                let before = std::mem::take(&mut players[at].pieces);
                let mut back = Player::come(&server, &table, PLAYERS[at], Some(have)).await;
                back.resume(&players[at], before);
                players[at] = back;
            }
        }
        let n = players.iter().map(|player| player.n).max().unwrap();
        catch_up(&mut players, n).await;
        catch_up(std::slice::from_mut(&mut observer), n).await;
        players.push(observer);
        games.push((table, players));
    }
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));
    let folder = place.join(".tuckbox").join("documents");
    let engine = EngineOptions::disk(&folder);
    let clock = Arc::new(SystemClock);
    let store = Store::open(StoreOptions { engine, clock, limits: Limits::default() }).await.unwrap();
    let tables = TableStore::new(&store, "demo");
    let mut all = 0;
    for (table, players) in &games {
        let session = tables.load(table).await.unwrap().unwrap();
        let mut shown = 0;
        for player in players {
            assert_eq!(player.n, session.table().n, "{} saw the whole log", player.uid);
            let seat = player.seat.map_or(SeatNo::OBSERVER, |seat| SeatNo(seat as u8));
            let (mut state, mut granted) = (start(), BTreeMap::new());
            let (mut view, _) = View::open(&state, session.game_box(), seat, [1; 32]);
            for entry in session.log() {
                replay(&mut state, entry).unwrap();
                for face in view.patch(&state, session.game_box(), entry).faces.into_keys() {
                    granted.insert(usize::from(face.0), entry.n);
                }
            }
            assert_eq!(player.faces, granted, "table {table}, {}", player.uid);
            assert_eq!(player.pieces.len(), view.pieces().count());
            shown += granted.len();
        }
        assert!(shown > 0, "the game on table {table} showed something");
        all += shown;
    }
    // About 330, by chance 290 to 370.
    assert!(all > 200, "the games showed {all} faces");
}

/// Nothing that was shown is lost by a kill, and everybody comes back to one state.
#[tokio::test(flavor = "multi_thread")]
async fn kills_lose_nothing_that_was_shown() {
    let place = Place::new(None);
    let mut server = emulator(&place).await;
    put_project(&server, &MEMBERS).await;
    let table = open_table(&server, CARDS, SEATS).await;
    let mut all = players(&server, &table).await;
    all[0].set_up().await;
    for round in 0..3 {
        let playing = all.into_iter().enumerate().map(|(at, mut player)| {
            tokio::spawn(async move {
                let mut chance = Chance(round * 10 + at as u64);
                while let Some(answer) = {
                    let act = choose(&player, &mut chance);
                    player.tries(act).await
                } {
                    drop(answer);
                    // As fast as a table takes acts of one account.
                    tokio::task::yield_now().await;
                }
                player
            })
        });
        let playing: Vec<_> = playing.collect();
        let mut watcher = Player::come(&server, &table, "obs", None).await;
        watcher.until("state").await;
        let enough = watcher.n + 40;
        while watcher.n < enough {
            watcher.read().await.unwrap();
        }
        server.signal("-KILL").await;
        server.ended().await;
        let mut seen = watcher.n;
        let mut back = Vec::new();
        for player in playing {
            let player = player.await.unwrap();
            seen = seen.max(player.n);
            back.push(player);
        }
        server = emulator(&place).await;
        all = Vec::new();
        for player in &back {
            let mut again = Player::come(&server, &table, &player.uid, Some(player.have())).await;
            again.until("state").await;
            assert_eq!(again.seat, player.seat);
            assert!(again.n >= seen, "{} was shown {seen} and comes back to {}", player.uid, again.n);
            all.push(again);
        }
        let n = all[0].n;
        assert!(all.iter().all(|player| player.n == n), "everybody is back at one entry");
    }
}
