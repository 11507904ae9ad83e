//! Small changes to a rules file, each of which changes somebody's access.

use std::ops::Range;

/// Replacement of a part of the text.
pub(crate) struct Change {
    at: Range<usize>,
    instead: String,
}

/// Texts whose change has no effect: the language's version, the role of callers without one, and a guard for cases
/// that would otherwise be an error, which denies too.
const WITHOUT_EFFECT: [&str; 3] = ["'2'", "'none'", "signedIn()"];

impl Change {
    pub(crate) fn applied(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.at.start], self.instead, &text[self.at.end..])
    }

    pub(crate) fn told(&self, text: &str) -> String {
        let line = text[..self.at.start].lines().count().max(1);
        format!("line {line}: `{}` instead of `{}`", self.instead, &text[self.at.clone()])
    }
}

/// All changes to `text`: a method taken from a statement or given to all, an operand gone, a word or number that is
/// another.
pub(crate) fn all(text: &str) -> Vec<Change> {
    let code = without_comments(text);
    let mut changes = Vec::new();
    statements(&code, &mut changes);
    operands(&code, &mut changes);
    words(&code, &mut changes);
    changes
}

/// The text with blanks for every comment, so that places stay.
fn without_comments(text: &str) -> String {
    let blanked = text.split_inclusive('\n').map(|line| {
        if line.trim_start().starts_with("//") { " ".repeat(line.len() - 1) + "\n" } else { line.to_owned() }
    });
    blanked.collect()
}

fn methods(listed: &str) -> Vec<&str> {
    let each = listed.split(',').map(str::trim).flat_map(|method| match method {
        "read" => vec!["get", "list"],
        "write" => vec!["create", "update", "delete"],
        one => vec![one],
    });
    each.collect()
}

fn statements(code: &str, changes: &mut Vec<Change>) {
    for (start, _) in code.match_indices("allow ") {
        let end = start + code[start..].find(';').expect("a statement ends") + 1;
        let (listed, condition) = code[start + "allow ".len()..end].split_once(':').expect("a condition");
        let all = methods(listed);
        for method in &all {
            let others: Vec<_> = all.iter().copied().filter(|one| one != method).collect();
            let less = if others.is_empty() {
                format!("allow {method}: if false;")
            } else {
                format!("allow {}:{condition}", others.join(", "))
            };
            changes.push(Change { at: start..end, instead: less });
            // A condition that is always true cannot be widened.
            if condition.trim() != "if true;" {
                let more = format!("{} allow {method}: if true;", &code[start..end]);
                changes.push(Change { at: start..end, instead: more });
            }
        }
    }
}

/// The way to the end of an operand, from its edge: over whole brackets, to one of `stops` outside them.
fn operand(code: &str, from: usize, stops: &[&str], forwards: bool) -> usize {
    let (open, close) = if forwards { ("([{", ")]}") } else { (")]}", "([{") };
    let mut depth = 0_i32;
    let mut at = from;
    loop {
        let rest = if forwards { &code[at..] } else { &code[..at] };
        let next = if forwards { rest.chars().next() } else { rest.chars().next_back() };
        let next = next.expect("an operand ends");
        let stopped = |stop: &&str| if forwards { rest.starts_with(*stop) } else { rest.ends_with(*stop) };
        if depth == 0 && (close.contains(next) || stops.iter().any(stopped)) {
            return at;
        }
        depth += i32::from(open.contains(next)) - i32::from(close.contains(next));
        at = if forwards { at + next.len_utf8() } else { at - next.len_utf8() };
    }
}

/// `a && b` becomes `true && b` and `a && true`, `a || b` with `false` likewise.
fn operands(code: &str, changes: &mut Vec<Change>) {
    for (operator, nothing) in [("&&", "true"), ("||", "false")] {
        // An operator of lower precedence ends an operand.
        let stops = ["&&", "||", ";", " ? ", " : ", "if ", "return "];
        let stops = if operator == "&&" { &stops[..] } else { &stops[1..] };
        for (place, _) in code.match_indices(operator) {
            let after = place + operator.len();
            for at in [operand(code, place, stops, false)..place, after..operand(code, after, stops, true)] {
                if !WITHOUT_EFFECT.contains(&code[at.clone()].trim()) {
                    changes.push(Change { at, instead: format!(" {nothing} ") });
                }
            }
        }
    }
}

/// Every string is another, and every number one more.
fn words(code: &str, changes: &mut Vec<Change>) {
    let mut at = 0;
    while let Some(found) = code[at..].find(|c: char| c == '\'' || c.is_ascii_alphanumeric() || c == '_') {
        let start = at + found;
        if code[start..].starts_with('\'') {
            at = start + 1 + code[start + 1..].find('\'').expect("a string ends") + 1;
            if !WITHOUT_EFFECT.contains(&&code[start..at]) {
                changes.push(Change { at: start..at, instead: "'another'".to_owned() });
            }
            continue;
        }
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        at = start + code[start..].find(|c| !word(c)).unwrap_or(code.len() - start);
        if let Ok(number) = code[start..at].parse::<u32>() {
            changes.push(Change { at: start..at, instead: (number + 1).to_string() });
        }
    }
}
