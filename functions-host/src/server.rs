//! A running server: assembly, start and stop.

mod indexes;
pub mod invoker;
mod limits;
pub(crate) mod operator;
pub mod services;
pub(crate) mod shared_store;

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use docstore::access::Mode;
use docstore::{Error, Result};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

use crate::backup::{BackupNumbers, LogOrder, Order, Runner, keep_backing_up, keep_copying, resolved};
use crate::emulator;
use crate::emulator::console::{self, Console};
use crate::emulator::faults::{self, Faults};
use crate::emulator::hub::{Exported, Hub, LocatorFile};
use crate::functions::callable::{Callables, Function};
use crate::functions::events::{self, Events, Guard};
use crate::functions::node::{Functions, NodeServer};
use crate::host::addresses::Addresses;
use crate::host::clock;
use crate::host::config::{MAIL_SERVER, Service};
use crate::host::control::{self, Control};
use crate::host::data_dir::DataDir;
use crate::host::health;
use crate::host::lifecycle::{self, CUT, DRAIN, Lifecycle, Phase, STREAMS, StopSignals, Stopper};
use crate::host::listeners::{self, Listener};
use crate::host::machine::handles;
use crate::host::metrics::{MailCollector, Metrics, Readers};
use crate::host::settings::{Data, ServerArgs, Settings};
use crate::host::tls::Tls;
use crate::hosting::{self, Sites};
use crate::schema::opening::Older;
use crate::server::invoker::Invoker;
use crate::server::operator::OperatorState;
use crate::server::services::Services;
use crate::table::sockets::{self, Sockets};
use crate::transfer::{self, Moved};

/// `tuckbox serve`: runs until a signal stops it.
///
/// # Errors
/// The settings are invalid, a port or the data folder is not available, or the data cannot be opened or closed.
pub async fn serve(args: &ServerArgs) -> Result<()> {
    serve_with(args, Vec::new()).await
}

/// Like [`serve`], with functions in addition to the product's own.
///
/// # Errors
/// Also if two functions have the same name.
pub async fn serve_with(args: &ServerArgs, own: Vec<Function>) -> Result<()> {
    let mut signals = StopSignals::catch()?;
    let settings = Settings::new(args, Mode::Serving)?;
    let server = tokio::select! {
        started = Server::start_with(&settings, own) => started?,
        signal = signals.next() => {
            // An upgrade of the documents is commits, each of which leaves less to do: the next start goes on.
            tracing::info!(signal, "stopped before the server was ready: the next start goes on from here");
            return Ok(());
        }
    };
    announce(server.url())?;
    let signal = signals.next().await;
    tracing::info!(signal, "stopping");
    signals.unless_again(server.stop()).await
}

/// Prints the single line on stdout that scripts wait for.
fn announce(url: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "Tuckbox is ready: {url}")
        .and_then(|()| stdout.flush())
        .map_err(|error| Error::internal("NoStdout", "cannot write the ready line to stdout", error))
}

/// A server that accepts requests.
#[derive(Debug)]
pub struct Server {
    addresses: Arc<Addresses>,
    url: String,
    services: Services,
    node: Option<Arc<NodeServer>>,
    events: Option<Arc<Events>>,
    maintenance: JoinHandle<()>,
    orders: Orders,
    _locator: Option<LocatorFile>,
    stopper: Stopper,
    _data_dir: Option<DataDir>,
}

impl Server {
    /// Opens the ports, then the data folder, and starts to accept.
    ///
    /// # Errors
    /// What is not available, and what to do about it.
    pub async fn start(settings: &Settings) -> Result<Self> {
        Self::start_with(settings, Vec::new()).await
    }

