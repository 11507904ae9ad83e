//! Firebase Storage and the Cloud Storage JSON API over an object store.
//!
//! Bytes go to an object store first ([`blobs`]), under keys that are written once. A file becomes visible by the
//! commit of its metadata document in the reserved database [`state::DATABASE`], in one commit with the counters of its
//! owner's quota; another commit removes it. Contents without a document are swept later.

pub mod access;
pub mod blobs;
pub mod body;
pub mod catalog;
mod cloud;
pub mod digest;
mod files;
mod firebase;
mod http;
mod internal;
pub mod meta;
pub mod names;
mod offline;
pub mod options;
mod records;
mod router;
pub mod sessions;
pub mod sniff;
pub mod state;
mod status;
pub mod sweep;
pub mod thumbs;

pub use access::rules_access::{FileDenial, RulesAccess};
pub use access::{Method, OwnSubtree, Request, RulesSource, StorageAccess};
pub use names::ObjectName;
pub use offline::lost::{LostFile, LostFiles};
pub use offline::{FileCatalog, KeptContent, end_uploads};
pub use options::{
    BlobOptions, EMULATOR_FILE_BYTES, Limits, Quota, Quotas, S3Options, S3Waits, StorageOptions,
};
pub use router::router;
pub use state::{DATABASE, StorageState};

#[cfg(test)]
mod tests;
