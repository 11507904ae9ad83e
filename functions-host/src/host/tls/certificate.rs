//! The end of a certificate's time, which rustls checks and does not tell.

use simple_asn1::{ASN1Block, from_der};

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Whole days until a certificate in DER ends, counted from `now` in seconds since the epoch; negative after its end.
/// `None` if it cannot be read.
pub(crate) fn days_left(certificate: &[u8], now: i64) -> Option<i64> {
    Some((not_after(certificate)? - now).div_euclid(DAY))
}

/// `tbsCertificate.validity.notAfter`, in seconds since the epoch.
fn not_after(certificate: &[u8]) -> Option<i64> {
    let blocks = from_der(certificate).ok()?;
    let [ASN1Block::Sequence(_, certificate)] = blocks.as_slice() else { return None };
    let ASN1Block::Sequence(_, content) = certificate.first()? else { return None };
    // The one member that is a sequence of two times: a name is a sequence of sets.
    content.iter().find_map(|member| {
        let ASN1Block::Sequence(_, validity) = member else { return None };
        match validity.as_slice() {
            [_, ASN1Block::UTCTime(_, end) | ASN1Block::GeneralizedTime(_, end)] => {
                Some(end.assume_utc().unix_timestamp())
            }
            _ => None,
        }
    })
}
