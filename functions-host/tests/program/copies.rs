//! Copies of images between projects and libraries, and the images of shared layouts, under the application's own rules.

use std::fs;

use reqwest::Client;
use serde_json::{Value, json};

use crate::accounts::{Person, sign_up};
use crate::product::call;
use crate::server::{Place, Server, new_project_of};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";

/// A server with the application's rules, and a plan of seven images.
async fn start() -> (Place, Server) {
    start_with(7).await
}

async fn start_with(images: u32) -> (Place, Server) {
    start_limited(&json!({"images": images})).await
}

/// A server with the application's rules, and a plan of these limits.
pub(crate) async fn start_limited(limits: &Value) -> (Place, Server) {
    let config = json!({
        "firestore": {"rules": "firestore.rules"},
        "storage": {"rules": "storage.rules"},
        "tuckbox": {"plans": {"offered": [{"id": "free", "name": "Free", "price": "€0", "limits": limits}]}},
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

pub(crate) async fn put(server: &Server, token: &str, path: &str, fields: &Value) {
    let body = json!({ "fields": fields });
    let answer = Client::new().patch(at(server, path)).bearer_auth(token).json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
}

pub(crate) async fn fields(server: &Server, path: &str) -> Value {
    let answer = Client::new().get(at(server, path)).bearer_auth("owner").send().await.unwrap();
    answer.json::<Value>().await.unwrap()["fields"].clone()
}

/// Stores an image in somebody's library: its file and its document.
async fn store(server: &Server, person: &Person, id: &str, path: &str) {
    let documents = format!("users/{}/library/images/items", person.uid);
    store_in(server, person, [&format!("users/{}/images", person.uid), &documents], id, path).await;
}

/// Stores an image in a folder, with its document in a collection.
async fn store_in(server: &Server, person: &Person, [folder, documents]: [&str; 2], id: &str, path: &str) {
    let file = format!("{folder}/{id}.png");
    upload(server, person, &file, "image/png", PNG).await;
    put(server, "owner", &format!("{documents}/{id}"), &image(path, &file)).await;
}

/// Stores a file as somebody, and answers the address that opens it.
pub(crate) async fn upload(
    server: &Server,
    person: &Person,
    file: &str,
    content_type: &str,
    bytes: &[u8],
) -> String {
    let name = file.replace('/', "%2F");
    let at = server.at(&format!("/v0/b/demo.appspot.com/o?name={name}"));
    let request = Client::new().post(at).bearer_auth(&person.token).header("content-type", content_type);
    let answer = request.body(bytes.to_vec()).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let stored = answer.json::<Value>().await.unwrap();
    let token = stored["downloadTokens"].as_str().unwrap();
    format!("/v0/b/demo.appspot.com/o/{name}?alt=media&token={token}")
}

/// Removes a file.
async fn remove(server: &Server, person: &Person, file: &str) {
    let at = server.at(&format!("/v0/b/demo.appspot.com/o/{}", file.replace('/', "%2F")));
    let gone = Client::new().delete(at).bearer_auth(&person.token).send().await.unwrap();
    assert!(gone.status().is_success());
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

pub(crate) fn text<'a>(fields: &'a Value, name: &str) -> &'a str {
    fields[name]["stringValue"].as_str().unwrap()
}

/// The bytes at an address that a document names.
async fn bytes_at(server: &Server, fields: &Value) -> Vec<u8> {
    bytes_of(server, text(fields, "url")).await
}

pub(crate) async fn bytes_of(server: &Server, url: &str) -> Vec<u8> {
    let answer = Client::new().get(server.at(url)).send().await.unwrap();
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
    let copied = copied.unwrap();
    assert_eq!(copied["ids"], json!({"fox": "fox", "owl": "owl"}));
    assert_eq!(copied["made"], json!({"images": ["fox", "owl"]}));
    let fox = fields(&server, "projects/p/images/fox").await;
    assert!(text(&fox, "file").starts_with("projects/p/images/"), "{fox}");
    assert!(text(&fox, "file").ends_with(".png"), "{fox}");
    assert_eq!(text(&fox, "credit"), "Ada");
    assert_eq!(fox.get("shared"), None);
    let from = &fox["from"]["mapValue"]["fields"];
    assert_eq!(
        (text(from, "path"), text(from, "hash")),
        (&*format!("users/{}/library/images/items/fox", eve.uid), "abc")
    );
    assert_eq!(text(&fields(&server, "projects/p/images/owl").await, "path"), "Art/fox (2).png");
    assert_eq!(bytes_at(&server, &fox).await, PNG);

    // Once more makes no second one. The copy stays when its original goes.
    let again = call(&server, Some(&eve.token), "copyAssets", library_to("p", &["fox"])).await;
    assert_eq!(again.unwrap(), json!({"ids": {"fox": "fox"}}));
    assert_eq!(fields(&server, "projects/p/images/fox").await, fox);
    remove(&server, &eve, &format!("users/{}/images/fox.png", eve.uid)).await;
    assert_eq!(bytes_at(&server, &fox).await, PNG);

    // A viewer takes it to a library, and puts nothing into the project; a stranger does neither.
    let out = json!({"kind": "images", "from": {"project": "p"}, "to": {}, "ids": ["fox"]});
    let denied = Err("PERMISSION_DENIED".to_owned());
    store(&server, &vic, "fox", "Other.png").await;
    let taken = call(&server, Some(&vic.token), "copyAssets", out.clone()).await.unwrap();
    let id = taken["ids"]["fox"].as_str().unwrap();
    assert_ne!(id, "fox", "an id that is taken gets another one");
    let own = fields(&server, &format!("users/{}/library/images/items/{id}", vic.uid)).await;
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
async fn a_copy_gets_the_new_content_of_its_original_when_that_is_asked_for() {
    let (_place, server) = start().await;
    let ada = sign_up(&server, "ada@example.org").await;
    let vic = sign_up(&server, "vic@example.org").await;
    let mut project = new_project_of(&ada.uid);
    project["members"]["mapValue"]["fields"][&vic.uid] = json!({ "stringValue": "viewer" });
    put(&server, "owner", "projects/p", &project).await;
    store(&server, &ada, "fox", "Art/fox.png").await;
    call(&server, Some(&ada.token), "copyAssets", library_to("p", &["fox"])).await.unwrap();
    let before = fields(&server, "projects/p/images/fox").await;
    // The library's image gets another file, as an upload that replaces it does; the project's was renamed meanwhile.
    let file = format!("users/{}/images/new.png", ada.uid);
    let content = [PNG, b"new"].concat();
    upload(&server, &ada, &file, "image/png", &content).await;
    let mut new = image("Art/fox.png", &file);
    new["hash"] = json!({"stringValue": "def"});
    put(&server, &ada.token, &format!("users/{}/library/images/items/fox", ada.uid), &new).await;
    let mut renamed = before.clone();
    renamed["path"] = json!({"stringValue": "Beasts/fox.png"});
    renamed["crop"] = json!({"mapValue": {"fields": {"x": {"doubleValue": 0.5}}}});
    put(&server, &ada.token, "projects/p/images/fox", &renamed).await;

    let mut request = library_to("p", &["fox"]);
    call(&server, Some(&ada.token), "copyAssets", request.clone()).await.unwrap();
    assert_eq!(fields(&server, "projects/p/images/fox").await, renamed, "not without being asked");
    request["renew"] = json!(true);
    store(&server, &vic, "fox", "Mine.png").await;
    let denied = call(&server, Some(&vic.token), "copyAssets", request.clone()).await;
    assert_eq!(denied, Err("PERMISSION_DENIED".to_owned()));
    let renewed = call(&server, Some(&ada.token), "copyAssets", request.clone()).await.unwrap();
    assert_eq!((&renewed["ids"], renewed.get("made")), (&json!({"fox": "fox"}), None));
    let after = fields(&server, "projects/p/images/fox").await;
    assert_eq!((text(&after, "path"), text(&after, "hash")), ("Beasts/fox.png", "def"));
    assert_eq!(text(&after["from"]["mapValue"]["fields"], "hash"), "def");
    assert_eq!((after.get("crop"), &after["createdAt"]), (None, &before["createdAt"]));
    assert_eq!(bytes_at(&server, &after).await, content);
    // Prints of the old one show it still; a copy as new as its original is left alone.
    assert_eq!(bytes_at(&server, &before).await, PNG);
    call(&server, Some(&ada.token), "copyAssets", request).await.unwrap();
    assert_eq!(fields(&server, "projects/p/images/fox").await, after);
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
    put(
        &server,
        &eve.token,
        &format!("users/{}/library/images/items/forged", eve.uid),
        &image("a.png", &theirs),
    )
    .await;
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

#[tokio::test]
async fn a_move_counts_for_the_owner_of_the_project_that_it_goes_to_and_is_whole() {
    let (_place, server) = start_limited(&json!({"images": 3, "layouts": 2})).await;
    let ada = sign_up(&server, "ada@example.org").await;
    let eve = sign_up(&server, "eve@example.org").await;
    for (id, owner) in [("p", &ada), ("q", &ada), ("r", &eve)] {
        let mut project = new_project_of(&owner.uid);
        project["members"]["mapValue"]["fields"][&eve.uid] =
            json!({ "stringValue": if id == "r" { "owner" } else { "editor" } });
        put(&server, "owner", &format!("projects/{id}"), &project).await;
    }
    for id in ["a", "b", "c"] {
        store_in(&server, &ada, ["projects/p/images"; 2], id, &format!("{id}.png")).await;
    }
    let moving = |kind: &str, from: &str, to: &str, ids: Value| json!({"kind": kind, "from": {"project": from}, "to": {"project": to}, "ids": ids, "move": true});
    // Ada has as many as she may: within her projects, none is added.
    let all = json!(["a", "b", "c"]);
    let moved = call(&server, Some(&eve.token), "copyAssets", moving("images", "p", "q", all)).await.unwrap();
    assert_eq!(moved["ids"], json!({"a": "a", "b": "b", "c": "c"}));
    assert_eq!(moved["made"], json!({"images": ["a", "b", "c"]}));
    let full = json!({"kind": "images", "from": {"project": "q"}, "to": {"project": "p"}, "ids": ["a"]});
    let refused = call(&server, Some(&eve.token), "copyAssets", full).await;
    assert_eq!(refused, Err("FAILED_PRECONDITION".to_owned()));
    // A layout with an image: Eve has no room for one more layout, and gets neither.
    put(&server, "owner", "projects/q/layouts/l", &layout(false, &["a.png".to_owned()])).await;
    for id in ["m", "n"] {
        put(&server, "owner", &format!("projects/r/layouts/{id}"), &layout(false, &[])).await;
    }
    let layouts = |from: &str, to: &str, id: &str| moving("layouts", from, to, json!([id]));
    let refused = call(&server, Some(&eve.token), "copyAssets", layouts("q", "r", "l")).await;
    assert_eq!(refused, Err("FAILED_PRECONDITION".to_owned()));
    assert_ne!(fields(&server, "projects/q/layouts/l").await, Value::Null);
    for path in ["projects/r/layouts/l", "projects/r/images/a"] {
        assert_eq!(fields(&server, path).await, Value::Null, "{path}");
    }
    let list = server.at("/v0/b/demo.appspot.com/o?prefix=projects%2Fr%2F");
    let list = Client::new().get(list).bearer_auth("owner").send().await.unwrap();
    assert_eq!(list.json::<Value>().await.unwrap()["items"], json!([]));
    // It fits once she has given one away.
    call(&server, Some(&eve.token), "copyAssets", layouts("r", "p", "m")).await.unwrap();
    let moved = call(&server, Some(&eve.token), "copyAssets", layouts("q", "r", "l")).await.unwrap();
    assert_eq!(moved["made"], json!({"images": ["a"], "layouts": ["l"]}));
    assert_eq!(bytes_at(&server, &fields(&server, "projects/r/images/a").await).await, PNG);
    assert_eq!(fields(&server, "projects/q/layouts/l").await, Value::Null);
}

/// A layout that names images, and all that may be of it.
fn layout(shared: bool, sources: &[String]) -> Value {
    let zones: Vec<Value> = sources
        .iter()
        .map(|source| json!({"mapValue": {"fields": {"source": {"stringValue": source}}}}))
        .collect();
    json!({
        "name": {"stringValue": "Card"},
        "version": {"integerValue": "1"},
        "shared": {"booleanValue": shared},
        "scene": {"mapValue": {"fields": {"zones": {"arrayValue": {"values": zones}}}}},
    })
}

/// Ids of the images that somebody is told of, or the status.
async fn shown(server: &Server, token: Option<&str>, request: Value) -> Result<Vec<String>, String> {
    let reply = call(server, token, "layoutImages", request).await?;
    let id = |image: &Value| image["id"].as_str().unwrap().to_owned();
    Ok(reply["images"].as_array().unwrap().iter().map(id).collect())
}

#[tokio::test]
async fn whoever_has_the_link_of_a_layout_is_told_of_its_images_and_of_no_others() {
    let (_place, server) = start_with(200).await;
    let [ada, eve, vic] = [
        sign_up(&server, "ada@example.org").await,
        sign_up(&server, "eve@example.org").await,
        sign_up(&server, "vic@example.org").await,
    ];
    let mut project = new_project_of(&ada.uid);
    project["members"]["mapValue"]["fields"][&vic.uid] = json!({ "stringValue": "viewer" });
    put(&server, "owner", "projects/p", &project).await;
    let many: Vec<String> = (0..130).map(|n| format!("i{n:03}")).collect();
    for id in &many {
        let own = image(&format!("Art/{id}.png"), &format!("projects/p/images/{id}.png"));
        put(&server, "owner", &format!("projects/p/images/{id}"), &own).await;
    }
    put(&server, "owner", "projects/p/images/secret", &image("secret.png", "projects/p/images/s.png")).await;
    let named: Vec<String> = many.iter().map(|id| format!("{id}.png")).collect();
    put(&server, "owner", "projects/p/layouts/open", &layout(true, &named)).await;
    put(&server, "owner", "projects/p/layouts/closed", &layout(false, &named[..1])).await;
    let open = json!({"project": "p", "id": "open"});
    assert_eq!(shown(&server, Some(&eve.token), open.clone()).await, Ok(many.clone()), "more than a hundred");
    let reply = call(&server, Some(&eve.token), "layoutImages", open.clone()).await.unwrap();
    let first = &reply["images"][0];
    assert_eq!((&first["path"], &first["credit"]), (&json!("Art/i000.png"), &json!("Ada")));
    assert_eq!((first.get("file"), first.get("hash")), (None, None));
    // One that is not shared is for members, as its document is.
    let closed = json!({"project": "p", "id": "closed"});
    assert_eq!(shown(&server, Some(&vic.token), closed.clone()).await, Ok(many[..1].to_vec()));
    assert_eq!(shown(&server, Some(&eve.token), closed).await, Err("PERMISSION_DENIED".to_owned()));
    assert_eq!(shown(&server, None, open.clone()).await, Err("UNAUTHENTICATED".to_owned()));
    // A layout of a library names images of that library, and none of a project or of another library.
    store(&server, &ada, "fox", "fox.png").await;
    store(&server, &eve, "owl", "owl.png").await;
    let names = ["fox.png".to_owned(), "owl.png".to_owned(), "image:secret/secret.png".to_owned()];
    let library = format!("users/{}/library/layouts/items/l", ada.uid);
    put(&server, &ada.token, &library, &layout(true, &names)).await;
    let of_library = json!({"owner": ada.uid, "id": "l"});
    assert_eq!(shown(&server, Some(&eve.token), of_library.clone()).await, Ok(vec!["fox".to_owned()]));
    // Whatever stands in a layout of one's own, it opens nothing of others.
    put(&server, "owner", "projects/q", &new_project_of(&eve.uid)).await;
    put(&server, &eve.token, "projects/q/layouts/l", &layout(true, &names)).await;
    assert_eq!(shown(&server, Some(&eve.token), json!({"project": "q", "id": "l"})).await, Ok(Vec::new()));
    for bad in
        [json!({"id": "open"}), json!({"project": "p", "id": "a/b"}), json!({"project": "a/b", "id": "x"})]
    {
        assert_eq!(
            shown(&server, Some(&eve.token), bad.clone()).await,
            Err("INVALID_ARGUMENT".to_owned()),
            "{bad}"
        );
    }
    // An admin closes all links.
    let flags = json!({"flags": {"mapValue": {"fields": {"sharing": {"booleanValue": false}}}}});
    put(&server, "owner", "site/state", &flags).await;
    for closed in [open.clone(), of_library] {
        assert_eq!(shown(&server, Some(&eve.token), closed).await, Err("PERMISSION_DENIED".to_owned()));
    }
    assert_eq!(shown(&server, Some(&vic.token), open).await, Ok(many));
}

#[tokio::test]
async fn whoever_has_the_link_of_a_layout_copies_its_images_and_no_others() {
    let (_place, server) = start().await;
    let ada = sign_up(&server, "ada@example.org").await;
    let eve = sign_up(&server, "eve@example.org").await;
    put(&server, "owner", "projects/p", &new_project_of(&ada.uid)).await;
    for id in ["fox", "owl", "gone"] {
        let place = ["projects/p/images", "projects/p/images"];
        store_in(&server, &ada, place, id, &format!("Art/{id}.png")).await;
    }
    remove(&server, &ada, "projects/p/images/gone.png").await;
    let names = ["Art/fox.png".to_owned(), "image:gone/gone.png".to_owned()];
    put(&server, &ada.token, "projects/p/layouts/open", &layout(true, &names)).await;
    put(&server, &ada.token, "projects/p/layouts/closed", &layout(false, &names)).await;
    let asked = |from: Value, ids: &[&str]| json!({"kind": "images", "from": from, "to": {}, "ids": ids});
    let open = json!({"project": "p", "layout": "open"});

    // Those that it does not name are as those that are not there; so is one whose file is gone.
    let all = asked(open.clone(), &["fox", "owl", "gone", "unheard"]);
    let copied = call(&server, Some(&eve.token), "copyAssets", all.clone()).await;
    assert_eq!(copied.unwrap()["ids"], json!({"fox": "fox"}));
    let own = format!("users/{}/library/images/items", eve.uid);
    let fox = fields(&server, &format!("{own}/fox")).await;
    assert_eq!(bytes_at(&server, &fox).await, PNG);
    assert_eq!((text(&fox, "path"), text(&fox, "credit")), ("Art/fox.png", "Ada"));
    assert!(text(&fox, "file").starts_with(&format!("users/{}/images/", eve.uid)), "{fox}");
    assert_eq!(text(&fox["from"]["mapValue"]["fields"], "path"), "projects/p/images/fox");
    for other in ["owl", "gone"] {
        assert_eq!(fields(&server, &format!("{own}/{other}")).await, Value::Null, "{other}");
    }
    let again = call(&server, Some(&eve.token), "copyAssets", all.clone()).await;
    assert_eq!(again.unwrap(), json!({"ids": {"fox": "fox"}}));
    assert_eq!(fields(&server, &format!("{own}/fox")).await, fox, "a second copy makes nothing");
    // A copy that was changed since is another picture, and stays as it is.
    let mut replaced = fox.clone();
    replaced["hash"] = json!({"stringValue": "another"});
    put(&server, "owner", &format!("{own}/fox"), &replaced).await;
    let other = call(&server, Some(&eve.token), "copyAssets", all.clone()).await.unwrap();
    let other = other["ids"]["fox"].as_str().unwrap().to_owned();
    assert_ne!(other, "fox");
    assert_eq!(fields(&server, &format!("{own}/fox")).await, replaced);
    let again = call(&server, Some(&eve.token), "copyAssets", all.clone()).await;
    assert_eq!(again.unwrap(), json!({"ids": {"fox": other}}));

    // Nobody gets in by another layout: one that is not shared, one of their own, or none.
    put(&server, "owner", "projects/q", &new_project_of(&eve.uid)).await;
    put(&server, &eve.token, "projects/q/layouts/l", &layout(true, &["image:owl/Art/owl.png".to_owned()]))
        .await;
    let denied = Err("PERMISSION_DENIED".to_owned());
    for from in
        [json!({"project": "p", "layout": "closed"}), json!({"project": "p"}), json!({"owner": ada.uid})]
    {
        let outcome = call(&server, Some(&eve.token), "copyAssets", asked(from.clone(), &["fox"])).await;
        assert_eq!(outcome, denied, "{from}");
    }
    let mine = asked(json!({"project": "q", "layout": "l"}), &["owl"]);
    assert_eq!(call(&server, Some(&eve.token), "copyAssets", mine).await.unwrap(), json!({"ids": {}}));
    let into = json!({"kind": "images", "from": open, "to": {"project": "p"}, "ids": ["fox"]});
    assert_eq!(
        call(&server, Some(&eve.token), "copyAssets", into).await,
        Err("INVALID_ARGUMENT".to_owned()),
        "they lie there already"
    );
    assert_eq!(call(&server, None, "copyAssets", all.clone()).await, Err("UNAUTHENTICATED".to_owned()));
    for bad in [
        asked(json!({"project": "p", "layout": "a/b/c"}), &["fox"]),
        asked(open.clone(), &["fox/b/c"]),
        asked(json!({"owner": format!("{}/library/layouts", ada.uid), "layout": "open"}), &["fox"]),
    ] {
        let refused = call(&server, Some(&eve.token), "copyAssets", bad.clone()).await;
        assert_eq!(refused, Err("INVALID_ARGUMENT".to_owned()), "{bad}");
    }
    put(&server, &ada.token, "projects/p/layouts/open", &layout(false, &names)).await;
    assert_eq!(call(&server, Some(&eve.token), "copyAssets", all).await, denied, "not shared any more");
}
