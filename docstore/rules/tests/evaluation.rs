//! Denials and their traces, limits, coverage, version 1, storage; and that evaluation survives everything.

#![expect(clippy::panic, reason = "a test that cannot go on should fail")]

use std::sync::Arc;

use docstore_rules::limits::{MAX_DOCUMENTS_MULTI, MAX_DOCUMENTS_SINGLE};
use docstore_rules::{
    Auth, Decision, DocumentKey, Documents, Filter, Map, Method, Request, Ruleset, Scope, Service, Timestamp,
    Trace, Value, Verdict, document_resource,
};
use proptest::prelude::*;

fn path(text: &str) -> Vec<Arc<str>> {
    format!("databases/(default)/documents/{text}").split('/').map(Arc::from).collect()
}

fn request(method: Method, at: &str) -> Request {
    let mut request = Request::new(Service::Firestore, method, path(at), Timestamp::EPOCH);
    request.auth =
        Some(Auth { uid: "alice".into(), token: [("sub", Value::string("alice"))].into_iter().collect() });
    request
}

fn compile(body: &str) -> Ruleset {
    let text = format!(
        "rules_version = '2';\nservice cloud.firestore {{ match /databases/{{db}}/documents {{\n{body}\n}} }}"
    );
    Ruleset::compile(&text).unwrap_or_else(|e| panic!("{e}"))
}

fn get(body: &str, data: &[(&str, Value)]) -> Decision {
    let request = request(Method::Get, "a/x");
    let fields: Map = data.iter().map(|(name, value)| (*name, value.clone())).collect();
    let resource = document_resource(&request.path, fields);
    let mut documents = Documents::for_single();
    loop {
        match compile(body).prepare(&request).evaluate(&resource, &documents) {
            Decision::Need(key) => documents.insert(key, None),
            decided => return decided,
        }
    }
}

