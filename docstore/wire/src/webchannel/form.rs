//! The body of a forward-channel POST: `headers=…&count=N&ofs=M&req0___data__=…`.

use std::collections::BTreeMap;

use docstore::error::{Error, Result};

/// Maps allowed in one POST; the browser's side never sends more.
pub(super) const MAX_MAPS_PER_POST: usize = 1_000;

/// A decoded forward-channel body.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Form {
    /// Headers that travel in the body to spare the browser a CORS preflight.
    pub(crate) headers: Vec<(String, String)>,
    /// The id of the first map.
    pub(crate) offset: u64,
    /// The messages' JSON texts, in order.
    pub(crate) maps: Vec<String>,
}

impl Form {
    /// Decodes a body of type `application/x-www-form-urlencoded`. An empty body carries nothing.
    pub(crate) fn parse(body: &[u8]) -> Result<Self> {
        let mut form = Self::default();
        let mut count = None;
        let mut data = BTreeMap::new();
        for (name, value) in pairs(body)? {
            match name.as_str() {
                "headers" => form.headers = parse_headers(&value),
                "count" => count = Some(number(&name, &value)?),
                "ofs" => form.offset = number(&name, &value)?,
                _ => {
                    if let Some(index) = data_index(&name) {
                        data.insert(index, value);
                    }
                }
            }
        }
        let count = usize::try_from(count.unwrap_or(0)).unwrap_or(usize::MAX);
        if count > MAX_MAPS_PER_POST {
            return Err(Error::invalid(
                "WebChannelBody",
                format!("count={count}: a request carries at most {MAX_MAPS_PER_POST} messages"),
            ));
        }
        for index in 0..count {
            let map = data.remove(&index).ok_or_else(|| {
                Error::invalid("WebChannelBody", format!("count={count}, but req{index}___data__ is missing"))
            })?;
            form.maps.push(map);
        }
        Ok(form)
    }
}

/// `Name:Value` lines, parted by CR LF, as the body's `headers` field and the `$httpHeaders` parameter hold them.
pub(super) fn parse_headers(block: &str) -> Vec<(String, String)> {
    block
        .split("\r\n")
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        .collect()
}

/// Decodes `a=b&c=d`.
pub(super) fn pairs(text: &[u8]) -> Result<Vec<(String, String)>> {
    text.split(|byte| *byte == b'&')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let middle = part.iter().position(|byte| *byte == b'=').unwrap_or(part.len());
            let value = part.get(middle + 1..).unwrap_or_default();
            Ok((decode(&part[..middle])?, decode(value)?))
        })
        .collect()
}

/// Undoes percent-encoding, `+` for a space included.
fn decode(text: &[u8]) -> Result<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        rest = tail;
        match first {
            b'+' => bytes.push(b' '),
            b'%' => {
                let [high, low, tail @ ..] = rest else { return Err(bad_escape()) };
                bytes.push(hex(*high)? << 4 | hex(*low)?);
                rest = tail;
            }
            other => bytes.push(*other),
        }
    }
    String::from_utf8(bytes)
        .map_err(|error| Error::invalid("WebChannelBody", "a field is not UTF-8").with_source(error))
}

fn hex(digit: u8) -> Result<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok()).ok_or_else(bad_escape)
}

fn bad_escape() -> Error {
    Error::invalid("WebChannelBody", "a percent sign is not followed by two hexadecimal digits")
}

fn data_index(name: &str) -> Option<usize> {
    name.strip_prefix("req")?.strip_suffix("___data__")?.parse().ok()
}

fn number(name: &str, value: &str) -> Result<u64> {
    value
        .parse()
        .map_err(|_| Error::invalid("WebChannelBody", format!("{name}={value}: a whole number is needed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_an_opening_body() {
        let body = b"headers=X-Goog-Api-Client:gl-js/%20fire/12%0D%0AAuthorization:Bearer%20a.b%0D%0A\
            &count=2&ofs=7&req0___data__=%7B%22a%22%3A1%7D&req1___data__=%7B%7D";
        let form = Form::parse(body).unwrap();
        assert_eq!(form.offset, 7);
        assert_eq!(form.maps, ["{\"a\":1}", "{}"]);
        assert_eq!(
            form.headers,
            [
                ("x-goog-api-client".to_owned(), "gl-js/ fire/12".to_owned()),
                ("authorization".to_owned(), "Bearer a.b".to_owned()),
            ]
        );
    }

    #[test]
    fn an_empty_body_carries_nothing() {
        assert_eq!(Form::parse(b"").unwrap(), Form::default());
        assert_eq!(Form::parse(b"count=0").unwrap(), Form::default());
    }

    #[test]
    fn names_what_is_wrong() {
        let message = |body: &[u8]| Form::parse(body).unwrap_err().message().to_owned();
        assert_eq!(message(b"count=1"), "count=1, but req0___data__ is missing");
        assert_eq!(message(b"count=x"), "count=x: a whole number is needed");
        assert_eq!(message(b"count=9999999"), "count=9999999: a request carries at most 1000 messages");
        assert_eq!(message(b"a=%4"), "a percent sign is not followed by two hexadecimal digits");
        assert_eq!(message(b"a=%ff"), "a field is not UTF-8");
    }

    proptest::proptest! {
        #[test]
        fn never_panics(body: Vec<u8>) {
            let _outcome = Form::parse(&body);
        }

        #[test]
        fn any_text_survives(text: String) {
            use std::fmt::Write as _;
            let encoded = text.bytes().fold(String::new(), |mut all, byte| {
                write!(all, "%{byte:02X}").unwrap();
                all
            });
            let form = Form::parse(format!("count=1&ofs=0&req0___data__={encoded}").as_bytes()).unwrap();
            proptest::prop_assert_eq!(form.maps, vec![text]);
        }
    }
}
