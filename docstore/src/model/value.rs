//! Field values: what they are, how they compare and how large they are.

use std::cmp::Ordering;

use bytes::Bytes;

use super::{DatabaseId, DocPath, Fields};

/// A field's value.
///
/// `Eq` and `Ord` are the database's own: `1 == 1.0`, `-0.0 == 0`, `NaN == NaN`, and all types have one total
/// order: null, booleans, numbers (NaN first), timestamps, strings, bytes, references, points, arrays,
/// vectors, maps. [`Value::identical`] tells apart what `Eq` does not.
#[derive(Debug, Clone)]
pub enum Value {
    /// The null value.
    Null,
    /// True or false.
    Boolean(bool),
    /// A 64-bit integer.
    Integer(i64),
    /// A 64-bit float; NaN and -0.0 included.
    Double(f64),
    /// A point in time, to the microsecond.
    Timestamp(Timestamp),
    /// UTF-8 text.
    String(String),
    /// Raw bytes.
    Bytes(Bytes),
    /// A document's name.
    Reference(Reference),
    /// A point on the globe.
    GeoPoint(GeoPoint),
    /// A list; never directly inside another list.
    Array(Vec<Self>),
    /// A nested record.
    Map(Fields),
    /// A vector of doubles (`__type__: "__vector__"` on the wire).
    Vector(Vec<f64>),
}

/// Microseconds since the Unix epoch, from year 1 to year 9999; finer parts are cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// 0001-01-01T00:00:00Z.
    pub const MIN: Self = Self(-62_135_596_800_000_000);
    /// 9999-12-31T23:59:59.999999Z.
    pub const MAX: Self = Self(253_402_300_799_999_999);

    /// From seconds and nanoseconds (0 to 999,999,999) since the epoch, as the wire has them.
    /// `None` outside the years 1 to 9999.
    pub fn from_parts(seconds: i64, nanos: i32) -> Option<Self> {
        if !(0..1_000_000_000).contains(&nanos) {
            return None;
        }
        let micros = seconds.checked_mul(1_000_000)?.checked_add(i64::from(nanos / 1_000))?;
        (Self::MIN.0..=Self::MAX.0).contains(&micros).then_some(Self(micros))
    }

    /// Seconds and nanoseconds (0 to 999,999,999) since the epoch.
    pub fn parts(self) -> (i64, i32) {
        let nanos = self.0.rem_euclid(1_000_000) * 1_000;
        (self.0.div_euclid(1_000_000), i32::try_from(nanos).unwrap_or_default())
    }
}

/// A document in a named database. References may point anywhere, also where nothing is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// The database.
    pub database: DatabaseId,
    /// The document in it.
    pub path: DocPath,
}

/// Degrees of latitude (-90 to 90) and longitude (-180 to 180).
#[derive(Debug, Clone, Copy)]
pub struct GeoPoint {
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
}

impl Value {
    /// The rank of the value's type in the order of all values.
    pub fn type_rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Boolean(_) => 1,
            Self::Integer(_) | Self::Double(_) => 2,
            Self::Timestamp(_) => 3,
            Self::String(_) => 4,
            Self::Bytes(_) => 5,
            Self::Reference(_) => 6,
            Self::GeoPoint(_) => 7,
            Self::Array(_) => 8,
            Self::Vector(_) => 9,
            Self::Map(_) => 10,
        }
    }

    /// True if two values are the same in type and every bit, unlike `==`.
    pub fn identical(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a == b,
            (Self::Integer(_), Self::Double(_)) | (Self::Double(_), Self::Integer(_)) => false,
            (Self::Double(a), Self::Double(b)) => same_bits(*a, *b),
            (Self::GeoPoint(a), Self::GeoPoint(b)) => {
                same_bits(a.latitude, b.latitude) && same_bits(a.longitude, b.longitude)
            }
            (Self::Array(a), Self::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.identical(b))
            }
            (Self::Vector(a), Self::Vector(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_bits(*a, *b))
            }
            (Self::Map(a), Self::Map(b)) => identical_fields(a, b),
            (a, b) => a == b,
        }
    }

    /// The size this value counts for towards the limits, in bytes.
    /// Source: "Storage size calculations" of the Firestore documentation.
    pub fn size(&self) -> usize {
        match self {
            Self::Null | Self::Boolean(_) => 1,
            Self::Integer(_) | Self::Double(_) | Self::Timestamp(_) => 8,
            Self::String(text) => text.len() + 1,
            Self::Bytes(bytes) => bytes.len(),
            Self::Reference(reference) => path_size(&reference.path),
            Self::GeoPoint(_) => 16,
            Self::Array(values) => values.iter().map(Self::size).sum(),
            Self::Vector(values) => values.len() * 8,
            Self::Map(fields) => fields_size(fields),
        }
    }
}

/// The size a document's name counts for, in bytes.
pub(crate) fn path_size(path: &DocPath) -> usize {
    path.segments().map(|segment| segment.len() + 1).sum::<usize>() + 16
}

/// The size fields count for, in bytes.
pub(crate) fn fields_size(fields: &Fields) -> usize {
    fields.iter().map(|(name, value)| name.len() + 1 + value.size()).sum()
}

/// True if two sets of fields are the same in every name, type and bit.
pub(crate) fn identical_fields(a: &Fields, b: &Fields) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|((ka, va), (kb, vb))| ka == kb && va.identical(vb))
}

fn same_bits(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Boolean(a), Self::Boolean(b)) => a.cmp(b),
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            (Self::Double(a), Self::Double(b)) => compare_doubles(*a, *b),
            (Self::Integer(a), Self::Double(b)) => compare_mixed(*a, *b),
            (Self::Double(a), Self::Integer(b)) => compare_mixed(*b, *a).reverse(),
            (Self::Timestamp(a), Self::Timestamp(b)) => a.cmp(b),
            (Self::String(a), Self::String(b)) => a.cmp(b),
            (Self::Bytes(a), Self::Bytes(b)) => a.cmp(b),
            (Self::Reference(a), Self::Reference(b)) => a.cmp(b),
            (Self::GeoPoint(a), Self::GeoPoint(b)) => compare_doubles(a.latitude, b.latitude)
                .then_with(|| compare_doubles(a.longitude, b.longitude)),
            (Self::Array(a), Self::Array(b)) => a.cmp(b),
            (Self::Vector(a), Self::Vector(b)) => a.len().cmp(&b.len()).then_with(|| {
                a.iter()
                    .zip(b)
                    .map(|(a, b)| compare_doubles(*a, *b))
                    .find(|o| o.is_ne())
                    .unwrap_or(Ordering::Equal)
            }),
            (Self::Map(a), Self::Map(b)) => a.cmp(b),
            (a, b) => a.type_rank().cmp(&b.type_rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Value {}

/// NaN first, `-0.0 == 0.0`.
fn compare_doubles(a: f64, b: f64) -> Ordering {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
    }
}

/// Compares an integer with a double without rounding either.
fn compare_mixed(int: i64, double: f64) -> Ordering {
    const TWO_POW_63: f64 = 9_223_372_036_854_775_808.0;
    if double.is_nan() {
        Ordering::Greater
    } else if double >= TWO_POW_63 {
        Ordering::Less
    } else if double < -TWO_POW_63 {
        Ordering::Greater
    } else {
        let whole = double.floor();
        // In range by the two tests above.
        #[expect(clippy::cast_possible_truncation, reason = "whole lies within i64")]
        let floor = whole as i64;
        int.cmp(&floor).then(if double > whole { Ordering::Less } else { Ordering::Equal })
    }
}