fn denial(decision: Decision) -> Trace {
    match decision {
        Decision::Deny(trace) => trace,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_denial_says_which_statement_and_with_which_values() {
    let body = "match /a/{id} {
  allow write;
  allow get: if request.auth.uid == resource.data.owner && id == 'x';
  allow get: if owns(resource.data.n);
  function owns(n) { return n > 10 || resource.data.missing == true; }
}
match /{all=**} { allow read: if false; }";
    let trace = denial(get(body, &[("owner", Value::string("bob")), ("n", Value::Int(3))]));
    assert_eq!(
        trace.message(),
        "\nfalse for 'get' @ L5, Property missing is undefined on object. for 'get' @ L6, false for 'get' @ L9"
    );
    assert_eq!(trace.statements[0].verdict, Verdict::False);
    assert_eq!(trace.statements[0].match_path, "/databases/{db}/documents/a/{id}");
    assert_eq!(
        trace.to_string(),
        "get /databases/(default)/documents/a/x is denied
  match /databases/{db}/documents/a/{id} L5: is false
    L5:17 request.auth.uid = \"alice\"
    L5:37 resource.data.owner = \"bob\"
    L5:17 request.auth.uid == resource.data.owner = false
  match /databases/{db}/documents/a/{id} L6: Property missing is undefined on object.
    L7:29 n = 3
    L7:29 n > 10 = false
    L7:39 resource.data.missing = Property missing is undefined on object.
    L7:39 resource.data.missing == true = Property missing is undefined on object.
  match /databases/{db}/documents/{all=**} L9: is false
    L9:34 false = false"
    );
    let nowhere = denial(get("match /b/{id} { allow read; }", &[]));
    assert_eq!(nowhere.message(), "No matching allow statements");
    let query = compile("match /a/{id} { allow list: if resource.data.n < 5; }")
        .prepare_query(&request(Method::List, "a"), &Scope::Collection)
        .prove(&Filter::All(vec![]), &Documents::for_single());
    assert_eq!(denial(query).message(), "\nProperty n is undefined on object. for 'list' @ L3");
}

#[test]
fn long_values_in_traces_are_cut() {
    let long = Value::string("x".repeat(5_000));
    let trace = denial(get("match /a/{id} { allow get: if resource.data.s == 'y'; }", &[("s", long)]));
    assert!(trace.to_string().len() < 1_000);
}

#[test]
fn evaluation_is_bounded() {
    let steps = vec!["1 == 1"; 240].join(" && ");
    let body = format!(
        "function f() {{ return {steps}; }} match /a/{{id}} {{ allow get: if f() && f() && f() && f(); }}"
    );
    assert!(denial(get(&body, &[])).message().contains("maximum of 1000 expressions"));
    // An error that ends the evaluation is not absorbed.
    let body = format!(
        "function f() {{ return {steps}; }} match /a/{{id}} {{ allow get: if (f() && f() && f() && f()) || true; }}"
    );
    assert!(denial(get(&body, &[])).message().contains("maximum of 1000 expressions"));
    // The same number of calls passes as in the emulator: 4 of 201 expressions, 7 of 141.
    for (term, terms, most) in [("1 == 1", 40, 4), ("true", 40, 8), ("request.auth.uid == 'alice'", 20, 7)] {
        let calls = |n| vec!["f()"; n].join(" && ");
        let body = |n| {
            let terms = vec![term; terms].join(" && ");
            format!("function f() {{ return {terms}; }} match /a/{{id}} {{ allow get: if {}; }}", calls(n))
        };
        assert!(matches!(get(&body(most), &[]), Decision::Allow), "{term}");
        assert!(matches!(get(&body(most + 1), &[]), Decision::Deny(_)), "{term}");
    }
    let chain = |depth: u32| {
        let functions: String =
            (1..depth).map(|n| format!("function f{n}(x) {{ return f{}(x); }}\n", n - 1)).collect();
        format!(
            "function f0(x) {{ return x; }} {functions} match /a/{{id}} {{ allow get: if f{}(true); }}",
            depth - 1
        )
    };
    assert!(matches!(get(&chain(20), &[]), Decision::Allow));
    assert!(denial(get(&chain(21), &[])).message().contains("call depth of 20"));
    let doubling =
        "function f(s) { let a = s + s; let b = a + a; let c = b + b; let d = c + c; return d + d; }
      match /a/{id} { allow get: if f(f(f(f(f(f('xxxxxxxxxxxxxxxx')))))).size() > 0; }";
    assert!(denial(get(doubling, &[])).message().contains("bytes of values"));
    let nested = format!("match /a/{{id}} {{ allow get: if {}true{}; }}", "(".repeat(100), ")".repeat(100));
    assert!(matches!(get(&nested, &[]), Decision::Allow));
    let long = vec!["true"; 250].join(" && ");
    assert!(matches!(get(&format!("match /a/{{id}} {{ allow get: if {long}; }}"), &[]), Decision::Allow));
}

#[test]
fn hostile_patterns_take_linear_time() {
    let text = Value::string("a".repeat(100_000));
    let body = "match /a/{id} { allow get: if resource.data.s.matches('(a+)+b') || resource.data.s.matches('(' + '(a*)*' + ')*c'); }";
    assert!(matches!(get(body, &[("s", text)]), Decision::Deny(_)));
    let body = "match /a/{id} { allow get: if resource.data.s.matches('(((a{1,100}){1,100}){1,100}){1,100}' + ''); }";
    assert!(denial(get(body, &[("s", Value::string("a"))])).message().contains("Invalid regular expression"));
}

#[test]
fn documents_are_asked_for_once_and_within_the_allowance() {
    let exists = |n: usize| {
        let calls: Vec<_> = (0..n).map(|i| format!("!exists(/databases/$(db)/documents/z/z{i})")).collect();
        format!("match /a/{{id}} {{ allow get: if {}; }}", calls.join(" && "))
    };
    assert!(matches!(get(&exists(MAX_DOCUMENTS_SINGLE), &[]), Decision::Allow));
    let trace = denial(get(&exists(MAX_DOCUMENTS_SINGLE + 1), &[]));
    assert!(trace.message().contains("more than 10 documents"), "{}", trace.message());
    let same = vec!["!exists(/databases/$(db)/documents/z/z)"; 30].join(" && ");
    assert!(matches!(get(&format!("match /a/{{id}} {{ allow get: if {same}; }}"), &[]), Decision::Allow));
    // All evaluations of a batch share one allowance.
    let ruleset = compile(
        "match /a/{id} { allow get: if !exists(/databases/$(db)/documents/y/$(id)) && !exists(/databases/$(db)/documents/z/$(id)); }",
    );
    let mut documents = Documents::for_multi();
    let mut allowed = 0;
    for n in 0..MAX_DOCUMENTS_MULTI {
        let request = request(Method::Get, &format!("a/{n}"));
        loop {
            match ruleset.prepare(&request).evaluate(&Value::Null, &documents) {
                Decision::Need(key) => documents.insert(key, None),
                Decision::Allow => break allowed += 1,
                Decision::Deny(trace) => break assert!(trace.message().contains("more than 20 documents")),
            }
        }
    }
    assert_eq!(allowed, MAX_DOCUMENTS_MULTI / 2);
    assert_eq!(documents.keys().count(), MAX_DOCUMENTS_MULTI);
}

#[test]
fn only_documents_of_the_own_database_can_be_named() {
    for wrong in [
        "/databases/other/documents/z/z",
        "/databases/$(db)/documents/z",
        "/databases/$(db)/documents/z/$('')",
        "/databases/$(db)/documents/$('z/z')",
        "/databases/$(db)/documents/z/$('../z')",
        "/z/z",
        "/databases/$(db)/documents",
    ] {
        let trace = denial(get(&format!("match /a/{{id}} {{ allow get: if !exists({wrong}); }}"), &[]));
        assert!(trace.message().contains("Service call error"), "{wrong}: {}", trace.message());
    }
}

#[test]
fn get_after_is_another_document_than_get() {
    let ruleset = compile(
        "match /a/{id} { allow get: if getAfter(/databases/$(db)/documents/z/z).data.n == 2 && get(/databases/$(db)/documents/z/z).data.n == 1; }",
    );
    let prepared = ruleset.prepare(&request(Method::Get, "a/x"));
    let mut documents = Documents::for_multi();
    let mut asked = Vec::new();
    while let Decision::Need(key) = prepared.evaluate(&Value::Null, &documents) {
        let n = if key.after { 2 } else { 1 };
        asked.push(key.after);
        documents.insert(key, Some([("n", Value::Int(n))].into_iter().collect()));
    }
    assert_eq!(asked, [true, false]);
    assert!(matches!(prepared.evaluate(&Value::Null, &documents), Decision::Allow));
    let wrong =
        DocumentKey { database: "(default)".into(), path: Arc::new(["z".into(), "z".into()]), after: true };
    documents.insert(wrong, None);
    assert!(matches!(prepared.evaluate(&Value::Null, &documents), Decision::Deny(_)));
}

#[test]
fn recursive_wildcards_mean_what_their_version_says() {
    let allows = |version: &str, pattern: &str, at: &str| {
        let text = format!(
            "rules_version = '{version}'; service cloud.firestore {{ match /databases/{{db}}/documents {{ match {pattern} {{ allow get; }} }} }}"
        );
        let ruleset = Ruleset::compile(&text).unwrap_or_else(|e| panic!("{e}"));
        matches!(
            ruleset.prepare(&request(Method::Get, at)).evaluate(&Value::Null, &Documents::for_single()),
            Decision::Allow
        )
    };
    let table = [
        ("/a/{id}/{rest=**}", "a/x", false, true),
        ("/a/{id}/{rest=**}", "a/x/b/y", true, true),
        ("/a/{rest=**}", "a/x", true, true),
        ("/{rest=**}", "a/x", true, true),
        ("/a/{rest=**}", "b/x", false, false),
    ];
    for (pattern, at, one, two) in table {
        assert_eq!((allows("1", pattern, at), allows("2", pattern, at)), (one, two), "{pattern} {at}");
    }
    for (pattern, at, expected) in [
        ("/{rest=**}/b/{id}", "b/y", true),
        ("/{rest=**}/b/{id}", "a/x/b/y", true),
        ("/{rest=**}/b/{id}", "b/b/b/b", true),
        ("/{rest=**}/b/{id}", "a/x/c/y", false),
        ("/a/{rest=**}/c/{id}", "a/x/b/y/c/z", true),
        ("/a/{rest=**}/c/{id}", "a/x/b/y/d/z", false),
        ("/a/x/{rest=**}/c/{id}", "a/x/b/y/c/z", true),
    ] {
        assert_eq!(allows("2", pattern, at), expected, "{pattern} {at}");
    }
}

#[test]
fn coverage_counts_what_expressions_came_to() {
    let ruleset = compile("match /a/{id} { allow get: if id == 'x' && resource.data.n > 1; }");
    let mut coverage = ruleset.coverage();
    for (at, n) in [("a/x", 1), ("a/x", 2), ("a/x", 3), ("a/y", 3)] {
        let request = request(Method::Get, at);
        let resource = document_resource(&request.path, [("n", Value::Int(n))].into_iter().collect());
        ruleset.prepare(&request).evaluate_covered(&resource, &Documents::for_single(), &mut coverage);
    }
    let json = ruleset.report(&coverage).to_json("firestore.rules", ruleset.text());
    let condition = &json["report"][0];
    assert_eq!(condition["sourcePosition"]["line"], 3);
    assert_eq!(condition["sourcePosition"]["column"], 31);
    let counts = |at: &serde_json::Value| {
        let values = at["values"].as_array().expect("values");
        values
            .iter()
            .map(|v| (v["value"].to_string(), v["count"].as_u64().expect("a count")))
            .collect::<Vec<_>>()
    };
    let (yes, no) = ("{\"boolValue\":true}".to_owned(), "{\"boolValue\":false}".to_owned());
    assert_eq!(counts(condition), [(no.clone(), 2), (yes.clone(), 2)]);
    assert_eq!(counts(&condition["children"][0]), [(yes.clone(), 3), (no.clone(), 1)]);
    assert_eq!(counts(&condition["children"][1]), [(no, 1), (yes, 2)]);
    let text = ruleset.text();
    let offset = |key: &str| {
        usize::try_from(condition["sourcePosition"][key].as_u64().expect("an offset")).expect("small")
    };
    assert_eq!(&text[offset("currentOffset")..=offset("endOffset")], "id == 'x' && resource.data.n > 1");
}

#[test]
fn storage_rules_see_files_and_documents() {
    let text = "rules_version = '2'; service firebase.storage { match /b/{bucket}/o {
      match /{file=**} { allow get: if resource.size < 10 && resource.metadata.owner == request.auth.uid && string(file) == '/a/b';
        allow create: if request.resource.contentType.matches('image/.*')
          && firestore.exists(/databases/(default)/documents/u/$(request.auth.uid));
        allow delete: if request.resource == null; } } }
      service cloud.firestore { match /{all=**} { allow write; } }";
    let ruleset = Ruleset::compile(text).unwrap_or_else(|e| panic!("{e}"));
    let object = |size: i64| {
        let metadata = Value::map([("owner", Value::string("alice"))]);
        Value::map([
            ("size", Value::Int(size)),
            ("contentType", Value::string("image/png")),
            ("metadata", metadata),
        ])
    };
    let ask = |method, resource: Value, new: Option<Value>| {
        let mut asked = request(method, "x");
        asked.service = Service::Storage;
        asked.path = ["b", "bucket", "o", "a", "b"].into_iter().map(Arc::from).collect();
        asked.resource = new;
        ruleset.prepare(&asked).evaluate(&resource, &Documents::for_single())
    };
    assert!(matches!(ask(Method::Get, object(9), None), Decision::Allow));
    assert!(matches!(ask(Method::Get, object(10), None), Decision::Deny(_)));
    assert!(matches!(ask(Method::Delete, object(10), None), Decision::Allow));
    match ask(Method::Create, Value::Null, Some(object(1))) {
        Decision::Need(key) => assert_eq!(key.to_string(), "/databases/(default)/documents/u/alice"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(ask(Method::Update, object(1), Some(object(1))), Decision::Deny(_)));
}

