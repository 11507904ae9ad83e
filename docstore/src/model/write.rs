//! Writes: what a commit asks for.

use super::{DocPath, FieldPath, Fields, Ts, Value};

/// One write of a commit.
#[derive(Debug, Clone)]
pub struct Write {
    /// The document.
    pub path: DocPath,
    /// Operation on the document.
    pub op: WriteOp,
    /// Condition on the document before the write.
    pub precondition: Precondition,
}

impl Write {
    /// Sets a whole document, whatever is there.
    pub const fn set(path: DocPath, fields: Fields) -> Self {
        Self { path, op: WriteOp::Set { fields, transforms: Vec::new() }, precondition: Precondition::None }
    }

    /// Deletes a document, if it is there.
    pub const fn delete(path: DocPath) -> Self {
        Self { path, op: WriteOp::Delete, precondition: Precondition::None }
    }
}

/// Operation of a write.
#[derive(Debug, Clone)]
pub enum WriteOp {
    /// Replaces the document, then applies the transforms.
    Set {
        /// The new fields.
        fields: Fields,
        /// Applied afterwards, in order.
        transforms: Vec<FieldTransform>,
    },
    /// Sets the fields in `mask` that `fields` has, deletes those it lacks, then applies the transforms.
    Update {
        /// The new values.
        fields: Fields,
        /// Fields to change.
        mask: Vec<FieldPath>,
        /// Applied afterwards, in order.
        transforms: Vec<FieldTransform>,
    },
    /// Deletes the document.
    Delete,
    /// Only checks the precondition.
    Verify,
}

/// Condition on a document before a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precondition {
    /// Nothing.
    #[default]
    None,
    /// It exists, or it does not.
    Exists(bool),
    /// It exists and was last changed then.
    UpdateTime(Ts),
}

/// A change to one field that depends on its old value or on the commit time.
#[derive(Debug, Clone)]
pub struct FieldTransform {
    /// The field.
    pub field: FieldPath,
    /// The change.
    pub transform: Transform,
}

/// Computation of a transform's new value.
#[derive(Debug, Clone)]
pub enum Transform {
    /// The commit time, to the millisecond.
    ServerTimestamp,
    /// Adds a number; integers saturate.
    Increment(Value),
    /// The larger of old and given.
    Maximum(Value),
    /// The smaller of old and given.
    Minimum(Value),
    /// Appends the elements that are missing.
    ArrayUnion(Vec<Value>),
    /// Removes all equal elements.
    ArrayRemove(Vec<Value>),
}

/// Result of one write of a commit.
#[derive(Debug, Clone)]
pub struct WriteResult {
    /// The document's update time; `None` for deletes and verifies. An update that changes nothing keeps the
    /// old time.
    pub update_time: Option<Ts>,
    /// The transforms' results, in order (`Null` for the array transforms).
    pub transform_results: Vec<Value>,
}
