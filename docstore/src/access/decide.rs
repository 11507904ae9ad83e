//! Runs a policy, fetching the documents that it asks for.

use std::collections::HashMap;
use std::sync::Arc;

use crate::Result;
use crate::model::{DatabaseId, DocPath, Document, Ts};
use crate::query::Reader;

use super::{Access, Caller, Decision, MAX_NEEDED, Operation, PolicyReads, Request, denied};

/// A caller of a database, and the policy that applies.
#[derive(Debug, Clone)]
pub(crate) struct Viewer {
    pub(crate) database: DatabaseId,
    pub(crate) caller: Caller,
    pub(crate) access: Arc<dyn Access>,
}

/// Asks a viewer's policy.
pub(crate) async fn permit(
    viewer: &Viewer,
    operation: Operation<'_>,
    reader: &Reader,
    now: Ts,
) -> Result<()> {
    if viewer.caller == Caller::Admin {
        return Ok(());
    }
    let (mut known, reads) = (HashMap::new(), PolicyReads::default());
    decide(viewer, operation, reader, now, &mut known, &reads).await
}

/// Asks a policy, fetching what it needs to know.
pub(crate) async fn decide(
    viewer: &Viewer,
    operation: Operation<'_>,
    reader: &Reader,
    now: Ts,
    known: &mut HashMap<DocPath, Option<Arc<Document>>>,
    reads: &PolicyReads,
) -> Result<()> {
    let after = HashMap::new();
    for _ in 0..=MAX_NEEDED {
        let request = Request {
            caller: &viewer.caller,
            database: &viewer.database,
            operation,
            now,
            known: &*known,
            after: &after,
            reads,
        };
        match viewer.access.decide(&request) {
            Decision::Allow => return Ok(()),
            Decision::Deny(why) => return Err(denied(why)),
            Decision::Need(path) => {
                let found = reader.documents(std::slice::from_ref(&path)).await?.pop().flatten();
                known.insert(path, found.map(Arc::new));
            }
        }
    }
    Err(denied(format!("The access rules asked for more than {MAX_NEEDED} documents.")))
}
