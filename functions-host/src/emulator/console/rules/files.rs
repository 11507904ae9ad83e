//! Rules playground for files.

use docstore::access::Caller;
use docstore::{Error, Result};
use serde_json::{Value, json};
use storage_emu::access::rules_access::Trial;
use storage_emu::meta::ObjectMeta;
use storage_emu::{Method, Request};

use super::{Attempt, issues, signed_in};
use crate::emulator::console::Console;
use crate::emulator::denial::trace;

impl Console {
    /// The named bucket or the default one.
    pub(super) fn bucket(&self) -> String {
        let [first, _] = self.files.default_buckets();
        first
    }

    /// Evaluates a request for a file as the file service would.
    pub(super) async fn judge_file(&self, attempt: Attempt) -> Result<Value> {
        let method = method(&attempt.method)?;
        let bucket = attempt.bucket.clone().unwrap_or_else(|| self.bucket());
        let text = attempt.rules.clone().or_else(|| self.file_rules.text(&bucket));
        let text = text.ok_or_else(|| Error::invalid("NoRules", "There are no rules for this bucket."))?;
        let trial = match Trial::new(&text) {
            Ok(trial) => trial,
            Err(invalid) => return Ok(json!({ "issues": issues(&invalid.diagnostics) })),
        };
        let path = attempt.path.trim_matches('/');
        let now = self.store.clock().now();
        let imagine = |json: &Value, like: Option<&ObjectMeta>| {
            ObjectMeta::imagined(&bucket, path, json, like, now.micros())
        };
        let before = match (&attempt.existing, method) {
            (_, Method::List) => None,
            (Some(file), _) => Some(imagine(file, None)?),
            (None, _) => self.files.stored(&bucket, path).await?,
        };
        let after = match (method, &attempt.data) {
            (Method::Get | Method::List | Method::Delete, _) => None,
            (Method::Create, Some(file)) => Some(imagine(file, None)?),
            (Method::Update, Some(file)) => {
                let Some(before) = &before else {
                    let message = format!("There is no file {path} to change: say how it is.");
                    return Err(Error::invalid("NoFile", message));
                };
                Some(imagine(file, Some(before))?)
            }
            (Method::Create | Method::Update, None) => {
                return Err(Error::invalid("NoData", "A write needs data: the file as it would be."));
            }
        };
        let caller = attempt.auth.map_or(Caller::Anonymous, |auth| signed_in(&self.project, auth));
        let (before, after) = (before.as_ref(), after.as_ref());
        let request = Request { caller: &caller, method, bucket: &bucket, path, before, after, now };
        let judged = trial.judge(&self.store, &self.project, &request).await?;
        Ok(json!({
            "allowed": judged.denied.is_none(),
            "trace": judged.denied.as_ref().map(trace),
            "report": judged.report["report"],
            "read": judged.read,
            "issues": issues(trial.warnings()),
        }))
    }
}

fn method(name: &str) -> Result<Method> {
    let all = [Method::Get, Method::List, Method::Create, Method::Update, Method::Delete];
    all.into_iter().find(|method| method.name() == name).ok_or_else(|| super::no_method(name))
}
