//! The pictures that are shared, page by page, and what would become of them.

use std::collections::BTreeMap;

use docstore::Result;
use docstore::model::{DocPath, Document, Fields, Value};
use storage_emu::meta::ObjectMeta;

use crate::file_address::Address;
use crate::project;
use crate::schema::Target;
use crate::schema::walk::{Size, group};

/// Collection of the shared pictures, below a project.
const PICTURES: &str = "pictures";

/// The next shared pictures, from behind `after` on; in a survey also those of projects that lie below their owners still.
/// `None` at the end. A page may have none: other applications' documents may lie in collections of that name.
///
/// # Errors
/// Those of the store.
pub(super) async fn next(
    target: &Target,
    after: &mut Option<DocPath>,
    size: Size,
) -> Result<Option<Vec<Document>>> {
    let page = group(&target.documents, PICTURES, after.as_ref(), size).await?;
    let Some(last) = page.last() else { return Ok(None) };
    *after = Some(last.path.clone());
    Ok(Some(page.into_iter().filter(|found| project_of(&found.path).is_some()).collect()))
}

/// The document of the project that a picture is shared to.
pub(super) fn project_of(picture: &DocPath) -> Option<DocPath> {
    let segments: Vec<&str> = picture.segments().collect();
    match segments[..] {
        [project::COLLECTION, _, PICTURES, _] | ["users", _, "decks", _, PICTURES, _] => {
            DocPath::parse(&segments[..segments.len() - 2].join("/")).ok()
        }
        _ => None,
    }
}

/// The file of a picture, if its address opens one.
///
/// # Errors
/// Those of the store.
pub(super) async fn file_of<'a>(
    target: &Target,
    picture: &'a Fields,
) -> Result<Option<(Address<'a>, ObjectMeta)>> {
    let Some(address) = text_in(picture, "url").and_then(Address::parse) else { return Ok(None) };
    let file = address.file(&target.files).await?;
    Ok(file.map(|file| (address, file)))
}

/// A field's text.
pub(in crate::schema) fn text_in<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    if let Some(Value::String(text)) = fields.get(name) { Some(text) } else { None }
}

/// Tells of each project with shared pictures, a line each, and of all.
///
/// # Errors
/// Those of the store and of `tell`.
pub(super) async fn survey(
    target: &Target,
    size: Size,
    tell: &mut (dyn FnMut(&str) -> Result<()> + Send),
) -> Result<()> {
    let mut projects: BTreeMap<DocPath, (u64, u64)> = BTreeMap::new();
    let mut after = None;
    while let Some(page) = next(target, &mut after, size).await? {
        for picture in page {
            let Some(project) = project_of(&picture.path) else { continue };
            let (kept, gone) = projects.entry(project).or_default();
            match file_of(target, &picture.fields).await? {
                Some(_) => *kept += 1,
                None => *gone += 1,
            }
        }
    }
    let mut all = (0, 0);
    for (project, (kept, gone)) in &projects {
        tell(&format!("project {}: {}", project.id(), counted(*kept, *gone)))?;
        all = (all.0 + kept, all.1 + gone);
    }
    tell(&format!("{} projects, {}", projects.len(), counted(all.0, all.1)))
}

fn counted(kept: u64, gone: u64) -> String {
    format!("{kept} shared pictures become images, {gone} without a file go")
}
