//! Moving the images, in commits of limited size.

use docstore::Result;
use docstore::model::{
    DocPath, Document, FieldPath, Fields, Precondition, Value, Write, WriteOp, check_document,
};

use super::{IMAGES, moved, renamed};
use crate::schema::batches::{Batches, Limits};
use crate::schema::walk::{Walk, below, group};
use crate::schema::{Progress, Target};

/// Collections in which copies lie, in projects and libraries.
const COPIES: [&str; 2] = ["images", "items"];

/// Lets copies name their originals by the new paths, moves every image of an account, and reports commits to `progress`.
///
/// # Errors
/// Those of the store and of `progress`; what is committed by then stays.
pub(super) async fn run(target: &Target, limits: Limits, progress: &dyn Progress) -> Result<()> {
    let mut batches = Batches::new(&target.documents, limits, progress);
    for collection in COPIES {
        let mut after = None;
        loop {
            let page = group(&target.documents, collection, after.as_ref(), limits.page).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.path.clone());
            for copy in &page {
                if let Some(from) = renamed(&copy.fields) {
                    batches.add([with_from(copy, from)?], 1).await?;
                }
            }
        }
    }
    // Images that move are read with what was written to them.
    batches.commit().await?;
    let mut walk = Walk::new(&target.documents, IMAGES);
    while let Some(page) = walk.next().await? {
        for image in page {
            if let Some(document) = image.document {
                put(&mut batches, document).await?;
            }
            everything_below(target, &mut batches, &image.path).await?;
        }
    }
    batches.commit().await
}

async fn everything_below(target: &Target, batches: &mut Batches<'_>, image: &DocPath) -> Result<()> {
    let mut after = None;
    loop {
        let page = below(&target.documents, image, after.as_ref(), batches.limits.page, false).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = Some(last.path.clone());
        for document in page {
            put(batches, document).await?;
        }
    }
}

/// Puts a document at its new place, and deletes it at the old one. One that cannot lie there stays.
async fn put(batches: &mut Batches<'_>, document: Document) -> Result<()> {
    let Document { path, fields, .. } = document;
    let Some(to) = moved(path.as_str()) else {
        tracing::warn!("{path} stays as it is: its new path would be too long");
        return Ok(());
    };
    if let Err(error) = check_document(&to, &fields) {
        tracing::warn!("{path} stays as it is: {}", error.message());
        return Ok(());
    }
    batches.add([Write::set(to, fields), Write::delete(path)], 1).await
}

fn with_from(copy: &Document, from: Fields) -> Result<Write> {
    Ok(Write {
        path: copy.path.clone(),
        op: WriteOp::Update {
            fields: Fields::from([("from".to_owned(), Value::Map(from))]),
            mask: vec![FieldPath::parse("from")?],
            transforms: Vec::new(),
        },
        precondition: Precondition::None,
    })
}

/// Tells the number of images of each account, a line each, and of all.
///
/// # Errors
/// Those of the store and of `tell`.
pub(super) async fn survey(target: &Target, tell: &mut (dyn FnMut(&str) -> Result<()> + Send)) -> Result<()> {
    let (mut all, mut accounts) = (0, 0_u64);
    let mut counted: Option<(String, usize)> = None;
    let mut walk = Walk::new(&target.documents, IMAGES);
    loop {
        let page = walk.next().await?;
        let owner = page.as_ref().and_then(|page| page.first()).map(|image| image.owner.clone());
        if let Some((before, count)) = counted.take_if(|(before, _)| Some(&*before) != owner.as_ref()) {
            tell(&format!("account {before}: {count} images"))?;
            accounts += 1;
            all += count;
        }
        let (Some(owner), Some(page)) = (owner, page) else { break };
        counted.get_or_insert((owner, 0)).1 += page.len();
    }
    tell(&format!("{all} images of {accounts} accounts move to their libraries"))
}
