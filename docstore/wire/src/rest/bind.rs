//! From path, query and body to request messages.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use http::HeaderValue;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value};
use serde_json::value::RawValue;

use crate::json;
use crate::schema::{BodyField, Rule};
use crate::status::Place;
use crate::webchannel::query_pairs;
use docstore::error::{Error, Result};

/// Query parameters that every Google API takes and that do not belong to the request message. Tokens are read by
/// [`authorization`]; the others change nothing here.
const STANDARD_PARAMETERS: [&str; 9] = [
    "alt",
    "access_token",
    "callback",
    "fields",
    "key",
    "oauth_token",
    "prettyPrint",
    "quotaUser",
    "uploadType",
];

/// Those of them that say who asks.
const TOKEN_PARAMETERS: [&str; 2] = ["access_token", "oauth_token"];

/// Messages that one body may hold for a client-streaming method.
const MAX_STREAMED_MESSAGES: usize = 1_000;

/// The request messages: one, or, for a method that takes a stream and an array as body, several.
pub(super) fn bind(
    rule: &Rule,
    path: &[(&str, String)],
    query: Option<&str>,
    body: &[u8],
) -> Result<Vec<DynamicMessage>> {
    let input = rule.method.input();
    let mut messages = match &rule.body {
        BodyField::None => vec![from_query(&input, query)?],
        BodyField::Whole if rule.method.is_client_streaming() => stream_of(&input, body)?,
        BodyField::Whole => vec![json::read(input, or_empty(body))?],
        BodyField::Field(name) => {
            let mut message = from_query(&input, query)?;
            let field = input.get_field_by_name(name).ok_or_else(|| unknown_parameter(name))?;
            let Kind::Message(kind) = field.kind() else { return Err(unknown_parameter(name)) };
            message.set_field(&field, Value::Message(json::read(kind, or_empty(body))?));
            vec![message]
        }
    };
    for message in &mut messages {
        for (field, value) in path {
            set_path(message, field, value);
        }
    }
    Ok(messages)
}

/// The `Authorization` that a query brings in place of the header, as it may for every Google API: `access_token`, or
/// `oauth_token` as it was called once.
pub(super) fn authorization(query: Option<&str>) -> Result<Option<HeaderValue>> {
    let pairs = query_pairs(query.unwrap_or_default())?;
    let token = pairs.iter().find(|(name, _)| TOKEN_PARAMETERS.contains(&name.as_str()));
    let header = |(name, token): &(String, String)| {
        let mut value = HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| {
            Error::invalid(
                "QueryParameter",
                format!("The token in '{name}' holds characters that no token has."),
            )
        })?;
        value.set_sensitive(true);
        Ok(value)
    };
    token.map(header).transpose()
}

fn or_empty(body: &[u8]) -> &[u8] {
    if body.is_empty() { b"{}" } else { body }
}

fn stream_of(input: &MessageDescriptor, body: &[u8]) -> Result<Vec<DynamicMessage>> {
    if body.trim_ascii_start().first() != Some(&b'[') {
        return Ok(vec![json::read(input.clone(), or_empty(body))?]);
    }
    let items: Vec<&RawValue> = serde_json::from_slice(body).map_err(|error| json::bad_json(&error))?;
    if items.is_empty() || items.len() > MAX_STREAMED_MESSAGES {
        return Err(Error::invalid(
            "RequestStream",
            format!("The body holds {} requests; 1 to {MAX_STREAMED_MESSAGES} are allowed.", items.len()),
        ));
    }
    items.into_iter().map(|item| json::read(input.clone(), item.get().as_bytes())).collect()
}

fn from_query(input: &MessageDescriptor, query: Option<&str>) -> Result<DynamicMessage> {
    let mut object = serde_json::Map::new();
    for (name, value) in query_pairs(query.unwrap_or_default())? {
        if !name.starts_with('$') && !STANDARD_PARAMETERS.contains(&name.as_str()) {
            insert(&mut object, input, &name, &name, value)?;
        }
    }
    json::read(input.clone(), serde_json::Value::Object(object).to_string().as_bytes())
}

/// Puts one parameter where its dotted name says. Names are taken in both spellings, `fieldPaths` and
/// `field_paths`.
fn insert(
    object: &mut serde_json::Map<String, serde_json::Value>,
    message: &MessageDescriptor,
    full_name: &str,
    name: &str,
    value: String,
) -> Result<()> {
    let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
    let field = message
        .get_field_by_json_name(first)
        .or_else(|| message.get_field_by_name(first))
        .ok_or_else(|| unknown_parameter(full_name))?;
    let key = field.json_name().to_owned();
    match (rest, field.kind()) {
        (Some(rest), Kind::Message(inner)) if !field.is_list() && !field.is_map() => {
            let slot = object.entry(key).or_insert_with(|| serde_json::Value::Object(serde_json::Map::new()));
            let inner_object = slot.as_object_mut().ok_or_else(|| unknown_parameter(full_name))?;
            insert(inner_object, &inner, full_name, rest, value)
        }
        (Some(_), _) => Err(unknown_parameter(full_name)),
        (None, _) => {
            let value = leaf(&field, full_name, value)?;
            if field.is_list() {
                let slot = object.entry(key).or_insert_with(|| serde_json::Value::Array(vec![]));
                slot.as_array_mut().ok_or_else(|| unknown_parameter(full_name))?.push(value);
            } else {
                object.insert(key, value);
            }
            Ok(())
        }
    }
}

