//! Reading the bytes of files.

use std::ops::Range;

use docstore::Result;

use super::{Files, Place};
use crate::body::ByteStream;
use crate::catalog::Object;

impl Files {
    /// The bytes of an object that was just looked up. When it was replaced in between and its old content is
    /// gone, `None`: look it up again.
    ///
    /// # Errors
    /// `Unavailable` when the store fails.
    pub(crate) async fn bytes(&self, object: &Object, range: Range<u64>) -> Result<Option<ByteStream>> {
        match self.blobs.read(&object.key, range).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.tag() == "BlobMissing" => {
                let place = Place::parse(&object.meta.bucket, &object.meta.name)?;
                match self.catalog.get(&place.bucket, &place.name).await? {
                    // The same object still names a content that is not there: that is a loss.
                    Some(now) if now.key == object.key => Err(error),
                    _ => Ok(None),
                }
            }
            Err(error) => Err(error),
        }
    }
}