    /// Like [`Server::start`], with functions in addition to the product's own.
    ///
    /// # Errors
    /// Also if two functions have the same name.
    pub async fn start_with(settings: &Settings, own: Vec<Function>) -> Result<Self> {
        if own.is_empty() {
            settings.check_targets()?;
        }
        let tls = settings.tls.clone().map(Tls::load).transpose()?;
        let listeners = listeners::bind(&settings.endpoints).await?;
        let addresses = Arc::new(addresses(&listeners)?);
        let data_dir = match &settings.data {
            Data::Memory => None,
            Data::Folder(path) => Some(DataDir::take(path)?),
        };
        let own_url = if tls.is_some() { addresses.encrypted_url() } else { addresses.url() };
        let url = settings.public_url.clone().unwrap_or_else(|| own_url.clone());
        let older = Older::upgrade(settings, data_dir.as_ref());
        let services = Services::open(settings, data_dir.as_ref(), &url, &older).await?;
        let (stopper, lifecycle) = lifecycle::lifecycle();
        if let Some(folder) = &settings.import {
            let parts = services.parts()?;
            let import = transfer::import(&parts, &settings.project, folder);
            let moved = services.importing(settings, import).await?;
            tracing::info!("imported from {}: {moved}", folder.display());
        }
        let hub = Hub::new(Arc::clone(&addresses), settings.mode);
        let node = NodeServer::load(settings, &addresses, services.clock(), services.operator())
            .await?
            .map(Arc::new);
        let emulator = settings.mode == Mode::Emulator;
        let allow = settings.config.firebase.tuckbox.metrics.allow.clone();
        let readers = Readers::new(settings.mode, allow, |name| std::env::var(name).ok());
        let backups = services.backups(settings, data_dir.as_ref());
        let numbers = backups.clone().map(|backups| Box::new(BackupNumbers(backups)) as _);
        let mails = Box::new(MailCollector(services.mails().cloned())) as _;
        let metrics = Metrics::new(services.store(), numbers.into_iter().chain([mails]));
        if let Some(node) = &node {
            // In serving mode the blocking functions' caller cannot be authenticated.
            let asked = settings.mode == Mode::Emulator;
            let (accounts, at) = (services.accounts().clone(), addresses.of(Service::Functions));
            let listed = Arc::downgrade(node);
            let register: Arc<dyn Fn() + Send + Sync> = Arc::new(move || {
                if let Some(node) = listed.upgrade().filter(|_| asked) {
                    accounts.set_blocking_functions(node.blocking(at));
                }
            });
            register();
            node.follow(&register);
        }
        let events = events(settings, &services, node.as_ref(), &metrics).await?;
        let parts = services.parts()?;
        let data = Exported { parts: parts.clone(), project: settings.project.clone() };
        let hub = hub.with_events(events.clone()).with_data(data);
        let guard = (settings.mode == Mode::Serving)
            .then(|| Guard::new(services.authenticator(), settings.project.clone()));
        let guarded = |router| guard.iter().fold(router, |router, guard| guard.over(router));
        let alone = || if emulator { events::router_without_functions() } else { Router::new() };
        let more = events.clone().map(events::router).map_or_else(alone, guarded);
        let live_tables = services.live_tables(settings, &metrics, &addresses.url());
        let callables =
            Arc::new(services.callables(settings, &addresses.url(), &live_tables, backups.as_ref(), own)?);
        let more = more.merge(console(settings, &services, &callables, node.as_ref()));
        let sites = Sites::new(settings, &addresses, &callables, node.as_ref(), services.history())?;
        if let Some(warning) = clock::warning(services.store().newest(), services.clock().now()) {
            tracing::warn!("{warning}");
        }
        let store = services.store().clone();
        let faults = emulator.then(Arc::<Faults>::default);
        let set_by_tests = [
            services.adjustable_clock().cloned().map(emulator::clock::router),
            faults.clone().map(faults::router),
        ];
        let routes = set_by_tests
            .into_iter()
            .flatten()
            .fold(parts.routes, Router::merge)
            .merge(more)
            .merge(sockets::router(Sockets {
                live: live_tables.clone(),
                authenticator: services.authenticator(),
                project: settings.project.clone(),
            }))
            .merge(health::router(lifecycle.clone(), store))
            .merge(if emulator { hub.clone().router() } else { Router::new() })
            .merge(metrics.clone().router(readers))
            .fallback_service(sites.router());
        let invoker = Invoker::new(settings, callables, hub.clone(), metrics, routes, services.clock())
            .with_node(node.clone())
            .with_topics(events.clone().map(events::topics).map(guarded))
            .with_requests(services.requests().cloned())
            .with_faults(faults)
            .with_shares(services.shares());
        let invoker = Arc::new(invoker);
        let has_hub = settings.mode == Mode::Emulator && addresses.own(Service::Hub).is_some();
        let locator = has_hub
            .then(|| LocatorFile::write(&hub, &settings.project, &std::env::temp_dir()))
            .transpose()?;
        log_start(settings, &listeners, &addresses);
        spawn(listeners, tls.as_ref(), &invoker, &lifecycle);
        let maintenance = services.maintenance(&live_tables);
        let stopping = watch::Sender::new(());
        let control = data_dir.as_ref().and_then(|folder| {
            let (accounts, stopping) = (services.accounts().clone(), stopping.subscribe());
            let backups = backups.clone();
            listen_for_orders(folder, OperatorState { accounts, backups, stopping })
        });
        let scheduled = schedule(settings, backups);
        let (_locator, _data_dir) = (locator, data_dir);
        let followed = tls.as_ref().map(Tls::follow);
        let orders = Orders {
            _control: control,
            _stopping: stopping,
            tasks: scheduled.into_iter().chain(followed).collect(),
        };
        Ok(Self {
            addresses,
            url: own_url,
            services,
            node,
            events,
            maintenance,
            orders,
            _locator,
            stopper,
            _data_dir,
        })
    }

