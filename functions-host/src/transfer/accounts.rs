//! Import and export of accounts, through their own administrators' API.

use std::path::Path;

use docstore::{Code, Error, Result};
use http::Method;
use serde_json::{Value, json};

use super::local::Local;
use super::{read_json, write_json};

/// Writes the accounts and the project's settings. Returns the number of accounts.
///
/// # Errors
/// The folder cannot be written.
pub(super) async fn export(local: &Local, project: &str, folder: &Path) -> Result<usize> {
    super::create_folder(folder)?;
    let accounts = format!("/identitytoolkit.googleapis.com/v1/projects/{project}/accounts");
    let found = local.json(Method::GET, &format!("{accounts}:batchGet?maxResults=-1"), None).await?;
    let count = found.get("users").and_then(Value::as_array).map_or(0, Vec::len);
    write_json(&folder.join("accounts.json"), &found).await?;
    let config = local.json(Method::GET, &format!("/emulator/v1/projects/{project}/config"), None).await?;
    write_json(&folder.join("config.json"), &config).await?;
    Ok(count)
}

/// Imports them. Returns the number of accounts.
///
/// # Errors
/// A file cannot be read, or accounts are rejected, with the reasons.
pub(super) async fn import(local: &Local, project: &str, folder: &Path) -> Result<usize> {
    if let Some(config) = read_json(&folder.join("config.json")).await? {
        local.json(Method::PATCH, &format!("/emulator/v1/projects/{project}/config"), Some(&config)).await?;
    }
    let path = folder.join("accounts.json");
    let Some(accounts) = read_json(&path).await? else { return Ok(0) };
    let users = accounts.get("users").and_then(Value::as_array).cloned().unwrap_or_default();
    if users.is_empty() {
        return Ok(0);
    }
    let count = users.len();
    let request = json!({ "users": users, "allowOverwrite": true });
    let uri = format!("/identitytoolkit.googleapis.com/v1/projects/{project}/accounts:batchCreate");
    let done = local.json(Method::POST, &uri, Some(&request)).await?;
    let refused = done.get("error").and_then(Value::as_array).filter(|refused| !refused.is_empty());
    if let Some(first) = refused.and_then(|refused| refused.first()) {
        let index = first.get("index").and_then(Value::as_u64).unwrap_or_default();
        let why = first.get("message").and_then(Value::as_str).unwrap_or_default();
        let message = format!("account {index} of {} cannot be imported: {why}", path.display());
        return Err(Error::new(Code::InvalidArgument, "AccountRefused", message));
    }
    Ok(count)
}
