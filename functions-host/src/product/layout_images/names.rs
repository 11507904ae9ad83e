//! Finding the image that a name means, as `client/src/core/images/library.ts` does: by path, by name in any folder, by
//! name without ending; each first exactly, then in any case. Outer folders come before inner ones, and the present path
//! before former ones.

use std::collections::{BTreeSet, HashMap, HashSet};

use docstore::model::{Document, Value};
use icu_normalizer::ComposingNormalizerBorrowed;

use super::sources::{Reference, is_address};
use super::text_in;

/// Indexes of names, in the order in which they are tried.
const WAYS: usize = 6;

/// Most former paths of an image: as many as the client keeps. Further ones mean nothing.
const MAX_FORMER: usize = 20;

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
    /// Of images, as far as sources name them: people may have given a library any number of names.
    pub(super) fn new(images: &'a [Document], sources: &BTreeSet<String>) -> Self {
        let wanted: HashSet<String> = sources.iter().filter_map(|one| wanted(one)).flatten().collect();
        let mut named: Vec<Named<'a>> = images.iter().flat_map(paths_of).collect();
        named.sort_by_key(rank);
        let mut names = Self { ids: HashMap::new(), ways: Default::default() };
        for Named { image, path, .. } in named {
            names.ids.entry(image.path.id()).or_insert(image);
            for (way, key) in names.ways.iter_mut().zip(keys(path)) {
                if wanted.contains(&key) {
                    way.entry(key).or_insert(image);
                }
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
        let [name, lower] = spellings(text);
        let tried = [&name, &name, &name, &lower, &lower, &lower];
        self.ways.iter().zip(tried).find_map(|(way, key)| way.get(key).copied())
    }
}

/// The keys that may tell the image of a source, unless it is an address.
fn wanted(source: &str) -> Option<[String; 2]> {
    let text = source.trim();
    (!is_address(text)).then(|| spellings(Reference::parse(text).map_or(text, |reference| reference.path)))
}

/// A name as it is looked up: as it stands, and in small letters.
fn spellings(text: &str) -> [String; 2] {
    // Paths are stored composed; some systems write names decomposed.
    let text = ComposingNormalizerBorrowed::new_nfc().normalize(text);
    let name = text.strip_prefix('.').filter(|rest| rest.starts_with('/')).unwrap_or(&text);
    let name = name.trim_start_matches('/');
    [name.to_owned(), name.to_lowercase()]
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
        .take(MAX_FORMER)
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
        let cases = [
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
        ];
        let sources = cases.iter().map(|(source, _)| (*source).to_owned()).collect();
        let names = Names::new(&all, &sources);
        for (source, id) in cases {
            assert_eq!(names.find(source).map(|found| found.path.id()), id, "{source}");
        }
    }

    #[test]
    fn names_that_no_source_means_and_former_paths_without_end_take_no_room() {
        let many: Vec<String> = (0..1_000).map(|number| format!("Old/fox {number}.png")).collect();
        let former: Vec<&str> = many.iter().map(String::as_str).collect();
        let all = [image("1", "fox.png", &former), image("2", "owl.png", &[])];
        let sources = ["fox 3.png", "fox 999.png", "image:2/OWL.png"].map(str::to_owned).into();
        let names = Names::new(&all, &sources);
        assert_eq!(names.find("fox 3.png").map(|found| found.path.id()), Some("1"));
        assert!(names.find("fox 999.png").is_none());
        assert_eq!(names.ways.iter().map(HashMap::len).sum::<usize>(), 6, "{:?}", names.ways);
    }
}
