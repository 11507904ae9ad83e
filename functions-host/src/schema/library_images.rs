//! Version 6: the images of an account lie in its library, beside its layouts.
//!
//! `users/{uid}/images/{i}` moves to `users/{uid}/library/images/items/{i}` with all that is below it. Its file stays where it
//! is, in `users/{uid}/images/…`, so that addresses go on. A copy that says in `from` what it is of says so by the new
//! path. A commit writes documents at their new places and deletes them at the old ones, so an interrupted move goes on
//! with what is left.

mod moving;
#[cfg(test)]
mod tests;

use docstore::Result;
use docstore::model::{DocPath, Fields, Value};
use futures::future::BoxFuture;

use super::batches::Limits;
use super::walk::Origin;
use super::{Progress, Step, Target};
use crate::library;

/// The images below each account.
const IMAGES: Origin = Origin { name: "images", page: 250 };

/// The step.
#[derive(Debug)]
pub(super) struct ImagesToLibrary;

impl Step for ImagesToLibrary {
    fn title(&self) -> &'static str {
        "images move from users/{uid}/images to users/{uid}/library"
    }

    fn survey<'a>(
        &'a self,
        target: &'a Target,
        tell: &'a mut (dyn FnMut(&str) -> Result<()> + Send),
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(moving::survey(target, tell))
    }

    fn prepare<'a>(&'a self, _target: &'a Target) -> BoxFuture<'a, Result<()>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn run<'a>(&'a self, target: &'a Target, progress: &'a dyn Progress) -> BoxFuture<'a, Result<()>> {
        Box::pin(moving::run(target, Limits::default(), progress))
    }
}

/// The new path of what has this one; `None` if it does not lie at the old place.
fn moved(path: &str) -> Option<DocPath> {
    let path = DocPath::parse(path).ok()?;
    let mut segments = path.segments();
    let (Some("users"), Some(uid), Some("images"), Some(id)) =
        (segments.next(), segments.next(), segments.next(), segments.next())
    else {
        return None;
    };
    let below: String = segments.map(|segment| format!("/{segment}")).collect();
    DocPath::parse(&format!("{}/{id}{below}", library::images(uid).ok()?)).ok()
}

/// The `from` of a copy with the new path of its original; `None` where nothing changes.
fn renamed(copy: &Fields) -> Option<Fields> {
    let Some(Value::Map(from)) = copy.get("from") else { return None };
    let Some(Value::String(path)) = from.get("path") else { return None };
    let mut from = from.clone();
    from.insert("path".to_owned(), Value::String(moved(path)?.to_string()));
    Some(from)
}
