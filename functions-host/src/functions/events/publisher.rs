//! `google.pubsub.v1.Publisher` over gRPC, the only API the official client libraries use against an emulator: topics
//! and publishing. There are no subscriptions, because functions are the subscribers; requests for one get an error
//! that says so.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use docstore::{Error, Result};
use tonic::server::{Grpc, UnaryService};
use tonic::{Response as Reply, Status};
use tonic_prost::ProstCodec;

use super::Events;
use super::pubsub::{Message, Publish};
use super::trigger::Trigger;

/// Largest message, in bytes: a publish of 10 MB, and its envelope.
const MAX_MESSAGE_BYTES: usize = 12 << 20;

/// `Topic`; also `GetTopicRequest`, whose one field is its name.
#[derive(Clone, PartialEq, prost::Message)]
struct Topic {
    #[prost(string, tag = "1")]
    name: String,
}

/// `ListTopicsRequest`; all topics are returned in one page.
#[derive(Clone, PartialEq, prost::Message)]
struct ListTopics {
    /// `projects/{project}`.
    #[prost(string, tag = "1")]
    project: String,
}

/// `ListTopicsResponse`.
#[derive(Clone, PartialEq, prost::Message)]
struct Topics {
    #[prost(message, repeated, tag = "1")]
    topics: Vec<Topic>,
}

/// `PubsubMessage`, without the fields set by the server.
#[derive(Clone, PartialEq, prost::Message)]
struct Published {
    #[prost(bytes = "vec", tag = "1")]
    data: Vec<u8>,
    #[prost(map = "string, string", tag = "2")]
    attributes: HashMap<String, String>,
    #[prost(string, tag = "5")]
    ordering_key: String,
}

/// `PublishRequest`.
#[derive(Clone, PartialEq, prost::Message)]
struct PublishRequest {
    #[prost(string, tag = "1")]
    topic: String,
    #[prost(message, repeated, tag = "2")]
    messages: Vec<Published>,
}

/// `PublishResponse`.
#[derive(Clone, PartialEq, prost::Message)]
struct PublishResponse {
    #[prost(string, repeated, tag = "1")]
    message_ids: Vec<String>,
}

/// The routes.
pub(super) fn router(events: Arc<Events>) -> Router {
    let publisher =
        Router::new().route("/google.pubsub.v1.Publisher/{method}", post(answer)).with_state(events);
    publisher.merge(elsewhere())
}

/// The routes for a server without functions: a published message reaches nobody, as in the cloud without a
/// subscription.
pub(crate) fn router_without_functions() -> Router {
    let publisher = Router::new()
        .route("/google.pubsub.v1.Publisher/{method}", post(answer_alone))
        .with_state(Arc::new(AtomicU64::new(1)));
    publisher.merge(elsewhere())
}

/// Services of the protocol that are not offered; their errors are shown by the client libraries.
fn elsewhere() -> Router {
    Router::new()
        .route("/google.pubsub.v1.Subscriber/{method}", post(no_subscriptions))
        .route("/google.pubsub.v1.SchemaService/{method}", post(no_schemas))
}

async fn no_subscriptions(Path(method): Path<String>) -> Response {
    refused(format!(
        "Subscriber.{method} is not there: this server has no subscriptions, to pull from or to be pushed by; write a function that listens to the topic (onMessagePublished)"
    ))
}

async fn no_schemas(Path(method): Path<String>) -> Response {
    refused(format!(
        "SchemaService.{method} is not there: messages have no schemas here; publish without one"
    ))
}

fn no_upkeep(method: &str) -> Response {
    refused(format!(
        "Publisher.{method} is not there: topics need no upkeep, since each exists as soon as it is named"
    ))
}

fn refused(message: String) -> Response {
    Status::unimplemented(message).into_http::<axum::body::Body>()
}

async fn answer_alone(
    State(next): State<Arc<AtomicU64>>,
    Path(method): Path<String>,
    request: Request,
) -> Response {
    match method.as_str() {
        "Publish" => {
            unary(request, move |request| {
                let next = Arc::clone(&next);
                async move { publish_alone(&next, &request) }
            })
            .await
        }
        "CreateTopic" | "GetTopic" => unary(request, named).await,
        "ListTopics" => unary(request, |_: ListTopics| async { Ok(Topics::default()) }).await,
        _ => no_upkeep(&method),
    }
}

/// Validates a publish and numbers its messages.
fn publish_alone(next: &AtomicU64, request: &PublishRequest) -> Result<PublishResponse> {
    let (_, topic, publish) = read(request)?;
    let count = u64::try_from(publish.check()?.len()).unwrap_or(u64::MAX);
    tracing::info!(target: "functions", topic, "no function runs that could listen to this topic");
    let first = next.fetch_add(count, Ordering::Relaxed);
    Ok(PublishResponse { message_ids: (first..first + count).map(|id| id.to_string()).collect() })
}

/// Every topic exists, so creating and reading one are the same.
async fn named(topic: Topic) -> Result<Topic> {
    name(&topic.name).map(drop)?;
    Ok(topic)
}

async fn answer(State(events): State<Arc<Events>>, Path(method): Path<String>, request: Request) -> Response {
    match method.as_str() {
        "Publish" => unary(request, move |request| publish(events.clone(), request)).await,
        "CreateTopic" | "GetTopic" => unary(request, named).await,
        "ListTopics" => unary(request, move |request| list(events.clone(), request)).await,
        _ => no_upkeep(&method),
    }
}

