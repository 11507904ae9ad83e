//! Bodies as bounded streams of bytes.

pub mod multipart;
pub mod range;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use docstore::{Error, Result};
use futures::StreamExt;
use futures::stream::BoxStream;

/// Bytes as they arrive.
pub type ByteStream = BoxStream<'static, Result<Bytes>>;

/// A request's body as a stream; a connection that breaks is a `Cancelled` error.
pub fn stream(body: Body) -> ByteStream {
    body.into_data_stream()
        .map(|chunk| {
            chunk.map_err(|source| {
                Error::new(docstore::Code::Cancelled, "BodyBroken", "The request's body broke off.")
                    .with_source(source)
            })
        })
        .boxed()
}

/// The whole of a small body.
///
/// # Errors
/// `InvalidArgument` (`BodyTooLarge`) beyond `limit` bytes; the body's own errors.
pub async fn small(body: Body, limit: usize) -> Result<Bytes> {
    let mut stream = stream(body);
    let mut whole = BytesMut::new();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk?;
        if whole.len() + chunk.len() > limit {
            return Err(Error::invalid(
                "BodyTooLarge",
                format!("The request's body is larger than the {limit} bytes allowed here."),
            ));
        }
        whole.extend_from_slice(&chunk);
    }
    Ok(whole.freeze())
}
