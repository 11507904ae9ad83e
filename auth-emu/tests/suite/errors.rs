//! Each refusal's code, from a table.

use axum::body::Body;
use serde_json::{Value, json};

use crate::harness::{PROJECT, Server};

/// Operation, body, the exact message.
async fn check(server: &Server, table: &[(&str, Value, &str)]) {
    for (operation, body, message) in table {
        let reply = server.post(operation, body.clone()).await;
        assert_eq!((reply.status, reply.error()), (400, *message), "{operation} {body}");
        assert_eq!(reply.body["error"]["errors"][0]["message"], *message);
        assert!(reply.body["error"].get("status").is_none(), "a plain 400 has no status: {}", reply.body);
    }
}

#[tokio::test]
async fn passwords() {
    let server = Server::emulator().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let token = &ada["idToken"];
    let weak = "WEAK_PASSWORD : Password should be at least 6 characters";
    check(
        &server,
        &[
            (
                "accounts:signUp",
                json!({ "email": "ADA@example.com", "password": "top secret 1" }),
                "EMAIL_EXISTS",
            ),
            ("accounts:signUp", json!({ "email": "bob@example.com" }), "MISSING_PASSWORD"),
            ("accounts:signUp", json!({ "password": "top secret 1" }), "MISSING_EMAIL"),
            ("accounts:signUp", json!({ "email": "", "password": "" }), "INVALID_EMAIL"),
            ("accounts:signUp", json!({ "email": "bob", "password": "top secret 1" }), "INVALID_EMAIL"),
            ("accounts:signUp", json!({ "email": "bob@example.com", "password": "12345" }), weak),
            ("accounts:signUp", json!({ "localId": "x" }), "UNEXPECTED_PARAMETER : User ID"),
            ("accounts:signInWithPassword", json!({ "password": "top secret 1" }), "MISSING_EMAIL"),
            (
                "accounts:signInWithPassword",
                json!({ "email": "ada", "password": "top secret 1" }),
                "INVALID_EMAIL",
            ),
            ("accounts:signInWithPassword", json!({ "email": "ada@example.com" }), "MISSING_PASSWORD"),
            (
                "accounts:signInWithPassword",
                json!({ "email": "bob@x.y", "password": "s" }),
                "EMAIL_NOT_FOUND",
            ),
            (
                "accounts:signInWithPassword",
                json!({ "email": "ada@example.com", "password": "s" }),
                "INVALID_PASSWORD",
            ),
            ("accounts:lookup", json!({}), "MISSING_ID_TOKEN"),
            ("accounts:lookup", json!({ "idToken": "x" }), "INVALID_ID_TOKEN"),
            (
                "accounts:update",
                json!({ "displayName": "x" }),
                "INVALID_REQ_TYPE : Unsupported request parameters.",
            ),
            ("accounts:update", json!({ "idToken": token, "password": "1" }), weak),
            ("accounts:update", json!({ "idToken": token, "email": "x" }), "INVALID_EMAIL"),
            (
                "accounts:update",
                json!({ "idToken": token, "customAttributes": "{}" }),
                "INSUFFICIENT_PERMISSION",
            ),
            ("accounts:update", json!({ "idToken": token, "disableUser": true }), "OPERATION_NOT_ALLOWED"),
            ("accounts:update", json!({ "oobCode": "x" }), "INVALID_OOB_CODE"),
            ("accounts:delete", json!({}), "MISSING_ID_TOKEN"),
            ("accounts:resetPassword", json!({}), "MISSING_OOB_CODE"),
            ("accounts:resetPassword", json!({ "oobCode": "x" }), "INVALID_OOB_CODE"),
        ],
    )
    .await;
}

