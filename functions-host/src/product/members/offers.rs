//! Handing a project over: `offerProject`, `withdrawProjectOffer` and `answerProjectOffer`.
//!
//! The owner of a project offers it to one of its members, for [`OFFER_DAYS`]. The offer is the document
//! `offers/{project}`, so a project has one at most; the project's members read it, and functions alone write it. On
//! acceptance one transaction changes the owner, and the former owner becomes an editor. An offer of somebody who deletes
//! their account is `closing`: the project stays with its members until the offer ends, and goes then.

mod accept;
mod closing;
mod record;
mod sweep;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use auth_emu::AuthState;
use auth_emu::entropy::SystemEntropy;
use auth_emu::mail::Mailer;
use docstore::Code;
use docstore::access::CommitHook;
use docstore::model::{DatabaseId, DocPath, Document, Write};
use docstore::store::Store;
use docstore::txn::{TxnId, TxnOptions};
use serde::{Deserialize, Serialize};
use storage_emu::StorageState;

pub(in crate::product) use self::closing::Outcome;
pub(super) use self::record::Offer;
use self::record::name_of;
pub(in crate::product) use self::record::offer_path;
use super::{InvitationMailer, Members, Person, deletion, is_in_trash, role_of, text_of};
use crate::functions::callable::{CallError, Context, Function, retried};
use crate::product::delete_deck;
use crate::product::plans::Plans;
use crate::project;
use crate::schema::moved::Moved;
use crate::table::LiveTables;

/// Days for which an offer stands.
const OFFER_DAYS: u64 = 30;

