//! Validation of addresses, phone numbers, links and claims.

use email_address::{EmailAddress, Options};
use serde_json::Value;
use url::Url;

use crate::error::{ApiError, Result, ensure};

/// The longest e-mail address, in bytes (RFC 5321's path limit).
const MAX_EMAIL_BYTES: usize = 254;
/// The longest phone number, in bytes: E.164 has 15 digits; separators are allowed.
const MAX_PHONE_BYTES: usize = 40;
/// The longest account id, in bytes.
const MAX_LOCAL_ID_BYTES: usize = 128;
/// The longest display name, in bytes.
const MAX_DISPLAY_NAME_BYTES: usize = 1_024;
/// The longest image link, in bytes.
const MAX_PHOTO_URL_BYTES: usize = 8_192;
/// The longest link that is taken as a continue URL, in bytes.
const MAX_URL_BYTES: usize = 8_192;
/// The longest custom claims, in bytes of JSON.
const MAX_CLAIMS_BYTES: usize = 1_000;

/// Claims that the token format itself uses.
const RESERVED_CLAIMS: [&str; 16] = [
    "acr",
    "amr",
    "at_hash",
    "aud",
    "auth_time",
    "azp",
    "c_hash",
    "cnf",
    "exp",
    "firebase",
    "iat",
    "iss",
    "jti",
    "nbf",
    "nonce",
    "sub",
];

/// The one form of an address under which it is stored and compared: lower case.
///
/// # Errors
/// `INVALID_EMAIL` unless [`is_email`] holds.
pub(crate) fn email(text: &str) -> Result<String> {
    ensure(is_email(text), "INVALID_EMAIL")?;
    Ok(text.to_lowercase())
}

/// True if `text` is a bare e-mail address: without a name around it, without comments, and without the quotes that let
/// an address contain another. A host may be a single word, as in a private network.
pub fn is_email(text: &str) -> bool {
    let plain =
        Options::default().with_no_minimum_sub_domains().without_display_text().without_domain_literal();
    let unusual = |character: char| character.is_whitespace() || character.is_control() || character == '"';
    text.len() <= MAX_EMAIL_BYTES
        && !text.contains(unusual)
        && EmailAddress::parse_with_options(text, plain).is_ok()
}

/// True if a phone number is in international form: a plus sign and something after it. A number with hidden digits, as
/// second factors are shown before they are proved, is none.
pub(crate) fn is_phone(text: &str) -> bool {
    let clean = |character: char| (character.is_ascii_graphic() || character == ' ') && character != '*';
    let clean = text.chars().all(clean);
    text.len() > 1 && text.len() <= MAX_PHONE_BYTES && text.starts_with('+') && clean
}

/// # Errors
/// `INVALID_PHONE_NUMBER : Invalid format.`
pub(crate) fn phone(text: &str) -> Result<String> {
    ensure(is_phone(text), "INVALID_PHONE_NUMBER : Invalid format.")?;
    Ok(text.to_owned())
}

/// # Errors
/// `INVALID_LOCAL_ID` if it is empty or too long.
pub(crate) fn local_id(text: &str) -> Result<()> {
    let message = "INVALID_LOCAL_ID : An account id has 1 to 128 bytes.";
    ensure(!text.is_empty() && text.len() <= MAX_LOCAL_ID_BYTES, message)
}

/// # Errors
/// `INVALID_DISPLAY_NAME` if it is too long.
pub(crate) fn display_name(text: &str) -> Result<String> {
    ensure(
        text.len() <= MAX_DISPLAY_NAME_BYTES,
        "INVALID_DISPLAY_NAME : A display name has at most 1024 bytes.",
    )?;
    Ok(text.to_owned())
}

/// # Errors
/// `INVALID_PHOTO_URL` if it is too long.
pub(crate) fn photo_url(text: &str) -> Result<String> {
    ensure(text.len() <= MAX_PHOTO_URL_BYTES, "INVALID_PHOTO_URL : An image link has at most 8192 bytes.")?;
    Ok(text.to_owned())
}

