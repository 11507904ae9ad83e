//! Files that count for somebody else from now on: those of a folder whose owner changed.

use std::collections::{BTreeMap, BTreeSet};

use docstore::Result;

use super::usage::Copies;
use super::{Catalog, ListRequest, Object, Usage, copies_document, usage_document};
use crate::names::{BucketName, ObjectName};
use crate::records::{MAX_ATTEMPTS, contention};

impl Catalog {
    /// Checks that the files whose names begin with `folder` would fit the quota of `owner` beside those that they have.
    ///
    /// # Errors
    /// `ResourceExhausted` (`QuotaBytes`, `QuotaFiles`); those of the records.
    pub(crate) async fn would_fit(&self, buckets: &[BucketName], folder: &str, owner: &str) -> Result<()> {
        let path = usage_document(owner)?;
        let mut unit = self.unit();
        unit.load(&[&path]).await?;
        let before: Usage = unit.get(&path)?.unwrap_or_default();
        let mut after = before;
        let mut counted = BTreeSet::new();
        for bucket in buckets {
            let mut request = ListRequest { prefix: folder.to_owned(), ..ListRequest::default() };
            loop {
                let page = self.list(bucket, &request).await?;
                let others = page.items.iter().filter(|object| object.meta.owner.as_deref() != Some(owner));
                let mut new = BTreeMap::new();
                for object in others {
                    after.files += 1;
                    let content = &object.meta.digests;
                    if counted.insert(content.sha256.clone()) {
                        new.insert(copies_document(owner, &content.sha256)?, content.size);
                    }
                }
                let mut unit = self.unit();
                unit.load(&new.keys().collect::<Vec<_>>()).await?;
                for (path, size) in &new {
                    if unit.get::<Copies>(path)?.is_none() {
                        after.bytes += size;
                    }
                }
                request.page_token = page.next_page_token;
                if request.page_token.is_none() {
                    break;
                }
            }
        }
        self.check(before, after, self.quotas.of(owner).await?)
    }

    /// Counts each file whose name begins with `folder` for the owner that its name has now, whatever their quota. Returns
    /// the number of files that changed.
    ///
    /// # Errors
    /// Those of the records; what was counted by then stays counted, and another call continues.
    pub(crate) async fn recount_folder(&self, bucket: &BucketName, folder: &str) -> Result<u64> {
        let mut request = ListRequest { prefix: folder.to_owned(), ..ListRequest::default() };
        let mut changed = 0;
        loop {
            let page = self.list(bucket, &request).await?;
            for object in page.items {
                let name = ObjectName::parse(&object.meta.name)?;
                changed += u64::from(self.recount(bucket, &name, &object).await?);
            }
            request.page_token = page.next_page_token;
            if request.page_token.is_none() {
                return Ok(changed);
            }
        }
    }

    async fn recount(&self, bucket: &BucketName, name: &ObjectName, listed: &Object) -> Result<bool> {
        let owner = self.owner_of(name).await?;
        // A file of nobody, as below a project that is gone, stays with whoever it counted for.
        if owner.is_none() || listed.meta.owner == owner {
            return Ok(false);
        }
        let path = name.document(bucket)?;
        let _lock = self.lock(owner.as_deref()).await;
        for _ in 0..MAX_ATTEMPTS {
            let mut unit = self.unit();
            unit.load(&[&path]).await?;
            let Some(mut object) = unit.get::<Object>(&path)?.filter(|object| object.meta.owner != owner)
            else {
                return Ok(false);
            };
            self.credit_file(&mut unit, object.meta.owner.as_deref(), &object.meta.digests).await?;
            self.charge_file(&mut unit, owner.as_deref(), true, &object.meta.digests).await?;
            object.meta.owner.clone_from(&owner);
            unit.put(&path, &object)?;
            if unit.commit().await? {
                return Ok(true);
            }
        }
        Err(contention())
    }
}
