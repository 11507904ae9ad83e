//! Files of fonts: their ids say what is in them.

use docstore::model::{Fields, Timestamp, Value};
use storage_emu::meta::ObjectMeta;

/// Digits of a content's SHA-256 that name it: the application names files of libraries so.
const HASH_DIGITS: usize = 32;

/// Endings of font files.
const ENDINGS: [&str; 4] = ["woff2", "woff", "ttf", "otf"];

/// Fields of a font's document that a layout says of it.
const KEPT: [&str; 5] = ["family", "name", "weight", "italic", "axes"];

/// The id of a font by the SHA-256 of its file.
pub(crate) fn id_of(sha256: &str) -> String {
    sha256.chars().take(HASH_DIGITS).collect()
}

/// The ending of a font's file, without its dot; `None` for other files.
pub(crate) fn ending(name: &str) -> Option<&str> {
    name.rsplit('.').next().filter(|ending| ENDINGS.contains(ending))
}

/// The document of a font of a project, whose file is at `url`.
pub(crate) fn fields_of(font: &Fields, file: &ObjectMeta, url: &str, time: Timestamp) -> Fields {
    let kept = KEPT.iter().filter_map(|name| Some(((*name).to_owned(), font.get(*name)?.clone())));
    let mut fields: Fields = kept.collect();
    let text = |value: &str| Value::String(value.to_owned());
    fields.extend([
        ("file".to_owned(), text(&file.name)),
        ("url".to_owned(), text(url)),
        ("hash".to_owned(), text(&file.digests.sha256)),
        ("bytes".to_owned(), Value::Integer(i64::try_from(file.digests.size).unwrap_or(i64::MAX))),
        ("createdAt".to_owned(), Value::Timestamp(time)),
    ]);
    fields
}