async fn publish(events: Arc<Events>, request: PublishRequest) -> Result<PublishResponse> {
    let (project, topic, publish) = read(&request)?;
    let message_ids = events.publish_messages(project, topic, publish).await?;
    Ok(PublishResponse { message_ids })
}

/// Project, topic and messages of a publish.
fn read(request: &PublishRequest) -> Result<(&str, &str, Publish)> {
    let (project, topic) = name(&request.topic)?;
    let messages = request.messages.iter().map(|one| Message {
        data: STANDARD.encode(&one.data),
        attributes: one.attributes.clone().into_iter().collect(),
        ordering_key: one.ordering_key.clone(),
    });
    Ok((project, topic, Publish::of(messages.collect())))
}

/// Topics with triggers.
async fn list(events: Arc<Events>, request: ListTopics) -> Result<Topics> {
    let project = request.project.strip_prefix("projects/").unwrap_or(&request.project);
    let mut topics: Vec<_> = events
        .functions
        .listeners()
        .into_iter()
        .filter_map(|listener| match listener.trigger {
            Trigger::Topic { topic } => Some(Topic { name: format!("projects/{project}/topics/{topic}") }),
            _ => None,
        })
        .collect();
    topics.sort_by(|a, b| a.name.cmp(&b.name));
    topics.dedup();
    Ok(Topics { topics })
}

/// Project and topic of a full name.
fn name(name: &str) -> Result<(&str, &str)> {
    let parts: Vec<_> = name.split('/').collect();
    match parts.as_slice() {
        ["projects", project, "topics", topic] if !project.is_empty() && !topic.is_empty() => {
            Ok((project, topic))
        }
        _ => {
            Err(Error::invalid("BadTopic", format!("a topic is projects/PROJECT/topics/TOPIC, not {name:?}")))
        }
    }
}

/// A unary method.
struct Unary<F>(F);

impl<M, R, F, A> UnaryService<M> for Unary<F>
where
    F: Fn(M) -> A,
    A: Future<Output = Result<R>> + Send + 'static,
{
    type Response = R;
    type Future = Pin<Box<dyn Future<Output = Result<Reply<R>, Status>> + Send>>;

    fn call(&mut self, request: tonic::Request<M>) -> Self::Future {
        let answered = (self.0)(request.into_inner());
        Box::pin(async move { answered.await.map(Reply::new).map_err(|error| status(&error)) })
    }
}

async fn unary<M, R, A>(request: Request, method: impl Fn(M) -> A) -> Response
where
    M: prost::Message + Default + 'static,
    R: prost::Message + Default + 'static,
    A: Future<Output = Result<R>> + Send + 'static,
{
    let mut grpc = Grpc::new(ProstCodec::<R, M>::default()).max_decoding_message_size(MAX_MESSAGE_BYTES);
    grpc.unary(Unary(method), request).await.map(axum::body::Body::new)
}

fn status(error: &Error) -> Status {
    Status::new(tonic::Code::from_i32(error.code().number()), error.message())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use http_body_util::BodyExt as _;
    use prost::Message as _;
    use tower_service::Service as _;

    use super::*;

    /// One call: the message bytes of the reply, its status code and status message.
    async fn call(router: &Router, method: &str, message: impl prost::Message) -> (Vec<u8>, i32, String) {
        let bytes = message.encode_to_vec();
        let mut framed = vec![0];
        framed.extend(u32::try_from(bytes.len()).unwrap().to_be_bytes());
        framed.extend(bytes);
        let request = Request::post(format!("/google.pubsub.v1.{method}"))
            .header("content-type", "application/grpc")
            .body(Body::from(framed))
            .unwrap();
        let response = router.clone().call(request).await.unwrap();
        let headers = response.headers().clone();
        let body = response.into_body().collect().await.unwrap();
        let trailers = body.trailers().cloned().unwrap_or(headers);
        let status = Status::from_header_map(&trailers).unwrap();
        let bytes = body.to_bytes();
        (bytes.get(5..).unwrap_or_default().to_vec(), status.code().into(), status.message().to_owned())
    }

    #[tokio::test]
    async fn topics_work_where_no_function_runs_and_subscriptions_are_refused_in_words() {
        let router = router_without_functions();
        let topic = Topic { name: "projects/demo/topics/t".to_owned() };
        let (made, code, _) = call(&router, "Publisher/CreateTopic", topic.clone()).await;
        assert_eq!((Topic::decode(&made[..]).unwrap(), code), (topic.clone(), 0));
        let one = Published { data: b"x".to_vec(), ..Published::default() };
        let publish = |messages| PublishRequest { topic: topic.name.clone(), messages };
        let mut ids = Vec::new();
        for _ in 0..2 {
            let (sent, code, why) = call(&router, "Publisher/Publish", publish(vec![one.clone(); 2])).await;
            assert_eq!(code, 0, "{why}");
            ids.extend(PublishResponse::decode(&sent[..]).unwrap().message_ids);
        }
        assert_eq!(ids, ["1", "2", "3", "4"]);
        let (_, code, why) = call(&router, "Publisher/Publish", publish(Vec::new())).await;
        assert_eq!((code, why.contains("1 to 1000")), (3, true), "{why}");
        for (method, words) in [
            ("Subscriber/StreamingPull", "write a function that listens to the topic"),
            ("Subscriber/CreateSubscription", "no subscriptions"),
            ("SchemaService/CreateSchema", "no schemas"),
            ("Publisher/DeleteTopic", "no upkeep"),
        ] {
            let (_, code, why) = call(&router, method, topic.clone()).await;
            assert_eq!((code, why.contains(words)), (12, true), "{method}: {why}");
        }
    }
}
