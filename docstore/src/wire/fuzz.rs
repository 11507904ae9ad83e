//! What outsiders' bytes meet first, as functions of bytes: the targets of `fuzz/` and of the bounded run in the tests.

use std::sync::LazyLock;

use super::convert::query::{to_aggregations, to_query};
use super::convert::write::{check_repeats, to_writes};
use super::convert::{database, document_name, parent};
use super::pb::v1;
use super::schema::Schema;
use super::webchannel::{self, Form};
use super::{json, rest, service};
use crate::error::{Error, Result};
use crate::query::Normal;

/// A target. It answers what is wrong with what became of the bytes; refusing them is right.
pub type Target = fn(&[u8]) -> Result<(), String>;

/// The targets, by the name of their corpus.
pub const TARGETS: [(&str, Target); 5] = [
    ("protobuf", protobuf),
    ("json", json),
    ("webchannel", webchannel),
    ("rest_path", rest_path),
    ("rules", rules),
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
    let _refused = match method % 5 {
        0 => commit(message),
        1 => run_query(message),
        2 => aggregate(message),
        3 => listen(message),
        _ => get(message),
    };
    Ok(())
}

fn decoded<M: prost::Message + Default>(bytes: &[u8]) -> Result<M> {
    M::decode(bytes).map_err(|error| Error::invalid("Protobuf", error.to_string()))
}

fn commit(bytes: &[u8]) -> Result<()> {
    let request: v1::CommitRequest = decoded(bytes)?;
    let writes = to_writes(&database(&request.database)?, request.writes)?;
    check_repeats(&writes)
}

fn run_query(bytes: &[u8]) -> Result<()> {
    let request: v1::RunQueryRequest = decoded(bytes)?;
    let (id, parent) = parent(&request.parent)?;
    if let Some(v1::run_query_request::QueryType::StructuredQuery(query)) = request.query_type {
        Normal::new(&to_query(&id, parent, query)?)?;
    }
    Ok(())
}

fn aggregate(bytes: &[u8]) -> Result<()> {
    match webchannel::replay(&form) {
        Ok(read) if read != form.maps => return Err("a session changed the messages".to_owned()),
        Ok(_) | Err(_) => {}
    }
    let request: v1::StructuredAggregationQuery = decoded(bytes)?;
    if let Some(v1::structured_aggregation_query::QueryType::StructuredQuery(query)) = request.query_type {
        to_aggregations(&request.aggregations, &query)?;
    }
    Ok(())
}

fn listen(bytes: &[u8]) -> Result<()> {
    let request: v1::ListenRequest = decoded(bytes)?;
    let id = database(&request.database)?;
    if let Some(v1::listen_request::TargetChange::AddTarget(target)) = request.target_change
        && let Some(v1::target::TargetType::Query(query)) = target.target_type
        && let Some(v1::target::query_target::QueryType::StructuredQuery(structured)) = query.query_type
    {
        Normal::new(&to_query(&id, parent(&query.parent)?.1, structured)?)?;
    }
    Ok(())
}

fn get(bytes: &[u8]) -> Result<()> {
    let request: v1::GetDocumentRequest = decoded(bytes)?;
    document_name(&request.name).map(drop)
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
