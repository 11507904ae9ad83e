//! The right to write backups to a place in a bucket, which one process has at a time.
//!
//! It is an object that is written on the condition that it is not there, and written again every minute. One that was not
//! for ten minutes belongs to a process that ended: another one takes its place, on the condition that it is still the same.
//!
//! No clock of one machine is compared with that of another. The bucket says how old the object is, by the times that it
//! gives to it and to a second object that is written for that. Its holder counts the time since it last began to write it.

use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fmt, io};

use auth_emu::entropy::{Entropy as _, SystemEntropy};
use docstore::Result;
use docstore::clock::{SharedClock, SystemClock};
use object_store::path::Path as Key;
use object_store::{
    Error as StoreError, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, PutPayload, UpdateVersion,
};
use parking_lot::Mutex;
use tokio::task::JoinHandle;

use super::super::{hex, mark, unusable};
use super::service::{Service, as_io};

/// Name of the object.
pub(super) const NAME: &str = "LOCK";
/// Name of an object by which the bucket tells its time. It is removed at once.
pub(super) const PROBE: &str = "CLOCK";
/// Time between two renewals.
const RENEW_EVERY: Duration = Duration::from_secs(60);
/// Time without a renewal after which nobody holds it.
const EXPIRY: Duration = Duration::from_secs(600);
/// Time without a renewal after which its holder writes no more. The rest is for what is on its way then.
const HOLDER_EXPIRY: Duration = Duration::from_secs(300);
/// Attempts while others come and go.
const ATTEMPTS: usize = 3;

/// The state of a lease, as its holder knows it.
#[derive(Debug)]
struct Held {
    version: UpdateVersion,
    /// Beginning of the last renewal that succeeded.
    renewed: Moment,
    /// Another process has it.
    lost: bool,
}

/// Tells whether a lease still holds.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    held: Arc<Mutex<Held>>,
    clocks: Clocks,
}

/// A clock that only goes forward.
pub(super) trait Uptime: fmt::Debug + Send + Sync {
    /// Time since some beginning.
    fn elapsed(&self) -> Duration;
}

impl Uptime for Instant {
    fn elapsed(&self) -> Duration {
        Self::elapsed(self)
    }
}

/// Two clocks of this machine. One stands still while the machine sleeps, the other may be set back: the longer time counts.
#[derive(Debug, Clone)]
pub(super) struct Clocks {
    pub(super) wall: SharedClock,
    pub(super) uptime: Arc<dyn Uptime>,
}

impl Clocks {
    /// Those of the system.
    pub(super) fn system() -> Self {
        Self { wall: Arc::new(SystemClock), uptime: Arc::new(Instant::now()) }
    }

    fn now(&self) -> Moment {
        Moment { wall: self.wall.now().micros(), uptime: self.uptime.elapsed() }
    }

    fn since(&self, moment: Moment) -> Duration {
        let now = self.now();
        let wall = Duration::from_micros(now.wall.saturating_sub(moment.wall));
        wall.max(now.uptime.saturating_sub(moment.uptime))
    }
}

/// A moment by both.
#[derive(Debug, Clone, Copy)]
struct Moment {
    /// Microseconds since the epoch.
    wall: u64,
    uptime: Duration,
}

impl Watch {
    fn new(held: Held, clocks: Clocks) -> Self {
        Self { held: Arc::new(Mutex::new(held)), clocks }
    }

    /// # Errors
    /// Somebody else may write by now.
    pub(super) fn check(&self) -> io::Result<()> {
        let held = self.held.lock();
        if held.lost || self.clocks.since(held.renewed) > HOLDER_EXPIRY {
            let message = "the right to write to the bucket could not be kept: another backup may be written there, or the service did not answer for minutes. Try again";
            return Err(io::Error::other(message));
        }
        Ok(())
    }
}

/// The object as its holder writes it again and again.
#[derive(Debug)]
struct Renewal {
    store: Arc<dyn ObjectStore>,
    key: Key,
    contents: Arc<[u8]>,
    watch: Watch,
}

impl Renewal {
    /// Writes the object again. One that was not renewed for [`HOLDER_EXPIRY`] stays as it is: somebody else may be about to take
    /// its place.
    async fn renew(&self) {
        let held = &self.watch.held;
        let (version, now) = (held.lock().version.clone(), self.watch.clocks.now());
        match write(&*self.store, &self.key, &self.contents, PutMode::Update(version)).await {
            Ok(version) => {
                let mut held = held.lock();
                (held.version, held.renewed) = (version, now);
            }
            Err(error) if condition_failed(&error) => held.lock().lost = true,
            Err(error) => {
                tracing::warn!(%error, "the right to write to the bucket of backups is not renewed");
            }
        }
    }

