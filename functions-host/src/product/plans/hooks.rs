//! Several commit hooks as one.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use docstore::Result;
use docstore::access::{Caller, CommitHook, CommitPermit};
use docstore::model::{DatabaseId, Write};

/// Commit hooks that are asked one after another; what each answers is held until the commit is over.
#[derive(Debug)]
pub struct Hooks(Vec<Arc<dyn CommitHook>>);

impl Hooks {
    /// The hooks as one; `None` if there are none.
    pub fn of(hooks: impl IntoIterator<Item = Arc<dyn CommitHook>>) -> Option<Arc<dyn CommitHook>> {
        let hooks: Vec<_> = hooks.into_iter().collect();
        (!hooks.is_empty()).then(|| Arc::new(Self(hooks)) as _)
    }
}

impl CommitHook for Hooks {
    fn admit<'a>(
        &'a self,
        caller: &'a Caller,
        database: &'a DatabaseId,
        writes: &'a [Write],
    ) -> Pin<Box<dyn Future<Output = Result<CommitPermit>> + Send + 'a>> {
        Box::pin(async move {
            let mut permits = Vec::new();
            for hook in &self.0 {
                permits.extend(hook.admit(caller, database, writes).await?);
            }
            Ok(Some(Box::new(permits) as _))
        })
    }
}
