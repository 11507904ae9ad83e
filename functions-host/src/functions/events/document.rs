//! Document changes as events.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use docstore::engine::{Author, Change};
use docstore::model::{DatabaseId, Document, Ts};
use docstore_wire::document_message;
use docstore_wire::pb::v1;
use prost::Message as _;
use serde_json::{Value, json};

use super::delivery::{Delivery, Kind};
use super::text;
use super::trigger::{DocumentChange, Generation, Listener, Trigger};

/// Schema URL of a second-generation event's payload.
const SCHEMA: &str = "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto";
/// The location that events name; databases here have none.
const LOCATION: &str = "nam5";

/// Position of a change in the log.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// The commit.
    pub(crate) ts: Ts,
    /// Index of the change within the commit.
    pub(crate) nth: usize,
    /// The current time.
    pub(crate) now: Ts,
}

impl Moment {
    /// The event's id for a function: always the same for the same change.
    pub(crate) fn event_id(self, function: &str) -> String {
        format!("{}-{}-{function}", self.ts.micros(), self.nth)
    }
}

/// `google.events.cloud.firestore.v1.DocumentEventData`, with documents in Firestore's own encoding.
#[derive(Clone, PartialEq, prost::Message)]
struct DocumentEventData {
    #[prost(message, optional, tag = "1")]
    value: Option<v1::Document>,
    #[prost(message, optional, tag = "2")]
    old_value: Option<v1::Document>,
    #[prost(message, optional, tag = "3")]
    update_mask: Option<v1::DocumentMask>,
}

/// Deliveries caused by a document change.
pub(super) fn deliveries(
    listeners: &[Listener],
    database: &DatabaseId,
    change: &Change,
    author: &Author,
    moment: Moment,
) -> Vec<Delivery> {
    let Some(done) = what(change) else { return Vec::new() };
    let mut data: Option<String> = None;
    let mut legacy: Option<Value> = None;
    let wanting = listeners.iter().filter(|listener| listener.wants_document(database, &change.path, done));
    wanting
        .map(|listener| {
            let id = moment.event_id(&listener.function);
            let (kind, body) = match listener.generation {
                Generation::First => {
                    let data = legacy.get_or_insert_with(|| legacy_data(database, change));
                    (Kind::Event, first(listener, database, change, moment, &id, data))
                }
                Generation::Second => {
                    let data = data.get_or_insert_with(|| STANDARD.encode(event_data(database, change)));
                    let mut event = second(listener, database, change, moment, &id, data);
                    if matches!(listener.trigger, Trigger::Document { with_auth: true, .. }) {
                        tell_author(&mut event, author, &database.project);
                    }
                    (Kind::CloudEvent, event)
                }
            };
            let mut delivery =
                Delivery::new(listener.function.clone(), kind, moment.now, body.to_string().into());
            delivery.head.ordering_key = Some(database.document_name(&change.path));
            delivery.head.name = Some(id);
            delivery
        })
        .collect()
}

/// The kind of change; `None` if nothing changed.
fn what(change: &Change) -> Option<DocumentChange> {
    match (&change.old, &change.new) {
        (None, Some(_)) => Some(DocumentChange::Created),
        (Some(_), None) => Some(DocumentChange::Deleted),
        // A write that changes nothing keeps the update time and causes no event.
        (Some(old), Some(new)) => (old.update_time != new.update_time).then_some(DocumentChange::Updated),
        (None, None) => None,
    }
}

fn event_data(database: &DatabaseId, change: &Change) -> Vec<u8> {
    let message = |document: &Document| document_message(database, document.clone());
    let mask = match (&change.old, &change.new) {
        (Some(old), Some(new)) => {
            Some(v1::DocumentMask { field_paths: text::changed_paths(&old.fields, &new.fields) })
        }
        _ => None,
    };
    DocumentEventData {
        value: change.new.as_deref().map(message),
        old_value: change.old.as_deref().map(message),
        update_mask: mask,
    }
    .encode_to_vec()
}

fn legacy_data(database: &DatabaseId, change: &Change) -> Value {
    let name = database.document_name(&change.path);
    let shown = |document: &Option<std::sync::Arc<Document>>| {
        document.as_deref().map_or_else(|| json!({}), |document| text::document(&name, document))
    };
    let mask = match (&change.old, &change.new) {
        (Some(old), Some(new)) => json!({ "fieldPaths": text::changed_paths(&old.fields, &new.fields) }),
        _ => json!({}),
    };
    json!({ "oldValue": shown(&change.old), "value": shown(&change.new), "updateMask": mask })
}

fn first(
    listener: &Listener,
    database: &DatabaseId,
    change: &Change,
    moment: Moment,
    id: &str,
    data: &Value,
) -> Value {
    json!({
        "data": data,
        "context": {
            "eventId": id,
            "timestamp": text::time(moment.ts),
            "eventType": listener.event_type,
            "resource": database.document_name(&change.path),
        },
    })
}

fn second(
    listener: &Listener,
    database: &DatabaseId,
    change: &Change,
    moment: Moment,
    id: &str,
    data: &str,
) -> Value {
    json!({
        "specversion": "1.0",
        "id": id,
        "source": format!("//firestore.googleapis.com/{database}"),
        "type": listener.event_type,
        "subject": format!("documents/{}", change.path),
        "time": text::time(moment.ts),
        "datacontenttype": "application/protobuf",
        "dataschema": SCHEMA,
        "location": LOCATION,
        "project": &*database.project,
        "database": &*database.database,
        "namespace": "(default)",
        "document": change.path.as_str(),
        "data_base64": data,
    })
}

/// Adds the author of the change in the cloud's terms: users of the application count as "unknown" principals and are
/// identified by their ids.
fn tell_author(event: &mut Value, author: &Author, project: &str) {
    let (kind, id) = match author {
        Author::Unknown => ("unknown", None),
        Author::System => ("system", None),
        Author::Admin => ("service_account", Some(format!("{project}@appspot.gserviceaccount.com"))),
        Author::User(uid) => ("unknown", Some(uid.clone())),
        Author::Anonymous => ("unauthenticated", None),
    };
    event["authtype"] = kind.into();
    if let Some(id) = id {
        event["authid"] = id.into();
    }
}
