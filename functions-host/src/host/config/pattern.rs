//! Path patterns of the `hosting` block: globs with `:name` captures, and regular expressions.

use std::fmt;

use regex::Regex;
use serde::de::{self, Deserialize, Deserializer, Visitor};

/// Longest pattern, in bytes.
const MAX_PATTERN_BYTES: usize = 2048;

/// The paths that a rule applies to.
#[derive(Debug, Clone)]
pub struct Pattern {
    regex: Regex,
    negated: bool,
}

impl Pattern {
    /// A glob over whole paths: `*` and `?` within a segment, `**` across segments, `{a,b}`, `[abc]`, `@(a|b)`, `?(a)`,
    /// `*(a)`, `+(a)`, a leading `!` for negation, and the captures `:name` (one segment) and `:name*` (any number).
    ///
    /// # Errors
    /// The fault in the pattern.
    pub fn glob(glob: &str) -> Result<Self, String> {
        let (negated, body) = match glob.strip_prefix('!') {
            Some(body) if !body.starts_with('(') => (true, body),
            Some(_) | None => (false, glob),
        };
        let mut text = String::from("^");
        if !body.starts_with('/') {
            text.push('/');
        }
        if body == "**" {
            text.push_str(".*");
        } else {
            translate(
                body.strip_prefix("**/").map_or(body, |rest| {
                    text.push_str("(?:.*/)?");
                    rest
                }),
                &mut text,
            )?;
        }
        text.push('$');
        compile(&text, glob).map(|regex| Self { regex, negated })
    }

    /// A regular expression, matched anywhere in the path unless anchored. Named groups `(?P<name>…)` capture.
    ///
    /// # Errors
    /// The fault in the expression.
    pub fn regex(text: &str) -> Result<Self, String> {
        compile(text, text).map(|regex| Self { regex, negated: false })
    }

    /// True if the rule applies to `path`, which starts with a slash.
    pub fn matches(&self, path: &str) -> bool {
        self.regex.is_match(path) != self.negated
    }

    /// `destination` with each `:name` (or `:name*`) replaced by its capture from `path`; `None` if the rule does not
    /// apply to `path`.
    pub fn expand(&self, path: &str, destination: &str) -> Option<String> {
        if self.negated {
            return self.matches(path).then(|| destination.to_owned());
        }
        let captures = self.regex.captures(path)?;
        let mut names: Vec<&str> = self.regex.capture_names().flatten().collect();
        // Longest first, so that `:idx` is not read as `:id` and an `x`.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let mut out = destination.to_owned();
        for name in names {
            let value = captures.name(name).map_or("", |found| found.as_str());
            out = out.replace(&format!(":{name}*"), value).replace(&format!(":{name}"), value);
        }
        Some(out)
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct GlobVisitor;

        impl Visitor<'_> for GlobVisitor {
            type Value = Pattern;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a path pattern such as \"/images/**\"")
            }

            fn visit_str<E: de::Error>(self, glob: &str) -> Result<Pattern, E> {
                Pattern::glob(glob).map_err(E::custom)
            }
        }

        deserializer.deserialize_str(GlobVisitor)
    }
}

fn compile(text: &str, shown: &str) -> Result<Regex, String> {
    if shown.len() > MAX_PATTERN_BYTES {
        return Err(format!("the pattern has {} bytes; {MAX_PATTERN_BYTES} are allowed", shown.len()));
    }
    Regex::new(text).map_err(|error| format!("cannot use the pattern {shown:?}: {error}"))
}

/// Appends the regular expression for `glob`.
fn translate(glob: &str, out: &mut String) -> Result<(), String> {
    let mut rest = glob;
    let mut groups: Vec<&'static str> = Vec::new();
    while let Some(c) = rest.chars().next() {
        if let Some(after) = globstar(rest, out) {
            rest = after;
            continue;
        }
        if let Some((quantifier, after)) = extended_group(rest, glob)? {
            out.push_str("(?:");
            groups.push(quantifier);
            rest = after;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '*' => out.push_str("[^/]*"),
            '?' => out.push_str("[^/]"),
            '{' => {
                out.push_str("(?:");
                groups.push("}");
            }
            '}' if groups.last() == Some(&"}") => {
                groups.pop();
                out.push(')');
            }
            ',' if groups.last() == Some(&"}") => out.push('|'),
            ')' if groups.last().is_some_and(|top| *top != "}") => {
                out.push(')');
                out.extend(groups.pop());
            }
            '|' if groups.last().is_some_and(|top| *top != "}") => out.push('|'),
            '[' => {
                let end =
                    rest.find(']').ok_or_else(|| format!("the pattern {glob:?} has a [ without its ]"))?;
                let class = rest[..end].replace('\\', "\\\\");
                let class = class.strip_prefix('!').map_or(class.clone(), |negated| format!("^{negated}"));
                out.push('[');
                out.push_str(&class);
                out.push(']');
                rest = &rest[end + 1..];
            }
            ':' => rest = capture(rest, out),
            other => out.push_str(&regex::escape(other.encode_utf8(&mut [0; 4]))),
        }
    }
    if groups.is_empty() {
        Ok(())
    } else {
        Err(format!("the pattern {glob:?} has a group that does not end"))
    }
}

