//! Accounts' plans and the limits they imply.
//!
//! Plans are stored in a reserved database that no transport reaches and no rule opens, so users cannot change their
//! own. An account may have a plan that it pays for and one granted by an administrator; the larger one holds.

pub(super) mod callables;
mod hook;
mod hooks;
mod owners;
mod quota;
mod rates;
mod size_hook;
mod sizes;

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use docstore::commit::Draft;
use docstore::database::Database;
use docstore::model::{
    CollectionPath, DatabaseId, DocPath, Fields, Precondition, Query, Source, Value, Write, WriteOp,
};
use docstore::store::Store;
use docstore::{Error, Result};
use futures::TryStreamExt as _;
use tokio::sync::Mutex;

pub use hook::PlanHook;
pub use hooks::Hooks;
pub use quota::PlanQuotas;
pub use rates::RateHook;
pub use size_hook::SizeHook;
pub use sizes::Sizes;

use self::owners::Owners;
use crate::host::config::{Plan, PlanLimits};
use crate::{library, project};

/// Database of the accounts' plans. Names with this prefix are refused by the transports.
const DATABASE: &str = "__plans__";

/// Projects read at once while their layouts or images are counted.
const PROJECTS: u32 = 100;

/// The collection of accounts' plans, by user.
const ACCOUNTS: &str = "accounts";

/// Stored state of an account's plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// The paid plan.
    pub paid: Option<String>,
    /// The plan granted by an administrator.
    pub granted: Option<String>,
    /// The payment service's id of the customer.
    pub customer: Option<String>,
    /// The payment service's id of the subscription, while it is in force.
    pub subscription: Option<String>,
}

/// The plans of all accounts. Clones share them.
#[derive(Debug, Clone)]
pub struct Plans {
    offered: Arc<[Plan]>,
    documents: Database,
    database: Database,
    sizes: Sizes,
    /// Serialises changes of plans; they are rare.
    changes: Arc<Mutex<()>>,
    /// Number of changes so far: what was remembered of a plan before the last one is not to be believed.
    changed: Arc<AtomicU64>,
}

/// A user's usage of the things that plans limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// Projects, including those in the trash.
    pub projects: u64,
    /// Layouts.
    pub layouts: u64,
    /// Images.
    pub images: u64,
}

impl Plans {
    /// The plans `offered` to accounts of `project`.
    pub fn new(store: &Store, project: &str, offered: &[Plan]) -> Self {
        Self {
            offered: offered.into(),
            documents: store.database(&DatabaseId::default_of(project)),
            database: store.database(&DatabaseId::new(project, DATABASE)),
            sizes: Sizes::new(store, project),
            changes: Arc::default(),
            changed: Arc::default(),
        }
    }

    /// All plans, smallest first; empty if nothing is limited.
    pub fn offered(&self) -> &[Plan] {
        &self.offered
    }

    /// A plan by its id.
    pub fn by_id(&self, id: &str) -> Option<&Plan> {
        self.offered.iter().find(|plan| plan.id == id)
    }

    /// Bytes of accounts' documents.
    pub const fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Owners of projects.
    const fn owners(&self) -> &Owners {
        self.sizes.owners()
    }

    /// Number of changes of accounts' plans so far.
    fn changed(&self) -> u64 {
        self.changed.load(Ordering::Acquire)
    }

