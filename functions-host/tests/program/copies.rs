//! Copies of images between projects and libraries, under the application's own rules.

use std::fs;

use reqwest::Client;
use serde_json::{Value, json};

use crate::accounts::{Person, sign_up};
use crate::product::call;
use crate::server::{Place, Server, new_project_of};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";

/// A server with the application's rules, and a plan of seven images.
async fn start() -> (Place, Server) {
    let config = json!({
        "firestore": {"rules": "firestore.rules"},
        "storage": {"rules": "storage.rules"},
        "tuckbox": {"plans": {"offered": [{"id": "free", "name": "Free", "price": "€0", "limits": {"images": 7}}]}},
    });
    let place = Place::new(Some(&config.to_string()));
    for rules in ["firestore.rules", "storage.rules"] {
        let text = fs::read(format!("{}/../{rules}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        fs::write(place.join(rules), text).unwrap();
    }
    let server = place.serve(&["--in-memory", "--mode", "emulator"]).await;
    (place, server)
}

fn at(server: &Server, path: &str) -> String {
    server.at(&format!("/v1/projects/demo/databases/(default)/documents/{path}"))
}

async fn put(server: &Server, token: &str, path: &str, fields: &Value) {
    let body = json!({ "fields": fields });
    let answer = Client::new().patch(at(server, path)).bearer_auth(token).json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
}

async fn fields(server: &Server, path: &str) -> Value {
    let answer = Client::new().get(at(server, path)).bearer_auth("owner").send().await.unwrap();
    answer.json::<Value>().await.unwrap()["fields"].clone()
}

/// Stores an image in somebody's library: its file and its document.
async fn store(server: &Server, person: &Person, id: &str, path: &str) {
    let file = format!("users/{}/images/{id}.png", person.uid);
    let upload = server.at(&format!("/v0/b/demo.appspot.com/o?name={}", file.replace('/', "%2F")));
    let upload = Client::new().post(upload).bearer_auth(&person.token).header("content-type", "image/png");
    assert_eq!(upload.body(PNG).send().await.unwrap().status(), 200);
    put(server, &person.token, &format!("users/{}/images/{id}", person.uid), &image(path, &file)).await;
}

fn image(path: &str, file: &str) -> Value {
    json!({
        "path": {"stringValue": path},
        "file": {"stringValue": file},
        "url": {"stringValue": "/v0/b/demo.appspot.com/o/x?alt=media&token=secret"},
        "hash": {"stringValue": "abc"},
        "credit": {"stringValue": "Ada"},
        "shared": {"booleanValue": true},
    })
}

fn text<'a>(fields: &'a Value, name: &str) -> &'a str {
    fields[name]["stringValue"].as_str().unwrap()
}

/// The bytes at an address that a document names.
async fn bytes_at(server: &Server, fields: &Value) -> Vec<u8> {
    let answer = Client::new().get(server.at(text(fields, "url"))).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.bytes().await.unwrap().to_vec()
}

fn library_to(project: &str, ids: &[&str]) -> Value {
    json!({"kind": "images", "from": {}, "to": {"project": project}, "ids": ids})
}

#[tokio::test]
async fn images_are_copied_with_their_files_by_those_who_may() {
    let (_place, server) = start().await;
    let [ada, eve, vic, bob] = [
        sign_up(&server, "ada@example.org").await,
        sign_up(&server, "eve@example.org").await,
        sign_up(&server, "vic@example.org").await,
        sign_up(&server, "bob@example.org").await,
    ];
    let mut project = new_project_of(&ada.uid);
    for (person, role) in [(&eve, "editor"), (&vic, "viewer")] {
        project["members"]["mapValue"]["fields"][&person.uid] = json!({ "stringValue": role });
    }
    put(&server, "owner", "projects/p", &project).await;
    put(&server, "owner", "projects/q", &new_project_of(&bob.uid)).await;
    store(&server, &eve, "fox", "Art/fox.png").await;
    store(&server, &eve, "owl", "Art/fox.png").await;

    let copied =
        call(&server, Some(&eve.token), "copyAssets", library_to("p", &["fox", "owl", "gone"])).await;
    assert_eq!(copied.unwrap(), json!({"ids": {"fox": "fox", "owl": "owl"}}));
    let fox = fields(&server, "projects/p/images/fox").await;
    assert!(text(&fox, "file").starts_with("projects/p/images/"), "{fox}");
    assert!(text(&fox, "file").ends_with(".png"), "{fox}");
    assert_eq!(text(&fox, "credit"), "Ada");
    assert_eq!(fox.get("shared"), None);
    let from = &fox["from"]["mapValue"]["fields"];
    assert_eq!((text(from, "path"), text(from, "hash")), (&*format!("users/{}/images/fox", eve.uid), "abc"));
    assert_eq!(text(&fields(&server, "projects/p/images/owl").await, "path"), "Art/fox (2).png");
    assert_eq!(bytes_at(&server, &fox).await, PNG);

    // Once more makes no second one. The copy stays when its original goes.
    let again = call(&server, Some(&eve.token), "copyAssets", library_to("p", &["fox"])).await;
    assert_eq!(again.unwrap(), json!({"ids": {"fox": "fox"}}));
    assert_eq!(fields(&server, "projects/p/images/fox").await, fox);
    let original = server.at(&format!("/v0/b/demo.appspot.com/o/users%2F{}%2Fimages%2Ffox.png", eve.uid));
    let gone = Client::new().delete(original).bearer_auth(&eve.token).send().await.unwrap();
    assert!(gone.status().is_success());
    assert_eq!(bytes_at(&server, &fox).await, PNG);

    // A viewer takes it to a library, and puts nothing into the project; a stranger does neither.
    let out = json!({"kind": "images", "from": {"project": "p"}, "to": {}, "ids": ["fox"]});
    let denied = Err("PERMISSION_DENIED".to_owned());
    store(&server, &vic, "fox", "Other.png").await;
    let taken = call(&server, Some(&vic.token), "copyAssets", out.clone()).await.unwrap();
    let id = taken["ids"]["fox"].as_str().unwrap();
    assert_ne!(id, "fox", "an id that is taken gets another one");
    let own = fields(&server, &format!("users/{}/images/{id}", vic.uid)).await;
    assert_eq!(bytes_at(&server, &own).await, PNG);
    assert_eq!(call(&server, Some(&vic.token), "copyAssets", library_to("p", &["fox"])).await, denied);
    assert_eq!(call(&server, Some(&bob.token), "copyAssets", out).await, denied);
    assert_eq!(call(&server, Some(&eve.token), "copyAssets", library_to("q", &["owl"])).await, denied);
    assert_eq!(
        call(&server, None, "copyAssets", library_to("p", &["fox"])).await,
        Err("UNAUTHENTICATED".to_owned())
    );
}

