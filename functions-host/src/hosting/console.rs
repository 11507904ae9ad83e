//! The console's page, in emulator mode: below `/console/` beside the application, and on its own port, which serves
//! the application's files whatever site the hosting port serves.

use std::net::SocketAddr;

use axum::body::Body;
use axum::response::Response;
use http::request::Parts;
use http::{Method, Request, StatusCode, Uri};

use super::security::Policy;
use super::site::{self, CONSOLE};
use super::{pages, redirect, reply};
use crate::host::config::Service;

/// Path of the console's page.
const HOME: &str = "/console/";

/// Serves the console's page and files.
#[derive(Debug)]
pub(super) struct Console {
    policy: Policy,
}

impl Console {
    /// The console, allowed to call the services' own ports.
    pub(super) fn new(addresses: &[(Service, SocketAddr)]) -> Self {
        Self { policy: Policy::of(true, addresses) }
    }

    /// The response to a request for the console; `None` if the request is for the site.
    pub(super) fn answer(&self, request: &Request<Body>, beside_application: bool) -> Option<Response> {
        let path = request.uri().path();
        let own_port = request.extensions().get::<Service>() == Some(&Service::Ui);
        let below = path == "/console" || path.starts_with(HOME);
        if !(own_port || below && beside_application) || path.starts_with("/__/") {
            return None;
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Some(super::not_allowed());
        }
        if matches!(path, "/" | "/console") {
            return Some(redirect(StatusCode::FOUND, HOME, &Uri::default()));
        }
        Some(self.load(request, if below { CONSOLE } else { path.trim_start_matches('/') }))
    }

    fn load(&self, request: &Request<Body>, path: &str) -> Response {
        let mut response = match site::built_in(path) {
            Some(found) => reply::file(found, &head(request), StatusCode::OK),
            None if path == CONSOLE => pages::client_missing(),
            None => pages::plain(StatusCode::NOT_FOUND, "There is nothing at this address."),
        };
        self.policy.apply(response.headers_mut());
        response
    }
}

/// The request's head, needed for a reply.
fn head(request: &Request<Body>) -> Parts {
    let (mut head, ()) = Request::new(()).into_parts();
    head.method = request.method().clone();
    head.headers = request.headers().clone();
    head
}
