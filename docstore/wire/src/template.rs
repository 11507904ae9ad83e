//! HTTP path templates: `/v1/{name=projects/*/databases/*/documents/*/**}:commit`.

use std::fmt;

use docstore::error::{Error, Result};

/// One segment of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Literal(String),
    /// Exactly one segment.
    One,
    /// Any number of segments; at most once in a template.
    Rest,
}

/// A field that takes a run of segments.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Variable {
    field: String,
    start: usize,
    end: usize,
}

/// A parsed template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    text: String,
    segments: Vec<Segment>,
    variables: Vec<Variable>,
    verb: Option<String>,
}

impl Template {
    /// Reads a template of `google.api.http`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let bad = || {
            Error::new(
                docstore::Code::Internal,
                "PathTemplate",
                format!("cannot read the path template {text}"),
            )
        };
        let (path, verb) = match text.rsplit_once(':') {
            Some((path, verb)) => (path, Some(verb.to_owned())),
            None => (text, None),
        };
        let mut template = Self { text: text.to_owned(), segments: vec![], variables: vec![], verb };
        let mut rest = path.strip_prefix('/').ok_or_else(bad)?;
        while !rest.is_empty() {
            if let Some(variable) = rest.strip_prefix('{') {
                let (inner, after) = variable.split_once('}').ok_or_else(bad)?;
                let (field, pattern) = inner.split_once('=').unwrap_or((inner, "*"));
                let start = template.segments.len();
                template.segments.extend(pattern.split('/').map(segment));
                let end = template.segments.len();
                template.variables.push(Variable { field: field.to_owned(), start, end });
                rest = after.strip_prefix('/').unwrap_or(after);
            } else {
                let (literal, after) = rest.split_once('/').unwrap_or((rest, ""));
                template.segments.push(segment(literal));
                rest = after;
            }
        }
        Ok(template)
    }

    /// True if it ends in a custom verb.
    pub(crate) fn has_verb(&self) -> bool {
        self.verb.is_some()
    }

    /// The fields' values in `path` (percent-encoded, as on the request line), or `None` where it does not match.
    pub(crate) fn matches(&self, path: &str) -> Option<Result<Vec<(&str, String)>>> {
        let path = path.strip_prefix('/')?;
        let path = match &self.verb {
            Some(verb) => path.strip_suffix(verb.as_str())?.strip_suffix(':')?,
            None => path,
        };
        let parts: Vec<&str> = path.split('/').collect();
        if parts.contains(&"") {
            return None;
        }
        let positions = self.positions(parts.len())?;
        let fits = self.segments.iter().zip(&positions).all(|(segment, at)| match segment {
            Segment::Literal(literal) => parts.get(*at) == Some(&literal.as_str()),
            Segment::One | Segment::Rest => true,
        });
        fits.then(|| {
            self.variables
                .iter()
                .map(|variable| {
                    let run =
                        parts.get(positions[variable.start]..positions[variable.end]).unwrap_or_default();
                    let decoded: Result<Vec<String>> = run.iter().map(|part| decode_segment(part)).collect();
                    Ok((variable.field.as_str(), decoded?.join("/")))
                })
                .collect()
        })
    }

    /// Start of each segment of the template in a path of `count` parts, and the end of the last one.
    fn positions(&self, count: usize) -> Option<Vec<usize>> {
        let wild = self.segments.iter().filter(|segment| **segment == Segment::Rest).count();
        let rest = count.checked_sub(self.segments.len() - wild)?;
        if wild == 0 && rest > 0 {
            return None;
        }
        let mut at = 0;
        let mut positions = vec![0];
        for segment in &self.segments {
            at += if *segment == Segment::Rest { rest } else { 1 };
            positions.push(at);
        }
        Some(positions)
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn segment(text: &str) -> Segment {
    match text {
        "*" => Segment::One,
        "**" => Segment::Rest,
        literal => Segment::Literal(literal.to_owned()),
    }
}

/// Undoes percent-encoding. An encoded slash would turn one id into two, so it is refused.
fn decode_segment(text: &str) -> Result<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'%' {
            let [high, low, tail @ ..] = rest else { return Err(bad_segment(text)) };
            let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            let (Some(high), Some(low)) = (digit(*high), digit(*low)) else { return Err(bad_segment(text)) };
            bytes.push(high << 4 | low);
            rest = tail;
        } else {
            bytes.push(*first);
        }
    }
    let decoded = String::from_utf8(bytes).map_err(|_| bad_segment(text))?;
    if decoded.contains('/') {
        return Err(Error::invalid(
            "PathSegment",
            format!("Path segment \"{text}\" holds an encoded slash."),
        ));
    }
    Ok(decoded)
}

