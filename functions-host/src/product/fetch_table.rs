//! `fetchTable({url})`: the bytes of a table on another site, `{data, contentType, url}` with `data` in base64.
//!
//! A browser may not read other sites; this server may, and so must not be made to read what only it can reach.
//! Three walls stand around it: the hosts an operator lists, public addresses alone (checked on the very
//! addresses that are connected to, so that a name that changes its mind gains nothing), and limits on size,
//! time, redirects and how many run at once.

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
use crate::callable::{CallError, Context, Function};
use crate::config::Tables;

/// The longest address taken, in bytes.
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
    /// Where it came from in the end.
    url: String,
}

/// The function over the hosts that `tables` names.
///
/// # Errors
/// A host of the configuration is none, or the system has no TLS.
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
