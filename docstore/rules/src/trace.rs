//! Why a request was denied.

use std::fmt;

use crate::limits::MAX_TRACE_VALUE_CHARS;
use crate::request::Method;
use crate::source::Position;

/// Why a request was denied: every allow statement that could have let it pass, and why it did not.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The requested operation.
    pub method: Method,
    /// The path it was asked of.
    pub path: String,
    /// The allow statements for the method in the match blocks that cover the path, in source order.
    pub statements: Vec<Statement>,
}

/// An allow statement that did not allow.
#[derive(Debug, Clone)]
pub struct Statement {
    /// The template of the match block, with those of the blocks around.
    pub match_path: String,
    /// The line of the condition.
    pub line: u32,
    /// Position of the condition.
    pub position: Position,
    /// The condition, as written.
    pub condition: String,
    /// Its result.
    pub verdict: Verdict,
    /// The parts of the condition that decided, innermost first, with their values.
    pub causes: Vec<Cause>,
}

/// Reason why a condition did not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is false.
    False,
    /// It has no value.
    Failed(String),
    /// It does not hold for everything that the query could return.
    Unproven,
}

/// A part of a condition and its value.
#[derive(Debug, Clone)]
pub struct Cause {
    /// The part, as written.
    pub expression: String,
    /// Its position.
    pub position: Position,
    /// Its value or error as text, cut to [`MAX_TRACE_VALUE_CHARS`].
    pub value: String,
}

impl Trace {
    /// The message for the caller, as the emulator words it.
    pub fn message(&self) -> String {
        if self.statements.is_empty() {
            return "No matching allow statements".into();
        }
        let statement = |statement: &Statement| {
            let (method, line) = (self.method.name(), statement.line);
            match &statement.verdict {
                Verdict::False => format!("false for '{method}' @ L{line}"),
                Verdict::Failed(message) => format!("{message} for '{method}' @ L{line}"),
                Verdict::Unproven => {
                    format!("evaluation error at {} for '{method}' @ L{line}", statement.position)
                }
            }
        };
        format!("\n{}", self.statements.iter().map(statement).collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Display for Trace {
    /// Several lines for the log, with the values that decided.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} is denied", self.method.name(), self.path)?;
        if self.statements.is_empty() {
            return f.write_str(": no match block that covers the path allows the method");
        }
        for statement in &self.statements {
            let verdict = match &statement.verdict {
                Verdict::False => "is false",
                Verdict::Failed(message) => message,
                Verdict::Unproven => "does not hold for every result the query could have",
            };
            write!(f, "\n  match {} L{}: {verdict}", statement.match_path, statement.line)?;
            for cause in &statement.causes {
                write!(f, "\n    {} {} = {}", cause.position, cause.expression, cause.value)?;
            }
        }
        Ok(())
    }
}

/// Text shortened for a trace.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TRACE_VALUE_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
        None => text.to_owned(),
    }
}
