//! Limits of tables that are in use. Those of a table's contents are in [`tuckbox_table::limits`].

use std::time::Duration;

/// Tables awake at once: with four people each, as many sockets as a server takes connections.
pub(super) const LIVE_TABLES: usize = 2_000;
/// Bytes of all tables awake: about 1,800 with four people and a small box. Those where nobody is make room first.
pub(super) const LIVE_BYTES: usize = 512 << 20;
/// Bytes of the tables awake of one owner's projects.
pub(super) const OWNER_BYTES: usize = 128 << 20;
/// Bytes of the sample tables awake. Half of all: visitors leave room for those with an account, and find a place at each
/// of the [`SAMPLES_IN_ALL`].
pub(super) const SAMPLE_BYTES: usize = 256 << 20;
/// Bytes of a table beside what is counted: its task, its sockets, messages that wait. Each of 1,000 tables with four people
/// adds 0.26 MiB to the server.
pub(super) const TABLE_BYTES: usize = 256 << 10;
/// Bytes of a piece of the table, and once more in each view of it.
pub(super) const PIECE_BYTES: usize = 512;
/// Bytes that are reserved for a table that is being loaded.
pub(super) const WAKING_BYTES: usize = 2 << 20;
/// Time that a table gets to go to sleep when another needs its room.
pub(super) const REST: Duration = Duration::from_secs(5);
/// Longest wait for a table that was asked to make room, before another look.
pub(super) const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// Letters that wait for one table; whoever sends more waits.
pub(super) const MAILBOX: usize = 256;
/// Acts that are stored together.
pub(super) const BATCH: usize = 64;
/// Sockets of one seat: somebody's computer, tablet and phone, each connected again before the old socket has ended.
pub(super) const SOCKETS_OF_SEAT: usize = 8;
/// Sockets that only watch.
pub(super) const OBSERVERS: usize = 30;
/// Patches of a seat that are kept for those who come back.
pub(super) const KEPT_PATCHES: usize = 500;
/// Bytes of them.
pub(super) const KEPT_BYTES: usize = 1 << 20;
/// Messages that wait for one reader: the kept patches, and what comes meanwhile.
pub(super) const MESSAGES_WAITING: usize = KEPT_PATCHES + 256;
/// Bytes of them; a message counts for half of it at most, so that a larger one can wait.
pub(super) const BYTES_WAITING: usize = 4 << 20;
/// Entries after which the state is stored, so that waking replays fewer.
pub(super) const SNAPSHOT_EVERY: u64 = 500;
/// Bytes of entries after which it is stored too.
pub(super) const SNAPSHOT_BYTES: u64 = 8 << 20;
/// Entries after which each patch carries a hash of its view.
pub(super) const CHECK_EVERY: u64 = 100;
/// Acts a second of one account at a table, after as many as two seconds' worth at once.
pub(super) const ACTS_A_SECOND: u64 = 40;
/// Work of those acts a second, in the measure of [`tuckbox_table::limits::WORK`]: two acts of the largest kind in five
/// seconds. An act may begin as long as none is owed.
pub(super) const WORK_A_SECOND: u64 = 150_000;
/// Bytes of whole views a second that one account is sent, likewise: of a table with the largest box two in five seconds.
pub(super) const VIEW_BYTES_A_SECOND: u64 = 4 << 20;
/// Moves of the pointer, likewise.
pub(super) const POINTS_A_SECOND: u64 = 30;
/// Interval of the messages that carry everybody's pointer.
pub(super) const POINTERS: Duration = Duration::from_millis(80);
/// Time without anybody after which a table goes to sleep.
pub const SLEEP_AFTER: Duration = Duration::from_secs(600);
/// Time that a seat waits for whoever left it, while the table is awake. Then somebody else may take it over.
pub(super) const SEAT_WAITS: Duration = Duration::from_secs(30 * 60);
/// Attempts to reach a table that goes to sleep at the same moment.
pub(super) const ATTEMPTS: usize = 3;
/// Least time between two runs that pack a table's cards.
pub(super) const PACK_EVERY: Duration = Duration::from_millis(250);
/// Bytes of a replay: a log of 6,000 acts as five people see it. It is read by a page that holds all of it.
pub(super) const REPLAY_BYTES: usize = 24 << 20;
/// Signs of a table's code: 31 are without look-alikes, so there are 887 million.
pub(super) const CODE_SIGNS: usize = 6;
/// People who joined a table by its code and are remembered, those removed among them.
pub(super) const PEOPLE: usize = 100;
/// Time within which guesses of codes are counted.
pub(super) const GUESS_WINDOW: Duration = Duration::from_secs(60);
/// Wrong codes of one address within it.
pub(super) const WRONG_CODES_OF_ADDRESS: usize = 10;
/// Wrong codes of everybody within it, above which whoever joins by code waits for the host.
pub(super) const WRONG_CODES_IN_ALL: usize = 60;
/// Accounts of guests that are made for one address within it: a school class shares one.
pub(super) const JOINS_OF_ADDRESS: usize = 40;
/// Addresses whose guesses are counted at once. From further ones, whoever joins by code waits for the host.
pub(super) const GUESSED_FROM: usize = 65_536;
/// Time after which the account of a guest goes who came to no table.
pub(super) const GUEST_STAYS: Duration = Duration::from_secs(30 * 24 * 3_600);
/// Time after which a visit of a guest is noted again.
pub(super) const VISIT_NOTED: Duration = Duration::from_secs(24 * 3_600);
/// Guests' accounts that are looked up together.
pub(super) const GUESTS_AT_ONCE: u32 = 100;
/// Interval of the sweep of guests' accounts.
pub const GUEST_SWEEP: Duration = Duration::from_secs(3_600);
/// Time after which a sample table goes, whoever is there.
pub(super) const SAMPLE_LASTS: Duration = Duration::from_secs(3_600);
/// Sample tables of one address: those of a household, or of somebody who tries it twice.
pub(super) const SAMPLES_OF_ADDRESS: usize = 3;
/// Sample tables of the server: about a megabyte of disk each, and less of memory while somebody is there.
pub(super) const SAMPLES_IN_ALL: u64 = 500;
/// People who come to one sample table, those who left among them: its link may have been posted.
pub const SAMPLE_PEOPLE: usize = 40;
/// Sample tables, or accounts of their guests, that are looked up together.
pub(super) const SAMPLES_AT_ONCE: u32 = 50;
/// Interval of the sweep of sample tables whose time is over. Nobody is let in from then on, so it need not be exact.
pub const SAMPLE_SWEEP: Duration = Duration::from_secs(20);
