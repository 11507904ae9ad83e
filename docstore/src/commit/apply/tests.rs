use super::*;
use crate::model::{DocPath, FieldPath, FieldTransform, Timestamp};

const NOW: Ts = Ts::from_micros(1_700_000_000_123_456);

fn path() -> DocPath {
    DocPath::parse("c/d").unwrap()
}

fn stored(fields: Fields) -> Document {
    Document { path: path(), fields, create_time: Ts::from_micros(1), update_time: Ts::from_micros(2) }
}

fn run(op: WriteOp, precondition: Precondition, old: Option<&Document>) -> Result<Applied> {
    let write = Write { path: path(), op, precondition };
    require(&DatabaseId::default_of("p"), &write, old, old)?;
    apply(&write, old, NOW)
}

fn transformed(old: Option<Value>, transform: Transform) -> (Value, Value) {
    let document = stored(old.map(|value| Fields::from([("f".to_owned(), value)])).unwrap_or_default());
    let field = FieldPath::parse("f").unwrap();
    let op = WriteOp::Update {
        fields: Fields::new(),
        mask: Vec::new(),
        transforms: vec![FieldTransform { field, transform }],
    };
    let applied = run(op, Precondition::None, Some(&document)).unwrap();
    (applied.new.unwrap().fields.remove("f").unwrap(), applied.result.transform_results[0].clone())
}

#[test]
fn transforms_follow_the_protocol() {
    use Transform::{ArrayRemove, ArrayUnion, Increment, Maximum, Minimum, ServerTimestamp};
    let int = Value::Integer;
    let cases = [
        (Some(int(i64::MAX)), Increment(int(1)), int(i64::MAX)),
        (Some(int(i64::MIN)), Increment(int(-1)), int(i64::MIN)),
        (Some(int(1)), Increment(Value::Double(0.5)), Value::Double(1.5)),
        (Some(Value::String("x".into())), Increment(int(2)), int(2)),
        (None, Increment(int(2)), int(2)),
        (Some(int(3)), Maximum(Value::Double(3.0)), int(3)),
        (Some(int(3)), Maximum(Value::Double(3.5)), Value::Double(3.5)),
        (Some(int(3)), Maximum(Value::Double(f64::NAN)), Value::Double(f64::NAN)),
        (Some(Value::Double(f64::NAN)), Minimum(int(3)), Value::Double(f64::NAN)),
        (Some(int(3)), Minimum(int(2)), int(2)),
        (None, ServerTimestamp, Value::Timestamp(Timestamp(1_700_000_000_123_000))),
    ];
    for (old, transform, new) in cases {
        let (field, result) = transformed(old.clone(), transform.clone());
        assert!(field.identical(&new), "{old:?} {transform:?}: {field:?}");
        assert!(result.identical(&new));
    }
    let list = |values: &[i64]| Value::Array(values.iter().map(|n| int(*n)).collect());
    let (field, result) = transformed(Some(list(&[1])), ArrayUnion(vec![Value::Double(1.0), int(2), int(2)]));
    assert_eq!((field, result), (list(&[1, 2]), Value::Null));
    let (field, _) = transformed(Some(list(&[1, 2, 1])), ArrayRemove(vec![int(1)]));
    assert_eq!(field, list(&[2]));
}

#[test]
fn a_document_has_at_most_so_many_transforms_in_a_commit() {
    let write = |path: &str, transforms: usize| {
        let each = |n| FieldTransform {
            field: FieldPath::parse(&format!("f{n}")).unwrap(),
            transform: Transform::Increment(Value::Integer(1)),
        };
        let op = WriteOp::Set { fields: Fields::new(), transforms: (0..transforms).map(each).collect() };
        Write { path: DocPath::parse(path).unwrap(), op, precondition: Precondition::None }
    };
    let check = |writes: &[Write]| check_transforms(writes).map_err(|error| error.tag());
    assert_eq!(MAX_TRANSFORMS, 500);
    assert_eq!(check(&[write("c/a", 500)]), Ok(()));
    assert_eq!(check(&[write("c/a", 501)]), Err("TooManyTransforms"));
    // Several writes of one document count together, those of several documents do not.
    assert_eq!(check(&[write("c/a", 300), write("c/b", 300), write("c/a", 200)]), Ok(()));
    assert_eq!(check(&[write("c/a", 300), write("c/b", 1), write("c/a", 201)]), Err("TooManyTransforms"));
}