#[tokio::test]
async fn a_document_gives_nobody_a_file_that_lies_elsewhere() {
    let (_place, server) = start().await;
    let ada = sign_up(&server, "ada@example.org").await;
    let eve = sign_up(&server, "eve@example.org").await;
    put(&server, "owner", "projects/p", &new_project_of(&ada.uid)).await;
    put(&server, "owner", "projects/q", &new_project_of(&eve.uid)).await;
    store(&server, &ada, "secret", "Secret.png").await;
    let theirs = format!("users/{}/images/secret.png", ada.uid);
    // A library of one's own names another's file; and a project names a file of its member, who copies it unaware.
    put(&server, &eve.token, &format!("users/{}/images/forged", eve.uid), &image("a.png", &theirs)).await;
    let refused = Err("FAILED_PRECONDITION".to_owned());
    assert_eq!(call(&server, Some(&eve.token), "copyAssets", library_to("q", &["forged"])).await, refused);
    put(&server, "owner", "projects/p/images/forged", &image("a.png", &theirs)).await;
    let out = json!({"kind": "images", "from": {"project": "p"}, "to": {}, "ids": ["forged"]});
    assert_eq!(call(&server, Some(&ada.token), "copyAssets", out).await, refused);
    assert_eq!(fields(&server, "projects/q/images/forged").await, Value::Null);
    for (from, to, ids) in [
        (json!({"project": "a/b"}), json!({}), json!(["a"])),
        (json!({}), json!({}), json!(["a"])),
        (json!({}), json!({"project": "p"}), json!([])),
        (json!({}), json!({"project": "p"}), json!(["a/b"])),
        (json!({}), json!({"project": "p"}), json!(vec!["a"; 201])),
    ] {
        let bad = json!({"kind": "images", "from": from, "to": to, "ids": ids});
        let refused = call(&server, Some(&ada.token), "copyAssets", bad.clone()).await;
        assert_eq!(refused, Err("INVALID_ARGUMENT".to_owned()), "{bad}");
    }
}

#[tokio::test]
async fn copies_beyond_the_plan_of_a_projects_owner_leave_nothing() {
    let (_place, server) = start().await;
    let ada = sign_up(&server, "ada@example.org").await;
    put(&server, "owner", "projects/p", &new_project_of(&ada.uid)).await;
    let ids = ["a", "b", "c", "d"];
    for id in ids {
        store(&server, &ada, id, &format!("{id}.png")).await;
    }
    let full = call(&server, Some(&ada.token), "copyAssets", library_to("p", &ids)).await;
    assert_eq!(full, Err("FAILED_PRECONDITION".to_owned()));
    assert_eq!(fields(&server, "projects/p/images/a").await, Value::Null);
    let list = server.at("/v0/b/demo.appspot.com/o?prefix=projects%2Fp%2F");
    let list = Client::new().get(list).bearer_auth("owner").send().await.unwrap();
    assert_eq!(list.json::<Value>().await.unwrap()["items"], json!([]));
    let three = call(&server, Some(&ada.token), "copyAssets", library_to("p", &ids[..3])).await.unwrap();
    assert_eq!(three["ids"].as_object().unwrap().len(), 3);
    let deleted = call(&server, Some(&ada.token), "deleteDeck", json!({"deckId": "p"})).await.unwrap();
    assert_eq!(deleted["deleted"], json!(4));
}
