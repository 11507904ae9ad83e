//! Writes and their results.

use std::collections::HashMap;

use super::time::{from_ts, to_ts};
use super::value::{from_value, to_fields, to_value, to_values};
use super::{document_in, mask};
use crate::pb::v1;
use crate::pb::v1::document_transform::field_transform::{ServerValue, TransformType};
use crate::pb::v1::precondition::ConditionType;
use crate::pb::v1::write::Operation;
use docstore::error::{Error, Result};
use docstore::model::{
    DatabaseId, DocPath, FieldPath, FieldTransform, Fields, Precondition, Transform, Ts, Value, Write,
    WriteOp, WriteResult,
};

/// Reads the writes of one request to `database`.
pub(crate) fn to_writes(database: &DatabaseId, messages: Vec<v1::Write>) -> Result<Vec<Write>> {
    messages.into_iter().map(|message| to_write(database, message)).collect()
}

/// Checks the writes of one commit to the same document: none may demand what an earlier one has made untrue, and a
/// document is either written or verified once. An update time is required of the document as it was before the commit, so
/// that later writes may only repeat what the first one has required.
pub(crate) fn check_repeats(writes: &[Write]) -> Result<()> {
    let mut before: HashMap<&DocPath, (Effect, Option<Ts>)> = HashMap::with_capacity(writes.len());
    for write in writes {
        let effect = Effect::of(write);
        let required = match write.precondition {
            Precondition::UpdateTime(required) => Some(required),
            Precondition::None | Precondition::Exists(_) => None,
        };
        let Some((first, base)) = before.get_mut(&write.path) else {
            before.insert(&write.path, (effect, required));
            continue;
        };
        let (first, base) = (std::mem::replace(first, effect), *base);
        let verified = |text: &str| Err(Error::invalid("WriteRepeated", format!("the same document {text}")));
        match (first, effect) {
            (Effect::Verify, Effect::Verify) => {
                return verified("cannot be verified more than once in a single request");
            }
            (Effect::Verify, _) => {
                return verified("cannot be verified and then written in a single request");
            }
            (_, Effect::Verify) => {
                return verified("cannot be written and then verified in a single request");
            }
            _ => {}
        }
        let exists = !matches!(first, Effect::Delete);
        let contradicts = match write.precondition {
            Precondition::None => false,
            Precondition::Exists(required) => required != exists,
            Precondition::UpdateTime(_) => !exists,
        };
        if contradicts {
            return Err(Error::invalid(
                "WriteRepeated",
                format!("Cannot {} then {} an entity in the same request.", first.verb(), effect.verb()),
            ));
        }
        if required.is_some() && required != base {
            return Err(Error::invalid(
                "WriteRepeated",
                "Cannot require an update time of a document that an earlier write in the same request does not require.",
            ));
        }
    }
    Ok(())
}

/// Effect of a write on later writes to the same document.
#[derive(Debug, Clone, Copy)]
enum Effect {
    Upsert,
    Insert,
    Update,
    Delete,
    Verify,
}

impl Effect {
    fn of(write: &Write) -> Self {
        match (&write.op, write.precondition) {
            (WriteOp::Verify, _) => Self::Verify,
            (WriteOp::Delete, _) => Self::Delete,
            (_, Precondition::None) => Self::Upsert,
            (_, Precondition::Exists(false)) => Self::Insert,
            (_, Precondition::Exists(true) | Precondition::UpdateTime(_)) => Self::Update,
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Self::Upsert => "upsert",
            Self::Insert => "insert",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Verify => "verify",
        }
    }
}