#[test]
fn increments_follow_the_rules_of_overflow() {
    let (int, double) = (Value::Integer, Value::Double);
    let cases = [
        // Integers saturate.
        (int(i64::MAX - 1), int(1), int(i64::MAX)),
        (int(i64::MAX - 1), int(2), int(i64::MAX)),
        (int(i64::MAX), int(i64::MAX), int(i64::MAX)),
        (int(i64::MIN + 1), int(-2), int(i64::MIN)),
        (int(i64::MIN), int(i64::MIN), int(i64::MIN)),
        (int(i64::MAX), int(i64::MIN), int(-1)),
        // A sum with a double is a double.
        (int(i64::MAX), double(1.0), double(9_223_372_036_854_775_808.0)),
        (double(f64::MAX), double(f64::MAX), double(f64::INFINITY)),
        (double(-f64::MAX), double(-f64::MAX), double(f64::NEG_INFINITY)),
        (double(f64::INFINITY), double(f64::NEG_INFINITY), double(f64::NAN)),
        (double(f64::NAN), int(1), double(f64::NAN)),
        (double(9_007_199_254_740_992.0), int(1), double(9_007_199_254_740_992.0)),
    ];
    for (old, by, sum) in cases {
        let (field, _) = transformed(Some(old.clone()), Transform::Increment(by.clone()));
        assert!(field.identical(&sum), "{old:?} + {by:?}: {field:?}");
    }
}

#[test]
fn preconditions_answer_as_firestore_does() {
    let set = || WriteOp::Set { fields: Fields::new(), transforms: Vec::new() };
    let old = stored(Fields::new());
    let outcome = |precondition, old| {
        run(set(), precondition, old).map(|_| ()).map_err(|e| (e.code(), e.message().to_owned()))
    };
    assert_eq!(outcome(Precondition::Exists(false), None), Ok(()));
    assert_eq!(
        outcome(Precondition::Exists(true), None),
        Err((Code::NotFound, "no entity to update: projects/p/databases/(default)/documents/c/d".into()))
    );
    assert_eq!(outcome(Precondition::Exists(false), Some(&old)).unwrap_err().0, Code::AlreadyExists);
    assert_eq!(
        outcome(Precondition::UpdateTime(Ts::from_micros(1)), Some(&old)),
        Err((
            Code::FailedPrecondition,
            "the stored version (2) does not match the required base version (1)".into()
        ))
    );
    // A version in the future is invalid; where there is no document, any version is merely the wrong one.
    let future = Precondition::UpdateTime(Ts::from_micros(3));
    assert_eq!(outcome(future, Some(&old)).unwrap_err().0, Code::InvalidArgument);
    assert_eq!(outcome(future, None).unwrap_err().0, Code::FailedPrecondition);
    assert_eq!(outcome(Precondition::UpdateTime(Ts::from_micros(2)), Some(&old)), Ok(()));
}

#[test]
fn masks_set_delete_and_keep() {
    let text = |s: &str| Value::String(s.to_owned());
    let map =
        |pairs: &[(&str, &str)]| Value::Map(pairs.iter().map(|(k, v)| ((*k).to_owned(), text(v))).collect());
    let old = stored(Fields::from([("a".into(), text("1")), ("m".into(), map(&[("x", "1"), ("y", "2")]))]));
    let mask = ["a", "m.x", "n.z"].map(|path| FieldPath::parse(path).unwrap()).to_vec();
    let fields = Fields::from([("m".into(), map(&[("x", "9"), ("y", "ignored")]))]);
    let applied =
        run(WriteOp::Update { fields, mask, transforms: vec![] }, Precondition::None, Some(&old)).unwrap();
    assert_eq!(applied.new.unwrap().fields, Fields::from([("m".into(), map(&[("x", "9"), ("y", "2")]))]));
}

#[test]
fn an_update_that_changes_nothing_keeps_its_time() {
    let old = stored(Fields::from([("a".into(), Value::Integer(1))]));
    let set = |value| WriteOp::Set { fields: Fields::from([("a".into(), value)]), transforms: vec![] };
    let applied = run(set(Value::Integer(1)), Precondition::None, Some(&old)).unwrap();
    assert!(!applied.changed);
    assert_eq!(applied.result.update_time, Some(Ts::from_micros(2)));
    // Equal in order but of another type: a change.
    assert!(run(set(Value::Double(1.0)), Precondition::None, Some(&old)).unwrap().changed);
}
