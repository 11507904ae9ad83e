//! Several requests in one.

use docstore::access::Mode;

use super::support::{BUCKET, Bench, Reply};

async fn put(bench: &Bench, name: &str) {
    let uri = format!("/upload/storage/v1/b/{BUCKET}/o?name={name}");
    assert_eq!(
        bench.send("POST", &uri, &[("content-type", "text/plain")], name.to_owned()).await.status,
        200
    );
}

fn body_of(requests: &[(&str, &str, &str)], end: &str) -> String {
    let mut text = String::new();
    for (at, (line, headers, body)) in requests.iter().enumerate() {
        let line = line.replace('~', BUCKET);
        text.push_str(&format!(
            "--==x=={end}Content-Type: application/http{end}MIME-Version: 1.0{end}Content-ID: <id+{at}>{end}{end}{line} HTTP/1.1{end}{headers}{end}{body}{end}"
        ));
    }
    text.push_str(&format!("--==x==--{end}"));
    text
}

async fn batch(bench: &Bench, body: String) -> Reply {
    let headers = [("content-type", "multipart/mixed; boundary=\"==x==\"")];
    bench.send("POST", "/batch/storage/v1", &headers, body).await
}

#[tokio::test]
async fn each_request_of_a_batch_is_answered_in_order() {
    for end in ["\n", "\r\n"] {
        let bench = Bench::new(Mode::Emulator).await;
        put(&bench, "a").await;
        put(&bench, "b").await;
        let patched = r#"{"cacheControl": "no-store"}"#;
        let headers = format!("Content-Type: application/json{end}Content-Length: 28{end}");
        let reply = batch(
            &bench,
            body_of(
                &[
                    ("DELETE http://127.0.0.1:9199/storage/v1/b/~/o/a?prettyPrint=false", "", ""),
                    ("DELETE /storage/v1/b/~/o/none", "", ""),
                    ("PATCH /storage/v1/b/~/o/b", &headers, patched),
                    ("GET /storage/v1/b/~/o/b", "", ""),
                ],
                end,
            ),
        )
        .await;
        assert_eq!(reply.status, 200, "{}", reply.show());
        let text = String::from_utf8(reply.body.to_vec()).unwrap();
        let answers: Vec<&str> =
            text.split("--batch_of_answers").filter(|part| part.contains("HTTP/1.1")).collect();
        let statuses: Vec<&str> =
            answers.iter().map(|part| part.split_once("HTTP/1.1 ").unwrap().1.get(..3).unwrap()).collect();
        assert_eq!(statuses, ["204", "404", "200", "200"], "{text}");
        for (at, part) in answers.iter().enumerate() {
            assert!(part.contains(&format!("Content-ID: <response-id+{at}>")), "{part}");
        }
        assert!(answers.iter().skip(2).all(|part| part.contains(r#""cacheControl":"no-store""#)), "{text}");
        assert_eq!(bench.send("GET", &format!("/b/{BUCKET}/o/a"), &[], "").await.status, 404);
    }
}

#[tokio::test]
async fn a_batch_gives_no_right_that_its_requests_have_not() {
    let bench = Bench::new(Mode::Serving).await;
    let one = body_of(&[("GET /storage/v1/b/~/o", "", "")], "\n");
    let reply = batch(&bench, one.clone()).await;
    assert!(String::from_utf8_lossy(&reply.body).contains("HTTP/1.1 401"), "{}", reply.show());
    let own = body_of(&[("GET /storage/v1/b/~/o", "Authorization: Bearer owner\n", "")], "\n");
    let reply = batch(&bench, own).await;
    assert!(String::from_utf8_lossy(&reply.body).contains("HTTP/1.1 200"), "{}", reply.show());
    let headers =
        [("content-type", "multipart/mixed; boundary=\"==x==\""), ("authorization", "Bearer owner")];
    let reply = bench.send("POST", "/batch/storage/v1", &headers, one).await;
    assert!(String::from_utf8_lossy(&reply.body).contains("HTTP/1.1 200"), "{}", reply.show());
}

#[tokio::test]
async fn what_is_no_batch_or_too_much_of_one_is_refused() {
    let bench = Bench::new(Mode::Emulator).await;
    put(&bench, "a").await;
    let many = vec![("GET /storage/v1/b/~/o/a", "", ""); 101];
    for (body, status) in [
        (String::new(), 400),
        ("--==x==\nnothing\n--==x==--".to_owned(), 400),
        (body_of(&many, "\n"), 400),
        (body_of(&many[..100], "\n"), 200),
        (body_of(&[("nonsense", "", "")], "\n").replace("nonsense HTTP/1.1", "nonsense"), 400),
        ("x".repeat(2 << 20), 400),
    ] {
        let shown = body.get(..80).unwrap_or(&body).to_owned();
        assert_eq!(batch(&bench, body).await.status, status, "{shown}");
    }
    assert_eq!(bench.send("GET", "/batch/storage/v1", &[], "").await.status, 405);
    for line in [
        "POST /batch/storage/v1",
        "POST /upload/storage/v1/b/~/o?name=x",
        "GET /storage/v1/b/~/o/a?alt=media",
    ] {
        let reply = batch(&bench, body_of(&[(line, "", "")], "\n")).await;
        assert!(String::from_utf8_lossy(&reply.body).contains("HTTP/1.1 400"), "{line}: {}", reply.show());
    }
}
