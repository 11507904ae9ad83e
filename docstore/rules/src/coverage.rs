//! Coverage: the values of every expression of a ruleset, over many requests.

use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine as _;
use serde_json::{Value as Json, json};

use crate::evaluate::{Fault, Outcome, Recorder};
use crate::limits::MAX_COVERAGE_VALUES;
use crate::program::{NodeId, Program};
use crate::source::{Position, Span};
use crate::value::{PathPiece, Value, order_strictly};

/// Collects the values of expressions. Made by `Ruleset::coverage`.
pub struct Coverage {
    program: Arc<Program>,
    seen: HashMap<NodeId, Vec<(Observation, u64)>>,
}

impl std::fmt::Debug for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Coverage").field("expressions", &self.seen.len()).finish_non_exhaustive()
    }
}

/// Result of an expression.
#[derive(Debug, Clone)]
pub enum Observation {
    /// A value.
    Value(Value),
    /// No value, for this reason.
    Undefined(Arc<str>),
    /// One of the values after the first [`MAX_COVERAGE_VALUES`].
    Other,
}

/// Everything a [`Coverage`] has seen.
#[derive(Debug, Clone)]
pub struct CoverageReport {
    /// One tree per condition of an allow statement, and per `let` and `return` of a function.
    pub expressions: Vec<CoveredExpression>,
}

/// An expression and its results.
#[derive(Debug, Clone)]
pub struct CoveredExpression {
    /// Position of the expression.
    pub position: Position,
    /// Its results and their counts; empty if it was never evaluated.
    pub values: Vec<(Observation, u64)>,
    /// The expressions inside it.
    pub children: Vec<Self>,
}

impl Recorder for Coverage {
    fn record(&mut self, node: NodeId, outcome: &Outcome) {
        let observation = match outcome {
            Ok(value) => Observation::Value(value.clone()),
            Err(Fault::Failed(message) | Fault::Limit(message)) => Observation::Undefined(message.clone()),
            Err(Fault::Unproven) => Observation::Undefined("Not known from the query.".into()),
            // The evaluation will be done again.
            Err(Fault::Need(_)) => return,
        };
        let values = self.seen.entry(node).or_default();
        if let Some((_, count)) = values.iter_mut().find(|(known, _)| same(known, &observation)) {
            *count += 1;
        } else if values.len() < MAX_COVERAGE_VALUES {
            values.push((observation, 1));
        } else if let Some((Observation::Other, count)) = values.last_mut() {
            *count += 1;
        } else {
            values.push((Observation::Other, 1));
        }
    }
}

fn same(a: &Observation, b: &Observation) -> bool {
    match (a, b) {
        (Observation::Value(Value::Unknown(_)), Observation::Value(Value::Unknown(_))) => true,
        (Observation::Value(a), Observation::Value(b)) => order_strictly(a, b).is_eq(),
        (Observation::Undefined(a), Observation::Undefined(b)) => a == b,
        _ => false,
    }
}

impl Coverage {
    pub(crate) fn new(program: Arc<Program>) -> Self {
        Self { program, seen: HashMap::new() }
    }

    pub(crate) fn report(&self) -> CoverageReport {
        let conditions =
            self.program.matches.iter().flat_map(|rule| &rule.allows).filter_map(|a| a.condition);
        let functions = self.program.functions.iter().flat_map(|f| f.lets.iter().copied().chain([f.result]));
        let mut roots: Vec<_> = conditions.chain(functions).collect();
        roots.sort_by_key(|id| self.program.node(*id).span.start);
        CoverageReport { expressions: roots.into_iter().map(|id| self.expression(id)).collect() }
    }

    fn expression(&self, id: NodeId) -> CoveredExpression {
        let node = self.program.node(id);
        let mut children = Vec::new();
        node.for_each_child(&mut |child| {
            // A part left out of the program, such as a namespace, has no place.
            if self.program.node(child).span != Span::default() {
                children.push(self.expression(child));
            }
        });
        CoveredExpression {
            position: self.program.lines.position(node.span),
            values: self.seen.get(&id).cloned().unwrap_or_default(),
            children,
        }
    }
}

