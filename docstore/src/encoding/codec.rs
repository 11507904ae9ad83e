//! Documents as bytes: how the log, the engines and the snapshots keep them.
//!
//! Numbers are variable-length (seven bits a byte, low first), signed ones zig-zag; text and lists carry their
//! length. The layout is the store's own and is versioned by the data folder's `FORMAT`.

use std::sync::Arc;

use crate::model::{DatabaseId, DocPath, Document, Fields, GeoPoint, Reference, Timestamp, Ts, Value};
use crate::{Code, Error, Result};

/// The nesting a reader follows before it calls the bytes damaged; above the model's own limit.
const MAX_READ_DEPTH: usize = 64;

/// Encodes a document without its name, which is its key.
pub(crate) fn encode_document(document: &Document) -> Arc<[u8]> {
    let mut out = Vec::with_capacity(256);
    write_u64(&mut out, document.create_time.micros());
    write_u64(&mut out, document.update_time.micros());
    write_fields(&mut out, &document.fields);
    out.into()
}

/// Decodes what [`encode_document`] wrote.
///
/// # Errors
/// `DataLoss` when the bytes are not a document.
pub(crate) fn decode_document(path: &DocPath, bytes: &[u8]) -> Result<Document> {
    let mut reader = Reader(bytes);
    let document = (|| {
        Some(Document {
            path: path.clone(),
            create_time: Ts::from_micros(reader.u64()?),
            update_time: Ts::from_micros(reader.u64()?),
            fields: reader.fields(0)?,
        })
    })();
    match document {
        Some(document) if reader.0.is_empty() => Ok(document),
        _ => Err(Error::new(
            Code::DataLoss,
            "DocumentBytes",
            format!("The stored bytes of document \"{path}\" are damaged."),
        )),
    }
}

pub(crate) fn write_u64(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        #[expect(clippy::cast_possible_truncation, reason = "the low seven bits are meant")]
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    #[expect(clippy::cast_possible_truncation, reason = "below 0x80")]
    out.push(number as u8);
}

fn write_i64(out: &mut Vec<u8>, number: i64) {
    write_u64(out, ((number << 1) ^ (number >> 63)).cast_unsigned());
}

pub(crate) fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    write_u64(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

pub(crate) fn write_fields(out: &mut Vec<u8>, fields: &Fields) {
    write_u64(out, fields.len() as u64);
    for (name, value) in fields {
        write_bytes(out, name.as_bytes());
        write_value(out, value);
    }
}

fn write_value(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Null => out.push(0),
        Value::Boolean(false) => out.push(1),
        Value::Boolean(true) => out.push(2),
        Value::Integer(int) => {
            out.push(3);
            write_i64(out, *int);
        }
        Value::Double(double) => {
            out.push(4);
            out.extend_from_slice(&double.to_bits().to_le_bytes());
        }
        Value::Timestamp(time) => {
            out.push(5);
            write_i64(out, time.0);
        }
        Value::String(text) => {
            out.push(6);
            write_bytes(out, text.as_bytes());
        }
        Value::Bytes(bytes) => {
            out.push(7);
            write_bytes(out, bytes);
        }
        Value::Reference(reference) => {
            out.push(8);
            write_bytes(out, reference.database.project.as_bytes());
            write_bytes(out, reference.database.database.as_bytes());
            write_bytes(out, reference.path.as_str().as_bytes());
        }
        Value::GeoPoint(point) => {
            out.push(9);
            out.extend_from_slice(&point.latitude.to_bits().to_le_bytes());
            out.extend_from_slice(&point.longitude.to_bits().to_le_bytes());
        }
        Value::Array(values) => {
            out.push(10);
            write_u64(out, values.len() as u64);
            for value in values {
                write_value(out, value);
            }
        }
        Value::Map(fields) => {
            out.push(11);
            write_fields(out, fields);
        }
        Value::Vector(values) => {
            out.push(12);
            write_u64(out, values.len() as u64);
            for double in values {
                out.extend_from_slice(&double.to_bits().to_le_bytes());
            }
        }
    }
}

/// Reads what the writers above wrote; `None` means damaged bytes.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn i64(&mut self) -> Option<i64> {
        let number = self.u64()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// A count of things that take at least a byte each, so that damage cannot ask for endless memory.
    pub(crate) fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.u64()?).ok()?;
        (count <= self.0.len()).then_some(count)
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = self.count()?;
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    fn f64(&mut self) -> Option<f64> {
        let (bytes, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(f64::from_bits(u64::from_le_bytes(*bytes)))
    }

    pub(crate) fn fields(&mut self, depth: usize) -> Option<Fields> {
        if depth > MAX_READ_DEPTH {
            return None;
        }
        let mut fields = Fields::new();
        for _ in 0..self.count()? {
            let name = self.text()?.to_owned();
            fields.insert(name, self.value(depth)?);
        }
        Some(fields)
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > MAX_READ_DEPTH {
            return None;
        }
        Some(match self.byte()? {
            0 => Value::Null,
            1 => Value::Boolean(false),
            2 => Value::Boolean(true),
            3 => Value::Integer(self.i64()?),
            4 => Value::Double(self.f64()?),
            5 => Value::Timestamp(Timestamp(self.i64()?)),
            6 => Value::String(self.text()?.to_owned()),
            7 => Value::Bytes(self.bytes()?.to_vec().into()),
            8 => Value::Reference(Reference {
                database: DatabaseId::new(self.text()?, self.text()?),
                path: DocPath::trusted(self.text()?),
            }),
            9 => Value::GeoPoint(GeoPoint { latitude: self.f64()?, longitude: self.f64()? }),
            10 => {
                let count = self.count()?;
                let mut values = Vec::with_capacity(count);
                for _ in 0..count {
                    values.push(self.value(depth + 1)?);
                }
                Value::Array(values)
            }
            11 => Value::Map(self.fields(depth + 1)?),
            12 => {
                let count = self.count()?;
                let mut values = Vec::with_capacity(count);
                for _ in 0..count {
                    values.push(self.f64()?);
                }
                Value::Vector(values)
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::identical_fields;
    use crate::testing::values;

    proptest! {
        #[test]
        fn documents_survive_their_bytes(
            fields in proptest::collection::btree_map("[a-c]{1,2}", values(), 0..4), micros in any::<u64>()
        ) {
            let path = DocPath::parse("a/b").unwrap();
            let document = Document {
                path: path.clone(), fields, create_time: Ts::ZERO, update_time: Ts::from_micros(micros),
            };
            let bytes = encode_document(&document);
            let back = decode_document(&path, &bytes).unwrap();
            prop_assert!(identical_fields(&back.fields, &document.fields));
            prop_assert_eq!(back.update_time, document.update_time);
            // Damage is an error, never a panic.
            for cut in 0..bytes.len() {
                prop_assert!(decode_document(&path, &bytes[..cut]).is_err());
            }
        }
    }
}
