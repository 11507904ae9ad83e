//! The product's functions over the network: those for admins only, and those for users' own accounts.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Client;
use serde_json::{Value, json};

use crate::accounts::{sign_in, sign_up};
use crate::server::{Place, Server, new_project_of};

/// Calls a function. Returns the result, or the error's status.
pub(crate) async fn call(
    server: &Server,
    token: Option<&str>,
    name: &str,
    data: Value,
) -> Result<Value, String> {
    let request =
        Client::new().post(server.at(&format!("/us-central1-demo/{name}"))).json(&json!({ "data": data }));
    let request = if let Some(token) = token { request.bearer_auth(token) } else { request };
    let body: Value = request.send().await.unwrap().json().await.unwrap();
    match body.get("error") {
        Some(error) => Err(error["status"].as_str().unwrap().to_owned()),
        None => Ok(body["result"].clone()),
    }
}

/// An unsigned token, accepted by the emulator.
pub(crate) fn unsigned(claims: &Value) -> String {
    let part = |json: &Value| URL_SAFE_NO_PAD.encode(json.to_string());
    format!("{}.{}.", part(&json!({"alg": "none", "typ": "JWT"})), part(claims))
}

async fn put(server: &Server, token: &str, path: &str, fields: Value) {
    let url = server.at(&format!("/v1/projects/demo/databases/(default)/documents/{path}"));
    let answer =
        Client::new().patch(url).bearer_auth(token).json(&json!({ "fields": fields })).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
}

fn named(name: &str) -> Value {
    json!({ "name": { "stringValue": name } })
}

async fn emulator() -> Server {
    Place::new(None).serve(&["--in-memory", "--mode", "emulator"]).await
}

#[tokio::test]
async fn only_the_claim_makes_an_admin() {
    let server = emulator().await;
    let functions = [
        ("adminFindPeople", json!({"text": ""})),
        ("adminChangePerson", json!({"uid": "u", "action": "disable"})),
        ("adminUsage", Value::Null),
        ("adminLog", json!({})),
        ("adminSetNotice", json!({"text": "", "level": "info"})),
        ("adminSetFlag", json!({"flag": "sharing", "on": true})),
    ];
    let user = unsigned(&json!({"sub": "u", "email": "u@example.org"}));
    let nearly = unsigned(&json!({"sub": "u", "admin": "true"}));
    let admin = unsigned(&json!({"sub": "boss", "email": "boss@example.org", "admin": true}));
    for (name, data) in functions {
        let refused = |token| call(&server, token, name, data.clone());
        assert_eq!(refused(None).await, Err("UNAUTHENTICATED".to_owned()), "{name}");
        assert_eq!(refused(Some(&user)).await, Err("PERMISSION_DENIED".to_owned()), "{name}");
        assert_eq!(refused(Some(&nearly)).await, Err("PERMISSION_DENIED".to_owned()), "{name}");
    }
    let log = call(&server, Some(&admin), "adminLog", json!({})).await.unwrap();
    assert_eq!(log["entries"], json!([]), "what was refused was not done");
}

