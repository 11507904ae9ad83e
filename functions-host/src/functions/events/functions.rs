//! The interface between events and the functions that receive them.

use futures::future::BoxFuture;

use super::delivery::{Delivery, Head};
use super::order::Limits;
use super::retry::Policy;
use super::scheduler::Scheduled;
use super::trigger::Listener;

/// The current functions; a reload changes every answer.
pub(crate) trait Deliver: Send + Sync + 'static {
    /// Delivers and waits for the result.
    ///
    /// # Errors
    /// The reason of the failure, as text for people.
    fn deliver(&self, delivery: Delivery) -> BoxFuture<'static, Result<(), String>>;

    /// Retry policy of a delivery; `None` if its function no longer exists.
    fn policy(&self, head: &Head) -> Option<Policy>;

    /// Concurrency limits of a function.
    fn limits(&self, function: &str) -> Limits;

    /// Functions with triggers.
    fn listeners(&self) -> Vec<Listener>;

    /// Functions with schedules.
    fn scheduled(&self) -> Vec<Scheduled>;

    /// True if a function has a task queue.
    fn has_queue(&self, region: &str, name: &str) -> bool;
}
