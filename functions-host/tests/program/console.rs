//! What the console is told, and who else is not.

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::server::{Place, Server};

/// A stream of server-sent events, read one by one.
struct Events {
    response: reqwest::Response,
    read: String,
}

impl Events {
    async fn open(client: &Client, url: &str) -> Self {
        let response = client.get(url).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, read: String::new() }
    }

    /// The next event's id, name and data.
    async fn next(&mut self) -> (String, String, Value) {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let line = |name: &str| {
                    let found = event.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
                    found.map(str::to_owned)
                };
                let parsed = line("data").map(|data| {
                    (line("id").unwrap(), line("event").unwrap(), serde_json::from_str(&data).unwrap())
                });
                self.read = rest.to_owned();
                if let Some(parsed) = parsed {
                    return parsed;
                }
                continue;
            }
            let chunk = self.response.chunk().await.unwrap().unwrap();
            self.read.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The first event that fits.
    async fn find(&mut self, name: &str, fits: impl Fn(&Value) -> bool) -> (String, Value) {
        loop {
            let (id, event, data) = self.next().await;
            if event == name && fits(&data) {
                return (id, data);
            }
        }
    }
}

const RULES: &str = "rules_version = '2';
service cloud.firestore {
  match /databases/{db}/documents {
    match /notes/{id} {
      allow read: if resource.data.owner == request.auth.uid;
    }
  }
}";

