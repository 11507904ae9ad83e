//! Fair shares per address: limits on connections, streams and proxied requests, so that one caller cannot take them
//! all.
//!
//! Callers behind a trusted proxy count by their own addresses, one connection per request in flight. The proxy itself
//! and programs of this machine have no share of their own, because they stand for many callers. An emulator has no
//! shares at all: tests open thousands of connections.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use docstore::shares::{Holder, Share, Shares, StreamHolder};
use docstore::{Error, Result};
use http::header::{ACCEPT, ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, StatusCode};
use http_body::{Body as HttpBody, Frame, SizeHint};
use percent_encoding::{CONTROLS, utf8_percent_encode};
use serde_json::json;

use crate::host::networks::Networks;
use crate::host::origin::{Origin, Via};

/// Connections that one address may have open, plus requests that trusted proxies forward for it.
pub const MAX_CONNECTIONS_PER_ADDRESS: usize = 256;

/// Streams of events (responses that last until the caller leaves) that one address may have open.
pub const MAX_EVENT_STREAMS_PER_ADDRESS: usize = 64;

/// Sockets of tables that one address may have open.
pub const MAX_SOCKETS_PER_ADDRESS: usize = 64;

/// Media type of such responses.
const EVENTS: &str = "text/event-stream";

/// Fair shares of connections and streams.
#[derive(Debug, Clone)]
pub struct FairShares {
    shares: Option<Arc<dyn Shares>>,
    proxies: Networks,
}

impl FairShares {
    /// Counts in `shares`, or not at all without them; callers of `proxies` count by their own addresses.
    pub const fn new(shares: Option<Arc<dyn Shares>>, proxies: Networks) -> Self {
        Self { shares, proxies }
    }

    /// A share of the connections for `peer`.
    ///
    /// # Errors
    /// `ResourceExhausted` if the address has as many as it may.
    pub fn connection(&self, peer: IpAddr) -> Result<Option<Share>> {
        let peer = peer.to_canonical();
        let counts = !peer.is_loopback() && !self.proxies.contains(peer);
        self.take(counts.then_some(peer), "connections of one address", MAX_CONNECTIONS_PER_ADDRESS)
    }

    /// The shares that a request holds until its response is sent.
    ///
    /// # Errors
    /// `ResourceExhausted` if the address has as many as it may.
    pub fn request(&self, origin: &Origin, headers: &HeaderMap) -> Result<Held> {
        let passed_on = counted(origin).filter(|_| origin.via != Via::Connection);
        let what = "requests of one address";
        let request = self.take(passed_on, what, MAX_CONNECTIONS_PER_ADDRESS)?;
        let streams = headers
            .get_all(ACCEPT)
            .iter()
            .any(|accept| accept.to_str().is_ok_and(|accept| accept.to_ascii_lowercase().contains(EVENTS)));
        let address = counted(origin).filter(|_| streams);
        let stream = self.take(address, "streams of events of one address", MAX_EVENT_STREAMS_PER_ADDRESS)?;
        Ok(Held { _shares: [request, stream] })
    }

    /// A share of the sockets, which a socket keeps until it ends.
    ///
    /// # Errors
    /// `ResourceExhausted` if the address has as many as it may.
    pub fn socket(&self, origin: &Origin) -> Result<SocketShare> {
        let share = self.take(counted(origin), "sockets of one address", MAX_SOCKETS_PER_ADDRESS)?;
        Ok(SocketShare(Arc::new(share)))
    }

    /// The holder of a request's document streams; `None` if they are not counted.
    pub fn streams(&self, origin: &Origin) -> Option<StreamHolder> {
        let shares = self.shares.as_ref()?;
        Some(StreamHolder::new(Arc::clone(shares), counted(origin)))
    }

    fn take(&self, address: Option<IpAddr>, what: &'static str, most: usize) -> Result<Option<Share>> {
        let advice = "close some, or try again in a minute";
        let take = |(shares, address)| Share::take(shares, Holder::at(what, address), most, advice);
        self.shares.as_ref().zip(address).map(take).transpose()
    }
}

