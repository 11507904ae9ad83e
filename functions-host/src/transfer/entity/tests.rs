use docstore::model::Ts;
use proptest::prelude::*;

use super::*;

fn database() -> DatabaseId {
    DatabaseId::default_of("demo-x")
}

fn both_ways(fields: Fields) -> Fields {
    let path = DocPath::parse("c/doc1/sub/__id7__").unwrap();
    let document = Document { path: path.clone(), fields, create_time: Ts::ZERO, update_time: Ts::ZERO };
    let (found, fields) = read(&database(), &write(&database(), &document)).unwrap();
    assert_eq!(found, path);
    fields
}

/// Output of another program for `c/__id7__` with `numeric: 1`.
#[test]
fn a_known_entity_has_its_known_bytes() {
    let document = Document {
        path: DocPath::parse("c/__id7__").unwrap(),
        fields: Fields::from([("numeric".to_owned(), Value::Integer(1))]),
        create_time: Ts::ZERO,
        update_time: Ts::ZERO,
    };
    let mut expected = b"\x6a\x15\x6a\x0adev~demo-x\x72\x07\x0b\x12\x01c\x18\x07\x0c".to_vec();
    expected.extend(b"\x7a\x0f\x1a\x07numeric\x20\x00\x2a\x02\x08\x01");
    expected.extend(b"\x82\x01\x07\x0b\x12\x01c\x18\x07\x0c");
    assert_eq!(write(&database(), &document), expected);
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Boolean),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_map(Value::Double),
        (-62_135_596_800_000_000_i64..253_402_300_799_999_999).prop_map(|at| Value::Timestamp(Timestamp(at))),
        ".{0,12}".prop_map(Value::String),
        prop::collection::vec(any::<u8>(), 0..12).prop_map(|bytes| Value::Bytes(bytes.into())),
        Just(Value::Reference(Reference {
            database: database(),
            path: DocPath::parse("a/b/c/__id-3__").unwrap()
        })),
        Just(Value::Reference(Reference {
            database: DatabaseId::new("demo-x", "second"),
            path: DocPath::parse("a/b").unwrap()
        })),
        (-90.0..90.0, -180.0..180.0)
            .prop_map(|(latitude, longitude)| Value::GeoPoint(GeoPoint { latitude, longitude })),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let map =
            prop::collection::btree_map("[a-zA-Z .é]{1,6}", fields(inner.clone()), 0..4).prop_map(Value::Map);
        prop_oneof![inner, map]
    })
}

/// Values of fields: also lists and vectors, which lists may not hold.
fn fields(item: impl Strategy<Value = Value> + Clone + 'static) -> impl Strategy<Value = Value> {
    prop_oneof![
        item.clone(),
        prop::collection::vec(item, 0..4).prop_map(Value::Array),
        prop::collection::vec(any::<f64>(), 1..4).prop_map(Value::Vector),
    ]
}

proptest! {
    #[test]
    fn every_document_goes_both_ways(all in prop::collection::btree_map("[a-zA-Z .é]{1,8}", fields(values().boxed()), 0..6)) {
        let read = both_ways(all.clone());
        prop_assert!(Value::Map(read.clone()).identical(&Value::Map(all.clone())), "{read:?} {all:?}");
    }

    #[test]
    fn nonsense_is_refused_not_feared(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        // The property is that it does not panic.
        let _ = read(&database(), &bytes);
    }
}
