//! Evaluates rules against small in-memory databases: JSON lines in, JSON lines out.
//!
//! In: `{"rules", "data": {"a/b": FIELDS}, "auth": CLAIMS | null, "time"?, "op": OP}`, where `OP` is
//! `{"get": "a/b"}`, `{"list": "a", "group"?: bool, "where"?: [[field, op, VALUE]…], "limit"?, "offset"?,
//! "orderBy"?: [[field, "ASC"]…]}` or `{"commit": [{"set": "a/b", "fields": FIELDS} | {"delete": "a/b"}…]}`.
//! `FIELDS` and `VALUE` are in Firestore's JSON form. Out: `{"verdict": "allow" | "deny" | "invalid", "message"?}`;
//! for a `get` also `"report"`, the coverage report.

use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _};
use std::sync::Arc;

use base64::Engine as _;
use docstore_rules as rules;
use rules::{
    Auth, Comparison, Decision, Documents, Filter, Map, Method, QueryInfo, Request, Ruleset, Scope, Service,
    Timestamp, Value,
};
use serde_json::{Value as Json, json};

type Failure = Box<dyn std::error::Error>;
type Data = BTreeMap<String, Map>;

const DATABASE: &str = "(default)";

fn main() -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let case: Json = serde_json::from_str(&line?)?;
        let answer = answer(&case)?;
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

fn answer(case: &Json) -> Result<Json, Failure> {
    let ruleset = match Ruleset::compile(case["rules"].as_str().unwrap_or("")) {
        Ok(ruleset) => ruleset,
        Err(invalid) => return Ok(json!({"verdict": "invalid", "message": invalid.to_string()})),
    };
    let mut data = Data::new();
    for (path, fields) in case["data"].as_object().into_iter().flatten() {
        data.insert(path.clone(), map(fields)?);
    }
    let op = &case["op"];
    let mut covered = Json::Null;
    let decision = if let Some(path) = op["get"].as_str() {
        let request = request(case, Method::Get, path)?;
        let resource = resource(&data, path);
        let mut documents = Documents::for_single();
        let prepared = ruleset.prepare(&request);
        let decision =
            decide(&mut documents, &data, &data, |documents| prepared.evaluate(&resource, documents));
        let mut coverage = ruleset.coverage();
        prepared.evaluate_covered(&resource, &documents, &mut coverage);
        let report = ruleset.report(&coverage).to_json("firestore.rules", "");
        covered = report["report"].clone();
        decision
    } else if let Some(path) = op["list"].as_str() {
        list(&ruleset, case, path, &data)?
    } else {
        commit(&ruleset, case, &data)?
    };
    Ok(match decision {
        Decision::Allow => json!({"verdict": "allow", "report": covered}),
        Decision::Deny(trace) => json!({
            "verdict": "deny",
            "message": trace.message(),
            "trace": trace.to_string(),
            "report": covered,
        }),
        Decision::Need(key) => json!({"verdict": "deny", "message": format!("still needs {key}")}),
    })
}

fn list(ruleset: &Ruleset, case: &Json, path: &str, data: &Data) -> Result<Decision, Failure> {
    let op = &case["op"];
    let mut request = request(case, Method::List, path)?;
    let order = |entry: &Json| {
        let part = |index: usize| Arc::<str>::from(entry[index].as_str().unwrap_or(""));
        (part(0), part(1))
    };
    request.query = Some(QueryInfo {
        limit: op["limit"].as_i64(),
        offset: op["offset"].as_i64().unwrap_or(0),
        order_by: op["orderBy"].as_array().into_iter().flatten().map(order).collect(),
    });
    let filters = op["where"].as_array().into_iter().flatten().map(|condition| {
        let field = condition[0].as_str().unwrap_or("").split('.').map(Arc::from).collect();
        Ok(Filter::Field { field, comparison: comparison(&condition[1])?, value: value(&condition[2])? })
    });
    let filter = Filter::All(filters.collect::<Result<_, Failure>>()?);
    let scope = if op["group"] == true { Scope::CollectionGroup } else { Scope::Collection };
    let prepared = ruleset.prepare_query(&request, &scope);
    let mut documents = Documents::for_single();
    Ok(decide(&mut documents, data, data, |documents| prepared.prove(&filter, documents)))
}

fn commit(ruleset: &Ruleset, case: &Json, data: &Data) -> Result<Decision, Failure> {
    let writes = case["op"]["commit"].as_array().ok_or("an op is get, list or commit")?;
    let mut after = data.clone();
    for write in writes {
        match (write["set"].as_str(), write["delete"].as_str()) {
            (Some(path), _) => drop(after.insert(path.to_owned(), map(&write["fields"])?)),
            (_, Some(path)) => drop(after.remove(path)),
            _ => return Err("a write is set or delete".into()),
        }
    }
    let mut documents = if writes.len() > 1 { Documents::for_multi() } else { Documents::for_single() };
    for write in writes {
        let path = write["set"].as_str().or(write["delete"].as_str()).unwrap_or("");
        let method = match (write["set"].is_string(), data.contains_key(path)) {
            (true, false) => Method::Create,
            (true, true) => Method::Update,
            (false, _) => Method::Delete,
        };
        let mut request = request(case, method, path)?;
        if method != Method::Delete {
            request.resource = Some(resource(&after, path));
        }
        let prepared = ruleset.prepare(&request);
        let resource = resource(data, path);
        let decision =
            decide(&mut documents, data, &after, |documents| prepared.evaluate(&resource, documents));
        if !matches!(decision, Decision::Allow) {
            return Ok(decision);
        }
    }
    Ok(Decision::Allow)
}

