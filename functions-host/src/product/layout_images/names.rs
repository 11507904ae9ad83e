//! Finding the image that a name means, as `client/src/core/images/library.ts` does: by path, by name in any folder, by
//! name without ending; each first exactly, then in any case. Outer folders come before inner ones, and the present path
//! before former ones.

use std::collections::HashMap;

use docstore::model::{Document, Value};
use icu_normalizer::ComposingNormalizerBorrowed;

use super::sources::{Reference, is_address};
use super::text_in;

/// Indexes of names, in the order in which they are tried.
const WAYS: usize = 6;

/// Images by what may name them.
pub(super) struct Names<'a> {
    ids: HashMap<&'a str, &'a Document>,
    ways: [HashMap<String, &'a Document>; WAYS],
}

/// A path that an image has or had.
struct Named<'a> {
    image: &'a Document,
    path: &'a str,
    /// Places from the present path on.
    age: usize,
}

impl<'a> Names<'a> {
    pub(super) fn new(images: &'a [Document]) -> Self {
        let mut named: Vec<Named<'a>> = images.iter().flat_map(paths_of).collect();
        named.sort_by_key(rank);
        let mut names = Self { ids: HashMap::new(), ways: Default::default() };
        for Named { image, path, .. } in named {
            names.ids.entry(image.path.id()).or_insert(image);
            for (way, key) in names.ways.iter_mut().zip(keys(path)) {
                way.entry(key).or_insert(image);
            }
        }
        names
    }

    /// The image that a source means.
    pub(super) fn find(&self, source: &str) -> Option<&'a Document> {
        let text = source.trim();
        if text.is_empty() || is_address(text) {
            return None;
        }
        let Some(reference) = Reference::parse(text) else { return self.named(text) };
        let found = self.ids.get(reference.id).filter(|_| reference.of_people).copied();
        found.or_else(|| if reference.path.is_empty() { None } else { self.named(reference.path) })
    }

    fn named(&self, text: &str) -> Option<&'a Document> {
        // Paths are stored composed; some systems write names decomposed.
        let text = ComposingNormalizerBorrowed::new_nfc().normalize(text);
        let name = text.strip_prefix('.').filter(|rest| rest.starts_with('/')).unwrap_or(&text);
        let name = name.trim_start_matches('/');
        let lower = name.to_lowercase();
        let tried = [name, name, name, &lower, &lower, &lower];
        self.ways.iter().zip(tried).find_map(|(way, key)| way.get(key).copied())
    }
}

/// Order among images of one name: archives keep paths but not ids.
fn rank<'a>(Named { image, path, age }: &Named<'a>) -> (usize, &'a str, usize, Option<&'a str>, &'a str) {
    (path.matches('/').count(), path, *age, text_in(image, "path"), image.path.id())
}

/// Texts that mean an image of this path, one for each way.
fn keys(path: &str) -> [String; WAYS] {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').filter(|(_, ending)| !ending.is_empty()).map_or(name, |(stem, _)| stem);
    [
        path.to_owned(),
        name.to_owned(),
        stem.to_owned(),
        path.to_lowercase(),
        name.to_lowercase(),
        stem.to_lowercase(),
    ]
}

fn paths_of(image: &Document) -> impl Iterator<Item = Named<'_>> {
    let former = match image.fields.get("former") {
        Some(Value::Array(former)) => former.as_slice(),
        _ => &[],
    };
    let former = former
        .iter()
        .filter_map(|path| if let Value::String(path) = path { Some(path.as_str()) } else { None });
    let all = text_in(image, "path").into_iter().chain(former);
    all.enumerate().map(move |(age, path)| Named { image, path, age })
}

#[cfg(test)]
mod tests {
    use docstore::model::{DocPath, Fields, Ts};

    use super::*;

    fn image(id: &str, path: &str, former: &[&str]) -> Document {
        let text = |value: &str| Value::String(value.to_owned());
        let former = Value::Array(former.iter().map(|path| text(path)).collect());
        let fields = Fields::from([("path".to_owned(), text(path)), ("former".to_owned(), former)]);
        let path = DocPath::parse(&format!("projects/p/images/{id}")).unwrap();
        Document { path, fields, create_time: Ts::default(), update_time: Ts::default() }
    }

    #[test]
    fn a_source_means_the_image_that_the_application_shows_for_it() {
        let all = [
            image("1", "Monsters/fox.png", &["fox.jpg"]),
            image("2", "fox.png", &[]),
            image("3", "Monsters/Deep/Owl.svg", &[]),
            image("4", "elk.png", &["Old/wolf.png"]),
            image("5", "Old/wolf.png", &[]),
            image("6", "b\u{e4}r.png", &[]),
        ];
        let names = Names::new(&all);
        for (source, id) in [
            ("fox.png", Some("2")),
            ("Monsters/fox.png", Some("1")),
            ("./Monsters/fox.png", Some("1")),
            // The former path comes first, as it comes first in the alphabet.
            ("FOX", Some("1")),
            ("FOX.PNG", Some("2")),
            ("fox.jpg", Some("1")),
            ("owl", Some("3")),
            ("ba\u{308}r.png", Some("6")),
            ("BA\u{308}R", Some("6")),
            ("Owl.svg", Some("3")),
            ("Old/wolf.png", Some("5")),
            ("image:4/gone.png", Some("4")),
            ("image:9/owl.svg", Some("3")),
            ("image:9", None),
            // Of the stock, whatever its id; one that is gone there means its path.
            ("stock:4/owl.svg", Some("3")),
            ("stock:4", None),
            ("https://example.org/fox.png", None),
            ("/fox.png", None),
            ("unheard", None),
            ("", None),
        ] {
            assert_eq!(names.find(source).map(|found| found.path.id()), id, "{source}");
        }
    }
}
