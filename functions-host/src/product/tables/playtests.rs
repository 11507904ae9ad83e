//! Playtest tables: `openTable`, `forkTable`, `actAtTable`, `tableView`, `watchTable`, `updateTable` and `deleteTable`.
//!
//! Owners and editors of a project open its tables, which count for the project's owner. Members of any role come to them;
//! whoever is no member learns nothing of them. Replies carry the messages that a socket would have been sent;
//! `watchTable` streams them, where proxies let no sockets through.

mod requests;

use std::sync::Arc;
use std::time::Duration;

use docstore::commit::Draft;
use docstore::database::Database;
use docstore::model::{
    Document, FieldFilter, FieldOp, FieldPath, Fields, Filter, Precondition, Query, Source, Value, Write,
    WriteOp,
};
use docstore::{Code, Error};
use serde_json::Value as Json;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};
use tuckbox_table::game_box::GameBox;
use tuckbox_table::ids::SeatNo;
use tuckbox_table::limits::{ACT_BYTES, NAME_CHARS, SEATS};
use tuckbox_table::model::{Follow, Role, Seat, Settings, Table};

use requests::{
    ActRequest, DeleteRequest, Deleted, Fork, Messages, Open, Opened, UpdateRequest, Updated, ViewRequest,
};

use super::replays;
use crate::functions::callable::{AuthContext, CallError, Chunks, Context, DEFAULT_TIMEOUT, Function};
use crate::product::one_line::text;
use crate::product::{members, subtree, versions};
use crate::project;
use crate::table::admission::{Admission, AdmissionChange};
use crate::table::messages::{Asked, Have, Refused};
use crate::table::{LiveTables, NotForked, Standing, lobby};

/// Open tables of one owner's projects.
const OPEN_TABLES: u64 = 20;

/// Tables of one owner's projects that are kept, ended ones among them: each may hold a box of 8 MiB.
const KEPT_TABLES: u64 = 200;

/// Tables of a deleted project that are looked up together.
const TABLES_AT_ONCE: u32 = 50;

/// Longest stream of a table's messages. Its token is checked at the start only, so it ends soon; whoever comes back with
/// what they have is sent the rest.
const LONGEST_STREAM: Duration = Duration::from_secs(300);

/// Longest name of a table, in characters.
const TABLE_NAME_CHARS: usize = 120;

/// The part of a new table that lists show.
struct Listing {
    project: String,
    owner: String,
    name: String,
    /// Fields that say which version of the project it is a table of; none for the project as it is.
    version: Fields,
}

/// Dependencies of the functions.
#[derive(Debug, Clone)]
pub(super) struct Playtests {
    database: Database,
    live: LiveTables,
    /// Two that open a table at once are counted one after the other.
    opening: Arc<Mutex<()>>,
}

/// The functions over `database` and `live`.
pub(in crate::product) fn functions(database: &Database, live: &LiveTables) -> [Function; 7] {
    let playtests = Playtests { database: database.clone(), live: live.clone(), opening: Arc::default() };
    let shared = playtests.clone();
    let open = Function::new("openTable", move |context: Context, request: Open| {
        let shared = shared.clone();
        async move { shared.open(context.user()?, request).await }
    });
    let shared = playtests.clone();
    let act = Function::new("actAtTable", move |context: Context, request: ActRequest| {
        let shared = shared.clone();
        async move {
            let asked = asked(request.act)?;
            let from = (request.seat, request.have);
            shared.call(&context.user()?.uid, &request.table, from, Some(asked)).await
        }
    });
    let shared = playtests.clone();
    let view = Function::new("tableView", move |context: Context, request: ViewRequest| {
        let shared = shared.clone();
        async move {
            let from = (request.seat, request.have);
            shared.call(&context.user()?.uid, &request.table, from, None).await
        }
    });
    let shared = playtests.clone();
    let watch = Function::streaming("watchTable", move |context: Context, request: ViewRequest, chunks| {
        let shared = shared.clone();
        async move { shared.watch(&context.user()?.uid, request, &chunks).await }
    });
    // The stream ends by itself before the call's own limit does, which would be an error.
    let watch = watch.timeout(LONGEST_STREAM + DEFAULT_TIMEOUT);
    let shared = playtests.clone();
    let update = Function::new("updateTable", move |context: Context, request: UpdateRequest| {
        let shared = shared.clone();
        async move {
            let UpdateRequest { table, game_box } = request;
            let taken = shared.live.take_cards(&table, &context.user()?.uid, game_box).await;
            let changed = taken.map_err(refused)?;
            let refuse = |why| CallError::new(Code::FailedPrecondition, why);
            Ok::<_, CallError>(Updated { changed: changed.map_err(refuse)? })
        }
    });
    let shared = playtests.clone();
    let fork = Function::new("forkTable", move |context: Context, request: Fork| {
        let shared = shared.clone();
        async move { shared.fork(&context.user()?.uid, &request).await }
    });
    let delete = Function::new("deleteTable", move |context: Context, request: DeleteRequest| {
        let shared = playtests.clone();
        async move { shared.delete(&context.user()?.uid, &request.table).await }
    });
    [open, act.admit_guests(), view.admit_guests(), watch.admit_guests(), update, fork, delete]
}

