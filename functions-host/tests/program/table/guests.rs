//! Guests of a table over the network, in serving mode: they come by its code, play, and reach nothing else.

use reqwest::Client;
use serde_json::{Value, json};

use crate::accounts::{Person, sign_up};
use crate::server::{Place, Server, new_project_of};
use crate::table::client::cards;

/// Calls a function with a token or without. Returns the result, or the error's status and text.
async fn call(
    server: &Server,
    token: Option<&str>,
    name: &str,
    data: Value,
) -> Result<Value, (String, String)> {
    let mut request = Client::new().post(server.at(&format!("/us-central1-demo/{name}")));
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let body: Value = request.json(&json!({ "data": data })).send().await.unwrap().json().await.unwrap();
    match body.get("error") {
        Some(error) => {
            let text = |key: &str| error[key].as_str().unwrap().to_owned();
            Err((text("status"), text("message")))
        }
        None => Ok(body["result"].clone()),
    }
}

/// The status of a call that is refused.
async fn refused(server: &Server, token: Option<&str>, name: &str, data: Value) -> String {
    call(server, token, name, data).await.unwrap_err().0
}

struct Table {
    server: Server,
    ann: Person,
    id: String,
}

impl Table {
    async fn open(place: &Place) -> Self {
        let server = place.serve(&[]).await;
        let ann = sign_up(&server, "ann@example.com").await;
        let url = server.at("/v1/projects/demo/databases/(default)/documents/projects/d");
        let project = json!({ "fields": new_project_of(&ann.uid) });
        let made = Client::new().patch(url).bearer_auth(&ann.token).json(&project).send().await.unwrap();
        assert_eq!(made.status(), 200, "{}", made.text().await.unwrap());
        let data = json!({"projectId": "d", "name": "Friday", "box": cards(3),
            "seats": [{"name": "Red"}, {"name": "Blue"}]});
        let opened = call(&server, Some(&ann.token), "openTable", data).await.unwrap();
        Self { id: opened["table"].as_str().unwrap().to_owned(), server, ann }
    }

    /// Admission, as the host is sent it.
    async fn admission(&self) -> Value {
        let view =
            call(&self.server, Some(&self.ann.token), "tableView", json!({"table": self.id})).await.unwrap();
        let messages = view["messages"].as_array().unwrap();
        messages.iter().find_map(|message| message.get("admission")).unwrap().clone()
    }

    async fn code(&self) -> String {
        self.admission().await["code"].as_str().unwrap().to_owned()
    }

    async fn change(&self, change: Value) -> Value {
        let data = json!({"table": self.id, "change": change});
        call(&self.server, Some(&self.ann.token), "changeTableAdmission", data).await.unwrap()
    }

    /// Joins without an account, and signs in with the token.
    async fn guest(&self, name: &str) -> Person {
        let data = json!({"code": self.code().await, "name": name});
        let joined = call(&self.server, None, "joinTable", data).await.unwrap();
        assert_eq!((&joined["table"], &joined["name"]), (&json!(self.id), &json!("Friday")));
        sign_in(&self.server, &joined["token"]).await.unwrap()
    }
}

async fn sign_in(server: &Server, token: &Value) -> Result<Person, String> {
    let url = server.at("/identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken?key=tuckbox-demo");
    let body = json!({"token": token, "returnSecureToken": true});
    let body: Value = Client::new().post(url).json(&body).send().await.unwrap().json().await.unwrap();
    if let Some(error) = body.get("error") {
        return Err(error["message"].as_str().unwrap().to_owned());
    }
    let token = body["idToken"].as_str().unwrap().to_owned();
    let url = server.at("/identitytoolkit.googleapis.com/v1/accounts:lookup?key=tuckbox-demo");
    let found = Client::new().post(url).json(&json!({"idToken": token})).send().await.unwrap();
    let found: Value = found.json().await.unwrap();
    Ok(Person { uid: found["users"][0]["localId"].as_str().unwrap().to_owned(), token })
}