#[test]
fn what_is_allowed_regardless_needs_nothing() {
    let regardless = |condition: &str| {
        let ruleset = compile(&format!("match /a/{{id}} {{ allow write: if {condition}; }}"));
        let mut asked = request(Method::Update, "a/x");
        asked.resource = Some(Value::Unknown(docstore_rules::Unknown::Anything));
        ruleset.prepare(&asked).allows_regardless()
    };
    for yes in [
        "true",
        "request.auth.uid == 'alice'",
        "resource.data.x == 1 || id == 'x'",
        "resource.data.x == 1 || true",
    ] {
        assert!(regardless(yes), "{yes}");
    }
    for no in [
        "false",
        "resource == null",
        "resource != null",
        "request.resource.data.x == 1",
        "!(resource.data.x == 1)",
        "exists(/databases/$(db)/documents/z/z) || true",
        "resource.data.x is int",
        "!('x' in resource.data)",
        "id != 'x'",
    ] {
        assert!(!regardless(no), "{no}");
    }
}

/// Words that make many expressions parse, and evaluate to something or to a failure.
const WORDS: [&str; 62] = [
    "1",
    "-3",
    "0",
    "2.5",
    "'a'",
    "'é😀'",
    "b'\\xff'",
    "true",
    "false",
    "null",
    "request",
    "resource",
    "resource.data",
    "resource.data.m",
    "request.auth",
    "request.auth.token",
    "id",
    "[1, 'a', null]",
    "[]",
    "{'x': 1}",
    "{}",
    "/a/{b}/c",
    "path('/x/{y}')",
    "request.path",
    "request.time",
    "duration.value(5, 's')",
    "timestamp.date(2020, 1, 1)",
    "latlng.value(1, 2)",
    "[1, 2].toSet()",
    "{'a': 1}.diff({})",
    ".size()",
    ".keys()",
    ".values()",
    ".toSet()",
    ".lower()",
    ".split('')",
    ".get('x', 1)",
    ".x",
    "[0]",
    "['x']",
    "[0:1]",
    "[-1]",
    ".hasAll([1])",
    ".bind({'y': 'z'})",
    ".matches('a*')",
    ".replace('a', '$1')",
    ".union([1].toSet())",
    ".toMillis()",
    " + ",
    " - ",
    " * ",
    " / ",
    " % ",
    " == ",
    " < ",
    " in ",
    " && ",
    " || ",
    " ? 1 : ",
    " is string",
    "math.pow(2, 1000)",
    "f(1)",
];

