//! Deleting versions, by hand and by age, and freeing what only they held.

use docstore::model::{DocPath, Timestamp, Write};

use super::Versions;
use super::limits::BATCH;
use super::manifest;
use super::objects::{Hash, Objects};
use super::record::{self, Record};
use super::thin::too_many;
use super::turn::Turn;
use crate::functions::callable::CallError;
use crate::product::published;

impl Versions {
    /// Deletes versions, for those who have the turn.
    ///
    /// # Errors
    /// Those of the stores; what was deleted by then stays deleted, and the next deletion frees what is left.
    pub(super) async fn remove(
        &self,
        project: &DocPath,
        versions: &[Record],
        turn: &mut Turn,
    ) -> Result<(), CallError> {
        // First their documents: whatever happens afterwards, nobody opens one of which parts are gone.
        let links: Vec<String> =
            versions.iter().map(|version| version.link.clone()).filter(|link| !link.is_empty()).collect();
        let mut gone = published::closing(&self.database, project.id(), &links).await?;
        gone.extend(versions.iter().map(|version| Write::delete(version.path.clone())));
        turn.commit_all(gone).await?;
        for version in versions {
            self.close_version(project, version.id(), turn).await?;
        }
        self.sweep(project, turn).await
    }

    /// Deletes all objects that no version leads to, and lets go of the files that none shows.
    pub(super) async fn sweep(&self, project: &DocPath, turn: &mut Turn) -> Result<(), CallError> {
        let there = record::all(&self.database, project).await?;
        let roots: Vec<Hash> = there.iter().filter_map(|record| record.root).collect();
        let objects = Objects::of(&self.database, project)?;
        let held = manifest::read(&objects, &roots).await?;
        if !held.damaged.is_empty() {
            // Nobody knows what else the version needs. Once it is deleted, its list is no longer read.
            tracing::warn!(%project, "the list of a version is damaged: nothing is freed until that version is deleted");
            return Ok(());
        }
        let stored = self.documents_in(objects.collection(), &[]).await?;
        let is_free =
            |path: &DocPath| Hash::parse(path.id()).is_none_or(|hash| !held.objects.contains(&hash));
        let free: Vec<DocPath> = stored.into_iter().map(|(path, _)| path).filter(is_free).collect();
        for some in free.chunks(BATCH) {
            turn.commit(some.iter().cloned().map(Write::delete).collect()).await?;
        }
        self.release_files(project, &held.files, turn).await
    }

    /// Deletes the automatic versions that are too many for their age.
    ///
    /// # Errors
    /// Those of [`Self::remove`].
    pub(super) async fn thin_out(&self, project: &DocPath, turn: &mut Turn) -> Result<(), CallError> {
        let mut automatic = record::all(&self.database, project).await?;
        automatic.retain(|record| !record.is_named);
        let ages: Vec<Timestamp> = automatic.iter().map(|record| record.at).collect();
        let gone: Vec<Record> =
            too_many(self.now(), &ages).into_iter().filter_map(|at| automatic.get(at).cloned()).collect();
        if gone.is_empty() { Ok(()) } else { self.remove(project, &gone, turn).await }
    }
}
