//! Queries over all collections at once.

use docstore::model::*;
use docstore::*;
use proptest::prelude::*;

use super::support::*;

/// A query over all collections at once, which knows no order but the name's.
fn kindless() -> BoxedStrategy<Query> {
    let name = || prop_oneof!["[ab]/[ab1]", "[ab]/[ab1]/[ab]/[ab1]", "[ab]/[ab1]/[ab]/[ab1]/[ab]/[ab1]"];
    let reference =
        |path: &str| Value::Reference(Reference { database: DatabaseId::default_of("p"), path: doc(path) });
    let cursor = move || proptest::option::weighted(0.3, (name(), any::<bool>()));
    let bound = proptest::option::weighted(0.3, (name(), any::<bool>()));
    let parent = proptest::option::weighted(0.4, "[ab]/[ab1]");
    let descending = any::<bool>();
    (parent, cursor(), cursor(), bound, 0u32..3, proptest::option::of(0u32..6), descending)
        .prop_map(move |(parent, start, end, bound, offset, limit, descending)| {
            let cursor = |cursor: Option<(String, bool)>| {
                cursor.map(|(path, before)| Cursor { values: vec![reference(&path)], before })
            };
            let direction = if descending { Direction::Descending } else { Direction::Ascending };
            Query {
                parent: parent.as_deref().map(doc),
                from: Source { collection: None, all_descendants: true },
                filter: bound.map(|(path, low)| {
                    let op = if low { FieldOp::GreaterOrEqual } else { FieldOp::Less };
                    filter("__name__", op, reference(&path))
                }),
                order_by: vec![order("__name__", direction)],
                start: cursor(start),
                end: cursor(end),
                offset,
                limit,
                ..all("c")
            }
        })
        .boxed()
}

/// The documents of a query over all collections, by looking at every one.
fn naive_tree(paths: &[DocPath], query: &Query) -> Vec<String> {
    let descending = query.order_by[0].direction == Direction::Descending;
    let of = |value: &Value| match value {
        Value::Reference(reference) => reference.path.clone(),
        _ => unreachable!(),
    };
    let compare = |a: &DocPath, b: &DocPath| if descending { b.cmp(a) } else { a.cmp(b) };
    let mut found: Vec<&DocPath> = paths
        .iter()
        .filter(|path| query.parent.as_ref().is_none_or(|parent| path.is_below(parent)))
        .filter(|path| match &query.filter {
            Some(Filter::Field(FieldFilter { op: FieldOp::Less, value, .. })) => **path < of(value),
            Some(Filter::Field(FieldFilter { value, .. })) => **path >= of(value),
            _ => true,
        })
        .filter(|path| {
            query.start.as_ref().is_none_or(|cursor| {
                let order = compare(path, &of(&cursor.values[0]));
                if cursor.before { order.is_ge() } else { order.is_gt() }
            })
        })
        .filter(|path| {
            query.end.as_ref().is_none_or(|cursor| {
                let order = compare(path, &of(&cursor.values[0]));
                if cursor.before { order.is_lt() } else { order.is_le() }
            })
        })
        .collect();
    found.sort_by(|a, b| compare(a, b));
    let limit = query.limit.map_or(usize::MAX, |limit| limit as usize);
    found.into_iter().skip(query.offset as usize).take(limit).map(ToString::to_string).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// Walking all collections finds what a look at every document finds, in the order of names.
    #[test]
    fn a_walk_over_all_collections_finds_what_a_naive_one_finds(
        paths in proptest::collection::btree_set("[ab]/[ab1](/[ab]/[ab1](/[ab]/[ab1])?)?", 0..40),
        queries in proptest::collection::vec(kindless(), 1..6),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Box::pin(async {
            let store = Store::in_memory().await.unwrap();
            let db = database(&store);
            for path in &paths {
                put(&db, path, []).await;
            }
            let paths: Vec<DocPath> = paths.iter().map(|path| doc(path)).collect();
            for query in &queries {
                let found = names(&db, query).await;
                prop_assert_eq!(&found, &naive_tree(&paths, query), "{:?}", query);
                let count = [("n".to_owned(), Aggregation::Count { up_to: None })];
                let counted = db.aggregate(query, &count, None).await.unwrap().value;
                prop_assert_eq!(&counted[0].1, &int(found.len() as i64), "{:?}", query);
            }
            Ok::<(), TestCaseError>(())
        }))?;
    }
}

#[tokio::test]
async fn a_walk_over_all_collections_is_explained_by_the_index_of_names() {
    let store = Store::in_memory().await.unwrap();
    let db = database(&store);
    put(&db, "a/b", []).await;
    let query = Query { from: Source { collection: None, all_descendants: true }, ..all("a") };
    let stats = db.run(&query, None).await.unwrap().stats;
    let (scope, properties) = &stats.indexes[0];
    assert_eq!((scope.as_str(), properties.as_str()), ("Collection group", "(__name__ ASC)"));
    assert_eq!(stats.indexes.len(), 1);
}