/// The error of a call, whose details have the word that a socket's last message has.
pub(super) fn refused(why: Refused) -> CallError {
    CallError::from(why.error()).with_details(serde_json::json!({"why": why.word()}))
}

fn message(frame: &str) -> Result<Json, CallError> {
    serde_json::from_str(frame)
        .map_err(|_| CallError::new(Code::Internal, "The table's answer is unreadable. Try again."))
}

fn asked(act: Json) -> Result<Asked, CallError> {
    if act.to_string().len() > ACT_BYTES {
        return Err(CallError::invalid(format!("An act has at most {ACT_BYTES} bytes as JSON.")));
    }
    serde_path_to_error::deserialize(act).map_err(|error| {
        CallError::invalid(format!(
            "The field \"act.{}\" is not as expected: {}.",
            error.path(),
            error.inner()
        ))
    })
}

impl Playtests {
    async fn open(&self, user: &AuthContext, request: Open) -> Result<Opened, CallError> {
        let (found, standing) = self.project(&user.uid, &request.project_id).await?;
        if standing != Standing::Maker {
            return Err(makers_only());
        }
        let name = text(&request.name, "name", TABLE_NAME_CHARS)?;
        let owner = project::owner(&found.fields).unwrap_or_default().to_owned();
        let (version, version_name) = match &request.version {
            Some(version) => {
                let (fields, name) = versions::of_table(&self.database, &found.path, version).await?;
                (fields, Some(name))
            }
            None => (Fields::new(), None),
        };
        let can_follow = self.live.can_follow().await;
        let table = table(&request, &user.uid, can_follow, version_name)?;
        let listing = Listing { project: request.project_id, owner, name, version };
        self.create(&user.uid, listing, table, request.game_box).await
    }

    /// Opens a table on which the caller plays on alone from a moment of another one.
    async fn fork(&self, uid: &str, request: &Fork) -> Result<Opened, CallError> {
        let not_found = || refused(Refused::Stranger);
        let found = lobby::find(&self.database, &request.table).await?.ok_or_else(not_found)?;
        let project = lobby::project(&found.fields).ok_or_else(not_found)?.to_owned();
        let (document, standing) = self.project(uid, &project).await.map_err(|_| not_found())?;
        if standing != Standing::Maker {
            return Err(makers_only());
        }
        let forked = self.live.forked(&request.table, request.n, uid).await;
        let (table, game_box) = forked.map_err(|why| match why {
            NotForked::Running => CallError::new(
                Code::FailedPrecondition,
                "Playing on alone would show hands and the order of the decks. End the game first.",
            ),
            NotForked::NoEntry => CallError::invalid("The table has no such act."),
            NotForked::Store(error) => error.into(),
        })?;
        let owner = project::owner(&document.fields).unwrap_or_default().to_owned();
        let name: String =
            lobby::name(&found.fields).unwrap_or_default().chars().take(TABLE_NAME_CHARS - 12).collect();
        let name = format!("{} (what if)", name.trim_end());
        let version = versions::in_table(&found.fields);
        self.create(uid, Listing { project, owner, name, version }, table, game_box).await
    }