#[tokio::test]
async fn codes_and_other_ways_in() {
    let server = Server::emulator().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let anonymous = server.post("accounts:signUp", json!({})).await.ok();
    let continue_error = "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))";
    let reset = |more: Value| {
        let mut body = json!({ "requestType": "PASSWORD_RESET" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let idp = |post: &str| json!({ "requestUri": "http://localhost", "postBody": post });
    check(
        &server,
        &[
            ("accounts:sendOobCode", json!({}), "MISSING_REQ_TYPE"),
            ("accounts:sendOobCode", reset(json!({})), "MISSING_EMAIL"),
            ("accounts:sendOobCode", reset(json!({ "email": "bob@example.com" })), "EMAIL_NOT_FOUND"),
            (
                "accounts:sendOobCode",
                reset(json!({ "email": "a@b", "returnOobLink": true })),
                "INSUFFICIENT_PERMISSION",
            ),
            ("accounts:sendOobCode", reset(json!({ "email": "a@b", "continueUrl": "/x" })), continue_error),
            (
                "accounts:sendOobCode",
                reset(json!({ "email": "a@b", "continueUrl": "javascript:0" })),
                continue_error,
            ),
            ("accounts:sendOobCode", json!({ "requestType": "VERIFY_EMAIL" }), "INVALID_ID_TOKEN"),
            (
                "accounts:sendOobCode",
                json!({ "requestType": "VERIFY_EMAIL", "idToken": anonymous["idToken"] }),
                "MISSING_EMAIL",
            ),
            (
                "accounts:sendOobCode",
                json!({ "requestType": "VERIFY_AND_CHANGE_EMAIL" }),
                "MISSING_NEW_EMAIL",
            ),
            (
                "accounts:sendOobCode",
                json!({ "requestType": 7, "idToken": ada["idToken"], "newEmail": "ada@example.com" }),
                "EMAIL_EXISTS",
            ),
            ("accounts:signInWithCustomToken", json!({}), "MISSING_CUSTOM_TOKEN"),
            (
                "accounts:signInWithCustomToken",
                json!({ "token": "x" }),
                "INVALID_CUSTOM_TOKEN : Invalid assertion format",
            ),
            ("accounts:signInWithCustomToken", json!({ "token": "{}" }), "MISSING_IDENTIFIER"),
            (
                "accounts:signInWithCustomToken",
                json!({ "token": r#"{"uid":"a","claims":[]}"# }),
                "INVALID_CLAIMS",
            ),
            (
                "accounts:signInWithCustomToken",
                json!({ "token": r#"{"uid":"a","claims":{"aud":"x"}}"# }),
                "FORBIDDEN_CLAIM : aud",
            ),
            ("accounts:signInWithEmailLink", json!({ "oobCode": "x" }), "MISSING_EMAIL"),
            ("accounts:signInWithEmailLink", json!({ "email": "a@b" }), "MISSING_OOB_CODE"),
            ("accounts:signInWithEmailLink", json!({ "email": "a@b", "oobCode": "x" }), "INVALID_OOB_CODE"),
            ("accounts:signInWithIdp", json!({}), "MISSING_REQUEST_URI"),
            ("accounts:signInWithIdp", json!({ "requestUri": "x" }), "INVALID_REQUEST_URI"),
            (
                "accounts:signInWithIdp",
                idp(""),
                "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: http://localhost/?",
            ),
            (
                "accounts:signInWithIdp",
                idp("providerId=google.com&id_token={\"sub\":1}"),
                "INVALID_IDP_RESPONSE : ((The \"sub\" field must be a string.))",
            ),
            ("accounts:sendVerificationCode", json!({}), "INVALID_PHONE_NUMBER : Invalid format."),
            ("accounts:signInWithPhoneNumber", json!({}), "MISSING_SESSION_INFO"),
            ("accounts:signInWithPhoneNumber", json!({ "sessionInfo": "x" }), "MISSING_CODE"),
            (
                "accounts:signInWithPhoneNumber",
                json!({ "sessionInfo": "x", "code": "1" }),
                "INVALID_SESSION_INFO",
            ),
            ("accounts:signInWithPhoneNumber", json!({ "temporaryProof": "x" }), "MISSING_PHONE_NUMBER"),
            (
                "accounts:signInWithPhoneNumber",
                json!({ "temporaryProof": "x", "phoneNumber": "+1" }),
                "INVALID_TEMPORARY_PROOF",
            ),
            ("accounts:createAuthUri", json!({ "continueUri": "http://x" }), "MISSING_IDENTIFIER"),
            ("accounts:createAuthUri", json!({ "identifier": "a@b" }), "MISSING_CONTINUE_URI"),
            (
                "accounts:createAuthUri",
                json!({ "identifier": "a", "continueUri": "http://x" }),
                "INVALID_IDENTIFIER",
            ),
            (
                "accounts:createAuthUri",
                json!({ "identifier": "a@b", "continueUri": "x" }),
                "INVALID_CONTINUE_URI",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn refresh_tokens() {
    for server in [Server::emulator().await, Server::serving().await] {
        for (body, message) in [
            ("", "MISSING_GRANT_TYPE"),
            ("grant_type=password", "INVALID_GRANT_TYPE"),
            ("grant_type=refresh_token", "MISSING_REFRESH_TOKEN"),
            ("grant_type=refresh_token&refresh_token=x", "INVALID_REFRESH_TOKEN"),
            ("grant_type=refresh_token&refresh_token=r1.YWRh..c2VjcmV0", "INVALID_REFRESH_TOKEN"),
            ("grant_type=refresh_token&refresh_token=e30=", "INVALID_REFRESH_TOKEN"),
        ] {
            let request = Server::request("POST", "/securetoken.googleapis.com/v1/token?key=k")
                .header("content-type", "application/x-www-form-urlencoded");
            let reply = server.send(request.body(Body::from(body)).unwrap()).await;
            assert_eq!((reply.status, reply.error()), (400, message), "{body}");
        }
    }
}

#[tokio::test]
async fn administrators_only() {
    let server = Server::emulator().await;
    let accounts = format!("v1/projects/{PROJECT}/accounts");
    for (operation, body, message) in [
        ("", json!({ "localId": "a", "phoneNumber": "5" }), "INVALID_PHONE_NUMBER : Invalid format."),
        (":update", json!({}), "MISSING_LOCAL_ID"),
        (":update", json!({ "localId": "nobody" }), "USER_NOT_FOUND"),
        (":update", json!({ "localId": "nobody", "customAttributes": "x" }), "INVALID_CLAIMS"),
        (":delete", json!({}), "MISSING_LOCAL_ID"),
        (":delete", json!({ "localId": "nobody" }), "USER_NOT_FOUND"),
        (":batchDelete", json!({}), "LOCAL_ID_LIST_EXCEEDS_LIMIT"),
        (":batchCreate", json!({}), "MISSING_USER_ACCOUNT"),
        (":lookup", json!({ "tenantId": "a", "idToken": "x" }), "TENANT_ID_MISMATCH"),
    ] {
        let path = match operation {
            ":lookup" => format!("v1/projects/{PROJECT}/tenants/b/accounts:lookup"),
            _ => format!("{accounts}{operation}"),
        };
        let reply = server.owner("POST", &path, body.clone()).await;
        assert_eq!((reply.status, reply.error()), (400, message), "{operation} {body}");
    }
    server.owner("POST", &accounts, json!({ "localId": "ada" })).await.ok();
    let twice = server.owner("POST", &accounts, json!({ "localId": "ada" })).await;
    assert_eq!(twice.error(), "DUPLICATE_LOCAL_ID");
    let bob = json!({ "localId": "bob", "email": "bob@example.com" });
    server.owner("POST", &accounts, bob.clone()).await.ok();
    assert_eq!(
        server.owner("POST", &accounts, bob).await.error(),
        "DUPLICATE_LOCAL_ID",
        "before the address"
    );
    let nobody = server.post("accounts:signUp", json!({})).await.ok();
    let again = json!({ "idToken": nobody["idToken"], "localId": nobody["localId"] });
    assert_eq!(server.owner("POST", &accounts, again).await.error(), "UNEXPECTED_PARAMETER : User ID");
    for duration in ["299", "1209601", "x"] {
        let token = server.post("accounts:signUp", json!({})).await.ok()["idToken"].clone();
        let body = json!({ "idToken": token, "validDuration": duration });
        let reply = server.owner("POST", &format!("v1/projects/{PROJECT}:createSessionCookie"), body).await;
        assert_eq!(reply.error(), "INVALID_DURATION", "{duration}");
    }
}

#[tokio::test]
async fn credentials_and_paths() {
    let server = Server::emulator().await;
    let v1 = "/identitytoolkit.googleapis.com/v1";
    let post = |path: String, authorization: Option<&'static str>| {
        let mut request = Server::request("POST", &path);
        if let Some(authorization) = authorization {
            request = request.header("authorization", authorization);
        }
        server.send(request.body(Body::from("{}")).unwrap())
    };
    let no_key = post(format!("{v1}/accounts:signUp"), None).await;
    assert_eq!((no_key.status, no_key.body["error"]["status"].as_str()), (403, Some("PERMISSION_DENIED")));
    let no_login = post(format!("{v1}/projects/p/accounts:lookup"), None).await;
    assert_eq!(
        (no_login.status, &no_login.body["error"]["errors"][0]["message"]),
        (401, &json!("Login Required."))
    );
    let wrong = post(format!("{v1}/accounts:signUp?key=k"), Some("Bearer x")).await;
    assert_eq!((wrong.status, &wrong.body["error"]["errors"][0]["reason"]), (401, &json!("authError")));
    assert_eq!(post(format!("{v1}/accounts:signUp"), Some("bEaReR OWNER")).await.status, 200);
    assert_eq!(post(format!("{v1}/accounts:signUp?key=k"), Some("Basic x")).await.status, 200);
    let foreign = server.post("accounts:signUp", json!({ "targetProjectId": "other" })).await;
    let message = "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.";
    assert_eq!(foreign.error(), message);
    assert_eq!(post(format!("{v1}/accounts:verifyIosClient?key=k"), None).await.status, 501);
    assert_eq!(post(format!("{v1}/accounts:nonsense?key=k"), None).await.status, 404);
    assert_eq!(post(format!("{v1}/projects/p:nonsense"), Some("Bearer owner")).await.status, 404);
}
