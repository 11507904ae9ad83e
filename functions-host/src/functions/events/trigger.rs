//! Triggers of background functions, read from their endpoints.

use docstore::model::{DatabaseId, DocPath};

use super::pattern::PathPattern;

/// Signature of a function that receives events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Generation {
    /// `(data, context)`.
    First,
    /// A CloudEvent.
    Second,
}

/// Kind of a document change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentChange {
    Created,
    Updated,
    Deleted,
    Written,
}

/// Kind of a file change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectChange {
    Finalized,
    Archived,
    Deleted,
    MetadataUpdated,
}

/// Kind of an account change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UserChange {
    Created,
    Deleted,
}

/// The trigger of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trigger {
    Document {
        change: DocumentChange,
        database: PathPattern,
        document: PathPattern,
        /// True if the event carries the author of the change.
        with_auth: bool,
    },
    Object {
        change: ObjectChange,
        bucket: String,
    },
    User {
        change: UserChange,
    },
    Topic {
        topic: String,
    },
    /// Any CloudEvent published by name; the filters must equal the event's attributes.
    Custom {
        event_type: String,
        filters: Vec<(String, String)>,
    },
}

/// A function with a trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listener {
    /// The function's id.
    pub(crate) function: String,
    pub(crate) generation: Generation,
    /// The event type as the function's own SDK names it.
    pub(crate) event_type: String,
    pub(crate) trigger: Trigger,
}

impl Listener {
    /// The trigger of the function `id` for this type of event and these filters on its attributes.
    pub(crate) fn new(
        id: &str,
        generation: Generation,
        event_type: &str,
        filters: Vec<(String, String)>,
    ) -> Self {
        let filter =
            |name: &str| filters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        let trigger = match generation {
            Generation::First => first(event_type, filter("resource").unwrap_or_default()),
            Generation::Second => second(event_type, filter),
        };
        let trigger =
            trigger.unwrap_or_else(|| Trigger::Custom { event_type: event_type.to_owned(), filters });
        Self { function: id.to_owned(), generation, event_type: event_type.to_owned(), trigger }
    }

    /// True if a change of this document triggers the function.
    pub(crate) fn wants_document(&self, database: &DatabaseId, path: &DocPath, done: DocumentChange) -> bool {
        match &self.trigger {
            Trigger::Document { change, database: databases, document, .. } => {
                (*change == DocumentChange::Written || *change == done)
                    && databases.matches(&database.database)
                    && document.matches(path.as_str())
            }
            _ => false,
        }
    }
}

/// First generation: an event type and a resource name.
fn first(event_type: &str, resource: &str) -> Option<Trigger> {
    let tail = event_type.rsplit('/').next().unwrap_or(event_type);
    if event_type.starts_with("providers/cloud.firestore/")
        || event_type.starts_with("google.firestore.document.")
    {
        let change = match tail.rsplit('.').next()? {
            "create" => DocumentChange::Created,
            "update" => DocumentChange::Updated,
            "delete" => DocumentChange::Deleted,
            "write" => DocumentChange::Written,
            _ => return None,
        };
        let (_, rest) = resource.split_once("/databases/")?;
        let (database, document) = rest.split_once("/documents/")?;
        let (database, document) = (PathPattern::new(database), PathPattern::new(document));
        return Some(Trigger::Document { change, database, document, with_auth: false });
    }
    if event_type.starts_with("providers/firebase.auth/") || event_type.starts_with("google.firebase.auth.") {
        let change = match tail {
            tail if tail.ends_with("user.create") => UserChange::Created,
            tail if tail.ends_with("user.delete") => UserChange::Deleted,
            _ => return None,
        };
        return Some(Trigger::User { change });
    }
    match event_type {
        "google.pubsub.topic.publish" => {
            Some(Trigger::Topic { topic: resource.rsplit_once("/topics/")?.1.to_owned() })
        }
        _ => {
            let change = match event_type.strip_prefix("google.storage.object.")? {
                "finalize" => ObjectChange::Finalized,
                "archive" => ObjectChange::Archived,
                "delete" => ObjectChange::Deleted,
                "metadataUpdate" => ObjectChange::MetadataUpdated,
                _ => return None,
            };
            Some(Trigger::Object { change, bucket: resource.rsplit_once("/buckets/")?.1.to_owned() })
        }
    }
}

