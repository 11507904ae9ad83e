//! Claims an identity provider makes about a person.

use serde_json::{Value, json};
use url::Url;

use super::configs;
use super::provider;
use crate::call::Call;
use crate::error::{ApiError, Result, ensure, require};
use crate::operations::{filled, without_nulls};
use crate::providers::AssertedIdentity;
use crate::tokens::{Claims, decode_unverified};
use crate::validate;
use crate::wire::IdpRequest;

/// A person at a provider.
#[derive(Debug)]
pub(crate) struct Identity {
    pub(crate) provider: String,
    pub(crate) raw_id: String,
    pub(crate) email: Option<String>,
    pub(crate) email_verified: bool,
    pub(crate) display_name: Option<String>,
    pub(crate) photo_url: Option<String>,
    pub(crate) screen_name: Option<String>,
    pub(crate) id_token: Option<String>,
    pub(crate) access_token: String,
    /// Attributes asserted by a SAML provider.
    pub(crate) attributes: Option<Value>,
    /// The reply so far.
    pub(crate) reply: Value,
}

/// Reads the credential of a request. Emulator mode takes it unverified; serving mode asks the provider.
///
/// # Errors
/// `INVALID_IDP_RESPONSE : …` and variants of it; `OPERATION_NOT_ALLOWED` for a provider that serving mode does not
/// know.
pub(crate) async fn identify(call: &Call, request: &IdpRequest) -> Result<Identity> {
    let uri = credential_uri(request)?;
    let find = |name: &str| {
        let found = uri.query_pairs().find(|(key, value)| key == name && !value.is_empty());
        found.map(|(_, value)| value.into_owned())
    };
    if !call.state.is_emulator() {
        let session = filled(request.session_id.as_ref());
        let (provider, asserted) = provider::verify(call, session, find).await?;
        return Ok(verified(provider, asserted));
    }
    let provider = find("providerId").map(|provider| provider.to_lowercase()).ok_or_else(|| {
        ApiError::bad(format!("INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: {uri}"))
    })?;
    configs::enabled(call, &provider).await?;
    let (id_token, access_token) = (find("id_token"), find("access_token"));
    let claims = match claims_of(id_token.as_deref())? {
        Some(claims) => claims,
        None => match claims_of(access_token.as_deref())? {
            Some(claims) => claims,
            None => return Err(unusable(&provider, id_token.as_deref(), access_token.as_deref())),
        },
    };
    let saml = find("SAMLResponse").map(|text| assertion_of(&text)).transpose()?;
    let attributes = saml.as_ref().and_then(|saml| saml.pointer("/assertion/attributeStatements")).cloned();
    let mut identity = unverified(provider, &claims, saml.as_ref(), attributes);
    identity.access_token =
        access_token.unwrap_or_else(|| format!("FirebaseAuthEmulatorFakeAccessToken_{}", identity.provider));
    identity.reply["oauthAccessToken"] = json!(identity.access_token);
    if let Some(token) = id_token {
        identity.reply["oauthIdToken"] = json!(token);
        identity.id_token = Some(token);
    }
    Ok(identity)
}

/// An identity verified by its provider.
fn verified(provider: String, asserted: AssertedIdentity) -> Identity {
    let AssertedIdentity { mut claims, id_token, access_token } = asserted;
    // Some providers send it as text; any value but true counts as not verified.
    let is_true =
        claims.get("email_verified").is_some_and(|said| *said == json!(true) || *said == json!("true"));
    claims.insert("email_verified".to_owned(), json!(is_true));
    let mut identity = unverified(provider, &claims, None, None);
    identity.reply["oauthIdToken"] = json!(id_token);
    identity.id_token = Some(id_token);
    if let Some(token) = access_token {
        identity.reply["oauthAccessToken"] = json!(token);
        identity.access_token = token;
    }
    identity
}

/// The request URI with the members of body and fragment in its query, later ones replacing earlier ones.
fn credential_uri(request: &IdpRequest) -> Result<Url> {
    let text = require(filled(request.request_uri.as_ref()), "MISSING_REQUEST_URI")?;
    let mut uri = Url::parse(text).map_err(|_| ApiError::bad("INVALID_REQUEST_URI"))?;
    let fragment = uri.fragment().unwrap_or_default().to_owned();
    let body = request.post_body.as_deref().unwrap_or_default();
    let mut pairs: Vec<(String, String)> = Vec::new();
    let sources = [uri.query().unwrap_or_default(), body, &fragment];
    for (name, value) in sources.iter().flat_map(|source| url::form_urlencoded::parse(source.as_bytes())) {
        pairs.retain(|(known, _)| *known != name);
        pairs.push((name.into_owned(), value.into_owned()));
    }
    uri.query_pairs_mut().clear().extend_pairs(pairs);
    uri.set_fragment(None);
    Ok(uri)
}

