//! Security rules, version 2: parser and pure evaluator.

#![expect(dead_code, reason = "the evaluator that reads the tree is built on top")]

mod diagnostic;
mod lexer;
pub mod limits;
mod parser;
mod source;
mod syntax;

pub use diagnostic::{Diagnostic, InvalidRuleset, Severity};
pub use source::{Position, Span};

/// Checks that `text` is a well-formed ruleset.
///
/// # Errors
/// All syntax errors, with their places.
pub fn check_syntax(text: &str) -> Result<(), InvalidRuleset> {
    let mut sink = diagnostic::Sink::default();
    parser::parse(text, &mut sink);
    if sink.has_errors() {
        let lines = source::LineMap::new(text.into());
        return Err(InvalidRuleset { diagnostics: sink.finish(&lines) });
    }
    Ok(())
}