#[tokio::test]
async fn an_admin_finds_and_changes_people_and_it_is_logged() {
    let server = emulator().await;
    let admin = unsigned(&json!({"sub": "boss", "email": "boss@example.org", "admin": true}));
    let ada = sign_up(&server, "ada@example.org").await;
    sign_up(&server, "bob@example.org").await;
    let found = call(&server, Some(&admin), "adminFindPeople", json!({"text": "ADA@"})).await.unwrap();
    assert_eq!(found["more"], json!(false));
    assert_eq!(found["people"].as_array().unwrap().len(), 1);
    let person = &found["people"][0];
    assert_eq!(
        (&person["uid"], &person["disabled"], &person["admin"]),
        (&json!(ada.uid), &json!(false), &json!(false))
    );
    assert!(person["createdAt"].as_u64().unwrap() > 0);
    assert_eq!(person["plan"], Value::Null, "no plans are offered");
    let change = |action: &str| {
        call(&server, Some(&admin), "adminChangePerson", json!({"uid": ada.uid, "action": action}))
    };
    for (action, field, expected) in [
        ("disable", "disabled", true),
        ("enable", "disabled", false),
        ("verify", "emailVerified", true),
        ("grantAdmin", "admin", true),
        ("revokeAdmin", "admin", false),
        ("signOut", "admin", false),
    ] {
        assert_eq!(change(action).await.unwrap()["person"][field], json!(expected), "{action}");
    }
    let nobody = json!({"uid": "nobody", "action": "disable"});
    assert_eq!(call(&server, Some(&admin), "adminChangePerson", nobody).await, Err("NOT_FOUND".to_owned()));
    let own = json!({"uid": "boss", "action": "revokeAdmin"});
    assert_eq!(
        call(&server, Some(&admin), "adminChangePerson", own).await,
        Err("FAILED_PRECONDITION".to_owned())
    );
    let log = call(&server, Some(&admin), "adminLog", json!({})).await.unwrap();
    let entries = log["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 6);
    assert_eq!(entries[5]["action"], json!("disabled"));
    assert!(entries.iter().all(|e| e["by"] == "boss@example.org" && e["target"] == "ada@example.org"));
    let rest = call(&server, Some(&admin), "adminLog", json!({"before": entries[3]["id"]})).await.unwrap();
    assert_eq!(rest["entries"].as_array().unwrap()[..], entries[4..]);
}

#[tokio::test]
async fn an_invitation_to_a_project_opens_a_server_that_asks_for_one() {
    let place = Place::new(None);
    let server = place.serve(&[]).await;
    let ada = sign_up(&server, "ada@example.org").await;
    put(&server, &ada.token, "projects/d", new_project_of(&ada.uid)).await;
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));
    let init = async |server: &Server| {
        let init = Client::new().get(server.at("/__/firebase/init.json")).send().await.unwrap();
        init.json::<Value>().await.unwrap()["tuckbox"]["signUp"].clone()
    };
    let status = async |server: &Server, email: &str| {
        let url = server.at("/identitytoolkit.googleapis.com/v1/accounts:signUp?key=tuckbox-demo");
        let body = json!({"email": email, "password": "correct horse"});
        Client::new().post(url).json(&body).send().await.unwrap().status().as_u16()
    };
    std::fs::write(place.join("firebase.json"), r#"{"tuckbox": {"signIn": {"signUp": "invitation"}}}"#)
        .unwrap();
    let server = place.serve(&[]).await;
    assert_eq!(init(&server).await, "invitation");
    let invitation = json!({"deckId": "d", "role": "viewer", "email": "Bob@Example.org", "days": 7});
    call(&server, Some(&ada.token), "inviteToDeck", invitation).await.unwrap();
    assert_eq!(status(&server, "eve@example.org").await, 400);
    assert_eq!(status(&server, "bob@example.org").await, 200);
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));
    std::fs::write(place.join("firebase.json"), r#"{"tuckbox": {"signIn": {"signUp": "closed"}}}"#).unwrap();
    let server = place.serve(&[]).await;
    assert_eq!((init(&server).await, status(&server, "carl@example.org").await), (json!("closed"), 400));
    sign_in(&server, "bob@example.org").await;
}

