//! A survey of the changes that the step would make.

use std::collections::BTreeMap;

use docstore::Result;

use super::conflicts::Search;
use super::{DECKS, is_presence, part_of};
use crate::schema::Target;
use crate::schema::walk::{Found, Size, Walk, below};

/// Names read at once.
const PAGE: Size = Size { documents: 1_000, bytes: 16 * 1024 * 1024 };

/// Counts of one account, or of all.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    projects: u64,
    documents: u64,
    presence: u64,
    recovered: u64,
}

/// Tells the counts of each account and each project that gets a new id, a line each.
///
/// # Errors
/// Those of the store and of `tell`.
pub(super) async fn survey(target: &Target, tell: &mut (dyn FnMut(&str) -> Result<()> + Send)) -> Result<()> {
    let mut walk = Walk::new(&target.documents, DECKS);
    let (mut all, mut accounts) = (Counts::default(), 0_u64);
    let mut account: Option<(String, Counts)> = None;
    loop {
        let page = walk.next().await?;
        let owner = page.as_ref().and_then(|page| page.first()).map(|found| &found.owner);
        if let Some((of, counts)) = account.take_if(|(of, _)| Some(&*of) != owner) {
            tell(&format!("account {of}: {}", counts.text()))?;
            accounts += 1;
            all.add(counts);
        }
        let Some(page) = page else { break };
        for found in page {
            let counts = count(target, &found).await?;
            account.get_or_insert_with(|| (found.owner, Counts::default())).1.add(counts);
        }
    }
    let mut conflicts: BTreeMap<String, u64> = BTreeMap::new();
    let mut search = Search::new(target).await?;
    while let Some(losers) = search.next().await? {
        for (owner, id) in losers {
            tell(&format!("users/{owner}/decks/{id} gets a new id: an older project has this one"))?;
            *conflicts.entry(owner).or_default() += 1;
        }
    }
    let renamed: u64 = conflicts.values().sum();
    tell(&format!("{accounts} accounts, {}; {renamed} projects get a new id", all.text()))
}

async fn count(target: &Target, found: &Found) -> Result<Counts> {
    let (root, mut after) = (found.path.clone(), None);
    let own = u64::from(found.document.is_some());
    let mut counts = Counts { projects: own, ..Counts::default() };
    loop {
        let page = below(&target.documents, &root, after.as_ref(), PAGE, true).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.path.clone());
        for document in &page {
            if is_presence(&part_of(&root, &document.path)) {
                counts.presence += 1;
            } else {
                counts.documents += 1;
            }
        }
    }
    counts.recovered = u64::from(own == 0 && counts.documents > 0);
    Ok(counts)
}

impl Counts {
    fn add(&mut self, more: Self) {
        self.projects += more.projects;
        self.documents += more.documents;
        self.presence += more.presence;
        self.recovered += more.recovered;
    }

    fn text(&self) -> String {
        let Self { projects, documents, presence, recovered } = self;
        let mut text = format!("{projects} projects with {documents} documents below them move");
        if *recovered > 0 {
            text += &format!("; {recovered} of which only parts are left become projects again");
        }
        if *presence > 0 {
            text += &format!("; {presence} old positions of cursors are dropped");
        }
        text
    }
}
