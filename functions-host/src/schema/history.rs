//! Identity of a database's history: made with the database, and anew when it was restored from a backup. A page that was
//! open meanwhile notices by it that what it shows may be gone.

use auth_emu::entropy::{Entropy, hex};
use docstore::commit::Draft;
use docstore::model::{DatabaseId, DocPath, Fields, Precondition, Value, Write, WriteOp};
use docstore::{Database, Result, Store};

use super::state::DATABASE;

/// Field of the document.
const ID: &str = "id";

/// Random bytes of an identity.
const ID_BYTES: usize = 12;

fn place(store: &Store, project: &str) -> Result<(Database, DocPath)> {
    Ok((store.database(&DatabaseId::new(project, DATABASE)), DocPath::parse("state/history")?))
}

async fn read(database: &Database, path: &DocPath) -> Result<Option<String>> {
    let found = database.get(std::slice::from_ref(path), None).await?.value;
    Ok(found.into_iter().flatten().next().and_then(|document| match document.fields.get(ID) {
        Some(Value::String(id)) => Some(id.clone()),
        _ => None,
    }))
}

/// The identity of the history of a project's database, made if it has none. `None` if it can be neither read nor
/// written now: that must not keep a server from starting.
pub(crate) async fn identity(store: &Store, project: &str, entropy: &dyn Entropy) -> Option<String> {
    match read_or_make(store, project, entropy).await {
        Ok(id) => id,
        Err(error) => {
            tracing::warn!("the history of the documents has no identity: {}", error.message());
            None
        }
    }
}

async fn read_or_make(store: &Store, project: &str, entropy: &dyn Entropy) -> Result<Option<String>> {
    let (database, path) = place(store, project)?;
    if let Some(id) = read(&database, &path).await? {
        return Ok(Some(id));
    }
    let id = hex(entropy, ID_BYTES);
    let fields = Fields::from([(ID.to_owned(), Value::String(id))]);
    let op = WriteOp::Set { fields, transforms: Vec::new() };
    let made = Write { path: path.clone(), op, precondition: Precondition::Exists(false) };
    // Another node may have been first: what is stored counts.
    let made = database.commit(Draft::of(vec![made])).await;
    match read(&database, &path).await? {
        Some(id) => Ok(Some(id)),
        None => made.map(|_| None),
    }
}

/// Ends a history, so that the next server that opens the database begins another.
///
/// # Errors
/// Those of the store.
pub(crate) async fn end(store: &Store, project: &str) -> Result<()> {
    let (database, path) = place(store, project)?;
    database.commit(Draft::of(vec![Write::delete(path)])).await.map(drop)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use auth_emu::entropy::SeededEntropy;
    use docstore::clock::SystemClock;
    use docstore::{EngineOptions, Limits, StoreOptions};

    use super::*;

    #[tokio::test]
    async fn a_history_keeps_its_identity_until_it_ends() {
        let (engine, clock) = (EngineOptions::Memory, Arc::new(SystemClock));
        let store = Store::open(StoreOptions { engine, clock, limits: Limits::default() }).await.unwrap();
        let one = identity(&store, "demo", &SeededEntropy::new(1)).await.unwrap();
        assert_eq!(identity(&store, "demo", &SeededEntropy::new(2)).await.as_ref(), Some(&one));
        assert_ne!(identity(&store, "other", &SeededEntropy::new(3)).await.as_ref(), Some(&one));
        end(&store, "demo").await.unwrap();
        let next = identity(&store, "demo", &SeededEntropy::new(4)).await.unwrap();
        assert!(next != one && next.len() == 2 * ID_BYTES);
    }
}
