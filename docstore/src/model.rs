//! What the database holds and what may be asked of it: paths, values, documents, writes and queries.

mod document;
mod path;
mod query;
mod ts;
mod value;
mod write;

pub use document::{Document, Fields};
pub use path::{CollectionPath, DatabaseId, DocPath, FieldPath};
pub use query::{
    Aggregation, Cursor, Direction, DistanceMeasure, FieldFilter, FieldOp, Filter, FindNearest, Order, Query,
    Source, UnaryOp,
};
pub use ts::Ts;
pub use value::{GeoPoint, Reference, Timestamp, Value};
pub use write::{FieldTransform, Precondition, Transform, Write, WriteOp, WriteResult};
