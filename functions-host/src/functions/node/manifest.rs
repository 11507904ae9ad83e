//! Discovery of a source's functions by the control protocol of the `firebase-functions` package.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use docstore::{Code, Error, Result};
use serde::Deserialize;

use super::environment::Machine;
use super::sdk::Sdk;
use crate::DEFAULT_REGION;
use crate::functions::events::Generation;

/// Time limit for a source to load and describe itself.
const DISCOVERY_TIMEOUT: Duration = Duration::from_secs(30);
/// Largest description of a source's functions, in bytes.
const MAX_MANIFEST: usize = 8 << 20;
/// Bytes of a failed discovery's output that are shown.
const SHOWN_OUTPUT: usize = 4_000;

/// A source's description of itself.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Manifest {
    #[serde(default)]
    endpoints: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    params: Vec<Param>,
}

/// A parameter declared by a source; its value is an environment variable.
#[derive(Debug, Clone, Deserialize)]
struct Param {
    name: String,
    #[serde(default)]
    default: Option<serde_json::Value>,
}

impl Manifest {
    /// Declared defaults of parameters that have no value yet.
    pub(super) fn defaults(&self, variables: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let missing = self.params.iter().filter(|param| !variables.contains_key(&param.name));
        missing
            .filter_map(|param| {
                let value = match param.default.as_ref()? {
                    serde_json::Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                Some((param.name.clone(), value))
            })
            .collect()
    }

    /// Names of the secrets declared by its functions.
    pub(super) fn secrets(&self) -> BTreeSet<String> {
        let declared = |endpoint: &serde_json::Value| {
            let names = endpoint.get("secretEnvironmentVariables").and_then(serde_json::Value::as_array);
            let name = |secret: &serde_json::Value| Some(secret.get("key")?.as_str()?.to_owned());
            names.into_iter().flatten().filter_map(name).collect::<Vec<_>>()
        };
        self.endpoints.values().flat_map(declared).collect()
    }

    /// Functions of the source by id (`group-inner` for `exports.group.inner`), with parameters replaced by their
    /// values.
    pub(super) fn endpoints(
        self,
        variables: &BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, Arc<Endpoint>>> {
        let read = |(id, mut endpoint): (String, serde_json::Value)| {
            fill(&mut endpoint, variables);
            serde_json::from_value(endpoint).map(|endpoint| (id.clone(), Arc::new(endpoint))).map_err(
                |cause| {
                    invalid(format!("the description of the function {id} cannot be read: {cause}"))
                        .with_source(cause)
                },
            )
        };
        self.endpoints.into_iter().map(read).collect()
    }
}

/// Replaces `{{ params.NAME }}` in every text by the parameter's value.
fn fill(value: &mut serde_json::Value, variables: &BTreeMap<String, String>) {
    match value {
        serde_json::Value::String(text) => {
            while let Some((start, end, name)) = parameter(text) {
                let Some(value) = variables.get(&name) else { return };
                text.replace_range(start..end, value);
            }
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| fill(item, variables)),
        serde_json::Value::Object(members) => {
            members.values_mut().for_each(|member| fill(member, variables));
        }
        _ => {}
    }
}

/// Start, end and name of the first parameter in a text.
fn parameter(text: &str) -> Option<(usize, usize, String)> {
    let start = text.find("{{")?;
    let end = start + text[start..].find("}}")? + 2;
    let name = text[start + 2..end - 2].trim().strip_prefix("params.")?;
    Some((start, end, name.to_owned()))
}

/// A function as declared.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Endpoint {
    /// Dotted path of the export.
    pub(super) entry_point: String,
    #[serde(default)]
    platform: Option<String>,
    /// Regions; empty for the default.
    #[serde(default, deserialize_with = "one_or_many")]
    pub(crate) region: Vec<String>,
    /// Time limit of a call in seconds; `None`, or a parameter without a value, for the default.
    #[serde(default, deserialize_with = "plain_number")]
    pub(super) timeout_seconds: Option<u64>,
    /// Memory in MiB; `None`, or a parameter without a value, for the default.
    #[serde(default, deserialize_with = "plain_number")]
    pub(super) available_memory_mb: Option<u64>,
    #[serde(default)]
    pub(super) https_trigger: Option<serde_json::Value>,
    #[serde(default)]
    pub(super) callable_trigger: Option<serde_json::Value>,
    #[serde(default)]
    pub(crate) event_trigger: Option<EventTrigger>,
    #[serde(default)]
    pub(crate) schedule_trigger: Option<ScheduleTrigger>,
    #[serde(default)]
    pub(crate) task_queue_trigger: Option<TaskQueueTrigger>,
    #[serde(default)]
    pub(crate) blocking_trigger: Option<BlockingTrigger>,
}

/// The event trigger of a function.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventTrigger {
    pub(crate) event_type: String,
    /// Required attributes of the event; in the first generation, its `resource`.
    #[serde(default)]
    pub(crate) event_filters: BTreeMap<String, String>,
    /// Patterns for attributes.
    #[serde(default)]
    pub(crate) event_filter_path_patterns: BTreeMap<String, String>,
    /// True if failed events are retried.
    #[serde(default)]
    pub(crate) retry: bool,
}

