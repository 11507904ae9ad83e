//! Security rules, version 2: parser and pure evaluator.
//!
//! ```
//! use docstore_rules::{Decision, Documents, Method, Request, Ruleset, Service, Timestamp, Value};
//!
//! let ruleset = Ruleset::compile(
//!     "rules_version = '2';
//!      service cloud.firestore {
//!        match /databases/{database}/documents {
//!          match /news/{id} { allow get; }
//!          match /users/{uid} { allow read: if request.auth.uid == uid; }
//!        }
//!      }",
//! )?;
//! let path = |text: &str| text.split('/').map(Into::into).collect();
//! let ask = |at: &str| {
//!     let at = path(&format!("databases/(default)/documents/{at}"));
//!     let request = Request::new(Service::Firestore, Method::Get, at, Timestamp::EPOCH);
//!     ruleset.prepare(&request).evaluate(&Value::Null, &Documents::for_single())
//! };
//! assert!(matches!(ask("news/today"), Decision::Allow));
//! let Decision::Deny(trace) = ask("users/ann") else { unreachable!() };
//! assert_eq!(trace.message(), "\nNull value error. for 'get' @ L5");
//! # Ok::<(), docstore_rules::InvalidRuleset>(())
//! ```
//!
//! [`Ruleset::compile`] resolves all names once. [`Ruleset::prepare`] does what is the same for all documents of
//! a request: it finds the match blocks that cover the path and builds `request`. [`Prepared::evaluate`] then
//! decides for one document, and [`Prepared::prove`] for a whole query; see the README for what the store asks
//! when. Nothing here blocks, reads a clock or panics, and every evaluation ends within the [`limits`].

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
