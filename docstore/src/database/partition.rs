//! Splitting a collection group into parts of about one size, for readers that work side by side.
//!
//! Few results are read and cut exactly. Of many, only some are looked up: names are made up that lie evenly between the
//! first and the last one, and the document that follows each is a place to cut at. That costs a few entries a part,
//! however many documents there are; how even the parts come out depends on how evenly the names are spread. Until a
//! group has an index of its names, names of all collections are looked up in its place, and the index is built;
//! where those lie too unevenly, the results are read this once.

use std::collections::BTreeSet;

use crate::indexer::Asked;
use crate::model::{Cursor, Direction, DocPath, Document, FieldPath, Order, Query, Source, Ts, numeric_id};
use crate::query::{Normal, Reader, Wanted, Wanting, lacking, run};
use crate::{Error, Result};

use super::{Database, Snapshot};

/// Up to how many results are read and cut exactly.
const FEW: u32 = 512;
/// Documents sampled per part.
const LOOKS: u64 = 8;
/// Most documents sampled.
const MAX_LOOKS: u64 = 2_048;
/// Random characters of a sampled id, after the common prefix of the first and the last id.
const MADE_UP: usize = 6;
/// The least id there is.
const LEAST_ID: &str = "__id-9223372036854775808__";

impl Database {
    /// Cursors that cut a query's results into about equal parts, in order: at most `points`, which make one part more.
    ///
    /// # Errors
    /// `InvalidArgument` for a query over anything but all documents of a collection group by name, and as [`Self::run`].
    pub async fn partition(
        &self,
        query: &Query,
        points: u32,
        at: Option<Ts>,
    ) -> Result<Snapshot<Vec<Cursor>>> {
        check(query)?;
        let reader = self.reader(at)?;
        let parts = points.saturating_add(1);
        let Places { names, missing, .. } = places(&reader, query, parts).await?;
        let asked = Asked { id: &self.id, by: &reader.by, read: None };
        self.store().indexer.want(&asked, missing)?;
        let parts = usize::try_from(parts).unwrap_or(usize::MAX).clamp(1, names.len().max(1));
        let value = (1..parts).map(|part| names[part * names.len() / parts].clone());
        let value = value.map(|name| Cursor::before_name(&self.id, name)).collect();
        Ok(Snapshot { value, read_time: reader.at })
    }
}

/// Points at which a query's results can be split.
#[derive(Debug, Default)]
struct Places {
    /// Names of documents, in order: of results, if there are enough.
    names: Vec<DocPath>,
    /// Entries read to find them.
    entries: u64,
    /// The indexes that would have found better ones.
    missing: Vec<Wanting>,
}

async fn places(reader: &Reader, query: &Query, partitions: u32) -> Result<Places> {
    let mut places = Places::default();
    let Some(database) = reader.number else { return Ok(places) };
    places.missing = lacking(&Normal::new(query)?, &reader.catalog, database, reader.at)?;
    if places.missing.is_empty() {
        places.names = spread(reader, query, partitions, &mut places.entries).await?.names;
        return Ok(places);
    }
    let all = Source { collection: None, all_descendants: true };
    let everywhere = Query { from: all, ..query.clone() };
    let Spread { names, all } = spread(reader, &everywhere, partitions, &mut places.entries).await?;
    let group = query.from.collection.as_deref();
    let own: Vec<DocPath> = names
        .iter()
        .filter(|path| group.is_none_or(|group| path.collection_id() == group))
        .cloned()
        .collect();
    let many = |found: &[DocPath]| found.len() as u64 >= u64::from(partitions);
    places.names = if all || many(&own) {
        own
    } else if many(&names) {
        // Any name is a place to cut at.
        names
    } else {
        look(reader, query, &mut places.entries).await?
    };
    Ok(places)
}

/// Names of results, in order.
#[derive(Debug)]
struct Spread {
    names: Vec<DocPath>,
    /// True if no result is left out.
    all: bool,
}

