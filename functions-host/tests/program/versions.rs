//! Versions of a game over the network, under the application's own rules: their files, who may do what with an opened one,
//! and that it counts for nobody.

use reqwest::{Client, Response};
use serde_json::{Value, json};

use crate::accounts::{Person, sign_up};
use crate::copies::{bytes_of, fields, put, start_limited, text, upload};
use crate::product::{call, unsigned};
use crate::server::{Server, new_project_of};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";
const FILE: &str = "projects/p/images/fox.png";

async fn delete_document(server: &Server, person: &Person, path: &str) -> u16 {
    let at = server.at(&format!("/v1/projects/demo/databases/(default)/documents/{path}"));
    status(&Client::new().delete(at).bearer_auth(&person.token).send().await.unwrap())
}

async fn delete_file(server: &Server, person: &Person, file: &str) -> u16 {
    let at = server.at(&format!("/v0/b/demo.appspot.com/o/{}", file.replace('/', "%2F")));
    status(&Client::new().delete(at).bearer_auth(&person.token).send().await.unwrap())
}

async fn get(server: &Server, person: &Person, path: &str) -> u16 {
    let at = server.at(&format!("/v1/projects/demo/databases/(default)/documents/{path}"));
    status(&Client::new().get(at).bearer_auth(&person.token).send().await.unwrap())
}

async fn write(server: &Server, person: &Person, path: &str, fields: &Value) -> u16 {
    let at = server.at(&format!("/v1/projects/demo/databases/(default)/documents/{path}"));
    let body = json!({ "fields": fields });
    status(&Client::new().patch(at).bearer_auth(&person.token).json(&body).send().await.unwrap())
}

fn status(answer: &Response) -> u16 {
    answer.status().as_u16()
}

async fn freeze(server: &Server, person: &Person, name: &str) -> String {
    let frozen =
        call(server, Some(&person.token), "freezeVersion", json!({"projectId": "p", "name": name})).await;
    frozen.unwrap()["version"].as_str().unwrap().to_owned()
}

async fn open(server: &Server, person: &Person, version: &str) -> Result<String, String> {
    let opened =
        call(server, Some(&person.token), "openVersion", json!({"projectId": "p", "version": version}));
    Ok(opened.await?["projectId"].as_str().unwrap().to_owned())
}

/// The project `p` of Ada, which Eve edits and Vic sees, with a layout and a picture. Answers the picture's address.
async fn project(server: &Server, &[ada, eve, vic]: &[&Person; 3]) -> String {
    let mut project = new_project_of(&ada.uid);
    for (person, role) in [(eve, "editor"), (vic, "viewer")] {
        project["members"]["mapValue"]["fields"][&person.uid] = json!({ "stringValue": role });
    }
    put(server, "owner", "projects/p", &project).await;
    let url = upload(server, eve, FILE, "image/png", PNG).await;
    let image = json!({
        "path": {"stringValue": "Art/fox.png"}, "file": {"stringValue": FILE}, "url": {"stringValue": url},
        "hash": {"stringValue": "abc"},
    });
    put(server, &eve.token, "projects/p/images/fox", &image).await;
    let layout = json!({
        "name": {"stringValue": "Front"}, "scene": {"mapValue": {"fields": {}}}, "shared": {"booleanValue": true},
    });
    put(server, &eve.token, "projects/p/layouts/l", &layout).await;
    url
}

async fn people(server: &Server) -> [Person; 4] {
    let person = async |name: &str| sign_up(server, &format!("{name}@example.org")).await;
    [person("ada").await, person("eve").await, person("vic").await, person("bob").await]
}

#[tokio::test]
async fn a_picture_that_was_deleted_shows_in_the_version_and_goes_with_the_last_one() {
    let (_place, server) = start_limited(&json!({})).await;
    let [ada, eve, vic, _] = people(&server).await;
    let url = project(&server, &[&ada, &eve, &vic]).await;
    let [first, second] = [freeze(&server, &eve, "v1").await, freeze(&server, &eve, "v2").await];
    assert_eq!(delete_document(&server, &eve, "projects/p/images/fox").await, 200);
    assert_eq!(delete_file(&server, &eve, FILE).await, 403, "versions show it");
    let opened = open(&server, &vic, &first).await.unwrap();
    let shown = fields(&server, &format!("projects/{opened}/images/fox")).await;
    assert_eq!(text(&shown, "url"), url);
    assert_eq!(bytes_of(&server, &url).await, PNG);

    // A new project made from the version gets its own copy.
    put(&server, "owner", "projects/q", &new_project_of(&vic.uid)).await;
    let copy = json!({"kind": "images", "from": {"project": opened}, "to": {"project": "q"}, "ids": ["fox"]});
    let copied = call(&server, Some(&vic.token), "copyAssets", copy).await.unwrap();
    assert_eq!(copied["ids"]["fox"], "fox");

    let delete = |version: &str| json!({"projectId": "p", "version": version});
    call(&server, Some(&eve.token), "deleteVersion", delete(&first)).await.unwrap();
    assert_eq!(bytes_of(&server, &url).await, PNG, "the other version shows it");
    assert_eq!(get(&server, &vic, &format!("projects/{opened}")).await, 403, "its copy is gone");
    call(&server, Some(&eve.token), "deleteVersion", delete(&second)).await.unwrap();
    let at = server.at(&format!("/v0/b/demo.appspot.com/o/{}", FILE.replace('/', "%2F")));
    let gone = Client::new().get(at).bearer_auth("owner").send().await.unwrap();
    assert_eq!(gone.status(), 404);
    let own = fields(&server, "projects/q/images/fox").await;
    assert_eq!(bytes_of(&server, text(&own, "url")).await, PNG);
}