    /// URL of the application for a browser on this machine.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Addresses of the services.
    pub fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    /// Writes all data to a folder, as [`crate::transfer`] describes.
    ///
    /// # Errors
    /// The folder contains something else or cannot be written.
    pub(crate) async fn export(&self, project: &str, folder: &Path) -> Result<Moved> {
        transfer::export(&self.services.parts()?, project, folder, None).await
    }

    /// Stops accepting, lets requests finish, closes the data.
    ///
    /// # Errors
    /// The data could not be closed.
    pub async fn stop(self) -> Result<()> {
        let steps = [(Phase::Draining, STREAMS), (Phase::Ending, DRAIN), (Phase::Cut, CUT)];
        for (phase, allowed) in steps {
            self.stopper.go(phase);
            if tokio::time::timeout(allowed, self.stopper.everybody_left()).await.is_ok() {
                break;
            }
            tracing::debug!(?phase, "connections are still open");
        }
        if let Some(events) = &self.events {
            events.stop();
        }
        if let Some(node) = &self.node {
            node.stop();
        }
        self.maintenance.abort();
        drop(self.orders);
        let closed = self.services.close().await;
        tracing::info!("stopped");
        closed
    }
}

/// The operator's socket, backups and the look at the certificate; dropping the value ends them.
#[derive(Debug)]
struct Orders {
    _control: Option<Control>,
    _stopping: watch::Sender<()>,
    tasks: Vec<JoinHandle<()>>,
}

