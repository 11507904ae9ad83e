//! Version 5: what layouts carried lies with them.
//!
//! A layout shared by its link carried the pictures that it showed, at most a hundred, in its field `pictures`; now the
//! server finds them among the images beside it. So a picture that is not there yet becomes an image of the layout's
//! project or library. Fonts of people's own were files of their accounts; now a layout of a project names files of
//! the project, `projects/{p}/fonts/…`, each with a document `projects/{p}/fonts/{f}`, and one of a library names
//! files of the account that it belongs to. Files are copied as in version 4: only for an address with a token that
//! opens it. A font whose file is not copied keeps its address, which shows what it showed before.

mod fonts;
mod moving;
#[cfg(test)]
mod tests;

use docstore::Result;
use docstore::model::{DocPath, Document};
use futures::future::BoxFuture;

use super::batches::Limits;
use super::walk::{Size, group};
use super::{Progress, Step, Target};
use crate::project;

/// The step.
#[derive(Debug)]
pub(super) struct CarriedToOwned;

impl Step for CarriedToOwned {
    fn title(&self) -> &'static str {
        "pictures and fonts that layouts carry become those of their projects and libraries"
    }

    fn survey<'a>(
        &'a self,
        target: &'a Target,
        tell: &'a mut (dyn FnMut(&str) -> Result<()> + Send),
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(moving::survey(target, Limits::default().page, tell))
    }

    fn prepare<'a>(&'a self, _target: &'a Target) -> BoxFuture<'a, Result<()>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn run<'a>(&'a self, target: &'a Target, progress: &'a dyn Progress) -> BoxFuture<'a, Result<()>> {
        Box::pin(moving::run(target, Limits::default(), progress))
    }
}

/// Collections in which layouts and their versions lie.
const GROUPS: [&str; 3] = ["layouts", "items", "versions"];

/// The place of a layout, or of a version of one.
#[derive(Debug, PartialEq, Eq)]
enum Root {
    /// A project, by its id.
    Project(String),
    /// The library of an account.
    Library(String),
}

impl Root {
    /// The place of what has this path; `None` for other documents.
    fn of(path: &DocPath) -> Option<Self> {
        let segments: Vec<&str> = path.segments().collect();
        match segments[..] {
            [project::COLLECTION, id, "layouts", _] | [project::COLLECTION, id, "layouts", _, "versions", _] => {
                Some(Self::Project(id.to_owned()))
            }
            ["users", uid, "library", "layouts", "items", _]
            | ["users", uid, "library", "layouts", "items", _, "versions", _]
            // Of an earlier version, while an upgrade is told of.
            | ["users", uid, "layouts", _]
            | ["users", uid, "layouts", _, "versions", _] => Some(Self::Library(uid.to_owned())),
            _ => None,
        }
    }

    fn path(&self) -> String {
        match self {
            Self::Project(id) => format!("{}/{id}", project::COLLECTION),
            Self::Library(uid) => format!("users/{uid}"),
        }
    }

    /// Account whose files count here; `None` if the project is not there.
    async fn owner(&self, target: &Target) -> Result<Option<String>> {
        match self {
            Self::Library(uid) => Ok(Some(uid.clone())),
            Self::Project(id) => {
                let found = project::find(&target.documents, id).await?;
                Ok(found.as_ref().and_then(|found| project::owner(&found.fields)).map(str::to_owned))
            }
        }
    }
}

/// The next layouts or versions of a group, from behind `after` on; `None` at the end.
async fn next(
    target: &Target,
    collection: &str,
    after: &mut Option<DocPath>,
    size: Size,
) -> Result<Option<Vec<(Root, Document)>>> {
    let page = group(&target.documents, collection, after.as_ref(), size).await?;
    let Some(last) = page.last() else { return Ok(None) };
    *after = Some(last.path.clone());
    let layouts = page.into_iter().filter_map(|found| Some((Root::of(&found.path)?, found)));
    Ok(Some(layouts.collect()))
}
