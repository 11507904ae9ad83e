use super::*;
use serde_json::json;
use tuckbox_table::game_box::Parts;
use tuckbox_table::ids::{PieceNo, SeatNo, SurfaceNo};
use tuckbox_table::model::{Role, Seat, Settings};
use tuckbox_table::{Act, Verb};

const SEED: [u8; 32] = [3; 32];

async fn tables() -> TableStore {
    TableStore::new(&Store::in_memory().await.unwrap(), "demo")
}

fn table() -> Table {
    let mut table = Table::new(1, Settings::default());
    let seat = Seat {
        name: "Ann".to_owned(),
        colour: 0,
        who: Some("ann".to_owned()),
        role: Role::Host,
        agrees: false,
    };
    table.seats.insert(SeatNo(0), seat);
    table
}

async fn created(tables: &TableStore) -> Session {
    let game_box = Arc::new(GameBox::try_from(Parts::default()).unwrap());
    tables.create("t", table(), game_box, SEED, Timestamp(0)).await.unwrap()
}

/// Makes a deck, and returns the entry.
fn play(session: &mut Session, x: i32) -> Entry {
    let to = tuckbox_table::act::At { surface: SurfaceNo(0), x, y: 0 };
    let kind = tuckbox_table::model::ContainerKind::Stack;
    let new = tuckbox_table::act::NewContainer {
        kind,
        name: "Deck".to_owned(),
        owner: None,
        policy: None,
        arrangement: Default::default(),
        size: (0, 0),
    };
    let what = tuckbox_table::act::Spawned::Container(new);
    session.act(SeatNo(0), &Act::new(Verb::Spawn { what, to }), 1).unwrap().clone()
}

fn same(one: &Session, other: &Session) -> bool {
    one.snapshot() == other.snapshot() && one.log() == other.log()
}

#[tokio::test]
async fn a_table_is_loaded_as_it_was_stored() {
    let tables = tables().await;
    assert!(tables.load("t").await.unwrap().is_none());
    let mut session = created(&tables).await;
    assert!(same(&tables.load("t").await.unwrap().unwrap(), &session));
    let mut entries: Vec<_> = (0..150).map(|x| play(&mut session, x)).collect();
    tables.append("t", &entries).await.unwrap();
    assert!(same(&tables.load("t").await.unwrap().unwrap(), &session));
    tables.save("t", &session.snapshot()).await.unwrap();
    entries = vec![play(&mut session, 7)];
    tables.append("t", &entries).await.unwrap();
    let mut loaded = tables.load("t").await.unwrap().unwrap();
    assert!(same(&loaded, &session));
    assert_eq!(loaded.commitment(), session.commitment());
    assert_eq!(play(&mut loaded, 8), play(&mut session, 8));
}

#[tokio::test]
async fn a_table_is_loaded_with_the_cards_that_it_has_by_then() {
    let tables = tables().await;
    let mut session = created(&tables).await;
    for no in 1..=40 {
        let common = "x".repeat(if no == 3 { 2 * PART_BYTES } else { no });
        let update = BoxChange { common: Some(common.into()), ..BoxChange::default() };
        let entry = session.update(SeatNo::TABLE, &update, 1).unwrap().clone();
        tables.append_with("t", &[entry], &[(no as u32, update)]).await.unwrap();
        let loaded = tables.load("t").await.unwrap().unwrap();
        assert!(same(&loaded, &session) && loaded.game_box() == session.game_box(), "{no}");
    }
    // Of a session that is behind nothing is stored.
    let late = BoxChange { common: Some("late".into()), ..BoxChange::default() };
    let entry = Entry { n: 40, ..session.log().back().unwrap().clone() };
    assert!(tables.append_with("t", &[entry], &[(40, late)]).await.is_err());
    assert_eq!(tables.load("t").await.unwrap().unwrap().game_box(), session.game_box());
    assert_eq!(tables.updates("t", 3).await.unwrap().len(), 3);
}

#[tokio::test]
async fn the_first_state_and_the_last_two_are_kept() {
    let tables = tables().await;
    let mut session = created(&tables).await;
    for x in 0..5 {
        let entry = play(&mut session, x);
        tables.append("t", &[entry]).await.unwrap();
        tables.save("t", &session.snapshot()).await.unwrap();
    }
    for collection in ["shots", "parts"] {
        let kept = tables.list("t", collection, None, Direction::Ascending, PAGE).await.unwrap();
        let kept: Vec<_> = kept.iter().map(|shot| shot.path.id()[..12].to_owned()).collect();
        assert_eq!(kept, [number(0), number(4), number(5)], "{collection}");
    }
    assert!(same(&tables.load("t").await.unwrap().unwrap(), &session));
}

#[tokio::test]
async fn of_two_sessions_of_a_table_one_is_refused() {
    let tables = tables().await;
    let mut one = created(&tables).await;
    let mut other = tables.load("t").await.unwrap().unwrap();
    tables.append("t", &[play(&mut one, 1)]).await.unwrap();
    let late = tables.append("t", &[play(&mut other, 2), play(&mut other, 3)]).await;
    assert!(matches!(late, Err(Unwritten::Moved)));
    assert!(same(&tables.load("t").await.unwrap().unwrap(), &one));
}

#[tokio::test]
async fn a_table_is_made_once() {
    let tables = tables().await;
    let mut session = created(&tables).await;
    tables.append("t", &[play(&mut session, 1)]).await.unwrap();
    let game_box = Arc::clone(session.game_box());
    let again = tables.create("t", table(), game_box, [9; 32], Timestamp(0)).await;
    assert!(matches!(again, Err(Unwritten::Moved)));
    assert!(same(&tables.load("t").await.unwrap().unwrap(), &session));
}

#[tokio::test]
async fn of_large_entries_as_many_are_loaded_as_a_session_keeps() {
    let tables = tables().await;
    let mut session = created(&tables).await;
    let say = json!({"do": "say", "times": {"fixed": 20}, "text": "x".repeat(500)});
    let edit = json!({"button": {"name": "Say", "button": {"steps": vec![say; 60]}}});
    let acts = [json!({"verb": "edit", "edit": edit}), json!({"verb": "run", "button": "Say"})];
    let [edit, run] = acts.map(|act| serde_json::from_value::<Act<PieceNo>>(act).unwrap());
    let mut bytes = 0;
    for at in 0..3 * KEPT_BYTES as u64 / (600 * 1_000) {
        let act = if at == 0 { &edit } else { &run };
        let entry = session.act(SeatNo(0), act, at).unwrap().clone();
        bytes += serde_json::to_vec(&entry).unwrap().len();
        tables.append("t", &[entry]).await.unwrap();
    }
    assert!(bytes > 2 * KEPT_BYTES);
    let loaded = tables.load("t").await.unwrap().unwrap();
    assert!(same(&loaded, &session) && loaded.log().len() < 20);
    tables.save("t", &session.snapshot()).await.unwrap();
    let loaded = tables.load("t").await.unwrap().unwrap();
    assert!(same(&loaded, &session) && loaded.written() == bytes as u64);
}

#[tokio::test]
async fn a_missing_chunk_is_found() {
    let tables = tables().await;
    let mut session = created(&tables).await;
    let entries: Vec<_> = (0..3).map(|x| play(&mut session, x)).collect();
    tables.append("t", &entries[..1]).await.unwrap();
    tables.append("t", &entries[2..]).await.unwrap();
    assert_eq!(tables.load("t").await.err().unwrap().code(), Code::DataLoss);
}
