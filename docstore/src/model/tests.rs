use proptest::prelude::*;

use super::field_path::{FieldPath, is_reserved};
use super::*;
use crate::testing::values;

proptest! {
    #[test]
    fn order_is_total(a in values(), b in values(), c in values()) {
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        if a <= b && b <= c { prop_assert!(a <= c); }
        prop_assert!(a.identical(&a));
        if a.identical(&b) { prop_assert_eq!(&a, &b); }
    }

    #[test]
    fn field_paths_survive_their_spelling(segments in proptest::collection::vec("[a.`\\\\ é_1]{1,5}", 1..4)) {
        prop_assume!(segments.iter().all(|s| !is_reserved(s)));
        let path = FieldPath::from_segments(segments).unwrap();
        prop_assert_eq!(FieldPath::parse(&path.to_string()).unwrap(), path);
    }
}

#[test]
fn integers_and_doubles_compare_exactly() {
    assert_eq!(Value::Integer(1), Value::Double(1.0));
    assert_eq!(Value::Double(-0.0), Value::Integer(0));
    assert!(Value::Integer(9_007_199_254_740_993) > Value::Double(9_007_199_254_740_992.0));
    assert!(Value::Integer(i64::MAX) < Value::Double(9_223_372_036_854_775_808.0));
    assert!(Value::Integer(i64::MIN) == Value::Double(-9_223_372_036_854_775_808.0));
    assert!(Value::Double(f64::NAN) < Value::Double(f64::NEG_INFINITY));
    assert!(!Value::Integer(1).identical(&Value::Double(1.0)));
}

#[test]
fn numeric_ids_come_first() {
    let mut ids =
        ["a", "__id10__", "__id9__", "B", "__id-1__"].map(|id| DocPath::parse(&format!("c/{id}")).unwrap());
    ids.sort();
    assert_eq!(ids.map(|path| path.id().to_owned()), ["__id-1__", "__id9__", "__id10__", "B", "a"]);
}

#[test]
fn paths_are_checked() {
    for (path, tag) in [
        ("a", "DocumentPathOdd"),
        ("a//b", "PathEmptySegment"),
        ("a/__x__", "IdReserved"),
        ("a/_____", "IdReserved"),
        ("_____/a", "IdReserved"),
        ("a/..", "PathDots"),
        (&format!("a/{}", "x".repeat(1501)) as &str, "IdTooLong"),
    ] {
        assert_eq!(DocPath::parse(path).unwrap_err().tag(), tag, "{path}");
    }
    // The longest id, and one path each that is too long and too deep.
    assert!(DocPath::parse(&format!("a/{}", "x".repeat(1_500))).is_ok());
    let path = |pairs: usize, id: &str| vec![format!("a/{id}"); pairs].join("/");
    assert!(DocPath::parse(&path(4, &"x".repeat(1_500))).is_ok());
    assert_eq!(DocPath::parse(&path(5, &"x".repeat(1_500))).unwrap_err().tag(), "PathTooLong");
    assert!(DocPath::parse(&path(100, "x")).is_ok());
    assert_eq!(DocPath::parse(&path(101, "x")).unwrap_err().tag(), "PathTooDeep");
    assert_eq!(CollectionPath::parse("a/b").unwrap_err().tag(), "CollectionPathEven");
    let (id, path) =
        DatabaseId::parse_document_name("projects/p/databases/(default)/documents/a/b/c/d").unwrap();
    assert_eq!(id.document_name(&path), "projects/p/databases/(default)/documents/a/b/c/d");
    assert_eq!(path.collection().to_string(), "a/b/c");
    assert_eq!(path.parent().unwrap().to_string(), "a/b");
    assert!(path.is_below(&DocPath::parse("a/b").unwrap()));
}

