//! `deleteDeck({deckId})`: deletes a project with its tables, its public links, everything below it and its files,
//! `{deleted: n}`. For those with the role of an owner.

use docstore::Code;
use docstore::commit::Draft;
use docstore::database::Database;
use docstore::model::{DocPath, Write};
use serde::{Deserialize, Serialize};
use storage_emu::StorageState;

use super::tables::playtests;
use super::{published, subtree};
use crate::functions::callable::{CallError, Context, Function};
use crate::product::members;
use crate::product::members::offers::offer_path;
use crate::project;
use crate::schema::moved::Moved;
use crate::table::LiveTables;

/// Longest deck id, in bytes, as for any document id.
const MAX_ID_BYTES: usize = 1500;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    deck_id: String,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Reply {
    deleted: u64,
}

/// Everything that a project consists of.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    /// Documents.
    pub(super) database: Database,
    /// Files.
    pub(super) files: StorageState,
    /// Playtest tables.
    pub(super) live: LiveTables,
    /// Former addresses.
    pub(super) moved: Moved,
}

/// The function over the parts of projects.
pub(super) fn function(parts: Parts) -> Function {
    Function::new("deleteDeck", move |context: Context, request: Request| {
        let parts = parts.clone();
        async move { delete(&parts, &context.user()?.uid, &request.deck_id).await }
    })
}

async fn delete(parts: &Parts, uid: &str, deck_id: &str) -> Result<Reply, CallError> {
    if deck_id.is_empty() || deck_id.len() > MAX_ID_BYTES || deck_id.contains('/') {
        return Err(CallError::invalid("deckId must be the id of a deck: 1 to 1500 bytes without a slash."));
    }
    let path = project::path(deck_id)
        .map_err(|error| CallError::invalid(format!("deckId is no id of a deck: {}", error.message())))?;
    // Callers who cannot see a project do not learn of it: for them there is nothing to delete.
    let Some(found) = project::find(&parts.database, deck_id).await? else { return Ok(Reply { deleted: 0 }) };
    match members::is_owner(&found.fields, uid) {
        Some(true) => Ok(Reply { deleted: parts.delete(&path).await? }),
        Some(false) => Err(CallError::new(Code::PermissionDenied, "Only owners of a project delete it.")),
        None => Ok(Reply { deleted: 0 }),
    }
}

impl Parts {
    /// Deletes a project with its playtest tables, its public links, everything below it, its files and its former
    /// addresses. Returns the number of documents deleted. An interrupted deletion leaves the project in its owner's list, and can be repeated.
    ///
    /// # Errors
    /// Those of the store; what was deleted by then stays deleted.
    pub(super) async fn delete(&self, project: &DocPath) -> docstore::Result<u64> {
        let Self { database, files, live, moved } = self;
        let tables = playtests::delete_of(database, live, project.id()).await?;
        let links = published::close_all(database, project.id()).await?;
        close_versions(database, project.id()).await?;
        files.delete_folder(&format!("{project}/")).await?;
        moved.forget_project(project.id()).await?;
        let deleted = subtree::delete(database, project.clone()).await?;
        // Members write nothing without the project's own document: this is everything that came while the rest went.
        let late = subtree::delete(database, project.clone()).await?;
        files.delete_folder(&format!("{project}/")).await?;
        let late_tables = playtests::delete_of(database, live, project.id()).await?;
        let late_links = published::close_all(database, project.id()).await?;
        close_versions(database, project.id()).await?;
        // Last, because it finds the project of a closed account again after an interruption.
        database.commit(Draft::of(vec![Write::delete(offer_path(project.id())?)])).await?;
        Ok(tables + links + deleted + late + late_tables + late_links)
    }
}

