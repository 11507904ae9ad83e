//! `oauthIdpConfigs`, `inboundSamlConfigs` and `defaultSupportedIdpConfigs`: identity providers configured by an
//! administrator for a project or tenant. Only emulator mode has administrators on the wire, and its providers are
//! simulated: the one effect of a configuration is that a provider that is not enabled signs nobody in.

use docstore::model::{Precondition, Write};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;

use crate::accounts::{Outcome, contended, delete as delete_document, document_id, record_of, set};
use crate::call::Call;
use crate::config::apply_mask;
use crate::error::{ApiError, Result, ensure};

/// Largest page size of a listing, and the default.
const MAX_PAGE: u32 = 100;
/// The longest id of a provider, in characters.
const MAX_ID: usize = 128;
/// Collections by the prefix of their providers' ids.
const COLLECTIONS: [(&str, &str); 2] = [("oidc.", "oauthIdpConfigs"), ("saml.", "inboundSamlConfigs")];
/// The collection of all other providers.
const KNOWN: &str = "defaultSupportedIdpConfigs";

/// One provider in the form of its endpoints; each kind has its own members.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct IdpConfig {
    /// `projects/{project}[/tenants/{tenant}]/{collection}/{id}`
    name: String,
    enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issuer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_type: Option<ResponseType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idp_config: Option<SamlProvider>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sp_config: Option<SamlService>,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ResponseType {
    id_token: bool,
    code: bool,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct SamlProvider {
    idp_entity_id: String,
    sso_url: String,
    sign_request: bool,
    idp_certificates: Vec<Certificate>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct SamlService {
    sp_entity_id: String,
    callback_uri: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Certificate {
    x509_certificate: String,
}

/// `POST …/{collection}?{collection without its s}Id=…`, or `?idpId=…`.
pub(crate) async fn create(call: Call, request: Value) -> Result<Value> {
    let collection = call.collection()?;
    let names = [collection.trim_end_matches('s').to_owned() + "Id", "idpId".to_owned()];
    let id = names.iter().find_map(|name| call.query.get(name)).filter(|id| !id.is_empty());
    let id = id.ok_or_else(|| ApiError::bad("MISSING_CONFIG_ID"))?.clone();
    let mut config: IdpConfig = serde_json::from_value(request).map_err(ApiError::payload)?;
    config.name = name_of(&call, &collection, &id);
    config.check(&id, &collection)?;
    let outcome = store(&call, &collection, &id, &config, Precondition::Exists(false)).await?;
    ensure(matches!(outcome, Outcome::Done), "DUPLICATE_CONFIG_ID")?;
    shown(&config)
}

/// `GET …/{collection}/{id}`
pub(crate) async fn get(call: Call, _request: Value) -> Result<Value> {
    let (collection, id) = (call.collection()?, call.config_id()?);
    shown(&load(&call, &collection, &id).await?)
}

/// `PATCH …/{collection}/{id}?updateMask=…`
pub(crate) async fn update(call: Call, request: Value) -> Result<Value> {
    let (collection, id) = (call.collection()?, call.config_id()?);
    let before = load(&call, &collection, &id).await?;
    let mut target = shown(&before)?;
    match call.query.get("updateMask").filter(|mask| !mask.is_empty()) {
        Some(mask) => apply_mask(mask, &mut target, &request),
        None => target = request,
    }
    let mut config: IdpConfig = serde_json::from_value(target).map_err(ApiError::payload)?;
    config.name = before.name;
    config.check(&id, &collection)?;
    match store(&call, &collection, &id, &config, Precondition::Exists(true)).await? {
        Outcome::Done => shown(&config),
        Outcome::Conflict => Err(contended()),
    }
}

/// `DELETE …/{collection}/{id}`
pub(crate) async fn delete(call: Call, _request: Value) -> Result<Value> {
    let (collection, id) = (call.collection()?, call.config_id()?);
    load(&call, &collection, &id).await?;
    call.directory.commit(vec![delete_document(call.directory.path(&collection, &id)?)]).await?;
    Ok(json!({}))
}

/// `GET …/{collection}`
pub(crate) async fn list(call: Call, _request: Value) -> Result<Value> {
    let collection = call.collection()?;
    let asked = call.query.get("pageSize").and_then(|text| text.parse::<u32>().ok()).unwrap_or_default();
    let size = if asked == 0 { MAX_PAGE } else { asked.min(MAX_PAGE) };
    let place = call.directory.collection(&collection)?;
    let token = call.query.get("pageToken").filter(|token| !token.is_empty());
    let after = token.map(|token| place.doc(&document_id(token))).transpose()?;
    let documents = call.directory.documents(&place, after, size).await?;
    let configs = documents.iter().map(|document| record_of::<IdpConfig>(&document.fields));
    let configs = configs.collect::<Result<Vec<_>>>()?;
    let full = u32::try_from(configs.len()).is_ok_and(|count| count == size);
    let mut reply = json!({});
    if let Some((_, last)) = configs.last().filter(|_| full).and_then(|config| config.name.rsplit_once('/')) {
        reply["nextPageToken"] = json!(last);
    }
    reply[&collection] = serde_json::to_value(configs).map_err(ApiError::internal)?;
    Ok(reply)
}

/// Fails for a provider that an administrator has set up and not enabled.
///
/// # Errors
/// `OPERATION_NOT_ALLOWED : …`
pub(crate) async fn enabled(call: &Call, provider: &str) -> Result<()> {
    let kind = COLLECTIONS.iter().find(|(prefix, _)| provider.starts_with(prefix));
    let collection = kind.map_or(KNOWN, |(_, collection)| collection);
    let found = call.directory.record::<IdpConfig>(&call.directory.path(collection, provider)?).await?;
    let enabled = found.is_none_or(|(config, _)| config.enabled);
    ensure(enabled, "OPERATION_NOT_ALLOWED : The identity provider configuration is disabled.")
}

impl IdpConfig {
    fn check(&self, id: &str, collection: &str) -> Result<()> {
        let prefix = COLLECTIONS.iter().find(|(_, name)| *name == collection).map(|(prefix, _)| *prefix);
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let rest = id.strip_prefix(prefix.unwrap_or_default()).unwrap_or_default();
        let fits = !rest.is_empty() && id.len() <= MAX_ID && id.bytes().all(plain);
        let ours = prefix.is_some() || !COLLECTIONS.iter().any(|(prefix, _)| id.starts_with(prefix));
        ensure(fits && ours, "INVALID_CONFIG_ID")?;
        let present = |member: &Option<String>| member.as_deref().is_some_and(|text| !text.is_empty());
        match collection {
            "oauthIdpConfigs" => {
                ensure(present(&self.client_id), "MISSING_OAUTH_CLIENT_ID")?;
                ensure(present(&self.issuer), "MISSING_ISSUER")?;
                ensure(
                    is_url(self.issuer.as_deref().unwrap_or_default()),
                    "INVALID_CONFIG : issuer must be a URL",
                )?;
                let code = self.response_type.is_some_and(|kind| kind.code);
                ensure(!code || present(&self.client_secret), "MISSING_OAUTH_CLIENT_SECRET")?;
                let both = self.response_type.is_some_and(|kind| kind.code == kind.id_token);
                ensure(!both, "INVALID_CONFIG : responseType must be either idToken or code")
            }
            "inboundSamlConfigs" => {
                let idp = self.idp_config.as_ref().ok_or_else(|| ApiError::bad("MISSING_CONFIG"))?;
                ensure(!idp.idp_entity_id.is_empty(), "INVALID_CONFIG : idpConfig.idpEntityId is missing")?;
                ensure(is_url(&idp.sso_url), "INVALID_CONFIG : idpConfig.ssoUrl must be a URL")?;
                ensure(
                    !idp.idp_certificates.is_empty(),
                    "INVALID_CONFIG : idpConfig.idpCertificates is missing",
                )?;
                let service = self.sp_config.as_ref().filter(|service| !service.sp_entity_id.is_empty());
                ensure(service.is_some(), "MISSING_SAML_RELYING_PARTY_CONFIG")?;
                let back = service.map(|service| service.callback_uri.as_str()).unwrap_or_default();
                ensure(is_url(back), "INVALID_CONFIG : spConfig.callbackUri must be a URL")
            }
            _ => ensure(present(&self.client_id), "MISSING_OAUTH_CLIENT_ID"),
        }
    }
}

impl Call {
    /// The collection that the path names.
    fn collection(&self) -> Result<String> {
        let mut segments = self.path.split('/');
        let found = segments.find(|part| *part == KNOWN || COLLECTIONS.iter().any(|(_, name)| name == part));
        found.map(ToOwned::to_owned).ok_or_else(|| ApiError::not_found("Not Found"))
    }

    fn config_id(&self) -> Result<String> {
        let id = self.path.rsplit('/').next().filter(|id| !id.is_empty());
        id.map(ToOwned::to_owned).ok_or_else(|| ApiError::bad("MISSING_CONFIG_ID"))
    }
}

fn is_url(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

fn name_of(call: &Call, collection: &str, id: &str) -> String {
    let tenant = call.tenant.as_ref().map(|tenant| format!("/tenants/{tenant}")).unwrap_or_default();
    format!("projects/{}{tenant}/{collection}/{id}", call.project)
}

async fn load(call: &Call, collection: &str, id: &str) -> Result<IdpConfig> {
    let found = call.directory.record(&call.directory.path(collection, id)?).await?;
    found.map(|(config, _)| config).ok_or_else(|| ApiError::bad("CONFIGURATION_NOT_FOUND"))
}

async fn store(
    call: &Call,
    collection: &str,
    id: &str,
    config: &IdpConfig,
    precondition: Precondition,
) -> Result<Outcome> {
    let write = Write { path: call.directory.path(collection, id)?, op: set(config)?, precondition };
    call.directory.commit(vec![write]).await
}

fn shown(config: &IdpConfig) -> Result<Value> {
    serde_json::to_value(config).map_err(ApiError::internal)
}
