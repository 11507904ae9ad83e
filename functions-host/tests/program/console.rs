//! The console's API, and its protection from other callers.

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

    /// The first matching event.
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
    // Its own requests are not logged; a reader that returns continues at its position.
    client.get(documents("/notes/b")).header("x-tuckbox-console", "1").send().await.unwrap();
    for file in ["/", "/console/", "/console/requests", "/projects", "/icon.svg"] {
        let answer = client.get(server.at(file)).header("accept", "text/html").send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{file}");
    }
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

const FILE_RULES: &str = "rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /covers/{uid}/{name} {
      allow read: if resource.contentType == 'image/png';
      allow write: if request.auth.uid == uid && request.resource.size < 100;
    }
  }
}";

#[tokio::test]
async fn rules_for_files_are_tried_told_of_and_replaced() {
    let place = Place::new(Some(r#"{ "storage": { "rules": "storage.rules" } }"#));
    std::fs::write(place.join("storage.rules"), FILE_RULES).unwrap();
    let server = place.serve(&["--mode", "emulator", "--in-memory"]).await;
    let client = Client::new();
    let rules = server.at("/emulator/v1/projects/demo/rules?service=storage");
    let attempt = |mut body: Value| {
        body["service"] = "storage".into();
        let request = client.post(server.at("/emulator/v1/projects/demo/rules/try")).json(&body);
        async move { request.send().await.unwrap().json::<Value>().await.unwrap() }
    };
    let upload = |uid: &str, size: u64| {
        let file = json!({ "size": size, "contentType": "image/png" });
        json!({ "method": "create", "path": "covers/ann/a.png", "auth": { "uid": uid }, "data": file })
    };
    assert_eq!(attempt(upload("ann", 99)).await["allowed"], true);
    let large = attempt(upload("ann", 100)).await;
    assert_eq!(large["allowed"], false);
    assert_eq!(large["trace"]["statements"][0]["line"], 6, "{large}");
    let causes = attempt(upload("ben", 1)).await["trace"]["statements"][0]["causes"].to_string();
    assert!(causes.contains("ben") && causes.contains("ann"), "{causes}");
    // The stored file is used unless another is given.
    let object = "/v0/b/demo.appspot.com/o?uploadType=media&name=covers%2Fann%2Fa.png";
    let stored = client.post(server.at(object)).bearer_auth("owner").header("content-type", "image/png");
    assert_eq!(stored.body("bytes").send().await.unwrap().status(), StatusCode::OK);
    let get = json!({ "method": "get", "path": "covers/ann/a.png" });
    assert_eq!(attempt(get.clone()).await["allowed"], true);
    let mut other = get.clone();
    other["existing"] = json!({ "contentType": "text/html" });
    let answer = attempt(other).await;
    assert!(answer["trace"].to_string().contains("text/html"), "{answer}");
    assert_eq!(answer["report"][0]["values"][0]["value"], json!({ "boolValue": false }));
    let mut gone = get.clone();
    (gone["method"], gone["path"]) = ("update".into(), "covers/ann/none.png".into());
    gone["data"] = json!({});
    let answer = attempt(gone).await;
    assert!(answer["error"]["message"].as_str().unwrap().contains("no file covers/ann/none.png"), "{answer}");
    assert!(attempt(json!({ "method": "look", "path": "a" })).await["error"].is_object());
    // Denials are logged, and rules can be replaced.
    let denied = client.delete(server.at("/v0/b/demo.appspot.com/o/covers%2Fann%2Fa.png")).send().await;
    assert_eq!(denied.unwrap().status(), StatusCode::FORBIDDEN);
    let mut events = Events::open(&client, &server.at("/emulator/v1/projects/demo/requests")).await;
    let (_, denial) = events.find("denial", |_| true).await;
    assert_eq!(denial["bucket"], "demo.appspot.com");
    assert_eq!(denial["trace"]["path"], "/b/demo.appspot.com/o/covers/ann/a.png");
    let text = async || client.get(&rules).send().await.unwrap().json::<Value>().await.unwrap();
    assert_eq!(text().await["rules"], FILE_RULES);
    let put = |text: &str| client.put(&rules).json(&json!({ "rules": text })).send();
    assert_eq!(put("service firebase.storage {").await.unwrap().status(), StatusCode::BAD_REQUEST);
    assert_eq!(text().await["rules"], FILE_RULES);
    let open = FILE_RULES.replace("resource.contentType == 'image/png'", "false");
    assert_eq!(put(&open).await.unwrap().status(), StatusCode::OK);
    assert_eq!(text().await["rules"], open);
    assert_eq!(attempt(get).await["allowed"], false);
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
