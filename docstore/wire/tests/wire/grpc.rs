//! gRPC, called without a socket.

use docstore_wire::pb::v1;
use docstore_wire::pb::v1::listen_request::TargetChange as Change;
use futures::{Stream, StreamExt as _, stream};
use http::uri::PathAndQuery;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status, Streaming};
use tonic_prost::ProstCodec;

use crate::server::{DATABASE, Server};

/// Calls a method; every kind of method is a stream of requests and one of replies on the wire.
async fn call<Q, A>(
    server: &Server,
    method: &str,
    requests: impl Stream<Item = Q> + Send + 'static,
) -> Result<Streaming<A>, Status>
where
    Q: prost::Message + Send + Sync + 'static,
    A: prost::Message + Default + Send + Sync + 'static,
{
    call_as(server, method, "Bearer owner", requests).await
}

/// [`call`] with an `Authorization` header.
pub(crate) async fn call_as<Q, A>(
    server: &Server,
    method: &str,
    authorization: &str,
    requests: impl Stream<Item = Q> + Send + 'static,
) -> Result<Streaming<A>, Status>
where
    Q: prost::Message + Send + Sync + 'static,
    A: prost::Message + Default + Send + Sync + 'static,
{
    let path = PathAndQuery::try_from(format!("/google.firestore.v1.Firestore/{method}")).unwrap();
    let mut client = tonic::client::Grpc::new(server.router.clone());
    client.ready().await.unwrap();
    let codec = ProstCodec::<Q, A>::default();
    let mut request = tonic::Request::new(requests);
    request.metadata_mut().insert("authorization", authorization.parse().unwrap());
    Ok(client.streaming(request, path, codec).await?.into_inner())
}

pub(crate) async fn one<Q, A>(server: &Server, method: &str, request: Q) -> Result<A, Status>
where
    Q: prost::Message + Send + Sync + 'static,
    A: prost::Message + Default + Send + Sync + 'static,
{
    call(server, method, stream::iter([request])).await?.next().await.unwrap()
}

/// Opens a listen stream on which these requests are made.
pub(crate) async fn listen(
    server: &Server,
    authorization: &str,
    requests: mpsc::Receiver<v1::ListenRequest>,
) -> Streaming<v1::ListenResponse> {
    call_as(server, "Listen", authorization, ReceiverStream::new(requests)).await.unwrap()
}

/// The request to watch a collection.
pub(crate) fn watch(number: i32, collection: &str) -> v1::ListenRequest {
    let from = v1::structured_query::CollectionSelector {
        collection_id: collection.to_owned(),
        ..Default::default()
    };
    let query = v1::StructuredQuery { from: vec![from], ..Default::default() };
    let query = v1::target::QueryTarget {
        parent: format!("{DATABASE}/documents"),
        query_type: Some(v1::target::query_target::QueryType::StructuredQuery(query)),
    };
    let target_type = Some(v1::target::TargetType::Query(query));
    request(Change::AddTarget(v1::Target { target_id: number, target_type, ..Default::default() }))
}

/// The request to watch a target no longer.
pub(crate) fn unwatch(number: i32) -> v1::ListenRequest {
    request(Change::RemoveTarget(number))
}

fn request(change: Change) -> v1::ListenRequest {
    v1::ListenRequest { database: DATABASE.to_owned(), target_change: Some(change), ..Default::default() }
}

fn set(id: &str, number: i64) -> v1::Write {
    let value = v1::Value { value_type: Some(v1::value::ValueType::IntegerValue(number)) };
    let document = v1::Document {
        name: format!("{DATABASE}/documents/c/{id}"),
        fields: [("n".to_owned(), value)].into(),
        ..Default::default()
    };
    v1::Write { operation: Some(v1::write::Operation::Update(document)), ..Default::default() }
}

fn must_exist(mut write: v1::Write) -> v1::Write {
    let condition = v1::precondition::ConditionType::Exists(true);
    write.current_document = Some(v1::Precondition { condition_type: Some(condition) });
    write
}

#[tokio::test]
async fn a_failure_is_a_status() {
    let server = Server::start().await;
    let request = v1::GetDocumentRequest { name: format!("{DATABASE}/documents/c/a"), ..Default::default() };
    let status = one::<_, v1::Document>(&server, "GetDocument", request).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    assert_eq!(status.message(), format!("Document ({DATABASE}/documents/c/a) not found."));
}

