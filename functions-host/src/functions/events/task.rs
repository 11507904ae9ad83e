//! Task queues: every task-queue function has a queue of its own name, with the API of Cloud Tasks.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use docstore::model::Ts;
use docstore::{Error, Result};
use serde_json::{Value, json};

use super::delivery::{Delivery, Kind};
use super::text;

/// Largest body of a task, in bytes, as in the cloud.
const MAX_TASK_BYTES: usize = 1_000_000;
/// Latest schedule of a task after now, in microseconds: 30 days, as in the cloud.
const MAX_AHEAD: u64 = 30 * 86_400 * 1_000_000;
/// The longest name of a task, in characters.
const MAX_NAME: usize = 500;

/// A task as requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Task {
    /// Its short name.
    pub(super) name: String,
    pub(super) due: Ts,
    headers: Vec<(String, String)>,
    body: Bytes,
}

/// Location of a task queue.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) project: &'a str,
    pub(super) location: &'a str,
    pub(super) queue: &'a str,
}

impl Place<'_> {
    /// The resource name of a task.
    pub(super) fn name(&self, task: &str) -> String {
        let Self { project, location, queue } = self;
        format!("projects/{project}/locations/{location}/queues/{queue}/tasks/{task}")
    }

    /// The claim that keeps the task's name unique while it is queued.
    pub(super) fn claim(&self, task: &str) -> String {
        format!("task-{}-{}-{task}", self.location, self.queue)
    }
}

impl Task {
    /// Reads the body of a create request.
    ///
    /// # Errors
    /// `InvalidArgument`: the fault.
    pub(super) fn read(request: &Value, place: Place<'_>, number: u64, now: Ts) -> Result<Self> {
        let refuse = |what: String| Err(Error::invalid("BadTask", what));
        let Some(task) = request.get("task").filter(|task| task.is_object()) else {
            return refuse("send {\"task\": {\"httpRequest\": {\"body\": base64}}}".to_owned());
        };
        let name = match task.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()) {
            None => number.to_string(),
            Some(full) => {
                let short = full.strip_prefix(place.name("").as_str()).unwrap_or_default();
                let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
                if short.is_empty() || short.len() > MAX_NAME || !short.chars().all(fits) {
                    return refuse(format!(
                        "the task's name must be {} and 1 to {MAX_NAME} letters, digits, - or _",
                        place.name("")
                    ));
                }
                short.to_owned()
            }
        };
        let due = match task.get("scheduleTime").and_then(Value::as_str) {
            None => now,
            Some(text) => match text::parse_time(text) {
                Some(due) if due.micros() <= now.micros() + MAX_AHEAD => due,
                Some(_) => return refuse("scheduleTime is more than 30 days ahead".to_owned()),
                None => return refuse(format!("scheduleTime \"{text}\" is no time in RFC 3339")),
            },
        };
        let request = task.get("httpRequest").cloned().unwrap_or_default();
        let url = request.get("url").and_then(Value::as_str).unwrap_or_default();
        if !url.is_empty() && url.rsplit('/').next() != Some(place.queue) {
            return refuse(format!(
                "tasks go to the function {}, not to {url}: leave the task's uri out",
                place.queue
            ));
        }
        let text = request.get("body").and_then(Value::as_str).unwrap_or_default();
        let body = match STANDARD.decode(text) {
            Ok(body) if body.len() <= MAX_TASK_BYTES => body.into(),
            Ok(_) => return refuse(format!("the body may have {MAX_TASK_BYTES} bytes")),
            Err(cause) => return refuse(format!("httpRequest.body is not base64: {cause}")),
        };
        let headers = request.get("headers").and_then(Value::as_object).into_iter().flatten();
        let headers =
            headers.filter_map(|(name, value)| Some((name.to_lowercase(), value.as_str()?.to_owned())));
        Ok(Self { name, due, headers: headers.collect(), body })
    }

    /// The reply to the creator.
    pub(super) fn shown(&self, place: Place<'_>, now: Ts) -> Value {
        json!({
            "name": place.name(&self.name),
            "scheduleTime": text::time(self.due),
            "createTime": text::time(now),
            "httpRequest": { "body": STANDARD.encode(&self.body), "httpMethod": "POST" },
        })
    }

    /// The task's delivery to `function`.
    pub(super) fn delivery(self, function: &str, place: Place<'_>, now: Ts) -> Delivery {
        let mut delivery = Delivery::new(function.to_owned(), Kind::Task, now, self.body);
        let head = &mut delivery.head;
        head.due = self.due;
        head.claim = Some(place.claim(&self.name));
        head.headers = self.headers;
        let seconds = format!("{}.{:06}", self.due.micros() / 1_000_000, self.due.micros() % 1_000_000);
        head.headers.extend([
            ("x-cloudtasks-queuename".to_owned(), place.queue.to_owned()),
            ("x-cloudtasks-taskname".to_owned(), self.name.clone()),
            ("x-cloudtasks-tasketa".to_owned(), seconds),
        ]);
        head.name = Some(self.name);
        delivery
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place<'static> = Place { project: "p", location: "us-central1", queue: "q" };

    fn read(task: &Value) -> Result<Task> {
        Task::read(&json!({ "task": task }), PLACE, 7, Ts::from_micros(1_000_000))
    }

    #[test]
    fn tasks_are_read_as_the_admin_sdk_sends_them() {
        let task = read(&json!({
            "name": PLACE.name("mine"),
            "scheduleTime": "1970-01-01T01:00:00Z",
            "httpRequest": {"url": "", "body": STANDARD.encode(r#"{"data":1}"#),
                "headers": {"Content-Type": "application/json"}, "oidcToken": {}},
        }));
        let delivery = task.unwrap().delivery("q", PLACE, Ts::ZERO);
        assert_eq!(delivery.head.due, Ts::from_micros(3_600_000_000));
        assert_eq!(delivery.head.claim.as_deref(), Some("task-us-central1-q-mine"));
        let headers = delivery.head.header_map();
        assert_eq!(headers["x-cloudtasks-tasketa"], "3600.000000");
        assert_eq!(headers["content-type"], "application/json");
        assert_eq!(read(&json!({})).unwrap().name, "7");
    }

    #[test]
    fn what_is_wrong_with_a_task_is_said() {
        for (task, why) in [
            (json!({"name": "mine"}), "name must be"),
            (json!({"name": PLACE.name("a b")}), "letters"),
            (json!({"scheduleTime": "soon"}), "RFC 3339"),
            (json!({"scheduleTime": "1970-03-01T00:00:00Z"}), "30 days"),
            (json!({"httpRequest": {"body": "%"}}), "base64"),
            (json!({"httpRequest": {"body": "A".repeat(1_400_000)}}), "bytes"),
            (json!({"httpRequest": {"url": "https://example.com/other"}}), "leave the task's uri out"),
        ] {
            let error = read(&task).unwrap_err();
            assert!(error.message().contains(why), "{task}: {}", error.message());
        }
    }
}