/// Reads one write.
pub(crate) fn to_write(database: &DatabaseId, message: v1::Write) -> Result<Write> {
    let precondition = to_precondition(message.current_document.as_ref())?;
    let transforms = to_transforms(message.update_transforms)?;
    let update_mask = message.update_mask.as_ref().map(mask).transpose()?;
    let Some(operation) = message.operation else {
        return Err(Error::invalid("WriteEmpty", "empty write operation"));
    };
    let only_update = |what: &str| -> Result<()> {
        if update_mask.is_some() {
            let message = format!("a {what} must not specify a document mask.");
            return Err(Error::invalid("WriteMask", message));
        }
        if !transforms.is_empty() {
            let message = format!("a {what} must not specify a update transform.");
            return Err(Error::invalid("WriteTransforms", message));
        }
        Ok(())
    };
    let (name, op) = match operation {
        Operation::Update(document) => {
            let fields = to_fields(document.fields)?;
            let op = match update_mask {
                None => WriteOp::Set { fields, transforms },
                Some(mask) => WriteOp::Update { fields, mask, transforms },
            };
            (document.name, op)
        }
        Operation::Delete(name) => {
            only_update("delete")?;
            (name, WriteOp::Delete)
        }
        Operation::Verify(name) => {
            only_update("verify")?;
            if precondition == Precondition::None {
                return Err(Error::invalid("VerifyPrecondition", "a verify must contain a precondition"));
            }
            (name, WriteOp::Verify)
        }
        Operation::Transform(transform) => {
            only_update("transform")?;
            let transforms = to_transforms(transform.field_transforms)?;
            if transforms.is_empty() {
                let message = "The list of FieldTransform must not be empty.";
                return Err(Error::invalid("WriteTransforms", message));
            }
            (transform.document, WriteOp::Update { fields: Fields::new(), mask: vec![], transforms })
        }
    };
    Ok(Write { path: document_in(database, &name)?, op, precondition })
}

/// Reads what must hold before a write.
pub(crate) fn to_precondition(message: Option<&v1::Precondition>) -> Result<Precondition> {
    Ok(match message.and_then(|message| message.condition_type.as_ref()) {
        None => Precondition::None,
        Some(ConditionType::Exists(exists)) => Precondition::Exists(*exists),
        Some(ConditionType::UpdateTime(time)) => Precondition::UpdateTime(to_ts(time)?),
    })
}

fn to_transforms(messages: Vec<v1::document_transform::FieldTransform>) -> Result<Vec<FieldTransform>> {
    messages.into_iter().map(to_transform).collect()
}

fn to_transform(message: v1::document_transform::FieldTransform) -> Result<FieldTransform> {
    let field = FieldPath::parse(&message.field_path)?;
    let unspecified =
        || Error::invalid("TransformType", "Operation type must be specified for field transformation.");
    let transform = match message.transform_type.ok_or_else(unspecified)? {
        TransformType::SetToServerValue(value) => match ServerValue::try_from(value) {
            Ok(ServerValue::RequestTime) => Transform::ServerTimestamp,
            Ok(ServerValue::Unspecified) | Err(_) => {
                return Err(Error::invalid("TransformType", format!("Unknown server value {value}.")));
            }
        },
        TransformType::Increment(value) => Transform::Increment(number(value)?),
        TransformType::Maximum(value) => Transform::Maximum(number(value)?),
        TransformType::Minimum(value) => Transform::Minimum(number(value)?),
        TransformType::AppendMissingElements(array) => Transform::ArrayUnion(to_values(array.values)?),
        TransformType::RemoveAllFromArray(array) => Transform::ArrayRemove(to_values(array.values)?),
    };
    Ok(FieldTransform { field, transform })
}

fn number(message: v1::Value) -> Result<Value> {
    match to_value(message)? {
        number @ (Value::Integer(_) | Value::Double(_)) => Ok(number),
        _ => Err(Error::invalid("TransformOperand", "Input must be int64 or double.")),
    }
}

/// The message for a write's result.
pub(crate) fn from_result(result: WriteResult) -> v1::WriteResult {
    v1::WriteResult {
        update_time: result.update_time.map(from_ts),
        transform_results: result.transform_results.into_iter().map(from_value).collect(),
    }
}