/// Asks until nothing is needed any more.
fn decide(
    documents: &mut Documents,
    data: &Data,
    after: &Data,
    ask: impl Fn(&Documents) -> Decision,
) -> Decision {
    loop {
        match ask(documents) {
            Decision::Need(key) => {
                let found = if key.after { after } else { data }.get(&key.path.join("/"));
                documents.insert(key, found.cloned());
            }
            decided => return decided,
        }
    }
}

fn full_path(path: &str) -> Vec<Arc<str>> {
    ["databases", DATABASE, "documents"].into_iter().chain(path.split('/')).map(Arc::from).collect()
}

fn resource(data: &Data, path: &str) -> Value {
    data.get(path).map_or(Value::Null, |fields| rules::document_resource(&full_path(path), fields.clone()))
}

fn request(case: &Json, method: Method, path: &str) -> Result<Request, Failure> {
    let micros = case["time"].as_i64().unwrap_or(1_700_000_000_000_000);
    let time = Timestamp::from_micros(micros).ok_or("time is out of range")?;
    let mut request = Request::new(Service::Firestore, method, full_path(path), time);
    if let Some(claims) = case["auth"].as_object() {
        let uid = claims.get("sub").and_then(Json::as_str).unwrap_or("").into();
        let token = claims.iter().map(|(key, claim)| (key.as_str(), plain(claim))).collect();
        request.auth = Some(Auth { uid, token });
    }
    Ok(request)
}

/// A claim: plain JSON.
fn plain(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => {
            number.as_i64().map_or_else(|| Value::Float(number.as_f64().unwrap_or(f64::NAN)), Value::Int)
        }
        Json::String(text) => Value::string(text.as_str()),
        Json::Array(items) => Value::list(items.iter().map(plain)),
        Json::Object(entries) => Value::map(entries.iter().map(|(key, value)| (key.as_str(), plain(value)))),
    }
}

fn map(fields: &Json) -> Result<Map, Failure> {
    fields.as_object().into_iter().flatten().map(|(key, field)| Ok((key.as_str(), value(field)?))).collect()
}

/// A field in Firestore's JSON form.
fn value(json: &Json) -> Result<Value, Failure> {
    let (kind, inner) = json.as_object().and_then(|o| o.iter().next()).ok_or("a value has one key")?;
    Ok(match kind.as_str() {
        "nullValue" => Value::Null,
        "booleanValue" => Value::Bool(inner.as_bool().ok_or("not a boolean")?),
        "integerValue" => Value::Int(match inner.as_str() {
            Some(text) => text.parse()?,
            None => inner.as_i64().ok_or("not an integer")?,
        }),
        "doubleValue" => Value::Float(inner.as_f64().ok_or("not a number")?),
        "stringValue" => Value::string(inner.as_str().ok_or("not a string")?),
        "bytesValue" => {
            let bytes =
                base64::engine::general_purpose::STANDARD.decode(inner.as_str().ok_or("not bytes")?)?;
            Value::Bytes(bytes.into())
        }
        "timestampValue" => {
            let text = inner.as_str().ok_or("not a timestamp")?;
            Value::Timestamp(Timestamp::parse(text).ok_or("not a timestamp")?)
        }
        "geoPointValue" => Value::LatLng(rules::LatLng {
            latitude: inner["latitude"].as_f64().unwrap_or(0.0),
            longitude: inner["longitude"].as_f64().unwrap_or(0.0),
        }),
        "referenceValue" => {
            let name = inner.as_str().ok_or("not a reference")?;
            Value::Path(rules::Path::from_segments(name.split('/').skip(2)))
        }
        "arrayValue" => {
            let items = inner["values"].as_array().into_iter().flatten().map(value);
            Value::list(items.collect::<Result<Vec<_>, _>>()?)
        }
        "mapValue" => Value::Map(map(&inner["fields"])?),
        other => return Err(format!("unknown kind of value {other}").into()),
    })
}

fn comparison(op: &Json) -> Result<Comparison, Failure> {
    Ok(match op.as_str().unwrap_or("") {
        "EQUAL" => Comparison::Equal,
        "NOT_EQUAL" => Comparison::NotEqual,
        "LESS_THAN" => Comparison::Less,
        "LESS_THAN_OR_EQUAL" => Comparison::LessOrEqual,
        "GREATER_THAN" => Comparison::Greater,
        "GREATER_THAN_OR_EQUAL" => Comparison::GreaterOrEqual,
        "ARRAY_CONTAINS" => Comparison::Contains,
        "ARRAY_CONTAINS_ANY" => Comparison::ContainsAny,
        "IN" => Comparison::In,
        "NOT_IN" => Comparison::NotIn,
        other => return Err(format!("unknown comparison {other}").into()),
    })
}
