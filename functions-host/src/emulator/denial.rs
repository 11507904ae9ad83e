//! Denials by the rules, as the request log and the rules playground show them.

use rules::{Method, Trace, Verdict};
use serde_json::{Value, json};

/// A denial, in readable form.
pub(super) fn trace(trace: &Trace) -> Value {
    let statements = trace.statements.iter().map(|statement| {
        let (verdict, message) = match &statement.verdict {
            Verdict::False => ("false", None),
            Verdict::Failed(message) => ("failed", Some(message.as_str())),
            Verdict::Unproven => ("unproven", None),
        };
        let causes = statement.causes.iter().map(|cause| {
            json!({
                "expression": cause.expression, "line": cause.position.line,
                "column": cause.position.column, "value": cause.value,
            })
        });
        json!({
            "match": statement.match_path, "line": statement.line, "condition": statement.condition,
            "verdict": verdict, "message": message, "causes": causes.collect::<Vec<_>>(),
        })
    });
    json!({
        "method": Method::name(trace.method), "path": trace.path, "statements": statements.collect::<Vec<_>>(),
    })
}
