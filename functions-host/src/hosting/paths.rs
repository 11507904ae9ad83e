//! Resolution of paths to files: index pages, clean URLs and trailing slashes.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::site::{File, Site};

/// Characters escaped in a `Location` header.
const NOT_IN_LOCATION: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'\\').add(b'^').add(b'`');

/// `path` (or a whole URL), escaped for a header.
pub(super) fn encode(path: &str) -> String {
    utf8_percent_encode(path, NOT_IN_LOCATION).to_string()
}

/// True if a configured destination is external: `https://host/…`, `//host/…` or `mailto:…`.
pub(super) fn leads_out(destination: &str) -> bool {
    let (scheme, rest) = destination.split_once(':').unwrap_or_default();
    let named = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    // In `//:to` the host is a capture from the caller's path, not a configured one.
    if named && !matches!(scheme, "http" | "https") {
        return true;
    }
    let host = if named { rest.strip_prefix("//") } else { destination.strip_prefix("//") };
    host.is_some_and(|host| host.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '['))
}

/// `path` as a path of this site, whatever was captured into it: browsers would take `//host` and `/\host` for other
/// sites.
pub(super) fn within(path: &str) -> String {
    format!("/{}", path.trim_start_matches(['/', '\\']))
}

/// Result of resolving a path.
#[derive(Debug)]
pub(super) enum Outcome {
    /// A file.
    File(File),
    /// A redirect to the page's canonical path.
    Moved(String),
    /// Nothing.
    None,
}

/// A path and the rules for resolving it.
#[derive(Debug)]
pub(super) struct Candidates<'a> {
    path: &'a str,
    clean_urls: bool,
    trailing_slash: Option<bool>,
}

impl<'a> Candidates<'a> {
    /// `path` starts with a slash and is decoded.
    pub(super) const fn new(path: &'a str, clean_urls: bool, trailing_slash: Option<bool>) -> Self {
        Self { path, clean_urls, trailing_slash }
    }

    /// Resolves to the first match in `site`.
    pub(super) async fn find(&self, site: &Site) -> Outcome {
        let bare = self.path.trim_matches('/');
        // `//host/…` in a Location header would lead to another site.
        if self.path.starts_with("//") {
            return Outcome::None;
        }
        if bare.is_empty() {
            return site.load("index.html").await.map_or(Outcome::None, Outcome::File);
        }
        let slash = self.path.ends_with('/');
        if !slash && let Some(file) = site.load(bare).await {
            return match bare.strip_suffix(".html").filter(|_| self.clean_urls) {
                Some(page) => Outcome::Moved(self.page_url(page.strip_suffix("index").unwrap_or(page))),
                None => Outcome::File(file),
            };
        }
        if self.clean_urls
            && let Some(file) = site.load(&format!("{bare}.html")).await
        {
            let wanted = self.trailing_slash.unwrap_or(false);
            return if slash == wanted { Outcome::File(file) } else { Outcome::Moved(self.page_url(bare)) };
        }
        if let Some(file) = site.load(&format!("{bare}/index.html")).await {
            let wanted = self.trailing_slash.unwrap_or(!self.clean_urls);
            return if slash == wanted {
                Outcome::File(file)
            } else {
                Outcome::Moved(if wanted { format!("/{bare}/") } else { format!("/{bare}") })
            };
        }
        Outcome::None
    }

    fn page_url(&self, page: &str) -> String {
        let page = page.trim_matches('/');
        if page.is_empty() {
            return "/".to_owned();
        }
        if self.trailing_slash == Some(true) { format!("/{page}/") } else { format!("/{page}") }
    }
}

#[cfg(test)]
mod tests {
    use super::{leads_out, within};

    #[test]
    fn a_destination_leads_out_where_it_names_the_host_itself() {
        for out in [
            "https://example.com/:to*",
            "http://[::1]:80/x",
            "//cdn.example.com/:to",
            "mailto:ada@example.com",
        ] {
            assert!(leads_out(out), "{out}");
        }
        for inside in
            ["/:to*", ":to*", ":scheme*//x", "//:host/x", "https://:host", "/a?u=https://b", "", "///x"]
        {
            assert!(!leads_out(inside), "{inside}");
        }
    }

    #[test]
    fn what_stays_within_begins_with_one_slash() {
        for (path, expected) in [
            ("//evil", "/evil"),
            ("/\\evil", "/evil"),
            ("\\/\\evil", "/evil"),
            ("https://evil", "/https://evil"),
            ("/a//b", "/a//b"),
            ("", "/"),
        ] {
            assert_eq!(within(path), expected, "{path}");
        }
    }
}
