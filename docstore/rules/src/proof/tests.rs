use std::sync::Arc;

use proptest::prelude::*;

use crate::request::{Documents, Method, QueryInfo, Request, Service, document_resource};
use crate::ruleset::{Decision, Prepared, Ruleset, Scope};
use crate::value::{Map, Timestamp, Value};

use super::{Comparison, Filter};

fn path(text: &str) -> Vec<Arc<str>> {
    text.split('/').map(Arc::from).collect()
}

fn request(at: &str) -> Request {
    let mut request = Request::new(Service::Firestore, Method::List, path(at), Timestamp::EPOCH);
    request.query = Some(QueryInfo { limit: Some(10), ..QueryInfo::default() });
    request
}

fn rules(pattern: &str, condition: &str) -> Ruleset {
    Ruleset::compile(&format!(
        "rules_version = '2'; service cloud.firestore {{ match /databases/{{db}}/documents {{
           match {pattern} {{ allow list: if {condition}; }} }} }}"
    ))
    .unwrap()
}

fn field(name: &str, comparison: Comparison, value: Value) -> Filter {
    Filter::Field { field: name.split('.').map(Arc::from).collect(), comparison, value }
}

fn proves(condition: &str, filter: &Filter) -> bool {
    let prepared = rules("/a/{id}", condition)
        .prepare_query(&request("databases/(default)/documents/a"), &Scope::Collection);
    matches!(prepared.prove(filter, &Documents::for_single()), Decision::Allow)
}

#[test]
fn a_condition_is_proved_only_if_the_filter_says_it() {
    use Comparison as C;
    let int = Value::Int;
    let owner = |op, value| field("o", op, value);
    let list = |items: &[i64]| Value::list(items.iter().map(|n| Value::Int(*n)));
    let table = [
        ("resource.data.o == 1", owner(C::Equal, int(1)), true),
        ("resource.data.o == 1", owner(C::Equal, int(2)), false),
        ("resource.data.o == 1", Filter::All(vec![]), false),
        ("resource.data.o == 1", owner(C::In, list(&[1])), true),
        ("resource.data.o == 1", owner(C::In, list(&[1, 2])), false),
        ("resource.data.o in [1, 2, 3]", owner(C::In, list(&[1, 2])), true),
        ("resource.data.o in [1]", owner(C::In, list(&[1, 2])), false),
        ("resource.data.o < 5", owner(C::Less, int(5)), true),
        ("resource.data.o < 5", owner(C::LessOrEqual, int(5)), false),
        ("resource.data.o <= 5", owner(C::LessOrEqual, int(5)), true),
        ("resource.data.o < 5", owner(C::LessOrEqual, Value::Float(4.5)), true),
        ("resource.data.o < 5", owner(C::Less, int(9)), false),
        ("resource.data.o > 5", owner(C::Greater, int(5)), true),
        ("resource.data.o >= 6", owner(C::Greater, int(5)), false),
        ("5 > resource.data.o", owner(C::Less, int(3)), true),
        ("!(resource.data.o < 5)", owner(C::GreaterOrEqual, int(5)), true),
        ("resource.data.o != 7", owner(C::Less, int(7)), true),
        ("resource.data.o != 7", owner(C::NotEqual, int(7)), true),
        ("resource.data.o != 7", owner(C::NotIn, list(&[6, 7])), true),
        ("!(resource.data.o in [6, 7])", owner(C::NotIn, list(&[6, 7])), true),
        ("resource.data.o != 'x'", owner(C::Less, int(7)), true),
        ("resource.data.o is number", owner(C::Less, int(7)), true),
        ("resource.data.o is int", owner(C::Less, int(7)), false),
        ("resource.data.o is string", owner(C::Less, Value::string("x")), true),
        ("1 in resource.data.o", owner(C::Contains, int(1)), true),
        ("1 in resource.data.o", owner(C::ContainsAny, list(&[1, 2])), false),
        ("resource.data.o.hasAny([1, 2])", owner(C::ContainsAny, list(&[1, 2])), true),
        ("resource.data.o.hasAll([1])", owner(C::Contains, int(1)), true),
        ("resource.data.o.hasOnly([1])", owner(C::Contains, int(1)), false),
        ("resource.data.o.size() > 0", owner(C::Contains, int(1)), false),
        ("resource.data.m.x == 1", field("m.x", C::Equal, int(1)), true),
        ("resource.data.get(['m', 'x'], 0) == 1", field("m.x", C::Equal, int(1)), true),
        ("'o' in resource.data", owner(C::Less, int(1)), true),
        ("'p' in resource.data", owner(C::Less, int(1)), false),
        ("!('p' in resource.data)", owner(C::Less, int(1)), false),
        ("resource.data.size() == 1", owner(C::Equal, int(1)), false),
        ("resource.data == {'o': 1}", owner(C::Equal, int(1)), false),
        ("[resource.data.o, resource.data.p].size() == 2", owner(C::Equal, int(1)), false),
        ("resource != null", Filter::All(vec![]), true),
        ("resource.data.p || true", Filter::All(vec![]), true),
        ("!(resource.data.p && false)", Filter::All(vec![]), true),
        ("resource.data.o == 1 || resource.data.p == 1", owner(C::Equal, int(1)), true),
        ("id == 'x'", Filter::All(vec![]), false),
        ("id != 'x'", Filter::All(vec![]), false),
        ("request.query.limit <= 10", Filter::All(vec![]), true),
        ("request.query.limit < 10", Filter::All(vec![]), false),
        ("resource.data.o == 1", Filter::Any(vec![owner(C::Equal, int(1)), owner(C::Equal, int(1))]), true),
        (
            "resource.data.o == 1",
            Filter::Any(vec![owner(C::Equal, int(1)), field("p", C::Equal, int(1))]),
            false,
        ),
        (
            "resource.data.o >= 1 && resource.data.o <= 2",
            Filter::All(vec![owner(C::GreaterOrEqual, int(1)), owner(C::Less, int(2))]),
            true,
        ),
    ];
    for (condition, filter, expected) in table {
        assert_eq!(proves(condition, &filter), expected, "{condition} by {filter:?}");
    }
}

