//! Rules playground: evaluates a request against rules and explains denials.

mod files;

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query as Parameters, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use docstore::access::{Auth, Caller, MAX_NEEDED, Operation, PolicyReads, Request, Trial, TrialOutcome};
use docstore::model::{DatabaseId, DocPath, Document, Precondition, Query, Ts};
use docstore::{Code, Database, Error, Result};
use rules::Diagnostic;
use serde::Deserialize;
use serde_json::{Value, json};
use storage_emu::{RulesSource, StorageAccess as _};

use super::{Asked, Console};
use crate::emulator::denial::trace;
use crate::functions::events::failed;

/// Service that the rules are for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Guarded {
    #[default]
    Firestore,
    Storage,
}

/// Selects a service's rules; default: documents.
#[derive(Debug, Deserialize)]
pub(super) struct Of {
    #[serde(default)]
    service: Guarded,
}

/// `GET …/rules?service=`: text of the active rules; null if there are none.
pub(super) async fn text(
    State(shared): Asked,
    Path(project): Path<String>,
    Parameters(of): Parameters<Of>,
) -> Response {
    let console = match shared.of(&project) {
        Ok(console) => console,
        Err(error) => return failed(&error),
    };
    let text = match of.service {
        Guarded::Firestore => console.rules.text(&project),
        Guarded::Storage => console.file_rules.text(&console.bucket()),
    };
    Json(json!({ "rules": text })).into_response()
}

/// Rules to activate.
#[derive(Debug, Deserialize)]
struct Replacement {
    rules: String,
}

/// `PUT …/rules?service=`: activates rules until the server ends or their file changes.
pub(super) async fn replace(
    State(shared): Asked,
    Path(project): Path<String>,
    Parameters(of): Parameters<Of>,
    body: Bytes,
) -> Response {
    let replaced = shared.of(&project).and_then(|console| {
        let Replacement { rules } = serde_json::from_slice(&body).map_err(unexpected)?;
        match of.service {
            Guarded::Firestore => console
                .rules
                .set(&project, &rules)
                .map(drop)
                .map_err(|invalid| Error::invalid("RulesInvalid", invalid.to_string())),
            Guarded::Storage => console.file_rules.replace(&[RulesSource {
                name: "storage.rules".to_owned(),
                content: rules,
                resource: None,
            }]),
        }
    });
    replaced.map_or_else(|error| failed(&error), |()| Json(json!({})).into_response())
}

fn unexpected(cause: serde_json::Error) -> Error {
    Error::invalid("BadBody", format!("The body is not as expected: {cause}")).with_source(cause)
}

/// A request to evaluate.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attempt {
    #[serde(default)]
    service: Guarded,
    /// The rules; by default the active ones.
    rules: Option<String>,
    #[serde(default)]
    database: Option<String>,
    /// The file's bucket; default: the project's own.
    #[serde(default)]
    bucket: Option<String>,
    method: String,
    /// Path of the document or file; for a list, of the collection or folder.
    path: String,
    /// The caller; anonymous by default.
    auth: Option<Person>,
    /// The document after the write, in the protocol's JSON; likewise a file's metadata, with its size.
    data: Option<Value>,
    /// The existing document or file, instead of the stored one.
    existing: Option<Value>,
    /// For a list: the rest of the `StructuredQuery`.
    query: Option<Value>,
}

/// A signed-in caller.
#[derive(Debug, Deserialize)]
struct Person {
    uid: String,
    /// Claims in addition to the standard ones.
    #[serde(default)]
    token: serde_json::Map<String, Value>,
}

/// `POST …/rules/try`: evaluates one request without executing it.
pub(super) async fn attempt(State(shared): Asked, Path(project): Path<String>, body: Bytes) -> Response {
    let console = match shared.of(&project) {
        Ok(console) => console,
        Err(error) => return failed(&error),
    };
    let attempt: Attempt = match serde_json::from_slice(&body) {
        Ok(attempt) => attempt,
        Err(cause) => return failed(&unexpected(cause)),
    };
    let judged = match attempt.service {
        Guarded::Firestore => console.judge(attempt).await,
        Guarded::Storage => console.judge_file(attempt).await,
    };
    match judged {
        Ok(answer) => Json(answer).into_response(),
        Err(error) => failed(&error),
    }
}

impl Console {
    async fn judge(&self, attempt: Attempt) -> Result<Value> {
        let Some(text) = attempt.rules.clone().or_else(|| self.rules.text(&self.project)) else {
            return Ok(json!({
                "allowed": true, "issues": [],
                "note": "There are no rules: everything is allowed in emulator mode.",
            }));
        };
        let trial = match Trial::new(&text) {
            Ok(trial) => trial,
            Err(invalid) => return Ok(json!({ "issues": issues(&invalid.diagnostics) })),
        };
        let id = DatabaseId::new(&self.project, attempt.database.as_deref().unwrap_or("(default)"));
        let asked = Tried::read(&id, &attempt)?;
        let caller = attempt.auth.map_or(Caller::Anonymous, |auth| signed_in(&self.project, auth));
        let (database, now) = (self.store.database(&id), self.store.clock().now());
        let (outcome, read) = asked.judge(&trial, &caller, &database, now).await?;
        let denied = match &outcome {
            TrialOutcome::Deny(denied) => trace(denied),
            TrialOutcome::Allow | TrialOutcome::Need(_) => Value::Null,
        };
        Ok(json!({
            "allowed": matches!(outcome, TrialOutcome::Allow),
            "trace": denied,
            "report": trial.report()["report"],
            "read": read.iter().map(|path| path.as_str()).collect::<Vec<_>>(),
            "issues": issues(trial.warnings()),
        }))
    }
}

