//! Queries on a copy of a shared log, also on one that was made anew.

use docstore::engine::shared::{ClusterId, MemoryLog};
use proptest::prelude::*;

use super::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_global_rejects: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_finds_what_a_naive_one_finds_on_a_shared_log(
        documents in proptest::collection::vec(document(), 0..40),
        removed in proptest::collection::vec(any::<prop::sample::Index>(), 0..4),
        queries in proptest::collection::vec(query(), 1..4),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Box::pin(async {
            let log = MemoryLog::new(ClusterId(1));
            for _ in 0..2 {
                // The second one has no copy, and its documents are written over the first one's.
                let folder = tempfile::tempdir().unwrap();
                let engine = shared_log(&log, folder.path());
                let (clock, limits) = (Arc::new(SystemClock), Limits::default());
                let store = Store::open(StoreOptions { engine, clock, limits }).await.unwrap();
                compare(&store, &documents, &removed, &queries).await?;
                store.close().await.unwrap();
            }
            Ok::<(), TestCaseError>(())
        }))?;
    }
}
