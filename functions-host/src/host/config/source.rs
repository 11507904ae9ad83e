//! Parsing of configuration files, with errors that name the file, the line and the key.

use std::path::Path;

use docstore::{Error, Result};
use serde_json::Value;

use super::FirebaseJson;

/// Sections whose value may be the path of a JSON file with the section.
const IMPORTABLE: [&str; 5] = ["hosting", "firestore", "storage", "functions", "emulators"];

/// Parses the text of a configuration file. `//` and `/* */` comments are allowed. A fault in one of the keys `left_out`,
/// such as `hosting` or `emulators.auth`, is no error; all of these keys are then ignored. Of a duplicate key the last
/// value counts, as in JavaScript.
pub(super) fn parse(file: &Path, text: &str, left_out: &[String]) -> Result<FirebaseJson> {
    let json = blank_comments(text);
    if let Some(whole) = with_imports(file, &json, left_out)? {
        return from_value(file, whole);
    }
    let mut reader = serde_json::Deserializer::from_str(&json);
    let error = match serde_path_to_error::deserialize(&mut reader) {
        Ok(parsed) => {
            reader.end().map_err(|error| wrong(file, None, &error))?;
            return Ok(parsed);
        }
        Err(error) => error,
    };
    let key = error.path().to_string();
    let first = wrong(file, Some(key.as_str()), error.inner());
    let twice = error.inner().to_string().starts_with("duplicate field");
    if !twice && !left_out.iter().any(|left_out| is_below(&key, left_out)) {
        return Err(first);
    }
    let Ok(mut value) = serde_json::from_str::<Value>(&json) else { return Err(first) };
    if twice {
        tracing::warn!("{}; the last one counts", first.message());
    }
    for key in left_out {
        remove(&mut value, key);
    }
    from_value(file, value)
}

fn from_value(file: &Path, value: Value) -> Result<FirebaseJson> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let text = format!("{}: {}: {}", file.display(), error.path(), error.inner());
        Error::invalid("ConfigInvalid", text)
    })
}

/// The configuration with the sections that are in files of their own, such as `"hosting": "hosting.json"`, and without
/// the keys `left_out`; `None` if there are no such sections.
fn with_imports(file: &Path, json: &str, left_out: &[String]) -> Result<Option<Value>> {
    let Ok(mut whole) = serde_json::from_str::<Value>(json) else { return Ok(None) };
    left_out.iter().for_each(|key| remove(&mut whole, key));
    let mut found = false;
    for name in IMPORTABLE {
        let Some(section) = whole.get_mut(name) else { continue };
        let Some(path) = section.as_str().filter(|path| path.ends_with(".json")) else { continue };
        let path = file.parent().unwrap_or(Path::new("")).join(path);
        let text = super::read(&path).map_err(|_| {
            let (file, path) = (file.display(), path.display());
            let what = format!("{file}: {name}: cannot read {path}; create it, or write the section here");
            Error::invalid("ConfigInvalid", what)
        })?;
        let mut value: Value =
            serde_json::from_str(&blank_comments(&text)).map_err(|error| wrong(&path, Some(name), &error))?;
        // The file may repeat the section's name.
        if let Some(inner) =
            value.as_object_mut().filter(|all| all.len() == 1).and_then(|all| all.remove(name))
        {
            value = inner;
        }
        *section = value;
        found = true;
    }
    Ok(found.then_some(whole))
}

/// True if `path`, such as `hosting[0].rewrites`, is `key` or something in it.
fn is_below(path: &str, key: &str) -> bool {
    path.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

fn remove(value: &mut Value, key: &str) {
    let (parent, name) = match key.split_once('.') {
        Some((section, name)) => (value.get_mut(section), name),
        None => (Some(value), key),
    };
    if let Some(object) = parent.and_then(Value::as_object_mut) {
        object.remove(name);
    }
}

fn wrong(file: &Path, key: Option<&str>, error: &serde_json::Error) -> Error {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let what = text.strip_suffix(position.as_str()).unwrap_or(&text);
    // An unfinished key is shown as a question mark.
    let key = match key.map(|key| key.trim_end_matches('?').trim_end_matches('.')) {
        Some(key) if !key.is_empty() => format!("{key}: "),
        Some(_) | None => String::new(),
    };
    Error::invalid("ConfigInvalid", format!("{}:{}: {key}{what}", file.display(), error.line()))
}

/// Replaces comments outside strings by spaces, so that lines and columns are unchanged, and removes a byte order mark.
pub(crate) fn blank_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text).chars().peekable();
    let mut in_string = false;
    while let Some(c) = rest.next() {
        match c {
            '\\' if in_string => {
                out.push(c);
                out.extend(rest.next());
            }
            '"' => {
                in_string = !in_string;
                out.push(c);
            }
            '/' if !in_string && rest.peek() == Some(&'/') => {
                out.push(' ');
                while let Some(c) = rest.next_if(|c| *c != '\n') {
                    out.extend(std::iter::repeat_n(' ', c.len_utf8()));
                }
            }
            '/' if !in_string && rest.peek() == Some(&'*') => {
                out.push_str("  ");
                rest.next();
                let mut last = ' ';
                for c in rest.by_ref() {
                    out.push(if c == '\n' { '\n' } else { ' ' });
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::blank_comments;

    #[test]
    fn comments_outside_strings_go() {
        let text = "{ // one\n \"a//b\": \"/* kept */ \\\" // kept\", /* two\n lines */ \"c\": 1 }";
        let value: serde_json::Value = serde_json::from_str(&blank_comments(text)).unwrap();
        assert_eq!(value, serde_json::json!({"a//b": "/* kept */ \" // kept", "c": 1}));
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        assert_eq!(blank_comments("\u{feff}{}"), "{}");
    }

    proptest! {
        #[test]
        fn lines_stay_where_they_were(text in "[ \\n\"/*a\\\\é]{0,40}") {
            prop_assert_eq!(blank_comments(&text).lines().count(), text.lines().count());
        }
    }
}
