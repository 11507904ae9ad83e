//! Names of buckets and objects, and the paths of their documents.

use docstore::model::DocPath;
use docstore::{Error, Result};

/// The longest object name, in bytes of UTF-8.
pub const MAX_OBJECT_NAME_BYTES: usize = 1_024;
/// The longest document id an object name may become (`/` and `.` count twice).
pub const MAX_OBJECT_ID_BYTES: usize = 1_400;

/// A bucket's name: 3 to 222 lower-case letters, digits, `-`, `_` and `.`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BucketName(String);

impl BucketName {
    /// Checks a name.
    ///
    /// # Errors
    /// `InvalidArgument` (`BucketName`).
    pub fn parse(name: &str) -> Result<Self> {
        let edge = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let bytes = name.as_bytes();
        let fits = (3..=222).contains(&bytes.len())
            && edge(bytes.first())
            && edge(bytes.last())
            && !name.contains("..")
            && bytes.iter().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.'));
        if fits {
            Ok(Self(name.to_owned()))
        } else {
            Err(Error::invalid(
                "BucketName",
                format!(
                    "Invalid bucket name: '{}'. Use 3 to 222 lower-case letters, digits, '-', '_' and '.'.",
                    name.chars().take(80).collect::<String>().escape_debug()
                ),
            ))
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The bucket's own document.
    ///
    /// # Errors
    /// Never for a checked name; the database's checks are passed on.
    pub fn document(&self) -> Result<DocPath> {
        DocPath::parse(&format!("buckets/{}", self.0))
    }
}

/// An object's name within its bucket.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectName(String);

impl ObjectName {
    /// Checks a decoded name: 1 to 1,024 bytes, no control characters, no `.` or `..` between slashes.
    ///
    /// # Errors
    /// `InvalidArgument` (`ObjectName…`).
    pub fn parse(name: &str) -> Result<Self> {
        let bad = |tag, why: &str| {
            let shown: String = name.chars().take(80).collect();
            Err(Error::invalid(tag, format!("Invalid object name '{}': {why}.", shown.escape_debug())))
        };
        if name.is_empty() {
            return Err(Error::invalid("ObjectNameEmpty", "An object name must not be empty."));
        }
        if name.len() > MAX_OBJECT_NAME_BYTES {
            return bad("ObjectNameTooLong", &format!("it is longer than {MAX_OBJECT_NAME_BYTES} bytes"));
        }
        if name.chars().any(char::is_control) {
            return bad("ObjectNameControl", "it contains a control character");
        }
        if name.split('/').any(|segment| segment == "." || segment == "..") {
            return bad("ObjectNameDots", "'.' and '..' are not allowed between slashes");
        }
        if encode_id(name).len() > MAX_OBJECT_ID_BYTES {
            return bad("ObjectNameTooLong", "it has too many slashes and dots");
        }
        Ok(Self(name.to_owned()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part, after the last slash.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The user whose subtree `users/{uid}/` the object is in.
    pub fn owner(&self) -> Option<&str> {
        let (uid, below) = self.0.strip_prefix("users/")?.split_once('/')?;
        (!uid.is_empty() && !below.is_empty()).then_some(uid)
    }

    /// The document that makes the object visible.
    ///
    /// # Errors
    /// Never for a checked name; the database's checks are passed on.
    pub fn document(&self, bucket: &BucketName) -> Result<DocPath> {
        DocPath::parse(&format!("buckets/{}/{OBJECTS}/{}", bucket.0, encode_id(&self.0)))
    }
}

/// The collection of a bucket's objects.
pub(crate) const OBJECTS: &str = "objects";

/// A document id for a name: keeps the order of names (by UTF-8 bytes), has no slash and is never reserved.
///
/// `.` becomes `.0`, `/` becomes `.1` (both stay between `-` and `0`), and a leading `=` keeps ids like
/// `__x__` apart from the database's own.
pub(crate) fn encode_id(name: &str) -> String {
    let mut id = String::with_capacity(name.len() + 8);
    id.push('=');
    for c in name.chars() {
        match c {
            '.' => id.push_str(".0"),
            '/' => id.push_str(".1"),
            c => id.push(c),
        }
    }
    id
}

/// The smallest id after every id that starts with `prefix`'s id; `None` when there is no such id.
pub(crate) fn after_prefix(prefix: &str) -> Option<String> {
    let mut id = encode_id(prefix);
    while let Some(last) = id.pop() {
        let next = match last {
            '\u{d7ff}' => Some('\u{e000}'),
            c => char::from_u32(u32::from(c) + 1),
        };
        if let Some(next) = next {
            id.push(next);
            return Some(id);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bad_names_are_refused() {
        for (name, tag) in [
            ("", "ObjectNameEmpty"),
            ("a\0b", "ObjectNameControl"),
            ("a\r\nb", "ObjectNameControl"),
            ("users/a/../b/x", "ObjectNameDots"),
            ("..", "ObjectNameDots"),
            ("a/./b", "ObjectNameDots"),
        ] {
            assert_eq!(ObjectName::parse(name).unwrap_err().tag(), tag, "{name:?}");
        }
        assert_eq!(ObjectName::parse(&"x".repeat(1025)).unwrap_err().tag(), "ObjectNameTooLong");
        assert_eq!(ObjectName::parse(&"/".repeat(1000)).unwrap_err().tag(), "ObjectNameTooLong");
        for name in ["", "a", "Ab.c", "a..b", "-ab", "a/b", "a%2fb", "a b c"] {
            assert_eq!(BucketName::parse(name).unwrap_err().tag(), "BucketName", "{name:?}");
        }
        assert!(BucketName::parse("demo-tuckbox.appspot.com").is_ok());
    }

    #[test]
    fn owner_is_the_user_of_the_subtree() {
        let owner = |name: &str| ObjectName::parse(name).unwrap().owner().map(str::to_owned);
        assert_eq!(owner("users/u1/a.png").as_deref(), Some("u1"));
        assert_eq!(owner("users/u1/a/b").as_deref(), Some("u1"));
        assert_eq!(owner("users/u1/"), None);
        assert_eq!(owner("users/u1"), None);
        assert_eq!(owner("users//a"), None);
        assert_eq!(owner("Users/u1/a"), None);
    }

    proptest! {
        /// Ids sort as names do, also around the characters that are escaped.
        #[test]
        fn ids_keep_the_order_of_names(a in "[-./0a_é]{1,6}", b in "[-./0a_é]{1,6}") {
            prop_assert_eq!(encode_id(&a).cmp(&encode_id(&b)), a.cmp(&b));
        }

        #[test]
        fn ids_are_valid_and_skip_their_prefix(name in "[-./0a_é\u{10ffff}]{1,12}", more in "[-./0aé\u{10ffff}]{0,6}") {
            let path = DocPath::parse(&format!("objects/{}", encode_id(&name)));
            prop_assert!(path.is_ok());
            let end = after_prefix(&name).unwrap();
            let longer = encode_id(&format!("{name}{more}"));
            prop_assert!(encode_id(&name) < end && longer < end);
        }
    }
}
