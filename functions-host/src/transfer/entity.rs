//! Documents as Datastore entities, the form used in exports: `EntityProto`, and in it `Reference`, `Property` and
//! `PropertyValue`, with the meanings that distinguish timestamps, bytes, maps and vectors from their carriers.

use std::collections::BTreeMap;

use bytes::Bytes;
use docstore::model::{DatabaseId, DocPath, Document, Fields, GeoPoint, Reference, Timestamp, Value};

use super::proto::{Field, Reader, Writer};

const WHEN: u64 = 7;
const POINT: u64 = 9;
const BYTES: u64 = 14;
const ENTITY: u64 = 19;
const EMPTY_LIST: u64 = 24;
const VECTOR: u64 = 31;

/// Deepest nesting of maps in an import; documents allow 20.
const MAX_DEPTH: usize = 32;

/// A document as an encoded entity of `database`.
pub(super) fn write(database: &DatabaseId, document: &Document) -> Vec<u8> {
    let mut entity = Writer::default();
    let mut key = Writer::default();
    key.bytes(13, app(database).as_bytes());
    key.bytes(14, &path(&document.path, usize::MAX));
    entity.bytes(13, &key.0);
    write_fields(&mut entity, &document.fields);
    entity.bytes(16, &path(&document.path, 1));
    entity.0
}

fn app(database: &DatabaseId) -> String {
    format!("dev~{}", database.project)
}

/// The first `most` pairs of a path's segments.
fn path(path: &DocPath, most: usize) -> Vec<u8> {
    let mut encoded = Writer::default();
    let segments: Vec<&str> = path.segments().collect();
    for pair in segments.chunks(2).take(most) {
        let [kind, id] = pair else { continue };
        encoded.start(1);
        encoded.bytes(2, kind.as_bytes());
        match numeric(id) {
            Some(number) => encoded.varint(3, number),
            None => encoded.bytes(4, id.as_bytes()),
        }
        encoded.end(1);
    }
    encoded.0
}

/// The number of an id such as `__id7__`.
fn numeric(id: &str) -> Option<u64> {
    let number: i64 = id.strip_prefix("__id")?.strip_suffix("__")?.parse().ok()?;
    Some(number.cast_unsigned())
}

fn write_fields(entity: &mut Writer, fields: &Fields) {
    for (name, value) in fields {
        match value {
            Value::Array(values) if values.is_empty() => {
                property(entity, 14, Some(EMPTY_LIST), name, false, &[]);
            }
            Value::Array(values) => {
                for value in values {
                    let (meaning, encoded) = write_value(value);
                    property(entity, 15, meaning, name, true, &encoded);
                }
            }
            Value::Vector(numbers) => {
                for number in numbers {
                    let mut encoded = Writer::default();
                    encoded.double(4, *number);
                    property(entity, 15, Some(VECTOR), name, true, &encoded.0);
                }
            }
            value => {
                let (meaning, encoded) = write_value(value);
                property(entity, 15, meaning, name, false, &encoded);
            }
        }
    }
}

fn property(entity: &mut Writer, field: u32, meaning: Option<u64>, name: &str, many: bool, value: &[u8]) {
    let mut property = Writer::default();
    if let Some(meaning) = meaning {
        property.varint(1, meaning);
    }
    property.bytes(3, name.as_bytes());
    property.varint(4, u64::from(many));
    property.bytes(5, value);
    entity.bytes(field, &property.0);
}

