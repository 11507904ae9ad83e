//! Refuses commits that would bring an account's documents beyond the bytes of its plan.
//!
//! After a look at the sums an account has room for some more commits, so that most of them cost one look at a table in
//! memory. Commits under way at once may together go beyond the limit by their own size.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::Future;
use std::pin::Pin;

use docstore::access::{Caller, CommitHook, CommitPermit};
use docstore::clock::SharedClock;
use docstore::commit::{outcome, write_weight};
use docstore::model::{DatabaseId, DocPath, Document, Fields, Ts, Write, WriteOp};
use docstore::{Code, Error, Result};
use parking_lot::{Mutex, MutexGuard};

use super::Plans;
use super::hook::project_owners;
use super::sizes::{PROJECT, SHARES, root_of};
use crate::host::words::size;
use crate::project;

/// Accounts whose room is remembered; past this all look at their sums again.
const ACCOUNTS: usize = 10_000;
/// Life of a remembered room, a minute: functions write without asking for it.
const ROOM_LIFE_MICROS: u64 = 60_000_000;
/// Time for which the sum of a look is used again, a second: an account with many projects that has no room must not have
/// all of them looked at for each of its commits.
const SUM_LIFE_MICROS: u64 = 1_000_000;
/// Growth that is still let through a little beyond the limit, in bytes: moving a project to the trash, or marking what
/// is to be deleted, must not need room.
const SMALL: u64 = 4 << 10;
/// Part of the limit by which small growth may go beyond it: a twentieth.
const SMALL_PART: u64 = 20;

/// Room of an account after a look at its sums.
#[derive(Debug, Clone, Copy)]
struct Room {
    bytes: u64,
    until: Ts,
    /// The sum, with what was let through since, and the time until which it is used again.
    held: u64,
    held_until: Ts,
    /// Changes of plans before the look: after another one the room may be another.
    plans: u64,
}

/// The limits on accounts' documents, as a commit hook.
#[derive(Debug)]
pub struct SizeHook {
    plans: Plans,
    /// The limit of accounts whose plan has none of its own; `None` for unlimited.
    usual: Option<u64>,
    clock: SharedClock,
    /// Locked for a look, never across an await.
    rooms: Mutex<HashMap<String, Room>>,
}

impl SizeHook {
    /// A commit hook for the accounts of `plans`, whose sums have to be counted.
    pub fn new(plans: Plans, usual: Option<u64>, clock: SharedClock) -> Self {
        Self { plans, usual, clock, rooms: Mutex::default() }
    }

    async fn check(&self, caller: &Caller, database: &DatabaseId, writes: &[Write]) -> Result<()> {
        if database != self.plans.documents.id() {
            return Ok(());
        }
        if *caller == Caller::Admin {
            return self.check_moves(writes).await;
        }
        let owners = self.owners(writes).await?;
        let mut wanted: BTreeMap<&str, u64> = BTreeMap::new();
        for (write, owner) in writes.iter().zip(&owners) {
            if let Some(owner) = owner
                && !matches!(write.op, WriteOp::Delete | WriteOp::Verify)
            {
                *wanted.entry(owner).or_default() += write_weight(write) as u64;
            }
        }
        for (owner, most) in wanted {
            if !self.take(owner, most) {
                let writes = writes.iter().zip(&owners).filter(|(_, of)| of.as_deref() == Some(owner));
                let writes = writes.map(|(write, _)| write).collect();
                let is_own = matches!(caller, Caller::User(auth) if auth.uid == owner);
                self.look(owner, is_own, most, writes).await?;
            }
        }
        Ok(())
    }

    /// Refuses to give a project to somebody whose documents, together with the project's, would go beyond their limit.
    async fn check_moves(&self, writes: &[Write]) -> Result<()> {
        for write in writes {
            let WriteOp::Update { fields, .. } = &write.op else { continue };
            let is_project = project::of_path(&write.path).as_ref() == Some(&write.path);
            let Some(to) = project::owner(fields).filter(|_| is_project) else { continue };
            let id = write.path.id();
            let from = self.plans.owners().of(&BTreeSet::from([id])).await?.remove(id);
            let Some(from) = from.filter(|from| from != to) else { continue };
            let plan = self.plans.of(to).await?;
            let limit = plan.and_then(|plan| plan.limits.document_bytes).or(self.usual);
            if let Some(limit) = limit
                && let (Some(held), Some(more)) =
                    (self.plans.sizes.of(to).await?, self.plans.sizes.of_project(&write.path).await?)
                && held.saturating_add(more) > limit
            {
                return Err(no_room(plan.map(|plan| plan.name.as_str()), limit, held, more));
            }
            // Both are looked at again after the commit.
            let mut rooms = self.rooms();
            rooms.remove(&from);
            rooms.remove(to);
        }
        Ok(())
    }