/// Second generation: an event type and filters on the event's attributes.
fn second<'a>(event_type: &str, filter: impl Fn(&str) -> Option<&'a str>) -> Option<Trigger> {
    if let Some(name) = event_type.strip_prefix("google.cloud.firestore.document.v1.") {
        let (name, with_auth) =
            name.strip_suffix(".withAuthContext").map_or((name, false), |plain| (plain, true));
        let change = match name {
            "created" => DocumentChange::Created,
            "updated" => DocumentChange::Updated,
            "deleted" => DocumentChange::Deleted,
            "written" => DocumentChange::Written,
            _ => return None,
        };
        return Some(Trigger::Document {
            change,
            database: PathPattern::new(filter("database").unwrap_or("(default)")),
            document: PathPattern::new(filter("document").unwrap_or("**")),
            with_auth,
        });
    }
    if let Some(name) = event_type.strip_prefix("google.cloud.storage.object.v1.") {
        let change = match name {
            "finalized" => ObjectChange::Finalized,
            "archived" => ObjectChange::Archived,
            "deleted" => ObjectChange::Deleted,
            "metadataUpdated" => ObjectChange::MetadataUpdated,
            _ => return None,
        };
        return Some(Trigger::Object { change, bucket: filter("bucket")?.to_owned() });
    }
    (event_type == "google.cloud.pubsub.topic.v1.messagePublished")
        .then(|| Some(Trigger::Topic { topic: filter("topic")?.rsplit('/').next()?.to_owned() }))?
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn listener(endpoint: &serde_json::Value) -> Listener {
        let first = endpoint["platform"] == "gcfv1";
        let generation = if first { Generation::First } else { Generation::Second };
        let event = &endpoint["eventTrigger"];
        let filters = ["eventFilters", "eventFilterPathPatterns"].map(|field| event[field].as_object());
        let filters = filters.into_iter().flatten().flatten();
        let filters =
            filters.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect();
        Listener::new("f", generation, event["eventType"].as_str().unwrap(), filters)
    }

    fn wants(listener: &Listener, database: &str, path: &str, change: DocumentChange) -> bool {
        listener.wants_document(&DatabaseId::new("p", database), &DocPath::parse(path).unwrap(), change)
    }

    #[test]
    fn both_generations_of_document_triggers_are_read() {
        let v1 = listener(&json!({"platform": "gcfv1", "entryPoint": "f", "eventTrigger": {
            "eventType": "providers/cloud.firestore/eventTypes/document.write",
            "eventFilters": {"resource": "projects/p/databases/(default)/documents/a/{id}"}, "retry": false}}));
        assert_eq!(v1.generation, Generation::First);
        assert!(wants(&v1, "(default)", "a/1", DocumentChange::Deleted));
        assert!(!wants(&v1, "other", "a/1", DocumentChange::Deleted));
        assert!(!wants(&v1, "(default)", "a/1/b/2", DocumentChange::Deleted));
        let v2 = listener(&json!({"platform": "gcfv2", "entryPoint": "f", "eventTrigger": {
            "eventType": "google.cloud.firestore.document.v1.created.withAuthContext",
            "eventFilters": {"database": "other", "namespace": "(default)"},
            "eventFilterPathPatterns": {"document": "{all=**}"}, "retry": true}}));
        assert!(wants(&v2, "other", "a/1/b/2", DocumentChange::Created));
        assert!(!wants(&v2, "other", "a/1/b/2", DocumentChange::Updated));
        assert!(matches!(v2.trigger, Trigger::Document { with_auth: true, .. }));
    }

    #[test]
    fn the_other_kinds_are_read() {
        let trigger = |platform: &str, event_type: &str, filters: serde_json::Value| {
            listener(&json!({"platform": platform, "entryPoint": "f", "eventTrigger": {
                "eventType": event_type, "eventFilters": filters, "retry": false}}))
            .trigger
        };
        assert_eq!(
            trigger("gcfv1", "google.storage.object.finalize", json!({"resource": "projects/_/buckets/b"})),
            Trigger::Object { change: ObjectChange::Finalized, bucket: "b".into() }
        );
        assert_eq!(
            trigger("gcfv2", "google.cloud.storage.object.v1.metadataUpdated", json!({"bucket": "b"})),
            Trigger::Object { change: ObjectChange::MetadataUpdated, bucket: "b".into() }
        );
        assert_eq!(
            trigger("gcfv1", "google.pubsub.topic.publish", json!({"resource": "projects/p/topics/t"})),
            Trigger::Topic { topic: "t".into() }
        );
        assert_eq!(
            trigger("gcfv2", "google.cloud.pubsub.topic.v1.messagePublished", json!({"topic": "t"})),
            Trigger::Topic { topic: "t".into() }
        );
        assert_eq!(
            trigger(
                "gcfv1",
                "providers/firebase.auth/eventTypes/user.delete",
                json!({"resource": "projects/p"})
            ),
            Trigger::User { change: UserChange::Deleted }
        );
        assert!(matches!(trigger("gcfv2", "my.own", json!({"a": "b"})), Trigger::Custom { .. }));
    }
}