#[tokio::test]
async fn a_write_stream_shakes_hands_then_answers_in_order() {
    let server = Server::start().await;
    let batch = |writes| v1::WriteRequest { stream_token: "x".into(), writes, ..Default::default() };
    let requests = [
        v1::WriteRequest { database: DATABASE.into(), ..Default::default() },
        batch(vec![set("a", 1), set("b", 1)]),
        batch(vec![set("a", 2)]),
        batch(vec![must_exist(set("none", 1))]),
        batch(vec![set("never", 1)]),
    ];
    let replies: Vec<Result<v1::WriteResponse, Status>> =
        call(&server, "Write", stream::iter(requests)).await.unwrap().collect().await;
    let results: Vec<_> = replies
        .iter()
        .map(|reply| match reply {
            Ok(reply) => format!("{} results, token {:?}", reply.write_results.len(), reply.stream_token),
            Err(status) => format!("{:?}", status.code()),
        })
        .collect();
    assert_eq!(
        results,
        ["0 results, token b\"0\"", "2 results, token b\"1\"", "1 results, token b\"2\"", "NotFound"],
        "a failed batch ends the stream, and nothing after it is written"
    );
    let times: Vec<_> = replies[1..3].iter().map(|reply| reply.as_ref().unwrap().commit_time).collect();
    assert!(times[0].unwrap().nanos < times[1].unwrap().nanos);
    assert!(server.ask("GET", "/c/never", "").await.starts_with("404"));
}

#[tokio::test]
async fn a_batch_write_answers_for_each() {
    let server = Server::start().await;
    let writes = vec![set("a", 1), must_exist(set("none", 1)), set("b", 2)];
    let request = v1::BatchWriteRequest { database: DATABASE.into(), writes, ..Default::default() };
    let response: v1::BatchWriteResponse = one(&server, "BatchWrite", request).await.unwrap();
    let codes: Vec<_> = response.status.iter().map(|status| status.code).collect();
    assert_eq!(codes, [0, 5, 0]);
    let twice = v1::BatchWriteRequest {
        database: DATABASE.into(),
        writes: vec![set("a", 1), set("a", 2)],
        ..Default::default()
    };
    let status = one::<_, v1::BatchWriteResponse>(&server, "BatchWrite", twice).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}

#[tokio::test]
async fn an_existence_filter_carries_a_bloom_filter() {
    let server = Server::start().await;
    for id in ["a", "b", "c"] {
        server.set(&format!("c/{id}"), 1).await;
    }
    let target = |resume: Option<bytes::Bytes>, expected| {
        let query = v1::StructuredQuery {
            from: vec![v1::structured_query::CollectionSelector {
                collection_id: "c".into(),
                all_descendants: false,
            }],
            ..Default::default()
        };
        let query = v1::target::QueryTarget {
            parent: format!("{DATABASE}/documents"),
            query_type: Some(v1::target::query_target::QueryType::StructuredQuery(query)),
        };
        let target = v1::Target {
            target_id: 2,
            once: true,
            expected_count: expected,
            target_type: Some(v1::target::TargetType::Query(query)),
            resume_type: resume.map(v1::target::ResumeType::ResumeToken),
        };
        v1::ListenRequest {
            database: DATABASE.into(),
            target_change: Some(v1::listen_request::TargetChange::AddTarget(target)),
            ..Default::default()
        }
    };
    let listen = async |request| {
        let requests = stream::iter([request]).chain(stream::pending());
        let mut replies: Streaming<v1::ListenResponse> = call(&server, "Listen", requests).await.unwrap();
        let mut all = Vec::new();
        loop {
            let reply = replies.next().await.unwrap().unwrap().response_type.unwrap();
            let end = matches!(&reply, v1::listen_response::ResponseType::TargetChange(change)
                if change.target_ids.is_empty());
            all.push(reply);
            if end {
                return all;
            }
        }
    };
    let first = listen(target(None, None)).await;
    let Some(v1::listen_response::ResponseType::TargetChange(last)) = first.last() else { unreachable!() };
    let token = last.resume_token.clone();
    server.ask("DELETE", "/c/b", "").await;
    // The client claims to hold more documents than are left unchanged: it must be told which are gone.
    let second = listen(target(Some(token), Some(7))).await;
    let filter = second.iter().find_map(|reply| match reply {
        v1::listen_response::ResponseType::Filter(filter) => Some(filter),
        _ => None,
    });
    let filter = filter.expect("an existence filter");
    assert_eq!((filter.target_id, filter.count), (2, 2));
    assert!(filter.unchanged_names.as_ref().unwrap().hash_count > 0);
}

