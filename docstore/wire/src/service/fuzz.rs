//! Decoding of a message of each method up to the database call, as a function of its bytes.

use super::consistency::{Selector, read_transaction, selector, to_options};
use super::list::ordered;
use super::token::{read_page_token, read_resume_token};
use crate::convert::query::{to_aggregations, to_query};
use crate::convert::time::to_ts;
use crate::convert::value::{to_fields, to_values};
use crate::convert::write::{check_repeats, to_precondition, to_writes};
use crate::convert::{database, document_in, document_name, mask, optional_mask, parent, single_id};
use crate::pb::v1;
use crate::pb::v1::run_aggregation_query_request::QueryType as AggregationType;
use crate::pb::v1::target::{ResumeType, TargetType, query_target};
use crate::pb::v1::{
    listen_request, partition_query_request, run_query_request, structured_aggregation_query,
};
use docstore::error::{Error, Result};
use docstore::model::{CollectionPath, DatabaseId, DocPath, Query};
use docstore::query;

/// Number of methods to choose from.
const METHODS: u8 = 13;

/// Reads a message of the method with this number, modulo [`METHODS`]. Corpora hold the numbers: a new method comes last.
pub(crate) fn decode(method: u8, bytes: &[u8]) -> Result<()> {
    match method % METHODS {
        0 => commit(message(bytes)?),
        1 => run_query(message(bytes)?),
        2 => aggregate(message(bytes)?),
        3 => listen(message(bytes)?),
        4 => get(message(bytes)?),
        5 => write(message(bytes)?),
        6 => batch_write(message(bytes)?),
        7 => partition(message(bytes)?),
        8 => list(message(bytes)?),
        9 => batch_get(message(bytes)?),
        10 => begin(message(bytes)?),
        11 => create(message(bytes)?),
        _ => update(message(bytes)?),
    }
}

fn message<M: prost::Message + Default>(bytes: &[u8]) -> Result<M> {
    M::decode(bytes).map_err(|error| Error::invalid("Protobuf", error.to_string()))
}

fn reads_at(selector: Selector) -> Result<()> {
    match selector {
        Selector::Newest => Ok(()),
        Selector::At(time) => to_ts(&time).map(drop),
        Selector::In(token) => read_transaction(&token).map(drop),
        Selector::Begin(options) => to_options(Some(options)).map(drop),
    }
}

fn plan(id: &DatabaseId, parent: Option<DocPath>, query: v1::StructuredQuery) -> Result<Query> {
    let query = to_query(id, parent, query)?;
    query::check(&query)?;
    Ok(query)
}

fn commit(request: v1::CommitRequest) -> Result<()> {
    let writes = to_writes(&database(&request.database)?, request.writes)?;
    check_repeats(&writes)?;
    read_transaction(&request.transaction).map(drop)
}

fn write(request: v1::WriteRequest) -> Result<()> {
    check_repeats(&to_writes(&database(&request.database)?, request.writes)?)
}

fn batch_write(request: v1::BatchWriteRequest) -> Result<()> {
    to_writes(&database(&request.database)?, request.writes).map(drop)
}

fn run_query(request: v1::RunQueryRequest) -> Result<()> {
    let (id, parent) = parent(&request.parent)?;
    if let Some(run_query_request::QueryType::StructuredQuery(query)) = request.query_type {
        plan(&id, parent, query)?;
    }
    reads_at(selector!(request.consistency_selector, v1::run_query_request, begin))
}

fn aggregate(request: v1::RunAggregationQueryRequest) -> Result<()> {
    let (id, parent) = parent(&request.parent)?;
    if let Some(AggregationType::StructuredAggregationQuery(aggregation)) = request.query_type
        && let Some(structured_aggregation_query::QueryType::StructuredQuery(query)) = aggregation.query_type
    {
        let aggregations = to_aggregations(&aggregation.aggregations, &query)?;
        query::check(&query::aggregated(&to_query(&id, parent, query)?, &aggregations)?)?;
    }
    reads_at(selector!(request.consistency_selector, v1::run_aggregation_query_request, begin))
}

