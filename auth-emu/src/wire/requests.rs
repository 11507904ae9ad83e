//! The messages that operations take: the members that this server acts on.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{DeleteAttribute, OobRequestType, SortOrder, Text};
use crate::accounts::{MfaEnrollment, ProviderUserInfo};

/// Declares request messages: every member is optional on the wire.
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident { $($field:ident : $type:ty),* $(,)? })+) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Default, Deserialize)]
            #[serde(rename_all = "camelCase", default)]
            pub(crate) struct $name { $(pub(crate) $field: Option<$type>),* }
        )+
    };
}

messages! {
    /// Members that select project and tenant, for every operation.
    Routing { id_token: Text, refresh_token: Text, target_project_id: Text, tenant_id: Text }

    /// `accounts:signUp`
    SignUpRequest {
        disabled: bool, display_name: Text, email: Text, email_verified: bool, id_token: Text, local_id: Text,
        mfa_info: Vec<MfaFactor>, password: Text, phone_number: Text, photo_url: Text,
    }

    /// A second factor of an account that an administrator creates.
    MfaFactor { display_name: Text, phone_info: Text }

    /// `accounts:lookup`
    LookupRequest {
        id_token: Text, local_id: Vec<Text>, email: Vec<Text>, phone_number: Vec<Text>,
        federated_user_id: Vec<FederatedUserId>, initial_email: Vec<Text>,
    }

    /// An account at an identity provider.
    FederatedUserId { provider_id: Text, raw_id: Text }

    /// `accounts:revokeToken`
    RevokeTokenRequest { provider_id: Text, token_type: Text, token: Text, id_token: Text }

    /// `accounts:signInWithPassword`
    PasswordRequest {
        email: Text, password: Text, id_token: Text, pending_id_token: Text, captcha_challenge: Text,
    }

    /// `accounts:update`
    UpdateRequest {
        id_token: Text, local_id: Text, oob_code: Text, email: Text, email_verified: bool, password: Text,
        display_name: Text, photo_url: Text, phone_number: Text, disable_user: bool, valid_since: Text,
        created_at: Text, last_login_at: Text, custom_attributes: Text,
        delete_attribute: Vec<DeleteAttribute>, delete_provider: Vec<Text>,
        link_provider_user_info: ProviderUserInfo, mfa: MfaInfo,
        provider: Vec<Text>, upgrade_to_federated_login: bool, delete_passkey: Vec<Text>,
    }

    /// `accounts:delete`
    DeleteRequest { id_token: Text, local_id: Text }

    /// `accounts:sendOobCode`
    OobRequest {
        request_type: OobRequestType, email: Text, new_email: Text, id_token: Text, continue_url: Text,
        return_oob_link: bool,
    }

    /// `accounts:resetPassword`
    ResetPasswordRequest { oob_code: Text, new_password: Text, email: Text, old_password: Text }

    /// `accounts:signInWithCustomToken`
    CustomTokenRequest { token: Text }

    /// `accounts:signInWithEmailLink`
    EmailLinkRequest { email: Text, id_token: Text, oob_code: Text }

    /// `accounts:signInWithIdp`
    IdpRequest {
        id_token: Text, pending_id_token: Text, post_body: Text, request_uri: Text, auto_create: bool,
        return_idp_credential: bool, return_refresh_token: bool, session_id: Text,
    }

    /// `accounts:sendVerificationCode`
    SendCodeRequest { phone_number: Text }

    /// `accounts:signInWithPhoneNumber`
    PhoneRequest { code: Text, id_token: Text, phone_number: Text, session_info: Text, temporary_proof: Text }

    /// `accounts:createAuthUri`
    AuthUriRequest { continue_uri: Text, identifier: Text, provider_id: Text, session_id: Text }

    /// `projects:createSessionCookie`
    SessionCookieRequest { id_token: Text, valid_duration: Text }

    /// `accounts:batchDelete`
    BatchDeleteRequest { force: bool, local_ids: Vec<Text> }

    /// `accounts:query`
    QueryRequest {
        return_user_info: bool, order: SortOrder, sort_by: Text, limit: Text, offset: Text,
        expression: Vec<QueryExpression>,
    }

    /// One condition of an account query; any of the members that are set holds.
    QueryExpression { email: Text, phone_number: Text, user_id: Text }

    /// `securetoken` `token`
    TokenRequest { grant_type: Text, refresh_token: Text }

    /// `mfaEnrollment:start`
    EnrollStartRequest {
        id_token: Text, phone_enrollment_info: PhoneNumber, totp_enrollment_info: Value,
    }

    /// A phone to send a code to.
    PhoneNumber { phone_number: Text }

    /// `mfaEnrollment:finalize`
    EnrollFinalizeRequest {
        id_token: Text, display_name: Text, phone_verification_info: PhoneVerification,
        totp_verification_info: TotpVerification,
    }

    /// Proof that a phone was reached.
    PhoneVerification { android_verification_proof: Text, code: Text, session_info: Text }

    /// A code from an authenticator app.
    TotpVerification { session_info: Text, verification_code: Text }

    /// `mfaEnrollment:withdraw`
    WithdrawRequest { id_token: Text, mfa_enrollment_id: Text }

    /// `passkeyEnrollment:start` and `:finalize`
    PasskeyEnrollRequest {
        id_token: Text, name: Text, display_name: Text, authenticator_registration_response: Value,
        session_info: Text,
    }

    /// `passkeySignIn:finalize`
    PasskeySignInRequest { authenticator_authentication_response: Value, session_info: Text }

    /// `/__/account/passkeys`
    PasskeyRenameRequest { id_token: Text, credential_id: Text, name: Text }

    /// `/__/account/recoveryCodes` and `/__/account/sessions`
    OwnAccountRequest { id_token: Text }

    /// `/__/account/recoverySignIn`
    RecoverySignInRequest { mfa_pending_credential: Text, recovery_code: Text }

    /// `mfaSignIn:start`
    MfaStartRequest { mfa_pending_credential: Text, mfa_enrollment_id: Text }

    /// `mfaSignIn:finalize`
    MfaFinalizeRequest {
        mfa_pending_credential: Text, mfa_enrollment_id: Text, phone_verification_info: PhoneVerification,
        totp_verification_info: TotpVerification,
    }
}

/// The second factors to set by `accounts:update`: unchanged if the list is absent. A null list is an error, as on
/// Google's servers, and removes no factors.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MfaInfo {
    #[serde(deserialize_with = "enrollments")]
    pub(crate) enrollments: Vec<MfaEnrollment>,
}

fn enrollments<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<MfaEnrollment>, D::Error> {
    let list = Value::deserialize(deserializer)?;
    if !list.is_array() {
        return Err(D::Error::custom("/mfa/enrollments must be array"));
    }
    serde_json::from_value(list).map_err(D::Error::custom)
}
