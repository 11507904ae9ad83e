//! Import and export of documents.

use std::path::{Path, PathBuf};

use docstore::model::{
    Cursor, DatabaseId, Direction, DocPath, Document, FieldPath, Order, Precondition, Query, Source, Ts,
    Write, WriteOp,
};
use docstore::{Database, Draft, Error, Result, Store};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::mpsc;

use super::log_file::{RecordFault, RecordReader, RecordWriter};
use super::proto::Writer;
use super::{entity, unreadable, unwritable};

/// Name of the export in its metadata.
const NAME: &str = "firestore_export";
/// Path of the records, below the export's folder.
const RECORDS: &str = "all_namespaces/all_kinds";
/// Documents read at once.
const PAGE: u32 = 300;
/// Documents per commit.
const COMMIT_DOCUMENTS: usize = 300;
/// Bytes of records per commit, approximately.
const COMMIT_BYTES: usize = 2 << 20;
/// A file of records is followed by another once it is as long as this, in bytes.
const MAX_OUTPUT: u64 = 1 << 30;
/// Bytes of records read from the store at once, approximately.
const PAGE_BYTES: usize = 8 << 20;
/// Commits' worth of documents that are read before the store takes them.
const BATCHES_AHEAD: usize = 2;
/// Deepest nesting of an export's folders.
const MAX_DEPTH: usize = 6;

/// Writes a database's documents to `folder`. Returns their number.
///
/// # Errors
/// The store cannot be read, or the folder cannot be written.
pub(super) async fn export(
    database: &Database,
    folder: &Path,
    started: Ts,
    ended: impl Fn() -> Ts,
) -> Result<u64> {
    export_in_files(database, folder, started, ended, MAX_OUTPUT).await
}

async fn export_in_files(
    database: &Database,
    folder: &Path,
    started: Ts,
    ended: impl Fn() -> Ts,
    max_output: u64,
) -> Result<u64> {
    let place = folder.join(RECORDS);
    super::create_folder(&place)?;
    let at = database.read_time();
    let (mut count, mut after, mut limit) = (0, None, PAGE);
    let (mut names, mut length, mut ended_all) = (Vec::new(), 0, false);
    while !ended_all {
        let name = format!("output-{}", names.len());
        let path = place.join(&name);
        let mut file = tokio::fs::File::create(&path).await.map_err(|cause| unwritable(&path, cause))?;
        let mut records = RecordWriter::default();
        while !ended_all && (records.len() as u64) < max_output {
            let page = database.run(&everything(database.id(), after, limit), Some(at)).await?.documents;
            for document in &page {
                records.push(&entity::write(database.id(), document));
            }
            let bytes = records.take();
            file.write_all(&bytes).await.map_err(|cause| unwritable(&path, cause))?;
            count += page.len() as u64;
            ended_all = page.len() < limit as usize;
            limit = next_limit(page.len(), bytes.len());
            after = page.last().map(|document| document.path.clone());
        }
        file.sync_all().await.map_err(|cause| unwritable(&path, cause))?;
        length += records.len() as u64;
        names.push(name);
    }
    let part = format!("{RECORDS}/all_namespaces_all_kinds.export_metadata");
    write(&folder.join(&part), &part_metadata(started, ended(), &names)).await?;
    write(&folder.join(format!("{NAME}.overall_export_metadata")), &overall_metadata(&part, count, length))
        .await?;
    Ok(count)
}

/// Documents of the next page, so that it has about [`PAGE_BYTES`] if they are as large as those of the last one.
fn next_limit(documents: usize, bytes: usize) -> u32 {
    let fitting = PAGE_BYTES / (bytes / documents.max(1)).max(1);
    u32::try_from(fitting).unwrap_or(PAGE).clamp(1, PAGE)
}

async fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    tokio::fs::write(path, bytes).await.map_err(|cause| unwritable(path, cause))
}

/// Start and end of the export, and the names of its files.
fn part_metadata(started: Ts, ended: Ts, names: &[String]) -> Vec<u8> {
    let (mut metadata, mut export, mut files) = (Writer::default(), Writer::default(), Writer::default());
    export.bytes(1, NAME.as_bytes());
    export.varint(2, started.micros());
    export.varint(3, ended.micros());
    files.bytes(1, &[]);
    for name in names {
        files.bytes(2, name.as_bytes());
    }
    metadata.bytes(1, &export.0);
    metadata.bytes(2, &files.0);
    metadata.0
}

