//! The filter of a listing: objects that have a context, or a context of one value.

use docstore::{Error, Result};

use crate::meta::ObjectMeta;

/// A parsed filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextFilter {
    /// Only objects for which the rest does not hold.
    negated: bool,
    key: String,
    /// The value to have; any for `None`.
    value: Option<String>,
}

impl ContextFilter {
    /// Parses `contexts."KEY"="VALUE"` or `contexts."KEY":*`, negated by a `-` before it.
    ///
    /// # Errors
    /// `InvalidArgument` (`ListFilter`).
    pub fn parse(text: &str) -> Result<Self> {
        let parsed = || {
            let rest = text.trim();
            let (negated, rest) = match rest.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, rest),
            };
            let (key, rest) = rest.strip_prefix("contexts.\"")?.split_once('"')?;
            let value = match rest {
                ":*" => None,
                rest => Some(rest.strip_prefix("=\"")?.strip_suffix('"')?),
            };
            let plain = |text: &str| !text.contains(['"', '\\']);
            (plain(key) && value.is_none_or(plain)).then(|| Self {
                negated,
                key: key.to_owned(),
                value: value.map(str::to_owned),
            })
        };
        parsed().ok_or_else(|| {
            let message = "The filter must be contexts.\"KEY\"=\"VALUE\" or contexts.\"KEY\":*, perhaps with a '-' before it.";
            Error::invalid("ListFilter", message)
        })
    }

    /// True if the object is to be listed.
    pub fn matches(&self, meta: &ObjectMeta) -> bool {
        let holds = meta
            .set
            .contexts
            .get(&self.key)
            .is_some_and(|context| self.value.as_ref().is_none_or(|value| *value == context.value));
        holds != self.negated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_filter_is_refused() {
        for text in [
            "",
            "a",
            "contexts.a=b",
            "contexts.\"a\"",
            "contexts.\"a\"=\"b",
            "contexts.\"a\"=\"",
            "contexts.\"a\"=\"b\" OR x=\"y\"",
        ] {
            assert_eq!(ContextFilter::parse(text).unwrap_err().tag(), "ListFilter", "{text}");
        }
        let parsed = ContextFilter::parse(" -contexts.\"a b\"=\"\" ").unwrap();
        assert_eq!(
            parsed,
            ContextFilter { negated: true, key: "a b".to_owned(), value: Some(String::new()) }
        );
    }
}