    /// Account that each write counts for; `None` for those that count for nobody.
    async fn owners(&self, writes: &[Write]) -> Result<Vec<Option<String>>> {
        let shared = self.shared(writes).await?;
        let none = Fields::new();
        let root = |write: &Write| {
            let fields = match &write.op {
                WriteOp::Set { fields, .. } | WriteOp::Update { fields, .. } => fields,
                WriteOp::Delete | WriteOp::Verify => &none,
            };
            let stored = shared.get(&write.path).filter(|_| !fields.contains_key(PROJECT));
            root_of(&write.path, stored.map_or(fields, |stored| &stored.fields))
        };
        let roots: Vec<Option<DocPath>> = writes.iter().map(root).collect();
        let is_project = |root: &&DocPath| root.segments().next() == Some(project::COLLECTION);
        let ids: BTreeSet<&str> = roots.iter().flatten().filter(is_project).map(DocPath::id).collect();
        let projects = project_owners(self.plans.owners(), &ids, writes).await?;
        let owner = |root: &DocPath| {
            if is_project(&root) { projects.get(root.id()).cloned() } else { Some(root.id().to_owned()) }
        };
        Ok(roots.iter().map(|root| root.as_ref().and_then(owner)).collect())
    }

    /// The stored documents shared by links of which writes do not say the project.
    async fn shared(&self, writes: &[Write]) -> Result<BTreeMap<DocPath, Document>> {
        let unsaid = |write: &&Write| {
            write.path.segments().next() == Some(SHARES)
                && matches!(&write.op, WriteOp::Update { fields, .. } if !fields.contains_key(PROJECT))
        };
        let paths: BTreeSet<&DocPath> = writes.iter().filter(unsaid).map(|write| &write.path).collect();
        if paths.is_empty() {
            return Ok(BTreeMap::new());
        }
        let paths: Vec<DocPath> = paths.into_iter().cloned().collect();
        let found = self.plans.documents.get(&paths, None).await?.value;
        Ok(found.into_iter().flatten().map(|document| (document.path.clone(), document)).collect())
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, Room>> {
        self.rooms.lock()
    }

    /// Takes bytes of an account's remembered room; false if it has too little.
    fn take(&self, owner: &str, bytes: u64) -> bool {
        let (now, plans) = (self.clock.now(), self.plans.changed());
        let mut rooms = self.rooms();
        let is_right = |room: &&mut Room| now < room.until && room.plans == plans;
        let Some(room) = rooms.get_mut(owner).filter(is_right) else { return false };
        let left = room.bytes.checked_sub(bytes);
        if let Some(left) = left {
            room.bytes = left;
            room.held += bytes;
        }
        left.is_some()
    }

    /// The bytes that an account has: by the last look if that was just now, otherwise by a new one. `None` while they
    /// are not counted.
    async fn held(&self, owner: &str) -> Result<Option<u64>> {
        let now = self.clock.now();
        let last = self.rooms().get(owner).filter(|room| now < room.held_until).map(|room| room.held);
        if last.is_some() { Ok(last) } else { self.plans.sizes.of(owner).await }
    }

    /// Remembers the sum of an account, and its room, by the plans after so many changes.
    fn remember(&self, owner: &str, held: u64, bytes: u64, plans: u64) {
        let last =
            self.rooms().get(owner).map(|room| room.held_until).filter(|until| self.clock.now() < *until);
        let held_until = last.unwrap_or_else(|| self.after(SUM_LIFE_MICROS));
        self.put(owner, Room { bytes, until: self.after(ROOM_LIFE_MICROS), held, held_until, plans });
    }

    /// Remembers that an account has no limit. Its sum is not known.
    fn remember_unlimited(&self, owner: &str, plans: u64) {
        let until = self.after(ROOM_LIFE_MICROS);
        self.put(owner, Room { bytes: u64::MAX, until, held: 0, held_until: Ts::ZERO, plans });
    }

    fn put(&self, owner: &str, room: Room) {
        let mut rooms = self.rooms();
        if rooms.len() >= ACCOUNTS && !rooms.contains_key(owner) {
            rooms.clear();
        }
        rooms.insert(owner.to_owned(), room);
    }

    fn after(&self, micros: u64) -> Ts {
        Ts::from_micros(self.clock.now().micros() + micros)
    }

    /// Looks at an account's sums, and remembers the room behind writes of `most` bytes.
    async fn look(&self, owner: &str, is_own: bool, most: u64, writes: Vec<&Write>) -> Result<()> {
        let plans = self.plans.changed();
        let plan = self.plans.of(owner).await?;
        let Some(limit) = plan.and_then(|plan| plan.limits.document_bytes).or(self.usual) else {
            self.remember_unlimited(owner, plans);
            return Ok(());
        };
        // While documents are counted after the first start, only rates limit what is written.
        let Some(held) = self.held(owner).await? else { return Ok(()) };
        let room = limit.saturating_sub(held);
        let mut grown = most;
        if most > room {
            let growth = self.growth(writes).await?;
            let beyond = if growth <= SMALL { limit / SMALL_PART } else { 0 };
            if growth > 0 && held.saturating_add(growth) > limit.saturating_add(beyond) {
                self.remember(owner, held, 0, plans);
                let plan = plan.map(|plan| plan.name.as_str());
                return Err(if is_own { full(plan, limit, held) } else { full_for_member() });
            }
            grown = growth;
        }
        self.remember(owner, held + grown, room.saturating_sub(most), plans);
        Ok(())
    }

    /// Bytes that documents grow by together.
    async fn growth(&self, writes: Vec<&Write>) -> Result<u64> {
        let paths: BTreeSet<&DocPath> = writes.iter().map(|write| &write.path).collect();
        let paths: Vec<DocPath> = paths.into_iter().cloned().collect();
        let before = self.plans.documents.get(&paths, None).await?.value;
        let now = self.clock.now();
        let (mut held, mut wanted) = (0, 0);
        for (path, before) in paths.iter().zip(before) {
            held += before.as_ref().map_or(0, Document::size);
            let mut after = before;
            for write in writes.iter().filter(|write| write.path == *path) {
                after = outcome(write, after.as_ref(), now)?;
            }
            wanted += after.as_ref().map_or(0, Document::size);
        }
        Ok(wanted.saturating_sub(held) as u64)
    }
}

impl CommitHook for SizeHook {
    fn admit<'a>(
        &'a self,
        caller: &'a Caller,
        database: &'a DatabaseId,
        writes: &'a [Write],
    ) -> Pin<Box<dyn Future<Output = Result<CommitPermit>> + Send + 'a>> {
        Box::pin(async move { self.check(caller, database, writes).await.map(|()| None) })
    }
}

