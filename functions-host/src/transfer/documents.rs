//! Import and export of documents.

use std::path::{Path, PathBuf};

use docstore::model::{
    Cursor, DatabaseId, Direction, DocPath, Document, FieldPath, Order, Precondition, Query, Reference,
    Source, Ts, Value, Write, WriteOp,
};
use docstore::{Database, Draft, Error, Result, Store};
use tokio::io::AsyncWriteExt as _;

use super::log_file::{RecordWriter, read_records};
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
/// Largest file of records, in bytes.
const MAX_FILE: u64 = 4 << 30;
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
    let place = folder.join(RECORDS);
    super::create_folder(&place)?;
    let path = place.join("output-0");
    let mut file = tokio::fs::File::create(&path).await.map_err(|cause| unwritable(&path, cause))?;
    let at = database.read_time();
    let (mut records, mut count, mut after) = (RecordWriter::default(), 0, None);
    loop {
        let page = database.run(&everything(database.id(), after), Some(at)).await?.documents;
        for document in &page {
            records.push(&entity::write(database.id(), document));
            count += 1;
        }
        file.write_all(&records.take()).await.map_err(|cause| unwritable(&path, cause))?;
        after = page.last().map(|document| document.path.clone());
        if page.len() < PAGE as usize {
            break;
        }
    }
    file.sync_all().await.map_err(|cause| unwritable(&path, cause))?;
    let length = records.len() as u64;
    let part = format!("{RECORDS}/all_namespaces_all_kinds.export_metadata");
    write(&folder.join(&part), &part_metadata(started, ended())).await?;
    write(&folder.join(format!("{NAME}.overall_export_metadata")), &overall_metadata(&part, count, length))
        .await?;
    Ok(count)
}

async fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    tokio::fs::write(path, bytes).await.map_err(|cause| unwritable(path, cause))
}

/// Start and end of the export, and the names of its files.
fn part_metadata(started: Ts, ended: Ts) -> Vec<u8> {
    let (mut metadata, mut export, mut files) = (Writer::default(), Writer::default(), Writer::default());
    export.bytes(1, NAME.as_bytes());
    export.varint(2, started.micros());
    export.varint(3, ended.micros());
    files.bytes(1, &[]);
    files.bytes(2, b"output-0");
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

/// Imports the documents of an export's folder into a database. Returns their number.
///
/// # Errors
/// A file is damaged (nothing of it is written then), or the store refuses.
pub(super) async fn import(store: &Store, id: &DatabaseId, folder: &Path) -> Result<u64> {
    let database = store.database(id);
    let mut count = 0;
    for path in outputs(folder)? {
        let about = tokio::fs::metadata(&path).await.map_err(|cause| unreadable(&path, cause))?;
        if about.len() > MAX_FILE {
            let message = format!("{} is larger than {MAX_FILE} bytes", path.display());
            return Err(Error::invalid("ExportTooLarge", message));
        }
        let bytes = tokio::fs::read(&path).await.map_err(|cause| unreadable(&path, cause))?;
        let damaged = |what: String| {
            Error::invalid("ExportDamaged", format!("{} cannot be imported: {what}", path.display()))
        };
        let records = read_records(&bytes).map_err(|at| damaged(format!("it is damaged at byte {at}")))?;
        let mut documents = Vec::with_capacity(records.len());
        for record in &records {
            let (name, fields) = entity::read(id, record).map_err(damaged)?;
            documents.push((record.len(), name, fields));
        }
        let (mut writes, mut weight) = (Vec::new(), 0);
        for (size, name, fields) in documents {
            if weight + size > COMMIT_BYTES && !writes.is_empty() || writes.len() == COMMIT_DOCUMENTS {
                database.commit(Draft::of(std::mem::take(&mut writes))).await?;
                weight = 0;
            }
            let op = WriteOp::Set { fields, transforms: Vec::new() };
            writes.push(Write { path: name, op, precondition: Precondition::None });
            weight += size;
            count += 1;
        }
        database.commit(Draft::of(writes)).await?;
    }
    Ok(count)
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

/// A query of every document after one of them, by name.
fn everything(database: &DatabaseId, after: Option<DocPath>) -> Query {
    let start = after.map(|path| Cursor {
        values: vec![Value::Reference(Reference { database: database.clone(), path })],
        before: false,
    });
    Query {
        order_by: vec![Order { field: FieldPath::document_name(), direction: Direction::Ascending }],
        start,
        limit: Some(PAGE),
        ..Query::all(None, Source { collection: None, all_descendants: true })
    }
}

/// The next page of a database's documents.
///
/// # Errors
/// The store cannot be read.
pub(super) async fn page(database: &Database, after: Option<DocPath>) -> Result<Vec<Document>> {
    Ok(database.run(&everything(database.id(), after), None).await?.documents)
}
