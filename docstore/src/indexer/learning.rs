//! Learning of indexes from callers under the access policy. An index costs everybody who writes to its collections,
//! not the caller whose query it serves, so callers teach few, and only useful ones: an index is built when a shape was
//! queried [`ASKED`] times and scans read [`READ`] entries and documents too many for it, and one unused for [`UNUSED`]
//! is removed.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;

use crate::catalog::{Catalog, IndexMode, IndexScope};
use crate::encoding::key::DbNo;
use crate::engine::Author;
use crate::model::Ts;
use crate::query::Wanting;

/// Queries of a shape before its index is built.
pub(super) const ASKED: u32 = 4;
/// Entries and documents that these queries must have read besides their results; below that a scan is good enough.
pub(super) const READ: u64 = 2_000;
/// Indexes learned over the collections of one id, and so entries added to each document: a learned index has one entry
/// per document, because those over array elements and over ancestors are not learned.
pub(super) const PER_COLLECTION: usize = 2;
/// Most fields of a learned index: an entry repeats their values.
pub(super) const FIELDS: usize = 4;
/// Indexes learned from one caller in a database.
pub(super) const PER_CALLER: usize = 4;
/// Learned indexes of a database; the other numbers are left for declared ones.
pub(super) const PER_DATABASE: usize = 200;
/// Time without use after which an index is removed; measured in commit time, and again from a start.
pub(super) const UNUSED: Duration = Duration::from_secs(7 * 24 * 3_600);
/// Shapes remembered, of all callers and of one.
const NOTES: usize = 1_024;
const NOTES_OF_ONE: usize = 32;

/// A shape in a database.
type Shape = (DbNo, Wanting);

/// Query shapes seen so far that lack an index.
#[derive(Debug, Default)]
pub(super) struct Learning {
    /// Locked for a lookup, never across an await.
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    shapes: HashMap<Shape, Note>,
    /// Counts notes; gives the order of eviction.
    clock: u64,
}

#[derive(Debug)]
struct Note {
    /// Caller who queried it first.
    by: Author,
    times: u32,
    read: u64,
    last: u64,
    /// The log already says that it is not learned.
    told: bool,
}

impl Learning {
    /// Notes that a query of `by` with this shape read `read` entries and documents for lack of an index. True if the
    /// index pays by now.
    pub(super) fn pays(&self, by: &Author, shape: &Shape, read: u64) -> bool {
        let mut notes = self.notes.lock();
        let note = notes.of(by, shape);
        note.times = note.times.saturating_add(1);
        note.read = note.read.saturating_add(read);
        note.times >= ASKED && note.read >= READ
    }

    /// True at the first report that a shape is not learned.
    pub(super) fn first_told(&self, by: &Author, shape: &Shape) -> bool {
        let mut notes = self.notes.lock();
        !std::mem::replace(&mut notes.of(by, shape).told, true)
    }

    /// Removes a shape whose index is built.
    pub(super) fn remove(&self, shape: &Shape) {
        self.notes.lock().shapes.remove(shape);
    }
}

impl Notes {
    fn of(&mut self, by: &Author, shape: &Shape) -> &mut Note {
        self.clock += 1;
        if !self.shapes.contains_key(shape) {
            if self.shapes.values().filter(|note| note.by == *by).count() >= NOTES_OF_ONE {
                self.evict_oldest(Some(by));
            }
            if self.shapes.len() >= NOTES {
                self.evict_oldest(None);
            }
        }
        let last = self.clock;
        let fresh = || Note { by: by.clone(), times: 0, read: 0, last, told: false };
        let note = self.shapes.entry(shape.clone()).or_insert_with(fresh);
        note.last = last;
        note
    }

    fn evict_oldest(&mut self, by: Option<&Author>) {
        let of_them = |note: &Note| by.is_none_or(|by| note.by == *by);
        let oldest = self.shapes.iter().filter(|(_, note)| of_them(note)).min_by_key(|(_, note)| note.last);
        if let Some(shape) = oldest.map(|(shape, _)| shape.clone()) {
            self.shapes.remove(&shape);
        }
    }
}

