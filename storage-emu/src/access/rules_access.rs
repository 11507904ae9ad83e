//! Access policy based on Firebase security rules (`service firebase.storage`).

mod trial;
mod values;

use std::collections::HashMap;
use std::sync::Arc;

use docstore::access::Caller;
use docstore::model::{DatabaseId, DocPath};
use docstore::{Code, Error, Result, Store};
use futures::FutureExt;
use futures::future::BoxFuture;
use parking_lot::RwLock;
use rules::{Decision, DocumentKey, Documents, Prepared, Ruleset, Service, Trace};

use crate::access::{Method, Request, RulesSource, StorageAccess};
pub use trial::{Judged, Trial};

/// Rounds in which rules may request one more document before they are refused; documents have a limit of their own
/// below.
const MAX_ROUNDS: usize = 64;

/// The rulesets in force: one for all buckets, or one each.
type Rulesets = HashMap<Option<String>, Ruleset>;

/// Hears of every denial.
pub type FileDenialObserver = Arc<dyn Fn(&FileDenial<'_>) + Send + Sync>;

/// A request that the rules denied.
#[derive(Debug)]
pub struct FileDenial<'a> {
    /// In which bucket.
    pub bucket: &'a str,
    /// The user who made it; `None` if nobody was signed in.
    pub uid: Option<&'a str>,
    /// The request, and the reason for its denial.
    pub trace: &'a Trace,
}

/// Security rules as a [`StorageAccess`]. They may read documents of the project's databases.
pub struct RulesAccess {
    store: Store,
    project: String,
    rulesets: RwLock<Arc<Rulesets>>,
    observer: Option<FileDenialObserver>,
}

impl std::fmt::Debug for RulesAccess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RulesAccess").field("project", &self.project).finish_non_exhaustive()
    }
}

impl RulesAccess {
    /// Compiles the rules in `source`, for every bucket of `project`; documents they read come from `store`.
    ///
    /// # Errors
    /// `InvalidArgument` (`RulesInvalid`) with the position of every error in the rules.
    pub fn new(store: Store, project: &str, name: &str, source: &str) -> Result<Self> {
        let source = RulesSource { name: name.to_owned(), content: source.to_owned(), resource: None };
        let rulesets = RwLock::new(Arc::new(compile(&[source])?));
        Ok(Self { store, project: project.to_owned(), rulesets, observer: None })
    }

    /// Also tells `observer` of every denial.
    #[must_use]
    pub fn observed(mut self, observer: FileDenialObserver) -> Self {
        self.observer = Some(observer);
        self
    }

    /// The text of the rules in force for a bucket; `None` if there are none, which denies everything.
    pub fn text(&self, bucket: &str) -> Option<String> {
        self.ruleset(bucket).map(|ruleset| ruleset.text().to_owned())
    }

    fn ruleset(&self, bucket: &str) -> Option<Ruleset> {
        let rulesets = self.rulesets.read();
        rulesets.get(&Some(bucket.to_owned())).or_else(|| rulesets.get(&None)).cloned()
    }

    async fn decide(&self, request: Request<'_>) -> Result<bool> {
        let Some(ruleset) = self.ruleset(request.bucket) else { return Ok(false) };
        let judge = Judge { store: &self.store, project: &self.project, ruleset: &ruleset };
        let Some(trace) = judge.decide(&request).await?.denied else { return Ok(true) };
        tracing::debug!(target: "rules", "{trace}");
        if let Some(observer) = &self.observer {
            let uid = match request.caller {
                Caller::User(auth) => Some(auth.uid.as_str()),
                Caller::Admin | Caller::Anonymous => None,
            };
            observer(&FileDenial { bucket: request.bucket, uid, trace: &trace });
        }
        Ok(false)
    }
}

/// One ruleset over one project's documents.
struct Judge<'a> {
    store: &'a Store,
    project: &'a str,
    ruleset: &'a Ruleset,
}

/// A decision, and all it rests on.
struct Decided {
    /// Why it is denied, unless it is allowed.
    denied: Option<Trace>,
    prepared: Prepared,
    before: rules::Value,
    documents: Documents,
}

impl Judge<'_> {
    async fn decide(&self, request: &Request<'_>) -> Result<Decided> {
        let time = values::timestamp(request.now).ok_or_else(|| {
            Error::internal("RulesTime", "The rules cannot be evaluated.", "the clock is past the year 9999")
        })?;
        let mut asked = rules::Request::new(
            Service::Storage,
            method(request.method),
            ["b", request.bucket, "o"]
                .into_iter()
                .chain(request.path.split('/').filter(|_| !request.path.is_empty()))
                .map(Arc::from)
                .collect(),
            time,
        );
        if let Caller::User(auth) = request.caller {
            let token = values::claims(&auth.token);
            asked.auth = Some(rules::Auth { uid: auth.uid.as_str().into(), token });
        }
        asked.resource = request.after.map(values::resource);
        let before = request.before.map_or(rules::Value::Null, values::resource);
        let prepared = self.ruleset.prepare(&asked);
        let mut documents = Documents::for_single();
        for _ in 0..MAX_ROUNDS {
            let denied = match prepared.evaluate(&before, &documents) {
                Decision::Allow => None,
                Decision::Deny(trace) => Some(trace),
                Decision::Need(key) => {
                    let fields = self.fetch(&key).await?;
                    documents.insert(key, fields);
                    continue;
                }
            };
            return Ok(Decided { denied, prepared, before, documents });
        }
        Err(Error::new(
            Code::PermissionDenied,
            "RulesReadTooMuch",
            "The rules read too many documents to be decided.",
        ))
    }

    async fn fetch(&self, key: &DocumentKey) -> Result<Option<rules::Map>> {
        // Rules may read only databases that users' requests can reach, never the server's own.
        if key.database.starts_with("__") {
            return Ok(None);
        }
        let Ok(path) = DocPath::parse(&key.path.join("/")) else { return Ok(None) };
        let database = self.store.database(&DatabaseId::new(self.project, &key.database));
        let found = database.get(&[path], None).await?.value.into_iter().next().flatten();
        Ok(found.map(|document| values::fields(&document.fields)))
    }
}

impl StorageAccess for RulesAccess {
    fn allows<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<bool>> {
        self.decide(request).boxed()
    }

    fn replace(&self, sources: &[RulesSource]) -> Result<()> {
        let rulesets = Arc::new(compile(sources)?);
        *self.rulesets.write() = rulesets;
        Ok(())
    }
}

fn compile(sources: &[RulesSource]) -> Result<Rulesets> {
    sources
        .iter()
        .map(|source| {
            let ruleset = Ruleset::compile(&source.content)
                .map_err(|wrong| Error::invalid("RulesInvalid", format!("{}: {wrong}", source.name)))?;
            Ok((source.resource.clone(), ruleset))
        })
        .collect()
}

const fn method(method: Method) -> rules::Method {
    match method {
        Method::Get => rules::Method::Get,
        Method::List => rules::Method::List,
        Method::Create => rules::Method::Create,
        Method::Update => rules::Method::Update,
        Method::Delete => rules::Method::Delete,
    }
}

#[cfg(test)]
mod tests;
