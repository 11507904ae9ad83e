//! Version of what a project's database holds: a mark in a reserved database, and the steps from each version to the next.
//!
//! | version | the database |
//! | --- | --- |
//! | 1 | projects lie below their owners: `users/{uid}/decks/{id}` |
//! | 2 | projects lie at the top level: `projects/{id}` |
//! | 3 | layouts lie with the projects that use them: `projects/{p}/layouts/{l}`; others in their owner's library |
//! | 4 | projects have the images that they show: `projects/{p}/images/{i}`; members share none of their libraries |
//! | 5 | layouts carry nothing: pictures and fonts lie in their project or library |
//! | 6 | images of an account lie in its library: `users/{uid}/library/images/items/{i}` |
//!
//! This is the form of the application's documents. The form of the files they are stored in has a version of its own,
//! which `docstore` knows. An upgrade runs before the server accepts requests. It goes on where it was, however it was
//! interrupted: a step first decides what depends on all the data ([`Step::prepare`]), which changes nothing else and can
//! be repeated; then it changes the data in commits, each of which leaves less to do.

mod backup;
mod batches;
mod carried;
pub(crate) mod history;
pub(crate) mod images;
mod layouts;
mod library_images;
pub(crate) mod moved;
pub(crate) mod opening;
mod progress;
mod projects;
mod state;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod walk;

use std::fmt;

use docstore::model::DatabaseId;
use docstore::{Code, Database, Error, Result, Store};
use futures::future::BoxFuture;
use storage_emu::FileCatalog;

use moved::Moved;
use progress::Logged;
use state::{State, StateDocument};

/// The version this program reads and writes.
pub const VERSION: u32 = 6;

/// The version of databases that were written before there were marks.
const UNMARKED: u32 = 1;

/// The steps: the first leads from version 1 to version 2, and so on.
const STEPS: [&dyn Step; 5] = [
    &projects::ProjectsToTop,
    &layouts::LayoutsToProjects,
    &images::PicturesToImages,
    &carried::CarriedToOwned,
    &library_images::ImagesToLibrary,
];

/// The data that a step works on.
#[derive(Debug, Clone)]
struct Target {
    /// The application's documents.
    documents: Database,
    /// Records of new ids.
    moved: Moved,
    /// The application's files.
    files: FileCatalog,
}

/// The way from one version to the next.
trait Step: fmt::Debug + Send + Sync {
    /// The change, in words for the log.
    fn title(&self) -> &'static str;

    /// Tells what it would do, line by line, and changes nothing.
    fn survey<'a>(
        &'a self,
        target: &'a Target,
        tell: &'a mut (dyn FnMut(&str) -> Result<()> + Send),
    ) -> BoxFuture<'a, Result<()>>;

    /// Decides and records what depends on all of the data. It may be interrupted and repeated.
    fn prepare<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<()>>;

    /// Changes the data. It may be interrupted at any commit and called again.
    fn run<'a>(&'a self, target: &'a Target, progress: &'a dyn Progress) -> BoxFuture<'a, Result<()>>;
}

/// Observer of a step.
trait Progress: Send + Sync {
    /// A commit has moved so many documents.
    ///
    /// # Errors
    /// Any error interrupts the upgrade, which goes on at the next start.
    fn committed(&self, documents: u64) -> Result<()>;
}

/// A project's database, and what this program can do with it.
#[derive(Debug)]
pub(crate) struct Schema {
    document: StateDocument,
    target: Target,
}

/// The relation of a database to this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It has the version of this program.
    Current,
    /// It is older; `begun` if an upgrade was interrupted.
    Older { version: u32, begun: bool },
}

impl Schema {
    /// The database of `project`.
    ///
    /// # Errors
    /// None today.
    pub(crate) fn new(store: &Store, project: &str) -> Result<Self> {
        let documents = store.database(&DatabaseId::default_of(project));
        let files = FileCatalog::new(store, project);
        let target = Target { documents, moved: Moved::new(store, project), files };
        Ok(Self { document: StateDocument::new(store, project)?, target })
    }

