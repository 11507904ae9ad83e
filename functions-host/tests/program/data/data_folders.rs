//! Data folders written by earlier releases open without loss in this one.
//!
//! `data-folders/format-N.tar.gz` holds the folder `data` as left by a `kill -9`, and `inventory.json` with that
//! release's own responses about its content. `npm run make:data-folder` in `client/` creates one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use reqwest::Client;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::server::{Place, Server};

const PROJECT: &str = "demo-tuckbox";
const PEOPLE: [&str; 5] = ["olga", "edda", "viggo", "stig", "astrid"];

#[derive(Deserialize)]
struct Inventory {
    documents: Vec<Value>,
    files: Vec<StoredFile>,
    users: Vec<Value>,
}

#[derive(Deserialize)]
struct StoredFile {
    name: String,
    sha256: String,
    /// Tokens of its download address; empty if it has none.
    tokens: String,
}

/// Unpacks the folder of a format into `place`.
fn unpack(place: &Place, format: u32) -> Inventory {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data-folders")
        .join(format!("format-{format}.tar.gz"));
    let status = Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(place.path()).status().unwrap();
    assert!(status.success());
    serde_json::from_slice(&std::fs::read(place.join("inventory.json")).unwrap()).unwrap()
}

fn by_name(documents: Vec<Value>) -> BTreeMap<String, Value> {
    documents.into_iter().map(|document| (document["name"].as_str().unwrap().to_owned(), document)).collect()
}

/// Equality up to JavaScript, which writes `50.0` as `50`; the inventory passed through it.
fn same(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Number(found), Value::Number(wanted)) => found.as_f64() == wanted.as_f64(),
        (Value::Array(found), Value::Array(wanted)) => {
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(found, wanted)| same(found, wanted))
        }
        (Value::Object(found), Value::Object(wanted)) => {
            found.len() == wanted.len()
                && wanted.iter().all(|(key, wanted)| found.get(key).is_some_and(|found| same(found, wanted)))
        }
        _ => found == wanted,
    }
}

/// The documents that stay, and the fields of those that lie at the top level now; positions of cursors are dropped.
/// Ids are the same: no two accounts of the folder use one id.
fn upgraded(mut documents: BTreeMap<String, Value>) -> (BTreeMap<String, Value>, BTreeMap<String, Value>) {
    let mut moved = BTreeMap::new();
    documents.retain(|name, document| {
        let (root, path) = name.split_once("/documents/").unwrap();
        let ["users", owner, "decks", part @ ..] = &path.split('/').collect::<Vec<_>>()[..] else {
            return true;
        };
        let mut fields = document["fields"].take();
        if part.len() == 1 {
            fields["owner"] = json!({"stringValue": owner});
            fields["members"]["mapValue"]["fields"][*owner] = json!({"stringValue": "owner"});
            if fields.get("memberIds").is_some() {
                fields["shared"] = json!({"booleanValue": true});
            }
            let mut ids = fields["memberIds"]["arrayValue"]["values"].take();
            if ids.is_null() {
                ids = json!([]);
            }
            ids.as_array_mut().unwrap().push(json!({"stringValue": owner}));
            fields["memberIds"] = json!({"arrayValue": {"values": ids}});
        }
        if !matches!(part, [_, "components", _, "presence", _]) {
            moved.insert(format!("{root}/documents/projects/{}", part.join("/")), fields);
        }
        false
    });
    (documents, moved)
}

