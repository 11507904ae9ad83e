//! Replays by a public link: who publishes one, what it shows, and when it shows nothing. Tables that go on from a moment
//! of another one.

use reqwest::Client as Http;
use serde_json::{Value, json};

use crate::server::{Place, Server};
use crate::table::client::{Player, call, emulator, marker, open_table, put_project, token};

const CARDS: usize = 12;
const MEMBERS: [(&str, &str); 3] = [("bob", "playtester"), ("eda", "editor"), ("vic", "viewer")];

/// Reads a replay without an account. Returns its text, or the error's status.
async fn read(server: &Server, link: &str) -> Result<String, String> {
    let (mut text, mut part) = (String::new(), 0);
    loop {
        let found = read_part(server, json!({"link": link, "part": part})).await?;
        text += found["text"].as_str().unwrap();
        part += 1;
        if found["parts"] == part {
            return Ok(text);
        }
    }
}

async fn read_part(server: &Server, data: Value) -> Result<Value, String> {
    let request = Http::new().post(server.at("/us-central1-demo/readReplay")).json(&json!({"data": data}));
    let mut body: Value = request.send().await.unwrap().json().await.unwrap();
    match body.get("error") {
        Some(error) => Err(error["status"].as_str().unwrap().to_owned()),
        None => Ok(body["result"].take()),
    }
}

async fn publish(server: &Server, uid: &str, table: &str, hands: bool) -> Result<String, String> {
    let data = json!({"table": table, "hands": hands});
    let published = call(server, &token(uid), "publishReplay", data).await?;
    Ok(published["link"].as_str().unwrap().to_owned())
}

/// A game in which Bob draws three cards and plays one of them.
async fn game(server: &Server) -> (Player, Player, String) {
    put_project(server, &MEMBERS).await;
    let table = open_table(server, CARDS, 2).await;
    let mut ann = Player::come(server, &table, "ann", None).await;
    let mut bob = Player::come(server, &table, "bob", None).await;
    ann.until("state").await;
    bob.until("state").await;
    bob.does(json!({"verb": "claim", "as": 1, "name": "Robert"})).await;
    bob.until("state").await;
    ann.set_up().await;
    while bob.n < ann.n {
        bob.read().await.unwrap();
    }
    let deck = bob.named("Deck").unwrap();
    bob.does(json!({"verb": "draw", "into": deck, "count": 3})).await;
    let held =
        bob.pieces.iter().find(|(_, shown)| shown.get("face").is_some() && shown.get("holder").is_some());
    let held = held.unwrap().0.clone();
    let to = json!({"surface": 0, "x": 0, "y": 0});
    bob.does(json!({"verb": "move", "pieces": [held], "to": to, "face": "up"})).await;
    while ann.n < bob.n {
        ann.read().await.unwrap();
    }
    (ann, bob, table)
}

fn markers(text: &str) -> usize {
    (0..CARDS).filter(|card| text.contains(&marker(*card))).count()
}

#[tokio::test]
async fn a_replay_shows_what_it_may_and_nothing_before_the_end() {
    let place = Place::new(None);
    let server = emulator(&place).await;
    let (mut ann, bob, table) = game(&server).await;
    for hands in [false, true] {
        let early = publish(&server, "ann", &table, hands).await;
        assert_eq!(early, Err("FAILED_PRECONDITION".to_owned()), "hidden things stay hidden");
    }
    ann.does(json!({"verb": "end", "winners": [1]})).await;
    let seed = ann.until("fair").await["seed"].as_str().unwrap().to_owned();
    for (uid, status) in [("bob", "PERMISSION_DENIED"), ("vic", "PERMISSION_DENIED"), ("eve", "NOT_FOUND")] {
        assert_eq!(publish(&server, uid, &table, false).await, Err(status.to_owned()), "{uid}");
    }
    let link = publish(&server, "eda", &table, false).await.unwrap();
    let text = read(&server, &link).await.unwrap();
    assert_eq!(markers(&text), 1, "the card that was played, and none of a hand or the deck");
    assert!(!text.contains(&seed) && !text.contains("Robert") && !text.contains("\"bob\""));
    let replay: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(replay["tracks"].as_array().unwrap().len(), 1);
    assert_eq!(replay["times"].as_array().unwrap().len() as u64, ann.n);
    assert_eq!(replay["tracks"][0]["patches"].as_array().unwrap().len() as u64, ann.n);
    assert_eq!(replay["fair"], Value::Null);
    // With open hands it shows what each seat saw, at the same link. Whoever read the first part of what was there
    // before learns that the others are of another text.
    let before = read_part(&server, json!({"link": link})).await.unwrap()["version"].clone();
    let again = json!({"link": link, "part": 0, "version": before});
    assert!(read_part(&server, again.clone()).await.is_ok());
    assert_eq!(publish(&server, "ann", &table, true).await, Ok(link.clone()));
    assert_eq!(read_part(&server, again).await, Err("ABORTED".to_owned()));
    let text = read(&server, &link).await.unwrap();
    let open: Value = serde_json::from_str(&text).unwrap();
    let seats: Vec<_> =
        open["tracks"].as_array().unwrap().iter().map(|track| track["seat"].as_u64()).collect();
    assert_eq!(seats, [None, Some(0), Some(1)]);
    assert_eq!(markers(&open["tracks"][2].to_string()), bob.faces.len());
    assert_eq!(markers(&open["tracks"][0].to_string()), 1);
    assert_eq!(open["fair"]["seed"], seed.as_str());
    let decided = open["fair"]["decided"].as_array().unwrap();
    assert!(
        decided
            .iter()
            .any(|entry| entry["piles"][0]["after"].as_array().is_some_and(|pile| pile.len() == CARDS))
    );
}

