//! The services behind the router: documents, accounts and files, over one store.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use auth_emu::entropy::SystemEntropy;
use auth_emu::mail::{MailQueue, Mailer};
use auth_emu::{AuthOptions, AuthState, KeySource, OperatorToken, SignUps};
use axum::Router;
use docstore::access::{Authenticator, CommitHook, Mode, SecurityRules};
use docstore::clock::{AdjustableClock, SharedClock, SystemClock};
use docstore::model::DatabaseId;
use docstore::shares::{LocalShares, Shares};
use docstore::{EngineOptions, Error, Result, Store, StoreOptions};
use docstore_wire::{Ids, WireState};
use storage_emu::{BlobOptions, RulesAccess, StorageOptions, StorageState};
use tokio::task::JoinHandle;

use crate::backup::{Runner, Source};
use crate::emulator::request_log::RequestLog;
use crate::functions::callable::{Callables, Function};
use crate::functions::identity::Identity;
use crate::host::config::{Service, SignUp};
use crate::host::data_dir::{DataDir, KEYS, mail_queue_file, outbox_file};
use crate::host::metrics::Metrics;
use crate::host::settings::{Data, Settings};
use crate::policies;
use crate::product::checkout::{self, Payments, StripeCheckout};
use crate::product::first_admin::FirstAdmin;
use crate::product::members::{OfferParts, Offers};
use crate::product::pack_cards::CardPacker;
use crate::product::plans::{Hooks, PlanQuotas, Plans};
use crate::product::tables::{people, samples};
use crate::product::versions::Versions;
use crate::product::{self, Needs, members};
use crate::schema::opening::{self, Older};
use crate::schema::{Schema, history};
use crate::server::limits::{counts_documents, rate_hook, room_hook};
use crate::server::{indexes, shared_store};
use crate::table::{Dependencies, LiveTables, SLEEP_AFTER};
use crate::transfer::Parts;

/// Folder of the documents in the data folder.
const DOCUMENTS: &str = "documents";

/// Folder of files' contents in the data folder.
const FILES: &str = "files";

/// Folder of the copies of built-in programs in the data folder. They are made anew when they are missing.
const PROGRAMS: &str = "programs";

/// Folder of the copies of built-in programs.
fn programs(settings: &Settings) -> PathBuf {
    match &settings.data {
        Data::Folder(folder) => folder.join(PROGRAMS),
        Data::Memory => std::env::temp_dir(),
    }
}

/// Folder of the documents in a data folder, which need not be taken.
pub(crate) fn documents_folder(data: &Path) -> PathBuf {
    data.join(DOCUMENTS)
}

/// The documents' store: in a shared database, in the data folder, or in memory.
///
/// # Errors
/// Those of a shared database.
pub(crate) async fn store_options(
    settings: &Settings,
    data_dir: Option<&DataDir>,
    clock: SharedClock,
) -> Result<StoreOptions> {
    let engine = match (data_dir, &settings.store) {
        (None, _) => EngineOptions::Memory,
        (Some(folder), Some(address)) => {
            shared_store::engine(address, settings, folder, Arc::clone(&clock)).await?
        }
        (Some(folder), None) => {
            let (dir, copy) = (documents_folder(folder.path()), shared_store::copy_folder(folder.path()));
            if copy.exists() && !dir.exists() {
                return Err(shared_store::left_out(folder.path()));
            }
            EngineOptions::Disk { dir, view: settings.config.firebase.tuckbox.documents.view.0 }
        }
    };
    let limits = settings.config.firebase.tuckbox.documents.limits(settings.mode);
    Ok(StoreOptions { engine, clock, limits })
}

/// The queue of mails in the data folder, before `mailer`.
async fn mail_queue(
    mailer: Arc<dyn Mailer>,
    data_dir: Option<&DataDir>,
    clock: &SharedClock,
) -> Result<MailQueue> {
    let (file, clock) = (data_dir.map(|folder| mail_queue_file(folder.path())), Arc::clone(clock));
    let opened = tokio::task::spawn_blocking(move || MailQueue::open(mailer, file, clock)).await;
    opened.map_err(|error| Error::internal("MailQueueTask", "the queue of mails could not be read", error))?
}

/// People who may make an account.
fn sign_ups(settings: &Settings, store: &Store, clock: &SharedClock) -> SignUps {
    match settings.config.firebase.tuckbox.sign_in.sign_up(settings.mode) {
        SignUp::Open => SignUps::Open,
        SignUp::Closed => SignUps::Closed,
        SignUp::Invitation => {
            let database = store.database(&DatabaseId::default_of(&settings.project));
            SignUps::ByInvitation(Arc::new(members::Admitted { database, clock: Arc::clone(clock) }))
        }
    }
}

