//! The service called in-process with already encoded messages: what REST and WebChannel stand on.

use std::convert::Infallible;

use bytes::{Buf as _, BufMut as _, Bytes};
use futures::Stream;
use http::HeaderMap;
use http::uri::PathAndQuery;
use prost_reflect::MethodDescriptor;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::metadata::MetadataMap;
use tonic::{Extensions, Status, Streaming};

use super::Server;
use super::schema::SERVICE;
use super::status::undecodable;
use docstore::shares::StreamHolder;

/// The largest reply message, in bytes. What limits pages and documents keeps every message far below it.
const MAX_REPLY_BYTES: usize = 64 * 1024 * 1024;

/// Calls `method` with encoded `requests`; the reply is a stream of encoded messages. `holder` is whose stream it is,
/// where that counts.
pub(super) async fn call(
    server: Server,
    method: &MethodDescriptor,
    headers: HeaderMap,
    holder: Option<StreamHolder>,
    requests: impl Stream<Item = Bytes> + Send + 'static,
) -> Result<Streaming<Bytes>, Status> {
    let path = PathAndQuery::try_from(format!("/{SERVICE}/{}", method.name()))
        .map_err(|error| Status::internal(error.to_string()))?;
    let mut extensions = Extensions::default();
    if let Some(holder) = holder {
        extensions.insert(holder);
    }
    let request = tonic::Request::from_parts(MetadataMap::from_headers(headers), extensions, requests);
    let mut client = tonic::client::Grpc::new(server).max_decoding_message_size(MAX_REPLY_BYTES);
    client.ready().await.map_err(|never: Infallible| -> Status { match never {} })?;
    Ok(client.streaming(request, path, EncodedCodec).await.map_err(undecodable)?.into_inner())
}

/// Passes encoded messages through.
#[derive(Debug, Default, Clone, Copy)]
struct EncodedCodec;

impl Codec for EncodedCodec {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for EncodedCodec {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(message);
        Ok(())
    }
}

impl Decoder for EncodedCodec {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}
