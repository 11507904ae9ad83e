//! Contexts of an object: short texts by which administrators sort and find objects.

use std::collections::BTreeMap;

use docstore::model::Ts;
use docstore::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The most contexts of an object.
const MAX_CONTEXTS: usize = 50;
/// The most characters of a context's key, and of its value. Source: the API's limit.
const MAX_CHARS: usize = 256;

/// The value of one context.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectContext {
    /// The value.
    pub value: String,
    /// When the context was made, microseconds since the epoch; 0 until it is stored.
    pub created: u64,
    /// When its value last changed; 0 until that is stored.
    pub updated: u64,
}

/// A change: `None` removes all, a key without a value removes one.
pub(super) type Change = Option<BTreeMap<String, Option<String>>>;

/// Reads the field `contexts`, of which all but keys and values is the server's to say.
///
/// # Errors
/// `InvalidArgument` (`ObjectContexts`).
pub(super) fn parse(contexts: &Value) -> Result<Change> {
    let custom = match contexts {
        Value::Null => return Ok(None),
        contexts => contexts.get("custom"),
    };
    match custom {
        Some(Value::Null) => Ok(None),
        Some(Value::Object(entries)) => {
            let value_of = |entry: &Value| match entry.get("value").unwrap_or(entry) {
                Value::Null => Ok(None),
                Value::String(text) => checked(text).map(Some),
                _ => Err(bad("a value must be a string")),
            };
            let entries = entries.iter().map(|(key, entry)| Ok((checked(key)?, value_of(entry)?)));
            entries.collect::<Result<_>>().map(Some)
        }
        None if contexts.is_object() => Ok(Some(BTreeMap::new())),
        _ => Err(bad("the field must be an object {\"custom\": {KEY: {\"value\": VALUE}}}")),
    }
}

fn bad(problem: &str) -> Error {
    Error::invalid("ObjectContexts", format!("The object's contexts are not valid: {problem}."))
}

fn checked(text: &str) -> Result<String> {
    let fits = (1..=MAX_CHARS).contains(&text.chars().count())
        && text.starts_with(char::is_alphanumeric)
        && !text.contains(|c: char| c.is_control() || matches!(c, '\'' | '"' | '\\' | '/'));
    if fits {
        return Ok(text.to_owned());
    }
    Err(bad(&format!(
        "keys and values have 1 to {MAX_CHARS} characters, begin with a letter or digit, and have no quotes, slashes, \
         backslashes or control characters"
    )))
}

/// Applies a change.
///
/// # Errors
/// `InvalidArgument` (`ObjectContexts`) when there are too many.
pub(super) fn apply(contexts: &mut BTreeMap<String, ObjectContext>, change: &Change) -> Result<()> {
    let Some(entries) = change else {
        contexts.clear();
        return Ok(());
    };
    for (key, value) in entries {
        match value {
            None => _ = contexts.remove(key),
            Some(value) => {
                let context = contexts.entry(key.clone()).or_default();
                if context.value != *value {
                    context.value.clone_from(value);
                    context.updated = 0;
                }
            }
        }
    }
    if contexts.len() > MAX_CONTEXTS {
        return Err(bad(&format!("an object may have at most {MAX_CONTEXTS}")));
    }
    Ok(())
}

/// Gives the times to what is new or has changed.
pub(crate) fn stamp(contexts: &mut BTreeMap<String, ObjectContext>, now: Ts) {
    for context in contexts.values_mut() {
        for time in [&mut context.created, &mut context.updated] {
            if *time == 0 {
                *time = now.micros();
            }
        }
    }
}

/// The field `contexts`.
pub(super) fn shown(contexts: &BTreeMap<String, ObjectContext>) -> Value {
    let time = |micros| Ts::from_micros(micros).rfc3339_millis();
    let custom: Map<String, Value> = contexts
        .iter()
        .map(|(key, context)| {
            let (created, updated) = (time(context.created), time(context.updated));
            (key.clone(), json!({ "value": context.value, "createTime": created, "updateTime": updated }))
        })
        .collect();
    json!({ "custom": custom })
}
