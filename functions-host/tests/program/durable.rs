//! What was acknowledged is there again.

use crate::accounts::{sign_in, sign_up};
use crate::server::Place;

#[tokio::test]
async fn an_account_outlives_a_kill() {
    let place = Place::new(None);
    let server = place.serve(&[]).await;
    let before = sign_up(&server, "ada@example.com").await;
    server.signal("-KILL").await;
    server.ended().await;
    let server = place.serve(&[]).await;
    assert_eq!(sign_in(&server, "ada@example.com").await.uid, before.uid);
}

#[tokio::test]
async fn an_administrator_is_made_on_the_stopped_servers_data() {
    let place = Place::new(None);
    let server = place.serve(&[]).await;
    sign_up(&server, "ada@example.com").await;
    let grant = |email: &'static str| ["admin", "--project", "demo", "grant", email];
    let running = place.run(&grant("ada@example.com")).await;
    assert_eq!(running.code, Some(1));
    assert!(running.stderr.contains("in use"), "{}", running.stderr);
    server.signal("-TERM").await;
    server.ended().await;
    let done = place.run(&grant("ada@example.com")).await;
    assert_eq!((done.code, done.stdout.contains("administrator")), (Some(0), true), "{}", done.stderr);
    let nobody = place.run(&grant("bob@example.com")).await;
    assert_eq!(nobody.code, Some(1));
    assert!(nobody.stderr.contains("bob@example.com"), "{}", nobody.stderr);
    let server = place.serve(&[]).await;
    let token = sign_in(&server, "ada@example.com").await.token;
    assert_eq!(claims(&token)["admin"], true);
}

fn claims(token: &str) -> serde_json::Value {
    use base64::Engine as _;
    let payload = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap());
    serde_json::from_slice(&payload.unwrap()).unwrap()
}
