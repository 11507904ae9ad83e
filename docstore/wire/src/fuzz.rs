//! Parsers of outsiders' bytes and of the log, as functions of bytes: the targets of `fuzz/` and of the bounded run in
//! the tests.

use std::sync::LazyLock;

use super::schema::Schema;
use super::webchannel::{self, Form};
use super::{json, rest, service};
use docstore::error::{Error, Result};

/// A target. It answers what is wrong with what became of the bytes; refusing them is right.
pub type Target = fn(&[u8]) -> Result<(), String>;

/// The targets, by the name of their corpus.
pub const TARGETS: [(&str, Target); 7] = [
    ("protobuf", protobuf),
    ("json", json),
    ("webchannel", webchannel),
    ("rest_path", rest_path),
    ("rules", rules),
    ("log_record", docstore::engine::fuzz::log_record),
    ("log_segment", docstore::engine::fuzz::log_segment),
];

static SCHEMA: LazyLock<Result<Schema>> = LazyLock::new(Schema::load);

fn schema() -> Result<&'static Schema, String> {
    SCHEMA.as_ref().map_err(Error::to_string)
}

/// A gRPC message: the first byte says of which method, the rest is the message.
///
/// # Errors
/// Says what is wrong.
pub fn protobuf(data: &[u8]) -> Result<(), String> {
    let Some((method, message)) = data.split_first() else { return Ok(()) };
    let _refused = service::fuzz::decode(*method, message);
    Ok(())
}

/// A REST body: the first byte says of which method, the rest is JSON. What was read and written again must read
/// as the same.
///
/// # Errors
/// Says what is wrong.
pub fn json(data: &[u8]) -> Result<(), String> {
    let Some((rule, body)) = data.split_first() else { return Ok(()) };
    let rules = &schema()?.rules;
    let Some(rule) = rules.get(usize::from(*rule) % rules.len().max(1)) else { return Ok(()) };
    let input = rule.method.input();
    let Ok(message) = json::read(input.clone(), body) else { return Ok(()) };
    let written = |bytes: &[u8]| -> Result<serde_json::Value, String> {
        let text = json::write(input.clone(), bytes).map_err(|error| error.to_string())?;
        serde_json::from_slice(&text).map_err(|error| error.to_string())
    };
    let first = written(&json::encode(&message))?;
    let again = json::read(input.clone(), first.to_string().as_bytes()).map_err(|error| error.to_string())?;
    let second = written(&json::encode(&again))?;
    if first == second { Ok(()) } else { Err(format!("{first} became {second}")) }
}

/// The body, or the query, of a WebChannel request.
///
/// # Errors
/// Says what is wrong.
pub fn webchannel(data: &[u8]) -> Result<(), String> {
    let Ok(form) = Form::parse(data) else { return Ok(()) };
    let open = form.maps.iter().map(String::len).sum::<usize>();
    if open > data.len() {
        return Err(format!("{} bytes brought {open} bytes of messages", data.len()));
    }
    match webchannel::replay(&form) {
        Ok(read) if read != form.maps => return Err("a session changed the messages".to_owned()),
        Ok(_) | Err(_) => {}
    }
    for method in schema()?.streams() {
        for map in &form.maps {
            let _refused = json::read(method.input(), map.as_bytes());
        }
    }
    Ok(())
}

/// A REST request: `VERB path?query`, then a line break and the body.
///
/// # Errors
/// Says what is wrong.
pub fn rest_path(data: &[u8]) -> Result<(), String> {
    let (line, body) = match data.iter().position(|byte| *byte == b'\n') {
        Some(at) => (&data[..at], data.get(at + 1..).unwrap_or_default()),
        None => (data, [].as_slice()),
    };
    let Ok(line) = std::str::from_utf8(line) else { return Ok(()) };
    let Some((verb, target)) = line.split_once(' ') else { return Ok(()) };
    let Ok(verb) = verb.parse() else { return Ok(()) };
    let (path, query) = target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)));
    let _refused = rest::requests(&schema()?.rules, &verb, path, query, body);
    Ok(())
}

/// A file of security rules.
///
/// # Errors
/// Says what is wrong.
pub fn rules(data: &[u8]) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(data) else { return Ok(()) };
    match rules::Ruleset::compile(text) {
        Ok(compiled) if compiled.text() != text => Err("the text of the rules changed".to_owned()),
        Ok(_) | Err(_) => Ok(()),
    }
}