/// Lets layouts lie with the projects that name them, and the others in their owners' libraries: `stays` loses them and the
/// components that name copies, `moved` gets them with their fields. Ids of copies are taken from `found`.
fn with_layouts_placed(
    stays: &mut BTreeMap<String, Value>,
    moved: &mut BTreeMap<String, Value>,
    found: &BTreeMap<String, Value>,
) {
    let root = stays.keys().next().unwrap().split_once("/documents/").unwrap().0.to_owned() + "/documents/";
    let fields_of =
        |name: &str| moved.get(name).or_else(|| stays.get(name).map(|document| &document["fields"]));
    let mut placed = BTreeMap::new();
    let mut copies = BTreeMap::new();
    let mut gone = Vec::new();
    for (name, document) in stays.iter() {
        let path = name.strip_prefix(&root).unwrap();
        let ["users", owner, "layouts", id, part @ ..] = &path.split('/').collect::<Vec<_>>()[..] else {
            continue;
        };
        gone.push(name.clone());
        let layout = &stays[&format!("{root}users/{owner}/layouts/{id}")]["fields"];
        let ids = layout["deckIds"]["arrayValue"]["values"].as_array().cloned().unwrap_or_default();
        let mut homes: Vec<(&str, &str)> = ids
            .iter()
            .filter_map(|id| {
                let id = id["stringValue"].as_str()?;
                let project = fields_of(&format!("{root}projects/{id}"))?;
                (project["owner"]["stringValue"] == *owner)
                    .then_some((project["createdAt"]["timestampValue"].as_str()?, id))
            })
            .collect();
        homes.sort_unstable();
        let tail: String = part.iter().map(|part| format!("/{part}")).collect();
        let mut fields = document["fields"].clone();
        if part.is_empty() {
            fields.as_object_mut().unwrap().remove("deckIds");
        }
        if homes.is_empty() {
            if let Some(follows) = fields.pointer_mut("/follows/mapValue/fields") {
                let followed = follows["layout"]["stringValue"].as_str().unwrap();
                let of = &stays[&format!("{root}users/{owner}/layouts/{followed}")]["fields"]["deckIds"];
                let of: Vec<&str> = of["arrayValue"]["values"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|id| id["stringValue"].as_str().unwrap())
                    .collect();
                let oldest = of.iter().min_by_key(|id| {
                    let project = fields_of(&format!("{root}projects/{id}")).unwrap();
                    project["createdAt"]["timestampValue"].as_str().unwrap()
                });
                follows["project"] = json!({"stringValue": oldest.unwrap()});
            }
            placed.insert(format!("{root}users/{owner}/library/layouts/items/{id}{tail}"), fields);
            continue;
        }
        for (at, (_, project)) in homes.iter().enumerate() {
            let mut fields = fields.clone();
            let mut to = (*id).to_owned();
            if at > 0 {
                let below = format!("{root}projects/{project}/layouts/");
                let named = |(name, document): (&String, &Value)| {
                    let id = name.strip_prefix(&below)?;
                    (!id.contains('/') && document["fields"]["name"] == layout["name"]).then(|| id.to_owned())
                };
                to = found.iter().find_map(named).unwrap();
                assert_ne!(to, *id);
                for name in ["shared", "pictures"] {
                    fields.as_object_mut().unwrap().remove(name);
                }
                copies.insert(((*project).to_owned(), (*id).to_owned()), to.clone());
            }
            placed.insert(format!("{root}projects/{project}/layouts/{to}{tail}"), fields);
        }
    }
    for name in gone {
        stays.remove(&name);
    }
    moved.append(&mut placed);
    assert!(!copies.is_empty(), "the folder has no layout of two projects");
    for ((project, from), to) in copies {
        let below = format!("{root}projects/{project}/components/");
        let names: Vec<String> =
            stays.keys().chain(moved.keys()).filter(|name| name.starts_with(&below)).cloned().collect();
        for name in names.into_iter().filter(|name| !name[below.len()..].contains('/')) {
            let mut fields =
                moved.remove(&name).unwrap_or_else(|| stays.remove(&name).unwrap()["fields"].take());
            for side in ["layoutId", "backLayoutId"] {
                if fields[side]["stringValue"] == from {
                    fields[side] = json!({"stringValue": to});
                }
            }
            moved.insert(name, fields);
        }
    }
}

