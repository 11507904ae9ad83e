//! The application and static sites: handles requests that no service takes.
//!
//! In the order of Firebase Hosting: reserved paths under `/__/`, redirects, files, rewrites, and last the
//! application's own page (for the built-in application) or `404.html`.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use docstore::Result;
use http::header::{ALLOW, CONTENT_TYPE, LOCATION};
use http::request::Parts;
use http::{HeaderValue, Method, Request, StatusCode, Uri};
use percent_encoding::percent_decode_str;

use crate::functions::callable::{Address, Callables};
use crate::functions::node::NodeServer;
use crate::host::addresses::Addresses;
use crate::host::config::{Hosting as Rules, RewriteTarget, Service};
use crate::host::hosts::is_control;
use crate::host::settings::Settings;

mod console;
mod embedded;
mod folder;
mod font_pack;
mod init;
mod negotiate;
mod pages;
mod paths;
mod reply;
mod security;
mod site;
mod sites;

use console::Console;
pub(crate) use embedded::Embedded;
pub(crate) use font_pack::environment as font_pack_environment;
use paths::{Candidates, Outcome};
use security::Policy;
pub(crate) use security::headers_of_all;

use site::Site;
pub use sites::Sites;

/// Files of the built-in application whose path begins with `prefix`.
pub(crate) fn application_files(prefix: &str) -> impl Iterator<Item = (String, Embedded)> {
    site::files_below(prefix)
}

/// Marks responses that are files of the application or the console.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BuiltInFile;

/// Serves one site.
#[derive(Debug)]
struct Hosting {
    site: Site,
    rules: Rules,
    policy: Policy,
    callables: Arc<Callables>,
    node: Option<Arc<NodeServer>>,
    console: Option<Console>,
}

impl Hosting {
    /// The site of `rules`. The application may connect to the services' own ports.
    ///
    /// # Errors
    /// `hosting.public` is not a folder, in serving mode.
    fn new(
        settings: &Settings,
        rules: &Rules,
        addresses: &Addresses,
        callables: &Arc<Callables>,
        node: Option<&Arc<NodeServer>>,
    ) -> Result<Self> {
        let site = Site::open(settings, rules)?;
        let policy = Policy::new(&site, addresses.others());
        let (callables, node) = (Arc::clone(callables), node.cloned());
        Ok(Self { site, rules: rules.clone(), policy, callables, node, console: None })
    }

    /// Adds the console.
    fn with_console(mut self, console: Option<Console>) -> Self {
        self.console = console;
        self
    }

    async fn answer(&self, request: Request<Body>) -> Response {
        if let Some(console) = &self.console
            && let Some(answer) = console.answer(&request, self.site.is_application())
        {
            return answer;
        }
        let (head, body) = request.into_parts();
        let uri = &head.uri;
        let Ok(path) = percent_decode_str(uri.path()).decode_utf8() else {
            return pages::plain(StatusCode::BAD_REQUEST, "The path is not UTF-8.");
        };
        if let Some((status, to)) = self.redirect(&path) {
            return redirect(status, &to, uri);
        }
        if !path.starts_with("/__/") && !matches!(head.method, Method::GET | Method::HEAD) {
            // Only rewrites to functions accept other methods.
            return match self.function(&path) {
                Some(target) => self.call(target, Request::from_parts(head.clone(), body)).await,
                None => not_allowed(),
            };
        }
        match self.file(&path).await {
            Outcome::File(file) => return self.finish(&path, reply::file(file, &head, StatusCode::OK)),
            Outcome::Moved(to) => return redirect(StatusCode::MOVED_PERMANENTLY, &to, uri),
            Outcome::None => {}
        }
        for rewrite in &self.rules.rewrites {
            if !rewrite.pattern.matches(&path) {
                continue;
            }
            match &rewrite.target {
                RewriteTarget::Function { .. } => {
                    return self.call(&rewrite.target, Request::from_parts(head.clone(), body)).await;
                }
                RewriteTarget::Elsewhere(to) => {
                    let text =
                        format!("firebase.json rewrites this path to {to}, which Tuckbox does not have.");
                    return self.finish(&path, pages::plain(StatusCode::NOT_IMPLEMENTED, &text));
                }
                RewriteTarget::File(to) => {
                    if let Some(file) = self.site.load(to.trim_start_matches('/')).await {
                        return self.finish(&path, reply::file(file, &head, StatusCode::OK));
                    }
                }
            }
        }
        self.last_resort(&path, &head).await
    }

