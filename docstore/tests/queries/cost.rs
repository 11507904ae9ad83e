//! The cost property: over indexed shapes a query reads entries for its results, not for the documents there are.

use docstore::model::*;
use docstore::*;
use proptest::prelude::*;

use super::support::*;

/// Documents in the collection.
const DOCUMENTS: i64 = 900;
/// At most so many entries are read for each result, and for each scan beside them.
const PER_RESULT: u64 = 4;
const PER_SCAN: u64 = 32;
/// So often a query may learn indexes: those it cannot do without, and then those that its joins are too dear without.
const LESSONS: usize = 2;
/// And where several fields are bounded, for each value of the fields before.
const PER_STEP: u64 = 16;

/// Contents of the documents: field by field, document `n` has `(n * stride + offset) % modulus`, so that fields may be
/// equal everywhere, sometimes or never.
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

/// A filter beside the equalities, its number of disjuncts, and the additional scans of each.
fn more() -> BoxedStrategy<(Option<Filter>, u64, u64)> {
    let list = |op: FieldOp, name: &'static str| {
        proptest::collection::btree_set(0i64..12, 1..4).prop_map(move |values| {
            let disjuncts = if op == FieldOp::NotIn { 1 } else { values.len() as u64 };
            let values = Value::Array(values.into_iter().map(int).collect());
            (Some(filter(name, op, values)), disjuncts, 1)
        })
    };
    let range = |op: FieldOp| (0..DOCUMENTS).prop_map(move |n| (Some(filter("n", op, int(n))), 1, 1));
    prop_oneof![
        8 => Just((None, 1, 0)),
        1 => list(FieldOp::In, "a"),
        1 => list(FieldOp::In, "m"),
        1 => list(FieldOp::ArrayContainsAny, "tags"),
        1 => list(FieldOp::NotIn, "n"),
        1 => range(FieldOp::NotEqual),
        1 => range(FieldOp::Less),
        1 => range(FieldOp::GreaterOrEqual),
        1 => conjunction().prop_map(|parts| {
            let scans = parts.len().max(1) as u64;
            let or = Filter::Or(vec![Filter::And(parts), filter("m", FieldOp::Equal, int(1))]);
            (Some(or), 2, scans)
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
        .prop_map(|(mut parts, beside, mut order_by, cursor, offset, limit, (parent, group))| {
            let (more, disjuncts, scans) = beside;
            // Bounds on one field with an order by another belong to the next property.
            if let Some(Filter::Field(FieldFilter { field, op, .. })) = &more
                && !matches!(op, FieldOp::In | FieldOp::ArrayContainsAny)
            {
                order_by.retain(|order| order.field == *field);
            }
            let scans = disjuncts * (parts.len() as u64 + scans + 1);
            parts.extend(more);
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

/// Two or three fields that are each bounded, in an order of their own or in the one that follows from them.
fn bounded() -> BoxedStrategy<Query> {
    use FieldOp::{Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let op =
        || prop_oneof![Just(Less), Just(LessOrEqual), Just(Greater), Just(GreaterOrEqual), Just(NotEqual)];
    let bounds = proptest::sample::subsequence(vec!["a", "b", "k", "m"], 2..=3).prop_flat_map(move |names| {
        let each = move |name: &'static str| {
            proptest::collection::vec((op(), 0i64..9), 1..3).prop_map(move |bounds| {
                let mut different = 0;
                // Firestore takes one `!=`.
                let bounds = bounds.into_iter().filter(|(op, _)| {
                    different += usize::from(*op == NotEqual);
                    *op != NotEqual || (different == 1 && name == "a")
                });
                bounds.map(|(op, n)| filter(name, op, int(n))).collect::<Vec<_>>()
            })
        };
        names.into_iter().map(each).collect::<Vec<_>>()
    });
    let orders = prop_oneof![Just(vec![]), Just(vec!["a"]), Just(vec!["k", "b"]), Just(vec!["m", "a", "n"])];
    let ways =
        proptest::collection::vec(prop_oneof![Just(Direction::Ascending), Just(Direction::Descending)], 3);
    let from = prop_oneof![3 => Just((None, false)), 1 => Just((None, true)), 1 => Just((Some("d/3"), true))];
    (bounds, orders, ways, 0u32..4, proptest::option::weighted(0.7, 0u32..25), from)
        .prop_map(|(bounds, orders, ways, offset, limit, (parent, group))| {
            let order_by = orders.into_iter().zip(ways).map(|(name, way)| order(name, way)).collect();
            let parts: Vec<Filter> = bounds.into_iter().flatten().collect();
            Query {
                parent: parent.map(doc),
                from: Source { collection: Some("c".to_owned()), all_descendants: group },
                filter: (!parts.is_empty()).then_some(Filter::And(parts)),
                order_by,
                offset,
                limit,
                ..all("c")
            }
        })
        .boxed()
}

/// Number of distinct values of the fields that order the results before the last bounded one.
fn steps(pattern: &Pattern, query: &Query) -> u64 {
    let names = ["a", "b", "k", "m", "n"];
    let bounded: Vec<&str> = match &query.filter {
        Some(Filter::And(parts)) => names
            .into_iter()
            .filter(|name| {
                parts.iter().any(|part| matches!(part, Filter::Field(test) if test.field == field(name)))
            })
            .collect(),
        _ => Vec::new(),
    };
    let mut orders: Vec<&str> =
        query.order_by.iter().filter_map(|o| names.into_iter().find(|name| o.field == field(name))).collect();
    orders.extend(bounded.iter().filter(|name| !orders.contains(name)).copied().collect::<Vec<_>>());
    let last = orders.iter().rposition(|name| bounded.contains(name)).unwrap_or(0);
    let value = |name: &str, n: i64| match names.iter().position(|other| *other == name) {
        Some(at) if at < 4 => pattern.field(at, n),
        _ => n * 7 % DOCUMENTS,
    };
    let different: std::collections::BTreeSet<Vec<i64>> =
        (0..DOCUMENTS).map(|n| orders[..last].iter().map(|name| value(name, n)).collect()).collect();
    different.len() as u64
}

async fn filled(pattern: &Pattern) -> Store {
    let store = Store::in_memory().await.unwrap();
    let db = database(&store);
    let writes: Vec<Write> = (0..DOCUMENTS).map(|n| pattern.document(n)).collect();
    for chunk in writes.chunks(300) {
        db.commit(Draft::of(chunk.to_vec())).await.unwrap();
    }
    store
}

fn found(result: &QueryResult) -> Vec<String> {
    result.documents.iter().map(|document| document.path.to_string()).collect()
}

/// Runs a query until it has the indexes that it wants. The first result and the last one; `None` for what Firestore
/// refuses, which costs nothing.
async fn learned(db: &Database, query: &Query) -> Option<(QueryResult, QueryResult)> {
    let first = db.run(query, None).await.ok()?;
    let mut then = first.clone();
    for _ in 0..LESSONS {
        db.settle_indexes().await;
        let known = db.indexes().len();
        then = db.run(query, None).await.unwrap();
        db.settle_indexes().await;
        if db.indexes().len() == known {
            break;
        }
    }
    Some((first, then))
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
            let store = filled(&pattern).await;
            let db = database(&store);
            for Shape { query, scans } in &shapes {
                let Some((first, then)) = learned(&db, query).await else { continue };
                prop_assert_eq!(found(&first), found(&then), "{:?}", query);
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

    /// With bounds on several fields, a query reads a fixed number of entries for each value of the fields that come
    /// first in the order; it skips the documents between, however many there are.
    #[test]
    fn several_inequalities_jump_over_what_lies_between(
        pattern in pattern(), queries in proptest::collection::vec(bounded(), 20)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Box::pin(async {
            let store = filled(&pattern).await;
            let db = database(&store);
            for query in &queries {
                let Some((first, then)) = learned(&db, query).await else { continue };
                prop_assert_eq!(found(&first), found(&then), "{:?}", query);
                let (asked, steps) = (then.stats.results + u64::from(query.offset), steps(&pattern, query));
                prop_assert!(
                    then.stats.entries_read <= PER_RESULT * asked + PER_STEP * steps + PER_SCAN,
                    "{} entries for {} results and {} steps: {:?}", then.stats.entries_read, asked, steps, query
                );
                // Entries alone say what passes: nothing else is fetched.
                prop_assert!(then.stats.documents_read <= asked, "{:?}: {:?}", then.stats, query);
            }
            Ok::<(), TestCaseError>(())
        }))?;
    }
}

/// If one alternative of a query lacks its index and another one is an expensive join, the first index is learned
/// before the one that saves the join.
#[tokio::test]
async fn a_join_is_learned_once_nothing_else_is_lacking() {
    let store = filled(&Pattern(vec![(1, 1, 2), (1, 1, 2), (1, 0, 2), (1, 0, 2)])).await;
    let db = database(&store);
    let equal = |name: &str, n: i64| filter(name, FieldOp::Equal, int(n));
    let by_n = |parts: Vec<Filter>| Query {
        filter: Some(Filter::And(parts)),
        order_by: vec![order("n", Direction::Ascending)],
        limit: Some(4),
        ..all("c")
    };
    // The two indexes that the join is of.
    for parts in [vec![equal("a", 0)], vec![equal("b", 0), equal("k", 0)]] {
        db.run(&by_n(parts), None).await.unwrap();
    }
    db.settle_indexes().await;
    // `a` and `k` have no document in common.
    let or = Filter::Or(vec![equal("b", 0), equal("m", 1)]);
    let query = by_n(vec![equal("a", 1), equal("k", 1), or]);
    let mut known = Vec::new();
    let mut entries = Vec::new();
    for _ in 0..3 {
        known.push(db.indexes().len());
        entries.push(db.run(&query, None).await.unwrap().stats.entries_read);
        db.settle_indexes().await;
    }
    assert_eq!((known, db.indexes().len()), (vec![2, 3, 4], 4));
    assert!(entries[1] > DOCUMENTS as u64 / 2 && entries[2] <= 2 * PER_SCAN, "{entries:?}");
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
    let at_least = |name: &str, n: i64| filter(name, FieldOp::GreaterOrEqual, int(n));
    let under = |name: &str, n: i64| filter(name, FieldOp::Less, int(n));
    let below = |query: Query| Query {
        from: Source { collection: Some("c".to_owned()), all_descendants: true },
        ..query
    };
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
        // A group below one document: by name, in an order, and with more than an order.
        below(Query { parent: Some(doc("z/z")), ..all("c") }),
        below(Query { parent: Some(doc("z/3")), ..all("c") }),
        below(Query { parent: Some(doc("z/3")), order_by: descending("n"), limit: Some(20), ..all("c") }),
        below(Query {
            parent: Some(doc("z/3")),
            filter: Some(equal("kind", 1)),
            order_by: vec![order("n", Direction::Ascending)],
            ..all("c")
        }),
        below(Query {
            parent: Some(doc("z/z")),
            filter: Some(filter("n", FieldOp::Less, int(90))),
            ..all("c")
        }),
        // Several inequalities, whose first field has few values.
        Query { filter: Some(Filter::And(vec![at_least("kind", 0), under("n", 5)])), ..all("c") },
        Query {
            filter: Some(Filter::And(vec![at_least("kind", 0), under("n", 5)])),
            order_by: vec![order("kind", Direction::Descending), order("n", Direction::Ascending)],
            limit: Some(2),
            ..all("c")
        },
        Query {
            filter: Some(Filter::And(vec![at_least("half", 0), at_least("kind", 2), under("n", 5)])),
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
                // A few of them in collections below others.
                let name = if n % 40 == 3 { format!("z/{}/c/{n}", n % 200 / 40) } else { format!("c/{n}") };
                set(
                    &name,
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
