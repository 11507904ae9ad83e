//! File changes as events.

use docstore::engine::Change;
use docstore::model::Document;
use serde_json::{Value, json};
use storage_emu::meta::{ObjectMeta, json::cloud};

use super::delivery::{Delivery, Kind};
use super::document::Moment;
use super::text;
use super::trigger::{Generation, Listener, ObjectChange, Trigger};

/// The origin in the links of a file's metadata, as the cloud has it.
const ORIGIN: &str = "https://www.googleapis.com";
/// Schema URL of a second-generation event's payload.
const SCHEMA: &str = "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/storage/v1/data.proto";

/// Deliveries caused by a change in the file metadata's database.
pub(super) fn deliveries(listeners: &[Listener], change: &Change, moment: Moment) -> Vec<Delivery> {
    let mut segments = change.path.segments();
    if (segments.next(), segments.nth(1), segments.nth(1)) != (Some("buckets"), Some("objects"), None) {
        return Vec::new();
    }
    let read = |document: &Document| ObjectMeta::from_fields(&document.fields).ok();
    let old = change.old.as_deref().and_then(read);
    let new = change.new.as_deref().and_then(read);
    // New content under an old name finalizes a new file and deletes the old one.
    let done: Vec<(ObjectChange, &ObjectMeta)> = match (&old, &new) {
        (Some(old), Some(new)) if old.generation == new.generation => {
            if old == new {
                Vec::new()
            } else {
                vec![(ObjectChange::MetadataUpdated, new)]
            }
        }
        (Some(old), Some(new)) => vec![(ObjectChange::Deleted, old), (ObjectChange::Finalized, new)],
        (None, Some(new)) => vec![(ObjectChange::Finalized, new)],
        (Some(old), None) => vec![(ObjectChange::Deleted, old)],
        (None, None) => Vec::new(),
    };
    done.into_iter()
        .flat_map(|(done, meta)| {
            let wanted = Trigger::Object { change: done, bucket: meta.bucket.clone() };
            let wanting = listeners.iter().filter(move |listener| listener.trigger == wanted);
            wanting.map(move |listener| delivery(listener, meta, change, moment))
        })
        .collect()
}

fn delivery(listener: &Listener, meta: &ObjectMeta, change: &Change, moment: Moment) -> Delivery {
    let id = moment.event_id(&listener.function);
    let data = cloud(meta, ORIGIN);
    let (kind, body) = match listener.generation {
        Generation::First => (Kind::Event, first(listener, meta, moment, &id, &data)),
        Generation::Second => (Kind::CloudEvent, second(listener, meta, moment, &id, &data)),
    };
    let mut delivery = Delivery::new(listener.function.clone(), kind, moment.now, body.to_string().into());
    delivery.head.ordering_key = Some(change.path.to_string());
    delivery.head.name = Some(id);
    delivery
}

fn first(listener: &Listener, meta: &ObjectMeta, moment: Moment, id: &str, data: &Value) -> Value {
    json!({
        "data": data,
        "context": {
            "eventId": id,
            "timestamp": text::time(moment.ts),
            "eventType": listener.event_type,
            "resource": {
                "service": "storage.googleapis.com",
                "name": format!("projects/_/buckets/{}/objects/{}", meta.bucket, meta.name),
                "type": "storage#object",
            },
        },
    })
}

fn second(listener: &Listener, meta: &ObjectMeta, moment: Moment, id: &str, data: &Value) -> Value {
    json!({
        "specversion": "1.0",
        "id": id,
        "source": format!("//storage.googleapis.com/projects/_/buckets/{}", meta.bucket),
        "type": listener.event_type,
        "subject": format!("objects/{}", meta.name),
        "time": text::time(moment.ts),
        "datacontenttype": "application/json",
        "dataschema": SCHEMA,
        "bucket": meta.bucket,
        "data": data,
    })
}
