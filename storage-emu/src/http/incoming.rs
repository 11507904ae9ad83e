//! A request taken apart by hand: paths are split before they are decoded, so that an encoded slash stays in
//! its segment.

use std::borrow::Cow;

use docstore::{Error, Result};
use http::request::Parts;
use http::{HeaderMap, Method, header};
use percent_encoding::percent_decode_str;

/// A request without its body, its path decoded segment by segment.
#[derive(Debug)]
pub(crate) struct Incoming {
    pub(crate) method: Method,
    pub(crate) segments: Vec<String>,
    query: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    /// Scheme and host as the client sees them.
    pub(crate) origin: String,
}

impl Incoming {
    /// Takes a request apart.
    ///
    /// # Errors
    /// `InvalidArgument` (`UrlEncoding`) for bad percent-encoding.
    pub(crate) fn new(parts: &Parts) -> Result<Self> {
        let segments = parts
            .uri
            .path()
            .split('/')
            .skip(1)
            .map(|segment| decode(segment).map(Cow::into_owned))
            .collect::<Result<_>>()?;
        let query = parts
            .uri
            .query()
            .unwrap_or_default()
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
                let text = |raw: &str| decode(&raw.replace('+', " ")).map(Cow::into_owned);
                Ok((text(key)?, text(value)?))
            })
            .collect::<Result<_>>()?;
        let origin = origin(parts);
        Ok(Self { method: parts.method.clone(), segments, query, headers: parts.headers.clone(), origin })
    }

    /// The first value of a query parameter.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A query parameter that must be a number.
    ///
    /// # Errors
    /// `InvalidArgument` (`QueryNumber`).
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>> {
        match self.query(name) {
            None | Some("") => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| {
                Error::invalid("QueryNumber", format!("The query parameter '{name}' must be a whole number."))
            }),
        }
    }

    /// True if a query parameter is set: Python's library writes `True`, others `true`.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.query(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// A header's text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// A header that must be a number of bytes.
    ///
    /// # Errors
    /// `InvalidArgument` (`HeaderNumber`).
    pub(crate) fn header_number(&self, name: &str) -> Result<Option<u64>> {
        match self.header(name).map(str::trim) {
            None | Some("") => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| {
                Error::invalid("HeaderNumber", format!("The header '{name}' must be a number of bytes."))
            }),
        }
    }

    /// The `Authorization` header with Firebase's scheme turned into the usual one.
    pub(crate) fn authorization(&self) -> Option<String> {
        let value = self.header(header::AUTHORIZATION.as_str())?.trim();
        Some(match value.split_once(' ') {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("firebase") => {
                format!("Bearer {}", token.trim())
            }
            _ => value.to_owned(),
        })
    }
}

fn decode(raw: &str) -> Result<Cow<'_, str>> {
    let bytes = raw.as_bytes();
    let whole =
        bytes.iter().enumerate().filter(|(_, b)| **b == b'%').all(|(at, _)| {
            bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit))
        });
    let bad = || Error::invalid("UrlEncoding", "The URL is not valid percent-encoded UTF-8.");
    if !whole {
        return Err(bad());
    }
    percent_decode_str(raw).decode_utf8().map_err(|_| bad())
}

fn origin(parts: &Parts) -> String {
    let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let secure = header("x-forwarded-proto").is_some_and(|proto| proto.eq_ignore_ascii_case("https"));
    let host = parts
        .uri
        .authority()
        .map(http::uri::Authority::as_str)
        .or_else(|| header("host"))
        .filter(|host| host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:[]_".contains(&b)))
        .unwrap_or("localhost");
    format!("{}://{host}", if secure { "https" } else { "http" })
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn incoming(uri: &str) -> Result<Incoming> {
        let request = Request::get(uri).header("host", "127.0.0.1:9199").body(()).unwrap();
        Incoming::new(&request.into_parts().0)
    }

    #[test]
    fn encoded_slashes_stay_in_their_segment() {
        let request = incoming("/v0/b/x/o/a%2Fb%252Fc?name=d+e%2Ff&alt").unwrap();
        assert_eq!(request.segments, ["v0", "b", "x", "o", "a/b%2Fc"]);
        assert_eq!(request.query("name"), Some("d e/f"));
        assert_eq!(request.query("alt"), Some(""));
        assert_eq!(request.origin, "http://127.0.0.1:9199");
        for bad in ["/v0/%", "/v0/%f", "/v0/%zz", "/v0/%ff", "/v0?x=%c3"] {
            assert_eq!(incoming(bad).unwrap_err().tag(), "UrlEncoding", "{bad}");
        }
    }

    #[test]
    fn firebase_scheme_becomes_bearer() {
        let of = |value: &str| {
            let request = Request::get("/").header("authorization", value).body(()).unwrap();
            Incoming::new(&request.into_parts().0).unwrap().authorization()
        };
        assert_eq!(of("Firebase abc").as_deref(), Some("Bearer abc"));
        assert_eq!(of("Bearer owner").as_deref(), Some("Bearer owner"));
    }
}
