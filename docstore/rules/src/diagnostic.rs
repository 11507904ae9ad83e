//! Errors and warnings about a ruleset.

use std::fmt;

use crate::limits::MAX_DIAGNOSTICS;
use crate::source::{LineMap, Position, Span};

/// Severity of a [`Diagnostic`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The ruleset works, but probably not as meant.
    Warning,
    /// The ruleset is refused.
    Error,
}

impl Severity {
    /// `WARNING` or `ERROR`, as in the emulator's answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "WARNING",
            Self::Error => "ERROR",
        }
    }
}

/// One error or warning, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// Its position.
    pub position: Position,
    /// The message, as a sentence.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.position, self.message)
    }
}

/// Why a ruleset was refused: at least one error, perhaps warnings, in source order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidRuleset {
    /// All that was found.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for InvalidRuleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Error compiling rules:")?;
        let errors = self.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        for diagnostic in errors {
            write!(f, "\n{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidRuleset {}

/// Collects diagnostics up to the limit.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    found: Vec<(Span, Severity, String)>,
}

impl Sink {
    pub(crate) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.push(span, Severity::Error, message.into());
    }

    pub(crate) fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.push(span, Severity::Warning, message.into());
    }

    fn push(&mut self, span: Span, severity: Severity, message: String) {
        let duplicate = self.found.iter().any(|(s, _, m)| s.start == span.start && *m == message);
        if self.found.len() < MAX_DIAGNOSTICS && !duplicate {
            self.found.push((span, severity, message));
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.found.iter().any(|(_, severity, _)| *severity == Severity::Error)
    }

    pub(crate) fn finish(mut self, lines: &LineMap) -> Vec<Diagnostic> {
        self.found.sort_by_key(|(span, ..)| span.start);
        let to_diagnostic =
            |(span, severity, message)| Diagnostic { severity, position: lines.position(span), message };
        self.found.into_iter().map(to_diagnostic).collect()
    }
}
