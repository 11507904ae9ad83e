//! Font files that a scene names.

use docstore::model::{CollectionPath, Fields, Timestamp, Value, Write};
use docstore::{Code, Result};
use storage_emu::meta::ObjectMeta;

use super::Root;
use crate::schema::Target;
use crate::schema::images::address::Address;
use crate::schema::images::shared::text_in;

/// Digits of a content's SHA-256 that name its file: the application names those of libraries so.
const HASH_DIGITS: usize = 32;

/// Endings of font files.
const ENDINGS: [&str; 4] = ["woff2", "woff", "ttf", "otf"];

/// Fields of a font's document that the scene has.
const KEPT: [&str; 5] = ["family", "name", "weight", "italic", "axes"];

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
    let ending = address.name.rsplit('.').next().unwrap_or_default();
    if !ENDINGS.contains(&ending) {
        tracing::warn!("the font “{name}” of {} is in no font file", root.path());
        return Ok(None);
    }
    let id: String = file.digests.sha256.chars().take(HASH_DIGITS).collect();
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
        Root::Project(_) => Some(Write::set(fonts.doc(&id)?, fields_of(font, &copy, &url, time))),
    };
    Ok(Some(Taken { url, document }))
}

fn fields_of(font: &Fields, copy: &ObjectMeta, url: &str, time: Timestamp) -> Fields {
    let kept = KEPT.iter().filter_map(|name| Some(((*name).to_owned(), font.get(*name)?.clone())));
    let mut fields: Fields = kept.collect();
    let text = |value: &str| Value::String(value.to_owned());
    fields.extend([
        ("file".to_owned(), text(&copy.name)),
        ("url".to_owned(), text(url)),
        ("hash".to_owned(), text(&copy.digests.sha256)),
        ("bytes".to_owned(), Value::Integer(i64::try_from(copy.digests.size).unwrap_or(i64::MAX))),
        ("createdAt".to_owned(), Value::Timestamp(time)),
    ]);
    fields
}
