//! Queries, aggregates and partitions.

use std::iter;

use super::consistency::{ReadFrom, Selector, resolve, selector};
use super::explain::{Explain, plan_alone, wants_plan_alone};
use super::token::{page_token, read_page_token};
use super::{Caller, Lazily, Service, missing};
use crate::convert::document::from_document;
use crate::convert::parent;
use crate::convert::query::{check_aggregated, to_aggregations, to_query};
use crate::convert::time::from_ts;
use crate::convert::value::{from_value, to_values};
use crate::pb::v1;
use crate::pb::v1::run_query_response::ContinuationSelector;
use crate::pb::v1::{
    partition_query_request, run_aggregation_query_request, run_query_request, structured_aggregation_query,
};
use docstore::error::{Error, Result};
use docstore::model::{Aggregation, DatabaseId, Query, Value};
use docstore::query::aggregated;
use docstore::{QueryResult, Session, Snapshot};

/// At how many points one query is split at most.
const MAX_PARTITIONS: i64 = 1_000;

impl Service {
    /// `RunQuery`.
    pub(super) async fn query(
        &self,
        caller: &Caller,
        request: v1::RunQueryRequest,
    ) -> Result<Lazily<v1::RunQueryResponse>> {
        let (id, parent) = parent(&request.parent)?;
        let Some(run_query_request::QueryType::StructuredQuery(query)) = request.query_type else {
            return Err(Error::invalid("QueryType", "only structured queries are supported"));
        };
        let query = to_query(&id, parent, query)?;
        let session = self.session(caller, &id).await?;
        let selector = selector!(request.consistency_selector, v1::run_query_request, begin);
        let (from, begun) = resolve(&session, selector).await?;
        let begun = begun.map(|transaction| v1::RunQueryResponse { transaction, ..Default::default() });
        if wants_plan_alone(request.explain_options.as_ref()) {
            let explain_metrics = Some(plan_alone(&session, &query, &from).await?);
            let plan = v1::RunQueryResponse { explain_metrics, ..Default::default() };
            return Ok(Box::new(begun.into_iter().chain([plan])));
        }
        let explain = Explain::start(request.explain_options.as_ref());
        let result = run(&session, &query, &from).await?;
        let metrics = explain.map(|explain| explain.finish(&result.stats, result.stats.results));
        Ok(Box::new(begun.into_iter().chain(results(id, result, metrics))))
    }

    /// `RunAggregationQuery`.
    pub(super) async fn aggregate(
        &self,
        caller: &Caller,
        request: v1::RunAggregationQueryRequest,
    ) -> Result<Vec<v1::RunAggregationQueryResponse>> {
        let (id, parent) = parent(&request.parent)?;
        let Some(run_aggregation_query_request::QueryType::StructuredAggregationQuery(aggregation)) =
            request.query_type
        else {
            return Err(missing("structured_aggregation_query"));
        };
        let Some(structured_aggregation_query::QueryType::StructuredQuery(query)) = aggregation.query_type
        else {
            return Err(missing("structured_query"));
        };
        let aggregations = to_aggregations(&aggregation.aggregations, &query)?;
        let query = to_query(&id, parent, query)?;
        check_aggregated(&query, &aggregations)?;
        let session = self.session(caller, &id).await?;
        let selector = selector!(request.consistency_selector, v1::run_aggregation_query_request, begin);
        let (from, begun) = resolve(&session, selector).await?;
        let mut replies = Vec::new();
        if let Some(transaction) = begun {
            replies.push(v1::RunAggregationQueryResponse { transaction, ..Default::default() });
        }
        if wants_plan_alone(request.explain_options.as_ref()) {
            let metrics = plan_alone(&session, &aggregated(&query, &aggregations)?, &from).await?;
            let reply =
                v1::RunAggregationQueryResponse { explain_metrics: Some(metrics), ..Default::default() };
            replies.push(reply);
            return Ok(replies);
        }
        let explain = Explain::start(request.explain_options.as_ref());
        let results = aggregate(&session, &query, &aggregations, &from).await?;
        let explain_metrics = match explain {
            None => None,
            // An aggregation costs as much as the query over its documents.
            Some(explain) => {
                Some(explain.finish(&session.run(&query, Some(results.read_time)).await?.stats, 1))
            }
        };
        let fields = results.value.into_iter().map(|(alias, value)| (alias, from_value(value))).collect();
        replies.push(v1::RunAggregationQueryResponse {
            result: Some(v1::AggregationResult { aggregate_fields: fields }),
            read_time: Some(from_ts(results.read_time)),
            explain_metrics,
            ..Default::default()
        });
        Ok(replies)
    }

