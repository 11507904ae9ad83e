//! `fetchTable({url})`: downloads a table from another site, `{data, contentType, url}` with `data` in base64.
//!
//! Browsers may not read other sites. This server may, so it must not be tricked into reading hosts that only it can
//! reach. Three defences: a list of hosts set by the operator; public addresses only, checked on the very addresses
//! connected to, so that DNS rebinding gains nothing; and limits on size, time, redirects and concurrency.

mod address;
mod fetcher;
mod hosts;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use docstore::Result;
use serde::{Deserialize, Serialize};

use self::fetcher::Fetcher;
use crate::functions::callable::{CallError, Context, Function};
use crate::host::config::Tables;

/// Longest URL, in bytes.
const MAX_URL_BYTES: usize = 4096;

#[derive(Debug, Deserialize)]
struct Request {
    url: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Reply {
    /// The body, base64.
    data: String,
    content_type: String,
    /// URL after redirects.
    url: String,
}

/// The function, limited to the hosts in `tables`.
///
/// # Errors
/// A configured host is invalid, or the system has no TLS.
pub(super) fn function(tables: &Tables) -> Result<Function> {
    let fetcher = Arc::new(Fetcher::new(tables, fetcher::system_lookup())?);
    Ok(Function::new("fetchTable", move |context: Context, request: Request| {
        let fetcher = Arc::clone(&fetcher);
        async move {
            context.user()?;
            if request.url.len() > MAX_URL_BYTES {
                return Err(CallError::invalid(format!("url must be at most {MAX_URL_BYTES} bytes long.")));
            }
            let fetched = fetcher.fetch(&request.url).await?;
            Ok(Reply {
                data: STANDARD.encode(fetched.body),
                content_type: fetched.content_type,
                url: fetched.url,
            })
        }
    }))
}
