//! Documents.

use super::time::from_ts;
use super::value::from_fields;
use crate::pb::v1;
use docstore::model::{DatabaseId, Document, FieldPath, Fields};

/// The message for a document, with all its fields or those in `mask`.
pub(crate) fn from_document(
    database: &DatabaseId,
    document: Document,
    mask: Option<&[FieldPath]>,
) -> v1::Document {
    let fields = match mask {
        None => document.fields,
        Some(mask) => project(&document.fields, mask),
    };
    v1::Document {
        name: database.document_name(&document.path),
        fields: from_fields(fields),
        create_time: Some(from_ts(document.create_time)),
        update_time: Some(from_ts(document.update_time)),
    }
}

/// The fields at the paths in `mask`.
fn project(fields: &Fields, mask: &[FieldPath]) -> Fields {
    let mut kept = Fields::new();
    for path in mask {
        if let Some(value) = path.get(fields) {
            path.set(&mut kept, value.clone());
        }
    }
    kept
}
