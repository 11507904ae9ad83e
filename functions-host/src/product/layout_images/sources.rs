//! Names of images in the scene of a layout: `client/src/core/images/sources.ts` finds the same.

use std::collections::{BTreeMap, BTreeSet};

use docstore::model::Value;
use serde_json::Value as Json;

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
pub(in crate::product) struct Reference<'a> {
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
pub(in crate::product) fn of(scene: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    walk(scene, "", 0, &mut found);
    found
}

fn walk(value: &Value, key: &str, depth: usize, found: &mut BTreeSet<String>) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::String(text) => note(text, key, found),
        Value::Array(values) => values.iter().for_each(|value| walk(value, key, depth + 1, found)),
        Value::Map(fields) => fields.iter().for_each(|(name, value)| walk(value, name, depth + 1, found)),
        _ => {}
    }
}

/// Adds the images that a text of a scene names.
fn note(text: &str, key: &str, found: &mut BTreeSet<String>) {
    found.extend(whole(text, key).map(str::to_owned));
    found.extend(icons(text).map(str::to_owned));
}

/// The image that all of a text names.
fn whole<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let whole = text.trim();
    let named = key == SOURCE || Reference::parse(whole).is_some();
    (named && !whole.is_empty() && !is_address(whole)).then_some(whole)
}

/// The images that a text in JSON names, as a part of a rulebook has them. What is no JSON names none.
pub(in crate::product) fn of_json(text: &str) -> BTreeSet<String> {
    fn walk(value: &Json, key: &str, found: &mut BTreeSet<String>) {
        match value {
            Json::String(text) => note(text, key, found),
            Json::Array(values) => values.iter().for_each(|value| walk(value, key, found)),
            Json::Object(fields) => fields.iter().for_each(|(name, value)| walk(value, name, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    // The parser refuses what is nested too deeply to walk.
    if let Ok(value) = serde_json::from_str(text) {
        walk(&value, "", &mut found);
    }
    found
}

/// The images that a cell of a card names: all of it, where its column holds images, or icons in braces.
pub(in crate::product) fn of_cell(text: &str, of_images: bool) -> BTreeSet<String> {
    let icons: BTreeSet<String> = icons(text).map(str::to_owned).collect();
    let whole = text.trim();
    if !icons.is_empty() || whole.is_empty() || is_address(whole) {
        return icons;
    }
    let named = of_images || Reference::parse(whole).is_some() || ends_like_image(whole);
    named.then(|| whole.to_owned()).into_iter().collect()
}

fn ends_like_image(name: &str) -> bool {
    let lower = name.to_lowercase();
    ENDINGS.iter().any(|ending| lower.ends_with(ending))
}

/// Gives the images that a scene names other names.
pub(in crate::product) fn rename(scene: &mut Value, names: &BTreeMap<String, String>) {
    if !names.is_empty() {
        renamed(scene, "", 0, names);
    }
}

fn renamed(value: &mut Value, key: &str, depth: usize, names: &BTreeMap<String, String>) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::String(text) => {
            let new = match whole(text, key).filter(|_| icons(text).next().is_none()) {
                Some(whole) => names.get(whole).map(|new| text.replacen(whole, new, 1)),
                None => Some(with_icons(text, names)),
            };
            if let Some(new) = new {
                *text = new;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| renamed(value, key, depth + 1, names)),
        Value::Map(fields) => {
            fields.iter_mut().for_each(|(name, value)| renamed(value, name, depth + 1, names));
        }
        _ => {}
    }
}

/// A text with the images in its braces renamed.
fn with_icons(text: &str, names: &BTreeMap<String, String>) -> String {
    let mut parts = text.split('{');
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        made.push('{');
        let new = icon(part).and_then(|name| Some((name, names.get(name)?)));
        match new {
            Some((name, new)) => made.push_str(&part.replacen(name, new, 1)),
            None => made.push_str(part),
        }
    }
    made
}

/// True if a source is an image's address rather than a name.
pub(super) fn is_address(source: &str) -> bool {
    ADDRESSES.iter().any(|start| source.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start)))
}

/// The images that a text names in braces: `{folder/icon.png, 0.9, 0.1}`.
fn icons(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(icon)
}

/// The image that a text names which begins behind a brace.
fn icon(rest: &str) -> Option<&str> {
    let (inside, _) = rest.split_once('}')?;
    let name = inside.split(',').next().unwrap_or_default().trim();
    (ends_like_image(name) || Reference::parse(name).is_some()).then_some(name)
}

#[cfg(test)]
mod tests {
    use docstore::model::{Fields, Value};

    use std::collections::BTreeMap;

    use super::{Reference, of, of_cell, of_json, rename};

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
    fn a_scene_is_renamed_where_it_names_images_and_nowhere_else() {
        let scene = |source: &str, icon: &str, image: &str| {
            map(&[
                ("name", text("fox.png")),
                ("source", text(source)),
                ("note", text(&format!("fox.png {{{icon}, 0.9}} and {{cost}} {{open"))),
                ("list", Value::Array(vec![map(&[("image", text(image))])])),
            ])
        };
        let mut given = scene(" fox.png ", "coin.svg", "image:a/fox.png");
        let names =
            [("fox.png", "image:b/fox.png"), ("coin.svg", "image:c/coin.svg"), ("image:a/fox.png", "x")];
        let names: BTreeMap<String, String> = names.map(|(old, new)| (old.to_owned(), new.to_owned())).into();
        rename(&mut given, &names);
        assert_eq!(given, scene(" image:b/fox.png ", "image:c/coin.svg", "x"));
        let before = given.clone();
        rename(&mut given, &BTreeMap::new());
        assert_eq!(given, before);
    }

    #[test]
    fn cells_and_texts_in_json_name_images() {
        let cell = |text, of_images| of_cell(text, of_images).into_iter().collect::<Vec<_>>();
        assert_eq!(cell(" fox ", true), ["fox"]);
        assert_eq!(cell(" fox ", false), [""; 0]);
        assert_eq!(cell("Fox.PNG", false), ["Fox.PNG"]);
        assert_eq!(cell("image:a/fox", false), ["image:a/fox"]);
        assert_eq!(cell("Pay {coin.svg} for fox.png", true), ["coin.svg"]);
        assert_eq!(cell("https://example.org/fox.png", true), [""; 0]);
        let json =
            r#"{"steps": [{"attrs": {"source": "fox", "alt": "fox.png"}}, "see {owl.png}", "image:a/b"]}"#;
        assert_eq!(of_json(json).into_iter().collect::<Vec<_>>(), ["fox", "image:a/b", "owl.png"]);
        assert!(of_json("{").is_empty());
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
