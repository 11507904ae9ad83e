//! A ruleset ready to run: names are slots, methods are overload lists, match blocks are one flat table.

use std::sync::{Arc, OnceLock};

use regex::Regex;

use crate::natives::Native;
use crate::request::{MethodSet, Service};
use crate::source::{LineMap, Span};
use crate::syntax::{BinaryOperator, UnaryOperator};
use crate::value::{Type, Value};

/// A node's index in [`Program::nodes`]; the same as the index of the expression it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

/// A function's index in [`Program::functions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FunctionId(pub(crate) u32);

pub(crate) struct Program {
    pub(crate) text: Arc<str>,
    pub(crate) lines: LineMap,
    pub(crate) nodes: Vec<Node>,
    pub(crate) functions: Vec<Function>,
    pub(crate) matches: Vec<MatchRule>,
}

pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) op: Op,
}

pub(crate) enum Op {
    Constant(Value),
    List(Box<[NodeId]>),
    Map(Box<[(NodeId, NodeId)]>),
    Path(Box<[PathOp]>),
    Request,
    Resource,
    /// A wildcard of the match blocks around, outermost first.
    Capture(u32),
    /// A parameter or `let` of the function around.
    Local(u32),
    /// A name that nothing has.
    Nameless,
    Member {
        object: NodeId,
        name: Arc<str>,
    },
    Index {
        object: NodeId,
        index: NodeId,
    },
    Slice {
        object: NodeId,
        from: Option<NodeId>,
        to: Option<NodeId>,
    },
    Call {
        function: FunctionId,
        arguments: Box<[NodeId]>,
    },
    /// A function or method of the language. For methods the receiver comes first.
    Native {
        name: Arc<str>,
        overloads: Box<[&'static Native]>,
        arguments: Box<[NodeId]>,
        pattern: Option<Regex>,
    },
    /// A call of something that does not exist; `object` for methods.
    Missing {
        name: Arc<str>,
        object: Option<NodeId>,
    },
    /// `get` and its like.
    Access {
        function: AccessFunction,
        argument: Option<NodeId>,
    },
    Unary {
        operator: UnaryOperator,
        operand: NodeId,
    },
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Binary {
        operator: BinaryOperator,
        left: NodeId,
        right: NodeId,
    },
    Is {
        value: NodeId,
        kind: Type,
    },
    Conditional {
        condition: NodeId,
        then: NodeId,
        otherwise: NodeId,
    },
}

pub(crate) enum PathOp {
    Literal(Arc<str>),
    Hole { name: Arc<str>, recursive: bool },
    Value(NodeId),
}

/// A function that reads a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccessFunction {
    Get,
    Exists,
    GetAfter,
    ExistsAfter,
}

impl AccessFunction {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Exists => "exists",
            Self::GetAfter => "getAfter",
            Self::ExistsAfter => "existsAfter",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::Get, Self::Exists, Self::GetAfter, Self::ExistsAfter].into_iter().find(|f| f.name() == name)
    }

    pub(crate) const fn is_after(self) -> bool {
        matches!(self, Self::GetAfter | Self::ExistsAfter)
    }
}

pub(crate) struct Function {
    pub(crate) name: Arc<str>,
    pub(crate) parameters: usize,
    pub(crate) lets: Box<[NodeId]>,
    pub(crate) result: NodeId,
}

/// One `match` block with `allow` statements, with the paths of the blocks around put before its own.
pub(crate) struct MatchRule {
    pub(crate) service: Service,
    pub(crate) template: Box<[TemplatePiece]>,
    pub(crate) allows: Vec<AllowRule>,
}

pub(crate) enum TemplatePiece {
    Literal(Arc<str>),
    Single(Arc<str>),
    Recursive {
        name: Arc<str>,
        /// As in version 1: takes all segments that are left, and at least one.
        greedy: bool,
    },
}

pub(crate) struct AllowRule {
    pub(crate) methods: MethodSet,
    /// `None` is always.
    pub(crate) condition: Option<NodeId>,
    pub(crate) span: Span,
}

impl Program {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        static NOTHING: OnceLock<Node> = OnceLock::new();
        self.nodes
            .get(id.0 as usize)
            .unwrap_or_else(|| NOTHING.get_or_init(|| Node { span: Span::default(), op: Op::Nameless }))
    }

    pub(crate) fn text_of(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The line messages name for an allow statement: that of its condition.
    pub(crate) fn line_of(&self, allow: &AllowRule) -> u32 {
        let span = allow.condition.map_or(allow.span, |condition| self.node(condition).span);
        self.lines.line(span.start)
    }
}

impl MatchRule {
    /// The template as text, such as `/databases/{database}/documents/users/{uid}`.
    pub(crate) fn path(&self) -> String {
        let piece = |piece: &TemplatePiece| match piece {
            TemplatePiece::Literal(text) => format!("/{text}"),
            TemplatePiece::Single(name) => format!("/{{{name}}}"),
            TemplatePiece::Recursive { name, .. } => format!("/{{{name}=**}}"),
        };
        self.template.iter().map(piece).collect()
    }
}

impl Node {
    /// Calls `visit` with every direct sub-expression, in source order.
    pub(crate) fn for_each_child(&self, visit: &mut dyn FnMut(NodeId)) {
        match &self.op {
            Op::Constant(_) | Op::Request | Op::Resource | Op::Capture(_) | Op::Local(_) | Op::Nameless => {}
            Op::List(items) => items.iter().for_each(|item| visit(*item)),
            Op::Map(entries) => entries.iter().for_each(|(key, value)| {
                visit(*key);
                visit(*value);
            }),
            Op::Path(parts) => {
                for part in parts {
                    if let PathOp::Value(id) = part {
                        visit(*id);
                    }
                }
            }
            Op::Member { object, .. } => visit(*object),
            Op::Index { object, index } => {
                visit(*object);
                visit(*index);
            }
            Op::Slice { object, from, to } => {
                visit(*object);
                from.iter().chain(to).for_each(|bound| visit(*bound));
            }
            Op::Call { arguments, .. } | Op::Native { arguments, .. } => {
                arguments.iter().for_each(|argument| visit(*argument));
            }
            Op::Missing { object, .. } => object.iter().for_each(|object| visit(*object)),
            Op::Access { argument, .. } => argument.iter().for_each(|argument| visit(*argument)),
            Op::Unary { operand, .. } => visit(*operand),
            Op::And(left, right) | Op::Or(left, right) | Op::Binary { left, right, .. } => {
                visit(*left);
                visit(*right);
            }
            Op::Is { value, .. } => visit(*value),
            Op::Conditional { condition, then, otherwise } => {
                visit(*condition);
                visit(*then);
                visit(*otherwise);
            }
        }
    }
}