/// Store of the files' contents: the S3 bucket of the settings, in a data folder, which need not be taken, or in memory.
pub(crate) fn blob_options(settings: &Settings, data: Option<&Path>) -> BlobOptions {
    match (&settings.config.firebase.tuckbox.files.s3, data) {
        (Some(s3), _) => BlobOptions::S3(s3.options()),
        (None, Some(data)) => BlobOptions::Folder(data.join(FILES)),
        (None, None) => BlobOptions::Memory,
    }
}

/// Documents, accounts and files.
#[derive(Debug, Clone)]
pub struct Services {
    store: Store,
    accounts: AuthState,
    files: StorageState,
    plans: Plans,
    first_admin: FirstAdmin,
    /// Everybody may make an account.
    takes_all: bool,
    payments: Option<Payments>,
    mailer: Option<Arc<dyn Mailer>>,
    /// The limits on what accounts may have; `None` if nothing is limited.
    room: Option<Arc<dyn CommitHook>>,
    /// The mailer's queue.
    mails: Option<MailQueue>,
    url: String,
    rules: Arc<SecurityRules>,
    file_rules: Arc<RulesAccess>,
    clock: SharedClock,
    adjustable: Option<Arc<AdjustableClock>>,
    requests: Arc<RequestLog>,
    operator: Option<OperatorToken>,
    shares: Arc<dyn Shares>,
    mode: Mode,
    /// True if the bytes of accounts' documents are limited.
    counts_documents: bool,
    versions: Arc<Versions>,
    history: Option<String>,
}

impl Services {
    /// Opens the store and its services. `url` is the public URL of the application, for links in mails; `older` says what
    /// is done about documents of an older version.
    ///
    /// # Errors
    /// The data is damaged, cannot be read or has another version, or a setting is invalid.
    pub(crate) async fn open(
        settings: &Settings,
        data_dir: Option<&DataDir>,
        url: &str,
        older: &Older,
    ) -> Result<Self> {
        let keys = data_dir.map_or(KeySource::InMemory, |folder| KeySource::Dir(folder.path().join(KEYS)));
        let blobs = blob_options(settings, data_dir.map(DataDir::path));
        let files = &settings.config.firebase.tuckbox.files;
        let adjustable = (settings.mode == Mode::Emulator).then(|| Arc::new(AdjustableClock::default()));
        let clock =
            adjustable.clone().map_or_else(|| Arc::new(SystemClock) as _, |clock| clock as SharedClock);
        let requests = Arc::new(RequestLog::new(Arc::clone(&clock)));
        let told = (settings.mode == Mode::Emulator).then_some(&requests);
        let rules = policies::documents(settings, told.map(RequestLog::denials))?;
        let options = store_options(settings, data_dir, Arc::clone(&clock)).await?;
        let store = opening::open(options, &settings.project, older).await?;
        if settings.wants(Service::Firestore) {
            indexes::declare(&store, &settings.config, &settings.project).await?;
        }
        store.set_access(rules.clone());
        let providers = settings.config.firebase.tuckbox.sign_in.options(|name| std::env::var(name).ok())?;
        let operator = settings.serves_functions().then(|| OperatorToken::new(&SystemEntropy));
        let mail = settings.config.firebase.tuckbox.mail.as_ref();
        let mailer = mail.map(|mail| mail.mailer(|name| std::env::var(name).ok())).transpose()?;
        let mails = match mailer {
            Some(mailer) => Some(mail_queue(mailer, data_dir, &clock).await?),
            None => None,
        };
        let mailer = mails.clone().map(|mails| Arc::new(mails) as Arc<dyn Mailer>);
        let options = AuthOptions {
            clock: Arc::clone(&clock),
            operator: operator.clone(),
            keys,
            api_key: settings.api_key(),
            providers,
            anonymous: settings.config.firebase.tuckbox.sign_in.allows_anonymous(settings.mode),
            sign_ups: sign_ups(settings, &store, &clock),
            authorized_domains: settings.config.firebase.tuckbox.sign_in.hosts()?,
            mailer: mailer.clone(),
            outbox: data_dir.map(|folder| outbox_file(folder.path())),
            ..AuthOptions::new(store.clone(), &settings.project, settings.mode, url)
        };
        let accounts = AuthState::new(options).await?;
        let section = &settings.config.firebase.tuckbox.plans;
        let plans = Plans::new(&store, &settings.project, &section.offered);
        let room = room_hook(settings, &plans, &clock);
        let hooks = [rate_hook(settings, &plans, &clock), room.clone()];
        if let Some(hook) = Hooks::of(hooks.into_iter().flatten()) {
            store.set_commit_hook(hook);
        }
        let payments = match &section.stripe {
            Some(stripe) => {
                let provider = Arc::new(StripeCheckout::new(stripe, |name| std::env::var(name).ok())?);
                Some(Payments::new(provider, plans.clone(), accounts.clone(), Arc::clone(&clock)))
            }
            None => None,
        };
        let file_rules = policies::files(settings, &store, told.map(RequestLog::file_denials))?;
        let usual = files.limits.over(storage_emu::Limits::of(settings.mode));
        let files = StorageState::new(StorageOptions {
            store: store.clone(),
            project: settings.project.clone(),
            mode: settings.mode,
            clock: Arc::clone(&clock),
            blobs,
            authenticator: Arc::new(accounts.clone()),
            access: Arc::clone(&file_rules) as _,
            limits: usual,
            active_svg: files.active_svg,
            quotas: Some(Arc::new(PlanQuotas::new(plans.clone(), usual))),
        })?;
        let url = url.trim_end_matches('/').to_owned();
        let database = store.database(&DatabaseId::default_of(&settings.project));
        let versions =
            Arc::new(Versions::new(&store, database, &files, Arc::new(SystemEntropy), room.clone()));
        let history = history::identity(&store, &settings.project, &SystemEntropy).await;
        let first_admin = FirstAdmin::new(&accounts, Arc::clone(&clock), Arc::new(SystemEntropy));
        Ok(Self {
            store,
            accounts,
            files,
            plans,
            first_admin,
            takes_all: settings.config.firebase.tuckbox.sign_in.sign_up(settings.mode) == SignUp::Open,
            payments,
            mailer,
            room,
            mails,
            url,
            rules,
            file_rules,
            clock,
            adjustable,
            requests,
            operator,
            shares: Arc::new(LocalShares::default()),
            mode: settings.mode,
            counts_documents: counts_documents(settings),
            versions,
            history,
        })
    }

