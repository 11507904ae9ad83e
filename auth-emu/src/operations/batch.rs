//! Accounts by the thousand: `accounts:batchCreate`, `accounts:batchGet`, `accounts:batchDelete`.

use std::collections::HashSet;

use docstore::model::Direction;
use serde::Deserialize;
use serde_json::{Value, json};

use super::filled;
use crate::accounts::{
    Account, Found, Key, MAX_ATTEMPTS, MfaEnrollment, Outcome, PASSWORD, PHONE, ProviderUserInfo, View,
    contended,
};
use crate::call::Call;
use crate::encoding::time::millis;
use crate::entropy;
use crate::error::{ApiError, Result, ensure, require};
use crate::operations::sign_up::LOCAL_ID_LENGTH;
use crate::passwords::HashOptions;
use crate::validate;
use crate::wire::{BatchDeleteRequest, Text};

/// Accounts one request may delete.
const MAX_DELETE: usize = 1_000;
/// Largest page size of a listing.
const MAX_PAGE: i64 = 1_000;
/// Page size if the request names none.
const DEFAULT_PAGE: i64 = 20;

/// `accounts:batchCreate`
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct UploadRequest {
    allow_overwrite: bool,
    sanity_check: bool,
    #[serde(flatten)]
    hash: HashOptions,
    users: Vec<Upload>,
}

/// An account to be imported.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Upload {
    local_id: Option<Text>,
    email: Option<Text>,
    email_verified: Option<bool>,
    display_name: Option<Text>,
    photo_url: Option<Text>,
    phone_number: Option<Text>,
    password_hash: Option<Text>,
    raw_password: Option<Text>,
    salt: Option<Text>,
    custom_attributes: Option<Text>,
    provider_user_info: Option<Vec<ProviderUserInfo>>,
    mfa_info: Option<Vec<MfaEnrollment>>,
    disabled: Option<bool>,
    created_at: Option<Text>,
    last_login_at: Option<Text>,
    tenant_id: Option<Text>,
}

pub(crate) async fn create(call: Call, request: UploadRequest) -> Result<Value> {
    call.enabled()?;
    ensure(!request.users.is_empty(), "MISSING_USER_ACCOUNT")?;
    check_whole(&call, &request)?;
    request.hash.checked()?;
    let mut errors = Vec::new();
    for (index, upload) in request.users.iter().enumerate() {
        if let Err(error) = import(&call, &request, upload).await {
            if error.http() != http::StatusCode::BAD_REQUEST {
                return Err(error);
            }
            let message = match error.code() {
                "INVALID_CLAIMS" => "Invalid custom claims provided.",
                "CLAIMS_TOO_LARGE" => "Custom claims provided are too large.",
                "FORBIDDEN_CLAIM" => "Custom claims provided include a reserved claim.",
                _ => error.message(),
            };
            errors.push(json!({ "index": index, "message": message }));
        }
    }
    Ok(json!({ "kind": "identitytoolkit#UploadAccountResponse", "error": errors }))
}

/// Checks the uploaded accounts against each other.
fn check_whole(call: &Call, request: &UploadRequest) -> Result<()> {
    if request.sanity_check {
        let mut emails = HashSet::new();
        for email in request.users.iter().filter_map(|upload| filled(upload.email.as_ref())) {
            if call.settings.one_account_per_email() && !emails.insert(email) {
                return Err(ApiError::bad(format!("DUPLICATE_EMAIL : {email}")));
            }
        }
        let mut identities = HashSet::new();
        for info in request.users.iter().flat_map(|upload| upload.provider_user_info.iter().flatten()) {
            if !identities.insert((&info.provider_id, &info.raw_id)) {
                let (provider, raw_id) = (&info.provider_id, &info.raw_id);
                return Err(ApiError::bad(format!(
                    "DUPLICATE_RAW_ID : Provider id({provider}), Raw id({raw_id})"
                )));
            }
        }
    }
    if !request.allow_overwrite {
        let mut ids = HashSet::new();
        for upload in &request.users {
            let id = upload.local_id.as_deref().unwrap_or_default();
            if !ids.insert(id) {
                return Err(ApiError::bad(format!("DUPLICATE_LOCAL_ID : {id}")));
            }
        }
    }
    Ok(())
}

