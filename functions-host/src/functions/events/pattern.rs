//! Path patterns of triggers: `users/{id}/posts/*`, with `**` and `{name=**}` for any number of segments.

/// A pattern over `/`-separated segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathPattern(Vec<Segment>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Literal(String),
    /// Literal text around `*`s, each of which matches any text within the segment.
    Glob(Vec<String>),
    /// Any number of segments, including none.
    Many,
}

impl PathPattern {
    /// Parses a pattern; any text is valid.
    pub(crate) fn new(pattern: &str) -> Self {
        let segments = pattern.trim_matches('/').split('/').filter(|segment| !segment.is_empty());
        Self(segments.map(Segment::new).collect())
    }

    /// True if it matches the whole of `path`.
    pub(crate) fn matches(&self, path: &str) -> bool {
        let path: Vec<&str> = path.split('/').collect();
        matches(&self.0, &path)
    }
}

impl Segment {
    fn new(text: &str) -> Self {
        let capture = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        let shape = match capture {
            Some(capture) => capture.split_once('=').map_or("*", |(_, shape)| shape),
            None => text,
        };
        if shape == "**" {
            Self::Many
        } else if shape.contains('*') {
            Self::Glob(shape.split('*').map(str::to_owned).collect())
        } else {
            Self::Literal(shape.to_owned())
        }
    }

    fn matches(&self, segment: &str) -> bool {
        match self {
            Self::Literal(text) => text == segment,
            Self::Glob(parts) => glob(parts, segment),
            Self::Many => false,
        }
    }
}

/// True if `text` begins with the first part, ends with the last, and has the others between them in order.
fn glob(parts: &[String], text: &str) -> bool {
    let [first, middle @ .., last] = parts else { return false };
    let Some(rest) = text.strip_prefix(first.as_str()) else { return false };
    let Some(mut rest) = rest.strip_suffix(last.as_str()) else { return false };
    middle.iter().all(|part| match rest.find(part.as_str()) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

/// Matches with a single backtracking point: the newest `Many` takes one more segment each time.
fn matches(pattern: &[Segment], path: &[&str]) -> bool {
    let (mut at, mut seen) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while seen < path.len() {
        match pattern.get(at) {
            Some(Segment::Many) => {
                back = Some((at, seen));
                at += 1;
            }
            Some(segment) if segment.matches(path[seen]) => {
                at += 1;
                seen += 1;
            }
            _ => {
                let Some((many, taken)) = back else { return false };
                back = Some((many, taken + 1));
                at = many + 1;
                seen = taken + 1;
            }
        }
    }
    pattern[at..].iter().all(|segment| *segment == Segment::Many)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::PathPattern;

    #[test]
    fn patterns_match_whole_paths() {
        let cases = [
            ("things/{id}", "things/1", true),
            ("/things/{id}/", "things/1", true),
            ("things/{id}", "things/1/more/2", false),
            ("things/{id}", "other/1", false),
            ("things/one", "things/one", true),
            ("things/one", "things/two", false),
            ("users/*/posts/{post}", "users/a/posts/b", true),
            ("users/{user=a-*}/posts/*", "users/a-1/posts/x", true),
            ("users/{user=a-*}/posts/*", "users/b-1/posts/x", false),
            ("{all=**}", "a/b/c/d", true),
            ("a/**", "a/b/c/d", true),
            ("a/**/z/{last}", "a/b/c/z/1", true),
            ("a/**/z/{last}", "a/z/1", true),
            ("a/**/z/{last}", "a/z/1/z", false),
            ("**/a/**/b", "a/b", true),
            ("**/a/**/b", "x/a/y/b/a/c/b", true),
        ];
        for (pattern, path, expected) in cases {
            assert_eq!(PathPattern::new(pattern).matches(path), expected, "{pattern} {path}");
        }
    }

    /// Reference implementation that tries every possibility.
    fn slowly(pattern: &[&str], path: &[&str]) -> bool {
        match pattern {
            [] => path.is_empty(),
            ["**", rest @ ..] => (0..=path.len()).any(|taken| slowly(rest, &path[taken..])),
            ["*", rest @ ..] => !path.is_empty() && slowly(rest, &path[1..]),
            [one, rest @ ..] => path.first() == Some(one) && slowly(rest, &path[1..]),
        }
    }

    proptest! {
        #[test]
        fn matching_is_what_trying_everything_finds(
            pattern in prop::collection::vec(prop::sample::select(vec!["a", "b", "*", "**"]), 1..6),
            path in prop::collection::vec(prop::sample::select(vec!["a", "b", "c"]), 1..7),
        ) {
            let found = PathPattern::new(&pattern.join("/")).matches(&path.join("/"));
            prop_assert_eq!(found, slowly(&pattern, &path));
        }
    }
}
