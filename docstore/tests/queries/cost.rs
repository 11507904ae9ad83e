//! The law of cost: over indexed shapes a query reads entries for its results, not for the documents there are.

use docstore::model::*;
use docstore::*;
use proptest::prelude::*;

use super::support::*;

/// How many documents there are in the collection.
const DOCUMENTS: i64 = 900;
/// At most so many entries are read for each result, and for each scan beside them.
const PER_RESULT: u64 = 4;
const PER_SCAN: u64 = 32;

/// What the documents hold: of document `n`, field by field, `(n * stride + offset) % modulus`, so that fields may agree
/// everywhere, sometimes or never.
#[derive(Debug, Clone)]
struct Pattern(Vec<(i64, i64, i64)>);

impl Pattern {
    fn field(&self, at: usize, n: i64) -> i64 {
        let (stride, offset, modulus) = self.0[at % self.0.len()];
        (n * stride + offset) % modulus
    }

    fn document(&self, n: i64) -> Write {
        let name = if n % 6 == 0 { format!("d/{}/c/{n:04}", n % 5) } else { format!("c/{n:04}") };
        set(
            &name,
            fields([
                ("a", int(self.field(0, n))),
                ("b", int(self.field(1, n))),
                ("k", int(self.field(2, n))),
                ("m", int(self.field(3, n))),
                ("n", int(n * 7 % DOCUMENTS)),
                ("tags", Value::Array(vec![int(self.field(1, n)), int(10 + self.field(2, n))])),
            ]),
        )
    }
}

fn pattern() -> impl Strategy<Value = Pattern> {
    let modulus = prop_oneof![6 => Just(2i64), 1 => Just(3), 1 => Just(8), 1 => Just(60)];
    let stride = prop_oneof![Just(1i64), Just(3)];
    proptest::collection::vec((stride, 0i64..3, modulus), 4).prop_map(Pattern)
}

/// A query for which there can be an index, and how many scans of it that may take.
#[derive(Debug, Clone)]
struct Shape {
    query: Query,
    scans: u64,
}

/// Equalities of some of three fields, and perhaps one of a list's elements: at most four scans.
fn conjunction() -> BoxedStrategy<Vec<Filter>> {
    let equal = |name: &'static str| {
        proptest::option::weighted(0.6, (0i64..2).prop_map(move |n| filter(name, FieldOp::Equal, int(n))))
    };
    let contains = (0i64..12).prop_map(|n| filter("tags", FieldOp::ArrayContains, int(n)));
    (equal("a"), equal("b"), equal("k"), proptest::option::weighted(0.2, contains))
        .prop_map(|(a, b, k, tags)| [a, b, k, tags].into_iter().flatten().collect())
        .boxed()
}

/// What stands beside the equalities, and how many disjuncts it makes.
fn more() -> BoxedStrategy<(Option<Filter>, u64)> {
    let list = |op: FieldOp, name: &'static str| {
        proptest::collection::btree_set(0i64..12, 1..4).prop_map(move |values| {
            let disjuncts = if op == FieldOp::NotIn { 1 } else { values.len() as u64 };
            let values = Value::Array(values.into_iter().map(int).collect());
            (Some(filter(name, op, values)), disjuncts)
        })
    };
    let range = |op: FieldOp| (0..DOCUMENTS).prop_map(move |n| (Some(filter("n", op, int(n))), 1));
    prop_oneof![
        8 => Just((None, 1)),
        1 => list(FieldOp::In, "a"),
        1 => list(FieldOp::In, "m"),
        1 => list(FieldOp::ArrayContainsAny, "tags"),
        1 => list(FieldOp::NotIn, "n"),
        1 => range(FieldOp::NotEqual),
        1 => range(FieldOp::Less),
        1 => range(FieldOp::GreaterOrEqual),
        1 => conjunction().prop_map(|parts| {
            let or = Filter::Or(vec![Filter::And(parts), filter("m", FieldOp::Equal, int(1))]);
            (Some(or), 2)
        }),
    ]
    .boxed()
}

