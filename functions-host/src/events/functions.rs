//! What events need to know of the functions they are for.

use futures::future::BoxFuture;

use super::delivery::{Delivery, Head};
use super::lanes::Limits;
use super::retry::Policy;
use super::timetable::Scheduled;
use super::trigger::Listener;

/// The functions, as they are now: a reload changes every answer.
pub(crate) trait Deliver: Send + Sync + 'static {
    /// Hands a delivery over and waits until it is dealt with.
    ///
    /// # Errors
    /// Why it failed, for people.
    fn deliver(&self, delivery: Delivery) -> BoxFuture<'static, Result<(), String>>;

    /// How failures of this delivery are met; `None` when its function is gone.
    fn policy(&self, head: &Head) -> Option<Policy>;

    /// What the function may be sent at once.
    fn limits(&self, function: &str) -> Limits;

    /// Who listens to what.
    fn listeners(&self) -> Vec<Listener>;

    /// Who runs by the clock.
    fn scheduled(&self) -> Vec<Scheduled>;

    /// Whether a function has a task queue.
    fn has_queue(&self, region: &str, name: &str) -> bool;
}
