//! Things that leave a place: for good, or for another one. What something shows stays.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use docstore::Result;
use docstore::model::{CollectionPath, Document, Ts, Write};

use super::images::file_of;
use super::reading::Reading;
use super::uses::{Use, Uses, of_images, of_layouts};
use super::{paths_of, text_in};
use crate::functions::callable::CallError;
use crate::product::place::Place;

/// Fields of a kept version of a layout.
const VERSION_FIELDS: [&str; 3] = ["name", "at", "scene"];

/// Things that leave, and those that stay.
#[derive(Debug, Default)]
pub(super) struct Leaving {
    /// Those that leave.
    pub(super) going: Vec<Document>,
    /// Kept versions of layouts that leave, by the layouts' ids.
    pub(super) versions: BTreeMap<String, Vec<Document>>,
    /// Those that stay, with what shows them.
    pub(super) kept: Uses,
    /// The deletions.
    pub(super) writes: Vec<Write>,
    /// Bucket and name of each file that nothing else in the place has.
    pub(super) files: Vec<(String, String)>,
}

impl Leaving {
    /// Sorts out what stays: what something shows, and what was changed after `since`.
    fn sort(found: Vec<Document>, mut uses: Uses, since: Option<Ts>) -> Self {
        let mut leaving = Self::default();
        for document in found {
            let changed = since.is_some_and(|since| document.update_time > since);
            let id = document.path.id().to_owned();
            let mut showing = uses.remove(&id).unwrap_or_default();
            showing.extend(changed.then(Use::change));
            if showing.is_empty() {
                leaving.writes.push(Write::delete(document.path.clone()));
                leaving.going.push(document);
            } else {
                leaving.kept.insert(id, showing);
            }
        }
        leaving
    }

    /// Ids of those that leave.
    pub(super) fn ids(&self) -> BTreeSet<&str> {
        self.going.iter().map(|document| document.path.id()).collect()
    }
}

async fn find(
    reading: &Reading,
    collection: &CollectionPath,
    ids: &[String],
) -> Result<Vec<Document>, CallError> {
    Ok(reading.get(&paths_of(collection, ids)?).await?)
}

/// Layouts that leave a place, with their kept versions.
///
/// # Errors
/// `InvalidArgument` for what is no id; those of [`of_layouts`].
pub(super) async fn layouts(
    reading: &Reading,
    place: &Place,
    ids: &[String],
    since: Option<Ts>,
) -> Result<Leaving, CallError> {
    let found = find(reading, &place.layouts()?, ids).await?;
    if found.is_empty() {
        return Ok(Leaving::default());
    }
    // One that stays keeps those beside it that it follows.
    let (mut wanted, mut kept) = (found, Uses::new());
    loop {
        let uses = of_layouts(reading, place, &wanted).await?;
        let mut sorted = Leaving::sort(wanted, uses, since);
        let settled = sorted.kept.is_empty() || sorted.going.is_empty();
        kept.append(&mut sorted.kept);
        if settled {
            sorted.kept = kept;
            return with_versions(reading, sorted).await;
        }
        wanted = sorted.going;
    }
}

async fn with_versions(reading: &Reading, mut leaving: Leaving) -> Result<Leaving, CallError> {
    for layout in &leaving.going {
        let versions = reading.all(&layout.path.child("versions")?, &VERSION_FIELDS).await?;
        leaving.writes.extend(versions.iter().map(|version| Write::delete(version.path.clone())));
        leaving.versions.insert(layout.path.id().to_owned(), versions);
    }
    Ok(leaving)
}

/// Images that leave a place.
///
/// # Errors
/// `InvalidArgument` for what is no id; those of [`of_images`].
pub(super) async fn images(
    reading: &Reading,
    place: &Place,
    files_in: &Place,
    ids: &[String],
    without: &BTreeSet<&str>,
    since: Option<Ts>,
) -> Result<Leaving, CallError> {
    let found = find(reading, &place.images()?, ids).await?;
    if found.is_empty() {
        return Ok(Leaving::default());
    }
    let all = Arc::from(reading.all(&place.images()?, &["path", "former", "file"]).await?);
    let wanted = found.iter().map(|image| image.path.id()).collect();
    let uses = of_images(reading, place, &all, &wanted, without).await?;
    let mut leaving = Leaving::sort(found, uses, since);
    let going = leaving.ids();
    let staying: BTreeSet<&str> = all
        .iter()
        .filter(|image| !going.contains(image.path.id()))
        .filter_map(|image| text_in(&image.fields, "file"))
        .collect();
    let folder = files_in.image_files();
    let files: BTreeSet<(String, String)> = leaving
        .going
        .iter()
        .filter_map(|image| file_of(&folder, image).ok())
        .filter(|file| !staying.contains(file.name))
        .map(|file| (file.bucket.to_owned(), file.name.to_owned()))
        .collect();
    leaving.files.extend(files);
    Ok(leaving)
}