/// A value's meaning and encoding. Values that only fields can hold (lists, vectors) become empty inside a map.
fn write_value(value: &Value) -> (Option<u64>, Vec<u8>) {
    let mut encoded = Writer::default();
    let meaning = match value {
        Value::Null | Value::Array(_) | Value::Vector(_) => None,
        Value::Boolean(flag) => {
            encoded.varint(2, u64::from(*flag));
            None
        }
        Value::Integer(integer) => {
            encoded.varint(1, integer.cast_unsigned());
            None
        }
        Value::Double(number) => {
            encoded.double(4, *number);
            None
        }
        Value::Timestamp(Timestamp(micros)) => {
            encoded.varint(1, micros.cast_unsigned());
            Some(WHEN)
        }
        Value::String(text) => {
            encoded.bytes(3, text.as_bytes());
            None
        }
        Value::Bytes(bytes) => {
            encoded.bytes(3, bytes);
            Some(BYTES)
        }
        Value::Reference(reference) => {
            write_reference(&mut encoded, reference);
            None
        }
        Value::GeoPoint(point) => {
            encoded.start(5);
            encoded.double(6, point.latitude);
            encoded.double(7, point.longitude);
            encoded.end(5);
            Some(POINT)
        }
        Value::Map(fields) => {
            let mut entity = Writer::default();
            let mut key = Writer::default();
            key.bytes(13, &[]);
            key.bytes(14, &[]);
            entity.bytes(13, &key.0);
            write_fields(&mut entity, fields);
            entity.bytes(16, &[]);
            encoded.bytes(3, &entity.0);
            Some(ENTITY)
        }
    };
    (meaning, encoded.0)
}

fn write_reference(encoded: &mut Writer, reference: &Reference) {
    encoded.start(12);
    encoded.bytes(13, app(&reference.database).as_bytes());
    let segments: Vec<&str> = reference.path.segments().collect();
    for pair in segments.chunks(2) {
        let [kind, id] = pair else { continue };
        encoded.start(14);
        encoded.bytes(15, kind.as_bytes());
        match numeric(id) {
            Some(number) => encoded.varint(16, number),
            None => encoded.bytes(17, id.as_bytes()),
        }
        encoded.end(14);
    }
    if &*reference.database.database != "(default)" {
        encoded.bytes(23, reference.database.database.as_bytes());
    }
    encoded.end(12);
}

/// An entity's name, and its fields for `database`.
///
/// # Errors
/// The fault, as text for people.
pub(super) fn read(database: &DatabaseId, entity: &[u8]) -> Result<(DocPath, Fields), String> {
    let mut name = None;
    for (number, field) in Reader::new(entity).all()? {
        if let (13, Field::Bytes(key)) = (number, field) {
            name = Some(read_key(key)?);
        }
    }
    let name = name.filter(|name| !name.is_empty()).ok_or("an entity has no key")?;
    let path = DocPath::parse(&name).map_err(|error| error.message().to_owned())?;
    let fields = read_fields(database, entity, 0).map_err(|what| format!("{name}: {what}"))?;
    Ok((path, fields))
}

fn read_key(key: &[u8]) -> Result<String, String> {
    let mut segments = Vec::new();
    for (number, field) in Reader::new(key).all()? {
        let (14, Field::Bytes(path)) = (number, field) else { continue };
        for (number, field) in Reader::new(path).all()? {
            if let (1, Field::Group(element)) = (number, field) {
                segments.extend(element_of(element, [2, 3, 4])?);
            }
        }
    }
    Ok(segments.join("/"))
}

/// Kind and id of a path's element, whose fields have these numbers.
fn element_of(element: &[u8], [kind_at, id_at, name_at]: [u32; 3]) -> Result<[String; 2], String> {
    let (mut kind, mut id) = (None, None);
    for (number, field) in Reader::new(element).all()? {
        match field {
            Field::Bytes(text) if number == kind_at => kind = Some(text_of(text)?),
            Field::Bytes(text) if number == name_at => id = Some(text_of(text)?),
            Field::Varint(number_id) if number == id_at => {
                id = Some(format!("__id{}__", number_id.cast_signed()));
            }
            _ => {}
        }
    }
    Ok([kind.ok_or("a key has no kind")?, id.ok_or("a key has no id")?])
}

fn text_of(bytes: &[u8]) -> Result<String, String> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| "a text is not UTF-8".to_owned())
}

