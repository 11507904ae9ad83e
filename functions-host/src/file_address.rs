//! Addresses of files, as documents have them.

use docstore::Result;
use percent_encoding::percent_decode_str;
use storage_emu::FileCatalog;
use storage_emu::meta::ObjectMeta;
use storage_emu::meta::json::encode_component;
use url::Url;

/// Base of addresses that name no server.
const HERE: &str = "http://here";

/// An address that opens a file for whoever has it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Address<'a> {
    /// Its beginning: the server, or nothing.
    before: &'a str,
    pub(crate) bucket: String,
    pub(crate) name: String,
    token: String,
}

impl<'a> Address<'a> {
    /// Reads an address; `None` for one of no file, or without a token.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let (before, _) = text.split_once("/v0/b/")?;
        let url = Url::parse(HERE).ok()?.join(text).ok()?;
        let mut segments = url.path_segments()?.rev();
        let (name, kind, bucket) = (segments.next()?, segments.next()?, segments.next()?);
        let name = percent_decode_str(name).decode_utf8().ok()?.into_owned();
        let (_, token) = url.query_pairs().find(|(key, _)| key == "token")?;
        (kind == "o").then(|| Self { before, bucket: bucket.to_owned(), name, token: token.into_owned() })
    }

    /// The file, if it is there and the address opens it.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn file(&self, files: &FileCatalog) -> Result<Option<ObjectMeta>> {
        self.opened(files.stored(&self.bucket, &self.name).await)
    }

    /// A file that was looked up by this address, if the address opens it.
    ///
    /// # Errors
    /// Those of the look-up.
    pub(crate) fn opened(&self, found: Result<Option<ObjectMeta>>) -> Result<Option<ObjectMeta>> {
        match found {
            Ok(file) => Ok(file.filter(|file| file.token(&self.token).is_some())),
            // No file can have such a name.
            Err(error) if error.code() == docstore::Code::InvalidArgument => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The address of another file of the same server.
    pub(crate) fn of(&self, file: &ObjectMeta) -> String {
        url_of(self.before, file)
    }
}

/// The address that opens a file. It begins with `before`: the server, or nothing.
pub(crate) fn url_of(before: &str, file: &ObjectMeta) -> String {
    let token = file.set.tokens.first().map(|token| token.value.as_str()).unwrap_or_default();
    format!("{before}/v0/b/{}/o/{}?alt=media&token={token}", file.bucket, encode_component(&file.name))
}
