use std::time::Duration;

use docstore::access::Mode;
use image::ImageFormat;

use super::support::{BUCKET, Bench, noise_image};

const FILE: &str = "o/users%2Fu%2Fdir%2Fa.txt";

fn multipart(quoted: bool) -> (String, String) {
    let body = "--b1\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\
        {\"name\":\"x\",\"contentType\":\"text/plain\",\"metadata\":{\"color\":\"blue\"}}\r\n\
        --b1\r\nContent-Type: text/plain\r\n\r\nhello world\r\n--b1--";
    let boundary = if quoted { "\"b1\"" } else { "b1" };
    (format!("multipart/related; boundary={boundary}"), body.to_owned())
}

#[tokio::test]
async fn a_files_life() {
    let bench = Bench::new(Mode::Serving).await;
    let (content_type, body) = multipart(false);
    let headers = [
        ("authorization", "Firebase user-u"),
        ("x-goog-upload-protocol", "multipart"),
        ("content-type", &*content_type),
    ];
    let uri = format!("/v0/b/{BUCKET}/o?name=users%2Fu%2Fdir%2Fa.txt");
    insta::assert_snapshot!("multipart", bench.send("POST", &uri, &headers, body).await.show());
    insta::assert_snapshot!("metadata", bench.user("GET", FILE, "").await.show());
    insta::assert_snapshot!("bytes", bench.user("GET", &format!("{FILE}?alt=media"), "").await.show());
    let range = [("authorization", "Firebase user-u"), ("range", "bytes=6-8")];
    let uri = format!("/v0/b/{BUCKET}/{FILE}?alt=media");
    insta::assert_snapshot!("range", bench.send("GET", &uri, &range, "").await.show());
    let range = [("authorization", "Firebase user-u"), ("range", "bytes=60-")];
    assert_eq!(bench.send("GET", &uri, &range, "").await.header("content-range"), "bytes */11");
    bench.clock.advance(Duration::from_secs(1));
    let patch = r#"{"contentLanguage":"en","metadata":{"color":null,"size":3}}"#;
    insta::assert_snapshot!("patch", bench.user("PATCH", FILE, patch).await.show());
    insta::assert_snapshot!(
        "list",
        bench.user("GET", "o?prefix=users%2Fu%2F&delimiter=%2F", "").await.show()
    );
    insta::assert_snapshot!("list prefix", bench.user("GET", "o?prefix=users%2Fu", "").await.show());
    insta::assert_snapshot!("delete", bench.user("DELETE", FILE, "").await.show());
    insta::assert_snapshot!("missing", bench.user("GET", FILE, "").await.show());
    insta::assert_snapshot!("denied", bench.user("GET", "o/users%2Fv%2Fa", "").await.show());
    assert_eq!(bench.user("DELETE", FILE, "").await.status, 404);
    assert_eq!(bench.state.usage("u").await.unwrap(), crate::catalog::Usage::default());
}

#[tokio::test]
async fn multipart_is_read_leniently_and_refused_clearly() {
    let bench = Bench::new(Mode::Emulator).await;
    let send = async |content_type: &str, body: &str| {
        let headers = [
            ("authorization", "Bearer owner"),
            ("x-goog-upload-protocol", "multipart"),
            ("content-type", content_type),
        ];
        bench.send("POST", &format!("/v0/b/{BUCKET}/o/a"), &headers, body.to_owned()).await
    };
    let (content_type, body) = multipart(true);
    assert_eq!(send(&content_type, &body).await.json()["size"], "11");
    assert_eq!(send(&content_type, &body.replace("\r\n", "\n")).await.json()["size"], "11");
    for (content_type, body) in [("foo", &*body), (&*content_type, "--b1--"), (&*content_type, &body[..40])] {
        let reply = send(content_type, body).await;
        assert_eq!(reply.status, 400, "{}", reply.show());
    }
    assert_eq!(send("foo", "").await.body, "Bad content type. foo");
}

