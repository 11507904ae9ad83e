//! Signed messages: `t=SECONDS,v1=HEX[,v1=HEX…]`, where each `v1` is HMAC-SHA-256 of `SECONDS.BODY`. Source: Stripe's
//! documentation of webhook signatures.

use docstore::{Code, Error, Result};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Largest difference between a message's time and now, in seconds, either way. Source: the tolerance of Stripe's own
/// libraries.
pub(super) const TOLERANCE_SECONDS: u64 = 300;

/// Signatures checked per message; there are two while a key is being replaced.
const MAX_SIGNATURES: usize = 8;

/// Checks that `body` is signed with `key` at about `now`, in seconds since the epoch.
///
/// # Errors
/// `PermissionDenied` (`WebhookUnsigned`, `WebhookTooOld`).
pub(super) fn check(header: Option<&str>, body: &[u8], key: &[u8], now: u64) -> Result<()> {
    let header = header.ok_or_else(unsigned)?;
    let mut time = None;
    let mut signatures = Vec::new();
    for (name, value) in header.split(',').filter_map(|part| part.trim().split_once('=')) {
        match name {
            "t" => time = Some(value),
            "v1" if signatures.len() < MAX_SIGNATURES => signatures.extend(bytes_of(value)),
            _ => {}
        }
    }
    let time = time.ok_or_else(unsigned)?;
    let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(|error| {
        Error::internal("WebhookKey", "The messages of the payment service cannot be checked.", error)
    })?;
    mac.update(time.as_bytes());
    mac.update(b".");
    mac.update(body);
    if !signatures.iter().any(|signature| mac.clone().verify_slice(signature).is_ok()) {
        return Err(unsigned());
    }
    let time: u64 = time.parse().map_err(|_| unsigned())?;
    if time.abs_diff(now) > TOLERANCE_SECONDS {
        return Err(Error::new(
            Code::PermissionDenied,
            "WebhookTooOld",
            format!(
                "The message was signed more than {TOLERANCE_SECONDS} seconds ago, or this clock is wrong."
            ),
        ));
    }
    Ok(())
}

fn unsigned() -> Error {
    Error::new(
        Code::PermissionDenied,
        "WebhookUnsigned",
        "The message is not signed with this server's secret.",
    )
}

fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    if hex.len() != 64 || !hex.is_ascii() {
        return None;
    }
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use hmac::{Hmac, KeyInit, Mac};
    use proptest::prelude::*;
    use sha2::Sha256;

    use super::check;

    const KEY: &[u8] = b"whsec_test";
    const NOW: u64 = 1_700_000_000;

    fn sign(time: u64, body: &[u8], key: &[u8]) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
        mac.update(format!("{time}.").as_bytes());
        mac.update(body);
        mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Computed with `openssl dgst -sha256 -hmac whsec_test` over `1700000000.{"id":"evt_1"}`.
    const KNOWN: &str = "c89214b5b5da833daed6f0b8c5bb6bd58cea9022bd80ccc78230f3942d632925";

    #[test]
    fn a_signature_made_elsewhere_holds() {
        assert_eq!(sign(NOW, br#"{"id":"evt_1"}"#, KEY), KNOWN);
        check(Some(&format!("t={NOW},v1={KNOWN}")), br#"{"id":"evt_1"}"#, KEY, NOW).unwrap();
    }

    #[test]
    fn only_a_fresh_message_with_its_own_signature_is_believed() {
        let body = b"{}";
        let good = sign(NOW, body, KEY);
        let tag = |header: Option<&str>, body: &[u8], now| {
            check(header, body, KEY, now).map_err(|error| error.tag())
        };
        let header = format!("t={NOW},v1={good}");
        for now in [NOW - 300, NOW, NOW + 300] {
            assert_eq!(tag(Some(&header), body, now), Ok(()), "{now}");
        }
        for now in [NOW - 301, NOW + 301] {
            assert_eq!(tag(Some(&header), body, now), Err("WebhookTooOld"), "{now}");
        }
        // While a key is being replaced there are two signatures; those of other schemes are ignored.
        let two = format!("t={NOW},v1={},v0={good},v1={good}", "0".repeat(64));
        assert_eq!(tag(Some(&two), body, NOW), Ok(()));
        let faults = [
            None,
            Some(String::new()),
            Some(format!("v1={good}")),
            Some(format!("t={NOW}")),
            Some(format!("t={NOW},v0={good}")),
            Some(format!("t={NOW},v1={}", &good[..62])),
            Some(format!("t={NOW},v1={}", "é".repeat(32))),
            Some(format!("t={},v1={good}", NOW + 1)),
            Some(format!("t={NOW},v1={}", sign(NOW, body, b"another"))),
        ];
        for fault in faults {
            assert_eq!(tag(fault.as_deref(), body, NOW), Err("WebhookUnsigned"), "{fault:?}");
        }
        assert_eq!(tag(Some(&header), b"{} ", NOW), Err("WebhookUnsigned"));
    }

    proptest! {
        #[test]
        fn no_header_breaks_the_check(header in ".{0,200}", body in proptest::collection::vec(any::<u8>(), 0..50)) {
            prop_assert!(check(Some(&header), &body, KEY, NOW).is_err());
        }
    }
}
