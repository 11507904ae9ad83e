//! Queries: checking, planning and running them.
//!
//! A query is checked and brought into one form: complete orders, and the filter as a disjunction of conjunctions. Every
//! index entry ends with the bytes that sort its document among the results. So a conjunction is a join of index ranges
//! with equal endings, a disjunction is a merge of conjunctions, and results come in order without a sort; limits and
//! cursors cut the ranges, and documents are fetched only for results.
//!
//! What single-field entries cannot put in order needs an index over several fields, declared or learned: the query is
//! answered from the best single-field entries and a sort, and the index is built meanwhile. So is one that saves a join
//! in which most entries had no counterpart. Then what a query reads grows with what it finds; [`QueryStats`] says what
//! it was.

pub(crate) mod aggregate;
mod matches;
mod nearest;
mod normal;
mod plan;
mod run;
mod scan;
mod tree;

pub use aggregate::MAX_AGGREGATIONS;
pub use normal::{MAX_DISJUNCTIONS, MAX_IN_VALUES, MAX_NOT_IN_VALUES};

pub(crate) use normal::{Normal, Test, TestOp};
pub(crate) use plan::{Wanting, lacking};
pub(crate) use run::{Ran, Reader, Wanted, project, run};

use crate::model::{Document, Ts};

/// A value and the version it was read at.
#[derive(Debug, Clone)]
pub struct Snapshot<T> {
    /// What was read.
    pub value: T,
    /// The version.
    pub read_time: Ts,
}

/// What a query found.
#[derive(Debug, Clone)]
pub struct QueryResult {
    /// The documents, in the query's order, projected.
    pub documents: Vec<Document>,
    /// The version they were read at.
    pub read_time: Ts,
    /// What it cost.
    pub stats: QueryStats,
}

/// What a query cost: the numbers behind `explain`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryStats {
    /// Versions of index entries and document keys looked at.
    pub entries_read: u64,
    /// Documents fetched.
    pub documents_read: u64,
    /// Results, skipped ones not included.
    pub results: u64,
    /// The indexes used, as `(query scope, properties)` in the words of the protocol's `PlanSummary`.
    pub indexes: Vec<(String, String)>,
}
