//! The back channel's frames: a length in UTF-16 code units, a line break, one JSON text.

/// One frame around `json`: the browser's side counts JavaScript string units, so the length does too.
pub(super) fn frame(json: &str) -> String {
    format!("{}\n{json}", utf16_len(json))
}

/// Length of `text` in UTF-16 code units.
pub(super) fn utf16_len(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_javascript_counts() {
        assert_eq!(frame("[]"), "2\n[]");
        assert_eq!(frame("é😀漢"), "4\né😀漢", "one unit, a surrogate pair, one unit");
    }

    proptest::proptest! {
        #[test]
        fn length_agrees_with_an_encoder(text: String) {
            proptest::prop_assert_eq!(utf16_len(&text), text.encode_utf16().count());
        }
    }
}
