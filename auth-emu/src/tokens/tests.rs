use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::clock::{Clock as _, ManualClock, SharedClock};
use jsonwebtoken::{Algorithm, EncodingKey, Header};

use super::keyring::{RETIRE_AFTER, ROTATE_AFTER};
use super::*;

const PROJECT: &str = "demo";

fn start() -> Ts {
    Ts::from_micros(1_800_000_000_000_000)
}

fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::new(start()))
}

/// One key for all tests: finding primes is slow.
fn tokens() -> &'static Tokens {
    static TOKENS: OnceLock<Tokens> = OnceLock::new();
    TOKENS.get_or_init(|| Tokens::new(Mode::Serving, Keyring::open(KeySource::InMemory, clock()).unwrap()))
}

fn account() -> Account {
    Account { local_id: "ada".to_owned(), email: Some("ada@example.com".to_owned()), ..Account::default() }
}

fn claims() -> Claims {
    id_token_claims(&account(), PROJECT, &Grant::new("password"), start()).unwrap()
}

fn open(token: &str) -> Result<Claims, TokenFault> {
    tokens().open(token, &id_token_issuer(PROJECT), PROJECT, start())
}

#[tokio::test]
async fn a_sealed_token_opens_with_its_claims() {
    let token = tokens().seal(&claims(), start()).await.unwrap();
    let (header, _) = decode_unverified(&token).unwrap();
    assert_eq!(header["alg"], "RS256");
    assert_eq!(open(&token).unwrap(), claims());
    assert_eq!(open(&token).unwrap(), claims(), "the second time from memory");
}

#[tokio::test]
async fn tokens_of_other_times_and_places_do_not_open() {
    let token = tokens().seal(&claims(), start()).await.unwrap();
    let at = |seconds: u64| Ts::from_micros(start().micros() + seconds * 1_000_000);
    let issuer = id_token_issuer(PROJECT);
    let open = |issuer: &str, audience: &str, now| tokens().open(&token, issuer, audience, now);
    assert!(open(&issuer, PROJECT, at(ID_TOKEN_SECONDS - 1)).is_ok());
    assert_eq!(open(&issuer, PROJECT, at(ID_TOKEN_SECONDS)), Err(TokenFault::Expired));
    assert_eq!(open(&issuer, "other", start()), Err(TokenFault::Foreign));
    assert_eq!(open(&session_cookie_issuer(PROJECT), PROJECT, start()), Err(TokenFault::Foreign));
    let before = Ts::from_micros(start().micros() - 301 * 1_000_000);
    assert_eq!(open(&issuer, PROJECT, before), Err(TokenFault::Premature));
}

#[tokio::test]
async fn forged_tokens_do_not_open() {
    let token = tokens().seal(&claims(), start()).await.unwrap();
    let parts: Vec<&str> = token.split('.').collect();
    let key = tokens().keyring().jwks()["keys"][0].clone();
    let kid = key["kid"].as_str().unwrap();

    let unsigned = encode_unsigned(&claims());
    assert_eq!(open(&unsigned), Err(TokenFault::Algorithm("none".to_owned())));
    let stripped = format!("{}.{}.", parts[0], parts[1]);
    assert_eq!(open(&stripped), Err(TokenFault::Signature));

    let mut admin = claims();
    admin.insert("admin".to_owned(), true.into());
    let payload = URL_SAFE_NO_PAD.encode(Value::Object(admin.clone()).to_string());
    assert_eq!(open(&format!("{}.{payload}.{}", parts[0], parts[2])), Err(TokenFault::Signature));

    // The public key as the secret of a symmetric signature, the classic confusion.
    let secret = EncodingKey::from_secret(key["n"].as_str().unwrap().as_bytes());
    let header = Header { kid: Some(kid.to_owned()), ..Header::new(Algorithm::HS256) };
    let symmetric = jsonwebtoken::encode(&header, &admin, &secret).unwrap();
    assert_eq!(open(&symmetric), Err(TokenFault::Algorithm("HS256".to_owned())));

    let stranger = Tokens::new(Mode::Serving, Keyring::open(KeySource::InMemory, clock()).unwrap());
    let foreign = stranger.seal(&claims(), start()).await.unwrap();
    assert_eq!(open(&foreign), Err(TokenFault::UnknownKey));
    let foreign: Vec<&str> = foreign.split('.').collect();
    assert_eq!(open(&format!("{}.{}.{}", parts[0], foreign[1], foreign[2])), Err(TokenFault::Signature));
}