/// Claims from a JSON text or from any JSON Web Token; nothing is verified.
fn claims_of(token: Option<&str>) -> Result<Option<Claims>> {
    let Some(token) = token else { return Ok(None) };
    let claims = if token.starts_with('{') {
        Some(serde_json::from_str::<Claims>(token).map_err(|_| {
            ApiError::bad(format!(
                "INVALID_IDP_RESPONSE : Unable to parse id_token: {token} ((Auth Emulator failed to parse fake id_token as strict JSON.))"
            ))
        })?)
    } else {
        decode_unverified(token).map(|(_, claims)| claims)
    };
    let Some(claims) = claims else { return Ok(None) };
    match claims.get("sub") {
        Some(Value::String(sub)) if !sub.is_empty() => Ok(Some(claims)),
        None | Some(Value::Null | Value::String(_)) => Err(ApiError::bad(
            "INVALID_IDP_RESPONSE : Invalid Idp Response: id_token missing required fields. ((Missing \"sub\" field. This field is required and must be a unique identifier.))",
        )),
        Some(_) => Err(ApiError::bad("INVALID_IDP_RESPONSE : ((The \"sub\" field must be a string.))")),
    }
}

fn unusable(provider: &str, id_token: Option<&str>, access_token: Option<&str>) -> ApiError {
    match (id_token, access_token) {
        (Some(token), _) => ApiError::bad(format!(
            "INVALID_IDP_RESPONSE : Unable to parse id_token: {token} ((Auth Emulator only accepts strict JSON or JWTs as fake id_tokens.))"
        )),
        (None, Some(_)) if provider == "google.com" || provider == "apple.com" => {
            ApiError::not_implemented(format!(
                "Emulator mode only supports sign-in with {provider} using id_token, not access_token. Please use id_token."
            ))
        }
        (None, Some(_)) => ApiError::not_implemented(format!(
            "Emulator mode does not support {provider} sign-in with credentials."
        )),
        (None, None) => ApiError::not_implemented(
            "Emulator mode only supports sign-in with credentials (id_token required).",
        ),
    }
}

fn assertion_of(text: &str) -> Result<Value> {
    let saml: Value = serde_json::from_str(text)
        .map_err(|_| ApiError::bad("INVALID_IDP_RESPONSE ((SAMLResponse must be a JSON object.))"))?;
    let present =
        |pointer: &str| saml.pointer(pointer).is_some_and(|member| !member.is_null() && member != "");
    ensure(present("/assertion"), "INVALID_IDP_RESPONSE ((Missing assertion in SAMLResponse.))")?;
    ensure(
        present("/assertion/subject"),
        "INVALID_IDP_RESPONSE ((Missing assertion.subject in SAMLResponse.))",
    )?;
    let missing = "INVALID_IDP_RESPONSE ((Missing assertion.subject.nameId in SAMLResponse.))";
    ensure(present("/assertion/subject/nameId"), missing)?;
    Ok(saml)
}

/// An identity from claims, without verification.
fn unverified(
    provider: String,
    claims: &Claims,
    saml: Option<&Value>,
    attributes: Option<Value>,
) -> Identity {
    let text = |name: &str| claims.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
    let raw_id = text("sub").unwrap_or_default();
    let mut email = text("email").and_then(|email| validate::email(&email).ok());
    let mut email_verified = match claims.get("email_verified") {
        Some(Value::Bool(verified)) => *verified,
        Some(Value::String(verified)) => !verified.is_empty(),
        _ => false,
    };
    let (display_name, photo_url) = (text("name"), text("picture"));
    let mut federated_id = raw_id.clone();
    let mut more = json!({});
    if provider == "google.com" {
        federated_id = format!("https://accounts.google.com/{raw_id}");
        let email_scope =
            if email.is_some() { " https://www.googleapis.com/auth/userinfo.email" } else { "" };
        let user_info = without_nulls(json!({
            "granted_scopes": format!("openid https://www.googleapis.com/auth/userinfo.profile{email_scope}"),
            "id": raw_id, "name": display_name, "given_name": text("given_name"),
            "family_name": text("family_name"), "verified_email": email_verified, "locale": "en",
            "email": email, "picture": photo_url,
        }));
        more = json!({
            "firstName": text("given_name"), "lastName": text("family_name"), "rawUserInfo": user_info.to_string(),
        });
    } else if provider.starts_with("saml.") {
        let name_id = saml.and_then(|saml| saml.pointer("/assertion/subject/nameId")).and_then(Value::as_str);
        if let Some((name, canonical)) = name_id.and_then(|name| Some((name, validate::email(name).ok()?))) {
            more["email"] = json!(name);
            email = Some(canonical);
        }
        email_verified = true;
        more["rawUserInfo"] = json!(attributes.as_ref().map(ToString::to_string));
    } else {
        more["rawUserInfo"] = json!(Value::Object(claims.clone()).to_string());
    }
    let reply = json!({
        "kind": "identitytoolkit#VerifyAssertionResponse", "context": "", "providerId": provider,
        "displayName": display_name, "fullName": display_name, "screenName": text("screen_name"),
        "email": email, "emailVerified": email_verified, "photoUrl": photo_url, "federatedId": federated_id,
    });
    Identity {
        provider,
        raw_id,
        email,
        email_verified,
        display_name,
        photo_url,
        screen_name: text("screen_name"),
        id_token: None,
        access_token: String::new(),
        attributes,
        reply: without_nulls(crate::operations::with_members(reply, more)),
    }
}
