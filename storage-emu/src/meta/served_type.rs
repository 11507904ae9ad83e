//! Content types stored and sent: bytes count for more than declarations, and nothing that is sent can run scripts.

use crate::meta::ObjectMeta;

/// The content type of the bytes, given the declared one: an image type only if the bytes are that image, an active
/// type only if the bytes are of no other kind.
pub fn effective<'a>(declared: Option<&'a str>, sniffed: Option<&'a str>) -> &'a str {
    const UNKNOWN: &str = "application/octet-stream";
    // A malformed media type is ignored: a browser might read another type out of it.
    let declared = declared.filter(|declared| is_media_type(declared));
    let Some(declared) = declared else { return sniffed.unwrap_or(UNKNOWN) };
    let essence = essence(declared);
    match sniffed {
        // The bytes are an image, or something that runs: they say so themselves.
        Some(sniffed) if sniffed.starts_with("image/") || is_active(sniffed) => sniffed,
        // Declared as an image or a page, but something else.
        Some(sniffed) if essence.starts_with("image/") || is_active(&essence) => sniffed,
        // A ZIP may be a game archive, an office document…: the client knows better.
        Some(_) => declared,
        None if essence.starts_with("image/") => UNKNOWN,
        None => declared,
    }
}

/// The type without parameters, in lower case.
pub fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// True for exactly one media type. Browsers split a header at commas and take the last one.
fn is_media_type(text: &str) -> bool {
    let is_token = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    };
    !text.contains(',') && essence(text).split_once('/').is_some_and(|(a, b)| is_token(a) && is_token(b))
}

/// Kinds in which a browser would run scripts, by themselves or in a part that has a type of its own.
pub fn is_active(media_type: &str) -> bool {
    let essence = essence(media_type);
    matches!(
        essence.as_str(),
        "text/html"
            | "application/xhtml+xml"
            | "image/svg+xml"
            | "text/xml"
            | "text/xsl"
            | "application/xml"
            | "application/x-mimearchive"
    ) || essence.ends_with("+xml")
        || essence.starts_with("multipart/")
        || essence.starts_with("message/")
        || is_script(&essence)
}

fn is_script(essence: &str) -> bool {
    essence.contains("javascript")
        || essence.contains("ecmascript")
        || essence == "text/jscript"
        || essence == "text/livescript"
        || essence == "application/wasm"
}

/// Headers with which an object is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sending {
    /// `Content-Type`.
    pub content_type: String,
    /// True if it is sent as a download, regardless of its metadata.
    pub attachment: bool,
}

/// Headers that make an object harmless: the type is that of the bytes; scripts are sent as plain text, so that a page
/// cannot load them; markup other than SVG is sent as a download.
pub fn sending(meta: &ObjectMeta) -> Sending {
    let effective = effective(meta.set.content_type.as_deref(), meta.sniffed.as_deref());
    let essence = essence(effective);
    if is_script(&essence) {
        return Sending { content_type: "text/plain; charset=utf-8".to_owned(), attachment: false };
    }
    Sending {
        content_type: effective.to_owned(),
        attachment: is_active(&essence) && essence != "image/svg+xml",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_decide_over_words() {
        for (declared, sniffed, expected) in [
            (None, None, "application/octet-stream"),
            (None, Some("image/png"), "image/png"),
            (Some("image/jpg"), Some("image/jpeg"), "image/jpeg"),
            (Some("text/html"), Some("image/gif"), "image/gif"),
            (Some("image/png"), Some("text/html"), "text/html"),
            (Some("text/plain"), Some("image/svg+xml"), "image/svg+xml"),
            (Some("image/png"), None, "application/octet-stream"),
            (Some("image/svg+xml"), None, "application/octet-stream"),
            (Some("image/png"), Some("application/zip"), "application/zip"),
            (Some("application/x-game"), Some("application/zip"), "application/x-game"),
            (Some("text/csv"), None, "text/csv"),
            (Some("TEXT/HTML; charset=x"), None, "TEXT/HTML; charset=x"),
            (Some("text/plain, text/html"), None, "application/octet-stream"),
            (Some("text/plain; a=b, text/html"), None, "application/octet-stream"),
            (Some("image/png, text/html"), Some("image/png"), "image/png"),
            (Some("text"), None, "application/octet-stream"),
            (Some("text /html"), None, "application/octet-stream"),
            (Some("a/b/c"), None, "application/octet-stream"),
            (Some(""), Some("application/pdf"), "application/pdf"),
        ] {
            assert_eq!(effective(declared, sniffed), expected, "{declared:?} {sniffed:?}");
        }
    }

    #[test]
    fn kinds_with_parts_that_browsers_run_are_active() {
        for active in
            ["multipart/x-mixed-replace; boundary=x", "message/rfc822", "TEXT/XSL", "image/svg+xml "]
        {
            assert!(is_active(active), "{active}");
        }
        for harmless in ["text/plain", "image/png", "application/zip", "text/multipart"] {
            assert!(!is_active(harmless), "{harmless}");
        }
    }
}
