//! The lock table: holders and queues of keys, without time or tasks, so that tests can run any schedule.
//!
//! Every key is served first come, first served, with one exception: a request whose owner already holds locks goes
//! before the requests that wait for that owner to end. A cycle that this cannot resolve is broken by restarting its
//! youngest owner; since a retry is as old as its first attempt, the oldest always gets through.

use std::collections::hash_map::Entry as MapEntry;
use std::collections::{HashMap, HashSet, VecDeque};

use tokio::sync::oneshot;

use crate::encoding::key::Key;
use crate::txn::TxnId;

/// Owner of locks and requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    /// A transaction, from its first read to its end.
    Txn(TxnId),
    /// A commit outside any transaction, while it is in progress.
    Commit(u64),
}

impl Owner {
    /// Start time, for finding the youngest. A commit never has to start over: it counts as the oldest.
    fn birth(self) -> TxnId {
        match self {
            Self::Txn(id) => id,
            Self::Commit(_) => TxnId::OLDEST,
        }
    }
}

/// Mode of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LockMode {
    /// Shared with other readers.
    Shared,
    /// Held by one owner alone.
    Exclusive,
}

impl LockMode {
    fn conflicts(self, other: Self) -> bool {
        self == Self::Exclusive || other == Self::Exclusive
    }
}

/// Number of a request, in ascending order.
pub(super) type RequestId = u64;

/// Immediate outcome of a request.
#[derive(Debug)]
pub(super) enum Asked {
    /// All keys are held.
    Granted,
    /// The receiver gets the final outcome; it fails if the owner ends.
    Waiting(RequestId, oneshot::Receiver<Outcome>),
    /// Waiting would deadlock, and the other owners are older. Everything the owner had is released.
    Lost,
}

/// Final outcome of a waiting request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All keys are held.
    Granted,
    /// An older owner would have deadlocked with this one. Everything the owner had is released.
    Lost,
}

/// A request for keys, granted together.
#[derive(Debug)]
struct Request {
    owner: Owner,
    wants: Vec<(Key, LockMode)>,
    wake: oneshot::Sender<Outcome>,
}

/// One key's holders, and the requests that wait for it, in order.
#[derive(Debug, Default)]
struct Entry {
    holders: Vec<(Owner, LockMode)>,
    queue: VecDeque<RequestId>,
}

impl Entry {
    fn mode_of(&self, owner: Owner) -> Option<LockMode> {
        self.holders.iter().find(|(holder, _)| *holder == owner).map(|(_, mode)| *mode)
    }

    fn holders_against(&self, owner: Owner, mode: LockMode) -> impl Iterator<Item = Owner> {
        self.holders
            .iter()
            .filter(move |(holder, held)| *holder != owner && held.conflicts(mode))
            .map(|(holder, _)| *holder)
    }
}

/// Locks and requests of one owner.
#[derive(Debug, Default)]
struct Party {
    held: Vec<Key>,
    pending: Vec<RequestId>,
}

/// All locks.
#[derive(Debug, Default)]
pub(super) struct Table {
    entries: HashMap<Key, Entry>,
    requests: HashMap<RequestId, Request>,
    parties: HashMap<Owner, Party>,
    next: RequestId,
    /// Keys over which an owner lost since the last call of `take_contended`.
    contended: Vec<Key>,
}

impl Table {
    /// True if no lock is held.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// True if another owner holds or waits for `key`.
    pub(super) fn is_taken(&self, key: &[u8], owner: Owner) -> bool {
        self.entries.get(key).is_some_and(|entry| {
            !entry.queue.is_empty() || entry.holders.iter().any(|(holder, _)| *holder != owner)
        })
    }

    /// Number of keys an owner holds.
    pub(super) fn held(&self, owner: Owner) -> usize {
        self.parties.get(&owner).map_or(0, |party| party.held.len())
    }

    /// True if an owner holds `key` in any mode.
    pub(super) fn holds(&self, key: &[u8], owner: Owner) -> bool {
        self.entries.get(key).is_some_and(|entry| entry.mode_of(owner).is_some())
    }

    /// Other owners that hold any of `keys`.
    pub(super) fn holders(&self, keys: &[Key], owner: Owner) -> HashSet<Owner> {
        let entries = keys.iter().filter_map(|key| self.entries.get(key));
        let holders = entries.flat_map(|entry| &entry.holders).map(|(holder, _)| *holder);
        holders.filter(|holder| *holder != owner).collect()
    }

