//! Sample tables: of the game that comes with the application, opened by anybody and without an account. An hour later
//! they are forgotten, whoever is there.
//!
//! ```text
//! samples/{table}   in the database of the logs: `ends`, `name`, and the `network` whose limit it counts towards
//! ```
//!
//! They have no project and no document in `playtests`. So nothing that begins there knows them: lists, feedback, results,
//! replays and forks. Whoever has the address takes a free seat. Who sits on the first one leads the game, but has no say in
//! who comes.

use std::net::IpAddr;
use std::sync::Arc;

use auth_emu::entropy::Entropy;
use docstore::model::{
    CollectionPath, DatabaseId, Direction, DocPath, Document, FieldFilter, FieldOp, FieldPath, Fields,
    Filter, Order, Query, Source, Timestamp, Value, Write,
};
use docstore::shares::network_of;
use docstore::{Code, Database, Draft, Error, Result, Store};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::sync::Mutex;
use tuckbox_table::game_box::GameBox;
use tuckbox_table::ids::{PieceNo, SeatNo};
use tuckbox_table::model::{Role, Seat, Settings, Table};
use tuckbox_table::{Act, Session};

use super::limits::{SAMPLE_LASTS, SAMPLES_AT_ONCE, SAMPLES_IN_ALL, SAMPLES_OF_ADDRESS};
use super::live::LiveTables;
use super::store::DATABASE;

/// The seat whose person starts over and ends the game: the first, so that whoever opened the table has it.
const HOST: SeatNo = SeatNo(0);

/// Collection of the sample tables.
const COLLECTION: &str = "samples";

/// The game of sample tables, packed when the application is built: nothing of it comes from whoever opens one.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SampleGame {
    /// Name of the game.
    pub name: String,
    #[serde(rename = "box")]
    game_box: GameBox,
    /// The steps that lay out the table, as a button has them.
    set_up: Json,
    /// The seats; the first is the host's.
    pub seats: Vec<SampleSeat>,
}

/// A seat of a sample table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleSeat {
    /// Its name, which somebody without a name takes.
    pub name: String,
    colour: u32,
}

impl SampleGame {
    /// The table as it begins: laid out and shuffled, nobody at it.
    ///
    /// # Errors
    /// `Internal` if the set-up does not fit the box.
    pub fn table(&self, entropy: &dyn Entropy) -> Result<Table> {
        let mut table = Table::new(1, Settings::default());
        for (no, seat) in (0..).zip(&self.seats) {
            let (name, colour) = (seat.name.clone(), seat.colour & 0x00ff_ffff);
            table.seats.insert(SeatNo(no), Seat { name, colour, who: None, role: Role::Host, agrees: false });
        }
        let mut seed = [0; 32];
        entropy.fill(&mut seed);
        // Only who leads a table lays it out. That is done before the table's own log begins, when nobody is there.
        let mut session = Session::new(table, Arc::new(self.game_box.clone()), seed);
        for act in [
            json!({"verb": "edit", "edit": {"setup": {"button": self.set_up}}}),
            json!({"verb": "restore", "to": "setup"}),
        ] {
            let act: Act<PieceNo> = serde_json::from_value(act).map_err(|error| unfit(&error))?;
            session.act(SeatNo(0), &act, 0).map_err(|refusal| unfit(&refusal))?;
        }
        let mut table = session.table().clone();
        for (no, seat) in &mut table.seats {
            seat.role = if *no == HOST { Role::Host } else { Role::Player };
        }
        Ok(table)
    }
}

fn unfit(why: &dyn std::fmt::Display) -> Error {
    Error::new(Code::Internal, "SampleUnfit", format!("the sample game cannot be laid out: {why}"))
}

/// Facts of a sample table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Name of its game.
    pub name: String,
    /// The time at which it goes.
    pub ends: Timestamp,
}

impl Sample {
    fn read(fields: &Fields) -> Option<Self> {
        match (fields.get("name"), fields.get("ends")) {
            (Some(Value::String(name)), Some(Value::Timestamp(ends))) => {
                Some(Self { name: name.clone(), ends: *ends })
            }
            _ => None,
        }
    }
}

/// The sample tables that are not forgotten yet.
#[derive(Debug, Clone)]
pub(super) struct Samples {
    database: Database,
    /// Two that open one at once are counted one after the other.
    opening: Arc<Mutex<()>>,
}

/// A reason for which no sample table was opened.
#[derive(Debug)]
pub enum NotOpened {
    /// The address has as many as it may.
    OfAddress,
    /// The server has.
    InAll,
    /// The store refused or failed, or the game does not fit.
    Failed(Error),
}

impl From<Error> for NotOpened {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Samples {
    /// Those of a project.
    pub(super) fn new(store: &Store, project: &str) -> Self {
        Self { database: store.database(&DatabaseId::new(project, DATABASE)), opening: Arc::default() }
    }

    /// A sample table, also if its time is over.
    pub(super) async fn find(&self, id: &str) -> Result<Option<Sample>> {
        let Ok(path) = path(id) else { return Ok(None) };
        let found = self.database.get(&[path], None).await?.value.into_iter().flatten().next();
        Ok(found.and_then(|found| Sample::read(&found.fields)))
    }

