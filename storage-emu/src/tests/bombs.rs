//! Files that are small to send and large to open.

use async_compression::tokio::bufread::GzipEncoder;
use docstore::access::Mode;
use image::ImageFormat;
use tokio::io::AsyncReadExt;

use super::support::{Bench, noise_image};
use super::ways::{CLOUD, USERS};
use crate::catalog::Usage;
use crate::options::Limits;

/// Images that claim to be 65,535 pixels wide and high, or as large as their format allows.
fn claims() -> Vec<(&'static str, Vec<u8>)> {
    let mut png = noise_image(2, 2, ImageFormat::Png);
    png[16..24].copy_from_slice(&[0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);
    let mut gif = noise_image(2, 2, ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[0xff; 4]);
    // The screen is small, its one frame is not.
    let mut frame = b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0".to_vec();
    frame.extend_from_slice(&[0xff, 0xff, 0xff, 0xff, 0, 2, 2, 0x4c, 0x01, 0, 0x3b]);
    let mut bmp = noise_image(2, 2, ImageFormat::Bmp);
    bmp[18..26].copy_from_slice(&[0xff, 0xff, 0, 0, 0xff, 0xff, 0, 0]);
    // The same, upside down: a height below zero.
    let mut down = bmp.clone();
    down[22..26].copy_from_slice(&(-65_535_i32).to_le_bytes());
    let mut jpeg = noise_image(2, 2, ImageFormat::Jpeg);
    let size = memchr::memmem::find(&jpeg, &[0xff, 0xc0]).unwrap() + 5;
    jpeg[size..size + 4].copy_from_slice(&[0xff; 4]);
    let extended = [b"RIFF\xff\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0".as_slice(), &[0xff; 6], &[0; 40]].concat();
    let lossless =
        [b"RIFF\xff\0\0\0WEBPVP8L\xff\0\0\0\x2f".as_slice(), &[0xff, 0xff, 0xff, 0x0f], &[0; 40]].concat();
    let lossy =
        [b"RIFF\xff\0\0\0WEBPVP8 \xff\0\0\0\0\0\0\x9d\x01\x2a".as_slice(), &[0xff; 4], &[0; 40]].concat();
    let avif = [b"\0\0\0\x1cftypavif\0\0\0\0".as_slice(), b"\0\0\0\x14ispe\0\0\0\0\0\0\xff\xff\0\0\xff\xff"]
        .concat();
    vec![
        ("PNG", png),
        ("GIF", gif),
        ("GIF by its frame", frame),
        ("BMP", bmp),
        ("BMP upside down", down),
        ("JPEG", jpeg),
        ("WebP", extended),
        ("lossless WebP", lossless),
        ("lossy WebP", lossy),
        ("AVIF", avif),
    ]
}

#[tokio::test]
async fn images_with_too_many_pixels_are_refused_everywhere() {
    let bench = Bench::new(Mode::Serving).await;
    for (kind, bytes) in claims() {
        let ways = USERS.map(|way| (way, "Firebase user-u")).into_iter();
        for (way, by) in ways.chain(CLOUD.map(|way| (way, "Bearer owner"))) {
            for claim in ["image/png", "application/octet-stream", "text/plain"] {
                let reply = way.store(&bench, by, ("bomb", claim), &bytes).await;
                assert_eq!(reply.status, 413, "{kind} by {way:?}: {}", reply.show());
                let message = reply.json()["error"]["message"].as_str().unwrap().to_owned();
                assert!(message.contains("pixels"), "{message}");
            }
        }
    }
    assert!(bench.keys().await.is_empty(), "{:?}", bench.keys().await);
    assert_eq!(bench.state.usage("u").await.unwrap(), Usage::default());
}

/// Makes the checksum of a PNG's header right again.
fn sign_header(png: &mut [u8]) {
    let sum = png[12..29].iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    });
    png[29..33].copy_from_slice(&(!sum).to_be_bytes());
}