fn leaf(field: &FieldDescriptor, name: &str, value: String) -> Result<serde_json::Value> {
    let bad = |what: &str| {
        Error::invalid("QueryParameter", format!("Invalid value at '{name}' ({what}), \"{value}\""))
            .with_source(Place(name.to_owned()))
    };
    Ok(match field.kind() {
        Kind::Bool => match value.as_str() {
            "true" | "1" => true.into(),
            "false" | "0" => false.into(),
            _ => return Err(bad("TYPE_BOOL")),
        },
        Kind::Int32 if value.parse::<i32>().is_err() => return Err(bad("TYPE_INT32")),
        Kind::Int64 if value.parse::<i64>().is_err() => return Err(bad("TYPE_INT64")),
        Kind::Bytes => {
            // A plus sign in a query means a space, so both alphabets of base64 are taken.
            let text = value.replace(' ', "+");
            let bytes = URL_SAFE.decode(&text).or_else(|_| STANDARD.decode(&text));
            STANDARD.encode(bytes.map_err(|_| bad("TYPE_BYTES"))?).into()
        }
        _ => value.into(),
    })
}

fn unknown_parameter(name: &str) -> Error {
    Error::invalid(
        "QueryParameter",
        format!("Invalid JSON payload received. Unknown name \"{name}\": Cannot bind query parameter."),
    )
}

fn set_path(message: &mut DynamicMessage, path: &str, value: &str) {
    match path.split_once('.') {
        None => {
            let _set = message.try_set_field_by_name(path, Value::String(value.to_owned()));
        }
        Some((first, rest)) => {
            if let Some(inner) = message.get_field_by_name_mut(first).and_then(Value::as_message_mut) {
                set_path(inner, rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::schema::Schema;

    static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::load().unwrap());

    fn bound(method: &str, path: &[(&str, &str)], query: &str, body: &str) -> Result<Vec<serde_json::Value>> {
        let rule = SCHEMA.rules.iter().find(|rule| rule.method.name() == method).unwrap();
        let path: Vec<_> = path.iter().map(|(field, value)| (*field, (*value).to_owned())).collect();
        let messages = bind(rule, &path, Some(query), body.as_bytes())?;
        Ok(messages.iter().map(|message| serde_json::to_value(message).unwrap()).collect())
    }

    #[test]
    fn an_update_takes_path_query_and_body() {
        let messages = bound(
            "UpdateDocument",
            &[("document.name", "projects/p/databases/d/documents/c/x")],
            "updateMask.fieldPaths=a&updateMask.field_paths=b.c&currentDocument.exists=true&key=k&%24alt=json",
            r#"{"fields":{"a":{"nullValue":null},"n":{"integerValue":"5"}}}"#,
        );
        insta::assert_json_snapshot!(messages.unwrap());
    }

    #[test]
    fn a_stream_takes_one_request_or_an_array() {
        let one = bound("Listen", &[("database", "d")], "", r#"{"removeTarget":2}"#).unwrap();
        assert_eq!(one, [serde_json::json!({"database": "d", "removeTarget": 2})]);
        let two = bound("Listen", &[("database", "d")], "", r#" [{"removeTarget":2},{"removeTarget":4}]"#);
        assert_eq!(two.unwrap().len(), 2);
        assert!(bound("Listen", &[], "", "[]").is_err());
    }

    #[test]
    fn says_which_parameter_is_wrong() {
        let message = |query: &str| bound("ListDocuments", &[], query, "").unwrap_err().message().to_owned();
        assert_eq!(
            message("nope=1"),
            "Invalid JSON payload received. Unknown name \"nope\": Cannot bind query parameter."
        );
        assert_eq!(message("pageSize=x"), "Invalid value at 'pageSize' (TYPE_INT32), \"x\"");
        assert_eq!(message("showMissing=maybe"), "Invalid value at 'showMissing' (TYPE_BOOL), \"maybe\"");
        assert_eq!(message("transaction=%25"), "Invalid value at 'transaction' (TYPE_BYTES), \"%\"");
    }

    #[test]
    fn unknown_fields_are_refused() {
        let error = bound("Commit", &[], "", r#"{"writess":[]}"#).unwrap_err();
        assert_eq!(
            error.message(),
            "Invalid JSON payload received. Unknown name \"writess\": Cannot find field."
        );
    }

    proptest::proptest! {
        #[test]
        fn never_panics(query: String, body: String) {
            let _outcome = bound("UpdateDocument", &[("document.name", "x")], &query, &body);
            let _outcome = bound("ListDocuments", &[], &query, &body);
        }
    }
}
