//! Access control. Nothing below this module knows about callers; all access by callers passes it.

mod convert;
mod decide;
mod mode;
mod security_rules;

pub use mode::Mode;
pub use security_rules::{
    DENIED, Denial, DenialObserver, Outcome as TrialOutcome, RulesOptions, SecurityRules, Trial,
};

pub(crate) use decide::{Viewer, decide, permit};

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::engine::Author;
use crate::model::{DatabaseId, DocPath, Document, Precondition, Query, Ts, Write};
use crate::{Code, Error, Result};

/// The caller of an operation.
#[derive(Debug, Clone, PartialEq)]
pub enum Caller {
    /// The server itself, or an operator's token: no policy applies.
    Admin,
    /// Somebody signed in.
    User(Auth),
    /// Nobody in particular.
    Anonymous,
}

impl Caller {
    /// Name under which commits, reads and counts are attributed to the caller.
    pub(crate) fn author(&self) -> Author {
        match self {
            Self::Admin => Author::Admin,
            Self::User(auth) => Author::User(auth.uid.clone()),
            Self::Anonymous => Author::Anonymous,
        }
    }
}

/// Somebody signed in.
#[derive(Debug, Clone, PartialEq)]
pub struct Auth {
    /// The user's id.
    pub uid: String,
    /// The claims of the token.
    pub token: serde_json::Value,
}

/// Turns a request's `Authorization` header into a caller.
pub trait Authenticator: Send + Sync {
    /// The caller that `authorization` proves.
    ///
    /// # Errors
    /// `Unauthenticated` for a token that does not hold.
    fn authenticate<'a>(
        &'a self,
        project: &'a str,
        authorization: Option<&'a str>,
    ) -> Pin<Box<dyn Future<Output = Result<Caller>> + Send + 'a>>;
}

/// Everybody is this caller, whatever they show: for tests and benchmarks.
impl Authenticator for Caller {
    fn authenticate<'a>(
        &'a self,
        _project: &'a str,
        _authorization: Option<&'a str>,
    ) -> Pin<Box<dyn Future<Output = Result<Caller>> + Send + 'a>> {
        Box::pin(async { Ok(self.clone()) })
    }
}

/// An operation to be decided on.
#[derive(Debug, Clone, Copy)]
pub enum Operation<'a> {
    /// Read one document.
    Get(&'a DocPath),
    /// Read the results of a query, whatever they are.
    List(&'a Query),
    /// Write a document: what it is before and after the whole commit, however many of its writes are about it. `after`
    /// is `None` for a delete.
    Write {
        /// The document.
        path: &'a DocPath,
        /// As it is before the commit; `None` when it does not exist, or before it was asked for with
        /// [`Decision::Need`].
        before: Option<&'a Document>,
        /// As it would be after the commit; `None` for a delete, or before `before` was asked for.
        after: Option<&'a Document>,
        /// The precondition of the commit's first write of it: a write that requires the document to exist, or not to,
        /// is judged as if it did.
        requires: Precondition,
    },
}

/// One request for a decision.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The caller.
    pub caller: &'a Caller,
    /// In which database.
    pub database: &'a DatabaseId,
    /// For what.
    pub operation: Operation<'a>,
    /// When.
    pub now: Ts,
    /// The documents fetched so far, because the policy asked for them.
    pub known: &'a HashMap<DocPath, Option<Arc<Document>>>,
    /// For a write: those documents of the whole commit that are known, as they will be after it.
    pub after: &'a HashMap<DocPath, Option<Arc<Document>>>,
    /// Documents that the policy has read for the other documents of the same commit or read.
    pub reads: &'a PolicyReads,
}

/// Documents that a policy has read for those documents of a commit or read that it has allowed. The limit on its reads
/// counts all of them together.
#[derive(Debug, Default)]
pub struct PolicyReads(Mutex<HashSet<rules::DocumentKey>>);

/// A policy's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It may be done.
    Allow,
    /// It may not, and why, for the caller.
    Deny(String),
    /// This document must be known first; everything asked for joins what the commit rests on.
    Need(DocPath),
}

/// Documents that a policy may read for one request. Source: the limits of Firestore's rules.
pub const MAX_NEEDED: usize = 20;

/// A policy: a pure function of the request.
pub trait Access: Send + Sync + Debug {
    /// Decides one request.
    fn decide(&self, request: &Request<'_>) -> Decision;
}

/// Refuses writes of callers for reasons that are not about who they are, such as how much somebody may have.
pub trait CommitHook: Send + Sync + Debug {
    /// Lets the writes of a caller's commit through once the policy allows them. What is answered is held until they are
    /// committed or refused, so that a hook can let similar commits through one at a time.
    ///
    /// # Errors
    /// Why these writes may not be.
    fn admit<'a>(
        &'a self,
        caller: &'a Caller,
        database: &'a DatabaseId,
        writes: &'a [Write],
    ) -> Pin<Box<dyn Future<Output = Result<CommitPermit>> + Send + 'a>>;
}

/// A [`CommitHook`]'s reply; it is dropped when the commit is over.
pub type CommitPermit = Option<Box<dyn Send + Sync>>;

/// The policy of a store that has no rules yet: `users/{uid}` and everything below belongs to that user;
/// nobody may do anything else.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnSubtree;

impl Access for OwnSubtree {
    fn decide(&self, request: &Request<'_>) -> Decision {
        let Caller::User(auth) = request.caller else {
            return Decision::Deny("No matching allow statements".to_owned());
        };
        let own = |path: &DocPath| {
            let mut segments = path.segments();
            segments.next() == Some("users") && segments.next() == Some(auth.uid.as_str())
        };
        let allowed = match request.operation {
            Operation::Get(path) | Operation::Write { path, .. } => own(path),
            Operation::List(query) => query.parent.as_ref().is_some_and(own),
        };
        if allowed { Decision::Allow } else { Decision::Deny("No matching allow statements".to_owned()) }
    }
}

/// The error of a denied request.
pub(crate) fn denied(why: String) -> Error {
    Error::new(Code::PermissionDenied, "PermissionDenied", why)
}