fn bad_segment(text: &str) -> Error {
    Error::invalid("PathSegment", format!("Path segment \"{text}\" is not percent-encoded UTF-8."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(template: &str, path: &str) -> Option<Vec<(String, String)>> {
        let template = Template::parse(template).unwrap();
        let found = template.matches(path)?.unwrap();
        Some(found.into_iter().map(|(field, value)| (field.to_owned(), value)).collect())
    }

    fn one(field: &str, value: &str) -> Option<Vec<(String, String)>> {
        Some(vec![(field.to_owned(), value.to_owned())])
    }

    #[test]
    fn a_document() {
        let template = "/v1/{name=projects/*/databases/*/documents/*/**}";
        let name = "projects/p/databases/(default)/documents/a/b%20c/d:e/%C3%A9";
        let decoded = "projects/p/databases/(default)/documents/a/b c/d:e/é";
        assert_eq!(values(template, &format!("/v1/{name}")), one("name", decoded));
        assert_eq!(values(template, "/v1/projects/p/databases/d/documents"), None);
        assert_eq!(
            values(template, "/v1/projects/p/databases/d/documents/a"),
            one("name", "projects/p/databases/d/documents/a")
        );
        assert_eq!(values(template, "/v1/projects/p/databases/d/documents//b"), None, "empty segment");
    }

    #[test]
    fn a_verb() {
        let template = "/v1/{database=projects/*/databases/*}/documents:commit";
        assert_eq!(
            values(template, "/v1/projects/p/databases/d/documents:commit"),
            one("database", "projects/p/databases/d")
        );
        assert_eq!(values(template, "/v1/projects/p/databases/d/documents:rollback"), None);
        assert_eq!(values(template, "/v1/projects/p/databases/d/documents"), None);
    }

    #[test]
    fn a_collection_below_any_document() {
        let template = "/v1/{parent=projects/*/databases/*/documents/**}/{collection_id}";
        let both = |parent: &str, id: &str| {
            Some(vec![("parent".to_owned(), parent.to_owned()), ("collection_id".to_owned(), id.to_owned())])
        };
        let root = "projects/p/databases/d/documents";
        assert_eq!(values(template, &format!("/v1/{root}/a")), both(root, "a"));
        let parent = format!("{root}/a/b");
        assert_eq!(values(template, &format!("/v1/{parent}/c")), both(&parent, "c"));
        assert_eq!(values(template, &format!("/v1/{root}")), None);
    }

    #[test]
    fn a_field_inside_the_body() {
        let template = "/v1/{document.name=projects/*/databases/*/documents/*/**}";
        assert_eq!(
            values(template, "/v1/projects/p/databases/d/documents/c/x"),
            one("document.name", "projects/p/databases/d/documents/c/x")
        );
    }

    #[test]
    fn an_encoded_slash_is_refused() {
        let template = Template::parse("/v1/{name=projects/*/**}").unwrap();
        assert!(template.matches("/v1/projects/p/a%2Fb").unwrap().is_err());
        assert!(template.matches("/v1/projects/p/%f").unwrap().is_err());
    }

    proptest::proptest! {
        #[test]
        fn never_panics(path: String) {
            let template = Template::parse("/v1/{name=projects/*/databases/*/documents/*/**}:x").unwrap();
            let _outcome = template.matches(&path);
        }
    }
}
