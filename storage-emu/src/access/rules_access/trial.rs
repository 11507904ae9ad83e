//! Trials of rules for files: one request is evaluated in full detail, without touching the rules in force.

use docstore::{Error, Result, Store};
use rules::{Diagnostic, InvalidRuleset, Ruleset, Trace};
use serde_json::Value as Json;

use super::Judge;
use crate::access::Request;
use crate::digest::{Digests, Hasher};
use crate::meta::json::Patch;
use crate::meta::{ObjectMeta, Settable};

/// Rules to try out.
#[derive(Debug)]
pub struct Trial(Ruleset);

/// Result of a trial.
#[derive(Debug)]
pub struct Judged {
    /// Why it would be denied, unless it would be allowed.
    pub denied: Option<Trace>,
    /// Values of every expression, in the emulator's `ruleCoverage` form.
    pub report: Json,
    /// The documents that the rules read, by their paths.
    pub read: Vec<String>,
}

impl Trial {
    /// Compiles the rules.
    ///
    /// # Errors
    /// Diagnostics of the rules, with positions.
    pub fn new(text: &str) -> Result<Self, InvalidRuleset> {
        Ruleset::compile(text).map(Self)
    }

    /// Judges a request as an upload or a download would be; documents are those of `project` in `store`.
    ///
    /// # Errors
    /// The store's own.
    pub async fn judge(&self, store: &Store, project: &str, request: &Request<'_>) -> Result<Judged> {
        let decided = Judge { store, project, ruleset: &self.0 }.decide(request).await?;
        // Coverage is recorded only now: rounds that lacked a document would be counted twice.
        let mut coverage = self.0.coverage();
        decided.prepared.evaluate_covered(&decided.before, &decided.documents, &mut coverage);
        let mut read: Vec<_> = decided.documents.keys().map(|key| key.path.join("/")).collect();
        read.sort();
        Ok(Judged {
            denied: decided.denied,
            report: self.0.report(&coverage).to_json("storage.rules", self.0.text()),
            read,
        })
    }

    /// Warnings about the rules.
    pub fn warnings(&self) -> &[Diagnostic] {
        self.0.warnings()
    }
}

impl ObjectMeta {
    /// The metadata of a file that is not stored, as of `micros` (since the epoch): fields from `json` in the words of
    /// the APIs (`contentType`, `metadata`, …, and `size`), others from `like`.
    ///
    /// # Errors
    /// `InvalidArgument` for anything but an object, and for fields of wrong types.
    pub fn imagined(bucket: &str, name: &str, json: &Json, like: Option<&Self>, micros: u64) -> Result<Self> {
        let mut meta = like.cloned().unwrap_or_else(|| Self {
            bucket: bucket.to_owned(),
            name: name.to_owned(),
            generation: micros,
            metageneration: 0,
            created: micros,
            updated: micros,
            digests: Hasher::default().finish(),
            sniffed: None,
            dimensions: None,
            components: None,
            owner: None,
            set: Settable::default(),
        });
        Patch::from_json(json)?.apply(&mut meta.set)?;
        let size = match json.get("size") {
            None => meta.digests.size,
            Some(Json::String(text)) => text.parse().map_err(|_| no_size())?,
            Some(size) => size.as_u64().ok_or_else(no_size)?,
        };
        meta.digests = Digests { size, ..meta.digests };
        meta.metageneration += 1;
        meta.updated = micros.max(meta.updated);
        Ok(meta)
    }
}

fn no_size() -> Error {
    Error::invalid("MetadataSize", "The field 'size' must be a whole number of bytes.")
}
