//! Slow commits, queries and decisions of the rules in the log of the program, with the time of each stage: at most one line
//! of a kind a second. Lines name collections and indexes, and never ids or values.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::commit::Stages;
use crate::model::{DatabaseId, DocPath, Query};
use crate::query::QueryStats;

/// Least time between two lines of a kind.
const SPACING: Duration = Duration::from_secs(1);

/// Times of the last line of a kind, and the operations that had none since.
#[derive(Debug, Default)]
struct Spaced {
    /// Milliseconds from the start to the first moment of the next line.
    next: AtomicU64,
    left_out: AtomicU64,
}

/// The log of slow operations.
#[derive(Debug)]
pub(crate) struct SlowLog {
    threshold: Option<Duration>,
    started: Instant,
    commits: Spaced,
    queries: Spaced,
    rules: Spaced,
}

impl SlowLog {
    /// A log of operations that take at least `threshold`; of none without one.
    pub(crate) fn new(threshold: Option<Duration>) -> Self {
        Self {
            threshold,
            started: Instant::now(),
            commits: Spaced::default(),
            queries: Spaced::default(),
            rules: Spaced::default(),
        }
    }

    /// Notes a commit, whatever came of it, whose first write is of `first`.
    pub(crate) fn commit(&self, id: &DatabaseId, first: Option<&DocPath>, writes: usize, stages: &Stages) {
        let Some(left_out) = self.due(&self.commits, stages.total(), self.started.elapsed()) else { return };
        let Stages { rules, limits, locks, queue, decide, append } = stages;
        tracing::warn!(
            database = %id.database,
            collection = first.map(pattern),
            writes,
            ?rules,
            ?limits,
            ?locks,
            ?queue,
            ?decide,
            ?append,
            left_out,
            "slow commit"
        );
    }

    /// Notes a query that was answered, live ones by their first run. `waited` is its wait for a turn among others,
    /// and no part of `took`.
    pub(crate) fn query(
        &self,
        id: &DatabaseId,
        query: &Query,
        stats: &QueryStats,
        (waited, took): (Duration, Duration),
    ) {
        let Some(left_out) = self.due(&self.queries, waited + took, self.started.elapsed()) else { return };
        let indexes: Vec<_> = stats.indexes.iter().map(|(_, properties)| properties.as_str()).collect();
        tracing::warn!(
            database = %id.database,
            collection = source(query),
            indexes = indexes.join(" "),
            entries = stats.entries_read,
            documents = stats.documents_read,
            results = stats.results,
            ?waited,
            ?took,
            left_out,
            "slow query"
        );
    }

    /// Waits for a decision of the rules about `what`, such as a query's collection, and notes it.
    pub(crate) async fn timed_rules<T>(
        &self,
        id: &DatabaseId,
        what: impl FnOnce() -> String,
        deciding: impl Future<Output = T>,
    ) -> T {
        let begun = Instant::now();
        let decided = deciding.await;
        self.rules(id, what, begun.elapsed());
        decided
    }

    /// Notes a decision of the rules about `what`.
    pub(crate) fn rules(&self, id: &DatabaseId, what: impl FnOnce() -> String, took: Duration) {
        let Some(left_out) = self.due(&self.rules, took, self.started.elapsed()) else { return };
        tracing::warn!(database = %id.database, collection = what(), ?took, left_out, "slow rules");
    }

    /// The number of operations of the kind without a line since the last one, if one of this time gets a line `now`.
    fn due(&self, kind: &Spaced, took: Duration, now: Duration) -> Option<u64> {
        if took < self.threshold? {
            return None;
        }
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let next = kind.next.load(Relaxed);
        let is_due = millis(now) >= next
            && kind.next.compare_exchange(next, millis(now + SPACING), Relaxed, Relaxed).is_ok();
        if is_due {
            return Some(kind.left_out.swap(0, Relaxed));
        }
        kind.left_out.fetch_add(1, Relaxed);
        None
    }
}

/// A document's collection, with a star in place of each id: `projects/*/cards`.
pub(crate) fn pattern(path: &DocPath) -> String {
    let segments: Vec<_> = path.segments().collect();
    let starred = segments.iter().enumerate().map(|(at, segment)| if at % 2 == 0 { segment } else { "*" });
    starred.take(segments.len().saturating_sub(1)).collect::<Vec<_>>().join("/")
}

/// The collection of a query: `projects/*/cards`, and `**/cards` for those of an id anywhere below.
pub(crate) fn source(query: &Query) -> String {
    let collection = query.from.collection.as_deref().unwrap_or("*");
    let below = if query.from.all_descendants { "**/" } else { "" };
    match &query.parent {
        Some(parent) => format!("{}/*/{below}{collection}", pattern(parent)),
        None => format!("{below}{collection}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Source;

    #[test]
    fn names_have_stars_in_place_of_ids() {
        let path = DocPath::parse("projects/p1/cards/secret").unwrap();
        assert_eq!(pattern(&path), "projects/*/cards");
        let cards = |all_descendants| Source { collection: Some("cards".to_owned()), all_descendants };
        assert_eq!(source(&Query::all(path.parent(), cards(false))), "projects/*/cards");
        assert_eq!(source(&Query::all(path.parent(), cards(true))), "projects/*/**/cards");
        assert_eq!(source(&Query::all(None, cards(true))), "**/cards");
    }

    #[test]
    fn one_of_a_kind_a_second_gets_a_line_that_counts_the_others() {
        let log = SlowLog::new(Some(Duration::from_millis(100)));
        let at = Duration::from_millis;
        let due = |took, now| log.due(&log.commits, at(took), at(now));
        assert_eq!(due(99, 0), None);
        assert_eq!(due(100, 0), Some(0));
        assert_eq!([due(100, 10), due(300, 999)], [None, None]);
        assert_eq!(log.due(&log.queries, at(100), at(20)), Some(0));
        assert_eq!(due(100, 1_000), Some(2));
        assert_eq!(due(100, 2_500), Some(0));
        assert_eq!(SlowLog::new(None).due(&Spaced::default(), at(10_000), at(0)), None);
    }
}