fn expression() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS.to_vec()), 1..24).prop_map(|words| words.concat())
}

/// A value that documents may hold, nested a little.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<f64>().prop_map(Value::Float),
        ".{0,8}".prop_map(Value::string),
        prop::collection::vec(any::<u8>(), 0..8).prop_map(|bytes| Value::Bytes(bytes.into())),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::list),
            prop::collection::btree_map("[a-z]{1,2}", inner, 0..4).prop_map(Value::map),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn evaluation_never_panics_and_ends(
        expressions in prop::collection::vec(expression(), 1..4),
        m in value(),
        x in value(),
        method in prop::sample::select(Method::ALL.to_vec()),
    ) {
        let conditions: String = expressions.iter().map(|e| format!("allow read, write: if {e};\n")).collect();
        let text = format!(
            "rules_version = '2'; service cloud.firestore {{ match /databases/{{db}}/documents {{
               function f(x) {{ let y = x + 1; return [x, y]; }}
               match /a/{{id}} {{ {conditions} }} }} }}"
        );
        if let Ok(ruleset) = Ruleset::compile(&text) {
            let mut asked = request(method, "a/x");
            let data: Map = [("m", m), ("x", x)].into_iter().collect();
            asked.resource = Some(document_resource(&asked.path, data.clone()));
            let resource = document_resource(&asked.path, data);
            let mut coverage = ruleset.coverage();
            let documents = Documents::for_single();
            let prepared = ruleset.prepare(&asked);
            let plain = prepared.evaluate(&resource, &documents);
            let covered = prepared.evaluate_covered(&resource, &documents, &mut coverage);
            // Recording changes no verdict.
            prop_assert_eq!(matches!(plain, Decision::Allow), matches!(covered, Decision::Allow));
            if let Decision::Deny(trace) = plain {
                prop_assert!(!trace.to_string().is_empty() && !trace.message().is_empty());
            }
            ruleset.report(&coverage).to_json("f", &text);
            // A request allowed for every document is allowed for this one.
            if prepared.allows_regardless() {
                prop_assert!(matches!(covered, Decision::Allow));
            }
            asked.path.pop();
            let list = ruleset.prepare_query(&asked, &Scope::Collection);
            list.prove(&Filter::All(vec![]), &documents);
        }
    }
}
