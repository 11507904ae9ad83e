//! Endings of index entries that a conjunction and the cursors allow.

use crate::Result;
use crate::encoding::key::{Key, push_path, successor};
use crate::model::{FieldOp, Value};

use super::super::normal::{Test, TestOp};
use super::Planner;
use super::spans::{Part, Span, intersect, mirrored, past, value_spans, whole};

/// Allowed endings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endings {
    /// Disjoint and ascending; an upper bound of `None` is the end of the prefix.
    pub(crate) ranges: Vec<Span>,
    /// Spans of the parts of an ending, if a part after the first is bounded; otherwise empty.
    pub(crate) parts: Vec<Part>,
    /// Number of parts that are values; a name follows them.
    pub(crate) fields: usize,
}

impl Endings {
    pub(super) fn of(ranges: Vec<Span>) -> Self {
        Self { ranges, parts: Vec::new(), fields: 0 }
    }

    /// Position at which a scan resumes after a disallowed ending; see [`past`].
    pub(crate) fn past(&self, ending: &[u8], backward: bool) -> Option<Key> {
        past(&self.parts, self.fields, ending, backward)
    }
}

impl Planner<'_> {
    /// Endings allowed by the cursors and the tests on ordered fields and names; true if they imply all these tests.
    pub(super) fn endings(&self, tests: &[Test]) -> Result<(Endings, bool)> {
        let normal = self.normal;
        let orders = &normal.orders;
        let part = |descending| Part { descending, spans: whole() };
        // One part per ordered field, and the name.
        let mut parts: Vec<Part> = orders.iter().map(|(_, descending)| part(*descending)).collect();
        parts.push(part(false));
        let mut exact = true;
        for test in tests {
            let (at, allowed) = if test.field.is_document_name() {
                (orders.len(), self.name_spans(&test.op)?)
            } else {
                let Some(at) = orders.iter().position(|(field, _)| *field == test.field) else { continue };
                let Some((spans, all)) = value_spans(&test.op) else { continue };
                exact &= all;
                let descending = orders[at].1;
                (at, if descending { spans.into_iter().rev().map(mirrored).collect() } else { spans })
            };
            parts[at].spans = intersect(&parts[at].spans, &allowed);
        }
        if self.path.is_none()
            && let Some(below) = self.below()
        {
            parts[orders.len()].spans = intersect(&parts[orders.len()].spans, &[below]);
        }
        let cursors: Vec<Span> = vec![(normal.lower.clone().unwrap_or_default(), normal.upper.clone())];
        // If one part has no allowed value, there is no ending at all.
        let nothing = parts.iter().any(|part| part.spans.is_empty());
        let ranges = if nothing { Vec::new() } else { intersect(&cursors, &parts[0].spans) };
        while parts.last().is_some_and(|part| part.spans == whole()) {
            parts.pop();
        }
        if parts.len() == 1 {
            parts.clear();
        }
        Ok((Endings { ranges, parts, fields: orders.len() }, exact))
    }

    /// Names of a group below the parent.
    pub(super) fn below(&self) -> Option<Span> {
        let parent = self.normal.query.parent.as_ref()?;
        let mut above = Key::new();
        push_path(&mut above, parent.as_str());
        let past = successor(&above);
        Some((above, Some(past)))
    }

    fn name_spans(&self, op: &TestOp) -> Result<Vec<Span>> {
        let bounds = |value: &Value| match value {
            Value::Reference(reference) => self.normal.name_bounds(reference),
            _ => Ok((Key::new(), Key::new())),
        };
        Ok(match op {
            TestOp::Equal(value) => {
                let (from, past) = bounds(value)?;
                vec![(from, Some(past))]
            }
            TestOp::Compare(op, value) => {
                let (from, past) = bounds(value)?;
                vec![match op {
                    FieldOp::Less => (Key::new(), Some(from)),
                    FieldOp::LessOrEqual => (Key::new(), Some(past)),
                    FieldOp::Greater => (past, None),
                    _ => (from, None),
                }]
            }
            TestOp::NotIn(values) => {
                let mut spans = whole();
                for value in values {
                    let (from, past) = bounds(value)?;
                    spans = intersect(&spans, &[(Key::new(), Some(from)), (past, None)]);
                }
                spans
            }
            TestOp::Contains(_) => whole(),
        })
    }
}