/// Names and sizes of the parts.
fn overall_metadata(part: &str, count: u64, bytes: u64) -> Vec<u8> {
    let (mut record, mut about, mut version) = (Writer::default(), Writer::default(), Writer::default());
    version.varint(1, 2);
    version.varint(3, 3);
    about.bytes(1, &version.0);
    about.bytes(2, part.as_bytes());
    about.varint(3, count);
    about.varint(4, bytes);
    record.bytes(1, &about.0);
    let mut file = RecordWriter::default();
    file.push(b"3");
    file.push(&record.0);
    file.take()
}

/// Imports the documents of an export's folder into a database. Returns their number. Every file is read twice: once to
/// check it, once to write its documents.
///
/// # Errors
/// A file is damaged (nothing is written then), or the store refuses.
pub(super) async fn import(store: &Store, id: &DatabaseId, folder: &Path) -> Result<u64> {
    let database = store.database(id);
    let (checked, folder) = (id.clone(), folder.to_owned());
    let read = tokio::task::spawn_blocking(move || {
        let paths = outputs(&folder)?;
        paths.iter().try_for_each(|path| read_file(path, &checked, |_, _| Ok(())))?;
        Ok(paths)
    });
    let paths = read.await.map_err(reader_ended)??;
    let (sender, mut batches) = mpsc::channel(BATCHES_AHEAD);
    let of = id.clone();
    let reading = tokio::task::spawn_blocking(move || {
        let mut batch = Batch::default();
        for path in &paths {
            read_file(path, &of, |size, write| {
                if batch.is_full_before(size) {
                    send(&sender, std::mem::take(&mut batch))?;
                }
                batch.bytes += size;
                batch.writes.push(write);
                Ok(())
            })?;
        }
        if batch.writes.is_empty() { Ok(()) } else { send(&sender, batch) }
    });
    let mut count = 0;
    while let Some(Batch { writes, .. }) = batches.recv().await {
        let size = writes.len() as u64;
        // Dropping the channel ends the reader.
        database.commit(Draft::of(writes)).await?;
        count += size;
    }
    reading.await.map_err(reader_ended)??;
    Ok(count)
}

/// The documents of one commit.
#[derive(Default)]
struct Batch {
    writes: Vec<Write>,
    /// Size of their records, in bytes.
    bytes: usize,
}

impl Batch {
    /// True if a record of `size` bytes belongs into the next one.
    fn is_full_before(&self, size: usize) -> bool {
        self.writes.len() == COMMIT_DOCUMENTS || self.bytes + size > COMMIT_BYTES && !self.writes.is_empty()
    }
}

fn send(sender: &mpsc::Sender<Batch>, batch: Batch) -> Result<()> {
    sender
        .blocking_send(batch)
        .map_err(|cause| Error::internal("ImportStopped", "the import was stopped", cause.to_string()))
}

fn reader_ended(cause: tokio::task::JoinError) -> Error {
    Error::internal("ImportLost", "the reader of the import's files ended", cause)
}

/// Passes every document of a file to `each` as a write, with the size of its record in bytes. Blocks.
///
/// # Errors
/// The file cannot be read or is damaged; whatever `each` returns.
fn read_file(path: &Path, id: &DatabaseId, mut each: impl FnMut(usize, Write) -> Result<()>) -> Result<()> {
    let damaged = |what: String| {
        Error::invalid("ExportDamaged", format!("{} cannot be imported: {what}", path.display()))
    };
    let file = std::fs::File::open(path).map_err(|cause| unreadable(path, cause))?;
    let mut records = RecordReader::new(std::io::BufReader::new(file));
    loop {
        let record = match records.next_record() {
            Ok(None) => return Ok(()),
            Ok(Some(record)) => record,
            Err(RecordFault::Damaged(at)) => return Err(damaged(format!("it is damaged at byte {at}"))),
            Err(RecordFault::Disk(cause)) => return Err(unreadable(path, cause)),
        };
        let (name, fields) = entity::read(id, &record).map_err(damaged)?;
        let op = WriteOp::Set { fields, transforms: Vec::new() };
        each(record.len(), Write { path: name, op, precondition: Precondition::None })?;
    }
}

