//! Copies of images. Each says in `from` what it is of, so that copying again finds it and makes no second one. With `renew`,
//! a copy whose original has another content since gets that content; its name, and what was said of it there, stay.

use std::collections::{BTreeMap, BTreeSet};

use docstore::model::{Document, FieldPath, Fields, Precondition, Value, Write, WriteOp};
use docstore::{Code, Result};

use super::contents::Contents;
use super::leaving::{self, Leaving};
use super::{Copying, Made, copy_of, paths_of, text, text_in};
use crate::file_address::url_of;
use crate::functions::callable::CallError;
use crate::image_files;
use crate::product::layout_images::named_by;

/// Fields that a copy has from its original. The others say where it lies and when it was made.
const KEPT: [&str; 12] =
    ["former", "hash", "type", "w", "h", "bytes", "tags", "licence", "credit", "focus", "crop", "icon"];

/// Fields that come with another content. A crop applies to the picture that it was made for.
const RENEWED: [&str; 8] = ["hash", "type", "w", "h", "bytes", "crop", "focus", "icon"];

/// Copies or moves images by their ids.
pub(super) async fn copy(copying: &Copying<'_>, ids: &[String], made: &mut Made) -> Result<(), CallError> {
    let mut originals = originals(copying, ids).await?;
    if copying.moves {
        let none = BTreeSet::new();
        let Leaving { kept, files, writes, .. } =
            leaving::images(&copying.reading, &copying.from, &copying.files_from, ids, &none, None).await?;
        originals.retain(|id, _| !kept.contains_key(id));
        made.kept = kept;
        made.left = files;
        made.writes.extend(writes);
    }
    let mut contents = Contents::read(&copying.reading, &copying.to.images()?).await?;
    for original in originals.values() {
        let hash = text_in(&original.fields, "hash").unwrap_or_default();
        let found = if copying.layout.is_some() || copying.moves {
            // The copy of before may have changed since, here or there: another layout shows it, or nothing else has it.
            contents.same_copy_of(&original.path, hash)
        } else {
            contents.copy_of(&original.path)
        };
        let id = match found.map(|found| (found.id.clone(), found.hash != hash)) {
            Some((id, true)) if copying.renew => copying.renew(original, &id, made).await?.then_some(id),
            Some((id, _)) => Some(id),
            None => match copying.back(original, &contents, hash) {
                Some(id) if contents.holds(&id, hash) => Some(id),
                back => copying.copy(original, back, &mut contents, made).await?,
            },
        };
        made.ids.extend(id.map(|id| (original.path.id().to_owned(), id)));
    }
    Ok(())
}

/// The images that are there; of a layout, those that it names.
async fn originals(copying: &Copying<'_>, ids: &[String]) -> Result<BTreeMap<String, Document>, CallError> {
    let images = copying.from.images()?;
    let database = &copying.copier.database;
    let paths = paths_of(&images, ids)?;
    let found = match &copying.layout {
        None => copying.reading.get(&paths).await?,
        Some(layout) => {
            let named = named_by(layout, database, &images).await?;
            let shown = paths.into_iter().filter(|path| named.iter().any(|image| image.path == *path));
            // The layout shows them to its reader, whom the rules would tell nothing of the place.
            database.get(&shown.collect::<Vec<_>>(), None).await?.value.into_iter().flatten().collect()
        }
    };
    Ok(found.into_iter().map(|found| (found.path.id().to_owned(), found)).collect())
}

impl Copying<'_> {
    /// The id in the place to copy to of the image that an image is a copy of, if that is there as it was copied, or if it
    /// is gone and the image moves back.
    fn back(&self, original: &Document, contents: &Contents, hash: &str) -> Option<String> {
        let Some(Value::Map(from)) = original.fields.get("from") else { return None };
        let to = self.to.images().ok()?;
        let id = text_in(from, "path")?.strip_prefix(to.as_str())?.strip_prefix('/')?;
        let usable = contents.holds(id, hash) || (self.moves && !contents.has(id));
        (usable && !id.contains('/')).then(|| id.to_owned())
    }

    /// Copies the file of an image, and prepares its document. Answers the id of the copy.
    async fn copy(
        &self,
        original: &Document,
        back: Option<String>,
        contents: &mut Contents,
        made: &mut Made,
    ) -> Result<Option<String>, CallError> {
        let own = original.path.id();
        let own_or_other = || if contents.has(own) { self.copier.random() } else { own.to_owned() };
        let id = back.unwrap_or_else(own_or_other);
        let Some(mut fields) = self.content_of(original, made).await? else { return Ok(None) };
        fields.extend(fields_in(original, &KEPT));
        if self.moves {
            self.stay_the_same(original, &id, &mut fields)?;
        }
        let path = contents.add(&id, text_in(&original.fields, "path").unwrap_or(own), &original.path);
        fields.insert("path".to_owned(), text(&path));
        fields.entry("createdAt".to_owned()).or_insert_with(|| Value::Timestamp(self.now()));
        made.writes.push(Write {
            path: self.to.images()?.doc(&id)?,
            op: WriteOp::Set { fields, transforms: Vec::new() },
            precondition: Precondition::Exists(false),
        });
        made.note("images", &id);
        Ok(Some(id))
    }

    /// One that moves stays as old as it is, and a copy of what it was a copy of; one that is back is a copy of nothing.
    fn stay_the_same(&self, original: &Document, id: &str, fields: &mut Fields) -> Result<(), CallError> {
        fields.extend(fields_in(original, &["createdAt", "from"]));
        let path = self.to.images()?.doc(id)?;
        let of_itself = match fields.get("from") {
            Some(Value::Map(from)) => text_in(from, "path") == Some(path.as_str()),
            _ => false,
        };
        if of_itself {
            fields.remove("from");
        }
        Ok(())
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
        let (File { before, bucket, name }, stored) = match file_of(&self.files_from.image_files(), original)
        {
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
}

/// The file of an image, if it lies in the folder of the place where the image lies.
pub(super) fn file_of<'d>(folder: &str, original: &'d Document) -> Result<File<'d>, CallError> {
    let shown = text_in(&original.fields, "path").unwrap_or_else(|| original.path.id());
    let inside = text_in(&original.fields, "file")
        .filter(|name| name.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).is_some());
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

/// A file, and what its address begins with.
#[derive(Clone, Copy)]
pub(super) struct File<'d> {
    before: &'d str,
    pub(super) bucket: &'d str,
    pub(super) name: &'d str,
}

/// Those of a document's fields that it has.
pub(super) fn fields_in<'d>(
    document: &'d Document,
    names: &'d [&str],
) -> impl Iterator<Item = (String, Value)> + 'd {
    names.iter().filter_map(|name| Some(((*name).to_owned(), document.fields.get(*name)?.clone())))
}