/// Members are not told of the owner's plan, nor of the documents in the owner's other projects.
fn full_for_member() -> Error {
    let message = "There is no room for this: the owner of this project has no more room for documents. Ask the owner \
                   to delete projects or cards for good, or to get more room.";
    Error::new(Code::ResourceExhausted, "DocumentBytes", message)
}

/// The words for a limit, and for the way to a larger one.
fn limit_of(plan: Option<&str>) -> (String, &'static str) {
    match plan {
        Some(plan) => (format!("the plan “{plan}” allows"), "choose a larger plan on the Pricing page"),
        None => ("an account may have here".to_owned(), "ask whoever runs this server for more"),
    }
}

fn no_room(plan: Option<&str>, limit: u64, held: u64, more: u64) -> Error {
    let (whose, way_out) = limit_of(plan);
    let message = format!(
        "There is no room for this project: it holds {} of documents and your projects with their trash {}, and {} is \
         what {whose}. Delete projects or cards for good, or {way_out}.",
        size(more),
        size(held),
        size(limit),
    );
    Error::new(Code::ResourceExhausted, "DocumentBytes", message)
}

fn full(plan: Option<&str>, limit: u64, held: u64) -> Error {
    let (whose, way_out) = limit_of(plan);
    let message = format!(
        "There is no room for this: your projects with their trash hold {} of the {} of documents that {whose}. Delete \
         projects or cards for good, or {way_out}.",
        size(held),
        size(limit),
    );
    Error::new(Code::ResourceExhausted, "DocumentBytes", message)
}

#[cfg(test)]
mod tests;