#[tokio::test]
async fn garbage_is_an_error_not_a_panic() {
    let server = Server::start().await;
    let path = PathAndQuery::from_static("/google.firestore.v1.Firestore/Commit");
    let mut client = tonic::client::Grpc::new(server.router.clone());
    client.ready().await.unwrap();
    // A message of another type under the same tags: a string where a message is expected.
    let codec = ProstCodec::<v1::structured_query::FieldReference, v1::CommitResponse>::default();
    let garbage = v1::structured_query::FieldReference { field_path: "\u{1}\u{ff}".into() };
    let status = client.unary(tonic::Request::new(garbage), path, codec).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument, "{status}");
    assert!(status.message().contains("failed to decode"), "{status}");
}

/// Sets a document with this many maps in each other.
fn set_nested(depth: usize) -> v1::Write {
    use v1::value::ValueType::MapValue;
    let mut write = set("deep", 1);
    let Some(v1::write::Operation::Update(document)) = &mut write.operation else { unreachable!() };
    for _ in 0..depth {
        let map = v1::MapValue { fields: std::mem::take(&mut document.fields) };
        document.fields = [("m".to_owned(), v1::Value { value_type: Some(MapValue(map)) })].into();
    }
    write
}

#[tokio::test]
async fn what_is_nested_too_deeply_is_its_senders_fault_however_deep() {
    let server = Server::start().await;
    for depth in [25, 40, 200] {
        let commit = v1::CommitRequest {
            database: DATABASE.into(),
            writes: vec![set_nested(depth)],
            ..Default::default()
        };
        let status = one::<_, v1::CommitResponse>(&server, "Commit", commit).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{depth}: {status}");
        let requests = [
            v1::WriteRequest { database: DATABASE.into(), ..Default::default() },
            v1::WriteRequest {
                stream_token: "0".into(),
                writes: vec![set_nested(depth)],
                ..Default::default()
            },
        ];
        let replies = call(&server, "Write", stream::iter(requests)).await.unwrap();
        let replies: Vec<Result<v1::WriteResponse, Status>> = replies.collect().await;
        let status = replies.last().unwrap().as_ref().unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "a client would send it again for ever: {status}");
        let fields = r#"{"mapValue":{"fields":{"m":"#.repeat(depth);
        let body = format!(r#"{{"fields":{{"m":{fields}{{"nullValue":null}}{}}}}}"#, "}}}".repeat(depth));
        let reply = server.ask("PATCH", "/c/deep", &body).await;
        assert!(reply.starts_with("400"), "{depth}: {reply}");
    }
    assert!(server.ask("GET", "/c/deep", "").await.starts_with("404"));
}

#[tokio::test]
async fn a_collection_is_named_by_one_segment() {
    let server = Server::start().await;
    let (parent, collection_id) = (format!("{DATABASE}/documents"), "a/b/c".to_owned());
    let create = v1::CreateDocumentRequest {
        parent: parent.clone(),
        collection_id: collection_id.clone(),
        document: Some(v1::Document::default()),
        ..Default::default()
    };
    let created = one::<_, v1::Document>(&server, "CreateDocument", create).await.map(drop);
    let list = v1::ListDocumentsRequest { parent, collection_id, ..Default::default() };
    let listed = one::<_, v1::ListDocumentsResponse>(&server, "ListDocuments", list.clone()).await.map(drop);
    let list = v1::ListDocumentsRequest { order_by: "n".to_owned(), ..list };
    let ordered = one::<_, v1::ListDocumentsResponse>(&server, "ListDocuments", list).await.map(drop);
    for outcome in [created, listed, ordered] {
        let status = outcome.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(status.message(), "Collection id \"a/b/c\" must not contain \"/\".");
    }
}
