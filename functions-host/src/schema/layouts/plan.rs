//! The choice of the projects that get a layout.
//!
//! A layout goes to the projects of its owner that it names in `deckIds`. In a project that nobody else has ever worked on,
//! components' names count too. Where others have, they do not: editors write them, and a private layout must not open
//! because one of them named it.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;

use docstore::model::{CollectionPath, Document, FieldPath, Value};
use docstore::{Code, Error, Result};
use futures::TryStreamExt as _;

use super::{LAYOUTS, NAMING, each_named, in_project};
use crate::project;
use crate::schema::Target;
use crate::schema::moved::{Kind, Moved, Placed, new_id};
use crate::schema::walk::{Size, Walk, children};

/// Records committed together.
const BATCH: usize = 100;

/// Most ids tried for one layout.
const MAX_ATTEMPTS: u32 = 16;

/// Projects read at once.
const PROJECTS: u32 = 50;

/// Components read at once.
const COMPONENTS: Size = Size { documents: 250, bytes: 4 * 1024 * 1024 };

/// A project of an account, and the layouts that its components name.
#[derive(Debug)]
struct Home {
    /// Microseconds since 1970.
    created: i64,
    id: String,
    /// Others have worked on it.
    shared: bool,
    named: BTreeSet<String>,
}

/// One account's layouts, each with the projects that get it, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Account {
    pub(super) owner: String,
    pub(super) layouts: BTreeMap<String, Vec<String>>,
}

/// The accounts that have layouts, one after the other.
#[derive(Debug)]
pub(super) struct Accounts<'a> {
    target: &'a Target,
    walk: Walk<'a>,
    /// Owner and layouts of the account that is being read, with the projects that each names.
    current: Option<(String, BTreeMap<String, BTreeSet<String>>)>,
}

impl<'a> Accounts<'a> {
    pub(super) fn new(target: &'a Target) -> Self {
        Self { target, walk: Walk::new(&target.documents, LAYOUTS), current: None }
    }

    /// The next account; `None` at the end.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn next(&mut self) -> Result<Option<Account>> {
        loop {
            let page = self.walk.next().await?;
            let owner = page.as_ref().and_then(|page| page.first()).map(|found| found.owner.clone());
            let whole = self.current.take_if(|(of, _)| Some(&*of) != owner.as_ref());
            if let (Some(owner), Some(page)) = (owner.clone(), page) {
                let (_, layouts) = self.current.get_or_insert_with(|| (owner, BTreeMap::new()));
                for found in page {
                    layouts.insert(found.id, found.document.as_ref().map(names).unwrap_or_default());
                }
            }
            if let Some((owner, layouts)) = whole {
                return self.plan(owner, layouts).await.map(Some);
            }
            if owner.is_none() {
                return Ok(None);
            }
        }
    }

    async fn plan(&self, owner: String, layouts: BTreeMap<String, BTreeSet<String>>) -> Result<Account> {
        let homes = homes(self.target, &owner).await?;
        let places = |id: &str, names: &BTreeSet<String>| {
            let uses = |home: &&Home| names.contains(&home.id) || (!home.shared && home.named.contains(id));
            homes.iter().filter(uses).map(|home| home.id.clone()).collect()
        };
        let layouts = layouts.iter().map(|(id, names)| (id.clone(), places(id, names))).collect();
        Ok(Account { owner, layouts })
    }
}

/// The projects that a layout names.
fn names(layout: &Document) -> BTreeSet<String> {
    let Some(Value::Array(ids)) = layout.fields.get("deckIds") else { return BTreeSet::new() };
    ids.iter().filter_map(|id| if let Value::String(id) = id { Some(id.clone()) } else { None }).collect()
}

/// All projects of an account, the oldest first: in a survey also those that lie below it still.
async fn homes(target: &Target, owner: &str) -> Result<Vec<Home>> {
    let mut homes: Vec<Home> = Vec::new();
    let mut pages = pin!(project::pages(&target.documents, owner, PROJECTS));
    while let Some(page) = pages.try_next().await? {
        for found in &page {
            let shared = found.fields.get("shared") == Some(&Value::Boolean(true));
            homes.push(home(target, found, shared).await?);
        }
    }
    let decks = CollectionPath::parse(&format!("users/{owner}/decks"))?;
    let mut after = None;
    loop {
        let page = children(&target.documents, &decks, after.as_ref(), COMPONENTS, None).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.path.clone());
        for found in &page {
            if homes.iter().all(|home| home.id != found.path.id()) {
                homes.push(home(target, found, found.fields.contains_key("memberIds")).await?);
            }
        }
    }
    homes.sort_by(|a, b| (a.created, &a.id).cmp(&(b.created, &b.id)));
    Ok(homes)
}

async fn home(target: &Target, project: &Document, shared: bool) -> Result<Home> {
    // An upgrade has made its document anew, so the time is the one that it says itself.
    let created = match project.fields.get("createdAt") {
        Some(Value::Timestamp(at)) => at.0,
        _ => i64::try_from(project.create_time.micros()).unwrap_or(i64::MAX),
    };
    let mut named = BTreeSet::new();
    if !shared {
        let components = CollectionPath::parse(&format!("{}/components", project.path))?;
        let mut after = None;
        loop {
            let select = NAMING.iter().map(|name| FieldPath::parse(name)).collect::<Result<_>>()?;
            let page =
                children(&target.documents, &components, after.as_ref(), COMPONENTS, Some(select)).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.path.clone());
            for mut component in page {
                for value in component.fields.values_mut() {
                    each_named(value, &mut |id| {
                        named.insert(id.clone());
                    });
                }
            }
        }
    }
    Ok(Home { created, id: project.path.id().to_owned(), shared, named })
}

/// Chooses the projects that get the layouts, and records them. Repeating it before anything has moved gives the same.
///
/// # Errors
/// `Internal` (`NoNewId`) if no new id is free; those of the store.
pub(super) async fn record(target: &Target) -> Result<()> {
    let (mut accounts, mut records) = (Accounts::new(target), Vec::new());
    while let Some(account) = accounts.next().await? {
        let Account { owner, layouts } = &account;
        for (from, projects) in layouts {
            let known = target.moved.places(owner, from).await?;
            // Decisions of an earlier upgrade stay.
            let mut first_taken = known.iter().any(Placed::is_first);
            for project in projects.iter().filter(|id| known.iter().all(|one| one.project != **id)) {
                let to =
                    if first_taken { free_id(target, &account, from, project).await? } else { from.clone() };
                first_taken = true;
                let (owner, from, project) = (owner.clone(), from.clone(), project.clone());
                records.push(Moved::record_place(&Placed { owner, from, project, to })?);
                if records.len() >= BATCH {
                    target.moved.commit(std::mem::take(&mut records)).await?;
                }
            }
        }
    }
    if records.is_empty() { Ok(()) } else { target.moved.commit(records).await }
}

/// A new id that no layout of the owner has, and none of the project.
async fn free_id(target: &Target, account: &Account, from: &str, project: &str) -> Result<String> {
    let scope = format!("{}/{project}", account.owner);
    for attempt in 1..=MAX_ATTEMPTS {
        let id = new_id(Kind::Layout, &scope, from, attempt);
        let there = target.documents.get(&[in_project(project, &id)?], None).await?.value;
        if !account.layouts.contains_key(&id) && there.into_iter().flatten().next().is_none() {
            return Ok(id);
        }
    }
    let message = "no new id could be found for a layout that several projects use";
    Err(Error::new(Code::Internal, "NoNewId", message))
}
