//! The test's documents and files, and the requests made of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use docstore_rules::{
    Auth, Comparison, Decision, Documents, Filter, Map, Method, QueryInfo, Request, Ruleset, Scope, Service,
    Timestamp, Value, document_resource,
};
use serde_json::Value as Json;

/// The documents, and for the rules of files the files.
pub(crate) struct World {
    pub(crate) service: Service,
    pub(crate) documents: BTreeMap<String, Map>,
    pub(crate) objects: BTreeMap<String, Map>,
}

/// A question, made ready.
pub(crate) struct Case {
    request: Request,
    about: About,
}

enum About {
    /// The existing document.
    One(Value),
    Query(Scope, Filter),
}

/// Time of every request, in microseconds since the epoch.
const NOW: i64 = 1_700_000_000_000_000;

fn ago(seconds: i64) -> Timestamp {
    Timestamp::from_micros(NOW - seconds * 1_000_000).expect("in range")
}

fn now() -> Timestamp {
    ago(0)
}

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => {
            number.as_i64().map_or_else(|| Value::Float(number.as_f64().expect("a number")), Value::Int)
        }
        Json::String(text) if text == "$now" => Value::Timestamp(now()),
        Json::String(text) if text == "$nan" => Value::Float(f64::NAN),
        Json::String(text) => match text.split_once(' ') {
            Some(("$text", length)) => Value::string("n".repeat(length.parse().expect("a length"))),
            Some(("$ago", seconds)) => Value::Timestamp(ago(seconds.parse().expect("seconds"))),
            _ => Value::string(text.as_str()),
        },
        Json::Array(items) => Value::list(items.iter().map(value)),
        Json::Object(_) => Value::Map(map(json)),
    }
}

fn map(json: &Json) -> Map {
    json.as_object().expect("an object").iter().map(|(key, field)| (key.as_str(), value(field))).collect()
}

pub(crate) fn fields(text: &str) -> Map {
    map(&serde_json::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}")))
}

impl World {
    fn request(&self, auth: Option<Auth>, method: Method, path: &str) -> Request {
        let root: &[&str] = match self.service {
            Service::Firestore => &["databases", "(default)", "documents"],
            Service::Storage => &["b", "bucket", "o"],
        };
        let path = root.iter().copied().chain(path.split('/')).map(Arc::from).collect();
        let mut request = Request::new(self.service, method, path, now());
        request.auth = auth;
        request
    }

    fn resource(&self, request: &Request, fields: Option<Map>) -> Value {
        match (self.service, fields) {
            (_, None) => Value::Null,
            (Service::Firestore, Some(fields)) => document_resource(&request.path, fields),
            (Service::Storage, Some(metadata)) => {
                let name = request.path.iter().skip(3).map(|part| &**part).collect::<Vec<_>>().join("/");
                let name = (Arc::from("name"), Value::string(name));
                Value::Map(
                    metadata
                        .iter()
                        .map(|(key, value)| (Arc::clone(key), value.clone()))
                        .chain([name])
                        .collect(),
                )
            }
        }
    }

    /// Reads an operation as the policy's pages have it.
    pub(crate) fn case(&self, auth: Option<Auth>, operation: &str) -> Case {
        let (operation, rest) = operation.split_once(' ').expect("an operation");
        let (path, argument) = rest.split_once(' ').map_or((rest, None), |(path, rest)| (path, Some(rest)));
        let method = match operation {
            "get" => Method::Get,
            "create" => Method::Create,
            "update" | "patch" => Method::Update,
            "delete" => Method::Delete,
            "list" => return self.query(auth, Scope::Collection, path, argument),
            "group" => return self.query(auth, Scope::CollectionGroup, path, argument),
            other => panic!("unknown operation {other}"),
        };
        let mut request = self.request(auth, method, path);
        let store = if self.service == Service::Firestore { &self.documents } else { &self.objects };
        if matches!(method, Method::Create | Method::Update) {
            let written = fields(argument.expect("fields"));
            let before = if operation == "patch" { store.get(path).cloned() } else { None };
            let kept = before.iter().flat_map(Map::iter);
            let after =
                kept.chain(written.iter()).map(|(key, value)| (Arc::clone(key), value.clone())).collect();
            request.resource = Some(self.resource(&request, Some(after)));
            assert_eq!(store.contains_key(path), method == Method::Update, "{operation} {path}");
        }
        let about = About::One(self.resource(&request, store.get(path).cloned()));
        Case { request, about }
    }

    fn query(&self, auth: Option<Auth>, scope: Scope, path: &str, filter: Option<&str>) -> Case {
        let mut request = self.request(auth, Method::List, path);
        if self.service == Service::Storage {
            return Case { request, about: About::One(Value::Null) };
        }
        let filters = filter.map(|text| {
            let mut words = text.splitn(3, ' ');
            let field = words.next().expect("a field").split('.').map(Arc::from).collect();
            let comparison = match words.next() {
                Some("==") => Comparison::Equal,
                Some("contains") => Comparison::Contains,
                other => panic!("unknown comparison {other:?}"),
            };
            let json = serde_json::from_str(words.next().expect("a value")).expect("JSON");
            Filter::Field { field, comparison, value: value(&json) }
        });
        request.query = Some(QueryInfo::default());
        Case { request, about: About::Query(scope, Filter::All(filters.into_iter().collect())) }
    }
}

impl Case {
    /// Verdict of the rules, with everything they read at hand: `document` returns the fields below a path.
    pub(crate) fn decide(&self, ruleset: &Ruleset, document: impl Fn(&str) -> Option<Map>) -> Decision {
        let mut known = Documents::for_single();
        let prepared = match &self.about {
            About::One(_) => ruleset.prepare(&self.request),
            About::Query(scope, _) => ruleset.prepare_query(&self.request, scope),
        };
        loop {
            let decision = match &self.about {
                About::One(resource) => prepared.evaluate(resource, &known),
                About::Query(_, filter) => prepared.prove(filter, &known),
            };
            let Decision::Need(key) = decision else { return decision };
            let found = document(&key.path.join("/"));
            known.insert(key, found);
        }
    }
}
