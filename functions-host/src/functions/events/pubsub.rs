//! Topics: a published message goes to all functions triggered by the topic. Every topic exists as soon as it is named.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use docstore::model::Ts;
use docstore::{Error, Result};
use serde::Deserialize;
use serde_json::json;

use super::delivery::{Delivery, Kind};
use super::text;
use super::trigger::{Generation, Listener, Trigger};

/// Most messages of one publish, as in the cloud.
const MAX_MESSAGES: usize = 1_000;
/// Largest publish, in bytes of data and attributes, as in the cloud.
const MAX_PUBLISH_BYTES: usize = 10_000_000;

/// A message in the REST API's JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Message {
    /// Base64.
    pub(crate) data: String,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) ordering_key: String,
}

/// The body of a publish.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Publish {
    #[serde(default)]
    messages: Vec<Message>,
}

impl Publish {
    /// A publish of these messages.
    pub(super) const fn of(messages: Vec<Message>) -> Self {
        Self { messages }
    }

    /// The messages, if they are within the limits.
    ///
    /// # Errors
    /// `InvalidArgument`: none, too many, too large, empty, or not base64.
    pub(crate) fn check(self) -> Result<Vec<Message>> {
        let bytes = |message: &Message| {
            let attributes = message.attributes.iter().map(|(name, value)| name.len() + value.len());
            message.data.len() + attributes.sum::<usize>()
        };
        let refuse = |what: String| Err(Error::invalid("BadPublish", what));
        if self.messages.is_empty() || self.messages.len() > MAX_MESSAGES {
            return refuse(format!("publish 1 to {MAX_MESSAGES} messages at once"));
        }
        if self.messages.iter().map(bytes).sum::<usize>() > MAX_PUBLISH_BYTES {
            return refuse(format!(
                "the messages of one publish may have {MAX_PUBLISH_BYTES} bytes together"
            ));
        }
        for (nth, message) in self.messages.iter().enumerate() {
            if message.data.is_empty() && message.attributes.is_empty() {
                return refuse(format!("message {nth} has neither data nor attributes"));
            }
            if let Err(cause) = STANDARD.decode(&message.data) {
                return refuse(format!("the data of message {nth} is not base64: {cause}"));
            }
        }
        Ok(self.messages)
    }
}

/// Deliveries caused by messages. `ids` has one id per message.
pub(super) fn deliveries(
    listeners: &[Listener],
    project: &str,
    topic: &str,
    messages: &[(String, Message)],
    now: Ts,
) -> Vec<Delivery> {
    let wanted = Trigger::Topic { topic: topic.to_owned() };
    let listeners: Vec<_> = listeners.iter().filter(|listener| listener.trigger == wanted).collect();
    let name = format!("projects/{project}/topics/{topic}");
    let mut deliveries = Vec::new();
    for (id, message) in messages {
        for listener in &listeners {
            let Message { data, attributes, ordering_key } = message;
            let time = text::time(now);
            let (kind, body) = match listener.generation {
                Generation::First => (
                    Kind::Event,
                    json!({
                        "data": {
                            "@type": "type.googleapis.com/google.pubsub.v1.PubsubMessage",
                            "data": data,
                            "attributes": attributes,
                        },
                        "context": {
                            "eventId": id,
                            "timestamp": time,
                            "eventType": listener.event_type,
                            "resource": {
                                "service": "pubsub.googleapis.com",
                                "name": name,
                                "type": "type.googleapis.com/google.pubsub.v1.PubsubMessage",
                            },
                        },
                    }),
                ),
                Generation::Second => (
                    Kind::CloudEvent,
                    json!({
                        "specversion": "1.0",
                        "id": id,
                        "source": format!("//pubsub.googleapis.com/{name}"),
                        "type": listener.event_type,
                        "time": time,
                        "datacontenttype": "application/json",
                        "data": {
                            "message": {
                                "messageId": id,
                                "message_id": id,
                                "publishTime": time,
                                "publish_time": time,
                                "data": data,
                                "attributes": attributes,
                                "orderingKey": ordering_key,
                            },
                            "subscription": format!("projects/{project}/subscriptions/{}", listener.function),
                        },
                    }),
                ),
            };
            let mut delivery = Delivery::new(listener.function.clone(), kind, now, body.to_string().into());
            delivery.head.name = Some(id.clone());
            if !ordering_key.is_empty() {
                delivery.head.ordering_key = Some(format!("{name}/{ordering_key}"));
            }
            deliveries.push(delivery);
        }
    }
    deliveries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_publish_is_checked_before_anything_is_queued() {
        let check = |body: serde_json::Value| serde_json::from_value::<Publish>(body).unwrap().check();
        let why = |body| check(body).unwrap_err().message().to_owned();
        assert!(why(json!({})).contains("1 to 1000"));
        assert!(why(json!({"messages": vec![json!({"data": "eA=="}); 1_001]})).contains("1 to 1000"));
        assert!(why(json!({"messages": [{"data": "eA=="}, {}]})).contains("message 1"));
        assert!(why(json!({"messages": [{"data": "%"}]})).contains("base64"));
        assert!(why(json!({"messages": [{"data": "x".repeat(MAX_PUBLISH_BYTES + 1)}]})).contains("bytes"));
        assert_eq!(check(json!({"messages": [{"attributes": {"a": "b"}}]})).unwrap().len(), 1);
    }
}
