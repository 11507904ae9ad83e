//! Services, matches, allow statements and functions.

use crate::lexer::TokenKind;
use crate::limits::{MAX_LETS, MAX_MATCH_DEPTH, MAX_PARAMETERS};
use crate::source::Span;
use crate::syntax::{Allow, Body, ExprKind, Function, Match, Name, Segment, Service, Version};

use super::Parser;

impl Parser<'_, '_> {
    pub(super) fn file(&mut self) {
        self.version();
        while !self.is_end() {
            if self.at_word("service") {
                self.service();
            } else if self.at_word("function") {
                if let Some(function) = self.function() {
                    self.file.functions.push(function);
                }
            } else {
                if self.at_word("import") {
                    self.sink.error(self.token.span, "Import statements are not allowed.");
                } else {
                    let shown = self.shown();
                    let message = format!("mismatched input '{shown}' expecting {{'function', 'service'}}");
                    self.sink.error(self.token.span, message);
                }
                self.advance();
                while !self.is_end() && !self.at_word("service") && !self.at_word("function") {
                    self.advance();
                }
            }
        }
        if self.file.services.is_empty() && !self.sink.has_errors() {
            let message = "mismatched input '<EOF>' expecting {'function', 'service'}";
            self.sink.error(self.token.span, message);
        }
    }

    fn version(&mut self) {
        let start = self.token.span;
        if !self.eat_word("rules_version") {
            let message =
                "Ruleset uses old version (version [1]). Please update to the latest version (version [2]).";
            self.sink.warning(start, message);
            return;
        }
        self.expect("=");
        let span = self.token.span;
        match &self.token.kind {
            TokenKind::String(version) if version == "2" => self.file.version = Version::Two,
            TokenKind::String(version) if version == "1" => self.file.version = Version::One,
            _ => {
                let shown = self.shown();
                self.sink
                    .error(span, format!("Unsupported rules version {shown}. Write rules_version = '2';"));
            }
        }
        if !self.is_end() {
            self.advance();
        }
        self.eat(";");
    }

    fn service(&mut self) {
        self.advance();
        let start = self.token.span;
        while self.token.kind == TokenKind::Word || self.at(".") {
            self.advance();
        }
        let span = self.from(start);
        let name = self.name_of(span);
        if !matches!(&*name.text, "cloud.firestore" | "firebase.storage") {
            let message =
                format!("Unknown service '{}'. Expected cloud.firestore or firebase.storage.", name.text);
            self.sink.error(span, message);
        }
        let open = self.token.span;
        if !self.expect("{") {
            return;
        }
        let body = self.body(1);
        if body.is_empty() {
            self.sink.error(open, "The 'service' body must contain at least one declaration.");
        }
        for allow in &body.allows {
            self.sink.error(allow.span, "An 'allow' statement must stand in a 'match' block.");
        }
        self.file.services.push(Service { name, body });
    }

    /// A body, up to and including the closing brace. `depth` counts the enclosing blocks.
    fn body(&mut self, depth: usize) -> Body {
        let mut body = Body::default();
        while !self.at("}") {
            if self.is_end() {
                self.sink.error(self.token.span, "missing '}' at '<EOF>'");
                return body;
            }
            if self.at_word("match") {
                if depth > MAX_MATCH_DEPTH {
                    let message = format!("Match blocks are nested more than {MAX_MATCH_DEPTH} levels deep.");
                    self.sink.error(self.token.span, message);
                    self.skip_block();
                } else {
                    self.advance();
                    body.matches.extend(self.match_block(depth));
                }
            } else if self.at_word("function") {
                if let Some(function) = self.function() {
                    body.functions.push(function);
                }
            } else if self.at_word("allow") {
                let allow = self.allow();
                body.allows.push(allow);
            } else if self.at("/") {
                self.sink.error(self.token.span, "Missing 'match' keyword before path.");
                if depth > MAX_MATCH_DEPTH {
                    self.skip_block();
                } else {
                    body.matches.extend(self.match_block(depth));
                }
            } else {
                self.unexpected();
                self.recover();
            }
        }
        self.advance();
        body
    }

    /// Skips to the next possible start of a declaration.
    fn recover(&mut self) {
        loop {
            if self.is_end() || self.at("}") {
                return;
            }
            if self.eat(";") {
                return;
            }
            if self.at("{") {
                self.skip_block();
                return;
            }
            self.advance();
            if self.at_word("match") || self.at_word("allow") || self.at_word("function") {
                return;
            }
        }
    }

    /// Skips to the next `{` and past the `}` that closes it.
    fn skip_block(&mut self) {
        let mut open = 0u32;
        while !self.is_end() {
            if self.at("{") {
                open += 1;
            } else if self.at("}") {
                open = open.saturating_sub(1);
                if open == 0 {
                    self.advance();
                    return;
                }
            }
            self.advance();
        }
    }

