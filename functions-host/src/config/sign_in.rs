//! The section `tuckbox.signIn`: other providers that people may sign in with.

use auth_emu::providers::ProviderOptions;
use docstore::{Code, Error, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::settings::Mode;

/// Ways to sign in beside e-mail and password.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object such as {\"providers\": […]}")]
pub struct SignIn {
    /// OpenID Connect providers.
    #[serde(default)]
    pub providers: Vec<Provider>,
    /// Hosts beside the server's own whose pages may sign people in and to which links in mails may lead on.
    #[serde(default)]
    pub authorized_domains: Vec<String>,
    /// Whether people may be signed in without saying who they are: unless given, in emulator mode alone. Each such account
    /// is a caller of its own, with all that callers may have.
    pub anonymous: Option<bool>,
}

/// An OpenID Connect provider.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Provider {
    /// `google.com`, or `oidc.` and a name.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Its issuer URL.
    pub issuer: String,
    /// What it calls this server.
    pub client_id: String,
    /// The environment variable that holds the secret it shares with this server: a file that is shared must not.
    pub client_secret_env: Option<String>,
}

impl SignIn {
    /// Whether people may be signed in without saying who they are.
    pub fn allows_anonymous(&self, mode: Mode) -> bool {
        self.anonymous.unwrap_or(mode == Mode::Emulator)
    }

    /// The providers with their secrets.
    ///
    /// # Errors
    /// A variable that a provider names is not set.
    pub fn options(&self, variable: impl Fn(&str) -> Option<String>) -> Result<Vec<ProviderOptions>> {
        let with_secret = |provider: &Provider| {
            let secret = provider.client_secret_env.as_deref().map(|name| {
                variable(name).filter(|secret| !secret.is_empty()).ok_or_else(|| {
                    let id = &provider.id;
                    let message = format!("tuckbox.signIn: set {name} to the client secret of {id}");
                    Error::new(Code::FailedPrecondition, "NoClientSecret", message)
                })
            });
            Ok(ProviderOptions {
                id: provider.id.clone(),
                name: provider.name.clone(),
                issuer: provider.issuer.clone(),
                client_id: provider.client_id.clone(),
                client_secret: secret.transpose()?,
            })
        };
        self.providers.iter().map(with_secret).collect()
    }

    /// The further hosts, all of them plain.
    ///
    /// # Errors
    /// One that is more, or less, than a host's name or address.
    pub fn hosts(&self) -> Result<Vec<String>> {
        let plain = |host: &String| {
            !host.contains('*') && url::Host::parse(host).is_ok_and(|parsed| parsed.to_string() == *host)
        };
        match self.authorized_domains.iter().find(|host| !plain(host)) {
            None => Ok(self.authorized_domains.clone()),
            Some(host) => {
                let message = format!(
                    "tuckbox.signIn.authorizedDomains: \"{host}\" must be a host in small letters, such as \
                     cards.example, without scheme, port and path"
                );
                Err(Error::new(Code::FailedPrecondition, "BadDomain", message))
            }
        }
    }

    /// What pages are told: ids and names. In emulator mode people are made up, so that Google always works.
    pub fn shown(&self, mode: Mode) -> Value {
        let mut shown: Vec<Value> = self
            .providers
            .iter()
            .map(|provider| json!({ "id": provider.id, "name": provider.name }))
            .collect();
        if mode == Mode::Emulator && !self.providers.iter().any(|provider| provider.id == "google.com") {
            shown.push(json!({ "id": "google.com", "name": "Google" }));
        }
        shown.into()
    }
}
