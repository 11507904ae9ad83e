//! Bytes that are not those their uploader announced are never stored.

use docstore::access::Mode;

use super::support::{BUCKET, Bench, Reply};

/// MD5 and CRC-32C of `hello`.
const MD5: &str = "XUFAKrxLKna5cZ2REBfFkg==";
const CRC32C: &str = "mnG7TA==";
const WRONG: &str = "AAAAAAAAAAAAAAAAAAAAAA==";
const WRONG_CRC32C: &str = "AAAAAA==";

async fn sent(bench: &Bench, method: &str, uri: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    bench.send(method, &uri.replace('~', BUCKET), headers, body.to_owned()).await
}

fn related(metadata: &str, bytes: &str) -> (String, String) {
    let body = format!(
        "--b\r\nContent-Type: application/json\r\n\r\n{metadata}\r\n--b\r\nContent-Type: text/plain\r\n\r\n{bytes}\r\n--b--"
    );
    ("multipart/related; boundary=b".to_owned(), body)
}

async fn is_there(bench: &Bench, name: &str) -> bool {
    sent(bench, "GET", &format!("/storage/v1/b/~/o/{name}"), &[], "").await.status == 200
}

#[tokio::test]
async fn a_multipart_upload_has_the_checksums_of_its_metadata() {
    let bench = Bench::new(Mode::Emulator).await;
    for (name, value, status) in [
        ("md5Hash", MD5, 200),
        ("crc32c", CRC32C, 200),
        ("md5Hash", WRONG, 400),
        ("crc32c", WRONG_CRC32C, 400),
        ("md5Hash", "not base64", 400),
        ("md5Hash", CRC32C, 400),
    ] {
        let (content_type, body) = related(&format!(r#"{{"name":"m","{name}":"{value}"}}"#), "hello");
        let uri = "/upload/storage/v1/b/~/o?uploadType=multipart";
        let reply = sent(&bench, "POST", uri, &[("content-type", &content_type)], &body).await;
        assert_eq!(reply.status, status, "{name} {value}: {}", reply.show());
        assert_eq!(is_there(&bench, "m").await, status == 200);
        sent(&bench, "DELETE", "/b/~/o/m", &[], "").await;
    }
}

#[tokio::test]
async fn the_firebase_api_takes_an_md5_hash_and_its_own_form_of_a_crc() {
    let bench = Bench::new(Mode::Emulator).await;
    for (metadata, status) in [
        (format!(r#"{{"md5Hash":"{MD5}","crc32c":"2591144780"}}"#), 200),
        (format!(r#"{{"md5Hash":"{WRONG}"}}"#), 400),
    ] {
        let (content_type, body) = related(&metadata, "hello");
        let headers = [
            ("content-type", content_type.as_str()),
            ("x-goog-upload-protocol", "multipart"),
            ("authorization", "Bearer owner"),
        ];
        let reply = sent(&bench, "POST", "/v0/b/~/o?name=f", &headers, &body).await;
        assert_eq!(reply.status, status, "{metadata}: {}", reply.show());
    }
}

#[tokio::test]
async fn a_media_upload_has_the_checksums_of_its_headers() {
    let bench = Bench::new(Mode::Emulator).await;
    for (header, value, status) in [
        ("content-md5", MD5.to_owned(), 200),
        ("content-md5", WRONG.to_owned(), 400),
        ("x-goog-hash", format!("crc32c={CRC32C},md5={MD5}"), 200),
        ("x-goog-hash", format!("crc32c={CRC32C}, md5={WRONG}"), 400),
        ("x-goog-hash", format!("sha9=x,crc32c={WRONG_CRC32C}"), 400),
    ] {
        let uri = "/upload/storage/v1/b/~/o?uploadType=media&name=d";
        let reply = sent(&bench, "POST", uri, &[(header, &value)], "hello").await;
        assert_eq!(reply.status, status, "{header} {value}: {}", reply.show());
        assert_eq!(is_there(&bench, "d").await, status == 200);
        sent(&bench, "DELETE", "/b/~/o/d", &[], "").await;
    }
}

#[tokio::test]
async fn a_resumable_upload_has_the_checksums_of_its_start_and_of_its_end() {
    let bench = Bench::new(Mode::Emulator).await;
    for (start, end, status) in [
        (format!(r#"{{"md5Hash":"{MD5}"}}"#), format!("crc32c={CRC32C}"), 200),
        (format!(r#"{{"md5Hash":"{WRONG}"}}"#), String::new(), 400),
        ("{}".to_owned(), format!("crc32c={WRONG_CRC32C}"), 400),
        ("{}".to_owned(), format!("md5={WRONG}"), 400),
        (format!(r#"{{"crc32c":"{CRC32C}"}}"#), format!("crc32c={CRC32C}"), 200),
        (format!(r#"{{"crc32c":"{WRONG_CRC32C}"}}"#), format!("crc32c={CRC32C}"), 400),
        (format!(r#"{{"md5Hash":"{WRONG}"}}"#), format!("md5={MD5}"), 400),
    ] {
        let uri = "/upload/storage/v1/b/~/o?uploadType=resumable&name=r";
        let begun = sent(&bench, "POST", uri, &[], &start).await;
        assert_eq!(begun.status, 200, "{}", begun.show());
        let location = begun.header("location").to_owned();
        let session = location.split_once("/upload/").unwrap().1;
        let headers = [("content-range", "bytes 0-4/5"), ("x-goog-hash", end.as_str())];
        let reply = sent(&bench, "PUT", &format!("/upload/{session}"), &headers, "hello").await;
        assert_eq!(reply.status, status, "{start} {end}: {}", reply.show());
        assert_eq!(is_there(&bench, "r").await, status == 200);
        sent(&bench, "DELETE", "/b/~/o/r", &[], "").await;
    }
}

#[tokio::test]
async fn who_has_the_object_already_is_told_so() {
    let bench = Bench::new(Mode::Emulator).await;
    let uri = "/upload/storage/v1/b/~/o?uploadType=media&name=g";
    let generation =
        sent(&bench, "POST", uri, &[], "hello").await.json()["generation"].as_str().unwrap().to_owned();
    let at = |path: &str, condition: &str| format!("{path}/storage/v1/b/~/o/g?{condition}");
    let same = format!("ifGenerationNotMatch={generation}");
    for (path, condition, status) in [
        ("", same.as_str(), 304),
        ("/download", &format!("{same}&alt=media"), 304),
        ("/download", "alt=media&ifMetagenerationNotMatch=1", 304),
        ("/download", "alt=media&ifGenerationNotMatch=1", 200),
        ("", "ifGenerationNotMatch=0", 200),
    ] {
        assert_eq!(sent(&bench, "GET", &at(path, condition), &[], "").await.status, status, "{condition}");
    }
    // A change of what may not be there any more is refused, and one of what must be there.
    assert_eq!(sent(&bench, "PATCH", &at("", &same), &[], "{}").await.status, 412);
    assert_eq!(sent(&bench, "DELETE", &at("", &same), &[], "").await.status, 412);
    let onto = "/upload/storage/v1/b/~/o?uploadType=media&name=none&ifGenerationNotMatch=0";
    assert_eq!(sent(&bench, "POST", onto, &[], "x").await.status, 412);
    assert!(!is_there(&bench, "none").await);
}
