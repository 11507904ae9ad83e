//! Reads `multipart/related` and `multipart/form-data` bodies as they arrive, never whole.

use std::fmt;

use bytes::{Bytes, BytesMut};
use docstore::{Error, Result};
use futures::StreamExt;
use memchr::memmem::Finder;

use crate::body::ByteStream;

/// The longest boundary, in bytes (RFC 2046 allows 70; clients send up to twice that).
pub const MAX_BOUNDARY_BYTES: usize = 200;
/// The most bytes all header lines of one part may have.
pub const MAX_PART_HEADER_BYTES: usize = 16 * 1024;
/// The most bytes that may precede the first boundary.
pub const MAX_PREAMBLE_BYTES: usize = 16 * 1024;

/// The header lines of one part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartHeaders(Vec<(String, String)>);

impl PartHeaders {
    /// The value of the header `name` (lower case).
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A parameter of a header's value, such as `name` of `content-disposition`, without its quotes.
    pub fn parameter(&self, header: &str, parameter: &str) -> Option<String> {
        header_parameter(self.get(header)?, parameter)
    }
}

/// A parameter of a header value (`type; name=value; other="quoted"`), without its quotes.
pub fn header_parameter(value: &str, parameter: &str) -> Option<String> {
    value.split(';').skip(1).find_map(|piece| {
        let (name, value) = piece.split_once('=')?;
        name.trim().eq_ignore_ascii_case(parameter).then(|| unquote(value.trim()).to_owned())
    })
}

fn unquote(text: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner;
        }
    }
    text
}

/// The boundary of a `Content-Type` whose media type must be `expected`.
///
/// # Errors
/// `InvalidArgument` (`MultipartContentType`) for another type or no usable boundary.
pub fn boundary_of(content_type: &str, expected: &str) -> Result<String> {
    let bad = || Error::invalid("MultipartContentType", format!("Bad content type. {content_type}"));
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case(expected) {
        return Err(bad());
    }
    match header_parameter(content_type, "boundary") {
        Some(boundary) if !boundary.is_empty() && boundary.len() <= MAX_BOUNDARY_BYTES => Ok(boundary),
        _ => Err(bad()),
    }
}

/// A multipart body, read part by part.
///
/// Call [`Self::next_part`], then [`Self::chunk`] until it answers `None`, and again. At most one network
/// chunk plus one boundary is held in memory.
pub struct Multipart {
    body: ByteStream,
    buffer: BytesMut,
    finder: Finder<'static>,
    delimiter_len: usize,
    at: At,
    ended: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Preamble,
    Headers,
    Data,
    /// After the data of a part: its delimiter is consumed and another part follows.
    Between,
    End,
}

/// Result of a search of the buffer.
enum Found {
    /// Data that certainly belongs to the part.
    Data(Bytes),
    /// The part ended; the delimiter is consumed.
    Delimiter { last: bool },
    /// Not enough bytes to tell.
    More,
}

impl fmt::Debug for Multipart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Multipart").field("at", &self.at).finish_non_exhaustive()
    }
}

impl Multipart {
    /// A reader of `body`, whose parts are separated by `boundary`.
    pub fn new(body: ByteStream, boundary: &str) -> Self {
        let delimiter = format!("\n--{boundary}");
        // The first boundary needs no line break before it: pretend there was one.
        let buffer = BytesMut::from(&b"\n"[..]);
        Self {
            body,
            buffer,
            finder: Finder::new(delimiter.as_bytes()).into_owned(),
            delimiter_len: delimiter.len(),
            at: At::Preamble,
            ended: false,
        }
    }

    /// Advances to the next part, skipping the rest of the current one. `None` after the last.
    ///
    /// # Errors
    /// `InvalidArgument` (`Multipart…`) for a malformed body; the body's own errors.
    pub async fn next_part(&mut self) -> Result<Option<PartHeaders>> {
        let mut skipped = 0_usize;
        while matches!(self.at, At::Preamble | At::Data) {
            let preamble = self.at == At::Preamble;
            match self.step().await? {
                Some(data) if preamble => {
                    skipped += data.len();
                    if skipped > MAX_PREAMBLE_BYTES {
                        return Err(Error::invalid(
                            "MultipartBoundaryMissing",
                            "The boundary that the content type announces does not occur in the body.",
                        ));
                    }
                }
                Some(_) => {}
                None => break,
            }
        }
        if self.at == At::End {
            return Ok(None);
        }
        self.at = At::Headers;
        let headers = self.headers().await?;
        self.at = At::Data;
        Ok(Some(headers))
    }

    /// The next bytes of the current part; `None` at its end.
    ///
    /// # Errors
    /// As [`Self::next_part`].
    pub async fn chunk(&mut self) -> Result<Option<Bytes>> {
        if self.at == At::Data { self.step().await } else { Ok(None) }
    }

