//! Every live result that a document matches is found by what it looks at.

use proptest::prelude::*;

use super::*;
use crate::encoding::key::DbNo;
use crate::model::{FieldFilter, Filter, Source, Ts};

fn query(filters: &[(String, FieldOp, i64)], group: bool) -> Query {
    let filter = |(field, op, value)| {
        Filter::Field(FieldFilter {
            field: FieldPath::parse(field).unwrap(),
            op,
            value: Value::Integer(value),
        })
    };
    let filters: Vec<Filter> =
        filters.iter().map(|(field, op, value)| filter((field.as_str(), *op, *value))).collect();
    let from = Source { collection: Some("c".to_owned()), all_descendants: group };
    let filter = (!filters.is_empty()).then_some(Filter::And(filters));
    Query { filter, ..Query::all(None, from) }
}

fn filters() -> impl Strategy<Value = Vec<(String, FieldOp, i64)>> {
    use FieldOp::{ArrayContains, Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
    let op = prop_oneof![
        Just(Equal),
        Just(Less),
        Just(LessOrEqual),
        Just(Greater),
        Just(GreaterOrEqual),
        Just(ArrayContains)
    ];
    // More fields than are looked up one by one.
    let field = (0u8..24).prop_map(|n| if n % 3 == 0 { format!("m.f{n}") } else { format!("f{n}") });
    proptest::collection::vec((field, op, 0i64..6), 0..3)
}

fn value() -> impl Strategy<Value = Value> {
    let int = || (0i64..6).prop_map(Value::Integer);
    prop_oneof![3 => int(), 1 => proptest::collection::vec(int(), 0..3).prop_map(Value::Array)]
}

proptest! {
    #[test]
    fn whatever_matches_is_found(
        queries in proptest::collection::vec((filters(), any::<bool>()), 1..40),
        few in any::<bool>(),
        flat in proptest::collection::btree_map("f(1|2|4|5|7|8)", value(), 0..4),
        nested in proptest::collection::btree_map("f(0|3|6|9)", value(), 0..4),
    ) {
        let database = DatabaseId::default_of("p");
        let mut ranges = Ranges::default();
        let mut kinds = Vec::new();
        for (live, (filters, group)) in (0..).zip(queries) {
            // With few fields each is looked up in the document, with many the other way round.
            let filters: Vec<_> = filters.into_iter().filter(|(field, ..)| !few || field.len() < 3).collect();
            let Ok(normal) = Normal::new(&query(&filters, group)) else { continue };
            let kind = Kind::Query(Arc::new(normal));
            ranges.add(&database, &kind, live);
            kinds.push((live, kind));
        }
        let mut fields = flat;
        fields.insert("m".to_owned(), Value::Map(nested));
        let path = DocPath::parse("c/x").unwrap();
        let document = Document { path: path.clone(), fields, create_time: Ts::ZERO, update_time: Ts::ZERO };
        let change = Change { database: DbNo(1), path, old: None, new: Some(Arc::new(document.clone())) };
        let mut hits = HashSet::new();
        ranges.hit(&database, &change, &mut hits);
        for (live, kind) in &kinds {
            let Kind::Query(normal) = kind else { continue };
            prop_assert!(hits.contains(live) || !normal.matches(&database, &document), "{:?}", normal.query);
        }
        for (live, kind) in &kinds {
            ranges.remove(&database, kind, *live);
        }
        prop_assert!(ranges.scopes.is_empty() && ranges.names.is_empty());
    }
}
