//! Evaluation of one condition.

mod access;
mod operators;

use std::sync::Arc;

use crate::limits::{MAX_CALL_DEPTH, MAX_EVALUATED_EXPRESSIONS, MAX_EVALUATION_DEPTH};
use crate::natives::{self, Budget, Context};
use crate::program::{FunctionId, Node, NodeId, Op, PathOp, Program};
use crate::proof;
use crate::request::{DocumentKey, Documents, Service};
use crate::syntax::UnaryOperator;
use crate::value::{Path, PathPiece, Type, Value};

/// Why an expression has no value.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// The expression is wrong for this request. `||` and `&&` absorb it when their other side decides.
    Failed(Arc<str>),
    /// The value depends on more than a proof knows. Absorbed likewise.
    Unproven,
    /// A document has to be fetched first. Ends the evaluation.
    Need(Arc<DocumentKey>),
    /// A limit is reached. Ends the evaluation.
    Limit(Arc<str>),
}

impl Fault {
    pub(crate) fn failed(message: impl Into<Arc<str>>) -> Self {
        Self::Failed(message.into())
    }

    /// True if nothing else can save the evaluation.
    fn ends_everything(&self) -> bool {
        matches!(self, Self::Need(_) | Self::Limit(_))
    }
}

pub(crate) type Outcome = Result<Value, Fault>;

/// Sees every value as it is computed.
pub(crate) trait Recorder {
    fn record(&mut self, node: NodeId, outcome: &Outcome);
}

/// Values of the names outside functions.
pub(crate) struct Bindings<'a> {
    pub(crate) service: Service,
    pub(crate) request: &'a Value,
    pub(crate) resource: &'a Value,
    pub(crate) captures: &'a [Value],
    pub(crate) documents: &'a Documents,
}

pub(crate) use operators::{compare, equal, undefined};

pub(crate) struct Evaluator<'a> {
    program: &'a Program,
    bindings: Bindings<'a>,
    /// Parameters and lets of all running functions.
    locals: Vec<Outcome>,
    /// Index of the first local of the innermost function.
    frame: usize,
    calls: u32,
    depth: u32,
    usage: &'a mut Usage,
    recorder: Option<&'a mut dyn Recorder>,
}

/// `&&` and `||` count as two expressions, as in the emulator.
const LOGICAL_EXTRA: u32 = 1;

