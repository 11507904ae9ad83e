//! Addresses of an account's library: what somebody uses again in project after project.

use docstore::Result;
use docstore::model::CollectionPath;

/// The images of an account's library.
///
/// # Errors
/// `InvalidArgument` for a text that is no id.
pub(crate) fn images(uid: &str) -> Result<CollectionPath> {
    CollectionPath::parse(&format!("users/{uid}/library/images/items"))
}

/// The layouts of an account's library.
///
/// # Errors
/// `InvalidArgument` for a text that is no id.
pub(crate) fn layouts(uid: &str) -> Result<CollectionPath> {
    CollectionPath::parse(&format!("users/{uid}/library/layouts/items"))
}

/// Folder of the files of an account's fonts. They have no documents: the account's settings list them.
pub(crate) fn font_files(uid: &str) -> String {
    format!("users/{uid}/fonts")
}

/// Folder of the files of an account's images.
pub(crate) fn image_files(uid: &str) -> String {
    format!("users/{uid}/images")
}
