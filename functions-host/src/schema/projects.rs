//! Version 2: projects lie at the top level.
//!
//! `users/{uid}/decks/{id}` with all that is below it moves to `projects/{id}`. A project then names its owner, who is
//! also a member with the role `owner`. Layouts, images, fonts and files stay with their owners. A commit writes documents
//! at their new places and deletes them at the old ones, so an interrupted move goes on with what is left.

mod conflicts;
mod moving;
mod survey;
#[cfg(test)]
mod tests;

use docstore::Result;
use docstore::model::{DocPath, Fields, Value};
use futures::future::BoxFuture;

use super::batches::Limits;
use super::walk::Origin;
use super::{Progress, Step, Target};

/// The projects below each account.
const DECKS: Origin = Origin { name: "decks", page: 250 };

/// The step.
#[derive(Debug)]
pub(super) struct ProjectsToTop;

impl Step for ProjectsToTop {
    fn title(&self) -> &'static str {
        "projects move from users/{uid}/decks to projects"
    }

    fn survey<'a>(
        &'a self,
        target: &'a Target,
        tell: &'a mut (dyn FnMut(&str) -> Result<()> + Send),
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(survey::survey(target, tell))
    }

    fn prepare<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<()>> {
        Box::pin(conflicts::resolve(target))
    }

    fn run<'a>(&'a self, target: &'a Target, progress: &'a dyn Progress) -> BoxFuture<'a, Result<()>> {
        Box::pin(moving::run(target, Limits::default(), progress))
    }
}

/// The new place of a project.
fn place_of(id: &str) -> Result<DocPath> {
    DocPath::parse(&format!("projects/{id}"))
}

/// The owner that a project names.
fn owner_of(fields: &Fields) -> Option<String> {
    if let Some(Value::String(owner)) = fields.get("owner") { Some(owner.clone()) } else { None }
}

/// The collections and ids of `path` below `root`.
fn part_of<'a>(root: &DocPath, path: &'a DocPath) -> Vec<&'a str> {
    path.segments().skip(root.segments().count()).collect()
}

/// True for a document that says where somebody is at the moment. None is worth keeping while the server is stopped.
fn is_presence(part: &[&str]) -> bool {
    matches!(part, ["components", _, "presence", _])
}
