//! Methods of lists, sets, maps and differences of maps.

use std::sync::Arc;

use crate::value::{Map, MapDiff, Set, Type, Value, loosely_equal, order_strictly};

use super::number::as_text;
use super::text::count;
use super::{Context, Failure, Native, method, mismatch};

const ANY: Type = Type::Any;
const LIST: Type = Type::List;
const SET: Type = Type::Set;
const MAP: Type = Type::Map;
const DIFF: Type = Type::MapDiff;

pub(super) const TABLE: &[Native] = &[
    method(LIST, "size", &[], |_, values| match values {
        [Value::List(items)] => Ok(Value::Int(count(items.len()))),
        _ => mismatch(),
    }),
    method(LIST, "hasAll", &[LIST], |context, values| {
        compare_lists(context, values, |own, wanted| wanted.items.iter().all(|item| own.contains(item)))
    }),
    method(LIST, "hasAny", &[LIST], |context, values| {
        compare_lists(context, values, |own, wanted| wanted.items.iter().any(|item| own.contains(item)))
    }),
    method(LIST, "hasOnly", &[LIST], |context, values| {
        compare_lists(context, values, |own, wanted| own.items.iter().all(|item| wanted.contains(item)))
    }),
    method(LIST, "concat", &[LIST], |context, values| match values {
        [Value::List(a), Value::List(b)] => {
            context.budget.build_values(a.len() + b.len())?;
            Ok(Value::List(a.iter().chain(b.iter()).cloned().collect()))
        }
        _ => mismatch(),
    }),
    method(LIST, "removeAll", &[LIST], |context, values| match values {
        [Value::List(items), Value::List(removed)] => {
            context.budget.build_values(items.len() + removed.len())?;
            let removed = Sorted::new(removed);
            Ok(Value::list(items.iter().filter(|item| !removed.contains(item)).cloned()))
        }
        _ => mismatch(),
    }),
    method(LIST, "toSet", &[], |context, values| match values {
        [Value::List(items)] => {
            context.budget.build_values(items.len())?;
            Ok(Value::Set(items.iter().cloned().collect()))
        }
        _ => mismatch(),
    }),
    method(LIST, "join", &[Type::String], |context, values| match values {
        [Value::List(items), Value::String(separator)] => {
            let mut out = String::new();
            for (index, item) in items.iter().enumerate() {
                let text = as_text(item)?;
                context.budget.build(text.len() + separator.len())?;
                out.push_str(if index == 0 { "" } else { separator });
                out.push_str(&text);
            }
            Ok(Value::string(out))
        }
        _ => mismatch(),
    }),
    method(SET, "size", &[], |_, values| match values {
        [Value::Set(set)] => Ok(Value::Int(count(set.as_slice().len()))),
        _ => mismatch(),
    }),
    method(SET, "hasAll", &[LIST], set_has_all),
    method(SET, "hasAll", &[SET], set_has_all),
    method(SET, "hasAny", &[LIST], set_has_any),
    method(SET, "hasAny", &[SET], set_has_any),
    method(SET, "hasOnly", &[LIST], set_has_only),
    method(SET, "hasOnly", &[SET], set_has_only),
    method(SET, "difference", &[SET], |context, values| match values {
        [Value::Set(a), Value::Set(b)] => build_set(context, a, a, |item| !b.contains(item)),
        _ => mismatch(),
    }),
    method(SET, "intersection", &[SET], |context, values| match values {
        [Value::Set(a), Value::Set(b)] => build_set(context, a, a, |item| b.contains(item)),
        _ => mismatch(),
    }),
    method(SET, "union", &[SET], |context, values| match values {
        [Value::Set(a), Value::Set(b)] => {
            context.budget.build_values(a.as_slice().len() + b.as_slice().len())?;
            Ok(Value::Set(a.as_slice().iter().chain(b.as_slice()).cloned().collect()))
        }
        _ => mismatch(),
    }),
    method(MAP, "size", &[], |_, values| match values {
        [Value::Map(map)] => Ok(Value::Int(count(map.len()))),
        _ => mismatch(),
    }),
    method(MAP, "keys", &[], |context, values| match values {
        [Value::Map(map)] => {
            context.budget.build_values(map.len())?;
            Ok(Value::list(map.iter().map(|(key, _)| Value::String(key.clone()))))
        }
        _ => mismatch(),
    }),
    method(MAP, "values", &[], |context, values| match values {
        [Value::Map(map)] => {
            context.budget.build_values(map.len())?;
            Ok(Value::list(map.iter().map(|(_, value)| value.clone())))
        }
        _ => mismatch(),
    }),
    method(MAP, "get", &[Type::String, ANY], |_, values| match values {
        [Value::Map(map), Value::String(key), default] => Ok(map.get(key).unwrap_or(default).clone()),
        _ => mismatch(),
    }),
    method(MAP, "get", &[LIST, ANY], |_, values| match values {
        [map, Value::List(keys), default] => {
            let mut found = Some(map);
            for key in &**keys {
                let Value::String(key) = key else {
                    let received = key.type_of().name();
                    return Err(format!("Type error. Received: [{received}] Expected: [string]."));
                };
                found = match found {
                    Some(Value::Map(map)) => map.get(key),
                    _ => None,
                };
            }
            Ok(found.unwrap_or(default).clone())
        }
        _ => mismatch(),
    }),
    method(MAP, "diff", &[MAP], |context, values| match values {
        [Value::Map(new), Value::Map(old)] => {
            context.budget.build_values(new.len() + old.len())?;
            Ok(Value::MapDiff(Arc::new(diff(new, old))))
        }
        _ => mismatch(),
    }),
    method(DIFF, "addedKeys", &[], |context, values| keys(context, values, |d| [&d.added, &[], &[]])),
    method(DIFF, "removedKeys", &[], |context, values| keys(context, values, |d| [&d.removed, &[], &[]])),
    method(DIFF, "changedKeys", &[], |context, values| keys(context, values, |d| [&d.changed, &[], &[]])),
    method(DIFF, "unchangedKeys", &[], |context, values| keys(context, values, |d| [&d.unchanged, &[], &[]])),
    method(DIFF, "affectedKeys", &[], |context, values| {
        keys(context, values, |d| [&d.added, &d.removed, &d.changed])
    }),
];

