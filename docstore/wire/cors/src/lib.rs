//! Cross-origin access (CORS) to every public API: one implementation, with a policy per API.
//!
//! Tokens travel in `Authorization`, never in cookies, so any origin may call; browsers protect the data of other pages.
//!
//! `tower-http` has a layer for this. It does not fit: it answers every preflight with 200 and the same `Vary`, while
//! SDKs meet here the replies of four services that differ in status, `Vary` and replies to requests without an origin.

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};

const REQUEST_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// The cross-origin policy of an API.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// Methods allowed to pages.
    pub methods: &'static str,
    /// Time a browser may cache the reply to a preflight, in seconds.
    pub max_age: &'static str,
    /// Reply headers that scripts may read; none if empty.
    pub exposed: &'static str,
    /// Allows requests with credentials.
    pub credentials: bool,
    /// Allows pages of public networks to call a server on a private one.
    pub private_network: bool,
    /// Requests that are preflights.
    pub preflights: Preflights,
    /// Replies to requests that name no origin.
    pub without_origin: WithoutOrigin,
    /// Value of `Vary` on replies that name the origin.
    pub vary: &'static str,
    /// A further value of `Vary` on replies to preflights; none if empty.
    pub vary_preflight: &'static str,
}

/// Requests that are preflights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preflights {
    /// Every `OPTIONS`; the reply is 204.
    Options,
    /// `OPTIONS` that name an origin and a method; the reply is 200.
    Complete,
}

/// Replies to requests that name no origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithoutOrigin {
    /// They are left as they are.
    Untouched,
    /// They say that they vary by origin. A preflight is told no more.
    Vary,
    /// They say that they vary by origin. A preflight is told what is allowed.
    VaryAndTell,
    /// They allow any origin.
    Any,
}

/// A request's cross-origin headers.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Origin of the calling page. Without it no page may read the reply, unless the policy allows any.
    pub origin: Option<HeaderValue>,
    /// True if the page asks for access to a private network.
    pub private_network: bool,
    headers: Option<HeaderValue>,
}

impl Asked {
    /// Those of a request.
    pub fn of(request: &HeaderMap) -> Self {
        Self {
            origin: request.get(ORIGIN).cloned(),
            private_network: request.contains_key(REQUEST_PRIVATE_NETWORK),
            headers: request.get(ACCESS_CONTROL_REQUEST_HEADERS).cloned(),
        }
    }
}

impl Policy {
    /// A middleware: answers preflights, and marks every other reply, errors included.
    pub async fn layer(self, request: Request, next: Next) -> Response<Body> {
        let asked = Asked::of(request.headers());
        self.answer(&asked, request, next).await
    }

    /// As [`Self::layer`], of a request whose headers count only as far as `asked` has them.
    pub async fn answer(self, asked: &Asked, request: Request, next: Next) -> Response<Body> {
        if self.is_preflight(request.method(), request.headers()) {
            return self.preflight(asked);
        }
        let mut response = next.run(request).await;
        self.mark(asked, response.headers_mut());
        response
    }

    fn is_preflight(self, method: &Method, headers: &HeaderMap) -> bool {
        method == Method::OPTIONS
            && (self.preflights == Preflights::Options
                || headers.contains_key(ORIGIN) && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD))
    }

    /// The reply to a preflight.
    pub fn preflight(self, asked: &Asked) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = match self.preflights {
            Preflights::Options => StatusCode::NO_CONTENT,
            Preflights::Complete => StatusCode::OK,
        };
        let headers = response.headers_mut();
        let told = asked.origin.is_some()
            || matches!(self.without_origin, WithoutOrigin::VaryAndTell | WithoutOrigin::Any);
        if told {
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(self.methods));
            headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(self.max_age));
            if let Some(list) = &asked.headers {
                headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, list.clone());
            }
            if self.private_network && asked.private_network {
                headers.insert(ALLOW_PRIVATE_NETWORK, HeaderValue::from_static("true"));
            }
        }
        self.mark(asked, headers);
        if told && !self.vary_preflight.is_empty() {
            headers.append(VARY, HeaderValue::from_static(self.vary_preflight));
        }
        response
    }

    /// Allows the calling page to read a reply.
    pub fn mark(self, asked: &Asked, reply: &mut HeaderMap) {
        let any = || (self.without_origin == WithoutOrigin::Any).then(|| HeaderValue::from_static("*"));
        if let Some(origin) = asked.origin.clone().or_else(any) {
            reply.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            if self.credentials {
                reply.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
            }
            if !self.exposed.is_empty() {
                reply.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(self.exposed));
            }
        } else if self.without_origin == WithoutOrigin::Untouched {
            return;
        }
        reply.append(VARY, HeaderValue::from_static(self.vary));
    }
}

#[cfg(test)]
mod tests;
