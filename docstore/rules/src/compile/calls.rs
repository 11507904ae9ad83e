//! Resolution of expressions.

use std::sync::Arc;

use crate::natives::{self, Home, Native};
use crate::program::{AccessFunction, Op, PathOp};
use crate::request::Service;
use crate::source::Span;
use crate::syntax::{BinaryOperator, ExprId, ExprKind, Name, PathPart};
use crate::value::{Type, Value};

use super::names::{Binding, Callable};
use super::{Compiler, node_id};

impl Compiler<'_, '_> {
    /// Resolves an expression and everything below it.
    pub(super) fn resolve(&mut self, id: ExprId) {
        // The parser bounds the depth of every tree, so recursion is safe.
        let file = self.file;
        let Some(expression) = file.expression(id) else { return };
        let span = expression.span;
        let op = match &expression.kind {
            ExprKind::Null | ExprKind::Error => Op::Constant(Value::Null),
            ExprKind::Bool(value) => Op::Constant(Value::Bool(*value)),
            ExprKind::Int(value) => Op::Constant(Value::Int(*value)),
            ExprKind::Float(value) => Op::Constant(Value::Float(*value)),
            ExprKind::String(text) => Op::Constant(Value::String(text.clone())),
            ExprKind::Bytes(bytes) => Op::Constant(Value::Bytes(bytes.clone())),
            ExprKind::Variable(name) => self.variable(name, span),
            ExprKind::Call { name, arguments } => {
                arguments.iter().for_each(|argument| self.resolve(*argument));
                self.call(name, arguments)
            }
            ExprKind::MethodCall { object, name, arguments } => {
                arguments.iter().for_each(|argument| self.resolve(*argument));
                self.method_call(*object, name, arguments)
            }
            other => {
                other.for_each_child(&mut |child| self.resolve(child));
                plain(other)
            }
        };
        if let ExprKind::Binary { operator, left, right, operator_span } = &expression.kind {
            self.check_comparison(*operator, *left, *right, *operator_span);
        }
        if let Some(node) = self.nodes.get_mut(id.0 as usize) {
            node.op = op;
        }
    }

    /// Warns of `==` and `!=` between values whose types can never be equal.
    fn check_comparison(&mut self, operator: BinaryOperator, left: ExprId, right: ExprId, at: Span) {
        let constant = match operator {
            BinaryOperator::Equal => false,
            BinaryOperator::NotEqual => true,
            _ => return,
        };
        if let (Some(left), Some(right)) = (self.static_type(left), self.static_type(right)) {
            let both_numbers = Type::Number.accepts(left) && Type::Number.accepts(right);
            if left != right && !both_numbers {
                let message = format!(
                    "The sub-expressions are not comparable, so this comparison will always return {constant}."
                );
                self.sink.warning(at, message);
            }
        }
    }

    /// The type, if it is known without evaluation.
    fn static_type(&self, id: ExprId) -> Option<Type> {
        Some(match &self.nodes.get(id.0 as usize)?.op {
            Op::Constant(value) => value.type_of(),
            Op::List(_) => Type::List,
            Op::Map(_) => Type::Map,
            Op::Path(_) => Type::Path,
            Op::And(..) | Op::Or(..) | Op::Is { .. } => Type::Bool,
            _ => return None,
        })
    }

    fn variable(&mut self, name: &Arc<str>, span: Span) -> Op {
        match self.binding(name) {
            Binding::Request => Op::Request,
            Binding::Resource => Op::Resource,
            Binding::Local(at) => Op::Local(at),
            Binding::Capture(at) => Op::Capture(at),
            Binding::Nothing => {
                self.sink.warning(span, format!("Invalid variable name: {name}."));
                Op::Nameless
            }
        }
    }

    fn call(&mut self, name: &Name, arguments: &[ExprId]) -> Op {
        if let Callable::Declared(function) = self.callable(&name.text) {
            let expected = self.functions.get(function.0 as usize).map_or(0, |d| d.function.parameters);
            if expected != arguments.len() {
                self.wrong_count(name);
            }
            return Op::Call { function, arguments: arguments.iter().copied().map(node_id).collect() };
        }
        if (self.scope.service == Some(Service::Firestore) || self.scope.service.is_none())
            && let Some(function) = AccessFunction::named(&name.text)
        {
            return self.access(function, name, arguments);
        }
        let overloads = natives::overloads(Home::Global, &name.text);
        self.native(name, &name.text.clone(), overloads, arguments.to_vec())
    }

    fn method_call(&mut self, object: ExprId, name: &Name, arguments: &[ExprId]) -> Op {
        let file = self.file;
        if let Some(ExprKind::Variable(variable)) = file.expression(object).map(|e| &e.kind)
            && self.binding(variable) == Binding::Nothing
        {
            if let Some(namespace) = natives::namespace(variable) {
                let overloads = natives::overloads(Home::Namespace(namespace), &name.text);
                let display: Arc<str> = format!("{namespace}.{}", name.text).into();
                return self.native(name, &display, overloads, arguments.to_vec());
            }
            // From storage rules the database is asked with `firestore.get` and `firestore.exists`.
            let crosses = &**variable == "firestore" && self.scope.service == Some(Service::Storage);
            match AccessFunction::named(&name.text) {
                Some(function) if crosses && !function.is_after() => {
                    return self.access(function, name, arguments);
                }
                _ => {}
            }
        }
        self.resolve(object);
        let overloads = natives::overloads(Home::Method(Type::Any), &name.text);
        let mut all = vec![object];
        all.extend_from_slice(arguments);
        self.native(name, &name.text.clone(), overloads, all)
    }