    /// Stores a table and lists it.
    async fn create(
        &self,
        uid: &str,
        Listing { project, owner, name, version }: Listing,
        table: Table,
        game_box: GameBox,
    ) -> Result<Opened, CallError> {
        let _opening = self.opening.lock().await;
        let too_many = |what: &str, most: u64, advice: &str| {
            CallError::new(
                Code::ResourceExhausted,
                format!("The projects of this owner have {most} {what} tables, which is the most: {advice}."),
            )
        };
        if self.count(&owner, true).await? >= OPEN_TABLES {
            return Err(too_many("open", OPEN_TABLES, "end one first"));
        }
        if self.count(&owner, false).await? >= KEPT_TABLES {
            return Err(too_many("kept", KEPT_TABLES, "delete one that has ended"));
        }
        let created = self.live.create(table.clone(), game_box).await;
        let id = created.map_err(|error| {
            tracing::warn!("a table was not made: {error}");
            CallError::new(Code::Unavailable, "The table could not be stored. Try again.")
        })?;
        let mut fields = lobby::following(&table, |_| true);
        fields.extend(version);
        let now = self.live.now();
        for (key, value) in [
            ("projectId", Value::String(project)),
            ("ownerId", Value::String(owner)),
            ("openedBy", Value::String(uid.to_owned())),
            ("name", Value::String(name)),
            ("createdAt", Value::Timestamp(now)),
            ("updatedAt", Value::Timestamp(now)),
        ] {
            fields.insert(key.to_owned(), value);
        }
        let op = WriteOp::Set { fields, transforms: Vec::new() };
        let write = Write { path: lobby::path(&id)?, op, precondition: Precondition::Exists(false) };
        self.database.commit(Draft::of(vec![write])).await?;
        let code = |admission: &mut Admission, code: &str| {
            Ok::<_, Error>(admission.change(&AdmissionChange::NewCode, code))
        };
        if let Err(error) = self.live.admissions().change(&id, code).await {
            tracing::warn!(table = id, "a table has no code before its host makes one: {error}");
        }
        Ok(Opened { table: id })
    }

    /// Sends what a socket would be sent, until the table lets go or the stream has lasted long enough.
    async fn watch(&self, uid: &str, request: ViewRequest, chunks: &Chunks) -> Result<(), CallError> {
        if !chunks.accepted() {
            return Err(CallError::invalid(
                "watchTable is a stream: call it with httpsCallable(…).stream().",
            ));
        }
        let ViewRequest { table, seat, have } = request;
        let seated = self.live.enter(&table, uid, seat, have).await;
        let mut seated = seated.map_err(refused)?;
        let ends = Instant::now() + LONGEST_STREAM;
        while let Ok(Some(frame)) = timeout_at(ends, seated.next()).await {
            if !chunks.send(&message(&frame)?).await? {
                break;
            }
        }
        Ok(())
    }

    async fn call(
        &self,
        uid: &str,
        table: &str,
        from: (Option<SeatNo>, Option<Have>),
        asked: Option<Asked>,
    ) -> Result<Messages, CallError> {
        let frames = self.live.call(table, uid, from, asked).await.map_err(refused)?;
        Ok(Messages { messages: frames.iter().map(|frame| message(frame)).collect::<Result<_, _>>()? })
    }

    /// Ends a table and deletes all of it.
    async fn delete(&self, uid: &str, table: &str) -> Result<Deleted, CallError> {
        let not_found = || refused(Refused::Stranger);
        let found = lobby::find(&self.database, table).await?.ok_or_else(not_found)?;
        let project = lobby::project(&found.fields).ok_or_else(not_found)?;
        let (_, standing) = self.project(uid, project).await.map_err(|_| not_found())?;
        if standing != Standing::Maker {
            return Err(makers_only());
        }
        Ok(Deleted { deleted: delete(&self.database, &self.live, &found).await? })
    }

    /// A project that the caller is a member of.
    async fn project(&self, uid: &str, id: &str) -> Result<(Document, Standing), CallError> {
        let found = project::find(&self.database, id).await?;
        let found = found.and_then(|found| {
            let standing = members::standings(&found.fields).get(uid).copied()?;
            Some((found, standing))
        });
        found.ok_or_else(|| {
            CallError::new(Code::NotFound, "There is no such project that you are a member of.")
        })
    }

