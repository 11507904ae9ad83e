//! The node's copy of the log: opened, brought up to date, or made anew.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use futures::TryStreamExt as _;
use tokio::sync::watch;

use super::super::payload::{CopyPlace, decode};
use super::super::{AnyLog, ClusterId, HISTORY_REWRITTEN, LogBatch, Position, SharedLog as _};
use super::{EntriesOf, Node, Place, SharedOptions, Standing};
use crate::encoding::codec::decode_document;
use crate::encoding::key::{DOCS, DbNo, KeyRange, docs_prefix, read_doc_key};
use crate::engine::Engine as _;
use crate::engine::disk::{DiskEngine, name_of_copy};
use crate::{Code, Error, Result};

/// Bytes of the log read at a time.
pub(super) const READ_BYTES: usize = 8 << 20;

/// The cluster that a folder has a copy of; `None` if there is no copy.
pub fn cluster_of_copy(folder: &Path) -> Option<ClusterId> {
    let digits = name_of_copy(folder)?.replace('-', "");
    u128::from_str_radix(&digits, 16).ok().map(ClusterId)
}

/// A copy and its place.
struct Copy {
    engine: DiskEngine,
    place: Place,
}

impl Node {
    pub(super) async fn open(options: SharedOptions) -> Result<Self> {
        let cluster = options.log.head().await?.cluster;
        let mut copy = Self::existing(&options, cluster).await?;
        let caught_up = match &mut copy {
            Some(copy) => copy.catch_up(&options.log, cluster).await,
            None => Err(gone()),
        };
        let copy = match (caught_up, copy) {
            (Ok(()), Some(copy)) => copy,
            (Err(error), copy) if is_gone(&error) => {
                if error.tag() == HISTORY_REWRITTEN {
                    tracing::error!("{}", error.message());
                }
                // The folder is free for the new one only then.
                drop(copy);
                let mut copy = Self::anew(&options, cluster).await?;
                copy.catch_up(&options.log, cluster).await?;
                copy
            }
            (Err(error), _) => return Err(error),
            (Ok(()), None) => return Err(gone()),
        };
        Ok(Self {
            log: options.log,
            id: options.node,
            cluster,
            clock: options.clock,
            keep_log: options.keep_log,
            copy: copy.engine,
            standing: watch::Sender::new(Standing::Starts),
            place: Arc::new(tokio::sync::Mutex::new(copy.place)),
            unfolded: AtomicU64::new(0),
        })
    }

    /// The copy in the folder, if it is one of this cluster.
    async fn existing(options: &SharedOptions, cluster: ClusterId) -> Result<Option<Copy>> {
        let Some(engine) = DiskEngine::open_copy(&options.disk())? else { return Ok(None) };
        let place = engine.place().await?.and_then(|bytes| CopyPlace::from_bytes(&bytes));
        match place {
            Some(CopyPlace { cluster: own, batch, leaves }) if own == cluster => {
                let at = Position { ts: *engine.visible().borrow(), batch };
                Ok(Some(Copy { engine, place: Place { at, leaves } }))
            }
            Some(CopyPlace { cluster: own, .. }) => Err(Error::new(
                Code::FailedPrecondition,
                "OtherCluster",
                format!(
                    "the folder {} has a copy of another shared store ({own}; this is {cluster}): give the right address, or \
                     name another folder",
                    options.folder.display()
                ),
            )),
            None => Ok(None),
        }
    }

    /// A copy of the base.
    async fn anew(options: &SharedOptions, cluster: ClusterId) -> Result<Copy> {
        let base = options.log.base().await?;
        let engine = DiskEngine::begin_copy(&options.disk(), &cluster.to_string(), base.at.ts)?;
        let (mut catalog, mut databases, mut count) = (Vec::new(), BTreeSet::new(), 0_u64);
        let mut parts = base.documents;
        while let Some(part) = parts.try_next().await? {
            for document in &part {
                let number = document.key.first_chunk::<4>().map(|number| DbNo(u32::from_be_bytes(*number)));
                if number == Some(DbNo::CATALOG)
                    && document.key.get(4) == Some(&DOCS)
                    && let Some(path) = read_doc_key(&document.key)
                {
                    catalog.push(decode_document(&path, &document.value)?);
                }
                databases.extend(number.filter(|number| *number != DbNo::CATALOG));
                count += 1;
            }
            engine.load(part.into_iter().map(|one| (one.key, one.ts, one.value)).collect())?;
        }
        let entries: EntriesOf = (options.entries)(&catalog);
        for number in databases {
            let range = KeyRange::prefix(&docs_prefix(number));
            engine.derive(range, base.at.ts, &|document| entries(number, document))?;
        }
        let place = CopyPlace { cluster, batch: base.at.batch, leaves: false };
        engine.finish_loading(base.at.ts, place.to_bytes())?;
        tracing::info!(documents = count, at = %base.at.ts, "the local copy of the shared store was made anew");
        Ok(Copy { engine, place: Place { at: base.at, leaves: false } })
    }
}

impl Copy {
    async fn catch_up(&mut self, log: &AnyLog, cluster: ClusterId) -> Result<()> {
        catch_up(&self.engine, log, cluster, &mut self.place).await
    }
}

/// Takes in what the log has after the copy's place.
pub(super) async fn catch_up(
    copy: &DiskEngine,
    log: &AnyLog,
    cluster: ClusterId,
    place: &mut Place,
) -> Result<()> {
    loop {
        let slice = log.read(place.at, READ_BYTES).await?;
        for batch in &slice.batches {
            let leaves = take_in(copy, cluster, batch)?;
            *place = Place { at: batch.position, leaves };
        }
        if slice.head.position == place.at {
            return Ok(());
        }
    }
}

/// Adds a batch of the log to the copy. Returns true if its leader left its term with it.
fn take_in(copy: &DiskEngine, cluster: ClusterId, batch: &LogBatch) -> Result<bool> {
    let contents = decode(&batch.payload)?;
    copy.make_room()?;
    let place = CopyPlace { cluster, batch: batch.position.batch, leaves: contents.leaves };
    copy.take_in(copy.whole(contents.commits)?, place.to_bytes());
    Ok(contents.leaves)
}

/// Error of a copy that the log does not continue.
fn gone() -> Error {
    Error::new(Code::OutOfRange, "LogTruncated", "there is no local copy")
}

fn is_gone(error: &Error) -> bool {
    error.tag() == "LogTruncated" || error.tag() == HISTORY_REWRITTEN
}