    /// The standing of the database.
    ///
    /// # Errors
    /// `FailedPrecondition` (`SchemaNewer`) if a newer program has made or upgraded it; those of the store.
    pub(crate) async fn standing(&self) -> Result<Standing> {
        let state = match self.document.read().await? {
            Some(state) => state,
            None if self.is_empty().await? => State::at(VERSION),
            None => State::at(UNMARKED),
        };
        match state.version {
            VERSION => Ok(Standing::Current),
            newer if newer > VERSION => Err(refused(newer)),
            version => Ok(Standing::Older { version, begun: state.begun }),
        }
    }

    /// Marks an empty database that has no mark with [`VERSION`].
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn mark_empty(&self) -> Result<()> {
        if self.document.read().await?.is_some() || !self.is_empty().await? {
            return Ok(());
        }
        match self.document.write(State::at(VERSION)).await {
            // A full disk must not keep a server from starting; the next start marks it.
            Err(error) if error.code() == Code::ResourceExhausted => {
                tracing::warn!("the version of the documents is not marked: {}", error.message());
                Ok(())
            }
            marked => marked,
        }
    }

    /// True if the database has a mark: it was opened as this application's.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn is_marked(&self) -> Result<bool> {
        Ok(self.document.read().await?.is_some())
    }

    async fn is_empty(&self) -> Result<bool> {
        let one = docstore::database::Page { size: 1, token: String::new() };
        Ok(self.target.documents.list_collections(None, &one, None).await?.ids.is_empty())
    }

    /// Takes all steps to [`VERSION`].
    ///
    /// # Errors
    /// Those of the store; the upgrade goes on at the next start.
    pub(crate) async fn upgrade(&self) -> Result<()> {
        self.upgrade_with(&Logged::default()).await
    }

    async fn upgrade_with(&self, progress: &dyn Progress) -> Result<()> {
        let mut state = self.document.read().await?.unwrap_or(State::at(UNMARKED));
        if state.version >= VERSION {
            return Ok(());
        }
        if !state.begun {
            state.begun = true;
            self.document.write(state).await?;
        }
        let from = usize::try_from(state.version.saturating_sub(UNMARKED)).unwrap_or(usize::MAX);
        for step in STEPS.iter().skip(from) {
            tracing::info!("upgrade of the documents from version {}: {}", state.version, step.title());
            if !state.prepared {
                step.prepare(&self.target).await?;
                state.prepared = true;
                self.document.write(state).await?;
            }
            step.run(&self.target, progress).await?;
            let version = state.version + 1;
            state = State { begun: version < VERSION, ..State::at(version) };
            self.document.write(state).await?;
        }
        tracing::info!("the documents are of version {VERSION} now");
        Ok(())
    }

    /// Tells what [`Self::upgrade`] would do, line by line.
    ///
    /// # Errors
    /// Those of the store and of `tell`.
    pub(crate) async fn survey(&self, tell: &mut (dyn FnMut(&str) -> Result<()> + Send)) -> Result<()> {
        let Standing::Older { version, begun } = self.standing().await? else {
            return tell(&format!("The documents are of version {VERSION}: there is nothing to upgrade."));
        };
        let interrupted = if begun { " An upgrade has begun and goes on." } else { "" };
        tell(&format!("The documents are of version {version}, and become version {VERSION}.{interrupted}"))?;
        let from = usize::try_from(version.saturating_sub(UNMARKED)).unwrap_or(usize::MAX);
        for step in STEPS.iter().skip(from) {
            tell(&format!("Step: {}", step.title()))?;
            step.survey(&self.target, tell).await?;
        }
        Ok(())
    }

    /// Runs an import, which may bring documents of older versions, and upgrades those.
    ///
    /// # Errors
    /// Those of the import and of [`Self::upgrade`].
    pub(crate) async fn importing<T>(&self, import: impl Future<Output = Result<T>>) -> Result<T> {
        // An import that is killed leaves an upgrade that has begun.
        self.document.write(State { begun: true, ..State::at(UNMARKED) }).await?;
        let imported = import.await;
        self.upgrade().await?;
        imported
    }
}

fn refused(found: u32) -> Error {
    Error::new(
        Code::FailedPrecondition,
        "SchemaNewer",
        format!(
            "these documents are of version {found}, and this Tuckbox ({}) knows versions up to {VERSION}: a newer one has made or upgraded them. Start that one, or use a backup from before the upgrade",
            crate::VERSION
        ),
    )
}
