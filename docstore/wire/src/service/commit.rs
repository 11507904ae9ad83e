//! Writing.

use std::collections::HashSet;

use super::consistency::{read_transaction, to_options, transaction_token};
use super::{Caller, Service, missing};
use crate::convert::document::from_document;
use crate::convert::time::from_ts;
use crate::convert::value::to_fields;
use crate::convert::write::{check_repeats, from_result, to_precondition, to_writes};
use crate::convert::{database, document_name, mask, optional_mask, parent, single_id};
use crate::pb::{rpc, v1};
use docstore::error::{Error, Result};
use docstore::model::{
    CollectionPath, DatabaseId, DocPath, FieldPath, Precondition, Write, WriteOp, WriteResult, not_found,
};
use docstore::{Draft, Session};

/// Writes allowed in one `BatchWrite`.
const MAX_BATCH_WRITES: usize = 10_000;

impl Service {
    /// `BeginTransaction`.
    pub(super) async fn begin(
        &self,
        caller: &Caller,
        request: v1::BeginTransactionRequest,
    ) -> Result<v1::BeginTransactionResponse> {
        let id = database(&request.database)?;
        let options = to_options(request.options)?;
        let transaction = self.session(caller, &id).await?.begin(options).await?;
        Ok(v1::BeginTransactionResponse { transaction: transaction_token(transaction) })
    }

    /// `Commit`.
    pub(super) async fn commit_writes(
        &self,
        caller: &Caller,
        request: v1::CommitRequest,
    ) -> Result<v1::CommitResponse> {
        let id = database(&request.database)?;
        let writes = to_writes(&id, request.writes)?;
        check_repeats(&writes)?;
        let token = &request.transaction;
        let txn = if token.is_empty() { None } else { Some(read_transaction(token)?) };
        let session = self.session(caller, &id).await?;
        let committed = session.commit(Draft { writes, txn }).await?;
        Ok(v1::CommitResponse {
            write_results: committed.results.into_iter().map(from_result).collect(),
            commit_time: Some(from_ts(committed.commit_time)),
        })
    }

    /// `Rollback`.
    pub(super) async fn roll_back(&self, caller: &Caller, request: v1::RollbackRequest) -> Result<()> {
        let id = database(&request.database)?;
        let transaction = read_transaction(&request.transaction)?;
        self.session(caller, &id).await?.rollback(transaction).await
    }

    /// `BatchWrite`: each write for itself, in no particular order, with an answer for each.
    pub(super) async fn batch(
        &self,
        caller: &Caller,
        request: v1::BatchWriteRequest,
    ) -> Result<v1::BatchWriteResponse> {
        let id = database(&request.database)?;
        if request.writes.len() > MAX_BATCH_WRITES {
            return Err(Error::invalid(
                "BatchWriteTooLarge",
                format!(
                    "{} writes are more than {MAX_BATCH_WRITES}; split the request.",
                    request.writes.len()
                ),
            ));
        }
        let writes = to_writes(&id, request.writes)?;
        let mut seen = HashSet::new();
        if !writes.iter().all(|write| seen.insert(&write.path)) {
            return Err(Error::invalid(
                "BatchWriteTwice",
                "the same document cannot be written more than once in a single request",
            ));
        }
        let session = self.session(caller, &id).await?;
        // All are queued before the first is awaited, so that the committer stores them together.
        let outcomes = writes.into_iter().map(|write| commit_one(&session, write));
        let mut response = v1::BatchWriteResponse::default();
        for outcome in futures::future::join_all(outcomes).await {
            let (result, status) = match outcome {
                Ok(result) => (from_result(result), rpc::Status::default()),
                Err(error) => (v1::WriteResult::default(), to_rpc_status(&error)),
            };
            response.write_results.push(result);
            response.status.push(status);
        }
        Ok(response)
    }

    /// `CreateDocument`.
    pub(super) async fn create(
        &self,
        caller: &Caller,
        request: v1::CreateDocumentRequest,
    ) -> Result<v1::Document> {
        let (id, parent) = parent(&request.parent)?;
        let document = request.document.ok_or_else(|| missing("document"))?;
        if !document.name.is_empty() {
            return Err(Error::invalid("DocumentNameSet", "document.name must not be set"));
        }
        single_id("Collection", &request.collection_id)?;
        single_id("Document", &request.document_id)?;
        let collection = match &parent {
            Some(parent) => parent.child(&request.collection_id)?,
            None => CollectionPath::parse(&request.collection_id)?,
        };
        let name = if request.document_id.is_empty() { self.ids.document() } else { request.document_id };
        let op = WriteOp::Set { fields: to_fields(document.fields)?, transforms: vec![] };
        let write = Write { path: collection.doc(&name)?, op, precondition: Precondition::Exists(false) };
        self.write_and_read(caller, &id, write, optional_mask(request.mask.as_ref())?).await
    }

    /// `UpdateDocument`.
    pub(super) async fn update(
        &self,
        caller: &Caller,
        request: v1::UpdateDocumentRequest,
    ) -> Result<v1::Document> {
        let document = request.document.ok_or_else(|| missing("document"))?;
        let (id, path) = document_name(&document.name)?;
        let fields = to_fields(document.fields)?;
        let op = match &request.update_mask {
            None => WriteOp::Set { fields, transforms: vec![] },
            Some(update_mask) => WriteOp::Update { fields, mask: mask(update_mask)?, transforms: vec![] },
        };
        let write = Write { path, op, precondition: to_precondition(request.current_document.as_ref())? };
        self.write_and_read(caller, &id, write, optional_mask(request.mask.as_ref())?).await
    }

    /// `DeleteDocument`.
    pub(super) async fn delete(&self, caller: &Caller, request: v1::DeleteDocumentRequest) -> Result<()> {
        let (id, path) = document_name(&request.name)?;
        let precondition = to_precondition(request.current_document.as_ref())?;
        let session = self.session(caller, &id).await?;
        commit_one(&session, Write { path, op: WriteOp::Delete, precondition }).await?;
        Ok(())
    }

    /// Commits one write and answers with the document as that commit left it. Who may write may see what they
    /// wrote, so the read is the server's own.
    async fn write_and_read(
        &self,
        caller: &Caller,
        id: &DatabaseId,
        write: Write,
        mask: Option<Vec<FieldPath>>,
    ) -> Result<v1::Document> {
        let path: DocPath = write.path.clone();
        let session = self.session(caller, id).await?;
        let committed = session.commit(Draft { writes: vec![write], txn: None }).await?;
        let read =
            self.store.database(id).get(std::slice::from_ref(&path), Some(committed.commit_time)).await?;
        match read.value.into_iter().next().flatten() {
            Some(document) => Ok(from_document(id, document, mask.as_deref())),
            None => Err(not_found(id, &path)),
        }
    }
}

async fn commit_one(session: &Session, write: Write) -> Result<WriteResult> {
    let committed = session.commit(Draft { writes: vec![write], txn: None }).await?;
    committed.results.into_iter().next().ok_or_else(|| {
        Error::new(docstore::Code::Internal, "CommitResults", "the commit answered for no write")
    })
}

/// The message for one write's failure, or for one target's.
pub(super) fn to_rpc_status(error: &Error) -> rpc::Status {
    rpc::Status { code: error.code().number(), message: error.message().to_owned(), details: vec![] }
}
