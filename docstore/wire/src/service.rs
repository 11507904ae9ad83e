//! The service: every method of `google.firestore.v1.Firestore` over the database.

mod bloom;
mod commit;
mod consistency;
mod expiry;
mod explain;
pub(super) mod fuzz;
mod list;
mod listen;
mod query;
mod read;
mod token;
mod write_stream;

use std::pin::Pin;
use std::sync::Arc;

use futures::{Stream, StreamExt as _, stream};
use tonic::{Request, Response, Status, Streaming};

use super::ids::Ids;
use super::pb::v1;
use super::pb::v1::firestore_server::Firestore;
use super::status::to_status;
use docstore::access::{self, Authenticator};
use docstore::error::{Code, Error, Result};
use docstore::model::DatabaseId;
use docstore::shares::{Share, StreamHolder};
use docstore::{Session, Store};

/// The replies of a streaming method.
type Replies<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// The one implementation of the protocol.
#[derive(Clone)]
pub(super) struct Service {
    store: Store,
    authenticator: Arc<dyn Authenticator>,
    ids: Ids,
}

/// Context of a request.
#[derive(Debug, Clone)]
struct Caller {
    authorization: Option<String>,
    /// Holder of the caller's share of streams, if shares are counted.
    holder: Option<StreamHolder>,
}

impl Caller {
    fn of<T>(request: &Request<T>) -> Self {
        let authorization = request.metadata().get("authorization").and_then(|value| value.to_str().ok());
        let holder = request.extensions().get::<StreamHolder>().cloned();
        Self { authorization: authorization.map(str::to_owned), holder }
    }

    /// A stream's place among those of the address.
    fn stream_of_address(&self) -> Result<Option<Share>> {
        self.holder.as_ref().map_or(Ok(None), StreamHolder::of_address)
    }

    /// A stream's place among those of the account, which is `known` by now.
    fn stream_of_account(&self, database: &DatabaseId, known: &access::Caller) -> Result<Option<Share>> {
        self.holder.as_ref().map_or(Ok(None), |holder| holder.of_caller(&database.project, known))
    }
}

impl Service {
    pub(super) fn new(store: Store, authenticator: Arc<dyn Authenticator>, ids: Ids) -> Self {
        Self { store, authenticator, ids }
    }

    /// The database as the caller may use it.
    async fn session(&self, caller: &Caller, database: &DatabaseId) -> Result<Session> {
        Ok(self.store.database(database).as_caller(self.caller(caller, database).await?))
    }

    /// The caller's identity for the access policy.
    async fn caller(&self, caller: &Caller, database: &DatabaseId) -> Result<access::Caller> {
        self.authenticator.authenticate(&database.project, caller.authorization.as_deref()).await
    }
}

/// Splits a request into who asks and what.
fn split<T>(request: Request<T>) -> (Caller, T) {
    (Caller::of(&request), request.into_inner())
}

fn answer<T>(outcome: Result<T>) -> Result<Response<T>, Status> {
    outcome.map(Response::new).map_err(|error| to_status(&error))
}

/// Replies that are made one by one, as they are sent: what they are made of is smaller.
type Lazily<T> = Box<dyn Iterator<Item = T> + Send>;

/// A finished list of replies as a stream.
fn replies<T, R>(outcome: Result<R>) -> Result<Response<Replies<T>>, Status>
where
    T: 'static,
    R: IntoIterator<Item = T>,
    R::IntoIter: Send + 'static,
{
    answer(outcome.map(|replies| stream::iter(replies).map(Ok).boxed()))
}

/// The error for a message that lacks something.
fn missing(what: &str) -> Error {
    Error::invalid("FieldMissing", format!("The request has no {what}."))
}

#[tonic::async_trait]
impl Firestore for Service {
    type BatchGetDocumentsStream = Replies<v1::BatchGetDocumentsResponse>;
    type RunQueryStream = Replies<v1::RunQueryResponse>;
    type ExecutePipelineStream = Replies<v1::ExecutePipelineResponse>;
    type RunAggregationQueryStream = Replies<v1::RunAggregationQueryResponse>;
    type WriteStream = Replies<v1::WriteResponse>;
    type ListenStream = Replies<v1::ListenResponse>;

    async fn get_document(
        &self,
        request: Request<v1::GetDocumentRequest>,
    ) -> Result<Response<v1::Document>, Status> {
        let (caller, request) = split(request);
        answer(self.get(&caller, request).await)
    }