/// An absolute link with a scheme that a browser may follow without running it.
///
/// # Errors
/// `INVALID_CONTINUE_URI : …`
pub(crate) fn continue_url(text: &str) -> Result<Url> {
    let error =
        || ApiError::bad("INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))");
    if text.len() > MAX_URL_BYTES {
        return Err(error());
    }
    let url = Url::parse(text).map_err(|_| error())?;
    let runs = matches!(url.scheme(), "javascript" | "data" | "vbscript" | "blob" | "file");
    if runs || (matches!(url.scheme(), "http" | "https") && url.host().is_none()) {
        return Err(error());
    }
    Ok(url)
}

/// Checks custom claims that come as a JSON text.
///
/// # Errors
/// `CLAIMS_TOO_LARGE`, `INVALID_CLAIMS`, `FORBIDDEN_CLAIM : name`
pub(crate) fn serialized_claims(text: &str) -> Result<()> {
    ensure(text.len() <= MAX_CLAIMS_BYTES, "CLAIMS_TOO_LARGE")?;
    let claims: Value = serde_json::from_str(text).map_err(|_| ApiError::bad("INVALID_CLAIMS"))?;
    claims_object(&claims)
}

/// Checks custom claims.
///
/// # Errors
/// `INVALID_CLAIMS`, `FORBIDDEN_CLAIM : name`
pub(crate) fn claims_object(claims: &Value) -> Result<()> {
    let members = claims.as_object().ok_or_else(|| ApiError::bad("INVALID_CLAIMS"))?;
    match RESERVED_CLAIMS.iter().find(|name| members.contains_key(**name)) {
        Some(name) => Err(ApiError::bad(format!("FORBIDDEN_CLAIM : {name}"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for good in ["a@b", "Ada.Lovelace+x@Example.COM", "o'hara@x.ie", "почта@пример.рф"] {
            assert_eq!(email(good).unwrap(), good.to_lowercase());
        }
        let long = format!("{}@x", "a".repeat(260));
        for bad in [
            "",
            "a",
            "@b",
            "a@",
            "a@b@c",
            "a b@c",
            "a@b\r\nBcc: c@d",
            "a\0@b",
            &long,
            "<z@x.test>",
            "Z <z@x.test>",
            "z@x.test>",
            "\"z\"@x.test",
            "z(comment)@x.test",
            "z,y@x.test",
            "z@x..test",
            "z@.test",
            ".z@x.test",
            "z@[127.0.0.1]",
            "z;y@x.test",
            "z@-x.test",
            "z@x.test.",
        ] {
            assert_eq!(email(bad).unwrap_err().message(), "INVALID_EMAIL", "{bad:?}");
        }
    }

    #[test]
    fn phones() {
        for good in ["+15555550100", "+1 555-555-0100"] {
            assert!(is_phone(good));
        }
        for bad in ["", "+", "5555550100", "+*******0100", "+1\n2", &"+1".repeat(50)] {
            assert!(!is_phone(bad), "{bad:?}");
        }
    }

    #[test]
    fn links_that_run_code_are_no_continue_urls() {
        for good in ["https://example.com/x?y#z", "http://localhost:5000/decks", "com.example.app://open"] {
            continue_url(good).unwrap();
        }
        for bad in
            ["", "/decks", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "http://", "//x"]
        {
            assert_eq!(continue_url(bad).unwrap_err().code(), "INVALID_CONTINUE_URI", "{bad:?}");
        }
    }

    #[test]
    fn claims() {
        serialized_claims(r#"{"admin":true}"#).unwrap();
        for (text, code) in [
            ("", "INVALID_CLAIMS"),
            ("[]", "INVALID_CLAIMS"),
            ("{", "INVALID_CLAIMS"),
            (r#"{"sub":"x"}"#, "FORBIDDEN_CLAIM"),
            (r#"{"firebase":{}}"#, "FORBIDDEN_CLAIM"),
            (&format!(r#"{{"a":"{}"}}"#, "x".repeat(1_000)), "CLAIMS_TOO_LARGE"),
        ] {
            assert_eq!(serialized_claims(text).unwrap_err().code(), code, "{text}");
        }
    }
}
