//! Files that are two things at once, under every name they may be given: nothing that is sent can run.

use docstore::access::Mode;
use image::ImageFormat;

use super::support::{BUCKET, Bench, Reply, noise_image};
use super::ways::{CLOUD, USERS};

const RUN: &str = "<script>alert(1)</script>";
const PAGE: &str = "<html><body onload=alert(1)><script>alert(1)</script></body></html>";

/// Types that clients may declare: ones that browsers show, run, unpack, or read as something else.
const CLAIMS: [&str; 16] = [
    "image/png",
    "image/svg+xml",
    "image/svg+xml; charset=utf-7",
    "text/html",
    "TEXT/HTML;charset=utf-7",
    "application/xhtml+xml",
    "text/xml",
    "text/xsl",
    "application/mathml+xml",
    "text/javascript",
    "multipart/x-mixed-replace; boundary=x",
    "message/rfc822",
    "text/plain, text/html",
    "image/png, text/html",
    "application/octet-stream",
    "nonsense",
];

/// Kinds that a browser neither runs nor searches for something to run.
fn is_inert(content_type: &str) -> bool {
    matches!(
        content_type,
        "image/png"
            | "image/jpeg"
            | "image/gif"
            | "image/webp"
            | "image/bmp"
            | "image/tiff"
            | "application/pdf"
            | "application/zip"
            | "application/gzip"
            | "application/octet-stream"
            | "video/mp4"
            | "text/plain; charset=utf-8"
    )
}

/// Drawings with a script in every form there is.
fn drawings() -> Vec<String> {
    let xmlns = r#"xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink""#;
    let svg = |inner: &str| format!("<svg {xmlns}>{inner}</svg>");
    let data = "data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+";
    vec![
        svg(RUN),
        format!("<svg {xmlns} onload=\"alert(1)\"/>"),
        svg(&format!("<foreignObject width='9' height='9'>{PAGE}</foreignObject>")),
        svg(
            "<foreignObject><iframe xmlns='http://www.w3.org/1999/xhtml' srcdoc='&lt;script>alert(1)&lt;/script>'/></foreignObject>",
        ),
        svg(&format!("<use xlink:href=\"{data}#x\"/><image href=\"{data}\" onerror=\"alert(1)\"/>")),
        svg("<a xlink:href=\"javascript:alert(1)\"><text y='20'>x</text></a>"),
        svg("<script xlink:href=\"data:text/javascript,alert(1)\"/>"),
        svg("<script href=\"data:text/javascript,alert(1)\"/>"),
        svg(
            "<set attributeName='onmouseover' to='alert(1)'/><animate onbegin='alert(1)' attributeName='x' dur='1s'/>",
        ),
        svg("<style>@import url('data:text/css,*{background:url(javascript:alert(1))}');</style>"),
        format!("<?xml version='1.0'?><?xml-stylesheet type='text/xsl' href='data:text/xml,x'?>{}", svg(RUN)),
        format!("<!DOCTYPE svg [<!ENTITY run '{}'>]>{}", "&#60;script>alert(1)&#60;/script>", svg("&run;")),
        format!("<!-- {} -->\n{}", "x".repeat(9_000), svg(RUN)).replace("<!--", "<?xml version='1.0'?><!--"),
        "<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:script>alert(1)</s:script></s:svg>".to_owned(),
        format!("\u{feff}  \n<SVG {xmlns} ONLOAD='alert(1)'>"),
    ]
}