#[tokio::test]
async fn a_picture_that_the_project_shows_stays_when_its_versions_go() {
    let (_place, server) = start_limited(&json!({})).await;
    let [ada, eve, vic, _] = people(&server).await;
    let url = project(&server, &[&ada, &eve, &vic]).await;
    let version = freeze(&server, &eve, "v1").await;
    let delete = json!({"projectId": "p", "version": version});
    call(&server, Some(&ada.token), "deleteVersion", delete).await.unwrap();
    assert_eq!(bytes_of(&server, &url).await, PNG);
    assert_eq!(delete_file(&server, &eve, FILE).await, 204, "no version shows it");
}

#[tokio::test]
async fn an_opened_version_is_read_by_those_who_see_the_project_and_written_by_nobody() {
    let (_place, server) = start_limited(&json!({})).await;
    let [ada, eve, vic, bob] = people(&server).await;
    project(&server, &[&ada, &eve, &vic]).await;
    let version = freeze(&server, &eve, "v1").await;
    assert_eq!(open(&server, &bob, &version).await, Err("NOT_FOUND".to_owned()));
    let opened = open(&server, &vic, &version).await.unwrap();
    let layout = format!("projects/{opened}/layouts/l");
    for person in [&ada, &eve, &vic] {
        assert_eq!(get(&server, person, &format!("projects/{opened}")).await, 200);
        assert_eq!(get(&server, person, &layout).await, 200);
        assert_eq!(write(&server, person, &layout, &json!({"name": {"stringValue": "X"}})).await, 403);
        assert_eq!(delete_document(&server, person, &layout).await, 403);
        assert_eq!(write(&server, person, "projects/p~mine", &new_project_of(&person.uid)).await, 403);
    }
    assert_eq!(get(&server, &bob, &format!("projects/{opened}")).await, 403);
    assert_eq!(get(&server, &bob, &layout).await, 403, "nor by the link that the layout has in its project");
    assert_eq!(get(&server, &bob, "projects/p/layouts/l").await, 200);
    let refused =
        call(&server, Some(&vic.token), "freezeVersion", json!({"projectId": "p", "name": "v2"})).await;
    assert_eq!(refused, Err("PERMISSION_DENIED".to_owned()));
    // Whoever is shown out of the project is shown out of its versions.
    put(&server, "owner", "projects/p", &new_project_of(&ada.uid)).await;
    assert_eq!(get(&server, &vic, &layout).await, 403);
    assert_eq!(get(&server, &ada, &layout).await, 200);
}

#[tokio::test]
async fn an_opened_version_counts_for_nobody_and_goes_with_its_project() {
    let (_place, server) = start_limited(&json!({"projects": 1, "layouts": 1, "images": 1})).await;
    let [ada, eve, vic, _] = people(&server).await;
    project(&server, &[&ada, &eve, &vic]).await;
    let version = freeze(&server, &ada, "v1").await;
    let opened = open(&server, &ada, &version).await.unwrap();
    let held = call(&server, Some(&ada.token), "readMyPlan", Value::Null).await.unwrap();
    for counted in ["projects", "layouts", "images"] {
        assert_eq!(held[counted], 1, "{held}");
    }
    let admin = unsigned(&json!({"sub": "root", "admin": true}));
    let counted = call(&server, Some(&admin), "adminUsage", Value::Null).await.unwrap();
    assert_eq!((&counted["projects"], &counted["layouts"]), (&json!(1), &json!(1)), "{counted}");
    let exported = call(&server, Some(&ada.token), "exportMyData", json!({})).await.unwrap();
    let paths: Vec<&str> =
        exported["documents"].as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert!(paths.contains(&format!("projects/p/gameVersions/{version}").as_str()), "{paths:?}");
    assert!(paths.iter().all(|path| !path.contains('~')), "{paths:?}");
    let deleted = call(&server, Some(&ada.token), "deleteDeck", json!({"deckId": "p"})).await.unwrap();
    assert!(deleted["deleted"].as_u64().unwrap() > 4);
    for path in [format!("projects/{opened}"), format!("projects/{opened}/layouts/l")] {
        assert_eq!(fields(&server, &path).await, Value::Null, "{path}");
    }
}
