//! Account creation and deletion as events.

use docstore::engine::Change;
use serde_json::json;

use super::delivery::{Delivery, Kind};
use super::document::Moment;
use super::text;
use super::trigger::{Listener, Trigger, UserChange};

/// Deliveries caused by a change in the accounts' database.
pub(super) fn deliveries(listeners: &[Listener], change: &Change, moment: Moment) -> Vec<Delivery> {
    let (done, document) = match (&change.old, &change.new) {
        (None, Some(new)) => (UserChange::Created, new),
        (Some(old), None) => (UserChange::Deleted, old),
        _ => return Vec::new(),
    };
    let wanting: Vec<_> =
        listeners.iter().filter(|listener| listener.trigger == Trigger::User { change: done }).collect();
    if wanting.is_empty() {
        return Vec::new();
    }
    let Some(user) = auth_emu::events::user_record(document) else { return Vec::new() };
    let deliver = |listener: &&Listener| {
        let id = moment.event_id(&listener.function);
        let body = json!({
            "data": user,
            "context": {
                "eventId": id,
                "timestamp": text::time(moment.ts),
                "eventType": listener.event_type,
                "resource": { "service": "firebaseauth.googleapis.com", "name": "projects" },
                "params": {},
            },
        });
        let mut delivery =
            Delivery::new(listener.function.clone(), Kind::Event, moment.now, body.to_string().into());
        delivery.head.ordering_key = Some(change.path.to_string());
        delivery.head.name = Some(id);
        delivery
    };
    wanting.iter().map(deliver).collect()
}
