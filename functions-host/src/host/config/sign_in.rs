//! The section `tuckbox.signIn`: further identity providers.

use auth_emu::providers::ProviderOptions;
use docstore::access::Mode;
use docstore::{Code, Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Ways to sign in besides e-mail and password.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object such as {\"providers\": […]}")]
pub struct SignIn {
    /// Identity providers with OpenID Connect. Default: none.
    #[serde(default)]
    pub providers: Vec<Provider>,
    /// Hosts besides the server's own, without scheme and port, whose pages may sign users in and may be targets of links
    /// in mails. Default: none.
    #[serde(default)]
    pub authorized_domains: Vec<String>,
    /// People who may make an account in serving mode: everybody (`open`), those with an address that somebody has
    /// invited to a project (`invitation`), or nobody (`closed`). It holds for every way to sign up. Default: `open`.
    #[serde(default)]
    pub sign_up: SignUp,
    /// True if anonymous accounts are allowed. Each such account counts as a caller of its own, with all the shares of a
    /// caller. Default: `false` in serving mode, `true` in emulator mode.
    pub anonymous: Option<bool>,
}

/// People who may make an account.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SignUp {
    /// Everybody.
    #[default]
    Open,
    /// People with an address that somebody has invited to a project.
    Invitation,
    /// Nobody.
    Closed,
}

/// An OpenID Connect provider.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Provider {
    /// `google.com`, or `oidc.` and a name.
    pub id: String,
    /// Its name on the sign-in page.
    pub name: String,
    /// Its issuer, a URL below which it publishes `.well-known/openid-configuration`.
    pub issuer: String,
    /// Client id that it gave this server.
    pub client_id: String,
    /// Name of the environment variable with the client secret. Default: none; the provider gave no secret.
    pub client_secret_env: Option<String>,
}

impl SignIn {
    /// People who may make an account in this mode.
    pub fn sign_up(&self, mode: Mode) -> SignUp {
        if mode == Mode::Emulator { SignUp::Open } else { self.sign_up }
    }

    /// True if anonymous accounts are allowed.
    pub fn allows_anonymous(&self, mode: Mode) -> bool {
        self.anonymous.unwrap_or(mode == Mode::Emulator)
    }

    /// The providers with their secrets.
    ///
    /// # Errors
    /// The environment variable of a provider is not set.
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
    /// One that is not exactly a host name or address.
    pub fn hosts(&self) -> Result<Vec<String>> {
        let plain = |host: &String| {
            !host.contains('*') && url::Host::parse(host).is_ok_and(|parsed| parsed.to_string() == *host)
        };
        match self.authorized_domains.iter().find(|host| !plain(host)) {
            None => Ok(self.authorized_domains.clone()),
            Some(host) => {
                let message = format!(
                    "tuckbox.signIn.authorizedDomains: \"{host}\" must be a host in lower case, such as \
                     cards.example, without scheme, port and path"
                );
                Err(Error::new(Code::FailedPrecondition, "BadDomain", message))
            }
        }
    }

    /// Ids and names for pages. In emulator mode users of Google are simulated, so it always works.
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
