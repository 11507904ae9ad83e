use docstore::access::Mode;
use image::ImageFormat;

use super::support::{BUCKET, Bench, noise_image};
use crate::options::Limits;

/// User v tries every path to a file of user u.
#[tokio::test]
async fn another_users_files_are_out_of_reach() {
    let bench = Bench::new(Mode::Serving).await;
    assert_eq!(bench.put("secret.txt", "text/plain", "secret").await.status, 200);
    let key = [("authorization", "Firebase user-v")];
    for path in [
        "users%2Fu%2Fsecret.txt",
        "users%2fu%2fsecret.txt",
        "users/u/secret.txt",
        "users%2Fv%2F..%2Fu%2Fsecret.txt",
        "users%2Fv%2F%2E%2E%2Fu%2Fsecret.txt",
        "users%2Fv%2F.%2F..%2Fu%2Fsecret.txt",
        "users%252Fu%252Fsecret.txt",
        "users%2Fu%2Fsecret.txt%00",
        "users%2Fv%00%2F..%2Fu%2Fsecret.txt",
        "%2Fusers%2Fu%2Fsecret.txt",
        "users%2F%2Fu%2Fsecret.txt",
        "users%5Cu%5Csecret.txt",
        "USERS%2Fu%2Fsecret.txt",
    ] {
        for (method, suffix) in [
            ("GET", ""),
            ("GET", "?alt=media"),
            ("GET", "?alt=media&token="),
            ("DELETE", ""),
            ("PATCH", ""),
            ("POST", ""),
        ] {
            let uri = format!("/v0/b/{BUCKET}/o/{path}{suffix}");
            let reply = bench.send(method, &uri, &key, "{}").await;
            assert!(reply.status.is_client_error(), "{method} {uri}: {}", reply.show());
            assert!(!String::from_utf8_lossy(&reply.body).contains("secret\n"), "{uri}");
        }
    }
    for uri in [
        format!("/v0/b/{BUCKET}/o?prefix=users%2Fu%2F"),
        format!("/v0/b/{BUCKET}/o?prefix="),
        format!("/v0/b/{BUCKET}/o"),
        format!("/v0/b/{BUCKET}/o?prefix=users%2F"),
        format!("/v0/b/{BUCKET}/o?prefix=users%2Fv%2F..%2Fu%2F"),
        format!("/b/{BUCKET}/o/users%2Fu%2Fsecret.txt?alt=media"),
        format!("/storage/v1/b/{BUCKET}/o"),
        format!("/download/storage/v1/b/{BUCKET}/o/users%2Fu%2Fsecret.txt?alt=media"),
        format!("/{BUCKET}/users/u/secret.txt"),
        "/v0/b/other-bucket/o/users%2Fv%2Fx".to_owned(),
        "/b".to_owned(),
    ] {
        let reply = bench.send("GET", &uri, &key, "").await;
        let listing = reply.status == 200 && reply.json()["items"].as_array().is_some_and(Vec::is_empty);
        assert!(reply.status.is_client_error() || listing, "{uri}: {}", reply.show());
    }
    let upload = format!("/upload/storage/v1/b/{BUCKET}/o?name=users/v/x");
    assert_eq!(bench.send("POST", &upload, &key, "x").await.status, 403);
    let rewrite = format!("/b/{BUCKET}/o/users%2Fu%2Fsecret.txt/rewriteTo/b/{BUCKET}/o/users%2Fv%2Fmine");
    assert_eq!(bench.send("POST", &rewrite, &key, "").await.status, 403);
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fsecret.txt?alt=media", "").await.body, "secret");
}

#[tokio::test]
async fn bad_credentials_are_told_apart_from_none() {
    let bench = Bench::new(Mode::Serving).await;
    bench.put("a", "text/plain", "x").await;
    let uri = format!("/v0/b/{BUCKET}/o/users%2Fu%2Fa");
    assert_eq!(bench.send("GET", &uri, &[], "").await.status, 403);
    assert_eq!(bench.send("GET", &uri, &[("authorization", "Firebase old")], "").await.status, 401);
    let cloud = format!("/b/{BUCKET}/o/users%2Fu%2Fa");
    assert_eq!(bench.send("GET", &cloud, &[], "").await.status, 401);
    assert_eq!(bench.send("GET", &cloud, &[("authorization", "Bearer user-u")], "").await.status, 403);
}

/// A user cannot choose a download token: it could be guessed.
#[tokio::test]
async fn tokens_are_the_servers_to_make() {
    let bench = Bench::new(Mode::Serving).await;
    bench.put("a", "text/plain", "x").await;
    let patch = r#"{"metadata":{"firebaseStorageDownloadTokens":"guess"}}"#;
    let reply = bench.user("PATCH", "o/users%2Fu%2Fa", patch).await.json();
    assert!(!reply["downloadTokens"].as_str().unwrap().contains("guess"));
    let uri = format!("/v0/b/{BUCKET}/o/users%2Fu%2Fa?alt=media&token=guess");
    assert_eq!(bench.send("GET", &uri, &[], "").await.status, 403);
}

