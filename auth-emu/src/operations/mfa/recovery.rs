//! `/__/account/recoveryCodes` and `/__/account/recoverySignIn`: codes on paper that stand in for a lost second factor,
//! each once.

use serde_json::{Value, json};

use crate::accounts::Account;
use crate::blocking::Method;
use crate::call::Call;
use crate::entropy;
use crate::error::{ApiError, Result, ensure, require};
use crate::limits::Subject;
use crate::operations::{filled, note_sign_in};
use crate::sessions::hash;
use crate::wire::{OwnAccountRequest, RecoverySignInRequest};

/// Codes of a set.
const CODES: usize = 10;
/// The length of a code: 59 bits.
const CODE_LENGTH: usize = 12;
/// Characters between two hyphens of a shown code.
const GROUP: usize = 4;
/// The second factor's name in tokens.
const RECOVERY_CODE: &str = "recovery_code";

/// `GET recoveryCodes`: the number of unused codes; null if none were ever made.
pub(crate) async fn count(call: Call, request: OwnAccountRequest) -> Result<Value> {
    call.enabled()?;
    let signed_in = call.signed_in(filled(request.id_token.as_ref())).await?;
    Ok(json!({ "left": signed_in.found.account.recovery_codes.as_ref().map(Vec::len) }))
}

/// `POST recoveryCodes`: a new set, shown this once; the codes of the last one are void.
///
/// # Errors
/// `CREDENTIAL_TOO_OLD_LOGIN_AGAIN` unless the caller signed in a short while ago, with a second factor;
/// `MFA_ENROLLMENT_NOT_FOUND` if the account has none.
pub(crate) async fn renew(call: Call, request: OwnAccountRequest) -> Result<Value> {
    call.enabled()?;
    let signed_in = call.signed_in(filled(request.id_token.as_ref())).await?;
    call.recent(&signed_in)?;
    // A password that was found out must not be enough to make a second factor.
    let shown = call.state.is_emulator() || signed_in.second_factor().is_some();
    ensure(shown, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")?;
    let local_id = &signed_in.found.account.local_id;
    let tenant = call.tenant.as_deref().unwrap_or_default();
    let subject = Subject::AccountRecovery(format!("{}/{tenant}/{local_id}", call.project));
    call.state.0.limiter.take(&subject, call.now)?;
    let codes: Vec<_> = (0..CODES).map(|_| entropy::legible(&*call.state.0.entropy, CODE_LENGTH)).collect();
    let hashes: Vec<_> = codes.iter().map(|code| hash_of(local_id, code)).collect();
    call.directory
        .update(local_id, |account, _| {
            let missing =
                "MFA_ENROLLMENT_NOT_FOUND : Recovery codes stand in for a second factor. Add one first.";
            ensure(account.has_second_factor(), missing)?;
            account.recovery_codes = Some(hashes.clone());
            Ok(())
        })
        .await?;
    Ok(json!({ "codes": codes.iter().map(|code| grouped(code)).collect::<Vec<_>>() }))
}

/// `POST recoverySignIn`: completes a sign-in that waits for its second factor.
///
/// # Errors
/// `INVALID_CODE`, and those of the pending credential.
pub(crate) async fn sign_in(call: Call, request: RecoverySignInRequest) -> Result<Value> {
    call.enabled()?;
    let credential =
        require(filled(request.mfa_pending_credential.as_ref()), "MISSING_MFA_PENDING_CREDENTIAL")?;
    let code = require(filled(request.recovery_code.as_ref()), "MISSING_CODE")?;
    let pending = call.pending(credential)?;
    let (local_id, check) = (pending.local_id.clone(), pending.check());
    call.attempt(&local_id)?;
    let wanted = hash_of(&local_id, &typed(code));
    let finish = |account: &mut Account| {
        check(account)?;
        let codes = account.recovery_codes.get_or_insert_default();
        let before = codes.len();
        // The commit that signs in uses the code up: of two sign-ins with one code, one fails.
        codes.retain(|known| *known != wanted);
        ensure(
            codes.len() < before,
            "INVALID_CODE : This is no recovery code of the account, or it was used already.",
        )?;
        note_sign_in(account, call.now);
        Ok(())
    };
    let method = Method { second_factor: Some(RECOVERY_CODE), ..Method::new(&pending.grant.provider) };
    let grant = pending.with_second_factor(RECOVERY_CODE, RECOVERY_CODE);
    let (account, tokens) = call.sign_in(&local_id, grant, Some(&method), finish).await.map_err(|error| {
        if error.code() == "USER_NOT_FOUND" { ApiError::bad("INVALID_CODE") } else { error }
    })?;
    call.succeeded(&local_id);
    let left = account.recovery_codes.as_ref().map_or(0, Vec::len);
    tracing::info!(uid = local_id, left, "an account was signed in to with a recovery code");
    Ok(json!({ "idToken": tokens.id_token, "refreshToken": tokens.refresh_token, "left": left }))
}

/// A code's stored form. The account's id makes equal codes of two accounts differ.
fn hash_of(local_id: &str, code: &str) -> String {
    hash(&format!("{local_id}/{code}"))
}

/// A code as people read it: `abcd-efgh-jkmn`.
fn grouped(code: &str) -> String {
    let characters: Vec<_> = code.chars().collect();
    characters.chunks(GROUP).map(String::from_iter).collect::<Vec<_>>().join("-")
}

/// A code as people type it: in any case, with or without the hyphens.
fn typed(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|character| character.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::{grouped, typed};

    #[test]
    fn a_code_may_be_typed_as_it_is_shown_or_plain() {
        assert_eq!(grouped("abcdefghjkmn"), "abcd-efgh-jkmn");
        for text in ["abcd-efgh-jkmn", " ABCD EFGH JKMN ", "abcdefghjkmn"] {
            assert_eq!(typed(text), "abcdefghjkmn");
        }
    }
}
