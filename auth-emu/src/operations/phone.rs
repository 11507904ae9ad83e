//! Codes sent to phones, and sign-in with them. There is no text message service: codes are visible in emulator mode,
//! and serving mode refuses the operations.

use docstore::model::{Precondition, Write, WriteOp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{filled, note_sign_in};
use crate::accounts::{Account, Key, Outcome, PHONE, set};
use crate::blocking::Method;
use crate::call::Call;
use crate::entropy;
use crate::error::{ApiError, Result, ensure, require};
use crate::mail::outbox::{SmsMessage, Waiting};
use crate::operations::sign_up::LOCAL_ID_LENGTH;
use crate::sessions::{hash, with_tokens};
use crate::tokens::Grant;
use crate::validate;
use crate::wire::{PhoneRequest, SendCodeRequest};

/// The name of a code's session, in random bytes.
const SESSION_BYTES: usize = 96;
/// Wrong codes after which a session ends.
const MAX_WRONG_CODES: u32 = 5;
/// Stated lifetime of a temporary proof, in seconds.
const PROOF_SECONDS: &str = "3600";
/// A phone that is a second factor cannot be a first one as well.
const NOT_FIRST_FACTOR: &str =
    "UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an SMS based MFA user.";

/// A code that was sent, under the hash of its session's name.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Verification {
    phone_number: String,
    code_hash: String,
    #[serde(default)]
    wrong: u32,
}

/// Proof that somebody reached a phone whose number is another account's.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Proof {
    phone_number: String,
}

pub(crate) async fn send(call: Call, request: SendCodeRequest) -> Result<Value> {
    call.enabled()?;
    call.not_in_tenant()?;
    let phone = validate::phone(request.phone_number.as_deref().unwrap_or_default())?;
    let owner = call.directory.by_key(&Key::Phone(phone.clone())).await?;
    ensure(!owner.is_some_and(|owner| owner.account.has_second_factor()), NOT_FIRST_FACTOR)?;
    let session = call.send_text(&phone).await?;
    Ok(json!({ "sessionInfo": session }))
}

pub(crate) async fn sign_in(call: Call, request: PhoneRequest) -> Result<Value> {
    call.enabled()?;
    call.not_in_tenant()?;
    let proof = filled(request.temporary_proof.as_ref());
    let phone = match proof {
        Some(proof) => {
            let phone = require(filled(request.phone_number.as_ref()), "MISSING_PHONE_NUMBER")?;
            let path = call.directory.path("proofs", &hash(proof))?;
            let found = call.directory.record::<Proof>(&path).await?;
            let found = found.filter(|(proof, _)| proof.phone_number == phone);
            require(found, "INVALID_TEMPORARY_PROOF")?.0.phone_number
        }
        None => {
            let session = require(filled(request.session_info.as_ref()), "MISSING_SESSION_INFO")?;
            let code = require(filled(request.code.as_ref()), "MISSING_CODE")?;
            call.check_text(session, code).await?
        }
    };
    let by_phone = call.directory.by_key(&Key::Phone(phone.clone())).await?;
    let signed_in = match filled(request.id_token.as_ref()) {
        Some(token) => {
            let signed_in = call.signed_in(Some(token)).await?;
            call.may_add_sign_in(&signed_in)?;
            Some(signed_in)
        }
        None => None,
    };
    if let (Some(owner), Some(signed_in)) = (&by_phone, &signed_in)
        && owner.account.local_id != signed_in.found.account.local_id
    {
        ensure(proof.is_none(), "PHONE_NUMBER_EXISTS")?;
        return call.prove(&phone).await;
    }
    let known = signed_in.map(|signed_in| signed_in.found).or(by_phone);
    call.may_sign_up(known.as_ref().map(|found| &found.account), None).await?;
    let is_new = known.is_none();
    let method = Method::new(PHONE);
    let (account, tokens) = match known {
        None => {
            let mut account =
                call.new_account(entropy::alphanumeric(&*call.state.0.entropy, LOCAL_ID_LENGTH));
            account.phone_number = Some(phone.clone());
            note_sign_in(&mut account, call.now);
            call.create_and_sign_in(account, Grant::new(PHONE), Some(&method)).await?
        }
        Some(found) => {
            let own = |account: &mut Account| {
                ensure(!account.is_disabled(), "USER_DISABLED")?;
                ensure(!account.has_second_factor(), NOT_FIRST_FACTOR)?;
                account.phone_number = Some(phone.clone());
                note_sign_in(account, call.now);
                Ok(())
            };
            call.sign_in(&found.account.local_id, Grant::new(PHONE), Some(&method), own).await?
        }
    };
    let reply = json!({ "isNewUser": is_new, "phoneNumber": phone, "localId": account.local_id });
    Ok(with_tokens(reply, &tokens))
}

impl Call {
    /// Sends a code to a phone: into the list of visible codes, and the log.
    ///
    /// # Errors
    /// `OPERATION_NOT_ALLOWED` in serving mode.
    pub(crate) async fn send_text(&self, phone: &str) -> Result<String> {
        let message = "OPERATION_NOT_ALLOWED : This server has no text message service.";
        ensure(self.state.is_emulator(), message)?;
        let session = entropy::secret(&*self.state.0.entropy, SESSION_BYTES);
        let code = entropy::digits(&*self.state.0.entropy, 6);
        let record = Verification { phone_number: phone.to_owned(), code_hash: hash(&code), wrong: 0 };
        let write = Write {
            path: self.directory.path("verifications", &hash(&session))?,
            op: set(&record)?,
            precondition: Precondition::Exists(false),
        };
        self.directory.commit(vec![write]).await?;
        tracing::info!(phone, code, "no text message service is configured; this is the code");
        let message = SmsMessage { phone_number: phone.to_owned(), session_info: session.clone(), code };
        let (project, tenant) = (self.project.clone(), self.tenant.clone());
        let waiting = Waiting { project, tenant, expires_at: None, message };
        self.state.0.texts.push(waiting, self.now).await?;
        Ok(session)
    }

    /// The phone a code was sent to; the code is used up.
    ///
    /// # Errors
    /// `INVALID_SESSION_INFO`, `INVALID_CODE`
    pub(crate) async fn check_text(&self, session: &str, code: &str) -> Result<String> {
        let path = self.directory.path("verifications", &hash(session))?;
        let found = self.directory.record::<Verification>(&path).await?;
        let (mut record, version) = require(found, "INVALID_SESSION_INFO")?;
        let right = record.code_hash == hash(code);
        record.wrong += u32::from(!right);
        let ended = right || record.wrong >= MAX_WRONG_CODES;
        let op = if ended { WriteOp::Delete } else { set(&record)? };
        let write = Write { path, op, precondition: Precondition::UpdateTime(version) };
        if self.directory.commit(vec![write]).await? == Outcome::Conflict {
            return Err(ApiError::bad("INVALID_SESSION_INFO"));
        }
        if ended {
            self.state.0.texts.remove(|message| message.session_info == session).await?;
        }
        ensure(right, "INVALID_CODE")?;
        Ok(record.phone_number)
    }

    async fn prove(&self, phone: &str) -> Result<Value> {
        let proof = entropy::secret(&*self.state.0.entropy, SESSION_BYTES);
        let write = Write {
            path: self.directory.path("proofs", &hash(&proof))?,
            op: set(&Proof { phone_number: phone.to_owned() })?,
            precondition: Precondition::Exists(false),
        };
        self.directory.commit(vec![write]).await?;
        Ok(json!({ "temporaryProof": proof, "temporaryProofExpiresIn": PROOF_SECONDS, "phoneNumber": phone }))
    }
}
