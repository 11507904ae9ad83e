use axum::body::Body;
use bytes::Bytes;
use docstore::access::Mode;
use futures::stream;
use proptest::prelude::*;

use super::support::{BUCKET, Bench, Reply};
use crate::options::Limits;

const USER: (&str, &str) = ("authorization", "Firebase user-u");

/// Starts an upload and answers the path of its URL.
async fn start(bench: &Bench, extra: &[(&str, &str)]) -> (Reply, String) {
    let mut headers = vec![USER, ("x-goog-upload-protocol", "resumable"), ("x-goog-upload-command", "start")];
    headers.extend(extra);
    let uri = format!("/v0/b/{BUCKET}/o?name=users/u/r.bin");
    let reply = bench.send("POST", &uri, &headers, r#"{"contentType":"application/x-game"}"#).await;
    let url = reply.header("x-goog-upload-url").trim_start_matches("http://127.0.0.1:9199").to_owned();
    (reply, url)
}

/// Sends a command; the session's id is all it needs.
async fn command(
    bench: &Bench,
    url: &str,
    command: &str,
    offset: Option<usize>,
    body: impl Into<Body>,
) -> Reply {
    let offset = offset.map(|offset| offset.to_string());
    let mut headers = vec![("x-goog-upload-command", command)];
    if let Some(offset) = &offset {
        headers.push(("x-goog-upload-offset", offset));
    }
    bench.send("POST", url, &headers, body).await
}

#[tokio::test]
async fn every_command_answers_as_on_the_wire() {
    let bench = Bench::new(Mode::Serving).await;
    let (reply, url) = start(&bench, &[("x-goog-upload-header-content-length", "11")]).await;
    insta::assert_snapshot!("start", reply.show());
    insta::assert_snapshot!("chunk", command(&bench, &url, "upload", Some(0), "hello ").await.show());
    insta::assert_snapshot!("query", command(&bench, &url, "query", None, "").await.show());
    insta::assert_snapshot!("gap", command(&bench, &url, "upload", Some(9), "ld").await.show());
    insta::assert_snapshot!("early", command(&bench, &url, "finalize", None, "").await.show());
    insta::assert_snapshot!("last", command(&bench, &url, "upload, finalize", Some(6), "world").await.show());
    insta::assert_snapshot!("query after", command(&bench, &url, "query", None, "").await.show());
    assert_eq!(command(&bench, &url, "finalize", None, "").await.status, 200);
    let again = command(&bench, &url, "upload, finalize", Some(6), "world").await;
    assert_eq!((again.status.as_u16(), again.header("x-goog-upload-status")), (200, "final"));
    assert_eq!(command(&bench, &url, "cancel", None, "").await.status, 400);
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fr.bin?alt=media", "").await.body, "hello world");
    assert_eq!(bench.keys().await.len(), 1);
    let usage = bench.state.usage("u").await.unwrap();
    assert_eq!((usage.bytes, usage.files, usage.staged, usage.sessions), (11, 1, 0, 0));
}

#[tokio::test]
async fn a_cancelled_upload_is_gone() {
    let bench = Bench::new(Mode::Serving).await;
    let (_, url) = start(&bench, &[]).await;
    command(&bench, &url, "upload", Some(0), "hello").await;
    assert_eq!(bench.state.usage("u").await.unwrap().staged, 5);
    assert_eq!(command(&bench, &url, "cancel", None, "").await.status, 200);
    assert_eq!(command(&bench, &url, "cancel", None, "").await.status, 200);
    assert_eq!(command(&bench, &url, "query", None, "").await.header("x-goog-upload-status"), "cancelled");
    for late in ["finalize", "upload", "upload, finalize"] {
        assert_eq!(command(&bench, &url, late, Some(5), "x").await.status, 400, "{late}");
    }
    assert_eq!(bench.state.usage("u").await.unwrap(), crate::catalog::Usage::default());
    assert!(bench.keys().await.is_empty());
    let unknown = url.replace("upload_id=", "upload_id=0");
    assert_eq!(command(&bench, &unknown, "query", None, "").await.status, 404);
    let unknown = format!("/v0/b/{BUCKET}/o?name=x&upload_id=../../x");
    assert_eq!(command(&bench, &unknown, "cancel", None, "").await.status, 404);
    assert_eq!(command(&bench, &url, "dance", None, "").await.status, 400);
}

#[tokio::test]
async fn a_denial_is_final() {
    let bench = Bench::new(Mode::Emulator).await;
    let headers = [("x-goog-upload-protocol", "resumable"), ("x-goog-upload-command", "start")];
    let reply = bench.send("POST", &format!("/v0/b/{BUCKET}/o/users%2Fv%2Fx"), &headers, "").await;
    let url = reply.header("x-goog-upload-url").trim_start_matches("http://127.0.0.1:9199").to_owned();
    for last in ["upload, finalize", "finalize", "upload, finalize"] {
        let reply = command(&bench, &url, last, None, "x").await;
        assert_eq!((reply.status.as_u16(), reply.header("x-goog-upload-status")), (403, "final"), "{last}");
    }
    assert!(bench.keys().await.is_empty());
    // Serving people, the same is refused before a byte is taken in.
    let bench = Bench::new(Mode::Serving).await;
    let reply = bench.send("POST", &format!("/v0/b/{BUCKET}/o/users%2Fv%2Fx"), &headers, "").await;
    assert_eq!(reply.status, 403);
}

#[tokio::test]
async fn what_arrived_before_a_break_is_kept() {
    let bench = Bench::new(Mode::Serving).await;
    let (_, url) = start(&bench, &[]).await;
    let broken = stream::iter([Ok(Bytes::from_static(b"hello ")), Err(std::io::Error::other("cable"))]);
    let reply = command(&bench, &url, "upload", Some(0), Body::from_stream(broken)).await;
    assert_eq!((reply.status.as_u16(), reply.header("x-goog-upload-size-received")), (499, "6"));
    let bench = bench.restarted();
    let reply = command(&bench, &url, "query", None, "").await;
    assert_eq!(reply.header("x-goog-upload-size-received"), "6");
    command(&bench, &url, "upload, finalize", Some(6), "world").await;
    assert_eq!(bench.user("GET", "o/users%2Fu%2Fr.bin?alt=media", "").await.body, "hello world");
}

#[tokio::test]
async fn limits_hold_for_uploads_under_way() {
    let limits = Limits { file_bytes: 10, user_bytes: 15, user_sessions: 2, ..Limits::default() };
    let bench = Bench::with(Mode::Serving, limits).await;
    let declared = [("x-goog-upload-header-content-length", "11")];
    assert_eq!(start(&bench, &declared).await.0.status, 413);
    let (_, a) = start(&bench, &[]).await;
    let (_, b) = start(&bench, &[]).await;
    assert_eq!(start(&bench, &[]).await.0.status, 402);
    assert_eq!(command(&bench, &a, "upload", Some(0), "12345678901").await.status, 413);
    assert_eq!(command(&bench, &a, "upload", Some(0), "1234567890").await.status, 200);
    assert_eq!(command(&bench, &b, "upload", Some(0), "123456").await.status, 402);
    assert_eq!(command(&bench, &b, "upload", Some(0), "12345").await.status, 200);
    assert_eq!(command(&bench, &a, "finalize", None, "").await.status, 200);
    assert_eq!(command(&bench, &b, "finalize", None, "").await.status, 200);
    // The second replaced the first one, whose bytes are free again.
    assert_eq!(bench.state.usage("u").await.unwrap().bytes, 5);
}

#[derive(Debug, Clone)]
enum Step {
    /// Send this many bytes from the server's offset.
    Send(usize),
    /// Send bytes again that were sent before, and so many new ones.
    Repeat(usize, usize),
    /// Send bytes that leave a gap.
    Gap(usize),
    /// Send bytes but lose the connection after so many.
    Break(usize, usize),
    /// Two requests with the same bytes at once.
    Twice(usize),
    Query,
    Restart,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (0..9_usize).prop_map(Step::Send),
        (0..9_usize, 0..5_usize).prop_map(|(back, new)| Step::Repeat(back, new)),
        (1..5_usize).prop_map(Step::Gap),
        (1..9_usize, 0..9_usize).prop_map(|(all, kept)| Step::Break(all, kept)),
        (1..9_usize).prop_map(Step::Twice),
        Just(Step::Query),
        Just(Step::Restart),
    ];
    proptest::collection::vec(step, 0..12)
}

