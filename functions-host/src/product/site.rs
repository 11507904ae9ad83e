//! Site-wide settings by admins: `site/state` holds an announcement and feature switches. Clients read it live.

use std::collections::BTreeSet;

use docstore::commit::Draft;
use docstore::database::Database;
use docstore::model::{DocPath, FieldPath, Fields, Precondition, Value, Write, WriteOp};
use serde::Deserialize;

use super::admin::admin_of;
use super::audit::AuditLog;
use crate::functions::callable::{CallError, Context, Function};

/// Path of the document.
const PATH: &str = "site/state";

/// Longest announcement, in characters.
const MAX_NOTICE: usize = 300;

/// The switches; the client has the same list.
const FLAGS: [&str; 4] = ["tutorials", "sharing", "brainstorm", SAMPLE_TABLES];

/// The switch of the tables that visitors open without an account.
pub(super) const SAMPLE_TABLES: &str = "sampleTable";

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Info,
    Warning,
}

#[derive(Debug, Deserialize)]
struct Notice {
    text: String,
    level: Level,
}

#[derive(Debug, Deserialize)]
struct Switch {
    flag: String,
    on: bool,
}

/// `adminSetNotice` and `adminSetFlag`.
pub(super) fn functions(database: &Database, log: &AuditLog) -> [Function; 2] {
    let notice = {
        let (database, log) = (database.clone(), log.clone());
        Function::new("adminSetNotice", move |context: Context, request: Notice| {
            let (database, log) = (database.clone(), log.clone());
            async move {
                let admin = admin_of(&context)?;
                if request.text.chars().count() > MAX_NOTICE {
                    return Err(CallError::invalid(format!(
                        "text may have {MAX_NOTICE} characters at most."
                    )));
                }
                log.write(admin, "set the announcement", &request.text).await?;
                let level = match request.level {
                    Level::Info => "info",
                    Level::Warning => "warning",
                };
                let value = Value::Map(Fields::from([
                    ("text".to_owned(), Value::String(request.text)),
                    ("level".to_owned(), Value::String(level.to_owned())),
                ]));
                set(&database, &["notice"], value).await
            }
        })
    };
    let flag = {
        let (database, log) = (database.clone(), log.clone());
        Function::new("adminSetFlag", move |context: Context, request: Switch| {
            let (database, log) = (database.clone(), log.clone());
            async move {
                let admin = admin_of(&context)?;
                if !BTreeSet::from(FLAGS).contains(request.flag.as_str()) {
                    return Err(CallError::invalid(format!("flag must be one of {}.", FLAGS.join(", "))));
                }
                let action = if request.on { "switched on" } else { "switched off" };
                log.write(admin, action, &request.flag).await?;
                set(&database, &["flags", &request.flag], Value::Boolean(request.on)).await
            }
        })
    };
    [notice, flag]
}

/// True unless an admin has closed the links of shared things.
///
/// # Errors
/// Those of the store.
pub(super) async fn sharing_is_on(database: &Database) -> docstore::Result<bool> {
    is_on(database, "sharing").await
}

/// True unless an admin has turned a switch off.
///
/// # Errors
/// Those of the store.
pub(super) async fn is_on(database: &Database, flag: &str) -> docstore::Result<bool> {
    let found = database.get(&[DocPath::parse(PATH)?], None).await?.value.into_iter().flatten().next();
    let flags = found.as_ref().and_then(|state| state.fields.get("flags"));
    Ok(!matches!(flags, Some(Value::Map(flags)) if flags.get(flag) == Some(&Value::Boolean(false))))
}

/// Sets one field and leaves the others.
async fn set(database: &Database, path: &[&str], value: Value) -> Result<(), CallError> {
    let fields =
        path.iter().rev().fold(value, |inner, name| Value::Map(Fields::from([((*name).to_owned(), inner)])));
    let Value::Map(fields) = fields else { return Ok(()) };
    let op =
        WriteOp::Update { fields, mask: vec![FieldPath::parse(&path.join("."))?], transforms: Vec::new() };
    let write = Write { path: DocPath::parse(PATH)?, op, precondition: Precondition::None };
    database.commit(Draft::of(vec![write])).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::FLAGS;

    #[test]
    fn the_client_has_the_same_switches() {
        let client = concat!(env!("CARGO_MANIFEST_DIR"), "/../client/src/data/site/site.ts");
        let client = std::fs::read_to_string(client).unwrap();
        let (_, list) = client.split_once("export const FLAGS = {").unwrap();
        let (list, _) = list.split_once('}').unwrap();
        let named: Vec<_> = list.lines().filter_map(|line| Some(line.trim().split_once(':')?.0)).collect();
        assert_eq!(named, FLAGS);
    }
}
