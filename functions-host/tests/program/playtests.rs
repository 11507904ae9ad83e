//! Playtest tables over the network: who opens them, who comes, and who learns nothing.

use std::sync::Arc;

use docstore::clock::SystemClock;
use docstore::model::{DatabaseId, Query, Source};
use docstore::{EngineOptions, Limits, Store, StoreOptions};
use futures::{SinkExt as _, StreamExt as _};
use reqwest::Client;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::copies::fields as stored;
use crate::server::{Place, Server};
use crate::table::client::{COMMON, Player, call, cards, connect, emulator, open_table, put_project, token};

/// An emulator with the product's rules.
async fn with_rules(place: &Place) -> Server {
    std::fs::write(place.join("firestore.rules"), include_str!("../../../firestore.rules")).unwrap();
    place.serve(&["--in-memory", "--mode", "emulator"]).await
}

const CONFIG: &str = r#"{"firestore": {"rules": "firestore.rules"}}"#;

const MEMBERS: [(&str, &str); 3] = [("bob", "playtester"), ("eda", "editor"), ("vic", "viewer")];

#[tokio::test]
async fn owners_and_editors_open_tables_on_a_box() {
    let server = Place::new(None).serve(&["--in-memory", "--mode", "emulator"]).await;
    put_project(&server, &MEMBERS).await;
    let open = |uid: &str, change: &dyn Fn(&mut Value)| {
        let mut data =
            json!({"projectId": "d", "name": "Friday", "box": cards(3), "seats": [{"name": "Red"}]});
        change(&mut data);
        let token = token(uid);
        let server = &server;
        async move { call(server, &token, "openTable", data).await }
    };
    let as_it_is = |_: &mut Value| {};
    for uid in ["ann", "eda"] {
        assert!(open(uid, &as_it_is).await.is_ok(), "{uid}");
    }
    for (uid, status) in [("bob", "PERMISSION_DENIED"), ("vic", "PERMISSION_DENIED"), ("eve", "NOT_FOUND")] {
        assert_eq!(open(uid, &as_it_is).await, Err(status.to_owned()), "{uid}");
    }
    let bad: [&dyn Fn(&mut Value); 7] = [
        &|data| data["seats"] = json!([]),
        &|data| data["seats"] = json!(vec![json!({"name": "x"}); 13]),
        &|data| data["name"] = json!(" \n"),
        &|data| data["box"]["definitions"][0]["back"] = json!(7),
        &|data| data["box"] = json!({"backs": 5}),
        &|data| data["more"] = json!(1),
        &|data| data["box"]["sets"] = json!([{"name": "x".repeat(501), "members": []}]),
    ];
    for change in bad {
        assert_eq!(open("ann", change).await, Err("INVALID_ARGUMENT".to_owned()));
    }
    for _ in 2..20 {
        open("eda", &as_it_is).await.unwrap();
    }
    assert_eq!(open("ann", &as_it_is).await, Err("RESOURCE_EXHAUSTED".to_owned()), "all count for the owner");
}

#[tokio::test]
async fn a_table_of_a_version_says_which_and_keeps_its_cards() {
    let place = Place::new(Some(CONFIG));
    let server = with_rules(&place).await;
    put_project(&server, &MEMBERS).await;
    let ann = token("ann");
    let frozen =
        call(&server, &ann, "freezeVersion", json!({"projectId": "d", "name": "v0.7"})).await.unwrap();
    let mut data = json!({
        "projectId": "d", "name": "Friday", "box": cards(3), "seats": [{"name": "Red"}], "follow": "live",
        "version": frozen["version"],
    });
    let table = call(&server, &ann, "openTable", data.clone()).await.unwrap()["table"].clone();
    let fields = stored(&server, &format!("playtests/{}", table.as_str().unwrap())).await;
    assert_eq!(fields["version"]["stringValue"], frozen["version"]);
    assert_eq!(fields["versionName"]["stringValue"], "v0.7");
    assert_eq!(fields["versionNumber"]["integerValue"], "1");
    for missing in ["other", "../d"] {
        data["version"] = json!(missing);
        assert!(call(&server, &ann, "openTable", data.clone()).await.is_err());
    }
}

