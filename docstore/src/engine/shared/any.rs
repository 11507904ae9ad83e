//! A shared log of any kind behind one type.

use std::fmt;
use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::sync::watch;

use super::{Base, Fold, Head, NewBatch, Position, SharedLog, Slice};
use crate::Result;
use crate::engine::Term;
use crate::model::Ts;

/// A shared log of any kind. Cloning shares it.
#[derive(Clone)]
pub struct AnyLog(Arc<dyn Erased>);

impl AnyLog {
    /// Takes a log.
    pub fn new(log: impl SharedLog) -> Self {
        Self(Arc::new(log))
    }
}

impl fmt::Debug for AnyLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! erased {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        /// [`SharedLog`] with boxed futures, one allocation beside a round trip to the log.
        trait Erased: Send + Sync + fmt::Debug {
            $(fn $name<'a>(&'a self, $($argument: $kind),*) -> BoxFuture<'a, Result<$result>>;)*
            fn news(&self) -> watch::Receiver<Position>;
        }

        impl<L: SharedLog> Erased for L {
            $(fn $name<'a>(&'a self, $($argument: $kind),*) -> BoxFuture<'a, Result<$result>> {
                SharedLog::$name(self, $($argument),*).boxed()
            })*
            fn news(&self) -> watch::Receiver<Position> {
                SharedLog::news(self)
            }
        }
    };
}

erased! {
    head() -> Head;
    take_over(seen: &'a Head) -> Head;
    beat(term: Term) -> ();
    append(term: Term, batch: NewBatch) -> ();
    read(after: Position, bytes: usize) -> Slice;
    base() -> Base;
    fold(fold: Fold) -> ();
    trim(up_to: Ts, most: usize) -> usize;
}

impl SharedLog for AnyLog {
    async fn head(&self) -> Result<Head> {
        self.0.head().await
    }
    async fn take_over(&self, seen: &Head) -> Result<Head> {
        self.0.take_over(seen).await
    }
    async fn beat(&self, term: Term) -> Result<()> {
        self.0.beat(term).await
    }
    async fn append(&self, term: Term, batch: NewBatch) -> Result<()> {
        self.0.append(term, batch).await
    }
    async fn read(&self, after: Position, bytes: usize) -> Result<Slice> {
        self.0.read(after, bytes).await
    }
    async fn base(&self) -> Result<Base> {
        self.0.base().await
    }
    async fn fold(&self, fold: Fold) -> Result<()> {
        self.0.fold(fold).await
    }
    async fn trim(&self, up_to: Ts, most: usize) -> Result<usize> {
        self.0.trim(up_to, most).await
    }
    fn news(&self) -> watch::Receiver<Position> {
        self.0.news()
    }
}
