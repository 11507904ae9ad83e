//! Paths to fields inside documents, with the protocol's quoting.

use std::fmt;

use super::{Fields, Value};
use crate::{Error, Result};

/// The longest field path, in bytes of its canonical spelling.
pub const MAX_FIELD_PATH_BYTES: usize = 1_500;

/// The field path that stands for the document's name in filters and orders.
pub const DOCUMENT_NAME: &str = "__name__";

/// A path to a field inside a document; at least one segment.
///
/// Canonical spelling: segments joined by `.`; a segment that is not a simple identifier is quoted with
/// backticks, in which `` ` `` and `\` are escaped by `\`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldPath(Vec<String>);

impl FieldPath {
    /// Reads the canonical spelling.
    ///
    /// # Errors
    /// `InvalidArgument` (`FieldPath`) for empty segments, unbalanced quotes, reserved names and paths that
    /// are too long.
    pub fn parse(text: &str) -> Result<Self> {
        let bad = |why: &str| Error::invalid("FieldPath", format!("Invalid field path \"{text}\": {why}."));
        let mut segments = Vec::new();
        let mut chars = text.chars().peekable();
        loop {
            let mut segment = String::new();
            if chars.peek() == Some(&'`') {
                chars.next();
                loop {
                    match chars.next() {
                        Some('`') => break,
                        Some('\\') => {
                            segment.push(chars.next().ok_or_else(|| bad("it ends in a backslash"))?);
                        }
                        Some(c) => segment.push(c),
                        None => return Err(bad("a backtick is not closed")),
                    }
                }
                if !matches!(chars.peek(), None | Some('.')) {
                    return Err(bad("text follows a closing backtick"));
                }
            } else {
                while let Some(&c) = chars.peek() {
                    match c {
                        '.' => break,
                        '`' | '\\' => return Err(bad("a backtick or backslash must be inside backticks")),
                        '~' | '*' | '/' | '[' | ']' => {
                            return Err(bad("segments with ~*/[] must be inside backticks"));
                        }
                        _ => segment.push(c),
                    }
                    chars.next();
                }
            }
            if segment.is_empty() {
                return Err(bad("segments must not be empty"));
            }
            segments.push(segment);
            match chars.next() {
                None => break,
                Some(_) if chars.peek().is_none() => return Err(bad("it ends in a dot")),
                Some(_) => {}
            }
        }
        Self::from_segments(segments)
    }

    /// A path from its unquoted segments.
    ///
    /// # Errors
    /// `InvalidArgument` for no segments, an empty or reserved one, and for a path that is too long.
    pub fn from_segments(segments: Vec<String>) -> Result<Self> {
        let path = Self(segments);
        if path.0.is_empty() {
            return Err(Error::invalid("FieldPath", "A field path needs at least one segment."));
        }
        for segment in &path.0 {
            if segment.is_empty() {
                return Err(Error::invalid("FieldNameEmpty", "A field name must not be empty."));
            }
            if is_reserved(segment) && !path.is_document_name() {
                return Err(reserved(segment));
            }
        }
        if path.0.iter().map(|segment| segment.len() + 1).sum::<usize>() > MAX_FIELD_PATH_BYTES {
            return Err(Error::invalid(
                "FieldPathTooLong",
                format!("A field path must not be longer than {MAX_FIELD_PATH_BYTES} bytes."),
            ));
        }
        Ok(path)
    }

    /// `__name__`.
    pub fn document_name() -> Self {
        Self(vec![DOCUMENT_NAME.to_owned()])
    }

    /// True for `__name__`.
    pub fn is_document_name(&self) -> bool {
        matches!(self.0.as_slice(), [only] if only == DOCUMENT_NAME)
    }

    /// The unquoted segments.
    pub fn segments(&self) -> &[String] {
        &self.0
    }

    /// True if `other` is this path or lies below it.
    pub fn contains(&self, other: &Self) -> bool {
        other.0.starts_with(&self.0)
    }

    /// The value at this path.
    pub fn get<'a>(&self, fields: &'a Fields) -> Option<&'a Value> {
        let (first, rest) = self.0.split_first()?;
        let mut value = fields.get(first)?;
        for segment in rest {
            let Value::Map(map) = value else { return None };
            value = map.get(segment)?;
        }
        Some(value)
    }

    /// Sets the value at this path; anything on the way that is not a map becomes one.
    pub fn set(&self, fields: &mut Fields, value: Value) {
        let Some((last, parents)) = self.0.split_last() else { return };
        let mut map = fields;
        for segment in parents {
            let slot = map.entry(segment.clone()).or_insert_with(|| Value::Map(Fields::new()));
            if !matches!(slot, Value::Map(_)) {
                *slot = Value::Map(Fields::new());
            }
            let Value::Map(next) = slot else { return };
            map = next;
        }
        map.insert(last.clone(), value);
    }

    /// Removes the value at this path; the maps on the way stay, even when they become empty.
    pub fn remove(&self, fields: &mut Fields) -> Option<Value> {
        let (last, parents) = self.0.split_last()?;
        let mut map = fields;
        for segment in parents {
            match map.get_mut(segment) {
                Some(Value::Map(next)) => map = next,
                _ => return None,
            }
        }
        map.remove(last)
    }
}

/// Names that start and end with two underscores are the protocol's own. Four underscores are a name like any other:
/// Firestore's `__.*__` wants something between the two.
pub(crate) fn is_reserved(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

/// The error for a reserved field name.
pub(crate) fn reserved(name: &str) -> Error {
    Error::invalid("FieldNameReserved", format!("Field name \"{name}\" is invalid because it is reserved."))
}

fn is_simple(segment: &str) -> bool {
    let mut bytes = segment.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            if is_simple(segment) {
                f.write_str(segment)?;
            } else {
                write!(f, "`{}`", segment.replace('\\', "\\\\").replace('`', "\\`"))?;
            }
        }
        Ok(())
    }
}

impl std::str::FromStr for FieldPath {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}
