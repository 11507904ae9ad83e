//! A stored document.

use std::collections::BTreeMap;

use super::{DocPath, Ts, Value};

/// A map value's or document's fields, by name in UTF-8 byte order.
pub type Fields = BTreeMap<String, Value>;

/// One version of a document.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its name within its database.
    pub path: DocPath,
    /// Its fields.
    pub fields: Fields,
    /// When this incarnation was created.
    pub create_time: Ts,
    /// When it last changed.
    pub update_time: Ts,
}