#[tokio::test]
async fn a_guest_comes_by_the_code_plays_and_reaches_nothing_else() {
    let place = Place::new(None);
    let table = Table::open(&place).await;
    let Table { server, id, .. } = &table;
    let gus = table.guest("Gus").await;
    let token = Some(gus.token.as_str());
    let act = json!({"verb": "claim", "as": 1, "name": "Gus"});
    let acted = call(server, token, "actAtTable", json!({"table": id, "act": act})).await.unwrap();
    assert!(acted.to_string().contains("\"ack\""), "{acted}");
    let view = call(server, token, "tableView", json!({"table": id})).await.unwrap().to_string();
    assert!(view.contains("\"seats\":[1]") && !view.contains("\"admission\""), "{view}");
    // No other function, whatever it is about.
    for name in [
        "openTable",
        "deleteTable",
        "exportDeck",
        "exportMyData",
        "deleteMyAccount",
        "readInvitation",
        "fetchTable",
    ] {
        assert_eq!(refused(server, token, name, json!({"table": id})).await, "PERMISSION_DENIED", "{name}");
    }
    let admission = json!({"table": id, "change": {"lock": true}});
    assert_eq!(refused(server, token, "changeTableAdmission", admission).await, "PERMISSION_DENIED");
    // No documents and no files.
    let documents = server.at("/v1/projects/demo/databases/(default)/documents/");
    for path in [
        format!("users/{}", gus.uid),
        format!("users/{}/userData/userObject", gus.uid),
        format!("playtests/{id}"),
    ] {
        let fields = json!({"fields": {"name": {"stringValue": "mine"}}});
        let wrote = Client::new().patch(format!("{documents}{path}")).bearer_auth(&gus.token).json(&fields);
        assert_eq!(wrote.send().await.unwrap().status(), 403, "{path}");
        let read =
            Client::new().get(format!("{documents}{path}")).bearer_auth(&gus.token).send().await.unwrap();
        assert_eq!(read.status(), 403, "{path}");
    }
    let url =
        server.at(&format!("/v0/b/demo.appspot.com/o?uploadType=media&name=users%2F{}%2Fa.csv", gus.uid));
    let put = Client::new().post(url).bearer_auth(&gus.token).header("content-type", "text/csv").body("a,b");
    assert_eq!(put.send().await.unwrap().status(), 403);
    // Whoever is signed in joins as themselves, and members of the project need no code.
    let may = sign_up(server, "may@example.com").await;
    let join = json!({"code": table.code().await.to_lowercase(), "name": "May"});
    let joined = call(server, Some(&may.token), "joinTable", join.clone()).await.unwrap();
    assert_eq!((&joined["waits"], joined.get("token")), (&json!(false), None));
    call(server, Some(&may.token), "tableView", json!({"table": id})).await.unwrap();
    call(server, Some(&table.ann.token), "joinTable", join).await.unwrap();
    let people = table.admission().await["people"].clone();
    let names: Vec<_> =
        people.as_array().unwrap().iter().map(|one| (one["name"].clone(), one["guest"].clone())).collect();
    assert_eq!(names.len(), 2);
    assert!(names.contains(&(json!("Gus"), json!(true))) && names.contains(&(json!("May"), json!(false))));
}

#[tokio::test]
async fn wrong_codes_are_limited_and_a_right_one_helps_no_more_then() {
    let place = Place::new(None);
    let table = Table::open(&place).await;
    let Table { server, .. } = &table;
    let code = table.code().await;
    let join = async |code: &str| call(server, None, "joinTable", json!({"code": code, "name": "Eve"})).await;
    for code in ["", "ABC", "ABC0O1", "https://example.com"] {
        assert_eq!(join(code).await.unwrap_err().0, "INVALID_ARGUMENT", "{code}: no guess");
    }
    let wrong = if code == "222222" { "333333" } else { "222222" };
    for _ in 0..10 {
        assert_eq!(join(wrong).await.unwrap_err().0, "NOT_FOUND");
    }
    assert_eq!(join(wrong).await.unwrap_err().0, "RESOURCE_EXHAUSTED");
    assert_eq!(join(&code).await.unwrap_err().0, "RESOURCE_EXHAUSTED");
}

