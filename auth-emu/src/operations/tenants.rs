//! `projects.tenants`: parts of a project with accounts and settings of their own.

use docstore::model::{Precondition, Write};
use serde_json::{Value, json};

use crate::accounts::{Outcome, contended, delete as delete_document, document_id, record_of, set};
use crate::call::Call;
use crate::config::{Allowed, Further, Tenant, apply_mask};
use crate::entropy;
use crate::error::{ApiError, Result, require};

/// The length of a generated tenant id.
const TENANT_ID_LENGTH: usize = 28;
/// Largest page size of a listing.
const MAX_PAGE: i64 = 1_000;
/// Page size if the request names none.
const DEFAULT_PAGE: i64 = 20;

/// `POST …/tenants`
pub(crate) async fn create(call: Call, request: Value) -> Result<Value> {
    let id = entropy::alphanumeric(&*call.state.0.entropy, TENANT_ID_LENGTH);
    let tenant = Tenant {
        name: format!("projects/{}/tenants/{id}", call.project),
        tenant_id: id,
        display_name: request.get("displayName").and_then(Value::as_str).map(ToOwned::to_owned),
        allowed: serde_json::from_value::<Allowed>(request.clone()).map_err(ApiError::payload)?,
        further: serde_json::from_value::<Further>(request).map_err(ApiError::payload)?,
    };
    store(&call, &tenant, Precondition::Exists(false)).await
}

/// `GET …/tenants/{tenant}`
pub(crate) async fn get(call: Call, _request: Value) -> Result<Value> {
    shown(&load(&call).await?)
}

/// `PATCH …/tenants/{tenant}`
pub(crate) async fn update(call: Call, request: Value) -> Result<Value> {
    let before = load(&call).await?;
    let mask = call.query.get("updateMask").cloned().unwrap_or_default();
    let mut target = json!({});
    if mask.is_empty() {
        target = request;
    } else {
        target = crate::operations::with_members(target, shown(&before)?);
        apply_mask(&mask, &mut target, &request);
    }
    let display_name = target.get("displayName").and_then(Value::as_str).map(ToOwned::to_owned);
    let allowed = serde_json::from_value::<Allowed>(target.clone()).map_err(ApiError::payload)?;
    let further = serde_json::from_value::<Further>(target).map_err(ApiError::payload)?;
    let tenant = Tenant { name: before.name, tenant_id: before.tenant_id, display_name, allowed, further };
    store(&call, &tenant, Precondition::None).await
}

/// `DELETE …/tenants/{tenant}`: the tenant with its accounts.
pub(crate) async fn delete(call: Call, _request: Value) -> Result<Value> {
    let tenant = load(&call).await?;
    call.directory.remove_all().await?;
    let root = call.state.directory(&call.project, None);
    root.commit(vec![delete_document(root.path("tenants", &tenant.tenant_id)?)]).await?;
    Ok(json!({}))
}

/// `GET …/tenants`
pub(crate) async fn list(call: Call, _request: Value) -> Result<Value> {
    let asked = call.query.get("pageSize").and_then(|text| text.parse::<i64>().ok()).unwrap_or_default();
    let size = if asked == 0 { DEFAULT_PAGE } else { asked.min(MAX_PAGE) };
    let limit = u32::try_from(size).unwrap_or(u32::MAX);
    let collection = call.directory.collection("tenants")?;
    let token = call.query.get("pageToken").filter(|token| !token.is_empty());
    let after = token.map(|token| collection.doc(&document_id(token))).transpose()?;
    let documents = call.directory.documents(&collection, after, limit).await?;
    let tenants = documents.iter().map(|document| record_of::<Tenant>(&document.fields));
    let tenants = tenants.collect::<Result<Vec<_>>>()?;
    let full = u32::try_from(tenants.len()).is_ok_and(|count| count == limit);
    let mut reply = json!({ "tenants": tenants });
    if let Some(last) = tenants.last().filter(|_| full) {
        reply["nextPageToken"] = json!(last.tenant_id);
    }
    Ok(reply)
}

async fn load(call: &Call) -> Result<Tenant> {
    let root = call.state.directory(&call.project, None);
    let id = require(call.tenant.as_deref(), "MISSING_TENANT_ID")?;
    let found = root.record(&root.path("tenants", id)?).await?;
    found.map(|(tenant, _)| tenant).ok_or_else(|| ApiError::bad("TENANT_NOT_FOUND"))
}

async fn store(call: &Call, tenant: &Tenant, precondition: Precondition) -> Result<Value> {
    let root = call.state.directory(&call.project, None);
    let write = Write { path: root.path("tenants", &tenant.tenant_id)?, op: set(tenant)?, precondition };
    match root.commit(vec![write]).await? {
        Outcome::Done => shown(tenant),
        Outcome::Conflict => Err(contended()),
    }
}

fn shown(tenant: &Tenant) -> Result<Value> {
    serde_json::to_value(tenant).map_err(ApiError::internal)
}