/// The schedule of a function.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScheduleTrigger {
    /// In cron or App Engine syntax.
    pub(crate) schedule: String,
    #[serde(default)]
    pub(crate) time_zone: Option<String>,
    #[serde(default)]
    pub(crate) retry_config: Option<RetryConfig>,
}

/// The task queue of a function.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskQueueTrigger {
    #[serde(default)]
    pub(crate) retry_config: Option<RetryConfig>,
    #[serde(default)]
    pub(crate) rate_limits: Option<RateLimits>,
}

/// Retry settings. Seconds as numbers, or texts such as `3.5s` in the first generation.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RetryConfig {
    pub(crate) retry_count: Option<serde_json::Value>,
    pub(crate) max_attempts: Option<serde_json::Value>,
    pub(crate) max_doublings: Option<serde_json::Value>,
    #[serde(alias = "maxRetryDuration")]
    pub(crate) max_retry_seconds: Option<serde_json::Value>,
    #[serde(alias = "minBackoffDuration")]
    pub(crate) min_backoff_seconds: Option<serde_json::Value>,
    #[serde(alias = "maxBackoffDuration")]
    pub(crate) max_backoff_seconds: Option<serde_json::Value>,
}

/// Rate limits of a task queue.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RateLimits {
    pub(crate) max_concurrent_dispatches: Option<serde_json::Value>,
    pub(crate) max_dispatches_per_second: Option<serde_json::Value>,
}

/// A blocking function, called before an account is created or signs in.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BlockingTrigger {
    pub(crate) event_type: String,
    /// Credentials of the sign-in passed to the function.
    #[serde(default)]
    pub(crate) options: BTreeMap<String, bool>,
}

/// Trigger type of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The callable protocol.
    Callable,
    /// Any HTTP request; blocking functions too.
    Https,
    /// An event, schedule or task queue: called by the host only.
    Background,
}

impl Endpoint {
    /// The generation of the cloud's functions it is written for.
    pub(crate) fn generation(&self) -> Generation {
        match self.platform.as_deref() {
            Some("gcfv1") => Generation::First,
            _ => Generation::Second,
        }
    }

    /// Its first region.
    pub(crate) fn first_region(&self) -> &str {
        self.region.first().map_or(DEFAULT_REGION, String::as_str)
    }

    pub(crate) fn kind(&self) -> Kind {
        if self.callable_trigger.is_some() {
            Kind::Callable
        } else if self.https_trigger.is_some() || self.blocking_trigger.is_some() {
            Kind::Https
        } else {
            Kind::Background
        }
    }
}

fn one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(one) => vec![one],
        serde_json::Value::Array(many) => {
            many.into_iter().filter_map(|one| one.as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    })
}

fn plain_number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    Ok(match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => text.trim().parse().ok(),
        other => other.as_u64(),
    })
}

