//! Background deliveries to users' functions: triggers, concurrency limits and retry policies.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::Result;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Request};
use serde_json::{Map, Value, json};

use super::reload::Source;
use super::{Endpoint, NodeFunctions, NodeServer, RateLimits, RetryConfig};
use crate::functions::events::{Deliver, Delivery, Head, Kind, Limits, Listener, Policy, Scheduled};

/// Events sent to one function concurrently.
const EVENTS_AT_ONCE: usize = 16;
/// Tasks sent to one function concurrently by default.
const TASKS_AT_ONCE: usize = 16;
/// Most of an event's response that is read, in bytes.
const MAX_ANSWER: usize = 64 << 10;

impl NodeServer {
    /// Functions with triggers.
    pub(crate) fn listeners(&self) -> Vec<Listener> {
        self.endpoints().iter().filter_map(|(id, endpoint)| listener(id, endpoint)).collect()
    }

    /// Functions with schedules.
    pub(crate) fn scheduled(&self) -> Vec<Scheduled> {
        let scheduled = |(id, endpoint): (String, Arc<Endpoint>)| {
            let trigger = endpoint.schedule_trigger.as_ref()?;
            Some(Scheduled {
                function: id,
                generation: endpoint.generation(),
                region: endpoint.first_region().to_owned(),
                schedule: trigger.schedule.clone(),
                zone: trigger.time_zone.clone(),
            })
        };
        self.endpoints().into_iter().filter_map(scheduled).collect()
    }

    /// True if there is a task queue of this name.
    pub(crate) fn has_queue(&self, region: &str, name: &str) -> bool {
        self.endpoints().iter().any(|(id, endpoint)| {
            id == name && endpoint.first_region() == region && endpoint.task_queue_trigger.is_some()
        })
    }

    /// The blocking functions, called before accounts are created and sign in, in the form of the accounts'
    /// configuration. `functions` is the address of the functions' listener.
    pub(crate) fn blocking(&self, functions: SocketAddr) -> Value {
        let (mut triggers, mut forward) = (Map::new(), Map::new());
        for (id, endpoint) in self.endpoints() {
            let Some(trigger) = &endpoint.blocking_trigger else { continue };
            let Some(event) = trigger
                .event_type
                .rsplit("user.")
                .next()
                .filter(|event| matches!(*event, "beforeCreate" | "beforeSignIn"))
            else {
                tracing::warn!(target: "functions", id, "{} is not supported: it is never called", trigger.event_type);
                continue;
            };
            let region = endpoint.first_region();
            let uri = format!("http://{functions}/{}/{region}/{id}", self.project);
            triggers.insert(event.to_owned(), json!({ "functionUri": uri }));
            forward.extend(
                trigger.options.iter().filter(|(_, on)| **on).map(|(name, on)| (name.clone(), (*on).into())),
            );
        }
        json!({ "triggers": triggers, "forwardInboundCredentials": forward })
    }

    /// All functions with their ids.
    pub(crate) fn endpoints(&self) -> Vec<(String, Arc<Endpoint>)> {
        let of = |source: &Arc<Source>| {
            let functions = source.functions()?;
            let each = functions.endpoints.iter().map(|(id, one)| (id.clone(), Arc::clone(one)));
            Some(each.collect::<Vec<_>>())
        };
        self.sources.iter().filter_map(of).flatten().collect()
    }

    pub(super) fn function(&self, id: &str) -> Option<(Arc<NodeFunctions>, Arc<Endpoint>)> {
        self.sources.iter().find_map(|source| {
            let functions = source.functions()?;
            let endpoint = Arc::clone(functions.endpoints.get(id)?);
            Some((functions, endpoint))
        })
    }

    async fn hand_over(&self, Delivery { head, body }: Delivery) -> Result<(), String> {
        let Some((source, endpoint)) = self.function(&head.function) else {
            return Err(format!("there is no function {} any more", head.function));
        };
        let mut request = Request::post("/").body(Body::from(body)).map_err(|error| error.to_string())?;
        *request.headers_mut() = head.header_map();
        if head.kind == Kind::Task {
            let failures = HeaderValue::from(head.failures);
            request.headers_mut().insert("x-cloudtasks-taskretrycount", failures.clone());
            request.headers_mut().insert("x-cloudtasks-taskexecutioncount", failures);
            if let Some(token) = queue_token(&self.project) {
                request.headers_mut().entry(AUTHORIZATION).or_insert(token);
            }
        }
        let content_type = match head.kind {
            Kind::CloudEvent => "application/cloudevents+json",
            Kind::Event | Kind::Schedule | Kind::Task => "application/json",
        };
        request.headers_mut().entry(CONTENT_TYPE).or_insert(HeaderValue::from_static(content_type));
        let answered = source.call_as(&endpoint, head.kind.signature(), "/", request).await;
        let response = answered.map_err(|error| error.message().to_owned())?;
        let status = response.status();
        let said = to_bytes(response.into_body(), MAX_ANSWER).await;
        if status.is_success() {
            return said.map(drop).map_err(|error| error.to_string());
        }
        let said = said.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        Err(if said.is_empty() { format!("it answered {status}") } else { said })
    }
}

/// Cloud Tasks sends functions a service account's token. They do not verify it but expect one.
fn queue_token(project: &str) -> Option<HeaderValue> {
    let account = format!("{project}@appspot.gserviceaccount.com");
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let head = part(&json!({ "alg": "none", "typ": "JWT" }));
    let claims = part(&json!({ "sub": account, "email": account }));
    HeaderValue::from_str(&format!("Bearer {head}.{claims}.")).ok()
}

