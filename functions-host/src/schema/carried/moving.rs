//! Taking over what layouts carry, in commits of limited size.

use docstore::Result;
use docstore::model::{CollectionPath, DocPath, Document, Fields, Timestamp, Value, Write, check_document};

use super::{GROUPS, Root, fonts, next};
use crate::schema::batches::{Batches, Limits};
use crate::schema::images::moving::Shown;
use crate::schema::images::shared::text_in;
use crate::schema::walk::Size;
use crate::schema::{Progress, Target};

/// Field of the pictures that a shared layout carried.
const PICTURES: &str = "pictures";

/// Takes over what every layout carries, and reports commits to `progress`.
///
/// # Errors
/// Those of the store and of `progress`; what is committed by then stays.
pub(super) async fn run(target: &Target, limits: Limits, progress: &dyn Progress) -> Result<()> {
    let mut batches = Batches::new(&target.documents, limits, progress);
    for collection in GROUPS {
        let mut after = None;
        while let Some(page) = next(target, collection, &mut after, limits.page).await? {
            for (root, document) in &page {
                take(target, &mut batches, root, document).await?;
            }
        }
    }
    batches.commit().await
}

async fn take(target: &Target, batches: &mut Batches<'_>, root: &Root, layout: &Document) -> Result<()> {
    if !carries(root, layout) {
        return Ok(());
    }
    let Some(owner) = root.owner(target).await? else {
        tracing::warn!("{} stays as it is: its project is not there", layout.path);
        return Ok(());
    };
    let mut fields = layout.fields.clone();
    let pictures = fields.remove(PICTURES);
    if layout.fields.get("shared") == Some(&Value::Boolean(true)) {
        for write in images(target, root, &owner, layout, pictures.as_ref()).await? {
            batches.add([write], 1).await?;
        }
    }
    for write in own_fonts(target, root, &owner, layout, &mut fields).await? {
        batches.add([write], 1).await?;
    }
    if fields == layout.fields {
        return Ok(());
    }
    if let Err(error) = check_document(&layout.path, &fields) {
        tracing::warn!("{} stays as it is: {}", layout.path, error.message());
        return Ok(());
    }
    batches.add([Write::set(layout.path.clone(), fields)], 1).await
}

/// True if a layout carries something, or a version does.
fn carries(root: &Root, layout: &Document) -> bool {
    layout.fields.contains_key(PICTURES)
        || scene_of(&layout.fields).is_some_and(|scene| fonts::elsewhere(scene, root).next().is_some())
}

fn scene_of(fields: &Fields) -> Option<&Fields> {
    if let Some(Value::Map(scene)) = fields.get("scene") { Some(scene) } else { None }
}

fn time_of(layout: &Document) -> Timestamp {
    Timestamp(i64::try_from(layout.update_time.micros()).unwrap_or(i64::MAX))
}

/// The images that the pictures of a shared layout become.
async fn images(
    target: &Target,
    root: &Root,
    owner: &str,
    layout: &Document,
    pictures: Option<&Value>,
) -> Result<Vec<Write>> {
    let Some(Value::Array(pictures)) = pictures else { return Ok(Vec::new()) };
    let place = CollectionPath::parse(&format!("{}/images", root.path()))?;
    let mut made = Vec::new();
    for picture in pictures {
        let Value::Map(fields) = picture else { continue };
        let Some(id) = text_in(fields, "id").filter(|id| place.doc(id).is_ok()) else { continue };
        let shown = Shown { id, fields, original: None, time: time_of(layout) };
        if let Some((path, fields)) = shown.image_in(target, &place, owner).await? {
            made.push(Write::set(path, fields));
        }
    }
    Ok(made)
}

/// Gives a scene addresses of its own fonts, and answers the documents of those.
async fn own_fonts(
    target: &Target,
    root: &Root,
    owner: &str,
    layout: &Document,
    fields: &mut Fields,
) -> Result<Vec<Write>> {
    let mut made = Vec::new();
    let Some(scene) = scene_of(&layout.fields) else { return Ok(made) };
    for (place, font) in fonts::elsewhere(scene, root) {
        let Some(taken) = fonts::take(target, font, root, owner, time_of(layout)).await? else { continue };
        made.extend(taken.document);
        if let Some(Value::Map(scene)) = fields.get_mut("scene")
            && let Some(Value::Array(all)) = scene.get_mut("fonts")
            && let Some(Value::Map(font)) = all.get_mut(place)
        {
            font.insert("url".to_owned(), Value::String(taken.url));
        }
    }
    Ok(made)
}

/// Tells of each place whose layouts carry something, a line each, and of all.
///
/// # Errors
/// Those of the store and of `tell`.
pub(super) async fn survey(
    target: &Target,
    size: Size,
    tell: &mut (dyn FnMut(&str) -> Result<()> + Send),
) -> Result<()> {
    let mut all = 0;
    for collection in GROUPS {
        let mut after: Option<DocPath> = None;
        while let Some(page) = next(target, collection, &mut after, size).await? {
            for (root, layout) in page {
                if !carries(&root, &layout) {
                    continue;
                }
                all += 1;
                let fonts =
                    scene_of(&layout.fields).map_or(0, |scene| fonts::elsewhere(scene, &root).count());
                let pictures = match layout.fields.get(PICTURES) {
                    Some(Value::Array(pictures)) => pictures.len(),
                    _ => 0,
                };
                tell(&format!("{}: {pictures} pictures, {fonts} fonts", layout.path))?;
            }
        }
    }
    tell(&format!("{all} layouts and versions carry pictures or fonts"))
}
