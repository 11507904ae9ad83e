//! Copies that callers make of files which they may read.

use docstore::access::Caller;
use docstore::{Code, Error, Result};

use super::{Files, MAX_DECISIONS, Place, new_token};
use crate::access::Method;
use crate::catalog::{Content, NewObject, Object};

impl Files {
    /// Copies a file that `reader` may read for a caller who may create the copy. The content is shared, not copied. The copy has
    /// one download token of its own, and counts like an upload. A copy that is there already stays as it is.
    ///
    /// # Errors
    /// `PermissionDenied`, `NotFound`, `ResourceExhausted` (quota), `AlreadyExists` (`ObjectExists`) if another content is
    /// there.
    pub(crate) async fn copy_for(
        &self,
        reader: &Caller,
        caller: &Caller,
        source: &Place,
        target: &Place,
    ) -> Result<Object> {
        for _ in 0..MAX_DECISIONS {
            let from = self.get(reader, source, None).await?;
            let before = self.catalog.get(&target.bucket, &target.name).await?;
            if let Some(before) = before {
                self.get(caller, target, None).await?;
                return if before.meta.digests.sha256 == from.meta.digests.sha256 {
                    self.with_token(target, before).await
                } else {
                    Err(exists(target))
                };
            }
            let mut set = from.meta.set.clone();
            set.tokens = vec![new_token()];
            let owner = self.owner(caller, target).await?;
            let mut after = self.proposed(owner, target, &set, from.meta.digests.clone(), None);
            after.sniffed.clone_from(&from.meta.sniffed);
            after.dimensions = from.meta.dimensions;
            let at = (target.bucket.as_str(), target.name.as_str());
            self.allow(caller, Method::Create, at, None, Some(&after)).await?;
            let new = NewObject {
                bucket: target.bucket.clone(),
                name: target.name.clone(),
                owner: after.owner,
                components: from.meta.components,
                content: Content::Of(Box::new(from)),
                set,
                unlimited: matches!(caller, Caller::Admin),
                condition: crate::catalog::Condition::default(),
                seen: None,
            };
            match self.catalog.place(&new).await {
                Err(error) if error.tag() == "Contention" => {}
                placed => return placed,
            }
        }
        Err(crate::records::contention())
    }
}

fn exists(place: &Place) -> Error {
    let message = format!("There is another file at {} already.", place.name.as_str());
    Error::new(Code::AlreadyExists, "ObjectExists", message)
}
