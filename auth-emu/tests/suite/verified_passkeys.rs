//! Passkeys in serving mode, which verifies what authenticators sign.

use std::time::Duration;

use docstore::access::Mode;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::harness::{Reply, Server, claims};
use super::software_authenticator::{PRESENT, Passkey, Signs, VERIFIED, decoded, encoded};

const START_ENROLLMENT: &str = "accounts/passkeyEnrollment:start";
const ENROLL: &str = "accounts/passkeyEnrollment:finalize";
const START_SIGN_IN: &str = "accounts/passkeySignIn:start";
const SIGN_IN: &str = "accounts/passkeySignIn:finalize";
const UNVERIFIED: &str = "INVALID_AUTHENTICATOR_RESPONSE : The passkey could not be verified. Start again.";

async fn start_enrollment(server: &Server, tokens: &Value) -> Value {
    server.post2(START_ENROLLMENT, json!({ "idToken": tokens["idToken"] })).await.ok()
}

async fn finish_enrollment(server: &Server, tokens: &Value, begun: &Value, answer: &Value) -> Reply {
    let body = json!({
        "idToken": tokens["idToken"], "sessionInfo": begun["sessionInfo"], "name": "Laptop",
        "authenticatorRegistrationResponse": answer,
    });
    server.post2(ENROLL, body).await
}

pub(crate) async fn enroll(server: &Server, tokens: &Value, passkey: &mut Passkey) -> Reply {
    let begun = start_enrollment(server, tokens).await;
    let answer = passkey.register(&begun["credentialCreationOptions"]);
    finish_enrollment(server, tokens, &begun, &answer).await
}

async fn start_sign_in(server: &Server) -> Value {
    server.post2(START_SIGN_IN, json!({})).await.ok()
}

async fn finish_sign_in(server: &Server, begun: &Value, answer: &Value) -> Reply {
    let body = json!({ "sessionInfo": begun["sessionInfo"], "authenticatorAuthenticationResponse": answer });
    server.post2(SIGN_IN, body).await
}

pub(crate) async fn sign_in(server: &Server, passkey: &mut Passkey) -> Reply {
    let begun = start_sign_in(server).await;
    let answer = passkey.sign_in(&begun["credentialRequestOptions"]);
    finish_sign_in(server, &begun, &answer).await
}

/// A server, the tokens of an account of it, and the account's passkey.
pub(crate) async fn ada_with_passkey() -> (Server, Value, Passkey) {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let mut passkey = Passkey::new("one", Signs::es256());
    enroll(&server, &ada, &mut passkey).await.ok();
    (server, ada, passkey)
}

#[tokio::test]
async fn a_passkey_of_each_algorithm_signs_its_account_in_until_it_is_removed() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    for (name, signs) in [("p", Signs::es256()), ("e", Signs::ed_dsa()), ("r", Signs::rs256())] {
        let mut passkey = Passkey::new(name, signs);
        let enrolled = enroll(&server, &ada, &mut passkey).await.ok();
        assert_eq!(
            claims(&enrolled["idToken"])["firebase"]["sign_in_provider"],
            "password",
            "the session goes on"
        );
        server.advance(Duration::from_secs(1));
        let session = sign_in(&server, &mut passkey).await.ok();
        let said = claims(&session["idToken"]);
        assert_eq!((&said["sub"], &said["auth_time"]), (&ada["localId"], &json!(server.seconds())));
        assert_eq!(said["firebase"]["sign_in_provider"], "passkey");
        assert_eq!(said["firebase"]["sign_in_second_factor"], "passkey");
        server.refresh(session["refreshToken"].as_str().unwrap()).await.ok();
        let shown = server.me(&ada).await["passkeyInfo"][0].clone();
        assert_eq!((&shown["credentialId"], &shown["name"]), (&json!(passkey.id()), &json!("Laptop")));
        let mut members: Vec<_> = shown.as_object().unwrap().keys().map(String::as_str).collect();
        members.sort_unstable();
        assert_eq!(members, ["addedAt", "credentialId", "name", "usedAt"], "keys and counters stay here");
        let gone = json!({ "idToken": ada["idToken"], "deletePasskey": [passkey.id()] });
        server.post("accounts:update", gone).await.ok();
        assert_eq!(sign_in(&server, &mut passkey).await.error(), "PASSKEY_CREDENTIAL_NOT_FOUND");
    }
}

