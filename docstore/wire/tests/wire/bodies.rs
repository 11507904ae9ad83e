//! Requests' bodies: how large, how slow and how many they may be. Requests go to the router without a socket.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use docstore_wire::pb::v1;
use docstore_wire::{MAX_BODIES_BYTES, MAX_MESSAGE_BYTES};
use futures::{FutureExt as _, StreamExt as _, stream};
use http::Request;
use http_body_util::BodyExt as _;
use tokio::time::{Instant, sleep};
use tonic::{Code, Status};
use tower_service::Service as _;

use crate::grpc;
use crate::server::{DATABASE, Server};
use crate::time::{back_channel, channel, handshake, open, send, text};

#[tokio::test]
async fn a_giant_message_is_refused_on_every_wire() {
    let server = Server::start().await;
    let giant = "x".repeat(MAX_MESSAGE_BYTES + 1);
    let request = v1::GetDocumentRequest { name: giant.clone(), ..Default::default() };
    let status = grpc::one::<_, v1::Document>(&server, "GetDocument", request).await.unwrap_err();
    assert_eq!(status.code(), Code::OutOfRange, "{status}");
    assert!(status.message().contains("too large"), "{status}");
    let post = Request::post(channel("RID=1&CVER=22")).body(Body::from(giant)).unwrap();
    let (status, body) = send(&server, post).await;
    let reply = text(body).await;
    assert_eq!(status, 400, "{reply}");
    assert!(reply.contains("Request payload size exceeds the limit"), "{reply}");
    // The server goes on.
    server.set("c/a", 1).await;
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_is_given_up() {
    let server = Server::start().await;
    let sid = open(&server).await;
    let _back = back_channel(&server, &sid).await;
    for path in [
        format!("/v1/{DATABASE}/documents:commit"),
        channel("RID=1&CVER=22"),
        channel(&format!("SID={sid}&RID=2&AID=0")),
    ] {
        let started = Instant::now();
        let first = stream::iter([Ok::<_, Infallible>("{")]);
        let body = Body::from_stream(first.chain(stream::pending()));
        let (status, body) = send(&server, Request::post(path).body(body).unwrap()).await;
        let reply = text(body).await;
        assert_eq!(status, 504, "{reply}");
        assert!(reply.contains("The request's body did not arrive within 120 seconds."), "{reply}");
        assert_eq!(started.elapsed().as_secs(), 120);
    }
}

/// A gRPC request to `method` with this body; answers the reply's body, and the status where it has failed at once.
async fn raw(server: &Server, method: &str, body: Body) -> (Option<(String, String)>, Body) {
    let request = Request::post(format!("/google.firestore.v1.Firestore/{method}"))
        .header("content-type", "application/grpc")
        .body(body);
    let response = server.router.clone().call(request.unwrap()).await.unwrap();
    (status_in(response.headers()), response.into_body())
}

fn status_in(headers: &http::HeaderMap) -> Option<(String, String)> {
    let status = Status::from_header_map(headers)?;
    Some((format!("{:?}", status.code()), status.message().to_owned()))
}

/// A message of gRPC, behind its length.
fn framed(message: &impl prost::Message) -> Vec<u8> {
    let encoded = message.encode_to_vec();
    let length = u32::try_from(encoded.len()).unwrap();
    [&[0], length.to_be_bytes().as_slice(), &encoded].concat()
}

#[tokio::test(start_paused = true)]
async fn a_grpc_message_that_does_not_come_is_given_up() {
    let server = Server::start().await;
    let commit = framed(&v1::CommitRequest { database: DATABASE.into(), ..Default::default() });
    let late =
        ("DeadlineExceeded".to_owned(), "The request's body did not arrive within 120 seconds.".into());
    // Nothing at all, a part of the length, a part of the message, and no end behind it.
    for come in [0, 3, commit.len() - 1, commit.len()] {
        let started = Instant::now();
        let first = stream::iter([Ok::<_, Infallible>(commit[..come].to_vec())]);
        let (status, _) = raw(&server, "Commit", Body::from_stream(first.chain(stream::pending()))).await;
        assert_eq!(status.as_ref(), Some(&late), "{come}");
        assert_eq!(started.elapsed().as_secs(), 120);
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_of_a_stream_may_be_long_in_coming_but_not_in_arriving() {
    let server = Server::start().await;
    let message = framed(&handshake());
    let (begin, rest) = message.split_at(7);
    let [begin, rest] = [begin.to_vec(), rest.to_vec()];
    let parts = [(3_600, begin.clone()), (119, rest), (3_600, begin), (1_000_000, vec![])];
    let body = stream::iter(parts).then(async |(seconds, part)| {
        sleep(Duration::from_secs(seconds)).await;
        Ok::<_, Infallible>(part)
    });
    let started = Instant::now();
    let (status, mut replies) = raw(&server, "Write", Body::from_stream(Box::pin(body))).await;
    assert_eq!(status, None);
    let first = replies.frame().await.unwrap().unwrap();
    assert!(first.is_data());
    assert_eq!(started.elapsed().as_secs(), 3_719);
    let last = replies.frame().await.unwrap().unwrap().into_trailers().unwrap();
    let expected = "A message of the stream did not arrive within 120 seconds.";
    assert_eq!(status_in(&last), Some(("DeadlineExceeded".to_owned(), expected.to_owned())));
    assert_eq!(started.elapsed().as_secs(), 3_719 + 3_600 + 120);
}

/// A body of `head` and then blanks, as many bytes as a message may have, and no end behind them.
fn unfinished(head: &'static [u8]) -> Body {
    let part = Bytes::from(vec![b' '; 1 << 20]);
    let first = [Bytes::from_static(head), part.slice(head.len()..)];
    let rest = vec![part; MAX_MESSAGE_BYTES / (1 << 20) - 1];
    let parts = stream::iter(first).chain(stream::iter(rest));
    Body::from_stream(parts.map(Ok::<_, Infallible>).chain(stream::pending()))
}

#[tokio::test(start_paused = true)]
async fn bodies_under_way_have_a_common_limit() {
    let server = Server::start().await;
    let path = format!("/v1/{DATABASE}/documents:commit");
    let mut under_way = Vec::new();
    for at in 0..MAX_BODIES_BYTES / MAX_MESSAGE_BYTES {
        let mut answer: std::pin::Pin<Box<dyn Future<Output = _>>> = if at == 0 {
            Box::pin(raw(&server, "Commit", unfinished(&[0, 1, 0, 0, 0])).map(|_| ()))
        } else {
            Box::pin(send(&server, Request::post(&path).body(unfinished(&[])).unwrap()).map(|_| ()))
        };
        assert!((&mut answer).now_or_never().is_none());
        under_way.push(answer);
    }
    let commit = |bytes: usize| {
        let write = v1::Write {
            operation: Some(v1::write::Operation::Delete(format!(
                "{DATABASE}/documents/c/{}",
                "x".repeat(bytes)
            ))),
            ..Default::default()
        };
        v1::CommitRequest { database: DATABASE.into(), writes: vec![write], ..Default::default() }
    };
    const LARGE: usize = 1 << 20;
    let full = "too many bytes of requests are under way: try again later";
    for path in [path.clone(), channel("RID=1&CVER=22")] {
        let body = Body::from(vec![b' '; LARGE]);
        let (status, body) = send(&server, Request::post(path).body(body).unwrap()).await;
        let reply = text(body).await;
        assert!(status == 503 && reply.contains(full), "{status}: {reply}");
    }
    let status = grpc::one::<_, v1::CommitResponse>(&server, "Commit", commit(LARGE)).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Unavailable, full));
    let stream = [handshake(), v1::WriteRequest { writes: commit(LARGE).writes, ..Default::default() }];
    let replies = grpc::call_as(&server, "Write", "Bearer owner", stream::iter(stream)).await.unwrap();
    let replies: Vec<Result<v1::WriteResponse, _>> = replies.collect().await;
    let status = replies.last().unwrap().as_ref().unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Unavailable, full));
    // Bodies within everybody's own share are accepted.
    server.set("c/a", 1).await;
    grpc::one::<_, v1::CommitResponse>(&server, "Commit", commit(10)).await.unwrap();
    // One that is given up makes room, whichever it is.
    for _ in 0..2 {
        drop(under_way.swap_remove(0));
        let status = grpc::one::<_, v1::CommitResponse>(&server, "Commit", commit(LARGE)).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{status}");
        let mut another = Box::pin(send(&server, Request::post(&path).body(unfinished(&[])).unwrap()));
        assert!((&mut another).now_or_never().is_none());
        under_way.push(Box::pin(another.map(|_| ())));
    }
}
