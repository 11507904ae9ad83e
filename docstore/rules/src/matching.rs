//! Matches paths with match blocks, and captures their wildcards.

use std::sync::Arc;

use crate::program::TemplatePiece;
use crate::proof::Unknown;
use crate::value::{Path, Value};

/// A segment of the path asked for; only proofs have others than known ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asked {
    Known(Arc<str>),
    /// One segment of any name.
    One,
    /// Any number of segments of any name.
    Many,
}

/// The values of the wildcards, outermost first; `None` if the template does not cover the whole path.
pub(crate) fn captures(template: &[TemplatePiece], path: &[Asked]) -> Option<Vec<Value>> {
    let ends = assign(template, path)?;
    let mut values = Vec::new();
    let mut start = 0;
    for (piece, end) in template.iter().zip(ends) {
        let taken = path.get(start..end).unwrap_or(&[]);
        match piece {
            TemplatePiece::Literal(_) => {}
            TemplatePiece::Single(_) => values.push(match taken.first() {
                Some(Asked::Known(segment)) => Value::String(segment.clone()),
                _ => Value::Unknown(Unknown::Anything),
            }),
            TemplatePiece::Recursive { .. } => values.push(recursive_value(taken)),
        }
        start = end;
    }
    Some(values)
}

fn recursive_value(taken: &[Asked]) -> Value {
    let known: Option<Vec<_>> = taken
        .iter()
        .map(|segment| match segment {
            Asked::Known(segment) => Some(segment.clone()),
            Asked::One | Asked::Many => None,
        })
        .collect();
    known.map_or(Value::Unknown(Unknown::Anything), |segments| Value::Path(Path::from_segments(segments)))
}

/// End of each piece in `path`. With several recursive wildcards the earlier ones take as little as possible.
fn assign(template: &[TemplatePiece], path: &[Asked]) -> Option<Vec<usize>> {
    let mut ends: Vec<usize> = Vec::with_capacity(template.len());
    // The last recursive wildcard passed: its index, and its current end. If the pieces after it do not fit, it takes
    // one segment more; earlier wildcards never have to be retried.
    let mut last: Option<(usize, usize)> = None;
    let mut at = 0;
    loop {
        let index = ends.len();
        let next = match template.get(index) {
            Some(TemplatePiece::Literal(text)) => {
                matches!(path.get(at), Some(Asked::Known(segment)) if segment == text).then_some(at + 1)
            }
            Some(TemplatePiece::Single(_)) => {
                matches!(path.get(at), Some(Asked::Known(_) | Asked::One)).then_some(at + 1)
            }
            Some(TemplatePiece::Recursive { greedy: true, .. }) => (at < path.len()).then_some(path.len()),
            Some(TemplatePiece::Recursive { greedy: false, .. }) => {
                let is_last = index + 1 == template.len();
                let end = if is_last { path.len() } else { at };
                last = Some((index, end));
                Some(end)
            }
            None if at == path.len() => return Some(ends),
            None => None,
        };
        match (next, last) {
            (Some(end), _) => {
                ends.push(end);
                at = end;
            }
            (None, Some((recursive, end))) if end < path.len() => {
                ends.truncate(recursive);
                ends.push(end + 1);
                last = Some((recursive, end + 1));
                at = end + 1;
            }
            (None, _) => return None,
        }
    }
}
