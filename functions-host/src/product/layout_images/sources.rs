//! Names of images in the scene of a layout: `client/src/core/images/sources.ts` finds the same.

use std::collections::BTreeSet;

use docstore::model::Value;

/// Key of a scene whose text is an image.
const SOURCE: &str = "source";

/// Endings that tell a name in braces from another text.
const ENDINGS: [&str; 7] = [".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".avif"];

/// Beginnings of addresses, which are no names.
const ADDRESSES: [&str; 5] = ["data:image/", "blob:", "http://", "https://", "/"];

/// Longest id that a reference names.
const MAX_ID: usize = 128;

/// Deepest value of a scene that is looked into; documents are not nested deeper.
const MAX_DEPTH: usize = 40;

/// A stored reference, such as `image:ID/path`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reference<'a> {
    /// True for an image of a project or a person, false for one of the stock.
    pub(super) of_people: bool,
    pub(super) id: &'a str,
    /// Path when it was picked; may be empty.
    pub(super) path: &'a str,
}

impl<'a> Reference<'a> {
    /// Reads a reference; `None` for names and addresses.
    pub(super) fn parse(source: &'a str) -> Option<Self> {
        let (library, rest) = source.trim().split_once(':')?;
        let of_people = match library {
            "image" => true,
            "stock" => false,
            _ => return None,
        };
        let (id, path) = rest.split_once('/').unwrap_or((rest, ""));
        let plain = id.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-'));
        (plain && (1..=MAX_ID).contains(&id.len())).then_some(Self { of_people, id, path })
    }
}

/// The images that a scene names, each once.
pub(super) fn of(scene: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    walk(scene, "", 0, &mut found);
    found
}

fn walk(value: &Value, key: &str, depth: usize, found: &mut BTreeSet<String>) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::String(text) => {
            let whole = text.trim();
            let named = key == SOURCE || Reference::parse(whole).is_some();
            if named && !whole.is_empty() && !is_address(whole) {
                found.insert(whole.to_owned());
            }
            found.extend(icons(text).map(str::to_owned));
        }
        Value::Array(values) => values.iter().for_each(|value| walk(value, key, depth + 1, found)),
        Value::Map(fields) => fields.iter().for_each(|(name, value)| walk(value, name, depth + 1, found)),
        _ => {}
    }
}

/// True if a source is an image's address rather than a name.
pub(super) fn is_address(source: &str) -> bool {
    ADDRESSES.iter().any(|start| source.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start)))
}

/// The images that a text names in braces: `{folder/icon.png, 0.9, 0.1}`.
fn icons(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| {
        let (inside, _) = rest.split_once('}')?;
        let name = inside.split(',').next().unwrap_or_default().trim();
        let lower = name.to_lowercase();
        let is_image = ENDINGS.iter().any(|ending| lower.ends_with(ending));
        (is_image || Reference::parse(name).is_some()).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use docstore::model::{Fields, Value};

    use super::{Reference, of};

    fn text(value: &str) -> Value {
        Value::String(value.to_owned())
    }

    fn map(fields: &[(&str, Value)]) -> Value {
        Value::Map(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect::<Fields>())
    }

    #[test]
    fn a_scene_names_images_in_sources_references_and_braces() {
        let scene = map(&[
            ("name", text("fox.png")),
            (
                "zones",
                Value::Array(vec![
                    map(&[("source", text(" Art/fox.png "))]),
                    map(&[("image", map(&[("source", text("owl"))])), ("mask", text("image:m1/mask.png"))]),
                    map(&[("text", text("Pay {coin.SVG, 0.9} or {stock:star} or {cost} or {hp.png"))]),
                    map(&[("source", text("https://example.org/fox.png"))]),
                    map(&[("source", text("/v0/b/x"))]),
                    map(&[("source", text(""))]),
                ]),
            ),
        ]);
        let found: Vec<String> = of(&scene).into_iter().collect();
        assert_eq!(found, ["Art/fox.png", "coin.SVG", "image:m1/mask.png", "owl", "stock:star"]);
    }

    #[test]
    fn references_have_an_id() {
        let read = |text| Reference::parse(text).map(|found| (found.of_people, found.id, found.path));
        assert_eq!(read(" image:a_B-1/Art/fox.png"), Some((true, "a_B-1", "Art/fox.png")));
        assert_eq!(read("stock:s"), Some((false, "s", "")));
        for other in ["fox.png", "image:", "image:a b/c", "images:a/b", "https://a/b"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
