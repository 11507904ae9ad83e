//! `playtests/{table}`: what lists and the lobby show of a table. Written by the server alone; nothing in it is secret.

use docstore::model::{DocPath, Document, FieldPath, Fields, Precondition, Timestamp, Value, Write, WriteOp};
use docstore::{Database, Draft, Result};
use tuckbox_table::model::{Role, Table};

/// Collection of all tables' public documents.
pub const COLLECTION: &str = "playtests";

/// The public document of a table.
///
/// # Errors
/// `InvalidArgument` for a text that is no id.
pub fn path(id: &str) -> Result<DocPath> {
    docstore::model::CollectionPath::parse(COLLECTION)?.doc(id)
}

/// A table's public document, if there is such a table.
///
/// # Errors
/// Those of the store.
pub async fn find(database: &Database, id: &str) -> Result<Option<Document>> {
    let Ok(path) = path(id) else { return Ok(None) };
    Ok(database.get(&[path], None).await?.value.into_iter().flatten().next())
}

/// The project that a table belongs to.
pub fn project(fields: &Fields) -> Option<&str> {
    if let Some(Value::String(project)) = fields.get("projectId") { Some(project) } else { None }
}

/// Owner of the project that a table belongs to.
pub fn owner(fields: &Fields) -> Option<&str> {
    if let Some(Value::String(owner)) = fields.get("ownerId") { Some(owner) } else { None }
}

/// A table's name.
pub fn name(fields: &Fields) -> Option<&str> {
    if let Some(Value::String(name)) = fields.get("name") { Some(name) } else { None }
}

/// True if the game has ended.
pub fn has_ended(fields: &Fields) -> bool {
    fields.get("status") == Some(&Value::String("ended".to_owned()))
}

/// The fields that follow the table: seats, players, and whether the game has ended. Players are those in seats whom the
/// table knows: `playerIds` lets them read this document.
pub fn following(table: &Table, knows: impl Fn(&str) -> bool) -> Fields {
    let text = |text: &str| Value::String(text.to_owned());
    let seats = table.seats.iter().map(|(no, seat)| {
        let role = match seat.role {
            Role::Host => "host",
            Role::Cohost => "cohost",
            Role::Player => "player",
        };
        let fields = [
            ("name", text(&seat.name)),
            ("colour", Value::Integer(i64::from(seat.colour))),
            ("role", text(role)),
            ("taken", Value::Boolean(seat.who.is_some())),
        ];
        (no.0.to_string(), Value::Map(fields.map(|(name, value)| (name.to_owned(), value)).into()))
    });
    let mut players: Vec<_> = table.seats.values().filter_map(|seat| seat.who.as_deref()).collect();
    players.retain(|uid| knows(uid));
    players.sort_unstable();
    players.dedup();
    Fields::from([
        ("seats".to_owned(), Value::Map(seats.collect())),
        ("playerIds".to_owned(), Value::Array(players.into_iter().map(text).collect())),
        ("status".to_owned(), text(if table.ended { "ended" } else { "open" })),
    ])
}

/// Brings the fields that follow the table up to date in its public document. One that is gone stays gone.
///
/// # Errors
/// Those of the store.
pub async fn follow(database: &Database, id: &str, following: Fields, now: Timestamp) -> Result<()> {
    let Some(found) = find(database, id).await? else { return Ok(()) };
    if following.iter().all(|(name, value)| found.fields.get(name) == Some(value)) {
        return Ok(());
    }
    let mut fields = following;
    fields.insert("updatedAt".to_owned(), Value::Timestamp(now));
    // Other fields may have changed since they were read.
    let mask = fields.keys().map(|name| FieldPath::parse(name)).collect::<Result<_>>()?;
    let op = WriteOp::Update { fields, mask, transforms: Vec::new() };
    let write = Write { path: found.path, op, precondition: Precondition::Exists(true) };
    database.commit(Draft::of(vec![write])).await.map(drop)
}
