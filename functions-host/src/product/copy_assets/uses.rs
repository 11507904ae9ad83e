//! Uses of a thing, which keep it in its place.
//!
//! Images are found by what is written: in layouts, in cells, in the steps and versions of rulebooks. What the formula of a
//! card makes up only the application can tell; it looks before it asks for a move.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use docstore::Result;
use docstore::model::{DocPath, Document, Fields, Value};
use serde::Serialize;

use super::reading::Reading;
use super::text_in;
use crate::functions::callable::CallError;
use crate::product::layout_images::{meanings, sources};
use crate::product::place::Place;

/// Uses that are told of one thing.
const MAX_TOLD: usize = 20;

/// Characters of a name that are told.
const NAME_CHARS: usize = 60;

/// Fields of a component that name layouts, and those whose `layouts` do by what a column says.
const LAYOUT_FIELDS: [&str; 2] = ["layoutId", "backLayoutId"];
const CHOICE_FIELDS: [&str; 2] = ["frontBy", "backBy"];

/// Kind of what shows a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum UseKind {
    Component,
    /// A layout shows an image, or follows another layout.
    Layout,
    Card,
    /// Texts in another language, whose tag is the name.
    Translation,
    Rulebook,
    /// People may have the layout's link.
    Link,
    /// It was changed since it was made.
    Change,
}

/// Something that shows a thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Use {
    pub(super) kind: UseKind,
    /// Its name; empty if it has none.
    pub(super) name: String,
}

impl Use {
    fn new(kind: UseKind, name: &str) -> Self {
        Self { kind, name: name.chars().take(NAME_CHARS).collect() }
    }

    /// A change since the thing was made.
    pub(super) const fn change() -> Self {
        Self { kind: UseKind::Change, name: String::new() }
    }
}

/// Uses by the ids of what they show.
pub(super) type Uses = BTreeMap<String, Vec<Use>>;

fn add(uses: &mut Uses, id: &str, one: Use) {
    let told = uses.entry(id.to_owned()).or_default();
    if told.len() < MAX_TOLD && !told.contains(&one) {
        told.push(one);
    }
}

/// Uses of layouts of a place, of those that are `wanted`.
///
/// # Errors
/// `PermissionDenied`, `FailedPrecondition` for more than is looked through; those of the store.
pub(super) async fn of_layouts(
    reading: &Reading,
    place: &Place,
    wanted: &[Document],
) -> Result<Uses, CallError> {
    let mut uses = Uses::new();
    let ids: BTreeSet<&str> = wanted.iter().map(|layout| layout.path.id()).collect();
    for layout in wanted {
        if layout.fields.get("shared") == Some(&Value::Boolean(true)) {
            add(&mut uses, layout.path.id(), Use::new(UseKind::Link, ""));
        }
    }
    if let Place::Project(project) = place {
        let fields = [&["name"][..], &LAYOUT_FIELDS, &CHOICE_FIELDS].concat();
        for component in reading.all(&project.child("components")?, &fields).await? {
            for id in layouts_of(&component.fields).into_iter().filter(|id| ids.contains(id)) {
                add(&mut uses, id, Use::new(UseKind::Component, name_of(&component)));
            }
        }
    }
    // A follower that goes along follows as before.
    let others = reading.all(&place.layouts()?, &["name", "follows"]).await?;
    for layout in others.iter().filter(|layout| !ids.contains(layout.path.id())) {
        if let Some(id) = followed_beside(&layout.fields).filter(|id| ids.contains(id)) {
            add(&mut uses, id, Use::new(UseKind::Layout, name_of(layout)));
        }
    }
    Ok(uses)
}

/// The layouts that a component shows its cards with.
fn layouts_of(component: &Fields) -> Vec<&str> {
    let mut found: Vec<&str> = LAYOUT_FIELDS.iter().filter_map(|name| text_in(component, name)).collect();
    for name in CHOICE_FIELDS {
        let Some(Value::Map(choice)) = component.get(name) else { continue };
        let Some(Value::Map(layouts)) = choice.get("layouts") else { continue };
        found.extend(layouts.values().filter_map(|layout| match layout {
            Value::String(id) => Some(id.as_str()),
            _ => None,
        }));
    }
    found
}

/// The layout of the same place that a layout follows.
pub(super) fn followed_beside(layout: &Fields) -> Option<&str> {
    let Some(Value::Map(follows)) = layout.get("follows") else { return None };
    let elsewhere = text_in(follows, "project").is_some() || text_in(follows, "library").is_some();
    text_in(follows, "layout").filter(|_| !elsewhere)
}

