//! Users' own accounts: exporting one, ending its sessions, deleting it.

use std::collections::BTreeMap;
use std::pin::pin;

use auth_emu::{AccountChange, AuthState};
use docstore::Code;
use docstore::database::Database;
use docstore::model::{DocPath, Document, Ts};
use docstore::store::Store;
use futures::TryStreamExt as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::members::offers::Outcome;
use super::members::{Offers, Person};
use super::plans::callables::Counter;
use super::{delete_deck, plain_json, subtree, versions};
use crate::functions::callable::{AuthContext, CallError, Context, Function};
use crate::project;

/// Most documents on one page of an export.
const EXPORT_PAGE: u32 = 200;

/// Target size of an export's page, in bytes of text; a page ends once it has more.
const EXPORT_BYTES: usize = 4 * 1024 * 1024;

/// Longest age of the sign-in that may delete the account, in seconds: an open browser is not enough.
const RECENT_SIGN_IN_SECONDS: u64 = 300;

/// Projects of a deleted account read at a time.
const PROJECTS: u32 = 50;

/// Passes over a deleted account's data for documents written meanwhile, until none is found.
const MAX_SWEEPS: u32 = 20;

const MICROS_PER_SECOND: u64 = 1_000_000;

#[derive(Debug, Deserialize)]
struct ExportRequest {
    /// The last path of the previous page.
    after: Option<String>,
}

#[derive(Debug, Serialize)]
struct Exported {
    path: String,
    fields: Value,
}

#[derive(Debug, Serialize)]
struct ExportPage {
    /// The account itself, on the first page.
    account: Option<Value>,
    documents: Vec<Exported>,
    /// Start of the next page; null on the last one.
    next: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeleteRequest {
    /// The outcome for each project on which others work, by id.
    #[serde(default)]
    projects: BTreeMap<String, Outcome>,
}

#[derive(Debug, Serialize)]
struct Deleted {
    deleted: u64,
}

/// `exportMyData`, `signOutEverywhere` and `deleteMyAccount`.
pub(super) fn functions(
    store: &Store,
    parts: &delete_deck::Parts,
    accounts: &AuthState,
    counter: &Counter,
    offers: &Offers,
) -> [Function; 3] {
    let export = {
        let (database, accounts) = (parts.database.clone(), accounts.clone());
        Function::new("exportMyData", move |context: Context, request: ExportRequest| {
            let (database, accounts) = (database.clone(), accounts.clone());
            async move { export(&database, &accounts, &context.user()?.uid, request.after.as_deref()).await }
        })
    };
    let sign_out = {
        let accounts = accounts.clone();
        Function::new("signOutEverywhere", move |context: Context, (): ()| {
            let accounts = accounts.clone();
            async move {
                accounts.change_by_id(&context.user()?.uid, &AccountChange::EndSessions).await?;
                Ok::<_, CallError>(())
            }
        })
    };
    let delete = {
        let deletion = Deletion {
            store: store.clone(),
            parts: parts.clone(),
            accounts: accounts.clone(),
            counter: counter.clone(),
            offers: offers.clone(),
        };
        Function::new("deleteMyAccount", move |context: Context, request: Option<DeleteRequest>| {
            let deletion = deletion.clone();
            async move { deletion.run(context.user()?, &request.unwrap_or_default()).await }
        })
    };
    [export, sign_out, delete]
}

/// Dependencies of account deletion.
#[derive(Debug, Clone)]
struct Deletion {
    store: Store,
    parts: delete_deck::Parts,
    accounts: AuthState,
    counter: Counter,
    offers: Offers,
}

impl Deletion {
    /// Ends the account's sessions, deletes its data, and then sweeps for anything written meanwhile.
    async fn run(&self, user: &AuthContext, request: &DeleteRequest) -> Result<Deleted, CallError> {
        signed_in_recently(user, self.store.clock().now())?;
        let uid = user.uid.as_str();
        let root = home(uid)?;
        // Before anything ends: if a project cannot be offered, the account stays.
        self.offers.close(&Person::of(user), &request.projects).await?;
        // First, so that no subscription is charged for a deleted account.
        self.counter.close(uid).await?;
        // Before any data, so that no other tab or machine writes it again.
        if self.accounts.account(uid).await?.is_some() {
            self.accounts.change_by_id(uid, &AccountChange::EndSessions).await?;
        }
        let mut deleted = self.delete_all(uid, &root).await?;
        // Last, so that an interrupted deletion can be repeated after another sign-in.
        self.accounts.delete_account(uid).await?;
        // Writes admitted before the sessions ended may have landed since.
        for _ in 0..MAX_SWEEPS {
            let late = self.delete_all(uid, &root).await?;
            deleted += late;
            if late == 0 {
                return Ok(Deleted { deleted });
            }
        }
        Err(CallError::new(
            Code::Internal,
            "Your account is gone, but not all of its documents are. Tell whoever runs this server.",
        ))
    }

