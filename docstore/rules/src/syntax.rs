//! The syntax tree, as written. Expressions are stored in one arena, so that no tree is too deep to drop.

use std::sync::Arc;

use crate::source::Span;

/// An expression's index in [`File::expressions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ExprId(pub(crate) u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Version {
    /// No `rules_version` line: recursive wildcards match one or more segments and must be last.
    #[default]
    One,
    /// Recursive wildcards match zero or more segments and may be anywhere, once.
    Two,
}

#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) version: Version,
    pub(crate) functions: Vec<Function>,
    pub(crate) services: Vec<Service>,
    pub(crate) expressions: Vec<Expr>,
}

impl File {
    pub(crate) fn expression(&self, id: ExprId) -> Option<&Expr> {
        self.expressions.get(id.0 as usize)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Name {
    pub(crate) text: Arc<str>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Service {
    /// `cloud.firestore`, `firebase.storage`, or something unknown.
    pub(crate) name: Name,
    pub(crate) body: Body,
}

/// Body of a `service` or `match` block.
#[derive(Debug, Default)]
pub(crate) struct Body {
    pub(crate) functions: Vec<Function>,
    pub(crate) matches: Vec<Match>,
    pub(crate) allows: Vec<Allow>,
}

impl Body {
    pub(crate) fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.matches.is_empty() && self.allows.is_empty()
    }
}

#[derive(Debug)]
pub(crate) struct Match {
    pub(crate) segments: Vec<Segment>,
    pub(crate) body: Body,
}

#[derive(Debug, Clone)]
pub(crate) enum Segment {
    Literal(Name),
    /// `{name}` or `{name=*}`
    Single(Name),
    /// `{name=**}`
    Recursive(Name),
}

#[derive(Debug)]
pub(crate) struct Allow {
    pub(crate) span: Span,
    pub(crate) methods: Vec<Name>,
    /// `None` is always.
    pub(crate) condition: Option<ExprId>,
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Name>,
    pub(crate) lets: Vec<(Name, ExprId)>,
    pub(crate) result: ExprId,
}

#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) span: Span,
    /// Height of the tree below, a leaf being 1.
    pub(crate) depth: u32,
    pub(crate) kind: ExprKind,
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(Arc<str>),
    Bytes(Arc<[u8]>),
    List(Vec<ExprId>),
    Map(Vec<(ExprId, ExprId)>),
    Path(Vec<PathPart>),
    Variable(Arc<str>),
    Member {
        object: ExprId,
        name: Name,
    },
    Index {
        object: ExprId,
        index: ExprId,
    },
    Slice {
        object: ExprId,
        from: Option<ExprId>,
        to: Option<ExprId>,
    },
    /// `name(…)`
    Call {
        name: Name,
        arguments: Vec<ExprId>,
    },
    /// `object.name(…)`; `object` may turn out to be a namespace such as `math`.
    MethodCall {
        object: ExprId,
        name: Name,
        arguments: Vec<ExprId>,
    },
    Unary {
        operator: UnaryOperator,
        operand: ExprId,
    },
    Binary {
        operator: BinaryOperator,
        left: ExprId,
        right: ExprId,
        operator_span: Span,
    },
    Is {
        value: ExprId,
        type_name: Name,
    },
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// Something that could not be parsed; only in trees with errors.
    Error,
}

/// One part of a path literal.
#[derive(Debug)]
pub(crate) enum PathPart {
    Literal(Arc<str>),
    /// `{name}`: a hole for `bind`.
    Capture(Arc<str>),
    /// `{name=**}`: a hole for a path.
    RecursiveCapture(Arc<str>),
    /// `$(expression)`
    Value(ExprId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnaryOperator {
    Not,
    Minus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BinaryOperator {
    Or,
    And,
    In,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl BinaryOperator {
    pub(crate) const fn symbol(self) -> &'static str {
        match self {
            Self::Or => "||",
            Self::And => "&&",
            Self::In => "in",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }

    /// Precedence; a larger number binds more tightly.
    pub(crate) const fn binding(self) -> u8 {
        match self {
            Self::Or => 2,
            Self::And => 3,
            Self::In => 4,
            Self::Equal | Self::NotEqual => 5,
            Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual => 6,
            Self::Add | Self::Subtract => 7,
            Self::Multiply | Self::Divide | Self::Remainder => 8,
        }
    }
}

impl ExprKind {
    /// Calls `visit` with every direct sub-expression, in source order.
    pub(crate) fn for_each_child(&self, visit: &mut dyn FnMut(ExprId)) {
        match self {
            Self::Null
            | Self::Bool(_)
            | Self::Int(_)
            | Self::Float(_)
            | Self::String(_)
            | Self::Bytes(_)
            | Self::Variable(_)
            | Self::Error => {}
            Self::List(items) => items.iter().for_each(|item| visit(*item)),
            Self::Map(entries) => {
                for (key, value) in entries {
                    visit(*key);
                    visit(*value);
                }
            }
            Self::Path(parts) => {
                for part in parts {
                    if let PathPart::Value(id) = part {
                        visit(*id);
                    }
                }
            }
            Self::Member { object, .. } => visit(*object),
            Self::Index { object, index } => {
                visit(*object);
                visit(*index);
            }
            Self::Slice { object, from, to } => {
                visit(*object);
                from.iter().chain(to).for_each(|bound| visit(*bound));
            }
            Self::Call { arguments, .. } => arguments.iter().for_each(|argument| visit(*argument)),
            Self::MethodCall { object, arguments, .. } => {
                visit(*object);
                arguments.iter().for_each(|argument| visit(*argument));
            }
            Self::Unary { operand, .. } => visit(*operand),
            Self::Binary { left, right, .. } => {
                visit(*left);
                visit(*right);
            }
            Self::Is { value, .. } => visit(*value),
            Self::Conditional { condition, then, otherwise } => {
                visit(*condition);
                visit(*then);
                visit(*otherwise);
            }
        }
    }
}