fn shape() -> BoxedStrategy<Shape> {
    let directions = || prop_oneof![Just(Direction::Ascending), Just(Direction::Descending)];
    // Orders that go on in either direction. `limitToLast` is a limit in the other direction.
    let orders = (
        prop_oneof![Just(vec![]), Just(vec!["n"]), Just(vec!["m", "n"]), Just(vec!["a", "n"])],
        directions(),
        directions(),
    )
        .prop_map(|(names, first, second)| {
            names.into_iter().zip([first, second]).map(|(name, way)| order(name, way)).collect::<Vec<_>>()
        });
    let cursor = proptest::option::weighted(0.3, (0..DOCUMENTS, any::<bool>()));
    let from = prop_oneof![4 => Just((None, false)), 2 => Just((None, true)), 1 => Just((Some("d/3"), true))];
    (conjunction(), more(), orders, cursor, 0u32..4, proptest::option::weighted(0.7, 0u32..25), from)
        .prop_map(|(mut parts, (more, disjuncts), mut order_by, cursor, offset, limit, (parent, group))| {
            // What bounds one field while another one orders is an inequality too many for any index.
            if let Some(Filter::Field(FieldFilter { field, op, .. })) = &more
                && !matches!(op, FieldOp::In | FieldOp::ArrayContainsAny)
            {
                order_by.retain(|order| order.field == *field);
            }
            // Below one document the documents of a group come by name only.
            if parent.is_some() {
                order_by.clear();
            }
            let parent = parent.filter(|_| more.as_ref().is_none_or(|more| !is_range(more)));
            parts.extend(more);
            let scans = disjuncts * (parts.len() as u64 + 1);
            let by_n = order_by.first().is_some_and(|order| order.field == field("n"));
            let start = cursor.filter(|_| by_n).map(|(n, before)| Cursor { values: vec![int(n)], before });
            let query = Query {
                parent: parent.map(doc),
                from: Source { collection: Some("c".to_owned()), all_descendants: group },
                filter: (!parts.is_empty()).then_some(Filter::And(parts)),
                order_by,
                start,
                offset,
                limit,
                ..all("c")
            };
            Shape { query, scans }
        })
        .boxed()
}

fn is_range(filter: &Filter) -> bool {
    matches!(filter, Filter::Field(FieldFilter { op, .. }) if !matches!(op, FieldOp::In | FieldOp::ArrayContainsAny))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, max_shrink_iters: 200, ..ProptestConfig::default() })]

    /// Once the indexes that a query wants are there, it reads at most so many entries for each result (and for each of
    /// those it skips) and each scan: joins, composite indexes, disjunctions, lists, cursors, limits from either end, and
    /// groups alike.
    #[test]
    fn entries_read_are_bounded_by_results(
        pattern in pattern(), shapes in proptest::collection::vec(shape(), 20)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Box::pin(async {
            let store = Store::in_memory().await.unwrap();
            let db = database(&store);
            let writes: Vec<Write> = (0..DOCUMENTS).map(|n| pattern.document(n)).collect();
            for chunk in writes.chunks(300) {
                db.commit(Draft::of(chunk.to_vec())).await.unwrap();
            }
            for Shape { query, scans } in &shapes {
                // What Firestore refuses costs nothing.
                let Ok(first) = db.run(query, None).await else { continue };
                db.settle_indexes().await;
                let then = db.run(query, None).await.unwrap();
                let names = |result: &QueryResult| {
                    result.documents.iter().map(|document| document.path.to_string()).collect::<Vec<_>>()
                };
                prop_assert_eq!(names(&first), names(&then), "{:?}", query);
                let QueryResult { stats, .. } = then;
                let asked = stats.results + u64::from(query.offset);
                prop_assert!(
                    stats.entries_read <= PER_RESULT * asked + PER_SCAN * scans,
                    "{} entries for {} results: {:?}", stats.entries_read, asked, query
                );
            }
            Ok::<(), TestCaseError>(())
        }))?;
    }
}

