//! Reading documents by name.

use std::collections::HashSet;

use super::consistency::{ReadFrom, Selector, resolve, selector};
use super::{Caller, Lazily, Service};
use crate::convert::document::from_document;
use crate::convert::time::from_ts;
use crate::convert::{database, document_in, document_name, optional_mask};
use crate::pb::v1;
use crate::pb::v1::batch_get_documents_response::Result as Found;
use docstore::error::Result;
use docstore::model::{DocPath, Document, not_found};
use docstore::{Session, Snapshot};

/// Documents that one request may name.
const MAX_DOCUMENTS: usize = 10_000;

impl Service {
    /// `GetDocument`.
    pub(super) async fn get(&self, caller: &Caller, request: v1::GetDocumentRequest) -> Result<v1::Document> {
        let (id, path) = document_name(&request.name)?;
        let mask = optional_mask(request.mask.as_ref())?;
        let session = self.session(caller, &id).await?;
        let selector = selector!(request.consistency_selector, v1::get_document_request, join);
        let (from, _) = resolve(&session, selector).await?;
        let mut found = fetch(&session, std::slice::from_ref(&path), &from).await?;
        match found.value.pop().flatten() {
            Some(document) => Ok(from_document(&id, document, mask.as_deref())),
            None => Err(not_found(&id, &path)),
        }
    }

    /// `BatchGetDocuments`: each named document once, in the order of the names.
    pub(super) async fn batch_get(
        &self,
        caller: &Caller,
        request: v1::BatchGetDocumentsRequest,
    ) -> Result<Lazily<v1::BatchGetDocumentsResponse>> {
        let id = database(&request.database)?;
        if request.documents.len() > MAX_DOCUMENTS {
            return Err(docstore::Error::invalid(
                "BatchGetTooLarge",
                format!(
                    "{} documents are more than {MAX_DOCUMENTS}; split the request.",
                    request.documents.len()
                ),
            ));
        }
        let mut seen = HashSet::new();
        let mut paths = Vec::with_capacity(request.documents.len());
        for name in &request.documents {
            let path = document_in(&id, name)?;
            if seen.insert(path.clone()) {
                paths.push(path);
            }
        }
        let mask = optional_mask(request.mask.as_ref())?;
        let session = self.session(caller, &id).await?;
        let selector = selector!(request.consistency_selector, v1::batch_get_documents_request, begin);
        let (from, begun) = resolve(&session, selector).await?;
        let begun =
            begun.map(|transaction| v1::BatchGetDocumentsResponse { transaction, ..Default::default() });
        if paths.is_empty() {
            return Ok(Box::new(begun.into_iter()));
        }
        let found = fetch(&session, &paths, &from).await?;
        let read_time = Some(from_ts(found.read_time));
        let documents = paths.into_iter().zip(found.value).map(move |(path, document)| {
            let result = Some(match document {
                Some(document) => Found::Found(from_document(&id, document, mask.as_deref())),
                None => Found::Missing(id.document_name(&path)),
            });
            v1::BatchGetDocumentsResponse { result, read_time, ..Default::default() }
        });
        Ok(Box::new(begun.into_iter().chain(documents)))
    }
}

/// Reads documents where the request says.
async fn fetch(
    session: &Session,
    paths: &[DocPath],
    from: &ReadFrom,
) -> Result<Snapshot<Vec<Option<Document>>>> {
    match from {
        ReadFrom::State(at) => session.get(paths, *at).await,
        ReadFrom::Transaction(id) => session.get_in(*id, paths).await,
    }
}