fn read_fields(database: &DatabaseId, entity: &[u8], depth: usize) -> Result<Fields, String> {
    if depth > MAX_DEPTH {
        return Err("maps are nested too deeply".to_owned());
    }
    let mut fields: BTreeMap<String, Value> = BTreeMap::new();
    for (number, field) in Reader::new(entity).all()? {
        let (14 | 15, Field::Bytes(property)) = (number, field) else { continue };
        let (mut meaning, mut name, mut many, mut encoded): (u64, String, bool, &[u8]) =
            (0, String::new(), false, &[]);
        for (number, field) in Reader::new(property).all()? {
            match (number, field) {
                (1, Field::Varint(given)) => meaning = given,
                (3, Field::Bytes(text)) => name = text_of(text)?,
                (4, Field::Varint(flag)) => many = flag != 0,
                (5, Field::Bytes(value)) => encoded = value,
                _ => {}
            }
        }
        if meaning == EMPTY_LIST {
            fields.insert(name, Value::Array(Vec::new()));
            continue;
        }
        let value =
            read_value(database, meaning, encoded, depth).map_err(|what| format!("{name}: {what}"))?;
        if !many {
            fields.insert(name, value);
            continue;
        }
        match (meaning, fields.get_mut(&name), value) {
            (VECTOR, Some(Value::Vector(numbers)), Value::Double(number)) => numbers.push(number),
            (VECTOR, _, Value::Double(number)) => drop(fields.insert(name, Value::Vector(vec![number]))),
            (_, Some(Value::Array(values)), value) => values.push(value),
            (_, _, value) => drop(fields.insert(name, Value::Array(vec![value]))),
        }
    }
    Ok(fields)
}

fn read_value(database: &DatabaseId, meaning: u64, encoded: &[u8], depth: usize) -> Result<Value, String> {
    let Some((number, field)) = Reader::new(encoded).all()?.into_iter().next() else {
        return Ok(Value::Null);
    };
    Ok(match (number, field) {
        (1, Field::Varint(micros)) if meaning == WHEN => Value::Timestamp(Timestamp(micros.cast_signed())),
        (1, Field::Varint(integer)) => Value::Integer(integer.cast_signed()),
        (2, Field::Varint(flag)) => Value::Boolean(flag != 0),
        (3, Field::Bytes(entity)) if meaning == ENTITY => {
            Value::Map(read_fields(database, entity, depth + 1)?)
        }
        (3, Field::Bytes(bytes)) if meaning == BYTES || meaning == 16 => {
            Value::Bytes(Bytes::copy_from_slice(bytes))
        }
        (3, Field::Bytes(text)) => Value::String(text_of(text)?),
        (4, Field::Double(number)) => Value::Double(number),
        (5, Field::Group(point)) => read_point(point)?,
        (12, Field::Group(reference)) => read_reference(database, reference)?,
        (other, _) => return Err(format!("a value of kind {other} is not known")),
    })
}

fn read_point(point: &[u8]) -> Result<Value, String> {
    let (mut latitude, mut longitude) = (0.0, 0.0);
    for (number, field) in Reader::new(point).all()? {
        match (number, field) {
            (6, Field::Double(degrees)) => latitude = degrees,
            (7, Field::Double(degrees)) => longitude = degrees,
            _ => {}
        }
    }
    Ok(Value::GeoPoint(GeoPoint { latitude, longitude }))
}

/// A reference, moved to the project of the import, so that references within the data stay valid.
fn read_reference(database: &DatabaseId, reference: &[u8]) -> Result<Value, String> {
    let mut segments = Vec::new();
    let mut named = "(default)".to_owned();
    for (number, field) in Reader::new(reference).all()? {
        match (number, field) {
            (14, Field::Group(element)) => segments.extend(element_of(element, [15, 16, 17])?),
            (23, Field::Bytes(name)) if !name.is_empty() => named = text_of(name)?,
            _ => {}
        }
    }
    let path = DocPath::parse(&segments.join("/")).map_err(|error| error.message().to_owned())?;
    Ok(Value::Reference(Reference { database: DatabaseId::new(&database.project, &named), path }))
}

#[cfg(test)]
mod tests;
