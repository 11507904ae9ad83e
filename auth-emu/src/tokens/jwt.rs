//! JSON Web Tokens without a signature, which the JWT library rightly does not make.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::Claims;

/// `header.payload.` with algorithm `none`.
pub(crate) fn encode_unsigned(claims: &Claims) -> String {
    let header = json!({ "alg": "none", "typ": "JWT" });
    let payload = Value::Object(claims.clone());
    format!("{}.{}.", URL_SAFE_NO_PAD.encode(header.to_string()), URL_SAFE_NO_PAD.encode(payload.to_string()))
}

/// Header and claims of any JSON Web Token; nothing is verified.
pub(crate) fn decode_unverified(token: &str) -> Option<(Claims, Claims)> {
    let mut parts = token.split('.');
    let (header, payload, signature) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || !signature.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    Some((object(header)?, object(payload)?))
}

fn object(part: &str) -> Option<Claims> {
    let bytes = URL_SAFE_NO_PAD.decode(part.trim_end_matches('=')).ok()?;
    match serde_json::from_slice(&bytes).ok()? {
        Value::Object(members) => Some(members),
        _ => None,
    }
}
