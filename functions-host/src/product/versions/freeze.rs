//! Freezing: a version is what a project held at one moment.

use docstore::Code;
use docstore::Result;
use docstore::commit::write_weight;
use docstore::model::{DocPath, Timestamp, Write};
use tokio::sync::OwnedSemaphorePermit;

use super::contents::{self, Contents};
use super::limits::{ATTEMPTS, BATCH, BATCH_BYTES, NAMED};
use super::manifest::{self, Entries, Entry};
use super::objects::{self, Hash, Object, Objects};
use super::record::{self, Made, New, Record};
use super::turn::{Turn, admit};
use super::{By, Versions, files};
use crate::functions::callable::CallError;

/// A version that was made, or the newest one if there was nothing to make.
#[derive(Debug)]
pub(super) struct Frozen {
    pub(super) id: String,
    pub(super) number: i64,
    pub(super) unchanged: bool,
    /// The documents that it holds.
    pub(super) contents: Contents,
    pub(super) entries: Entries,
    _memory: OwnedSemaphorePermit,
}

impl Versions {
    /// Makes a version of a project, for those who have the turn. One that cannot be made leaves nothing: no file stays
    /// kept for it.
    ///
    /// # Errors
    /// `FailedPrecondition` for more than a version holds, `ResourceExhausted`; those of the store.
    pub(super) async fn make(
        &self,
        project: &DocPath,
        by: &By<'_>,
        made: &Made,
        turn: &mut Turn,
    ) -> Result<Frozen, CallError> {
        let frozen = self.make_or_fail(project, by, made, turn).await;
        if frozen.is_err()
            && let Err(error) = self.sweep(project, turn).await
        {
            let error = error.inner();
            tracing::warn!(%error, %project, "parts of a version that failed were not freed; the next deletion tries again");
        }
        frozen
    }

    async fn make_or_fail(
        &self,
        project: &DocPath,
        by: &By<'_>,
        made: &Made,
        turn: &mut Turn,
    ) -> Result<Frozen, CallError> {
        let there = record::all(&self.database, project).await?;
        if matches!(made, Made::Named { .. }) {
            room_for_name(&there)?;
        }
        let memory = self.room_for_contents().await?;
        let contents = self.kept_contents(project, turn).await?;
        let of = (project.clone(), contents);
        // Hashes and encodings of thousands of documents take a while, in which the server does other work.
        let built = tokio::task::spawn_blocking(move || build(&of.0, of.1)).await;
        let Built { contents, entries, root, objects } = built.map_err(|_| {
            CallError::new(Code::Internal, "The version could not be made; the server's log says why.")
        })?;
        if let (Made::Automatic(_), Some(newest)) = (made, there.first())
            && newest.root == Some(root)
        {
            let (id, number) = (newest.id().to_owned(), newest.number);
            return Ok(Frozen { id, number, unchanged: true, contents, entries, _memory: memory });
        }
        let mut writes = Objects::of(&self.database, project)?.missing(objects).await?;
        let number = turn.next_number().max(there.first().map_or(0, |newest| newest.number) + 1);
        let new = New {
            made,
            number,
            by: (by.uid(), by.name),
            at: self.now(),
            read_at: Timestamp(i64::try_from(contents.at.micros()).unwrap_or(i64::MAX)),
            root,
            counts: contents.counts,
            bytes: contents.bytes,
        };
        let id = self.random();
        writes.push(Write::set(record::path(project, &id)?, new.fields()));
        let _permit = admit(self.room.as_ref(), by.user, &self.database, &writes).await?;
        let last = last_batch(&writes);
        let together = writes.split_off(last);
        turn.commit_all(writes).await?;
        turn.commit(together).await?;
        Ok(Frozen { id, number, unchanged: false, contents, entries, _memory: memory })
    }

    /// The contents of a project at a moment at which all files that they show are kept.
    async fn kept_contents(&self, project: &DocPath, turn: &mut Turn) -> Result<Contents, CallError> {
        for _ in 0..ATTEMPTS {
            let contents = contents::read(&self.database, project, self.database.read_time()).await?;
            let shown = contents.documents.iter().filter_map(|(path, held)| {
                let file = files::shown(project, path, &held.fields)?;
                Some((file, files::bucket(&held.fields)?))
            });
            let writes = files::to_keep(&self.database, project, &shown.collect::<Vec<_>>()).await?;
            if writes.is_empty() {
                return Ok(contents);
            }
            // Somebody may have deleted one of them since that moment; after the next one nobody can.
            turn.commit_all(writes).await?;
        }
        Err(CallError::new(
            Code::Aborted,
            "Pictures are still being added to the project. Freeze it when they are all there.",
        ))
    }
}

/// Refuses another named version if there are as many as there may be.
pub(super) fn room_for_name(there: &[Record]) -> Result<(), CallError> {
    if there.iter().filter(|record| record.is_named).count() < NAMED {
        return Ok(());
    }
    Err(CallError::new(
        Code::FailedPrecondition,
        format!("The project has {NAMED} named versions, which is the most. Delete one that nobody needs."),
    ))
}

struct Built {
    contents: Contents,
    entries: Entries,
    root: Hash,
    objects: Vec<Object>,
}

fn build(project: &DocPath, contents: Contents) -> Built {
    let (entries, mut objects) = entries(project, &contents);
    let (root, nodes) = manifest::build(&entries);
    objects.extend(nodes);
    Built { contents, entries, root, objects }
}

/// The entries of a project's contents, and the objects that store them.
fn entries(project: &DocPath, contents: &Contents) -> (Entries, Vec<Object>) {
    let mut objects = Vec::new();
    let entries = contents.documents.iter().map(|(path, held)| {
        let (stored, made) = objects::store(held.fields.clone());
        objects.extend(made);
        (path.clone(), Entry { stored, file: files::shown(project, path, &held.fields) })
    });
    let entries = entries.collect();
    (entries, objects)
}

/// Start of the last batch, which has the version's own document: it is committed after all objects.
fn last_batch(writes: &[Write]) -> usize {
    let mut bytes = 0;
    let fits = |write: &&Write| {
        bytes += write_weight(write);
        bytes < BATCH_BYTES
    };
    writes.len() - writes.iter().rev().take(BATCH).take_while(fits).count().max(1)
}
