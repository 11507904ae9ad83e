//! Copies and moves of layouts, with the images and fonts that they show.
//!
//! A copy names the copies of the images. Where the name that it has means the same image there, it keeps that name, so that
//! it does not differ from its original without need. Kept versions go along with a move alone; a link does not: it names
//! the place.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use docstore::model::{CollectionPath, Document, Fields, Precondition, Value, Write, WriteOp};
use docstore::{Code, Result};

use super::leaving::{self, Leaving};
use super::uses::followed_beside;
use super::{Copying, Made, fonts, images, paths_of, text, text_in};
use crate::functions::callable::CallError;
use crate::product::layout_images::{meanings, sources};
use crate::product::place::Place;

/// Most layouts of a call: each may have sixty kept versions.
const MAX_LAYOUTS: usize = 50;

/// Most images that the layouts of a call show.
const MAX_SHOWN: usize = 500;

/// Fields of an image by which names mean it.
const NAMES: [&str; 2] = ["path", "former"];

/// Longest name of a layout, in characters: the rules take as many.
const MAX_NAME: usize = 500;

/// Copies or moves layouts by their ids.
pub(super) async fn copy(copying: &Copying<'_>, ids: &[String], made: &mut Made) -> Result<(), CallError> {
    if copying.layout.is_some() {
        return Err(CallError::invalid("from.layout copies images and fonts; copy a layout by its id."));
    }
    if ids.len() > MAX_LAYOUTS {
        return Err(CallError::invalid(format!(
            "ids must be at most {MAX_LAYOUTS} layouts; copy more in several calls."
        )));
    }
    let reading = &copying.reading;
    let mut leaving = if copying.moves {
        leaving::layouts(reading, &copying.from, ids, None).await?
    } else {
        let going = reading.get(&paths_of(&copying.from.layouts()?, ids)?).await?;
        Leaving { going, ..Leaving::default() }
    };
    made.kept = std::mem::take(&mut leaving.kept);
    if leaving.going.is_empty() {
        return Ok(());
    }
    let names = copy_images(copying, &leaving.going, made).await?;
    let mut there = There::read(copying).await?;
    for layout in &leaving.going {
        let id = there.id_for(layout, copying);
        made.ids.insert(layout.path.id().to_owned(), id);
    }
    for layout in &leaving.going {
        let fields = fields_of(copying, layout, &names, &mut there, made).await?;
        put(copying, layout, fields, leaving.versions.remove(layout.path.id()), made)?;
    }
    if copying.moves {
        made.writes.append(&mut leaving.writes);
    }
    Ok(())
}

/// The layouts of the place to copy to.
struct There {
    ids: BTreeSet<String>,
    /// In lower case.
    names: BTreeSet<String>,
}

impl There {
    async fn read(copying: &Copying<'_>) -> Result<Self, CallError> {
        let found = copying.reading.all(&copying.to.layouts()?, &["name"]).await?;
        let names = found.iter().filter_map(|one| text_in(&one.fields, "name")).map(str::to_lowercase);
        let ids = found.iter().map(|one| one.path.id().to_owned()).collect();
        Ok(Self { names: names.collect(), ids })
    }

    /// The id of a copy. One that moves keeps its own if that is free.
    fn id_for(&mut self, layout: &Document, copying: &Copying<'_>) -> String {
        let own = layout.path.id();
        let keeps = copying.moves && !self.ids.contains(own);
        let id = if keeps { own.to_owned() } else { copying.copier.random() };
        self.ids.insert(id.clone());
        id
    }

    /// The name that a copy gets: its own, with a number if that is taken.
    fn name_for(&mut self, own: &str) -> String {
        let numbered = (2..).map(|number| {
            let end = format!(" ({number})");
            let start: String = own.chars().take(MAX_NAME - end.chars().count()).collect();
            start + &end
        });
        let mut names = std::iter::once(own.to_owned()).chain(numbered);
        let free = names.find(|name| !self.names.contains(&name.to_lowercase()));
        let name = free.unwrap_or_else(|| own.to_owned());
        self.names.insert(name.to_lowercase());
        name
    }
}

/// Copies the images that layouts show in their place. Answers the names that the copies have to have where those that stand
/// in the layouts mean something else.
async fn copy_images(
    copying: &Copying<'_>,
    layouts: &[Document],
    made: &mut Made,
) -> Result<BTreeMap<String, String>, CallError> {
    let scenes = layouts.iter().filter_map(|layout| layout.fields.get("scene"));
    let named: BTreeSet<String> = scenes.flat_map(sources::of).collect();
    if named.is_empty() {
        return Ok(BTreeMap::new());
    }
    let reading = &copying.reading;
    let all = Arc::from(reading.all(&copying.from.images()?, &NAMES).await?);
    let meant = meanings(&all, named.clone()).await?;
    let ids: BTreeSet<String> = meant.values().cloned().collect();
    if ids.len() > MAX_SHOWN {
        return Err(CallError::new(
            Code::FailedPrecondition,
            format!("These layouts show more than {MAX_SHOWN} images: copy fewer layouts at a time."),
        ));
    }
    let mut copies = Made::default();
    let outcome = images::copy(&copying.of(None), &ids.into_iter().collect::<Vec<_>>(), &mut copies).await;
    let ids = std::mem::take(&mut copies.ids);
    let documents = there_with(reading.all(&copying.to.images()?, &NAMES).await?, &copies.writes);
    made.take(copies);
    outcome?;
    let paths: BTreeMap<&str, &str> = documents
        .iter()
        .map(|image| (image.path.id(), text_in(&image.fields, "path").unwrap_or_default()))
        .collect();
    let wanted: BTreeMap<String, (String, String)> = meant
        .into_iter()
        .filter_map(|(source, original)| {
            let id = ids.get(&original)?;
            let path = paths.get(id.as_str()).copied().unwrap_or_default();
            Some((source, (id.clone(), format!("image:{id}/{path}"))))
        })
        .collect();
    let documents = Arc::from(documents);
    let means = meanings(&documents, named).await?;
    let differ = wanted.into_iter().filter(|(source, (id, _))| means.get(source) != Some(id));
    Ok(differ.map(|(source, (_, name))| (source, name)).collect())
}

