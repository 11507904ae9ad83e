use docstore::access::Mode;

use super::support::{BUCKET, Bench, Reply};

async fn admin(bench: &Bench, method: &str, uri: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    bench.send(method, &uri.replace('~', BUCKET), headers, body.to_owned()).await
}

#[tokio::test]
async fn an_administrators_requests() {
    let bench = Bench::new(Mode::Emulator).await;
    let text = [("content-type", "text/plain")];
    let put = admin(&bench, "POST", "/upload/storage/v1/b/~/o?name=dir/a.txt", &text, "hello world").await;
    insta::assert_snapshot!("cloud media", put.show());
    let get = admin(&bench, "GET", "/storage/v1/b/~/o/dir%2Fa.txt", &[], "").await;
    assert_eq!(get.json(), put.json());
    for bytes in [
        "/b/~/o/dir%2Fa.txt?alt=media",
        "/download/storage/v1/b/~/o/dir%2Fa.txt?alt=media",
        "/storage/v1/b/~/o/dir%2Fa.txt?alt=media",
        "/~/dir/a.txt",
    ] {
        let reply = admin(&bench, "GET", bytes, &[], "").await;
        assert_eq!((reply.status.as_u16(), &reply.body[..]), (200, &b"hello world"[..]), "{bytes}");
        assert_eq!(reply.header("content-disposition"), "attachment; filename*=a.txt");
    }
    insta::assert_snapshot!("cloud list", admin(&bench, "GET", "/b/~/o?delimiter=/", &[], "").await.show());
    insta::assert_snapshot!(
        "cloud patch",
        admin(&bench, "PATCH", "/b/~/o/dir%2Fa.txt", &[], r#"{"metadata":{"a":1},"nada":2}"#).await.show()
    );
    insta::assert_snapshot!(
        "cloud rewrite",
        admin(&bench, "POST", "/b/~/o/dir%2Fa.txt/rewriteTo/b/other-bucket/o/c", &[], "").await.show()
    );
    let copied =
        admin(&bench, "POST", "/b/~/o/dir%2Fa.txt/copyTo/b/~/o/d%2Fe", &[], r#"{"metadata":{"b":null}}"#)
            .await;
    assert_eq!(copied.json()["metadata"], serde_json::json!({ "b": "" }));
    insta::assert_snapshot!(
        "cloud acl",
        admin(&bench, "POST", "/b/~/o/d%2Fe/acl", &[], r#"{"entity":"allUsers","role":"READER"}"#)
            .await
            .show()
    );
    insta::assert_snapshot!("cloud missing", admin(&bench, "GET", "/b/~/o/none", &[], "").await.show());
    insta::assert_snapshot!("cloud buckets", admin(&bench, "GET", "/b", &[], "").await.show());
    assert_eq!(admin(&bench, "DELETE", "/b/~/o/d%2Fe?ifGenerationMatch=1", &[], "").await.status, 412);
    assert_eq!(admin(&bench, "DELETE", "/b/~/o/d%2Fe", &[], "").await.status, 204);
    assert_eq!(admin(&bench, "GET", "/b/~/o/d%2Fe", &[], "").await.status, 404);
    let token = "/b/~/o/dir%2Fa.txt/rewriteTo/b/~/o/x?rewriteToken=t";
    assert_eq!(admin(&bench, "POST", token, &[], "").await.status, 501);
    // Copies share one content.
    assert_eq!(bench.keys().await.len(), 1);
    let exists = "/upload/storage/v1/b/~/o?name=dir/a.txt&ifGenerationMatch=0";
    assert_eq!(admin(&bench, "POST", exists, &text, "new").await.status, 412);
    assert_eq!(bench.keys().await.len(), 1);
}

#[tokio::test]
async fn chunks_by_content_range() {
    let bench = Bench::new(Mode::Emulator).await;
    let start = "/upload/storage/v1/b/~/o?uploadType=resumable";
    let typed = [("x-upload-content-type", "image/png")];
    let reply = admin(&bench, "POST", start, &typed, r#"{"name":"r"}"#).await;
    assert_eq!(reply.status, 200);
    let url = reply.header("location").trim_start_matches("http://127.0.0.1:9199").to_owned();
    let put =
        async |range: &str, body: &str| admin(&bench, "PUT", &url, &[("content-range", range)], body).await;
    assert_eq!(put("bytes */*", "").await.header("range"), "");
    let reply = put("bytes 0-5/11", "hello ").await;
    assert_eq!((reply.status.as_u16(), reply.header("range")), (308, "bytes=0-5"));
    assert_eq!(put("bytes */11", "").await.header("range"), "bytes=0-5");
    assert_eq!(put("bytes 0-7/11", "hello wo").await.header("range"), "bytes=0-7");
    assert_eq!(put("bytes 9-10/11", "ld").await.status, 400);
    let done = put("bytes 8-10/11", "rld").await;
    assert_eq!((done.status.as_u16(), done.json()["size"].as_str()), (200, Some("11")));
    assert_eq!(done.json()["contentType"], "image/png");
    assert_eq!(put("bytes */11", "").await.json(), done.json());
    // One request without a range is the whole file; a second one finds it done.
    let reply = admin(&bench, "POST", &format!("{start}&name=s"), &[], "").await;
    let url = reply.header("location").trim_start_matches("http://127.0.0.1:9199").to_owned();
    assert_eq!(admin(&bench, "PUT", &url, &[], "whole").await.json()["size"], "5");
    assert_eq!(admin(&bench, "PUT", &url, &[], "more").await.json()["size"], "5");
    assert_eq!(admin(&bench, "DELETE", &format!("{url}0"), &[], "").await.status, 404);
}

#[tokio::test]
async fn gzip_is_unpacked_for_those_who_do_not_take_it() {
    let bench = Bench::new(Mode::Emulator).await;
    let zipped = [
        &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 5, 0, 0xfa, 0xff][..],
        b"hello",
        &[0x86, 0xa6, 0x10, 0x36, 5, 0, 0, 0],
    ]
    .concat();
    let body = [
        b"--b\r\ncontent-type: application/json\r\n\r\n{\"name\":\"g\",\"contentEncoding\":\"gzip\",\"contentType\":\"text/plain\"}\r\n--b\r\ncontent-type: text/plain\r\n\r\n".to_vec(),
        zipped.clone(),
        b"\r\n--b--".to_vec(),
    ]
    .concat();
    let headers = [("content-type", "multipart/related; boundary=b")];
    let uri = format!("/upload/storage/v1/b/{BUCKET}/o?uploadType=multipart");
    assert_eq!(bench.send("POST", &uri, &headers, body).await.status, 200);
    let get = async |encoding: &str| {
        let uri = format!("/storage/v1/b/{BUCKET}/o/g?alt=media");
        bench.send("GET", &uri, &[("accept-encoding", encoding)], "").await
    };
    let plain = get("identity").await;
    assert_eq!(plain.body, "hello");
    assert_eq!((plain.header("content-encoding"), plain.header("content-length")), ("", ""));
    let packed = get("br, gzip").await;
    assert_eq!((packed.header("content-encoding"), &packed.body[..]), ("gzip", &zipped[..]));
}

#[tokio::test]
async fn forms_with_a_policy_are_for_emulators() {
    let body = "--f\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\na/b\r\n\
        --f\r\nContent-Disposition: form-data; name=\"x-goog-meta-color\"\r\n\r\nblue\r\n\
        --f\r\nContent-Disposition: form-data; name=\"Cache-Control\"\r\n\r\npublic, max-age=60\r\n\
        --f\r\nContent-Disposition: form-data; name=\"file\"; filename=\"b\"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--f--\r\n";
    let headers = [("content-type", "multipart/form-data; boundary=f")];
    let bench = Bench::new(Mode::Emulator).await;
    assert_eq!(admin(&bench, "POST", "/~", &headers, body).await.status, 204);
    let stored = admin(&bench, "GET", "/b/~/o/a%2Fb", &[], "").await.json();
    assert_eq!(stored["metadata"], serde_json::json!({ "color": "blue" }));
    assert_eq!(
        (&stored["contentType"], &stored["cacheControl"]),
        (&"text/plain".into(), &"public, max-age=60".into())
    );
    assert_eq!(admin(&bench, "POST", "/~", &headers, "--f--").await.status, 400);
    assert_eq!(admin(&bench, "POST", "/~", &[("content-type", "text/plain")], body).await.status, 400);
    let bench = Bench::new(Mode::Serving).await;
    assert_eq!(admin(&bench, "POST", "/~", &headers, body).await.status, 403);
}

#[tokio::test]
async fn test_tools_reset_and_export() {
    let bench = Bench::new(Mode::Emulator).await;
    admin(&bench, "POST", "/upload/storage/v1/b/~/o?name=a/b", &[], "hello").await;
    let dir = tempfile::TempDir::new().unwrap();
    let request = serde_json::json!({ "path": dir.path() }).to_string();
    let origin = [("origin", "http://evil.example")];
    assert_eq!(admin(&bench, "POST", "/internal/export", &origin, &request).await.status, 403);
    assert_eq!(admin(&bench, "POST", "/internal/export", &[], &request).await.status, 200);
    let blobs: Vec<_> = std::fs::read_dir(dir.path().join("blobs")).unwrap().collect();
    assert_eq!(std::fs::read(blobs[0].as_ref().unwrap().path()).unwrap(), b"hello");
    assert!(dir.path().join("buckets.json").exists());
    assert_eq!(admin(&bench, "POST", "/internal/export", &[], "{}").await.status, 400);
    assert_eq!(admin(&bench, "PUT", "/internal/setRules", &[], "{}").await.status, 400);
    assert_eq!(admin(&bench, "POST", "/internal/reset", &[], "").await.status, 200);
    assert_eq!(admin(&bench, "GET", "/b/~/o/a%2Fb", &[], "").await.status, 404);
    assert!(bench.keys().await.is_empty());
    let bench = Bench::new(Mode::Serving).await;
    assert_eq!(admin(&bench, "POST", "/internal/reset", &[], "").await.status, 404);
}
