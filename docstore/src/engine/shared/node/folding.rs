//! Folding: the leader moves the base along the log, so that old batches can be trimmed and a new copy is made soon.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use super::super::payload::decode;
use super::super::{Fold, Folded, SharedLog as _};
use super::copy::READ_BYTES;
use super::{HEARTBEAT, Node, SharedEngine, Standing};
use crate::Result;
use crate::encoding::key::{DOCS, Key};
use crate::model::Ts;

/// Longest time between two folds while there are commits.
const FOLD_EVERY: Duration = Duration::from_secs(60);
/// Bytes appended at which a fold is due earlier.
const FOLD_BYTES: u64 = 64 << 20;
/// Batches trimmed at a time.
const TRIMMED_AT_ONCE: usize = 1_000;

impl SharedEngine {
    /// Folds everything that is in the log, and trims what is old enough.
    ///
    /// # Errors
    /// Those of the log.
    pub async fn fold(&self) -> Result<()> {
        self.node.fold().await
    }
}

impl Node {
    /// Folds and trims now and then, until the node does not lead any more.
    pub(super) async fn keep_folding(self: Arc<Self>) {
        let mut ticks = interval(HEARTBEAT);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last = tokio::time::Instant::now();
        loop {
            ticks.tick().await;
            if matches!(*self.standing.borrow(), Standing::Left(_)) {
                return;
            }
            let bytes = self.unfolded.load(Ordering::Relaxed);
            if bytes < FOLD_BYTES && last.elapsed() < FOLD_EVERY {
                continue;
            }
            last = tokio::time::Instant::now();
            self.unfolded.store(0, Ordering::Relaxed);
            if let Err(error) = self.fold().await {
                // The log keeps everything until the next attempt.
                tracing::warn!(%error, "the shared log could not be folded");
            }
        }
    }

    pub(super) async fn fold(&self) -> Result<()> {
        loop {
            let from = self.log.head().await?.folded;
            let slice = self.log.read(from, READ_BYTES).await?;
            let Some(to) = slice.batches.last().map(|batch| batch.position) else { break };
            let mut documents: BTreeMap<Key, Folded> = BTreeMap::new();
            for batch in &slice.batches {
                for commit in decode(&batch.payload)?.commits {
                    for put in commit.puts.into_iter().filter(|put| put.key.get(4) == Some(&DOCS)) {
                        let folded = Folded { key: put.key.clone(), ts: commit.ts, value: put.value };
                        documents.insert(put.key, folded);
                    }
                }
            }
            self.log.fold(Fold { from, to, documents: documents.into_values().collect() }).await?;
            if to == slice.head.position {
                break;
            }
        }
        let kept = u64::try_from(self.keep_log.as_micros()).unwrap_or(u64::MAX);
        let up_to = Ts::from_micros(self.clock.now().micros().saturating_sub(kept));
        while self.log.trim(up_to, TRIMMED_AT_ONCE).await? > 0 {}
        Ok(())
    }
}