/// The images of a place once some have been written, in the order of their ids.
fn there_with(mut images: Vec<Document>, writes: &[Write]) -> Vec<Document> {
    images.extend(writes.iter().filter_map(|write| match &write.op {
        WriteOp::Set { fields, .. } => Some(Document {
            path: write.path.clone(),
            fields: fields.clone(),
            create_time: docstore::model::Ts::MAX,
            update_time: docstore::model::Ts::MAX,
        }),
        _ => None,
    }));
    images.sort_by(|a, b| a.path.cmp(&b.path));
    images
}

/// The document of a copy.
async fn fields_of(
    copying: &Copying<'_>,
    layout: &Document,
    names: &BTreeMap<String, String>,
    there: &mut There,
    made: &mut Made,
) -> Result<Fields, CallError> {
    let mut scene = layout.fields.get("scene").cloned().unwrap_or_else(|| Value::Map(Fields::new()));
    with_fonts(copying, layout, &mut scene, made).await?;
    sources::rename(&mut scene, names);
    let name = there.name_for(text_in(&layout.fields, "name").unwrap_or("Unnamed"));
    let kept: &[&str] = if copying.moves { &["version", "tags", "revision"] } else { &["version", "tags"] };
    let mut fields: Fields = images::fields_in(layout, kept).collect();
    if let Value::Map(scene) = &mut scene
        && scene.contains_key("name")
    {
        scene.insert("name".to_owned(), text(&name));
    }
    fields.extend(follows(copying, layout, made).map(|follows| ("follows".to_owned(), follows)));
    fields.insert("name".to_owned(), text(&name));
    fields.insert("scene".to_owned(), scene);
    fields.insert("updatedAt".to_owned(), Value::Timestamp(copying.now()));
    Ok(fields)
}

/// Copies the fonts of a layout, and gives its scene their addresses.
async fn with_fonts(
    copying: &Copying<'_>,
    layout: &Document,
    scene: &mut Value,
    made: &mut Made,
) -> Result<(), CallError> {
    let Value::Map(scene) = scene else { return Ok(()) };
    let Some(Value::Array(fonts)) = scene.get_mut("fonts") else { return Ok(()) };
    let urls: Vec<String> = fonts
        .iter()
        .filter_map(|font| if let Value::Map(font) = font { text_in(font, "url") } else { None })
        .map(str::to_owned)
        .collect();
    let mut copies = Made { fonts: std::mem::take(&mut made.fonts), ..Made::default() };
    let outcome = fonts::copy(&copying.of(Some(layout)), &urls, &mut copies).await;
    made.fonts = std::mem::take(&mut copies.fonts);
    let addresses = std::mem::take(&mut copies.urls);
    made.take(copies);
    outcome?;
    for font in fonts {
        let Value::Map(font) = font else { continue };
        if let Some(url) = text_in(font, "url").and_then(|url| addresses.get(url)).map(|url| text(url)) {
            font.insert("url".to_owned(), url);
        }
    }
    Ok(())
}

/// The layout that a copy follows. One of a project follows the layout of the library that it is a copy of; one that moves goes
/// on following.
fn follows(copying: &Copying<'_>, layout: &Document, made: &Made) -> Option<Value> {
    if !copying.moves {
        let (Place::Library(uid), Place::Project(_)) = (&copying.from, &copying.to) else { return None };
        return Some(Value::Map(Fields::from([
            ("layout".to_owned(), text(layout.path.id())),
            ("library".to_owned(), text(uid)),
            ("scene".to_owned(), layout.fields.get("scene")?.clone()),
        ])));
    }
    let Value::Map(mut follows) = layout.fields.get("follows")?.clone() else { return None };
    if let Some(followed) = followed_beside(&layout.fields) {
        match (made.ids.get(followed), &copying.from) {
            (Some(along), _) => follows.insert("layout".to_owned(), text(along)),
            (None, Place::Project(project)) => follows.insert("project".to_owned(), text(project.id())),
            (None, Place::Library(uid)) => follows.insert("library".to_owned(), text(uid)),
        };
        return Some(Value::Map(follows));
    }
    // One that comes to lie beside the one that it follows.
    let (key, id) = match &copying.to {
        Place::Project(project) => ("project", project.id()),
        Place::Library(uid) => ("library", uid.as_str()),
    };
    if text_in(&follows, key) == Some(id) {
        follows.remove(key);
    }
    Some(Value::Map(follows))
}

fn put(
    copying: &Copying<'_>,
    layout: &Document,
    fields: Fields,
    versions: Option<Vec<Document>>,
    made: &mut Made,
) -> Result<()> {
    let Some(id) = made.ids.get(layout.path.id()).cloned() else { return Ok(()) };
    let path = copying.to.layouts()?.doc(&id)?;
    for version in versions.into_iter().flatten() {
        let kept: CollectionPath = path.child("versions")?;
        made.writes.push(new(kept.doc(version.path.id())?, version.fields));
    }
    made.note("layouts", &id);
    made.writes.push(new(path, fields));
    Ok(())
}

const fn new(path: docstore::model::DocPath, fields: Fields) -> Write {
    Write {
        path,
        op: WriteOp::Set { fields, transforms: Vec::new() },
        precondition: Precondition::Exists(false),
    }
}