async fn received(bench: &Bench, url: &str) -> usize {
    command(bench, url, "query", None, "").await.header("x-goog-upload-size-received").parse().unwrap()
}

async fn take(bench: &mut Bench, url: &str, data: &[u8], step: &Step) {
    let at = received(bench, url).await;
    let piece = |from: usize, to: usize| data[from.min(data.len())..to.min(data.len())].to_vec();
    match *step {
        Step::Send(count) => {
            let sent = piece(at, at + count);
            let reply = command(bench, url, "upload", Some(at), sent.clone()).await;
            assert_eq!(reply.status, 200);
            assert_eq!(received(bench, url).await, at + sent.len());
        }
        Step::Repeat(back, new) => {
            let from = at.saturating_sub(back);
            assert_eq!(command(bench, url, "upload", Some(from), piece(from, at + new)).await.status, 200);
        }
        Step::Gap(gap) => {
            let reply = command(bench, url, "upload", Some(at + gap), "??").await;
            assert_eq!(reply.status, 400);
            assert_eq!(received(bench, url).await, at);
        }
        Step::Break(all, kept) => {
            let sent = piece(at, at + all.min(kept));
            let broken = stream::iter([Ok(Bytes::from(sent)), Err(std::io::Error::other("cable"))]);
            command(bench, url, "upload", Some(at), Body::from_stream(broken)).await;
        }
        Step::Twice(count) => {
            let sent = piece(at, at + count);
            let (a, b) = tokio::join!(
                command(bench, url, "upload", Some(at), sent.clone()),
                command(bench, url, "upload", Some(at), sent.clone())
            );
            assert!(a.status == 200 && b.status == 200, "{} {}", a.show(), b.show());
            assert_eq!(received(bench, url).await, at + sent.len());
        }
        Step::Query => {}
        Step::Restart => *bench = bench.restarted(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// However an upload proceeds, the object has exactly its bytes and nothing else is left.
    #[test]
    fn any_way_to_send_makes_the_same_object(
        data in proptest::collection::vec(any::<u8>(), 0..40),
        steps in steps(),
        finalize_twice in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut bench, _) = Bench::fragile(Mode::Serving, Limits::default());
            let (_, url) = start(&bench, &[]).await;
            for step in &steps {
                take(&mut bench, &url, &data, step).await;
            }
            let at = received(&bench, &url).await;
            let rest = data[at..].to_vec();
            let reply = if finalize_twice {
                let (a, b) = tokio::join!(
                    command(&bench, &url, "upload, finalize", Some(at), rest.clone()),
                    command(&bench, &url, "upload, finalize", Some(at), rest.clone())
                );
                assert_eq!(a.status, b.status, "{} {}", a.show(), b.show());
                a
            } else {
                command(&bench, &url, "upload, finalize", Some(at), rest).await
            };
            assert_eq!(reply.status, 200, "{}", reply.show());
            let stored = bench.user("GET", "o/users%2Fu%2Fr.bin?alt=media", "").await;
            assert_eq!(&stored.body[..], &data[..]);
            let usage = bench.state.usage("u").await.unwrap();
            assert_eq!((usage.bytes, usage.files, usage.staged, usage.sessions), (data.len() as u64, 1, 0, 0));
            assert_eq!(bench.keys().await.len(), 1, "{:?}", bench.keys().await);
        });
    }
}