/// Milliseconds of a day.
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Offering {
    project_id: String,
    /// The member.
    uid: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Withdrawal {
    project_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Answer {
    project_id: String,
    accept: bool,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Offered {
    /// Milliseconds since the epoch.
    expires_at: i64,
    /// True if a message was sent to the member.
    mailed: bool,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Withdrawn {
    /// False if there was no offer.
    withdrawn: bool,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Answered {
    /// The caller's role afterwards.
    role: &'static str,
}

/// Parts of the server that handing over works with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfferParts<'a> {
    pub(crate) store: &'a Store,
    pub(crate) accounts: &'a AuthState,
    pub(crate) files: &'a StorageState,
    pub(crate) plans: &'a Plans,
    pub(crate) live: &'a LiveTables,
    /// `None` if no mail is sent.
    pub(crate) mailer: Option<&'a Arc<dyn Mailer>>,
    /// Public URL of the application, without a trailing slash.
    pub(crate) url: &'a str,
    /// The limits on what accounts may have; `None` if nothing is limited.
    pub(crate) room: Option<&'a Arc<dyn CommitHook>>,
}

/// Offers of projects.
#[derive(Clone)]
pub(crate) struct Offers {
    members: Members,
    accounts: AuthState,
    parts: delete_deck::Parts,
    room: Option<Arc<dyn CommitHook>>,
}

impl std::fmt::Debug for Offers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Offers").finish_non_exhaustive()
    }
}

/// A project and its offer, as far as they are there.
type Found = (Option<Document>, Option<Offer>);

/// The three functions.
pub(in crate::product) fn functions(offers: &Offers) -> [Function; 3] {
    let shared = offers.clone();
    let offer = Function::new("offerProject", move |context: Context, request: Offering| {
        let offers = shared.clone();
        async move { offers.offer(&Person::of(context.user()?), &request).await }
    });
    let shared = offers.clone();
    let withdraw = Function::new("withdrawProjectOffer", move |context: Context, request: Withdrawal| {
        let offers = shared.clone();
        async move { offers.withdraw(&Person::of(context.user()?), &request.project_id).await }
    });
    let shared = offers.clone();
    let answer = Function::new("answerProjectOffer", move |context: Context, request: Answer| {
        let offers = shared.clone();
        async move { offers.answer(&Person::of(context.user()?), &request).await }
    });
    [offer, withdraw, answer]
}

impl Offers {
    pub(crate) fn new(parts: OfferParts<'_>) -> Self {
        let project = parts.accounts.project();
        let database = parts.store.database(&DatabaseId::default_of(project));
        let members = Members {
            database: database.clone(),
            store: parts.store.clone(),
            entropy: Arc::new(SystemEntropy),
            plans: parts.plans.clone(),
            mailer: InvitationMailer::new(parts.mailer.cloned(), parts.url),
        };
        let moved = Moved::new(parts.store, project);
        let (files, live) = (parts.files.clone(), parts.live.clone());
        let whole = delete_deck::Parts { database, files, live, moved };
        Self { members, accounts: parts.accounts.clone(), parts: whole, room: parts.room.cloned() }
    }

    pub(in crate::product) const fn members(&self) -> &Members {
        &self.members
    }

    pub(in crate::product) const fn parts(&self) -> &delete_deck::Parts {
        &self.parts
    }

    async fn offer(&self, person: &Person, request: &Offering) -> Result<Offered, CallError> {
        let offer = retried(|| self.try_offer(person, request, false)).await?;
        let mailed = match self.address(&offer.to).await? {
            Some(to) => {
                let now = self.members.store.clock().now().micros();
                self.members.mailer.send_offer(person, &to, &offer.project_name, OFFER_DAYS, now).await
            }
            None => false,
        };
        Ok(Offered { expires_at: offer.expires_at, mailed })
    }

    async fn try_offer(
        &self,
        person: &Person,
        request: &Offering,
        closing: bool,
    ) -> Result<Offer, CallError> {
        let path = path_of(&request.project_id)?;
        let txn = self.begin().await?;
        let planned = match self.found_in(txn, &path).await {
            Ok(found) => self.plan_offer(person, request, closing, found),
            Err(error) => Err(error),
        };
        self.finish(txn, planned).await
    }

    fn plan_offer(
        &self,
        person: &Person,
        request: &Offering,
        closing: bool,
        (project, before): Found,
    ) -> Result<(Offer, Vec<Write>), CallError> {
        let project = own(person, project)?;
        let fields = &project.fields;
        if request.uid == person.uid {
            return Err(CallError::invalid(
                "uid must be a member besides you: the project is yours already.",
            ));
        }
        if role_of(fields, &request.uid).is_none() {
            return Err(CallError::new(Code::NotFound, "They are no member of this project."));
        }
        if !closing && is_in_trash(fields) {
            return Err(refused("This project is in your trash. Take it out before you hand it over."));
        }
        if let Some(before) = before.filter(|before| !closing && before.is_open(self.members.now()))
            && role_of(fields, &before.to).is_some()
        {
            return Err(refused(format!(
                "This project is offered to {} already. Withdraw that offer first.",
                before.to_name
            )));
        }
        let now = self.members.now();
        let offer = Offer {
            project: project.path.id().to_owned(),
            project_name: text_of(fields, "name").unwrap_or_default(),
            from: person.uid.clone(),
            from_name: person.name.clone(),
            to: request.uid.clone(),
            to_name: name_of(fields, &request.uid),
            created_at: now,
            expires_at: now.saturating_add(DAY_MILLIS.saturating_mul(OFFER_DAYS.cast_signed())),
            closing,
            reminded: false,
            ended: false,
            declined: Vec::new(),
        };
        let write = offer.write()?;
        Ok((offer, vec![write]))
    }

    async fn withdraw(&self, person: &Person, project_id: &str) -> Result<Withdrawn, CallError> {
        retried(|| async {
            let path = path_of(project_id)?;
            let txn = self.begin().await?;
            let planned = match self.found_in(txn, &path).await {
                Ok((project, offer)) => own(person, project).and_then(|_| {
                    let withdrawn = Withdrawn { withdrawn: offer.is_some() };
                    Ok((withdrawn, vec![deletion(offer_path(path.id())?)]))
                }),
                Err(error) => Err(error),
            };
            self.finish(txn, planned).await
        })
        .await
    }

    /// The verified address of an account.
    async fn address(&self, uid: &str) -> Result<Option<String>, CallError> {
        let account = self.accounts.account(uid).await?.unwrap_or_default();
        let verified = account["emailVerified"].as_bool() == Some(true);
        Ok(account["email"].as_str().filter(|_| verified).map(str::to_owned))
    }

    async fn begin(&self) -> Result<TxnId, CallError> {
        Ok(self.members.database.begin(TxnOptions::ReadWrite { retry: None }).await?)
    }

    async fn found_in(&self, txn: TxnId, project: &DocPath) -> Result<Found, CallError> {
        let paths = [project.clone(), offer_path(project.id())?];
        Ok(found(self.members.database.get_in(txn, &paths).await?.value))
    }

    /// Commits what was planned, or ends the transaction without it.
    async fn finish<T>(
        &self,
        txn: TxnId,
        planned: Result<(T, Vec<Write>), CallError>,
    ) -> Result<T, CallError> {
        match planned {
            Ok((value, writes)) => {
                self.members.end(txn, writes).await?;
                Ok(value)
            }
            Err(error) => {
                self.members.database.rollback(txn).await?;
                Err(error)
            }
        }
    }
}

impl Members {
    /// The write for a project's offer to somebody who leaves it: it is withdrawn, and a closing one goes to the next
    /// member. If nobody is left, that one stays: it says when the project goes.
    pub(super) async fn withdraw_offer_to(
        &self,
        txn: TxnId,
        project: &Document,
        uid: &str,
    ) -> Result<Option<Write>, CallError> {
        let path = offer_path(project.path.id())?;
        let found = self.database.get_in(txn, std::slice::from_ref(&path)).await?.value;
        let offer = found.into_iter().flatten().next().and_then(|document| Offer::read(&document));
        let Some(offer) = offer.filter(|offer| offer.to == uid && !offer.ended) else { return Ok(None) };
        if !offer.closing {
            return Ok(Some(deletion(path)));
        }
        let next = offer.passed_on(&project.fields);
        Ok(next.map(|next| next.write()).transpose()?)
    }
}

/// The project, if it is the person's own; others learn nothing.
fn own(person: &Person, project: Option<Document>) -> Result<Document, CallError> {
    project.filter(|project| project::owner(&project.fields) == Some(&person.uid)).ok_or_else(|| {
        CallError::new(Code::PermissionDenied, "Only the account that owns the project can hand it over.")
    })
}

fn found(documents: Vec<Option<Document>>) -> Found {
    let mut documents = documents.into_iter();
    let project = documents.next().flatten();
    (project, documents.next().flatten().and_then(|document| Offer::read(&document)))
}

fn path_of(project_id: &str) -> Result<DocPath, CallError> {
    if project_id.is_empty() {
        return Err(CallError::invalid("projectId must be the id of a project."));
    }
    project::path(project_id).map_err(|error| CallError::invalid(format!("projectId: {}", error.message())))
}

fn refused(message: impl Into<String>) -> CallError {
    CallError::new(Code::FailedPrecondition, message)
}
