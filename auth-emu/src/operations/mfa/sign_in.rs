//! `accounts/mfaSignIn`: sign-in with the second factor.

use serde_json::{Value, json};

use super::totp;
use crate::accounts::{Account, MfaEnrollment, PHONE};
use crate::blocking::Method;
use crate::call::Call;
use crate::error::{ApiError, Result, ensure, require};
use crate::operations::{filled, note_sign_in};
use crate::sessions::IssuedTokens;
use crate::sign_in::Pending;
use crate::wire::{MfaFinalizeRequest, MfaStartRequest};

const NO_USER: &str = "USER_NOT_FOUND : The account of the pending credential does not exist.";

pub(crate) async fn start(call: Call, request: MfaStartRequest) -> Result<Value> {
    call.enabled()?;
    call.sms_allowed()?;
    let missing = "MISSING_MFA_PENDING_CREDENTIAL : Request does not have MFA pending credential.";
    let credential = require(filled(request.mfa_pending_credential.as_ref()), missing)?;
    let missing = "MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.";
    let id = require(filled(request.mfa_enrollment_id.as_ref()), missing)?;
    let pending = call.pending(credential)?;
    let account = require(call.directory.by_id(&pending.local_id).await?, NO_USER)?.account;
    let factor =
        account.mfa_info.iter().flatten().find(|factor| factor.mfa_enrollment_id.as_deref() == Some(id));
    let factor = require(factor, "MFA_ENROLLMENT_NOT_FOUND")?;
    let phone = factor.unobfuscated_phone_info.as_deref();
    let session = call.send_text(require(phone, "INVALID_ARGUMENT : MFA provider not supported!")?).await?;
    Ok(json!({ "phoneResponseInfo": { "sessionInfo": session } }))
}

pub(crate) async fn finalize(call: Call, request: MfaFinalizeRequest) -> Result<Value> {
    call.enabled()?;
    let by_app = request.totp_verification_info.is_some();
    if by_app { call.totp_allowed() } else { call.sms_allowed() }?;
    let missing = "MISSING_CREDENTIAL : Please set MFA Pending Credential.";
    let credential = require(filled(request.mfa_pending_credential.as_ref()), missing)?;
    let tokens = if by_app {
        let pending = call.pending(credential)?;
        finalize_totp(&call, &request, pending).await?
    } else {
        let unsupported = "INVALID_ARGUMENT : MFA provider not supported!";
        let phone = call.verified_phone(request.phone_verification_info.as_ref(), unsupported).await?;
        finalize_phone(&call, &phone, call.pending(credential)?).await?
    };
    Ok(json!({ "idToken": tokens.id_token, "refreshToken": tokens.refresh_token }))
}

async fn finalize_phone(call: &Call, phone: &str, pending: Pending) -> Result<IssuedTokens> {
    let account = require(call.directory.by_id(&pending.local_id).await?, NO_USER)?.account;
    let reached = |factor: &&MfaEnrollment| factor.unobfuscated_phone_info.as_deref() == Some(phone);
    let factor = account.mfa_info.iter().flatten().find(reached);
    let id = require(factor.and_then(|factor| factor.mfa_enrollment_id.clone()), "MFA_ENROLLMENT_NOT_FOUND")?;
    let method = Method { second_factor: Some(PHONE), ..Method::new(&pending.grant.provider) };
    let (local_id, check) = (pending.local_id.clone(), pending.check());
    let finish = |account: &mut Account| {
        check(account)?;
        note_sign_in(account, call.now);
        Ok(())
    };
    let grant = pending.with_second_factor(&id, PHONE);
    let (_, tokens) = call.sign_in(&local_id, grant, Some(&method), finish).await?;
    Ok(tokens)
}

async fn finalize_totp(call: &Call, request: &MfaFinalizeRequest, pending: Pending) -> Result<IssuedTokens> {
    let missing = "MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.";
    let id = require(filled(request.mfa_enrollment_id.as_ref()), missing)?;
    let verification = request.totp_verification_info.as_ref();
    let code = verification.and_then(|verification| filled(verification.verification_code.as_ref()));
    let code = require(code, "MISSING_CODE")?;
    let (local_id, check) = (pending.local_id.clone(), pending.check());
    call.attempt(&local_id)?;
    let method = Method { second_factor: Some("totp"), ..Method::new(&pending.grant.provider) };
    let finish = |account: &mut Account| {
        check(account)?;
        let mut factors = account.mfa_info.iter_mut().flatten();
        let factor = factors.find(|factor| factor.mfa_enrollment_id.as_deref() == Some(id));
        let factor = require(factor, "MFA_ENROLLMENT_NOT_FOUND")?;
        let secret =
            require(factor.shared_secret.as_deref(), "INVALID_ARGUMENT : MFA provider not supported!")?;
        let step = totp::check(secret, code, call.now)?.ok_or_else(|| ApiError::bad("INVALID_CODE"))?;
        // A code works once: reading it over a shoulder is of no use.
        let fresh = call.state.is_emulator() || factor.last_step.is_none_or(|last| step > last);
        ensure(fresh, "INVALID_CODE : This code was used already. Wait for the next one.")?;
        factor.last_step = Some(step);
        note_sign_in(account, call.now);
        Ok(())
    };
    let grant = pending.with_second_factor(id, "totp");
    let (_, tokens) = call.sign_in(&local_id, grant, Some(&method), finish).await?;
    call.succeeded(&local_id);
    Ok(tokens)
}
