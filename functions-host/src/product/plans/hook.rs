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
use crate::product::project;

/// Stripes of the lock held per user between count and commit.
const STRIPES: usize = 64;

/// Kinds of documents limited by plans: projects, and collections below `users/{uid}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Projects,
    Layouts,
    Images,
}

impl Kind {
    fn of(collection: &str) -> Option<Self> {
        match collection {
            "layouts" => Some(Self::Layouts),
            "images" => Some(Self::Images),
            _ => None,
        }
    }

    /// Number of documents of this kind that an owner has, counted up to `up_to`.
    async fn count(self, documents: &Database, owner: &str, up_to: u64) -> Result<u64> {
        match self {
            Self::Projects => project::count(documents, owner, Some(up_to)).await,
            Self::Layouts => count(documents, owner, "layouts", Some(up_to)).await,
            Self::Images => count(documents, owner, "images", Some(up_to)).await,
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
        let owners = written.values().filter_map(|after| after.as_deref());
        let places: BTreeSet<usize> = owners.map(stripe_of).collect();
        let mut held = Vec::new();
        for place in places {
            if let Some(stripe) = self.stripes.get(place) {
                held.push(Arc::clone(stripe).lock_owned().await);
            }
        }
        for ((owner, kind), more) in growth(&self.plans.documents, &written).await? {
            let Some(plan) = self.plans.of(&owner).await? else { continue };
            let Some(limit) = kind.limit(&plan.limits).map(u64::from) else { continue };
            let there = kind.count(&self.plans.documents, &owner, limit + 1).await?;
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

/// Kind of a document that plans limit, and its owner where the path says it.
fn place(path: &DocPath) -> Option<(Kind, Option<&str>)> {
    let mut segments = path.segments();
    let (first, second) = (segments.next()?, segments.next()?);
    match (first, segments.next(), segments.next(), segments.next()) {
        (project::COLLECTION, None, None, None) => Some((Kind::Projects, None)),
        ("users", Some(collection), Some(_), None) => Some((Kind::of(collection)?, Some(second))),
        _ => None,
    }
}

/// Owner of a project as a write leaves it; `None` if the write does not say.
fn owner_in(op: &WriteOp) -> Option<&str> {
    match op {
        WriteOp::Set { fields, .. } | WriteOp::Update { fields, .. } => project::owner(fields),
        _ => None,
    }
}

/// The documents limited by plans, each with its owner after the writes; `None` for one that is deleted.
fn written(writes: &[Write]) -> BTreeMap<DocPath, Option<String>> {
    let mut written = BTreeMap::new();
    for write in writes {
        let Some((_, owner)) = place(&write.path) else { continue };
        match &write.op {
            WriteOp::Verify => {}
            WriteOp::Delete => {
                written.insert(write.path.clone(), None);
            }
            op => {
                // An update that leaves out the owner is of a project that exists, and makes none.
                if let Some(owner) = owner.or_else(|| owner_in(op)) {
                    written.insert(write.path.clone(), Some(owner.to_owned()));
                }
            }
        }
    }
    written
}

/// Additional documents per owner and kind; only those that grow.
async fn growth(
    database: &Database,
    written: &BTreeMap<DocPath, Option<String>>,
) -> Result<BTreeMap<(String, Kind), u64>> {
    let paths: Vec<DocPath> = written.keys().cloned().collect();
    let found = database.get(&paths, None).await?.value;
    let mut change: BTreeMap<(String, Kind), i64> = BTreeMap::new();
    for ((path, after), before) in written.iter().zip(found) {
        let Some((kind, owner)) = place(path) else { continue };
        let before =
            before.and_then(|document| owner.or_else(|| project::owner(&document.fields)).map(str::to_owned));
        for (owner, by) in [(after.clone(), 1), (before, -1)] {
            if let Some(owner) = owner {
                *change.entry((owner, kind)).or_default() += by;
            }
        }
    }
    let grows = |(key, by): ((String, Kind), i64)| Some((key, u64::try_from(by).ok().filter(|by| *by > 0)?));
    Ok(change.into_iter().filter_map(grows).collect())
}
