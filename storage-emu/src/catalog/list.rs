//! Listing objects by prefix, with folders by delimiter, page by page.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::{Error, Result};

use super::{Catalog, Object};
use crate::meta::from_fields;
use crate::names::{BucketName, OBJECTS, after_prefix, encode_id};

/// The most results of one page.
pub const MAX_LIST_RESULTS: u32 = 1_000;
/// How many documents one step of a listing reads.
const SCAN_STEP: u32 = 256;

/// What to list.
#[derive(Debug, Clone, Default)]
pub struct ListRequest {
    /// Only names that start so.
    pub prefix: String,
    /// Names that have this after the prefix are rolled up into one prefix; empty for none.
    pub delimiter: String,
    /// Where the last page ended.
    pub page_token: Option<String>,
    /// Up to how many results, objects and prefixes together.
    pub max_results: Option<u32>,
}

/// One page of a listing, in order of names.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Objects.
    pub items: Vec<Object>,
    /// Rolled up names.
    pub prefixes: Vec<String>,
    /// For the next page, when there is one.
    pub next_page_token: Option<String>,
}

impl Catalog {
    /// One page of a bucket's objects. Reads grow with the results, not with what lies under a prefix.
    ///
    /// # Errors
    /// `InvalidArgument` (`PageToken`).
    pub(crate) async fn list(&self, bucket: &BucketName, request: &ListRequest) -> Result<Listing> {
        let parent = bucket.document()?;
        let limit = request.max_results.unwrap_or(MAX_LIST_RESULTS).clamp(1, MAX_LIST_RESULTS) as usize;
        let mut start = Some(match &request.page_token {
            Some(token) => decode_token(token)?,
            None => encode_id(&request.prefix),
        });
        let mut listing = Listing::default();
        while let Some(from) = start.take() {
            let wanted = SCAN_STEP.min(u32::try_from(limit + 1).unwrap_or(SCAN_STEP));
            let found = self.records.scan(Some(parent.clone()), OBJECTS, Some(from.clone()), wanted).await?;
            let full = found.len() == wanted as usize;
            let mut skip_to = from;
            for (id, record) in found {
                if id < skip_to {
                    continue;
                }
                let object: Object = from_fields(&record.fields)?;
                let Some(rest) = object.meta.name.strip_prefix(&request.prefix) else { return Ok(listing) };
                if listing.items.len() + listing.prefixes.len() == limit {
                    listing.next_page_token = Some(URL_SAFE_NO_PAD.encode(&id));
                    return Ok(listing);
                }
                let rolled = match request.delimiter.as_str() {
                    "" => None,
                    delimiter => rest.find(delimiter).map(|at| request.prefix.len() + at + delimiter.len()),
                };
                match rolled.and_then(|end| object.meta.name.get(..end)) {
                    Some(prefix) => {
                        let next = after_prefix(prefix);
                        listing.prefixes.push(prefix.to_owned());
                        match next {
                            Some(next) => skip_to = next,
                            None => return Ok(listing),
                        }
                    }
                    None => {
                        skip_to = format!("{id}\u{1}");
                        listing.items.push(object);
                    }
                }
            }
            if full {
                start = Some(skip_to);
            }
        }
        Ok(listing)
    }
}

fn decode_token(token: &str) -> Result<String> {
    let bad = || Error::invalid("PageToken", "The page token is not one that a listing answered.");
    let id = URL_SAFE_NO_PAD.decode(token).map_err(|_| bad())?;
    let id = String::from_utf8(id).map_err(|_| bad())?;
    if id.starts_with('=') && !id.contains('/') && id.len() <= crate::names::MAX_OBJECT_ID_BYTES {
        Ok(id)
    } else {
        Err(bad())
    }
}
