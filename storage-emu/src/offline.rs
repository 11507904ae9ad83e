//! Files without a server: an upgrade of documents looks files up, and copies them; a backup finds their contents.

pub(super) mod lost;

use std::pin::pin;
use std::sync::Arc;

use docstore::clock::Clock;
use docstore::model::{DatabaseId, Document, Ts};
use docstore::{Code, Error, Result, Store};
use futures::TryStreamExt as _;

use crate::blobs::Blobs;
use crate::catalog::{Catalog, Condition, Content, ContentRecord, NewObject, missing};
use crate::files::{Place, new_token};
use crate::meta::{ObjectMeta, from_fields};
use crate::options::Limits;
use crate::records::database::DatabaseRecords;
use crate::sessions::{Sessions, Status};
use crate::state::DATABASE;

/// Metadata of a project's files, in its store. Contents stay where they are.
#[derive(Debug, Clone)]
pub struct FileCatalog(Catalog);

impl FileCatalog {
    /// The files of a project.
    pub fn new(store: &Store, project: &str) -> Self {
        let records = DatabaseRecords(store.database(&DatabaseId::new(project, DATABASE)));
        let limits = Limits::default();
        Self(Catalog::new(Arc::new(records), Arc::new(Of(store.clone())), limits, Arc::new(limits)))
    }

    pub(crate) const fn catalog(&self) -> &Catalog {
        &self.0
    }

    /// Metadata of a file; `None` if there is none.
    ///
    /// # Errors
    /// `InvalidArgument` for a name that no file can have; the database's own.
    pub async fn stored(&self, bucket: &str, name: &str) -> Result<Option<ObjectMeta>> {
        let place = Place::parse(bucket, name)?;
        Ok(self.0.get(&place.bucket, &place.name).await?.map(|object| object.meta))
    }

    /// Copies a file, for `owner`, whose quota counts the copy and does not bind it. The content is shared; the copy has one
    /// download token of its own. A copy that is there already stays as it is.
    ///
    /// # Errors
    /// `InvalidArgument` for a name that no file can have, `NotFound`, `AlreadyExists` if another content is there; the
    /// database's own.
    pub async fn copy(&self, owner: &str, bucket: &str, from: &str, to: &str) -> Result<ObjectMeta> {
        let (source, target) = (Place::parse(bucket, from)?, Place::parse(bucket, to)?);
        let Some(from) = self.0.get(&source.bucket, &source.name).await? else {
            return Err(missing(bucket, from));
        };
        if let Some(before) = self.0.get(&target.bucket, &target.name).await? {
            return if before.meta.digests.sha256 == from.meta.digests.sha256 {
                Ok(before.meta)
            } else {
                let message = format!("There is another file at {to} already.");
                Err(Error::new(Code::AlreadyExists, "ObjectExists", message))
            };
        }
        let mut set = from.meta.set.clone();
        set.tokens = vec![new_token()];
        let new = NewObject {
            bucket: target.bucket,
            name: target.name,
            owner: Some(owner.to_owned()),
            components: from.meta.components,
            content: Content::Of(Box::new(from)),
            set,
            unlimited: true,
            condition: Condition::default(),
            seen: None,
        };
        Ok(self.0.place(&new).await?.meta)
    }
}

/// A content that files have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptContent {
    /// Its key in the blob store.
    pub key: String,
    /// Its checksum, in hexadecimal digits.
    pub sha256: String,
    /// Length in bytes.
    pub size: u64,
}

impl KeptContent {
    /// The content that a stored document of a project's files is about; `None` for other documents.
    ///
    /// # Errors
    /// `DataLoss` (`RecordRead`) if the document is damaged.
    pub fn of(database: &DatabaseId, document: &Document) -> Result<Option<Self>> {
        let path = document.path.to_string();
        let sha256 = path.strip_prefix("contents/").filter(|rest| !rest.contains('/'));
        let (DATABASE, Some(sha256)) = (&*database.database, sha256) else { return Ok(None) };
        let record: ContentRecord = from_fields(&document.fields)?;
        Ok(Some(Self { key: record.key, sha256: sha256.to_owned(), size: record.size }))
    }
}

/// Ends the uploads under way of a project, of which a backup has no bytes. Their clients begin anew. Returns their number.
///
/// # Errors
/// The database's own, and those of the blob store.
pub async fn end_uploads(store: &Store, project: &str, blobs: &Blobs) -> Result<u64> {
    let FileCatalog(catalog) = FileCatalog::new(store, project);
    let sessions = Sessions { catalog, blobs: blobs.clone() };
    let mut ended = 0;
    let mut all = pin!(sessions.all());
    while let Some((id, session)) = all.try_next().await? {
        if session.status == Status::Active {
            sessions.cancel(&id).await?;
            ended += 1;
        }
    }
    Ok(ended)
}

/// The clock of a store.
#[derive(Debug)]
struct Of(Store);

impl Clock for Of {
    fn now(&self) -> Ts {
        self.0.clock().now()
    }
}
