//! Queries: checking, planning and running them.
//!
//! A query is checked and brought into one form: complete orders, and the filter as a disjunction of conjunctions. Every
//! index entry ends with the bytes that sort its document among the results. So a conjunction is a join of index ranges
//! with equal endings, a disjunction is a merge of conjunctions, and results come in order without a sort; limits and
//! cursors cut the ranges, and documents are fetched only for results.
//!
//! What single-field entries cannot put in order needs an index over several fields, declared or learned: the query is
//! answered from the best single-field entries and a sort, and the index is built meanwhile. So is one that saves a join
//! in which most entries had no counterpart, and one of a group below a document whose other members would be read and
//! dropped. Then what a query reads grows with what it finds; [`QueryStats`] says what it was.
//!
//! # What reads more than it finds
//!
//! Some do by their nature:
//!
//! | query | what it reads beside its results |
//! | --- | --- |
//! | inequalities on several fields | a few entries for each value, in its range, of the fields that come first in the order: results have to come in that order, and behind each of its values the next field's range begins anew. What lies between is jumped over. Where the first field has a value of its own in every document, that is all of its range; order by the field that says most. |
//! | `offset` | every result that is skipped |
//! | a condition on a value of more than 1,500 bytes | every document whose value begins like it: entries hold no more |
//! | nearest vectors | every document that passes the filter: the search is exact |
//! | sums and averages | every document that is summed up; a count reads entries alone |
//! | all collections together, with a filter or an order | every document below the parent: an index is of one collection id |
//! | one whose index is not there yet | the candidates of its most telling equalities, or all documents |

pub(crate) mod aggregate;
mod fair_queue;
mod matches;
mod nearest;
mod normal;
mod pace;
mod plan;
mod reader;
mod run;
mod scan;
#[cfg(test)]
mod tests;
mod tree;

pub use aggregate::MAX_AGGREGATIONS;
pub use normal::{MAX_DISJUNCTIONS, MAX_IN_VALUES, MAX_NOT_IN_VALUES};

pub use fair_queue::{READING, WAITING, WAITING_OF_ONE};
pub use pace::Pace;
pub(crate) use pace::Shared;

pub(crate) use normal::{Normal, Test, TestOp};
pub(crate) use plan::{Wanting, lacking};
pub(crate) use reader::Reader;
pub(crate) use run::{Ran, Wanted, project, run, run_adding};

use crate::Result;
use crate::model::{Aggregation, Document, Query, Ts};

/// Checks a query without running it.
///
/// # Errors
/// `InvalidArgument` for a query that Firestore refuses.
pub fn check(query: &Query) -> Result<()> {
    Normal::new(query).map(drop)
}

/// The query that is run for an aggregation over `query`.
///
/// # Errors
/// `InvalidArgument` for too many aggregations.
pub fn aggregated(query: &Query, aggregations: &[(String, Aggregation)]) -> Result<Query> {
    Ok(aggregate::needed(query, aggregations)?.0)
}

/// A value and the version it was read at.
#[derive(Debug, Clone)]
pub struct Snapshot<T> {
    /// Value read.
    pub value: T,
    /// Version it was read at.
    pub read_time: Ts,
}

/// Result of a query.
#[derive(Debug, Clone)]
pub struct QueryResult {
    /// Documents in the query's order, projected.
    pub documents: Vec<Document>,
    /// Version they were read at.
    pub read_time: Ts,
    /// Cost of the query.
    pub stats: QueryStats,
    /// Counts the memory of the documents; keep it as long as them.
    pub held: Option<std::sync::Arc<Pace>>,
}

/// Cost of a query: the numbers behind `explain`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryStats {
    /// Versions of index entries and document keys examined.
    pub entries_read: u64,
    /// Documents fetched.
    pub documents_read: u64,
    /// Results, without skipped ones.
    pub results: u64,
    /// The indexes used, as `(query scope, properties)` in the words of the protocol's `PlanSummary`.
    pub indexes: Vec<(String, String)>,
}