    async fn list_documents(
        &self,
        request: Request<v1::ListDocumentsRequest>,
    ) -> Result<Response<v1::ListDocumentsResponse>, Status> {
        let (caller, request) = split(request);
        answer(self.list(&caller, request).await)
    }

    async fn update_document(
        &self,
        request: Request<v1::UpdateDocumentRequest>,
    ) -> Result<Response<v1::Document>, Status> {
        let (caller, request) = split(request);
        answer(self.update(&caller, request).await)
    }

    async fn delete_document(
        &self,
        request: Request<v1::DeleteDocumentRequest>,
    ) -> Result<Response<()>, Status> {
        let (caller, request) = split(request);
        answer(self.delete(&caller, request).await)
    }

    async fn batch_get_documents(
        &self,
        request: Request<v1::BatchGetDocumentsRequest>,
    ) -> Result<Response<Self::BatchGetDocumentsStream>, Status> {
        let (caller, request) = split(request);
        replies(self.batch_get(&caller, request).await)
    }

    async fn begin_transaction(
        &self,
        request: Request<v1::BeginTransactionRequest>,
    ) -> Result<Response<v1::BeginTransactionResponse>, Status> {
        let (caller, request) = split(request);
        answer(self.begin(&caller, request).await)
    }

    async fn commit(
        &self,
        request: Request<v1::CommitRequest>,
    ) -> Result<Response<v1::CommitResponse>, Status> {
        let (caller, request) = split(request);
        answer(self.commit_writes(&caller, request).await)
    }

    async fn rollback(&self, request: Request<v1::RollbackRequest>) -> Result<Response<()>, Status> {
        let (caller, request) = split(request);
        answer(self.roll_back(&caller, request).await)
    }

    async fn run_query(
        &self,
        request: Request<v1::RunQueryRequest>,
    ) -> Result<Response<Self::RunQueryStream>, Status> {
        let (caller, request) = split(request);
        replies(self.query(&caller, request).await)
    }

    async fn execute_pipeline(
        &self,
        _request: Request<v1::ExecutePipelineRequest>,
    ) -> Result<Response<Self::ExecutePipelineStream>, Status> {
        answer(Err(Error::new(
            Code::Unimplemented,
            "Pipelines",
            "Pipelines are not offered by this server: use structured queries (RunQuery, RunAggregationQuery).",
        )))
    }

    async fn run_aggregation_query(
        &self,
        request: Request<v1::RunAggregationQueryRequest>,
    ) -> Result<Response<Self::RunAggregationQueryStream>, Status> {
        let (caller, request) = split(request);
        replies(self.aggregate(&caller, request).await)
    }

    async fn partition_query(
        &self,
        request: Request<v1::PartitionQueryRequest>,
    ) -> Result<Response<v1::PartitionQueryResponse>, Status> {
        let (caller, request) = split(request);
        answer(self.partition(&caller, request).await)
    }

    async fn write(
        &self,
        request: Request<Streaming<v1::WriteRequest>>,
    ) -> Result<Response<Self::WriteStream>, Status> {
        let (caller, requests) = split(request);
        answer(caller.stream_of_address().map(|place| self.clone().write_stream(caller, place, requests)))
    }

    async fn listen(
        &self,
        request: Request<Streaming<v1::ListenRequest>>,
    ) -> Result<Response<Self::ListenStream>, Status> {
        let (caller, requests) = split(request);
        answer(caller.stream_of_address().map(|place| self.clone().listen_stream(caller, place, requests)))
    }

    async fn list_collection_ids(
        &self,
        request: Request<v1::ListCollectionIdsRequest>,
    ) -> Result<Response<v1::ListCollectionIdsResponse>, Status> {
        let (caller, request) = split(request);
        answer(self.collection_ids(&caller, request).await)
    }

    async fn batch_write(
        &self,
        request: Request<v1::BatchWriteRequest>,
    ) -> Result<Response<v1::BatchWriteResponse>, Status> {
        let (caller, request) = split(request);
        answer(self.batch(&caller, request).await)
    }

    async fn create_document(
        &self,
        request: Request<v1::CreateDocumentRequest>,
    ) -> Result<Response<v1::Document>, Status> {
        let (caller, request) = split(request);
        answer(self.create(&caller, request).await)
    }
}
