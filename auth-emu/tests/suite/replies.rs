//! Each operation's reply, whole: reviewed snapshots with ids and secrets taken out.

use serde_json::{Value, json};

use crate::harness::{PROJECT, Server, claims};

/// Replaces values that differ from run to run, at any depth.
fn redacted(mut reply: Value) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    match name.as_str() {
                        "localId" | "user_id" | "sub" | "uid" | "mfaEnrollmentId" | "name"
                            if member.is_string() =>
                        {
                            *member = json!(format!("[{name}]"));
                        }
                        "idToken"
                        | "id_token"
                        | "access_token"
                        | "refreshToken"
                        | "refresh_token"
                        | "oobCode"
                        | "sessionCookie"
                        | "mfaPendingCredential"
                        | "sessionInfo"
                        | "sharedSecretKey"
                        | "temporaryProof"
                        | "passwordHash"
                        | "code"
                        | "tenantId"
                            if member.is_string() =>
                        {
                            *member = json!(format!("[{name}]"));
                        }
                        "oobLink" => {
                            let link = member.as_str().unwrap_or_default();
                            let (start, rest) = link.split_once("oobCode=").unwrap_or((link, ""));
                            let rest = rest.split_once('&').map_or("", |(_, rest)| rest);
                            *member = json!(format!("{start}oobCode=[oobCode]&{rest}"));
                        }
                        _ => walk(member),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(walk),
            _ => {}
        }
    }
    walk(&mut reply);
    reply
}

macro_rules! snapshot {
    ($name:literal, $reply:expr) => {
        let reply = redacted($reply);
        insta::with_settings!({ sort_maps => true, prepend_module_to_snapshot => false }, {
            insta::assert_json_snapshot!($name, reply);
        });
    };
}

#[tokio::test]
async fn password_accounts() {
    let server = Server::emulator().await;
    let up = server.sign_up("Ada@Example.com", "top secret 1").await;
    snapshot!("sign_up", up.clone());
    snapshot!("id_token_of_a_password", claims(&up["idToken"]));
    let again = json!({ "email": "ada@example.com", "password": "top secret 1", "returnSecureToken": true });
    let tokens = server.post("accounts:signInWithPassword", again).await.ok();
    snapshot!("sign_in_with_password", tokens.clone());
    snapshot!("lookup", server.post("accounts:lookup", json!({ "idToken": tokens["idToken"] })).await.ok());
    snapshot!("token", server.refresh(tokens["refreshToken"].as_str().unwrap()).await.ok());
    let profile =
        json!({ "idToken": tokens["idToken"], "displayName": "Ada", "photoUrl": "https://x/y.png" });
    snapshot!("update_profile", server.post("accounts:update", profile).await.ok());
    let password =
        json!({ "idToken": tokens["idToken"], "password": "top secret 2", "returnSecureToken": true });
    let tokens = server.post("accounts:update", password).await.ok();
    snapshot!("update_password", tokens.clone());
    let email = json!({ "idToken": tokens["idToken"], "email": "countess@example.com" });
    let tokens = server.post("accounts:update", email).await.ok();
    snapshot!("update_email", tokens.clone());
    snapshot!("delete", server.post("accounts:delete", json!({ "idToken": tokens["idToken"] })).await.ok());
}

#[tokio::test]
async fn anonymous_accounts() {
    let server = Server::emulator().await;
    let up = server.post("accounts:signUp", json!({ "returnSecureToken": true })).await.ok();
    snapshot!("sign_up_anonymously", up.clone());
    snapshot!("id_token_of_nobody", claims(&up["idToken"]));
    snapshot!("anonymous_account", server.me(&up).await);
}

#[tokio::test]
async fn codes() {
    let server = Server::serving().await;
    let up = server.sign_up("ada@example.com", "top secret 1").await;
    let verify = json!({
        "requestType": "VERIFY_EMAIL", "idToken": up["idToken"], "continueUrl": "https://cards.example/decks",
    });
    snapshot!("send_oob_code", server.post("accounts:sendOobCode", verify).await.ok());
    snapshot!("oob_codes", json!(server.outbox()));
    let code = server.code();
    snapshot!("check_code", server.post("accounts:resetPassword", json!({ "oobCode": code })).await.ok());
    snapshot!("apply_code", server.post("accounts:update", json!({ "oobCode": code })).await.ok());
    let reset = json!({ "requestType": "PASSWORD_RESET", "email": "ada@example.com" });
    server.post("accounts:sendOobCode", reset).await.ok();
    let code = server.code();
    let new = json!({ "oobCode": code, "newPassword": "top secret 2" });
    snapshot!("reset_password", server.post("accounts:resetPassword", new).await.ok());
}

