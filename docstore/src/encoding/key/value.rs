//! Values as order-preserving bytes.

use crate::model::{Fields, Value};

use super::{END, Key, NUMERIC, push_segment, push_text};

/// The longest encoded value in an index; the rest is cut off, and whoever reads such an entry looks at the
/// document itself. Source: Firestore's "maximum size of an indexed field value".
pub const MAX_INDEXED_BYTES: usize = 1_500;

// Gaps between the labels leave room for bounds of a whole type.
const NULL: u8 = 5;
const BOOLEAN: u8 = 10;
const NAN: u8 = 13;
const NUMBER: u8 = 15;
const TIMESTAMP: u8 = 20;
const STRING: u8 = 25;
const BYTES: u8 = 30;
const REFERENCE: u8 = 37;
const GEO_POINT: u8 = 45;
const ARRAY: u8 = 50;
const VECTOR: u8 = 53;
const MAP: u8 = 55;

/// Ends a list or map; sorts before every label.
const STOP: u8 = 0;
/// Starts a map's key.
const FIELD: u8 = 1;

/// Appends `value` in order-preserving, self-delimiting form, cut to [`MAX_INDEXED_BYTES`].
/// Values that are equal in the database's order get equal bytes.
pub fn encode_value(value: &Value, key: &mut Key) {
    let from = key.len();
    push(value, key, from + MAX_INDEXED_BYTES);
    key.truncate(from + MAX_INDEXED_BYTES);
}

/// True if an encoded value was, or may have been, truncated.
pub fn is_truncated(encoded: &[u8]) -> bool {
    encoded.len() >= MAX_INDEXED_BYTES
}

/// The smallest encoding of any value that can be less than, or equal to, `value`. Nothing can be to NaN: its
/// range is empty.
pub fn type_start(value: &Value) -> u8 {
    match label(value) {
        NAN => NAN + 1,
        label => label,
    }
}

/// The first byte after all encodings of values that can be greater than, or equal to, `value`.
pub fn type_end(value: &Value) -> u8 {
    match label(value) {
        NAN => NAN,
        label => label + 1,
    }
}

fn label(value: &Value) -> u8 {
    match value {
        Value::Null => NULL,
        Value::Boolean(_) => BOOLEAN,
        Value::Double(double) if double.is_nan() => NAN,
        Value::Integer(_) | Value::Double(_) => NUMBER,
        Value::Timestamp(_) => TIMESTAMP,
        Value::String(_) => STRING,
        Value::Bytes(_) => BYTES,
        Value::Reference(_) => REFERENCE,
        Value::GeoPoint(_) => GEO_POINT,
        Value::Array(_) => ARRAY,
        Value::Vector(_) => VECTOR,
        Value::Map(_) => MAP,
    }
}

/// Stops early once `key` has grown past `limit`: what follows would be cut anyway.
fn push(value: &Value, key: &mut Key, limit: usize) {
    key.push(label(value));
    match value {
        Value::Null => {}
        Value::Boolean(boolean) => key.push(u8::from(*boolean)),
        Value::Integer(int) => push_integer(key, *int),
        Value::Double(double) if double.is_nan() => {}
        Value::Double(double) => {
            push_double(key, *double);
            key.extend_from_slice(&[0, 0]);
        }
        Value::Timestamp(time) => key.extend_from_slice(&(time.0 ^ i64::MIN).to_be_bytes()),
        Value::String(text) => push_text(key, cut(text.as_bytes())),
        Value::Bytes(bytes) => push_text(key, cut(bytes)),
        Value::Reference(reference) => {
            push_text(key, reference.database.project.as_bytes());
            push_text(key, reference.database.database.as_bytes());
            for segment in reference.path.segments() {
                push_segment(key, segment);
            }
            key.push(END);
        }
        Value::GeoPoint(point) => {
            push_double(key, point.latitude);
            push_double(key, point.longitude);
        }
        Value::Array(values) => {
            for value in values {
                if key.len() > limit {
                    return;
                }
                push(value, key, limit);
            }
            key.push(STOP);
        }
        Value::Vector(values) => {
            key.extend_from_slice(&u32::try_from(values.len()).unwrap_or(u32::MAX).to_be_bytes());
            for double in values {
                if key.len() > limit {
                    return;
                }
                push_double(key, *double);
            }
        }
        Value::Map(fields) => push_map(fields, key, limit),
    }
}

