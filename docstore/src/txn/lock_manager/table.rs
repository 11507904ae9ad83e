//! Who holds which key and who waits for it: no time, no tasks, so that a schedule of locks is a test.
//!
//! Waiting is first come, first served on every key, with one exception: whoever holds something already goes before
//! those who wait for that very holder to end. Where such a circle cannot be undone by going first, the youngest in
//! it has to start over; since a retry is as old as its first attempt, the oldest always gets through.

use std::collections::hash_map::Entry as MapEntry;
use std::collections::{HashMap, HashSet, VecDeque};

use tokio::sync::oneshot;

use crate::key::Key;
use crate::txn::TxnId;

/// Who holds or waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    /// A transaction, from its first read to its end.
    Txn(TxnId),
    /// A commit outside any transaction, while it is on its way.
    Commit(u64),
}

impl Owner {
    /// When it was born, for finding the youngest. A commit never has to start over: it counts as the oldest.
    fn birth(self) -> TxnId {
        match self {
            Self::Txn(id) => id,
            Self::Commit(_) => TxnId::OLDEST,
        }
    }
}

/// How much of a key is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Together with other readers.
    Shared,
    /// Alone.
    Exclusive,
}

impl Mode {
    fn conflicts(self, other: Self) -> bool {
        self == Self::Exclusive || other == Self::Exclusive
    }
}

/// The number of a request, rising in the order of asking.
pub(super) type RequestId = u64;

/// What became of a request.
#[derive(Debug)]
pub(super) enum Asked {
    /// All keys are held.
    Granted,
    /// The receiver hears what comes of it; it fails when the owner has ended.
    Waiting(RequestId, oneshot::Receiver<Outcome>),
    /// To wait would be to wait for oneself, and the others are older. Everything the owner had is released.
    Lost,
}

/// What comes of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All keys are held.
    Granted,
    /// An older owner would have waited for this one for ever. Everything the owner had is released.
    Lost,
}

/// Keys wanted together.
#[derive(Debug)]
struct Request {
    owner: Owner,
    wants: Vec<(Key, Mode)>,
    wake: oneshot::Sender<Outcome>,
}

/// One key's holders, and the requests that want it, in their order.
#[derive(Debug, Default)]
struct Entry {
    holders: Vec<(Owner, Mode)>,
    queue: VecDeque<RequestId>,
}

impl Entry {
    fn mode_of(&self, owner: Owner) -> Option<Mode> {
        self.holders.iter().find(|(holder, _)| *holder == owner).map(|(_, mode)| *mode)
    }

    fn holders_against(&self, owner: Owner, mode: Mode) -> impl Iterator<Item = Owner> {
        self.holders
            .iter()
            .filter(move |(holder, held)| *holder != owner && held.conflicts(mode))
            .map(|(holder, _)| *holder)
    }
}

/// What an owner has in the table.
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
    /// Keys over which somebody lost, since they were last taken.
    contended: Vec<Key>,
}

impl Table {
    /// Whether nobody holds anything.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether somebody else holds or waits for `key`.
    pub(super) fn is_taken(&self, key: &[u8], owner: Owner) -> bool {
        self.entries.get(key).is_some_and(|entry| {
            !entry.queue.is_empty() || entry.holders.iter().any(|(holder, _)| *holder != owner)
        })
    }

    /// How many keys an owner holds.
    pub(super) fn held(&self, owner: Owner) -> usize {
        self.parties.get(&owner).map_or(0, |party| party.held.len())
    }

    /// Whether an owner holds `key`, in whatever mode.
    pub(super) fn holds(&self, key: &[u8], owner: Owner) -> bool {
        self.entries.get(key).is_some_and(|entry| entry.mode_of(owner).is_some())
    }

    /// The others that hold any of `keys`.
    pub(super) fn holders(&self, keys: &[Key], owner: Owner) -> HashSet<Owner> {
        let entries = keys.iter().filter_map(|key| self.entries.get(key));
        let holders = entries.flat_map(|entry| &entry.holders).map(|(holder, _)| *holder);
        holders.filter(|holder| *holder != owner).collect()
    }

