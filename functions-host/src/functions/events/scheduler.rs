//! Scheduled functions: each run is queued when it is due. Runs missed while the server was off are not made up for,
//! and a run is not queued while the previous one is unfinished.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use docstore::Result;
use docstore::model::Ts;
use serde_json::json;

use super::delivery::{Delivery, Kind};
use super::functions::Deliver;
use super::queue::Queue;
use super::schedule::Schedule;
use super::text;
use super::trigger::Generation;

/// Longest sleep, so that a changed clock or a new function is noticed.
const LONGEST_SLEEP: Duration = Duration::from_secs(15);

/// A function with a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scheduled {
    /// The function's id.
    pub(crate) function: String,
    pub(crate) generation: Generation,
    pub(crate) region: String,
    /// In cron or App Engine syntax.
    pub(crate) schedule: String,
    pub(crate) zone: Option<String>,
}

impl Scheduled {
    /// The delivery of the run due at `due`.
    pub(super) fn run(&self, project: &str, due: Ts, now: Ts) -> Delivery {
        let Self { function, region, .. } = self;
        let job = format!("firebase-schedule-{function}-{region}");
        let time = text::time(due);
        let mut delivery = match self.generation {
            Generation::First => {
                let body = json!({
                    "data": {},
                    "context": {
                        "eventId": format!("{}-{function}", due.micros()),
                        "timestamp": time,
                        "eventType": "google.pubsub.topic.publish",
                        "resource": {
                            "service": "pubsub.googleapis.com",
                            "name": format!("projects/{project}/topics/{job}"),
                        },
                        "params": {},
                    },
                });
                Delivery::new(function.clone(), Kind::Event, now, body.to_string().into())
            }
            Generation::Second => {
                let mut delivery = Delivery::new(function.clone(), Kind::Schedule, now, "{}".into());
                let name = format!("projects/{project}/locations/{region}/jobs/{job}");
                delivery.head.headers = vec![
                    ("x-cloudscheduler".to_owned(), "true".to_owned()),
                    ("x-cloudscheduler-jobname".to_owned(), name),
                    ("x-cloudscheduler-scheduletime".to_owned(), time),
                ];
                delivery
            }
        };
        delivery.head.ordering_key = Some("schedule".to_owned());
        delivery.head.name = Some(format!("{}-{function}", due.micros()));
        delivery
    }
}

/// The schedule of one function.
#[derive(Debug)]
struct Plan {
    scheduled: Scheduled,
    /// `None` if the schedule is invalid or never due.
    next: Option<(Schedule, Ts)>,
}

/// The schedules of all functions.
#[derive(Debug, Default)]
struct Plans {
    by_function: HashMap<String, Plan>,
    /// The time at which runs were last looked for.
    looked: Ts,
}

impl Plans {
    /// Updates the schedules. Returns the runs due now, with the time each was due.
    fn due(&mut self, wanted: Vec<Scheduled>, now: Ts) -> Vec<(Scheduled, Ts)> {
        if now < self.looked {
            // The clock was set back: the next runs were planned from a time that is to come.
            self.by_function.clear();
        }
        self.looked = now;
        self.by_function.retain(|_, plan| wanted.contains(&plan.scheduled));
        let mut due = Vec::new();
        for scheduled in wanted {
            let plan = self.by_function.entry(scheduled.function.clone()).or_insert_with(|| {
                let next = match Schedule::new(&scheduled.schedule, scheduled.zone.as_deref()) {
                    Ok(schedule) => schedule.next(now).map(|next| (schedule, next)),
                    Err(error) => {
                        let function = scheduled.function.as_str();
                        tracing::error!(target: "functions", function, "{}: it will not run", error.message());
                        None
                    }
                };
                Plan { scheduled: scheduled.clone(), next }
            });
            if let Some((schedule, at)) = plan.next.take() {
                let passed = at <= now;
                let next = if passed { schedule.next(now) } else { Some(at) };
                if passed {
                    due.push((scheduled, at));
                }
                plan.next = next.map(|next| (schedule, next));
            }
        }
        due
    }