    /// The current part whole, when it has at most `limit` bytes.
    ///
    /// # Errors
    /// `InvalidArgument` (`MultipartPartTooLarge`); as [`Self::next_part`].
    pub async fn bytes(&mut self, limit: usize) -> Result<Bytes> {
        let mut whole = BytesMut::new();
        while let Some(chunk) = self.chunk().await? {
            if whole.len() + chunk.len() > limit {
                return Err(Error::invalid(
                    "MultipartPartTooLarge",
                    format!("A part of the multipart body is larger than {limit} bytes."),
                ));
            }
            whole.extend_from_slice(&chunk);
        }
        Ok(whole.freeze())
    }

    /// The rest of the current part, as a stream that owns the body.
    pub fn into_part_stream(self) -> ByteStream {
        futures::stream::try_unfold(self, async |mut parts| {
            Ok(parts.chunk().await?.map(|chunk| (chunk, parts)))
        })
        .boxed()
    }

    async fn step(&mut self) -> Result<Option<Bytes>> {
        loop {
            match self.look() {
                Found::Data(data) => return Ok(Some(data)),
                Found::Delimiter { last } => {
                    self.at = if last { At::End } else { At::Between };
                    return Ok(None);
                }
                Found::More => self.fill().await?,
            }
        }
    }

    fn look(&mut self) -> Found {
        let held = self.delimiter_len + 4;
        match self.finder.find(&self.buffer) {
            Some(start) => {
                let after = start + self.delimiter_len;
                let rest = self.buffer.get(after..).unwrap_or_default();
                let Some((last, used)) = delimiter_end(rest, self.ended) else {
                    // The bytes after the boundary's text decide; return the data before it meanwhile.
                    let safe = start.saturating_sub(1);
                    return if safe > 0 {
                        Found::Data(self.buffer.split_to(safe).freeze())
                    } else {
                        Found::More
                    };
                };
                let Some(used) = used else {
                    // The boundary's text inside the data.
                    return Found::Data(self.buffer.split_to(after).freeze());
                };
                let data_end = match start.checked_sub(1).and_then(|i| self.buffer.get(i)) {
                    Some(b'\r') => start - 1,
                    _ => start,
                };
                if data_end > 0 {
                    return Found::Data(self.buffer.split_to(data_end).freeze());
                }
                let _ = self.buffer.split_to(after + used);
                Found::Delimiter { last }
            }
            None if self.buffer.len() > held => {
                Found::Data(self.buffer.split_to(self.buffer.len() - held).freeze())
            }
            None => Found::More,
        }
    }

    async fn fill(&mut self) -> Result<()> {
        if self.ended {
            return Err(Error::invalid(
                "MultipartTruncated",
                "The multipart body ends before its closing boundary.",
            ));
        }
        match self.body.next().await {
            Some(chunk) => self.buffer.extend_from_slice(&chunk?),
            None => self.ended = true,
        }
        Ok(())
    }

    async fn headers(&mut self) -> Result<PartHeaders> {
        let mut headers = Vec::new();
        let mut total = 0;
        loop {
            let line = self.line(MAX_PART_HEADER_BYTES - total).await?;
            total += line.len() + 1;
            if line.is_empty() {
                return Ok(PartHeaders(headers));
            }
            let text = String::from_utf8_lossy(&line);
            let Some((name, value)) = text.split_once(':') else {
                return Err(Error::invalid(
                    "MultipartHeader",
                    "Failed to parse multipart request body part. Missing content type.",
                ));
            };
            headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }

    async fn line(&mut self, limit: usize) -> Result<Bytes> {
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.buffer) {
                let mut line = self.buffer.split_to(end + 1);
                line.truncate(if end > 0 && line[end - 1] == b'\r' { end - 1 } else { end });
                return Ok(line.freeze());
            }
            if self.buffer.len() > limit {
                return Err(Error::invalid(
                    "MultipartHeaderTooLong",
                    format!("The header lines of a part are longer than {MAX_PART_HEADER_BYTES} bytes."),
                ));
            }
            self.fill().await?;
        }
    }
}

/// Reads the bytes after a boundary's text: `None` needs more bytes; `(_, None)` means that this is not a delimiter.
fn delimiter_end(rest: &[u8], ended: bool) -> Option<(bool, Option<usize>)> {
    match rest {
        [b'-', b'-', ..] => Some((true, Some(2))),
        [b'-'] | [] if !ended => None,
        [] => Some((true, Some(0))),
        _ => {
            let blanks = rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            match rest.get(blanks..) {
                Some([b'\n', ..]) => Some((false, Some(blanks + 1))),
                Some([b'\r', b'\n', ..]) => Some((false, Some(blanks + 2))),
                Some([b'\r'] | []) if !ended && blanks < MAX_BOUNDARY_BYTES => None,
                _ => Some((false, None)),
            }
        }
    }
}

#[cfg(test)]
mod tests;