/// Names of results of a query whose results come by name: all of few, some of many, evenly spread.
async fn spread(reader: &Reader, query: &Query, partitions: u32, entries: &mut u64) -> Result<Spread> {
    let some = Query { limit: Some(FEW + 1), ..query.clone() };
    let names = look(reader, &some, entries).await?;
    if names.len() <= FEW as usize {
        return Ok(Spread { names, all: true });
    }
    let backward = Order { field: FieldPath::document_name(), direction: Direction::Descending };
    let end = Query { limit: Some(1), order_by: vec![backward], ..query.clone() };
    let last = look(reader, &end, entries).await?.pop();
    let (Some(first), Some(last)) = (names.first(), last) else { return Ok(Spread { names, all: false }) };
    let looks = (u64::from(partitions) * LOOKS).min(MAX_LOOKS);
    let mut found = BTreeSet::new();
    for part in 1..looks {
        let Some(path) = between(first, &last, part, looks) else { continue };
        let start = Some(Cursor::before_name(&reader.id, path));
        let next = Query { limit: Some(1), start, ..query.clone() };
        found.extend(look(reader, &next, entries).await?);
    }
    Ok(Spread { names: found.into_iter().collect(), all: false })
}

/// Refuses a query that asks for anything but the documents of a collection group in the order of their names.
fn check(query: &Query) -> Result<()> {
    let by_name = |order: &Order| order.field.is_document_name() && order.direction == Direction::Ascending;
    let wrong = if !query.from.all_descendants {
        "must select a collection with all its descendants"
    } else if query.filter.is_some() {
        "cannot have filters"
    } else if !query.order_by.iter().all(by_name) {
        "must be ordered by __name__ ascending"
    } else if query.start.is_some() || query.end.is_some() {
        "cannot have cursors"
    } else if query.limit.is_some() {
        "cannot have a limit"
    } else if query.offset > 0 {
        "cannot have an offset"
    } else if query.find_nearest.is_some() {
        "cannot search for nearest neighbours"
    } else {
        return Ok(());
    };
    Err(Error::invalid("PartitionQuery", format!("A query to partition {wrong}.")))
}

/// The names of a query's results.
async fn look(reader: &Reader, query: &Query, entries: &mut u64) -> Result<Vec<DocPath>> {
    let ran = run(reader, &Normal::new(query)?, Wanted::Documents).await?;
    *entries += ran.stats.entries_read;
    Ok(ran.documents.into_iter().map(|Document { path, .. }| path).collect())
}

/// A name that lies `part` of `parts` of the way from one name to another; `None` where none can be made up.
fn between(first: &DocPath, last: &DocPath, part: u64, parts: u64) -> Option<DocPath> {
    let (first, last): (Vec<&str>, Vec<&str>) = (first.segments().collect(), last.segments().collect());
    let common = first.iter().zip(&last).take_while(|(a, b)| a == b).count();
    let made_up = id_between(first.get(common).unwrap_or(&""), last.get(common)?, part, parts);
    let mut path: Vec<&str> = first[..common].to_vec();
    path.push(&made_up);
    if path.len() % 2 == 1 {
        path.push(LEAST_ID);
    }
    DocPath::parse(&path.join("/")).ok()
}