#[tokio::test]
async fn an_admin_sees_and_gives_plans() {
    let config = json!({"tuckbox": {"plans": {"offered": [
        {"id": "free", "name": "Free", "price": "€0"},
        {"id": "maker", "name": "Maker", "price": "€5 a month"},
    ]}}});
    let server = Place::new(Some(&config.to_string())).serve(&["--in-memory", "--mode", "emulator"]).await;
    let admin = unsigned(&json!({"sub": "boss", "admin": true}));
    let ada = sign_up(&server, "ada@example.org").await;
    let seen = async || {
        let found = call(&server, Some(&admin), "adminFindPeople", json!({"text": "ada"})).await.unwrap();
        found["people"][0]["plan"].clone()
    };
    assert_eq!(seen().await, json!("free"));
    for (given, held) in [(json!("maker"), "maker"), (Value::Null, "free")] {
        let grant = json!({"uid": ada.uid, "plan": given});
        let answer = call(&server, Some(&admin), "adminGivePlan", grant).await.unwrap();
        assert_eq!(answer["plan"], json!(held));
        assert_eq!(seen().await, json!(held));
    }
    let nobody = json!({"uid": "nobody", "plan": "maker"});
    assert_eq!(call(&server, Some(&admin), "adminGivePlan", nobody).await, Err("NOT_FOUND".to_owned()));
    let log = call(&server, Some(&admin), "adminLog", json!({})).await.unwrap();
    let entries = log["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 2);
    assert!(entries.iter().all(|entry| entry["target"] == "ada@example.org"), "{log}");
}

#[tokio::test]
async fn an_admin_announces_switches_and_counts() {
    let server = emulator().await;
    let admin = unsigned(&json!({"sub": "boss", "admin": true}));
    let ada = unsigned(&json!({"sub": "ada"}));
    let set = |name: &'static str, data: Value| call(&server, Some(&admin), name, data);
    set("adminSetNotice", json!({"text": "Down at 8", "level": "warning"})).await.unwrap();
    set("adminSetFlag", json!({"flag": "sharing", "on": false})).await.unwrap();
    set("adminSetFlag", json!({"flag": "tutorials", "on": true})).await.unwrap();
    let invalid = Err("INVALID_ARGUMENT".to_owned());
    assert_eq!(set("adminSetFlag", json!({"flag": "x", "on": true})).await, invalid);
    assert_eq!(set("adminSetNotice", json!({"text": "x".repeat(301), "level": "info"})).await, invalid);
    let url = server.at("/v1/projects/demo/databases/(default)/documents/site/state");
    let state: Value =
        Client::new().get(url).bearer_auth("owner").send().await.unwrap().json().await.unwrap();
    let notice = &state["fields"]["notice"]["mapValue"]["fields"];
    assert_eq!(
        (&notice["text"]["stringValue"], &notice["level"]["stringValue"]),
        (&json!("Down at 8"), &json!("warning"))
    );
    let flags = &state["fields"]["flags"]["mapValue"]["fields"];
    assert_eq!(
        (&flags["sharing"]["booleanValue"], &flags["tutorials"]["booleanValue"]),
        (&json!(false), &json!(true))
    );

    sign_up(&server, "ada@example.org").await;
    put(&server, &ada, "projects/d", new_project_of("ada")).await;
    put(&server, &ada, "projects/d/components/c", named("Cards")).await;
    put(&server, &ada, "projects/d/components/c/cards/1", json!({})).await;
    put(&server, &ada, "projects/d/components/c/cards/2", json!({})).await;
    for (uid, token, bytes) in [("ada", &ada, 7), ("bob", &unsigned(&json!({"sub": "bob"})), 5)] {
        let url = server.at(&format!("/v0/b/demo.appspot.com/o?uploadType=media&name=users%2F{uid}%2Fa.csv"));
        let upload = Client::new().post(url).header("authorization", format!("Firebase {token}"));
        let answer = upload.header("content-type", "text/csv").body("x".repeat(bytes)).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
    }
    let usage = set("adminUsage", Value::Null).await.unwrap();
    assert_eq!(
        usage,
        json!({"accounts": 1, "projects": 1, "components": 1, "cards": 2, "layouts": 0, "files": 2,
               "fileBytes": 12})
    );
}

#[tokio::test]
async fn one_exports_all_of_ones_own_and_nothing_else() {
    let server = Place::new(None).serve(&["--in-memory"]).await;
    let ada = sign_up(&server, "ada@example.org").await;
    let bob = sign_up(&server, "bob@example.org").await;
    for n in 0..103 {
        let path = format!("users/{}/drafts/{n:03}", ada.uid);
        put(&server, &ada.token, &path, json!({"order": {"integerValue": n.to_string()}})).await;
    }
    for project in ["one", "two"] {
        put(&server, &ada.token, &format!("projects/{project}"), new_project_of(&ada.uid)).await;
        put(&server, &ada.token, &format!("projects/{project}/components/c"), named("Cards")).await;
        for n in 0..98 {
            let path = format!("projects/{project}/components/c/cards/{n:03}");
            put(&server, &ada.token, &path, json!({"order": {"integerValue": n.to_string()}})).await;
        }
    }
    put(&server, &bob.token, "projects/others", new_project_of(&bob.uid)).await;
    let export = |data: Value| call(&server, Some(&ada.token), "exportMyData", data);
    let first = export(json!({})).await.unwrap();
    assert_eq!(first["account"]["email"], json!("ada@example.org"));
    assert!(!first.to_string().contains("argon2"), "no password hash leaves the server");
    // The first page ends inside the first project, the second with the last card of the second.
    let second = export(json!({"after": first["next"]})).await.unwrap();
    assert_eq!(second["account"], Value::Null);
    let pages = [&first, &second];
    let all: Vec<_> = pages.iter().flat_map(|page| page["documents"].as_array().unwrap().clone()).collect();
    let paths: std::collections::BTreeSet<_> =
        all.iter().map(|document| document["path"].as_str().unwrap().to_owned()).collect();
    assert_eq!((all.len(), paths.len()), (303, 303));
    assert_eq!(second["next"], Value::Null);
    assert!(paths.contains("projects/one") && paths.contains("projects/two/components/c/cards/097"));
    assert!(paths.iter().all(|path| !path.contains("others")), "{paths:?}");
    let beyond = export(json!({"after": "projects/two/components/c/cards/097"})).await.unwrap();
    assert_eq!((&beyond["documents"], &beyond["next"]), (&json!([]), &Value::Null));
    let inside = export(json!({"after": "projects/others"})).await.unwrap();
    assert!(!inside.to_string().contains("others"), "{inside}");
    let others = export(json!({"after": format!("users/{}/drafts/d", bob.uid)})).await;
    assert_eq!(others, Err("INVALID_ARGUMENT".to_owned()));
}

#[tokio::test]
async fn one_signs_out_everywhere_and_deletes_oneself() {
    let server = Place::new(None).serve(&["--in-memory"]).await;
    let ada = sign_up(&server, "ada@example.org").await;
    put(&server, &ada.token, "projects/d", new_project_of(&ada.uid)).await;
    call(&server, Some(&ada.token), "signOutEverywhere", Value::Null).await.unwrap();
    let refused = call(&server, Some(&ada.token), "exportMyData", json!({})).await;
    assert_eq!(refused, Err("UNAUTHENTICATED".to_owned()));

    let bob = sign_up(&server, "bob@example.org").await;
    put(&server, &bob.token, "projects/his", new_project_of(&bob.uid)).await;
    put(&server, &bob.token, "projects/his/components/c", named("Cards")).await;
    put(&server, &bob.token, &format!("users/{}/drafts/l", bob.uid), json!({})).await;
    let again = sign_in(&server, "bob@example.org").await;
    let deleted = call(&server, Some(&again.token), "deleteMyAccount", Value::Null).await.unwrap();
    assert_eq!(deleted, json!({"deleted": 3}));
    let gone = call(&server, Some(&again.token), "exportMyData", json!({})).await;
    assert_eq!(gone, Err("UNAUTHENTICATED".to_owned()));
    // The address can be used again.
    sign_up(&server, "bob@example.org").await;
}

#[tokio::test]
async fn projects_of_a_deleted_account_are_offered_and_stay_with_their_members() {
    let server = Place::new(None).serve(&["--in-memory"]).await;
    let ann = sign_up(&server, "ann@example.org").await;
    let ben = sign_up(&server, "ben@example.org").await;
    put(&server, &ann.token, "projects/d", new_project_of(&ann.uid)).await;
    put(&server, &ann.token, "projects/d/components/c", named("Cards")).await;
    let deck = json!({"ownerId": ann.uid, "deckId": "d", "role": "viewer", "days": 1});
    let invited = call(&server, Some(&ann.token), "inviteToDeck", deck).await.unwrap();
    let invitation = json!({"ownerId": ann.uid, "deckId": "d", "invitation": invited["invitation"]});
    call(&server, Some(&ben.token), "acceptInvitation", invitation).await.unwrap();
    let again = sign_in(&server, "ann@example.org").await;
    let delete = async |data| call(&server, Some(&again.token), "deleteMyAccount", data).await;
    assert_eq!(delete(Value::Null).await, Err("FAILED_PRECONDITION".to_owned()));
    let offered = json!({"projects": {"d": {"offerTo": ben.uid}}});
    delete(offered).await.unwrap();
    let look = async || {
        let url = server.at("/v1/projects/demo/databases/(default)/documents/projects/d/components/c");
        Client::new().get(url).bearer_auth(&ben.token).send().await.unwrap().status().as_u16()
    };
    assert_eq!(look().await, 200);
    let answer = json!({"projectId": "d", "accept": true});
    let answered = call(&server, Some(&ben.token), "answerProjectOffer", answer).await.unwrap();
    assert_eq!(answered, json!({"role": "owner"}));
    put(&server, &ben.token, "projects/d/components/c2", named("Tokens")).await;
    let again = sign_in(&server, "ben@example.org").await;
    let deleted = call(&server, Some(&again.token), "deleteMyAccount", Value::Null).await.unwrap();
    assert_eq!(deleted, json!({"deleted": 3}));
}

#[tokio::test]
async fn an_account_that_another_tab_still_writes_for_is_deleted_whole() {
    let server = Place::new(None).serve(&["--in-memory"]).await;
    let bob = sign_up(&server, "bob@example.org").await;
    let again = sign_in(&server, "bob@example.org").await;
    let at = |name: &str| {
        server.at(&format!("/v1/projects/demo/databases/(default)/documents/users/{}/drafts/{name}", bob.uid))
    };
    // Two tabs write until they are refused.
    let tab = |tab: usize| {
        let (client, token, at) = (Client::new(), bob.token.clone(), &at);
        async move {
            let mut written = 0_usize;
            loop {
                let sent =
                    client.patch(at(&format!("d{tab}-{written}"))).bearer_auth(&token).json(&json!({}));
                if sent.send().await.unwrap().status() != 200 {
                    return written;
                }
                written += 1;
            }
        }
    };
    let deletion = async {
        // Not before both have written.
        while Client::new().get(at("d1-3")).bearer_auth(&again.token).send().await.unwrap().status() != 200 {}
        call(&server, Some(&again.token), "deleteMyAccount", Value::Null).await.unwrap()
    };
    let (first, second, deleted) = tokio::join!(tab(0), tab(1), deletion);
    assert_eq!(deleted, json!({ "deleted": first + second }));
}

#[tokio::test]
async fn an_old_sign_in_deletes_nothing() {
    let server = emulator().await;
    let old = unsigned(&json!({"sub": "ada", "auth_time": 1_000}));
    let refused = call(&server, Some(&old), "deleteMyAccount", Value::Null).await;
    assert_eq!(refused, Err("FAILED_PRECONDITION".to_owned()));
}

#[tokio::test]
async fn an_admin_sees_a_project_by_its_owners_leave_and_it_is_logged() {
    let place = Place::new(Some(r#"{"firestore": {"rules": "firestore.rules"}}"#));
    std::fs::write(place.join("firestore.rules"), include_str!("../../../firestore.rules")).unwrap();
    let server = place.serve(&["--in-memory", "--mode", "emulator"]).await;
    let owner = unsigned(&json!({"sub": "ann", "name": "Ann"}));
    let admin = unsigned(&json!({"sub": "boss", "email": "boss@example.org", "admin": true}));
    put(&server, &owner, "projects/d", new_project_of("ann")).await;
    let look = async || {
        let url = server.at("/v1/projects/demo/databases/(default)/documents/projects/d");
        Client::new().get(url).bearer_auth(&admin).send().await.unwrap().status().as_u16()
    };
    assert_eq!(look().await, 403);
    let deck = json!({"ownerId": "ann", "deckId": "d", "role": "viewer", "days": 1});
    let invited = call(&server, Some(&owner), "inviteToDeck", deck).await.unwrap();
    let invitation = json!({"ownerId": "ann", "deckId": "d", "invitation": invited["invitation"]});
    call(&server, Some(&admin), "acceptInvitation", invitation).await.unwrap();
    assert_eq!(look().await, 200);
    let log = call(&server, Some(&admin), "adminLog", json!({})).await.unwrap();
    assert_eq!(
        (&log["entries"][0]["by"], &log["entries"][0]["target"]),
        (&json!("boss@example.org"), &json!("projects/d"))
    );
}
