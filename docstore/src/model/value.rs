//! Field values. (Ordering, size and nesting limits live beside them.)

use bytes::Bytes;

use super::{DatabaseId, DocPath, Fields};

/// A field's value.
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

/// A document in a named database. References may point anywhere, also where nothing is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