#[tokio::test]
async fn options_name_site_account_and_known_passkeys() {
    let (server, ada, passkey) = ada_with_passkey().await;
    let begun = start_enrollment(&server, &ada).await;
    let options = &begun["credentialCreationOptions"];
    assert_eq!(options["rp"]["id"], "cards.example");
    assert_eq!(options["user"]["name"], "ada@example.com");
    assert_eq!(options["attestation"], "none");
    assert_eq!(options["excludeCredentials"][0]["id"], passkey.id());
    assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
    assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
    let algorithms: Vec<_> =
        options["pubKeyCredParams"].as_array().unwrap().iter().map(|one| &one["alg"]).collect();
    assert_eq!(algorithms, [&json!(-8), &json!(-7), &json!(-257)]);
    let options = &start_sign_in(&server).await["credentialRequestOptions"];
    assert_eq!(
        (&options["rpId"], &options["userVerification"]),
        (&json!("cards.example"), &json!("required"))
    );
    assert_ne!(start_sign_in(&server).await["credentialRequestOptions"]["challenge"], options["challenge"]);
}

#[tokio::test]
async fn an_answer_works_once_and_for_five_minutes() {
    let (server, ada, mut passkey) = ada_with_passkey().await;
    let begun = start_sign_in(&server).await;
    let answer = passkey.sign_in(&begun["credentialRequestOptions"]);
    finish_sign_in(&server, &begun, &answer).await.ok();
    let again = finish_sign_in(&server, &begun, &answer).await;
    assert!(again.error().starts_with("INVALID_SESSION_INFO"), "{}", again.error());
    // A further answer to the same challenge is none, either.
    let further = passkey.sign_in(&begun["credentialRequestOptions"]);
    assert!(finish_sign_in(&server, &begun, &further).await.error().starts_with("INVALID_SESSION_INFO"));

    let begun = start_sign_in(&server).await;
    let late = passkey.sign_in(&begun["credentialRequestOptions"]);
    let enrollment = start_enrollment(&server, &ada).await;
    let mut other = Passkey::new("two", Signs::es256());
    let made = other.register(&enrollment["credentialCreationOptions"]);
    server.advance(Duration::from_secs(299));
    finish_enrollment(&server, &ada, &enrollment, &made).await.ok();
    let gone = json!({ "idToken": ada["idToken"], "deletePasskey": [other.id()] });
    server.post("accounts:update", gone).await.ok();
    let again = finish_enrollment(&server, &ada, &enrollment, &made).await;
    assert!(again.error().starts_with("INVALID_SESSION_INFO"), "a registration works once, too");
    server.advance(Duration::from_secs(1));
    let late = finish_sign_in(&server, &begun, &late).await;
    assert!(late.error().starts_with("PASSKEY_CHALLENGE_TIMEOUT"), "{}", late.error());
    sign_in(&server, &mut passkey).await.ok();
}

#[tokio::test]
async fn two_sign_ins_with_one_answer_are_one() {
    let (server, _, mut passkey) = ada_with_passkey().await;
    let begun = start_sign_in(&server).await;
    let answer = passkey.sign_in(&begun["credentialRequestOptions"]);
    let both = futures::future::join_all((0..8).map(|_| finish_sign_in(&server, &begun, &answer))).await;
    assert_eq!(both.iter().filter(|reply| reply.status == 200).count(), 1);
}

