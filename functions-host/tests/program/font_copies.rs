//! Copies of fonts between projects and libraries, and of those that a layout names, under the application's own rules.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::accounts::{Person, sign_up};
use crate::copies::{bytes_of, fields, put, start_limited, text, upload};
use crate::product::call;
use crate::server::{Server, new_project_of};

/// No files.
const NONE: [&str; 0] = [];

const FONT: &[u8] = b"OTTO\0\x0b\0\x80\0\x03\0\x30";

/// The id of a font: of its content.
fn id_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// A font as a layout names it.
fn font(name: &str, url: &str) -> Value {
    json!({
        "family": {"stringValue": "own-x1"},
        "name": {"stringValue": name},
        "url": {"stringValue": url},
        "weight": {"integerValue": "700"},
        "italic": {"booleanValue": true},
    })
}

/// A layout that names fonts by their addresses.
fn layout(shared: bool, urls: &[&str]) -> Value {
    let fonts: Vec<Value> =
        urls.iter().map(|url| json!({"mapValue": {"fields": font("Runes", url)}})).collect();
    json!({
        "name": {"stringValue": "Card"},
        "version": {"integerValue": "1"},
        "shared": {"booleanValue": shared},
        "scene": {"mapValue": {"fields": {"fonts": {"arrayValue": {"values": fonts}}}}},
    })
}

/// Stores a font among the files of somebody's library, and answers its address.
async fn bring(server: &Server, person: &Person, name: &str, bytes: &[u8]) -> String {
    upload(server, person, &format!("users/{}/fonts/{name}.otf", person.uid), "font/otf", bytes).await
}

fn request(from: &Value, to: &Value, ids: &[&str]) -> Value {
    json!({"kind": "fonts", "from": from, "to": to, "ids": ids})
}