/// `**` with its slashes: any number of segments.
fn globstar<'a>(rest: &'a str, out: &mut String) -> Option<&'a str> {
    if let Some(after) = rest.strip_prefix("/**/") {
        out.push_str("/(?:.*/)?");
        return Some(after);
    }
    if rest == "/**" {
        out.push_str("(?:/.*)?");
        return Some("");
    }
    rest.strip_prefix("**").inspect(|_| out.push_str(".*"))
}

/// The start of `@(…)`, `?(…)`, `*(…)` or `+(…)`, with the quantifier to put after its end.
fn extended_group<'a>(rest: &'a str, glob: &str) -> Result<Option<(&'static str, &'a str)>, String> {
    for (start, quantifier) in [("@(", ""), ("?(", "?"), ("*(", "*"), ("+(", "+")] {
        if let Some(after) = rest.strip_prefix(start) {
            return Ok(Some((quantifier, after)));
        }
    }
    if rest.starts_with("!(") {
        return Err(format!(
            "the pattern {glob:?} uses !(…) inside a path, which this server has not: use \"regex\""
        ));
    }
    Ok(None)
}

/// The capture after a colon; a colon without a name is literal.
fn capture<'a>(rest: &'a str, out: &mut String) -> &'a str {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.push(':');
        return rest;
    }
    match after.strip_prefix('*') {
        Some(after) => {
            // The slash before it is part of it: `/blog/:rest*` matches `/blog` too.
            if out.ends_with('/') {
                out.pop();
                out.push_str(&format!("(?:/(?P<{name}>.*))?"));
            } else {
                out.push_str(&format!("(?P<{name}>.*)"));
            }
            after
        }
        None => {
            out.push_str(&format!("(?P<{name}>[^/]+)"));
            after
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn globs_match_as_the_hosting_documentation_says() {
        let rows: [(&str, &[&str], &[&str]); 12] = [
            ("**", &["/", "/a", "/a/b.js"], &[]),
            ("/**", &["/", "/a", "/a/b.js"], &[]),
            ("/foo", &["/foo"], &["/foo/", "/foo/a", "/a/foo"]),
            ("/foo/**", &["/foo", "/foo/a", "/foo/a/b"], &["/fooa", "/a/foo"]),
            ("/foo/*", &["/foo/a", "/foo/"], &["/foo/a/b", "/foo"]),
            ("**/*.js", &["/a.js", "/x/y/a.js"], &["/a.jsx"]),
            ("**/*.@(jpg|gif)", &["/a.jpg", "/b/c.gif"], &["/a.png"]),
            ("/a/**/z", &["/a/z", "/a/b/z", "/a/b/c/z"], &["/az", "/a/b"]),
            ("/{en,de}/home", &["/en/home", "/de/home"], &["/fr/home"]),
            ("!/app/**", &["/", "/other"], &["/app", "/app/x"]),
            ("/v[12]/x", &["/v1/x", "/v2/x"], &["/v3/x"]),
            ("/a.b", &["/a.b"], &["/aXb"]),
        ];
        for (glob, hits, misses) in rows {
            let pattern = Pattern::glob(glob).unwrap();
            for path in hits {
                assert!(pattern.matches(path), "{glob} should match {path}");
            }
            for path in misses {
                assert!(!pattern.matches(path), "{glob} should not match {path}");
            }
        }
    }

    #[test]
    fn captures_reach_the_destination() {
        let pattern = Pattern::glob("/blog/:post/:rest*").unwrap();
        assert_eq!(pattern.expand("/blog/a/b/c", "/new/:post?r=:rest").as_deref(), Some("/new/a?r=b/c"));
        assert_eq!(pattern.expand("/blog/a", "/new/:post/:rest*").as_deref(), Some("/new/a/"));
        assert_eq!(pattern.expand("/other", "/new"), None);
        let regex = Pattern::regex("^/p/(?P<id>\\d+)(?P<idx>x?)$").unwrap();
        assert_eq!(regex.expand("/p/12x", "/q/:id/:idx").as_deref(), Some("/q/12/x"));
    }

    #[test]
    fn what_cannot_be_understood_is_refused() {
        for glob in ["/a[b", "/@(a", "/x/!(a)/y", "/{a"] {
            assert!(Pattern::glob(glob).is_err(), "{glob}");
        }
        assert!(Pattern::regex("(").is_err());
        assert!(Pattern::glob(&"a".repeat(3000)).is_err());
    }
}
