//! Access policy for files.

pub mod rules_access;

use std::fmt;

use docstore::access::Caller;
use docstore::model::Ts;
use docstore::{Code, Error, Result};
use futures::FutureExt;
use futures::future::BoxFuture;

use crate::meta::ObjectMeta;

/// Operation on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Read bytes or metadata.
    Get,
    /// List the names under a prefix.
    List,
    /// Store a file; also in place of another one.
    Create,
    /// Change metadata.
    Update,
    /// Remove a file.
    Delete,
}

impl Method {
    /// The permission as denials name it.
    pub const fn permission(self) -> &'static str {
        match self {
            Self::Get => "READ",
            Self::List => "LIST",
            Self::Create | Self::Update | Self::Delete => "WRITE",
        }
    }

    /// The method as rules name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}

/// One request for a decision.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The caller.
    pub caller: &'a Caller,
    /// The operation.
    pub method: Method,
    /// In which bucket.
    pub bucket: &'a str,
    /// Name of the object, or prefix of a listing (without its last slash).
    pub path: &'a str,
    /// The object as it is.
    pub before: Option<&'a ObjectMeta>,
    /// The object as it would be.
    pub after: Option<&'a ObjectMeta>,
    /// When.
    pub now: Ts,
}

/// A policy. Administrators and holders of download tokens never reach it.
pub trait StorageAccess: Send + Sync + fmt::Debug + 'static {
    /// True if the caller may do it.
    fn allows<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<bool>>;

    /// Replaces the rules of a policy made of rules: pairs of file name and source.
    ///
    /// # Errors
    /// `InvalidArgument` for rules that do not compile; `Unimplemented` for a policy without rules.
    fn replace(&self, _sources: &[RulesSource]) -> Result<()> {
        Err(Error::new(
            Code::Unimplemented,
            "RulesFixed",
            "This server's file policy is fixed; start it with storage.rules to be able to replace them.",
        ))
    }
}

/// A rules file to be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesSource {
    /// The file's name, for messages.
    pub name: String,
    /// Its text.
    pub content: String,
    /// The bucket it is for; `None` for all.
    pub resource: Option<String>,
}

/// `users/{uid}/` and everything below it belongs to that user; all others are denied everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnSubtree;

impl StorageAccess for OwnSubtree {
    fn allows<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<bool>> {
        let allowed = match request.caller {
            Caller::Admin => true,
            Caller::Anonymous => false,
            Caller::User(auth) => {
                let mut segments = request.path.split('/');
                let own = segments.next() == Some("users")
                    && segments.next().is_some_and(|uid| !uid.is_empty() && uid == auth.uid);
                own && (request.method == Method::List
                    || segments.next().is_some_and(|name| !name.is_empty()))
            }
        };
        futures::future::ready(Ok(allowed)).boxed()
    }
}
