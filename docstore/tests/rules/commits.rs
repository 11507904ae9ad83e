//! Commits that write a document several times, judged as Google's emulator judges them: once for each document, as it
//! is before the commit against as it is after it. `suites/differential/commits.mjs` asks the emulator the same table.

use std::collections::BTreeMap;

use docstore::model::*;
use docstore::*;
use serde::Deserialize;

use super::support::*;
use super::{RulesOptions, SecurityRules, user};

const TABLE: &str = include_str!("commits.json");

#[derive(Deserialize)]
struct Table {
    commits: BTreeMap<String, Case>,
    rules: Vec<Rules>,
}

#[derive(Deserialize)]
struct Case {
    /// Field `n` of each document before the commit.
    before: BTreeMap<String, i64>,
    writes: Vec<Step>,
}

/// The rules of the documents below `a`, and the commits that they allow.
#[derive(Deserialize)]
struct Rules {
    statement: String,
    allowed: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Step {
    Set {
        set: String,
        n: i64,
    },
    Create {
        create: String,
        n: i64,
    },
    Update {
        update: String,
        n: i64,
    },
    Delete {
        delete: String,
    },
    Increment {
        increment: String,
        by: i64,
    },
    /// Field `t` becomes the server's time.
    Stamp {
        stamp: String,
    },
}

impl Step {
    fn write(&self) -> Write {
        let n = |n: &i64| fields([("n", int(*n))]);
        match self {
            Self::Set { set: path, n: value } => set(path, n(value)),
            Self::Create { create, n: value } => {
                Write { precondition: Precondition::Exists(false), ..set(create, n(value)) }
            }
            Self::Update { update, n: value } => {
                let (mask, transforms) = (vec![field("n")], Vec::new());
                let op = WriteOp::Update { fields: n(value), mask, transforms };
                Write { path: doc(update), op, precondition: Precondition::Exists(true) }
            }
            Self::Delete { delete: path } => delete(path),
            Self::Increment { increment: path, by } => increment(path, "n", *by),
            Self::Stamp { stamp } => {
                let transforms =
                    vec![FieldTransform { field: field("t"), transform: Transform::ServerTimestamp }];
                let op = WriteOp::Update { fields: Fields::new(), mask: Vec::new(), transforms };
                Write { path: doc(stamp), op, precondition: Precondition::None }
            }
        }
    }
}

#[tokio::test]
async fn a_commit_is_judged_as_a_whole() {
    let table: Table = serde_json::from_str(TABLE).unwrap();
    let store = Store::in_memory().await.unwrap();
    let policy = std::sync::Arc::new(SecurityRules::new(RulesOptions::default()));
    store.set_access(policy.clone());
    for (index, rules) in table.rules.iter().enumerate() {
        let mut allowed = Vec::new();
        for (number, (name, case)) in table.commits.iter().enumerate() {
            let project = format!("p-{index}-{number}");
            let text = format!(
                "rules_version = '2'; service cloud.firestore {{ match /databases/{{db}}/documents {{
                   match /a/{{id}} {{ {}; }} match /b/{{id}} {{ allow write; }} }} }}",
                rules.statement
            );
            policy.set(&project, &text).unwrap();
            let db = store.database(&DatabaseId::default_of(&project));
            let seed = case.before.iter().map(|(path, n)| set(path, fields([("n", int(*n))]))).collect();
            db.commit(Draft::of(seed)).await.unwrap();
            let writes = case.writes.iter().map(Step::write).collect();
            match user(&db, "ann").commit(Draft::of(writes)).await {
                Ok(_) => allowed.push(name.as_str()),
                Err(error) => assert_eq!(error.code(), Code::PermissionDenied, "{name}: {error}"),
            }
        }
        let mut expected: Vec<&str> = rules.allowed.iter().map(String::as_str).collect();
        expected.sort_unstable();
        assert_eq!(allowed, expected, "{}", rules.statement);
    }
}

/// A write's precondition decides whether it is a create or an update, as Google's emulator has it: somebody who may
/// update learns that there is nothing to update, and somebody who may create that the document exists.
#[tokio::test]
async fn what_a_write_requires_of_a_document_decides_its_method() {
    let store = Store::in_memory().await.unwrap();
    let policy = std::sync::Arc::new(SecurityRules::new(RulesOptions::default()));
    store.set_access(policy.clone());
    let (exists, absent) = (Precondition::Exists(true), Precondition::Exists(false));
    let long_ago = Precondition::UpdateTime(Ts::from_micros(1_000_000));
    let rows = [
        ("create", exists, false, Some(Code::PermissionDenied)),
        ("create", absent, false, None),
        ("create", absent, true, Some(Code::AlreadyExists)),
        ("create", long_ago, false, Some(Code::PermissionDenied)),
        ("create", Precondition::None, true, Some(Code::PermissionDenied)),
        ("update", exists, false, Some(Code::NotFound)),
        ("update", exists, true, None),
        ("update", absent, true, Some(Code::PermissionDenied)),
        ("update", long_ago, false, Some(Code::FailedPrecondition)),
        ("update", long_ago, true, Some(Code::FailedPrecondition)),
        ("update", Precondition::None, false, Some(Code::PermissionDenied)),
    ];
    for (number, (method, precondition, there, expected)) in rows.into_iter().enumerate() {
        let project = format!("p-{number}");
        let text = format!(
            "rules_version = '2'; service cloud.firestore {{ match /databases/{{db}}/documents {{
               match /a/{{id}} {{ allow {method}: if request.resource.data.n > 0; }} }} }}"
        );
        policy.set(&project, &text).unwrap();
        let db = store.database(&DatabaseId::default_of(&project));
        if there {
            db.commit(Draft::of(vec![set("a/1", fields([("n", int(1))]))])).await.unwrap();
        }
        let write = Write { precondition, ..set("a/1", fields([("n", int(2))])) };
        let refused = user(&db, "ann").commit(Draft::of(vec![write])).await.err().map(|error| error.code());
        assert_eq!(refused, expected, "allow {method}, {precondition:?}, there: {there}");
    }
}
