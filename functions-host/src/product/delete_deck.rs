//! `deleteDeck({deckId})`: deletes a deck of the caller with everything below it, `{deleted: n}`.

use docstore::database::Database;
use docstore::model::DocPath;
use serde::{Deserialize, Serialize};

use super::subtree;
use crate::functions::callable::{CallError, Context, Function};

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

/// The function over `database`.
pub(super) fn function(database: Database) -> Function {
    Function::new("deleteDeck", move |context: Context, request: Request| {
        let database = database.clone();
        async move {
            let deck = deck_path(&context.user()?.uid, &request.deck_id)?;
            delete(&database, deck).await
        }
    })
}

fn deck_path(uid: &str, deck_id: &str) -> Result<DocPath, CallError> {
    let is_id = |id: &str| !id.is_empty() && id.len() <= MAX_ID_BYTES && !id.contains('/');
    if !is_id(deck_id) {
        return Err(CallError::invalid("deckId must be the id of a deck: 1 to 1500 bytes without a slash."));
    }
    if !is_id(uid) {
        return Err(CallError::invalid("The user's id cannot own a deck."));
    }
    let path = DocPath::parse(&format!("users/{uid}/decks/{deck_id}"));
    path.map_err(|error| CallError::invalid(format!("deckId is no id of a deck: {}", error.message())))
}

async fn delete(database: &Database, deck: DocPath) -> Result<Reply, CallError> {
    Ok(Reply { deleted: subtree::delete(database, deck).await? })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use docstore::commit::Draft;
    use docstore::database::Database;
    use docstore::model::{DatabaseId, DocPath, Fields, Precondition, Write, WriteOp};
    use docstore::store::Store;

    use super::{Reply, deck_path, delete};

    async fn database() -> Database {
        Store::in_memory().await.unwrap().database(&DatabaseId::default_of("demo"))
    }

    async fn put(database: &Database, paths: &[String]) {
        for chunk in paths.chunks(400) {
            let set = |path: &String| Write {
                path: DocPath::parse(path).unwrap(),
                op: WriteOp::Set { fields: Fields::new(), transforms: Vec::new() },
                precondition: Precondition::None,
            };
            database.commit(Draft::of(chunk.iter().map(set).collect())).await.unwrap();
        }
    }

    async fn left(database: &Database, paths: &[String]) -> BTreeSet<String> {
        let paths: Vec<_> = paths.iter().map(|path| DocPath::parse(path).unwrap()).collect();
        let found = database.get(&paths, None).await.unwrap().value;
        found.into_iter().flatten().map(|document| document.path.as_str().to_owned()).collect()
    }

    #[tokio::test]
    async fn all_below_the_deck_goes_and_nothing_else() {
        let database = database().await;
        let mut inside = vec!["users/ada/decks/d".to_owned(), "users/ada/decks/d/components/c".to_owned()];
        inside.extend((0..600).map(|n| format!("users/ada/decks/d/components/c/cards/{n}")));
        // Below a component that has no document of its own.
        inside.push("users/ada/decks/d/components/ghost/cards/1".to_owned());
        let outside: Vec<_> = [
            "users/ada/decks/d2/components/c",
            "users/ada/decks/dd",
            "users/bob/decks/d/components/c",
            "users/ada/layouts/d",
            "users/ada",
        ]
        .map(str::to_owned)
        .into();
        put(&database, &inside).await;
        put(&database, &outside).await;
        let deck = deck_path("ada", "d").unwrap();
        assert_eq!(delete(&database, deck.clone()).await.unwrap(), Reply { deleted: inside.len() as u64 });
        assert!(left(&database, &inside).await.is_empty());
        assert_eq!(left(&database, &outside).await.len(), outside.len());
        assert_eq!(delete(&database, deck).await.unwrap(), Reply { deleted: 0 });
    }

    #[test]
    fn only_ids_are_ids() {
        assert!(deck_path("ada", "x y.é").is_ok());
        for bad in ["", "a/b", "a/b/c", ".", "..", "__x__", &"x".repeat(1501)] {
            assert!(deck_path("ada", bad).is_err(), "{bad:?}");
        }
        assert!(deck_path("ada/decks/x", "d").is_err());
    }
}