    /// Notes a table, if there is room for it.
    async fn note(
        &self,
        id: &str,
        sample: &Sample,
        network: Option<IpAddr>,
        now: Timestamp,
    ) -> std::result::Result<(), NotOpened> {
        let network = network.map(|address| network_of(address).to_string());
        let _opening = self.opening.lock().await;
        if let Some(network) = &network {
            let filter = compare("network", FieldOp::Equal, Value::String(network.clone()))?;
            let own = self.database.run(&all(Some(filter), SAMPLES_AT_ONCE), None).await?.documents;
            let lasts = |found: &&Document| Sample::read(&found.fields).is_some_and(|it| it.ends > now);
            if own.iter().filter(lasts).count() >= SAMPLES_OF_ADDRESS {
                return Err(NotOpened::OfAddress);
            }
        }
        let lasting = compare("ends", FieldOp::Greater, Value::Timestamp(now))?;
        let query = Query { limit: None, ..all(Some(lasting), 0) };
        if self.database.count(&query, Some(SAMPLES_IN_ALL)).await? >= SAMPLES_IN_ALL {
            return Err(NotOpened::InAll);
        }
        self.set(id, sample, network).await.map_err(NotOpened::Failed)
    }

    async fn set(&self, id: &str, sample: &Sample, network: Option<String>) -> Result<()> {
        let mut fields = Fields::from([
            ("name".to_owned(), Value::String(sample.name.clone())),
            ("ends".to_owned(), Value::Timestamp(sample.ends)),
        ]);
        fields.extend(network.map(|network| ("network".to_owned(), Value::String(network))));
        self.database.commit(Draft::of(vec![Write::set(path(id)?, fields)])).await.map(drop)
    }

    /// Tables whose time is over: some of them, the oldest first.
    async fn over(&self, now: Timestamp) -> Result<Vec<String>> {
        let filter = compare("ends", FieldOp::LessOrEqual, Value::Timestamp(now))?;
        let order = Order { field: FieldPath::parse("ends")?, direction: Direction::Ascending };
        let query = Query { order_by: vec![order], ..all(Some(filter), SAMPLES_AT_ONCE) };
        let found = self.database.run(&query, None).await?.documents;
        Ok(found.into_iter().map(|found| found.path.id().to_owned()).collect())
    }

    async fn forget(&self, id: &str) -> Result<()> {
        self.database.commit(Draft::of(vec![Write::delete(path(id)?)])).await.map(drop)
    }
}

impl LiveTables {
    /// Opens a sample table for somebody at an address, and answers its id.
    ///
    /// # Errors
    /// [`NotOpened`]
    pub async fn open_sample(
        &self,
        game: &SampleGame,
        address: Option<IpAddr>,
    ) -> std::result::Result<String, NotOpened> {
        let shared = self.shared();
        let (id, now) = (self.new_id(), self.now());
        let lasts = i64::try_from(SAMPLE_LASTS.as_micros()).unwrap_or_default();
        let sample = Sample { name: game.name.clone(), ends: Timestamp(now.0.saturating_add(lasts)) };
        // Noted first: what a crash leaves of it is forgotten in time.
        let noted = shared.samples.note(&id, &sample, address, now).await;
        shared.numbers.sample(if noted.is_ok() { "opened" } else { "refused" });
        noted?;
        let made = match game.table(&*shared.entropy) {
            Ok(table) => {
                let created = self.create_as(&id, table, game.game_box.clone()).await;
                created
                    .map(drop)
                    .map_err(|error| Error::new(Code::Unavailable, "NoSample", error.to_string()))
            }
            Err(error) => Err(error),
        };
        if let Err(error) = made {
            // It counts for nobody, and the next sweep takes what is there of it.
            shared.samples.set(&id, &Sample { ends: now, ..sample }, None).await?;
            return Err(NotOpened::Failed(error));
        }
        Ok(id)
    }

    /// A sample table whose time is not over.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn sample(&self, id: &str) -> Result<Option<Sample>> {
        let now = self.now();
        Ok(self.shared().samples.find(id).await?.filter(|sample| sample.ends > now))
    }

    /// Ends the sample tables whose time is over, some of them, and answers which. Their logs are to be deleted, and then
    /// they are to be forgotten.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn end_samples(&self) -> Result<Vec<String>> {
        let over = self.shared().samples.over(self.now()).await?;
        for id in &over {
            self.end(id).await;
        }
        Ok(over)
    }

    /// Forgets a sample table of which nothing else is left.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn forget_sample(&self, id: &str) -> Result<()> {
        self.shared().samples.forget(id).await?;
        self.numbers().sample("forgotten");
        Ok(())
    }
}

fn all(filter: Option<Filter>, limit: u32) -> Query {
    let source = Source { collection: Some(COLLECTION.to_owned()), all_descendants: false };
    Query { filter, limit: Some(limit), ..Query::all(None, source) }
}

fn compare(field: &str, op: FieldOp, value: Value) -> Result<Filter> {
    Ok(Filter::Field(FieldFilter { field: FieldPath::parse(field)?, op, value }))
}

fn path(id: &str) -> Result<DocPath> {
    CollectionPath::parse(COLLECTION)?.doc(id)
}
