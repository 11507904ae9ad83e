//! Work that time does: offers end, members are told before, and files of projects that changed hands count for their new
//! owners. Every step can be repeated, so that a restart goes on.

use std::time::Duration;

use docstore::model::{
    Document, FieldFilter, FieldOp, FieldPath, Filter, Precondition, Query, Source, Value, Write, WriteOp,
};

use super::super::{deletion, millis_of};
use super::accept::update;
use super::record::{AT, EXPIRES, HANDOVERS, OFFERS, Offer, handover_path, offer_path};
use super::{DAY_MILLIS, Offers};
use crate::functions::callable::{CallError, retried};
use crate::project;

/// Time between sweeps.
const EVERY: Duration = Duration::from_secs(3_600);

/// Documents handled by one sweep of each kind; the next one goes on.
const AT_ONCE: u32 = 1_000;

/// Days before the end of a closing offer on which the members are told again.
const REMIND_DAYS: u64 = 7;

/// Time after which no upload is under way that began before a project changed hands, in milliseconds: a content
/// becomes visible within an hour or never.
const SETTLED_MILLIS: i64 = 2 * 60 * 60 * 1_000;

impl Offers {
    /// Sweeps every hour, forever.
    pub(crate) async fn keep_swept(&self) {
        let mut ticks = tokio::time::interval(EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.sweep().await {
                let error = error.inner();
                tracing::warn!(%error, "the sweep of offered projects did not finish; it goes on later");
            }
        }
    }

    /// Does what is due by the store's clock. One that fails is left for the next time, and keeps no other.
    ///
    /// # Errors
    /// The first failure.
    pub(crate) async fn sweep(&self) -> Result<(), CallError> {
        let now = self.members.now();
        let mut failed = None;
        for document in self.until(OFFERS, EXPIRES, now.saturating_add(remind_millis())).await? {
            let Some(offer) = Offer::read(&document) else { continue };
            let done = if offer.expires_at <= now {
                self.end_offer(&offer).await
            } else if offer.closing && !offer.reminded {
                self.remind(&offer).await
            } else {
                Ok(())
            };
            failed = failed.or(done.err());
        }
        for document in self.until(HANDOVERS, AT, i64::MAX).await? {
            failed = failed.or(self.settle(&document, now).await.err());
        }
        failed.map_or(Ok(()), Err)
    }

    /// Documents of a collection whose time is not later than `time`, the earliest first.
    async fn until(&self, collection: &str, field: &str, time: i64) -> Result<Vec<Document>, CallError> {
        let field = FieldPath::parse(field)?;
        let filter = FieldFilter { field, op: FieldOp::LessOrEqual, value: Value::Integer(time) };
        let source = Source { collection: Some(collection.to_owned()), all_descendants: false };
        let filter = Some(Filter::Field(filter));
        let query = Query { filter, limit: Some(AT_ONCE), ..Query::all(None, source) };
        Ok(self.members.database.run(&query, None).await?.documents)
    }

    /// Ends an offer that nobody took. The project of a closing one goes with everything in it.
    async fn end_offer(&self, seen: &Offer) -> Result<(), CallError> {
        // Whoever began to delete their account, and stopped, keeps their project.
        let gone = seen.closing && self.accounts.account(&seen.from).await?.is_none();
        let goes = retried(|| async {
            let path = project::path(&seen.project)?;
            let txn = self.begin().await?;
            let planned = match self.found_in(txn, &path).await {
                Ok((project, offer)) => {
                    let owner = project.as_ref().and_then(|project| project::owner(&project.fields));
                    let same = offer.filter(|offer| offer.created_at == seen.created_at);
                    match same {
                        // Nobody takes it from here on, on whatever server.
                        Some(offer) if gone && owner == Some(&offer.from) => {
                            let ended = Offer { ended: true, ..offer };
                            ended.write().map(|write| (true, vec![write])).map_err(CallError::from)
                        }
                        Some(_) => Ok((false, vec![deletion(offer_path(&seen.project)?)])),
                        None => Ok((false, Vec::new())),
                    }
                }
                Err(error) => Err(error),
            };
            self.finish(txn, planned).await
        })
        .await?;
        if goes {
            // The offer goes last: with it, an interrupted deletion is found again.
            self.parts.delete(&project::path(&seen.project)?).await?;
        }
        Ok(())
    }

    /// Tells the members of a project that goes soon.
    async fn remind(&self, offer: &Offer) -> Result<(), CallError> {
        // Before the mail: told once and not at all is better than told every hour, and the page says it too.
        let write = update(offer_path(&offer.project)?, "reminded", Value::Boolean(true))?;
        self.members.database.commit(docstore::commit::Draft::of(vec![write])).await?;
        self.tell_members(offer, self.days_left(offer)).await
    }

    /// Days until an offer ends, begun ones too.
    pub(super) fn days_left(&self, offer: &Offer) -> u64 {
        let left = offer.expires_at.saturating_sub(self.members.now()).max(0);
        u64::try_from(left.saturating_add(DAY_MILLIS - 1) / DAY_MILLIS).unwrap_or(REMIND_DAYS)
    }

    /// Counts the files of a project for its owner.
    pub(super) async fn files_follow(&self, id: &str) -> Result<(), CallError> {
        self.parts.files.recount_folder(&format!("{}/", project::path(id)?)).await?;
        Ok(())
    }

    /// Counts the files of a project that changed hands once more, and forgets it when no upload from before can come.
    async fn settle(&self, handover: &Document, now: i64) -> Result<(), CallError> {
        let id = handover.path.id();
        self.files_follow(id).await?;
        let at = millis_of(&handover.fields, AT);
        if at.saturating_add(SETTLED_MILLIS) > now {
            return Ok(());
        }
        let precondition = Precondition::UpdateTime(handover.update_time);
        let write = Write { path: handover_path(id)?, op: WriteOp::Delete, precondition };
        match self.members.database.commit(docstore::commit::Draft::of(vec![write])).await {
            // It changed hands again meanwhile.
            Err(error) if error.code() == docstore::Code::FailedPrecondition => Ok(()),
            done => Ok(done.map(drop)?),
        }
    }
}

const fn remind_millis() -> i64 {
    DAY_MILLIS * REMIND_DAYS.cast_signed()
}
