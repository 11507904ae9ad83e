//! An authenticator and the browser around it: makes passkeys and signs challenges with them, rightly or wrongly.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _};
use rsa::pkcs1v15::SigningKey;
use rsa::signature::{SignatureEncoding as _, Signer as _};
use rsa::traits::PublicKeyParts as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::harness::ORIGIN;

/// User present.
pub(crate) const PRESENT: u8 = 1;
/// User verified.
pub(crate) const VERIFIED: u8 = 4;
/// Attested credential data follow.
const ATTESTED: u8 = 0x40;

/// A private key.
pub(crate) enum Signs {
    Es256(EcdsaKeyPair),
    EdDsa(Ed25519KeyPair),
    Rs256(Box<SigningKey<rsa::sha2::Sha256>>),
}

impl Signs {
    pub(crate) fn es256() -> Self {
        let random = SystemRandom::new();
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, made.as_ref(), &random);
        Self::Es256(key.unwrap())
    }

    pub(crate) fn ed_dsa() -> Self {
        let made = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self::EdDsa(Ed25519KeyPair::from_pkcs8(made.as_ref()).unwrap())
    }

    pub(crate) fn rs256() -> Self {
        let key = rsa::RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2_048).unwrap();
        Self::Rs256(Box::new(SigningKey::new(key)))
    }

    /// The public key in COSE's form.
    pub(crate) fn public(&self) -> Vec<u8> {
        match self {
            Self::Es256(key) => {
                let point = key.public_key().as_ref();
                let parts: [&[u8]; 4] = [
                    &[0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32],
                    &point[1..33],
                    &[0x22, 0x58, 32],
                    &point[33..],
                ];
                parts.concat()
            }
            Self::EdDsa(key) => {
                [&[0xA4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32], key.public_key().as_ref()].concat()
            }
            Self::Rs256(key) => {
                let modulus = AsRef::<rsa::RsaPrivateKey>::as_ref(&**key).n().to_bytes_be();
                let head: &[u8] = &[0xA4, 1, 3, 3, 0x39, 1, 0, 0x20, 0x59, 1, 0];
                [head, modulus.as_slice(), &[0x21, 0x43, 1, 0, 1]].concat()
            }
        }
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        match self {
            Self::Es256(key) => key.sign(&SystemRandom::new(), message).unwrap().as_ref().to_vec(),
            Self::EdDsa(key) => key.sign(message).as_ref().to_vec(),
            Self::Rs256(key) => key.sign(message).to_vec(),
        }
    }
}

/// A passkey on an authenticator.
pub(crate) struct Passkey {
    pub(crate) id: Vec<u8>,
    pub(crate) signs: Signs,
    /// COSE bytes in place of the key's own.
    pub(crate) public: Option<Vec<u8>>,
    /// The user handle, in base64url, as the server gave it.
    pub(crate) handle: String,
    pub(crate) counter: u32,
    pub(crate) flags: u8,
    pub(crate) origin: String,
    pub(crate) site: String,
    /// The type in place of the right one.
    pub(crate) purpose: Option<&'static str>,
    pub(crate) cross_origin: bool,
}

impl Passkey {
    pub(crate) fn new(id: &str, signs: Signs) -> Self {
        Self {
            // Authenticators' ids have sixteen bytes and more.
            id: Sha256::digest(id).to_vec(),
            signs,
            public: None,
            handle: String::new(),
            counter: 1,
            flags: PRESENT | VERIFIED,
            origin: ORIGIN.to_owned(),
            site: "cards.example".to_owned(),
            purpose: None,
            cross_origin: false,
        }
    }

    pub(crate) fn id(&self) -> String {
        encoded(&self.id)
    }

    /// Answer to a challenge that registers it.
    pub(crate) fn register(&mut self, options: &Value) -> Value {
        self.handle = options["user"]["id"].as_str().unwrap().to_owned();
        let length = u16::try_from(self.id.len()).unwrap().to_be_bytes();
        let key = self.public.clone().unwrap_or_else(|| self.signs.public());
        let attested = [[0; 16].as_slice(), &length, &self.id, &key].concat();
        let data = [self.data(ATTESTED), attested].concat();
        // Authenticators write lengths in the shortest form.
        let size = match u8::try_from(data.len()) {
            Ok(length) => vec![0x58, length],
            Err(_) => [&[0x59][..], &u16::try_from(data.len()).unwrap().to_be_bytes()].concat(),
        };
        let object = [b"\xA3\x63fmt\x64none\x67attStmt\xA0\x68authData".as_slice(), &size, &data].concat();
        self.answer(&json!({
            "clientDataJSON": encoded(&self.client_data("webauthn.create", options)),
            "attestationObject": encoded(&object),
            "transports": ["internal"],
        }))
    }

    /// Answer to a challenge that signs in with it.
    pub(crate) fn sign_in(&mut self, options: &Value) -> Value {
        self.counter += 1;
        self.sign_in_without_counting(options)
    }

    /// The same without a step of the counter.
    pub(crate) fn sign_in_without_counting(&self, options: &Value) -> Value {
        let client_data = self.client_data("webauthn.get", options);
        let data = self.data(0);
        let signature = self.signs.sign(&[data.as_slice(), &Sha256::digest(&client_data)].concat());
        self.answer(&json!({
            "clientDataJSON": encoded(&client_data),
            "authenticatorData": encoded(&data),
            "signature": encoded(&signature),
            "userHandle": self.handle,
        }))
    }

    fn answer(&self, response: &Value) -> Value {
        json!({
            "id": self.id(), "rawId": self.id(), "type": "public-key", "authenticatorAttachment": "platform",
            "clientExtensionResults": {}, "response": response,
        })
    }

    fn client_data(&self, purpose: &str, options: &Value) -> Vec<u8> {
        let purpose = self.purpose.unwrap_or(purpose);
        let (challenge, origin) = (options["challenge"].as_str().unwrap(), &self.origin);
        let cross = self.cross_origin;
        format!(
            r#"{{"type":"{purpose}","challenge":"{challenge}","origin":"{origin}","crossOrigin":{cross}}}"#
        )
        .into_bytes()
    }

    fn data(&self, flags: u8) -> Vec<u8> {
        let site = Sha256::digest(&self.site);
        [site.as_slice(), &[self.flags | flags], &self.counter.to_be_bytes()].concat()
    }
}

pub(crate) fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn decoded(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap()
}
