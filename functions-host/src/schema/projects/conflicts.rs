//! Projects of several accounts with one id. Clients chose the ids, so the oldest project keeps it and the others get new
//! ones.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use docstore::model::{CollectionPath, DocPath, Ts};
use docstore::{Code, Error, Result};

use super::{DECKS, owner_of};
use crate::schema::Target;
use crate::schema::moved::{Kind, MAX_VALUES, Moved, Renamed, new_id};
use crate::schema::walk::{Found, Walk};

/// Most ids compared at once; with more projects, the accounts are walked through several times.
const MAX_COMPARED: u64 = 100_000;

/// Records committed together.
const BATCH: usize = 100;

/// Most ids tried for one project, and most searches for new ids that are taken.
const MAX_ATTEMPTS: u32 = 16;

/// Claim of an account to an id; the smallest one keeps it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    created: Ts,
    owner: String,
}

/// A search for projects that get a new id.
#[derive(Debug)]
pub(super) struct Search<'a> {
    target: &'a Target,
    walk: Walk<'a>,
    part: u64,
    parts: u64,
    oldest: HashMap<String, Claim>,
}

impl<'a> Search<'a> {
    /// A search through all accounts.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn new(target: &'a Target) -> Result<Self> {
        Self::comparing(target, MAX_COMPARED).await
    }

    /// The same, comparing about `most` ids at once.
    pub(super) async fn comparing(target: &'a Target, most: u64) -> Result<Self> {
        let (mut walk, mut projects) = (Walk::new(&target.documents, DECKS), 0);
        while let Some(page) = walk.next().await? {
            projects += page.len() as u64;
        }
        let (walk, parts) = (Walk::new(&target.documents, DECKS), projects.div_ceil(most).max(1));
        Ok(Self { target, walk, part: 0, parts, oldest: HashMap::new() })
    }

    /// Some more owners and ids of such projects, possibly none; `None` at the end.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<(String, String)>>> {
        loop {
            if let Some(mut page) = self.walk.next().await? {
                page.retain(|found| part_of(&found.id, self.parts) == self.part);
                return self.losers(page).await.map(Some);
            }
            self.part += 1;
            if self.part >= self.parts {
                return Ok(None);
            }
            self.oldest.clear();
            self.walk = Walk::new(&self.target.documents, DECKS);
        }
    }

    async fn losers(&mut self, page: Vec<Found>) -> Result<Vec<(String, String)>> {
        let mut losers = Vec::new();
        let ids: Vec<&str> = page.iter().map(|found| found.id.as_str()).collect();
        let there = holders(self.target, &ids).await?;
        for (found, there) in page.iter().zip(there) {
            let (id, owner) = (found.id.clone(), found.owner.clone());
            match there {
                // It was moved before, and something of it has come again.
                Some(holder) if holder.as_ref() == Some(&owner) => continue,
                Some(_) => {
                    losers.push((owner, id));
                    continue;
                }
                None => {}
            }
            let created = found.document.as_ref().map_or(Ts::MAX, |document| document.create_time);
            let claim = Claim { created, owner };
            match self.oldest.entry(id.clone()) {
                Entry::Vacant(place) => drop(place.insert(claim)),
                Entry::Occupied(mut place) if claim < *place.get() => {
                    losers.push((place.insert(claim).owner, id));
                }
                Entry::Occupied(_) => losers.push((claim.owner, id)),
            }
        }
        Ok(losers)
    }
}

fn part_of(id: &str, parts: u64) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(id) % parts
}

/// Owners of the projects that are at the top level already: `Some(None)` for one without an owner.
async fn holders(target: &Target, ids: &[&str]) -> Result<Vec<Option<Option<String>>>> {
    let paths: Vec<DocPath> =
        ids.iter().map(|id| CollectionPath::parse("projects")?.doc(id)).collect::<Result<_>>()?;
    let found = target.documents.get(&paths, None).await?.value;
    Ok(found.into_iter().map(|found| found.map(|document| owner_of(&document.fields))).collect())
}

/// Chooses new ids and records them. Repeating it before anything has moved gives the same ids.
///
/// # Errors
/// `Internal` (`NoNewId`) if ids are taken again and again; those of the store.
pub(super) async fn resolve(target: &Target) -> Result<()> {
    let (mut search, mut records, mut some) = (Search::new(target).await?, Vec::new(), false);
    while let Some(losers) = search.next().await? {
        for (owner, from) in losers {
            some = true;
            let to = free_id(target, &owner, &from, 0).await?;
            records.push(Moved::record(Kind::Project, &Renamed { owner, from, to })?);
            if records.len() >= BATCH {
                target.moved.commit(std::mem::take(&mut records)).await?;
            }
        }
    }
    if !records.is_empty() {
        target.moved.commit(records).await?;
    }
    let mut round = 0;
    while some && replace_taken(target, round + 1).await? {
        round += 1;
        if round >= MAX_ATTEMPTS {
            return Err(no_new_id());
        }
    }
    Ok(())
}

/// A new id that no project at the top level has, but one of the same owner, from an attempt on.
async fn free_id(target: &Target, owner: &str, from: &str, attempt: u32) -> Result<String> {
    for attempt in attempt..attempt + MAX_ATTEMPTS {
        let id = new_id(Kind::Project, owner, from, attempt);
        match holders(target, &[&id]).await?.pop().flatten() {
            Some(holder) if holder.as_deref() != Some(owner) => {}
            _ => return Ok(id),
        }
    }
    Err(no_new_id())
}

/// Replaces new ids that projects below their owners have: somebody who knew them could have taken them on purpose.
/// Returns true if there were any.
async fn replace_taken(target: &Target, attempt: u32) -> Result<bool> {
    let (mut walk, mut any) = (Walk::new(&target.documents, DECKS), false);
    while let Some(page) = walk.next().await? {
        let ids: Vec<&str> = page.iter().map(|found| found.id.as_str()).collect();
        for ids in ids.chunks(MAX_VALUES) {
            let mut records = Vec::new();
            for taken in target.moved.among(Kind::Project, ids).await? {
                // An earlier upgrade has put it there: whoever else has the id gets a new one.
                if holders(target, &[&taken.to]).await?.pop().flatten().is_some() {
                    continue;
                }
                let to = free_id(target, &taken.owner, &taken.from, attempt).await?;
                records.push(Moved::record(Kind::Project, &Renamed { to, ..taken })?);
            }
            if !records.is_empty() {
                any = true;
                target.moved.commit(records).await?;
            }
        }
    }
    Ok(any)
}

fn no_new_id() -> Error {
    let message = "no new id could be found for a project whose id two accounts use";
    Error::new(Code::Internal, "NoNewId", message)
}
