//! Contents that a service keeps: a bucket with a retention period refuses to delete what is younger.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt as _;
use futures::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use parking_lot::Mutex;

use super::support::Bench;
use crate::sweep::{FREED_AGE_SECONDS, Swept};

/// A service in memory that keeps certain contents.
#[derive(Debug, Default)]
struct Bucket {
    kept: InMemory,
    /// Keys that it does not delete.
    held: Mutex<Vec<String>>,
    /// Nothing is answered.
    down: AtomicBool,
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bucket")
    }
}

fn refused(why: &str) -> Error {
    Error::Generic { store: "bucket", source: why.to_owned().into() }
}

impl Bucket {
    fn answers(&self) -> Result<()> {
        if self.down.load(Ordering::Relaxed) { Err(refused("no answer")) } else { Ok(()) }
    }
}

#[async_trait]
impl ObjectStore for Bucket {
    async fn put_opts(&self, at: &Path, payload: PutPayload, opts: PutOptions) -> Result<PutResult> {
        self.answers()?;
        self.kept.put_opts(at, payload, opts).await
    }

    async fn put_multipart_opts(
        &self,
        at: &Path,
        opts: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.answers()?;
        self.kept.put_multipart_opts(at, opts).await
    }

    async fn get_opts(&self, at: &Path, options: GetOptions) -> Result<GetResult> {
        self.answers()?;
        self.kept.get_opts(at, options).await
    }

    fn delete_stream(&self, all: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        let (answers, held) = (self.answers().is_ok(), self.held.lock().clone());
        let allowed = all.map(move |at| {
            let at = at?;
            match answers {
                false => Err(refused("no answer")),
                true if held.iter().any(|key| key == at.as_ref()) => Err(refused("the object is retained")),
                true => Ok(at),
            }
        });
        self.kept.delete_stream(allowed.boxed())
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.kept.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.kept.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.kept.copy_opts(from, to, options).await
    }
}

/// Files whose contents have no name any more, for long enough.
async fn freed(service: &Arc<Bucket>, count: usize) -> (Bench, Vec<String>) {
    let bench = Bench::in_service(Arc::clone(service) as Arc<dyn ObjectStore>);
    let names: Vec<_> = (0..count).map(|at| format!("f{at}")).collect();
    for name in &names {
        bench.put(name, "text/plain", name.clone()).await;
    }
    let mut keys = bench.keys().await;
    keys.sort();
    for name in &names {
        bench.user("DELETE", &format!("o/users%2Fu%2F{name}"), "").await;
    }
    bench.clock.advance(Duration::from_secs(FREED_AGE_SECONDS + 1));
    (bench, keys)
}

#[tokio::test]
async fn contents_that_a_bucket_retains_block_none_behind_them() {
    let service = Arc::new(Bucket::default());
    let (bench, keys) = freed(&service, 30).await;
    let (held, free) = keys.split_at(25);
    *service.held.lock() = held.to_vec();
    let swept = bench.state.sweep_freed().await.unwrap();
    assert_eq!(swept, Swept { contents: free.len() as u64, ..Swept::default() });
    assert_eq!(bench.keys().await.len(), held.len());
    service.held.lock().clear();
    let swept = bench.state.sweep_freed().await.unwrap();
    assert_eq!(
        swept,
        Swept { contents: held.len() as u64, ..Swept::default() },
        "when the bucket lets them go"
    );
}

#[tokio::test]
async fn a_service_that_does_not_answer_ends_the_sweep() {
    let service = Arc::new(Bucket::default());
    let (bench, keys) = freed(&service, 30).await;
    service.down.store(true, Ordering::Relaxed);
    assert_eq!(bench.state.sweep_freed().await.unwrap_err().tag(), "BlobStore");
    service.down.store(false, Ordering::Relaxed);
    let swept = bench.state.sweep_freed().await.unwrap();
    assert_eq!(swept, Swept { contents: keys.len() as u64, ..Swept::default() });
}
