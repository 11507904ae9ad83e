//! Version 3: layouts lie with the projects that use them.
//!
//! `users/{uid}/layouts/{id}` with all that is below it moves to `projects/{p}/layouts/{id}`. Where several projects of its
//! owner use it, the oldest one keeps its id, and each of the others gets a layout of its own with a new id, which its
//! components then name. A layout that no project uses moves to its owner's library, `users/{uid}/library/layouts/items/{id}`.
//! The places are decided and recorded first. A commit writes documents at their new places and deletes them at the old
//! ones, so an interrupted move goes on with what is left.

mod components;
mod moving;
mod plan;
mod survey;
#[cfg(test)]
mod tests;

use docstore::Result;
use docstore::model::{DocPath, Fields, Value};
use futures::future::BoxFuture;

use super::batches::Limits;
use super::walk::Origin;
use super::{Progress, Step, Target};
use crate::library;

/// The layouts below each account; a layout may take a mebibyte.
const LAYOUTS: Origin = Origin { name: "layouts", page: 16 };

/// The step.
#[derive(Debug)]
pub(super) struct LayoutsToProjects;

impl Step for LayoutsToProjects {
    fn title(&self) -> &'static str {
        "layouts move from users/{uid}/layouts to the projects that use them, or to users/{uid}/library"
    }

    fn survey<'a>(
        &'a self,
        target: &'a Target,
        tell: &'a mut (dyn FnMut(&str) -> Result<()> + Send),
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(survey::survey(target, tell))
    }

    fn prepare<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<()>> {
        Box::pin(plan::record(target))
    }

    fn run<'a>(&'a self, target: &'a Target, progress: &'a dyn Progress) -> BoxFuture<'a, Result<()>> {
        Box::pin(run(target, Limits::default(), progress))
    }
}

async fn run(target: &Target, limits: Limits, progress: &dyn Progress) -> Result<()> {
    components::rename(target, limits, progress).await?;
    moving::run(target, limits, progress).await
}

/// The place of a layout in a project.
fn in_project(project: &str, id: &str) -> Result<DocPath> {
    DocPath::parse(&format!("projects/{project}/layouts/{id}"))
}

/// The place of a layout in its owner's library.
fn in_library(owner: &str, id: &str) -> Result<DocPath> {
    library::layouts(owner)?.doc(id)
}

/// A field's text.
fn text_of<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    if let Some(Value::String(text)) = fields.get(name) { Some(text) } else { None }
}

/// The fields of a component that name layouts.
const NAMING: [&str; 4] = ["layoutId", "backLayoutId", "frontBy", "backBy"];

/// Calls `each` with every layout that a component's field names.
fn each_named(value: &mut Value, each: &mut dyn FnMut(&mut String)) {
    match value {
        Value::String(id) => each(id),
        Value::Map(by) => {
            let Some(Value::Map(layouts)) = by.get_mut("layouts") else { return };
            for layout in layouts.values_mut() {
                if let Value::String(id) = layout {
                    each(id);
                }
            }
        }
        _ => {}
    }
}
