//! Plans a checked query as index scans.
//!
//! Every index entry ends with the bytes that sort a document among the results ([`Normal::sort_key`]). So a
//! conjunction is an intersection of scans over entries with equal endings, a disjunction is a merge of conjunctions,
//! and the results come in order. Without an index that ends so, candidates come from the best single-field entries and
//! are tested and sorted.

mod endings;
mod spans;

use crate::Result;
use crate::catalog::{Catalog, IndexDef, IndexMode, IndexScope};
use crate::encoding::key::{
    DbNo, EntryKind, Key, collection_prefix, encode_value, field_prefix, index_below_prefix,
    index_collection_prefix, index_prefix, is_truncated, push_directed,
};
use crate::model::{CollectionPath, FieldPath, Ts, Value};

use super::normal::{Normal, Test, TestOp};

pub(crate) use endings::Endings;
use spans::{Span, encoded, intersect, value_spans, whole};

/// Label of the name index for `explain`.
pub(crate) const BY_NAME: &str = "(__name__ ASC)";

/// A scan of entries that share a prefix: their endings to read, in key order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScanSpec {
    pub(crate) prefix: Key,
    pub(crate) endings: Endings,
    /// True if the prefix is a collection's: a document's id follows, and the value is the document.
    pub(crate) documents: bool,
    /// Fields of the index, for `explain`.
    pub(crate) label: String,
    /// Number of the index, if it is a numbered one.
    pub(crate) index: Option<u32>,
}

/// One conjunction: the documents found by all its scans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Branch {
    pub(crate) scans: Vec<ScanSpec>,
    /// True if the entries alone prove the conjunction, so that no document need be tested.
    pub(crate) exact: bool,
    /// A better index, if this branch may read much for few results: a join reads entries that its scans do not share,
    /// and a group's index those outside the parent.
    pub(crate) instead: Option<Wanting>,
}

/// Plan of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Plan {
    /// The branches' entries are in the query's order.
    Ordered(Vec<Branch>),
    /// The branches' entries are ordered by name; results are tested and sorted. `missing` are the indexes that would
    /// have avoided it.
    Sorted { branches: Vec<Branch>, missing: Vec<Wanting> },
    /// Every document below the parent in any collection, by name: from the lower bound up to, excluding, the upper
    /// one, or backward.
    Tree { lower: Option<Key>, upper: Option<Key> },
    /// Every document below the parent is examined and sorted. `missing` as above.
    Everything { missing: Vec<Wanting> },
}

/// An index that a query wants and that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Wanting {
    pub(crate) collection: String,
    pub(crate) scope: IndexScope,
    pub(crate) fields: Vec<(FieldPath, IndexMode)>,
}

/// Plans a query for a reader at `at`.
pub(crate) fn plan(normal: &Normal, catalog: &Catalog, database: DbNo, at: Ts) -> Result<Plan> {
    if normal.disjuncts.is_empty() {
        // No document passes.
        return Ok(Plan::Ordered(Vec::new()));
    }
    let Some(collection) = normal.query.from.collection.clone() else {
        return kindless(normal, database);
    };
    let ready: Vec<_> = catalog
        .indexes(database, &collection)
        .iter()
        .filter(|def| def.ready.is_some_and(|since| since <= at))
        .cloned()
        .collect();
    let path = match normal.named_by_id() {
        true => Some(CollectionPath::trusted(&normal.collection_path()?)),
        false => None,
    };
    let planner = Planner { normal, database, collection, path, ready };
    let mut ordered = Vec::new();
    let mut missing = Vec::new();
    for tests in &normal.disjuncts {
        match planner.ordered(tests)? {
            Ok(branch) => ordered.push(branch),
            Err(wanting) if missing.contains(&wanting) => {}
            Err(wanting) => missing.push(wanting),
        }
    }
    if missing.is_empty() {
        return Ok(Plan::Ordered(ordered));
    }
    if planner.path.is_none() {
        // The documents of the group by name, which serve every query of it without an index of its own.
        let by_name =
            Wanting { collection: planner.collection.clone(), scope: IndexScope::Group, fields: Vec::new() };
        if !missing.contains(&by_name) {
            missing.push(by_name);
        }
        let branches: Option<Vec<Branch>> =
            normal.disjuncts.iter().map(|tests| planner.in_group(tests)).collect();
        return Ok(match branches {
            Some(branches) => Plan::Sorted { branches, missing },
            None => Plan::Everything { missing },
        });
    }
    let branches = normal.disjuncts.iter().map(|tests| planner.by_name(tests)).collect::<Result<_>>()?;
    Ok(Plan::Sorted { branches, missing })
}

