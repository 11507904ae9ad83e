//! Metadata, claims and documents as values of the rules language.

use docstore::model::{Fields, Ts, Value as Stored};
use rules::{LatLng, Map, Path, Timestamp, Value};
use serde_json::Value as Json;

use crate::meta::ObjectMeta;

/// An object's metadata as `resource` and `request.resource` have it.
pub(super) fn resource(meta: &ObjectMeta) -> Value {
    let int = |value: u64| Value::Int(i64::try_from(value).unwrap_or(i64::MAX));
    let time = |micros| timestamp(Ts::from_micros(micros)).map_or(Value::Null, Value::Timestamp);
    let set = &meta.set;
    let mut entries = vec![
        ("name", Value::string(meta.name.as_str())),
        ("bucket", Value::string(meta.bucket.as_str())),
        ("generation", int(meta.generation)),
        ("metageneration", int(meta.metageneration)),
        ("size", int(meta.digests.size)),
        ("timeCreated", time(meta.created)),
        ("updated", time(meta.updated)),
        ("md5Hash", Value::string(meta.digests.md5.as_str())),
        ("crc32c", Value::string(meta.digests.crc32c_base64())),
        ("etag", Value::string(meta.etag())),
        ("contentType", Value::string(meta.content_type())),
    ];
    for (name, value) in [
        ("contentDisposition", &set.content_disposition),
        ("contentEncoding", &set.content_encoding),
        ("contentLanguage", &set.content_language),
        ("cacheControl", &set.cache_control),
    ] {
        if let Some(value) = value {
            entries.push((name, Value::string(value.as_str())));
        }
    }
    let custom = set.custom.iter().map(|(key, value)| (key.as_str(), Value::string(value.as_str())));
    entries.push(("metadata", Value::map(custom)));
    Value::map(entries)
}

/// The claims of an ID token.
pub(super) fn claims(token: &Json) -> Map {
    match json(token) {
        Value::Map(map) => map,
        _ => Map::default(),
    }
}

fn json(value: &Json) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(int), _) => Value::Int(int),
            (None, Some(float)) => Value::Float(float),
            (None, None) => Value::Null,
        },
        Json::String(text) => Value::string(text.as_str()),
        Json::Array(items) => Value::list(items.iter().map(json)),
        Json::Object(entries) => Value::map(entries.iter().map(|(key, value)| (key.as_str(), json(value)))),
    }
}

/// A document's fields.
pub(super) fn fields(fields: &Fields) -> Map {
    fields.iter().map(|(name, value)| (name.as_str(), stored(value))).collect()
}

fn stored(value: &Stored) -> Value {
    match value {
        Stored::Null => Value::Null,
        Stored::Boolean(value) => Value::Bool(*value),
        Stored::Integer(value) => Value::Int(*value),
        Stored::Double(value) => Value::Float(*value),
        Stored::Timestamp(at) => Timestamp::from_micros(at.0).map_or(Value::Null, Value::Timestamp),
        Stored::String(text) => Value::string(text.as_str()),
        Stored::Bytes(bytes) => Value::Bytes(bytes.as_ref().into()),
        Stored::Reference(reference) => {
            let start = ["databases", &reference.database.database, "documents"];
            Value::Path(Path::from_segments(start.into_iter().chain(reference.path.segments())))
        }
        Stored::GeoPoint(point) => {
            Value::LatLng(LatLng { latitude: point.latitude, longitude: point.longitude })
        }
        Stored::Array(items) => Value::list(items.iter().map(stored)),
        Stored::Map(entries) => Value::Map(fields(entries)),
        Stored::Vector(numbers) => Value::Vector(numbers.as_slice().into()),
    }
}

/// A time, in whole milliseconds as metadata shows it; `None` after the year 9999.
pub(super) fn timestamp(ts: Ts) -> Option<Timestamp> {
    Timestamp::from_micros(i64::try_from(ts.whole_millis().micros()).ok()?)
}
