//! Version 4: a project has the images that it shows.
//!
//! Browsers of members used to share pictures of their libraries with a project: `projects/{p}/pictures/{i}`, with the address of
//! a file of that library. Each becomes an image of the project, `projects/{p}/images/{i}`, whose file is a copy in the project's
//! folder and counts for the project's owner. Ids and names stay, so cells and layouts find it as before. People write such
//! documents, so a file is copied only if the address has a token that opens it. A picture without one showed nothing
//! before; it goes, and the log says so.

pub(super) mod moving;
pub(super) mod shared;
#[cfg(test)]
pub(crate) mod tests;

use docstore::Result;
use futures::future::BoxFuture;

use super::batches::Limits;
use super::{Progress, Step, Target};

/// The step.
#[derive(Debug)]
pub(super) struct PicturesToImages;

impl Step for PicturesToImages {
    fn title(&self) -> &'static str {
        "pictures that members share become images of the projects that show them"
    }

    fn survey<'a>(
        &'a self,
        target: &'a Target,
        tell: &'a mut (dyn FnMut(&str) -> Result<()> + Send),
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(shared::survey(target, Limits::default().page, tell))
    }

    fn prepare<'a>(&'a self, _target: &'a Target) -> BoxFuture<'a, Result<()>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn run<'a>(&'a self, target: &'a Target, progress: &'a dyn Progress) -> BoxFuture<'a, Result<()>> {
        Box::pin(moving::run(target, Limits::default(), progress))
    }
}
