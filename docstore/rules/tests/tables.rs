//! The language, one expression per line: `expression => value`, or `expression => ! message` for an error.
//!
//! The files in `tests/tables` are also run against Google's emulator by `suites/rules/differential.mjs`. With
//! `TABLES_UPDATE=1` the files are rewritten with the computed results, to be read before they are committed.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on should fail")]

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use docstore_rules::{
    Auth, Documents, LatLng, Map, Method, Observation, Request, Ruleset, Service, Timestamp, Value,
    document_resource,
};

/// Functions the tables call.
const FUNCTIONS: &str = "
    function f1() { let a = 1 / 0; return 5; }
    function f2(x) { let y = x + 1; return y * 2; }
    function f3(x) { return 7; }
    function f4() { let a = 1 / 0; return a == 1 || true; }
    function f5() { return db; }
    function f6(x) { return x; }
";

fn segments(path: &str) -> Vec<Arc<str>> {
    path.split('/').map(Arc::from).collect()
}

/// The document at `/a/b`, the same that the comparison with the emulator writes.
fn document() -> Map {
    let time = Timestamp::from_micros(1_577_934_245_123_456).expect("in range");
    let reference = segments("databases/(default)/documents/c/d");
    [
        ("s", Value::string("hi")),
        ("n", Value::Int(5)),
        ("m", Value::map([("x", Value::Int(1))])),
        ("l", Value::list([Value::Int(1), Value::string("a")])),
        ("z", Value::Null),
        ("t", Value::Timestamp(time)),
        ("g", Value::LatLng(LatLng { latitude: 1.0, longitude: 2.0 })),
        ("by", Value::Bytes(b"hi".as_slice().into())),
        ("d", Value::Float(1.5)),
        ("b", Value::Bool(true)),
        ("r", Value::Path(docstore_rules::Path::from_segments(reference))),
    ]
    .into_iter()
    .collect()
}

fn request() -> Request {
    let time = Timestamp::from_micros(1_600_000_000_000_000).expect("in range");
    let path = segments("databases/(default)/documents/a/b");
    let mut request = Request::new(Service::Firestore, Method::Get, path, time);
    let token = [("sub", Value::string("alice")), ("email", Value::string("a@x.org"))];
    request.auth = Some(Auth { uid: "alice".into(), token: token.into_iter().collect() });
    request
}

fn evaluate(expression: &str) -> String {
    let rules = format!(
        "rules_version = '2';\nservice cloud.firestore {{ match /databases/{{db}}/documents {{ {FUNCTIONS}
        match /{{doc=**}} {{ allow read: if\n{expression}\n; }} }} }}"
    );
    let ruleset = match Ruleset::compile(&rules) {
        Ok(ruleset) => ruleset,
        Err(invalid) => {
            let first = invalid.diagnostics.iter().find(|d| !d.message.starts_with("Unused"));
            return format!("! invalid: {}", first.map_or("?", |d| &d.message));
        }
    };
    let request = request();
    let prepared = ruleset.prepare(&request);
    let mut documents = Documents::for_single();
    let resource = document_resource(&request.path, document());
    loop {
        let mut coverage = ruleset.coverage();
        match prepared.evaluate_covered(&resource, &documents, &mut coverage) {
            docstore_rules::Decision::Need(key) => {
                let found = (key.path.join("/") == "a/b").then(document);
                documents.insert(key, found);
            }
            _ => {
                let report = ruleset.report(&coverage);
                let root = report.expressions.last().and_then(|root| root.values.first());
                return match root {
                    Some((Observation::Value(value), _)) => value.to_string(),
                    Some((Observation::Undefined(message), _)) => format!("! {message}"),
                    other => panic!("{expression}: {other:?}"),
                };
            }
        }
    }
}

fn run(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables").join(name);
    let text = std::fs::read_to_string(&path).expect("a table");
    let (mut updated, mut wrong, mut rows) = (String::new(), String::new(), 0);
    for line in text.lines() {
        if line.trim().is_empty() || line.starts_with('#') {
            let _ = writeln!(updated, "{line}");
            continue;
        }
        let (expression, expected) = line.split_once("  =>  ").unwrap_or((line, ""));
        let computed = evaluate(expression);
        rows += 1;
        let _ = writeln!(updated, "{expression}  =>  {computed}");
        if computed != expected {
            let _ = writeln!(wrong, "{expression}\n  expected {expected}\n  computed {computed}");
        }
    }
    if std::env::var_os("TABLES_UPDATE").is_some() {
        std::fs::write(&path, updated).expect("the table is writable");
    } else {
        assert!(rows > 10, "{name} is nearly empty");
        assert!(wrong.is_empty(), "{name}:\n{wrong}");
    }
}

#[test]
fn operators() {
    run("operators.txt");
}

#[test]
fn functions_and_methods_misused() {
    run("misuse.txt");
}

#[test]
fn literals() {
    run("literals.txt");
}

#[test]
fn strings_and_bytes() {
    run("strings.txt");
}

#[test]
fn collections() {
    run("collections.txt");
}

#[test]
fn numbers() {
    run("numbers.txt");
}

#[test]
fn times() {
    run("times.txt");
}

#[test]
fn paths_and_documents() {
    run("paths.txt");
}

#[test]
fn names_and_functions() {
    run("names.txt");
}
