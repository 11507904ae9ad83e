//! Components name the layouts of their own project.

use std::collections::{BTreeMap, BTreeSet};

use docstore::Result;
use docstore::model::{CollectionPath, Document, FieldPath, Fields, Precondition, Write, WriteOp};

use super::{NAMING, each_named};
use crate::project;
use crate::schema::batches::{Batches, Limits};
use crate::schema::walk::children;
use crate::schema::{Progress, Target};

/// Gives components the new ids of layouts that they name. A component that names the new id already stays as it is: no
/// layout has had that one before.
///
/// # Errors
/// Those of the store and of `progress`; what is committed by then stays.
pub(super) async fn rename(target: &Target, limits: Limits, progress: &dyn Progress) -> Result<()> {
    let mut batches = Batches::new(&target.documents, limits, progress);
    let projects = CollectionPath::parse(project::COLLECTION)?;
    let mut after = None;
    loop {
        let page = children(&target.documents, &projects, after.as_ref(), limits.page, None).await?;
        let Some(last) = page.last() else { return batches.commit().await };
        after = Some(last.path.clone());
        for project in &page {
            in_project(target, project, &mut batches).await?;
        }
    }
}

async fn in_project(target: &Target, project: &Document, batches: &mut Batches<'_>) -> Result<()> {
    let Some(owner) = project::owner(&project.fields) else { return Ok(()) };
    let components = CollectionPath::parse(&format!("{}/components", project.path))?;
    let mut after = None;
    loop {
        let select = NAMING.iter().map(|name| FieldPath::parse(name)).collect::<Result<_>>()?;
        let (size, documents) = (batches.limits.page, &target.documents);
        let mut page = children(documents, &components, after.as_ref(), size, Some(select)).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = Some(last.path.clone());
        let mut named = BTreeSet::new();
        for value in page.iter_mut().flat_map(|component| component.fields.values_mut()) {
            each_named(value, &mut |id| {
                named.insert(id.clone());
            });
        }
        let named: Vec<&str> = named.iter().map(String::as_str).collect();
        let now = target.moved.placed_in(owner, project.path.id(), &named).await?;
        let renamed: BTreeMap<&str, String> = named
            .into_iter()
            .zip(now)
            .filter_map(|(from, to)| Some((from, to.filter(|to| *to != from)?)))
            .collect();
        for component in page {
            if let Some(write) = renaming(component, &renamed)? {
                batches.add([write], 0).await?;
            }
        }
    }
}

/// The write that gives a component the new ids, unless it names none of those layouts.
fn renaming(component: Document, renamed: &BTreeMap<&str, String>) -> Result<Option<Write>> {
    let mut fields = Fields::new();
    for (name, mut value) in component.fields {
        let mut changed = false;
        each_named(&mut value, &mut |id| {
            if let Some(to) = renamed.get(id.as_str()) {
                id.clone_from(to);
                changed = true;
            }
        });
        if changed {
            fields.insert(name, value);
        }
    }
    if fields.is_empty() {
        return Ok(None);
    }
    let mask = fields.keys().map(|name| FieldPath::parse(name)).collect::<Result<_>>()?;
    let op = WriteOp::Update { fields, mask, transforms: Vec::new() };
    Ok(Some(Write { path: component.path, op, precondition: Precondition::None }))
}