async fn emulator() -> (Place, Server) {
    let place = Place::new(Some(r#"{ "firestore": { "rules": "firestore.rules" } }"#));
    std::fs::write(place.join("firestore.rules"), RULES).unwrap();
    let server = place.serve(&["--mode", "emulator", "--in-memory"]).await;
    (place, server)
}

#[tokio::test]
async fn requests_and_denials_are_told_as_they_happen() {
    let (_place, server) = emulator().await;
    let client = Client::new();
    let url = server.at("/emulator/v1/projects/demo/requests");
    let documents = |rest: &str| server.at(&format!("/v1/projects/demo/databases/(default)/documents{rest}"));
    client.get(documents("/notes/a")).send().await.unwrap();
    let mut events = Events::open(&client, &url).await;
    let (_, denial) = events.find("denial", |_| true).await;
    assert_eq!(denial["trace"]["path"], "/databases/(default)/documents/notes/a");
    assert_eq!(denial["trace"]["statements"][0]["line"], 5);
    assert_eq!(denial["uid"], Value::Null);
    let (id, request) = events.find("request", |_| true).await;
    assert_eq!((&request["status"], &request["method"]), (&json!(403), &json!("GET")));
    assert!(request["path"].as_str().unwrap().ends_with("/notes/a"), "{request}");
    assert!(request["micros"].as_u64().unwrap() > 0);
    let (_, end) = events.find("end", |_| true).await;
    assert_eq!(end["request"].to_string(), id.split_once('.').unwrap().1);
    assert!(end["reason"].as_str().unwrap().contains("PERMISSION_DENIED"), "{end}");
    // Its own requests are not the work that is watched; a reader that comes back goes on where it was.
    client.get(documents("/notes/b")).header("x-tuckbox-console", "1").send().await.unwrap();
    client.get(documents("/notes/c")).bearer_auth("owner").send().await.unwrap();
    let (last, request) = events.find("request", |_| true).await;
    assert!(request["path"].as_str().unwrap().ends_with("/notes/c"), "{request}");
    assert_eq!(request["caller"], "owner");
    let again = client.get(&url).header("last-event-id", &last).send().await.unwrap();
    let mut again = Events { response: again, read: String::new() };
    assert_ne!(again.next().await.0, id);
}

#[tokio::test]
async fn rules_are_tried_without_being_put_in_force() {
    let (_place, server) = emulator().await;
    let client = Client::new();
    let attempt = |body: Value| {
        let request = client.post(server.at("/emulator/v1/projects/demo/rules/try")).json(&body);
        async move { request.send().await.unwrap().json::<Value>().await.unwrap() }
    };
    let note = json!({ "owner": { "stringValue": "ann" } });
    let asked = json!({ "method": "get", "path": "notes/a", "existing": note, "auth": { "uid": "ann" } });
    let answer = attempt(asked.clone()).await;
    assert_eq!(answer["allowed"], true, "{answer}");
    let mut other = asked.clone();
    other["auth"]["uid"] = "ben".into();
    let answer = attempt(other).await;
    assert_eq!(answer["allowed"], false);
    let causes = answer["trace"]["statements"][0]["causes"].to_string();
    assert!(causes.contains("ann") && causes.contains("ben"), "{causes}");
    assert_eq!(answer["report"][0]["values"][0]["value"], json!({ "boolValue": false }));
    let list = json!({ "method": "list", "path": "notes", "auth": { "uid": "ann" } });
    assert_eq!(attempt(list.clone()).await["allowed"], false);
    let mut narrow = list;
    narrow["query"] = json!({ "where": { "fieldFilter": {
        "field": { "fieldPath": "owner" }, "op": "EQUAL", "value": { "stringValue": "ann" },
    } } });
    assert_eq!(attempt(narrow).await["allowed"], true);
    let mut open = asked.clone();
    open["rules"] = RULES.replace("resource.data.owner == request.auth.uid", "true").into();
    open["auth"] = Value::Null;
    assert_eq!(attempt(open).await["allowed"], true);
    let mut broken = asked;
    broken["rules"] = "service cloud.firestore {".into();
    assert_eq!(attempt(broken).await["issues"][0]["line"], 1);
    let wrong = attempt(json!({ "method": "look", "path": "notes/a" })).await;
    assert!(wrong["error"]["message"].as_str().unwrap().contains("use get, list, create"), "{wrong}");
    let text = client.get(server.at("/emulator/v1/projects/demo/rules")).send().await.unwrap();
    assert_eq!(text.json::<Value>().await.unwrap()["rules"], RULES);
}

#[tokio::test]
async fn nobody_else_is_told() {
    let (_place, server) = emulator().await;
    let client = Client::new();
    let url = server.at("/emulator/v1/projects/demo/requests");
    let passed_on = client.get(&url).header("x-forwarded-for", "10.1.1.1").send().await.unwrap();
    assert_eq!(passed_on.status(), StatusCode::NOT_FOUND);
    let other = client.get(server.at("/emulator/v1/projects/other/requests")).send().await.unwrap();
    assert_eq!(other.status(), StatusCode::NOT_FOUND);
    let place = Place::new(None);
    let serving = place.serve(&[]).await;
    for path in ["requests", "logs", "functions", "databases", "rules"] {
        let answer =
            client.get(serving.at(&format!("/emulator/v1/projects/demo/{path}"))).send().await.unwrap();
        assert_ne!(
            answer.headers().get("content-type").map(|t| t.as_bytes()),
            Some(&b"text/event-stream"[..])
        );
        assert!(!answer.status().is_success() || !answer.text().await.unwrap().starts_with('{'), "{path}");
    }
}

#[tokio::test]
async fn the_console_has_its_own_port_beside_a_site() {
    let config = json!({
        "hosting": { "public": "public" }, "emulators": { "hub": { "port": 0 }, "ui": { "port": 0 } },
    });
    let place = Place::new(Some(&config.to_string()));
    std::fs::create_dir(place.join("public")).unwrap();
    std::fs::write(place.join("public/index.html"), "a site").unwrap();
    let temporary = place.path().to_str().unwrap().to_owned();
    let server = place.serve_with(&["--mode", "emulator", "--in-memory"], &[("TMPDIR", &temporary)]).await;
    let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let list = client.get(server.at("/emulators")).send().await.unwrap().json::<Value>().await.unwrap();
    let console = |path: &str| client.get(format!("http://127.0.0.1:{}{path}", list["ui"]["port"])).send();
    let home = console("/").await.unwrap();
    assert_eq!((home.status().as_u16(), &home.headers()["location"]), (302, &"/console/".parse().unwrap()));
    let page = console("/console/documents/a").await.unwrap();
    assert!(page.headers().contains_key("content-security-policy") || page.status() == 503);
    assert!(!console("/index.html").await.unwrap().text().await.unwrap().contains("a site"));
    assert_eq!(client.get(server.at("/")).send().await.unwrap().text().await.unwrap(), "a site");
    assert_eq!(client.get(server.at("/console/")).send().await.unwrap().status(), 404);
}
