//! The code in the log of a new server, with which its first admin is made over the network.

use serde_json::{Value, json};

use crate::accounts::{sign_in, sign_up};
use crate::product::call;
use crate::server::Place;

/// The code in the log's line about it.
fn code_in(log: &str) -> String {
    let line = log.lines().find(|line| line.contains("no administrator yet")).unwrap();
    let entry: Value = serde_json::from_str(line).unwrap();
    entry["code"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_code_in_the_log_makes_the_first_admin() {
    let place = Place::new(None);
    let mut server =
        place.serve(&["--in-memory", "--log-format", "json", "--public-url", "https://cards.example"]).await;
    let log = server.logged("no administrator yet").await;
    assert!(log.contains("https://cards.example/admin-control-panel"), "{log}");
    let code = code_in(&log);
    let (ada, bob) = (sign_up(&server, "ada@example.com").await, sign_up(&server, "bob@example.com").await);
    let give = async |token, code: &str| {
        call(&server, token, "becomeFirstAdmin", json!({ "code": code })).await.map(|_| ())
    };
    let state = async || call(&server, Some(&bob.token), "firstAdmin", Value::Null).await.unwrap();
    assert_eq!(state().await["state"], "open");
    assert_eq!(give(None, &code).await, Err("UNAUTHENTICATED".to_owned()));
    assert_eq!(give(Some(&ada.token), "2345-2345-2345").await, Err("INVALID_ARGUMENT".to_owned()));
    assert_eq!(give(Some(&ada.token), &code).await, Ok(()));
    assert_eq!(give(Some(&bob.token), &code).await, Err("FAILED_PRECONDITION".to_owned()));
    assert_eq!(state().await["state"], "closed");
    let usage = async |token: &str| call(&server, Some(token), "adminUsage", Value::Null).await;
    assert_eq!(usage(&sign_in(&server, "ada@example.com").await.token).await.unwrap()["accounts"], 2);
    let refused = usage(&sign_in(&server, "bob@example.com").await.token).await;
    assert_eq!(refused, Err("PERMISSION_DENIED".to_owned()));
}

#[tokio::test]
async fn a_server_that_takes_no_accounts_says_how_its_operator_gets_one() {
    for (mode, told) in [("closed", true), ("invitation", true), ("open", false)] {
        let place = Place::new(None);
        let config = json!({"tuckbox": {"signIn": {"signUp": mode}}});
        std::fs::write(place.join("firebase.json"), config.to_string()).unwrap();
        let mut server = place.serve(&["--in-memory", "--log-format", "json"]).await;
        let log = server.logged("no administrator yet").await;
        let line = log.lines().find(|line| line.contains("no administrator yet")).unwrap();
        assert_eq!(line.contains("restart, sign up, and set it back"), told, "{mode}: {line}");
    }
}

#[tokio::test]
async fn an_emulator_has_no_code() {
    let server = Place::new(None).serve(&["--in-memory", "--mode", "emulator"]).await;
    let ada = sign_up(&server, "ada@example.com").await;
    let state = call(&server, Some(&ada.token), "firstAdmin", Value::Null).await.unwrap();
    assert_eq!(state["state"], "closed");
}
