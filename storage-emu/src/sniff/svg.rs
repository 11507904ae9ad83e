//! Checks that an SVG is a passive image: it runs nothing and loads nothing from elsewhere.

use quick_xml::events::{BytesDecl, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// Largest SVG that is checked, in bytes. A larger one does not count as an image.
pub(super) const MAX_SVG_BYTES: usize = 4 * 1024 * 1024;

/// Elements that run, or that hold a page or something to play.
const ACTIVE: &[&str] = &[
    "animate",
    "animatemotion",
    "animatetransform",
    "audio",
    "discard",
    "embed",
    "foreignobject",
    "handler",
    "iframe",
    "link",
    "listener",
    "meta",
    "object",
    "script",
    "set",
    "video",
];

/// Buffers a possible SVG until it is complete.
#[derive(Debug, Default)]
pub(super) struct SvgScanner {
    bytes: Vec<u8>,
    other: bool,
}

impl SvgScanner {
    pub(super) fn update(&mut self, bytes: &[u8]) {
        if self.other {
            return;
        }
        self.bytes.extend_from_slice(bytes);
        let text = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes);
        let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
        // Bytes of other kinds are not worth the memory.
        if first.is_some_and(|byte| *byte != b'<') || self.bytes.len() > MAX_SVG_BYTES {
            self.other = true;
            self.bytes = Vec::new();
        }
    }

    /// True if the input is well-formed SVG in UTF-8 and a passive image.
    pub(super) fn is_passive_image(&self) -> bool {
        !self.other && std::str::from_utf8(&self.bytes).is_ok_and(|text| is_harmless(text).unwrap_or(false))
    }
}

fn is_harmless(text: &str) -> Result<bool, quick_xml::Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader::from_str(text);
    let mut depth = 0_usize;
    let mut styles = 0_usize;
    let mut roots = 0_usize;
    loop {
        match reader.read_event()? {
            Event::Decl(declaration) if !is_utf8(&declaration) => return Ok(false),
            // Entities could hide forbidden elements.
            Event::DocType(doctype) if doctype.contains(&b'[') => return Ok(false),
            Event::PI(_) => return Ok(false),
            Event::Start(tag) => {
                roots += usize::from(depth == 0);
                if !is_harmless_tag(&tag)? {
                    return Ok(false);
                }
                depth += 1;
                styles += usize::from(tag.local_name().as_ref().eq_ignore_ascii_case(b"style"));
            }
            Event::Empty(tag) => {
                roots += usize::from(depth == 0);
                if !is_harmless_tag(&tag)? {
                    return Ok(false);
                }
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                styles -= usize::from(styles > 0 && tag.local_name().as_ref().eq_ignore_ascii_case(b"style"));
            }
            Event::Text(text) if styles > 0 && !is_harmless_style(&String::from_utf8_lossy(&text)) => {
                return Ok(false);
            }
            Event::CData(text) if styles > 0 && !is_harmless_style(&String::from_utf8_lossy(&text)) => {
                return Ok(false);
            }
            // An entity inside a style is not resolved.
            Event::GeneralRef(_) if styles > 0 => return Ok(false),
            Event::Eof => return Ok(depth == 0 && roots == 1),
            _ => {}
        }
    }
}

fn is_utf8(declaration: &BytesDecl<'_>) -> bool {
    match declaration.encoding() {
        None => true,
        Some(Ok(encoding)) => encoding.eq_ignore_ascii_case(b"utf-8"),
        Some(Err(_)) => false,
    }
}

fn is_harmless_tag(tag: &BytesStart<'_>) -> Result<bool, quick_xml::Error> {
    let name = lower(tag.local_name().as_ref());
    if ACTIVE.contains(&name.as_str()) {
        return Ok(false);
    }
    for attribute in tag.attributes() {
        let attribute = attribute?;
        let name = lower(attribute.key.as_ref());
        let local = lower(attribute.key.local_name().as_ref());
        let value = attribute.normalized_value(XmlVersion::Implicit1_0)?;
        let harmless = if name == "xmlns" || name.starts_with("xmlns:") {
            !value.trim().eq_ignore_ascii_case("http://www.w3.org/1999/xhtml")
        } else if local.starts_with("on") {
            false
        } else if matches!(local.as_str(), "href" | "src") {
            is_inside(&value)
        } else {
            is_harmless_style(&value)
        };
        if !harmless {
            return Ok(false);
        }
    }
    Ok(true)
}