    async fn delete_all(&self, uid: &str, root: &DocPath) -> Result<u64, CallError> {
        let delete_deck::Parts { database, files, moved, .. } = &self.parts;
        let mut deleted = 0;
        let offered = self.offers.closing_of(uid).await?;
        let mut pages = pin!(project::pages(database, uid, PROJECTS));
        while let Some(page) = pages.try_next().await? {
            for found in page.iter().filter(|found| !offered.contains(found.path.id())) {
                deleted += self.parts.delete(&found.path).await?;
            }
        }
        self.offers.members().leave_all(uid).await?;
        moved.forget(uid).await?;
        deleted += subtree::delete(database, root.clone()).await?;
        files.delete_folder(&format!("{root}/")).await?;
        Ok(deleted)
    }
}

/// Root of all of a user's documents.
fn home(uid: &str) -> Result<DocPath, CallError> {
    if uid.contains('/') {
        return Err(CallError::invalid("The user's id cannot own documents."));
    }
    Ok(DocPath::parse(&format!("users/{uid}"))?)
}

fn signed_in_recently(user: &AuthContext, now: Ts) -> Result<(), CallError> {
    let signed_in = user.token.get("auth_time").and_then(Value::as_u64).unwrap_or_default();
    let recent = signed_in.saturating_add(RECENT_SIGN_IN_SECONDS) >= now.micros() / MICROS_PER_SECOND;
    if recent { Ok(()) } else { Err(too_old()) }
}

fn too_old() -> CallError {
    CallError::new(
        Code::FailedPrecondition,
        "Sign in again: deleting an account needs a sign-in of the last minutes.",
    )
}

async fn export(
    database: &Database,
    accounts: &AuthState,
    uid: &str,
    after: Option<&str>,
) -> Result<ExportPage, CallError> {
    let after = after.map(DocPath::parse).transpose()?;
    let account = if after.is_none() { accounts.account(uid).await? } else { None };
    let found = own_documents(database, uid, after.as_ref()).await?;
    let mut more = found.len() == EXPORT_PAGE as usize;
    let (mut documents, mut bytes) = (Vec::new(), 0);
    for document in found {
        if bytes > EXPORT_BYTES {
            more = true;
            break;
        }
        let fields = versions::readable(&document).unwrap_or_else(|| plain_json::object(&document.fields));
        bytes += fields.to_string().len();
        documents.push(Exported { path: document.path.as_str().to_owned(), fields });
    }
    let next = documents.last().filter(|_| more).map(|last| last.path.clone());
    Ok(ExportPage { account, documents, next })
}

/// The next page of a user's own documents: those below their name, and then their projects, each with everything below
/// it.
async fn own_documents(
    database: &Database,
    uid: &str,
    after: Option<&DocPath>,
) -> Result<Vec<Document>, CallError> {
    let root = home(uid)?;
    let mut found = Vec::new();
    let mut from = None;
    if after.is_none_or(|after| after.is_below(&root)) {
        found = subtree::page(database, &root, after, EXPORT_PAGE).await?;
    } else {
        from = after.and_then(project::of_path);
        if from.is_none() {
            return Err(CallError::invalid("after must be the path of one of your own documents."));
        }
    }
    // Each gives a document at least, but the one that the last page ended in.
    let projects = project::owned(database, uid, from.as_ref(), EXPORT_PAGE + 1).await?;
    for project in projects {
        let path = project.path.clone();
        let begun = after.filter(|after| *after == &path || after.is_below(&path));
        if begun.is_none() && found.len() < EXPORT_PAGE as usize {
            found.push(project);
        }
        let room = (EXPORT_PAGE as usize).saturating_sub(found.len());
        match u32::try_from(room) {
            Ok(room) if room > 0 => found.extend(subtree::page(database, &path, begun, room).await?),
            _ => break,
        }
    }
    Ok(found)
}