#[test]
fn documents_are_checked() {
    let path = DocPath::parse("a/b").unwrap();
    let check = |name: &str, value: Value| {
        check_document(&path, &Fields::from([(name.to_owned(), value)])).map_err(|error| error.tag())
    };
    assert_eq!(check("a", Value::Array(vec![Value::Array(vec![])])), Err("NestedArray"));
    assert_eq!(check("__a__", Value::Null), Err("FieldNameReserved"));
    assert_eq!(check("_____", Value::Null), Err("FieldNameReserved"));
    assert_eq!(check("____", Value::Null), Ok(()));
    assert_eq!(check("", Value::Null), Err("FieldNameEmpty"));
    assert_eq!(check("s", Value::String("x".repeat(1_048_488))), Err("ValueTooLong"));
    assert_eq!(check("s", Value::String("x".repeat(1_048_487))), Ok(()));
    assert_eq!(check("ab", Value::Bytes(vec![0; 1_048_486].into())), Ok(()));
    assert_eq!(check(&"n".repeat(1_500), Value::Null), Ok(()));
    assert_eq!(check(&"n".repeat(1_501), Value::Null), Err("FieldNameTooLong"));
    assert_eq!(check("v", Value::Vector(vec![0.0; 2_048])), Ok(()));
    assert_eq!(check("v", Value::Vector(vec![0.0; 2_049])), Err("VectorTooLong"));
    assert!(FieldPath::parse(&vec!["abc"; 375].join(".")).is_ok());
    assert_eq!(FieldPath::parse(&vec!["abc"; 376].join(".")).unwrap_err().tag(), "FieldPathTooLong");
    let half = Value::String("x".repeat(600_000));
    let fields = Fields::from([("a".to_owned(), half.clone()), ("b".to_owned(), half)]);
    assert_eq!(check_document(&path, &fields).unwrap_err().tag(), "DocumentTooLarge");
    // To the byte: the name counts 16 and its segments, each field its name and value, each text one more, and 32.
    let filled = |over: usize| {
        let rest = MAX_DOCUMENT_BYTES - 16 - "a/".len() - "b/".len() - "f/".len() - "g/".len() - 32;
        let text = |bytes: usize| Value::Bytes(vec![0; bytes].into());
        Fields::from([("f".to_owned(), text(500_000)), ("g".to_owned(), text(rest - 500_000 + over))])
    };
    assert!(check_document(&path, &filled(0)).is_ok());
    assert_eq!(check_document(&path, &filled(1)).unwrap_err().tag(), "DocumentTooLarge");
}

#[test]
fn twenty_maps_and_arrays_may_lie_in_one_another() {
    let path = DocPath::parse("a/b").unwrap();
    // From the inside out: what wraps a value, and the innermost value.
    let nested = |wrap: &dyn Fn(usize, Value) -> Value, levels: usize, innermost: Value| {
        let value = (0..levels).fold(innermost, |inner, level| wrap(level, inner));
        check_document(&path, &Fields::from([("m".to_owned(), value)])).map_err(|error| error.tag())
    };
    let map = |inner: Value| Value::Map(Fields::from([("m".to_owned(), inner)]));
    let maps = |_: usize, inner: Value| map(inner);
    // A list may not hold a list, so they take turns.
    let turns = |level: usize, inner: Value| {
        if level.is_multiple_of(2) { map(inner) } else { Value::Array(vec![inner]) }
    };
    for wrap in [&maps as &dyn Fn(usize, Value) -> Value, &turns] {
        for leaf in [Value::Null, Value::Vector(vec![1.0]), Value::String("s".to_owned())] {
            assert_eq!(nested(wrap, MAX_NESTING, leaf.clone()), Ok(()));
            assert_eq!(nested(wrap, MAX_NESTING + 1, leaf), Err("TooDeep"));
        }
    }
    // A map without fields is a level too, an array without elements is none.
    for (innermost, levels) in [(Value::Map(Fields::new()), 1), (Value::Array(Vec::new()), 0)] {
        assert_eq!(nested(&maps, MAX_NESTING - levels, innermost.clone()), Ok(()));
        assert_eq!(nested(&maps, MAX_NESTING + 1 - levels, innermost), Err("TooDeep"));
    }
}