/// Lets the images of accounts lie in their libraries.
fn with_libraries(stays: &mut BTreeMap<String, Value>, moved: &mut BTreeMap<String, Value>) {
    let old: Vec<(String, String)> = stays
        .keys()
        .filter_map(|name| {
            let (root, path) = name.split_once("/documents/")?;
            let ["users", uid, "images", id] = path.split('/').collect::<Vec<_>>()[..] else { return None };
            Some((name.clone(), format!("{root}/documents/users/{uid}/library/images/items/{id}")))
        })
        .collect();
    assert!(!old.is_empty(), "the folder has no image of an account");
    for (from, to) in old {
        moved.insert(to, stays.remove(&from).unwrap()["fields"].take());
    }
}

/// Lets shared pictures be images of their projects, whose files and addresses are taken from `found`.
fn with_images_kept(
    stays: &mut BTreeMap<String, Value>,
    moved: &mut BTreeMap<String, Value>,
    found: &BTreeMap<String, Value>,
) {
    let is_shared = |name: &str| {
        let path = name.split_once("/documents/").unwrap().1;
        matches!(path.split('/').collect::<Vec<_>>()[..], ["projects", _, "pictures", _])
    };
    let shared: Vec<String> =
        stays.keys().chain(moved.keys()).filter(|name| is_shared(name)).cloned().collect();
    assert!(!shared.is_empty(), "the folder has no shared picture");
    for name in shared {
        let mut fields = moved.remove(&name).unwrap_or_else(|| stays.remove(&name).unwrap()["fields"].take());
        let place = name.replace("/pictures/", "/images/");
        let image = &found[&place]["fields"];
        let sharer = fields.as_object_mut().unwrap().remove("by").unwrap();
        let id = name.rsplit('/').next().unwrap();
        let sharer = sharer["stringValue"].as_str().unwrap();
        let root = name.split_once("/documents/").unwrap().0;
        let original = &moved[&format!("{root}/documents/users/{sharer}/library/images/items/{id}")];
        for name in ["hash", "type", "w", "h", "bytes"] {
            assert!(same(&image[name], &original[name]), "{name} of {place}");
        }
        for own in ["file", "url", "hash", "bytes", "type", "w", "h", "from", "createdAt", "updatedAt"] {
            fields[own] = image[own].clone();
        }
        assert_eq!(
            image["from"]["mapValue"]["fields"]["path"]["stringValue"],
            format!("users/{sharer}/library/images/items/{id}")
        );
        moved.insert(place, fields);
    }
}

/// The place of a layout or of a version: its project or its account.
fn place_of_layout(path: &str) -> Option<String> {
    match path.split('/').collect::<Vec<_>>()[..] {
        ["projects", id, "layouts", _, ..] => Some(format!("projects/{id}")),
        ["users", uid, "library", "layouts", "items", _, ..] => Some(format!("users/{uid}")),
        _ => None,
    }
}

/// Lets layouts carry no pictures, which are images of their place, and name font files of their place, whose addresses are
/// taken from `found`.
fn with_nothing_carried(moved: &mut BTreeMap<String, Value>, found: &BTreeMap<String, Value>) {
    let mut fonts = BTreeMap::new();
    for (name, fields) in moved.iter_mut() {
        let (root, path) = name.split_once("/documents/").unwrap();
        let Some(place) = place_of_layout(path) else { continue };
        if let Some(pictures) = fields.as_object_mut().unwrap().remove("pictures") {
            for picture in pictures["arrayValue"]["values"].as_array().unwrap_or(&Vec::new()) {
                let id = picture["mapValue"]["fields"]["id"]["stringValue"].as_str().unwrap();
                let images = if place.starts_with("users/") { "library/images/items" } else { "images" };
                let image = format!("{root}/documents/{place}/{images}/{id}");
                assert!(found.contains_key(&image), "{image} of {path}");
            }
        }
        let scene = "/scene/mapValue/fields/fonts/arrayValue/values";
        let Some(all) = fields.pointer_mut(scene).and_then(Value::as_array_mut) else { continue };
        for (at, font) in all.iter_mut().enumerate() {
            let now = &found[name]["fields"].pointer(scene).unwrap()[at]["mapValue"]["fields"]["url"];
            let address = now["stringValue"].as_str().unwrap();
            let folder = format!("{place}/fonts/").replace('/', "%2F");
            assert!(address.contains(&folder), "{address} of {path}");
            font["mapValue"]["fields"]["url"] = now.clone();
            if place.starts_with("projects/") {
                let file = address.split(&folder).nth(1).unwrap();
                let document = format!("{root}/documents/{place}/fonts/{}", file.split('.').next().unwrap());
                fonts.insert(document.clone(), found[&document]["fields"].clone());
            }
        }
    }
    assert!(!fonts.is_empty(), "the folder has no layout with a font of somebody's own");
    moved.append(&mut fonts);
}