#[tokio::test]
async fn tokens_open_and_are_revoked() {
    let bench = Bench::new(Mode::Emulator).await;
    let made = bench.put("a.png", "image/png", noise_image(20, 10, ImageFormat::Png)).await.json();
    let token = made["downloadTokens"].as_str().unwrap().to_owned();
    let path = format!("/v0/b/{BUCKET}/o/users%2Fu%2Fa.png");
    let open =
        async |token: &str| bench.send("GET", &format!("{path}?alt=media&token={token}"), &[], "").await;
    let opened = open(&token).await;
    assert_eq!(opened.status, 200);
    assert_eq!(opened.header("cache-control"), "private, max-age=31536000, immutable");
    assert_eq!(opened.header("content-type"), "image/png");
    assert_eq!(open("wrong").await.status, 403);
    let admin = async |query: &str, key: &str| {
        bench.send("POST", &format!("{path}?{query}"), &[("authorization", key)], "").await
    };
    for bad in ["Bearer nonsense", "Bearer no-jwt"] {
        assert_eq!(admin("create_token=true", bad).await.status, 403);
        assert_eq!(admin(&format!("delete_token={token}"), bad).await.status, 403);
    }
    assert_eq!(admin("create_token=true", "Firebase user-u").await.status, 403);
    assert_eq!(admin("create_token=perhaps", "Bearer owner").await.status, 400);
    let two = admin("create_token=true", "Bearer owner").await.json();
    assert_eq!(two["downloadTokens"].as_str().unwrap().split(',').count(), 2);
    let one = admin(&format!("delete_token={token}"), "Bearer owner").await.json();
    let left = one["downloadTokens"].as_str().unwrap().to_owned();
    assert!(!left.contains(',') && left != token);
    let fresh = admin(&format!("delete_token={left}"), "Bearer owner").await.json();
    assert!(![token.as_str(), left.as_str(), ""].contains(&fresh["downloadTokens"].as_str().unwrap()));
    assert_eq!(open(&token).await.status, 403);
}

#[tokio::test]
async fn caches_are_told_the_truth() {
    let bench = Bench::new(Mode::Serving).await;
    bench.put("a.txt", "text/plain", "one").await;
    let path = format!("/v0/b/{BUCKET}/o/users%2Fu%2Fa.txt?alt=media");
    let get = async |extra: (&str, &str)| {
        bench.send("GET", &path, &[("authorization", "Firebase user-u"), extra], "").await
    };
    let etag = get(("x", "y")).await.header("etag").to_owned();
    assert_eq!(get(("if-none-match", &etag)).await.status, 304);
    assert_eq!(get(("if-none-match", &format!("W/{etag}, \"x\""))).await.status, 304);
    bench.put("a.txt", "text/plain", "two").await;
    let changed = get(("if-none-match", &etag)).await;
    assert_eq!((changed.status.as_u16(), &changed.body[..]), (200, &b"two"[..]));
    let both = [("authorization", "Firebase user-u"), ("range", "bytes=0-0"), ("if-range", &*etag)];
    assert_eq!(bench.send("GET", &path, &both, "").await.body, "two");
}

#[tokio::test]
async fn browsers_may_call_and_see_upload_headers() {
    let bench = Bench::new(Mode::Serving).await;
    let headers =
        [("origin", "https://game.example"), ("access-control-request-headers", "x-goog-upload-command")];
    let preflight = bench.send("OPTIONS", &format!("/v0/b/{BUCKET}/o"), &headers, "").await;
    assert_eq!(preflight.status, 204);
    assert_eq!(preflight.header("access-control-allow-origin"), "https://game.example");
    assert_eq!(preflight.header("access-control-allow-headers"), "x-goog-upload-command");
    let denied = bench.send("GET", &format!("/v0/b/{BUCKET}/o/x"), &headers[..1], "").await;
    assert_eq!(denied.status, 403);
    assert_eq!(denied.header("access-control-allow-origin"), "https://game.example");
    for name in
        ["x-goog-upload-url", "x-goog-upload-status", "x-goog-upload-size-received", "x-gupload-uploadid"]
    {
        assert!(denied.header("access-control-expose-headers").contains(name), "{name}");
    }
    assert!(denied.header("vary").contains("Origin"));
}

