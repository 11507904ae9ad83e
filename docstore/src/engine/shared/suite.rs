//! The behaviour of a shared log: one suite, every implementation a subject.

#![allow(clippy::unwrap_used, reason = "a failed step fails the test")]

mod appending;
mod base;
mod histories;
mod leading;

use bytes::Bytes;

use super::{BatchId, Head, NewBatch, NodeId, Position, SharedLog};
use crate::engine::Term;
use crate::model::Ts;
use crate::{Code, Result};

/// One kind of shared log: an empty one for each case.
pub trait Subject: Sync {
    /// A node's connection.
    type Log: SharedLog;
    /// State of the whole log at one moment.
    type Backup: Send;

    /// Connects as a node.
    fn connect(&self, node: NodeId) -> impl Future<Output = Self::Log> + Send;
    /// Copies everything.
    fn backup(&self) -> impl Future<Output = Self::Backup> + Send;
    /// Puts the log back to an earlier state. Connections may break.
    fn restore(&self, backup: Self::Backup) -> impl Future<Output = ()> + Send;
    /// Removes the batch at `ts`.
    fn damage(&self, ts: Ts) -> impl Future<Output = ()> + Send;
}

macro_rules! cases {
    ($($module:ident::$name:ident,)*) => {
        /// Names of all cases.
        pub const CASES: &[&str] = &[$(stringify!($name)),*];

        /// Runs one of [`CASES`] on an empty log.
        ///
        /// # Panics
        /// When the log behaves differently, or there is no such case.
        pub async fn run(case: &str, subject: &impl Subject) {
            match case {
                $(stringify!($name) => Box::pin($module::$name(subject)).await,)*
                _ => panic!("there is no case {case}"),
            }
        }
    };
}

cases! {
    appending::a_new_log_is_empty,
    appending::batches_follow_one_another_for_every_reader,
    appending::a_read_ends_at_its_limit_of_bytes,
    appending::payloads_come_back_byte_for_byte,
    appending::an_append_needs_its_predecessor,
    appending::of_appends_to_one_place_one_is_stored,
    appending::what_cannot_be_a_batch_is_refused,
    appending::news_reach_every_node,
    leading::a_new_term_fences_the_one_before,
    leading::a_term_is_its_leaders_alone,
    leading::a_take_over_needs_the_head_that_it_saw,
    leading::of_take_overs_at_once_one_succeeds,
    leading::an_append_that_arrived_is_settled_as_stored,
    leading::an_append_that_did_not_arrive_never_does_once_settled,
    leading::an_append_is_settled_after_another_node_has_led,
    base::the_base_is_what_was_folded,
    base::a_fold_needs_the_base_and_a_batch,
    base::large_bases_come_in_parts,
    base::a_base_is_of_one_moment,
    base::trimming_takes_what_is_folded,
    base::a_log_that_is_trimmed_whole_goes_on,
    histories::a_reader_ahead_of_a_restored_log_notices,
    histories::a_reader_of_another_branch_notices,
    histories::a_leader_of_a_lost_history_is_fenced,
    histories::a_fold_of_a_lost_history_is_refused,
    histories::a_gap_is_damage,
}

/// The node with this number.
fn node(number: u128) -> NodeId {
    NodeId(number)
}

/// A place made of one number.
fn place(number: u64) -> Position {
    Position { ts: Ts::from_micros(number), batch: BatchId(u128::from(number)) }
}

/// The batch after `prev` at [`place`] `number`, with the number as its contents.
fn batch(prev: Position, number: u64) -> NewBatch {
    NewBatch { position: place(number), prev, payload: Bytes::from(number.to_string()) }
}

/// Begins a term.
async fn lead(log: &impl SharedLog) -> Head {
    let seen = again(|| log.head()).await.unwrap();
    again(|| log.take_over(&seen)).await.unwrap()
}

/// Appends batches at the places of `numbers`, after the head's.
async fn append(log: &impl SharedLog, head: &Head, numbers: &[u64]) -> Position {
    let mut prev = head.position;
    for number in numbers {
        log.append(head.term, batch(prev, *number)).await.unwrap();
        prev = place(*number);
    }
    prev
}

/// Places of the batches after `after`.
async fn places(log: &impl SharedLog, after: Position) -> Vec<Position> {
    let slice = again(|| log.read(after, usize::MAX)).await.unwrap();
    slice.batches.into_iter().map(|batch| batch.position).collect()
}

/// Code and tag of a failure.
fn failure<T: std::fmt::Debug>(result: Result<T>) -> (Code, &'static str) {
    let error = result.unwrap_err();
    (error.code(), error.tag())
}

const FENCED: (Code, &str) = (Code::Aborted, "Fenced");

/// Calls again while the log is away: a restore may have broken the connection.
async fn again<T, F: Future<Output = Result<T>>>(mut call: impl FnMut() -> F) -> Result<T> {
    const ATTEMPTS: usize = 20;
    let mut result = call().await;
    for _ in 1..ATTEMPTS {
        match result {
            Err(error) if error.code() == Code::Unavailable => result = call().await,
            other => return other,
        }
    }
    result
}

/// A term that no node has begun in these cases.
const NO_TERM: Term = Term(1_000);
