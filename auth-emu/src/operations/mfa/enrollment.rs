//! `accounts/mfaEnrollment`: adds and removes second factors.

use docstore::model::{Precondition, Write};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::totp;
use crate::accounts::{
    ANONYMOUS, Account, CUSTOM, MfaEnrollment, Outcome, PHONE, TotpInfo, contended, delete, set,
};
use crate::call::{Call, SignedIn};
use crate::entropy;
use crate::error::{ApiError, Result, ensure, require};
use crate::operations::filled;
use crate::operations::sign_up::LOCAL_ID_LENGTH;
use crate::sessions::{IssuedTokens, hash};
use crate::tokens::{Grant, SecondFactor};
use crate::validate;
use crate::wire::{
    EnrollFinalizeRequest, EnrollStartRequest, PhoneVerification, Text, TotpVerification, WithdrawRequest,
};

/// Second factors an account may have.
const MAX_FACTORS: usize = 5;
/// Time for an authenticator app to show its first code, in microseconds.
const TOTP_ENROLLMENT_MICROS: u64 = 10 * 60 * 1_000_000;
/// The name of an enrollment's session, in random bytes.
const SESSION_BYTES: usize = 48;
/// Providers whose accounts cannot have a second factor.
const INELIGIBLE: [&str; 4] = [ANONYMOUS, PHONE, CUSTOM, "gc.apple.com"];

/// A pending enrollment of an authenticator app, under the hash of its session's name.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TotpEnrollment {
    local_id: String,
    secret: String,
    /// Microseconds since the epoch.
    expires_at: u64,
}

pub(crate) async fn start(call: Call, request: EnrollStartRequest) -> Result<Value> {
    call.enabled()?;
    let signed_in = if request.totp_enrollment_info.is_some() {
        call.totp_allowed()?;
        let signed_in = eligible(&call, request.id_token.as_ref()).await?;
        return start_totp(&call, &signed_in.found.account).await;
    } else {
        call.sms_allowed()?;
        eligible(&call, request.id_token.as_ref()).await?
    };
    let info = require(request.phone_enrollment_info, "INVALID_ARGUMENT : ((Missing phoneEnrollmentInfo.))")?;
    let phone = validate::phone(info.phone_number.as_deref().unwrap_or_default())?;
    refuse_twice(&signed_in.found.account, &phone)?;
    let session = call.send_text(&phone).await?;
    Ok(json!({ "phoneSessionInfo": { "sessionInfo": session } }))
}

pub(crate) async fn finalize(call: Call, request: EnrollFinalizeRequest) -> Result<Value> {
    call.enabled()?;
    let name = filled(request.display_name.as_ref()).map(|name| call.display_name(name)).transpose()?;
    let factor = |kind: MfaEnrollment| MfaEnrollment {
        mfa_enrollment_id: Some(entropy::alphanumeric(&*call.state.0.entropy, LOCAL_ID_LENGTH)),
        display_name: name.clone(),
        enrolled_at: Some(call.now.rfc3339_millis()),
        ..kind
    };
    if let Some(verification) = &request.totp_verification_info {
        call.totp_allowed()?;
        let signed_in = eligible(&call, request.id_token.as_ref()).await?;
        let (proved, path) = finish_totp(&call, &signed_in.found.account, verification).await?;
        let tokens = enroll(&call, &signed_in, factor(proved), "totp").await?;
        if call.directory.commit(vec![delete(path)]).await? == Outcome::Conflict {
            return Err(contended());
        }
        let mut reply = reply(&tokens);
        reply["totpAuthInfo"] = json!({});
        return Ok(reply);
    }
    call.sms_allowed()?;
    let token = require(filled(request.id_token.as_ref()), "MISSING_ID_TOKEN")?;
    let signed_in = call.signed_in(Some(token)).await?;
    eligible_provider(&signed_in)?;
    let missing = "INVALID_ARGUMENT : ((Missing phoneVerificationInfo.))";
    let phone = call.verified_phone(request.phone_verification_info.as_ref(), missing).await?;
    let proved = MfaEnrollment {
        phone_info: Some(phone.clone()),
        unobfuscated_phone_info: Some(phone),
        ..MfaEnrollment::default()
    };
    let tokens = enroll(&call, &signed_in, factor(proved), PHONE).await?;
    Ok(reply(&tokens))
}

pub(crate) async fn withdraw(call: Call, request: WithdrawRequest) -> Result<Value> {
    call.enabled()?;
    let signed_in = call.signed_in(filled(request.id_token.as_ref())).await?;
    call.recent(&signed_in)?;
    // An attacker who has found out the password must not be able to remove the second factor.
    let mut grant = call.same_session(&signed_in).await?;
    ensure(call.state.is_emulator() || grant.second_factor.is_some(), "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")?;
    let id = filled(request.mfa_enrollment_id.as_ref());
    grant.second_factor.take_if(|factor| Some(&*factor.identifier) == id);
    let (_, tokens) = call
        .sign_in(&signed_in.found.account.local_id, grant, None, |account| {
            let factors = require(account.mfa_info.as_mut(), "MFA_ENROLLMENT_NOT_FOUND")?;
            let before = factors.len();
            factors.retain(|factor| factor.mfa_enrollment_id.as_deref() != id);
            ensure(factors.len() < before, "MFA_ENROLLMENT_NOT_FOUND")
        })
        .await?;
    Ok(reply(&tokens))
}

fn reply(tokens: &IssuedTokens) -> Value {
    json!({ "idToken": tokens.id_token, "refreshToken": tokens.refresh_token })
}