    /// `PartitionQuery`: cursors that split the documents of a collection group into parts of about one size. Clients
    /// ask for one cursor fewer than they want parts.
    pub(super) async fn partition(
        &self,
        caller: &Caller,
        request: v1::PartitionQueryRequest,
    ) -> Result<v1::PartitionQueryResponse> {
        let (id, parent) = parent(&request.parent)?;
        let Some(partition_query_request::QueryType::StructuredQuery(query)) = request.query_type else {
            return Err(missing("structured_query"));
        };
        if !(1..=MAX_PARTITIONS).contains(&request.partition_count) {
            return Err(Error::invalid(
                "PartitionCount",
                format!("partition_count must be between 1 and {MAX_PARTITIONS}."),
            ));
        }
        let query = to_query(&id, parent, query)?;
        let session = self.session(caller, &id).await?;
        let selector = selector!(request.consistency_selector, v1::partition_query_request);
        let (from, _) = resolve(&session, selector).await?;
        let ReadFrom::State(at) = from else { return Err(missing("read_time")) };
        let count = u32::try_from(request.partition_count).unwrap_or(1);
        let size = usize::try_from(request.page_size)
            .map_err(|_| Error::invalid("PageSize", "page_size is negative"))?;
        let last = read_page_token::<v1::Cursor>(&request.page_token)?;
        let last = last.map(|cursor| to_values(cursor.values)).transpose()?;
        let cursors = session.partition(&query, count, at).await?.value.into_iter();
        let mut rest = cursors.filter(|cursor| last.as_ref().is_none_or(|last| cursor.values > *last));
        let page = rest.by_ref().take(if size == 0 { usize::MAX } else { size });
        let partitions: Vec<_> = page
            .map(|cursor| v1::Cursor {
                values: cursor.values.into_iter().map(from_value).collect(),
                before: cursor.before,
            })
            .collect();
        let next_page_token = match partitions.last() {
            Some(last) if rest.next().is_some() => page_token(last),
            _ => String::new(),
        };
        Ok(v1::PartitionQueryResponse { partitions, next_page_token })
    }
}

/// One reply per document. The last says that it is the last; without documents a reply of its own does.
fn results(
    id: DatabaseId,
    result: QueryResult,
    explain_metrics: Option<v1::ExplainMetrics>,
) -> impl Iterator<Item = v1::RunQueryResponse> {
    let read_time = Some(from_ts(result.read_time));
    let (mut documents, held) = (result.documents, result.held);
    let last = documents.pop();
    let last = iter::once((last, explain_metrics, Some(ContinuationSelector::Done(true))));
    let others = documents.into_iter().map(|document| (Some(document), None, None));
    others.chain(last).map(move |(document, explain_metrics, continuation_selector)| {
        // As long as documents wait to be sent, their memory counts.
        let _held = &held;
        v1::RunQueryResponse {
            document: document.map(|document| from_document(&id, document, None)),
            read_time,
            explain_metrics,
            continuation_selector,
            ..Default::default()
        }
    })
}

async fn run(session: &Session, query: &Query, from: &ReadFrom) -> Result<QueryResult> {
    match from {
        ReadFrom::State(at) => session.run(query, *at).await,
        ReadFrom::Transaction(id) => session.run_in(*id, query).await,
    }
}

async fn aggregate(
    session: &Session,
    query: &Query,
    aggregations: &[(String, Aggregation)],
    from: &ReadFrom,
) -> Result<Snapshot<Vec<(String, Value)>>> {
    match from {
        ReadFrom::State(at) => session.aggregate(query, aggregations, *at).await,
        ReadFrom::Transaction(id) => session.aggregate_in(*id, query, aggregations).await,
    }
}
