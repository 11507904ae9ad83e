//! HTTP requests to events: publishing, tasks, and events by hand.

use docstore::{Code, Error, Result};
use serde_json::Value;

use super::pubsub::{self, Publish};
use super::task::{Place, Task};
use super::{Events, custom};

/// Prefix of the topic name of a scheduled function.
const SCHEDULE_TOPIC: &str = "firebase-schedule-";

impl Events {
    /// Sends an event to one function, or starts a run of a scheduled one. `trigger` is the function's id, with its
    /// region before it and a number behind it where the official suite puts them.
    pub(super) async fn trigger(&self, project: &str, trigger: &str, body: &[u8]) -> Result<()> {
        self.check_project(project)?;
        let now = self.queue.now();
        let named = |function: &str| is_named(trigger, function);
        if let Some(scheduled) = self.functions.scheduled().into_iter().find(|one| named(&one.function)) {
            let run = scheduled.run(&self.project, now, now);
            return self.queue.push(vec![run], Vec::new()).await.map(drop);
        }
        let Some(listener) = self.functions.listeners().into_iter().find(|one| named(&one.function)) else {
            let message = format!("there is no function {trigger} that events or the clock call");
            return Err(Error::new(Code::NotFound, "NoTrigger", message));
        };
        let delivery = custom::by_hand(&listener, read(body)?, now)?;
        self.queue.push(vec![delivery], Vec::new()).await.map(drop)
    }

    /// Publishes messages. Returns their ids.
    pub(crate) async fn publish(&self, project: &str, topic: &str, body: &[u8]) -> Result<Vec<String>> {
        let publish: Publish = serde_json::from_slice(body).map_err(bad_json)?;
        self.publish_messages(project, topic, publish).await
    }

    /// Publishes parsed messages. A schedule's own topic starts a run of its function, as in the official suite.
    pub(super) async fn publish_messages(
        &self,
        project: &str,
        topic: &str,
        publish: Publish,
    ) -> Result<Vec<String>> {
        self.check_project(project)?;
        let messages = publish.check()?;
        let now = self.queue.now();
        let first = self.queue.reserve(messages.len()).await;
        let messages: Vec<_> = (first..).map(|number| number.to_string()).zip(messages).collect();
        let listeners = self.functions.listeners();
        let mut deliveries = pubsub::deliveries(&listeners, project, topic, &messages, now);
        if let Some(name) = topic.strip_prefix(SCHEDULE_TOPIC)
            && let Some(scheduled) = self.functions.scheduled().into_iter().find(|one| one.function == name)
        {
            deliveries.extend(messages.iter().map(|_| scheduled.run(project, now, now)));
        }
        if deliveries.is_empty() {
            tracing::info!(target: "functions", topic, "no function listens to this topic");
        }
        self.queue.push(deliveries, Vec::new()).await?;
        Ok(messages.into_iter().map(|(id, _)| id).collect())
    }

    /// Publishes CloudEvents.
    pub(super) async fn publish_events(&self, body: &[u8]) -> Result<()> {
        let body = read(body)?;
        let Some(events) = body.get("events").and_then(Value::as_array) else {
            return Err(Error::invalid("BadEvent", "send {\"events\": […]}"));
        };
        let listeners = self.functions.listeners();
        let now = self.queue.now();
        let mut deliveries = Vec::new();
        for event in events {
            deliveries.extend(custom::deliveries(&listeners, &custom::read_published(event)?, now));
        }
        self.queue.push(deliveries, Vec::new()).await.map(drop)
    }

    /// Queues a task. Returns the reply to its creator.
    pub(super) async fn create_task(&self, place: Place<'_>, body: &[u8]) -> Result<Value> {
        self.check_queue(place)?;
        let now = self.queue.now();
        let number = self.queue.reserve(1).await;
        let task = Task::read(&read(body)?, place, number, now)?;
        let shown = task.shown(place, now);
        let name = task.name.clone();
        let pushed = self.queue.push(vec![task.delivery(place.queue, place, now)], Vec::new()).await;
        match pushed {
            Ok(_) => Ok(shown),
            Err(error) if error.code() == Code::AlreadyExists => {
                let message = format!("there is a task {name} already");
                Err(Error::new(Code::AlreadyExists, "TaskExists", message))
            }
            Err(error) => Err(error),
        }
    }

    /// Deletes a task from its queue.
    pub(super) async fn delete_task(&self, place: Place<'_>, task: &str) -> Result<()> {
        self.check_queue(place)?;
        match self.queue.claimed(&place.claim(task)).await? {
            Some(number) => self.queue.remove(number).await,
            None => {
                let message = format!("there is no task {task}, or it has run");
                Err(Error::new(Code::NotFound, "NoTask", message))
            }
        }
    }

    fn check_queue(&self, place: Place<'_>) -> Result<()> {
        self.check_project(place.project)?;
        if self.functions.has_queue(place.location, place.queue) {
            return Ok(());
        }
        let Place { location, queue, .. } = place;
        let message = format!("there is no task-queue function {queue} in {location}");
        Err(Error::new(Code::NotFound, "NoQueue", message))
    }

    fn check_project(&self, project: &str) -> Result<()> {
        if project == &*self.project {
            return Ok(());
        }
        let message = format!("this server has the project {}, not {project}", self.project);
        Err(Error::new(Code::NotFound, "NoProject", message))
    }
}

/// True if `trigger` names the function: its id alone, or `{region}-{id}`, or `{region}-{id}-{number}`.
fn is_named(trigger: &str, function: &str) -> bool {
    let bare = trigger.rsplit_once('-').filter(|(_, last)| last.parse::<u32>().is_ok()).map(|(rest, _)| rest);
    [Some(trigger), bare].into_iter().flatten().any(|name| {
        name == function || name.strip_suffix(function).is_some_and(|region| region.ends_with('-'))
    })
}

fn read(body: &[u8]) -> Result<Value> {
    if body.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_slice(body).map_err(bad_json)
}

fn bad_json(cause: serde_json::Error) -> Error {
    Error::invalid("BadJson", format!("the body cannot be read as JSON: {cause}")).with_source(cause)
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn triggers_are_named_as_the_official_suite_names_them() {
        for name in ["tick", "us-central1-tick", "us-central1-tick-0"] {
            assert!(is_named(name, "tick"), "{name}");
        }
        assert!(!is_named("ticktick", "tick"));
        assert!(is_named("us-central1-group-inner-3", "group-inner"));
    }
}