    /// Stored state of an account's plan.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn account(&self, uid: &str) -> Result<Account> {
        let found = self.database.get(&[path(uid)?], None).await?.value;
        let fields = found.into_iter().flatten().next().map(|document| document.fields).unwrap_or_default();
        let text = |name: &str| {
            if let Some(Value::String(text)) = fields.get(name) { Some(text.clone()) } else { None }
        };
        Ok(Account {
            paid: text("paid"),
            granted: text("given"),
            customer: text("customer"),
            subscription: text("subscription"),
        })
    }

    /// Changes the state of an account's plan; other changes wait until `change` is done. An empty state is deleted.
    ///
    /// # Errors
    /// Those of the store and of `change`.
    pub async fn change<E: From<Error>>(
        &self,
        uid: &str,
        change: impl AsyncFnOnce(&mut Account) -> Result<(), E>,
    ) -> Result<Account, E> {
        let _change = self.changes.lock().await;
        let mut account = self.account(uid).await?;
        change(&mut account).await?;
        let known = [
            ("paid", &account.paid),
            ("given", &account.granted),
            ("customer", &account.customer),
            ("subscription", &account.subscription),
        ];
        let fields: Fields = known
            .into_iter()
            .filter_map(|(name, text)| Some((name.to_owned(), Value::String(text.clone()?))))
            .collect();
        let op =
            if fields.is_empty() { WriteOp::Delete } else { WriteOp::Set { fields, transforms: Vec::new() } };
        let write = Write { path: path(uid)?, op, precondition: Precondition::None };
        let committed = self.database.commit(Draft::of(vec![write])).await;
        // A commit that failed may have come through.
        self.changed.fetch_add(1, Ordering::Release);
        committed.map(|_| account).map_err(E::from)
    }

    /// The plan of an account; `None` if there are no plans.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn of(&self, uid: &str) -> Result<Option<&Plan>> {
        if self.offered.is_empty() {
            return Ok(None);
        }
        Ok(self.held_by(&self.account(uid).await?))
    }

    /// The larger of the paid and the granted plan, otherwise the first.
    pub fn held_by(&self, account: &Account) -> Option<&Plan> {
        let held =
            |plan: &&Plan| [&account.paid, &account.granted].into_iter().flatten().any(|id| *id == plan.id);
        self.offered.iter().rev().find(held).or_else(|| self.offered.first())
    }

    /// Limits of an account.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn limits_of(&self, uid: &str) -> Result<PlanLimits> {
        Ok(self.of(uid).await?.map(|plan| plan.limits).unwrap_or_default())
    }

    /// Usage of an account.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn held(&self, uid: &str) -> Result<Held> {
        Ok(Held {
            projects: project::count(&self.documents, uid, None).await?,
            layouts: layouts(&self.documents, uid, u64::MAX).await?,
            images: images(&self.documents, uid, u64::MAX).await?,
        })
    }
}

fn path(uid: &str) -> Result<DocPath> {
    DocPath::parse(&format!("{ACCOUNTS}/{uid}"))
}

/// Number of an account's layouts, counted up to `up_to`: those of its library, and those of its projects.
async fn layouts(documents: &Database, uid: &str, up_to: u64) -> Result<u64> {
    let own = count(documents, &library::layouts(uid)?, up_to).await?;
    with_projects(documents, uid, "layouts", own, up_to).await
}

/// Number of an account's images, counted up to `up_to`: those of its library, and those of its projects.
async fn images(documents: &Database, uid: &str, up_to: u64) -> Result<u64> {
    let own = count(documents, &library::images(uid)?, up_to).await?;
    with_projects(documents, uid, "images", own, up_to).await
}

/// `counted`, and the number of documents in a collection of each of an account's projects, counted up to `up_to`.
async fn with_projects(
    documents: &Database,
    uid: &str,
    kind: &str,
    mut counted: u64,
    up_to: u64,
) -> Result<u64> {
    let mut pages = pin!(project::pages(documents, uid, PROJECTS));
    while counted < up_to
        && let Some(page) = pages.try_next().await?
    {
        for project in page {
            let collection = CollectionPath::parse(&format!("{}/{kind}", project.path))?;
            counted += count(documents, &collection, up_to).await?;
        }
    }
    Ok(counted.min(up_to))
}

/// Number of documents in a collection, counted up to `up_to`.
async fn count(documents: &Database, collection: &CollectionPath, up_to: u64) -> Result<u64> {
    let source = Source { collection: Some(collection.id().to_owned()), all_descendants: false };
    documents.count(&Query::all(collection.parent(), source), Some(up_to)).await
}

#[cfg(test)]
mod tests;