impl CoverageReport {
    /// The report in the emulator's form: `{"rules": {"files": [{"name", "content"}]}, "report": [{
    /// "sourcePosition", "values": [{"value", "count"}], "children"}]}`.
    pub fn to_json(&self, file_name: &str, text: &str) -> Json {
        json!({
            "rules": {"files": [{"name": file_name, "content": text}]},
            "report": self.expressions.iter().map(CoveredExpression::to_json).collect::<Vec<_>>(),
        })
    }
}

impl CoveredExpression {
    fn to_json(&self) -> Json {
        let mut out = json!({
            "sourcePosition": {
                "line": self.position.line,
                "column": self.position.column,
                "currentOffset": self.position.start_offset,
                "endOffset": self.position.end_offset,
            },
        });
        let value = |(value, count): &(Observation, u64)| json!({"value": value.to_json(), "count": count});
        if !self.values.is_empty() {
            out["values"] = self.values.iter().map(value).collect();
        }
        if !self.children.is_empty() {
            out["children"] = self.children.iter().map(Self::to_json).collect();
        }
        out
    }
}

impl Observation {
    fn to_json(&self) -> Json {
        match self {
            Self::Value(value) => value_to_json(value),
            Self::Undefined(message) => json!({"undefined": {"causeMessage": &**message}}),
            Self::Other => json!({"undefined": {"causeMessage": "Further values were not kept."}}),
        }
    }
}

/// A value in the form of the emulator's reports: an object with one key that names the type.
pub(crate) fn value_to_json(value: &Value) -> Json {
    let all = |values: &[Value]| json!({"values": values.iter().map(value_to_json).collect::<Vec<_>>()});
    match value {
        Value::Null => json!({"nullValue": null}),
        Value::Bool(value) => json!({"boolValue": value}),
        Value::Int(value) => json!({"intValue": value.to_string()}),
        Value::Float(number) if number.is_finite() => json!({"floatValue": number}),
        Value::Float(_) => json!({"floatValue": value.to_string()}),
        Value::String(text) => json!({"stringValue": &**text}),
        Value::Bytes(bytes) => {
            json!({"bytesValue": base64::engine::general_purpose::STANDARD.encode(bytes)})
        }
        Value::List(items) => json!({"listValue": all(items)}),
        Value::Set(set) => json!({"setValue": all(set.as_slice())}),
        Value::Map(map) => {
            let fields = map.iter().map(|(key, value)| (key.to_string(), value_to_json(value)));
            json!({"mapValue": {"fields": Json::Object(fields.collect())}})
        }
        Value::Path(path) => {
            let piece = |piece: &PathPiece| match piece {
                PathPiece::Segment(segment) => json!({"simple": &**segment}),
                PathPiece::Hole { name, bound: None, .. } => json!({"capture": {"variableName": &**name}}),
                PathPiece::Hole { name, bound: Some(bound), .. } => {
                    json!({"capture": {"variableName": &**name, "boundValue": bound.join("/")}})
                }
            };
            json!({"pathValue": {"segments": path.pieces().iter().map(piece).collect::<Vec<_>>()}})
        }
        Value::Timestamp(time) => json!({"timestampValue": time.to_string()}),
        Value::Duration(duration) => json!({"durationValue": duration.to_string()}),
        Value::LatLng(point) => {
            json!({"latlngValue": {"latitude": point.latitude, "longitude": point.longitude}})
        }
        Value::Vector(numbers) => json!({"vectorValue": &**numbers}),
        Value::MapDiff(_) => json!({"mapDiffValue": value.to_string()}),
        Value::Unknown(_) => json!({"constraintValue": {}}),
    }
}
