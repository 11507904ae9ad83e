//! Sizes that a table never exceeds. An act beyond one is refused with [`crate::Refusal::Limit`].

/// Pieces on a table, containers included: the painter and a full view are measured with this many.
pub const PIECES: usize = 2_000;
/// Stacks, bags, hands, trays and zones.
pub const CONTAINERS: usize = 600;
/// Zones among them: areas that are drawn and snapped to.
pub const ZONES: usize = 200;
/// Notes that lie on the table.
pub const NOTES: usize = 20;
/// Seats that play.
pub const SEATS: usize = 12;
/// Surfaces of a table.
pub const SURFACES: u8 = 8;
/// Pieces that one act names.
pub const PIECES_OF_ACT: usize = PIECES;
/// Buttons of a table.
pub const BUTTONS: usize = 100;
/// Steps of a button: more than sixty is a game that plays itself.
pub const STEPS: usize = 60;
/// Parts of a formula of a step: numbers, names and operations. A longer one is not read by anybody.
pub const FORMULA_PARTS: usize = 40;
/// Times a step repeats.
pub const TIMES: u32 = 100;
/// Changes of one entry. A shuffle is one change, so that set-ups of a full table stay below it.
pub const CHANGES: usize = 6_000;
/// Work of one act: a piece that a step handles or looks at is one, a change and a step [`WORK_OF_CHANGE`]. A set-up of a
/// full table stays below it; a button that shuffles the table for minutes does not.
pub const WORK: usize = 400_000;
/// Work of one change, and of one step beside its changes.
pub const WORK_OF_CHANGE: usize = 20;
/// Names that a step compares for one of work.
pub const NAMES_OF_WORK: usize = 32;
/// Bytes of one entry as JSON: it is stored in a document of at most 1 MiB.
pub const ENTRY_BYTES: usize = 768 * 1024;
/// Bytes of an act as JSON.
pub const ACT_BYTES: usize = 16 * 1024;
/// Entries that are kept in memory and can be undone.
pub const KEPT_ENTRIES: usize = 1_000;
/// Bytes of them as JSON: in memory they take about twice as much.
pub const KEPT_BYTES: usize = 8 * 1024 * 1024;
/// Bytes of a table's log as JSON, all of which is stored: as many as 80,000 usual acts. A longer game ends, or goes on at
/// another table.
pub const LOG_BYTES: u64 = 32 * 1024 * 1024;
/// Characters of a name.
pub const NAME_CHARS: usize = 30;
/// Characters of a note or a remark.
pub const TEXT_CHARS: usize = 500;
/// Definitions of a box.
pub const DEFINITIONS: usize = 5_000;
/// Card sets of a box.
pub const SETS: usize = 200;
/// Characters of a card set's name, which is that of a component.
pub const SET_NAME_CHARS: usize = 500;
/// Bytes of all faces, backs and names of a box.
pub const BOX_BYTES: usize = 8 * 1024 * 1024;
/// Changes of a table's cards: as many as an evening of editing makes, four a second at most.
pub const REVISIONS: u32 = 5_000;
/// Bytes of one of them as JSON: it is stored in one commit with its entry, which takes 10 MiB.
pub const CHANGE_BYTES: usize = 6 * 1024 * 1024;
/// Bytes of all of them: they are read when the table wakes.
pub const REVISION_BYTES: u64 = 32 * 1024 * 1024;
/// Farthest coordinate, in tenths of a millimetre: ten metres.
pub const COORDINATE: i32 = 100_000;
/// Greatest value of a counter.
pub const VALUE: i64 = 1_000_000_000;
/// Milliseconds a proposed undo waits for votes.
pub const PROPOSAL_MS: u64 = 20_000;
