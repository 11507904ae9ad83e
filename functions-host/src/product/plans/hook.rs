//! Refuses new projects, layouts and images beyond the limits of the user's plan.
//!
//! Commits that add any for the same user are serialised from the count to the commit, so that two at once cannot both
//! take the last free place. Existing ones stay and may be changed, even after a change to a smaller plan.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::pin::Pin;
use std::sync::Arc;

use docstore::access::{Caller, CommitHook, CommitPermit};
use docstore::database::Database;
use docstore::model::{DatabaseId, DocPath, Write, WriteOp};
use docstore::{Code, Error, Result};
use tokio::sync::Mutex;

use super::{Plans, count};
use crate::host::config::PlanLimits;

/// Stripes of the lock held per user between count and commit.
const STRIPES: usize = 64;

/// Kinds of documents limited by plans, by their collection below `users/{uid}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Projects,
    Layouts,
    Images,
}

impl Kind {
    fn of(collection: &str) -> Option<Self> {
        match collection {
            "decks" => Some(Self::Projects),
            "layouts" => Some(Self::Layouts),
            "images" => Some(Self::Images),
            _ => None,
        }
    }

    const fn collection(self) -> &'static str {
        match self {
            Self::Projects => "decks",
            Self::Layouts => "layouts",
            Self::Images => "images",
        }
    }

    const fn limit(self, limits: &PlanLimits) -> Option<u32> {
        match self {
            Self::Projects => limits.projects,
            Self::Layouts => limits.layouts,
            Self::Images => limits.images,
        }
    }

    const fn words(self, one: bool) -> &'static str {
        match (self, one) {
            (Self::Projects, true) => "project, including the trash",
            (Self::Projects, false) => "projects, including the trash",
            (Self::Layouts, true) => "layout",
            (Self::Layouts, false) => "layouts",
            (Self::Images, true) => "image",
            (Self::Images, false) => "images",
        }
    }
}

/// The limits of plans, as a commit hook.
#[derive(Debug)]
pub struct PlanHook {
    plans: Plans,
    stripes: Box<[Arc<Mutex<()>>]>,
}

impl PlanHook {
    /// A commit hook for the accounts of `plans`.
    pub fn new(plans: Plans) -> Self {
        Self { plans, stripes: (0..STRIPES).map(|_| Arc::default()).collect() }
    }

    async fn check(&self, database: &DatabaseId, writes: &[Write]) -> Result<CommitPermit> {
        if database != self.plans.documents.id() {
            return Ok(None);
        }
        let written = written(writes);
        if written.is_empty() || growth(&self.plans.documents, &written).await?.is_empty() {
            return Ok(None);
        }
        // In stripe order, so that two commits for the same two users cannot deadlock.
        let owners: BTreeSet<&str> = written.keys().filter_map(|path| Some(place(path)?.0)).collect();
        let places: BTreeSet<usize> = owners.into_iter().map(stripe_of).collect();
        let mut held = Vec::new();
        for place in places {
            if let Some(stripe) = self.stripes.get(place) {
                held.push(Arc::clone(stripe).lock_owned().await);
            }
        }
        for ((owner, kind), more) in growth(&self.plans.documents, &written).await? {
            let Some(plan) = self.plans.of(&owner).await? else { continue };
            let Some(limit) = kind.limit(&plan.limits).map(u64::from) else { continue };
            let there = count(&self.plans.documents, &owner, kind.collection(), Some(limit + 1)).await?;
            if there + more > limit {
                return Err(Error::new(
                    Code::FailedPrecondition,
                    "PlanLimit",
                    format!(
                        "The plan “{}” holds {limit} {}. Delete some for good, or choose a larger plan on the Pricing page.",
                        plan.name,
                        kind.words(limit == 1)
                    ),
                ));
            }
        }
        Ok(Some(Box::new(held)))
    }
}

impl CommitHook for PlanHook {
    fn admit<'a>(
        &'a self,
        _caller: &'a Caller,
        database: &'a DatabaseId,
        writes: &'a [Write],
    ) -> Pin<Box<dyn Future<Output = Result<CommitPermit>> + Send + 'a>> {
        Box::pin(self.check(database, writes))
    }
}

fn stripe_of(owner: &str) -> usize {
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(owner);
    usize::try_from(hash % STRIPES as u64).unwrap_or_default()
}

/// Owner and kind of a document limited by plans.
fn place(path: &DocPath) -> Option<(&str, Kind)> {
    let mut segments = path.segments();
    let (users, owner, collection) = (segments.next()?, segments.next()?, segments.next()?);
    segments.next()?;
    if users != "users" || segments.next().is_some() {
        return None;
    }
    Some((owner, Kind::of(collection)?))
}

/// The documents limited by plans, with true for those that exist after the writes.
fn written(writes: &[Write]) -> BTreeMap<DocPath, bool> {
    let limited = writes.iter().filter(|write| place(&write.path).is_some());
    limited
        .filter_map(|write| match write.op {
            WriteOp::Verify => None,
            WriteOp::Delete => Some((write.path.clone(), false)),
            _ => Some((write.path.clone(), true)),
        })
        .collect()
}

/// Additional documents per owner and kind; only those that grow.
async fn growth(
    database: &Database,
    written: &BTreeMap<DocPath, bool>,
) -> Result<BTreeMap<(String, Kind), u64>> {
    let paths: Vec<DocPath> = written.keys().cloned().collect();
    let before = database.get(&paths, None).await?.value;
    let mut change: BTreeMap<(String, Kind), i64> = BTreeMap::new();
    for ((path, after), before) in written.iter().zip(before) {
        if let Some((owner, kind)) = place(path) {
            *change.entry((owner.to_owned(), kind)).or_default() +=
                i64::from(*after) - i64::from(before.is_some());
        }
    }
    let grows = |(key, by): ((String, Kind), i64)| Some((key, u64::try_from(by).ok().filter(|by| *by > 0)?));
    Ok(change.into_iter().filter_map(grows).collect())
}
