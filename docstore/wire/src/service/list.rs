//! Listing collections and documents.

use super::consistency::{ReadFrom, Selector, resolve, selector};
use super::token::{page_token, read_page_token};
use super::{Caller, Service, missing};
use crate::convert::document::from_document;
use crate::convert::value::{from_value, to_values};
use crate::convert::{optional_mask, parent, single_id};
use crate::pb::v1;
use docstore::Session;
use docstore::database::{ListDocuments, MAX_PAGE_BYTES, Page};
use docstore::error::{Error, Result};
use docstore::model::{
    CollectionPath, Cursor, DatabaseId, Direction, DocPath, Document, FieldPath, Order, Query, Reference,
    Source, Value,
};

/// Documents per page unless the request sets a size.
const DEFAULT_PAGE: u32 = 100;

/// Largest page of an ordered listing, in documents.
const MAX_PAGE: u32 = 1_000;

impl Service {
    /// `ListDocuments`.
    pub(super) async fn list(
        &self,
        caller: &Caller,
        request: v1::ListDocumentsRequest,
    ) -> Result<v1::ListDocumentsResponse> {
        let (id, parent) = parent(&request.parent)?;
        if request.collection_id.is_empty() {
            return Err(missing("collection_id"));
        }
        single_id("Collection", &request.collection_id)?;
        let mask = optional_mask(request.mask.as_ref())?;
        let size = page_size(request.page_size, DEFAULT_PAGE)?;
        let session = self.session(caller, &id).await?;
        let selector = selector!(request.consistency_selector, v1::list_documents_request, join);
        let (from, _) = resolve(&session, selector).await?;
        if !request.order_by.is_empty() {
            if request.show_missing {
                return Err(Error::invalid(
                    "ListOrder",
                    "order_by and show_missing cannot be used together.",
                ));
            }
            let query = ordered(parent, request.collection_id, &request.order_by)?;
            return list_in_order(
                &session,
                &id,
                query,
                size.min(MAX_PAGE),
                &request.page_token,
                &from,
                mask.as_deref(),
            )
            .await;
        }
        let list = ListDocuments {
            collection: collection(parent.as_ref(), &request.collection_id)?,
            page: Page { size, token: request.page_token },
            show_missing: request.show_missing,
        };
        let page = match from {
            ReadFrom::State(at) => session.list_documents(&list, at).await?,
            ReadFrom::Transaction(txn) => session.list_documents_in(txn, &list).await?,
        };
        let documents = page.documents.into_iter().map(|(path, document)| match document {
            Some(document) => from_document(&id, document, mask.as_deref()),
            None => v1::Document { name: id.document_name(&path), ..v1::Document::default() },
        });
        Ok(v1::ListDocumentsResponse {
            documents: documents.collect(),
            next_page_token: page.next.unwrap_or_default(),
        })
    }

    /// `ListCollectionIds`.
    pub(super) async fn collection_ids(
        &self,
        caller: &Caller,
        request: v1::ListCollectionIdsRequest,
    ) -> Result<v1::ListCollectionIdsResponse> {
        let (id, parent) = parent(&request.parent)?;
        let page = Page { size: page_size(request.page_size, 0)?, token: request.page_token };
        let session = self.session(caller, &id).await?;
        let selector = selector!(request.consistency_selector, v1::list_collection_ids_request);
        let (ReadFrom::State(at), _) = resolve(&session, selector).await? else {
            return Err(missing("read_time"));
        };
        let page = session.list_collections(parent.as_ref(), &page, at).await?;
        Ok(v1::ListCollectionIdsResponse {
            collection_ids: page.ids,
            next_page_token: page.next.unwrap_or_default(),
        })
    }
}

fn page_size(size: i32, default: u32) -> Result<u32> {
    match u32::try_from(size) {
        Ok(0) => Ok(default),
        Ok(size) => Ok(size),
        Err(_) => Err(Error::invalid("PageSize", "page_size is negative")),
    }
}

fn collection(parent: Option<&DocPath>, id: &str) -> Result<CollectionPath> {
    match parent {
        Some(parent) => parent.child(id),
        None => CollectionPath::parse(id),
    }
}

/// The query behind a listing in an order of the caller's: `field [asc|desc], …`.
pub(super) fn ordered(parent: Option<DocPath>, collection: String, order_by: &str) -> Result<Query> {
    let order = |text: &str| {
        let (field, direction) = match text.trim().rsplit_once(' ') {
            Some((field, "desc")) => (field, Direction::Descending),
            Some((field, "asc")) => (field, Direction::Ascending),
            Some(_) => return Err(Error::invalid("ListOrder", format!("Cannot read the order \"{text}\"."))),
            None => (text.trim(), Direction::Ascending),
        };
        Ok(Order { field: FieldPath::parse(field.trim())?, direction })
    };
    let mut order_by: Vec<Order> = order_by.split(',').map(order).collect::<Result<_>>()?;
    // The name at the end makes a position unambiguous, so that the next page can start after it.
    if !order_by.iter().any(|order| order.field.is_document_name()) {
        let direction = order_by.last().map_or(Direction::Ascending, |last| last.direction);
        order_by.push(Order { field: FieldPath::document_name(), direction });
    }
    Ok(Query {
        order_by,
        ..Query::all(parent, Source { collection: Some(collection), all_descendants: false })
    })
}

async fn list_in_order(
    session: &Session,
    id: &DatabaseId,
    mut query: Query,
    size: u32,
    token: &str,
    from: &ReadFrom,
    mask: Option<&[FieldPath]>,
) -> Result<v1::ListDocumentsResponse> {
    if let Some(cursor) = read_page_token::<v1::Cursor>(token)? {
        query.start = Some(Cursor { values: to_values(cursor.values)?, before: false });
    }
    query.limit = Some(size + 1);
    query.limit_bytes = Some(MAX_PAGE_BYTES);
    let result = match from {
        ReadFrom::State(at) => session.run(&query, *at).await?,
        ReadFrom::Transaction(txn) => session.run_in(*txn, &query).await?,
    };
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let mut more = result.documents.len() > size;
    let (mut documents, mut bytes, mut last) = (Vec::new(), 0, None);
    for document in result.documents.into_iter().take(size) {
        bytes += document.size();
        if bytes > MAX_PAGE_BYTES {
            more = true;
            if !documents.is_empty() {
                break;
            }
        }
        last = Some(position(id, &query, &document));
        documents.push(from_document(id, document, mask));
    }
    let next_page_token = last.filter(|_| more).map(|last| page_token(&last)).unwrap_or_default();
    Ok(v1::ListDocumentsResponse { documents, next_page_token })
}

/// Position of a document in an ordered listing.
fn position(id: &DatabaseId, query: &Query, document: &Document) -> v1::Cursor {
    let values = query.order_by.iter().filter_map(|order| {
        if order.field.is_document_name() {
            return Some(Value::Reference(Reference { database: id.clone(), path: document.path.clone() }));
        }
        order.field.get(&document.fields).cloned()
    });
    v1::Cursor { values: values.map(from_value).collect(), before: false }
}
