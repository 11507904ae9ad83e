//! Buckets of the Cloud Storage API.

use axum::body::Body;
use docstore::access::Mode;
use docstore::model::Ts;
use docstore::{Code, Error, Result};
use http::{Method, Response, StatusCode};
use serde_json::{Map, Value, json};

use super::unoffered;
use crate::body::small;
use crate::catalog::{BucketRecord, Describe};
use crate::firebase::MAX_JSON_BYTES;
use crate::http::incoming::Incoming;
use crate::http::reply::{json, plain};
use crate::meta::storage_class;
use crate::names::BucketName;
use crate::state::StorageState;

/// Fields of a bucket set by the server: clients cannot set them.
const OWN: [&str; 9] =
    ["kind", "id", "name", "selfLink", "projectNumber", "metageneration", "timeCreated", "updated", "etag"];

/// Answers `/b`: lists buckets, and makes one.
pub(super) async fn all(state: &StorageState, request: &Incoming, body: Body) -> Result<Response<Body>> {
    let catalog = &state.files.catalog;
    match request.method {
        Method::GET => {
            let prefix = request.query("prefix").unwrap_or_default();
            let buckets = catalog.buckets().await?;
            let items: Vec<_> = buckets
                .iter()
                .filter(|(name, _)| name.starts_with(prefix))
                .map(|(name, record)| resource(name, Some(record), &request.origin))
                .collect();
            Ok(json(StatusCode::OK, &json!({ "kind": "storage#buckets", "items": items })))
        }
        Method::POST => {
            let origin = request.origin.clone();
            let given = members(body).await?;
            let name = given.get("name").and_then(Value::as_str).unwrap_or_default();
            let name = BucketName::parse(name)?;
            if state.files.mode == Mode::Serving {
                return Err(fixed());
            }
            let record = catalog.put_bucket(&name, &settable(request, given)?, Describe::New).await?;
            Ok(json(StatusCode::OK, &resource(name.as_str(), Some(&record), &origin)))
        }
        _ => Ok(plain(StatusCode::METHOD_NOT_ALLOWED)),
    }
}

/// Answers `/b/{bucket}`. A bucket exists as soon as it is named, as in the official suite; a deleted one does not.
pub(super) async fn one(
    state: &StorageState,
    request: &Incoming,
    body: Body,
    name: &BucketName,
) -> Result<Response<Body>> {
    let catalog = &state.files.catalog;
    let record = catalog.bucket(name).await?;
    if record.as_ref().is_some_and(|record| !record.is_there()) {
        return Err(Error::new(Code::NotFound, "BucketMissing", "The specified bucket does not exist."));
    }
    check_metageneration(request, record.as_ref())?;
    match request.method {
        Method::GET | Method::HEAD => {
            Ok(json(StatusCode::OK, &resource(name.as_str(), record.as_ref(), &request.origin)))
        }
        Method::PATCH | Method::PUT => {
            let origin = request.origin.clone();
            let how = if request.method == Method::PUT { Describe::Replace } else { Describe::Patch };
            let given = settable(request, members(body).await?)?;
            let record = catalog.put_bucket(name, &given, how).await?;
            Ok(json(StatusCode::OK, &resource(name.as_str(), Some(&record), &origin)))
        }
        Method::DELETE if state.files.mode == Mode::Serving => Err(fixed()),
        Method::DELETE => {
            catalog.delete_bucket(name).await?;
            Ok(plain(StatusCode::NO_CONTENT))
        }
        _ => Ok(plain(StatusCode::METHOD_NOT_ALLOWED)),
    }
}

fn fixed() -> Error {
    let message =
        "A project in serving mode has its own two buckets, which can be neither added to nor deleted.";
    Error::new(Code::Unimplemented, "BucketsFixed", message)
}

fn check_metageneration(request: &Incoming, record: Option<&BucketRecord>) -> Result<()> {
    let is = record.map_or(1, |record| record.metageneration.max(1));
    if request.number("ifMetagenerationMatch")?.is_some_and(|wanted| wanted != is) {
        let message = "At least one of the pre-conditions you specified did not hold.";
        return Err(Error::new(Code::FailedPrecondition, "ConditionNotMet", message));
    }
    Ok(())
}

async fn members(body: Body) -> Result<Map<String, Value>> {
    serde_json::from_slice(&small(body, MAX_JSON_BYTES).await?).map_err(|source| {
        Error::invalid("BucketJson", format!("The bucket's metadata is not a JSON object: {source}."))
    })
}

fn settable(request: &Incoming, mut given: Map<String, Value>) -> Result<Map<String, Value>> {
    given.retain(|name, _| !OWN.contains(&name.as_str()));
    if let Some(error) = unoffered::bucket_settings(request, &given) {
        return Err(error);
    }
    if let Some(class) = given.get("storageClass").filter(|class| !class.is_null()) {
        storage_class::check(class.as_str().unwrap_or_default())?;
    }
    Ok(given)
}

fn resource(name: &str, record: Option<&BucketRecord>, origin: &str) -> Value {
    let metageneration = record.map_or(1, |record| record.metageneration.max(1));
    let mut out = Map::from_iter([
        ("location".to_owned(), "US".into()),
        ("locationType".to_owned(), "multi-region".into()),
        ("storageClass".to_owned(), storage_class::DEFAULT.into()),
    ]);
    out.extend(record.map(BucketRecord::description).unwrap_or_default());
    let own = json!({
        "kind": "storage#bucket",
        "id": name,
        "name": name,
        "selfLink": format!("{origin}/storage/v1/b/{name}"),
        "projectNumber": "0",
        "metageneration": metageneration.to_string(),
        "etag": "CAE=",
    });
    if let Value::Object(own) = own {
        out.extend(own);
    }
    if let Some(record) = record.filter(|record| record.created > 0) {
        let time = |micros: u64| Value::from(Ts::from_micros(micros).rfc3339_millis());
        out.insert("timeCreated".to_owned(), time(record.created));
        out.insert("updated".to_owned(), time(record.updated.max(record.created)));
    }
    Value::Object(out)
}
