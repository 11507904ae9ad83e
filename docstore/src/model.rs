//! Data types: paths, values, documents, writes and queries.

mod document;
mod field_path;
mod memory;
mod path;
mod query;
mod ts;
mod value;
mod write;

pub use document::{
    Document, Fields, MAX_DOCUMENT_BYTES, MAX_FIELD_NAME_BYTES, MAX_NESTING, MAX_VALUE_BYTES,
    MAX_VECTOR_DIMENSION, check_document,
};
pub(crate) use field_path::is_reserved;
pub use field_path::{DOCUMENT_NAME, FieldPath, MAX_FIELD_PATH_BYTES};
pub use path::{
    CollectionPath, DatabaseId, DocPath, MAX_COLLECTION_DEPTH, MAX_ID_BYTES, MAX_NAME_BYTES, not_found,
};
pub use query::{
    Aggregation, Cursor, Direction, DistanceMeasure, FieldFilter, FieldOp, Filter, FindNearest, Order, Query,
    Source, UnaryOp,
};
pub use ts::Ts;
pub use value::{GeoPoint, Reference, Timestamp, Value};
pub use write::{FieldTransform, Precondition, Transform, Write, WriteOp, WriteResult};

pub(crate) use memory::document_memory;
pub(crate) use path::{compare_ids, numeric_id};
pub(crate) use value::{fields_size, identical_fields};

#[cfg(test)]
mod tests;
