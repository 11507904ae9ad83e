//! Expressions, by operator precedence.

use crate::lexer::TokenKind;
use crate::limits::MAX_EXPRESSION_DEPTH;
use crate::source::Span;
use crate::syntax::{BinaryOperator, ExprId, ExprKind, PathPart, UnaryOperator};

use super::{Parser, arc, is_reserved};

/// The type names `is` knows.
pub(crate) const TYPE_NAMES: [&str; 16] = [
    "bool",
    "bytes",
    "constraint",
    "duration",
    "float",
    "int",
    "latlng",
    "list",
    "vector",
    "set",
    "number",
    "map",
    "string",
    "timestamp",
    "path",
    "map_diff",
];

const CONDITIONAL_BINDING: u8 = 1;

impl Parser<'_, '_> {
    pub(super) fn expression(&mut self) -> ExprId {
        if self.nesting >= MAX_EXPRESSION_DEPTH / 2 {
            let message =
                format!("The expression is nested more than {} levels deep.", MAX_EXPRESSION_DEPTH / 2);
            self.sink.error(self.token.span, message);
            self.skip_expression();
            return self.error_expression();
        }
        self.nesting += 1;
        let id = self.binary(CONDITIONAL_BINDING);
        self.nesting -= 1;
        id
    }

    /// An expression whose operators all bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> ExprId {
        let mut left = self.unary();
        loop {
            let start = self.span_of(left);
            let operator_span = self.token.span;
            if self.at_word("is") && least <= BinaryOperator::In.binding() {
                self.advance();
                let token = self.advance();
                let type_name = self.name_of(token.span);
                if !TYPE_NAMES.contains(&&*type_name.text) {
                    let known = TYPE_NAMES.join(",");
                    let message = format!(
                        "An unsupported type identifier was used with the 'is' operator. Received {}. Expected one of {known}",
                        type_name.text
                    );
                    self.sink.error(token.span, message);
                }
                left = self.push(self.from(start), ExprKind::Is { value: left, type_name });
            } else if let Some(operator) = self.binary_operator() {
                if operator.binding() < least {
                    return left;
                }
                self.advance();
                let right = self.binary(operator.binding() + 1);
                let kind = ExprKind::Binary { operator, left, right, operator_span };
                left = self.push(self.from(start), kind);
            } else if self.at("?") && least <= CONDITIONAL_BINDING {
                self.advance();
                let then = self.expression();
                self.expect(":");
                let otherwise = self.expression();
                left =
                    self.push(self.from(start), ExprKind::Conditional { condition: left, then, otherwise });
            } else {
                return left;
            }
        }
    }

    fn binary_operator(&self) -> Option<BinaryOperator> {
        use BinaryOperator as Op;
        if self.at_word("in") {
            return Some(Op::In);
        }
        let TokenKind::Punctuation(punctuation) = self.token.kind else { return None };
        Some(match punctuation {
            "||" => Op::Or,
            "&&" => Op::And,
            "==" => Op::Equal,
            "!=" => Op::NotEqual,
            "<" => Op::Less,
            "<=" => Op::LessOrEqual,
            ">" => Op::Greater,
            ">=" => Op::GreaterOrEqual,
            "+" => Op::Add,
            "-" => Op::Subtract,
            "*" => Op::Multiply,
            "/" => Op::Divide,
            "%" => Op::Remainder,
            _ => return None,
        })
    }

    fn unary(&mut self) -> ExprId {
        // Collected in a loop, so that a thousand `!` cost no stack.
        let mut operators = Vec::new();
        loop {
            if self.at("++") || self.at("--") {
                self.sink
                    .error(self.token.span, "Increment (++) and decrement (--) operators are not supported.");
                self.advance();
            } else if self.at("!") {
                operators.push((UnaryOperator::Not, self.advance().span));
            } else if self.at("-") {
                operators.push((UnaryOperator::Minus, self.advance().span));
            } else {
                break;
            }
        }
        let negated = matches!(operators.last(), Some((UnaryOperator::Minus, _)));
        let mut operand = if negated && self.token.kind == TokenKind::MinIntMagnitude {
            let minus = operators.pop().map_or(self.token.span, |(_, span)| span);
            self.advance();
            self.push(self.from(minus), ExprKind::Int(i64::MIN))
        } else {
            self.postfix()
        };
        while let Some((operator, span)) = operators.pop() {
            operand = self.push(self.from(span), ExprKind::Unary { operator, operand });
        }
        operand
    }

    fn postfix(&mut self) -> ExprId {
        let mut object = self.primary();
        loop {
            let start = self.span_of(object);
            if self.eat(".") {
                if self.token.kind != TokenKind::Word {
                    self.unexpected();
                    return self.error_expression();
                }
                let token = self.advance();
                let name = self.name_of(token.span);
                let kind = if self.at("(") {
                    let arguments = self.arguments();
                    ExprKind::MethodCall { object, name, arguments }
                } else {
                    ExprKind::Member { object, name }
                };
                object = self.push(self.from(start), kind);
            } else if self.eat("[") {
                let from = if self.at(":") { None } else { Some(self.expression()) };
                let kind = if self.eat(":") {
                    let to = if self.at("]") { None } else { Some(self.expression()) };
                    ExprKind::Slice { object, from, to }
                } else {
                    let index = from.unwrap_or(object);
                    ExprKind::Index { object, index }
                };
                self.expect("]");
                object = self.push(self.from(start), kind);
            } else {
                return object;
            }
        }
    }

    /// `(a, b)`
    fn arguments(&mut self) -> Vec<ExprId> {
        self.advance();
        let arguments = self.items(")");
        self.expect(")");
        arguments
    }

    /// Expressions with commas between them, perhaps one more at the end, up to `close`.
    fn items(&mut self, close: &str) -> Vec<ExprId> {
        let mut items = Vec::new();
        while !self.at(close) && !self.is_end() {
            items.push(self.expression());
            if !self.eat(",") {
                break;
            }
        }
        items
    }

    fn primary(&mut self) -> ExprId {
        let start = self.token.span;
        let kind = match &mut self.token.kind {
            TokenKind::Int(value) => ExprKind::Int(*value),
            TokenKind::Float(value) => ExprKind::Float(*value),
            TokenKind::String(value) => ExprKind::String(std::mem::take(value).into()),
            TokenKind::Bytes(value) => ExprKind::Bytes(std::mem::take(value).into()),
            TokenKind::MinIntMagnitude => {
                self.sink.error(start, "Invalid number literal 9223372036854775808.");
                ExprKind::Error
            }
            TokenKind::Punctuation(punctuation) => {
                let punctuation = *punctuation;
                return self.bracketed(punctuation);
            }
            TokenKind::Word => return self.word(),
            TokenKind::Unknown | TokenKind::End => {
                self.unexpected();
                if !self.is_end() {
                    self.advance();
                }
                return self.error_expression();
            }
        };
        self.advance();
        self.push(start, kind)
    }

    fn word(&mut self) -> ExprId {
        let start = self.token.span;
        let kind = match self.text() {
            "null" => ExprKind::Null,
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            word if is_reserved(word) => {
                self.unexpected();
                return self.error_expression();
            }
            _ => {
                let token = self.advance();
                let name = self.name_of(token.span);
                let kind = if self.at("(") {
                    let arguments = self.arguments();
                    ExprKind::Call { name, arguments }
                } else {
                    ExprKind::Variable(name.text)
                };
                return self.push(self.from(start), kind);
            }
        };
        self.advance();
        self.push(start, kind)
    }

    fn bracketed(&mut self, open: &str) -> ExprId {
        let start = self.token.span;
        match open {
            "(" => {
                self.advance();
                let inner = self.expression();
                self.expect(")");
                inner
            }
            "[" => {
                self.advance();
                let items = self.items("]");
                self.expect("]");
                self.push(self.from(start), ExprKind::List(items))
            }
            "{" => self.map_literal(start),
            "/" => {
                let parts = self.path_literal();
                self.push(self.from(start), ExprKind::Path(parts))
            }
            _ => {
                self.unexpected();
                // Closing brackets belong to an enclosing construct.
                if !matches!(open, ")" | "]" | "}" | ";" | "," | ":") {
                    self.advance();
                }
                self.error_expression()
            }
        }
    }

    fn map_literal(&mut self, start: Span) -> ExprId {
        self.advance();
        let mut entries = Vec::new();
        while !self.at("}") && !self.is_end() {
            let key = self.expression();
            if !self.expect(":") {
                break;
            }
            entries.push((key, self.expression()));
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}");
        self.push(self.from(start), ExprKind::Map(entries))
    }

    /// A path whose first `/` is the next token.
    fn path_literal(&mut self) -> Vec<PathPart> {
        let mut parts = Vec::new();
        let mut at = self.token.span.end;
        loop {
            self.lexer.rewind(at);
            let segment = self.lexer.path_segment();
            if segment.end > segment.start {
                parts.push(PathPart::Literal(arc(self.lexer.text(segment))));
                at = segment.end;
            } else {
                self.resume(at);
                if self.eat("$(") {
                    parts.push(PathPart::Value(self.expression()));
                    if !self.expect(")") {
                        return parts;
                    }
                    at = self.last_end;
                } else if self.at("{") {
                    let Some(part) = self.path_capture() else { return parts };
                    parts.push(part);
                    at = self.last_end;
                } else {
                    self.sink.error(
                        self.token.span,
                        "Forward slash '/' found where identifier or binding expected.",
                    );
                    return parts;
                }
            }
            // A path goes on only without a blank, so that `a / b` stays a division.
            self.lexer.rewind(at);
            if self.lexer.text(Span { start: at, end: at + 1 }) != "/" {
                self.resume(at);
                return parts;
            }
            at += 1;
        }
    }

    fn path_capture(&mut self) -> Option<PathPart> {
        self.advance();
        let name = self.name()?.text;
        let mut part = PathPart::Capture(name.clone());
        if self.eat("=") {
            if self.eat("**") {
                part = PathPart::RecursiveCapture(name);
            } else if !self.eat("*") {
                self.unexpected();
            }
        }
        self.expect("}").then_some(part)
    }

    /// Skips to a token that surely ends the expression.
    fn skip_expression(&mut self) {
        let mut open = 0u32;
        while !self.is_end() {
            match self.token.kind {
                TokenKind::Punctuation(";") => return,
                TokenKind::Punctuation("(" | "[" | "{" | "$(") => open += 1,
                TokenKind::Punctuation(")" | "]" | "}") if open == 0 => return,
                TokenKind::Punctuation(")" | "]" | "}") => open -= 1,
                _ => {}
            }
            self.advance();
        }
    }
}