/// Name of a caller in the catalog; `None` for those whose indexes are permanent.
pub(super) fn teacher(by: &Author) -> Option<String> {
    match by {
        Author::User(uid) => Some(format!("user {uid}")),
        Author::Anonymous => Some("anonymous".to_owned()),
        Author::Unknown | Author::System | Author::Admin => None,
    }
}

/// An index that serves a caller's query with at most one entry per document; `None` if there is none.
pub(super) fn cheap(mut wanting: Wanting) -> Option<Wanting> {
    if wanting.scope == IndexScope::Below {
        wanting.scope = IndexScope::Group;
    }
    let is_cheap =
        wanting.fields.len() <= FIELDS && wanting.fields.iter().all(|(_, mode)| *mode != IndexMode::Contains);
    is_cheap.then_some(wanting)
}

/// True if `teacher` may cause one more learned index, beside those that are `coming`.
pub(super) fn has_room<'a>(
    catalog: &Catalog,
    (number, wanting): &Shape,
    teacher: &str,
    coming: impl Iterator<Item = (&'a Shape, &'a str)>,
) -> bool {
    let all = catalog.all_indexes(*number);
    let learned = all.iter().filter_map(|def| Some((def.collection.as_str(), def.learned_from.as_deref()?)));
    let coming = coming.filter(|((other, _), _)| other == number);
    let coming = coming.map(|((_, wanting), teacher)| (wanting.collection.as_str(), teacher));
    let (mut together, mut of_collection, mut of_teacher) = (0, 0, 0);
    for (collection, from) in learned.chain(coming) {
        together += 1;
        of_collection += usize::from(collection == wanting.collection);
        of_teacher += usize::from(from == teacher);
    }
    together < PER_DATABASE && of_collection < PER_COLLECTION && of_teacher < PER_CALLER
}

/// True if an index last used at `used` is due for removal at `now`.
pub(super) fn is_idle(used: Ts, now: Ts) -> bool {
    u128::from(now.micros().saturating_sub(used.micros())) > UNUSED.as_micros()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(collection: &str) -> Shape {
        let collection = collection.to_owned();
        (DbNo(1), Wanting { collection, scope: IndexScope::Group, fields: Vec::new() })
    }

    #[test]
    fn a_shape_pays_when_it_is_asked_for_often_and_costs_much() {
        let (learning, by) = (Learning::default(), Author::Anonymous);
        let often: Vec<bool> = (0..ASKED).map(|_| learning.pays(&by, &shape("a"), READ)).collect();
        assert_eq!(often, (1..=ASKED).map(|times| times == ASKED).collect::<Vec<_>>());
        assert!((0..100).all(|_| !learning.pays(&by, &shape("b"), READ / 200)), "a scan does");
        assert_eq!(
            (learning.first_told(&by, &shape("b")), learning.first_told(&by, &shape("b"))),
            (true, false)
        );
    }

    #[test]
    fn who_asks_for_many_shapes_has_only_their_own_evicted() {
        let learning = Learning::default();
        let (one, other) = (Author::User("one".to_owned()), Author::User("other".to_owned()));
        assert!((1..ASKED).all(|_| !learning.pays(&one, &shape("kept"), READ)));
        for n in 0..2 * NOTES {
            learning.pays(&other, &shape(&n.to_string()), READ);
        }
        assert_eq!(learning.notes.lock().shapes.len(), NOTES_OF_ONE + 1);
        assert!(learning.pays(&one, &shape("kept"), READ));
    }

    #[test]
    fn so_many_shapes_are_remembered() {
        let learning = Learning::default();
        for n in 0..2 * NOTES {
            learning.pays(&Author::User(n.to_string()), &shape(&n.to_string()), READ);
        }
        assert_eq!(learning.notes.lock().shapes.len(), NOTES);
    }
}