    async fn keep_renewing(&self) {
        loop {
            tokio::time::sleep(RENEW_EVERY).await;
            if self.watch.check().is_err() {
                return;
            }
            self.renew().await;
        }
    }
}

/// The lease, held until it is dropped.
#[derive(Debug)]
pub(super) struct Lease {
    service: Service,
    renewal: Arc<Renewal>,
    renewing: Option<JoinHandle<()>>,
}

/// Contents of the object, which no other process writes. They stay the same: a renewal whose answer was lost, but not
/// itself, changes nothing that the next one depends on.
fn unique_contents() -> Arc<[u8]> {
    let mut chance = [0; 16];
    SystemEntropy.fill(&mut chance);
    format!("held by {}\n", hex(&chance)).into_bytes().into()
}

/// Writes the object, on a condition.
async fn write(
    store: &dyn ObjectStore,
    key: &Key,
    contents: &[u8],
    mode: PutMode,
) -> Result<UpdateVersion, StoreError> {
    let put = store.put_opts(key, PutPayload::from(contents.to_vec()), mode.into()).await?;
    Ok(UpdateVersion { e_tag: put.e_tag, version: put.version })
}

/// True if the condition did not hold.
const fn condition_failed(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::AlreadyExists { .. } | StoreError::Precondition { .. } | StoreError::NotFound { .. }
    )
}

/// The lease that is there.
enum Found {
    /// Younger than [`EXPIRY`].
    Fresh,
    Stale(UpdateVersion),
    Free,
}

fn find(service: &Service) -> io::Result<Found> {
    let Some(found) = head(service, NAME)? else { return Ok(Found::Free) };
    service.put(PROBE, b"the time\n".to_vec())?;
    // Another process that looks has removed it: there is one already that may take the place.
    let Some(now) = head(service, PROBE)? else { return Ok(Found::Fresh) };
    service.remove(PROBE)?;
    let age = now.last_modified.signed_duration_since(found.last_modified);
    if age.to_std().unwrap_or_default() <= EXPIRY {
        return Ok(Found::Fresh);
    }
    Ok(Found::Stale(UpdateVersion { e_tag: found.e_tag, version: found.version }))
}

/// Metadata of an object; `None` if there is none.
fn head(service: &Service, name: &str) -> io::Result<Option<ObjectMeta>> {
    let (store, key) = (Arc::clone(&service.store), service.key(name));
    match service.wait(async move { store.head(&key).await }) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

impl Lease {
    /// Takes the lease of a place.
    ///
    /// # Errors
    /// `FailedPrecondition`: `BackupBusy`; `BackupUnusable` for a service without conditions.
    pub(super) fn take(service: &Service, place: &str, clocks: Clocks) -> Result<Self> {
        for _ in 0..ATTEMPTS {
            let mode = match find(service).map_err(|cause| unusable(place, cause))? {
                Found::Fresh => return Err(mark::busy(place)),
                Found::Stale(version) => PutMode::Update(version),
                Found::Free => PutMode::Create,
            };
            let contents = unique_contents();
            let (store, key, now) = (Arc::clone(&service.store), service.key(NAME), clocks.now());
            let written = service.run({
                let contents = Arc::clone(&contents);
                async move { write(&*store, &key, &contents, mode).await }
            });
            match written.map_err(|cause| unusable(place, cause))? {
                Ok(version) => {
                    let held = Held { version, renewed: now, lost: false };
                    return Ok(Self::renewed(service, Watch::new(held, clocks), contents));
                }
                Err(error) if condition_failed(&error) => {}
                Err(StoreError::NotImplemented { .. } | StoreError::NotSupported { .. }) => {
                    return Err(super::without_conditions(place));
                }
                Err(error) => return Err(unusable(place, as_io(error))),
            }
        }
        Err(mark::busy(place))
    }

    /// Renews it until it is dropped or lost.
    fn renewed(service: &Service, watch: Watch, contents: Arc<[u8]>) -> Self {
        let (store, key) = (Arc::clone(&service.store), service.key(NAME));
        let renewal = Arc::new(Renewal { store, key, contents, watch });
        let kept = Arc::clone(&renewal);
        let renewing = service.spawn(async move { kept.keep_renewing().await });
        Self { service: service.clone(), renewal, renewing }
    }

    /// Renews it at once.
    #[cfg(test)]
    pub(super) async fn renew_now(&self) {
        self.renewal.renew().await;
    }

    /// # Errors
    /// Somebody else may write by now.
    pub(super) fn check(&self) -> io::Result<()> {
        self.renewal.watch.check()
    }

    pub(super) fn watch(&self) -> Watch {
        self.renewal.watch.clone()
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(renewing) = &self.renewing {
            renewing.abort();
        }
        if self.check().is_ok()
            && let Err(error) = self.service.remove(NAME)
        {
            tracing::warn!(%error, "the right to write to the bucket of backups stays taken for ten minutes");
        }
    }
}
