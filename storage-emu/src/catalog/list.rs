//! Listing objects by prefix, with folders by delimiter, page by page.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::{Error, Result};

use super::{Catalog, ContextFilter, Glob, Object};
use crate::meta::from_fields;
use crate::names::{BucketName, OBJECTS, after_prefix, encode_id};

/// The most results of one page.
pub const MAX_LIST_RESULTS: u32 = 1_000;
/// Documents read per step of a listing.
const SCAN_STEP: u32 = 256;
/// Objects examined per page when matching a pattern or a filter; the next page continues there.
const MAX_LOOKED_AT: usize = 20_000;

/// Listing request.
#[derive(Debug, Clone, Default)]
pub struct ListRequest {
    /// Only names that start so.
    pub prefix: String,
    /// Names that have this after the prefix are rolled up into one prefix; empty for none.
    pub delimiter: String,
    /// True to list an object whose name is one of the prefixes, too.
    pub with_folders: bool,
    /// Only names from this one on; empty for all.
    pub start_offset: String,
    /// Only names before this one; empty for all.
    pub end_offset: String,
    /// Only objects that match, and prefixes that do.
    pub glob: Option<Glob>,
    /// Only objects that it is true for.
    pub filter: Option<ContextFilter>,
    /// Token of the previous page.
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
    /// One page of a bucket's objects. Reads grow with the results, not with the number of names under a prefix; with a
    /// pattern or a filter, they grow with the names that share its literal start.
    ///
    /// # Errors
    /// `InvalidArgument` (`PageToken`).
    pub(crate) async fn list(&self, bucket: &BucketName, request: &ListRequest) -> Result<Listing> {
        let parent = bucket.document()?;
        let limit = request.max_results.unwrap_or(MAX_LIST_RESULTS).clamp(1, MAX_LIST_RESULTS) as usize;
        let mut start = Some(request.first_id()?);
        let mut page = PageOf { request, limit, looked_at: 0, listing: Listing::default() };
        while let Some(from) = start.take() {
            let wanted = match (&request.glob, &request.filter) {
                (None, None) => SCAN_STEP.min(u32::try_from(limit + 1).unwrap_or(SCAN_STEP)),
                _ => SCAN_STEP,
            };
            let found = self.records.scan(Some(parent.clone()), OBJECTS, Some(from.clone()), wanted).await?;
            let full = found.len() == wanted as usize;
            let mut skip_to = from;
            for (id, record) in found {
                if id < skip_to {
                    continue;
                }
                let Some(next) = page.take(&id, from_fields(&record.fields)?) else {
                    return Ok(page.listing);
                };
                skip_to = next;
            }
            if full {
                start = Some(skip_to);
            }
        }
        Ok(page.listing)
    }
}

impl ListRequest {
    /// The id that the listing starts with.
    fn first_id(&self) -> Result<String> {
        let literal = self.glob.as_ref().map_or("", Glob::literal);
        let names = [self.prefix.as_str(), self.start_offset.as_str(), literal];
        let first = names.into_iter().map(encode_id).max().unwrap_or_default();
        let token = self.page_token.as_deref().map(decode_token).transpose()?;
        Ok(token.unwrap_or_default().max(first))
    }

    /// True if neither this name nor any later one is requested.
    fn is_over(&self, name: &str) -> bool {
        let past = |start: &str| !name.starts_with(start) && name > start;
        past(&self.prefix)
            || self.glob.as_ref().is_some_and(|glob| past(glob.literal()))
            || (!self.end_offset.is_empty() && name >= self.end_offset.as_str())
    }
}

/// One page as it comes together.
struct PageOf<'r> {
    request: &'r ListRequest,
    limit: usize,
    looked_at: usize,
    listing: Listing,
}

impl PageOf<'_> {
    /// Adds an object; returns the name to continue after, `None` if the page is complete.
    fn take(&mut self, id: &str, object: Object) -> Option<String> {
        let (request, name) = (self.request, object.meta.name.as_str());
        if request.is_over(name) {
            return None;
        }
        let results = self.listing.items.len() + self.listing.prefixes.len();
        if results == self.limit || self.looked_at == MAX_LOOKED_AT {
            self.listing.next_page_token = Some(URL_SAFE_NO_PAD.encode(id));
            return None;
        }
        self.looked_at += 1;
        let after = format!("{id}\u{1}");
        // A name that begins with the pattern's literal may still sort before the prefix.
        let Some(rest) = name.strip_prefix(&request.prefix) else { return Some(after) };
        let matches = |name: &str| request.glob.as_ref().is_none_or(|glob| glob.matches(name));
        let rolled = match request.delimiter.as_str() {
            "" => None,
            delimiter => rest.find(delimiter).map(|at| request.prefix.len() + at + delimiter.len()),
        };
        match rolled.and_then(|end| name.get(..end)) {
            Some(prefix) => {
                let folder = prefix.strip_suffix(request.delimiter.as_str()).unwrap_or(prefix);
                let next = after_prefix(prefix);
                if matches(prefix) || matches(folder) {
                    self.listing.prefixes.push(prefix.to_owned());
                    // The first of the names that begin so, since it is the shortest.
                    if request.with_folders && name == prefix {
                        self.listing.items.push(object);
                    }
                }
                next
            }
            None => {
                if matches(name) && request.filter.as_ref().is_none_or(|filter| filter.matches(&object.meta))
                {
                    self.listing.items.push(object);
                }
                Some(after)
            }
        }
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
