//! Storing files: in one request, or in many.

use docstore::access::{Caller, Mode};
use docstore::{Code, Error, Result};

use super::{Files, MAX_DECISIONS, Place, new_token};
use crate::access::Method;
use crate::blobs::Stored;
use crate::body::ByteStream;
use crate::catalog::{Condition, Content, NewObject, Object};
use crate::digest::Hasher;
use crate::digest::expected::Expected;
use crate::meta::json::Patch;
use crate::meta::{ObjectMeta, Settable};
use crate::sessions::{Session, Status, StoredCaller};

/// A file that arrives in one request.
#[derive(Debug, Clone)]
pub(crate) struct Upload {
    pub(crate) place: Place,
    pub(crate) patch: Patch,
    pub(crate) condition: Condition,
    /// Checksums that the bytes must have.
    pub(crate) expected: Expected,
    /// Number of objects it is composed of; `None` for an upload.
    pub(crate) components: Option<u32>,
    /// The Firebase API gives every new file a download token.
    pub(crate) with_token: bool,
}

impl Upload {
    /// An upload to a place, of which nothing else is asked.
    pub(crate) fn at(place: Place) -> Self {
        Self {
            place,
            patch: Patch::default(),
            condition: Condition::default(),
            expected: Expected::default(),
            components: None,
            with_token: false,
        }
    }
}

/// The beginning of a resumable upload.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub(crate) upload: Upload,
    /// Bytes the client announced.
    pub(crate) declared: Option<u64>,
}

impl Files {
    /// Stores a file.
    ///
    /// # Errors
    /// `PermissionDenied`, `ResourceExhausted` (file too large, image too large, quota), `FailedPrecondition`.
    pub(crate) async fn upload(&self, caller: &Caller, upload: &Upload, body: ByteStream) -> Result<Object> {
        let set = settable(caller, upload)?;
        let stored = self.take_in(caller, &upload.place, &set, None, body).await?;
        let outcome = match upload.expected.check(&stored.digests) {
            Ok(()) => self.make_visible(caller, upload, &set, &stored, None).await,
            Err(error) => Err(error),
        };
        self.keep_or_remove(&stored, &outcome).await;
        outcome
    }

    /// Opens a resumable upload.
    ///
    /// # Errors
    /// Those of [`Self::upload`] that can be decided already.
    pub(crate) async fn start(&self, caller: &Caller, start: &Start) -> Result<String> {
        let place = &start.upload.place;
        let set = settable(caller, &start.upload)?;
        self.refuse_early(caller, place, &set, start.declared).await?;
        self.sessions
            .start(&Session {
                bucket: place.bucket.as_str().to_owned(),
                name: place.name.as_str().to_owned(),
                set,
                condition: start.upload.condition,
                expected: start.upload.expected,
                caller: StoredCaller::from(caller),
                owner: self.owner(caller, place).await?,
                status: Status::Active,
                received: 0,
                declared: start.declared,
                parts: Vec::new(),
                updated: self.catalog.clock.now().micros(),
                code: None,
                result: None,
            })
            .await
    }

    /// Finishes a resumable upload. Doing so again answers the same. `expected` adds to the checksums announced at its
    /// start.
    ///
    /// # Errors
    /// As [`Self::upload`]; the session ends with a denial or a refusal, but not with a failure of the store.
    pub(crate) async fn finalize(&self, id: &str, expected: Expected) -> Result<Object> {
        let session = self.sessions.get(id).await?;
        if let Some(done) = session.result {
            return Ok(done);
        }
        if session.status != Status::Active {
            return Err(ended(&session));
        }
        if let Some(declared) = session.declared
            && declared != session.received
        {
            return Err(Error::new(
                Code::OutOfRange,
                "UploadIncomplete",
                format!("{declared} bytes were announced and {} are here; send the rest.", session.received),
            ));
        }
        let caller = Caller::from(&session.caller);
        let place = Place::parse(&session.bucket, &session.name)?;
        let body = self.sessions.bytes(&session);
        let stored = self.blobs.store(body, self.catalog.limits.file_bytes).await?;
        let upload = Upload { condition: session.condition, ..Upload::at(place) };
        let expected = expected.and(session.expected);
        let outcome = match expected.and_then(|expected| expected.check(&stored.digests)) {
            Ok(()) => self.make_visible(&caller, &upload, &session.set, &stored, Some(id)).await,
            Err(error) => Err(error),
        };
        self.keep_or_remove(&stored, &outcome).await;
        if let Err(error) = &outcome
            && matches!(
                (error.code(), error.tag()),
                (Code::PermissionDenied | Code::ResourceExhausted | Code::InvalidArgument, _)
                    | (_, "ConditionNotMet")
            )
        {
            let code = crate::status::status(error).as_u16();
            self.sessions.end(id, Status::Final, code).await?;
        }
        outcome
    }

    /// Refuses early, before any bytes are received, whatever can be refused without them.
    async fn refuse_early(
        &self,
        caller: &Caller,
        place: &Place,
        set: &Settable,
        declared: Option<u64>,
    ) -> Result<()> {
        if self.mode == Mode::Emulator || matches!(caller, Caller::Admin) {
            return Ok(());
        }
        // A signed-in user may leave the type to the bytes, which are not here yet.
        if set.content_type.is_none() && matches!(caller, Caller::User(_)) {
            return Ok(());
        }
        let before = self.catalog.get(&place.bucket, &place.name).await?;
        let digests = crate::digest::Digests { size: declared.unwrap_or(0), ..Hasher::default().finish() };
        let owner = self.owner(caller, place).await?;
        let after = self.proposed(owner, place, set, digests, before.as_ref());
        let at = (place.bucket.as_str(), place.name.as_str());
        self.allow(caller, Method::Create, at, before.as_ref().map(|o| &o.meta), Some(&after)).await
    }

