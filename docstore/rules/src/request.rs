//! Requests to a ruleset.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::value::{Map, Path, Timestamp, Value};

/// Service a request is made of; rules of the other one do not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Service {
    /// `cloud.firestore`
    Firestore,
    /// `firebase.storage`
    Storage,
}

/// Operation requested by the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Read one document or object, or one's metadata.
    Get,
    /// Run a query, or list objects.
    List,
    /// Write a document that does not exist.
    Create,
    /// Write a document that exists.
    Update,
    /// Delete.
    Delete,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 5] = [Self::Get, Self::List, Self::Create, Self::Update, Self::Delete];

    /// The name in rules and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Several methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MethodSet(u8);

impl MethodSet {
    pub(crate) const NONE: Self = Self(0);

    pub(crate) const fn contains(self, method: Method) -> bool {
        self.0 & method.bit() != 0
    }

    #[must_use]
    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The methods an allow statement means by `name`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let of = |methods: &[Method]| Some(Self(methods.iter().fold(0, |bits, method| bits | method.bit())));
        match name {
            "read" => of(&[Method::Get, Method::List]),
            "write" => of(&[Method::Create, Method::Update, Method::Delete]),
            single => Method::ALL.iter().find(|method| method.name() == single).and_then(|m| of(&[*m])),
        }
    }
}

/// A signed-in caller.
#[derive(Debug, Clone)]
pub struct Auth {
    /// `request.auth.uid`
    pub uid: Arc<str>,
    /// `request.auth.token`: all claims of the ID token.
    pub token: Map,
}

/// The parts of a query that rules see as `request.query`.
#[derive(Debug, Clone, Default)]
pub struct QueryInfo {
    /// At most so many results; `None` is `null` in rules.
    pub limit: Option<i64>,
    /// Results skipped.
    pub offset: i64,
    /// The explicit orders: field path, and `ASC` or `DESC`.
    pub order_by: Vec<(Arc<str>, Arc<str>)>,
}

/// The part of a request that is the same for every document it touches.
#[derive(Debug, Clone)]
pub struct Request {
    /// The service.
    pub service: Service,
    /// The operation.
    pub method: Method,
    /// The resource: for Firestore `databases/{database}/documents/…` down to the document (for [`Method::List`] down
    /// to the collection); for Storage `b/{bucket}/o/…`.
    pub path: Vec<Arc<str>>,
    /// The signed-in user; `None` if nobody is signed in.
    pub auth: Option<Auth>,
    /// When.
    pub time: Timestamp,
    /// `request.resource`: the document after the write; `None` for reads and deletes. Built with [`document_resource`]
    /// for Firestore.
    pub resource: Option<Value>,
    /// `request.query`, for [`Method::List`].
    pub query: Option<QueryInfo>,
}

impl Request {
    /// A request without user or resource; the other fields are public.
    pub fn new(service: Service, method: Method, path: Vec<Arc<str>>, time: Timestamp) -> Self {
        Self { service, method, path, auth: None, time, resource: None, query: None }
    }

    /// The value of `request`.
    pub(crate) fn to_value(&self) -> Value {
        let auth = self.auth.as_ref().map_or(Value::Null, |auth| {
            Value::map([("uid", Value::String(auth.uid.clone())), ("token", Value::Map(auth.token.clone()))])
        });
        let mut entries = vec![
            ("auth", auth),
            ("method", Value::string(self.method.name())),
            ("path", Value::Path(Path::from_segments(self.path.iter().cloned()))),
            ("time", Value::Timestamp(self.time)),
        ];
        if let Some(resource) = &self.resource {
            entries.push(("resource", resource.clone()));
        } else if self.service == Service::Storage || self.method == Method::Delete {
            // Rules compare `request.resource` with null to tell deletes.
            entries.push(("resource", Value::Null));
        }
        if let Some(query) = &self.query {
            let orders =
                query.order_by.iter().map(|(field, way)| (field.clone(), Value::String(way.clone())));
            entries.push((
                "query",
                Value::map([
                    ("limit", query.limit.map_or(Value::Null, Value::Int)),
                    ("offset", Value::Int(query.offset)),
                    ("orderBy", Value::map(orders)),
                ]),
            ));
        }
        Value::map(entries)
    }
}

/// A Firestore document as `resource` and `get` give it: `data`, `id` and `__name__`.
///
/// `path` is the document's full path, `databases/{database}/documents/…`.
pub fn document_resource(path: &[Arc<str>], data: Map) -> Value {
    let id = path.last().cloned().unwrap_or_else(|| "".into());
    Value::map([
        ("data", Value::Map(data)),
        ("id", Value::String(id)),
        ("__name__", Value::Path(Path::from_segments(path.iter().cloned()))),
    ])
}

/// A document that rules read with `get`, `exists`, `getAfter` or `existsAfter`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentKey {
    /// The database, `(default)` unless named.
    pub database: Arc<str>,
    /// The path within it: an even number of segments, none empty or with a slash.
    pub path: Arc<[Arc<str>]>,
    /// As it will be after the writes of the request, rather than as it is.
    pub after: bool,
}

impl fmt::Display for DocumentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/databases/{}/documents/{}", self.database, self.path.join("/"))
    }
}

/// The documents an evaluation may read: the caller adds those a `Need` names and evaluates again. One value may serve
/// all evaluations of a request, and then limits their reads together.
#[derive(Debug, Clone)]
pub struct Documents {
    known: HashMap<DocumentKey, Option<Map>>,
    most: usize,
}

impl Documents {
    /// For a request about one document, or one query.
    pub fn for_single() -> Self {
        Self { known: HashMap::new(), most: crate::limits::MAX_DOCUMENTS_SINGLE }
    }

    /// For a batch, a transaction or a read of several documents.
    pub fn for_multi() -> Self {
        Self { known: HashMap::new(), most: crate::limits::MAX_DOCUMENTS_MULTI }
    }

    /// Adds a document's fields, or records that it does not exist.
    pub fn insert(&mut self, key: DocumentKey, fields: Option<Map>) {
        self.known.insert(key, fields);
    }

    /// Keys of the added documents, for the read set of the request.
    pub fn keys(&self) -> impl Iterator<Item = &DocumentKey> {
        self.known.keys()
    }

    pub(crate) fn get(&self, key: &DocumentKey) -> Option<&Option<Map>> {
        self.known.get(key)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.known.len() >= self.most
    }
}