/// State shared by all conditions of one request.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    steps: u32,
    budget: Budget,
    accessed: Vec<DocumentKey>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(
        program: &'a Program,
        bindings: Bindings<'a>,
        usage: &'a mut Usage,
        recorder: Option<&'a mut dyn Recorder>,
    ) -> Self {
        Self { program, bindings, locals: Vec::new(), frame: 0, calls: 0, depth: 0, usage, recorder }
    }

    /// True if the condition holds.
    pub(crate) fn condition(&mut self, id: NodeId) -> Result<bool, Fault> {
        self.boolean(id)
    }

    fn evaluate(&mut self, id: NodeId) -> Outcome {
        self.usage.steps += 1;
        if self.usage.steps > MAX_EVALUATED_EXPRESSIONS {
            let message = format!(
                "Unable to evaluate the expression as the maximum of {MAX_EVALUATED_EXPRESSIONS} expressions to \
                 evaluate has been reached."
            );
            return Err(Fault::Limit(message.into()));
        }
        if self.depth >= MAX_EVALUATION_DEPTH {
            let message = format!("Expressions are evaluated more than {MAX_EVALUATION_DEPTH} levels deep.");
            return Err(Fault::Limit(message.into()));
        }
        self.depth += 1;
        let program = self.program;
        let outcome = self.operate(program.node(id));
        self.depth -= 1;
        if let Some(recorder) = &mut self.recorder {
            recorder.record(id, &outcome);
        }
        outcome
    }

    fn operate(&mut self, node: &'a Node) -> Outcome {
        match &node.op {
            Op::Constant(value) => Ok(value.clone()),
            Op::Request => Ok(self.bindings.request.clone()),
            Op::Resource => Ok(self.bindings.resource.clone()),
            Op::Capture(at) => self.bindings.captures.get(*at as usize).cloned().ok_or_else(nameless),
            Op::Local(at) => {
                self.locals.get(self.frame + *at as usize).cloned().unwrap_or_else(|| Err(nameless()))
            }
            Op::Nameless => Err(nameless()),
            Op::Member { object, name } => self.member(*object, name),
            Op::And(left, right) => self.and(*left, *right),
            Op::Or(left, right) => self.or(*left, *right),
            Op::Binary { operator, left, right } => {
                let (left, right) = (self.evaluate(*left)?, self.evaluate(*right)?);
                operators::binary(*operator, &left, &right, &mut self.usage.budget)
            }
            Op::Unary { operator: UnaryOperator::Not, operand } => operators::not(&self.evaluate(*operand)?),
            Op::Unary { operator: UnaryOperator::Minus, operand } => {
                operators::minus(&self.evaluate(*operand)?)
            }
            Op::Conditional { condition, then, otherwise } => {
                let chosen = if self.boolean(*condition)? { *then } else { *otherwise };
                self.evaluate(chosen)
            }
            Op::Is { value, kind } => self.is(*value, *kind),
            Op::Call { function, arguments } => self.call(*function, arguments),
            Op::Native { name, overloads, arguments, pattern } => {
                self.native(name, overloads, arguments, pattern.as_ref())
            }
            Op::Missing { name, object } => self.missing(name, *object),
            Op::Access { function, argument } => self.access(*function, *argument),
            Op::List(items) => self.list(items),
            Op::Map(entries) => self.map(entries),
            Op::Path(parts) => self.path(parts),
            Op::Index { object, index } => {
                let (object, index) = (self.evaluate(*object)?, self.evaluate(*index)?);
                operators::index(&object, &index)
            }
            Op::Slice { object, from, to } => self.slice(*object, *from, *to),
        }
    }

    /// A value that has to be true or false.
    fn boolean(&mut self, id: NodeId) -> Result<bool, Fault> {
        match self.evaluate(id)? {
            Value::Bool(value) => Ok(value),
            Value::Unknown(_) => Err(Fault::Unproven),
            other => Err(Fault::failed(format!(
                "Type error. Received: [{}] Expected: [bool].",
                other.type_of().name()
            ))),
        }
    }

    fn and(&mut self, left: NodeId, right: NodeId) -> Outcome {
        self.usage.steps += LOGICAL_EXTRA;
        match self.boolean(left) {
            Ok(false) => Ok(Value::Bool(false)),
            Ok(true) => self.boolean(right).map(Value::Bool),
            Err(fault) if fault.ends_everything() => Err(fault),
            Err(fault) => match self.boolean(right) {
                Ok(false) => Ok(Value::Bool(false)),
                Err(end) if end.ends_everything() => Err(end),
                Ok(true) | Err(_) => Err(fault),
            },
        }
    }

    fn or(&mut self, left: NodeId, right: NodeId) -> Outcome {
        self.usage.steps += LOGICAL_EXTRA;
        match self.boolean(left) {
            Ok(true) => Ok(Value::Bool(true)),
            Ok(false) => self.boolean(right).map(Value::Bool),
            Err(fault) if fault.ends_everything() => Err(fault),
            Err(fault) => match self.boolean(right) {
                Ok(true) => Ok(Value::Bool(true)),
                Err(end) if end.ends_everything() => Err(end),
                Ok(false) | Err(_) => Err(fault),
            },
        }
    }

    fn member(&mut self, object: NodeId, name: &str) -> Outcome {
        // The common chains `request.auth.uid` and `resource.data.field` are walked without copying maps.
        if self.recorder.is_none()
            && let Some((root, expressions)) = self.borrowed(self.program.node(object))
        {
            self.usage.steps += expressions;
            return operators::property(root, name);
        }
        operators::property(&self.evaluate(object)?, name)
    }

    /// The value of a chain of properties that begins at `request` or `resource`, if it is one and exists, and
    /// how many expressions it has.
    fn borrowed(&self, node: &Node) -> Option<(&'a Value, u32)> {
        match &node.op {
            Op::Request => Some((self.bindings.request, 1)),
            Op::Resource => Some((self.bindings.resource, 1)),
            Op::Member { object, name } => match self.borrowed(self.program.node(*object))? {
                (Value::Map(map), expressions) => Some((map.get(name)?, expressions + 1)),
                _ => None,
            },
            _ => None,
        }
    }

    fn is(&mut self, value: NodeId, kind: Type) -> Outcome {
        let value = self.evaluate(value)?;
        match &value {
            Value::Unknown(unknown) => proof::is(unknown, kind).map(Value::Bool).ok_or(Fault::Unproven),
            known => {
                let own = known.type_of();
                Ok(Value::Bool(own == kind || (kind == Type::Number && Type::Number.accepts(own))))
            }
        }
    }

    fn call(&mut self, function: FunctionId, arguments: &[NodeId]) -> Outcome {
        let program = self.program;
        let Some(function) = program.functions.get(function.0 as usize) else { return Err(nameless()) };
        if function.parameters != arguments.len() {
            let (received, expected) = (arguments.len(), function.parameters);
            return Err(Fault::failed(format!(
                "Incorrect number of arguments. Received: {received}. Expected: {expected} for function {}.",
                function.name
            )));
        }
        if self.calls >= MAX_CALL_DEPTH {
            let message =
                format!("Maximum allowed call depth of {MAX_CALL_DEPTH} is reached at {}.", function.name);
            return Err(Fault::Limit(message.into()));
        }
        let callee_frame = self.locals.len();
        // A parameter or let without a value is an error only if it is used.
        for argument in arguments {
            let outcome = self.evaluate(*argument);
            self.bind(outcome)?;
        }
        let outer_frame = std::mem::replace(&mut self.frame, callee_frame);
        self.calls += 1;
        let mut result = Ok(());
        for value in &function.lets {
            let outcome = self.evaluate(*value);
            result = self.bind(outcome);
            if result.is_err() {
                break;
            }
        }
        let outcome = match result {
            Ok(()) => self.evaluate(function.result),
            Err(fault) => Err(fault),
        };
        self.calls -= 1;
        self.frame = outer_frame;
        self.locals.truncate(callee_frame);
        outcome
    }

    fn bind(&mut self, outcome: Outcome) -> Result<(), Fault> {
        match outcome {
            Err(fault) if fault.ends_everything() => Err(fault),
            other => {
                self.locals.push(other);
                Ok(())
            }
        }
    }

    fn native(
        &mut self,
        name: &str,
        overloads: &[&'static natives::Native],
        arguments: &[NodeId],
        pattern: Option<&regex::Regex>,
    ) -> Outcome {
        let mut values = Vec::with_capacity(arguments.len());
        let mut unknown = false;
        for argument in arguments {
            let value = self.evaluate(*argument)?;
            unknown |= matches!(value, Value::Unknown(_));
            values.push(value);
        }
        if unknown {
            return proof::native(name, &values).ok_or(Fault::Unproven);
        }
        let mut context = Context { pattern, budget: &mut self.usage.budget };
        natives::call(overloads, name, &values, &mut context).map_err(Fault::failed)
    }

    fn missing(&mut self, name: &str, object: Option<NodeId>) -> Outcome {
        if let Some(object) = object
            && matches!(self.evaluate(object)?, Value::Null)
        {
            return Err(null_value());
        }
        Err(Fault::failed(format!("Function not found error: Name: [{name}].")))
    }

    fn list(&mut self, items: &[NodeId]) -> Outcome {
        self.usage.budget.build_values(items.len()).map_err(Fault::failed)?;
        let values: Vec<_> = items.iter().map(|item| self.evaluate(*item)).collect::<Result<_, _>>()?;
        if values.iter().any(|value| matches!(value, Value::Unknown(_))) {
            return Ok(Value::Unknown(proof::Unknown::Anything));
        }
        Ok(Value::List(values.into()))
    }

    fn map(&mut self, entries: &[(NodeId, NodeId)]) -> Outcome {
        self.usage.budget.build_values(entries.len() * 2).map_err(Fault::failed)?;
        let mut pairs = Vec::with_capacity(entries.len());
        let mut unknown = false;
        for (key, value) in entries {
            let (key, value) = (self.evaluate(*key)?, self.evaluate(*value)?);
            unknown |= matches!(key, Value::Unknown(_)) || matches!(value, Value::Unknown(_));
            match key {
                Value::String(key) => pairs.push((key, value)),
                Value::Unknown(_) => {}
                other => {
                    return Err(Fault::failed(format!(
                        "Type error. Received: [{}] Expected: [string].",
                        other.type_of().name()
                    )));
                }
            }
        }
        if unknown {
            return Ok(Value::Unknown(proof::Unknown::Anything));
        }
        Ok(Value::map(pairs))
    }

    fn path(&mut self, parts: &[PathOp]) -> Outcome {
        let mut pieces = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                PathOp::Literal(text) => pieces.push(PathPiece::Segment(text.clone())),
                PathOp::Hole { name, recursive } => {
                    pieces.push(PathPiece::Hole { name: name.clone(), recursive: *recursive, bound: None });
                }
                PathOp::Value(id) => match self.evaluate(*id)? {
                    Value::Path(inner) => {
                        pieces.extend(inner.segments().cloned().map(PathPiece::Segment));
                    }
                    Value::String(text) => pieces.push(PathPiece::Segment(text)),
                    Value::Unknown(_) => return Err(Fault::Unproven),
                    other => {
                        let text = natives::as_text(&other).map_err(Fault::failed)?;
                        pieces.push(PathPiece::Segment(text.into()));
                    }
                },
            }
        }
        self.usage.budget.build_values(pieces.len()).map_err(Fault::failed)?;
        Ok(Value::Path(Path::from_pieces(pieces)))
    }

    fn slice(&mut self, object: NodeId, from: Option<NodeId>, to: Option<NodeId>) -> Outcome {
        let object = self.evaluate(object)?;
        let from = from.map(|id| self.evaluate(id)).transpose()?;
        let to = to.map(|id| self.evaluate(id)).transpose()?;
        operators::slice(&object, from.as_ref(), to.as_ref(), &mut self.usage.budget)
    }
}

fn nameless() -> Fault {
    null_value()
}

fn null_value() -> Fault {
    Fault::failed("Null value error.")
}
