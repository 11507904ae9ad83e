//! Tokens to a syntax tree. Always returns a tree; errors go to the [`Sink`].

mod declaration;
mod expression;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::diagnostic::Sink;
use crate::lexer::{Lexer, Token, TokenKind};
use crate::limits::{MAX_EXPRESSION_DEPTH, MAX_SOURCE_BYTES};
use crate::source::Span;
use crate::syntax::{Expr, ExprId, ExprKind, File, Name};

/// Parses one ruleset. A tree with errors in `sink` must not be evaluated.
pub(crate) fn parse(text: &str, sink: &mut Sink) -> File {
    if text.len() > MAX_SOURCE_BYTES {
        let message = format!("Rules are too long: {} bytes of at most {MAX_SOURCE_BYTES}.", text.len());
        sink.error(Span::default(), message);
        return File::default();
    }
    if text.trim().is_empty() {
        sink.error(Span::default(), "Rules content empty. Compilation aborted.");
        return File::default();
    }
    let mut lexer = Lexer::new(text);
    let token = lexer.next(sink);
    let mut parser = Parser { lexer, sink, token, last_end: 0, nesting: 0, file: File::default() };
    parser.file();
    parser.file
}

struct Parser<'s, 'd> {
    lexer: Lexer<'s>,
    sink: &'d mut Sink,
    /// The token to be parsed next.
    token: Token,
    /// End of the previous token.
    last_end: u32,
    /// Nesting depth of the current expression.
    nesting: u32,
    file: File,
}

impl<'s> Parser<'s, '_> {
    fn advance(&mut self) -> Token {
        let next = self.lexer.next(self.sink);
        self.last_end = self.token.span.end;
        std::mem::replace(&mut self.token, next)
    }

    /// Makes the text from `byte` on the next token.
    fn resume(&mut self, byte: u32) {
        self.lexer.rewind(byte);
        self.last_end = byte;
        self.token = self.lexer.next(self.sink);
    }

    fn text(&self) -> &'s str {
        self.lexer.text(self.token.span)
    }

    fn is_end(&self) -> bool {
        self.token.kind == TokenKind::End
    }

    fn at(&self, punctuation: &str) -> bool {
        matches!(self.token.kind, TokenKind::Punctuation(p) if p == punctuation)
    }

    fn at_word(&self, word: &str) -> bool {
        self.token.kind == TokenKind::Word && self.text() == word
    }

    fn eat(&mut self, punctuation: &str) -> bool {
        let found = self.at(punctuation);
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, punctuation: &str) -> bool {
        let found = self.eat(punctuation);
        if !found {
            let shown = self.shown();
            self.sink.error(self.token.span, format!("missing '{punctuation}' at '{shown}'"));
        }
        found
    }

    /// The next token as shown in messages.
    fn shown(&self) -> String {
        if self.is_end() { "<EOF>".to_owned() } else { self.text().chars().take(60).collect() }
    }

    fn unexpected(&mut self) {
        let shown = self.shown();
        self.sink.error(self.token.span, format!("Unexpected '{shown}'."));
    }

    /// An identifier that is no reserved word.
    fn name(&mut self) -> Option<Name> {
        if self.token.kind == TokenKind::Word && !is_reserved(self.text()) {
            let token = self.advance();
            Some(self.name_of(token.span))
        } else {
            self.unexpected();
            None
        }
    }

    fn name_of(&self, span: Span) -> Name {
        Name { text: self.lexer.text(span).into(), span }
    }

    fn from(&self, start: Span) -> Span {
        start.to(Span { start: self.last_end, end: self.last_end })
    }

    fn push(&mut self, span: Span, kind: ExprKind) -> ExprId {
        let depth = 1 + self.children_depth(&kind);
        let kind = if depth > MAX_EXPRESSION_DEPTH {
            let message = format!("The expression is nested more than {MAX_EXPRESSION_DEPTH} levels deep.");
            self.sink.error(span, message);
            ExprKind::Error
        } else {
            kind
        };
        let id = ExprId(u32::try_from(self.file.expressions.len()).unwrap_or(u32::MAX));
        self.file.expressions.push(Expr { span, depth: depth.min(MAX_EXPRESSION_DEPTH), kind });
        id
    }

    fn children_depth(&self, kind: &ExprKind) -> u32 {
        let mut deepest = 0;
        kind.for_each_child(&mut |child| {
            deepest = deepest.max(self.file.expression(child).map_or(0, |expr| expr.depth));
        });
        deepest
    }

    fn span_of(&self, id: ExprId) -> Span {
        self.file.expression(id).map_or_else(Span::default, |expr| expr.span)
    }

    fn error_expression(&mut self) -> ExprId {
        self.push(self.token.span, ExprKind::Error)
    }
}

const RESERVED: [&str; 11] =
    ["true", "false", "null", "in", "is", "if", "let", "return", "function", "match", "allow"];

fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

fn arc(text: &str) -> Arc<str> {
    text.into()
}