#[tokio::test]
async fn settings() {
    let server = Server::serving().await;
    for (name, path) in [
        ("projects", "v1/projects"),
        ("recaptcha_params", "v1/recaptchaParams"),
        ("recaptcha_config", "v2/recaptchaConfig"),
        ("password_policy", "v2/passwordPolicy"),
    ] {
        let reply = server.get(&format!("/identitytoolkit.googleapis.com/{path}?key=k")).await.ok();
        insta::with_settings!({ sort_maps => true, prepend_module_to_snapshot => false }, {
            insta::assert_json_snapshot!(name, reply);
        });
    }
}

#[tokio::test]
async fn other_ways_in() {
    let server = Server::emulator().await;
    let token = json!({ "uid": "ada", "claims": { "role": "designer" } }).to_string();
    let tokens = server.post("accounts:signInWithCustomToken", json!({ "token": token })).await.ok();
    snapshot!("sign_in_with_custom_token", tokens.clone());
    snapshot!("id_token_of_a_custom_token", claims(&tokens["idToken"]));

    let google =
        json!({ "sub": "g1", "email": "bob@example.com", "email_verified": true, "name": "Bob" }).to_string();
    let body: String = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("providerId", "google.com")
        .append_pair("id_token", &google)
        .finish();
    let idp = json!({ "requestUri": "http://localhost", "postBody": body, "returnSecureToken": true });
    let tokens = server.post("accounts:signInWithIdp", idp).await.ok();
    let mut shown = tokens.clone();
    shown["oauthIdToken"] = json!("[as sent]");
    snapshot!("sign_in_with_idp", shown);
    snapshot!("idp_account", server.me(&tokens).await);

    let sent =
        server.post("accounts:sendVerificationCode", json!({ "phoneNumber": "+15555550100" })).await.ok();
    snapshot!("send_verification_code", sent.clone());
    let codes = server.get(&format!("/emulator/v1/projects/{PROJECT}/verificationCodes")).await.ok();
    snapshot!("verification_codes", codes.clone());
    let code = &codes["verificationCodes"][0]["code"];
    let phone = json!({ "sessionInfo": sent["sessionInfo"], "code": code });
    let tokens = server.post("accounts:signInWithPhoneNumber", phone).await.ok();
    snapshot!("sign_in_with_phone_number", tokens.clone());
    snapshot!("phone_account", server.me(&tokens).await);

    let link = json!({ "requestType": "EMAIL_SIGNIN", "email": "eve@example.com", "continueUrl": "http://localhost/x" });
    server.post("accounts:sendOobCode", link).await.ok();
    let link = json!({ "email": "eve@example.com", "oobCode": server.code() });
    snapshot!("sign_in_with_email_link", server.post("accounts:signInWithEmailLink", link).await.ok());
}

#[tokio::test]
async fn administration() {
    let server = Server::emulator().await;
    let accounts = format!("v1/projects/{PROJECT}/accounts");
    let create =
        json!({ "localId": "ada", "email": "ada@example.com", "rawPassword": "x", "displayName": "Ada" });
    snapshot!("admin_create", server.owner("POST", &accounts, create).await.ok());
    let claims = json!({ "localId": "ada", "customAttributes": r#"{"admin":true}"#, "disableUser": true });
    snapshot!("admin_update", server.owner("POST", &format!("{accounts}:update"), claims).await.ok());
    snapshot!(
        "batch_get",
        server.owner("GET", &format!("{accounts}:batchGet?maxResults=1"), json!({})).await.ok()
    );
    snapshot!("query", server.owner("POST", &format!("{accounts}:query"), json!({})).await.ok());
    let users = json!([{ "localId": "bob", "email": "bob@example.com" }, { "email": "nobody@example.com" }]);
    let upload =
        server.owner("POST", &format!("{accounts}:batchCreate"), json!({ "users": users })).await.ok();
    snapshot!("batch_create", upload);
    let ids = json!({ "localIds": ["ada", "bob", "nobody"] });
    snapshot!("batch_delete", server.owner("POST", &format!("{accounts}:batchDelete"), ids).await.ok());
    let tenants = format!("v2/projects/{PROJECT}/tenants");
    let tenant = json!({ "displayName": "Guild", "allowPasswordSignup": true });
    let tenant = server.owner("POST", &tenants, tenant).await.ok();
    snapshot!("tenant", tenant.clone());
    let path = format!("{tenants}/{}?updateMask=displayName", tenant["tenantId"].as_str().unwrap());
    snapshot!("update_tenant", server.owner("PATCH", &path, json!({ "displayName": "Club" })).await.ok());
    snapshot!("tenants", server.owner("GET", &tenants, json!({})).await.ok());
    let config = format!("v2/projects/{PROJECT}/config?updateMask=signIn.allowDuplicateEmails");
    let allow = json!({ "signIn": { "allowDuplicateEmails": true } });
    snapshot!("config", server.owner("PATCH", &config, allow).await.ok());
}