    async fn take_in(
        &self,
        caller: &Caller,
        place: &Place,
        set: &Settable,
        declared: Option<u64>,
        body: ByteStream,
    ) -> Result<Stored> {
        // A caller without write access must not be able to fill the disk.
        if self.mode == Mode::Serving && matches!(caller, Caller::Anonymous) {
            self.refuse_early(caller, place, set, declared).await?;
        }
        self.blobs.store(body, self.catalog.limits.file_bytes).await
    }

    async fn make_visible(
        &self,
        caller: &Caller,
        upload: &Upload,
        set: &Settable,
        stored: &Stored,
        session: Option<&str>,
    ) -> Result<Object> {
        let admin = matches!(caller, Caller::Admin);
        let limit = self.catalog.limits.image_pixels;
        if let Some(size) = stored.sniffed.dimensions
            && (size.pixels() > limit || size.width == 0 || size.height == 0)
        {
            return Err(Error::new(
                Code::ResourceExhausted,
                "ImageTooLarge",
                format!(
                    "The image says it is {} × {} pixels; images may have 1 to {limit} pixels here.",
                    size.width, size.height
                ),
            ));
        }
        if stored.sniffed.active_svg && self.mode == Mode::Serving && !self.active_svg && !admin {
            return Err(Error::new(
                Code::InvalidArgument,
                "ActiveSvg",
                "The SVG is damaged, runs something or brings something from elsewhere (scripts, handlers, animations, \
                 references to other files). Save it as plain SVG without them.",
            ));
        }
        let place = &upload.place;
        let owner = self.owner(caller, place).await?;
        for _ in 0..MAX_DECISIONS {
            let before = self.catalog.get(&place.bucket, &place.name).await?;
            let mut after = self.proposed(owner.clone(), place, set, stored.digests.clone(), before.as_ref());
            after.sniffed = stored.sniffed.media_type.map(str::to_owned);
            after.dimensions = stored.sniffed.dimensions;
            self.settle_type(caller, &mut after.set.content_type, stored.sniffed.media_type);
            let at = (place.bucket.as_str(), place.name.as_str());
            self.allow(caller, Method::Create, at, before.as_ref().map(|o| &o.meta), Some(&after)).await?;
            let new = NewObject {
                bucket: place.bucket.clone(),
                name: place.name.clone(),
                content: Content::Fresh(stored.clone()),
                set: after.set,
                components: upload.components,
                owner: after.owner,
                unlimited: admin,
                condition: upload.condition,
                seen: before.map(|old| old.meta.generation),
            };
            let placed = match session {
                Some(id) => self.sessions.finish(id, &new).await,
                None => self.catalog.place(&new).await,
            };
            match placed {
                Err(error) if error.tag() == "Contention" => {}
                placed => return placed,
            }
        }
        Err(crate::records::contention())
    }

    /// The metadata the new file would have, for the policy's decision.
    pub(super) fn proposed(
        &self,
        owner: Option<String>,
        place: &Place,
        set: &Settable,
        digests: crate::digest::Digests,
        before: Option<&Object>,
    ) -> ObjectMeta {
        let now = self.catalog.clock.now().micros();
        ObjectMeta {
            bucket: place.bucket.as_str().to_owned(),
            name: place.name.as_str().to_owned(),
            generation: now.max(before.map_or(0, |before| before.meta.generation + 1)),
            metageneration: 1,
            created: now,
            updated: now,
            digests,
            sniffed: None,
            dimensions: None,
            components: None,
            owner,
            set: set.clone(),
        }
    }

    /// Owner whose quota is charged: whoever the name belongs to, else the caller.
    pub(super) async fn owner(&self, caller: &Caller, place: &Place) -> Result<Option<String>> {
        Ok(self.catalog.owner_of(&place.name).await?.or_else(|| match caller {
            Caller::User(auth) => Some(auth.uid.clone()),
            Caller::Admin | Caller::Anonymous => None,
        }))
    }

    /// Removes a stored content that did not become visible, at once instead of by the sweep.
    async fn keep_or_remove(&self, stored: &Stored, outcome: &Result<Object>) {
        let superfluous = match outcome {
            Ok(object) => object.key != stored.key,
            // Only a refusal is certain not to have been committed; all else is left to the sweep.
            Err(error) => matches!(
                error.code(),
                Code::PermissionDenied
                    | Code::ResourceExhausted
                    | Code::InvalidArgument
                    | Code::FailedPrecondition
            ),
        };
        if superfluous && let Err(error) = self.blobs.remove(&stored.key).await {
            tracing::warn!(%error, key = %stored.key, "an unneeded content could not be removed; the sweep will remove it");
        }
    }
}

/// The metadata a client wants for a new file.
fn settable(caller: &Caller, upload: &Upload) -> Result<Settable> {
    let mut set = Settable::default();
    upload.patch.apply(&mut set)?;
    if !matches!(caller, Caller::Admin) {
        // Tokens are the server's to make: a chosen one could be guessed.
        set.tokens.clear();
    }
    if upload.with_token {
        if set.tokens.is_empty() {
            set.tokens.push(new_token());
        }
        set.content_disposition.get_or_insert_with(|| "inline".to_owned());
    }
    Ok(set)
}

/// The reply to finishing an upload that has ended otherwise.
fn ended(session: &Session) -> Error {
    let code = match session.code {
        Some(403) => Code::PermissionDenied,
        Some(402 | 413) => Code::ResourceExhausted,
        _ => Code::FailedPrecondition,
    };
    match code {
        Code::PermissionDenied => super::denied(Method::Create),
        code => Error::new(code, "UploadNotActive", "The upload ended without a file; start a new one."),
    }
}
