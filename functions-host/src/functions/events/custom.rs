//! Events published by name, and events sent to one function by hand.

use docstore::model::Ts;
use docstore::{Code, Error, Result};
use serde_json::{Map, Value, json};

use super::delivery::{Delivery, Kind};
use super::text;
use super::trigger::{Generation, Listener, Trigger};

/// Deliveries caused by a published CloudEvent.
pub(super) fn deliveries(listeners: &[Listener], event: &Value, now: Ts) -> Vec<Delivery> {
    let attribute = |name: &str| event.get(name).and_then(Value::as_str);
    let wants = |listener: &&Listener| match &listener.trigger {
        Trigger::Custom { event_type, filters } => {
            attribute("type") == Some(event_type)
                && filters.iter().all(|(name, value)| attribute(name) == Some(value))
        }
        _ => false,
    };
    let deliver = |listener: &Listener| {
        let body = event.to_string().into();
        let mut delivery = Delivery::new(listener.function.clone(), Kind::CloudEvent, now, body);
        delivery.head.name = attribute("id").map(str::to_owned);
        delivery
    };
    listeners.iter().filter(wants).map(deliver).collect()
}

/// Reads a CloudEvent in the Eventarc API's JSON: members `id`, `source`, `specVersion`, `type`, typed `attributes`,
/// and `textData`.
///
/// # Errors
/// `InvalidArgument`: names the missing member.
pub(super) fn read_published(event: &Value) -> Result<Value> {
    let text = |name: &str| event.get(name).and_then(Value::as_str);
    let mut read = Map::new();
    for (name, from) in [("id", "id"), ("source", "source"), ("type", "type"), ("specversion", "specVersion")]
    {
        let found = text(from)
            .filter(|found| !found.is_empty())
            .ok_or_else(|| Error::invalid("BadEvent", format!("a published event has no {from}")))?;
        read.insert(name.to_owned(), found.into());
    }
    for (name, value) in event.get("attributes").and_then(Value::as_object).into_iter().flatten() {
        let value = value.as_object().and_then(|typed| typed.values().next()).unwrap_or(value);
        read.insert(name.clone(), value.clone());
    }
    if let Some(data) = text("textData") {
        let is_json = read
            .get("datacontenttype")
            .and_then(Value::as_str)
            .is_none_or(|content_type| content_type.contains("json"));
        let data =
            if is_json { serde_json::from_str(data).ok() } else { None }.unwrap_or_else(|| data.into());
        read.insert("data".to_owned(), data);
    }
    Ok(Value::Object(read))
}

/// The delivery of an event to one function, from a body that holds a CloudEvent, `{data, context}`, or data alone.
///
/// # Errors
/// `InvalidArgument` if the body has none of these forms.
pub(super) fn by_hand(listener: &Listener, body: Value, now: Ts) -> Result<Delivery> {
    let id = format!("{}-{}", now.micros(), listener.function);
    let refuse = |what: &str| Err(Error::new(Code::InvalidArgument, "BadEvent", what));
    let Value::Object(mut members) = body else {
        return refuse("send a CloudEvent, {\"data\": …, \"context\": …} or {\"data\": …} as JSON");
    };
    let (kind, body) = match listener.generation {
        Generation::Second => {
            let mut event = json!({
                "specversion": "1.0",
                "id": id,
                "source": "//tuckbox/by-hand",
                "type": listener.event_type,
                "time": text::time(now),
                "datacontenttype": "application/json",
            });
            if let Value::Object(event) = &mut event {
                event.append(&mut members);
            }
            (Kind::CloudEvent, event)
        }
        Generation::First => {
            let Some(data) = members.remove("data") else {
                return refuse("a function of the first generation is given {\"data\": …}");
            };
            let mut context =
                json!({ "eventId": id, "timestamp": text::time(now), "eventType": listener.event_type });
            if let (Value::Object(context), Some(Value::Object(given))) =
                (&mut context, members.get_mut("context"))
            {
                context.append(given);
            }
            (Kind::Event, json!({ "data": data, "context": context }))
        }
    };
    let mut delivery = Delivery::new(listener.function.clone(), kind, now, body.to_string().into());
    delivery.head.name = Some(id);
    Ok(delivery)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_events_are_read_and_matched_by_their_attributes() {
        let event = json!({
            "@type": "type.googleapis.com/io.cloudevents.v1.CloudEvent",
            "id": "1", "source": "test", "specVersion": "1.0", "type": "my.event",
            "attributes": {"datacontenttype": {"ceString": "application/json"}, "kind": {"ceString": "big"}},
            "textData": "{\"n\":1}",
        });
        let read = read_published(&event).unwrap();
        assert_eq!(
            (&read["kind"], &read["data"], &read["specversion"]),
            (&json!("big"), &json!({"n": 1}), &json!("1.0"))
        );
        let listener = |filters: &[(&str, &str)]| Listener {
            function: "f".into(),
            generation: Generation::Second,
            event_type: "my.event".into(),
            trigger: Trigger::Custom {
                event_type: "my.event".into(),
                filters: filters.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect(),
            },
        };
        let all = [listener(&[]), listener(&[("kind", "big")]), listener(&[("kind", "small")])];
        assert_eq!(deliveries(&all, &read, Ts::ZERO).len(), 2);
        assert!(read_published(&json!({"id": "1"})).is_err());
    }
}
