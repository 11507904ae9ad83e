//! Contents as they are read from the object store.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::ops::Range;

use bytes::Bytes;
use docstore::{Code, Error};
use futures::{StreamExt, TryStreamExt, stream};
use object_store::{GetResult, GetResultPayload};

use super::failed;
use super::read_buffers::{BUFFER_BYTES, read_exact};
use crate::body::ByteStream;

/// Bytes of a local file read at once, each time on a thread that may wait: smaller reads cost more in threads
/// than in reading.
const READ_BYTES: u64 = BUFFER_BYTES as u64;

/// Contents of the found object, in chunks.
pub(super) fn chunks(found: GetResult) -> ByteStream {
    let GetResult { payload, range, .. } = found;
    match payload {
        GetResultPayload::File(file, _) => file_chunks(file, range),
        GetResultPayload::Stream(stream) => stream.map_err(failed).boxed(),
    }
}

fn file_chunks(file: File, range: Range<u64>) -> ByteStream {
    stream::try_unfold((file, range), |(file, range)| async move {
        if range.is_empty() {
            return Ok(None);
        }
        let end = range.end.min(range.start + READ_BYTES);
        let (file, bytes) = tokio::task::spawn_blocking(move || read_at(file, range.start..end))
            .await
            .map_err(|source| unreadable(io::Error::other(source)))?
            .map_err(unreadable)?;
        Ok(Some((bytes, (file, end..range.end))))
    })
    .boxed()
}

fn read_at(mut file: File, range: Range<u64>) -> io::Result<(File, Bytes)> {
    file.seek(SeekFrom::Start(range.start))?;
    let length = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
    let bytes = read_exact(&mut file, length)?;
    Ok((file, bytes))
}

fn unreadable(source: io::Error) -> Error {
    Error::new(Code::Unavailable, "BlobStore", "The file store does not answer: try again in a minute.")
        .with_source(source)
}