/// Names of the files in a folder.
async fn files(server: &Server, folder: &str) -> Vec<String> {
    let list = server.at(&format!("/v0/b/demo.appspot.com/o?prefix={}%2F", folder.replace('/', "%2F")));
    let list = reqwest::Client::new().get(list).bearer_auth("owner").send().await.unwrap();
    let list = list.json::<Value>().await.unwrap();
    list["items"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_fonts_of_a_layout_are_copied_to_where_its_copy_lies() {
    let (_place, server) = start_limited(&json!({})).await;
    let ada = sign_up(&server, "ada@example.org").await;
    let eve = sign_up(&server, "eve@example.org").await;
    put(&server, "owner", "projects/q", &new_project_of(&eve.uid)).await;
    // One content in two files: a layout may name both.
    let [runes, twin] = [bring(&server, &ada, "a", FONT).await, bring(&server, &ada, "b", FONT).await];
    let shared = format!("users/{}/library/layouts/items/l", ada.uid);
    put(&server, &ada.token, &shared, &layout(true, &[&runes, &twin])).await;
    let from = json!({"owner": ada.uid, "layout": "l"});
    let id = id_of(FONT);

    // To a project: a document, and one file however many times it is named.
    let to = json!({"project": "q"});
    let copied = call(&server, Some(&eve.token), "copyAssets", request(&from, &to, &[&runes, &twin])).await;
    let copied = copied.unwrap();
    assert_eq!(copied["ids"], json!({&runes: id, &twin: id}));
    let document = fields(&server, &format!("projects/q/fonts/{id}")).await;
    assert_eq!((text(&document, "name"), text(&document, "family")), ("Runes", "own-x1"));
    assert_eq!(
        (&document["weight"]["integerValue"], &document["bytes"]["integerValue"]),
        (&json!("700"), &json!("12"))
    );
    assert_eq!(text(&document["from"]["mapValue"]["fields"], "path"), shared);
    let url = text(&document, "url");
    assert_eq!(copied["urls"], json!({&runes: url, &twin: url}));
    assert_eq!(bytes_of(&server, url).await, FONT);
    assert_eq!(files(&server, "projects/q/fonts").await, [text(&document, "file")]);
    let again = call(&server, Some(&eve.token), "copyAssets", request(&from, &to, &[&runes])).await.unwrap();
    assert_eq!(again["urls"], json!({&runes: url}));
    assert_eq!(files(&server, "projects/q/fonts").await.len(), 1);

    // To a library: the file alone.
    let to = json!({});
    let copied = call(&server, Some(&eve.token), "copyAssets", request(&from, &to, &[&runes])).await.unwrap();
    let own = copied["urls"][&runes].as_str().unwrap();
    assert_eq!(bytes_of(&server, own).await, FONT);
    let file = format!("users/{}/fonts/{id}.otf", eve.uid);
    assert_eq!(files(&server, &format!("users/{}/fonts", eve.uid)).await, [file]);
    let again = call(&server, Some(&eve.token), "copyAssets", request(&from, &to, &[&twin])).await.unwrap();
    assert_eq!(again["urls"][&twin].as_str(), Some(own), "layouts show the address that it has");

    // From project to project by its documents, for members alone.
    put(&server, "owner", "projects/r", &new_project_of(&eve.uid)).await;
    let [from, to] = [json!({"project": "q"}), json!({"project": "r"})];
    let copied =
        call(&server, Some(&eve.token), "copyAssets", request(&from, &to, &[&id, "gone"])).await.unwrap();
    assert_eq!(copied["ids"], json!({&id: id}));
    assert_eq!(
        bytes_of(&server, text(&fields(&server, &format!("projects/r/fonts/{id}")).await, "url")).await,
        FONT
    );
    let denied = call(&server, Some(&ada.token), "copyAssets", request(&from, &json!({}), &[&id])).await;
    assert_eq!(denied, Err("PERMISSION_DENIED".to_owned()));
    let library = call(&server, Some(&eve.token), "copyAssets", request(&json!({}), &to, &[&id])).await;
    assert_eq!(library, Err("INVALID_ARGUMENT".to_owned()), "its layouts name them");

    // A project that is deleted takes its own fonts along, and nobody else's.
    call(&server, Some(&eve.token), "deleteDeck", json!({"deckId": "q"})).await.unwrap();
    assert_eq!(files(&server, "projects/q").await, NONE);
    assert_eq!(fields(&server, &format!("projects/q/fonts/{id}")).await, Value::Null);
    assert_eq!(files(&server, "projects/r/fonts").await.len(), 1);
    assert_eq!(bytes_of(&server, own).await, FONT);
}

#[tokio::test]
async fn a_font_that_a_layout_of_a_project_names_elsewhere_comes_into_the_project() {
    let (_place, server) = start_limited(&json!({})).await;
    let ada = sign_up(&server, "ada@example.org").await;
    put(&server, "owner", "projects/p", &new_project_of(&ada.uid)).await;
    let runes = bring(&server, &ada, "a", FONT).await;
    put(&server, &ada.token, "projects/p/layouts/l", &layout(false, &[&runes])).await;
    let [from, to] = [json!({"project": "p", "layout": "l"}), json!({"project": "p"})];
    let copied = call(&server, Some(&ada.token), "copyAssets", request(&from, &to, &[&runes])).await.unwrap();
    let url = copied["urls"][&runes].as_str().unwrap();
    assert!(url.starts_with("/v0/b/demo.appspot.com/o/projects%2Fp%2Ffonts%2F"), "{url}");
    assert_eq!(bytes_of(&server, url).await, FONT);
}

#[tokio::test]
async fn a_font_is_for_those_who_may_read_a_layout_that_names_it_by_what_opens_it() {
    let (_place, server) = start_limited(&json!({})).await;
    let ada = sign_up(&server, "ada@example.org").await;
    let eve = sign_up(&server, "eve@example.org").await;
    let vic = sign_up(&server, "vic@example.org").await;
    let mut project = new_project_of(&ada.uid);
    project["members"]["mapValue"]["fields"][&vic.uid] = json!({ "stringValue": "viewer" });
    put(&server, "owner", "projects/p", &project).await;
    let secret = bring(&server, &ada, "secret", FONT).await;
    let shown = bring(&server, &ada, "shown", b"OTTO another").await;
    let layouts = format!("users/{}/library/layouts/items", ada.uid);
    put(&server, &ada.token, &format!("{layouts}/closed"), &layout(false, &[&secret])).await;
    put(&server, &ada.token, &format!("{layouts}/open"), &layout(true, &[&shown])).await;
    let closed = json!({"owner": ada.uid, "layout": "closed"});
    let open = json!({"owner": ada.uid, "layout": "open"});
    let own = json!({});

    let denied = Err("PERMISSION_DENIED".to_owned());
    assert_eq!(
        call(&server, Some(&eve.token), "copyAssets", request(&closed, &own, &[&secret])).await,
        denied
    );
    // Even with its address: this layout does not name it.
    let none = json!({"ids": {}});
    let unnamed =
        call(&server, Some(&eve.token), "copyAssets", request(&open, &own, &[&secret, &id_of(FONT)])).await;
    assert_eq!(unnamed.unwrap(), none);
    // A layout of one's own names it by its place, without the token that opens it.
    let (place, _) = secret.split_once("&token=").unwrap();
    let guessed = [
        place.to_owned(),
        format!("{place}&token="),
        format!("{place}&token=00000000-0000-4000-8000-000000000000"),
    ];
    let urls: Vec<&str> = guessed.iter().map(String::as_str).collect();
    put(&server, &eve.token, &format!("users/{}/library/layouts/items/l", eve.uid), &layout(false, &urls))
        .await;
    let mine = json!({"owner": eve.uid, "layout": "l"});
    assert_eq!(
        call(&server, Some(&eve.token), "copyAssets", request(&mine, &own, &urls)).await.unwrap(),
        none
    );
    assert_eq!(files(&server, &format!("users/{}/fonts", eve.uid)).await, NONE);
    // A document of a project names a file of its member, who copies it unaware.
    let mut forged = font("Runes", &secret);
    forged["file"] = json!({"stringValue": "projects/p/fonts/x.otf"});
    put(&server, "owner", "projects/p/fonts/x", &forged).await;
    let project = json!({"project": "p"});
    let taken = call(&server, Some(&ada.token), "copyAssets", request(&project, &own, &["x"])).await;
    assert_eq!(taken, Err("FAILED_PRECONDITION".to_owned()));
    // A viewer puts nothing into the project; and what is no font is none.
    let into = call(&server, Some(&vic.token), "copyAssets", request(&open, &project, &[&shown])).await;
    assert_eq!(into, denied);
    let csv = upload(&server, &ada, &format!("users/{}/fonts/list.csv", ada.uid), "text/csv", b"a,b").await;
    put(&server, &ada.token, &format!("{layouts}/open"), &layout(true, &[&csv])).await;
    assert_eq!(
        call(&server, Some(&eve.token), "copyAssets", request(&open, &own, &[&csv])).await.unwrap(),
        none
    );
    assert_eq!(files(&server, "projects/p").await, NONE);
}

#[tokio::test]
async fn a_font_counts_once_for_its_owner_and_one_too_many_leaves_nothing() {
    let (_place, server) = start_limited(&json!({"storageBytes": 20})).await;
    let ada = sign_up(&server, "ada@example.org").await;
    let eve = sign_up(&server, "eve@example.org").await;
    put(&server, "owner", "projects/p", &new_project_of(&ada.uid)).await;
    put(&server, "owner", "projects/q", &new_project_of(&eve.uid)).await;
    let runes = bring(&server, &ada, "a", FONT).await;
    put(&server, &ada.token, &format!("users/{}/library/layouts/items/l", ada.uid), &layout(true, &[&runes]))
        .await;
    bring(&server, &eve, "full", b"OTTO of others").await;
    let from = json!({"owner": ada.uid, "layout": "l"});
    // 12 of 20 bytes, in the library and in the project alike.
    let copied =
        call(&server, Some(&ada.token), "copyAssets", request(&from, &json!({"project": "p"}), &[&runes]))
            .await;
    assert_eq!(copied.unwrap()["ids"], json!({&runes: id_of(FONT)}));
    let full =
        call(&server, Some(&eve.token), "copyAssets", request(&from, &json!({"project": "q"}), &[&runes]))
            .await;
    assert_eq!(full, Err("RESOURCE_EXHAUSTED".to_owned()));
    assert_eq!(files(&server, "projects/q").await, NONE);
    assert_eq!(fields(&server, &format!("projects/q/fonts/{}", id_of(FONT))).await, Value::Null);
}
