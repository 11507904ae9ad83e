//! The `hosting` block: a folder of files, and rules for paths that name none.

use std::path::PathBuf;

use http::{HeaderName, HeaderValue, StatusCode};
use serde::Deserialize;

use super::Mentioned;
use super::pattern::Pattern;

/// One site.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hosting {
    /// Its name among several sites.
    pub site: Option<String>,
    /// Its deploy target, used instead of a name that differs between projects.
    pub target: Option<String>,
    /// Folder of files, relative to the configuration file; the built-in application if missing.
    pub public: Option<PathBuf>,
    /// Folder of an application whose framework renders its pages, which this server does not do.
    pub source: Option<PathBuf>,
    /// Translated pages, which this server does not choose among.
    #[serde(default)]
    pub i18n: Mentioned,
    /// The reason this site has no files at all; set by the settings.
    #[serde(skip)]
    pub absent: Option<&'static str>,
    /// Files never served; by default those whose names begin with a dot (see [`Hosting::ignores`]).
    pub ignore: Option<Vec<Pattern>>,
    /// Rewrites of paths that name no file.
    #[serde(default)]
    pub rewrites: Vec<Rewrite>,
    /// Redirects.
    #[serde(default)]
    pub redirects: Vec<Redirect>,
    /// Headers to add.
    #[serde(default)]
    pub headers: Vec<HeaderRule>,
    /// Serve `a.html` as `/a` and redirect `/a.html` there.
    #[serde(default)]
    pub clean_urls: bool,
    /// `Some(true)` appends a slash to page paths, `Some(false)` removes it.
    pub trailing_slash: Option<bool>,
}

impl Hosting {
    /// Its name or target, if any.
    pub fn name(&self) -> Option<&str> {
        self.site.as_deref().or(self.target.as_deref())
    }

    /// True if the file at `path` is never served. By default that is any path with a segment that begins with a dot,
    /// such as `.env` and `.git`, except `/.well-known/`.
    pub fn ignores(&self, path: &str) -> bool {
        match &self.ignore {
            Some(patterns) => patterns.iter().any(|pattern| pattern.matches(path)),
            None => {
                let known = path.trim_start_matches('/').strip_prefix(".well-known/");
                known.unwrap_or(path).split('/').any(|segment| segment.starts_with('.'))
            }
        }
    }

    /// True if `name` is its name or target.
    pub fn is_called(&self, name: &str) -> bool {
        [&self.site, &self.target].into_iter().any(|own| own.as_deref() == Some(name))
    }
}

/// A rewrite rule.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "RawRewrite")]
pub struct Rewrite {
    /// Paths it applies to.
    pub pattern: Pattern,
    /// Its destination.
    pub target: RewriteTarget,
}

/// Destination of a rewrite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RewriteTarget {
    /// A file of the site.
    File(String),
    /// A function.
    Function {
        /// Its name.
        name: String,
        /// Its region; any if missing.
        region: Option<String>,
    },
    /// A service of the cloud, or an address elsewhere.
    Elsewhere(String),
}

/// A redirect rule.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "RawRedirect")]
pub struct Redirect {
    /// Paths it applies to.
    pub pattern: Pattern,
    /// Target URL, with `:name` captures.
    pub destination: String,
    /// Its status.
    pub status: RedirectStatus,
}

/// A redirect's status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RedirectStatus(pub StatusCode);

/// A rule that adds headers.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "RawHeaderRule")]
pub struct HeaderRule {
    /// Paths it applies to.
    pub pattern: Pattern,
    /// The headers.
    pub headers: Vec<HeaderPair>,
}

/// One header.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "RawHeaderPair")]
pub struct HeaderPair {
    /// Its name.
    pub name: HeaderName,
    /// Its value.
    pub value: HeaderValue,
}

#[derive(Deserialize)]
struct RawRewrite {
    #[serde(alias = "glob")]
    source: Option<String>,
    regex: Option<String>,
    destination: Option<String>,
    function: Option<FunctionTarget>,
    region: Option<String>,
    run: Option<RunTarget>,
    #[serde(rename = "dynamicLinks", default)]
    dynamic_links: bool,
}