/// Delivers events to the users' functions.
#[derive(Debug)]
pub(crate) struct Functions(pub(crate) Arc<NodeServer>);

impl Deliver for Functions {
    fn deliver(&self, delivery: Delivery) -> BoxFuture<'static, Result<(), String>> {
        let node = Arc::clone(&self.0);
        async move { node.hand_over(delivery).await }.boxed()
    }

    fn policy(&self, head: &Head) -> Option<Policy> {
        let (_, endpoint) = self.0.function(&head.function)?;
        Some(match head.kind {
            Kind::Task => tasks(endpoint.task_queue_trigger.as_ref().and_then(|t| t.retry_config.as_ref())),
            Kind::Schedule => schedules(&endpoint),
            Kind::Event | Kind::CloudEvent if endpoint.schedule_trigger.is_some() => schedules(&endpoint),
            Kind::Event | Kind::CloudEvent => match &endpoint.event_trigger {
                Some(trigger) if trigger.retry => Policy::EVENT,
                _ => Policy::ONCE,
            },
        })
    }

    fn listeners(&self) -> Vec<Listener> {
        self.0.listeners()
    }

    fn scheduled(&self) -> Vec<Scheduled> {
        self.0.scheduled()
    }

    fn has_queue(&self, region: &str, name: &str) -> bool {
        self.0.has_queue(region, name)
    }

    fn limits(&self, function: &str) -> Limits {
        let events = Limits { concurrent: EVENTS_AT_ONCE, spacing: Duration::ZERO };
        let Some((_, endpoint)) = self.0.function(function) else { return events };
        let Some(queue) = &endpoint.task_queue_trigger else { return events };
        let RateLimits { max_concurrent_dispatches, max_dispatches_per_second } =
            queue.rate_limits.clone().unwrap_or_default();
        let concurrent = number(max_concurrent_dispatches.as_ref()).filter(|most| *most >= 1.0);
        let rate = number(max_dispatches_per_second.as_ref()).filter(|rate| *rate > 0.0);
        Limits {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "at least one, and a cast saturates"
            )]
            concurrent: concurrent.map_or(TASKS_AT_ONCE, |most| most as usize),
            spacing: rate.map_or(Duration::ZERO, |rate| seconds(1.0 / rate)),
        }
    }
}

/// Defaults of Cloud Tasks, with the three attempts documented by the functions SDK.
fn tasks(config: Option<&RetryConfig>) -> Policy {
    let config = config.cloned().unwrap_or_default();
    let tries = count(config.max_attempts.as_ref());
    let life = number(config.max_retry_seconds.as_ref()).filter(|life| *life > 0.0).map(seconds);
    Policy {
        tries: if tries.is_none() && life.is_some() { None } else { Some(tries.unwrap_or(3).max(1)) },
        life,
        first: number(config.min_backoff_seconds.as_ref()).map_or(Duration::from_millis(100), seconds),
        longest: number(config.max_backoff_seconds.as_ref()).map_or(Duration::from_secs(3_600), seconds),
        doublings: count(config.max_doublings.as_ref()).unwrap_or(16),
    }
}

/// Defaults of Cloud Scheduler: a failed run is not retried.
fn schedules(endpoint: &Endpoint) -> Policy {
    let config = endpoint.schedule_trigger.as_ref().and_then(|trigger| trigger.retry_config.clone());
    let config = config.unwrap_or_default();
    Policy {
        tries: Some(count(config.retry_count.as_ref()).unwrap_or(0).saturating_add(1)),
        life: number(config.max_retry_seconds.as_ref()).filter(|life| *life > 0.0).map(seconds),
        first: number(config.min_backoff_seconds.as_ref()).map_or(Duration::from_secs(5), seconds),
        longest: number(config.max_backoff_seconds.as_ref()).map_or(Duration::from_secs(3_600), seconds),
        doublings: count(config.max_doublings.as_ref()).unwrap_or(5),
    }
}

/// A number, or text such as `3.5s`.
fn number(value: Option<&Value>) -> Option<f64> {
    let number = match value? {
        Value::String(text) => text.trim().trim_end_matches('s').parse().ok()?,
        other => other.as_f64()?,
    };
    (number.is_finite() && number >= 0.0).then_some(number)
}

fn count(value: Option<&Value>) -> Option<u32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "never negative, and a cast saturates"
    )]
    number(value).map(|number| number as u32)
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// The trigger of the function `id`; `None` if no event calls it.
fn listener(id: &str, endpoint: &Endpoint) -> Option<Listener> {
    let event = endpoint.event_trigger.as_ref()?;
    let filters = event.event_filters.iter().chain(&event.event_filter_path_patterns);
    let filters = filters.map(|(name, value)| (name.clone(), value.clone())).collect();
    Some(Listener::new(id, endpoint.generation(), &event.event_type, filters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_settings_of_both_generations_are_read() {
        let config = |value: Value| serde_json::from_value::<RetryConfig>(value).unwrap();
        let second = config(json!({"maxAttempts": 5, "minBackoffSeconds": 2, "maxBackoffSeconds": 30,
            "maxDoublings": null, "maxRetrySeconds": null}));
        let expected = Policy {
            tries: Some(5),
            life: None,
            first: Duration::from_secs(2),
            longest: Duration::from_secs(30),
            doublings: 16,
        };
        assert_eq!(tasks(Some(&second)), expected);
        let first = config(json!({"maxRetryDuration": "90s", "minBackoffDuration": "0.5s"}));
        let policy = tasks(Some(&first));
        assert_eq!((policy.tries, policy.life), (None, Some(Duration::from_secs(90))));
        assert_eq!(policy.first, Duration::from_millis(500));
        assert_eq!(tasks(None).tries, Some(3));
    }
}