/// Files of two types at once, or in the guise of another type, and the type detected from their bytes.
fn polyglots() -> Vec<(&'static str, Vec<u8>, Option<&'static str>)> {
    let after = |format, tail: &str| [noise_image(3, 3, format), tail.as_bytes().to_vec()].concat();
    let zip = |tail: &str| [b"PK\x05\x06".as_slice(), &[0; 18], tail.as_bytes()].concat();
    let mut script_gif = b"GIF89a/*\x01\0\0\0\0".to_vec();
    script_gif.extend_from_slice(b"*/=1;alert(1)//,");
    let mut real_bmp = noise_image(3, 3, ImageFormat::Bmp);
    real_bmp.extend_from_slice(PAGE.as_bytes());
    let mut comment_jpeg = noise_image(3, 3, ImageFormat::Jpeg);
    let note = [&[0xff, 0xfe, 0, (PAGE.len() + 2) as u8], PAGE.as_bytes()].concat();
    comment_jpeg.splice(2..2, note);
    let mut text_png = noise_image(3, 3, ImageFormat::Png);
    let chunk = [&(PAGE.len() as u32).to_be_bytes(), b"tEXt".as_slice(), PAGE.as_bytes(), b"crc."].concat();
    text_png.splice(33..33, chunk);
    let utf16: Vec<u8> = "\u{feff}<html>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        ("GIF and script", script_gif, Some("image/gif")),
        ("GIF, then a page", after(ImageFormat::Gif, PAGE), Some("image/gif")),
        ("PNG, then a page", after(ImageFormat::Png, PAGE), Some("image/png")),
        ("PNG with a page in a text chunk", text_png, Some("image/png")),
        ("JPEG, then an archive", [noise_image(3, 3, ImageFormat::Jpeg), zip("")].concat(), Some("image/jpeg")),
        ("JPEG, then a page", after(ImageFormat::Jpeg, PAGE), Some("image/jpeg")),
        ("JPEG with a page in a comment", comment_jpeg, Some("image/jpeg")),
        ("WebP, then a page", after(ImageFormat::WebP, PAGE), Some("image/webp")),
        ("BMP, then a page", real_bmp, Some("image/bmp")),
        ("a page that begins like a BMP", format!("BM{PAGE}").into_bytes(), None),
        ("a page that begins like a TIFF", [b"II*\0", PAGE.as_bytes()].concat(), Some("image/tiff")),
        ("a page that begins like an icon", [b"\0\0\x01\0", PAGE.as_bytes()].concat(), None),
        ("a page that begins like a PNG", [b"\x89PNG\r\n\x1a\n", PAGE.as_bytes()].concat(), None),
        ("a page that begins like a GIF", format!("GIF8{PAGE}").into_bytes(), None),
        ("a page that begins like a WebP", format!("RIFFxxxxWEBPVP8 {PAGE}").into_bytes(), None),
        ("a page that begins like a film", format!("xxxxftyp{PAGE}").into_bytes(), Some("video/mp4")),
        ("a page that begins like a PDF", format!("%PDF-1.7\n{PAGE}").into_bytes(), Some("application/pdf")),
        ("a PDF that begins like a page", format!("{PAGE}\n%PDF-1.7").into_bytes(), Some("text/html")),
        ("an archive, then a page", zip(PAGE), Some("application/zip")),
        ("a page, then an archive", [PAGE.as_bytes(), &zip("")].concat(), Some("text/html")),
        ("a page behind blanks", format!("{}{PAGE}", " ".repeat(70_000)).into_bytes(), None),
        ("a page in UTF-16", utf16, Some("text/html")),
        ("a page in UTF-7", b"+ADw-script+AD4-alert(1)+ADw-/script+AD4-".to_vec(), None),
        ("a page within a page's parts", format!("--x\r\nContent-Type: text/html\r\n\r\n{PAGE}\r\n--x--").into_bytes(), None),
        ("XML that becomes a page", b"<?xml version='1.0'?><h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:script>alert(1)</h:script></h:html>".to_vec(), Some("application/xml")),
    ]
}

/// A browser that receives this reply runs nothing of it.
fn harmless(reply: &Reply, what: &str) {
    let content_type = reply.header("content-type").to_owned();
    let attachment = reply.header("content-disposition").starts_with("attachment");
    let policy = reply.header("content-security-policy");
    assert!(policy.starts_with("sandbox; default-src 'none';"), "{what}: {policy}");
    assert!(!policy.contains("allow-") && !policy.contains("script-src"), "{what}: {policy}");
    assert_eq!(reply.header("x-content-type-options"), "nosniff", "{what}");
    assert!(!content_type.contains(','), "{what}: {content_type}");
    // Besides inert types, only SVG images are displayed, under that policy; everything else is downloaded.
    assert!(
        is_inert(&content_type) || content_type == "image/svg+xml" || attachment,
        "{what}: {content_type} would be shown"
    );
}

