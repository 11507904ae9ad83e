//! Copies of images. Each says in `from` what it is of, so that copying again finds it and makes no second one. With `renew`,
//! a copy whose original has another content since gets that content; its name, and what was said of it there, stay.

use std::collections::{BTreeMap, BTreeSet};

use docstore::model::{Document, FieldPath, Fields, Precondition, Value, Write, WriteOp};
use docstore::{Code, Result};

use super::contents::Contents;
use super::{Copying, Made, copy_of, text, text_in};
use crate::file_address::url_of;
use crate::functions::callable::CallError;
use crate::image_files;
use crate::product::layout_images::named_by;

/// Fields that a copy has from its original. The others say where it lies and when it was made.
const KEPT: [&str; 12] =
    ["former", "hash", "type", "w", "h", "bytes", "tags", "licence", "credit", "focus", "crop", "icon"];

/// Fields that come with another content. A crop applies to the picture that it was made for.
const RENEWED: [&str; 8] = ["hash", "type", "w", "h", "bytes", "crop", "focus", "icon"];

/// Copies images by their ids.
pub(super) async fn copy(copying: &Copying<'_>, ids: &[String], made: &mut Made) -> Result<(), CallError> {
    let originals = originals(copying, ids).await?;
    let mut contents = Contents::read(&copying.session, &copying.to.images()?).await?;
    for original in originals.values() {
        let hash = text_in(&original.fields, "hash").unwrap_or_default();
        let found = match copying.layout {
            // Another layout shows the copy of before, which may have changed since, here or there.
            Some(_) => contents.same_copy_of(&original.path, hash),
            None => contents.copy_of(&original.path),
        };
        let id = match found {
            Some(found) if copying.renew && found.hash != hash => {
                let id = found.id.clone();
                copying.renew(original, &id, made).await?.then_some(id)
            }
            Some(found) => Some(found.id.clone()),
            None => copying.copy(original, &mut contents, made).await?,
        };
        made.ids.extend(id.map(|id| (original.path.id().to_owned(), id)));
    }
    Ok(())
}

/// The images that are there; of a layout, those that it names.
async fn originals(copying: &Copying<'_>, ids: &[String]) -> Result<BTreeMap<String, Document>, CallError> {
    if ids.iter().any(|id| id.contains('/')) {
        return Err(CallError::invalid("An id of an image has no slash."));
    }
    let images = copying.from.images()?;
    let database = &copying.copier.database;
    let paths = ids.iter().map(|id| images.doc(id)).collect::<Result<Vec<_>>>()?;
    let found = match &copying.layout {
        None => copying.session.get(&paths, None).await?,
        Some(layout) => {
            let named = named_by(layout, database, &images).await?;
            let shown = paths.into_iter().filter(|path| named.iter().any(|image| image.path == *path));
            // The layout shows them to its reader, whom the rules would tell nothing of the place.
            database.get(&shown.collect::<Vec<_>>(), None).await?
        }
    };
    Ok(found.value.into_iter().flatten().map(|found| (found.path.id().to_owned(), found)).collect())
}

impl Copying<'_> {
    /// Copies the file of an image, and prepares its document. Answers the id of the copy.
    async fn copy(
        &self,
        original: &Document,
        contents: &mut Contents,
        made: &mut Made,
    ) -> Result<Option<String>, CallError> {
        let own = original.path.id();
        let id = if contents.has(own) { self.copier.random() } else { own.to_owned() };
        let Some(mut fields) = self.content_of(original, made).await? else { return Ok(None) };
        fields.extend(fields_in(original, &KEPT));
        let path = contents.add(&id, text_in(&original.fields, "path").unwrap_or(own), &original.path);
        fields.insert("path".to_owned(), text(&path));
        fields.insert("createdAt".to_owned(), Value::Timestamp(self.now()));
        made.writes.push(Write {
            path: self.to.images()?.doc(&id)?,
            op: WriteOp::Set { fields, transforms: Vec::new() },
            precondition: Precondition::Exists(false),
        });
        Ok(Some(id))
    }

    /// Gives a copy the content that its original has now. The file that it had stays: printed things may show it.
    async fn renew(&self, original: &Document, id: &str, made: &mut Made) -> Result<bool, CallError> {
        let Some(mut fields) = self.content_of(original, made).await? else { return Ok(false) };
        fields.extend(fields_in(original, &RENEWED));
        let names = fields.keys().map(String::as_str).chain(RENEWED).collect::<BTreeSet<_>>();
        let mask = names.into_iter().map(FieldPath::parse).collect::<Result<_>>()?;
        made.writes.push(Write {
            path: self.to.images()?.doc(id)?,
            op: WriteOp::Update { fields, mask, transforms: Vec::new() },
            precondition: Precondition::Exists(true),
        });
        Ok(true)
    }

    /// Copies the file of an image. Answers the fields that say where the copy lies, when it was made, and of which content.
    /// `None` for an image of a layout that has no file: the reader of a layout cannot mend it.
    async fn content_of(&self, original: &Document, made: &mut Made) -> Result<Option<Fields>, CallError> {
        let (File { before, bucket, name }, stored) = match self.file_of(original) {
            Ok(file) => (file, self.stored(file.bucket, file.name).await?),
            Err(_) if self.layout.is_some() => return Ok(None),
            Err(error) => return Err(error),
        };
        if stored.is_none() && self.layout.is_some() {
            return Ok(None);
        }
        let hash = stored.map(|meta| meta.digests.sha256).unwrap_or_default();
        let target = image_files::name_of_copy(&self.to.image_files(), &hash, &self.copier.random(), name);
        let copy = self.copy_file(bucket, name, &target, made).await?;
        let hash = original.fields.get("hash").cloned().unwrap_or_else(|| text(""));
        Ok(Some(Fields::from([
            ("file".to_owned(), text(&target)),
            ("url".to_owned(), text(&url_of(before, &copy))),
            copy_of(original.path.as_str(), hash),
            ("updatedAt".to_owned(), Value::Timestamp(self.now())),
        ])))
    }

    /// The file of an image, if it lies where the image lies.
    fn file_of<'d>(&self, original: &'d Document) -> Result<File<'d>, CallError> {
        let shown = text_in(&original.fields, "path").unwrap_or_else(|| original.path.id());
        let folder = self.files_from.image_files();
        let inside = text_in(&original.fields, "file")
            .filter(|name| name.strip_prefix(&folder).and_then(|rest| rest.strip_prefix('/')).is_some());
        let address = text_in(&original.fields, "url").and_then(|url| url.split_once("/v0/b/"));
        match (inside, address) {
            (Some(name), Some((before, rest))) => {
                let bucket = rest.split('/').next().unwrap_or_default();
                Ok(File { before, bucket, name })
            }
            _ => Err(CallError::new(
                Code::FailedPrecondition,
                format!("The file of “{shown}” does not lie with it: upload the image again, then copy it."),
            )),
        }
    }
}

/// A file, and what its address begins with.
#[derive(Clone, Copy)]
struct File<'d> {
    before: &'d str,
    bucket: &'d str,
    name: &'d str,
}

/// Those of a document's fields that it has.
fn fields_in<'d>(document: &'d Document, names: &'d [&str]) -> impl Iterator<Item = (String, Value)> + 'd {
    names.iter().filter_map(|name| Some(((*name).to_owned(), document.fields.get(*name)?.clone())))
}