fn id_between(first: &str, last: &str, part: u64, parts: u64) -> String {
    let share = |from: i128, to: i128| from + (to - from) * i128::from(part) / i128::from(parts.max(1));
    if let (Some(first), Some(last)) = (numeric_id(first), numeric_id(last)) {
        return format!("__id{}__", share(first.into(), last.into()));
    }
    let common: String =
        first.chars().zip(last.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    let tails = [&first[common.len()..], &last[common.len()..]];
    let digits = tails.iter().all(|tail| tail.chars().take(MADE_UP).all(|char| char.is_ascii_digit()));
    let alphabet: Vec<char> = match digits {
        true => ('0'..='9').collect(),
        false => ('0'..='9').chain('A'..='Z').chain('a'..='z').collect(),
    };
    let base = alphabet.len() as i128;
    let number = |tail: &str| {
        let rank =
            |char: char| alphabet.iter().position(|known| *known >= char).unwrap_or(alphabet.len() - 1);
        let ranks = tail.chars().map(rank).chain(std::iter::repeat(0)).take(MADE_UP);
        ranks.fold(0i128, |number, rank| number * base + rank as i128)
    };
    let mut number = share(number(tails[0]), number(tails[1]));
    let mut made_up = vec!['0'; MADE_UP];
    for place in made_up.iter_mut().rev() {
        let rank = usize::try_from(number % base).unwrap_or(0);
        *place = alphabet.get(rank).copied().unwrap_or('0');
        number /= base;
    }
    common + &made_up.into_iter().collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commit::Draft;
    use crate::model::{DatabaseId, Fields, Precondition, Write, WriteOp};
    use crate::store::Store;

    async fn filled(names: impl Iterator<Item = String>) -> Database {
        let db = Store::in_memory().await.unwrap().database(&DatabaseId::default_of("p"));
        let op = WriteOp::Set { fields: Fields::new(), transforms: Vec::new() };
        let set = |name: String| Write {
            path: DocPath::parse(&name).unwrap(),
            op: op.clone(),
            precondition: Precondition::None,
        };
        let writes: Vec<Write> = names.map(set).collect();
        for chunk in writes.chunks(500) {
            db.commit(Draft::of(chunk.to_vec())).await.unwrap();
        }
        db
    }

    const DOCUMENTS: u64 = 5_000;
    const PARTS: u32 = 10;

    async fn check_places(db: &Database, query: &Query) -> Vec<Cursor> {
        let reader = db.reader(None).unwrap();
        let places = places(&reader, query, PARTS).await.unwrap();
        assert!(places.entries < DOCUMENTS / 3, "{} entries were read", places.entries);
        assert!(places.names.is_sorted() && places.names.len() as u64 >= u64::from(PARTS));
        let cursors = db.partition(query, PARTS - 1, None).await.unwrap().value;
        assert_eq!(cursors.len(), PARTS as usize - 1);
        cursors
    }

    /// Five thousand documents, whatever their names are like, come in parts of no more than a few times their share,
    /// and that is found out by reading a small part of them: also before the group has an index of its names.
    #[tokio::test]
    async fn a_group_is_cut_without_reading_it() {
        let scattered = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let shapes: [&dyn Fn(u64) -> String; 5] = [
            &|n| format!("cards/{n:08}"),
            &|n| format!("cards/{:016x}", scattered(n)),
            &|n| format!("cards/__id{}__", n * 3),
            &|n| format!("users/{:016x}/cards/{}", scattered(n / 10), n % 10),
            &|n| format!("decks/{:016x}/{}/{n}", scattered(n / 10), ["cards", "notes"][(n % 2) as usize]),
        ];
        for shape in shapes {
            let db = filled((0..DOCUMENTS).map(shape)).await;
            for collection in [Some("cards".to_owned()), None] {
                let query = Query::all(None, Source { collection, all_descendants: true });
                let at_first = check_places(&db, &query).await;
                // Asking has had the index built.
                db.settle_indexes().await;
                assert!(places(&db.reader(None).unwrap(), &query, PARTS).await.unwrap().missing.is_empty());
                let later = check_places(&db, &query).await;
                let whole = db.run(&query, None).await.unwrap().documents;
                for cursors in [at_first, later] {
                    let ends = cursors.iter().cloned().map(Some).chain([None]);
                    let starts = [None].into_iter().chain(cursors.iter().cloned().map(Some));
                    let mut all = Vec::new();
                    for (start, end) in starts.zip(ends) {
                        let part = Query { start, end, ..query.clone() };
                        let part = db.run(&part, None).await.unwrap().documents;
                        let most = 3 * DOCUMENTS / u64::from(PARTS);
                        assert!(part.len() as u64 <= most, "{} in a part", part.len());
                        all.extend(part.into_iter().map(|document| document.path));
                    }
                    assert!(all.iter().eq(whole.iter().map(|document| &document.path)));
                }
            }
        }
    }

    /// A small group among many other documents is cut as well, before it has an index of its names.
    #[tokio::test]
    async fn a_small_group_among_many_is_cut() {
        let others = (0..2_000).map(|n| format!("notes/{n:04}"));
        let db = filled(others.chain((0..60).map(|n| format!("cards/{n:02}")))).await;
        let query = Query::all(None, Source { collection: Some("cards".to_owned()), all_descendants: true });
        let at_first = db.partition(&query, 3, None).await.unwrap().value;
        db.settle_indexes().await;
        let later = db.partition(&query, 3, None).await.unwrap().value;
        assert_eq!((at_first.len(), later.len()), (3, 3));
    }
}