#[tokio::test]
async fn a_replay_is_closed_with_its_link_its_table_and_by_the_admin() {
    let place = Place::new(None);
    let server = emulator(&place).await;
    let (mut ann, _bob, table) = game(&server).await;
    ann.does(json!({"verb": "end"})).await;
    let gone = Err("NOT_FOUND".to_owned());
    let link = publish(&server, "ann", &table, true).await.unwrap();
    let document = |path: &str| server.at(&format!("/v1/projects/demo/databases/(default)/documents/{path}"));
    let owner = Http::new();
    let flag = json!({"fields": {"flags": {"mapValue": {"fields": {"sharing": {"booleanValue": false}}}}}});
    let switch = owner.patch(document("site/state")).bearer_auth("owner").json(&flag);
    assert!(switch.send().await.unwrap().status().is_success());
    assert_eq!(read(&server, &link).await, gone);
    assert_eq!(publish(&server, "ann", &table, true).await, Err("FAILED_PRECONDITION".to_owned()));
    owner.delete(document("site/state")).bearer_auth("owner").send().await.unwrap();
    assert!(read(&server, &link).await.is_ok());
    // A link that says so of another table, or that nobody made, leads nowhere.
    let forged = "F".repeat(32);
    let share = json!({"fields": {"kind": {"stringValue": "replay"}, "of": {"stringValue": table}}});
    let put = owner.patch(document(&format!("shares/{forged}"))).bearer_auth("owner").json(&share);
    assert!(put.send().await.unwrap().status().is_success());
    for link in [&forged, "", "a/b", "../x", &table] {
        assert_eq!(read(&server, link).await, gone, "{link}");
    }
    // Whoever deletes its document closes it.
    owner.delete(document(&format!("shares/{link}"))).bearer_auth("owner").send().await.unwrap();
    assert_eq!(read(&server, &link).await, gone);
    let link = publish(&server, "eda", &table, false).await.unwrap();
    assert!(read(&server, &link).await.is_ok());
    for (uid, status) in [("bob", "PERMISSION_DENIED"), ("eve", "NOT_FOUND")] {
        let closed = call(&server, &token(uid), "closeReplay", json!({"table": table})).await;
        assert_eq!(closed, Err(status.to_owned()), "{uid}");
    }
    let close = async || call(&server, &token("ann"), "closeReplay", json!({"table": table})).await;
    assert_eq!(close().await, Ok(json!({"closed": true})));
    assert_eq!(close().await, Ok(json!({"closed": false})));
    assert_eq!(read(&server, &link).await, gone);
    // Two who publish it at once are told the same link.
    let (one, other) = (publish(&server, "ann", &table, false), publish(&server, "eda", &table, false));
    let (link, other) = tokio::join!(one, other);
    assert_eq!(link, other);
    let link = link.unwrap();
    call(&server, &token("ann"), "deleteTable", json!({"table": table})).await.unwrap();
    assert_eq!(read(&server, &link).await, gone);
    let left = owner.get(document(&format!("shares/{link}"))).bearer_auth("owner").send().await.unwrap();
    assert_eq!(left.status().as_u16(), 404);
}