impl Drop for Orders {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// The operator's socket. A server without one goes on, and its commands need it stopped.
fn listen_for_orders(folder: &DataDir, state: OperatorState) -> Option<Control> {
    let listening = control::serve(folder.path(), operator::router(state));
    let warned = |error: &std::io::Error| {
        tracing::warn!(%error, "there is no socket in the data folder: backups and changes of accounts need the server stopped");
    };
    listening.inspect_err(warned).ok()
}

/// Regular backups in serving mode, and the warning when there are none.
fn schedule(settings: &Settings, backups: Option<Arc<Runner>>) -> Vec<JoinHandle<()>> {
    let Some(backups) = backups.filter(|_| settings.mode == Mode::Serving) else { return Vec::new() };
    let scheduled = settings.config.firebase.tuckbox.backup.as_ref().map(|section| {
        let folder = resolved(&section.folder, &settings.config.root);
        let key = section.key_file.as_ref().map(|key| settings.config.root.join(key));
        let log_to = section.log_to.as_ref().map(|log_to| resolved(log_to, &settings.config.root));
        let log = log_to.map(|to| LogOrder { folder: to, backups: folder.clone(), key: key.clone() });
        (section.times, Order { folder, keep: section.keep, key }, log)
    });
    let (scheduled, log) = scheduled.map_or((None, None), |(times, order, log)| (Some((times, order)), log));
    let copying = log
        .map(|order| keep_copying(backups.source().clone(), Arc::clone(backups.log()), order))
        .map(tokio::spawn);
    // Two tasks: a fault of one does not end the other.
    std::iter::once(tokio::spawn(keep_backing_up(backups, scheduled))).chain(copying).collect()
}

fn addresses(listeners: &[Listener]) -> Result<Addresses> {
    let mut all = listeners.iter().map(|listener| (listener.service, listener.address));
    let (_, hosting) = all.next().ok_or_else(|| Error::invalid("NoPort", "there is no port to listen on"))?;
    Ok(Addresses::new(hosting, all))
}

/// Events, if there are functions for them.
async fn events(
    settings: &Settings,
    services: &Services,
    node: Option<&Arc<NodeServer>>,
    metrics: &Metrics,
) -> Result<Option<Arc<Events>>> {
    let Some(node) = node else { return Ok(None) };
    let events = Events::start(
        services.store(),
        &settings.project,
        services.clock(),
        Arc::new(Functions(Arc::clone(node))),
        metrics.events().clone(),
    );
    Ok(Some(Arc::new(events.await?)))
}

/// The console's own API, in emulator mode.
fn console(
    settings: &Settings,
    services: &Services,
    callables: &Arc<Callables>,
    node: Option<&Arc<NodeServer>>,
) -> Router {
    let Some(requests) = services.requests() else { return Router::new() };
    console::router(Console {
        project: settings.project.clone(),
        store: services.store().clone(),
        rules: Arc::clone(services.rules()),
        files: services.files().clone(),
        file_rules: Arc::clone(services.file_rules()),
        callables: Arc::clone(callables),
        node: node.cloned(),
        requests: Arc::clone(requests),
    })
}

fn spawn(listeners: Vec<Listener>, tls: Option<&Tls>, invoker: &Arc<Invoker>, lifecycle: &Lifecycle) {
    let connections = Arc::new(Semaphore::new(handles::connections(handles::limit())));
    for listener in listeners {
        tokio::spawn(listeners::serve(
            listener,
            tls.cloned(),
            Arc::clone(invoker),
            Arc::clone(&connections),
            lifecycle.clone(),
        ));
    }
}

/// Logs advice for servers behind a proxy.
fn log_proxies(settings: &Settings) {
    let (proxies, mode) = (&settings.trusted_proxies, settings.mode);
    if !proxies.is_empty() {
        tracing::info!(%proxies, "callers' addresses are taken from these proxies' headers");
    }
    let https = settings.public_url.as_deref().is_some_and(|url| url.starts_with("https:"));
    if mode == Mode::Serving && https && settings.tls.is_none() && proxies.is_empty() {
        tracing::warn!(
            "the public URL is https, so a proxy stands in front, and --trusted-proxies does not name it: all callers share the limits of one address"
        );
    }
    let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let open = settings.config.firebase.tuckbox.metrics.allow.contains(loopback);
    if mode == Mode::Serving && open && !proxies.contains(loopback) {
        tracing::warn!(
            "tuckbox.metrics.allow lists this machine: a proxy on it that --trusted-proxies does not name shows /metrics to everybody"
        );
    }
}

fn log_start(settings: &Settings, listeners: &[Listener], addresses: &Addresses) {
    let config =
        settings.config.file.as_ref().map_or_else(|| "none".to_owned(), |file| file.display().to_string());
    let data = match &settings.data {
        Data::Memory => "memory".to_owned(),
        Data::Folder(path) => path.display().to_string(),
    };
    tracing::info!(project = settings.project, mode = settings.mode.name(), data, config, "serving");
    for line in settings.lacking() {
        tracing::warn!("{line}");
    }
    for (listener, endpoint) in listeners.iter().zip(&settings.endpoints) {
        if ![0, listener.address.port()].contains(&endpoint.port) {
            let (key, port) = (endpoint.service.key(), listener.address.port());
            tracing::warn!(
                "port {} ({key}) is taken by another program: {key} is on port {port} instead",
                endpoint.port
            );
        }
    }
    for listener in listeners {
        let (service, address) = (listener.service.key(), listener.address);
        let site = settings.sites.get(listener.site.0).filter(|_| listener.service == Service::Hosting);
        match site.and_then(|site| site.name()) {
            Some(site) => tracing::info!(service, site, %address, "listening"),
            None => tracing::info!(service, %address, "listening"),
        }
    }
    log_proxies(settings);
    if settings.mode == Mode::Serving && settings.config.firebase.tuckbox.mail.is_none() {
        if std::env::var(MAIL_SERVER).is_ok_and(|url| !url.is_empty()) {
            tracing::warn!(
                "{MAIL_SERVER} is set, but nothing is sent: firebase.json names no sender, such as {{\"tuckbox\": {{\"mail\": {{\"from\": \"Cards <cards@example.com>\"}}}}}}"
            );
        }
        match &settings.data {
            Data::Folder(_) => {
                tracing::info!("no mail server is configured: `tuckbox outbox` shows what would be sent");
            }
            Data::Memory => tracing::warn!(
                "no mail server is configured and data is kept in memory: links to verify addresses and to reset passwords are lost"
            ),
        }
    }
    if settings.mode == Mode::Emulator
        && let Some(address) = hosting::console_address(settings, addresses)
    {
        tracing::info!("the console is at http://{address}/console/");
    }
    if settings.mode == Mode::Emulator
        && settings.endpoints.iter().any(crate::host::settings::Endpoint::is_public)
    {
        tracing::warn!(
            "emulator mode trusts every caller, and a port is open to other machines: anybody who reaches it may read and change all data"
        );
    }
}