#[tokio::test]
async fn a_host_asks_locks_and_shows_out() {
    let place = Place::new(None);
    let table = Table::open(&place).await;
    let Table { server, id, .. } = &table;
    let view = json!({"table": id});
    let gus = table.guest("Gus").await;
    let first = table.code().await;
    let changed = table.change(json!({"kick": gus.uid})).await;
    assert_ne!(changed["code"], first, "he knows the old one");
    for (name, data) in
        [("tableView", view.clone()), ("joinTable", json!({"code": changed["code"], "name": "Gus"}))]
    {
        assert_eq!(refused(server, Some(&gus.token), name, data).await, "PERMISSION_DENIED", "{name}");
    }
    let old = json!({"code": first, "name": "Other"});
    assert_eq!(refused(server, None, "joinTable", old).await, "NOT_FOUND");
    table.change(json!({"ask": true})).await;
    let join = async |name: &str| {
        let data = json!({"code": table.code().await, "name": name});
        call(server, None, "joinTable", data).await
    };
    let joined = join("May").await.unwrap();
    assert_eq!(joined["waits"], true);
    let may = sign_in(server, &joined["token"]).await.unwrap();
    assert_eq!(refused(server, Some(&may.token), "tableView", view.clone()).await, "FAILED_PRECONDITION");
    table.change(json!({"letIn": may.uid})).await;
    call(server, Some(&may.token), "tableView", view.clone()).await.unwrap();
    table.change(json!({"lock": true})).await;
    assert_eq!(join("Eve").await.unwrap_err().0, "FAILED_PRECONDITION");
    call(server, Some(&may.token), "tableView", view.clone()).await.unwrap();
    for change in
        [json!({"kick": table.ann.uid}), json!({"newCode": false}), json!({"open": true}), json!(null)]
    {
        let data = json!({"table": id, "change": change});
        assert_eq!(
            refused(server, Some(&table.ann.token), "changeTableAdmission", data).await,
            "INVALID_ARGUMENT",
            "{change}"
        );
    }
    let nobody = json!({"table": id, "change": {"kick": "nobody"}});
    assert_eq!(refused(server, Some(&table.ann.token), "changeTableAdmission", nobody).await, "NOT_FOUND");
}

#[tokio::test]
async fn a_code_ends_with_its_game() {
    let place = Place::new(None);
    let table = Table::open(&place).await;
    let Table { server, id, ann } = &table;
    let code = table.code().await;
    let joined = call(server, None, "joinTable", json!({"code": code, "name": "Gus"})).await.unwrap();
    let gus = sign_in(server, &joined["token"]).await.unwrap();
    let end = json!({"table": id, "act": {"verb": "end", "result": "Gus won"}});
    call(server, Some(&ann.token), "actAtTable", end).await.unwrap();
    // A view after it is answered once the public document says so.
    call(server, Some(&ann.token), "tableView", json!({"table": id})).await.unwrap();
    let late = json!({"code": code, "name": "Late"});
    let (status, text) = call(server, None, "joinTable", late.clone()).await.unwrap_err();
    assert!(status == "FAILED_PRECONDITION" && text.contains("ended"), "{status} {text}");
    let new = json!({"table": id, "change": {"newCode": true}});
    assert_eq!(refused(server, Some(&ann.token), "changeTableAdmission", new).await, "FAILED_PRECONDITION");
    call(server, Some(&gus.token), "tableView", json!({"table": id})).await.unwrap();
    call(server, Some(&ann.token), "deleteTable", json!({"table": id})).await.unwrap();
    assert_eq!(refused(server, None, "joinTable", late).await, "NOT_FOUND");
    assert_eq!(refused(server, Some(&gus.token), "tableView", json!({"table": id})).await, "NOT_FOUND");
}

