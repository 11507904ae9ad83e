//! Content negotiation.

use http::HeaderMap;
use http::header::{ACCEPT, ACCEPT_ENCODING, IF_NONE_MATCH};

/// True if the client accepts the content coding `coding`.
pub(super) fn accepts_coding(headers: &HeaderMap, coding: &str) -> bool {
    let mut any = None;
    for (name, quality) in weighted(headers, &ACCEPT_ENCODING) {
        if name.eq_ignore_ascii_case(coding) {
            return quality > 0.0;
        }
        if name == "*" {
            any = Some(quality > 0.0);
        }
    }
    any.unwrap_or(false)
}

/// True if a path that names no file should get the application's page: for navigations of browsers, and for tools that
/// accept anything, unless the path looks like a file's.
pub(super) fn wants_page(headers: &HeaderMap, path: &str) -> bool {
    let mut anything = !headers.contains_key(ACCEPT);
    for (name, quality) in weighted(headers, &ACCEPT) {
        if quality > 0.0 && matches!(name, "text/html" | "application/xhtml+xml" | "text/*") {
            return true;
        }
        anything |= quality > 0.0 && name == "*/*";
    }
    anything && !path.rsplit('/').next().unwrap_or_default().contains('.')
}

/// True if the client has the representation with this entity tag.
pub(super) fn has_already(headers: &HeaderMap, etag: &str) -> bool {
    let lists = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    lists
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .any(|tag| tag == "*" || tag.trim_start_matches("W/") == etag)
}

/// The items of a header such as `Accept: a, b;q=0.5`, with their qualities.
fn weighted<'a>(headers: &'a HeaderMap, name: &http::HeaderName) -> impl Iterator<Item = (&'a str, f32)> {
    let lists = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(|item| {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let quality =
            parts.find_map(|part| part.strip_prefix("q=")).and_then(|q| q.parse().ok()).unwrap_or(1.0);
        (name, quality)
    })
}

#[cfg(test)]
mod tests {
    use http::header::{ACCEPT, ACCEPT_ENCODING, IF_NONE_MATCH};
    use http::{HeaderMap, HeaderName, HeaderValue};

    use super::{accepts_coding, has_already, wants_page};

    fn with(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn codings() {
        for (header, br) in [
            ("gzip, deflate, br", true),
            ("br;q=0", false),
            ("*", true),
            ("*, br;q=0", false),
            ("gzip", false),
            ("", false),
        ] {
            assert_eq!(accepts_coding(&with(ACCEPT_ENCODING, header), "br"), br, "{header}");
        }
        assert!(!accepts_coding(&HeaderMap::new(), "br"));
    }

    #[test]
    fn pages_are_for_those_who_want_them() {
        for (header, path, page) in [
            ("text/html,application/xhtml+xml,*/*;q=0.8", "/decks/a.b", true),
            ("*/*", "/decks", true),
            ("*/*", "/app-XYZ.js", false),
            ("application/json", "/decks", false),
            ("image/avif,image/*", "/x", false),
        ] {
            assert_eq!(wants_page(&with(ACCEPT, header), path), page, "{header} {path}");
        }
    }

    #[test]
    fn tags() {
        assert!(has_already(&with(IF_NONE_MATCH, "\"a\", W/\"b\""), "\"b\""));
        assert!(has_already(&with(IF_NONE_MATCH, "*"), "\"b\""));
        assert!(!has_already(&with(IF_NONE_MATCH, "\"a\""), "\"b\""));
    }
}