/// A list sorted for look-ups.
struct Sorted<'v> {
    items: Vec<&'v Value>,
}

impl<'v> Sorted<'v> {
    fn new(items: &'v [Value]) -> Self {
        // NaN equals nothing, so it is never found.
        let is_nan = |item: &&Value| matches!(item, Value::Float(f) if f.is_nan());
        let mut items: Vec<_> = items.iter().filter(|item| !is_nan(item)).collect();
        items.sort_by(|a, b| order_strictly(a, b));
        Self { items }
    }

    fn contains(&self, value: &Value) -> bool {
        self.items.binary_search_by(|item| order_strictly(item, value)).is_ok()
    }
}

fn compare_lists(
    context: &mut Context<'_>,
    values: &[Value],
    holds: fn(&Sorted<'_>, &Sorted<'_>) -> bool,
) -> Result<Value, Failure> {
    let [Value::List(own), Value::List(other)] = values else { return mismatch() };
    context.budget.build_values(own.len() + other.len())?;
    Ok(Value::Bool(holds(&Sorted::new(own), &Sorted::new(other))))
}

/// A set and something it is compared with, as two sets.
fn two_sets(context: &mut Context<'_>, values: &[Value]) -> Result<(Set, Set), Failure> {
    match values {
        [Value::Set(a), Value::Set(b)] => Ok((a.clone(), b.clone())),
        [Value::Set(a), Value::List(b)] => {
            context.budget.build_values(b.len())?;
            Ok((a.clone(), b.iter().cloned().collect()))
        }
        _ => mismatch().map(|_| Default::default()),
    }
}

fn set_has_all(context: &mut Context<'_>, values: &[Value]) -> Result<Value, Failure> {
    let (own, wanted) = two_sets(context, values)?;
    Ok(Value::Bool(wanted.as_slice().iter().all(|item| own.contains(item))))
}

fn set_has_any(context: &mut Context<'_>, values: &[Value]) -> Result<Value, Failure> {
    let (own, wanted) = two_sets(context, values)?;
    Ok(Value::Bool(wanted.as_slice().iter().any(|item| own.contains(item))))
}

fn set_has_only(context: &mut Context<'_>, values: &[Value]) -> Result<Value, Failure> {
    let (own, allowed) = two_sets(context, values)?;
    Ok(Value::Bool(own.as_slice().iter().all(|item| allowed.contains(item))))
}

fn build_set(
    context: &mut Context<'_>,
    from: &Set,
    charged: &Set,
    keep: impl Fn(&Value) -> bool,
) -> Result<Value, Failure> {
    context.budget.build_values(charged.as_slice().len())?;
    Ok(Value::Set(from.as_slice().iter().filter(|item| keep(item)).cloned().collect()))
}

fn diff(new: &Map, old: &Map) -> MapDiff {
    let mut diff = MapDiff::default();
    for (key, value) in new.iter() {
        match old.get(key) {
            None => diff.added.push(key.clone()),
            Some(before) if loosely_equal(before, value) => diff.unchanged.push(key.clone()),
            Some(_) => diff.changed.push(key.clone()),
        }
    }
    diff.removed = old.iter().map(|(key, _)| key).filter(|key| !new.contains(*key)).cloned().collect();
    diff
}

fn keys(
    context: &mut Context<'_>,
    values: &[Value],
    which: for<'d> fn(&'d MapDiff) -> [&'d [Arc<str>]; 3],
) -> Result<Value, Failure> {
    let [Value::MapDiff(diff)] = values else { return mismatch() };
    let groups = which(diff);
    context.budget.build_values(groups.iter().map(|keys| keys.len()).sum())?;
    Ok(Value::Set(groups.into_iter().flatten().cloned().map(Value::String).collect()))
}
