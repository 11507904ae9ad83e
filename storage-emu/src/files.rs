//! Operations on files, shared by both APIs: consults the access policy and decides on quotas and types.

mod copies;
mod moves;
mod read;
mod upload;

use docstore::access::{Caller, Mode};
use docstore::{Code, Error, Result};

use crate::access::{Method, Request, StorageAccess};
use crate::blobs::Blobs;
use crate::catalog::{Catalog, Condition, Content, ListRequest, Listing, NewObject, Object, missing};
use crate::meta::json::Patch;
use crate::meta::{DownloadToken, ObjectMeta};
use crate::names::{BucketName, ObjectName};
use crate::sessions::Sessions;

pub(crate) use upload::{Start, Upload};

/// Decisions taken again at most because the object changed after the last one.
const MAX_DECISIONS: u32 = 8;

/// An object's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) bucket: BucketName,
    pub(crate) name: ObjectName,
}

impl Place {
    pub(crate) fn parse(bucket: &str, name: &str) -> Result<Self> {
        Ok(Self { bucket: BucketName::parse(bucket)?, name: ObjectName::parse(name)? })
    }
}

/// An object that is copied or moved.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) place: Place,
    /// The generation that is asked for, if one is.
    pub(crate) generation: Option<u64>,
    pub(crate) condition: Condition,
}

/// Files.
#[derive(Debug, Clone)]
pub(crate) struct Files {
    pub(crate) catalog: Catalog,
    pub(crate) blobs: Blobs,
    pub(crate) sessions: Sessions,
    pub(crate) access: std::sync::Arc<dyn StorageAccess>,
    pub(crate) mode: Mode,
    pub(crate) active_svg: bool,
}

impl Files {
    async fn allow(
        &self,
        caller: &Caller,
        method: Method,
        place: (&str, &str),
        before: Option<&ObjectMeta>,
        after: Option<&ObjectMeta>,
    ) -> Result<()> {
        if matches!(caller, Caller::Admin) {
            return Ok(());
        }
        let now = self.catalog.clock.now();
        let request = Request { caller, method, bucket: place.0, path: place.1, before, after, now };
        if self.access.allows(request).await? { Ok(()) } else { Err(denied(method)) }
    }

    /// The object, when the caller may read it or has a token of it; a token is made when it has none.
    ///
    /// # Errors
    /// `PermissionDenied`, `NotFound`.
    pub(crate) async fn get(&self, caller: &Caller, place: &Place, token: Option<&str>) -> Result<Object> {
        let object = self.catalog.get(&place.bucket, &place.name).await?;
        let opened =
            object.as_ref().is_some_and(|o| token.is_some_and(|token| o.meta.token(token).is_some()));
        if !opened {
            let at = (place.bucket.as_str(), place.name.as_str());
            self.allow(caller, Method::Get, at, object.as_ref().map(|o| &o.meta), None).await?;
        }
        object.ok_or_else(|| missing(place.bucket.as_str(), place.name.as_str()))
    }

    /// Gives the object a download token unless it has one.
    pub(crate) async fn with_token(&self, place: &Place, object: Object) -> Result<Object> {
        if !object.meta.set.tokens.is_empty() {
            return Ok(object);
        }
        let token = new_token();
        self.catalog
            .change(&place.bucket, &place.name, Condition::default(), |meta| {
                if meta.set.tokens.is_empty() {
                    meta.set.tokens.push(token.clone());
                }
                Ok(())
            })
            .await
    }

    /// Changes metadata.
    ///
    /// # Errors
    /// `PermissionDenied`, `NotFound`, `FailedPrecondition`; those of [`Patch::apply`].
    pub(crate) async fn update(
        &self,
        caller: &Caller,
        place: &Place,
        patch: &Patch,
        condition: Condition,
    ) -> Result<Object> {
        for _ in 0..MAX_DECISIONS {
            let before = self.catalog.get(&place.bucket, &place.name).await?;
            let after = match &before {
                Some(before) => {
                    let mut after = before.meta.clone();
                    self.patch(caller, patch, &mut after)?;
                    Some(after)
                }
                None => None,
            };
            let at = (place.bucket.as_str(), place.name.as_str());
            self.allow(caller, Method::Update, at, before.as_ref().map(|o| &o.meta), after.as_ref()).await?;
            let Some(before) = before else {
                return Err(missing(place.bucket.as_str(), place.name.as_str()));
            };
            condition.check(Some(&before))?;
            // The policy's decision holds only for the version it saw.
            let seen = Condition {
                generation: Some(before.meta.generation),
                metageneration: Some(before.meta.metageneration),
                ..Condition::default()
            };
            let changed = self
                .catalog
                .change(&place.bucket, &place.name, seen, |meta| self.patch(caller, patch, meta))
                .await;
            match changed {
                Err(error) if error.tag() == "ConditionNotMet" => {}
                changed => return changed,
            }
        }
        Err(crate::records::contention())
    }

    fn patch(&self, caller: &Caller, patch: &Patch, meta: &mut ObjectMeta) -> Result<()> {
        let tokens = meta.set.tokens.clone();
        let class = meta.set.storage_class.clone();
        patch.apply(&mut meta.set)?;
        // Another class takes a rewrite; here the field is read-only.
        meta.set.storage_class = class;
        if !matches!(caller, Caller::Admin) {
            // Tokens are the server's to make: a chosen one could be guessed.
            meta.set.tokens = tokens;
        }
        self.settle_type(caller, &mut meta.set.content_type, meta.sniffed.as_deref());
        Ok(())
    }