/// The same shapes cost the same over ten times as many documents.
#[tokio::test]
async fn entries_read_grow_with_results_only() {
    const FACTOR: u64 = 8;
    const SLACK: u64 = 32;
    let store = Store::in_memory().await.unwrap();
    let db = database(&store);
    let equal = |name: &str, n: i64| filter(name, FieldOp::Equal, int(n));
    let descending = |name: &str| vec![order(name, Direction::Descending)];
    let queries = [
        Query { filter: Some(equal("owner", 7)), ..all("c") },
        Query { filter: Some(Filter::And(vec![equal("owner", 7), equal("kind", 1)])), ..all("c") },
        Query { order_by: vec![order("n", Direction::Ascending)], limit: Some(20), ..all("c") },
        Query { order_by: descending("n"), limit: Some(20), ..all("c") },
        Query { filter: Some(equal("kind", 1)), order_by: descending("n"), limit: Some(20), ..all("c") },
        Query { filter: Some(filter("n", FieldOp::Greater, int(50))), limit: Some(5), ..all("c") },
        Query { filter: Some(filter("n", FieldOp::NotEqual, int(0))), limit: Some(5), ..all("c") },
        Query { filter: Some(filter("tags", FieldOp::ArrayContains, int(3))), limit: Some(10), ..all("c") },
        Query { filter: Some(filter("owner", FieldOp::In, Value::Array(vec![int(1), int(2)]))), ..all("c") },
        Query {
            filter: Some(Filter::Or(vec![equal("owner", 1), equal("owner", 2)])),
            limit: Some(9),
            ..all("c")
        },
        Query { limit: Some(20), ..all("c") },
        Query {
            from: Source { collection: Some("c".to_owned()), all_descendants: true },
            limit: Some(20),
            ..all("c")
        },
        // All collections, from the start and from the middle.
        Query { from: Source { collection: None, all_descendants: true }, limit: Some(20), ..all("c") },
        Query {
            from: Source { collection: None, all_descendants: true },
            order_by: descending("__name__"),
            limit: Some(20),
            ..all("c")
        },
        Query {
            from: Source { collection: None, all_descendants: true },
            order_by: descending("__name__"),
            limit: Some(20),
            start: Some(Cursor {
                values: vec![Value::Reference(Reference {
                    database: DatabaseId::default_of("p"),
                    path: doc("c/150"),
                })],
                before: false,
            }),
            ..all("c")
        },
        Query {
            from: Source { collection: None, all_descendants: true },
            limit: Some(20),
            start: Some(Cursor {
                values: vec![Value::Reference(Reference {
                    database: DatabaseId::default_of("p"),
                    path: doc("c/15"),
                })],
                before: false,
            }),
            ..all("c")
        },
        Query {
            from: Source { collection: Some("c".to_owned()), all_descendants: true },
            filter: Some(equal("owner", 7)),
            ..all("c")
        },
        // Equalities that have nothing, or next to nothing, in common.
        Query { filter: Some(Filter::And(vec![equal("kind", 1), equal("half", 0)])), ..all("c") },
        Query { filter: Some(Filter::And(vec![equal("kind", 1), equal("kind", 0)])), ..all("c") },
        // A group below one document.
        Query {
            parent: Some(doc("z/z")),
            from: Source { collection: Some("c".to_owned()), all_descendants: true },
            ..all("c")
        },
    ];
    let mut stored = 0;
    for size in [200i64, 2_000] {
        let writes: Vec<Write> = (stored..size)
            .map(|n| {
                let tags = Value::Array(vec![int(n % 7), int(n % 5)]);
                // About as many documents of each owner, however many there are.
                let owner = int(n % (size / 20));
                set(
                    &format!("c/{n}"),
                    fields([
                        ("owner", owner),
                        ("kind", int(n % 2)),
                        ("half", int(n % 2)),
                        ("n", int(n)),
                        ("tags", tags),
                    ]),
                )
            })
            .collect();
        stored = size;
        for chunk in writes.chunks(500) {
            db.commit(Draft::of(chunk.to_vec())).await.unwrap();
        }
        for query in &queries {
            db.run(query, None).await.unwrap();
        }
        db.settle_indexes().await;
        for query in &queries {
            let stats = db.run(query, None).await.unwrap().stats;
            assert!(
                stats.entries_read <= FACTOR * stats.results + SLACK,
                "{size} documents: {} entries for {} results: {query:?}",
                stats.entries_read,
                stats.results
            );
        }
    }
}