/// The indexes whose lack makes the query cost more than its results.
pub(crate) fn lacking(normal: &Normal, catalog: &Catalog, database: DbNo, at: Ts) -> Result<Vec<Wanting>> {
    Ok(match plan(normal, catalog, database, at)? {
        Plan::Sorted { missing, .. } | Plan::Everything { missing } => missing,
        Plan::Ordered(_) | Plan::Tree { .. } => Vec::new(),
    })
}

/// A query over all collections can only be ordered by name.
fn kindless(normal: &Normal, database: DbNo) -> Result<Plan> {
    if !normal.orders.is_empty() || normal.query.find_nearest.is_some() {
        return Ok(Plan::Everything { missing: Vec::new() });
    }
    let planner = Planner { normal, database, collection: String::new(), path: None, ready: Vec::new() };
    let mut spans: Vec<Span> = Vec::new();
    for tests in &normal.disjuncts {
        spans.extend(planner.endings(tests)?.0.ranges);
    }
    if spans.is_empty() {
        return Ok(Plan::Ordered(Vec::new()));
    }
    let lower = spans.iter().map(|(start, _)| start).min().filter(|start| !start.is_empty()).cloned();
    let open = spans.iter().any(|(_, end)| end.is_none());
    let upper = spans.into_iter().filter_map(|(_, end)| end).max().filter(|_| !open);
    Ok(Plan::Tree { lower, upper })
}

struct Planner<'a> {
    normal: &'a Normal,
    database: DbNo,
    collection: String,
    /// The single collection; `None` for a collection group.
    path: Option<CollectionPath>,
    ready: Vec<std::sync::Arc<IndexDef>>,
}

