//! Request ids by W3C Trace Context, as used by OpenTelemetry: a caller's trace is continued, otherwise a new one
//! begins.
//!
//! Responses carry the trace in `x-request-id`, log lines include it, and users' functions receive it in `traceparent`.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue};

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Length of a `traceparent` of version 00, in bytes.
const LENGTH: usize = 55;
/// The flag for recorded traces; set on new ones.
const SAMPLED: u8 = 1;

/// Generates unique ids.
#[derive(Debug, Default)]
pub struct RequestIds<S = RandomState> {
    hasher: S,
    next: AtomicU64,
}

/// One request: its trace and its own span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestId {
    trace: u128,
    span: u64,
    flags: u8,
}

impl<S: BuildHasher> RequestIds<S> {
    /// The id of a request with these headers.
    pub fn of(&self, headers: &HeaderMap) -> RequestId {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        // Zero is not a valid id.
        let part = |nth: u8| self.hasher.hash_one((number, nth)).max(1);
        let (trace, flags) = parent(headers)
            .unwrap_or_else(|| (u128::from(part(0)) << u64::BITS | u128::from(part(1)), SAMPLED));
        RequestId { trace, span: part(2), flags }
    }
}

impl RequestId {
    /// The trace, in 32 hexadecimal digits.
    pub fn trace(&self) -> String {
        format!("{:032x}", self.trace)
    }

    /// The request's span, in 16 hexadecimal digits.
    pub fn span(&self) -> String {
        format!("{:016x}", self.span)
    }

    /// Adds the id to a request passed on to a function.
    pub fn pass_on(&self, headers: &mut HeaderMap) {
        set(headers, TRACEPARENT, &format!("00-{}-{}-{:02x}", self.trace(), self.span(), self.flags));
    }

    /// Adds the id to a response.
    pub fn answer(&self, headers: &mut HeaderMap) {
        set(headers, REQUEST_ID, &self.trace());
    }
}

fn set(headers: &mut HeaderMap, name: HeaderName, text: &str) {
    if let Ok(value) = HeaderValue::from_str(text) {
        headers.insert(name, value);
    }
}

/// The caller's trace and flags; `None` if missing or malformed.
fn parent(headers: &HeaderMap) -> Option<(u128, u8)> {
    let mut values = headers.get_all(TRACEPARENT).iter();
    let text = values.next()?.to_str().ok()?;
    let parts: Vec<&str> = text.split('-').collect();
    let [version, trace, span, flags, ..] = parts.as_slice() else { return None };
    let hex = |part: &str, digits: usize| {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        part.len() == digits && part.bytes().all(digit)
    };
    let known = *version != "ff" && (*version != "00" || text.len() == LENGTH);
    let formed = hex(version, 2) && hex(trace, 32) && hex(span, 16) && hex(flags, 2);
    if values.next().is_some() || !known || !formed || span.bytes().all(|byte| byte == b'0') {
        return None;
    }
    let trace = u128::from_str_radix(trace, 16).ok().filter(|trace| *trace != 0)?;
    Some((trace, u8::from_str_radix(flags, 16).ok()? & SAMPLED))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (TRACEPARENT, HeaderValue::from_str(value).unwrap())).collect()
    }

    #[test]
    fn a_callers_trace_goes_on() {
        let id = RequestIds::<RandomState>::default().of(&headers(&[PARENT]));
        assert_eq!(id.trace(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_ne!(id.span(), "00f067aa0ba902b7");
        let mut passed = headers(&[PARENT]);
        id.pass_on(&mut passed);
        let expected = format!("00-{}-{}-00", id.trace(), id.span());
        assert_eq!(passed.get_all(TRACEPARENT).iter().collect::<Vec<_>>(), [expected.as_str()]);
    }

    #[test]
    fn what_is_no_trace_begins_another() {
        let ids = RequestIds::<RandomState>::default();
        let zero = "00-00000000000000000000000000000000-00f067aa0ba902b7-01";
        let nobody = "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01";
        let upper = PARENT.to_uppercase();
        let longer = format!("{PARENT}-1");
        let mut seen = HashSet::new();
        for values in [
            &[][..],
            &["nonsense"],
            &[zero],
            &[nobody],
            &[upper.as_str()],
            &[longer.as_str()],
            &[PARENT, PARENT],
        ] {
            let id = ids.of(&headers(values));
            assert_ne!(id.trace(), "4bf92f3577b34da6a3ce929d0e0e4736", "{values:?}");
            assert_eq!((id.trace().len(), id.span().len(), id.flags), (32, 16, SAMPLED));
            assert!(seen.insert(id.trace()));
        }
    }
}
