//! Administrators' settings for identity providers, and the pages through which SDKs reach them.

use axum::body::Body;
use docstore::access::Mode;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::harness::{PROJECT, Reply, Server, claims};

fn base(kind: &str) -> String {
    format!("v2/projects/{PROJECT}/{kind}")
}

fn oidc() -> Value {
    json!({
        "displayName": "Guild", "enabled": true, "clientId": "us", "clientSecret": "shared",
        "issuer": "https://guild.example", "responseType": { "code": true },
    })
}

#[tokio::test]
async fn providers_are_created_listed_changed_and_deleted() {
    let server = Server::emulator().await;
    let all = base("oauthIdpConfigs");
    let made = server.owner("POST", &format!("{all}?oauthIdpConfigId=oidc.a"), oidc()).await.ok();
    assert_eq!(made["name"], format!("projects/{PROJECT}/oauthIdpConfigs/oidc.a"));
    let twice = server.owner("POST", &format!("{all}?oauthIdpConfigId=oidc.a"), oidc()).await;
    assert_eq!(twice.error(), "DUPLICATE_CONFIG_ID");
    for id in ["oidc.b", "oidc.c"] {
        server.owner("POST", &format!("{all}?oauthIdpConfigId={id}"), oidc()).await.ok();
    }
    let page = server.owner("GET", &format!("{all}?pageSize=2"), json!({})).await.ok();
    assert_eq!(page["oauthIdpConfigs"].as_array().unwrap().len(), 2);
    let rest = format!("{all}?pageSize=2&pageToken={}", page["nextPageToken"].as_str().unwrap());
    let rest = server.owner("GET", &rest, json!({})).await.ok();
    assert_eq!(rest["oauthIdpConfigs"][0]["name"], format!("projects/{PROJECT}/oauthIdpConfigs/oidc.c"));
    assert_eq!(rest.get("nextPageToken"), None);
    let one = format!("{all}/oidc.a");
    let change = json!({ "displayName": "Club", "issuer": "https://evil.example" });
    let changed = server.owner("PATCH", &format!("{one}?updateMask=displayName"), change).await.ok();
    assert_eq!(
        (&changed["displayName"], &changed["issuer"]),
        (&json!("Club"), &json!("https://guild.example"))
    );
    assert_eq!(server.owner("GET", &one, json!({})).await.ok(), changed);
    server.owner("DELETE", &one, json!({})).await.ok();
    assert_eq!(server.owner("GET", &one, json!({})).await.error(), "CONFIGURATION_NOT_FOUND");
    assert_eq!(server.owner("DELETE", &one, json!({})).await.error(), "CONFIGURATION_NOT_FOUND");
    let tenant = format!("v2/projects/{PROJECT}/tenants/club/oauthIdpConfigs");
    assert_eq!(server.owner("GET", &tenant, json!({})).await.ok()["oauthIdpConfigs"], json!([]));
}

#[tokio::test]
async fn what_a_provider_cannot_be_without_is_asked_for() {
    let server = Server::emulator().await;
    let with = |mut config: Value, name: &str, value: Value| {
        config[name] = value;
        config
    };
    let saml = json!({
        "enabled": true, "spConfig": { "spEntityId": "us", "callbackUri": "https://cards.example/back" },
        "idpConfig": { "idpEntityId": "them", "ssoUrl": "https://guild.example/sso",
            "idpCertificates": [{ "x509Certificate": "-----BEGIN CERTIFICATE-----" }] },
    });
    let table = [
        ("oauthIdpConfigs?oauthIdpConfigId=guild", oidc(), "INVALID_CONFIG_ID"),
        ("oauthIdpConfigs?oauthIdpConfigId=oidc.", oidc(), "INVALID_CONFIG_ID"),
        ("oauthIdpConfigs?oauthIdpConfigId=oidc.a%2Fb", oidc(), "INVALID_CONFIG_ID"),
        ("oauthIdpConfigs", oidc(), "MISSING_CONFIG_ID"),
        (
            "oauthIdpConfigs?oauthIdpConfigId=oidc.a",
            with(oidc(), "clientId", json!("")),
            "MISSING_OAUTH_CLIENT_ID",
        ),
        (
            "oauthIdpConfigs?oauthIdpConfigId=oidc.a",
            with(oidc(), "clientSecret", json!("")),
            "MISSING_OAUTH_CLIENT_SECRET",
        ),
        ("oauthIdpConfigs?oauthIdpConfigId=oidc.a", with(oidc(), "issuer", Value::Null), "MISSING_ISSUER"),
        (
            "oauthIdpConfigs?oauthIdpConfigId=oidc.a",
            with(oidc(), "issuer", json!("x")),
            "INVALID_CONFIG : issuer must be a URL",
        ),
        (
            "inboundSamlConfigs?inboundSamlConfigId=saml.a",
            with(saml.clone(), "idpConfig", Value::Null),
            "MISSING_CONFIG",
        ),
        (
            "inboundSamlConfigs?inboundSamlConfigId=saml.a",
            with(saml.clone(), "spConfig", Value::Null),
            "MISSING_SAML_RELYING_PARTY_CONFIG",
        ),
        ("defaultSupportedIdpConfigs?idpId=oidc.a", oidc(), "INVALID_CONFIG_ID"),
        ("defaultSupportedIdpConfigs?idpId=google.com", json!({}), "MISSING_OAUTH_CLIENT_ID"),
    ];
    for (path, config, expected) in table {
        assert_eq!(server.owner("POST", &base(path), config).await.error(), expected, "{path}");
    }
    let made = server.owner("POST", &base("inboundSamlConfigs?inboundSamlConfigId=saml.a"), saml).await.ok();
    assert_eq!(made["idpConfig"]["ssoUrl"], "https://guild.example/sso");
    let stranger = server.get(&format!("/identitytoolkit.googleapis.com/{}", base("oauthIdpConfigs"))).await;
    assert_eq!(stranger.status, 401);
}

