//! Every bound of the language and its evaluation, by name.
//!
//! The numbers for rulesets and requests are those Firebase publishes for Cloud Firestore; the others keep
//! hostile input from using unbounded memory or stack.

/// Bytes of source text in one ruleset.
pub const MAX_SOURCE_BYTES: usize = 256 * 1024;
/// Errors and warnings reported for one ruleset; further ones are dropped.
pub const MAX_DIAGNOSTICS: usize = 64;
/// Height of an expression's tree.
pub const MAX_EXPRESSION_DEPTH: u32 = 256;
/// `match` blocks inside one another.
pub const MAX_MATCH_DEPTH: usize = 10;
/// Path segments over a set of nested `match` blocks.
pub const MAX_PATH_SEGMENTS: usize = 100;
/// Captured variables over a set of nested `match` blocks.
pub const MAX_CAPTURES: usize = 20;
/// Parameters of one function.
pub const MAX_PARAMETERS: usize = 7;
/// `let` bindings of one function.
pub const MAX_LETS: usize = 10;

/// Expressions evaluated for one request.
pub const MAX_EVALUATED_EXPRESSIONS: u32 = 1_000;
/// Function calls inside one another.
pub const MAX_CALL_DEPTH: u32 = 20;
/// Expressions inside one another, over all function calls, while evaluating.
pub const MAX_EVALUATION_DEPTH: u32 = 400;
/// Different documents that one evaluation may read with `get`, `exists`, `getAfter`, `existsAfter`: the whole
/// allowance of a request for one document or of a query.
pub const MAX_DOCUMENTS_SINGLE: usize = 10;
/// Different documents that all evaluations of one batch, transaction or multi-document read may read
/// together.
pub const MAX_DOCUMENTS_MULTI: usize = 20;
/// Bytes of strings, lists and so on that one evaluation may build.
pub const MAX_BUILT_BYTES: usize = 16 * 1024 * 1024;
/// Bytes a compiled regular expression may take.
pub const MAX_REGEX_BYTES: usize = 1024 * 1024;
/// Alternatives into which a query's filter is split for a proof (the same bound Firestore puts on a query's
/// disjunctions).
pub const MAX_DISJUNCTIONS: usize = 30;
/// Different values kept per expression in a coverage report; later ones are counted as `other`.
pub const MAX_COVERAGE_VALUES: usize = 100;
/// Characters of a value shown in a trace; the rest is cut off.
pub const MAX_TRACE_VALUE_CHARS: usize = 200;
