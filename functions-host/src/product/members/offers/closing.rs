//! Projects with members of an account that is deleted: each is offered to a member, or goes with the account.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;

use docstore::Code;
use docstore::model::{Document, FieldFilter, FieldOp, FieldPath, Filter, Query, Source};
use futures::TryStreamExt as _;
use serde::Deserialize;

use super::super::{Person, deletion, map_of, member_count, text, text_of};
use super::record::{OFFERS, Offer, offer_path};
use super::{OFFER_DAYS, Offering, Offers, refused};
use crate::functions::callable::{CallError, retried};
use crate::project;

/// Projects read at a time.
const PROJECTS: u32 = 50;

/// Most offers of one account.
const MAX_OFFERS: u32 = 10_000;

/// Most names of projects in an error.
const MAX_NAMED: usize = 5;

/// The end of a project whose owner deletes their account.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::product) enum Outcome {
    /// It goes with the account.
    Delete,
    /// It is offered to this member, and goes if they do not take it in time.
    OfferTo(String),
}

impl Offers {
    /// Offers projects of somebody who deletes their account as they say. Every project with members needs an outcome,
    /// unless it was offered so before. If one of them cannot be offered, none is.
    ///
    /// # Errors
    /// `FailedPrecondition` naming the projects without an outcome; those of [`Self::offer`].
    pub(in crate::product) async fn close(
        &self,
        person: &Person,
        outcomes: &BTreeMap<String, Outcome>,
    ) -> Result<(), CallError> {
        self.all_decided(&person.uid, outcomes).await?;
        let mut made = Vec::new();
        for (project_id, outcome) in outcomes {
            let Outcome::OfferTo(uid) = outcome else {
                // From here on nobody accepts what is being deleted.
                self.withdraw_if_own(person, project_id).await?;
                continue;
            };
            let request = Offering { project_id: project_id.clone(), uid: uid.clone() };
            match retried(|| self.try_offer(person, &request, true)).await {
                Ok(offer) => made.push(offer),
                Err(error) => {
                    self.take_back(&made).await?;
                    return Err(error);
                }
            }
        }
        for offer in &made {
            self.tell_members(offer, OFFER_DAYS).await?;
        }
        Ok(())
    }

    /// Refuses if a project with members has no outcome.
    async fn all_decided(&self, uid: &str, outcomes: &BTreeMap<String, Outcome>) -> Result<(), CallError> {
        let offered = self.closing_of(uid).await?;
        let mut undecided = Vec::new();
        let mut pages = pin!(project::pages(&self.members.database, uid, PROJECTS));
        while let Some(page) = pages.try_next().await? {
            for found in page {
                let id = found.path.id();
                if member_count(&found.fields) > 0 && !outcomes.contains_key(id) && !offered.contains(id) {
                    undecided.push(text_of(&found.fields, "name").unwrap_or_else(|| id.to_owned()));
                }
            }
        }
        undecided.dedup();
        if undecided.is_empty() { Ok(()) } else { Err(refused(undecided_in_words(&undecided))) }
    }

    /// Withdraws the offer of a project; nothing happens to one that is not the person's, or has gone.
    async fn withdraw_if_own(&self, person: &Person, project_id: &str) -> Result<(), CallError> {
        match self.withdraw(person, project_id).await {
            Err(error) if error.code() == Code::PermissionDenied => Ok(()),
            done => done.map(drop),
        }
    }

    async fn take_back(&self, made: &[Offer]) -> Result<(), CallError> {
        for offer in made {
            let write = deletion(offer_path(&offer.project)?);
            self.members.database.commit(docstore::commit::Draft::of(vec![write])).await?;
        }
        Ok(())
    }

    /// Ids of the projects of an account that stay with their members until their offers end.
    ///
    /// # Errors
    /// Those of the store.
    pub(in crate::product) async fn closing_of(&self, uid: &str) -> Result<BTreeSet<String>, CallError> {
        let field = FieldPath::parse("from")?;
        let filter = Filter::Field(FieldFilter { field, op: FieldOp::Equal, value: text(uid) });
        let source = Source { collection: Some(OFFERS.to_owned()), all_descendants: false };
        let query = Query { filter: Some(filter), limit: Some(MAX_OFFERS), ..Query::all(None, source) };
        let found = self.members.database.run(&query, None).await?.documents;
        let offers = found.iter().filter_map(Offer::read).filter(|offer| offer.closing);
        Ok(offers.map(|offer| offer.project).collect())
    }

    /// Tells the member to whom a closing offer was passed on.
    pub(super) async fn tell_taker(&self, offer: &Offer) -> Result<(), CallError> {
        if let Some(to) = self.address(&offer.to).await? {
            self.members.mailer.send_closing(&to, offer, true, self.days_left(offer)).await;
        }
        Ok(())
    }

    /// Tells the members of a project whose owner's account is gone that it goes in so many days, and who may take it.
    pub(super) async fn tell_members(&self, offer: &Offer, days: u64) -> Result<(), CallError> {
        let Some(found) = project::find(&self.members.database, &offer.project).await? else { return Ok(()) };
        for uid in members_of(&found).filter(|uid| **uid != offer.from) {
            if let Some(to) = self.address(uid).await? {
                let is_theirs = *uid == offer.to;
                self.members.mailer.send_closing(&to, offer, is_theirs, days).await;
            }
        }
        Ok(())
    }
}

fn members_of(project: &Document) -> impl Iterator<Item = &String> {
    map_of(&project.fields, "members").into_iter().flat_map(|members| members.keys())
}

fn undecided_in_words(names: &[String]) -> String {
    let named: Vec<String> = names.iter().take(MAX_NAMED).map(|name| format!("“{name}”")).collect();
    let more = match names.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "Others work on projects of yours: {}{more}. Say for each whether it is offered to a member or deleted.",
        named.join(", ")
    )
}
