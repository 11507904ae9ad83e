//! Backups in a bucket of an S3-compatible service.
//!
//! An object has its name once it is whole, so none is ever unfinished. A service has no locks: whoever writes holds a
//! [`Lease`].

mod address;
mod lease;
mod object;
mod service;
#[cfg(test)]
mod tests;

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use docstore::{Code, Error, Result};
use object_store::ObjectStore;
use object_store::path::Path as Key;

use self::address::Address;
use self::lease::{Clocks, Lease};
use self::object::{NewObject, Reading};
use self::service::Service;
use super::key::BackupKey;
use super::mark::{self, MARK};
use super::target::{BackupTarget, NewFile, Purpose};

/// True for the address of a bucket, false for the name of a folder.
pub(super) fn is_address(named: &Path) -> bool {
    named.to_string_lossy().starts_with(address::SCHEME)
}

/// Backups in a bucket.
#[derive(Debug)]
struct BucketTarget {
    service: Service,
    /// The address, without what may be secret.
    place: String,
    /// Held by who writes.
    lease: Option<Lease>,
}

/// Opens the bucket at `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`; keys come from the environment.
///
/// # Errors
/// `InvalidArgument` (`BackupAddress`); as of [`super::folder::open`].
pub(super) fn open(
    named: &str,
    purpose: Purpose,
    key: Option<&BackupKey>,
) -> Result<impl BackupTarget + use<>> {
    let address = Address::parse(named)?;
    let store = Arc::new(storage_emu::blobs::service(&address.options())?);
    open_over(store, &address, purpose, key, Clocks::system())
}

fn open_over(
    store: Arc<dyn ObjectStore>,
    address: &Address,
    purpose: Purpose,
    key: Option<&BackupKey>,
    clocks: Clocks,
) -> Result<BucketTarget> {
    let place = address.shown();
    let failed = |cause| super::unusable(&place, cause);
    let service = Service::new(store, &address.prefix).map_err(failed)?;
    let found = service.small(MARK).map_err(failed)?;
    let writes = purpose == Purpose::Write;
    if let Some(text) = &found {
        mark::check_mark(&String::from_utf8_lossy(text), &place, key)?;
    } else if !writes {
        return Err(mark::no_backups(&place));
    } else if service
        .names("")
        .map_err(failed)?
        .iter()
        .any(|name| ![lease::NAME, lease::PROBE].contains(&&**name))
    {
        return Err(mark::taken(&place));
    }
    // Readers hold nothing: after a machine was lost nobody should wait for the end of its lease.
    let lease = if writes { Some(Lease::take(&service, &place, clocks)?) } else { None };
    if found.is_none() {
        service.put(MARK, mark::mark_text(key).into_bytes()).map_err(failed)?;
    }
    Ok(BucketTarget { service, place, lease })
}

impl BucketTarget {
    /// # Errors
    /// Somebody else writes here by now, or may.
    fn writes(&self) -> io::Result<()> {
        self.lease.as_ref().map_or(Ok(()), Lease::check)
    }
}

impl BackupTarget for BucketTarget {
    fn place(&self) -> &str {
        &self.place
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.service.names(folder)
    }

    fn size(&self, path: &str) -> io::Result<u64> {
        self.service.size(path)
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(Reading::open(&self.service, path)?))
    }

    fn create(&self, path: &str) -> io::Result<Box<dyn NewFile>> {
        self.writes()?;
        Ok(Box::new(NewObject::new(&self.service, path, self.lease.as_ref().map(Lease::watch))))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.writes()?;
        self.service.remove(path)
    }

    fn remove_folder(&self, _path: &str) -> io::Result<()> {
        Ok(())
    }

    fn free(&self) -> Option<u64> {
        None
    }

    fn device(&self) -> Option<u64> {
        None
    }
}

/// Error of a service that cannot keep two writers apart.
fn without_conditions(place: &str) -> Error {
    let message = format!(
        "the service of {place} cannot write an object on the condition that it is not there (If-None-Match), so nothing would keep two servers from writing backups there at once: use another service"
    );
    Error::new(Code::FailedPrecondition, "BackupUnusable", message)
}

/// The key of a path below a prefix.
fn key_of(prefix: &str, path: &str) -> Key {
    Key::from_iter(prefix.split('/').chain(path.split('/')).filter(|part| !part.is_empty()))
}