#[test]
fn what_is_no_token_does_not_open() {
    for text in ["", ".", "..", "...", "a.b.c", "a.b", "e30.e30.", "e30.W10.x", "e30.e30.\u{7f}x"] {
        assert!(open(text).is_err(), "{text:?}");
    }
    assert_eq!(open(&"x".repeat(20_000)), Err(TokenFault::TooLong));
}

#[test]
fn emulator_mode_takes_any_well_formed_token() {
    let tokens = Tokens::new(Mode::Emulator, Keyring::empty(clock()));
    let opened = tokens.open(&encode_unsigned(&claims()), "any", "any", Ts::MAX);
    assert_eq!(opened.unwrap(), claims());
    assert_eq!(tokens.open("nonsense", "any", "any", start()), Err(TokenFault::Malformed));
}

#[test]
fn custom_attributes_add_claims_but_replace_none_of_ours() {
    let mut account = account();
    account.custom_attributes =
        Some(json!({ "admin": true, "user_id": "eve", "email": "eve@x" }).to_string());
    let mut grant = Grant::new("custom");
    grant.extra_claims.insert("sub".to_owned(), "eve".into());
    let claims = id_token_claims(&account, PROJECT, &grant, start()).unwrap();
    assert_eq!(claims["admin"], true);
    assert_eq!(
        (&claims["sub"], &claims["user_id"], &claims["email"]),
        (&json!("ada"), &json!("ada"), &json!("ada@example.com"))
    );
}

#[test]
fn keys_stay_private_and_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("keys");
    let open = || Keyring::open(KeySource::Dir(dir.clone()), clock());
    let first = open().unwrap().jwks();
    assert_eq!(open().unwrap().jwks(), first);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let file = std::fs::read_dir(&dir).unwrap().next().unwrap().unwrap().path();
        assert_eq!((mode(&dir), mode(&file)), (0o700, 0o600));
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        let message = open().unwrap_err().message().to_owned();
        assert!(message.contains("0640") && message.contains("chmod 600"), "{message}");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::write(&file, "no key").unwrap();
        assert!(open().unwrap_err().message().contains("is not an RSA private key"));
    }
}

#[tokio::test]
async fn keys_rotate_and_retire() {
    let folder = tempfile::tempdir().unwrap();
    let clock = clock();
    let shared: SharedClock = clock.clone();
    let keyring = Keyring::open(KeySource::Dir(folder.path().to_owned()), shared).unwrap();
    let old = keyring.sign(claims()).await.unwrap();
    let count = |keyring: &Keyring| keyring.jwks()["keys"].as_array().unwrap().len();

    clock.advance(ROTATE_AFTER - Duration::from_secs(1));
    keyring.rotate_if_due().unwrap();
    assert_eq!((count(&keyring), keyring.is_due(clock.now())), (1, false));
    clock.advance(Duration::from_secs(1));
    assert!(keyring.is_due(clock.now()));
    keyring.rotate_if_due().unwrap();
    assert_eq!(count(&keyring), 2);
    let new = keyring.sign(claims()).await.unwrap();
    assert_ne!(decode_unverified(&old).unwrap().0["kid"], decode_unverified(&new).unwrap().0["kid"]);
    keyring.verify(&old).unwrap();
    keyring.verify(&new).unwrap();

    clock.advance(RETIRE_AFTER);
    keyring.rotate_if_due().unwrap();
    assert_eq!(keyring.verify(&old), Err(TokenFault::UnknownKey));
    keyring.verify(&new).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