    /// Keeps a user's word about the content type only as far as the bytes agree.
    fn settle_type(&self, caller: &Caller, content_type: &mut Option<String>, sniffed: Option<&str>) {
        if self.mode == Mode::Serving && !matches!(caller, Caller::Admin) {
            let effective = crate::meta::served_type::effective(content_type.as_deref(), sniffed).to_owned();
            *content_type = Some(effective);
        }
    }

    /// Removes an object.
    ///
    /// # Errors
    /// `PermissionDenied`, `NotFound`, `FailedPrecondition`.
    pub(crate) async fn delete(
        &self,
        caller: &Caller,
        place: &Place,
        condition: Condition,
    ) -> Result<Object> {
        let before = self.catalog.get(&place.bucket, &place.name).await?;
        let at = (place.bucket.as_str(), place.name.as_str());
        self.allow(caller, Method::Delete, at, before.as_ref().map(|o| &o.meta), None).await?;
        let Some(before) = before else { return Err(missing(place.bucket.as_str(), place.name.as_str())) };
        condition.check(Some(&before))?;
        let seen = Condition { generation: Some(before.meta.generation), ..condition };
        self.catalog.delete(&place.bucket, &place.name, seen).await
    }

    /// Lists objects.
    ///
    /// # Errors
    /// `PermissionDenied`, `InvalidArgument` for a bad page token.
    pub(crate) async fn list(
        &self,
        caller: &Caller,
        bucket: &BucketName,
        request: &ListRequest,
    ) -> Result<Listing> {
        let path = request.prefix.trim_end_matches('/');
        self.allow(caller, Method::List, (bucket.as_str(), path), None, None).await?;
        self.catalog.list(bucket, request).await
    }

    /// The current object, for administrators.
    ///
    /// # Errors
    /// `NotFound`, also for another generation: older ones are not kept.
    pub(crate) async fn live(&self, place: &Place, generation: Option<u64>) -> Result<Object> {
        let object = self.catalog.get(&place.bucket, &place.name).await?;
        let (bucket, name) = (place.bucket.as_str(), place.name.as_str());
        let object = object.ok_or_else(|| missing(bucket, name))?;
        match generation {
            Some(asked) if asked != object.meta.generation => {
                Err(missing(bucket, &format!("{name}#{asked}")))
            }
            _ => Ok(object),
        }
    }

    /// Makes a new download token, or takes one away; the last one is replaced. For administrators.
    ///
    /// # Errors
    /// `PermissionDenied` (`NotAdmin`), `NotFound`.
    pub(crate) async fn change_token(
        &self,
        caller: &Caller,
        place: &Place,
        revoke: Option<&str>,
    ) -> Result<Object> {
        if !matches!(caller, Caller::Admin) {
            return Err(Error::new(Code::PermissionDenied, "NotAdmin", "Missing admin credentials."));
        }
        let fresh = new_token();
        self.catalog
            .change(&place.bucket, &place.name, Condition::default(), |meta| {
                let tokens = &mut meta.set.tokens;
                match revoke {
                    Some(revoked) => tokens.retain(|token| token.value != revoked),
                    None => tokens.push(fresh.clone()),
                }
                if tokens.is_empty() {
                    tokens.push(fresh.clone());
                }
                Patch::default().apply(&mut meta.set)
            })
            .await
    }

    /// Copies an object, of the generation that is asked for if one is, for administrators. The content is shared, not copied.
    ///
    /// # Errors
    /// `NotFound`, `FailedPrecondition`, those of [`Patch::apply`].
    pub(crate) async fn copy(
        &self,
        source: &Source,
        target: &Place,
        patch: Patch,
        condition: Condition,
    ) -> Result<Object> {
        for _ in 0..MAX_DECISIONS {
            let from = self.live(&source.place, source.generation).await?;
            source.condition.check(Some(&from))?;
            let mut set = from.meta.set.clone();
            // A copy has the class that it is given, or its bucket's.
            set.storage_class = None;
            if patch.replaces_custom() {
                set.custom.clear();
                set.tokens.clear();
            }
            if patch.replaces_contexts() {
                set.contexts.clear();
            }
            // A token that moves with a copy was not made for this content alone.
            set.tokens.iter_mut().for_each(|token| token.minted = false);
            patch.clone().null_custom_to_empty().apply(&mut set)?;
            let new = NewObject {
                bucket: target.bucket.clone(),
                name: target.name.clone(),
                owner: self.catalog.owner_of(&target.name).await?,
                components: from.meta.components,
                content: Content::Of(Box::new(from)),
                set,
                unlimited: true,
                condition,
                seen: self.catalog.get(&target.bucket, &target.name).await?.map(|old| old.meta.generation),
            };
            match self.catalog.place(&new).await {
                Err(error) if error.tag() == "Contention" => {}
                placed => return placed,
            }
        }
        Err(crate::records::contention())
    }
}

/// A token of 128 random bits, in the shape of a UUID.
pub(crate) fn new_token() -> DownloadToken {
    let random = rand::random::<u128>();
    let hex = format!("{:032x}", (random & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62));
    let piece = |range| hex.get(range).unwrap_or_default();
    let value = [piece(0..8), piece(8..12), piece(12..16), piece(16..20), piece(20..32)].join("-");
    DownloadToken { value, minted: true }
}

/// The refusal of the access policy.
pub(crate) fn denied(method: Method) -> Error {
    Error::new(
        Code::PermissionDenied,
        "AccessDenied",
        format!("Permission denied. No {} permission.", method.permission()),
    )
}