/// Checks that images and fonts of projects have their files, which open by their addresses.
async fn images_open(server: &Server, found: &BTreeMap<String, Value>) {
    for (name, document) in found {
        let path = name.split_once("/documents/").unwrap().1;
        let ["projects", project, kind @ ("images" | "fonts"), _] = path.split('/').collect::<Vec<_>>()[..]
        else {
            continue;
        };
        let fields = &document["fields"];
        let text = |name: &str| fields[name]["stringValue"].as_str().unwrap();
        assert!(text("file").starts_with(&format!("projects/{project}/{kind}/")), "{path}");
        let reply = Client::new().get(server.at(text("url"))).send().await.unwrap();
        assert_eq!(reply.status(), 200, "{path}");
        assert_eq!(hex(&Sha256::digest(reply.bytes().await.unwrap())), text("hash"), "{path}");
    }
}

/// All documents, as an administrator reads them.
async fn documents(server: &Server) -> BTreeMap<String, Value> {
    let url = server.at(&format!("/v1/projects/{PROJECT}/databases/(default)/documents:runQuery"));
    let query = json!({"structuredQuery": {"from": [{"allDescendants": true}]}});
    let reply = Client::new().post(url).bearer_auth("owner").json(&query).send().await.unwrap();
    let rows: Vec<Value> = reply.json().await.unwrap();
    by_name(rows.into_iter().filter_map(|mut row| row.get_mut("document").map(Value::take)).collect())
}

/// The response of a file's public download address.
async fn download(server: &Server, file: &StoredFile) -> Vec<u8> {
    let mut url = reqwest::Url::parse(&server.at(&format!("/v0/b/{PROJECT}.appspot.com/o/"))).unwrap();
    url.path_segments_mut().unwrap().pop_if_empty().push(&file.name);
    url.query_pairs_mut().append_pair("alt", "media");
    let client = Client::new();
    let request = match file.tokens.split(',').next() {
        Some(token) if !token.is_empty() => {
            url.query_pairs_mut().append_pair("token", token);
            client.get(url)
        }
        _ => client.get(url).bearer_auth("owner"),
    };
    let reply = request.send().await.unwrap();
    assert_eq!(reply.status(), 200, "{}", file.name);
    reply.bytes().await.unwrap().to_vec()
}

#[tokio::test]
async fn everything_of_format_1_is_there() {
    everything_is_there(1).await;
}

#[tokio::test]
async fn everything_of_format_2_is_there() {
    everything_is_there(2).await;
}

