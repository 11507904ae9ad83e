//! Opaque tokens: where a listener stands, where a page ends, which transaction is meant.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use prost::Message;

use docstore::error::{Error, Result};
use docstore::model::Ts;

/// The first byte of a resume token: the form of the rest.
const RESUME_FORM: u8 = 1;

/// The resume token of a listener that has seen everything up to `ts`.
pub(super) fn resume_token(ts: Ts) -> Bytes {
    let mut token = vec![RESUME_FORM];
    token.extend_from_slice(&ts.micros().to_be_bytes());
    token.into()
}

/// Position of a listener. A token of another server is meaningless here: the listener starts over.
pub(super) fn read_resume_token(token: &[u8]) -> Ts {
    match token.split_first() {
        Some((&RESUME_FORM, rest)) => {
            rest.try_into().map_or(Ts::ZERO, |micros| Ts::from_micros(u64::from_be_bytes(micros)))
        }
        _ => Ts::ZERO,
    }
}

/// A page token around a message.
pub(super) fn page_token(message: &impl Message) -> String {
    URL_SAFE_NO_PAD.encode(message.encode_to_vec())
}

/// Reads a page token; an empty one is the start.
pub(super) fn read_page_token<T: Message + Default>(token: &str) -> Result<Option<T>> {
    if token.is_empty() {
        return Ok(None);
    }
    let bytes = URL_SAFE_NO_PAD.decode(token).ok();
    match bytes.and_then(|bytes| T::decode(bytes.as_slice()).ok()) {
        Some(message) => Ok(Some(message)),
        None => Err(Error::invalid("PageToken", "Invalid page token.")),
    }
}