/// A change to a passkey before it answers.
type Change = (&'static str, fn(&mut Passkey));

/// Faults of an answer, whatever it is for.
const FAULTS: [Change; 9] = [
    ("another origin", |passkey| passkey.origin = "https://evil.example".to_owned()),
    ("another port", |passkey| passkey.origin = "https://cards.example:8443".to_owned()),
    ("another scheme", |passkey| passkey.origin = "http://cards.example".to_owned()),
    ("a site below", |passkey| passkey.origin = "https://sub.cards.example".to_owned()),
    ("another site", |passkey| passkey.site = "evil.example".to_owned()),
    ("a user who was not verified", |passkey| passkey.flags = PRESENT),
    ("nobody there", |passkey| passkey.flags = VERIFIED),
    ("another type", |passkey| passkey.purpose = Some("payment.get")),
    ("a frame of another site", |passkey| passkey.cross_origin = true),
];

#[tokio::test]
async fn a_sign_in_that_does_not_fit_is_refused() {
    let (server, _, _) = ada_with_passkey().await;
    let bob = server.sign_up("bob@example.com", "top secret 1").await;
    for (what, change) in FAULTS {
        let mut passkey = Passkey::new(what, Signs::es256());
        enroll(&server, &bob, &mut passkey).await.ok();
        change(&mut passkey);
        assert_eq!(sign_in(&server, &mut passkey).await.error(), UNVERIFIED, "{what}");
    }
}

#[tokio::test]
async fn an_enrollment_that_does_not_fit_is_refused() {
    let (server, ada, known) = ada_with_passkey().await;
    for (what, change) in FAULTS {
        let mut passkey = Passkey::new(what, Signs::es256());
        change(&mut passkey);
        assert_eq!(enroll(&server, &ada, &mut passkey).await.error(), UNVERIFIED, "{what}");
    }
    let keys: [(&str, Vec<u8>); 5] = [
        ("an unknown algorithm", vec![0xA5, 1, 2, 3, 0x38, 0x2E, 0x20, 1, 0x21, 0x41, 0, 0x22, 0x41, 0]),
        (
            "a point off the curve",
            [&[0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32][..], &[7; 32], &[0x22, 0x58, 32], &[9; 32]]
                .concat(),
        ),
        ("no key", vec![0xA0]),
        ("a key with something behind it", [Signs::es256().public(), vec![0]].concat()),
        ("a short key", vec![0xA5, 1, 2, 3, 0x26]),
    ];
    for (what, key) in keys {
        let mut passkey = Passkey::new(what, Signs::es256());
        passkey.public = Some(key);
        assert_eq!(enroll(&server, &ada, &mut passkey).await.error(), UNVERIFIED, "{what}");
    }
    let bob = server.sign_up("bob@example.com", "top secret 1").await;
    for tokens in [&ada, &bob] {
        let mut twice = Passkey { id: known.id.clone(), ..Passkey::new("", Signs::es256()) };
        assert_eq!(enroll(&server, tokens, &mut twice).await.error(), "CREDENTIAL_ALREADY_IN_USE");
    }
    assert_eq!(server.me(&ada).await["passkeyInfo"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_challenge_is_for_one_purpose_and_one_account() {
    let (server, ada, mut passkey) = ada_with_passkey().await;
    let bob = server.sign_up("bob@example.com", "top secret 1").await;
    let of_ada = start_enrollment(&server, &ada).await;
    let mut other = Passkey::new("other", Signs::es256());
    let made = other.register(&of_ada["credentialCreationOptions"]);
    let foreign = finish_enrollment(&server, &bob, &of_ada, &made).await;
    assert!(foreign.error().starts_with("INVALID_SESSION_INFO"), "{}", foreign.error());
    let signing_in = start_sign_in(&server).await;
    // The session of one ceremony with the challenge of another.
    for (begun, answered) in [(&signing_in, &of_ada), (&of_ada, &signing_in)] {
        let options = |begun: &Value| {
            let both = [&begun["credentialCreationOptions"], &begun["credentialRequestOptions"]];
            both.into_iter().find(|options| options.is_object()).unwrap().clone()
        };
        let answer = passkey.sign_in(&options(answered));
        finish_sign_in(&server, begun, &answer).await.error();
    }
    let other_challenge = passkey.sign_in(&start_sign_in(&server).await["credentialRequestOptions"]);
    assert_eq!(finish_sign_in(&server, &signing_in, &other_challenge).await.error(), UNVERIFIED);
    for session in [Value::Null, json!("x.y.z"), ada["idToken"].clone(), of_ada["sessionInfo"].clone()] {
        let answer = passkey.sign_in(&signing_in["credentialRequestOptions"]);
        let refused = finish_sign_in(&server, &json!({ "sessionInfo": session }), &answer).await;
        assert!(refused.error().contains("SESSION_INFO"), "{session}");
    }
    // Nor does the state of a ceremony open anything else.
    let lookup = json!({ "idToken": signing_in["sessionInfo"] });
    assert_eq!(server.post("accounts:lookup", lookup).await.error(), "INVALID_ID_TOKEN");
}

#[tokio::test]
async fn a_passkey_signs_in_to_its_own_account_only() {
    let (server, _, ada_s) = ada_with_passkey().await;
    let bob = server.sign_up("bob@example.com", "top secret 1").await;
    let mut bob_s = Passkey::new("bob", Signs::es256());
    enroll(&server, &bob, &mut bob_s).await.ok();
    let own_id = bob_s.id.clone();
    bob_s.id.clone_from(&ada_s.id);
    assert_eq!(sign_in(&server, &mut bob_s).await.error(), UNVERIFIED, "Ada's id, Bob's key");
    bob_s.id = own_id;
    let own_handle = std::mem::replace(&mut bob_s.handle, ada_s.handle.clone());
    assert_eq!(sign_in(&server, &mut bob_s).await.error(), UNVERIFIED, "Bob's key, Ada's handle");
    bob_s.handle = own_handle;
    assert_eq!(claims(&sign_in(&server, &mut bob_s).await.ok()["idToken"])["sub"], bob["localId"]);
}

#[tokio::test]
async fn a_counter_that_does_not_grow_is_refused_where_one_counts() {
    let (server, ada, mut passkey) = ada_with_passkey().await;
    passkey.counter = 40;
    sign_in(&server, &mut passkey).await.ok();
    for counter in [41, 7, 0] {
        passkey.counter = counter;
        let begun = start_sign_in(&server).await;
        let answer = passkey.sign_in_without_counting(&begun["credentialRequestOptions"]);
        assert_eq!(finish_sign_in(&server, &begun, &answer).await.error(), UNVERIFIED, "{counter}");
    }
    passkey.counter = 41;
    sign_in(&server, &mut passkey).await.ok();
    let mut synced = Passkey { counter: 0, ..Passkey::new("synced", Signs::es256()) };
    enroll(&server, &ada, &mut synced).await.ok();
    for _ in 0..2 {
        let begun = start_sign_in(&server).await;
        let answer = synced.sign_in_without_counting(&begun["credentialRequestOptions"]);
        finish_sign_in(&server, &begun, &answer).await.ok();
    }
}

#[tokio::test]
async fn adding_and_removing_take_a_recent_sign_in() {
    let (server, ada, mut passkey) = ada_with_passkey().await;
    let begun = start_enrollment(&server, &ada).await;
    let answer = Passkey::new("two", Signs::es256()).register(&begun["credentialCreationOptions"]);
    server.advance(Duration::from_secs(302));
    let old = "CREDENTIAL_TOO_OLD_LOGIN_AGAIN";
    let start = server.post2(START_ENROLLMENT, json!({ "idToken": ada["idToken"] })).await;
    assert_eq!(start.error(), old);
    assert_eq!(finish_enrollment(&server, &ada, &begun, &answer).await.error(), old);
    let gone = |tokens: &Value| json!({ "idToken": tokens["idToken"], "deletePasskey": [passkey.id()] });
    assert_eq!(server.post("accounts:update", gone(&ada)).await.error(), old);
    let body = gone(&ada);
    let session = sign_in(&server, &mut passkey).await.ok();
    let body = json!({ "idToken": session["idToken"], "deletePasskey": body["deletePasskey"] });
    server.post("accounts:update", body).await.ok();
    for operation in [START_ENROLLMENT, ENROLL] {
        assert_eq!(server.post2(operation, json!({})).await.error(), "MISSING_ID_TOKEN");
    }
}

#[tokio::test]
async fn an_account_has_at_most_ten() {
    let (server, ada, _) = ada_with_passkey().await;
    let early = start_enrollment(&server, &ada).await;
    for number in 1..10 {
        enroll(&server, &ada, &mut Passkey::new(&number.to_string(), Signs::es256())).await.ok();
    }
    let full = "PASSKEY_LIMIT_EXCEEDED";
    let start = server.post2(START_ENROLLMENT, json!({ "idToken": ada["idToken"] })).await;
    assert_eq!(start.error(), full);
    let answer = Passkey::new("more", Signs::es256()).register(&early["credentialCreationOptions"]);
    assert_eq!(finish_enrollment(&server, &ada, &early, &answer).await.error(), full);
}

#[tokio::test]
async fn a_passkey_stands_for_both_factors_and_only_both_may_add_one() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    server.verify(&ada).await;
    let ada = server.sign_in_with("x", "ada@example.com", "top secret 1").await;
    let before = server.sign_in_with("x", "ada@example.com", "top secret 1").await;
    let (_, enrolled) = server.enroll(&ada).await;
    let start = server.post2(START_ENROLLMENT, json!({ "idToken": before["idToken"] })).await;
    assert_eq!(start.error(), "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "the password alone was shown");
    let mut passkey = Passkey::new("one", Signs::es256());
    enroll(&server, &enrolled, &mut passkey).await.ok();
    let session = sign_in(&server, &mut passkey).await.ok();
    assert!(session["mfaPendingCredential"].is_null(), "no code is asked for");
    let factor = server.me(&session).await["mfaInfo"][0]["mfaEnrollmentId"].clone();
    let withdraw = json!({ "idToken": session["idToken"], "mfaEnrollmentId": factor });
    server.post2("accounts/mfaEnrollment:withdraw", withdraw).await.ok();
}

#[tokio::test]
async fn a_passkey_set_before_the_address_was_proved_goes() {
    let (server, ada, mut passkey) = ada_with_passkey().await;
    let link = json!({ "requestType": "EMAIL_SIGNIN", "email": "ada@example.com" });
    server.post("accounts:sendOobCode", link).await.ok();
    let owner = json!({ "email": "ada@example.com", "oobCode": server.code() });
    let owner = server.post("accounts:signInWithEmailLink", owner).await.ok();
    assert_eq!(owner["localId"], ada["localId"]);
    assert!(server.me(&owner).await["passkeyInfo"].is_null());
    assert_eq!(sign_in(&server, &mut passkey).await.error(), "PASSKEY_CREDENTIAL_NOT_FOUND");
    // One that the owner adds outlives a new password.
    enroll(&server, &owner, &mut passkey).await.ok();
    let reset = json!({ "requestType": "PASSWORD_RESET", "email": "ada@example.com" });
    server.post("accounts:sendOobCode", reset).await.ok();
    let reset = json!({ "oobCode": server.code(), "newPassword": "another secret 2" });
    server.post("accounts:resetPassword", reset).await.ok();
    assert_eq!(
        server.refresh(owner["refreshToken"].as_str().unwrap()).await.error(),
        "INVALID_REFRESH_TOKEN"
    );
    sign_in(&server, &mut passkey).await.ok();
    let disabled = server.state.set_disabled("ada@example.com", true).await;
    assert!(disabled.is_ok());
    assert_eq!(sign_in(&server, &mut passkey).await.error(), "USER_DISABLED");
}

#[tokio::test]
async fn a_passkey_is_renamed_by_its_owner() {
    let (server, ada, passkey) = ada_with_passkey().await;
    let bob = server.sign_up("bob@example.com", "top secret 1").await;
    let rename = async |tokens: &Value, name: &str| {
        let body = json!({ "credentialId": passkey.id(), "name": name });
        let request = Server::request("PATCH", "/__/account/passkeys")
            .header("authorization", format!("Bearer {}", tokens["idToken"].as_str().unwrap()));
        server.send(request.body(body.to_string().into()).unwrap()).await
    };
    rename(&ada, "Phone").await.ok();
    assert_eq!(server.me(&ada).await["passkeyInfo"][0]["name"], "Phone");
    assert_eq!(rename(&bob, "Mine").await.error(), "PASSKEY_CREDENTIAL_NOT_FOUND");
    assert!(rename(&ada, "").await.error().starts_with("INVALID_DISPLAY_NAME"));
    assert!(rename(&ada, &"x".repeat(10_000)).await.error().starts_with("INVALID_DISPLAY_NAME"));
}

#[tokio::test]
async fn challenges_are_limited_by_address() {
    let server = Server::serving().await;
    let begun = futures::future::join_all((0..200).map(|_| server.post2(START_SIGN_IN, json!({})))).await;
    assert_eq!(begun.iter().filter(|reply| reply.status == 200).count(), 120);
    assert!(begun.last().unwrap().error().starts_with("TOO_MANY_ATTEMPTS_TRY_LATER"));
}

#[tokio::test]
async fn only_a_name_with_https_and_this_machine_have_passkeys() {
    let rows = [
        ("https://cards.example:8443", true),
        ("http://localhost:8080", true),
        ("http://cards.example", false),
        ("https://192.0.2.7", false),
        ("http://127.0.0.1:8080", false),
    ];
    for (origin, offered) in rows {
        let server = Server::start(Mode::Serving, |options| options.public_origin = origin.to_owned()).await;
        let begun = server.post2(START_SIGN_IN, json!({})).await;
        assert_eq!(begun.status == 200, offered, "{origin}");
        assert!(offered || begun.error().starts_with("OPERATION_NOT_ALLOWED"), "{origin}");
    }
}

/// The answer with a part of one member, in bytes, cut off or replaced.
fn changed(answer: &Value, member: &str, bytes: &[u8], cut: usize, at: usize) -> Value {
    let mut answer = answer.clone();
    let mut whole = decoded(answer["response"][member].as_str().unwrap());
    whole.truncate(cut);
    let at = at.min(whole.len());
    let rest = whole.split_off(at);
    whole.extend(bytes);
    whole.extend(rest.into_iter().skip(bytes.len()));
    answer["response"][member] = json!(encoded(&whole));
    answer
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever bytes stand in an answer, nothing panics, and no changed assertion signs in.
    #[test]
    fn any_bytes_are_answered(
        bytes in proptest::collection::vec(any::<u8>(), 1..600),
        cut in 0_usize..500,
        at in 0_usize..500,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (server, ada, mut passkey) = ada_with_passkey().await;
            let begun = start_enrollment(&server, &ada).await;
            let made = Passkey::new("two", Signs::es256()).register(&begun["credentialCreationOptions"]);
            for member in ["attestationObject", "clientDataJSON"] {
                let made = changed(&made, member, &bytes, cut, at);
                let reply = finish_enrollment(&server, &ada, &begun, &made).await;
                assert!(matches!(reply.status, 200 | 400), "{member}: {}", reply.body);
            }
            let begun = start_sign_in(&server).await;
            let signed = passkey.sign_in(&begun["credentialRequestOptions"]);
            for member in ["authenticatorData", "signature", "clientDataJSON"] {
                let answer = changed(&signed, member, &bytes, cut, at);
                let reply = finish_sign_in(&server, &begun, &answer).await;
                assert!(answer == signed || reply.error() == UNVERIFIED, "{member}: {}", reply.body);
            }
        });
    }
}

#[tokio::test]
async fn huge_answers_and_answers_of_another_form_are_refused() {
    let (server, ada, _) = ada_with_passkey().await;
    let begun = start_enrollment(&server, &ada).await;
    let made = Passkey::new("two", Signs::es256()).register(&begun["credentialCreationOptions"]);
    let nested = [vec![0xA3], vec![0x81; 100_000]].concat();
    let endless = [b"\xA3\x63fmt\x64none\x67attStmt\xA0\x68authData\x5B".as_slice(), &[0xFF; 8]].concat();
    for object in [nested, endless, vec![0; 150_000]] {
        let mut huge = made.clone();
        huge["response"]["attestationObject"] = json!(encoded(&object));
        assert_eq!(finish_enrollment(&server, &ada, &begun, &huge).await.error(), UNVERIFIED);
    }
    let id = made["id"].clone();
    for answer in
        [json!({ "id": id }), json!({ "id": id, "response": 7 }), json!({ "id": id, "response": {} })]
    {
        assert_eq!(finish_enrollment(&server, &ada, &begun, &answer).await.error(), UNVERIFIED);
    }
    for (answer, error) in [
        (Value::Null, "MISSING_AUTHENTICATOR_RESPONSE"),
        (json!({}), "INVALID_CREDENTIAL_ID"),
        (json!({ "id": "x".repeat(1_365) }), "INVALID_CREDENTIAL_ID"),
    ] {
        assert_eq!(finish_enrollment(&server, &ada, &begun, &answer).await.error(), error);
    }
}
