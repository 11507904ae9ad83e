//! The behaviour suite over the log in memory, and the whole thing under faults.

mod simulation;

use super::suite::{CASES, Subject, run};
use super::{ClusterId, MemoryConnection, MemoryLog, Network, NodeId, Standby};
use crate::model::Ts;

impl Subject for MemoryLog {
    type Log = MemoryConnection;
    type Backup = Standby;

    async fn connect(&self, node: NodeId) -> MemoryConnection {
        Self::connect(self, node, Network::default(), 0)
    }
    async fn backup(&self) -> Standby {
        self.standby()
    }
    async fn restore(&self, backup: Standby) {
        self.promote(backup);
    }
    async fn damage(&self, ts: Ts) {
        assert!(Self::damage(self, ts).is_some());
    }
}

#[tokio::test]
async fn the_log_in_memory_behaves() {
    for case in CASES {
        println!("{case}");
        run(case, &MemoryLog::new(ClusterId(1))).await;
    }
}
