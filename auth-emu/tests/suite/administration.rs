//! Operations of the server's operator that bypass the wire.

use std::time::Duration;

use docstore::Code;
use docstore::access::Authenticator as _;
use serde_json::{Value, json};

use crate::harness::{PROJECT, Server, claims};

async fn refreshed(server: &Server, tokens: &Value) -> Value {
    let reply = server.refresh(tokens["refreshToken"].as_str().unwrap()).await.ok();
    claims(&reply["id_token"])
}

#[tokio::test]
async fn a_claim_is_granted_and_taken_away() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    server.state.grant_claim("Ada@Example.com", "admin").await.unwrap();
    server.state.grant_claim("ada@example.com", "editor").await.unwrap();
    let after = refreshed(&server, &ada).await;
    assert_eq!((&after["admin"], &after["editor"]), (&json!(true), &json!(true)));
    server.advance(Duration::from_secs(10));
    server.state.revoke_claim("ada@example.com", "admin").await.unwrap();
    let refresh = server.refresh(ada["refreshToken"].as_str().unwrap()).await;
    assert_eq!(refresh.error(), "TOKEN_EXPIRED", "no token shows the claim any more");
    server.advance(Duration::from_secs(2));
    let password = json!({ "email": "ada@example.com", "password": "top secret 1" });
    let again = server.post("accounts:signInWithPassword", password).await.ok();
    let after = claims(&again["idToken"]);
    assert_eq!((after.get("admin"), &after["editor"]), (None, &json!(true)));
    let nobody = server.state.grant_claim("bob@example.com", "admin").await.unwrap_err();
    assert_eq!((nobody.code(), nobody.tag()), (Code::NotFound, "NoSuchAccount"));
    let reserved = server.state.grant_claim("ada@example.com", "sub").await.unwrap_err();
    assert_eq!(reserved.code(), Code::InvalidArgument);
}

#[tokio::test]
async fn a_disabled_account_is_shut_out_at_once() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let bearer = format!("Bearer {}", ada["idToken"].as_str().unwrap());
    server.state.authenticate(PROJECT, Some(&bearer)).await.unwrap();
    server.state.set_disabled("ada@example.com", true).await.unwrap();
    let refused = server.state.authenticate(PROJECT, Some(&bearer)).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
    let password = json!({ "email": "ada@example.com", "password": "top secret 1" });
    let sign_in = server.post("accounts:signInWithPassword", password.clone()).await;
    assert_eq!(sign_in.error(), "USER_DISABLED");
    let guess = json!({ "email": "ada@example.com", "password": "wrong" });
    let guess = server.post("accounts:signInWithPassword", guess).await;
    assert_eq!(guess.error(), "INVALID_LOGIN_CREDENTIALS", "only the owner learns of it");
    assert_eq!(server.refresh(ada["refreshToken"].as_str().unwrap()).await.error(), "USER_DISABLED");
    server.state.set_disabled("ada@example.com", false).await.unwrap();
    server.post("accounts:signInWithPassword", password).await.ok();
}

#[tokio::test]
async fn accounts_are_searched_page_by_page() {
    let server = Server::emulator().await;
    for name in ["ada", "bob", "adam"] {
        server.sign_up(&format!("{name}@example.com"), "top secret 1").await;
    }
    let found = server.state.search_accounts("ADA", None, 10).await.unwrap();
    let mut emails: Vec<_> = found.iter().map(|account| account["email"].as_str().unwrap()).collect();
    emails.sort_unstable();
    assert_eq!(emails, ["ada@example.com", "adam@example.com"]);
    assert!(found.iter().all(|account| account["passwordHash"] == "UkVEQUNURUQ="), "no hash is shown");
    let (mut seen, mut after) = (Vec::new(), None::<String>);
    while let [account] = server.state.search_accounts("", after.as_deref(), 1).await.unwrap().as_slice() {
        after = account["localId"].as_str().map(ToOwned::to_owned);
        seen.push(after.clone());
    }
    assert_eq!(seen.len(), 3);
    assert!(seen.is_sorted());
}

