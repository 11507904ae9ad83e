//! Applying one write to one document: precondition, mask and transforms.

use std::collections::HashMap;

use crate::model::{
    DatabaseId, DocPath, Document, Fields, Precondition, Transform, Ts, Value, Write, WriteOp, WriteResult,
    check_document, identical_fields,
};
use crate::{Code, Error, Result};

use super::transform;

/// The most transforms of one document in one commit, over all its writes. Source: Firestore's limits.
pub const MAX_TRANSFORMS: usize = 500;

/// Outcome of a write.
#[derive(Debug)]
pub(crate) struct Applied {
    /// The document afterwards; `None` when it does not exist.
    pub(crate) new: Option<Document>,
    /// True if the document changed.
    pub(crate) changed: bool,
    /// Result for the caller.
    pub(crate) result: WriteResult,
}

/// Counts the transforms of each document in a commit.
///
/// # Errors
/// `InvalidArgument` (`TooManyTransforms`) when a document has more than [`MAX_TRANSFORMS`].
pub(super) fn check_transforms(writes: &[Write]) -> Result<()> {
    let mut counts: HashMap<&DocPath, usize> = HashMap::new();
    for write in writes {
        let (WriteOp::Set { transforms, .. } | WriteOp::Update { transforms, .. }) = &write.op else {
            continue;
        };
        if transforms.is_empty() {
            continue;
        }
        let count = counts.entry(&write.path).or_default();
        *count += transforms.len();
        if *count > MAX_TRANSFORMS {
            return Err(Error::invalid(
                "TooManyTransforms",
                format!(
                    "Document \"{}\" has more than {MAX_TRANSFORMS} field transforms in this commit.",
                    write.path
                ),
            ));
        }
    }
    Ok(())
}

/// Applies `write` to `old` at commit time `ts` without checking the precondition.
///
/// # Errors
/// `InvalidArgument` when the new document exceeds a limit or a transform's operand has the wrong type.
pub(crate) fn apply(write: &Write, old: Option<&Document>, ts: Ts) -> Result<Applied> {
    let (fields, transforms) = match &write.op {
        WriteOp::Verify => {
            return Ok(Applied { new: old.cloned(), changed: false, result: empty_result() });
        }
        WriteOp::Delete => return Ok(Applied { new: None, changed: old.is_some(), result: empty_result() }),
        WriteOp::Set { fields, transforms } => (fields.clone(), transforms),
        WriteOp::Update { fields, mask, transforms } => {
            let mut merged = old.map(|document| document.fields.clone()).unwrap_or_default();
            for path in mask {
                match path.get(fields) {
                    Some(value) => path.set(&mut merged, value.clone()),
                    None => {
                        path.remove(&mut merged);
                    }
                }
            }
            (merged, transforms)
        }
    };
    let mut fields = fields;
    let transform_results = apply_transforms(&mut fields, transforms, ts)?;
    check_document(&write.path, &fields)?;
    if let Some(old) = old
        && identical_fields(&old.fields, &fields)
    {
        let result = WriteResult { update_time: Some(old.update_time), transform_results };
        return Ok(Applied { new: Some(old.clone()), changed: false, result });
    }
    let create_time = old.map_or(ts, |document| document.create_time);
    Ok(Applied {
        new: Some(Document { path: write.path.clone(), fields, create_time, update_time: ts }),
        changed: true,
        result: WriteResult { update_time: Some(ts), transform_results },
    })
}

fn empty_result() -> WriteResult {
    WriteResult { update_time: None, transform_results: Vec::new() }
}

fn apply_transforms(
    fields: &mut Fields,
    transforms: &[crate::model::FieldTransform],
    ts: Ts,
) -> Result<Vec<Value>> {
    let mut results = Vec::with_capacity(transforms.len());
    for item in transforms {
        if let Transform::Increment(value) | Transform::Maximum(value) | Transform::Minimum(value) =
            &item.transform
            && !matches!(value, Value::Integer(_) | Value::Double(_))
        {
            return Err(Error::invalid(
                "TransformOperand",
                format!("The operand of the transform of field \"{}\" must be a number.", item.field),
            ));
        }
        let new = transform::apply(&item.transform, item.field.get(fields), ts);
        results.push(transform::result(&item.transform, &new));
        item.field.set(fields, new);
    }
    Ok(results)
}

/// Checks the precondition of `write`. Existence is that of `old`, which includes earlier writes of the commit; the
/// update time is that of `stored`, the version before the commit.
///
/// # Errors
/// `NotFound`, `AlreadyExists` or `FailedPrecondition` when the precondition does not hold; `InvalidArgument` when it
/// names a version in the future.
pub(super) fn require(
    database: &DatabaseId,
    write: &Write,
    old: Option<&Document>,
    stored: Option<&Document>,
) -> Result<()> {
    let name = || database.document_name(&write.path);
    match write.precondition {
        Precondition::Exists(true) if old.is_none() => {
            Err(Error::new(Code::NotFound, "NoEntityToUpdate", format!("no entity to update: {}", name())))
        }
        Precondition::Exists(false) if old.is_some() => Err(Error::new(
            Code::AlreadyExists,
            "EntityAlreadyExists",
            format!("entity already exists: {}", name()),
        )),
        Precondition::UpdateTime(required) => match stored.map(|document| document.update_time) {
            Some(stored) if stored == required => Ok(()),
            Some(stored) if stored < required => Err(Error::invalid(
                "VersionInFuture",
                format!("Invalid base version, it is greater than the stored version: {}", name()),
            )),
            stored => Err(Error::new(
                Code::FailedPrecondition,
                "VersionMismatch",
                format!(
                    "the stored version ({}) does not match the required base version ({required})",
                    stored.unwrap_or(Ts::ZERO)
                ),
            )),
        },
        Precondition::None | Precondition::Exists(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