#[tokio::test]
async fn lists_page_by_page_with_folders() {
    let bench = Bench::new(Mode::Serving).await;
    let mut names: Vec<String> = (0..7).map(|i| format!("f{i}")).collect();
    for folder in ["a", "b.c", "b"] {
        for file in 0..3 {
            names.push(format!("{folder}/{file}"));
        }
    }
    names.extend(["b-".to_owned(), "x//y".to_owned(), "z/".to_owned()]);
    for name in &names {
        assert_eq!(bench.put(name, "text/plain", "x").await.status, 200);
    }
    for page_size in [1, 2, 3, 5, 100] {
        let (mut items, mut prefixes, mut token) = (Vec::new(), Vec::new(), String::new());
        loop {
            let query = format!("o?prefix=users/u/&delimiter=/&maxResults={page_size}&pageToken={token}");
            let page = bench.user("GET", &query, "").await.json();
            let strings = |list: &serde_json::Value, key: Option<&str>| -> Vec<String> {
                let text = |v: &serde_json::Value| key.map_or(v, |key| &v[key]).as_str().unwrap().to_owned();
                list.as_array().unwrap().iter().map(text).collect()
            };
            let got = strings(&page["items"], Some("name"));
            let folders = strings(&page["prefixes"], None);
            assert!(got.len() + folders.len() <= page_size);
            items.extend(got);
            prefixes.extend(folders);
            match page["nextPageToken"].as_str() {
                Some(next) => token = next.to_owned(),
                None => break,
            }
        }
        let of = |names: &[&str]| names.iter().map(|n| format!("users/u/{n}")).collect::<Vec<_>>();
        assert_eq!(items, of(&["b-", "f0", "f1", "f2", "f3", "f4", "f5", "f6"]), "pages of {page_size}");
        assert_eq!(prefixes, of(&["a/", "b.c/", "b/", "x/", "z/"]), "pages of {page_size}");
    }
    for bad in ["pageToken=%21", "maxResults=many"] {
        let reply = bench.user("GET", &format!("o?prefix=users/u/&{bad}"), "").await;
        assert_eq!(reply.status, 400, "{}", reply.show());
    }
}

#[tokio::test]
async fn thumbnails_are_made_once_and_kept() {
    let bench = Bench::new(Mode::Serving).await;
    for (format, media_type) in [
        (ImageFormat::Png, "image/png"),
        (ImageFormat::Jpeg, "image/jpeg"),
        (ImageFormat::Gif, "image/gif"),
        (ImageFormat::WebP, "image/webp"),
    ] {
        bench.put("a", media_type, noise_image(400, 200, format)).await;
        let small = bench.user("GET", "o/users%2Fu%2Fa?alt=media&thumb=64", "").await;
        assert_eq!((small.status.as_u16(), small.header("content-type")), (200, "image/webp"));
        let decoded = image::load_from_memory(&small.body).unwrap();
        assert_eq!((decoded.width(), decoded.height()), (64, 32));
    }
    let before = bench.keys().await;
    let again = bench.user("GET", "o/users%2Fu%2Fa?alt=media&thumb=64", "").await;
    assert_eq!(bench.keys().await, before);
    let headers = [("authorization", "Firebase user-u"), ("if-none-match", again.header("etag"))];
    let uri = format!("/v0/b/{BUCKET}/o/users%2Fu%2Fa?alt=media&thumb=64");
    assert_eq!(bench.send("GET", &uri, &headers, "").await.status, 304);
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fa?alt=media&thumb=65", "").await.status, 400);
    bench.put("t.txt", "text/plain", "no image").await;
    assert_eq!(bench.user("GET", "o/users%2Fu%2Ft.txt?alt=media&thumb=64", "").await.status, 400);
    bench.put("small", "image/png", noise_image(10, 5, ImageFormat::Png)).await;
    let small = bench.user("GET", "o/users%2Fu%2Fsmall?alt=media&thumb=64", "").await;
    assert_eq!(image::load_from_memory(&small.body).unwrap().width(), 10);
    assert_eq!(bench.send("GET", &uri, &[], "").await.status, 403);
}
