//! Patterns of object names, as `matchGlob` has them.

use docstore::{Error, Result};
use regex::{Regex, RegexBuilder};

/// The longest pattern, in bytes: as long as the longest object name.
const MAX_PATTERN_BYTES: usize = crate::names::MAX_OBJECT_NAME_BYTES;
/// The most memory of a compiled pattern.
const MAX_COMPILED_BYTES: usize = 4 * 1024 * 1024;

/// A pattern of names: `*` is any text without a slash, `**` any text, `**/` any folders or none, `?` one character but
/// no slash, `[a-z]` one of these, `[!a-z]` any other character but the slash, `{a,b}` one of these patterns; a backslash
/// takes the next character literally.
#[derive(Debug, Clone)]
pub struct Glob {
    regex: Regex,
    /// Prefix that every matching name has.
    literal: String,
}

impl Glob {
    /// Reads a pattern.
    ///
    /// # Errors
    /// `InvalidArgument` (`MatchGlob`).
    pub fn parse(pattern: &str) -> Result<Self> {
        if pattern.len() > MAX_PATTERN_BYTES {
            return Err(bad(&format!("it is longer than {MAX_PATTERN_BYTES} bytes")));
        }
        let regex = RegexBuilder::new(&translate(pattern)?)
            .size_limit(MAX_COMPILED_BYTES)
            .build()
            .map_err(|source| bad("it is too large or has an empty range").with_source(source))?;
        let literal = pattern.chars().take_while(|c| !r"*?[{\".contains(*c)).collect();
        Ok(Self { regex, literal })
    }

    /// True if the whole name matches.
    pub fn matches(&self, name: &str) -> bool {
        self.regex.is_match(name)
    }

    /// Prefix that every matching name has.
    pub fn literal(&self) -> &str {
        &self.literal
    }
}

/// The pattern as a regular expression.
fn translate(pattern: &str) -> Result<String> {
    let mut regex = String::from("^");
    let mut choices = 0_usize;
    let mut chars = pattern.chars().peekable();
    let mut before = '/';
    while let Some(c) = chars.next() {
        let starts_segment = std::mem::replace(&mut before, c) == '/';
        match c {
            '*' if chars.next_if_eq(&'*').is_some() => {
                if starts_segment && chars.next_if_eq(&'/').is_some() {
                    regex.push_str("(?:.*/)?");
                    before = '/';
                } else {
                    regex.push_str(".*");
                }
            }
            '*' => regex.push_str("[^/]*"),
            '?' => regex.push_str("[^/]"),
            '[' => regex.push_str(&class(&mut chars)?),
            '{' => {
                choices += 1;
                regex.push_str("(?:");
            }
            ',' if choices > 0 => regex.push('|'),
            '}' if choices > 0 => {
                choices -= 1;
                regex.push(')');
            }
            '\\' => push_literal(&mut regex, chars.next().ok_or_else(|| bad("it ends with a backslash"))?),
            c => push_literal(&mut regex, c),
        }
    }
    if choices > 0 {
        return Err(bad("a brace is not closed"));
    }
    regex.push('$');
    Ok(regex)
}

/// The rest of a class of characters, after its bracket.
fn class(chars: &mut impl Iterator<Item = char>) -> Result<String> {
    let unclosed = || bad("a bracket is not closed");
    let mut regex = String::from("[");
    let mut c = chars.next().ok_or_else(unclosed)?;
    if c == '!' || c == '^' {
        regex.push_str("^/");
        c = chars.next().ok_or_else(unclosed)?;
    }
    // A bracket that comes first is one of the characters.
    loop {
        match c {
            '-' => regex.push('-'),
            '\\' => push_literal(&mut regex, chars.next().ok_or_else(unclosed)?),
            c => push_literal(&mut regex, c),
        }
        c = chars.next().ok_or_else(unclosed)?;
        if c == ']' {
            regex.push(']');
            return Ok(regex);
        }
    }
}

fn push_literal(regex: &mut String, c: char) {
    regex.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
}

fn bad(why: &str) -> Error {
    Error::invalid("MatchGlob", format!("matchGlob cannot be understood: {why}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_documented() {
        let cases: [(&str, &[&str], &[&str]); 13] = [
            ("a*", &["a", "abc"], &["b", "a/b", "ba"]),
            ("a/*.png", &["a/x.png", "a/.png"], &["a/b/x.png", "a/xpng"]),
            ("a/**", &["a/x", "a/b/c"], &["a", "b/x"]),
            ("**.png", &["x.png", "a/b/x.png"], &["x.pn", "x.png.txt"]),
            ("**/x", &["x", "a/x", "a/b/x"], &["ax"]),
            ("a/**/x", &["a/x", "a/b/c/x"], &["ax", "x"]),
            ("a**/x", &["a/x", "ab/x"], &["x", "ax"]),
            ("a?c", &["abc", "aéc"], &["a/c", "ac"]),
            ("[a-c]1", &["a1", "c1"], &["d1", "-1"]),
            ("[!a-c]1", &["d1"], &["a1", "/1"]),
            ("{a,b/*}.{png,jpg}", &["a.png", "b/x.jpg"], &["b.png", "a.gif"]),
            (r"a\*\{", &["a*{"], &["ab{"]),
            ("a,b}(c)+", &["a,b}(c)+"], &["a"]),
        ];
        for (pattern, those, others) in cases {
            let glob = Glob::parse(pattern).unwrap();
            for name in those {
                assert!(glob.matches(name) && name.starts_with(glob.literal()), "{pattern} {name}");
            }
            for name in others {
                assert!(!glob.matches(name), "{pattern} {name}");
            }
        }
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for pattern in ["[a", "{a,b", r"a\", "[z-a]", "["] {
            assert_eq!(Glob::parse(pattern).unwrap_err().tag(), "MatchGlob", "{pattern}");
        }
        assert_eq!(Glob::parse(&"x".repeat(1_025)).unwrap_err().tag(), "MatchGlob");
    }
}
