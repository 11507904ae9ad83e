//! One behaviour suite, every engine a subject.

#[path = "behaviour/support.rs"]
mod support;

use std::sync::Arc;

use docstore::access::Auth;
use docstore::clock::SystemClock;
use docstore::database::{ListDocuments, Page};
use docstore::model::*;
use docstore::*;
use support::*;

mod memory {
    use super::*;

    struct Home;

    impl Home {
        fn new() -> Self {
            Self
        }
        async fn open(&self) -> Store {
            Store::open(StoreOptions {
                engine: EngineOptions::Memory,
                clock: Arc::new(SystemClock),
                limits: Limits::default(),
            })
            .await
            .unwrap()
        }
    }

    suite!();
}