    /// The built-in application's page for its own paths; otherwise the site's or the server's "not found" page.
    async fn last_resort(&self, path: &str, head: &Parts) -> Response {
        let page = negotiate::wants_page(&head.headers, path) && !is_control(path);
        if self.site.is_application() && page {
            let response = match self.site.load("index.html").await {
                Some(page) => reply::file(page, head, StatusCode::OK),
                None => pages::client_missing(),
            };
            return self.finish(path, response);
        }
        let response = match self.site.load("404.html").await {
            Some(page) => reply::file(page, head, StatusCode::NOT_FOUND),
            None => match self.site.absence() {
                Some(reason) => pages::plain(StatusCode::NOT_FOUND, &reason),
                None => pages::plain(StatusCode::NOT_FOUND, "There is nothing at this address."),
            },
        };
        self.finish(path, response)
    }

    fn redirect(&self, path: &str) -> Option<(StatusCode, String)> {
        self.rules.redirects.iter().find_map(|rule| {
            let to = rule.pattern.expand(path, &rule.destination)?;
            Some((rule.status.0, if paths::leads_out(&rule.destination) { to } else { paths::within(&to) }))
        })
    }

    async fn file(&self, path: &str) -> Outcome {
        if self.rules.ignores(path) {
            return Outcome::None;
        }
        Candidates::new(path, self.rules.clean_urls, self.rules.trailing_slash).find(&self.site).await
    }

    fn function(&self, path: &str) -> Option<&RewriteTarget> {
        let rule = self.rules.rewrites.iter().find(|rewrite| rewrite.pattern.matches(path))?;
        Some(&rule.target).filter(|target| matches!(target, RewriteTarget::Function { .. }))
    }

    async fn call(&self, target: &RewriteTarget, request: Request<Body>) -> Response {
        let RewriteTarget::Function { name, region } = target else { return not_allowed() };
        let own = || self.node.as_ref().and_then(|node| node.region_of(name));
        let region = region.clone().or_else(|| self.callables.registry().region_of(name).map(str::to_owned));
        let region = region.or_else(own);
        let address = Address { region: region.as_deref().unwrap_or(crate::DEFAULT_REGION), name };
        if let Some(node) = &self.node
            && self.callables.registry().get(address).is_none()
            && node.has(address)
        {
            // Behind a rewrite a function sees the requested path.
            let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
            return node.serve_at(address, &path, &self.callables, request).await;
        }
        self.callables.serve(address, request).await
    }

    /// Adds the security headers, then the configured ones, which win.
    fn finish(&self, path: &str, mut response: Response) -> Response {
        self.policy.apply(response.headers_mut());
        for rule in self.rules.headers.iter().filter(|rule| rule.pattern.matches(path)) {
            for pair in &rule.headers {
                response.headers_mut().insert(pair.name.clone(), pair.value.clone());
            }
        }
        response
    }
}

/// Address of the console: its own port, else beside the application; none beside a user's own site.
pub(crate) fn console_address(settings: &Settings, addresses: &Addresses) -> Option<SocketAddr> {
    let own_site = settings.sites.first().is_some_and(|site| site.public.is_some() || site.absent.is_some());
    addresses.own(Service::Ui).or_else(|| (!own_site).then(|| addresses.of(Service::Hosting)))
}

/// True if the application is built in (debug builds: if it has been built).
pub fn has_application() -> bool {
    site::has_application()
}

/// Redirects within the site keep the query.
fn redirect(status: StatusCode, to: &str, from: &Uri) -> Response {
    let to = match from.query() {
        Some(query) if !to.contains('?') => format!("{to}?{query}"),
        Some(_) | None => to.to_owned(),
    };
    let Ok(location) = HeaderValue::try_from(paths::encode(&to)) else {
        return pages::plain(StatusCode::INTERNAL_SERVER_ERROR, "The redirect leads to no address.");
    };
    let mut response = pages::plain(status, "Moved.");
    response.headers_mut().insert(LOCATION, location);
    response
}

fn not_allowed() -> Response {
    let mut response = pages::plain(StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD are possible here.");
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    response
        .headers_mut()
        .entry(CONTENT_TYPE)
        .or_insert(HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

#[cfg(test)]
mod tests;