#[tokio::test]
async fn nothing_that_is_served_can_run() {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(1)</script></svg>";
    let html = "<html><script>alert(1)</script></html>";
    let mut polyglot = noise_image(2, 2, ImageFormat::Gif);
    polyglot.extend_from_slice(b"/*<script>alert(1)</script>*/=alert(1)");
    for mode in [Mode::Serving, Mode::Emulator] {
        let bench = Bench::new(mode).await;
        for (declared, data, served, attachment) in [
            ("image/svg+xml", svg.as_bytes(), "image/svg+xml", false),
            ("image/png", svg.as_bytes(), "image/svg+xml", false),
            ("text/html", html.as_bytes(), "text/html", true),
            ("image/png", html.as_bytes(), "text/html", true),
            ("text/html; charset=utf-7", b"plain", "text/html; charset=utf-7", true),
            ("text/html", &polyglot, "image/gif", false),
            ("text/javascript", &polyglot, "image/gif", false),
            ("application/javascript", b"alert(1)", "text/plain; charset=utf-8", false),
            ("module/x-ecmascript", b"alert(1)", "text/plain; charset=utf-8", false),
            ("application/xhtml+xml", html.as_bytes(), "text/html", true),
            ("image/png", b"not a picture", "application/octet-stream", false),
        ] {
            let reply = bench.put("x", declared, data.to_vec()).await;
            if mode == Mode::Serving && data == svg.as_bytes() {
                assert_eq!(reply.status, 400, "{declared}");
                assert!(reply.show().contains("Save it as plain SVG"), "{}", reply.show());
                continue;
            }
            assert_eq!(reply.status, 200, "{declared}");
            let reply = bench.user("GET", "o/users%2Fu%2Fx?alt=media", "").await;
            let shown = reply.show();
            assert_eq!(reply.header("content-type"), served, "{shown}");
            assert!(
                reply.header("content-security-policy").starts_with("sandbox; default-src 'none'"),
                "{shown}"
            );
            assert!(!reply.header("content-security-policy").contains("allow-scripts"));
            assert_eq!(reply.header("x-content-type-options"), "nosniff");
            assert_eq!(reply.header("content-disposition").starts_with("attachment"), attachment, "{shown}");
            if mode == Mode::Serving {
                let stored = bench.user("GET", "o/users%2Fu%2Fx", "").await.json()["contentType"].clone();
                assert!(served.starts_with("text/plain") || stored == served, "{declared}: {stored}");
            }
        }
        // A later declaration does not change the type of the bytes.
        bench.put("x", "image/png", html).await;
        bench
            .user("PATCH", "o/users%2Fu%2Fx", r#"{"contentType":"image/png","contentDisposition":"inline"}"#)
            .await;
        let reply = bench.user("GET", "o/users%2Fu%2Fx?alt=media", "").await;
        assert_eq!(reply.header("content-type"), "text/html");
        assert!(reply.header("content-disposition").starts_with("attachment"));
    }
}

#[tokio::test]
async fn bombs_are_refused_by_their_headers() {
    let limits = Limits { image_pixels: 1_000_000, file_bytes: 100_000, ..Limits::default() };
    let bench = Bench::with(Mode::Serving, limits).await;
    let mut png = noise_image(2, 2, ImageFormat::Png);
    png[16..24].copy_from_slice(&[0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);
    let mut gif = noise_image(2, 2, ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[0xff; 4]);
    let mut empty = noise_image(2, 2, ImageFormat::Png);
    empty[16..20].copy_from_slice(&[0; 4]);
    for (name, bomb) in [("png", png), ("gif", gif), ("empty", empty)] {
        let reply = bench.put("bomb", "image/png", bomb).await;
        assert_eq!(reply.status, 413, "{name}: {}", reply.show());
        assert!(reply.json()["error"]["message"].as_str().unwrap().contains("pixels"));
    }
    assert_eq!(bench.put("large", "text/plain", vec![b'x'; 100_001]).await.status, 413);
    assert_eq!(bench.put("fits", "image/png", noise_image(999, 1, ImageFormat::Png)).await.status, 200);
    assert_eq!(bench.keys().await.len(), 1);
    // A header that states a small size: the decoder stops at that size, and the server survives.
    let mut liar = noise_image(64, 64, ImageFormat::Png);
    liar[16..24].copy_from_slice(&[0, 0, 0, 1, 0, 0, 0, 1]);
    bench.put("liar", "image/png", liar).await;
    let reply = bench.user("GET", "o/users%2Fu%2Fliar?alt=media&thumb=64", "").await;
    assert!(reply.status == 200 || reply.status == 400, "{}", reply.show());
}

#[tokio::test]
async fn names_and_metadata_cannot_break_out_of_headers() {
    let bench = Bench::new(Mode::Serving).await;
    for name in ["a%0d%0aSet-Cookie:%20x", "a%00", "..", "a%2F..%2Fb", "%ff"] {
        assert_eq!(bench.put(name, "text/plain", "x").await.status, 400, "{name}");
    }
    bench.put("a%22;%20filename=evil.html", "text/plain", "x").await;
    let reply = bench.user("GET", "o/users%2Fu%2Fa%22;%20filename=evil.html?alt=media", "").await;
    assert_eq!(
        reply.header("content-disposition"),
        "inline; filename*=utf-8''a%22%3B%20filename%3Devil.html"
    );
    let patch = r#"{"contentDisposition":"inline\r\nSet-Cookie: x"}"#;
    assert_eq!(bench.user("PATCH", "o/users%2Fu%2Fa", patch).await.status, 400);
    let large = format!(r#"{{"metadata":{{"k":"{}"}}}}"#, "x".repeat(9000));
    assert_eq!(bench.user("PATCH", "o/users%2Fu%2Fa%22;%20filename=evil.html", large).await.status, 400);
}
