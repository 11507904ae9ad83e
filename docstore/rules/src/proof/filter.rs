//! A query's filter, as facts about every document that passes it.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::evaluate::compare;
use crate::limits::MAX_DISJUNCTIONS;
use crate::value::Value;

use super::{Facts, Record, Unknown};

/// A query's filter.
#[derive(Debug, Clone)]
pub enum Filter {
    /// All hold; with none inside, everything passes.
    All(Vec<Self>),
    /// One holds.
    Any(Vec<Self>),
    /// A field compares with a value.
    Field {
        /// The field's path from the document's top.
        field: Vec<Arc<str>>,
        /// The operator.
        comparison: Comparison,
        /// The operand; a list for [`Comparison::In`], [`Comparison::NotIn`], [`Comparison::ContainsAny`].
        value: Value,
    },
}

/// Comparison operator of a [`Filter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `array-contains`
    Contains,
    /// `array-contains-any`
    ContainsAny,
    /// `in`
    In,
    /// `not-in`
    NotIn,
}

type Condition<'f> = (&'f [Arc<str>], Comparison, Value);

/// `resource` for each alternative of the filter: a document passes the filter only if one of them describes it.
/// A filter that falls into more than [`MAX_DISJUNCTIONS`] says nothing.
pub(crate) fn alternatives(filter: &Filter) -> Vec<Value> {
    let conjunctions = conjunctions(filter).unwrap_or_else(|| vec![Vec::new()]);
    conjunctions.iter().map(|conditions| resource(conditions)).collect()
}

/// The filter as alternatives of conditions that all hold; `None` if there are too many.
fn conjunctions(filter: &Filter) -> Option<Vec<Vec<Condition<'_>>>> {
    match filter {
        Filter::All(filters) => {
            let mut product = vec![Vec::new()];
            for filter in filters {
                let choices = conjunctions(filter)?;
                if product.len() * choices.len() > MAX_DISJUNCTIONS {
                    return None;
                }
                let mut longer = Vec::with_capacity(product.len() * choices.len());
                for prefix in &product {
                    longer.extend(choices.iter().map(|choice| [prefix.as_slice(), choice].concat()));
                }
                product = longer;
            }
            Some(product)
        }
        Filter::Any(filters) => {
            let mut all = Vec::new();
            for filter in filters {
                all.extend(conjunctions(filter)?);
            }
            (all.len() <= MAX_DISJUNCTIONS).then_some(all)
        }
        Filter::Field { field, comparison, value } => {
            let each = |comparison| match value {
                Value::List(items) if items.len() <= MAX_DISJUNCTIONS => {
                    let one = |item: &Value| vec![(field.as_slice(), comparison, item.clone())];
                    Some(items.iter().map(one).collect())
                }
                _ => None,
            };
            match comparison {
                Comparison::In => each(Comparison::Equal),
                Comparison::ContainsAny => each(Comparison::Contains),
                Comparison::NotIn => {
                    let Value::List(items) = value else { return None };
                    let one = |item: &Value| (field.as_slice(), Comparison::NotEqual, item.clone());
                    Some(vec![items.iter().map(one).collect()])
                }
                comparison => Some(vec![vec![(field.as_slice(), *comparison, value.clone())]]),
            }
        }
    }
}

/// `resource` as implied by the conditions, all of which hold.
fn resource(conditions: &[Condition<'_>]) -> Value {
    let mut entries = BTreeMap::new();
    let mut data = Tree::default();
    for (field, comparison, value) in conditions {
        match (field, comparison, value) {
            ([name], Comparison::Equal, Value::Path(path)) if **name == *"__name__" => {
                entries.insert("__name__".into(), value.clone());
                if let Some(id) = path.segments().last() {
                    entries.insert("id".into(), Value::String(id.clone()));
                }
            }
            ([name], ..) if **name == *"__name__" => {}
            _ => data.at(field).learn(*comparison, value),
        }
    }
    entries.insert("data".into(), Value::Unknown(Unknown::Record(Arc::new(data.record()))));
    Value::Unknown(Unknown::Record(Arc::new(Record { entries })))
}

/// Facts about a field and the fields inside it.
#[derive(Debug, Default)]
struct Tree {
    equal: Option<Value>,
    facts: Facts,
    inside: BTreeMap<Arc<str>, Self>,
}

impl Tree {
    fn at(&mut self, field: &[Arc<str>]) -> &mut Self {
        field.iter().fold(self, |tree, name| tree.inside.entry(name.clone()).or_default())
    }

    fn learn(&mut self, comparison: Comparison, value: &Value) {
        let facts = &mut self.facts;
        match comparison {
            Comparison::Equal => self.equal = Some(value.clone()),
            Comparison::NotEqual => facts.unequal.push(value.clone()),
            Comparison::Contains => facts.contains.push(value.clone()),
            Comparison::Less => tighten(&mut facts.upper, value, true, Ordering::Less),
            Comparison::LessOrEqual => tighten(&mut facts.upper, value, false, Ordering::Less),
            Comparison::Greater => tighten(&mut facts.lower, value, true, Ordering::Greater),
            Comparison::GreaterOrEqual => tighten(&mut facts.lower, value, false, Ordering::Greater),
            Comparison::In | Comparison::NotIn | Comparison::ContainsAny => {}
        }
    }

    fn record(self) -> Record {
        Record { entries: self.inside.into_iter().map(|(name, tree)| (name, tree.value())).collect() }
    }

    fn value(self) -> Value {
        match self.equal {
            // A map that equals a given one has no other fields.
            Some(value) => value,
            None if self.inside.is_empty() => Value::Unknown(Unknown::Bounded(Arc::new(self.facts))),
            None => Value::Unknown(Unknown::Record(Arc::new(self.record()))),
        }
    }
}

/// Replaces a bound by a tighter one: further to `side`, or equal but exclusive.
fn tighten(bound: &mut Option<(Value, bool)>, value: &Value, exclusive: bool, side: Ordering) {
    let better = match bound {
        None => true,
        Some((known, known_exclusive)) => match compare(value, known).flatten() {
            Some(Ordering::Equal) => exclusive && !*known_exclusive,
            order => order == Some(side),
        },
    };
    if better {
        *bound = Some((value.clone(), exclusive));
    }
}
