//! `firestore.indexes.json`: the indexes it declares, and the text to add for missing ones.
//!
//! A composite index is an entry of `indexes`. A single field of a collection is always indexed; that of a collection
//! group is declared by an override of the field, in `fieldOverrides`. Overrides that remove indexes are ignored.

use serde::Deserialize;

use crate::catalog::{IndexMode, IndexScope};
use crate::model::FieldPath;
use crate::query::Wanting;
use crate::{Error, Result};

/// Field path of the override that applies to all other fields.
const ALL_FIELDS: &str = "*";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Declared {
    #[serde(default)]
    indexes: Vec<Index>,
    #[serde(default)]
    field_overrides: Vec<Override>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Index {
    collection_group: String,
    #[serde(default)]
    query_scope: Option<String>,
    fields: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Field {
    field_path: String,
    order: Option<String>,
    array_config: Option<String>,
    vector_config: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Override {
    collection_group: String,
    field_path: String,
    #[serde(default)]
    indexes: Vec<OverrideIndex>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OverrideIndex {
    #[serde(default)]
    query_scope: Option<String>,
    order: Option<String>,
    array_config: Option<String>,
}

/// The indexes that a `firestore.indexes.json` declares in addition to the automatic ones.
///
/// # Errors
/// `InvalidArgument` (`IndexesJson`) naming the wrong entry.
pub(super) fn read(json: &str) -> Result<Vec<Wanting>> {
    let declared: Declared = serde_json::from_str(json).map_err(|error| bad(&error.to_string()))?;
    let mut all = Vec::new();
    for (at, index) in declared.indexes.into_iter().enumerate() {
        let place = format!("indexes[{at}]");
        let scope = scope(index.query_scope.as_deref(), &place)?;
        let mut fields = Vec::new();
        // Vectors are searched exactly and need no index.
        for field in index.fields.into_iter().filter(|field| field.vector_config.is_none()) {
            let path = FieldPath::parse(&field.field_path)?;
            let mode = mode(field.order.as_deref(), field.array_config.as_deref(), &path, &place)?;
            fields.push((path, mode));
        }
        all.push(Wanting { collection: index.collection_group, scope, fields: canonical(fields) });
    }
    let overrides = declared.field_overrides.into_iter().enumerate();
    for (at, field) in overrides.filter(|(_, field)| field.field_path != ALL_FIELDS) {
        let place = format!("fieldOverrides[{at}]");
        let path = FieldPath::parse(&field.field_path)?;
        for index in field.indexes {
            let mode = mode(index.order.as_deref(), index.array_config.as_deref(), &path, &place)?;
            let wanting = Wanting {
                collection: field.collection_group.clone(),
                scope: scope(index.query_scope.as_deref(), &place)?,
                fields: canonical(vec![(path.clone(), mode)]),
            };
            if wanting.scope == IndexScope::Group && !all.contains(&wanting) {
                all.push(wanting);
            }
        }
    }
    Ok(all)
}

fn bad(why: &str) -> Error {
    Error::invalid("IndexesJson", format!("firestore.indexes.json: {why}."))
}

fn scope(name: Option<&str>, place: &str) -> Result<IndexScope> {
    match name {
        None | Some("COLLECTION") => Ok(IndexScope::Collection),
        Some("COLLECTION_GROUP") => Ok(IndexScope::Group),
        Some(other) => Err(bad(&format!("{place} has the queryScope \"{other}\""))),
    }
}

fn mode(order: Option<&str>, array: Option<&str>, path: &FieldPath, place: &str) -> Result<IndexMode> {
    match (order, array) {
        (Some("ASCENDING"), None) => Ok(IndexMode::Ascending),
        (Some("DESCENDING"), None) => Ok(IndexMode::Descending),
        (None, Some("CONTAINS")) => Ok(IndexMode::Contains),
        _ => Err(bad(&format!(
            "{place}, field \"{path}\" needs \"order\" (ASCENDING or DESCENDING) or \"arrayConfig\": \"CONTAINS\""
        ))),
    }
}

/// The mirror image of an index whose last field descends: names always ascend, and scans run either way.
fn canonical(mut fields: Vec<(FieldPath, IndexMode)>) -> Vec<(FieldPath, IndexMode)> {
    if fields.last().is_some_and(|(_, mode)| *mode == IndexMode::Descending) {
        for (_, mode) in &mut fields {
            *mode = match mode {
                IndexMode::Ascending => IndexMode::Descending,
                IndexMode::Descending => IndexMode::Ascending,
                IndexMode::Contains => IndexMode::Contains,
            };
        }
    }
    fields
}

/// Text to add to the file, and its place there, to declare indexes.
pub(super) fn to_add(indexes: &[Wanting]) -> String {
    let (overrides, composite): (Vec<&Wanting>, Vec<&Wanting>) =
        indexes.iter().partition(|wanting| wanting.scope == IndexScope::Group && wanting.fields.len() == 1);
    let list = |name: &str, entries: Vec<serde_json::Value>| {
        let entries: Vec<String> = entries.iter().map(ToString::to_string).collect();
        (!entries.is_empty()).then(|| format!("to \"{name}\": {}", entries.join(", ")))
    };
    let composite = list("indexes", composite.into_iter().map(index).collect());
    let overrides = list("fieldOverrides", overrides.into_iter().map(override_of).collect());
    [composite, overrides].into_iter().flatten().collect::<Vec<_>>().join(", and ")
}

fn entry(mode: IndexMode) -> (&'static str, &'static str) {
    match mode {
        IndexMode::Ascending => ("order", "ASCENDING"),
        IndexMode::Descending => ("order", "DESCENDING"),
        IndexMode::Contains => ("arrayConfig", "CONTAINS"),
    }
}

fn index(wanting: &Wanting) -> serde_json::Value {
    let field = |(path, mode): &(FieldPath, IndexMode)| {
        let (key, value) = entry(*mode);
        serde_json::json!({ "fieldPath": path.to_string(), key: value })
    };
    let scope = match wanting.scope {
        IndexScope::Collection => "COLLECTION",
        // An index below one document is learned, never declared.
        IndexScope::Group | IndexScope::Below => "COLLECTION_GROUP",
    };
    serde_json::json!({
        "collectionGroup": wanting.collection,
        "queryScope": scope,
        "fields": wanting.fields.iter().map(field).collect::<Vec<_>>(),
    })
}

/// An override replaces a field's automatic indexes, so it repeats them.
fn override_of(wanting: &Wanting) -> serde_json::Value {
    let always = [IndexMode::Ascending, IndexMode::Descending, IndexMode::Contains].map(|mode| {
        let (key, value) = entry(mode);
        serde_json::json!({ key: value, "queryScope": "COLLECTION" })
    });
    let wanted = wanting.fields.iter().map(|(_, mode)| {
        let (key, value) = entry(*mode);
        serde_json::json!({ key: value, "queryScope": "COLLECTION_GROUP" })
    });
    let path = wanting.fields.first().map(|(path, _)| path.to_string());
    serde_json::json!({
        "collectionGroup": wanting.collection,
        "fieldPath": path,
        "indexes": always.into_iter().chain(wanted).collect::<Vec<_>>(),
    })
}