/// The claims in every token, and those given.
fn signed_in(project: &str, auth: Person) -> Caller {
    let Person { uid, token: claims } = auth;
    let mut token = json!({
        "sub": uid, "user_id": uid, "aud": project,
        "iss": format!("https://securetoken.google.com/{project}"),
        "firebase": { "identities": {}, "sign_in_provider": "custom" },
    });
    for (name, claim) in claims {
        token[name] = claim;
    }
    Caller::User(Auth { uid, token })
}

/// A request for the rules.
enum Tried {
    Get(DocPath),
    List(Box<Query>),
    Write {
        path: DocPath,
        after: Option<Document>,
    },
    /// Like [`Tried::Write`] or [`Tried::Get`], with the document instead of the stored one.
    On(Box<Tried>, Document),
}

impl Tried {
    fn read(database: &DatabaseId, attempt: &Attempt) -> Result<Self> {
        let path = attempt.path.trim_matches('/');
        if attempt.method == "list" {
            let (parent, collection) =
                path.rsplit_once('/').map_or((None, path), |(parent, id)| (Some(parent), id));
            let parent = parent.map(DocPath::parse).transpose()?;
            let mut query = attempt.query.clone().unwrap_or_else(|| json!({}));
            if query.get("from").is_none() {
                query["from"] = json!([{ "collectionId": collection }]);
            }
            return Ok(Self::List(Box::new(docstore_wire::query_from_json(database, parent, &query)?)));
        }
        let path = DocPath::parse(path)?;
        let document = |fields: &Value| -> Result<Document> {
            let fields = docstore_wire::fields_from_json(fields)?;
            Ok(Document { path: path.clone(), fields, create_time: Ts::ZERO, update_time: Ts::ZERO })
        };
        let plain = match attempt.method.as_str() {
            "get" => Self::Get(path.clone()),
            "delete" => Self::Write { path: path.clone(), after: None },
            "create" | "update" => {
                let Some(fields) = &attempt.data else {
                    let message = "A write needs data: the document's fields as they would be.";
                    return Err(Error::invalid("NoData", message));
                };
                Self::Write { path: path.clone(), after: Some(document(fields)?) }
            }
            other => return Err(no_method(other)),
        };
        Ok(match &attempt.existing {
            Some(fields) => Self::On(Box::new(plain), document(fields)?),
            None => plain,
        })
    }

    /// Evaluates it. Returns the stored documents that the rules read, too.
    async fn judge(
        &self,
        trial: &Trial,
        caller: &Caller,
        database: &Database,
        now: Ts,
    ) -> Result<(TrialOutcome, Vec<DocPath>)> {
        let (mut known, mut after) = (HashMap::new(), HashMap::new());
        let asked = match self {
            Self::On(asked, document) => {
                known.insert(document.path.clone(), Some(Arc::new(document.clone())));
                asked
            }
            Self::Get(_) | Self::List(_) | Self::Write { .. } => self,
        };
        if let Self::Write { path, after: document } = asked {
            after.insert(path.clone(), document.clone().map(Arc::new));
        }
        let mut read = Vec::new();
        loop {
            let operation = match asked {
                Self::Get(path) => Operation::Get(path),
                Self::List(query) => Operation::List(query),
                Self::Write { path, after } => {
                    let before = known.get(path).and_then(Option::as_deref);
                    let requires = Precondition::None;
                    Operation::Write { path, before, after: after.as_ref(), requires }
                }
                Self::On(..) => {
                    return Err(Error::invalid("BadAttempt", "One document can stand in for one."));
                }
            };
            let (id, reads) = (database.id(), &PolicyReads::default());
            let request =
                Request { caller, database: id, operation, now, known: &known, after: &after, reads };
            let outcome = trial.judge(&request);
            let TrialOutcome::Need(path) = outcome else { return Ok((outcome, read)) };
            if read.len() > MAX_NEEDED {
                let message = format!("The rules read more than {MAX_NEEDED} documents.");
                return Err(Error::new(Code::ResourceExhausted, "TooManyReads", message));
            }
            let found = database.get(std::slice::from_ref(&path), None).await?.value;
            known.insert(path.clone(), found.into_iter().next().flatten().map(Arc::new));
            read.push(path);
        }
    }
}

fn no_method(name: &str) -> Error {
    Error::invalid("BadMethod", format!("{name:?} is no method: use get, list, create, update or delete."))
}

fn issues(diagnostics: &[Diagnostic]) -> Vec<Value> {
    let issue = |found: &Diagnostic| {
        json!({
            "line": found.position.line, "column": found.position.column, "message": found.message,
            "severity": found.severity.as_str(),
        })
    };
    diagnostics.iter().map(issue).collect()
}
