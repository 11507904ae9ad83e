//! Storage quotas per user, by plan.

use std::future::Future;
use std::pin::Pin;

use docstore::Result;
use storage_emu::{Limits, ObjectName, Quota, Quotas};

use super::Plans;
use crate::project;

/// The quota of a user's plan, otherwise the server's.
#[derive(Debug)]
pub struct PlanQuotas {
    plans: Plans,
    usual: Limits,
}

impl PlanQuotas {
    /// `usual` applies where a plan has no quota of its own.
    pub const fn new(plans: Plans, usual: Limits) -> Self {
        Self { plans, usual }
    }
}

impl Quotas for PlanQuotas {
    fn of<'a>(&'a self, owner: &'a str) -> Pin<Box<dyn Future<Output = Result<Quota>> + Send + 'a>> {
        Box::pin(async move {
            let limits = self.plans.limits_of(owner).await?;
            let bytes = limits.storage_bytes.unwrap_or(self.usual.user_bytes);
            Ok(Quota { bytes, files: self.usual.user_files })
        })
    }

    /// Files of a project count among its owner's, whoever stores them.
    fn owner_of<'a>(
        &'a self,
        name: &'a ObjectName,
    ) -> Pin<Box<dyn Future<Output = Result<Option<String>>> + Send + 'a>> {
        Box::pin(async move {
            if let Some(owner) = name.owner() {
                return Ok(Some(owner.to_owned()));
            }
            let mut segments = name.as_str().split('/');
            let (Some("projects"), Some(id), Some(_)) = (segments.next(), segments.next(), segments.next())
            else {
                return Ok(None);
            };
            let found = project::find(&self.plans.documents, id).await?;
            Ok(found.and_then(|found| project::owner(&found.fields).map(str::to_owned)))
        })
    }
}