#[test]
fn a_group_is_covered_only_by_a_recursive_wildcard() {
    let group = request("databases/(default)/documents/cards");
    let below = request("databases/(default)/documents/users/ann/cards");
    let everything = request("databases/(default)/documents");
    let allows = |pattern: &str, request: &Request, scope: Scope| {
        let prepared: Prepared = rules(pattern, "true").prepare_query(request, &scope);
        matches!(prepared.prove(&Filter::All(vec![]), &Documents::for_single()), Decision::Allow)
    };
    let table = [
        ("/{path=**}/cards/{id}", true, true, false),
        ("/{document=**}", true, true, true),
        ("/cards/{id}", false, false, false),
        ("/users/{uid}/cards/{id}", false, false, false),
        ("/users/{uid}/{path=**}", false, true, false),
        ("/users/ann/{path=**}", false, true, false),
        ("/users/bob/{path=**}", false, false, false),
        ("/{path=**}/other/{id}", false, false, false),
    ];
    for (pattern, whole, part, all) in table {
        assert_eq!(allows(pattern, &group, Scope::CollectionGroup), whole, "{pattern}");
        assert_eq!(allows(pattern, &below, Scope::CollectionGroup), part, "{pattern}");
        assert_eq!(allows(pattern, &everything, Scope::Everything), all, "{pattern}");
    }
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-3i64..4).prop_map(Value::Int),
        prop::sample::select(vec!["a", "b", "c"]).prop_map(Value::string),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
    ]
}

fn stored() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => scalar(),
        1 => prop::collection::vec(scalar(), 0..3).prop_map(Value::list),
    ]
}

/// True if a document passes the filter, by Firestore's definition.
fn passes(document: &Map, filter: &(String, Comparison, Value)) -> bool {
    use crate::evaluate::{compare, equal};
    let (name, comparison, operand) = filter;
    let Some(value) = document.get(name) else { return false };
    let order = compare(value, operand).flatten();
    match comparison {
        Comparison::Equal => equal(value, operand),
        Comparison::NotEqual => !equal(value, operand),
        Comparison::Less => order.is_some_and(std::cmp::Ordering::is_lt),
        Comparison::LessOrEqual => order.is_some_and(std::cmp::Ordering::is_le),
        Comparison::Greater => order.is_some_and(std::cmp::Ordering::is_gt),
        Comparison::GreaterOrEqual => order.is_some_and(std::cmp::Ordering::is_ge),
        Comparison::Contains => {
            matches!(value, Value::List(items) if items.iter().any(|item| equal(item, operand)))
        }
        Comparison::In | Comparison::NotIn | Comparison::ContainsAny => false,
    }
}

const CONDITIONS: [&str; 22] = [
    "resource.data.x == 1",
    "resource.data.x != 1",
    "resource.data.x < 2",
    "resource.data.x >= 0",
    "resource.data.y == 'b'",
    "resource.data.y in ['a', 'b']",
    "!(resource.data.y in ['c', 3])",
    "resource.data.x is number",
    "resource.data.y is string",
    "resource.data.x is list",
    "1 in resource.data.x",
    "resource.data.x.hasAny([1, 2])",
    "resource.data.x.hasAll(['a'])",
    "'x' in resource.data",
    "!('x' in resource.data)",
    "resource.data.x == resource.data.y",
    "resource.data.x",
    "!resource.data.x",
    "resource.data.x != null",
    "resource.data.get('x', 1) == 1",
    "resource.data.size() == 2",
    "resource.data.keys().hasOnly(['x', 'y'])",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Soundness: if a proof allows a query, the rules allow every document that passes its filter.
    #[test]
    fn what_is_proved_holds_for_every_document_that_passes(
        first in prop::sample::select(CONDITIONS.to_vec()),
        second in prop::sample::select(CONDITIONS.to_vec()),
        joint in prop::sample::select(vec!["&&", "||"]),
        filters in prop::collection::vec(
            (prop::sample::select(vec!["x", "y"]).prop_map(String::from), prop::sample::select(vec![
                Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::LessOrEqual,
                Comparison::Greater, Comparison::GreaterOrEqual, Comparison::Contains,
            ]), scalar()),
            0..4,
        ),
        documents in prop::collection::vec(
            prop::collection::btree_map(prop::sample::select(vec!["x", "y", "z"]), stored(), 0..4),
            1..12,
        ),
    ) {
        let ruleset = rules("/a/{id}", &format!("{first} {joint} {second}"));
        let list = request("databases/(default)/documents/a");
        let filter = Filter::All(filters.iter().map(|(name, op, value)| field(name, *op, value.clone())).collect());
        let prepared = ruleset.prepare_query(&list, &Scope::Collection);
        if matches!(prepared.prove(&filter, &Documents::for_single()), Decision::Allow) {
            let at = path("databases/(default)/documents/a/1");
            let one = ruleset.prepare(&Request { path: at.clone(), ..list });
            for fields in documents {
                let fields: Map = fields.into_iter().collect();
                if filters.iter().all(|filter| passes(&fields, filter)) {
                    let resource = document_resource(&at, fields.clone());
                    let decision = one.evaluate(&resource, &Documents::for_single());
                    prop_assert!(matches!(decision, Decision::Allow), "{first} {joint} {second} by {filters:?} for {fields:?}");
                }
            }
        }
    }
}