/// True if a reference stays inside the file: another element of it, or pixels in it.
fn is_inside(reference: &str) -> bool {
    let reference = lower(reference.trim().as_bytes());
    reference.starts_with('#')
        || ["png", "jpeg", "jpg", "gif", "webp"]
            .iter()
            .any(|kind| reference.starts_with(&format!("data:image/{kind};base64,")))
}

/// True if a style, or an attribute that may be one, names nothing outside the file.
fn is_harmless_style(text: &str) -> bool {
    let text = lower(text.as_bytes());
    // A backslash spells letters by their numbers.
    if text.contains("@import") || text.contains("javascript:") || text.contains("expression(") {
        return false;
    }
    if text.contains('\\') && (text.contains('(') || text.contains('@')) {
        return false;
    }
    text.split("url(").skip(1).all(|rest| is_inside(rest.trim_start().trim_start_matches(['"', '\''])))
        && !text.contains("image-set(")
        && !text.contains("-moz-binding")
}

fn lower(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_passive_image(text: &[u8]) -> bool {
        let mut scanner = SvgScanner::default();
        for chunk in text.chunks(7) {
            scanner.update(chunk);
        }
        scanner.is_passive_image()
    }

    fn svg(inner: &str) -> String {
        format!(
            r#"<?xml version="1.0" encoding="UTF-8"?><!-- drawn --><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">{inner}</svg>"#
        )
    }

    #[test]
    fn harmless_svgs_are_passive_images() {
        for inner in [
            "",
            r#"<path d="M0 0h9v9z" fill="url(#a)" style="stroke:#000;clip-path:url('#b')"/>"#,
            r##"<use xlink:href="#a"/><use href="#b"/>"##,
            "<style>.a{fill:url(\"#g\")}</style><style><![CDATA[.b{fill:red}]]></style>",
            r#"<image href="data:image/png;base64,AAAA"/>"#,
            "<text>one on one &amp; two</text><title>script</title>",
        ] {
            assert!(is_passive_image(svg(inner).as_bytes()), "{inner}");
        }
        assert!(is_passive_image(
            format!("\u{feff}<!DOCTYPE svg PUBLIC \"a\" \"b\">{}", &svg("")[38..]).as_bytes()
        ));
    }

    #[test]
    fn what_runs_or_reaches_out_is_none() {
        for inner in [
            "<script>alert(1)</script>",
            "<s:script xmlns:s='http://www.w3.org/2000/svg'/>",
            "<SCRIPT/>",
            "<g onload='alert(1)'/>",
            "<g ONCLICK='alert(1)'/>",
            "<foreignObject/>",
            "<image href='https://tracker.test/a.png'/>",
            "<image href='data:image/svg+xml;base64,AAAA'/>",
            "<use href='other.svg#a'/>",
            "<a xlink:href='java&#115;cript:alert(1)'/>",
            "<g style='fill:url(https://a.test/x)'/>",
            "<g fill='url(//a.test/x)'/>",
            "<g style='fill:\\75rl(https://a.test/x)'/>",
            "<style>@import 'https://a.test/x.css';</style>",
            "<style>a{fill:url(&#104;ttps://a.test)}</style>",
            "<style><![CDATA[a{background:URL( 'https://a.test' )}]]></style>",
            "<set attributeName='href' to='javascript:alert(1)'/>",
            "<g><body xmlns='http://www.w3.org/1999/xhtml'/></g>",
            "<?xml-stylesheet href='https://a.test/x.css'?>",
            "<g>",
            "&unknown",
        ] {
            assert!(!is_passive_image(svg(inner).as_bytes()), "{inner}");
        }
    }

    #[test]
    fn what_cannot_be_read_through_is_none() {
        assert!(!is_passive_image(b""));
        assert!(!is_passive_image(b"\x89PNG"));
        assert!(!is_passive_image(&[svg("").as_bytes(), b"<svg/>"].concat()));
        assert!(!is_passive_image(svg("").replace("UTF-8", "UTF-7").as_bytes()));
        assert!(!is_passive_image(b"<!DOCTYPE svg [<!ENTITY a '<script/>'>]><svg>&a;</svg>"));
        let utf16: Vec<u8> =
            [0xff, 0xfe].into_iter().chain(svg("").encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert!(!is_passive_image(&utf16));
        assert!(!is_passive_image(svg(&" ".repeat(MAX_SVG_BYTES)).as_bytes()));
    }
}