#[tokio::test]
async fn a_table_that_is_deleted_while_it_is_published_leaves_no_link() {
    let place = Place::new(None);
    let server = emulator(&place).await;
    put_project(&server, &MEMBERS).await;
    for _ in 0..6 {
        let table = open_table(&server, CARDS, 1).await;
        let mut ann = Player::come(&server, &table, "ann", None).await;
        ann.until("state").await;
        ann.does(json!({"verb": "end"})).await;
        ann.until("fair").await;
        let publishing = publish(&server, "eda", &table, true);
        let data = json!({"table": table});
        let owner = token("ann");
        let deleting = call(&server, &owner, "deleteTable", data);
        let (link, deleted) = tokio::join!(publishing, deleting);
        deleted.unwrap();
        if let Ok(link) = link {
            assert_eq!(read(&server, &link).await, Err("NOT_FOUND".to_owned()));
        }
        let shares = server.at("/v1/projects/demo/databases/(default)/documents/shares");
        let shares = Http::new().get(shares).bearer_auth("owner").send().await.unwrap();
        assert_eq!(shares.json::<Value>().await.unwrap(), json!({}));
    }
}

#[tokio::test]
async fn a_table_is_forked_when_nothing_hidden_would_show() {
    let place = Place::new(None);
    let server = emulator(&place).await;
    let (mut ann, bob, table) = game(&server).await;
    let fork = async |uid: &str, n: Option<u64>| {
        let data = json!({"table": table, "n": n});
        let forked = call(&server, &token(uid), "forkTable", data).await?;
        Ok::<_, String>(forked["table"].as_str().unwrap().to_owned())
    };
    let hidden = Err("FAILED_PRECONDITION".to_owned());
    assert_eq!(fork("ann", None).await, hidden, "Bob holds cards");
    let alone = open_table(&server, CARDS, 1).await;
    let early = call(&server, &token("ann"), "forkTable", json!({"table": alone})).await.map(drop);
    assert_eq!(early, Err("FAILED_PRECONDITION".to_owned()), "the order of the deck would be known");
    for (uid, status) in [("bob", "PERMISSION_DENIED"), ("vic", "PERMISSION_DENIED"), ("eve", "NOT_FOUND")] {
        assert_eq!(fork(uid, None).await, Err(status.to_owned()), "{uid}");
    }
    let held = bob.faces.clone();
    let drawn_at = bob.n - 1;
    ann.does(json!({"verb": "end"})).await;
    assert_eq!(fork("ann", Some(ann.n + 1)).await, Err("INVALID_ARGUMENT".to_owned()));
    let forked = fork("ann", Some(drawn_at)).await.unwrap();
    let mut solo = Player::come(&server, &forked, "ann", None).await;
    let state = solo.until("state").await;
    assert_eq!((solo.n, solo.seat), (drawn_at, Some(0)));
    assert!(solo.faces.is_empty(), "the hand of the other seat stays with it");
    let before = ann.until("fair").await["commitment"].clone();
    assert_ne!(state["commitment"], before, "the seed of the first table would show the future");
    solo.send(&json!({"look": 1})).await;
    while solo.seat != Some(1) {
        solo.read().await.unwrap();
    }
    assert_eq!(solo.faces.keys().collect::<Vec<_>>(), held.keys().collect::<Vec<_>>());
    let deck = solo.named("Deck").unwrap();
    solo.does(json!({"verb": "draw", "into": deck, "count": 1})).await;
    // It is a table like others: it ends and is replayed.
    solo.send(&json!({"look": 0})).await;
    while solo.seat != Some(0) {
        solo.read().await.unwrap();
    }
    solo.does(json!({"verb": "end"})).await;
    let again =
        call(&server, &token("ann"), "publishReplay", json!({"table": forked, "hands": true})).await.unwrap();
    let text = read(&server, again["link"].as_str().unwrap()).await.unwrap();
    let replay: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(replay["tracks"][0]["state"]["n"], drawn_at);
    assert_eq!(replay["tracks"][0]["patches"].as_array().unwrap().len(), 2);
    assert!(replay["fair"]["decided"].is_array());
    for uid in ["bob", "vic"] {
        let view = call(&server, &token(uid), "tableView", json!({"table": forked})).await.unwrap();
        assert_eq!(view["messages"][0]["state"]["seat"], Value::Null, "the others of the project watch");
    }
}
