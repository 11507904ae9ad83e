//! Query plans and execution statistics.

use std::collections::BTreeMap;
use std::time::Duration;

use prost_types::value::Kind;
use prost_types::{Struct, Value};
use tokio::time::Instant;

use super::consistency::ReadFrom;
use crate::pb::v1;
use docstore::Session;
use docstore::error::Result;
use docstore::model::Query;
use docstore::query::QueryStats;

/// A request that wants to be explained, and runs.
pub(super) struct Explain {
    started: Instant,
}

impl Explain {
    /// Starts the clock, where the request asks for it.
    pub(super) fn start(options: Option<&v1::ExplainOptions>) -> Option<Self> {
        options.filter(|options| options.analyze).map(|_| Self { started: Instant::now() })
    }

    /// The plan and the cost of a run that answered with `results` results.
    pub(super) fn finish(self, stats: &QueryStats, results: u64) -> v1::ExplainMetrics {
        let debug =
            [("index_entries_scanned", stats.entries_read), ("documents_scanned", stats.documents_read)];
        let debug = debug.into_iter().map(|(name, count)| (name.to_owned(), text(&count.to_string())));
        v1::ExplainMetrics {
            plan_summary: Some(plan(stats)),
            execution_stats: Some(v1::ExecutionStats {
                results_returned: whole(results),
                execution_duration: Some(duration(self.started.elapsed())),
                read_operations: whole(stats.documents_read.max(1)),
                debug_stats: Some(Struct { fields: debug.collect() }),
            }),
        }
    }
}

/// True if the request wants its plan without execution.
pub(super) fn wants_plan_alone(options: Option<&v1::ExplainOptions>) -> bool {
    options.is_some_and(|options| !options.analyze)
}

/// The plan alone. Asking for one result plans and reads next to nothing; a transaction does not come to rest on it.
pub(super) async fn plan_alone(
    session: &Session,
    query: &Query,
    from: &ReadFrom,
) -> Result<v1::ExplainMetrics> {
    let at = match from {
        ReadFrom::State(at) => *at,
        ReadFrom::Transaction(txn) => Some(session.database().txn_read_time(*txn)?),
    };
    let first = Query { limit: Some(query.limit.unwrap_or(1).min(1)), ..query.clone() };
    let stats = session.run(&first, at).await?.stats;
    Ok(v1::ExplainMetrics { plan_summary: Some(plan(&stats)), execution_stats: None })
}

fn plan(stats: &QueryStats) -> v1::PlanSummary {
    let index = |(scope, properties): &(String, String)| {
        let fields = [("query_scope", scope), ("properties", properties)];
        let fields: BTreeMap<_, _> =
            fields.into_iter().map(|(name, value)| (name.to_owned(), text(value))).collect();
        Struct { fields }
    };
    v1::PlanSummary { indexes_used: stats.indexes.iter().map(index).collect() }
}

fn text(value: &str) -> Value {
    Value { kind: Some(Kind::StringValue(value.to_owned())) }
}

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn duration(elapsed: Duration) -> prost_types::Duration {
    prost_types::Duration {
        seconds: i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX),
        nanos: i32::try_from(elapsed.subsec_nanos()).unwrap_or(0),
    }
}
