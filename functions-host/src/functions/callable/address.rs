//! The function addressed by a request.

use docstore::{Error, Result};

/// A function's region and name, as a URL gave them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address<'a> {
    /// The region, such as `us-central1`.
    pub region: &'a str,
    /// The function's name.
    pub name: &'a str,
}

impl<'a> Address<'a> {
    /// The function named by `host` (with or without a port) and `path`, in any of three forms:
    /// `/{region}-{project}/{name}`, `/{project}/{region}/{name}`, or host `{region}-{project}.…` and `/{name}`.
    /// Anything after the name is ignored, as in the official emulator. `None` if the request is not for a function.
    pub fn parse(host: Option<&'a str>, path: &'a str, project: &str) -> Option<Self> {
        let mut segments = path.strip_prefix('/')?.split('/');
        let first = segments.next()?;
        let region_of = |label: &'a str| {
            label.strip_suffix(project)?.strip_suffix('-').filter(|region| is_region(region))
        };
        let by_host = host.and_then(|host| host.split_once('.')).and_then(|(label, _)| region_of(label));
        if let Some(region) = by_host {
            return Some(Self { region, name: first }).filter(|_| !first.is_empty() && first != "__");
        }
        if first == project {
            let region = segments.next().filter(|region| is_region(region))?;
            return Some(Self { region, name: segments.next()? });
        }
        Some(Self { region: region_of(first)?, name: segments.next()? })
    }
}

/// True for `us-central1` and the like: lower-case words separated by hyphens, and a number at the end.
pub(super) fn is_region(text: &str) -> bool {
    text.len() <= MAX_REGION_BYTES
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.ends_with(|c: char| c.is_ascii_digit())
        && text.contains('-')
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// The longest region, in bytes; the longest in use has 23.
const MAX_REGION_BYTES: usize = 40;

/// The longest function name, in bytes, as the cloud has it.
const MAX_NAME_BYTES: usize = 63;

/// Checks the name of a function to be registered: a letter, then letters, digits, `_` and `-` (hyphens come from
/// grouped exports, `group-name`).
pub(super) fn check_name(name: &str) -> Result<()> {
    let fits = (1..=MAX_NAME_BYTES).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if fits {
        Ok(())
    } else {
        Err(Error::invalid(
            "FunctionName",
            format!("{name:?} is no function name: use a letter, then up to 62 letters, digits, _ and -"),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    fn parse<'a>(host: &'a str, path: &'a str) -> Option<(&'a str, &'a str)> {
        Address::parse(Some(host), path, "demo-a").map(|address| (address.region, address.name))
    }

    #[test]
    fn all_three_forms_name_a_function() {
        let expected = Some(("us-central1", "echo"));
        assert_eq!(parse("127.0.0.1:5001", "/us-central1-demo-a/echo"), expected);
        assert_eq!(parse("127.0.0.1:5001", "/demo-a/us-central1/echo"), expected);
        assert_eq!(parse("us-central1-demo-a.localhost:5000", "/echo"), expected);
        assert_eq!(parse("us-central1-demo-a.cloudfunctions.net", "/echo"), expected);
        assert_eq!(parse("h", "/demo-a/us-central1/echo/more/path"), expected);
        assert_eq!(parse("h", "/northamerica-northeast1-demo-a/x"), Some(("northamerica-northeast1", "x")));
    }

    #[test]
    fn everything_else_is_somebody_elses() {
        for (host, path) in [
            ("h", "/"),
            ("h", "/decks"),
            ("h", "/layouts/edit/1"),
            ("h", "/demo-a"),
            ("h", "/demo-a/us-central1"),
            ("h", "/demo-a/decks/1"),
            ("h", "/other/us-central1/echo"),
            ("h", "/us-central1-other/echo"),
            ("h", "/us-central1-demo-a"),
            ("us-central1-demo-a.localhost", "/"),
            ("us-central1-other.localhost", "/echo"),
            ("us-central1-demo-a", "/echo"),
        ] {
            assert_eq!(parse(host, path), None, "{host} {path}");
        }
    }
}