#[tokio::test]
async fn hands_are_seen_by_their_seat_alone_on_every_wire() {
    let place = Place::new(Some(CONFIG));
    let server = with_rules(&place).await;
    put_project(&server, &MEMBERS).await;
    let table = open_table(&server, 20, 3).await;
    let mut ann = Player::come(&server, &table, "ann", None).await;
    let mut bob = Player::come(&server, &table, "bob", None).await;
    let mut vic = Player::come(&server, &table, "vic", None).await;
    for player in [&mut ann, &mut bob, &mut vic] {
        player.until("state").await;
    }
    assert_eq!((ann.seat, bob.seat), (Some(0), None));
    bob.does(json!({"verb": "claim", "as": 1, "name": "Bob"})).await;
    bob.until("state").await;
    ann.set_up().await;
    // Before anybody sits on the second seat, or after: it has a hand.
    assert_eq!(ann.pieces.values().filter(|shown| shown["name"] == "Hand").count(), 3);
    while bob.n < ann.n {
        bob.read().await.unwrap();
    }
    let deck = bob.named("Deck").unwrap();
    bob.does(json!({"verb": "draw", "into": deck, "count": 3})).await;
    assert_eq!(bob.faces.len(), 3);
    let get = async |path: &str, uid: &str| {
        let url = server.at(&format!("/v1/projects/demo/databases/{path}"));
        let answer = Client::new().get(url).bearer_auth(token(uid)).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    for uid in ["ann", "vic"] {
        let view = call(&server, &token(uid), "tableView", json!({"table": table})).await.unwrap();
        assert_eq!(view["messages"][0]["state"]["common"], COMMON);
        assert!(!view.to_string().contains("Marker"), "{uid}: {view}");
        let (_, public) = get(&format!("(default)/documents/playtests/{table}"), uid).await;
        assert!(!public.contains("Marker"));
    }
    while ann.n < bob.n || vic.n < bob.n {
        if ann.n < bob.n {
            ann.read().await.unwrap();
        } else {
            vic.read().await.unwrap();
        }
    }
    assert!(ann.faces.is_empty() && vic.faces.is_empty(), "{} {}", ann.bytes, vic.bytes);
    let eve = call(&server, &token("eve"), "tableView", json!({"table": table})).await;
    assert_eq!(eve, Err("NOT_FOUND".to_owned()));
    // Neither is the log there for anybody, whatever they call it.
    for path in [
        format!("__tables__/documents/tables/{table}"),
        format!("__tables__/documents/tables/{table}/log"),
        format!("(default)/documents/tables/{table}"),
    ] {
        for uid in ["ann", "bob", "eve"] {
            let (status, text) = get(&path, uid).await;
            assert!(matches!(status, 400 | 403) && !text.contains("Marker"), "{path} {uid}: {status} {text}");
        }
        let (status, text) = get(&path, "").await;
        assert!(status != 200, "{path}: {text}");
    }
}

#[tokio::test]
async fn members_of_any_role_list_the_tables_of_their_project() {
    let place = Place::new(Some(CONFIG));
    let server = with_rules(&place).await;
    put_project(&server, &MEMBERS).await;
    let table = open_table(&server, 3, 2).await;
    let list = async |uid: &str, field: &str, value: &str| {
        let filter = json!({"fieldFilter": {"field": {"fieldPath": field}, "op": "EQUAL", "value": {"stringValue": value}}});
        let query = json!({"structuredQuery": {"from": [{"collectionId": "playtests"}], "where": filter}});
        let url = server.at("/v1/projects/demo/databases/(default)/documents:runQuery");
        let answer = Client::new().post(url).bearer_auth(token(uid)).json(&query).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    for uid in ["ann", "eda", "bob", "vic"] {
        let (status, text) = list(uid, "projectId", "d").await;
        assert!(status == 200 && text.contains(&table), "{uid}: {status} {text}");
    }
    assert_eq!(list("eve", "projectId", "d").await.0, 403);
    assert_eq!(list("bob", "ownerId", "ann").await.0, 403, "the owner may have other projects");
}

#[tokio::test]
async fn nobody_writes_what_the_server_says_of_tables() {
    let place = Place::new(Some(CONFIG));
    let server = with_rules(&place).await;
    put_project(&server, &MEMBERS).await;
    let table = open_table(&server, 3, 2).await;
    let name = |database: &str, path: &str| format!("projects/demo/databases/{database}/documents/{path}");
    for uid in ["ann", "bob", "eve"] {
        for (database, path) in [
            ("(default)", format!("playtests/{table}")),
            ("(default)", "playtests/new".to_owned()),
            ("(default)", format!("playtests/{table}/feedback/f")),
            ("(default)", format!("playtests/{table}/log/1")),
            ("__tables__", format!("tables/{table}")),
            ("__tables__", format!("tables/{table}/log/000000000001")),
        ] {
            let fields = json!({"ownerId": {"stringValue": uid}, "authorId": {"stringValue": uid}, "text": {"stringValue": "x"}});
            let update = json!({"update": {"name": name(database, &path), "fields": fields}});
            for write in [update, json!({"delete": name(database, &path)})] {
                let url = server.at(&format!("/v1/projects/demo/databases/{database}/documents:commit"));
                let body = json!({ "writes": [write] });
                let answer =
                    Client::new().post(url).bearer_auth(token(uid)).json(&body).send().await.unwrap();
                let status = answer.status().as_u16();
                assert!(matches!(status, 400 | 403), "{uid} {database} {path}: {status}");
            }
        }
    }
    // The browser's stream says the same.
    let database = "projects/demo/databases/__tables__";
    let target = json!({"database": database, "addTarget": {"targetId": 2, "documents": {
        "documents": [format!("{database}/documents/tables/{table}")]}}});
    let url = server.at(&format!(
        "/google.firestore.v1.Firestore/Listen/channel?database={database}&VER=8&RID=1&CVER=22&X-HTTP-Session-Id=gsessionid&t=1"
    ));
    let form = [("count", "1"), ("ofs", "0"), ("req0___data__", &target.to_string())];
    let answer = Client::new().post(url).form(&form).send().await.unwrap();
    let text = answer.text().await.unwrap();
    assert!(!text.contains("documentChange"), "{text}");
    call(&server, &token("ann"), "tableView", json!({"table": table})).await.unwrap();
}

/// The reason that a socket's end gives.
async fn farewell(server: &Server, table: &str, first: &str) -> Value {
    let mut socket = connect(server, table, &[]).await.unwrap();
    socket.send(Message::text(first)).await.unwrap();
    let message = socket.next().await.unwrap().unwrap();
    let message: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
    assert!(message.get("state").is_none(), "{message}");
    message["bye"].clone()
}

#[tokio::test]
async fn a_strangers_socket_is_told_nothing() {
    let server = Place::new(None).serve(&["--in-memory", "--mode", "emulator"]).await;
    put_project(&server, &MEMBERS).await;
    let table = open_table(&server, 3, 2).await;
    let hello = |uid: &str| json!({"hello": 2, "token": token(uid)}).to_string();
    let stranger = farewell(&server, &table, &hello("eve")).await;
    assert_eq!(stranger, json!({"why": "not-found", "again": false}));
    assert_eq!(farewell(&server, "unheard", &hello("ann")).await, stranger, "one answer for both");
    for (first, why) in [
        (json!({"hello": 2, "token": "x"}).to_string(), "signed-out"),
        (json!({"hello": 2, "token": "owner"}).to_string(), "signed-out"),
        (json!({"hello": 1, "token": token("ann")}).to_string(), "hello"),
        (json!({"act": {"verb": "roll"}}).to_string(), "hello"),
        ("{".to_owned(), "hello"),
    ] {
        assert_eq!(farewell(&server, &table, &first).await["why"], why, "{first}");
    }
    for origin in ["https://evil.example", "null", "file://"] {
        let refused = connect(&server, &table, &[("origin", origin)]).await.unwrap_err();
        assert!(matches!(&refused, Error::Http(answer) if answer.status() == 403), "{origin}: {refused:?}");
    }
    connect(&server, &table, &[("origin", &server.url)]).await.unwrap();
}

#[tokio::test]
async fn a_removed_member_is_cut_off_and_stays_out() {
    let place = Place::new(Some(CONFIG));
    let server = with_rules(&place).await;
    put_project(&server, &MEMBERS).await;
    let table = open_table(&server, 3, 2).await;
    let mut bob = Player::come(&server, &table, "bob", None).await;
    bob.until("state").await;
    bob.does(json!({"verb": "claim", "as": 1, "name": "Bob"})).await;
    let public = server.at(&format!("/v1/projects/demo/databases/(default)/documents/playtests/{table}"));
    let reads = async || {
        let asked = Client::new().get(&public).bearer_auth(token("bob"));
        asked.send().await.unwrap().status().as_u16()
    };
    assert_eq!(reads().await, 200);
    put_project(&server, &[]).await;
    assert_eq!(bob.until("bye").await["why"], "not-found");
    assert!(bob.read().await.is_none());
    // A call is answered after the public document has been brought up to date.
    call(&server, &token("ann"), "tableView", json!({"table": table})).await.unwrap();
    assert_eq!(reads().await, 403);
    let again = json!({"hello": 2, "token": token("bob"), "seat": 1, "have": bob.have()}).to_string();
    assert_eq!(farewell(&server, &table, &again).await["why"], "not-found");
    let act = json!({"table": table, "act": {"verb": "roll"}});
    assert_eq!(call(&server, &token("bob"), "actAtTable", act).await, Err("NOT_FOUND".to_owned()));
}

#[tokio::test]
async fn whatever_a_client_sends_is_answered_or_ends_its_socket_alone() {
    let server = Place::new(None).serve(&["--in-memory", "--mode", "emulator"]).await;
    put_project(&server, &MEMBERS).await;
    let table = open_table(&server, 3, 2).await;
    let mut ann = Player::come(&server, &table, "ann", None).await;
    ann.until("state").await;
    for bad in ["[1", "{\"act\":{\"c\":1,\"verb\":\"fly\"}}", "{\"at\":\"x\"}", "\u{0}"] {
        let mut bob = Player::come(&server, &table, "bob", None).await;
        bob.until("state").await;
        bob.send_text(bad).await;
        assert_eq!(bob.until("bye").await, json!({"why": "malformed", "again": false}), "{bad}");
    }
    let mut bob = Player::come(&server, &table, "bob", None).await;
    bob.until("state").await;
    bob.send_text(&"x".repeat(17 * 1024)).await;
    while bob.read().await.is_some() {}
    assert_eq!(ann.asks(json!({"verb": "pass"})).await["n"], 1);
    for _ in 0..200 {
        ann.send(&json!({"act": {"c": 7, "verb": "pass"}})).await;
    }
    let refused = ann.until("no").await;
    assert_eq!(refused, 7, "more than forty acts a second are refused");
}

#[tokio::test]
async fn a_server_that_stops_says_goodbye_and_counts_its_sockets() {
    let server = Place::new(None).serve(&["--in-memory", "--mode", "emulator"]).await;
    put_project(&server, &MEMBERS).await;
    let table = open_table(&server, 3, 2).await;
    let mut ann = Player::come(&server, &table, "ann", None).await;
    ann.until("state").await;
    ann.does(json!({"verb": "pass"})).await;
    let metrics = reqwest::get(server.at("/metrics")).await.unwrap().text().await.unwrap();
    for line in [
        "tuckbox_table_actions_total{outcome=\"done\"} 1",
        "tuckbox_table_append_seconds_count 1",
        "tuckbox_table_view_mismatch_total 0",
        "tuckbox_table_sockets 1",
        "tuckbox_tables_awake 1",
    ] {
        assert!(metrics.contains(line), "{line}\n{metrics}");
    }
    server.signal("-TERM").await;
    assert_eq!(ann.until("bye").await, json!({"why": "restart", "again": true}));
    assert_eq!(server.ended().await.code, Some(0));
}

#[tokio::test]
async fn a_table_is_deleted_with_its_log_and_its_sockets_end() {
    let place = Place::new(None);
    let server = emulator(&place).await;
    put_project(&server, &MEMBERS).await;
    let table = open_table(&server, 3, 2).await;
    let mut ann = Player::come(&server, &table, "ann", None).await;
    ann.until("state").await;
    let delete = |uid: &str| {
        let (token, data) = (token(uid), json!({ "table": table }));
        let server = &server;
        async move { call(server, &token, "deleteTable", data).await }
    };
    assert_eq!(delete("bob").await, Err("PERMISSION_DENIED".to_owned()));
    assert_eq!(delete("eve").await, Err("NOT_FOUND".to_owned()));
    assert_eq!(delete("eda").await, Ok(json!({"deleted": 1})));
    assert_eq!(ann.until("bye").await["why"], "not-found");
    assert_eq!(delete("ann").await, Err("NOT_FOUND".to_owned()));
    // With its project goes a table too.
    let table = open_table(&server, 3, 2).await;
    let mut bob = Player::come(&server, &table, "bob", None).await;
    bob.until("state").await;
    let gone = call(&server, &token("ann"), "deleteDeck", json!({"deckId": "d"})).await;
    assert_eq!(gone, Ok(json!({"deleted": 2})));
    assert_eq!(bob.until("bye").await["why"], "not-found");
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));
    let engine = EngineOptions::disk(place.join(".tuckbox").join("documents"));
    let options = StoreOptions { engine, clock: Arc::new(SystemClock), limits: Limits::default() };
    let store = Store::open(options).await.unwrap();
    let logs = store.database(&DatabaseId::new("demo", "__tables__"));
    let all = Query::all(None, Source { collection: None, all_descendants: true });
    assert!(logs.run(&all, None).await.unwrap().documents.is_empty(), "nothing is left of any log");
}

