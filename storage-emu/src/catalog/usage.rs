//! Counters of stored files per user, and the limits on them.

use std::pin::pin;

use docstore::{Code, Error, Result};
use futures::TryStreamExt as _;
use serde::{Deserialize, Serialize};

use super::{Catalog, USAGE, copies_document, usage_document};
use crate::digest::Digests;
use crate::meta::from_fields;
use crate::options::Quota;
use crate::records::Unit;

/// Users' counters read at a time for their sum.
const TOTAL_STEP: u32 = 500;

/// One user's counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Bytes of visible files. A content counts once, however many of the user's files have it.
    pub bytes: u64,
    /// Visible files.
    pub files: u64,
    /// Bytes received for uploads under way.
    pub staged: u64,
    /// Uploads under way.
    pub sessions: u64,
}

/// Number of a user's files that have a content. Files from before contents counted once are not among them: each of those
/// counts by itself.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Copies {
    files: u64,
}

impl Catalog {
    /// A user's counters.
    pub(crate) async fn usage(&self, owner: &str) -> Result<Usage> {
        let path = usage_document(owner)?;
        let mut unit = self.unit();
        unit.load(&[&path]).await?;
        Ok(unit.get(&path)?.unwrap_or_default())
    }

    /// The counters of all users together. Files that an operator's tool stored without an owner are not counted.
    pub(crate) async fn total_usage(&self) -> Result<Usage> {
        let mut total = Usage::default();
        let mut all = pin!(self.records.all(None, USAGE, TOTAL_STEP));
        while let Some((_, record)) = all.try_next().await? {
            let one: Usage = from_fields(&record.fields)?;
            total.bytes += one.bytes;
            total.files += one.files;
            total.staged += one.staged;
            total.sessions += one.sessions;
        }
        Ok(total)
    }

    /// Counts a file that becomes visible for `owner`, if there is one.
    ///
    /// # Errors
    /// As [`Self::charge`].
    pub(super) async fn charge_file(
        &self,
        unit: &mut Unit<'_>,
        owner: Option<&str>,
        unlimited: bool,
        content: &Digests,
    ) -> Result<()> {
        let Some(owner) = owner else { return Ok(()) };
        let path = copies_document(owner, &content.sha256)?;
        unit.load(&[&path]).await?;
        let copies: Copies = unit.get(&path)?.unwrap_or_default();
        unit.put(&path, &Copies { files: copies.files + 1 })?;
        let bytes = if copies.files == 0 { content.size } else { 0 };
        self.charge(unit, Some(owner), unlimited, |usage| {
            usage.files += 1;
            usage.bytes += bytes;
        })
        .await
    }

    /// Takes the count of a file back that goes, or is replaced.
    pub(super) async fn credit_file(
        &self,
        unit: &mut Unit<'_>,
        owner: Option<&str>,
        content: &Digests,
    ) -> Result<()> {
        let Some(owner) = owner else { return Ok(()) };
        let path = copies_document(owner, &content.sha256)?;
        unit.load(&[&path]).await?;
        let copies: Copies = unit.get(&path)?.unwrap_or_default();
        if copies.files > 1 {
            unit.put(&path, &Copies { files: copies.files - 1 })?;
        } else {
            unit.delete(&path);
        }
        let bytes = if copies.files > 1 { 0 } else { content.size };
        self.charge(unit, Some(owner), true, |usage| {
            usage.files = usage.files.saturating_sub(1);
            usage.bytes = usage.bytes.saturating_sub(bytes);
        })
        .await
    }

    /// Changes the counters of `owner`, if there is one, in the same unit of work as the objects they count. Only
    /// counters that grow are checked against their limits.
    ///
    /// # Errors
    /// `ResourceExhausted` (`QuotaBytes`, `QuotaFiles`, `QuotaSessions`) unless `unlimited`.
    pub(crate) async fn charge(
        &self,
        unit: &mut Unit<'_>,
        owner: Option<&str>,
        unlimited: bool,
        change: impl FnOnce(&mut Usage),
    ) -> Result<()> {
        let Some(owner) = owner else { return Ok(()) };
        let path = usage_document(owner)?;
        unit.load(&[&path]).await?;
        let before: Usage = unit.get(&path)?.unwrap_or_default();
        let mut after = before;
        change(&mut after);
        if !unlimited {
            self.check(before, after, self.quotas.of(owner).await?)?;
        }
        if after == Usage::default() {
            unit.delete(&path);
        } else {
            unit.put(&path, &after)?;
        }
        Ok(())
    }

    /// Refuses counters that grow beyond their limits.
    pub(super) fn check(&self, before: Usage, after: Usage, quota: Quota) -> Result<()> {
        let limits = self.limits;
        let exhausted = |tag, message: String| Err(Error::new(Code::ResourceExhausted, tag, message));
        let (held, wanted) = (before.bytes + before.staged, after.bytes + after.staged);
        if wanted > held && wanted > quota.bytes {
            return exhausted(
                "QuotaBytes",
                format!(
                    "Quota exceeded: this would be {wanted} bytes of the {} that a user may store. Delete files \
                     first.",
                    quota.bytes
                ),
            );
        }
        if after.files > before.files && after.files > quota.files {
            return exhausted(
                "QuotaFiles",
                format!("Quota exceeded: a user may have {} files. Delete files first.", quota.files),
            );
        }
        if after.sessions > before.sessions && after.sessions > limits.user_sessions {
            return exhausted(
                "QuotaSessions",
                format!(
                    "Quota exceeded: a user may have {} uploads under way. Finish or cancel some first.",
                    limits.user_sessions
                ),
            );
        }
        Ok(())
    }
}