    /// Requests keys, all or none.
    pub(super) fn ask(&mut self, owner: Owner, wants: Vec<(Key, LockMode)>) -> Asked {
        let id = self.next;
        self.next += 1;
        let known = self.parties.contains_key(&owner);
        for (key, _) in &wants {
            let entry = self.entries.entry(key.clone()).or_default();
            match entry.mode_of(owner) {
                Some(_) => entry.queue.push_front(id),
                None => entry.queue.push_back(id),
            }
        }
        let (wake, mut woken) = oneshot::channel();
        self.requests.insert(id, Request { owner, wants, wake });
        self.parties.entry(owner).or_default().pending.push(id);
        // A cycle needs an owner that already holds or waits for something.
        if !self.try_grant(id) && known {
            self.break_circles(id, owner);
        }
        if !self.parties.contains_key(&owner) {
            return Asked::Lost;
        }
        match woken.try_recv() {
            Ok(_) => Asked::Granted,
            Err(_) => Asked::Waiting(id, woken),
        }
    }

    /// Keys over which an owner lost since the last call.
    pub(super) fn take_contended(&mut self) -> Vec<Key> {
        std::mem::take(&mut self.contended)
    }

    fn try_grant(&mut self, id: RequestId) -> bool {
        let free = self.is_free(id);
        if free {
            let keys = self.grant(id);
            // Another request of the same owner may have waited behind this one.
            self.advance(keys);
        }
        free
    }

    /// Breaks every cycle through `owner`, which has just made a request: by moving the request before those that wait
    /// for the owner, or else by ending the youngest owner.
    fn break_circles(&mut self, id: RequestId, owner: Owner) {
        loop {
            let circle = self.circle(owner);
            if circle.is_empty() {
                return;
            }
            if self.go_before(id, &circle) {
                self.try_grant(id);
                continue;
            }
            let Some(youngest) = circle.iter().copied().max_by_key(|owner| owner.birth()) else { return };
            let pending = self.parties.get(&youngest).map(|party| party.pending.clone()).unwrap_or_default();
            let requests = pending.iter().filter_map(|id| self.requests.get(id));
            let contended: Vec<Key> = requests.flat_map(|request| self.contended_by(request)).collect();
            self.contended.extend(contended);
            self.end(youngest, Some(Outcome::Lost));
        }
    }

    /// Moves a request before those of `others` that are ahead of it in a queue. True if there were any.
    fn go_before(&mut self, id: RequestId, others: &[Owner]) -> bool {
        let Some(request) = self.requests.get(&id) else { return false };
        let mut moved = false;
        for (key, _) in &request.wants {
            let Some(entry) = self.entries.get_mut(key) else { continue };
            let requests = &self.requests;
            let theirs = |queued: &RequestId| {
                requests
                    .get(queued)
                    .is_some_and(|ahead| ahead.owner != request.owner && others.contains(&ahead.owner))
            };
            let from = entry.queue.iter().position(|queued| *queued == id);
            let to = entry.queue.iter().position(theirs);
            if let (Some(from), Some(to)) = (from, to)
                && to < from
            {
                entry.queue.remove(from);
                entry.queue.insert(to, id);
                moved = true;
            }
        }
        moved
    }

    /// Withdraws a waiting request; those behind it may proceed. A granted request stays.
    pub(super) fn withdraw(&mut self, id: RequestId) {
        if let Some(request) = self.withdraw_quietly(id) {
            self.advance(request.wants.into_iter().map(|(key, _)| key).collect());
        }
    }

    fn withdraw_quietly(&mut self, id: RequestId) -> Option<Request> {
        let request = self.requests.remove(&id)?;
        if let Some(party) = self.parties.get_mut(&request.owner) {
            party.pending.retain(|pending| *pending != id);
            if party.pending.is_empty() && party.held.is_empty() {
                self.parties.remove(&request.owner);
            }
        }
        for (key, _) in &request.wants {
            if let Some(entry) = self.entries.get_mut(key) {
                entry.queue.retain(|queued| *queued != id);
            }
        }
        Some(request)
    }

    /// Removes all locks and requests of an owner.
    pub(super) fn release(&mut self, owner: Owner) {
        self.end(owner, None);
    }

    fn end(&mut self, owner: Owner, say: Option<Outcome>) {
        let Some(party) = self.parties.remove(&owner) else { return };
        let mut keys = party.held;
        for key in &keys {
            if let Some(entry) = self.entries.get_mut(key) {
                entry.holders.retain(|(holder, _)| *holder != owner);
            }
        }
        for id in party.pending {
            let Some(request) = self.withdraw_quietly(id) else { continue };
            keys.extend(request.wants.into_iter().map(|(key, _)| key));
            if let Some(outcome) = say {
                // The waiting task may have ended.
                let _ = request.wake.send(outcome);
            }
        }
        self.advance(keys);
    }

