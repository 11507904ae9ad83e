//! Copies of fonts. The id of a font is of its content, so that a place has each once.
//!
//! A project has a document of each of its fonts, by whose ids they are copied. Fonts of a library are named by its layouts
//! alone: of a layout, the ids are the addresses by which it names them. Such an address opens the file for whoever has it;
//! one that opens nothing gives nobody the file, whatever it says.

use docstore::model::{Document, Fields, Precondition, Value, Write, WriteOp};
use docstore::{Code, Result};

use super::{Copying, Made, copy_of, paths_of, text, text_in};
use crate::file_address::{Address, url_of};
use crate::font_files;
use crate::functions::callable::CallError;
use crate::product::place::Place;

/// A font to copy.
struct Original {
    /// The id that was asked for.
    id: String,
    /// Path of the document that names it.
    named_in: String,
    fields: Fields,
}

/// Copies fonts by their ids. Those whose files cannot be had are left out.
pub(super) async fn copy(copying: &Copying<'_>, ids: &[String], made: &mut Made) -> Result<(), CallError> {
    for original in originals(copying, ids).await? {
        let Some(address) = text_in(&original.fields, "url").and_then(Address::parse) else { continue };
        copying.lies_with(&original, &address)?;
        let found = copying.stored(&address.bucket, &address.name).await;
        let (Some(file), Some(ending)) = (address.opened(found)?, font_files::ending(&address.name)) else {
            continue;
        };
        let id = font_files::id_of(&file.digests.sha256);
        if !made.fonts.contains_key(&id) {
            let url = copying.put(&original, &address, &id, ending, made).await?;
            made.fonts.insert(id.clone(), url);
        }
        made.urls.extend(made.fonts.get(&id).map(|url| (original.id.clone(), url.clone())));
        made.ids.insert(original.id, id);
    }
    Ok(())
}

async fn originals(copying: &Copying<'_>, ids: &[String]) -> Result<Vec<Original>, CallError> {
    match (&copying.layout, &copying.from) {
        (Some(layout), _) => Ok(named_by(layout, ids)),
        (None, Place::Library(_)) => {
            Err(CallError::invalid("Fonts of a library are named by its layouts: say in from which layout."))
        }
        (None, Place::Project(project)) => {
            let paths = paths_of(&project.child("fonts")?, ids)?;
            let found = copying.reading.get(&paths).await?;
            let original = |Document { path, fields, .. }: Document| {
                let (id, named_in) = (path.id().to_owned(), path.to_string());
                Original { id, named_in, fields }
            };
            Ok(found.into_iter().map(original).collect())
        }
    }
}

/// The fonts of a layout that have these addresses there.
fn named_by(layout: &Document, addresses: &[String]) -> Vec<Original> {
    let fonts = match layout.fields.get("scene") {
        Some(Value::Map(scene)) => scene.get("fonts"),
        _ => None,
    };
    let Some(Value::Array(fonts)) = fonts else { return Vec::new() };
    let named = fonts.iter().filter_map(|font| {
        let Value::Map(fields) = font else { return None };
        let id = text_in(fields, "url").filter(|url| addresses.iter().any(|one| one == url))?.to_owned();
        Some(Original { id, named_in: layout.path.to_string(), fields: fields.clone() })
    });
    named.collect()
}

impl Copying<'_> {
    /// Refuses a font whose document names a file that lies elsewhere. A layout may: its address opens the file.
    fn lies_with(&self, original: &Original, address: &Address<'_>) -> Result<(), CallError> {
        let folder = self.files_from.font_files();
        let inside = address.name.strip_prefix(&folder).is_some_and(|rest| rest.starts_with('/'));
        if inside || self.layout.is_some() {
            return Ok(());
        }
        let name = text_in(&original.fields, "name").unwrap_or(&original.id);
        Err(CallError::new(
            Code::FailedPrecondition,
            format!(
                "The file of the font “{name}” does not lie with it: bring the font again, then copy it."
            ),
        ))
    }

    /// Puts a font where it is copied to, unless it is there. Answers its address there.
    async fn put(
        &self,
        original: &Original,
        address: &Address<'_>,
        id: &str,
        ending: &str,
        made: &mut Made,
    ) -> Result<String, CallError> {
        let Address { bucket, name, .. } = address;
        let folder = self.to.font_files();
        let Place::Project(project) = &self.to else {
            let target = format!("{folder}/{id}.{ending}");
            let before = made.files.len();
            let was_there = self.stored(bucket, &target).await?.is_some();
            let copy = self.copy_file(bucket, name, &target, made).await?;
            if was_there {
                made.files.truncate(before);
            }
            return Ok(url_of("", &copy));
        };
        let document = project.child("fonts")?.doc(id)?;
        let found = self.reading.get(std::slice::from_ref(&document)).await?;
        if let Some(url) = found.first().and_then(|found| text_in(&found.fields, "url")) {
            return Ok(url.to_owned());
        }
        let target = format!("{folder}/{id}-{}.{ending}", self.copier.random());
        let copy = self.copy_file(bucket, name, &target, made).await?;
        let url = url_of("", &copy);
        let mut fields = font_files::fields_of(&original.fields, &copy, &url, self.now());
        fields.extend([copy_of(&original.named_in, text(&copy.digests.sha256))]);
        made.writes.push(Write {
            path: document,
            op: WriteOp::Set { fields, transforms: Vec::new() },
            precondition: Precondition::Exists(false),
        });
        Ok(url)
    }
}