/// Uses of images of a place, of those that are `wanted`.
///
/// # Errors
/// Those of [`of_layouts`].
pub(super) async fn of_images(
    reading: &Reading,
    place: &Place,
    all: &Arc<[Document]>,
    wanted: &BTreeSet<&str>,
    going: &BTreeSet<&str>,
) -> Result<Uses, CallError> {
    let mut showing: Vec<(Use, BTreeSet<String>)> = Vec::new();
    for layout in reading.all(&place.layouts()?, &["name", "scene"]).await? {
        if let Some(scene) = layout.fields.get("scene").filter(|_| !going.contains(layout.path.id())) {
            showing.push((Use::new(UseKind::Layout, name_of(&layout)), sources::of(scene)));
        }
    }
    if let Place::Project(project) = place {
        cards(reading, project, &mut showing).await?;
        translations(reading, project, &mut showing).await?;
        rulebooks(reading, project, &mut showing).await?;
    }
    let named: BTreeSet<String> = showing.iter().flat_map(|(_, sources)| sources).cloned().collect();
    let meant = meanings(all, named).await?;
    let mut uses = Uses::new();
    for (one, sources) in showing {
        for id in sources.iter().filter_map(|source| meant.get(source)) {
            if wanted.contains(id.as_str()) {
                add(&mut uses, id, one.clone());
            }
        }
    }
    Ok(uses)
}

/// The cards of a project's components, with the images that their cells name.
async fn cards(
    reading: &Reading,
    project: &DocPath,
    showing: &mut Vec<(Use, BTreeSet<String>)>,
) -> Result<(), CallError> {
    for component in reading.all(&project.child("components")?, &["name", "columns"]).await? {
        let columns = match component.fields.get("columns") {
            Some(Value::Array(columns)) => columns.as_slice(),
            _ => &[],
        };
        let columns: Vec<(&str, bool)> = columns
            .iter()
            .filter_map(|column| {
                let Value::Map(column) = column else { return None };
                Some((text_in(column, "key")?, text_in(column, "type") == Some("image")))
            })
            .collect();
        for card in reading.all(&component.path.child("cards")?, &["cells"]).await? {
            let Some(Value::Map(cells)) = card.fields.get("cells") else { continue };
            let named = cells.iter().filter_map(|(key, value)| {
                let Value::String(text) = value else { return None };
                let of_images = columns.iter().any(|(name, of_images)| *of_images && name == key);
                Some(sources::of_cell(text, of_images))
            });
            let named: BTreeSet<String> = named.flatten().collect();
            if !named.is_empty() {
                let mut texts = columns.iter().filter_map(|(key, _)| text_in(cells, key));
                let name = texts.find(|text| !text.trim().is_empty()).unwrap_or_default();
                showing.push((Use::new(UseKind::Card, name), named));
            }
        }
    }
    Ok(())
}

/// The translations of a project's cards and layouts, with the icons in their texts.
async fn translations(
    reading: &Reading,
    project: &DocPath,
    showing: &mut Vec<(Use, BTreeSet<String>)>,
) -> Result<(), CallError> {
    for language in reading.all(&project.child("languages")?, &["at"]).await? {
        for part in reading.all(&language.path.child("parts")?, &["units"]).await? {
            let Some(Value::Map(units)) = part.fields.get("units") else { continue };
            let texts = units.values().filter_map(|unit| match unit {
                Value::Map(unit) => text_in(unit, "text"),
                _ => None,
            });
            let named: BTreeSet<String> = texts.flat_map(|text| sources::of_cell(text, false)).collect();
            if !named.is_empty() {
                showing.push((Use::new(UseKind::Translation, language.path.id()), named));
            }
        }
    }
    Ok(())
}

/// The rulebooks of a project that nobody has deleted, with the images that are and were in them: their steps can be undone.
async fn rulebooks(
    reading: &Reading,
    project: &DocPath,
    showing: &mut Vec<(Use, BTreeSet<String>)>,
) -> Result<(), CallError> {
    for rulebook in reading.all(&project.child("rulebooks")?, &["title", "deletedAt"]).await? {
        if !matches!(rulebook.fields.get("deletedAt"), None | Some(Value::Null | Value::Integer(0))) {
            continue;
        }
        let mut named = BTreeSet::new();
        for (collection, field) in [("steps", "s"), ("versions", "doc")] {
            for part in reading.all(&rulebook.path.child(collection)?, &[field]).await? {
                named.extend(text_in(&part.fields, field).map(sources::of_json).unwrap_or_default());
            }
        }
        let title = text_in(&rulebook.fields, "title").unwrap_or_default();
        showing.push((Use::new(UseKind::Rulebook, title), named));
    }
    Ok(())
}

fn name_of(document: &Document) -> &str {
    text_in(&document.fields, "name").unwrap_or_else(|| document.path.id())
}
