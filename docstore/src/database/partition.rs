//! Splitting a collection group into parts of about one size, for readers that work side by side.
//!
//! Few results are read and cut exactly. Of many, only some are looked up: names are made up that lie evenly between the
//! first and the last one, and the document that follows each is a place to cut at. That costs a few entries a part,
//! however many documents there are; how even the parts come out depends on how evenly the names are spread.

use std::collections::BTreeSet;

use crate::Result;
use crate::model::{
    Cursor, DatabaseId, Direction, DocPath, Document, FieldPath, Order, Query, Reference, Ts, Value,
    numeric_id,
};
use crate::query::{Normal, Reader, Wanted, run};

use super::{Database, Snapshot};

/// Up to how many results are read and cut exactly.
const FEW: u32 = 512;
/// How many documents are looked up for each part.
const LOOKS: u64 = 8;
/// How many documents are looked up at most.
const MAX_LOOKS: u64 = 2_048;
/// How many characters of an id are made up, behind what the first and the last have in common.
const MADE_UP: usize = 6;
/// The least id there is.
const LEAST_ID: &str = "__id-9223372036854775808__";

impl Database {
    /// Cursors that cut a query's results into about equal parts, in order: at most `partitions - 1`.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub async fn partition(
        &self,
        query: &Query,
        partitions: u32,
        at: Option<Ts>,
    ) -> Result<Snapshot<Vec<Cursor>>> {
        let reader = self.reader(at)?;
        let (names, _) = places(&reader, query, partitions).await?;
        let parts = usize::try_from(partitions).unwrap_or(usize::MAX).clamp(1, names.len().max(1));
        let value = (1..parts).map(|part| at_name(&self.id, &names[part * names.len() / parts])).collect();
        Ok(Snapshot { value, read_time: reader.at })
    }
}

fn at_name(database: &DatabaseId, path: &DocPath) -> Cursor {
    let reference = Reference { database: database.clone(), path: path.clone() };
    Cursor { values: vec![Value::Reference(reference)], before: true }
}

/// Results to cut at, in order, and how many entries were read to find them.
async fn places(reader: &Reader, query: &Query, partitions: u32) -> Result<(Vec<DocPath>, u64)> {
    let mut entries = 0;
    if !by_name_alone(query) {
        return Ok((look(reader, query, &mut entries).await?.0, entries));
    }
    let some = Query { limit: Some(FEW + 1), ..query.clone() };
    let (names, indexed) = look(reader, &some, &mut entries).await?;
    if names.len() <= FEW as usize {
        return Ok((names, entries));
    }
    if !indexed {
        return Ok((look(reader, query, &mut entries).await?.0, entries));
    }
    let backward = Order { field: FieldPath::document_name(), direction: Direction::Descending };
    let end = Query { limit: Some(1), order_by: vec![backward], ..query.clone() };
    let last = look(reader, &end, &mut entries).await?.0.pop();
    let (Some(first), Some(last)) = (names.first(), last) else { return Ok((names, entries)) };
    let looks = (u64::from(partitions) * LOOKS).min(MAX_LOOKS);
    let mut found = BTreeSet::new();
    for part in 1..looks {
        let Some(path) = between(first, &last, part, looks) else { continue };
        let start = Some(at_name(&reader.id, &path));
        let next = Query { limit: Some(1), start, ..query.clone() };
        found.extend(look(reader, &next, &mut entries).await?.0);
    }
    Ok((found.into_iter().collect(), entries))
}

/// Whether a query asks for nothing but documents in the order of their names.
fn by_name_alone(query: &Query) -> bool {
    let named = |order: &Order| order.field.is_document_name() && order.direction == Direction::Ascending;
    query.filter.is_none()
        && query.order_by.iter().all(named)
        && query.start.is_none()
        && query.end.is_none()
        && query.limit.is_none()
        && query.offset == 0
        && query.find_nearest.is_none()
}

/// The names of a query's results, and whether an index gave them.
async fn look(reader: &Reader, query: &Query, entries: &mut u64) -> Result<(Vec<DocPath>, bool)> {
    let ran = run(reader, &Normal::new(query)?, Wanted::Documents).await?;
    *entries += ran.stats.entries_read;
    let names = ran.documents.into_iter().map(|Document { path, .. }| path).collect();
    Ok((names, ran.missing.is_empty()))
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
    use crate::model::{Fields, Precondition, Source, Write, WriteOp};
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

    /// Five thousand documents, whatever their names are like, come in parts of no more than a few times their share,
    /// and that is found out by reading a small part of them.
    #[tokio::test]
    async fn a_group_is_cut_without_reading_it() {
        const DOCUMENTS: u64 = 5_000;
        const PARTS: u32 = 10;
        let scattered = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let shapes: [&dyn Fn(u64) -> String; 4] = [
            &|n| format!("cards/{n:08}"),
            &|n| format!("cards/{:016x}", scattered(n)),
            &|n| format!("cards/__id{}__", n * 3),
            &|n| format!("users/{:016x}/cards/{}", scattered(n / 10), n % 10),
        ];
        for shape in shapes {
            let db = filled((0..DOCUMENTS).map(shape)).await;
            for collection in [Some("cards".to_owned()), None] {
                let query = Query::all(None, Source { collection, all_descendants: true });
                db.run(&query, None).await.unwrap();
                db.settle_indexes().await;
                let reader = db.reader(None).unwrap();
                let (places, entries) = places(&reader, &query, PARTS).await.unwrap();
                assert!(entries < DOCUMENTS / 3, "{entries} entries were read");
                assert!(places.is_sorted() && places.len() as u64 >= u64::from(PARTS));
                let cursors = db.partition(&query, PARTS, None).await.unwrap().value;
                assert_eq!(cursors.len(), PARTS as usize - 1);
                let ends = cursors.iter().cloned().map(Some).chain([None]);
                let starts = [None].into_iter().chain(cursors.iter().cloned().map(Some));
                let mut all = Vec::new();
                for (start, end) in starts.zip(ends) {
                    let part = db.run(&Query { start, end, ..query.clone() }, None).await.unwrap().documents;
                    assert!(
                        part.len() as u64 <= 3 * DOCUMENTS / u64::from(PARTS),
                        "{} in a part",
                        part.len()
                    );
                    all.extend(part.into_iter().map(|document| document.path));
                }
                let whole = db.run(&query, None).await.unwrap().documents;
                assert!(all.into_iter().eq(whole.into_iter().map(|document| document.path)));
            }
        }
    }
}
