//! Settings of projects and tenants.

use docstore::model::{Precondition, Write};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::AuthState;
use crate::accounts::{Directory, Outcome, contended, set};
use crate::error::{ApiError, Result};

/// A project's settings, as its `config` endpoint shows them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ProjectConfig {
    pub(crate) sign_in: SignInConfig,
    pub(crate) blocking_functions: Value,
    pub(crate) email_privacy_config: EmailPrivacyConfig,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SignInConfig {
    /// Several accounts may have one address, one for each provider.
    pub(crate) allow_duplicate_emails: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct EmailPrivacyConfig {
    /// Replies do not reveal whether an address has an account.
    pub(crate) enable_improved_email_privacy: bool,
}

impl Default for ProjectConfig {
    fn default() -> Self {
        Self {
            sign_in: SignInConfig::default(),
            blocking_functions: json!({}),
            email_privacy_config: EmailPrivacyConfig::default(),
        }
    }
}

impl ProjectConfig {
    /// Default settings of a project: serving mode hides which addresses have accounts.
    fn initial(state: &AuthState) -> Self {
        let mut config = Self::default();
        config.email_privacy_config.enable_improved_email_privacy = !state.is_emulator();
        config
    }

    /// A project's settings.
    pub(crate) async fn load(state: &AuthState, directory: &Directory) -> Result<Self> {
        let stored = directory.record(&directory.path("config", "project")?).await?;
        Ok(stored.map_or_else(|| Self::initial(state), |(config, _)| config))
    }

    /// Stores the settings.
    pub(crate) async fn store(&self, directory: &Directory) -> Result<()> {
        let write = Write {
            path: directory.path("config", "project")?,
            op: set(self)?,
            precondition: Precondition::None,
        };
        match directory.commit(vec![write]).await? {
            Outcome::Done => Ok(()),
            Outcome::Conflict => Err(contended()),
        }
    }
}

/// Sign-in methods open in a project or tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Allowed {
    pub(crate) allow_password_signup: bool,
    pub(crate) enable_email_link_signin: bool,
    pub(crate) enable_anonymous_user: bool,
    pub(crate) disable_auth: bool,
    pub(crate) mfa_config: MfaConfig,
}

impl Default for Allowed {
    fn default() -> Self {
        Self {
            allow_password_signup: false,
            enable_email_link_signin: false,
            enable_anonymous_user: false,
            disable_auth: false,
            mfa_config: MfaConfig { state: "DISABLED".to_owned(), ..MfaConfig::default() },
        }
    }
}

impl Allowed {
    /// Everything open: a project, or an emulator's tenant without a configuration.
    pub(crate) fn everything() -> Self {
        Self {
            allow_password_signup: true,
            enable_email_link_signin: true,
            enable_anonymous_user: true,
            disable_auth: false,
            mfa_config: MfaConfig {
                state: "ENABLED".to_owned(),
                enabled_providers: vec!["PHONE_SMS".to_owned()],
                provider_configs: Vec::new(),
            },
        }
    }
}

/// Settings for second factors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct MfaConfig {
    /// `DISABLED`, `ENABLED` or `MANDATORY`.
    pub(crate) state: String,
    pub(crate) enabled_providers: Vec<String>,
    /// Authenticator app settings: stored and returned, not acted on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) provider_configs: Vec<Value>,
}

impl MfaConfig {
    /// True if accounts with a second factor must show it.
    pub(crate) fn is_on(&self) -> bool {
        self.state == "ENABLED" || self.state == "MANDATORY"
    }

    /// True if codes sent to phones count as a second factor.
    pub(crate) fn allows_phone(&self) -> bool {
        self.is_on() && self.enabled_providers.iter().any(|provider| provider == "PHONE_SMS")
    }
}

/// A tenant, as its endpoints show it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Tenant {
    /// `projects/{project}/tenants/{tenant}`
    pub(crate) name: String,
    pub(crate) tenant_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) display_name: Option<String>,
    #[serde(flatten)]
    pub(crate) allowed: Allowed,
    #[serde(flatten)]
    pub(crate) further: Further,
}

/// Other tenant settings an administrator may set. They are stored and returned unchanged; only the privacy of
/// addresses is acted on, since this server has no reCAPTCHA, sends no text messages, and has a single password policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Further {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) email_privacy_config: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) password_policy_config: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recaptcha_config: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sms_region_config: Option<Value>,
}

impl Further {
    /// True if replies in the tenant do not reveal which addresses have accounts.
    fn hides_emails(&self) -> bool {
        let privacy = self.email_privacy_config.as_ref();
        privacy.and_then(|privacy| privacy.get("enableImprovedEmailPrivacy")) == Some(&Value::Bool(true))
    }
}

/// Settings read by the operations of one project or tenant.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) project: ProjectConfig,
    pub(crate) allowed: Allowed,
}

impl Settings {
    /// The settings of a project or of one of its tenants. In emulator mode a tenant is created when it is first used.
    ///
    /// # Errors
    /// `TENANT_NOT_FOUND` in serving mode.
    pub(crate) async fn load(state: &AuthState, project: &str, tenant: Option<&str>) -> Result<Self> {
        let root = state.directory(project, None);
        let mut config = ProjectConfig::load(state, &root).await?;
        let Some(tenant) = tenant else {
            let mut allowed = Allowed::everything();
            allowed.enable_anonymous_user = state.0.anonymous;
            if !state.is_emulator() {
                // This server cannot deliver text messages; authenticator apps need no delivery.
                allowed.mfa_config.enabled_providers.clear();
            }
            return Ok(Self { project: config, allowed });
        };
        let path = root.path("tenants", tenant)?;
        if let Some((found, _)) = root.record::<Tenant>(&path).await? {
            config.email_privacy_config.enable_improved_email_privacy |= found.further.hides_emails();
            return Ok(Self { project: config, allowed: found.allowed });
        }
        if !state.is_emulator() {
            return Err(ApiError::bad("TENANT_NOT_FOUND"));
        }
        let created = Tenant {
            name: format!("projects/{project}/tenants/{tenant}"),
            tenant_id: tenant.to_owned(),
            display_name: None,
            allowed: Allowed::everything(),
            further: Further::default(),
        };
        let write = Write { path, op: set(&created)?, precondition: Precondition::Exists(false) };
        // On a conflict another request has created the same tenant meanwhile.
        root.commit(vec![write]).await?;
        Ok(Self { project: config, allowed: created.allowed })
    }

    /// One account for each address, whatever the provider.
    pub(crate) const fn one_account_per_email(&self) -> bool {
        !self.project.sign_in.allow_duplicate_emails
    }

    /// Replies do not reveal whether an address has an account.
    pub(crate) const fn hides_emails(&self) -> bool {
        self.project.email_privacy_config.enable_improved_email_privacy
    }
}

/// Copies the members that `mask` (comma-separated paths such as `signIn.allowDuplicateEmails`) names from
/// `update` to `target`. Members that `update` lacks are left as they are.
pub(crate) fn apply_mask(mask: &str, target: &mut Value, update: &Value) {
    for path in mask.split(',').map(str::trim).filter(|path| !path.is_empty()) {
        let pointer = format!("/{}", path.replace('.', "/"));
        let Some(value) = update.pointer(&pointer).filter(|value| !value.is_null()) else {
            tracing::debug!(path, "the update mask names a member that the update lacks");
            continue;
        };
        let mut place = &mut *target;
        for name in path.split('.') {
            if !place.is_object() {
                *place = Value::Object(Map::new());
            }
            place = &mut place[name];
        }
        *place = value.clone();
    }
}
