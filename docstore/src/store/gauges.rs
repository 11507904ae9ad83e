//! Measurements of a store.

use std::fmt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::Inner;
use crate::commit::CommitCounts;
use crate::engine::DiskUsage;

/// Measurements of a store, for as long as it is open.
#[derive(Clone)]
pub struct Gauges(Weak<Inner>);

/// One measurement of a store.
#[derive(Debug)]
pub struct Measured {
    /// Counters of commits.
    pub commits: Arc<CommitCounts>,
    /// Disk use; `None` in memory.
    pub usage: Option<DiskUsage>,
    /// Age of the oldest version that can be read, which old versions are kept for.
    pub history: Duration,
    /// Bytes of messages that wait for the readers of live queries.
    pub stream_bytes: usize,
    /// True if commits are refused now.
    pub refuses: bool,
    /// True if stored data could not be read since the start.
    pub damaged: bool,
}

impl Gauges {
    pub(super) fn of(inner: &Arc<Inner>) -> Self {
        Self(Arc::downgrade(inner))
    }

    /// Measures the store; `None` once it is closed. Looks at every file of the data folder.
    pub fn measure(&self) -> Option<Measured> {
        let inner = self.0.upgrade()?;
        let age = inner.clock.now().micros().saturating_sub(inner.engine.oldest().micros());
        Some(Measured {
            commits: Arc::clone(&inner.commit_counts),
            usage: inner.engine.usage(),
            history: Duration::from_micros(age),
            stream_bytes: inner.stream_bytes.taken(),
            refuses: inner.engine.refusal().is_some(),
            damaged: inner.engine.distrusted(),
        })
    }
}

impl fmt::Debug for Gauges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gauges").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{DatabaseId, DocPath, Precondition, Write, WriteOp};
    use crate::{Draft, Store};

    #[tokio::test]
    async fn commits_are_counted_while_the_store_is_open() {
        let store = Store::in_memory().await.unwrap();
        let gauges = store.gauges();
        let before = gauges.measure().unwrap().commits.commits();
        let op = WriteOp::Set { fields: [].into(), transforms: Vec::new() };
        let write = Write { path: DocPath::parse("a/b").unwrap(), op, precondition: Precondition::None };
        let database = store.database(&DatabaseId::default_of("p"));
        database.commit(Draft::of(vec![write])).await.unwrap();
        let measured = gauges.measure().unwrap();
        assert!(measured.commits.commits() > before && measured.commits.appends() > 0);
        assert_eq!((measured.commits.failed(), measured.usage), (0, None));
        store.close().await.unwrap();
        drop((database, store));
        assert!(gauges.measure().is_none(), "measuring keeps no store open");
    }
}