    fn access(&mut self, function: AccessFunction, name: &Name, arguments: &[ExprId]) -> Op {
        if arguments.len() != 1 {
            self.wrong_count(name);
        }
        let argument = if arguments.len() == 1 { arguments.first().copied().map(node_id) } else { None };
        Op::Access { function, argument }
    }

    /// `all` begins with the receiver for methods.
    fn native(
        &mut self,
        name: &Name,
        display: &Arc<str>,
        overloads: Vec<&'static Native>,
        all: Vec<ExprId>,
    ) -> Op {
        let Some(first) = overloads.first() else {
            self.sink.warning(name.span, format!("Invalid function name: {display}."));
            let object = if **display == *name.text && !all.is_empty() { all.first().copied() } else { None };
            return Op::Missing { name: display.clone(), object: object.map(node_id) };
        };
        let receivers = usize::from(matches!(first.home, Home::Method(_)));
        if !overloads.iter().any(|native| native.parameters.len() + receivers == all.len()) {
            self.wrong_count(name);
        }
        let pattern = if receivers == 1 { self.literal_pattern(name, &all) } else { None };
        Op::Native {
            name: display.clone(),
            overloads: overloads.into(),
            arguments: all.into_iter().map(node_id).collect(),
            pattern,
        }
    }

    /// The compiled pattern of `matches`, `split` and `replace` if it is written as a literal.
    fn literal_pattern(&mut self, name: &Name, all: &[ExprId]) -> Option<regex::Regex> {
        let method = &*name.text;
        if !matches!(method, "matches" | "split" | "replace") {
            return None;
        }
        let argument = self.file.expression(*all.get(1)?)?;
        let ExprKind::String(source) = &argument.kind else { return None };
        let compiled = natives::compile_pattern(source).and_then(|plain| match method {
            "matches" => natives::compile_pattern(&natives::anchored(source)),
            _ => Ok(plain),
        });
        match compiled {
            Ok(pattern) => Some(pattern),
            Err(_) if method == "replace" => None,
            Err(message) => {
                self.sink.error(argument.span, message);
                None
            }
        }
    }

    fn wrong_count(&mut self, name: &Name) {
        let message = format!("Incorrect number of arguments supplied to function: {}.", name.text);
        self.sink.warning(name.span, message);
    }
}

/// Compiles expressions that contain no names.
fn plain(kind: &ExprKind) -> Op {
    match kind {
        ExprKind::List(items) => Op::List(items.iter().copied().map(node_id).collect()),
        ExprKind::Map(entries) => Op::Map(entries.iter().map(|(k, v)| (node_id(*k), node_id(*v))).collect()),
        ExprKind::Path(parts) => {
            let part = |part: &PathPart| match part {
                PathPart::Literal(text) => PathOp::Literal(text.clone()),
                PathPart::Capture(name) => PathOp::Hole { name: name.clone(), recursive: false },
                PathPart::RecursiveCapture(name) => PathOp::Hole { name: name.clone(), recursive: true },
                PathPart::Value(id) => PathOp::Value(node_id(*id)),
            };
            Op::Path(parts.iter().map(part).collect())
        }
        ExprKind::Member { object, name } => Op::Member { object: node_id(*object), name: name.text.clone() },
        ExprKind::Index { object, index } => Op::Index { object: node_id(*object), index: node_id(*index) },
        ExprKind::Slice { object, from, to } => {
            Op::Slice { object: node_id(*object), from: from.map(node_id), to: to.map(node_id) }
        }
        ExprKind::Unary { operator, operand } => {
            Op::Unary { operator: *operator, operand: node_id(*operand) }
        }
        ExprKind::Binary { operator, left, right, .. } => {
            let (left, right) = (node_id(*left), node_id(*right));
            match operator {
                BinaryOperator::And => Op::And(left, right),
                BinaryOperator::Or => Op::Or(left, right),
                operator => Op::Binary { operator: *operator, left, right },
            }
        }
        ExprKind::Is { value, type_name } => {
            Op::Is { value: node_id(*value), kind: Type::named(&type_name.text).unwrap_or(Type::Constraint) }
        }
        ExprKind::Conditional { condition, then, otherwise } => Op::Conditional {
            condition: node_id(*condition),
            then: node_id(*then),
            otherwise: node_id(*otherwise),
        },
        ExprKind::Null
        | ExprKind::Error
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::String(_)
        | ExprKind::Bytes(_)
        | ExprKind::Variable(_)
        | ExprKind::Call { .. }
        | ExprKind::MethodCall { .. } => Op::Nameless,
    }
}
