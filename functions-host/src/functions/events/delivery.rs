//! A queued delivery to a function, and its stored form.

use bytes::Bytes;
use docstore::model::{Document, Fields, Timestamp, Ts, Value};
use docstore::{Code, Error, Result};
use http::HeaderMap;
use http::header::{HeaderName, HeaderValue};

/// Form in which a function receives a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `{data, context}` for a function of the first generation.
    Event,
    /// A CloudEvent for one of the second.
    CloudEvent,
    /// An HTTP request from a schedule.
    Schedule,
    /// An HTTP request from a task queue.
    Task,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Event, Self::CloudEvent, Self::Schedule, Self::Task];

    /// The kind's name in stored documents.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::CloudEvent => "cloudevent",
            Self::Schedule => "schedule",
            Self::Task => "task",
        }
    }

    /// The signature type sent to the worker; `None` for functions that take the HTTP request itself.
    pub(crate) const fn signature(self) -> Option<&'static str> {
        match self {
            Self::Event | Self::CloudEvent => Some(self.name()),
            Self::Schedule | Self::Task => None,
        }
    }
}

/// A delivery without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// The function's id.
    pub(crate) function: String,
    pub(crate) kind: Kind,
    /// Deliveries of a function with the same ordering key run one at a time, in order.
    pub(crate) ordering_key: Option<String>,
    /// Not delivered before this time.
    pub(crate) due: Ts,
    /// Time of queueing.
    pub(crate) queued: Ts,
    /// Failed attempts so far.
    pub(crate) failures: u32,
    /// The name given by the sender, such as a task's.
    pub(crate) name: Option<String>,
    /// A key that is unique among queued deliveries.
    pub(crate) claim: Option<String>,
    /// Headers of an HTTP request.
    pub(crate) headers: Vec<(String, String)>,
}

/// A delivery with its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Delivery {
    pub(crate) head: Head,
    /// Body of the request to the worker.
    pub(crate) body: Bytes,
}

impl Head {
    /// The time before which it is not delivered. What was due at once stays so, also if the clock was set back since.
    pub(super) fn not_before(&self) -> Ts {
        if self.due > self.queued { self.due } else { Ts::ZERO }
    }
}

impl Delivery {
    /// A delivery that is due at once and has no ordering key.
    pub(crate) const fn new(function: String, kind: Kind, now: Ts, body: Bytes) -> Self {
        let head = Head {
            function,
            kind,
            ordering_key: None,
            due: now,
            queued: now,
            failures: 0,
            name: None,
            claim: None,
            headers: Vec::new(),
        };
        Self { head, body }
    }
}

impl Head {
    /// The fields stored in the queue.
    pub(crate) fn fields(&self) -> Fields {
        let mut fields = Fields::from([
            ("function".to_owned(), Value::String(self.function.clone())),
            ("kind".to_owned(), Value::String(self.kind.name().to_owned())),
            ("due".to_owned(), time(self.due)),
            ("queued".to_owned(), time(self.queued)),
            ("failures".to_owned(), Value::Integer(self.failures.into())),
        ]);
        let optional = [("lane", &self.ordering_key), ("name", &self.name), ("claim", &self.claim)];
        fields.extend(
            optional
                .into_iter()
                .filter_map(|(name, text)| Some((name.to_owned(), Value::String(text.clone()?)))),
        );
        if !self.headers.is_empty() {
            let headers = self.headers.iter().cloned().map(|(name, value)| (name, Value::String(value)));
            fields.insert("headers".to_owned(), Value::Map(headers.collect()));
        }
        fields
    }

    /// Reads fields written by [`Self::fields`].
    pub(crate) fn read(document: &Document) -> Result<Self> {
        let text = |name: &str| match document.fields.get(name) {
            Some(Value::String(text)) => Some(text.clone()),
            _ => None,
        };
        let kind = text("kind").and_then(|name| Kind::ALL.into_iter().find(|kind| kind.name() == name));
        let failures = match document.fields.get("failures") {
            Some(Value::Integer(failures)) => u32::try_from(*failures).ok(),
            _ => None,
        };
        let head = || {
            Some(Self {
                function: text("function")?,
                kind: kind?,
                ordering_key: text("lane"),
                due: read_time(document.fields.get("due")?)?,
                queued: read_time(document.fields.get("queued")?)?,
                failures: failures?,
                name: text("name"),
                claim: text("claim"),
                headers: match document.fields.get("headers") {
                    Some(Value::Map(headers)) => headers.iter().filter_map(header).collect(),
                    _ => Vec::new(),
                },
            })
        };
        head().ok_or_else(|| {
            let message = format!("the queued delivery {} cannot be read", document.path);
            Error::new(Code::DataLoss, "DeliveryDamaged", message)
        })
    }

    /// Its headers as a [`HeaderMap`].
    pub(crate) fn header_map(&self) -> HeaderMap {
        let read = |(name, value): &(String, String)| {
            Some((HeaderName::try_from(name.as_str()).ok()?, HeaderValue::try_from(value.as_str()).ok()?))
        };
        self.headers.iter().filter_map(read).collect()
    }
}

fn header((name, value): (&String, &Value)) -> Option<(String, String)> {
    match value {
        Value::String(value) => Some((name.clone(), value.clone())),
        _ => None,
    }
}

/// A time as a field.
pub(crate) fn time(ts: Ts) -> Value {
    let micros = i64::try_from(ts.micros()).unwrap_or(Timestamp::MAX.0).min(Timestamp::MAX.0);
    Value::Timestamp(Timestamp(micros))
}

/// A field as a time.
pub(crate) fn read_time(value: &Value) -> Option<Ts> {
    match value {
        Value::Timestamp(Timestamp(micros)) => u64::try_from(*micros).ok().map(Ts::from_micros),
        _ => None,
    }
}
