//! Users' own functions in serving mode: full rights for the functions, none for their callers.

use std::path::PathBuf;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::accounts::sign_up;
use crate::server::{Place, Server};

const SOURCE: &str = r#"
const { initializeApp } = require('firebase-admin/app');
const { getAuth } = require('firebase-admin/auth');
const { getFirestore } = require('firebase-admin/firestore');
const { getFunctions } = require('firebase-admin/functions');
const { getStorage } = require('firebase-admin/storage');
const { onCall, onRequest } = require('firebase-functions/v2/https');
const { beforeUserCreated } = require('firebase-functions/v2/identity');
const { onDocumentCreatedWithAuthContext } = require('firebase-functions/v2/firestore');
const { onTaskDispatched } = require('firebase-functions/v2/tasks');
initializeApp();
const log = (id, entry) => getFirestore().doc(`log/${id}`).set(entry);

exports.keep = onCall(async ({ data, auth }) => {
  const file = getStorage().bucket().file(`kept/${data.name}`);
  await file.save(data.text, { resumable: false });
  await getFirestore().doc(`log/${data.name}`).set({ by: auth?.uid ?? 'nobody' });
  const found = await getFirestore().doc(`log/${data.name}`).get();
  await getFunctions().taskQueue('later').enqueue({ name: data.name });
  return { by: found.get('by'), text: String((await file.download())[0]) };
});
exports.attested = onCall({ enforceAppCheck: true }, () => 'in');
exports.trusting = onRequest(async (request, response) => {
  const token = await getAuth().verifyIdToken(request.get('x-token')).catch(() => undefined);
  response.json({ uid: token?.uid ?? null, credential: Object.keys(process.env).filter((name) => /CREDENTIAL/.test(name)) });
});
exports.later = onTaskDispatched(({ data }) => log(`task-${data.name}`, { ran: true }));
exports.signed = onDocumentCreatedWithAuthContext('open/{id}', ({ params, authType, authId }) =>
  log(`signed-${params.id}`, { authType, authId: authId ?? 'none' }));
exports.greet = beforeUserCreated(() => ({ displayName: 'asked' }));
"#;

const RULES: &str = "rules_version = '2';
service cloud.firestore { match /databases/{database}/documents {
  match /log/{id} { allow read; }
  match /open/{id} { allow create; }
} }";

/// A place with functions enabled; `None`, with a message, if the suites' packages are not installed.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn place(serve: bool) -> Option<Place> {
    let modules = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../suites/node_modules");
    if !modules.join(".bin/firebase-functions").exists() {
        eprintln!("SKIPPED: run `npm ci` in suites/ to test functions in Node");
        return None;
    }
    let config = json!({
        "functions": { "source": "functions" },
        "firestore": { "rules": "firestore.rules" },
        "tuckbox": { "functions": { "serve": serve } },
    });
    let place = Place::new(Some(&config.to_string()));
    let write = |name: &str, text: &str| std::fs::write(place.join(name), text).unwrap();
    std::fs::create_dir(place.join("functions")).unwrap();
    write("functions/package.json", r#"{ "main": "index.js" }"#);
    write("functions/index.js", SOURCE);
    write("firestore.rules", RULES);
    std::os::unix::fs::symlink(modules.canonicalize().unwrap(), place.join("functions/node_modules"))
        .unwrap();
    Some(place)
}

fn documents(server: &Server, rest: &str) -> String {
    server.at(&format!("/v1/projects/demo/databases/(default)/documents{rest}"))
}

/// The fields of a document once a function has written it.
async fn written(client: &Client, server: &Server, path: &str) -> Value {
    loop {
        let answer = client.get(documents(server, path)).send().await.unwrap();
        match answer.status() {
            StatusCode::OK => return answer.json::<Value>().await.unwrap()["fields"].clone(),
            StatusCode::NOT_FOUND => tokio::task::yield_now().await,
            other => unreachable!("{other}"),
        }
    }
}

#[tokio::test]
async fn functions_have_full_rights_and_their_callers_their_own() {
    let Some(place) = place(true) else { return };
    let server = place.serve(&[]).await;
    let client = Client::new();
    let ada = sign_up(&server, "ada@example.com").await;
    let call = |name: &str| client.post(server.at(&format!("/demo/us-central1/{name}")));
    let data = json!({ "data": { "name": "a", "text": "hello" } });

    let answer = call("keep").bearer_auth(&ada.token).json(&data).send().await.unwrap();
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body, json!({ "result": { "by": ada.uid, "text": "hello" } }));
    assert_eq!(written(&client, &server, "/log/task-a").await["ran"]["booleanValue"], true);
    let forged = call("keep").bearer_auth("owner").json(&data).send().await.unwrap();
    assert_eq!(forged.status(), StatusCode::UNAUTHORIZED);

    // The author of a change is passed on, as the rules saw them.
    for (id, token) in [("x", Some(&ada.token)), ("y", None)] {
        let create = client.post(documents(&server, &format!("/open?documentId={id}"))).json(&json!({}));
        let create = token.iter().fold(create, |create, token| create.bearer_auth(token));
        assert_eq!(create.send().await.unwrap().status(), StatusCode::OK);
    }
    let text = |fields: &Value, key: &str| fields[key]["stringValue"].as_str().unwrap().to_owned();
    let signed = written(&client, &server, "/log/signed-x").await;
    assert_eq!((text(&signed, "authType"), text(&signed, "authId")), ("unknown".into(), ada.uid.clone()));
    let signed = written(&client, &server, "/log/signed-y").await;
    assert_eq!(
        (text(&signed, "authType"), text(&signed, "authId")),
        ("unauthenticated".into(), "none".into())
    );

    // Nobody can impersonate another, neither by an unsigned token nor by such an attestation.
    let unsigned = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJpc3MiOiJodHRwczovL3NlY3VyZXRva2VuLmdvb2dsZS5jb20vZGVtbyIsImF1ZCI6ImRlbW8iLCJzdWIiOiJldmUiLCJpYXQiOjEsImV4cCI6OTk5OTk5OTk5OX0.";
    let answer =
        client.get(server.at("/demo/us-central1/trusting")).header("x-token", unsigned).send().await.unwrap();
    assert_eq!(answer.json::<Value>().await.unwrap(), json!({ "uid": null, "credential": [] }));
    let attested = call("attested").header("x-firebase-appcheck", unsigned).json(&json!({ "data": 1 }));
    assert_eq!(attested.send().await.unwrap().status(), StatusCode::UNAUTHORIZED);

    // Endpoints for the server's own programs are closed to others, and blocking functions are closed to all.
    let topic = || client.post(server.at("/v1/projects/demo/topics/t:publish")).json(&json!({}));
    assert_eq!(topic().send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
    assert_eq!(topic().bearer_auth("owner").send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
    assert_eq!(topic().bearer_auth(&ada.token).send().await.unwrap().status(), StatusCode::FORBIDDEN);
    let letters = client.get(server.at("/emulator/v1/projects/demo/deadLetters")).send().await.unwrap();
    assert_eq!(letters.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(call("greet").json(&data).send().await.unwrap().status(), StatusCode::NOT_FOUND);
    let denied = client.get(documents(&server, "/private/x")).bearer_auth("owner").send().await.unwrap();
    assert_eq!(denied.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn functions_do_not_serve_unless_the_configuration_says_so() {
    let Some(place) = place(false) else { return };
    let server = place.serve(&[]).await;
    let url = server.at("/demo/us-central1/keep");
    let answer = Client::new().post(url).json(&json!({ "data": {} })).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}