#[tokio::test]
async fn an_imported_password_signs_in_and_is_hashed_anew() {
    let server = Server::emulator().await;
    let scrypt = json!({
        "hashAlgorithm": "SCRYPT", "rounds": 8, "memoryCost": 14, "saltSeparator": "Bw==",
        "signerKey":
            "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
        "users": [{
            "localId": "ada", "email": "ada@example.com", "salt": "TmFDbA==", "passwordHash":
                "V358E8LdWJXAO7muq0CufVpEOXaj8aFiC7T/rcaGieN04q/ZPJ08WhJEHGjj9lz/2TT+/86N5VjVoc5DdBhBiw==",
        }],
    });
    let accounts = format!("v1/projects/{PROJECT}/accounts");
    let (create, get) = (format!("{accounts}:batchCreate"), format!("{accounts}:batchGet"));
    let import = |body: Value| server.owner("POST", &create, body);
    let exported = || server.owner("GET", &get, json!({}));
    let sign_in = |password: &str| {
        let body = json!({ "email": "ada@example.com", "password": password });
        server.post("accounts:signInWithPassword", body)
    };
    let imported = import(scrypt.clone()).await.ok();
    assert_eq!(imported["error"], json!([]));
    let user = exported().await.ok()["users"][0].clone();
    assert_eq!(
        (&user["passwordHash"], &user["salt"]),
        (&scrypt["users"][0]["passwordHash"], &json!("TmFDbA=="))
    );
    assert_eq!(user.get("importedHash"), None, "parameters are not shown");
    assert_eq!(sign_in("passwore").await.error(), "INVALID_PASSWORD");
    assert_eq!(sign_in("password").await.ok()["localId"], "ada");
    let user = exported().await.ok()["users"][0].clone();
    assert_ne!(user["passwordHash"], scrypt["users"][0]["passwordHash"], "hashed anew");
    let hash = user["passwordHash"].as_str().unwrap();
    assert!(
        user["salt"].as_str().is_some_and(|salt| !salt.is_empty() && hash.contains(salt)),
        "its salt is shown by itself too: {user}"
    );
    sign_in("password").await.ok();
    assert_eq!(sign_in("passwore").await.error(), "INVALID_PASSWORD");
    let mut unbounded = scrypt;
    unbounded["memoryCost"] = json!(30);
    let refused = import(unbounded).await;
    assert_eq!(refused.error(), "INVALID_HASH_PARAMETER : memoryCost must be from 1 to 14");
}

#[tokio::test]
async fn a_minted_token_signs_in_for_an_hour_and_nowhere_else() {
    let server = Server::serving().await;
    let token = server.state.mint_custom_token("ada", &json!({ "role": "editor" })).await.unwrap();
    let sign_in = || server.post("accounts:signInWithCustomToken", json!({ "token": token }));
    let tokens = sign_in().await.ok();
    assert_eq!(claims(&tokens["idToken"])["role"], "editor");
    let misuse = server.post("accounts:lookup", json!({ "idToken": token })).await;
    assert_eq!(misuse.error(), "INVALID_ID_TOKEN");
    server.advance(Duration::from_secs(3_600));
    assert!(sign_in().await.error().starts_with("INVALID_CUSTOM_TOKEN : the token has expired"));
    assert!(server.state.mint_custom_token("ada", &json!({ "sub": "eve" })).await.is_err());
}

#[tokio::test]
async fn an_account_made_with_a_claim_has_it_in_every_session_and_is_not_made_anew() {
    let server = Server::serving().await;
    let uid = server.state.create_with_claim("Gus", "guest").await.unwrap();
    let token = server.state.mint_custom_token_of_account(&uid).await.unwrap();
    let sign_in = || server.post("accounts:signInWithCustomToken", json!({ "token": token }));
    let tokens = sign_in().await.ok();
    let claimed = claims(&tokens["idToken"]);
    assert_eq!(
        (&claimed["guest"], &claimed["name"], &claimed["sub"]),
        (&json!(true), &json!("Gus"), &json!(uid))
    );
    // A password of its own makes it no other account.
    let change =
        json!({ "idToken": tokens["idToken"], "email": "gus@example.com", "password": "long enough" });
    server.post("accounts:update", change).await.ok();
    let again = json!({ "email": "gus@example.com", "password": "long enough", "returnSecureToken": true });
    let again = server.post("accounts:signInWithPassword", again).await.ok();
    assert_eq!(claims(&again["idToken"])["guest"], true);
    server.post("accounts:delete", json!({ "idToken": again["idToken"] })).await.ok();
    assert_eq!(sign_in().await.error(), "USER_NOT_FOUND");
    assert!(server.state.create_with_claim("Eve", "sub").await.is_err());
}
