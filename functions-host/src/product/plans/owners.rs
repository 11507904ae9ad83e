//! Owners of projects, remembered until the log says that one changed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use docstore::database::Database;
use docstore::model::{DatabaseId, DocPath, Ts};
use docstore::store::Store;
use docstore::{Error, Result};
use parking_lot::{Mutex, MutexGuard};

use crate::project;

/// Owners remembered; past this all are read again.
const OWNERS: usize = 10_000;

/// The owners of projects. Clones share what is remembered.
#[derive(Debug, Clone)]
pub(super) struct Owners(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    store: Store,
    documents: Database,
    /// Locked for a look, never across an await.
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    owners: HashMap<String, String>,
    /// Commit of the log up to which `owners` are right; `None` while nobody reads the log.
    followed: Option<Ts>,
}

impl Owners {
    /// The owners of a project's documents. Nothing is remembered before [`Self::restart`].
    pub(super) fn new(store: &Store, project: &str) -> Self {
        let documents = store.database(&DatabaseId::default_of(project));
        Self(Arc::new(Shared { store: store.clone(), documents, known: Mutex::default() }))
    }

    /// Owners by project, as they are stored; projects that are not there have none.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn of(&self, ids: &BTreeSet<&str>) -> Result<BTreeMap<String, String>> {
        let mut owners = self.remembered(ids);
        let missing: Vec<&str> = ids.iter().copied().filter(|id| !owners.contains_key(*id)).collect();
        if missing.is_empty() {
            return Ok(owners);
        }
        let paths: Vec<DocPath> = missing.iter().map(|id| project::path(id)).collect::<Result<_, Error>>()?;
        let read = self.0.documents.get(&paths, None).await?;
        let found = missing.iter().zip(&read.value).filter_map(|(id, found)| {
            Some(((*id).to_owned(), project::owner(&found.as_ref()?.fields)?.to_owned()))
        });
        let found: Vec<_> = found.collect();
        self.remember(&found, read.read_time);
        owners.extend(found);
        Ok(owners)
    }

    /// The remembered ones, if every commit that is visible has been followed.
    fn remembered(&self, ids: &BTreeSet<&str>) -> BTreeMap<String, String> {
        let newest = self.0.store.newest();
        let known = self.known();
        if known.followed.is_none_or(|followed| followed < newest) {
            return BTreeMap::new();
        }
        let of = |id: &&str| Some(((*id).to_owned(), known.owners.get(*id)?.clone()));
        ids.iter().filter_map(of).collect()
    }

    /// Remembers owners that were read at a time, unless a commit after it was followed, which may have changed them.
    fn remember(&self, found: &[(String, String)], read: Ts) {
        let mut known = self.known();
        if known.followed.is_none_or(|followed| followed > read) {
            return;
        }
        if known.owners.len() + found.len() > OWNERS {
            known.owners.clear();
        }
        known.owners.extend(found.iter().cloned());
    }

    /// Forgets projects that commits up to `at` changed.
    pub(super) fn follow(&self, changed: &[String], at: Ts) {
        let mut known = self.known();
        for id in changed {
            known.owners.remove(id);
        }
        known.followed = known.followed.map(|_| at);
    }

    /// Forgets all; somebody follows the log from `at` on, or nobody.
    pub(super) fn restart(&self, at: Option<Ts>) {
        *self.known() = Known { owners: HashMap::new(), followed: at };
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.known.lock()
    }
}

#[cfg(test)]
mod tests {
    use docstore::commit::Draft;
    use docstore::model::{Fields, Value, Write};

    use super::*;

    fn project(id: &str, owner: &str) -> Write {
        let fields = Fields::from([("owner".to_owned(), Value::String(owner.to_owned()))]);
        Write::set(DocPath::parse(&format!("projects/{id}")).unwrap(), fields)
    }

    struct World {
        owners: Owners,
        database: Database,
    }

    impl World {
        async fn new() -> Self {
            let store = Store::in_memory().await.unwrap();
            let database = store.database(&DatabaseId::default_of("demo"));
            Self { owners: Owners::new(&store, "demo"), database }
        }

        async fn commit(&self, writes: Vec<Write>) -> Ts {
            self.database.commit(Draft::of(writes)).await.unwrap().commit_time
        }

        async fn owner(&self) -> Option<String> {
            self.owners.of(&BTreeSet::from(["p"])).await.unwrap().remove("p")
        }

        fn is_remembered(&self) -> bool {
            !self.owners.remembered(&BTreeSet::from(["p"])).is_empty()
        }
    }

    #[tokio::test]
    async fn an_owner_is_read_once_and_again_after_a_change() {
        let world = World::new().await;
        let made = world.commit(vec![project("p", "ann")]).await;
        assert_eq!((world.owner().await.as_deref(), world.is_remembered()), (Some("ann"), false));
        world.owners.restart(Some(made));
        assert_eq!((world.owner().await.as_deref(), world.is_remembered()), (Some("ann"), true));
        // Of a commit that is not followed yet, nobody knows what it changed.
        let given = world.commit(vec![project("p", "bob")]).await;
        assert!(!world.is_remembered());
        assert_eq!(world.owner().await.as_deref(), Some("bob"));
        world.owners.follow(&["p".to_owned()], given);
        assert_eq!((world.owner().await.as_deref(), world.is_remembered()), (Some("bob"), true));
        // Commits that change no project leave it remembered.
        let other = world.commit(vec![Write::set(DocPath::parse("users/ann").unwrap(), Fields::new())]).await;
        world.owners.follow(&[], other);
        assert!(world.is_remembered());
        let gone = world.commit(vec![Write::delete(DocPath::parse("projects/p").unwrap())]).await;
        world.owners.follow(&["p".to_owned()], gone);
        assert_eq!((world.owner().await, world.is_remembered()), (None, false));
    }

    #[tokio::test]
    async fn an_owner_read_before_a_change_that_was_followed_is_not_remembered() {
        let world = World::new().await;
        let made = world.commit(vec![project("p", "ann")]).await;
        world.owners.restart(Some(made));
        let given = world.commit(vec![project("p", "bob")]).await;
        world.owners.follow(&["p".to_owned()], given);
        world.owners.remember(&[("p".to_owned(), "ann".to_owned())], made);
        assert_eq!(world.owner().await.as_deref(), Some("bob"));
    }

    #[tokio::test]
    async fn no_more_are_remembered_than_there_is_room_for() {
        let world = World::new().await;
        world.owners.restart(Some(Ts::ZERO));
        for n in 0..OWNERS + 5 {
            world.owners.remember(&[(n.to_string(), "ann".to_owned())], Ts::ZERO);
        }
        assert!(world.owners.known().owners.len() <= OWNERS);
    }
}
