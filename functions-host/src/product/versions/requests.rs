//! Requests and replies of the functions.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::record::Reason;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Freeze {
    pub(super) project_id: String,
    /// Of a named version.
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) note: Option<String>,
    /// Of an automatic version.
    #[serde(default)]
    pub(super) reason: Option<Reason>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct FreezeReply {
    pub(super) version: String,
    pub(super) number: i64,
    /// True if nothing had changed since the newest version, which it is then.
    pub(super) unchanged: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Open {
    pub(super) project_id: String,
    pub(super) version: String,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OpenReply {
    pub(super) project_id: String,
    /// Documents that cannot be read any more.
    pub(super) damaged: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Compare {
    pub(super) project_id: String,
    /// Ids of versions; one may be `now`.
    pub(super) from: String,
    pub(super) to: String,
    /// A project that began as a version of this one: `to` is `now`, and means that project as it is.
    #[serde(default)]
    pub(super) branch: Option<String>,
}

#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct Compared {
    pub(super) changes: Vec<Change>,
    /// The components and rulebooks around them that did not change.
    pub(super) context: Vec<Unchanged>,
    /// True if more has changed than is told.
    pub(super) truncated: bool,
    /// Documents of either that cannot be read any more.
    pub(super) damaged: Vec<String>,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Change {
    /// Path below the project; empty for its own document.
    pub(super) path: String,
    pub(super) before: Option<Json>,
    pub(super) after: Option<Json>,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Unchanged {
    pub(super) path: String,
    pub(super) value: Json,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Restore {
    pub(super) project_id: String,
    pub(super) version: String,
    /// Paths below the project: the documents at and below them are restored. All of them if it is missing.
    #[serde(default)]
    pub(super) paths: Option<Vec<String>>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct RestoreReply {
    /// The version that was made of the project as it was.
    pub(super) frozen: String,
    /// Documents that were set or deleted.
    pub(super) changed: usize,
    /// Rulebooks whose text the caller restores, as a step of theirs.
    pub(super) rulebooks: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Name {
    pub(super) project_id: String,
    pub(super) version: String,
    pub(super) name: String,
    #[serde(default)]
    pub(super) note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Delete {
    pub(super) project_id: String,
    pub(super) version: String,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Empty {}
