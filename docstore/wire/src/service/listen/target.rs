//! Targets of a listen request.

use crate::convert::query::to_query;
use crate::convert::time::to_ts;
use crate::convert::{document_in, parent};
use crate::pb::v1;
use crate::pb::v1::target::query_target::QueryType;
use crate::pb::v1::target::{ResumeType, TargetType};
use crate::service::missing;
use crate::service::token::read_resume_token;
use docstore::error::{Error, Result};
use docstore::model::{DatabaseId, Ts};
use docstore::watch::Target;

/// Documents that one target may name.
const MAX_DOCUMENTS: usize = 10_000;

/// A target that was read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) target: Target,
    pub(super) resume: Option<Ts>,
    pub(super) expected_count: Option<u32>,
    pub(super) once: bool,
}

/// The error for a target of a kind that is not known here. Those of pipelines have numbers that are not in the descriptors.
fn nothing_to_listen_to() -> Error {
    Error::invalid(
        "TargetType",
        "The target has neither documents nor a structured query. Pipelines are not offered by this server.",
    )
}

/// Reads a target of a stream that listens to `database`.
pub(super) fn read(database: &DatabaseId, message: v1::Target) -> Result<Read> {
    let resume = match &message.resume_type {
        None => None,
        Some(ResumeType::ResumeToken(token)) if token.is_empty() => None,
        Some(ResumeType::ResumeToken(token)) => Some(read_resume_token(token)),
        Some(ResumeType::ReadTime(time)) => Some(to_ts(time)?),
    };
    let target = match message.target_type.ok_or_else(nothing_to_listen_to)? {
        TargetType::Documents(documents) => {
            let names = documents.documents;
            if names.is_empty() || names.len() > MAX_DOCUMENTS {
                return Err(Error::invalid(
                    "TargetDocuments",
                    format!("A target names 1 to {MAX_DOCUMENTS} documents; this one names {}.", names.len()),
                ));
            }
            Target::Documents(names.iter().map(|name| document_in(database, name)).collect::<Result<_>>()?)
        }
        TargetType::Query(query) => {
            let (found, parent) = parent(&query.parent)?;
            if found != *database {
                return Err(Error::invalid(
                    "DatabaseMismatch",
                    format!("Parent \"{}\" is not in the database of this stream, {database}.", query.parent),
                ));
            }
            let QueryType::StructuredQuery(query) =
                query.query_type.ok_or_else(|| missing("structured_query"))?;
            Target::Query(Box::new(to_query(database, parent, query)?))
        }
    };
    let expected_count = message.expected_count.and_then(|count| u32::try_from(count).ok());
    Ok(Read { target, resume, expected_count, once: message.once })
}
