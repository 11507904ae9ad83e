//! Regular expressions: `matches`, `split`, `replace`. Their time is linear in the text for every pattern.

use std::borrow::Cow;

use regex::{Captures, Regex, RegexBuilder};

use crate::limits::MAX_REGEX_BYTES;
use crate::value::Value;

use super::{Context, Failure, mismatch};

/// A pattern, refused when it is malformed or too large. Classes such as `\w` mean ASCII, as in RE2.
pub(crate) fn compile(pattern: &str) -> Result<Regex, Failure> {
    RegexBuilder::new(&with_ascii_classes(pattern))
        .size_limit(MAX_REGEX_BYTES)
        .dfa_size_limit(MAX_REGEX_BYTES)
        .build()
        .map_err(|_| format!("Invalid regular expression pattern. Pattern: {pattern}."))
}

/// RE2 and Rust agree on the syntax but for `\d`, `\s`, `\w` and `\b`, which RE2 keeps to ASCII.
fn with_ascii_classes(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    let mut in_class = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let escaped = chars.next();
                let class = match escaped {
                    Some('d') => Some("0-9"),
                    Some('w') => Some("0-9A-Za-z_"),
                    Some('s') => Some(r"\t\n\x0C\r "),
                    _ => None,
                };
                match (escaped, class) {
                    (_, Some(class)) if in_class => out.push_str(class),
                    (_, Some(class)) => out.extend(["[", class, "]"]),
                    (Some('D'), None) => out.push_str("[^0-9]"),
                    (Some('W'), None) => out.push_str("[^0-9A-Za-z_]"),
                    (Some('S'), None) => out.push_str(r"[^\t\n\x0C\r ]"),
                    (Some('b'), None) if !in_class => out.push_str(r"(?-u:\b)"),
                    (Some('Q'), None) => {
                        let rest = chars.as_str();
                        let literal = rest.find(r"\E").map_or(rest, |end| rest.get(..end).unwrap_or(rest));
                        out.push_str(&regex::escape(literal));
                        chars = rest.get((literal.len() + 2).min(rest.len())..).unwrap_or("").chars();
                    }
                    (escaped, None) => {
                        out.push('\\');
                        out.extend(escaped);
                    }
                }
                continue;
            }
            '[' if !in_class => in_class = true,
            ']' if in_class && !out.ends_with('[') && !out.ends_with("[^") => in_class = false,
            _ => {}
        }
        out.push(c);
    }
    out
}

fn pattern<'a>(context: &Context<'a>, text: &str) -> Result<Cow<'a, Regex>, Failure> {
    context.pattern.map_or_else(|| compile(text).map(Cow::Owned), |known| Ok(Cow::Borrowed(known)))
}

/// True if the pattern matches the whole text.
pub(super) fn matches(context: &mut Context<'_>, values: &[Value]) -> Result<Value, Failure> {
    let [Value::String(text), Value::String(source)] = values else { return mismatch() };
    if context.pattern.is_some() {
        // The literal was compiled between anchors.
        return Ok(Value::Bool(pattern(context, source)?.is_match(text)));
    }
    compile(source)?;
    Ok(Value::Bool(compile(&anchored(source))?.is_match(text)))
}

/// The pattern that matches only whole texts.
pub(crate) fn anchored(source: &str) -> String {
    format!(r"\A(?:{source})\z")
}

pub(super) fn split(context: &mut Context<'_>, values: &[Value]) -> Result<Value, Failure> {
    let [Value::String(text), Value::String(source)] = values else { return mismatch() };
    let pattern = pattern(context, source)?;
    let mut parts: Vec<&str> = pattern.split(text).collect();
    while parts.len() > 1 && parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    context.budget.build(text.len())?;
    context.budget.build_values(parts.len())?;
    Ok(Value::list(parts.into_iter().map(Value::string)))
}

pub(super) fn replace(context: &mut Context<'_>, values: &[Value]) -> Result<Value, Failure> {
    let [Value::String(text), Value::String(source), Value::String(substitute)] = values else {
        return mismatch();
    };
    let pattern = pattern(context, source)?;
    let mut out = String::new();
    let mut last = 0;
    for found in pattern.captures_iter(text) {
        let Some(whole) = found.get(0) else { continue };
        out.push_str(text.get(last..whole.start()).unwrap_or(""));
        substitute_groups(substitute, &found, &mut out)?;
        context.budget.build(substitute.len() + whole.len())?;
        last = whole.end();
    }
    out.push_str(text.get(last..).unwrap_or(""));
    context.budget.build(out.len())?;
    Ok(Value::string(out))
}

/// Appends the substitute with `$1` and `${name}` filled in; a backslash takes the next character as it is.
fn substitute_groups(substitute: &str, found: &Captures<'_>, out: &mut String) -> Result<(), Failure> {
    let missing = |group: &str| format!("The pattern has no group {group}.");
    let mut chars = substitute.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.push(chars.next().unwrap_or('\\')),
            '$' if chars.peek().is_some_and(char::is_ascii_digit) => {
                let mut group = 0usize;
                let mut taken = false;
                // As many digits as still name a group.
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
                    let longer = group * 10 + digit as usize;
                    if taken && longer >= found.len() {
                        break;
                    }
                    (group, taken) = (longer, true);
                    chars.next();
                }
                if group >= found.len() {
                    return Err(missing(&group.to_string()));
                }
                out.push_str(found.get(group).map_or("", |m| m.as_str()));
            }
            '$' if chars.peek() == Some(&'{') => {
                chars.next();
                let name: String = chars.by_ref().take_while(|c| *c != '}').collect();
                out.push_str(found.name(&name).ok_or_else(|| missing(&name))?.as_str());
            }
            _ => out.push(c),
        }
    }
    Ok(())
}