    /// Grants every request that has become possible on the changed keys, first come, first served.
    fn advance(&mut self, mut keys: Vec<Key>) {
        while let Some(key) = keys.pop() {
            let queue: Vec<RequestId> = match self.entries.get(&key) {
                Some(entry) if entry.queue.is_empty() && entry.holders.is_empty() => {
                    self.entries.remove(&key);
                    continue;
                }
                Some(entry) => entry.queue.iter().copied().collect(),
                None => continue,
            };
            // Behind a waiting exclusive request, only the same owner may proceed.
            let mut first: Option<Owner> = None;
            for id in queue {
                let Some(request) = self.requests.get(&id) else { continue };
                let owner = request.owner;
                if first.is_some_and(|first| first != owner) {
                    continue;
                }
                let alone = self.mode_in(id, &key) == Some(LockMode::Exclusive);
                if self.is_free(id) {
                    let granted = self.grant(id);
                    keys.extend(granted.into_iter().filter(|other| *other != key));
                } else if alone {
                    first = Some(owner);
                }
            }
        }
    }

    fn mode_in(&self, id: RequestId, key: &[u8]) -> Option<LockMode> {
        self.requests.get(&id)?.wants.iter().find(|(wanted, _)| wanted == key).map(|(_, mode)| *mode)
    }

    fn is_free(&self, id: RequestId) -> bool {
        self.requests.get(&id).is_some_and(|request| {
            let free =
                |(key, mode): &(Key, LockMode)| self.blockers_on(id, request.owner, key, *mode).is_empty();
            request.wants.iter().all(free)
        })
    }

    /// Owners that block a request on one of its keys: conflicting holders, and the last of those ahead in the queue
    /// (which in turn wait for the ones before them).
    fn blockers_on(&self, id: RequestId, owner: Owner, key: &[u8], mode: LockMode) -> Vec<Owner> {
        let Some(entry) = self.entries.get(key) else { return Vec::new() };
        let mut blockers: Vec<Owner> = entry.holders_against(owner, mode).collect();
        let at = entry.queue.iter().position(|queued| *queued == id).unwrap_or(0);
        for ahead in entry.queue.range(..at).rev() {
            let (Some(request), Some(ahead)) = (self.requests.get(ahead), self.mode_in(*ahead, key)) else {
                continue;
            };
            if request.owner == owner {
                continue;
            }
            if mode.conflicts(ahead) {
                blockers.push(request.owner);
            }
            if ahead == LockMode::Exclusive {
                break;
            }
        }
        blockers
    }

    /// Keys of a request that others hold.
    fn contended_by(&self, request: &Request) -> Vec<Key> {
        let others = |key: &Key, mode: LockMode| {
            self.entries
                .get(key)
                .is_some_and(|entry| entry.holders_against(request.owner, mode).next().is_some())
        };
        request.wants.iter().filter(|(key, mode)| others(key, *mode)).map(|(key, _)| key.clone()).collect()
    }

    /// The owners of a waiting cycle through `owner`; empty if there is none.
    fn circle(&self, owner: Owner) -> Vec<Owner> {
        let mut waits_for_me: HashMap<Owner, Owner> = HashMap::new();
        let mut open = vec![owner];
        while let Some(waiting) = open.pop() {
            let Some(party) = self.parties.get(&waiting) else { continue };
            for id in &party.pending {
                let Some(request) = self.requests.get(id) else { continue };
                for (key, mode) in &request.wants {
                    for blocker in self.blockers_on(*id, waiting, key, *mode) {
                        if blocker == owner {
                            let before = |at: &Owner| waits_for_me.get(at).copied();
                            return std::iter::successors(Some(waiting), before).collect();
                        }
                        if let MapEntry::Vacant(vacant) = waits_for_me.entry(blocker) {
                            vacant.insert(waiting);
                            open.push(blocker);
                        }
                    }
                }
            }
        }
        Vec::new()
    }

    /// Grants a request; returns its keys.
    fn grant(&mut self, id: RequestId) -> Vec<Key> {
        let Some(Request { owner, wants, wake }) = self.requests.remove(&id) else { return Vec::new() };
        let party = self.parties.entry(owner).or_default();
        party.pending.retain(|pending| *pending != id);
        for (key, mode) in &wants {
            let Some(entry) = self.entries.get_mut(key) else { continue };
            entry.queue.retain(|queued| *queued != id);
            match entry.holders.iter_mut().find(|(holder, _)| *holder == owner) {
                Some((_, held)) if *mode == LockMode::Exclusive => *held = *mode,
                Some(_) => {}
                None => {
                    entry.holders.push((owner, *mode));
                    party.held.push(key.clone());
                }
            }
        }
        // A waiting task that has ended releases its locks itself.
        let _ = wake.send(Outcome::Granted);
        wants.into_iter().map(|(key, _)| key).collect()
    }
}