/// Deletes the opened versions of a project: copies of what is below it, which count for nobody.
async fn close_versions(database: &Database, project: &str) -> docstore::Result<()> {
    loop {
        let opened = project::opened_of(database, project).await?;
        if opened.is_empty() {
            return Ok(());
        }
        for version in opened {
            subtree::delete(database, version.path).await?;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use docstore::Code;
    use docstore::access::Caller;
    use docstore::clock::SystemClock;
    use docstore::commit::Draft;
    use docstore::database::Database;
    use docstore::model::{DatabaseId, DocPath, Fields, Precondition, Value, Write, WriteOp};
    use docstore::store::Store;
    use storage_emu::{BlobOptions, Limits, OwnSubtree, StorageOptions, StorageState};

    use super::{Parts, Reply, delete};
    use crate::product::tables::playtests;
    use crate::schema::moved::{Kind, Moved, Placed, Renamed};

    async fn parts() -> Parts {
        let store = Store::in_memory().await.unwrap();
        let files = StorageState::new(StorageOptions {
            store: store.clone(),
            project: "demo".to_owned(),
            mode: docstore::access::Mode::Serving,
            clock: Arc::new(SystemClock),
            blobs: BlobOptions::Memory,
            authenticator: Arc::new(Caller::Anonymous),
            access: Arc::new(OwnSubtree),
            limits: Limits::default(),
            active_svg: false,
            quotas: None,
        });
        let live = playtests::live_tables(&store);
        let database = store.database(&DatabaseId::default_of("demo"));
        Parts { database, files: files.unwrap(), live, moved: Moved::new(&store, "demo") }
    }

    async fn put(database: &Database, paths: &[String], fields: &Fields) {
        for chunk in paths.chunks(400) {
            let set = |path: &String| Write {
                path: DocPath::parse(path).unwrap(),
                op: WriteOp::Set { fields: fields.clone(), transforms: Vec::new() },
                precondition: Precondition::None,
            };
            database.commit(Draft::of(chunk.iter().map(set).collect())).await.unwrap();
        }
    }

    /// The project `d` of Ann, with an editor.
    async fn put_project(database: &Database) {
        let text = |text: &str| Value::String(text.to_owned());
        let roles = [("ann", "owner"), ("oda", "owner"), ("eve", "editor")];
        let members = roles.map(|(uid, role)| (uid.to_owned(), text(role)));
        let fields = Fields::from([
            ("owner".to_owned(), text("ann")),
            ("members".to_owned(), Value::Map(members.into())),
        ]);
        put(database, &["projects/d".to_owned()], &fields).await;
    }

    async fn left(database: &Database, paths: &[String]) -> BTreeSet<String> {
        let paths: Vec<_> = paths.iter().map(|path| DocPath::parse(path).unwrap()).collect();
        let found = database.get(&paths, None).await.unwrap().value;
        found.into_iter().flatten().map(|document| document.path.as_str().to_owned()).collect()
    }

    #[tokio::test]
    async fn all_below_the_deck_goes_and_nothing_else() {
        let parts = parts().await;
        let database = &parts.database;
        let mut inside = vec!["projects/d/components/c".to_owned()];
        inside.extend((0..600).map(|n| format!("projects/d/components/c/cards/{n}")));
        // Below a component that has no document of its own.
        inside.push("projects/d/components/ghost/cards/1".to_owned());
        let outside: Vec<_> =
            ["projects/d2/components/c", "projects/dd", "users/bob/x/d", "users/ann/layouts/d", "users/ann"]
                .map(str::to_owned)
                .into();
        put_project(database).await;
        put(database, &inside, &Fields::new()).await;
        put(database, &outside, &Fields::new()).await;
        let all = inside.len() as u64 + 1;
        assert_eq!(delete(&parts, "ann", "d").await.unwrap(), Reply { deleted: all });
        assert!(left(database, &inside).await.is_empty());
        assert_eq!(left(database, &outside).await.len(), outside.len());
        assert_eq!(delete(&parts, "ann", "d").await.unwrap(), Reply { deleted: 0 });
    }

    #[tokio::test]
    async fn public_links_of_a_deleted_project_are_closed_and_no_others() {
        let parts = parts().await;
        let database = &parts.database;
        put_project(database).await;
        let of = |project: &str| Fields::from([("projectId".to_owned(), Value::String(project.to_owned()))]);
        let links = |letter: &str, count: usize| -> Vec<String> {
            (0..count).map(|n| format!("shares/{letter}{n:022}")).collect()
        };
        let (own, others) = (links("a", 130), links("b", 3));
        put(database, &own, &of("d")).await;
        put(database, &others, &of("dd")).await;
        assert_eq!(delete(&parts, "ann", "d").await.unwrap(), Reply { deleted: 131 });
        assert!(left(database, &own).await.is_empty());
        assert_eq!(left(database, &others).await.len(), others.len());
    }

    #[tokio::test]
    async fn former_addresses_of_a_deleted_project_go() {
        let parts = parts().await;
        put_project(&parts.database).await;
        let moved = &parts.moved;
        let renamed = |from: &str, to: &str| {
            let [owner, from, to] = ["ann", from, to].map(str::to_owned);
            Moved::record(Kind::Project, &Renamed { owner, from, to }).unwrap()
        };
        let placed = |project: &str| {
            let [owner, from, project, to] = ["ann", "l", project, "l"].map(str::to_owned);
            Moved::record_place(&Placed { owner, from, project, to }).unwrap()
        };
        moved
            .commit(vec![renamed("old", "d"), renamed("e", "other"), placed("d"), placed("p")])
            .await
            .unwrap();
        delete(&parts, "ann", "d").await.unwrap();
        assert_eq!(moved.from(Kind::Project, "old").await.unwrap(), []);
        assert_eq!(moved.from(Kind::Project, "e").await.unwrap().len(), 1);
        let left = moved.places("ann", "l").await.unwrap();
        assert_eq!(left.iter().map(|placed| placed.project.as_str()).collect::<Vec<_>>(), ["p"]);
    }

    #[tokio::test]
    async fn only_owners_delete_and_strangers_learn_nothing() {
        let parts = parts().await;
        let database = &parts.database;
        put_project(database).await;
        let refused = delete(&parts, "eve", "d").await.unwrap_err();
        assert_eq!(refused.code(), Code::PermissionDenied);
        assert_eq!(delete(&parts, "bob", "d").await.unwrap(), Reply { deleted: 0 });
        assert_eq!(left(database, &["projects/d".to_owned()]).await.len(), 1);
        assert_eq!(delete(&parts, "oda", "d").await.unwrap(), Reply { deleted: 1 });
    }

    #[tokio::test]
    async fn only_ids_are_ids() {
        let parts = parts().await;
        assert!(delete(&parts, "ada", "x y.é").await.is_ok());
        for bad in ["", "a/b", "a/b/c", ".", "..", "__x__", &"x".repeat(1501)] {
            assert!(delete(&parts, "ada", bad).await.is_err(), "{bad:?}");
        }
    }
}