/// Runs a source's discovery. If it does not load, the error holds its own output.
pub(super) async fn discover(
    node: &Path,
    machine: &Machine,
    sdk: &Sdk,
    source: &Path,
    variables: &BTreeMap<String, String>,
    scratch: &Path,
) -> Result<Manifest> {
    let output_path = scratch.join("manifest.json");
    let output = sdk
        .describe(node, machine, source, &output_path, scratch)?
        .current_dir(source)
        .envs(variables)
        .env("PWD", source)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(DISCOVERY_TIMEOUT, output)
        .await
        .map_err(|_| {
            invalid(format!(
                "{} did not describe its functions within {} s: it is stuck while loading",
                source.display(),
                DISCOVERY_TIMEOUT.as_secs()
            ))
        })?
        .map_err(|cause| invalid(format!("cannot run {}", node.display())).with_source(cause))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let start = said.len().saturating_sub(SHOWN_OUTPUT);
        let shown = said.get(start..).unwrap_or(&said).trim();
        return Err(invalid(format!("{} does not load:\n{shown}", source.display())));
    }
    read(&output_path)
}

fn read(path: &Path) -> Result<Manifest> {
    let bytes = std::fs::read(path).map_err(|cause| {
        invalid("the functions source wrote no description of itself".to_owned()).with_source(cause)
    })?;
    if bytes.len() > MAX_MANIFEST {
        return Err(invalid(format!("the description of the functions is larger than {MAX_MANIFEST} bytes")));
    }
    serde_json::from_slice(&bytes).map_err(|cause| {
        invalid(format!("the description of the functions cannot be read: {cause}")).with_source(cause)
    })
}

fn invalid(message: String) -> Error {
    Error::new(Code::FailedPrecondition, "FunctionsDoNotLoad", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_generations() {
        let manifest: Manifest = serde_json::from_value(serde_json::json!({
            "specVersion": "v1alpha1",
            "endpoints": {
                "echo": { "platform": "gcfv2", "callableTrigger": {}, "entryPoint": "echo",
                          "region": ["europe-west1"], "timeoutSeconds": 5, "availableMemoryMb": null },
                "old": { "platform": "gcfv1", "httpsTrigger": {}, "entryPoint": "old", "region": "x",
                         "timeoutSeconds": "{{ params.NONE }}" },
                "group-doc": { "platform": "gcfv1", "entryPoint": "group.doc", "timeoutSeconds": null,
                    "eventTrigger": { "eventType": "providers/cloud.firestore/eventTypes/document.write",
                        "eventFilters": { "resource": "projects/p/databases/(default)/documents/{{ params.WHERE }}/{id}" },
                        "retry": false } },
                "late": { "platform": "gcfv2", "taskQueueTrigger": {"retryConfig": {"maxAttempts": null}},
                          "entryPoint": "late", "timeoutSeconds": "{{params.T}}", "availableMemoryMb": 2048 },
            },
        }))
        .unwrap();
        let variables = [("T", "7"), ("WHERE", "a")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let endpoints = manifest.endpoints(&variables.into()).unwrap();
        let kinds = endpoints.values().map(|endpoint| endpoint.kind()).collect::<Vec<_>>();
        assert_eq!(kinds, [Kind::Callable, Kind::Background, Kind::Background, Kind::Https]);
        assert_eq!(endpoints["echo"].timeout_seconds, Some(5));
        assert_eq!(endpoints["late"].timeout_seconds, Some(7));
        assert_eq!(endpoints["old"].timeout_seconds, None);
        let memory = ["echo", "old", "late"].map(|id| endpoints[id].available_memory_mb);
        assert_eq!(memory, [None, None, Some(2_048)]);
        assert_eq!(endpoints["old"].region, ["x"]);
        let resource = &endpoints["group-doc"].event_trigger.as_ref().unwrap().event_filters["resource"];
        assert_eq!(resource, "projects/p/databases/(default)/documents/a/{id}");
    }
}