#[tokio::test]
async fn a_provider_that_is_not_enabled_signs_nobody_in() {
    let server = Server::emulator().await;
    let sign_in = |provider: &str| {
        let body = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("providerId", provider)
            .append_pair("id_token", r#"{"sub":"1"}"#)
            .finish();
        server.post("accounts:signInWithIdp", json!({ "requestUri": "http://localhost", "postBody": body }))
    };
    sign_in("oidc.guild").await.ok();
    let mut config = oidc();
    config["enabled"] = json!(false);
    server.owner("POST", &base("oauthIdpConfigs?oauthIdpConfigId=oidc.guild"), config).await.ok();
    assert!(sign_in("oidc.guild").await.error().starts_with("OPERATION_NOT_ALLOWED"));
    sign_in("oidc.club").await.ok();
    let enable = json!({ "enabled": true });
    server.owner("PATCH", &base("oauthIdpConfigs/oidc.guild?updateMask=enabled"), enable).await.ok();
    sign_in("oidc.guild").await.ok();
}

#[tokio::test]
async fn the_pages_of_popups_lead_nowhere_else() {
    let server = Server::emulator().await;
    let visit = async |more: &str| {
        server.get(&format!("/emulator/auth/handler?apiKey=k&appName=a&{more}")).await.status
    };
    let popup = "providerId=google.com&authType=signInViaPopup&redirectUrl=http%3A%2F%2Flocalhost";
    assert_eq!(visit(popup).await, 200);
    for bad in [
        "authType=signInViaPopup",
        "providerId=google.com",
        "providerId=google.com&authType=verifyApp",
        "providerId=google.com&authType=signInViaRedirect",
        "providerId=google.com&authType=signInViaRedirect&redirectUrl=javascript%3Aalert(1)",
    ] {
        assert_eq!(visit(bad).await, 400, "{bad}");
    }
    assert_eq!(server.get("/emulator/auth/iframe?apiKey=k&appName=a").await.status, 200);
    // On the way back from a provider nothing is checked: the page uses the parameters it stored.
    assert_eq!(server.get("/emulator/auth/handler?state=s&code=c").await.status, 200);
}

#[tokio::test]
async fn only_pages_of_the_project_get_what_providers_say() {
    let server = Server::start(Mode::Serving, |options| {
        options.authorized_domains = vec!["app.example".to_owned(), "x; script-src *".to_owned()];
    });
    let server = server.await;
    let policy = async |path: &str| {
        let request = Server::request("GET", path).body(Body::empty()).unwrap();
        let response = server.app.clone().oneshot(request).await.unwrap();
        let header = response.headers().get("content-security-policy").cloned();
        (response.status().as_u16(), header.map(|value| value.to_str().unwrap().to_owned()))
    };
    let allowed = "frame-ancestors 'self' app.example:* cards.example:*".to_owned();
    assert_eq!(policy("/emulator/auth/iframe?apiKey=k&appName=a").await, (200, Some(allowed)));
    let nobody = Some("frame-ancestors 'none'".to_owned());
    let visit = "/emulator/auth/handler?apiKey=k&appName=a&providerId=google.com&authType=signInVia";
    assert_eq!(policy(&format!("{visit}Popup")).await, (200, nobody.clone()));
    for (place, status) in [
        ("https://cards.example/decks", 200),
        ("https://app.example/", 200),
        ("https://evil.example/", 400),
        ("https://app.example.evil.example/", 400),
        ("https://app.example@evil.example/", 400),
        ("app.example://open", 400),
    ] {
        let place: String = url::form_urlencoded::byte_serialize(place.as_bytes()).collect();
        let visited = policy(&format!("{visit}Redirect&redirectUrl={place}")).await;
        assert_eq!(visited.0, status, "{place}");
    }
}

/// Signs in with an answer of a provider, as SDKs pass it on.
async fn sign_in(server: &Server, provider: &str, sub: &str, assertion: Option<Value>) -> Reply {
    let mut body = url::form_urlencoded::Serializer::new(String::new());
    body.append_pair("providerId", provider).append_pair("id_token", &json!({ "sub": sub }).to_string());
    if let Some(assertion) = assertion {
        body.append_pair("SAMLResponse", &assertion.to_string());
    }
    let request =
        json!({ "requestUri": "http://localhost", "postBody": body.finish(), "returnSecureToken": true });
    server.post("accounts:signInWithIdp", request).await
}

#[tokio::test]
async fn a_saml_provider_says_who_one_is_by_its_assertion() {
    let server = Server::emulator().await;
    let assertion = json!({ "assertion": {
        "subject": { "nameId": "ada@example.com" }, "attributeStatements": { "team": ["north"] },
    } });
    let reply = sign_in(&server, "saml.club", "1", Some(assertion.clone())).await.ok();
    assert_eq!(reply["email"], "ada@example.com");
    assert_eq!((&reply["emailVerified"], &reply["isNewUser"]), (&json!(true), &json!(true)));
    assert_eq!((&reply["providerId"], &reply["federatedId"]), (&json!("saml.club"), &json!("1")));
    assert_eq!(reply["rawUserInfo"], r#"{"team":["north"]}"#);
    let token = &claims(&reply["idToken"])["firebase"];
    assert_eq!(token["sign_in_provider"], "saml.club");
    assert_eq!(token["sign_in_attributes"], json!({ "team": ["north"] }));
    assert_eq!(token["identities"]["saml.club"], json!(["1"]));
    let again = sign_in(&server, "saml.club", "1", Some(assertion)).await.ok();
    assert_eq!((&again["localId"], &again["isNewUser"]), (&reply["localId"], &Value::Null));
}

#[tokio::test]
async fn an_assertion_names_its_subject() {
    let server = Server::emulator().await;
    for (assertion, refusal) in [
        (json!({}), "INVALID_IDP_RESPONSE ((Missing assertion in SAMLResponse.))"),
        (json!({ "assertion": {} }), "INVALID_IDP_RESPONSE ((Missing assertion.subject in SAMLResponse.))"),
        (
            json!({ "assertion": { "subject": {} } }),
            "INVALID_IDP_RESPONSE ((Missing assertion.subject.nameId in SAMLResponse.))",
        ),
        (json!("text"), "INVALID_IDP_RESPONSE ((Missing assertion in SAMLResponse.))"),
    ] {
        let reply = sign_in(&server, "saml.club", "1", Some(assertion.clone())).await;
        assert_eq!(reply.error(), refusal, "{assertion}");
    }
    // Without an assertion the claims say who one is.
    let reply = sign_in(&server, "saml.club", "2", None).await.ok();
    assert_eq!((&reply["email"], &reply["isNewUser"]), (&Value::Null, &json!(true)));
}

#[tokio::test]
async fn a_saml_provider_that_is_not_enabled_signs_nobody_in() {
    let server = Server::emulator().await;
    let config = json!({
        "enabled": false, "spConfig": { "spEntityId": "us", "callbackUri": "https://cards.example/back" },
        "idpConfig": { "idpEntityId": "them", "ssoUrl": "https://guild.example/sso",
            "idpCertificates": [{ "x509Certificate": "-----BEGIN CERTIFICATE-----" }] },
    });
    let all = base("inboundSamlConfigs");
    server.owner("POST", &format!("{all}?inboundSamlConfigId=saml.club"), config).await.ok();
    let refused = sign_in(&server, "saml.club", "1", None).await;
    assert!(refused.error().starts_with("OPERATION_NOT_ALLOWED"), "{}", refused.error());
    let one = format!("{all}/saml.club");
    server.owner("PATCH", &format!("{one}?updateMask=enabled"), json!({ "enabled": true })).await.ok();
    sign_in(&server, "saml.club", "1", None).await.ok();
}