    async fn count(&self, owner: &str, only_open: bool) -> Result<u64, CallError> {
        let mut filters = vec![equals("ownerId", owner)?];
        if only_open {
            filters.push(equals("status", "open")?);
        }
        let source = Source { collection: Some(lobby::COLLECTION.to_owned()), all_descendants: false };
        let query = Query { filter: Some(Filter::And(filters)), ..Query::all(None, source) };
        Ok(self.database.count(&query, Some(KEPT_TABLES)).await?)
    }
}

/// Deletes a table: first what leads to it, then its log.
async fn delete(database: &Database, live: &LiveTables, table: &Document) -> docstore::Result<u64> {
    let path = &table.path;
    replays::close(database, live, table).await?;
    let deleted = subtree::delete(database, path.clone()).await?;
    replays::close_late(database, live, path.id()).await?;
    live.end(path.id()).await;
    live.admissions().close(path.id()).await?;
    let (logs, log) = live.log_of(path.id())?;
    subtree::delete(&logs, log).await?;
    Ok(deleted)
}

/// Deletes all tables of a project.
///
/// # Errors
/// Those of the store; what was deleted by then stays deleted.
pub(in crate::product) async fn delete_of(
    database: &Database,
    live: &LiveTables,
    project: &str,
) -> docstore::Result<u64> {
    let source = Source { collection: Some(lobby::COLLECTION.to_owned()), all_descendants: false };
    let query = Query {
        filter: Some(equals("projectId", project)?),
        limit: Some(TABLES_AT_ONCE),
        ..Query::all(None, source)
    };
    let mut deleted = 0;
    loop {
        let found = database.run(&query, None).await?.documents;
        for table in &found {
            deleted += delete(database, live, table).await?;
        }
        if found.len() < TABLES_AT_ONCE as usize {
            return Ok(deleted);
        }
    }
}

fn equals(field: &str, value: &str) -> docstore::Result<Filter> {
    let (field, value) = (FieldPath::parse(field)?, Value::String(value.to_owned()));
    Ok(Filter::Field(FieldFilter { field, op: FieldOp::Equal, value }))
}

fn table(request: &Open, uid: &str, can_follow: bool, version: Option<String>) -> Result<Table, CallError> {
    if request.seats.is_empty() || request.seats.len() > SEATS {
        return Err(CallError::invalid(format!("seats must list 1 to {SEATS} seats.")));
    }
    let settings = Settings {
        designer_view: request.designer_view,
        remembers: request.remembers,
        follow: match request.follow.unwrap_or(Follow::Live) {
            _ if request.version.is_some() || !request.game_box.knows_cards() => Follow::Frozen,
            Follow::Live if !can_follow => Follow::Ask,
            follow => follow,
        },
        version,
        ..Settings::default()
    };
    let mut table = Table::new(request.surfaces, settings);
    for (no, seat) in (0..).zip(&request.seats) {
        let is_host = no == 0;
        let seat = Seat {
            name: text(&seat.name, "the name of a seat", NAME_CHARS)?,
            colour: seat.colour & 0x00ff_ffff,
            who: is_host.then(|| uid.to_owned()),
            role: if is_host { Role::Host } else { Role::Player },
            agrees: false,
        };
        table.seats.insert(SeatNo(no), seat);
    }
    Ok(table)
}

/// The name of somebody at a table.
pub(super) fn person_name(name: &str) -> Result<String, CallError> {
    text(name, "name", NAME_CHARS)
}

pub(super) fn makers_only() -> CallError {
    CallError::new(
        Code::PermissionDenied,
        "Only owners and editors of a project open, publish and delete its tables.",
    )
}

/// Tables for tests of other functions.
#[cfg(test)]
pub(in crate::product) fn live_tables(store: &docstore::Store) -> LiveTables {
    LiveTables::new(crate::table::Dependencies {
        store,
        project: "demo",
        clock: Arc::new(docstore::clock::SystemClock),
        entropy: Arc::new(auth_emu::entropy::SystemEntropy),
        numbers: crate::host::metrics::TableNumbers::default(),
        standings: members::standings,
        idle_limit: crate::table::SLEEP_AFTER,
        packer: Arc::new(crate::table::cards::NoPacker),
    })
}
