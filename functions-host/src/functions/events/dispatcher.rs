//! The dispatcher: hands queued deliveries to their functions, in order per ordering key, and retries or buries those
//! that fail.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use docstore::model::Ts;
use docstore::{Code, Result};
use futures::FutureExt as _;
use tokio::task::JoinSet;
use tokio::time::Duration;

use super::delivery::Delivery;
use super::functions::Deliver;
use super::order::{DeliveryOrder, Waiting};
use super::queue::Queue;
use super::retry::later;

/// Most deliveries in flight.
pub(super) const MAX_UNDER_WAY: usize = 64;
/// Most deliveries scheduled in memory; the rest stay in the stored queue.
const MAX_KNOWN: usize = 50_000;
/// Wait before a failed store operation is retried.
const PAUSE: Duration = Duration::from_secs(1);
/// Longest failure reason that is stored, in bytes, approximately.
const MAX_REASON: usize = 8 << 10;

/// State of the dispatcher's task.
pub(super) struct Dispatcher {
    pub(super) queue: Arc<Queue>,
    pub(super) deliver: Arc<dyn Deliver>,
}

/// Outcome of one attempt.
enum Outcome {
    Over,
    Again(Ts),
}

impl Dispatcher {
    /// Delivers until the task is aborted. Deliveries in flight at that moment are repeated after the next start.
    pub(super) async fn run(self) {
        let mut order = DeliveryOrder::default();
        let mut running: JoinSet<(Waiting, Outcome)> = JoinSet::new();
        let mut loaded = 0;
        let mut more = true;
        loop {
            if more && order.len() < MAX_KNOWN {
                more = self.load(&mut order, &mut loaded).await;
            }
            let clock_set = self.queue.clock_set();
            let now = self.queue.now();
            while running.len() < MAX_UNDER_WAY
                && let Some(waiting) = order.take(now, |function| self.deliver.limits(function))
            {
                let (queue, deliver) = (Arc::clone(&self.queue), Arc::clone(&self.deliver));
                running.spawn(async move {
                    let tried = AssertUnwindSafe(attempt(&queue, &*deliver, waiting.number)).catch_unwind();
                    let outcome =
                        tried.await.unwrap_or_else(|_panic| Outcome::Again(later(queue.now(), PAUSE)));
                    (waiting, outcome)
                });
            }
            self.queue.numbers().known(order.len());
            if more && order.len() < MAX_KNOWN {
                // A full page was loaded: the next may hold something for a free ordering key.
                if let Some(ended) = running.try_join_next() {
                    settle(&mut order, ended);
                }
                continue;
            }
            let due = order.next_due(now).filter(|_| running.len() < MAX_UNDER_WAY);
            let wait = due.map(|due| Duration::from_micros(due.micros().saturating_sub(now.micros())));
            tokio::select! {
                Some(ended) = running.join_next() => settle(&mut order, ended),
                () = self.queue.changed() => more = true,
                () = tokio::time::sleep(wait.unwrap_or_default()), if wait.is_some() => {}
                () = clock_set => {}
            }
        }
    }

    /// Loads the next page of the queue. Returns true if there may be more.
    async fn load(&self, order: &mut DeliveryOrder, loaded: &mut u64) -> bool {
        match self.queue.page(*loaded).await {
            Ok(page) => {
                let Some((last, _)) = page.last() else { return false };
                *loaded = *last;
                for (number, head) in page {
                    let due = head.not_before();
                    let (function, ordering_key) = (head.function.into(), head.ordering_key.map(Into::into));
                    order.add(Waiting { number, function, ordering_key, due });
                }
                true
            }
            Err(error) => {
                tracing::error!(target: "functions", "the queue of events cannot be read: {}", error.message());
                tokio::time::sleep(PAUSE).await;
                true
            }
        }
    }
}

fn settle(order: &mut DeliveryOrder, ended: Result<(Waiting, Outcome), tokio::task::JoinError>) {
    match ended {
        Ok((waiting, Outcome::Over)) => order.done(&waiting),
        Ok((waiting, Outcome::Again(due))) => order.again(&waiting, due),
        Err(error) => tracing::error!(target: "functions", "a delivery ended abnormally: {error}"),
    }
}

/// Attempts a delivery and records its outcome, retrying until the store accepts it.
async fn attempt(queue: &Queue, deliver: &dyn Deliver, number: u64) -> Outcome {
    let result = match queue.get(number).await {
        Ok(None) => return Outcome::Over,
        Ok(Some(delivery)) => once(queue, deliver, delivery).await,
        Err(error) if error.code() == Code::DataLoss => Tried::Dead(error.message().to_owned()),
        Err(_unreadable) => return Outcome::Again(later(queue.now(), PAUSE)),
    };
    loop {
        let noted = match &result {
            Tried::Delivered => queue.remove(number).await,
            Tried::Dead(why) => queue.bury(number, why).await,
            Tried::Again { failures, due } => queue.again(number, *failures, *due).await,
        };
        match (noted, &result) {
            (Ok(()), Tried::Again { due, .. }) => return Outcome::Again(*due),
            (Ok(()), Tried::Delivered | Tried::Dead(_)) => return Outcome::Over,
            (Err(error), _) if error.code() == Code::NotFound => return Outcome::Over,
            (Err(error), _) => {
                tracing::error!(target: "functions", "the outcome of a delivery cannot be stored: {}", error.message());
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

enum Tried {
    Delivered,
    Again { failures: u32, due: Ts },
    Dead(String),
}

async fn once(queue: &Queue, deliver: &dyn Deliver, delivery: Delivery) -> Tried {
    let head = delivery.head.clone();
    let Some(policy) = deliver.policy(&head) else {
        return Tried::Dead(format!("there is no function {} any more", head.function));
    };
    let Err(mut why) = deliver.deliver(delivery).await else {
        queue.numbers().delivered();
        return Tried::Delivered;
    };
    if let Some((end, _)) = why.char_indices().find(|(at, _)| *at >= MAX_REASON) {
        why.truncate(end);
    }
    queue.numbers().failed();
    let failures = head.failures + 1;
    let function = head.function.as_str();
    match policy.again(failures, head.queued, queue.now()) {
        Some(due) => {
            tracing::warn!(target: "functions", function, failures, "an event failed and will be tried again");
            Tried::Again { failures, due }
        }
        None => {
            let reason = why.lines().next().unwrap_or_default();
            tracing::error!(target: "functions", function, failures, "an event failed and is given up: {reason}");
            Tried::Dead(why)
        }
    }
}

#[cfg(test)]
mod tests;