    /// Identity of the documents' history.
    pub(crate) fn history(&self) -> Option<&str> {
        self.history.as_deref()
    }

    /// The playtest tables. `local_url` is this server's URL from the same machine.
    pub(crate) fn live_tables(&self, settings: &Settings, metrics: &Metrics, local_url: &str) -> LiveTables {
        let database = self.store.database(&DatabaseId::default_of(&settings.project));
        let packer = CardPacker::new(database, local_url, programs(settings));
        LiveTables::new(Dependencies {
            store: &self.store,
            project: &settings.project,
            clock: self.clock(),
            entropy: Arc::new(SystemEntropy),
            numbers: metrics.tables().clone(),
            standings: members::standings,
            idle_limit: SLEEP_AFTER,
            packer: Arc::new(packer),
        })
    }

    /// The maker of backups of the data folder; `None` for a server in memory or on a shared store.
    pub(crate) fn backups(&self, settings: &Settings, data_dir: Option<&DataDir>) -> Option<Arc<Runner>> {
        if settings.store.is_some() {
            return None;
        }
        let data = data_dir?.path();
        let source = Source {
            store: self.store.clone(),
            blobs: self.files.contents().clone(),
            data: data.to_owned(),
            project: settings.project.clone(),
            clock: self.clock(),
        };
        Some(Arc::new(Runner::new(source, self.files.clone(), &documents_folder(data))))
    }

    /// Offers of projects to their members.
    fn offers(&self, live_tables: &LiveTables) -> Offers {
        Offers::new(OfferParts {
            store: &self.store,
            accounts: &self.accounts,
            files: &self.files,
            plans: &self.plans,
            live: live_tables,
            mailer: self.mailer.as_ref(),
            url: &self.url,
            room: self.room.as_ref(),
        })
    }

    /// The product's functions and `own` ones. `local_url` is this server's URL from the same machine.
    ///
    /// # Errors
    /// Two functions have the same name.
    pub(crate) fn callables(
        &self,
        settings: &Settings,
        local_url: &str,
        live_tables: &LiveTables,
        backups: Option<&Arc<Runner>>,
        own: Vec<Function>,
    ) -> Result<Callables> {
        let programs = programs(settings);
        let mut registry = product::registry(&Needs {
            store: &self.store,
            accounts: &self.accounts,
            files: &self.files,
            tables: &settings.config.firebase.tuckbox.tables,
            plans: &self.plans,
            versions: &self.versions,
            payments: self.payments.as_ref(),
            offers: &self.offers(live_tables),
            shares: &self.shares,
            live_tables,
            first_admin: &self.first_admin,
            backups,
            url: &self.url,
            local_url,
            programs: &programs,
        })?;
        for function in own {
            registry.register(function)?;
        }
        let identity = Identity::new(self.authenticator(), settings.project.clone(), settings.mode);
        Ok(Callables::new(registry, Arc::new(identity), settings.project.clone()))
    }

