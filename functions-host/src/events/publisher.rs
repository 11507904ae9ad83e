//! `google.pubsub.v1.Publisher` over gRPC, which is all that the official client libraries speak to an emulator: topics
//! and publishing. There are no subscriptions: functions are who listens.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

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

/// The largest message this takes, in bytes: a publish of 10 MB, and what is around it.
const MAX_MESSAGE_BYTES: usize = 12 << 20;

/// `Topic`; also `GetTopicRequest`, whose one field is its name.
#[derive(Clone, PartialEq, prost::Message)]
struct Topic {
    #[prost(string, tag = "1")]
    name: String,
}

/// `ListTopicsRequest`: who lists gets all of them at once.
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

/// `PubsubMessage`, without what the server itself adds.
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
    Router::new().route("/google.pubsub.v1.Publisher/{method}", post(answer)).with_state(events)
}

async fn answer(State(events): State<Arc<Events>>, Path(method): Path<String>, request: Request) -> Response {
    match method.as_str() {
        "Publish" => unary(request, move |request| publish(events.clone(), request)).await,
        // Every topic exists: making and looking up one are the same.
        "CreateTopic" | "GetTopic" => {
            unary(request, |topic: Topic| async move { name(&topic.name).map(|_| topic.clone()) }).await
        }
        "ListTopics" => unary(request, move |request| list(events.clone(), request)).await,
        _ => Status::unimplemented(format!(
            "Publisher.{method} is not there: topics need no upkeep, since each exists as soon as it is named"
        ))
        .into_http::<axum::body::Body>(),
    }
}

async fn publish(events: Arc<Events>, request: PublishRequest) -> Result<PublishResponse> {
    let (project, topic) = name(&request.topic)?;
    let messages = request.messages.into_iter().map(|one| Message {
        data: STANDARD.encode(one.data),
        attributes: one.attributes.into_iter().collect(),
        ordering_key: one.ordering_key,
    });
    let message_ids = events.publish_messages(project, topic, Publish::of(messages.collect())).await?;
    Ok(PublishResponse { message_ids })
}

/// The topics that functions listen to.
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

/// The project and the topic that a full name holds.
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

/// A method of one request and one reply.
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
