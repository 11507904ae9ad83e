//! Objects that are read and written as files are.

use std::io::{self, Read};
use std::sync::Arc;

use bytes::{Buf as _, Bytes};
use futures::StreamExt as _;
use futures::stream::BoxStream;
use object_store::{Error, MultipartUpload, ObjectStoreExt as _, PutPayload};

use super::super::target::NewFile;
use super::lease::Watch;
use super::service::Service;

/// Length of a part of a large object, in bytes. A service takes 10,000 of them: 156 GiB.
pub(super) const PART: usize = 16 << 20;

/// An object being read.
pub(super) struct Reading {
    service: Service,
    /// The rest; `None` after its end or an error.
    rest: Option<BoxStream<'static, Result<Bytes, Error>>>,
    here: Bytes,
}

impl Reading {
    /// # Errors
    /// There is none, or the service does not answer.
    pub(super) fn open(service: &Service, path: &str) -> io::Result<Self> {
        let (store, key) = (Arc::clone(&service.store), service.key(path));
        let rest = service.wait(async move { Ok(store.get(&key).await?.into_stream()) })?;
        Ok(Self { service: service.clone(), rest: Some(rest), here: Bytes::new() })
    }
}

impl Read for Reading {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.here.is_empty() {
            let Some(mut rest) = self.rest.take() else { return Ok(0) };
            let next = self.service.wait(async move {
                match rest.next().await {
                    Some(next) => next.map(|bytes| Some((bytes, rest))),
                    None => Ok(None),
                }
            })?;
            let Some((bytes, rest)) = next else { return Ok(0) };
            (self.here, self.rest) = (bytes, Some(rest));
        }
        let length = self.here.len().min(into.len());
        self.here.copy_to_slice(into.get_mut(..length).unwrap_or_default());
        Ok(length)
    }
}

/// An object being written: in one request, or in parts if it is large.
pub(super) struct NewObject {
    service: Service,
    path: String,
    lease: Option<Watch>,
    /// Not sent yet; shorter than [`PART`].
    bytes: Vec<u8>,
    parts: Option<Box<dyn MultipartUpload>>,
}

impl NewObject {
    pub(super) fn new(service: &Service, path: &str, lease: Option<Watch>) -> Self {
        Self { service: service.clone(), path: path.to_owned(), lease, bytes: Vec::new(), parts: None }
    }

    fn send(&mut self, part: Vec<u8>) -> io::Result<()> {
        let mut parts = match self.parts.take() {
            Some(parts) => parts,
            None => {
                let (store, key) = (Arc::clone(&self.service.store), self.service.key(&self.path));
                self.service.wait(async move { store.put_multipart(&key).await })?
            }
        };
        let sending = parts.put_part(PutPayload::from(part));
        self.parts = Some(parts);
        self.service.wait(sending)
    }
}

impl NewFile for NewObject {
    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while self.bytes.len() + bytes.len() >= PART {
            let (now, later) = bytes.split_at(PART - self.bytes.len());
            self.bytes.extend_from_slice(now);
            bytes = later;
            let part = std::mem::take(&mut self.bytes);
            self.send(part)?;
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let rest = std::mem::take(&mut self.bytes);
        if self.parts.is_some() && !rest.is_empty() {
            self.send(rest.clone())?;
        }
        if let Some(lease) = &self.lease {
            lease.check()?;
        }
        match self.parts.take() {
            None => self.service.put(&self.path, rest),
            Some(mut parts) => self.service.wait(async move {
                match parts.complete().await {
                    Ok(_) => Ok(()),
                    Err(error) => {
                        let _kept_by_the_service = parts.abort().await;
                        Err(error)
                    }
                }
            }),
        }
    }
}

impl Drop for NewObject {
    fn drop(&mut self) {
        if let Some(mut parts) = self.parts.take() {
            // Parts that stay only take up space.
            let _kept_by_the_service = self.service.wait(async move { parts.abort().await });
        }
    }
}
