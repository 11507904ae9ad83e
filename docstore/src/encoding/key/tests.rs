use proptest::prelude::*;

use super::*;
use crate::model::{Fields, Value};
use crate::testing::values;

fn encoded(value: &Value) -> Key {
    let mut key = Vec::new();
    encode_value(value, &mut key);
    key
}

fn id() -> impl Strategy<Value = String> {
    prop_oneof!["[ab\u{0}\u{1}é]{1,3}", any::<i64>().prop_map(|n| format!("__id{n}__"))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn encoded_order_is_value_order(a in values(), b in values()) {
        let (ka, kb) = (encoded(&a), encoded(&b));
        prop_assert_eq!(ka.cmp(&kb), a.cmp(&b));
        // Self-delimiting: no encoding is another's prefix.
        prop_assert!(ka == kb || !ka.starts_with(&kb));
        let nan = matches!(a, Value::Double(double) if double.is_nan());
        prop_assert_eq!(type_start(&a) <= ka[0] && ka[0] < type_end(&a), !nan, "NaN's range is empty");
        let (mut da, mut db) = (Vec::new(), Vec::new());
        push_directed(&mut da, &ka, true);
        push_directed(&mut db, &kb, true);
        prop_assert_eq!(da.cmp(&db), b.cmp(&a));
    }

    /// The length of a value in an entry is recognised, whatever follows it and however long it is.
    #[test]
    fn an_encoded_value_knows_its_length(value in values(), times in 0usize..600, behind in any::<Vec<u8>>()) {
        let long = Value::String("x\u{0}y".repeat(times));
        let many = Value::Array(vec![value.clone(); times]);
        let deep = Value::Map(Fields::from([("k".repeat(times), value.clone())]));
        for value in [value, long, many, deep] {
            let key = encoded(&value);
            for inverted in [false, true] {
                let mut entry = Vec::new();
                push_directed(&mut entry, &key, inverted);
                entry.extend_from_slice(&behind);
                prop_assert_eq!(value_len(&entry, inverted), Some(key.len()), "{:?}", value);
            }
        }
    }

    #[test]
    fn document_keys_can_be_read(segments in proptest::collection::vec(id(), 1..4), last in id()) {
        let mut segments = segments;
        if segments.len() % 2 == 0 { segments.push("x".to_owned()); }
        segments.push(last);
        let path = DocPath::trusted(&segments.join("/"));
        let key = doc_key(DbNo(7), &path);
        prop_assert_eq!(read_doc_key(&key), Some(path.clone()));
        prop_assert!(key.starts_with(&collection_prefix(DbNo(7), &path.collection())));
        let mut entry = vec![1, 2, 3];
        push_name(&mut entry, path.as_str());
        prop_assert_eq!(read_name(&entry), Some(path.to_string()));
    }

    /// However long names are, entries of a group come in the order of names, a document before what lies below it.
    #[test]
    fn names_of_a_group_keep_their_order(
        above in proptest::collection::vec((id(), 0usize..400), 1..4),
        a in proptest::collection::vec((id(), 0usize..400), 0..3),
        b in proptest::collection::vec((id(), 0usize..400), 0..3),
    ) {
        let path = |ends: &[(String, usize)]| {
            let ids = above.iter().chain(ends).flat_map(|(id, len)| {
                [id.clone(), if *len > 0 { "y".repeat(*len) } else { id.clone() }]
            });
            DocPath::trusted(&ids.collect::<Vec<_>>().join("/"))
        };
        let (a, b) = (path(&a), path(&b));
        let entry = |path: &DocPath| {
            let mut entry = vec![9];
            push_name(&mut entry, path.as_str());
            entry
        };
        prop_assert_eq!(read_name(&entry(&a)), Some(a.to_string()));
        prop_assert_eq!(entry(&a).cmp(&entry(&b)), a.cmp(&b));
        prop_assert!(a == b || !entry(&a).starts_with(&entry(&b)));
    }

    #[test]
    fn ids_keep_their_order(a in id(), b in id()) {
        let path = |id: &str| DocPath::trusted(&format!("c/{id}"));
        let key = |id: &str| doc_key(DbNo(1), &path(id));
        prop_assert_eq!(key(&a).cmp(&key(&b)), path(&a).cmp(&path(&b)));
    }
}

#[test]
fn long_values_are_cut_in_order() {
    let long = |c: char| Value::String(format!("{}{c}", "x".repeat(2_000)));
    let key = encoded(&long('a'));
    assert!(is_truncated(&key));
    assert_eq!(key, encoded(&long('b')));
    assert!(encoded(&Value::String("x".repeat(100))) < key);
    assert!(encoded(&Value::String("y".to_owned())) > key);
    assert!(!is_truncated(&encoded(&Value::String("x".repeat(1_000)))));
}

#[test]
fn a_collection_is_one_range_without_its_descendants() {
    let range = KeyRange::prefix(&collection_prefix(DbNo(1), &CollectionPath::trusted("a")));
    for (path, inside) in [("a/1", true), ("a/1/b/2", false), ("ab/1", false), ("a/z", true)] {
        assert_eq!(range.contains(&doc_key(DbNo(1), &DocPath::trusted(path))), inside, "{path}");
    }
    let below = KeyRange::prefix(&below_prefix(DbNo(1), Some(&DocPath::trusted("a/1"))));
    for (path, inside) in [("a/1", false), ("a/1/b/2", true), ("a/1/b/2/c/3", true), ("a/11/b/2", false)] {
        assert_eq!(below.contains(&doc_key(DbNo(1), &DocPath::trusted(path))), inside, "{path}");
    }
}