fn push_map(fields: &Fields, key: &mut Key, limit: usize) {
    for (name, value) in fields {
        if key.len() > limit {
            return;
        }
        key.push(FIELD);
        push_text(key, cut(name.as_bytes()));
        push(value, key, limit);
    }
    key.push(STOP);
}

/// No more text than can survive the cut. Longer text still gets more than the cut's worth of bytes.
fn cut(text: &[u8]) -> &[u8] {
    &text[..text.len().min(MAX_INDEXED_BYTES)]
}

/// Eight bytes in number order: NaN first, both zeros alike.
fn push_double(key: &mut Key, double: f64) {
    let bits = if double.is_nan() {
        0
    } else {
        let bits = (double + 0.0).to_bits();
        if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
    };
    key.extend_from_slice(&bits.to_be_bytes());
}

/// The largest double that is not above the integer, then how far the integer is above it (below 2^11).
/// Doubles have nothing above themselves, so both kinds of number share one exact order.
fn push_integer(key: &mut Key, int: i64) {
    #[expect(clippy::cast_precision_loss, reason = "the loss is measured and stored")]
    let nearest = int as f64;
    #[expect(clippy::cast_possible_truncation, reason = "a rounded i64 fits i128")]
    let floor = if nearest as i128 > i128::from(int) { nearest.next_down() } else { nearest };
    #[expect(clippy::cast_possible_truncation, reason = "a rounded i64 fits i128")]
    let above = i128::from(int) - floor as i128;
    push_double(key, floor);
    key.extend_from_slice(&u16::try_from(above).unwrap_or(u16::MAX).to_be_bytes());
}

/// Length in bytes of the encoded value at the front of `bytes`; `inverted` for a descending one. `None` if there is
/// none.
pub(crate) fn value_len(bytes: &[u8], inverted: bool) -> Option<usize> {
    let cut = &bytes[..bytes.len().min(MAX_INDEXED_BYTES)];
    let mut reader = Reader { bytes: cut, at: 0, mask: if inverted { 0xff } else { 0 } };
    match reader.value() {
        Some(()) => Some(reader.at),
        // One that was cut off has exactly the bytes it may have.
        None => (cut.len() == MAX_INDEXED_BYTES).then_some(MAX_INDEXED_BYTES),
    }
}

/// Walks over encoded values.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    mask: u8,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).map(|byte| byte ^ self.mask)
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        let at = self.at.checked_add(count).filter(|at| *at <= self.bytes.len())?;
        self.at = at;
        Some(())
    }

    fn text(&mut self) -> Option<()> {
        loop {
            if self.byte()? == 0 && self.byte()? == 1 {
                return Some(());
            }
        }
    }

    fn value(&mut self) -> Option<()> {
        match self.byte()? {
            NULL | NAN => Some(()),
            BOOLEAN => self.skip(1),
            NUMBER => self.skip(10),
            TIMESTAMP => self.skip(8),
            STRING | BYTES => self.text(),
            REFERENCE => {
                self.text()?;
                self.text()?;
                loop {
                    match self.byte()? {
                        END => return Some(()),
                        NUMERIC => self.skip(8)?,
                        _ => self.text()?,
                    }
                }
            }
            GEO_POINT => self.skip(16),
            ARRAY => {
                while self.peek()? != STOP {
                    self.value()?;
                }
                self.skip(1)
            }
            VECTOR => {
                let mut count = 0;
                for _ in 0..4 {
                    count = count << 8 | usize::from(self.byte()?);
                }
                self.skip(count.checked_mul(8)?)
            }
            MAP => {
                while self.peek()? != STOP {
                    self.skip(1)?;
                    self.text()?;
                    self.value()?;
                }
                self.skip(1)
            }
            _ => None,
        }
    }
}
