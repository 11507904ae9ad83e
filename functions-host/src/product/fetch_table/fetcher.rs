//! Downloading tables within the limits.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use docstore::{Code, Error, Result};
use futures::future::BoxFuture;
use http::header::{CONTENT_TYPE, LOCATION};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, Response, Url};
use tokio::sync::Semaphore;

use super::address::is_public;
use super::hosts::{Hosts, Trust};
use crate::functions::callable::CallError;
use crate::host::config::Tables;

/// Largest table, in bytes: as much as the application imports.
pub(super) const MAX_BYTES: usize = 8 * 1024 * 1024;
/// Time limit of a download, including redirects and body.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(25);
/// Most redirects followed; a published sheet has two.
const MAX_REDIRECTS: usize = 5;
/// Concurrent downloads; further calls are asked to retry.
const MAX_FETCHES: usize = 8;

/// Resolves a name to addresses.
pub(super) type Lookup = Arc<dyn Fn(String) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> + Send + Sync>;

/// The system's own resolver.
pub(super) fn system_lookup() -> Lookup {
    Arc::new(|host| Box::pin(async move { Ok(tokio::net::lookup_host((host.as_str(), 0)).await?.collect()) }))
}

/// The downloaded response.
#[derive(Debug)]
pub(super) struct Fetched {
    pub(super) body: Vec<u8>,
    pub(super) content_type: String,
    pub(super) url: String,
}

pub(super) struct Fetcher {
    client: Client,
    hosts: Arc<Hosts>,
    running: Semaphore,
}

/// Resolves names to permitted addresses only. The client connects to exactly these.
struct GuardedResolver {
    hosts: Arc<Hosts>,
    lookup: Lookup,
}

/// A name resolves to a private address.
#[derive(Debug, thiserror::Error)]
#[error("the name leads to a private address")]
struct PrivateAddress;

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_ascii_lowercase();
        let private = self.hosts.may_be_private(&host);
        let found = (self.lookup)(host);
        Box::pin(async move {
            let addresses = found.await?;
            // A single private address among public ones is refused: no honest site publishes that.
            if !private && !addresses.iter().all(|address| is_public(address.ip())) {
                return Err(PrivateAddress.into());
            }
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

impl Fetcher {
    /// # Errors
    /// A configured host is invalid, or the system has no TLS.
    pub(super) fn new(tables: &Tables, lookup: Lookup) -> Result<Self> {
        let hosts = Arc::new(Hosts::new(tables)?);
        // An error means that the same provider was installed before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .dns_resolver(Arc::new(GuardedResolver { hosts: Arc::clone(&hosts), lookup }))
            .timeout(TIME_LIMIT)
            .user_agent("Tuckbox")
            .build()
            .map_err(|error| {
                Error::new(Code::Internal, "ClientFailed", "No tables can be fetched here").with_source(error)
            })?;
        Ok(Self { client, hosts, running: Semaphore::new(MAX_FETCHES) })
    }

    /// Downloads `url`.
    ///
    /// # Errors
    /// The host is not allowed, resolves to a private address, or does not return a table in time.
    pub(super) async fn fetch(&self, url: &str) -> Result<Fetched, CallError> {
        let Ok(_turn) = self.running.try_acquire() else {
            return Err(CallError::new(
                Code::ResourceExhausted,
                "Too many tables are being fetched. Try again soon.",
            ));
        };
        let url = Url::parse(url)
            .map_err(|_| CallError::invalid("This is no web address. It begins with https://."))?;
        match tokio::time::timeout(TIME_LIMIT, self.follow(url)).await {
            Ok(result) => result,
            Err(_) => Err(too_late()),
        }
    }

    async fn follow(&self, mut url: Url) -> Result<Fetched, CallError> {
        for _ in 0..=MAX_REDIRECTS {
            self.check(&url)?;
            let response = self.client.get(url.clone()).send().await.map_err(|error| failed(&url, &error))?;
            if response.status().is_redirection() {
                let target = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
                url = target.and_then(|target| url.join(target).ok()).ok_or_else(|| {
                    CallError::new(Code::Unavailable, "The site sends elsewhere without saying where.")
                })?;
                continue;
            }
            return read(url, response).await;
        }
        Err(CallError::new(Code::Unavailable, "The site sends from one place to another without end."))
    }

    /// Checks that this server may open `url` at all.
    fn check(&self, url: &Url) -> Result<(), CallError> {
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
            return Err(CallError::invalid("This is no web address. It begins with https://."));
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(CallError::invalid("An address with a name and password in it is not opened."));
        }
        let host = host.to_ascii_lowercase();
        match (self.hosts.trust(&host, port), url.scheme()) {
            (Some(Trust::Private), "http" | "https") | (Some(Trust::Public), "https") => Ok(()),
            (Some(Trust::Public), _) => Err(CallError::invalid("Only https:// addresses are opened.")),
            _ => Err(CallError::new(
                Code::PermissionDenied,
                format!(
                    "This server does not fetch tables from {host}. It does from: {}. Whoever runs it can add hosts.",
                    self.hosts.list()
                ),
            )),
        }
    }
}

async fn read(url: Url, mut response: Response) -> Result<Fetched, CallError> {
    let status = response.status();
    if !status.is_success() {
        let advice = match status.as_u16() {
            401 | 403 => " Is the sheet shared with everybody who has the link?",
            404 | 410 => " Is the address right?",
            _ => "",
        };
        return Err(CallError::new(
            Code::FailedPrecondition,
            format!("The site answered {}.{advice}", status.as_u16()),
        ));
    }
    let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let content_type = content_type.unwrap_or_default().to_owned();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failed(&url, &error))? {
        if body.len() + chunk.len() > MAX_BYTES {
            let most = MAX_BYTES / 1024 / 1024;
            return Err(CallError::new(
                Code::ResourceExhausted,
                format!("What lies there is larger than {most} MB, more than fits in a table."),
            ));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Fetched { body, content_type, url: url.into() })
}

fn too_late() -> CallError {
    CallError::new(Code::DeadlineExceeded, "The site took too long to answer.")
}

/// Names the site but nothing of this server's network.
fn failed(url: &Url, error: &reqwest::Error) -> CallError {
    if error.is_timeout() {
        return too_late();
    }
    let host = url.host_str().unwrap_or_default();
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(one) = cause {
        if one.is::<PrivateAddress>() {
            return CallError::new(
                Code::PermissionDenied,
                format!("{host} leads into a private network, which is not opened."),
            );
        }
        cause = one.source();
    }
    tracing::debug!(%host, %error, "a table could not be fetched");
    CallError::new(Code::Unavailable, format!("{host} cannot be reached."))
}
