//! Security rules as the access policy.

mod trial;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};
use rules::{
    Coverage, Diagnostic, DocumentKey, Documents, InvalidRuleset, Method, Prepared, Ruleset, Service,
};

use super::convert;
use super::{Access, Caller, Decision, Operation, Request};
use crate::model::{DatabaseId, DocPath, Document, Precondition, Query};
pub use trial::{Outcome, Trial};

/// Message of every denial unless explanations are on.
pub const DENIED: &str = "Missing or insufficient permissions.";

/// Options of a [`SecurityRules`] policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RulesOptions {
    /// Allow everything in projects that have no rules, as the emulator does; otherwise deny.
    pub allow_without_rules: bool,
    /// Tell denied callers which statements denied them, as the emulator does; otherwise only the log has it.
    pub explain: bool,
    /// Record what expressions come to, for coverage reports. Costs time and memory.
    pub coverage: bool,
}

/// Hears of every denial.
pub type DenialObserver = Arc<dyn Fn(&Denial<'_>) + Send + Sync>;

/// A request that was denied.
#[derive(Debug)]
pub struct Denial<'a> {
    /// The database it was made of.
    pub database: &'a DatabaseId,
    /// The caller's account; `None` if nobody is signed in.
    pub uid: Option<&'a str>,
    /// The request, and the reason for its denial.
    pub trace: &'a rules::Trace,
}

/// Rules per project, replaceable while the store runs. Listeners that are open are checked against the new
/// rules with the next change they would receive.
pub struct SecurityRules {
    options: RulesOptions,
    by_project: RwLock<HashMap<String, Arc<Project>>>,
    /// For projects without rules of their own.
    default: RwLock<Option<Arc<Project>>>,
    observer: Option<DenialObserver>,
}

struct Project {
    ruleset: Ruleset,
    coverage: Option<Mutex<Coverage>>,
}

impl fmt::Debug for SecurityRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecurityRules").field("options", &self.options).finish_non_exhaustive()
    }
}

impl SecurityRules {
    /// A policy without any rules yet.
    pub fn new(options: RulesOptions) -> Self {
        Self { options, by_project: RwLock::default(), default: RwLock::default(), observer: None }
    }

    /// Also tells `observer` of every denial.
    #[must_use]
    pub fn observed(mut self, observer: DenialObserver) -> Self {
        self.observer = Some(observer);
        self
    }

    fn compile(&self, text: &str) -> Result<Arc<Project>, InvalidRuleset> {
        let ruleset = Ruleset::compile(text)?;
        let coverage = self.options.coverage.then(|| Mutex::new(ruleset.coverage()));
        Ok(Arc::new(Project { ruleset, coverage }))
    }

    /// Replaces the rules of all projects that have none of their own. Returns the warnings.
    ///
    /// # Errors
    /// What is wrong with the rules; the old ones stay.
    pub fn set_default(&self, text: &str) -> Result<Vec<Diagnostic>, InvalidRuleset> {
        let project = self.compile(text)?;
        let warnings = project.ruleset.warnings().to_vec();
        *self.default.write() = Some(project);
        Ok(warnings)
    }

    /// Replaces the rules of one project. Returns the warnings.
    ///
    /// # Errors
    /// What is wrong with the rules; the old ones stay.
    pub fn set(&self, project: &str, text: &str) -> Result<Vec<Diagnostic>, InvalidRuleset> {
        let compiled = self.compile(text)?;
        let warnings = compiled.ruleset.warnings().to_vec();
        self.by_project.write().insert(project.to_owned(), compiled);
        Ok(warnings)
    }

    fn project(&self, id: &str) -> Option<Arc<Project>> {
        let own = self.by_project.read().get(id).cloned();
        own.or_else(|| self.default.read().clone())
    }

    /// Results of the evaluations of the project's rules, in the emulator's `ruleCoverage` form; `None` without rules,
    /// or without [`RulesOptions::coverage`].
    pub fn coverage(&self, project: &str) -> Option<serde_json::Value> {
        let project = self.project(project)?;
        let coverage = project.coverage.as_ref()?.lock();
        let report = project.ruleset.report(&coverage);
        Some(report.to_json("firestore.rules", project.ruleset.text()))
    }

    fn answer(&self, request: &Request<'_>, decision: rules::Decision) -> Decision {
        match decision {
            rules::Decision::Allow => Decision::Allow,
            rules::Decision::Deny(trace) => {
                tracing::debug!(target: "rules", "{trace}");
                if let Some(observer) = &self.observer {
                    let uid = match request.caller {
                        Caller::User(auth) => Some(auth.uid.as_str()),
                        Caller::Admin | Caller::Anonymous => None,
                    };
                    observer(&Denial { database: request.database, uid, trace: &trace });
                }
                Decision::Deny(if self.options.explain { trace.message() } else { DENIED.to_owned() })
            }
            rules::Decision::Need(key) => {
                path_of(&key).map_or_else(|| Decision::Deny(DENIED.to_owned()), Decision::Need)
            }
        }
    }
}

fn path_of(key: &DocumentKey) -> Option<DocPath> {
    DocPath::parse(&key.path.join("/")).ok()
}

impl Access for SecurityRules {
    fn decide(&self, request: &Request<'_>) -> Decision {
        let Some(project) = self.project(&request.database.project) else {
            return if self.options.allow_without_rules {
                Decision::Allow
            } else {
                Decision::Deny(DENIED.to_owned())
            };
        };
        let asked = Asked { project: &project, request };
        let decision = match request.operation {
            Operation::Get(path) => asked.get(path),
            Operation::List(query) => asked.list(query),
            Operation::Write { path, before, after, requires } => asked.write(path, before, after, requires),
        };
        match decision {
            Ok(decision) => self.answer(request, decision),
            Err(needed) => Decision::Need(needed),
        }
    }
}