/// Small header and large data, or few but expensive pixels: the thumbnailer refuses input it cannot bound, and serves
/// the next image as usual.
#[tokio::test]
async fn what_lies_about_its_size_or_takes_too_much_memory_gets_no_thumbnail() {
    let bench = Bench::new(Mode::Serving).await;
    let mut liars = Vec::new();
    for (format, at, size) in [
        (ImageFormat::Png, 16, vec![0, 0, 0, 1, 0, 0, 0, 1]),
        (ImageFormat::Gif, 6, vec![1, 0, 1, 0]),
        (ImageFormat::Bmp, 18, vec![1, 0, 0, 0, 1, 0, 0, 0]),
    ] {
        let mut liar = noise_image(200, 200, format);
        liar[at..at + size.len()].copy_from_slice(&size);
        if format == ImageFormat::Png {
            sign_header(&mut liar);
        }
        liars.push((format!("{format:?}"), liar));
    }
    // 7,900 × 7,900 of sixteen bits and four colours: half a gigabyte within the limit of pixels.
    let mut deep = noise_image(2, 2, ImageFormat::Png);
    deep[16..26].copy_from_slice(&[0, 0, 0x1e, 0xdc, 0, 0, 0x1e, 0xdc, 16, 6]);
    sign_header(&mut deep);
    liars.push(("deep PNG".to_owned(), deep));
    // A canvas of one pixel around an image with a larger size.
    let inner = b"VP8L\xff\0\0\0\x2f\xff\xff\xff\x0f";
    let canvas =
        [b"RIFF\xff\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0".as_slice(), inner, &[0; 300]].concat();
    liars.push(("WebP".to_owned(), canvas));
    for (kind, bytes) in liars {
        let stored = bench.put("liar", "image/png", bytes).await;
        assert_eq!(stored.status, 200, "{kind}: {}", stored.show());
        let reply = bench.user("GET", "o/users%2Fu%2Fliar?alt=media&thumb=64", "").await;
        assert!([200, 400].contains(&reply.status.as_u16()), "{kind}: {}", reply.show());
        if kind.starts_with("deep") || kind == "WebP" {
            assert_eq!(reply.status, 400, "{kind}");
        }
    }
    bench.put("good", "image/png", noise_image(200, 200, ImageFormat::Png)).await;
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fgood?alt=media&thumb=64", "").await.status, 200);
}

/// Twenty megabytes of SVG in 30 kB: a client without gzip gets as much as a file may have, and no more.
#[tokio::test]
async fn what_is_unpacked_on_the_way_is_bounded() {
    const LIMIT: usize = 100_000;
    let bench = Bench::with(Mode::Serving, Limits { file_bytes: LIMIT as u64, ..Limits::default() }).await;
    let mut head = Vec::new();
    GzipEncoder::new(&b"<svg xmlns='http://www.w3.org/2000/svg'>"[..]).read_to_end(&mut head).await.unwrap();
    let mut blanks = Vec::new();
    GzipEncoder::new(vec![b' '; LIMIT].as_slice()).read_to_end(&mut blanks).await.unwrap();
    let bomb = [head, blanks.repeat(200)].concat();
    assert!(bomb.len() < LIMIT, "{}", bomb.len());
    for way in [USERS[1], USERS[2]] {
        assert_eq!(
            way.store(&bench, "Firebase user-u", ("b.svgz", "image/svg+xml"), &bomb).await.status,
            200
        );
        let patch = r#"{"contentEncoding":"gzip"}"#;
        assert_eq!(bench.user("PATCH", "o/users%2Fu%2Fb.svgz", patch).await.status, 200);
        let plain = bench.user("GET", "o/users%2Fu%2Fb.svgz?alt=media", "").await;
        assert!((1..=LIMIT).contains(&plain.body.len()), "{}", plain.body.len());
        assert_ne!(plain.header("content-type"), "image/svg+xml");
        assert_eq!(bench.user("GET", "o/users%2Fu%2Fb.svgz?alt=media&thumb=64", "").await.status, 400);
        // A client that can unpack it gets the stored bytes, under a type that browsers do not render.
        let headers = [("authorization", "Firebase user-u"), ("accept-encoding", "gzip")];
        let uri = format!("/v0/b/{}/o/users%2Fu%2Fb.svgz?alt=media", super::support::BUCKET);
        let packed = bench.send("GET", &uri, &headers, "").await;
        assert_eq!((packed.body.len(), packed.header("content-type")), (bomb.len(), "application/gzip"));
    }
}

/// An icon's header names no single size: it is stored with an unknown type, never displayed, and gets no thumbnail.
#[tokio::test]
async fn icons_are_not_images() {
    let bench = Bench::new(Mode::Serving).await;
    let mut inner = noise_image(2, 2, ImageFormat::Png);
    inner[16..24].copy_from_slice(&[0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);
    let mut icon = b"\0\0\x01\0\x01\0\0\0\0\0\x01\0\x20\0".to_vec();
    icon.extend_from_slice(&(inner.len() as u32).to_le_bytes());
    icon.extend_from_slice(&22_u32.to_le_bytes());
    icon.extend_from_slice(&inner);
    for claim in ["image/x-icon", "image/vnd.microsoft.icon", "image/png"] {
        assert_eq!(bench.put("i.ico", claim, icon.clone()).await.status, 200);
        let reply = bench.user("GET", "o/users%2Fu%2Fi.ico?alt=media", "").await;
        assert_eq!(reply.header("content-type"), "application/octet-stream", "{claim}");
        let stored = bench.user("GET", "o/users%2Fu%2Fi.ico", "").await.json();
        assert_eq!(stored["contentType"], "application/octet-stream", "{claim}");
        assert_eq!(bench.user("GET", "o/users%2Fu%2Fi.ico?alt=media&thumb=64", "").await.status, 400);
    }
}