async fn everything_is_there(format: u32) {
    let place = Place::new(None);
    let inventory = unpack(&place, format);
    let server = place.serve_project(PROJECT, &["--mode", "emulator", "--data", "data"]).await;
    let (found, wanted) = (documents(&server).await, by_name(inventory.documents));
    let (mut wanted, mut moved) = if format == 1 { upgraded(wanted) } else { (wanted, BTreeMap::new()) };
    with_layouts_placed(&mut wanted, &mut moved, &found);
    with_libraries(&mut wanted, &mut moved);
    with_images_kept(&mut wanted, &mut moved, &found);
    with_nothing_carried(&mut moved, &found);
    images_open(&server, &found).await;
    let names: BTreeSet<&String> = wanted.keys().chain(moved.keys()).collect();
    assert_eq!(found.keys().collect::<BTreeSet<_>>(), names);
    for (name, document) in &wanted {
        assert!(same(&found[name], document), "{} is not {document}", found[name]);
    }
    assert!(!moved.is_empty());
    for (name, fields) in &moved {
        let found = &found[name]["fields"];
        assert!(same(found, fields), "{name} is {found}, not {fields}");
    }
    for file in &inventory.files {
        let bytes = download(&server, file).await;
        assert_eq!(hex(&Sha256::digest(&bytes)), file.sha256, "{}", file.name);
    }
    let url = server.at(&format!("/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts:batchGet"));
    let reply: Value =
        Client::new().get(url).bearer_auth("owner").send().await.unwrap().json().await.unwrap();
    for user in &inventory.users {
        let same =
            |found: &Value| ["localId", "email", "emailVerified"].iter().all(|key| found[key] == user[key]);
        assert!(reply["users"].as_array().unwrap().iter().any(same), "{user}");
    }
}

#[tokio::test]
async fn a_dry_run_on_format_1_counts_and_changes_nothing() {
    let place = Place::new(None);
    unpack(&place, 1);
    let tuckbox = async |args: &[&str]| {
        let ended = place.run(&[args, &["--project", PROJECT, "--data", "data"]].concat()).await;
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        ended.stdout
    };
    let told = tuckbox(&["migrate", "--dry-run"]).await;
    let layouts = "2 accounts, 2 layouts move to the projects that use them, 1 copies of them to further projects, 2 to the library";
    let images = "shared pictures become images, 0 without a file go";
    for counted in [
        "version 1",
        "4 projects with 267 documents below them",
        "2 old positions of cursors",
        layouts,
        images,
    ] {
        assert!(told.contains(counted), "{counted:?} is not in:\n{told}");
    }
    assert_eq!(tuckbox(&["migrate", "--dry-run"]).await, told);
    assert!(!place.join("data/backups").exists());
    let grant = ["admin", "--project", PROJECT, "--data", "data", "grant", "olga@fixture.example"];
    let refused = place.run(&grant).await;
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("tuckbox migrate"), "{}", refused.stderr);

    let backup = place.join("elsewhere");
    tuckbox(&["migrate", "--backup", backup.to_str().unwrap()]).await;
    assert_eq!(std::fs::read_dir(backup).unwrap().count(), 1);
    assert!(!place.join("data/backups").exists());
    assert!(tuckbox(&["migrate", "--dry-run"]).await.contains("nothing to upgrade"));
    assert_eq!(place.run(&grant).await.code, Some(0));
}

#[tokio::test]
async fn a_dry_run_on_format_2_tells_of_its_layouts_and_pictures() {
    let place = Place::new(None);
    unpack(&place, 2);
    let ended = place.run(&["migrate", "--dry-run", "--project", PROJECT, "--data", "data"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let told = ended.stdout;
    let images = "shared pictures become images, 0 without a file go";
    for counted in
        ["version 2", "2 layouts move to the projects", "1 copies of them", "2 to the library", images]
    {
        assert!(told.contains(counted), "{counted:?} is not in:\n{told}");
    }
}

#[tokio::test]
async fn people_of_format_1_sign_in_with_their_passwords() {
    let place = Place::new(None);
    unpack(&place, 1);
    let server = place.serve_project(PROJECT, &["--data", "data"]).await;
    let url = server.at("/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any");
    for person in PEOPLE {
        let body = json!({
            "email": format!("{person}@fixture.example"),
            "password": format!("the password of {person}"),
            "returnSecureToken": true,
        });
        let reply = Client::new().post(&url).json(&body).send().await.unwrap();
        assert_eq!(reply.status(), 200, "{person}: {}", reply.text().await.unwrap());
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
