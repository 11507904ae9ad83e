//! Refuses new projects, layouts and images beyond the limits of the user's plan.
//!
//! Commits that add any for the same user are serialised from the count to the commit, so that two at once cannot both
//! take the last free place. Existing ones stay and may be changed, even after a change to a smaller plan. A project that
//! changes hands brings its layouts and images to its new owner.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::Pin;

use docstore::access::{Caller, CommitHook, CommitPermit};
use docstore::database::Database;
use docstore::model::{DatabaseId, DocPath, Write, WriteOp};
use docstore::{Code, Error, Result};

use super::owners::Owners;
use super::{Plans, count, images, layouts};
use crate::host::config::PlanLimits;
use crate::project;
use crate::striped_lock::StripedLock;

/// Kinds of documents limited by plans: projects, and what lies below `users/{uid}` or below a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Projects,
    Layouts,
    Images,
}

impl Kind {
    /// Number of documents of this kind that an owner has, counted up to `up_to`.
    async fn count(self, documents: &Database, owner: &str, up_to: u64) -> Result<u64> {
        match self {
            Self::Projects => project::count(documents, owner, Some(up_to)).await,
            Self::Layouts => layouts(documents, owner, up_to).await,
            Self::Images => images(documents, owner, up_to).await,
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
    stripes: StripedLock,
}

impl PlanHook {
    /// A commit hook for the accounts of `plans`.
    pub fn new(plans: Plans) -> Self {
        Self { plans, stripes: StripedLock::default() }
    }

    async fn check(&self, database: &DatabaseId, writes: &[Write]) -> Result<CommitPermit> {
        if database != self.plans.documents.id() {
            return Ok(None);
        }
        let before = written(&self.plans, writes).await?;
        if growth(&before).is_empty() {
            return Ok(None);
        }
        // In stripe order, so that two commits for the same two users cannot deadlock.
        let owners = before.values().filter_map(|one| one.after.as_deref());
        let stripes: BTreeSet<usize> = owners.map(StripedLock::stripe).collect();
        let mut held = Vec::new();
        for stripe in stripes {
            held.extend(self.stripes.lock(stripe).await);
        }
        // Counts documents written before the locks were held.
        let written = written(&self.plans, writes).await?;
        let mut growth = growth(&written);
        self.add_contents(&written, &mut growth).await?;
        for ((owner, kind), more) in growth {
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

    /// Adds what projects that change hands bring to their new owners.
    async fn add_contents(
        &self,
        written: &BTreeMap<DocPath, Written>,
        growth: &mut BTreeMap<(String, Kind), u64>,
    ) -> Result<()> {
        let documents = &self.plans.documents;
        for (path, one) in written {
            let (Kind::Projects, Some(before), Some(after)) = (one.kind, &one.before, &one.after) else {
                continue;
            };
            if before == after {
                continue;
            }
            for (kind, name) in [(Kind::Layouts, "layouts"), (Kind::Images, "images")] {
                let there = count(documents, &path.child(name)?, u64::MAX).await?;
                if there > 0 {
                    *growth.entry((after.clone(), kind)).or_default() += there;
                }
            }
        }
        Ok(())
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

/// The place that says whose a document is.
#[derive(Debug, Clone, Copy)]
enum Whose<'a> {
    /// The account with this id, by the document's path.
    Account(&'a str),
    /// The document itself, a project.
    Itself,
    /// The project with this id, which it lies in.
    Project(&'a str),
}

/// Kind of a document that plans limit, and whose it is.
fn place(path: &DocPath) -> Option<(Kind, Whose<'_>)> {
    let mut segments = path.segments();
    let (first, second) = (segments.next()?, segments.next()?);
    let rest: [Option<&str>; 5] = std::array::from_fn(|_| segments.next());
    match (first, rest) {
        (project::COLLECTION, [None, ..]) => Some((Kind::Projects, Whose::Itself)),
        (project::COLLECTION, [Some("layouts"), Some(_), None, ..]) => {
            Some((Kind::Layouts, Whose::Project(second)))
        }
        (project::COLLECTION, [Some("images"), Some(_), None, ..]) => {
            Some((Kind::Images, Whose::Project(second)))
        }
        ("users", [Some("library"), Some("layouts"), Some("items"), Some(_), None]) => {
            Some((Kind::Layouts, Whose::Account(second)))
        }
        ("users", [Some("library"), Some("images"), Some("items"), Some(_), None]) => {
            Some((Kind::Images, Whose::Account(second)))
        }
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

/// A written document that plans limit.
#[derive(Debug)]
struct Written {
    kind: Kind,
    /// Its owner before the writes, if it was there.
    before: Option<String>,
    /// Its owner after them; `None` if it is deleted.
    after: Option<String>,
}

/// Owners of projects: as they are stored, or as these writes make them.
pub(super) async fn project_owners(
    owners: &Owners,
    ids: &BTreeSet<&str>,
    writes: &[Write],
) -> Result<BTreeMap<String, String>> {
    let mut owners = owners.of(ids).await?;
    for write in writes {
        if let (Some((_, Whose::Itself)), Some(owner)) = (place(&write.path), owner_in(&write.op)) {
            owners.insert(write.path.id().to_owned(), owner.to_owned());
        }
    }
    Ok(owners)
}

/// The documents limited by plans that are written, each with its owner.
async fn written(plans: &Plans, writes: &[Write]) -> Result<BTreeMap<DocPath, Written>> {
    let limited = |write: &&Write| place(&write.path).is_some() && !matches!(write.op, WriteOp::Verify);
    let limited: Vec<&Write> = writes.iter().filter(limited).collect();
    if limited.is_empty() {
        return Ok(BTreeMap::new());
    }
    let ids = limited.iter().filter_map(|write| match place(&write.path)? {
        (_, Whose::Project(id)) => Some(id),
        _ => None,
    });
    let owners = project_owners(plans.owners(), &ids.collect(), writes).await?;
    let paths: Vec<DocPath> =
        limited.iter().map(|write| write.path.clone()).collect::<BTreeSet<_>>().into_iter().collect();
    let found = plans.documents.get(&paths, None).await?.value;
    let mut written = BTreeMap::new();
    for (path, found) in paths.into_iter().zip(found) {
        let Some((kind, whose)) = place(&path) else { continue };
        let before = found.and_then(|document| match whose {
            Whose::Account(owner) => Some(owner.to_owned()),
            Whose::Itself => project::owner(&document.fields).map(str::to_owned),
            Whose::Project(id) => owners.get(id).cloned(),
        });
        let mut after = before.clone();
        for write in limited.iter().filter(|write| write.path == path) {
            after = match (&write.op, whose) {
                (WriteOp::Delete, _) => None,
                (_, Whose::Account(owner)) => Some(owner.to_owned()),
                (_, Whose::Project(id)) => owners.get(id).cloned(),
                // An update that leaves out the owner is of a project that exists, and makes none.
                (op, Whose::Itself) => owner_in(op).map(str::to_owned).or(after),
            };
        }
        written.insert(path, Written { kind, before, after });
    }
    Ok(written)
}

/// Additional documents per owner and kind; only those that grow.
fn growth(written: &BTreeMap<DocPath, Written>) -> BTreeMap<(String, Kind), u64> {
    let mut change: BTreeMap<(String, Kind), i64> = BTreeMap::new();
    for Written { kind, before, after } in written.values() {
        for (owner, by) in [(after, 1), (before, -1)] {
            if let Some(owner) = owner {
                *change.entry((owner.clone(), *kind)).or_default() += by;
            }
        }
    }
    let grows = |(key, by): ((String, Kind), i64)| Some((key, u64::try_from(by).ok().filter(|by| *by > 0)?));
    change.into_iter().filter_map(grows).collect()
}
