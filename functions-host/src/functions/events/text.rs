//! Times and values in the encoding of events.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, SecondsFormat, Utc};
use docstore::model::{Document, Fields, Timestamp, Ts, Value};
use serde_json::{Value as Json, json};

/// RFC 3339 in UTC with microseconds.
pub(crate) fn time(ts: Ts) -> String {
    micros(i64::try_from(ts.micros()).unwrap_or(Timestamp::MAX.0))
}

/// Reads RFC 3339.
pub(crate) fn parse_time(text: &str) -> Option<Ts> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    u64::try_from(time.timestamp_micros()).ok().map(Ts::from_micros)
}

fn micros(micros: i64) -> String {
    let time: Option<DateTime<Utc>> = DateTime::from_timestamp_micros(micros);
    time.unwrap_or_default().to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// A document in Firestore's JSON.
pub(crate) fn document(name: &str, document: &Document) -> Json {
    json!({
        "name": name,
        "fields": fields(&document.fields),
        "createTime": time(document.create_time),
        "updateTime": time(document.update_time),
    })
}

fn fields(all: &Fields) -> Json {
    Json::Object(all.iter().map(|(name, field)| (name.clone(), value(field))).collect())
}

/// A value in Firestore's JSON.
pub(crate) fn value(value: &Value) -> Json {
    match value {
        Value::Null => json!({ "nullValue": null }),
        Value::Boolean(flag) => json!({ "booleanValue": flag }),
        Value::Integer(integer) => json!({ "integerValue": integer.to_string() }),
        Value::Double(number) => json!({ "doubleValue": double(*number) }),
        Value::Timestamp(Timestamp(at)) => json!({ "timestampValue": micros(*at) }),
        Value::String(text) => json!({ "stringValue": text }),
        Value::Bytes(bytes) => json!({ "bytesValue": STANDARD.encode(bytes) }),
        Value::Reference(reference) => {
            json!({ "referenceValue": reference.database.document_name(&reference.path) })
        }
        Value::GeoPoint(point) => {
            json!({ "geoPointValue": { "latitude": point.latitude, "longitude": point.longitude } })
        }
        Value::Array(values) => {
            json!({ "arrayValue": { "values": values.iter().map(self::value).collect::<Vec<_>>() } })
        }
        Value::Map(all) => json!({ "mapValue": { "fields": fields(all) } }),
        Value::Vector(numbers) => {
            let numbers: Vec<Json> = numbers.iter().map(|n| json!({ "doubleValue": double(*n) })).collect();
            json!({ "mapValue": { "fields": {
                "__type__": { "stringValue": "__vector__" },
                "value": { "arrayValue": { "values": numbers } },
            } } })
        }
    }
}

fn double(number: f64) -> Json {
    if number.is_nan() {
        return "NaN".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    number.into()
}

/// Paths of the fields that differ, down to the leaves of maps.
pub(crate) fn changed_paths(old: &Fields, new: &Fields) -> Vec<String> {
    let mut paths = Vec::new();
    differences(old, new, "", &mut paths);
    paths
}

fn differences(old: &Fields, new: &Fields, prefix: &str, paths: &mut Vec<String>) {
    let names: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        let path = format!("{prefix}{}", segment(name));
        match (old.get(name), new.get(name)) {
            (Some(Value::Map(old)), Some(Value::Map(new))) => {
                differences(old, new, &format!("{path}."), paths);
            }
            (Some(old), Some(new)) if old.identical(new) => {}
            _ => paths.push(path),
        }
    }
}

/// A field's name as a path segment: quoted unless it is a plain identifier.
fn segment(name: &str) -> String {
    let mut letters = name.chars();
    let plain = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if plain { name.to_owned() } else { format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_go_both_ways() {
        let at = Ts::from_micros(1_600_389_093_328_001);
        assert_eq!(time(at), "2020-09-18T00:31:33.328001Z");
        assert_eq!(parse_time(&time(at)), Some(at));
        assert_eq!(parse_time("2020-09-18T02:31:33.328001+02:00"), Some(at));
        assert_eq!(parse_time("yesterday"), None);
    }

    #[test]
    fn changed_paths_name_leaves() {
        let map = |entries: &[(&str, Value)]| -> Fields {
            entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
        };
        let inner = |n: i64| Value::Map(map(&[("x y", Value::Integer(n)), ("same", Value::Null)]));
        let old = map(&[("a", Value::Integer(1)), ("m", inner(1)), ("gone", Value::Null)]);
        let new = map(&[("a", Value::Double(1.0)), ("m", inner(2)), ("new", Value::Null)]);
        assert_eq!(changed_paths(&old, &new), ["a", "gone", "m.`x y`", "new"]);
        assert!(changed_paths(&old, &old).is_empty());
    }
}