    /// Asks for keys, all or none.
    pub(super) fn ask(&mut self, owner: Owner, wants: Vec<(Key, Mode)>) -> Asked {
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
        // Only who holds something, or waits already, can be waited for.
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

    /// The keys over which somebody lost since the last call.
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

    /// Breaks every circle through `owner`, which has just made a request: by letting it go before those that wait for
    /// it, or else by ending the youngest.
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

    /// Moves a request before those of `others` that are ahead of it in a queue. Returns whether there were any.
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

    /// Gives up waiting; whoever waited behind may go ahead. Nothing happens to a request that was granted.
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

    /// Ends everything an owner holds and waits for.
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
                // Whoever no longer listens has ended.
                let _ = request.wake.send(outcome);
            }
        }
        self.advance(keys);
    }

    /// Grants what can be granted on keys where something has changed, first come, first served.
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
            // Behind one that waits to be alone, only the same owner can go on.
            let mut first: Option<Owner> = None;
            for id in queue {
                let Some(request) = self.requests.get(&id) else { continue };
                let owner = request.owner;
                if first.is_some_and(|first| first != owner) {
                    continue;
                }
                let alone = self.mode_in(id, &key) == Some(Mode::Exclusive);
                if self.is_free(id) {
                    let granted = self.grant(id);
                    keys.extend(granted.into_iter().filter(|other| *other != key));
                } else if alone {
                    first = Some(owner);
                }
            }
        }
    }

    fn mode_in(&self, id: RequestId, key: &[u8]) -> Option<Mode> {
        self.requests.get(&id)?.wants.iter().find(|(wanted, _)| wanted == key).map(|(_, mode)| *mode)
    }

    fn is_free(&self, id: RequestId) -> bool {
        self.requests.get(&id).is_some_and(|request| {
            let free = |(key, mode): &(Key, Mode)| self.blockers_on(id, request.owner, key, *mode).is_empty();
            request.wants.iter().all(free)
        })
    }

    /// Who stands between a request and one of its keys: conflicting holders, and of those ahead in the queue the
    /// last ones (which in turn wait for the ones before them).
    fn blockers_on(&self, id: RequestId, owner: Owner, key: &[u8], mode: Mode) -> Vec<Owner> {
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
            if ahead == Mode::Exclusive {
                break;
            }
        }
        blockers
    }

    /// The keys of a request that others hold.
    fn contended_by(&self, request: &Request) -> Vec<Key> {
        let others = |key: &Key, mode: Mode| {
            self.entries
                .get(key)
                .is_some_and(|entry| entry.holders_against(request.owner, mode).next().is_some())
        };
        request.wants.iter().filter(|(key, mode)| others(key, *mode)).map(|(key, _)| key.clone()).collect()
    }

    /// The owners along a chain of waiting that leads from an owner back to it; empty when there is none.
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

    /// Gives a request what it wants; returns the keys.
    fn grant(&mut self, id: RequestId) -> Vec<Key> {
        let Some(Request { owner, wants, wake }) = self.requests.remove(&id) else { return Vec::new() };
        let party = self.parties.entry(owner).or_default();
        party.pending.retain(|pending| *pending != id);
        for (key, mode) in &wants {
            let Some(entry) = self.entries.get_mut(key) else { continue };
            entry.queue.retain(|queued| *queued != id);
            match entry.holders.iter_mut().find(|(holder, _)| *holder == owner) {
                Some((_, held)) if *mode == Mode::Exclusive => *held = *mode,
                Some(_) => {}
                None => {
                    entry.holders.push((owner, *mode));
                    party.held.push(key.clone());
                }
            }
        }
        // Whoever no longer listens ends, and lets go by ending.
        let _ = wake.send(Outcome::Granted);
        wants.into_iter().map(|(key, _)| key).collect()
    }
}