/// The address that counts: the proxy's own for a caller that it hides, so that nobody gets out of the limits by a header
/// that contradicts the proxy's. None for this machine's own programs, and for a proxy that asks for itself.
fn counted(origin: &Origin) -> Option<IpAddr> {
    let here = origin.via == Via::Connection && origin.address.ip().to_canonical().is_loopback();
    origin.counted().filter(|_| !here)
}

/// The share of a socket, as an extension of its request.
#[derive(Debug, Clone)]
pub struct SocketShare(#[expect(dead_code, reason = "held until it is dropped")] Arc<Option<Share>>);

/// The shares held by a request.
#[derive(Debug)]
pub struct Held {
    _shares: [Option<Share>; 2],
}

impl Held {
    /// The response, which returns the shares when it ends.
    pub fn until_the_end_of(self, response: Response) -> Response {
        if self._shares.iter().all(Option::is_none) {
            return response;
        }
        response.map(|inner| Body::new(HoldingBody { inner, _held: self }))
    }
}

/// A body that holds a share until it is dropped.
struct HoldingBody {
    inner: Body,
    _held: Held,
}

impl HttpBody for HoldingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// The refusal in the request's own protocol, readable by pages of every origin.
pub fn refusal(headers: &HeaderMap, error: &Error) -> Response {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("application/grpc") {
        let mut response = Response::new(Body::empty());
        let message = utf8_percent_encode(error.message(), CONTROLS).to_string();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
        headers.insert("grpc-status", HeaderValue::from(error.code().number()));
        headers.extend(HeaderValue::try_from(message).ok().map(|message| (GRPC_MESSAGE, message)));
        return response;
    }
    let status = StatusCode::from_u16(error.code().http()).unwrap_or(StatusCode::TOO_MANY_REQUESTS);
    let body = json!({ "error": {
        "code": status.as_u16(), "status": error.code().status(), "message": error.message(),
    } });
    let any_page = [(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"))];
    (status, any_page, axum::Json(body)).into_response()
}

const GRPC_MESSAGE: http::HeaderName = http::HeaderName::from_static("grpc-message");

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use docstore::shares::LocalShares;
    use http_body_util::BodyExt as _;

    use super::*;

    fn fair() -> FairShares {
        FairShares::new(Some(Arc::new(LocalShares::default())), "10.0.0.0/8".parse().unwrap())
    }

    fn origin(peer: &str, caller: Option<&str>) -> Origin {
        let named = caller
            .map(|caller| (http::header::FORWARDED, HeaderValue::try_from(format!("for={caller}")).unwrap()));
        Origin::of(
            &"10.0.0.0/8".parse().unwrap(),
            SocketAddr::new(peer.parse().unwrap(), 1),
            &named.into_iter().collect(),
        )
    }

    #[test]
    fn an_address_has_its_share_of_connections_and_proxies_and_this_machine_have_none() {
        let fair = fair();
        let open: Vec<_> = (0..MAX_CONNECTIONS_PER_ADDRESS)
            .map(|_| fair.connection("192.0.2.1".parse().unwrap()).unwrap())
            .collect();
        let refused = fair.connection("::ffff:192.0.2.1".parse().unwrap()).unwrap_err();
        assert!(
            refused.message().contains("256 connections of one address are open"),
            "{}",
            refused.message()
        );
        assert!(fair.connection("192.0.2.2".parse().unwrap()).unwrap().is_some());
        for free in ["127.0.0.1", "::1", "10.1.2.3"] {
            assert!(fair.connection(free.parse().unwrap()).unwrap().is_none(), "{free}");
        }
        drop(open);
        assert!(fair.connection("192.0.2.1".parse().unwrap()).is_ok());
        let emulator = FairShares::new(None, Networks::default());
        assert!(emulator.connection("192.0.2.1".parse().unwrap()).unwrap().is_none());
    }

    #[tokio::test]
    async fn callers_behind_a_proxy_hold_their_share_until_their_answers_have_gone_out() {
        let (fair, none) = (fair(), HeaderMap::new());
        let eve = origin("10.0.0.1", Some("192.0.2.1"));
        let mut answers: Vec<_> = (0..MAX_CONNECTIONS_PER_ADDRESS)
            .map(|_| fair.request(&eve, &none).unwrap().until_the_end_of(Response::new(Body::from("x"))))
            .collect();
        assert!(fair.request(&eve, &none).is_err());
        assert!(fair.request(&origin("10.0.0.1", Some("192.0.2.2")), &none).is_ok());
        assert!(fair.request(&origin("10.0.0.1", None), &none).is_ok());
        answers.pop().unwrap().into_body().collect().await.unwrap();
        assert!(fair.request(&eve, &none).is_ok());
    }

    #[test]
    fn sockets_of_one_address_are_limited() {
        let fair = fair();
        let eve = origin("192.0.2.1", None);
        let mut open: Vec<_> = (0..MAX_SOCKETS_PER_ADDRESS).map(|_| fair.socket(&eve).unwrap()).collect();
        assert!(fair.socket(&eve).is_err());
        assert!(fair.socket(&origin("192.0.2.2", None)).is_ok());
        assert!(fair.socket(&origin("10.0.0.1", Some("192.0.2.1"))).is_err(), "behind a proxy too");
        assert!(fair.socket(&origin("127.0.0.1", None)).is_ok());
        open.pop();
        assert!(fair.socket(&eve).is_ok());
    }

    #[test]
    fn a_header_that_contradicts_the_proxys_opens_no_way_around_the_limits() {
        let fair = fair();
        let claims = |claim: u8| {
            let headers = [
                ("forwarded", format!("for=198.51.100.{claim}")),
                ("x-forwarded-for", "192.0.2.1".to_owned()),
            ];
            let headers = headers.map(|(name, value)| {
                (http::HeaderName::from_static(name), HeaderValue::try_from(value).unwrap())
            });
            Origin::of(
                &"10.0.0.0/8".parse().unwrap(),
                "10.0.0.1:1".parse().unwrap(),
                &headers.into_iter().collect(),
            )
        };
        let open: Vec<_> = (0..200).map_while(|claim| fair.socket(&claims(claim)).ok()).collect();
        assert_eq!(open.len(), MAX_SOCKETS_PER_ADDRESS);
        // Those whom the proxy names have their own.
        assert!(fair.socket(&origin("10.0.0.1", Some("192.0.2.1"))).is_ok());
        assert!(fair.socket(&origin("10.0.0.1", None)).is_ok());
        let none = HeaderMap::new();
        let held: Vec<_> = (0..=255).map_while(|claim| fair.request(&claims(claim), &none).ok()).collect();
        assert_eq!(held.len(), MAX_CONNECTIONS_PER_ADDRESS);
        assert!(fair.request(&claims(0), &none).is_err());
    }

    #[test]
    fn streams_of_events_are_fewer() {
        let fair = fair();
        let events: HeaderMap =
            [(ACCEPT, HeaderValue::from_static("Text/Event-Stream"))].into_iter().collect();
        let eve = origin("192.0.2.1", None);
        let _open: Vec<_> =
            (0..MAX_EVENT_STREAMS_PER_ADDRESS).map(|_| fair.request(&eve, &events).unwrap()).collect();
        assert!(fair.request(&eve, &events).is_err());
        assert!(fair.request(&eve, &HeaderMap::new()).is_ok());
        assert!(fair.request(&origin("127.0.0.1", None), &events).is_ok());
    }

    #[tokio::test]
    async fn a_refusal_speaks_the_callers_protocol() {
        let error = Error::new(docstore::Code::ResourceExhausted, "ShareUsedUp", "too many: wait");
        let json = refusal(&HeaderMap::new(), &error);
        assert_eq!(
            (json.status(), &json.headers()["access-control-allow-origin"]),
            (StatusCode::TOO_MANY_REQUESTS, &HeaderValue::from_static("*"))
        );
        let body = json.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(
            &body[..],
            br#"{"error":{"code":429,"message":"too many: wait","status":"RESOURCE_EXHAUSTED"}}"#
        );
        let asked =
            [(CONTENT_TYPE, HeaderValue::from_static("application/grpc+proto"))].into_iter().collect();
        let grpc = refusal(&asked, &error);
        assert_eq!(
            (grpc.status(), &grpc.headers()["grpc-status"]),
            (StatusCode::OK, &HeaderValue::from_static("8"))
        );
        assert_eq!(grpc.headers()["grpc-message"], "too many: wait");
    }
}
