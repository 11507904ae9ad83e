use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use proptest::prelude::*;

use super::*;

fn sniff(bytes: &[u8]) -> Sniffed {
    let mut sniffer = Sniffer::default();
    sniffer.update(bytes);
    sniffer.finish()
}

fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::new_rgb8(width, height).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

#[test]
fn images_of_every_kind_show_their_size() {
    for (format, media_type) in [
        (ImageFormat::Png, "image/png"),
        (ImageFormat::Jpeg, "image/jpeg"),
        (ImageFormat::Gif, "image/gif"),
        (ImageFormat::WebP, "image/webp"),
        (ImageFormat::Bmp, "image/bmp"),
    ] {
        let sniffed = sniff(&encoded(37, 11, format));
        assert_eq!(sniffed.media_type, Some(media_type));
        assert_eq!(sniffed.dimensions, Some(Dimensions { width: 37, height: 11 }), "{media_type}");
    }
    let lossy = webp::Encoder::from_rgb(&vec![7; 37 * 11 * 3], 37, 11).encode(50.0);
    assert_eq!(sniff(&lossy).dimensions, Some(Dimensions { width: 37, height: 11 }));
}

#[test]
fn a_bomb_shows_its_claim() {
    let mut bytes = encoded(1, 1, ImageFormat::Png);
    bytes[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    assert_eq!(sniff(&bytes).dimensions.unwrap().pixels(), 1 << 32);
}

/// A GIF of one pixel that says its screen is `screen` wide and high and its frame, at `at`, `frame`.
fn gif(screen: u16, at: u16, frame: u16, comment: usize) -> Vec<u8> {
    let mut bytes = b"GIF89a".to_vec();
    bytes.extend_from_slice(&[screen.to_le_bytes(), screen.to_le_bytes()].concat());
    // Two colours, then a comment in pieces.
    bytes.extend_from_slice(&[0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x21, 0xfe]);
    for piece in vec![b'x'; comment].chunks(255) {
        bytes.push(piece.len() as u8);
        bytes.extend_from_slice(piece);
    }
    bytes.extend_from_slice(&[0, 0x2c]);
    for number in [at, at, frame, frame] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(&[0, 2, 2, 0x4c, 0x01, 0, 0x3b]);
    bytes
}

#[test]
fn a_gif_is_as_large_as_its_frames_reach() {
    for (screen, at, frame, comment, side) in [
        (9, 0, 9, 0, 9),
        (1, 0, 0xffff, 3, 0xffff),
        (1, 0xffff, 0xffff, 0, 0x1_fffe),
        (9, 2, 3, 3 * HEAD_BYTES, 9),
    ] {
        let sniffed = sniff(&gif(screen, at, frame, comment));
        assert_eq!(
            sniffed.dimensions,
            Some(Dimensions { width: side, height: side }),
            "{screen} {at} {frame}"
        );
    }
    // After another frame, and after a comment longer than the examined part.
    let mut two = gif(1, 0, 1, 0);
    two.pop();
    two.extend_from_slice(&gif(1, 0, 5_000, 2 * HEAD_BYTES)[19..]);
    assert_eq!(sniff(&two).dimensions, Some(Dimensions { width: 5_000, height: 5_000 }));
}

#[test]
fn jpeg_size_is_found_behind_large_metadata() {
    let image = encoded(640, 480, ImageFormat::Jpeg);
    let mut bytes = image[..2].to_vec();
    for _ in 0..5 {
        bytes.extend_from_slice(&[0xff, 0xe2, 0xff, 0xff]);
        bytes.extend_from_slice(&vec![0xaa; 0xffff - 2]);
    }
    bytes.extend_from_slice(&image[2..]);
    assert!(bytes.len() > 4 * HEAD_BYTES);
    assert_eq!(sniff(&bytes).dimensions, Some(Dimensions { width: 640, height: 480 }));
}

#[test]
fn markup_is_seen_through_disguises() {
    for (bytes, expected) in [
        (&b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..], Some("image/svg+xml")),
        (b"\xef\xbb\xbf \n<?xml version='1.0'?><!-- x --><svg/>", Some("image/svg+xml")),
        (b"<!DOCTYPE svg PUBLIC 'x'><SVG/>", Some("image/svg+xml")),
        (b"<!-- <html> --><s:svg xmlns:s='http://www.w3.org/2000/svg'/>", Some("image/svg+xml")),
        (b"  <!DOCTYPE HTML><svg/>", Some("text/html")),
        (b"<ScRiPt>alert(1)</script>", Some("text/html")),
        (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>", Some("application/xml")),
        (b"\xff\xfe<\0h\0t\0m\0l\0>\0", Some("text/html")),
        (b"\xfe\xff\0<\0s\0v\0g\0>", Some("image/svg+xml")),
        (b"hello <b>world</b>", None),
        (b"<abbr>", None),
        (b"\x89PNG\r\n\x1a\nshort", None),
        (b"GIF89a", None),
        (b"%PDF-1.7", Some("application/pdf")),
        (b"", None),
    ] {
        assert_eq!(sniff(bytes).media_type, expected, "{:?}", String::from_utf8_lossy(bytes));
    }
}

proptest! {
    /// The verdict does not depend on the pieces the bytes arrive in, and no bytes make it fail.
    #[test]
    fn pieces_do_not_matter(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        start in prop_oneof![
            Just(&b""[..]), Just(&b"\xff\xd8\xff\xe0\x00\x10"[..]), Just(&b"RIFF0000WEBPVP8 "[..]),
            Just(&b"GIF89a\x05\0\x05\0\x80\0\0abcdef!\xfe\x03abc\0,"[..]), Just(&b"GIF89a\x05\0\x05\0\0\0\0"[..]),
            Just(&b"\x89PNG\r\n\x1a\n0000IHDR"[..]), Just(&b"0000ftypavif"[..]), Just(&b"BM000000000000\x28\0\0\0"[..]),
        ],
        cut in any::<usize>(),
    ) {
        let whole = [start, &bytes].concat();
        let cut = cut % (whole.len() + 1);
        let mut pieces = Sniffer::default();
        pieces.update(&whole[..cut]);
        pieces.update(&whole[cut..]);
        prop_assert_eq!(pieces.finish(), sniff(&whole));
    }
}