async fn import(call: &Call, request: &UploadRequest, upload: &Upload) -> Result<()> {
    let mut account = read(call, request, upload).await?;
    account.settle();
    for key in Key::all_of(&account) {
        let other = call.directory.by_key(&key).await?;
        let other = other.filter(|other| other.account.local_id != account.local_id);
        if other.is_some() {
            let checked = request.sanity_check && call.settings.one_account_per_email();
            return Err(ApiError::bad(match &key {
                Key::Email(_) if checked => "email exists in other account in database".to_owned(),
                Key::Email(email) => format!("((Importing duplicate email is not supported: {email}))"),
                Key::Phone(_) => "phone number exists in other account in database".to_owned(),
                Key::Federated { .. } => "raw id exists in other account in database".to_owned(),
                Key::Passkey(_) => "passkey exists in other account in database".to_owned(),
            }));
        }
    }
    for _ in 0..MAX_ATTEMPTS {
        match call.directory.by_id(&account.local_id).await? {
            None => return call.directory.create(&account, Vec::new()).await,
            Some(found) => {
                let message = "localId belongs to an existing account - can not overwrite.";
                ensure(request.allow_overwrite, message)?;
                if overwrite(call, &found, &account).await? == Outcome::Done {
                    return Ok(());
                }
            }
        }
    }
    Err(contended())
}

async fn overwrite(call: &Call, found: &Found, account: &Account) -> Result<Outcome> {
    let sessions = call.end_sessions(&account.local_id).await?;
    call.directory.replace(found, account, sessions).await
}

async fn read(call: &Call, request: &UploadRequest, upload: &Upload) -> Result<Account> {
    let text = |member: &Option<Text>| filled(member.as_ref()).map(ToOwned::to_owned);
    let mut account = call.new_account(require(text(&upload.local_id), "localId is missing")?);
    validate::local_id(&account.local_id)?;
    let tenant = text(&upload.tenant_id);
    let message = "Tenant id in userInfo does not match the tenant id in request.";
    ensure(tenant.is_none() || tenant == call.tenant, message)?;
    account.display_name = text(&upload.display_name);
    account.photo_url = text(&upload.photo_url);
    account.last_login_at = text(&upload.last_login_at).or_else(|| Some(millis(call.now).to_string()));
    if let Some(hash) = text(&upload.password_hash) {
        account.password_hash = Some(hash);
        account.salt = text(&upload.salt);
        account.imported_hash = request.hash.checked()?.cloned();
        account.password_updated_at = Some(millis(call.now));
    } else if let Some(password) = text(&upload.raw_password) {
        account.password_hash = Some(call.state.0.passwords.hash_as_is(&password).await?);
        account.password_updated_at = Some(millis(call.now));
    }
    if let Some(claims) = text(&upload.custom_attributes) {
        validate::serialized_claims(&claims)?;
        account.custom_attributes = Some(claims);
    }
    if let Some(infos) = &upload.provider_user_info {
        account.provider_user_info = Some(provider_infos(infos)?);
    }
    if let Some(phone) = text(&upload.phone_number) {
        ensure(validate::is_phone(&phone), "phone number format is invalid")?;
        account.phone_number = Some(phone);
    }
    account.revoke_before(call.now);
    if let Some(created) = text(&upload.created_at).filter(|text| text.parse::<f64>().is_ok()) {
        account.created_at = Some(created);
    }
    if let Some(email) = text(&upload.email) {
        account.email = Some(validate::email(&email).map_err(|_| ApiError::bad("email is invalid"))?);
    }
    account.set_email_verified(upload.email_verified.unwrap_or(false));
    account.disabled = Some(upload.disabled.unwrap_or(false));
    if let Some(factors) = upload.mfa_info.as_deref().filter(|factors| !factors.is_empty()) {
        ensure(account.email.is_some(), "Second factor account requires email to be presented.")?;
        ensure(account.is_email_verified(), "Second factor account requires email to be verified.")?;
        account.mfa_info = Some(enrollments(call, factors)?);
    }
    Ok(account)
}

fn provider_infos(infos: &[ProviderUserInfo]) -> Result<Vec<ProviderUserInfo>> {
    let mut kept = Vec::new();
    for info in infos.iter().filter(|info| info.provider_id != PASSWORD && info.provider_id != PHONE) {
        if info.raw_id.is_empty() || info.provider_id.is_empty() {
            ensure(info.federated_id.is_some(), "federatedId or (providerId & rawId) is required")?;
            return Err(ApiError::bad(
                "((Parsing federatedId is not implemented in Auth Emulator; please specify providerId AND rawId as a workaround.))",
            ));
        }
        kept.push(info.clone());
    }
    Ok(kept)
}

