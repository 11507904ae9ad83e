//! Making images of shared pictures, in commits of limited size.

use docstore::model::{CollectionPath, DocPath, Document, Fields, Timestamp, Value, Write, check_document};
use docstore::{Code, Result};
use storage_emu::meta::ObjectMeta;

use super::shared::{file_of, next, project_of, text_in};
use crate::file_address::Address;
use crate::schema::batches::{Batches, Limits};
use crate::schema::{Progress, Target};
use crate::{image_files, project};

/// Fields that an image has from the shared picture. The others are those of its file.
const KEPT: [&str; 8] = ["path", "former", "tags", "licence", "credit", "focus", "crop", "icon"];

/// Makes an image of every shared picture there is, and reports commits to `progress`.
///
/// # Errors
/// Those of the store and of `progress`; what is committed by then stays.
pub(super) async fn run(target: &Target, limits: Limits, progress: &dyn Progress) -> Result<()> {
    let mut batches = Batches::new(&target.documents, limits, progress);
    let mut after = None;
    while let Some(page) = next(target, &mut after, limits.page).await? {
        for picture in &page {
            let deletion = Write::delete(picture.path.clone());
            match image_of(target, picture).await? {
                Some((path, fields)) => batches.add([Write::set(path, fields), deletion], 1).await?,
                None => batches.add([deletion], 1).await?,
            }
        }
    }
    batches.commit().await
}

/// The image that a picture becomes; `None` for one that becomes none, which the log tells of.
async fn image_of(target: &Target, picture: &Document) -> Result<Option<(DocPath, Fields)>> {
    let Some(project) = project_of(&picture.path) else { return Ok(None) };
    let found = project::find(&target.documents, project.id()).await?;
    let Some(owner) = found.as_ref().and_then(|found| project::owner(&found.fields)) else {
        tracing::warn!("{} goes: its project is not there", picture.path);
        return Ok(None);
    };
    let id = picture.path.id();
    let by = text_in(&picture.fields, "by").unwrap_or_default();
    let original = format!("users/{by}/images/{id}");
    let time = i64::try_from(picture.update_time.micros()).unwrap_or(i64::MAX);
    Shown { id, fields: &picture.fields, original: Some(&original), time: Timestamp(time) }
        .image_in(target, &CollectionPath::parse(&format!("{project}/images"))?, owner)
        .await
}

/// A picture that somebody let others see.
pub(in crate::schema) struct Shown<'a> {
    pub(in crate::schema) id: &'a str,
    pub(in crate::schema) fields: &'a Fields,
    /// Path of the document that it is of, where that is known.
    pub(in crate::schema) original: Option<&'a str>,
    pub(in crate::schema) time: Timestamp,
}

impl Shown<'_> {
    /// The image among `images`, which are `owner`'s, that it becomes; `None` for one that becomes none, which the log
    /// tells of.
    ///
    /// # Errors
    /// Those of the store.
    pub(in crate::schema) async fn image_in(
        &self,
        target: &Target,
        images: &CollectionPath,
        owner: &str,
    ) -> Result<Option<(DocPath, Fields)>> {
        let path = images.doc(self.id)?;
        if target.documents.get(std::slice::from_ref(&path), None).await?.value.iter().any(Option::is_some) {
            // Made before, and what came again is the same.
            return Ok(None);
        }
        let shown = text_in(self.fields, "path").unwrap_or_default();
        let Some((address, file)) = file_of(target, self.fields).await? else {
            tracing::warn!(
                "{path} (“{shown}”) is not made: the file is not there, or its address does not open it"
            );
            return Ok(None);
        };
        // The same name at every attempt.
        let name = image_files::name_of_copy(images.as_str(), &file.digests.sha256, self.id, &address.name);
        let copy = match target.files.copy(owner, &address.bucket, &address.name, &name).await {
            Ok(copy) => copy,
            // No file can have this name, or somebody has put another one there.
            Err(error) if matches!(error.code(), Code::InvalidArgument | Code::AlreadyExists) => {
                tracing::warn!("{path} (“{shown}”) is not made: {}", error.message());
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let fields = self.fields_with(&address, &copy);
        if let Err(error) = check_document(&path, &fields) {
            tracing::warn!("{path} (“{shown}”) is not made: {}", error.message());
            return Ok(None);
        }
        Ok(Some((path, fields)))
    }

    /// The fields of the image, whose file is `copy`.
    fn fields_with(&self, address: &Address<'_>, copy: &ObjectMeta) -> Fields {
        let kept = KEPT.iter().filter_map(|name| Some(((*name).to_owned(), self.fields.get(*name)?.clone())));
        let mut fields: Fields = kept.collect();
        let hash = text(&copy.digests.sha256);
        if let Some(original) = self.original {
            let from = Fields::from([("path".to_owned(), text(original)), ("hash".to_owned(), hash.clone())]);
            fields.insert("from".to_owned(), Value::Map(from));
        }
        let time = Value::Timestamp(self.time);
        let (w, h) = copy.dimensions.map_or((0, 0), |size| (size.width, size.height));
        fields.entry("path".to_owned()).or_insert_with(|| text(self.id));
        fields.extend([
            ("file".to_owned(), text(&copy.name)),
            ("url".to_owned(), text(&address.of(copy))),
            ("hash".to_owned(), hash),
            ("bytes".to_owned(), Value::Integer(i64::try_from(copy.digests.size).unwrap_or(i64::MAX))),
            ("type".to_owned(), text(copy.content_type())),
            ("w".to_owned(), Value::Integer(w.into())),
            ("h".to_owned(), Value::Integer(h.into())),
            ("createdAt".to_owned(), time.clone()),
            ("updatedAt".to_owned(), time),
        ]);
        fields
    }
}

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}