#[tokio::test]
async fn where_sockets_are_blocked_a_stream_carries_the_same_messages() {
    let server = Place::new(None).serve(&["--in-memory", "--mode", "emulator"]).await;
    put_project(&server, &MEMBERS).await;
    let table = open_table(&server, 3, 2).await;
    let watch = |uid: &str| {
        let request = Client::new().post(server.at("/us-central1-demo/watchTable")).bearer_auth(token(uid));
        request.header("accept", "text/event-stream").json(&json!({"data": {"table": table}})).send()
    };
    let eve = watch("eve").await.unwrap().text().await.unwrap();
    assert!(eve.contains("NOT_FOUND"), "{eve}");
    let plain = call(&server, &token("bob"), "watchTable", json!({"table": table})).await;
    assert_eq!(plain, Err("INVALID_ARGUMENT".to_owned()));
    let mut stream = watch("bob").await.unwrap();
    let mut text = String::new();
    let mut until = async |wanted: &str| {
        while !text.contains(wanted) {
            let chunk = stream.chunk().await.unwrap().unwrap();
            text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
        text.clone()
    };
    until("\"state\"").await;
    let act = json!({"table": table, "act": {"verb": "pass", "c": 1}});
    let acted = call(&server, &token("ann"), "actAtTable", act).await.unwrap();
    assert_eq!(acted["messages"].as_array().unwrap().last().unwrap()["ack"], 1, "{acted}");
    until("\"verb\":\"pass\"").await;
    // By another call, Bob sits down; the stream goes on from his seat.
    let claim = json!({"table": table, "act": {"verb": "claim", "as": 1, "name": "Bob"}});
    call(&server, &token("bob"), "actAtTable", claim).await.unwrap();
    until("\"seat\":1").await;
    put_project(&server, &[]).await;
    until("\"bye\"").await;
    until("\"result\"").await;
}
