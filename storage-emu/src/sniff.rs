//! Detects a file's type from its bytes and, for images, width and height. Nothing is decoded.

mod gif;
mod jpeg;
mod svg;

use gif::GifScanner;
use jpeg::JpegScanner;
use svg::SvgScanner;

/// Bytes examined at the start of a file (the parts of JPEG and GIF are followed further).
pub const HEAD_BYTES: usize = 64 * 1024;

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Dimensions {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

impl Dimensions {
    /// Width times height.
    pub fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// Facts detected in the bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sniffed {
    /// The media type, when the bytes are of a known kind.
    pub media_type: Option<&'static str>,
    /// Width and height, for images whose header states them.
    pub dimensions: Option<Dimensions>,
    /// An SVG that runs something, brings something from elsewhere, or cannot be read through.
    pub active_svg: bool,
}

/// Looks at a file as it streams by.
#[derive(Debug, Default)]
pub struct Sniffer {
    head: Vec<u8>,
    gif: GifScanner,
    jpeg: JpegScanner,
    svg: SvgScanner,
}

impl Sniffer {
    /// Takes in more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        let room = HEAD_BYTES.saturating_sub(self.head.len());
        self.head.extend_from_slice(bytes.get(..room.min(bytes.len())).unwrap_or_default());
        self.gif.update(bytes);
        self.jpeg.update(bytes);
        self.svg.update(bytes);
    }

    /// The verdict over everything seen.
    pub fn finish(&self) -> Sniffed {
        let head = self.head.as_slice();
        let image = |media_type, dimensions: Option<Dimensions>| match dimensions {
            Some(_) => Sniffed { media_type: Some(media_type), dimensions, active_svg: false },
            // Starts like an image but cannot be displayed.
            None => Sniffed::default(),
        };
        let plain = |media_type| Sniffed { media_type: Some(media_type), ..Sniffed::default() };
        if head.starts_with(b"\x89PNG\r\n\x1a\n") {
            return image("image/png", png(head));
        }
        if head.starts_with(b"\xff\xd8\xff") {
            return image("image/jpeg", self.jpeg.dimensions());
        }
        if head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a") {
            return image("image/gif", self.gif.dimensions());
        }
        if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
            return image("image/webp", webp(head));
        }
        if head.starts_with(b"BM")
            && head.get(14..18).is_some_and(|n| matches!(n, [12 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0]))
        {
            return image("image/bmp", bmp(head));
        }
        if head.get(4..8) == Some(b"ftyp") {
            return match head.get(8..12) {
                Some(b"avif" | b"avis") => image("image/avif", ispe(head)),
                Some(b"heic" | b"heix" | b"hevc" | b"mif1" | b"msf1" | b"heim" | b"heis") => {
                    image("image/heic", ispe(head))
                }
                Some(b"qt  ") => plain("video/quicktime"),
                Some(b"M4A ") => plain("audio/mp4"),
                _ => plain("video/mp4"),
            };
        }
        if let Some((_, media_type)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
            return plain(media_type);
        }
        let found = markup(head).map(plain).unwrap_or_default();
        let active_svg = found.media_type == Some("image/svg+xml") && !self.svg.is_passive_image();
        Sniffed { active_svg, ..found }
    }
}

/// Kinds that their first bytes name.
const MAGIC: &[(&[u8], &str)] = &[
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"OTTO", "font/otf"),
    (b"\x00\x01\x00\x00\x00", "font/ttf"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x1a\x45\xdf\xa3", "video/webm"),
    (b"OggS", "application/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"fLaC", "audio/flac"),
    (b"\x00asm", "application/wasm"),
];

/// Tags at the start that make browsers see HTML (the WHATWG sniffing list and a few more).
const HTML_STARTS: &[&[u8]] = &[
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<body",
    b"<br",
    b"<p",
    b"<!--",
    b"<meta",
    b"<link",
    b"<img",
    b"<form",
];

/// HTML, SVG or XML, by the first tag that is not a comment, declaration or blank.
fn markup(head: &[u8]) -> Option<&'static str> {
    let decoded = utf16_to_ascii(head);
    let text = decoded.as_deref().unwrap_or(head);
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let start = text.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | 0x0c))?;
    let text = text.get(start..)?;
    if text.first() != Some(&b'<') {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    // An SVG element anywhere near the start: a browser that is told so would run its scripts.
    let svg = memchr::memmem::find(&lower, b"<svg").or_else(|| memchr::memmem::find(&lower, b":svg"));
    let html = HTML_STARTS.iter().any(|tag| lower.starts_with(tag) && ends_tag(&lower, tag.len()));
    if svg.is_some() && !lower.starts_with(b"<!doctype html") && !lower.starts_with(b"<html") {
        return Some("image/svg+xml");
    }
    if html {
        return Some("text/html");
    }
    (lower.starts_with(b"<?xml") || lower.starts_with(b"<!doctype") || lower.starts_with(b"<!entity"))
        .then_some("application/xml")
}

fn ends_tag(text: &[u8], at: usize) -> bool {
    text.starts_with(b"<!--") || text.get(at).is_none_or(|b| !b.is_ascii_alphanumeric())
}

/// The ASCII letters of UTF-16 text with a byte order mark: enough to detect tags.
fn utf16_to_ascii(head: &[u8]) -> Option<Vec<u8>> {
    let big = match head {
        [0xfe, 0xff, ..] => true,
        [0xff, 0xfe, ..] => false,
        _ => return None,
    };
    let units = head.get(2..)?.chunks_exact(2);
    Some(
        units
            .map(|unit| match (big, unit) {
                (true, [0, low]) | (false, [low, 0]) => *low,
                _ => b'?',
            })
            .collect(),
    )
}

fn dimensions((width, height): (u16, u16)) -> Dimensions {
    Dimensions { width: u32::from(width), height: u32::from(height) }
}

fn le16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn le24(bytes: &[u8], at: usize) -> Option<u32> {
    let [a, b, c] = bytes.get(at..at + 3)?.try_into().ok()?;
    Some(u32::from_le_bytes([a, b, c, 0]))
}

fn png(head: &[u8]) -> Option<Dimensions> {
    (head.get(12..16)? == b"IHDR").then_some(())?;
    Some(Dimensions { width: be32(head, 16)?, height: be32(head, 20)? })
}

fn bmp(head: &[u8]) -> Option<Dimensions> {
    if le32(head, 14)? == 12 {
        return le16(head, 18).zip(le16(head, 20)).map(dimensions);
    }
    let signed = |at| le32(head, at).map(|n| n.cast_signed().unsigned_abs());
    Some(Dimensions { width: signed(18)?, height: signed(22)? })
}

fn webp(head: &[u8]) -> Option<Dimensions> {
    match head.get(12..16)? {
        b"VP8X" => Some(Dimensions { width: le24(head, 24)? + 1, height: le24(head, 27)? + 1 }),
        b"VP8L" => {
            let bits = le32(head, 21)?;
            Some(Dimensions { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 })
        }
        b"VP8 " => {
            (head.get(23..26)? == b"\x9d\x01\x2a").then_some(())?;
            Some(dimensions((le16(head, 26)? & 0x3fff, le16(head, 28)? & 0x3fff)))
        }
        _ => None,
    }
}

/// The largest "image spatial extents" property of an AVIF or HEIF file.
fn ispe(head: &[u8]) -> Option<Dimensions> {
    memchr::memmem::find_iter(head, b"ispe")
        .filter_map(|at| Some(Dimensions { width: be32(head, at + 8)?, height: be32(head, at + 12)? }))
        .max_by_key(|dimensions| dimensions.pixels())
}

#[cfg(test)]
mod tests;