/// The files of records below a folder, in order.
fn outputs(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|cause| unreadable(&folder, cause))? {
            let entry = entry.map_err(|cause| unreadable(&folder, cause))?;
            let kind = entry.file_type().map_err(|cause| unreadable(&folder, cause))?;
            if kind.is_dir() && depth < MAX_DEPTH {
                folders.push((entry.path(), depth + 1));
            } else if kind.is_file() && entry.file_name().to_string_lossy().starts_with("output-") {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A query of the next `limit` documents after one of them, by name.
fn everything(database: &DatabaseId, after: Option<DocPath>, limit: u32) -> Query {
    Query {
        order_by: vec![Order { field: FieldPath::document_name(), direction: Direction::Ascending }],
        start: after.map(|path| Cursor::after_name(database, path)),
        limit: Some(limit),
        ..Query::all(None, Source { collection: None, all_descendants: true })
    }
}

/// The next page of a database's documents.
///
/// # Errors
/// The store cannot be read.
pub(super) async fn page(database: &Database, after: Option<DocPath>) -> Result<Vec<Document>> {
    Ok(database.run(&everything(database.id(), after, PAGE), None).await?.documents)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use docstore::clock::SystemClock;
    use docstore::model::{Fields, Value};
    use docstore::{EngineOptions, Limits, StoreOptions};

    use super::*;

    const DOCUMENTS: usize = 700;

    fn put(number: usize) -> Write {
        let text = Value::String("x".repeat(number * 7));
        Write {
            path: DocPath::parse(&format!("c/{number:04}")).unwrap(),
            op: WriteOp::Set { fields: Fields::from([("text".to_owned(), text)]), transforms: Vec::new() },
            precondition: Precondition::None,
        }
    }

    /// A store and its database, both new.
    async fn empty() -> (Store, Database) {
        let store = Store::open(StoreOptions {
            engine: EngineOptions::Memory,
            clock: Arc::new(SystemClock),
            limits: Limits::default(),
        })
        .await
        .unwrap();
        let database = store.database(&DatabaseId::default_of("p"));
        (store, database)
    }

    async fn contents(database: &Database) -> Vec<(DocPath, Fields)> {
        let limit = u32::try_from(DOCUMENTS * 2).unwrap();
        let all = database.run(&everything(database.id(), None, limit), None).await.unwrap().documents;
        all.iter().map(|document| (document.path.clone(), document.fields.clone())).collect()
    }

    #[tokio::test]
    async fn long_exports_are_split_and_nothing_is_imported_where_any_file_is_damaged() {
        let (_store, database) = empty().await;
        database.commit(Draft::of((0..DOCUMENTS).map(put).collect())).await.unwrap();
        let place = tempfile::tempdir().unwrap();
        let at = Ts::from_micros(1);
        let exported = export_in_files(&database, place.path(), at, || at, 300_000).await.unwrap();
        assert_eq!(exported, DOCUMENTS as u64);
        let files = outputs(place.path()).unwrap();
        assert!(files.len() > 2, "{files:?}");

        let (store, copy) = empty().await;
        assert_eq!(import(&store, copy.id(), place.path()).await.unwrap(), exported);
        assert_eq!(contents(&copy).await, contents(&database).await);

        let last = files.last().unwrap();
        let mut bytes = std::fs::read(last).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(last, bytes).unwrap();
        let (store, copy) = empty().await;
        let error = import(&store, copy.id(), place.path()).await.unwrap_err();
        assert!(error.message().contains("is damaged at byte"), "{error}");
        assert!(contents(&copy).await.is_empty());
    }

    #[test]
    fn pages_hold_fewer_documents_the_larger_they_are() {
        assert_eq!(next_limit(PAGE as usize, 30_000), PAGE);
        assert_eq!(next_limit(10, 10 << 20), 8);
        assert_eq!(next_limit(1, 100 << 20), 1);
        assert_eq!(next_limit(0, 0), PAGE);
    }
}
