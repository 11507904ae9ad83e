//! Calls with one request and one reply, over gRPC and REST.

use bytes::{BufMut as _, Bytes, BytesMut};
use docstore_wire::pb::v1;
use prost::Message;
use serde_json::{Value, json};

use super::Outcome;

/// The database of the benchmark.
pub(super) const DATABASE: &str = "projects/demo-bench/databases/(default)";

/// Documents per commit.
const BATCH: usize = 400;

/// Number of document kinds; a query selects one.
const KINDS: usize = 50;

/// Protocol of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wire {
    Grpc,
    Rest,
    WebChannel,
}

/// The name of a document.
pub(super) fn name(index: usize) -> String {
    format!("{DATABASE}/documents/bench/d{index:06}")
}

/// About 500 bytes of fields.
pub(super) fn fields(index: usize, n: usize) -> Value {
    json!({
        "kind": {"integerValue": (index % KINDS).to_string()},
        "rank": {"integerValue": index.to_string()},
        "n": {"integerValue": n.to_string()},
        "title": {"stringValue": format!("Document number {index}")},
        "text": {"stringValue": "x".repeat(350)},
    })
}

/// The same as messages.
fn message(index: usize, n: usize) -> v1::Document {
    use v1::value::ValueType::{IntegerValue, StringValue};
    let integer = |n: usize| IntegerValue(i64::try_from(n).unwrap_or(i64::MAX));
    let fields = [
        ("kind", integer(index % KINDS)),
        ("rank", integer(index)),
        ("n", integer(n)),
        ("title", StringValue(format!("Document number {index}"))),
        ("text", StringValue("x".repeat(350))),
    ];
    let fields = fields.map(|(key, value)| (key.to_owned(), v1::Value { value_type: Some(value) }));
    v1::Document { name: name(index), fields: fields.into(), ..Default::default() }
}

/// Writes the documents that the measurements work on.
pub(super) async fn fill(base: &str, documents: usize) -> Outcome<()> {
    let http = client().build()?;
    for from in (0..documents).step_by(BATCH) {
        let to = documents.min(from + BATCH);
        let writes: Vec<Value> = (from..to)
            .map(|index| json!({"update": {"name": name(index), "fields": fields(index, 0)}}))
            .collect();
        let url = format!("{base}/v1/{DATABASE}/documents:commit");
        let request = http.post(url).bearer_auth("owner").json(&json!({"writes": writes}));
        request.send().await?.error_for_status()?;
    }
    // The first queries make the index that the measured ones use.
    let connection = Connection::open(base, Wire::Rest)?;
    for _ in 0..20 {
        connection.query().await?;
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    Ok(())
}

/// A client that loads no certificates: nothing here is encrypted.
pub(super) fn client() -> reqwest::ClientBuilder {
    reqwest::Client::builder().tcp_nodelay(true).tls_certs_only([])
}

/// One connection of its own.
pub(super) struct Connection {
    http: reqwest::Client,
    base: String,
    wire: Wire,
    query: Value,
}

impl Connection {
    pub(super) fn open(base: &str, wire: Wire) -> Outcome<Self> {
        let builder = client().pool_max_idle_per_host(1);
        let builder = if wire == Wire::Grpc { builder.http2_prior_knowledge() } else { builder };
        Ok(Self { http: builder.build()?, base: base.to_owned(), wire, query: query() })
    }

    pub(super) async fn get(&self, index: usize) -> Outcome<()> {
        if self.wire == Wire::Grpc {
            return self
                .call("GetDocument", &v1::GetDocumentRequest { name: name(index), ..Default::default() })
                .await;
        }
        let url = format!("{}/v1/{}", self.base, name(index));
        self.done(self.http.get(url)).await
    }

    pub(super) async fn set(&self, index: usize, n: usize) -> Outcome<()> {
        if self.wire == Wire::Grpc {
            let request =
                v1::UpdateDocumentRequest { document: Some(message(index, n)), ..Default::default() };
            return self.call("UpdateDocument", &request).await;
        }
        let url = format!("{}/v1/{}", self.base, name(index));
        self.done(self.http.patch(url).json(&json!({"fields": fields(index, n)}))).await
    }

    pub(super) async fn query(&self) -> Outcome<()> {
        if self.wire == Wire::Grpc {
            return self.call("RunQuery", &query_message()).await;
        }
        let url = format!("{}/v1/{DATABASE}/documents:runQuery", self.base);
        self.done(self.http.post(url).json(&self.query)).await
    }

    async fn done(&self, request: reqwest::RequestBuilder) -> Outcome<()> {
        request.bearer_auth("owner").send().await?.error_for_status()?.bytes().await?;
        Ok(())
    }

    async fn call(&self, method: &str, request: &impl Message) -> Outcome<()> {
        let reply = grpc(&self.http, &self.base, method, reqwest::Body::from(frame(request))).await?;
        let bytes = reply.bytes().await?;
        // A failure brings no message.
        if bytes.len() < 5 { Err(format!("{method} brought no reply").into()) } else { Ok(()) }
    }
}

/// Twenty documents of one kind, the highest ranks first.
pub(super) fn query() -> Value {
    json!({"structuredQuery": {
        "from": [{"collectionId": "bench"}],
        "where": {"fieldFilter": {
            "field": {"fieldPath": "kind"}, "op": "EQUAL", "value": {"integerValue": "7"}
        }},
        "orderBy": [{"field": {"fieldPath": "rank"}, "direction": "DESCENDING"}],
        "limit": 20,
    }})
}

/// The same as a message.
fn query_message() -> v1::RunQueryRequest {
    use v1::structured_query as message;
    let field = |path: &str| Some(message::FieldReference { field_path: path.to_owned() });
    let filter = message::FieldFilter {
        field: field("kind"),
        op: message::field_filter::Operator::Equal.into(),
        value: Some(v1::Value { value_type: Some(v1::value::ValueType::IntegerValue(7)) }),
    };
    let query = v1::StructuredQuery {
        from: vec![message::CollectionSelector { collection_id: "bench".into(), all_descendants: false }],
        r#where: Some(message::Filter {
            filter_type: Some(message::filter::FilterType::FieldFilter(filter)),
        }),
        order_by: vec![message::Order {
            field: field("rank"),
            direction: message::Direction::Descending.into(),
        }],
        limit: Some(20),
        ..Default::default()
    };
    v1::RunQueryRequest {
        parent: format!("{DATABASE}/documents"),
        query_type: Some(v1::run_query_request::QueryType::StructuredQuery(query)),
        ..Default::default()
    }
}

/// Sends a gRPC request.
pub(super) async fn grpc(
    http: &reqwest::Client,
    base: &str,
    method: &str,
    body: reqwest::Body,
) -> Outcome<reqwest::Response> {
    let request = http
        .post(format!("{base}/google.firestore.v1.Firestore/{method}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
        .header("google-cloud-resource-prefix", DATABASE)
        .bearer_auth("owner");
    Ok(request.body(body).send().await?.error_for_status()?)
}

/// A message in gRPC's framing: not compressed, its length, itself.
pub(super) fn frame(message: &impl Message) -> Bytes {
    let encoded = message.encode_to_vec();
    let mut bytes = BytesMut::with_capacity(encoded.len() + 5);
    bytes.put_u8(0);
    bytes.put_u32(u32::try_from(encoded.len()).unwrap_or(u32::MAX));
    bytes.put_slice(&encoded);
    bytes.freeze()
}