impl Planner<'_> {
    /// Scans of a conjunction in the query's order, or the index they would need.
    fn ordered(&self, tests: &[Test]) -> Result<Result<Branch, Wanting>> {
        let orders = &self.normal.orders;
        let (endings, mut exact) = self.endings(tests)?;
        let mut equal: Vec<&Test> = Vec::new();
        for test in tests {
            let bounded =
                test.field.is_document_name() || orders.iter().any(|(field, _)| *field == test.field);
            match &test.op {
                // Covered by the endings.
                TestOp::Equal(_) | TestOp::Compare(..) | TestOp::NotIn(_) if bounded => {}
                TestOp::Equal(value) | TestOp::Contains(value) if !test.field.is_document_name() => {
                    exact &= !is_truncated(&encoded(value));
                    // Two different elements of one field: an array may hold both.
                    if !equal.contains(&test) {
                        equal.push(test);
                    }
                }
                // Tested on the document.
                _ => exact = false,
            }
        }
        if let Some(path) = &self.path {
            if orders.is_empty() {
                let scans = if equal.is_empty() {
                    vec![self.documents(path, endings)]
                } else if let Some(scan) = self.together(&equal, &endings) {
                    vec![scan]
                } else {
                    equal.iter().map(|test| self.equality(path, test, endings.clone())).collect()
                };
                return Ok(Ok(self.branch(scans, exact, &equal)));
            }
            if let ([(field, false)], true) = (orders.as_slice(), equal.is_empty()) {
                let prefix = field_prefix(self.database, path, field, EntryKind::Value);
                let label = format!("({field} ASC, __name__ ASC)");
                let scan = ScanSpec { prefix, endings, documents: false, label, index: None };
                return Ok(Ok(self.branch(vec![scan], exact, &equal)));
            }
        }
        let scope = self.scope();
        if let Some(scans) = self.numbered(scope, &equal, &endings) {
            return Ok(Ok(self.branch(scans, exact, &equal)));
        }
        if scope == IndexScope::Below
            && let Some(scans) = self.numbered(IndexScope::Group, &equal, &endings)
        {
            return Ok(Ok(Branch { scans, exact, instead: Some(self.wanting(&equal)) }));
        }
        Ok(Err(self.wanting(&equal)))
    }

    /// Scope of indexes that hold exactly the queried documents in the query's order.
    fn scope(&self) -> IndexScope {
        match (&self.path, &self.normal.query.parent) {
            (Some(_), _) => IndexScope::Collection,
            // By name, the documents below a parent are adjacent in the index of the whole group.
            (None, Some(_)) if !self.normal.orders.is_empty() => IndexScope::Below,
            (None, _) => IndexScope::Group,
        }
    }

    fn branch(&self, scans: Vec<ScanSpec>, exact: bool, equal: &[&Test]) -> Branch {
        let instead = (scans.len() > 1).then(|| self.wanting(equal));
        Branch { scans, exact, instead }
    }

    /// One scan for several equalities, of a numbered index over exactly these fields.
    fn together(&self, equal: &[&Test], endings: &Endings) -> Option<ScanSpec> {
        if equal.len() < 2 {
            return None;
        }
        self.ready.iter().filter(|def| def.scope == IndexScope::Collection).find_map(|def| {
            let mut tests: Vec<&Test> = Vec::with_capacity(equal.len());
            for (field, mode) in &def.fields {
                let contains = *mode == IndexMode::Contains;
                let fits =
                    |test: &&Test| test.field == *field && (mode_of(test) == IndexMode::Contains) == contains;
                tests.push(equal.iter().copied().find(fits)?);
            }
            let all = tests.len() == equal.len() && equal.iter().all(|test| tests.contains(test));
            all.then(|| self.numbered_scan(def, &tests, endings.clone()))
        })
    }

    /// Numbered indexes that end in the query's orders and together cover all the equalities.
    fn numbered(&self, scope: IndexScope, equal: &[&Test], endings: &Endings) -> Option<Vec<ScanSpec>> {
        let tail: Vec<_> = self.tail();
        let fits: Vec<_> = self
            .ready
            .iter()
            .filter(|def| def.scope == scope && def.fields.ends_with(&tail))
            .filter_map(|def| {
                let head = &def.fields[..def.fields.len() - tail.len()];
                let tests: Option<Vec<&Test>> = head
                    .iter()
                    .map(|(field, mode)| {
                        // Either direction serves an equality.
                        let contains = *mode == IndexMode::Contains;
                        let fits = |test: &Test| (mode_of(test) == IndexMode::Contains) == contains;
                        equal.iter().copied().find(|test| test.field == *field && fits(test))
                    })
                    .collect();
                Some((def, tests?))
            })
            .collect();
        let mut open: Vec<&Test> = equal.to_vec();
        let mut scans = Vec::new();
        loop {
            let covers = |tests: &[&Test]| tests.iter().filter(|test| open.contains(test)).count();
            let (def, tests) = fits.iter().max_by_key(|(_, tests)| covers(tests))?;
            if !scans.is_empty() && open.is_empty() {
                return Some(scans);
            }
            if !open.is_empty() && covers(tests) == 0 {
                return None;
            }
            scans.push(self.numbered_scan(def, tests, endings.clone()));
            open.retain(|test| !tests.contains(test));
            if open.is_empty() {
                return Some(scans);
            }
        }
    }

    fn numbered_scan(&self, def: &IndexDef, tests: &[&Test], endings: Endings) -> ScanSpec {
        let mut prefix = match (&self.path, def.scope, &self.normal.query.parent) {
            (Some(path), ..) => index_collection_prefix(self.database, def.number, path),
            (None, IndexScope::Below, Some(parent)) => {
                index_below_prefix(self.database, def.number, parent.as_str())
            }
            (None, ..) => index_prefix(self.database, def.number),
        };
        for (test, (_, mode)) in tests.iter().zip(&def.fields) {
            if let TestOp::Equal(value) | TestOp::Contains(value) = &test.op {
                push_directed(&mut prefix, &encoded(value), *mode == IndexMode::Descending);
            }
        }
        ScanSpec { prefix, endings, documents: false, label: describe(&def.fields), index: Some(def.number) }
    }

    /// The query's orders as the last fields of an index.
    fn tail(&self) -> Vec<(FieldPath, IndexMode)> {
        let mode = |descending: bool| if descending { IndexMode::Descending } else { IndexMode::Ascending };
        self.normal.orders.iter().map(|(field, descending)| (field.clone(), mode(*descending))).collect()
    }

    fn wanting(&self, equal: &[&Test]) -> Wanting {
        let mut fields: Vec<_> = equal.iter().map(|test| (test.field.clone(), mode_of(test))).collect();
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        fields.dedup();
        fields.extend(self.tail());
        Wanting { collection: self.collection.clone(), scope: self.scope(), fields }
    }

    /// Candidates of a conjunction in a collection group: from the index that covers the most of its equalities and
    /// nothing else, or from all documents of the group.
    fn in_group(&self, tests: &[Test]) -> Option<Branch> {
        let fits = self.ready.iter().filter(|def| def.scope == IndexScope::Group).filter_map(|def| {
            let tests: Option<Vec<&Test>> = def
                .fields
                .iter()
                .map(|(field, mode)| {
                    tests.iter().find(|test| {
                        test.field == *field
                            && match &test.op {
                                TestOp::Equal(_) => *mode != IndexMode::Contains,
                                TestOp::Contains(_) => *mode == IndexMode::Contains,
                                TestOp::Compare(..) | TestOp::NotIn(_) => false,
                            }
                    })
                })
                .collect();
            Some((def, tests?))
        });
        let (def, tests) = fits.max_by_key(|(_, tests)| tests.len())?;
        // Names follow the prefix, and only those below the parent are wanted.
        let ranges = self.below().map_or_else(whole, |span| vec![span]);
        let scan = self.numbered_scan(def, &tests, Endings::of(ranges));
        Some(Branch { scans: vec![scan], exact: false, instead: None })
    }

    /// Candidates of a conjunction by name, from single-field entries.
    fn by_name(&self, tests: &[Test]) -> Result<Branch> {
        let Some(path) = &self.path else {
            return Ok(Branch { scans: Vec::new(), exact: false, instead: None });
        };
        let mut scans: Vec<ScanSpec> = Vec::new();
        for test in tests {
            match &test.op {
                TestOp::Equal(Value::Reference(reference)) if test.field.is_document_name() => {
                    let (from, past) = self.normal.name_bounds(reference)?;
                    scans = vec![self.documents(path, Endings::of(vec![(from, Some(past))]))];
                    break;
                }
                TestOp::Equal(_) | TestOp::Contains(_) if !test.field.is_document_name() => {
                    scans.push(self.equality(path, test, Endings::of(whole())));
                }
                _ => {}
            }
        }
        if scans.is_empty() {
            scans.push(match self.normal.orders.first() {
                // A document without the first ordered field is no result.
                Some((field, _)) => {
                    let mut ranges = whole();
                    for (spans, _) in tests
                        .iter()
                        .filter(|test| test.field == *field)
                        .filter_map(|test| value_spans(&test.op))
                    {
                        ranges = intersect(&ranges, &spans);
                    }
                    let prefix = field_prefix(self.database, path, field, EntryKind::Value);
                    let label = format!("({field} ASC, __name__ ASC)");
                    ScanSpec { prefix, endings: Endings::of(ranges), documents: false, label, index: None }
                }
                None => self.documents(path, Endings::of(whole())),
            });
        }
        Ok(Branch { scans, exact: false, instead: None })
    }

    fn documents(&self, path: &CollectionPath, endings: Endings) -> ScanSpec {
        let prefix = collection_prefix(self.database, path);
        ScanSpec { prefix, endings, documents: true, label: BY_NAME.to_owned(), index: None }
    }

    fn equality(&self, path: &CollectionPath, test: &Test, endings: Endings) -> ScanSpec {
        let (kind, value, how) = match &test.op {
            TestOp::Contains(value) => (EntryKind::Element, value, "CONTAINS"),
            TestOp::Equal(value) => (EntryKind::Value, value, "ASC"),
            TestOp::Compare(..) | TestOp::NotIn(_) => (EntryKind::Value, &Value::Null, "ASC"),
        };
        let mut prefix = field_prefix(self.database, path, &test.field, kind);
        encode_value(value, &mut prefix);
        let label = format!("({} {how}, __name__ ASC)", test.field);
        ScanSpec { prefix, endings, documents: false, label, index: None }
    }
}

fn mode_of(test: &Test) -> IndexMode {
    if matches!(test.op, TestOp::Contains(_)) { IndexMode::Contains } else { IndexMode::Ascending }
}

/// An index's fields in the notation of `PlanSummary`.
pub(crate) fn describe(fields: &[(FieldPath, IndexMode)]) -> String {
    let mut text = String::from("(");
    for (field, mode) in fields {
        let mode = match mode {
            IndexMode::Ascending => "ASC",
            IndexMode::Descending => "DESC",
            IndexMode::Contains => "CONTAINS",
        };
        text.push_str(&format!("{field} {mode}, "));
    }
    text.push_str("__name__ ASC)");
    text
}
