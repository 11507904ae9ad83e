//! Tells tables that their project's cards changed. One reader of the log of commits serves all tables of the server.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use docstore::Store;
use docstore::changes::Changes;
use docstore::engine::Commit;
use docstore::model::{DatabaseId, DocPath};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

use crate::project;

/// Collections of a project that its cards are made of.
const PARTS: [&str; 4] = ["components", "layouts", "images", "languages"];
/// Collections below those: of a component's cards, and of a language's texts.
const BELOW: [(&str, &str); 2] = [("components", "cards"), ("languages", "parts")];

/// See the module's description. Clones share it.
#[derive(Clone)]
pub(super) struct CardFeed(Arc<Inner>);

struct Inner {
    store: Store,
    database: DatabaseId,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Changes so far of each project that somebody follows.
    followed: HashMap<DocPath, watch::Sender<u64>>,
    is_reading: bool,
}

impl fmt::Debug for CardFeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CardFeed").finish_non_exhaustive()
    }
}

impl State {
    /// Tells whoever follows a project; forgets projects that nobody follows any longer.
    fn changed(&mut self, is_concerned: impl Fn(&DocPath) -> bool) {
        self.followed.retain(|project, sender| {
            let is_followed = sender.receiver_count() > 0;
            if is_followed && is_concerned(project) {
                sender.send_modify(|changes| *changes += 1);
            }
            is_followed
        });
    }
}

impl CardFeed {
    /// Over the documents of a store.
    pub(super) fn new(store: &Store, database: DatabaseId) -> Self {
        Self(Arc::new(Inner { store: store.clone(), database, state: Mutex::default() }))
    }

    /// Follows a project from now on: the value changes with its cards, layouts, images and languages.
    pub(super) fn follow(&self, project: &DocPath) -> watch::Receiver<u64> {
        let mut state = self.state();
        if !state.is_reading
            && let Ok(changes) = self.0.store.changes(self.0.store.newest())
        {
            state.is_reading = true;
            tokio::spawn(self.clone().read(changes));
        }
        state.followed.entry(project.clone()).or_default().subscribe()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock()
    }

    /// Reads commits until nobody follows a project, or the store is gone.
    async fn read(self, mut changes: Changes) {
        while let Some(read) = changes.next().await {
            let Ok(commits) = read else {
                // It fell behind the log: everything may have changed.
                let Ok(present) = self.0.store.changes(self.0.store.newest()) else { break };
                changes = present;
                self.state().changed(|_| true);
                continue;
            };
            let is_own = |number| changes.database(number).as_ref() == Some(&self.0.database);
            let projects: Vec<_> = commits.iter().flat_map(|commit| concerned(commit, &is_own)).collect();
            let mut state = self.state();
            state.changed(|project| projects.contains(project));
            if state.followed.is_empty() {
                state.is_reading = false;
                return;
            }
        }
        self.state().is_reading = false;
    }
}

/// Projects whose cards a commit changes.
fn concerned(commit: &Commit, is_own: &impl Fn(docstore::encoding::key::DbNo) -> bool) -> Vec<DocPath> {
    let own = commit.changes.iter().filter(|change| is_own(change.database));
    own.filter(|change| is_part(&change.path)).filter_map(|change| project::of_path(&change.path)).collect()
}

/// True for documents that cards are made of: what says who is where in a project changes all the time.
fn is_part(path: &DocPath) -> bool {
    let segments: Vec<_> = path.segments().collect();
    match segments.as_slice() {
        [_, _, part, _] => PARTS.contains(part),
        [_, _, part, _, below, _] => BELOW.contains(&(*part, *below)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use docstore::model::{Fields, Write};
    use docstore::{Database, Draft};

    async fn put(database: &Database, path: &str) {
        let write = Write::set(DocPath::parse(path).unwrap(), Fields::new());
        database.commit(Draft::of(vec![write])).await.unwrap();
    }

    #[tokio::test]
    async fn who_follows_a_project_is_told_of_its_cards_alone() {
        let store = Store::in_memory().await.unwrap();
        let id = DatabaseId::default_of("demo");
        let (database, feed) = (store.database(&id), CardFeed::new(&store, id));
        let path = |id: &str| DocPath::parse(&format!("projects/{id}")).unwrap();
        let (mut one, other) = (feed.follow(&path("p")), feed.follow(&path("q")));
        for unrelated in [
            "projects/p",
            "projects/p/components/c/presence/w",
            "users/p/components/c",
            "projects/p/notes/main",
            "projects/p/rulebooks/r/languages/de",
        ] {
            put(&database, unrelated).await;
        }
        put(&database, "projects/p/components/c/cards/k").await;
        one.changed().await.unwrap();
        assert_eq!((*one.borrow_and_update(), *other.borrow()), (1, 0));
        let parts = [
            "projects/p/layouts/l",
            "projects/p/images/i",
            "projects/p/components/c",
            "projects/p/languages/de",
            "projects/p/languages/de/parts/a",
        ];
        for part in parts {
            put(&database, part).await;
            one.changed().await.unwrap();
        }
        assert_eq!((*one.borrow(), *other.borrow()), (6, 0));
        // Nobody follows it, and then somebody does again.
        drop((one, other));
        put(&database, "projects/p/layouts/m").await;
        let mut again = feed.follow(&path("p"));
        put(&database, "projects/p/layouts/n").await;
        again.changed().await.unwrap();
    }
}
