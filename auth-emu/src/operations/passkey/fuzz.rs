//! Answers of authenticators, as a function of bytes: the target of `fuzz/` and of the bounded run in the tests.

use std::sync::LazyLock;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use url::Url;

use super::webauthn::{Begun, Credential, Fault, Handle, Site, encoded};

const ORIGIN: &str = "https://cards.example";
const HOST: &str = "cards.example";

/// Data of an authenticator that was there, verified its user and registers a key.
const REGISTERS: u8 = 0x45;
/// Data of one that was there and verified its user.
const SIGNS: u8 = 0x05;
/// A credential's id.
const ID: [u8; 16] = [7; 16];
/// A P-256 key: the curve's base point.
const KEY: [u8; 77] = [
    0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32, 0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC,
    0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2, 0x77, 0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39,
    0x45, 0xD8, 0x98, 0xC2, 0x96, 0x22, 0x58, 32, 0x4F, 0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7,
    0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40,
    0x68, 0x37, 0xBF, 0x51, 0xF5,
];

/// The site and an account of it, with the passkey that the account has.
struct Account {
    site: Site,
    handle: Handle,
    credential: Credential,
}

static ACCOUNT: LazyLock<Result<Account, String>> = LazyLock::new(|| {
    let url = Url::parse(ORIGIN).map_err(|error| error.to_string())?;
    let site = Site::new(&url).ok_or("the origin has no passkeys")?;
    let handle = Handle::new("demo", None, "ada");
    let begun = site.begin_registration(handle, &[]).map_err(|fault| fault.to_string())?;
    let answer = registration(&begun);
    let made = site.finish_registration(handle, &begun.state, &answer).map_err(|fault| fault.to_string())?;
    Ok(Account { site, handle, credential: made })
});

fn data(flags: u8, counter: u32) -> Vec<u8> {
    [&Sha256::digest(HOST)[..], &[flags], &counter.to_be_bytes()].concat()
}

fn client_data(purpose: &str, challenge: &str) -> String {
    let client_data =
        json!({ "type": purpose, "challenge": challenge, "origin": ORIGIN, "crossOrigin": false });
    encoded(client_data.to_string().as_bytes())
}

fn answer(response: &Value) -> Value {
    let id = encoded(&ID);
    json!({ "id": id, "rawId": id, "type": "public-key", "clientExtensionResults": {}, "response": response })
}

/// An answer that registers the key.
fn registration(begun: &Begun) -> Value {
    let attested = [&data(REGISTERS, 1)[..], &[0; 16], &[0, 16], &ID, &KEY].concat();
    let head: &[u8] = b"\xA3\x63fmt\x64none\x67attStmt\xA0\x68authData\x58\x94";
    answer(&json!({
        "clientDataJSON": client_data("webauthn.create", &begun.challenge),
        "attestationObject": encoded(&[head, &attested].concat()),
        "transports": [],
    }))
}

/// An answer that signs in, but for the signature.
fn assertion(begun: &Begun, handle: Handle) -> Value {
    answer(&json!({
        "clientDataJSON": client_data("webauthn.get", &begun.challenge),
        "authenticatorData": encoded(&data(SIGNS, 2)),
        "signature": encoded(&[0x30, 6, 2, 1, 1, 2, 1, 1]),
        "userHandle": handle.text(),
    }))
}

/// An answer to a challenge: the first byte says of which kind, and whether the rest is the whole in JSON or one member
/// of an answer that fits otherwise. No answer signs in, since nothing is signed; a passkey that is registered can be
/// read again.
///
/// # Errors
/// Says what is wrong.
pub fn passkey(data: &[u8]) -> Result<(), String> {
    let Some((kind, bytes)) = data.split_first() else { return Ok(()) };
    let Account { site, handle, credential } = ACCOUNT.as_ref()?;
    let registers = kind % 2 == 0;
    let begun = if registers { site.begin_registration(*handle, &[]) } else { site.begin_sign_in() };
    let begun = begun.map_err(|fault| fault.to_string())?;
    let members: &[&str] = if registers {
        &["clientDataJSON", "attestationObject"]
    } else {
        &["clientDataJSON", "authenticatorData", "signature", "userHandle"]
    };
    let mut answer = if registers { registration(&begun) } else { assertion(&begun, *handle) };
    match members.get(usize::from(kind / 2) % (members.len() + 1)) {
        Some(member) => answer["response"][*member] = json!(encoded(bytes)),
        None => match serde_json::from_slice(bytes) {
            Ok(whole) => answer = whole,
            Err(_) => return Ok(()),
        },
    }
    if registers {
        registered(site, *handle, &begun, &answer)
    } else {
        match site.finish_sign_in(*handle, credential, &begun.state, &answer) {
            Ok(_) => Err("what nobody signed signs in".to_owned()),
            Err(Fault::Stored(what)) => Err(format!("the stored {what} could not be read")),
            Err(Fault::Malformed(_) | Fault::Refused(_) | Fault::Counter) => Ok(()),
        }
    }
}

fn registered(site: &Site, handle: Handle, begun: &Begun, answer: &Value) -> Result<(), String> {
    let made = match site.finish_registration(handle, &begun.state, answer) {
        Ok(made) => made,
        Err(Fault::Stored(what)) => return Err(format!("the stored {what} could not be read")),
        Err(Fault::Malformed(_) | Fault::Refused(_) | Fault::Counter) => return Ok(()),
    };
    let begun = site.begin_sign_in().map_err(|fault| fault.to_string())?;
    match site.finish_sign_in(handle, &made, &begun.state, &assertion(&begun, handle)) {
        Err(Fault::Refused(_)) => Ok(()),
        Err(fault) => Err(format!("a passkey that was registered: {fault}")),
        Ok(_) => Err("what nobody signed signs in".to_owned()),
    }
}
