//! Strings that may arrive as numbers.

use std::fmt;
use std::ops::Deref;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// A string; a JSON number in its place is taken as its decimal digits (64-bit integers are strings on this
/// wire, and the Node admin SDK sends them as numbers).
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub(crate) struct Text(pub(crate) String);

impl Text {
    /// The string itself.
    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl Visitor<'_> for TextVisitor {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }

            fn visit_string<E: Error>(self, text: String) -> Result<Text, E> {
                Ok(Text(text))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Text, E> {
                Ok(Text(number.to_string()))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Text, E> {
                Ok(Text(number.to_string()))
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Text, E> {
                Ok(Text(number.to_string()))
            }
        }
        deserializer.deserialize_any(TextVisitor)
    }
}