    fn next(&self) -> Option<Ts> {
        self.by_function.values().filter_map(|plan| plan.next.as_ref().map(|(_, next)| *next)).min()
    }
}

/// State of the scheduler's task.
pub(super) struct Scheduler {
    pub(super) queue: Arc<Queue>,
    pub(super) project: Arc<str>,
    pub(super) functions: Arc<dyn Deliver>,
    pub(super) enabled: Arc<AtomicBool>,
}

impl Scheduler {
    /// Queues runs until the task is aborted.
    pub(super) async fn run(self) {
        let mut plans = Plans::default();
        let mut last: HashMap<String, u64> = HashMap::new();
        loop {
            let clock_set = self.queue.clock_set();
            let now = self.queue.now();
            for (scheduled, at) in plans.due(self.functions.scheduled(), now) {
                if !self.enabled.load(Ordering::Acquire) {
                    continue;
                }
                if let Err(error) = self.begin(&scheduled, at, &mut last).await {
                    let function = scheduled.function.as_str();
                    tracing::error!(target: "functions", function, "a run cannot be queued: {}", error.message());
                }
            }
            let now = self.queue.now();
            let until = plans.next().map_or(LONGEST_SLEEP, |next| {
                Duration::from_micros(next.micros().saturating_sub(now.micros()))
            });
            tokio::select! {
                () = tokio::time::sleep(until.min(LONGEST_SLEEP)) => {}
                () = clock_set => {}
            }
        }
    }

    async fn begin(&self, scheduled: &Scheduled, at: Ts, last: &mut HashMap<String, u64>) -> Result<()> {
        if let Some(number) = last.get(&scheduled.function)
            && self.queue.get(*number).await?.is_some()
        {
            let function = scheduled.function.as_str();
            tracing::warn!(target: "functions", function, "its previous run is unfinished: this run is skipped");
            return Ok(());
        }
        let run = scheduled.run(&self.project, at, self.queue.now());
        let number = self.queue.push(vec![run], Vec::new()).await?;
        last.insert(scheduled.function.clone(), number);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every(minutes: u64) -> Scheduled {
        Scheduled {
            function: "f".into(),
            generation: Generation::Second,
            region: "us-central1".into(),
            schedule: format!("every {minutes} minutes"),
            zone: None,
        }
    }

    fn at(minutes: u64) -> Ts {
        Ts::from_micros(minutes * 60_000_000)
    }

    #[test]
    fn runs_are_due_once_each_and_follow_changes() {
        let mut plans = Plans::default();
        assert!(plans.due(vec![every(5)], at(1)).is_empty());
        assert_eq!(plans.next(), Some(at(5)));
        assert_eq!(plans.due(vec![every(5)], at(5)), [(every(5), at(5))]);
        assert!(plans.due(vec![every(5)], at(5)).is_empty());
        // After a sleep of the machine a function runs once, not once per missed run.
        assert_eq!(plans.due(vec![every(5)], at(61)), [(every(5), at(10))]);
        assert_eq!(plans.next(), Some(at(65)));
        assert!(plans.due(vec![every(7)], at(62)).is_empty());
        assert_eq!(plans.next(), Some(at(63)));
        assert!(plans.due(Vec::new(), at(100)).is_empty());
        assert_eq!(plans.next(), None);
        assert!(plans.due(vec![every(5)], at(100)).is_empty());
        assert!(plans.due(vec![every(5)], at(11)).is_empty());
        assert_eq!(plans.next(), Some(at(15)), "after the clock was set back");
        let broken = Scheduled { schedule: "now and then".into(), ..every(1) };
        assert!(plans.due(vec![broken], at(100)).is_empty());
        assert_eq!(plans.next(), None);
    }
}
