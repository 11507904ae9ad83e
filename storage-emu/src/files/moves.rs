//! Objects that get another name in their bucket.

use docstore::{Error, Result};

use super::{Files, Place, Source};
use crate::catalog::{Condition, Content, NewObject, Object, missing};
use crate::meta::storage_class;
use crate::names::ObjectName;
use crate::records::{MAX_ATTEMPTS, contention};

impl Files {
    /// Gives an object another name, for administrators: in one commit, with its metadata, as a new generation. An object
    /// that has the name is replaced.
    ///
    /// # Errors
    /// `InvalidArgument` (`MoveToItself`), `NotFound`, `FailedPrecondition`.
    pub(crate) async fn rename(
        &self,
        source: &Source,
        name: &ObjectName,
        condition: Condition,
    ) -> Result<Object> {
        let Place { bucket, name: old_name } = &source.place;
        if old_name == name {
            let message = "The source and destination objects of a move must have different names.";
            return Err(Error::invalid("MoveToItself", message));
        }
        let catalog = &self.catalog;
        let (from_path, to_path) = (old_name.document(bucket)?, name.document(bucket)?);
        let owner = catalog.owner_of(name).await?;
        let _lock = catalog.lock(owner.as_deref()).await;
        for _ in 0..MAX_ATTEMPTS {
            let mut unit = catalog.unit();
            unit.load(&[&from_path, &to_path]).await?;
            let from: Option<Object> = unit.get(&from_path)?;
            let from = from.ok_or_else(|| missing(bucket.as_str(), old_name.as_str()))?;
            source.condition.check(Some(&from))?;
            let mut set = from.meta.set.clone();
            set.tokens.iter_mut().for_each(|token| token.minted = false);
            set.storage_class.get_or_insert_with(|| storage_class::DEFAULT.to_owned());
            let new = NewObject {
                bucket: bucket.clone(),
                name: name.clone(),
                owner: owner.clone(),
                components: from.meta.components,
                content: Content::Of(Box::new(from.clone())),
                set,
                unlimited: true,
                condition,
                seen: unit.get::<Object>(&to_path)?.map(|old| old.meta.generation),
            };
            let placed = catalog.place_in(&mut unit, &new).await?;
            catalog.release(&mut unit, &from).await?;
            unit.delete(&from_path);
            if unit.commit().await? {
                return Ok(placed);
            }
        }
        Err(contention())
    }
}
