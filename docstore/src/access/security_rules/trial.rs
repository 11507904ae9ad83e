//! Rules tried out: one request judged, with all that came of it, and without touching the rules in force.

use parking_lot::Mutex;
use rules::{InvalidRuleset, Trace};
use serde_json::Value as Json;

use super::{Asked, Project, SecurityRules, path_of};
use crate::access::{Operation, Request};
use crate::model::DocPath;

/// Outcome of a trial.
#[derive(Debug)]
pub enum Outcome {
    /// It would be allowed.
    Allow,
    /// It would be denied, and why.
    Deny(Trace),
    /// This document must be known first.
    Need(DocPath),
}

/// Rules to try out.
pub struct Trial(Project);

impl std::fmt::Debug for Trial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trial").finish_non_exhaustive()
    }
}

impl Trial {
    /// Compiles the rules.
    ///
    /// # Errors
    /// What is wrong with them, with places.
    pub fn new(text: &str) -> Result<Self, InvalidRuleset> {
        let ruleset = rules::Ruleset::compile(text)?;
        let coverage = Some(Mutex::new(ruleset.coverage()));
        Ok(Self(Project { ruleset, coverage }))
    }

    /// Judges a request as the store would.
    pub fn judge(&self, request: &Request<'_>) -> Outcome {
        // Results of an evaluation that lacked a document would be counted twice.
        self.forget();
        let asked = Asked { project: &self.0, request };
        let decision = match request.operation {
            Operation::Get(path) => asked.get(path),
            Operation::List(query) => asked.list(query),
            Operation::Write { path, before, after, requires } => asked.write(path, before, after, requires),
        };
        match decision {
            Err(needed) => Outcome::Need(needed),
            Ok(rules::Decision::Allow) => Outcome::Allow,
            Ok(rules::Decision::Deny(trace)) => Outcome::Deny(trace),
            Ok(rules::Decision::Need(key)) => {
                // `Asked` has answered for documents that cannot exist.
                path_of(&key).map_or(Outcome::Allow, Outcome::Need)
            }
        }
    }

    /// Results of every expression in the last request, in the emulator's `ruleCoverage` form.
    pub fn report(&self) -> Json {
        let coverage = self.0.coverage.as_ref().map(|all| all.lock());
        coverage.map_or(Json::Null, |coverage| {
            self.0.ruleset.report(&coverage).to_json("firestore.rules", self.0.ruleset.text())
        })
    }

    /// Warnings about the rules.
    pub fn warnings(&self) -> &[rules::Diagnostic] {
        self.0.ruleset.warnings()
    }

    fn forget(&self) {
        if let Some(coverage) = &self.0.coverage {
            *coverage.lock() = self.0.ruleset.coverage();
        }
    }
}

impl SecurityRules {
    /// The text of the rules in force for a project; `None` where there are none.
    pub fn text(&self, project: &str) -> Option<String> {
        self.project(project).map(|project| project.ruleset.text().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::access::{Auth, Caller, PolicyReads};
    use crate::model::{DatabaseId, Ts};

    const RULES: &str = "rules_version = '2';
service cloud.firestore {
  match /databases/{db}/documents {
    match /notes/{id} {
      allow get: if get(/databases/$(db)/documents/people/$(request.auth.uid)).data.active == true;
    }
  }
}";

    #[test]
    fn a_trial_asks_for_what_it_needs_and_says_why_not() {
        let trial = Trial::new(RULES).unwrap();
        let caller = Caller::User(Auth { uid: "ann".to_owned(), token: serde_json::json!({}) });
        let (database, path) = (DatabaseId::new("p", "(default)"), DocPath::parse("notes/1").unwrap());
        let (mut known, after) = (HashMap::new(), HashMap::new());
        let mut needed = Vec::new();
        let trace = loop {
            let operation = Operation::Get(&path);
            let request = Request {
                caller: &caller,
                database: &database,
                operation,
                now: Ts::ZERO,
                known: &known,
                after: &after,
                reads: &PolicyReads::default(),
            };
            match trial.judge(&request) {
                Outcome::Need(path) => {
                    needed.push(path.to_string());
                    known.insert(path, None);
                }
                Outcome::Deny(trace) => break trace,
                Outcome::Allow => unreachable!("the person is not there"),
            }
        };
        assert_eq!(needed, ["notes/1", "people/ann"]);
        assert_eq!(trace.statements[0].line, 5);
        let report = trial.report();
        assert_eq!(report["report"][0]["values"][0]["count"], 1, "{report}");
    }
}
