//! Font files that a scene names.

use docstore::model::{CollectionPath, Fields, Timestamp, Value, Write};
use docstore::{Code, Result};

use super::Root;
use crate::file_address::Address;
use crate::font_files;
use crate::schema::Target;
use crate::schema::images::shared::text_in;

/// The fonts of a scene whose files lie elsewhere than its own.
pub(super) fn elsewhere<'a>(scene: &'a Fields, root: &Root) -> impl Iterator<Item = (usize, &'a Fields)> {
    let folder = format!("{}/fonts/", root.path());
    let fonts = match scene.get("fonts") {
        Some(Value::Array(fonts)) => fonts.as_slice(),
        _ => &[],
    };
    fonts.iter().enumerate().filter_map(move |(place, font)| {
        let Value::Map(font) = font else { return None };
        let address = Address::parse(text_in(font, "url")?)?;
        (!address.name.starts_with(&folder)).then_some((place, font))
    })
}

/// A font's file where it belongs, and the document that says so.
pub(super) struct Taken {
    /// The address of the copy.
    pub(super) url: String,
    /// None in a library, whose owner's settings list the fonts.
    pub(super) document: Option<Write>,
}

/// Copies a font's file; `None` if it stays where it is, which the log tells of.
///
/// # Errors
/// Those of the store.
pub(super) async fn take(
    target: &Target,
    font: &Fields,
    root: &Root,
    owner: &str,
    time: Timestamp,
) -> Result<Option<Taken>> {
    let name = text_in(font, "name").unwrap_or_default();
    let Some(address) = text_in(font, "url").and_then(Address::parse) else { return Ok(None) };
    let Some(file) = address.file(&target.files).await? else {
        tracing::warn!(
            "the font “{name}” of {}: its file is not there, or its address does not open it",
            root.path()
        );
        return Ok(None);
    };
    let Some(ending) = font_files::ending(&address.name) else {
        tracing::warn!("the font “{name}” of {} is in no font file", root.path());
        return Ok(None);
    };
    let id = font_files::id_of(&file.digests.sha256);
    let fonts = CollectionPath::parse(&format!("{}/fonts", root.path()))?;
    let copy = match target
        .files
        .copy(owner, &address.bucket, &address.name, &format!("{fonts}/{id}.{ending}"))
        .await
    {
        Ok(copy) => copy,
        Err(error) if matches!(error.code(), Code::InvalidArgument | Code::AlreadyExists) => {
            tracing::warn!("the font “{name}” of {} stays where it is: {}", root.path(), error.message());
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let url = address.of(&copy);
    let document = match root {
        Root::Library(_) => None,
        Root::Project(_) => Some(Write::set(fonts.doc(&id)?, font_files::fields_of(font, &copy, &url, time))),
    };
    Ok(Some(Taken { url, document }))
}