/// The caller's account, if it may have a second factor.
async fn eligible(call: &Call, id_token: Option<&Text>) -> Result<SignedIn> {
    let signed_in = call.signed_in(filled(id_token)).await?;
    eligible_provider(&signed_in)?;
    let unverified = "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.";
    ensure(signed_in.found.account.is_email_verified(), unverified)?;
    Ok(signed_in)
}

fn eligible_provider(signed_in: &SignedIn) -> Result<()> {
    let message = "UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor.";
    ensure(!INELIGIBLE.contains(&signed_in.provider.as_str()), message)
}

fn refuse_twice(account: &Account, phone: &str) -> Result<()> {
    let twice = account
        .mfa_info
        .iter()
        .flatten()
        .any(|known| known.unobfuscated_phone_info.as_deref() == Some(phone));
    ensure(!twice, "SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account.")
}

async fn enroll(
    call: &Call,
    signed_in: &SignedIn,
    factor: MfaEnrollment,
    provider: &str,
) -> Result<IssuedTokens> {
    let identifier = factor.mfa_enrollment_id.clone().unwrap_or_default();
    let second_factor = SecondFactor { identifier, provider: provider.to_owned() };
    let grant = Grant { second_factor: Some(second_factor), ..call.same_session(signed_in).await? };
    let (_, tokens) = call
        .sign_in(&signed_in.found.account.local_id, grant, None, |account| {
            if let Some(phone) = &factor.unobfuscated_phone_info {
                refuse_twice(account, phone)?;
            }
            let factors = account.mfa_info.get_or_insert_default();
            let full = "SECOND_FACTOR_LIMIT_EXCEEDED : An account has at most 5 second factors.";
            ensure(factors.len() < MAX_FACTORS, full)?;
            factors.push(factor.clone());
            Ok(())
        })
        .await?;
    Ok(tokens)
}

async fn start_totp(call: &Call, account: &Account) -> Result<Value> {
    let secret = totp::new_secret(&*call.state.0.entropy);
    let session = entropy::secret(&*call.state.0.entropy, SESSION_BYTES);
    let expires_at = call.now.micros() + TOTP_ENROLLMENT_MICROS;
    let record = TotpEnrollment { local_id: account.local_id.clone(), secret: secret.clone(), expires_at };
    let mut writes = call.directory.expired("totpEnrollments", "expiresAt", call.now.micros(), 20).await?;
    writes.push(Write {
        path: call.directory.path("totpEnrollments", &hash(&session))?,
        op: set(&record)?,
        precondition: Precondition::Exists(false),
    });
    call.directory.commit(writes).await?;
    Ok(json!({ "totpSessionInfo": {
        "sharedSecretKey": secret,
        "verificationCodeLength": totp::DIGITS,
        "hashingAlgorithm": "SHA1",
        "periodSec": totp::PERIOD_SECONDS,
        "sessionInfo": session,
        "finalizeEnrollmentTime": docstore::model::Ts::from_micros(expires_at).rfc3339_millis(),
    }}))
}

/// The factor proved by the app, and the record to delete for it.
async fn finish_totp(
    call: &Call,
    account: &Account,
    verification: &TotpVerification,
) -> Result<(MfaEnrollment, docstore::model::DocPath)> {
    let session = require(filled(verification.session_info.as_ref()), "MISSING_SESSION_INFO")?;
    let code = require(filled(verification.verification_code.as_ref()), "MISSING_CODE")?;
    let path = call.directory.path("totpEnrollments", &hash(session))?;
    let found = call.directory.record::<TotpEnrollment>(&path).await?;
    let (record, _) = require(found, "INVALID_SESSION_INFO")?;
    ensure(record.local_id == account.local_id, "INVALID_SESSION_INFO")?;
    let late = "TOTP_CHALLENGE_TIMEOUT : The enrollment took too long. Start again.";
    ensure(record.expires_at > call.now.micros(), late)?;
    call.attempt(&account.local_id)?;
    let step = totp::check(&record.secret, code, call.now)?;
    let step = step.ok_or_else(|| ApiError::bad("INVALID_CODE"))?;
    call.succeeded(&account.local_id);
    let proved = MfaEnrollment {
        totp_info: Some(TotpInfo {}),
        shared_secret: Some(record.secret),
        last_step: Some(step),
        ..MfaEnrollment::default()
    };
    Ok((proved, path))
}

impl Call {
    /// Fails unless codes sent to phones may be a second factor.
    pub(crate) fn sms_allowed(&self) -> Result<()> {
        ensure(
            self.settings.allowed.mfa_config.allows_phone(),
            "OPERATION_NOT_ALLOWED : SMS based MFA not enabled.",
        )
    }

    /// Fails unless authenticator apps may be a second factor.
    pub(crate) fn totp_allowed(&self) -> Result<()> {
        ensure(
            self.settings.allowed.mfa_config.is_on(),
            "OPERATION_NOT_ALLOWED : TOTP based MFA not enabled.",
        )
    }

    /// The phone that a code was sent to.
    pub(crate) async fn verified_phone(
        &self,
        verification: Option<&PhoneVerification>,
        missing: &'static str,
    ) -> Result<String> {
        let verification = require(verification, missing)?;
        if verification.android_verification_proof.is_some() {
            return Err(ApiError::not_implemented("androidVerificationProof is unsupported!"));
        }
        let code = require(filled(verification.code.as_ref()), "MISSING_CODE")?;
        let session = require(filled(verification.session_info.as_ref()), "MISSING_SESSION_INFO")?;
        self.check_text(session, code).await
    }
}