/// One request to one project's rules.
struct Asked<'a> {
    project: &'a Project,
    request: &'a Request<'a>,
}

impl Asked<'_> {
    fn prepare(&self, method: Method, path: &DocPath, after: Option<rules::Value>) -> Prepared {
        let path = convert::full_path(self.request.database, path.segments());
        let mut request = self.rules_request(method, path);
        request.resource = after;
        self.project.ruleset.prepare(&request)
    }

    fn rules_request(&self, method: Method, path: Vec<Arc<str>>) -> rules::Request {
        let time = convert::time(self.request.now).unwrap_or(rules::Timestamp::EPOCH);
        let mut request = rules::Request::new(Service::Firestore, method, path, time);
        request.auth = convert::auth(self.request.caller);
        request
    }

    fn get(&self, path: &DocPath) -> Result<rules::Decision, DocPath> {
        let prepared = self.prepare(Method::Get, path, None);
        let Some(found) = self.request.known.get(path) else {
            if prepared.allows_regardless() && self.project.coverage.is_none() {
                return Ok(rules::Decision::Allow);
            }
            return Err(path.clone());
        };
        let resource = resource(self.request.database, path, found.as_deref());
        Ok(self.decide(|documents, coverage| match coverage {
            Some(coverage) => prepared.evaluate_covered(&resource, documents, coverage),
            None => prepared.evaluate(&resource, documents),
        }))
    }

    fn list(&self, query: &Query) -> Result<rules::Decision, DocPath> {
        let (path, scope) = convert::query_target(self.request.database, query);
        let mut request = self.rules_request(Method::List, path);
        request.query = Some(convert::query_info(query));
        let prepared = self.project.ruleset.prepare_query(&request, &scope);
        let filter = convert::filter(query.filter.as_ref());
        Ok(self.decide(|documents, coverage| match coverage {
            Some(coverage) => prepared.prove_covered(&filter, documents, coverage),
            None => prepared.prove(&filter, documents),
        }))
    }

    fn write(
        &self,
        path: &DocPath,
        before: Option<&Document>,
        after: Option<&Document>,
        requires: Precondition,
    ) -> Result<rules::Decision, DocPath> {
        if !self.request.known.contains_key(path) {
            if self.project.coverage.is_none() && self.writes_regardless(path) {
                return Ok(rules::Decision::Allow);
            }
            return Err(path.clone());
        }
        // Somebody who may update any document learns that it is missing; the committer tells.
        let existed = match requires {
            Precondition::None => before.is_some(),
            Precondition::Exists(required) => required,
            Precondition::UpdateTime(_) => true,
        };
        let method = match (existed, after) {
            (false, Some(_)) => Method::Create,
            (true, Some(_)) => Method::Update,
            (_, None) => Method::Delete,
        };
        let after = after.map(|document| resource(self.request.database, path, Some(document)));
        let prepared = self.prepare(method, path, after);
        let resource = resource(self.request.database, path, before);
        Ok(self.decide(|documents, coverage| match coverage {
            Some(coverage) => prepared.evaluate_covered(&resource, documents, coverage),
            None => prepared.evaluate(&resource, documents),
        }))
    }

    /// True if any write of the document is allowed, whatever its old and new content. Then the write depends on
    /// nothing read, and does not contend with others of the same document.
    fn writes_regardless(&self, path: &DocPath) -> bool {
        let anything = || Some(rules::Value::Unknown(rules::Unknown::Anything));
        [(Method::Create, anything()), (Method::Update, anything()), (Method::Delete, None)]
            .into_iter()
            .all(|(method, after)| self.prepare(method, path, after).allows_regardless())
    }

    /// Evaluates, giving the rules those documents that are known already.
    fn decide(&self, ask: impl Fn(&Documents, Option<&mut Coverage>) -> rules::Decision) -> rules::Decision {
        let mut documents = self.read_before();
        loop {
            let decision = match &self.project.coverage {
                Some(coverage) => ask(&documents, Some(&mut coverage.lock())),
                None => ask(&documents, None),
            };
            match &decision {
                rules::Decision::Need(key) => match self.known(key) {
                    Some(found) => documents.insert(key.clone(), found),
                    None => return decision,
                },
                rules::Decision::Allow => {
                    let mut reads = self.request.reads.0.lock();
                    reads.extend(documents.keys().cloned());
                    return decision;
                }
                rules::Decision::Deny(_) => return decision,
            }
        }
    }

    /// Documents that the rules have read for the other documents of the request; they count towards the same limit.
    fn read_before(&self) -> Documents {
        let mut documents = Documents::for_multi();
        let reads = self.request.reads.0.lock();
        for key in reads.iter() {
            if let Some(found) = self.known(key) {
                documents.insert(key.clone(), found);
            }
        }
        documents
    }

    /// The fields of a document that rules read, or that there is none; `None` while that is not known.
    fn known(&self, key: &DocumentKey) -> Option<Option<rules::Map>> {
        // A document that cannot exist does not.
        let Some(path) = path_of(key) else { return Some(None) };
        let after = if key.after { self.request.after.get(&path) } else { None };
        let found = after.or_else(|| self.request.known.get(&path))?;
        Some(found.as_deref().map(|document| convert::fields(&document.fields)))
    }
}

fn resource(database: &DatabaseId, path: &DocPath, document: Option<&Document>) -> rules::Value {
    document.map_or(rules::Value::Null, |document| {
        let path = convert::full_path(database, path.segments());
        rules::document_resource(&path, convert::fields(&document.fields))
    })
}