    /// Parses the rest of a block after `match`.
    fn match_block(&mut self, depth: usize) -> Option<Match> {
        if !self.at("/") {
            self.unexpected();
            self.skip_block();
            return None;
        }
        let segments = self.match_path();
        let open = self.token.span;
        if !self.expect("{") {
            self.recover();
            return None;
        }
        let body = self.body(depth + 1);
        if body.is_empty() {
            self.sink.error(open, "The 'match' body must contain at least one declaration.");
        }
        Some(Match { segments, body })
    }

    /// A template whose first `/` is the next token. The block's brace follows after a blank, a `/`, or directly.
    fn match_path(&mut self) -> Vec<Segment> {
        let mut segments = Vec::new();
        while self.at("/") {
            let slash = self.token.span;
            self.lexer.rewind(slash.end);
            let literal = self.lexer.path_segment();
            if literal.end > literal.start {
                segments.push(Segment::Literal(self.name_of(literal)));
                self.resume(literal.end);
                continue;
            }
            self.resume(slash.end);
            if self.at("{") && self.token.span.start == slash.end {
                if let Some(segment) = self.wildcard() {
                    segments.push(segment);
                }
            } else {
                let message = "Forward slash '/' found where identifier or binding expected.";
                self.sink.error(slash, message);
                break;
            }
        }
        segments
    }

    /// `{name}`, `{name=*}` or `{name=**}`
    fn wildcard(&mut self) -> Option<Segment> {
        self.advance();
        let name = self.name()?;
        let mut segment = Segment::Single(name.clone());
        if self.eat("=") {
            if self.eat("**") {
                segment = Segment::Recursive(name);
            } else if !self.eat("*") {
                self.unexpected();
            }
        }
        self.expect("}");
        Some(segment)
    }

    fn allow(&mut self) -> Allow {
        let start = self.advance().span;
        let mut methods = Vec::new();
        loop {
            if self.token.kind != TokenKind::Word {
                if methods.is_empty() {
                    self.sink.error(self.token.span, "Expected at least one 'operation' after 'allow'.");
                } else {
                    self.unexpected();
                }
                break;
            }
            let token = self.advance();
            methods.push(self.name_of(token.span));
            if !self.eat(",") {
                break;
            }
        }
        let condition = if self.eat(":") {
            if !self.eat_word("if") {
                self.sink.error(self.token.span, "Missing 'if' before conditional expression.");
            }
            if self.at(";") || self.at("}") {
                self.sink.error(self.token.span, "Missing conditional expression after 'if'.");
                None
            } else {
                Some(self.expression())
            }
        } else {
            None
        };
        let span = self.from(start);
        if !self.eat(";") && !self.at("}") && !self.at_declaration() {
            self.unexpected();
            self.recover();
        }
        Allow { span, methods, condition }
    }

    fn at_declaration(&self) -> bool {
        self.at_word("allow") || self.at_word("match") || self.at_word("function")
    }

    fn function(&mut self) -> Option<Function> {
        self.advance();
        let Some(name) = self.name() else {
            self.skip_block();
            return None;
        };
        let parameters = self.parameters();
        if parameters.len() > MAX_PARAMETERS {
            let message = format!("Function {} has more than {MAX_PARAMETERS} parameters.", name.text);
            self.sink.error(name.span, message);
        }
        if !self.expect("{") {
            self.recover();
            return None;
        }
        let mut lets = Vec::new();
        while self.at_word("let") {
            self.advance();
            let Some(bound) = self.name() else {
                self.recover();
                continue;
            };
            self.expect("=");
            let value = self.expression();
            self.expect(";");
            lets.push((bound, value));
        }
        if lets.len() > MAX_LETS {
            let message = format!("Function {} has more than {MAX_LETS} let bindings.", name.text);
            self.sink.error(name.span, message);
        }
        let result = if self.eat_word("return") {
            self.expression()
        } else {
            self.sink
                .error(self.token.span, "Missing 'function' body: it ends with 'return' and an expression.");
            self.push(Span::default(), ExprKind::Error)
        };
        self.eat(";");
        if !self.at("}") {
            self.unexpected();
            self.recover();
        }
        self.eat("}");
        Some(Function { name, parameters, lets, result })
    }

    fn parameters(&mut self) -> Vec<Name> {
        let mut parameters = Vec::new();
        if !self.expect("(") {
            return parameters;
        }
        while !self.at(")") && !self.is_end() {
            let Some(name) = self.name() else { break };
            parameters.push(name);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")");
        parameters
    }
}