#[tokio::test]
async fn a_guest_who_deletes_the_account_does_not_come_back_as_more() {
    let place = Place::new(None);
    let table = Table::open(&place).await;
    let Table { server, .. } = &table;
    let data = json!({"code": table.code().await, "name": "Gus"});
    let joined = call(server, None, "joinTable", data).await.unwrap();
    let gus = sign_in(server, &joined["token"]).await.unwrap();
    let url = server.at("/identitytoolkit.googleapis.com/v1/accounts:delete?key=tuckbox-demo");
    let gone = Client::new().post(url).json(&json!({"idToken": gus.token})).send().await.unwrap();
    assert_eq!(gone.status(), 200);
    assert_eq!(sign_in(server, &joined["token"]).await.err().unwrap(), "USER_NOT_FOUND");
}

/// Calls a method of sign-in.
async fn identity(server: &Server, method: &str, body: Value) -> Value {
    let url = server.at(&format!("/identitytoolkit.googleapis.com/v1/accounts:{method}?key=tuckbox-demo"));
    Client::new().post(url).json(&body).send().await.unwrap().json().await.unwrap()
}

#[tokio::test]
async fn a_guest_who_signs_up_keeps_the_seat_and_the_games() {
    let place = Place::new(None);
    let table = Table::open(&place).await;
    let Table { server, id, .. } = &table;
    let gus = table.guest("Gus").await;
    let act = json!({"verb": "claim", "as": 1, "name": "Gus"});
    call(server, Some(&gus.token), "actAtTable", json!({"table": id, "act": act})).await.unwrap();
    // As long as nobody can sign in to it, it stays a guest's.
    assert_eq!(refused(server, Some(&gus.token), "keepGuestGames", json!({})).await, "FAILED_PRECONDITION");
    assert_eq!(refused(server, Some(&table.ann.token), "guestToken", json!({})).await, "FAILED_PRECONDITION");
    assert_eq!(refused(server, None, "guestToken", json!({})).await, "UNAUTHENTICATED");
    let token = call(server, Some(&gus.token), "guestToken", json!({})).await.unwrap();
    let again = sign_in(server, &token["token"]).await.unwrap();
    assert_eq!(again.uid, gus.uid);
    let (email, password) = ("gus@example.com", "a long enough one");
    let link =
        json!({"idToken": again.token, "email": email, "password": password, "returnSecureToken": true});
    let linked = identity(server, "signUp", link).await;
    assert_eq!(linked["localId"], json!(gus.uid), "{linked}");
    // Half way, after a crash, the account is a guest's to functions, and is not taken for one to be swept.
    let halfway = linked["idToken"].as_str().unwrap();
    assert_eq!(refused(server, Some(halfway), "openTable", json!({})).await, "PERMISSION_DENIED");
    assert_eq!(refused(server, Some(halfway), "guestToken", json!({})).await, "FAILED_PRECONDITION");
    let kept = call(server, Some(halfway), "keepGuestGames", json!({})).await.unwrap();
    assert_eq!(kept, json!({"kept": true}));
    let signed = json!({"email": email, "password": password, "returnSecureToken": true});
    let signed = identity(server, "signInWithPassword", signed).await;
    assert_eq!(signed["localId"], json!(gus.uid), "{signed}");
    let own = signed["idToken"].as_str().unwrap();
    assert_eq!(call(server, Some(own), "keepGuestGames", json!({})).await.unwrap(), json!({"kept": false}));
    assert_eq!(refused(server, Some(own), "openTable", json!({})).await, "INVALID_ARGUMENT", "no guest");
    // The seat is theirs, and the table is in their list.
    let view = call(server, Some(own), "tableView", json!({"table": id})).await.unwrap().to_string();
    assert!(view.contains("\"seats\":[1]"), "{view}");
    let listed = server.at(&format!("/v1/projects/demo/databases/(default)/documents/playtests/{id}"));
    let listed = Client::new().get(listed).bearer_auth(own).send().await.unwrap();
    assert_eq!(listed.status(), 200, "{}", listed.text().await.unwrap());
}