#[tokio::test]
async fn whatever_a_file_is_called_nothing_in_it_runs() {
    let drawings = drawings().into_iter().map(|text| ("a drawing", text.into_bytes(), Some("image/svg+xml")));
    let files: Vec<_> = polyglots().into_iter().chain(drawings).collect();
    for mode in [Mode::Serving, Mode::Emulator] {
        let bench = Bench::new(mode).await.taking_active_svg();
        for (what, bytes, is) in &files {
            for claim in CLAIMS {
                let shown = || {
                    format!("{what} ({}) as {claim}", String::from_utf8_lossy(&bytes[..bytes.len().min(80)]))
                };
                assert_eq!(bench.put("x", claim, bytes.clone()).await.status, 200, "{}", shown());
                let reply = bench.user("GET", "o/users%2Fu%2Fx?alt=media", "").await;
                assert_eq!(reply.status, 200);
                harmless(&reply, &shown());
                let image = is.filter(|is| is.starts_with("image/"));
                if let Some(image) = image {
                    assert_eq!(reply.header("content-type"), image, "{}", shown());
                } else {
                    assert!(!reply.header("content-type").starts_with("image/"), "{}", reply.show());
                }
            }
        }
    }
}

/// The same by every way in and every way out, ranges and thumbnails too.
#[tokio::test]
async fn every_way_to_a_file_keeps_it_from_running() {
    for mode in [Mode::Serving, Mode::Emulator] {
        let bench = Bench::new(mode).await.taking_active_svg();
        for (name, bytes) in [
            ("gif", [noise_image(3, 3, ImageFormat::Gif), PAGE.as_bytes().to_vec()].concat()),
            ("svg", format!("<svg xmlns='http://www.w3.org/2000/svg'>{RUN}</svg>").into_bytes()),
            ("page", PAGE.as_bytes().to_vec()),
        ] {
            for (way, by) in USERS
                .map(|way| (way, "Firebase user-u"))
                .into_iter()
                .chain(CLOUD.map(|way| (way, "Bearer owner")))
            {
                let stored = way.store(&bench, by, (name, "text/html"), &bytes).await;
                assert_eq!(stored.status, 200, "{way:?}: {}", stored.show());
                let owner = [("authorization", "Bearer owner")];
                let own = bench.user("GET", &format!("o/users%2Fu%2F{name}"), "").await.json();
                let token = own["downloadTokens"].as_str().unwrap();
                for uri in [
                    format!("/v0/b/{BUCKET}/o/users%2Fu%2F{name}?alt=media"),
                    format!("/v0/b/{BUCKET}/o/users%2Fu%2F{name}?alt=media&token={token}"),
                    format!("/b/{BUCKET}/o/users%2Fu%2F{name}?alt=media"),
                    format!("/storage/v1/b/{BUCKET}/o/users%2Fu%2F{name}?alt=media"),
                    format!("/download/storage/v1/b/{BUCKET}/o/users%2Fu%2F{name}?alt=media"),
                    format!("/{BUCKET}/users/u/{name}"),
                ] {
                    for (method, range) in [
                        ("GET", None),
                        ("HEAD", None),
                        ("GET", Some("bytes=2-9")),
                        ("GET", Some("bytes=999999-")),
                    ] {
                        let headers: Vec<_> =
                            owner.into_iter().chain(range.map(|range| ("range", range))).collect();
                        let reply = bench.send(method, &uri, &headers, "").await;
                        let what = format!("{way:?} {method} {uri} {range:?}: {}", reply.show());
                        assert!([200, 206, 416].contains(&reply.status.as_u16()), "{what}");
                        harmless(&reply, &what);
                    }
                }
            }
        }
        let thumb = bench.user("GET", "o/users%2Fu%2Fgif?alt=media&thumb=64", "").await;
        assert_eq!((thumb.status.as_u16(), thumb.header("content-type")), (200, "image/webp"));
        harmless_thumb(&thumb);
        assert_eq!(bench.user("GET", "o/users%2Fu%2Fsvg?alt=media&thumb=64", "").await.status, 400);
    }
}

/// Rendered from pixels: nothing of the page appended to the image is in it.
fn harmless_thumb(reply: &Reply) {
    assert!(reply.header("content-security-policy").starts_with("sandbox;"));
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
    assert!(memchr::memmem::find(&reply.body, b"script").is_none());
}