fn enrollments(call: &Call, factors: &[MfaEnrollment]) -> Result<Vec<MfaEnrollment>> {
    let mut ids = HashSet::new();
    let given = factors.iter().filter_map(|factor| factor.mfa_enrollment_id.as_ref());
    for id in given.filter(|id| !id.is_empty()) {
        ensure(ids.insert(id), "Enrollment id already exists.")?;
    }
    let read = |factor: &MfaEnrollment| {
        let phone = require(factor.phone_info.clone(), "Second factor not supported.")?;
        ensure(validate::is_phone(&phone), "Phone number format is invalid")?;
        let id = factor.mfa_enrollment_id.clone().filter(|id| !id.is_empty());
        Ok(MfaEnrollment {
            mfa_enrollment_id: id
                .or_else(|| Some(entropy::alphanumeric(&*call.state.0.entropy, LOCAL_ID_LENGTH))),
            display_name: factor.display_name.clone(),
            phone_info: Some(phone.clone()),
            unobfuscated_phone_info: Some(phone),
            enrolled_at: factor.enrolled_at.clone().or_else(|| Some(call.now.rfc3339_millis())),
            ..MfaEnrollment::default()
        })
    };
    factors.iter().map(read).collect()
}

pub(crate) async fn get(call: Call, _request: Value) -> Result<Value> {
    call.enabled()?;
    let asked = call.query.get("maxResults").and_then(|text| text.parse::<f64>().ok());
    #[expect(clippy::cast_possible_truncation, reason = "a page's size; nonsense becomes the default")]
    let asked = asked.map_or(0, |asked| asked.floor() as i64);
    let size = if asked == 0 { DEFAULT_PAGE } else { asked.min(MAX_PAGE) };
    let limit = u32::try_from(size).unwrap_or(u32::MAX);
    let after = call.query.get("nextPageToken").filter(|token| !token.is_empty());
    let accounts = call.directory.list(after.map(String::as_str), limit, Direction::Ascending).await?;
    let full = u32::try_from(accounts.len()).is_ok_and(|count| count == limit);
    let next = accounts.last().filter(|_| full).map(|account| account.local_id.clone());
    let users: Vec<_> = accounts.iter().map(|account| account.shown(View::Export)).collect();
    let mut reply = json!({ "kind": "identitytoolkit#DownloadAccountResponse", "users": users });
    next.iter().for_each(|token| reply["nextPageToken"] = json!(token));
    Ok(reply)
}

/// `downloadAccount`, the name before version 1: the members of the query come in the body.
pub(crate) async fn download(mut call: Call, request: Value) -> Result<Value> {
    ensure(request.get("targetProjectId").is_some(), "INSUFFICIENT_PERMISSION")?;
    for name in ["maxResults", "nextPageToken"] {
        let member = request
            .get(name)
            .map(|member| member.as_str().map_or_else(|| member.to_string(), ToOwned::to_owned));
        if let Some(member) = member {
            call.query.insert(name.to_owned(), member);
        }
    }
    get(call, request).await
}

/// `uploadAccount`, the name before version 1.
pub(crate) async fn upload(call: Call, request: Value) -> Result<Value> {
    ensure(request.get("targetProjectId").is_some(), "INSUFFICIENT_PERMISSION")?;
    create(call, crate::wire::read(request)?).await
}

pub(crate) async fn delete(call: Call, request: BatchDeleteRequest) -> Result<Value> {
    let ids = request.local_ids.unwrap_or_default();
    ensure((1..=MAX_DELETE).contains(&ids.len()), "LOCAL_ID_LIST_EXCEEDS_LIMIT")?;
    let mut errors = Vec::new();
    for (index, id) in ids.iter().enumerate() {
        let Some(found) = call.directory.by_id(id).await? else { continue };
        if found.account.is_disabled() || request.force == Some(true) {
            call.directory.remove(id).await?;
        } else {
            let message = "NOT_DISABLED : Disable the account before batch deletion.";
            errors.push(json!({ "index": index, "localId": &**id, "message": message }));
        }
    }
    Ok(if errors.is_empty() { json!({}) } else { json!({ "errors": errors }) })
}