    /// All routes, by absolute path.
    ///
    /// # Errors
    /// A built-in part is invalid.
    pub fn router(&self) -> Result<Router> {
        let documents = docstore_wire::router(WireState {
            store: self.store.clone(),
            authenticator: self.authenticator(),
            mode: self.mode,
            ids: Ids::from_system(),
        })?;
        let rules = match self.mode {
            Mode::Serving => Router::new(),
            Mode::Emulator => policies::router(self.rules.clone()),
        };
        let payments = self.payments.clone().map(checkout::router).unwrap_or_default();
        Ok(documents
            .merge(rules)
            .merge(payments)
            .merge(auth_emu::router(self.accounts.clone()))
            .merge(storage_emu::router(self.files.clone())))
    }

    /// Deletes unreferenced files, the accounts of absent guests and opened versions that nobody looks at periodically,
    /// counts documents, sends mails, ends offers of projects, and looks for an admin once, until the task is aborted.
    pub(crate) fn maintenance(&self, live_tables: &LiveTables) -> JoinHandle<()> {
        let (files, accounts, live) = (self.files.clone(), self.accounts.clone(), live_tables.clone());
        let sizes = self.counts_documents.then(|| self.plans.sizes().clone());
        let versions = Arc::clone(&self.versions);
        let (mails, offers) = (self.mails.clone(), self.offers(live_tables));
        let first = (self.mode == Mode::Serving).then(|| (self.first_admin.clone(), self.url.clone()));
        let takes_all = self.takes_all;
        tokio::spawn(async move {
            tokio::join!(
                files.maintain(),
                async {
                    if let Some(sizes) = sizes {
                        sizes.keep_counted().await;
                    }
                },
                versions.keep_closing(),
                offers.keep_swept(),
                async {
                    if let Some(mails) = mails {
                        mails.run().await;
                    }
                },
                async {
                    if let Some((first, url)) = first {
                        first.offer(&url, takes_all).await;
                    }
                },
                people::keep_guests_swept(&accounts, &live),
                samples::keep_forgetting(&accounts, &live)
            );
        })
    }

    /// Runs an import, and upgrades what it brings; what comes to another application's documents stays as it is.
    ///
    /// # Errors
    /// Those of both.
    pub(crate) async fn importing<T>(
        &self,
        settings: &Settings,
        import: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let schema = Schema::new(&self.store, &settings.project)?;
        if settings.is_other_application() && !schema.is_marked().await? {
            return import.await;
        }
        schema.importing(import).await
    }

    /// The services that exports read and imports write.
    ///
    /// # Errors
    /// The same as of [`Self::router`].
    pub(crate) fn parts(&self) -> Result<Parts> {
        Ok(Parts { store: self.store.clone(), clock: self.clock(), routes: self.router()? })
    }

    /// Mails on their way; `None` if no mail is sent.
    pub(crate) const fn mails(&self) -> Option<&MailQueue> {
        self.mails.as_ref()
    }

    /// The documents.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// The rules for documents.
    pub(crate) const fn rules(&self) -> &Arc<SecurityRules> {
        &self.rules
    }

    /// The files.
    pub(crate) const fn files(&self) -> &StorageState {
        &self.files
    }

    /// The rules for files.
    pub(crate) const fn file_rules(&self) -> &Arc<RulesAccess> {
        &self.file_rules
    }

    /// The request log, in emulator mode.
    pub(crate) fn requests(&self) -> Option<&Arc<RequestLog>> {
        Some(&self.requests).filter(|_| self.mode == Mode::Emulator)
    }

    /// Fair shares per caller; `None` if nobody is limited.
    pub(crate) fn shares(&self) -> Option<Arc<dyn Shares>> {
        (self.mode == Mode::Serving).then(|| Arc::clone(&self.shares))
    }

    /// The source of time.
    pub fn clock(&self) -> SharedClock {
        Arc::clone(&self.clock)
    }

    /// The same clock for tests to set, in emulator mode.
    pub(crate) const fn adjustable_clock(&self) -> Option<&Arc<AdjustableClock>> {
        self.adjustable.as_ref()
    }

    /// The accounts.
    pub const fn accounts(&self) -> &AuthState {
        &self.accounts
    }

    /// Credential of users' functions for documents and files, in serving mode.
    pub(crate) const fn operator(&self) -> Option<&OperatorToken> {
        self.operator.as_ref()
    }

    /// The authenticator of callers.
    pub(crate) fn authenticator(&self) -> Arc<dyn Authenticator> {
        Arc::new(self.accounts.clone())
    }

    /// Finishes pending work and flushes.
    ///
    /// # Errors
    /// The last flush failed.
    pub async fn close(&self) -> Result<()> {
        self.store.close().await
    }
}
