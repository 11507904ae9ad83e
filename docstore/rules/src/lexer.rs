//! Source text to tokens.
//!
//! The lexer is pulled by the parser, because only the parser knows whether a `/` divides or begins a path.

use crate::diagnostic::Sink;
use crate::source::Span;

/// Kind of a token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    Word,
    Int(i64),
    /// `9223372036854775808`, which is a number only after a minus sign.
    MinIntMagnitude,
    Float(f64),
    String(String),
    Bytes(Vec<u8>),
    Punctuation(&'static str),
    /// A character no token begins with.
    Unknown,
    End,
}

#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// Longest first.
const PUNCTUATION: [&str; 33] = [
    "&&", "||", "==", "!=", "<=", ">=", "++", "--", "**", "$(", "{", "}", "(", ")", "[", "]", ";", ":", ",",
    ".", "?", "!", "<", ">", "+", "-", "*", "/", "%", "=", "&", "|", "$",
];

pub(crate) struct Lexer<'s> {
    text: &'s str,
    at: usize,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(text: &'s str) -> Self {
        Self { text, at: 0 }
    }

    pub(crate) fn text(&self, span: Span) -> &'s str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Continues at `byte`, which must begin a character.
    pub(crate) fn rewind(&mut self, byte: u32) {
        self.at = byte as usize;
    }

    fn rest(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'s str {
        let rest = self.rest();
        let length = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or("")
    }

    fn skip_blank(&mut self, sink: &mut Sink) {
        loop {
            self.take_while(char::is_whitespace);
            let rest = self.rest();
            if rest.starts_with("//") {
                self.take_while(|c| c != '\n');
            } else if rest.starts_with("/*") {
                match rest.find("*/") {
                    Some(end) => self.at += end + 2,
                    None => {
                        sink.error(Span::new(self.at, self.at + 2), "Missing a closing */");
                        self.at = self.text.len();
                    }
                }
            } else {
                return;
            }
        }
    }

    pub(crate) fn next(&mut self, sink: &mut Sink) -> Token {
        self.skip_blank(sink);
        let start = self.at;
        let kind = self.scan(sink);
        Token { kind, span: Span::new(start, self.at) }
    }

    fn scan(&mut self, sink: &mut Sink) -> TokenKind {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return TokenKind::End };
        let second = rest.chars().nth(1);
        match first {
            '\'' | '"' => self.string(first, sink),
            'b' if matches!(second, Some('\'' | '"')) => {
                self.at += 1;
                self.bytes(second.unwrap_or('"'), sink)
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                self.take_while(is_word);
                TokenKind::Word
            }
            '0'..='9' => self.number(sink),
            '.' if second.is_some_and(|c| c.is_ascii_digit()) => self.number(sink),
            _ => match PUNCTUATION.iter().find(|p| rest.starts_with(**p)) {
                Some(punctuation) => {
                    self.at += punctuation.len();
                    TokenKind::Punctuation(punctuation)
                }
                None => {
                    self.at += first.len_utf8();
                    TokenKind::Unknown
                }
            },
        }
    }

    fn number(&mut self, sink: &mut Sink) -> TokenKind {
        let start = self.at;
        self.take_while(|c| c.is_ascii_digit());
        // `1.` is a float, so that an integer has no methods.
        let fraction = self.rest().starts_with('.');
        if fraction {
            self.at += 1;
            self.take_while(|c| c.is_ascii_digit());
        }
        let span = Span::new(start, self.at);
        let text = self.text(span);
        if fraction {
            return TokenKind::Float(text.parse().unwrap_or(f64::NAN));
        }
        if text.len() > 1 && text.starts_with('0') {
            sink.error(span, format!("Invalid number literal {text}. Leave out the leading zeros."));
            return TokenKind::Int(0);
        }
        match text.parse() {
            Ok(value) => TokenKind::Int(value),
            Err(_) if text == "9223372036854775808" => TokenKind::MinIntMagnitude,
            Err(_) => {
                sink.error(span, format!("Invalid number literal {text}."));
                TokenKind::Int(0)
            }
        }
    }

    fn string(&mut self, quote: char, sink: &mut Sink) -> TokenKind {
        let mut value = String::new();
        self.quoted(quote, sink, &mut |part| match part {
            Quoted::Char(c) => value.push(c),
            Quoted::Byte(b) => value.push(char::from(b)),
        });
        TokenKind::String(value)
    }

    fn bytes(&mut self, quote: char, sink: &mut Sink) -> TokenKind {
        let mut value = Vec::new();
        self.quoted(quote, sink, &mut |part| match part {
            Quoted::Char(c) => value.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Quoted::Byte(b) => value.push(b),
        });
        TokenKind::Bytes(value)
    }

    /// Reads a quoted literal whose opening quote is next, and passes its parts to `push`.
    fn quoted(&mut self, quote: char, sink: &mut Sink, push: &mut dyn FnMut(Quoted)) {
        let start = self.at;
        self.at += 1;
        while let Some(c) = self.rest().chars().next() {
            self.at += c.len_utf8();
            if c == quote {
                return;
            }
            match c {
                '\n' => {
                    self.at -= 1;
                    break;
                }
                '\\' => self.escape(sink, push),
                _ => push(Quoted::Char(c)),
            }
        }
        sink.error(Span::new(start, start + 1), format!("Missing a closing {quote}"));
    }

    /// Reads the rest of an escape sequence after its backslash.
    fn escape(&mut self, sink: &mut Sink, push: &mut dyn FnMut(Quoted)) {
        let start = self.at - 1;
        let Some(c) = self.rest().chars().next() else { return };
        self.at += c.len_utf8();
        let simple = match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\x08',
            'f' => '\x0c',
            '\\' | '\'' | '"' => c,
            'x' | 'X' => return self.numeric_escape(start, 2, 16, true, sink, push),
            'u' => return self.numeric_escape(start, 4, 16, false, sink, push),
            '0'..='3' => {
                self.at -= 1;
                return self.numeric_escape(start, 3, 8, true, sink, push);
            }
            _ => {
                self.at = start + 1;
                let span = Span::new(start, start + 1 + c.len_utf8());
                sink.error(span, format!("Unexpected '\\{c}'. Write \\\\ for a backslash."));
                return;
            }
        };
        push(Quoted::Char(simple));
    }

    fn numeric_escape(
        &mut self,
        start: usize,
        digits: usize,
        radix: u32,
        byte: bool,
        sink: &mut Sink,
        push: &mut dyn FnMut(Quoted),
    ) {
        let code = self.rest().get(..digits).filter(|d| d.chars().all(|c| c.is_digit(radix)));
        let code = code.and_then(|d| u32::from_str_radix(d, radix).ok());
        let part = match code {
            Some(code) if byte => u8::try_from(code).ok().map(Quoted::Byte),
            Some(code) => char::from_u32(code).map(Quoted::Char),
            None => None,
        };
        match part {
            Some(part) => {
                self.at += digits;
                push(part);
            }
            None => {
                let span = Span::new(start, self.at);
                sink.error(span, format!("Invalid escape. It takes {digits} digits that name a character."));
            }
        }
    }

    /// Reads the text of one path segment; empty when none is next.
    pub(crate) fn path_segment(&mut self) -> Span {
        let start = self.at;
        // `(default)` may be written as it is.
        if self.rest().starts_with('(') {
            self.at += 1;
            self.take_while(is_word);
            if self.rest().starts_with(')') && self.at > start + 1 {
                self.at += 1;
            } else {
                self.at = start;
            }
        } else {
            self.take_while(is_segment);
        }
        Span::new(start, self.at)
    }
}

enum Quoted {
    Char(char),
    /// From a `\x` or octal escape: a byte in a bytes literal, the character of that number in a string.
    Byte(u8),
}

pub(crate) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// True for characters allowed in a literal path segment.
fn is_segment(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '~' | '@' | '%' | '+' | '#' | '^')
}
