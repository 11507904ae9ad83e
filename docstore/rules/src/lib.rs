//! Security rules, version 2: parser and pure evaluator.

mod compile;
mod coverage;
mod diagnostic;
mod evaluate;
mod explain;
mod lexer;
pub mod limits;
mod matching;
mod natives;
mod parser;
mod program;
mod proof;
mod request;
mod ruleset;
mod source;
mod syntax;
mod trace;
mod value;

pub use coverage::{Coverage, CoverageReport, CoveredExpression, Observation};
pub use diagnostic::{Diagnostic, InvalidRuleset, Severity};
pub use proof::{Comparison, Facts, Filter, Record, Unknown};
pub use request::{Auth, DocumentKey, Documents, Method, QueryInfo, Request, Service, document_resource};
pub use ruleset::{Decision, Prepared, Ruleset, Scope};
pub use source::{Position, Span};
pub use trace::{Cause, Statement, Trace, Verdict};
pub use value::{Duration, LatLng, Map, MapDiff, Path, PathPiece, Set, Timestamp, Value};