#[derive(Deserialize)]
struct RunTarget {
    #[serde(rename = "serviceId")]
    id: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum FunctionTarget {
    Name(String),
    Id {
        #[serde(rename = "functionId")]
        id: String,
        region: Option<String>,
    },
}

#[derive(Deserialize)]
struct RawRedirect {
    #[serde(alias = "glob")]
    source: Option<String>,
    regex: Option<String>,
    destination: String,
    #[serde(rename = "type")]
    status: Option<u16>,
}

#[derive(Deserialize)]
struct RawHeaderRule {
    #[serde(alias = "glob")]
    source: Option<String>,
    regex: Option<String>,
    headers: Vec<HeaderPair>,
}

#[derive(Deserialize)]
struct RawHeaderPair {
    key: String,
    value: String,
}

fn pattern(source: Option<&str>, regex: Option<&str>) -> Result<Pattern, String> {
    match (source, regex) {
        (Some(glob), None) => Pattern::glob(glob),
        (None, Some(regex)) => Pattern::regex(regex),
        (Some(_), Some(_)) => Err("has both \"source\" and \"regex\": keep one".to_owned()),
        (None, None) => Err("needs a \"source\" or a \"regex\" that says for which paths it is".to_owned()),
    }
}

impl TryFrom<RawRewrite> for Rewrite {
    type Error = String;

    fn try_from(raw: RawRewrite) -> Result<Self, String> {
        let target = match (raw.destination, raw.function) {
            (Some(file), None) if file.contains("://") => RewriteTarget::Elsewhere(file),
            (Some(file), None) if file.starts_with('/') => RewriteTarget::File(file),
            (Some(file), None) => RewriteTarget::File(format!("/{file}")),
            (None, Some(FunctionTarget::Name(name))) => RewriteTarget::Function { name, region: raw.region },
            (None, Some(FunctionTarget::Id { id, region })) => RewriteTarget::Function { name: id, region },
            (Some(_), Some(_)) => {
                return Err("has both \"destination\" and \"function\": keep one".to_owned());
            }
            (None, None) => match raw.run {
                Some(run) => {
                    let id = run.id.unwrap_or_default();
                    RewriteTarget::Elsewhere(format!("the Cloud Run service {id:?}"))
                }
                None if raw.dynamic_links => RewriteTarget::Elsewhere("Dynamic Links".to_owned()),
                None => return Err("needs a \"destination\" or a \"function\"".to_owned()),
            },
        };
        Ok(Self { pattern: pattern(raw.source.as_deref(), raw.regex.as_deref())?, target })
    }
}

impl TryFrom<RawRedirect> for Redirect {
    type Error = String;

    fn try_from(raw: RawRedirect) -> Result<Self, String> {
        let status = raw.status.unwrap_or(StatusCode::MOVED_PERMANENTLY.as_u16());
        let status = StatusCode::from_u16(status)
            .ok()
            .filter(|code| matches!(code.as_u16(), 301 | 302 | 303 | 307 | 308))
            .ok_or_else(|| format!("its \"type\" {status} must be 301, 302, 303, 307 or 308"))?;
        let pattern = pattern(raw.source.as_deref(), raw.regex.as_deref())?;
        Ok(Self { pattern, destination: raw.destination, status: RedirectStatus(status) })
    }
}

impl TryFrom<RawHeaderRule> for HeaderRule {
    type Error = String;

    fn try_from(raw: RawHeaderRule) -> Result<Self, String> {
        Ok(Self { pattern: pattern(raw.source.as_deref(), raw.regex.as_deref())?, headers: raw.headers })
    }
}

impl TryFrom<RawHeaderPair> for HeaderPair {
    type Error = String;

    fn try_from(raw: RawHeaderPair) -> Result<Self, String> {
        let name =
            HeaderName::try_from(raw.key.as_str()).map_err(|_| format!("{:?} is no header name", raw.key))?;
        let value = HeaderValue::try_from(raw.value.as_str())
            .map_err(|_| format!("the value of {:?} has characters that no header may have", raw.key))?;
        Ok(Self { name, value })
    }
}
