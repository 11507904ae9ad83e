//! Escaping of keys so that they never hold four 0xff in a row.
//!
//! sled 0.34's reverse iteration looks for the leaf before a key by decrementing the key's last byte and appending four
//! 0xff (`iter.rs`, `possible_predecessor`). It retries a million times on a key behind that guess and then panics.
//! Keys of negative integers and of descending indexes are such keys, so they are escaped here.

use std::borrow::Cow;

use sled::IVec;

/// Length of a run of 0xff after which [`MARK`] is inserted.
const RUN: usize = 3;
/// The inserted byte; any value but 0xff would do.
const MARK: u8 = 0x80;

/// The escaped key. Order and prefixes are kept: `a < b` exactly when `escape(a) < escape(b)`.
pub(in crate::engine::disk) fn escape(key: &[u8]) -> Cow<'_, [u8]> {
    if !has_run(key) {
        return Cow::Borrowed(key);
    }
    let mut escaped = Vec::with_capacity(key.len() + key.len() / RUN);
    let mut run = 0;
    for &byte in key {
        escaped.push(byte);
        run = if byte == 0xff { run + 1 } else { 0 };
        if run == RUN {
            escaped.push(MARK);
            run = 0;
        }
    }
    Cow::Owned(escaped)
}

/// Reverses [`escape`].
pub(in crate::engine::disk) fn unescape(escaped: IVec) -> IVec {
    if !has_run(&escaped) {
        return escaped;
    }
    let mut key = Vec::with_capacity(escaped.len());
    let mut run = 0;
    for &byte in escaped.iter() {
        if run == RUN {
            run = 0;
            continue;
        }
        key.push(byte);
        run = if byte == 0xff { run + 1 } else { 0 };
    }
    key.into()
}

fn has_run(key: &[u8]) -> bool {
    key.windows(RUN).any(|bytes| bytes.iter().all(|byte| *byte == 0xff))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Keys made mostly of the bytes that need escaping.
    fn key() -> impl Strategy<Value = Vec<u8>> {
        let byte =
            prop_oneof![4 => Just(0xff), 1 => Just(0x80), 1 => Just(0x7f), 1 => Just(0), 1 => any::<u8>()];
        proptest::collection::vec(byte, 0..14)
    }

    proptest! {
        #[test]
        fn order_prefixes_and_the_key_itself_are_kept(a in key(), b in key(), rest in key()) {
            let (escaped_a, escaped_b) = (escape(&a), escape(&b));
            prop_assert_eq!(escaped_a.cmp(&escaped_b), a.cmp(&b));
            prop_assert!(!escaped_a.windows(RUN + 1).any(|bytes| bytes == [0xff; RUN + 1]));
            let back = unescape(escaped_a.as_ref().into());
            prop_assert_eq!(back.as_ref(), a.as_slice());
            let longer = [a.as_slice(), &rest].concat();
            prop_assert!(escape(&longer).starts_with(&escaped_a));
        }
    }
}
