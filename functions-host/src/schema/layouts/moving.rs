//! Moving the layouts, in commits of limited size.

use docstore::Result;
use docstore::model::{DocPath, Document, Fields, Value, Write, check_document};

use super::{LAYOUTS, in_library, in_project, text_of};
use crate::project;
use crate::schema::batches::{Batches, Limits};
use crate::schema::moved::Placed;
use crate::schema::walk::{Found, Walk, below};
use crate::schema::{Progress, Target};

/// Moves every layout there is, and reports commits to `progress`.
///
/// # Errors
/// Those of the store and of `progress`; what is committed by then stays.
pub(super) async fn run(target: &Target, limits: Limits, progress: &dyn Progress) -> Result<()> {
    let mut moving = Moving { target, batches: Batches::new(&target.documents, limits, progress) };
    let mut walk = Walk::new(&target.documents, LAYOUTS);
    while let Some(page) = walk.next().await? {
        for found in &page {
            moving.layout(found).await?;
        }
    }
    moving.batches.commit().await
}

/// The layouts on their way.
struct Moving<'a> {
    target: &'a Target,
    batches: Batches<'a>,
}

/// A place that gets a layout.
#[derive(Debug)]
struct Place {
    path: DocPath,
    /// Id of the project; `None` for the library.
    project: Option<String>,
    /// The layout keeps what is by its id: its link.
    first: bool,
}

impl Moving<'_> {
    async fn layout(&mut self, found: &Found) -> Result<()> {
        let places = self.places(found).await?;
        if let Some(document) = &found.document {
            let mut copies = Vec::new();
            for place in &places {
                let fields = self.fields_at(document, &found.owner, place).await?;
                copies.push((place.path.clone(), fields));
            }
            self.document(document, copies).await?;
        }
        let mut after = None;
        loop {
            let (documents, size) = (&self.target.documents, self.batches.limits.page);
            let page = below(documents, &found.path, after.as_ref(), size, false).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.path.clone());
            for document in page {
                let part: Vec<&str> = document.path.segments().skip(found.path.segments().count()).collect();
                let copy = |place: &Place| {
                    let path = DocPath::parse(&format!("{}/{}", place.path, part.join("/")))?;
                    Ok((path, document.fields.clone()))
                };
                let copies = places.iter().map(copy).collect::<Result<_>>()?;
                self.document(&document, copies).await?;
            }
        }
    }

    /// The places that get a layout: those recorded, of which the project is still there; otherwise the library.
    async fn places(&self, found: &Found) -> Result<Vec<Place>> {
        let mut places = Vec::new();
        for placed in self.target.moved.places(&found.owner, &found.id).await? {
            let there = project::find(&self.target.documents, &placed.project).await?;
            if there.is_some_and(|project| project::owner(&project.fields) == Some(&found.owner)) {
                let path = in_project(&placed.project, &placed.to)?;
                let first = placed.is_first();
                places.push(Place { path, project: Some(placed.project), first });
            }
        }
        if places.is_empty() {
            let path = in_library(&found.owner, &found.id)?;
            places.push(Place { path, project: None, first: true });
        }
        Ok(places)
    }

    /// A layout's fields at one of its places.
    async fn fields_at(&self, layout: &Document, owner: &str, place: &Place) -> Result<Fields> {
        let mut fields = layout.fields.clone();
        fields.remove("deckIds");
        if !place.first {
            // Its link leads to the other one.
            fields.remove("shared");
            fields.remove("pictures");
        }
        if let Some(Value::Map(follows)) = fields.get_mut("follows") {
            self.follow(follows, owner, place).await?;
        }
        Ok(fields)
    }

    /// Lets a layout name the one it follows by its new place: beside it, in another project, or in its owner's library.
    async fn follow(&self, follows: &mut Fields, owner: &str, place: &Place) -> Result<()> {
        let Some(followed) = text_of(follows, "layout").map(str::to_owned) else { return Ok(()) };
        if let Some(project) = &place.project {
            let beside = self.target.moved.placed_in(owner, project, &[&followed]).await?;
            if let Some(id) = beside.into_iter().next().flatten() {
                follows.insert("layout".to_owned(), Value::String(id));
                return Ok(());
            }
        }
        let elsewhere = self.target.moved.places(owner, &followed).await?;
        if let Some(first) = elsewhere.into_iter().find(Placed::is_first) {
            follows.insert("project".to_owned(), Value::String(first.project));
        } else if place.project.is_some() {
            follows.insert("library".to_owned(), Value::String(owner.to_owned()));
        }
        Ok(())
    }

    /// Puts copies of a document at their places, and deletes it. One that cannot be put at all of them stays too.
    async fn document(&mut self, document: &Document, copies: Vec<(DocPath, Fields)>) -> Result<()> {
        let mut stays = false;
        let last = copies.len().saturating_sub(1);
        for (at, (path, fields)) in copies.into_iter().enumerate() {
            if let Err(error) = check_document(&path, &fields) {
                tracing::warn!("{} stays as it is: {}", document.path, error.message());
                stays = true;
                continue;
            }
            if at == last && !stays {
                self.batches.add([Write::set(path, fields), Write::delete(document.path.clone())], 1).await?;
            } else {
                self.batches.add([Write::set(path, fields)], 0).await?;
            }
        }
        Ok(())
    }
}
