//! A survey of the changes that the step would make.

use docstore::Result;

use super::plan::Accounts;
use crate::schema::Target;

/// Counts of one account, or of all.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    /// Layouts that move to a project.
    placed: u64,
    /// Layouts that further projects get.
    copies: u64,
    /// Layouts that move to the library.
    unused: u64,
}

impl Counts {
    fn add(&mut self, more: Self) {
        self.placed += more.placed;
        self.copies += more.copies;
        self.unused += more.unused;
    }

    fn text(&self) -> String {
        let Self { placed, copies, unused } = self;
        format!(
            "{placed} layouts move to the projects that use them, {copies} copies of them to further projects, {unused} to the library"
        )
    }
}

/// Tells the counts of each account, a line each, and of all.
///
/// # Errors
/// Those of the store and of `tell`.
pub(super) async fn survey(target: &Target, tell: &mut (dyn FnMut(&str) -> Result<()> + Send)) -> Result<()> {
    let (mut accounts, mut all, mut number) = (Accounts::new(target), Counts::default(), 0_u64);
    while let Some(account) = accounts.next().await? {
        let mut counts = Counts::default();
        for projects in account.layouts.values() {
            counts.add(match projects.len() as u64 {
                0 => Counts { unused: 1, ..Counts::default() },
                some => Counts { placed: 1, copies: some - 1, unused: 0 },
            });
        }
        tell(&format!("account {}: {}", account.owner, counts.text()))?;
        number += 1;
        all.add(counts);
    }
    tell(&format!("{number} accounts, {}", all.text()))
}