fn partition(request: v1::PartitionQueryRequest) -> Result<()> {
    let (id, parent) = parent(&request.parent)?;
    if let Some(last) = read_page_token::<v1::Cursor>(&request.page_token)? {
        to_values(last.values)?;
    }
    if let Some(partition_query_request::QueryType::StructuredQuery(query)) = request.query_type {
        plan(&id, parent, query)?;
    }
    reads_at(selector!(request.consistency_selector, v1::partition_query_request))
}

fn listen(request: v1::ListenRequest) -> Result<()> {
    let id = database(&request.database)?;
    let Some(listen_request::TargetChange::AddTarget(target)) = request.target_change else { return Ok(()) };
    match target.resume_type {
        None => {}
        Some(ResumeType::ResumeToken(token)) => _ = read_resume_token(&token),
        Some(ResumeType::ReadTime(time)) => _ = to_ts(&time)?,
    }
    match target.target_type {
        None => Ok(()),
        Some(TargetType::Documents(documents)) => {
            documents.documents.iter().try_for_each(|name| document_in(&id, name).map(drop))
        }
        Some(TargetType::Query(query)) => match query.query_type {
            None => Ok(()),
            Some(query_target::QueryType::StructuredQuery(structured)) => {
                plan(&id, parent(&query.parent)?.1, structured).map(drop)
            }
        },
    }
}

fn get(request: v1::GetDocumentRequest) -> Result<()> {
    document_name(&request.name)?;
    optional_mask(request.mask.as_ref())?;
    reads_at(selector!(request.consistency_selector, v1::get_document_request, join))
}

fn batch_get(request: v1::BatchGetDocumentsRequest) -> Result<()> {
    let id = database(&request.database)?;
    request.documents.iter().try_for_each(|name| document_in(&id, name).map(drop))?;
    optional_mask(request.mask.as_ref())?;
    reads_at(selector!(request.consistency_selector, v1::batch_get_documents_request, begin))
}

fn list(request: v1::ListDocumentsRequest) -> Result<()> {
    let (_, parent) = parent(&request.parent)?;
    single_id("Collection", &request.collection_id)?;
    optional_mask(request.mask.as_ref())?;
    if let Some(last) = read_page_token::<v1::Cursor>(&request.page_token)? {
        to_values(last.values)?;
    }
    query::check(&ordered(parent, request.collection_id, &request.order_by)?)?;
    reads_at(selector!(request.consistency_selector, v1::list_documents_request, join))
}

fn begin(request: v1::BeginTransactionRequest) -> Result<()> {
    database(&request.database)?;
    to_options(request.options).map(drop)
}

fn create(request: v1::CreateDocumentRequest) -> Result<()> {
    let (_, parent) = parent(&request.parent)?;
    single_id("Collection", &request.collection_id)?;
    single_id("Document", &request.document_id)?;
    let collection = match &parent {
        Some(parent) => parent.child(&request.collection_id)?,
        None => CollectionPath::parse(&request.collection_id)?,
    };
    collection.doc(&request.document_id)?;
    to_fields(request.document.unwrap_or_default().fields).map(drop)
}

fn update(request: v1::UpdateDocumentRequest) -> Result<()> {
    let document = request.document.unwrap_or_default();
    document_name(&document.name)?;
    to_fields(document.fields)?;
    request.update_mask.as_ref().map(mask).transpose()?;
    to_precondition(request.current_document.as_ref()).map(drop)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    /// Every message in the corpus decodes completely, so that its mutations get far.
    #[test]
    fn the_corpus_has_a_message_of_every_method_that_is_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/protobuf");
        let mut read = BTreeSet::new();
        for file in fs::read_dir(folder).unwrap() {
            let input = fs::read(file.unwrap().path()).unwrap();
            let (method, message) = input.split_first().unwrap();
            if decode(*method, message).is_ok() {
                read.insert(*method);
            }
        }
        assert_eq!(read, (0..METHODS).collect());
    }
}
