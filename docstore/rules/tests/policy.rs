//! The product's own rules, sentence by sentence. The format is told at the top of `tests/policy/firestore.txt`.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on should fail")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use docstore_rules::{
    Auth, Comparison, Decision, Documents, Filter, Map, Method, QueryInfo, Request, Ruleset, Scope, Service,
    Timestamp, Value, document_resource,
};
use serde_json::Value as Json;

struct World {
    ruleset: Ruleset,
    service: Service,
    documents: BTreeMap<String, Map>,
    objects: BTreeMap<String, Map>,
    auth: Option<Auth>,
}

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => number.as_i64().map_or(Value::Float(f64::NAN), Value::Int),
        Json::String(text) => Value::string(text.as_str()),
        Json::Array(items) => Value::list(items.iter().map(value)),
        Json::Object(_) => Value::Map(map(json)),
    }
}

fn map(json: &Json) -> Map {
    json.as_object().expect("an object").iter().map(|(key, field)| (key.as_str(), value(field))).collect()
}

fn parse(text: &str) -> Map {
    map(&serde_json::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}")))
}

impl World {
    fn request(&self, method: Method, path: &str) -> Request {
        let root: &[&str] = match self.service {
            Service::Firestore => &["databases", "(default)", "documents"],
            Service::Storage => &["b", "bucket", "o"],
        };
        let path = root.iter().copied().chain(path.split('/')).map(Arc::from).collect();
        let time = Timestamp::from_micros(1_700_000_000_000_000).expect("in range");
        let mut request = Request::new(self.service, method, path, time);
        request.auth = self.auth.clone();
        request
    }

    fn resource(&self, request: &Request, fields: Option<Map>) -> Value {
        match (self.service, fields) {
            (_, None) => Value::Null,
            (Service::Firestore, Some(fields)) => document_resource(&request.path, fields),
            (Service::Storage, Some(metadata)) => Value::Map(metadata),
        }
    }

    fn ask(&self, ask: impl Fn(&Documents) -> Decision) -> Decision {
        let mut known = Documents::for_single();
        loop {
            match ask(&known) {
                Decision::Need(key) => {
                    let found = self.documents.get(&key.path.join("/")).cloned();
                    known.insert(key, found);
                }
                decided => return decided,
            }
        }
    }

    fn decide(&self, operation: &str, rest: &str) -> Decision {
        let (path, argument) = rest.split_once(' ').map_or((rest, None), |(path, rest)| (path, Some(rest)));
        let method = match operation {
            "get" => Method::Get,
            "create" => Method::Create,
            "update" => Method::Update,
            "delete" => Method::Delete,
            "list" | "group" => return self.list(operation, path, argument),
            other => panic!("unknown operation {other}"),
        };
        let mut request = self.request(method, path);
        let store = if self.service == Service::Firestore { &self.documents } else { &self.objects };
        let resource = self.resource(&request, store.get(path).cloned());
        if matches!(method, Method::Create | Method::Update) {
            let fields = parse(argument.expect("fields"));
            request.resource = Some(self.resource(&request, Some(fields)));
            assert_eq!(store.contains_key(path), method == Method::Update, "{operation} {path}");
        }
        let prepared = self.ruleset.prepare(&request);
        self.ask(|known| prepared.evaluate(&resource, known))
    }

    fn list(&self, operation: &str, path: &str, filter: Option<&str>) -> Decision {
        let mut request = self.request(Method::List, path);
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
        let filter = Filter::All(filters.into_iter().collect());
        if self.service == Service::Storage {
            let prepared = self.ruleset.prepare(&request);
            return self.ask(|known| prepared.evaluate(&Value::Null, known));
        }
        request.query = Some(QueryInfo::default());
        let scope = if operation == "group" { Scope::CollectionGroup } else { Scope::Collection };
        let prepared = self.ruleset.prepare_query(&request, &scope);
        self.ask(|known| prepared.prove(&filter, known))
    }
}

fn run(rules: &str, service: Service, policy: &str) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(here.join("../..").join(rules)).expect("the rules");
    let ruleset = Ruleset::compile(&text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(ruleset.warnings(), &[], "the product's rules have no warnings");
    let policy = std::fs::read_to_string(here.join("tests/policy").join(policy)).expect("the policy");
    let (documents, objects) = (BTreeMap::new(), BTreeMap::new());
    let mut world = World { ruleset, service, documents, objects, auth: None };
    let mut sentences: Vec<(String, [usize; 2])> = Vec::new();
    let mut wrong = Vec::new();
    let mut everybody = Vec::new();
    for line in policy.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" | "#" => {}
            "=" => sentences.push((rest.to_owned(), [0, 0])),
            "document" | "object" => {
                let (path, fields) = rest.split_once(' ').expect("a path and fields");
                let store = if word == "document" { &mut world.documents } else { &mut world.objects };
                store.insert(path.to_owned(), parse(fields));
            }
            "as" => {
                let (uid, claims) = rest.split_once(' ').unwrap_or((rest, "{}"));
                let token = parse(claims);
                world.auth = (uid != "nobody").then(|| Auth { uid: uid.into(), token });
            }
            "allow" | "deny" => {
                let (sentence, counts) = sentences.last_mut().expect("a sentence");
                counts[usize::from(word == "deny")] += 1;
                let (operation, argument) = rest.split_once(' ').expect("an operation");
                let decision = world.decide(operation, argument);
                if matches!(decision, Decision::Allow) != (word == "allow") {
                    let uid = world.auth.as_ref().map_or("nobody", |auth| &auth.uid);
                    let why =
                        if let Decision::Deny(trace) = decision { trace.to_string() } else { String::new() };
                    wrong.push(format!("{sentence}\n  as {uid}: should {line}\n  {why}"));
                }
            }
            "everybody" => everybody = rest.split(' ').collect(),
            "only" => {
                let (names, operation) = rest.split_once(" may ").expect("who may what");
                let names: Vec<_> = names.split(' ').filter(|name| *name != "none").collect();
                assert!(names.iter().all(|name| everybody.contains(name)), "{line}: a name nobody has");
                for uid in &everybody {
                    world.auth =
                        (*uid != "nobody").then(|| Auth { uid: (*uid).into(), token: Map::default() });
                    let allowed = names.contains(uid);
                    let (sentence, counts) = sentences.last_mut().expect("a sentence");
                    counts[usize::from(!allowed)] += 1;
                    let operation = operation.replace("$self", uid);
                    let (operation, argument) = operation.split_once(' ').expect("an operation");
                    if matches!(world.decide(operation, argument), Decision::Allow) != allowed {
                        wrong.push(format!(
                            "{sentence}\n  as {uid}: should be {allowed}: {operation} {argument}"
                        ));
                    }
                }
            }
            other => panic!("unknown word {other}"),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (sentence, [allowed, denied]) in &sentences {
        assert!(*allowed > 0 && *denied > 0, "{sentence}: {allowed} for, {denied} against");
    }
    // The sentences are those of the rules file.
    let comments: Vec<_> = text.lines().filter_map(|line| line.trim().strip_prefix("// ")).collect();
    let comments = comments.join(" ");
    for (sentence, _) in &sentences {
        assert!(comments.contains(sentence.as_str()), "the rules do not say: {sentence}");
    }
}

#[test]
fn firestore() {
    run("firestore.rules", Service::Firestore, "firestore.txt");
}

#[test]
fn storage() {
    run("storage.rules", Service::Storage, "storage.txt");
}
