//! Sessions, represented by refresh tokens.
//!
//! In serving mode a refresh token is a random secret; the account keeps its hash and the session's grant, so that the
//! session can be ended. In emulator mode the token carries its grant itself and nothing is stored.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use docstore::model::{DocPath, Document, Precondition, Ts, Write};
use docstore::shares::network_of;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::accounts::{Account, MAX_ATTEMPTS, Outcome, contended, delete, record_of, set};
use crate::call::{Call, SignedIn};
use crate::encoding::time::seconds;
use crate::entropy;
use crate::error::{ApiError, Result, ensure};
use crate::tokens::refresh_token::{EmulatorToken, VERSION, emulator_token, serving_token};
use crate::tokens::{Claims, Grant, ID_TOKEN_SECONDS, id_token_claims};

/// Sessions an account may have; those unused longest end when more begin.
const MAX_SESSIONS: usize = 100;
/// The length of a session's id.
const SESSION_ID_LENGTH: usize = 22;
/// The secret part of a refresh token, in random bytes.
const SECRET_BYTES: usize = 32;
/// A refresh is noted on account and session at most this often, in seconds, so that it rarely costs a write.
const NOTE_REFRESH_SECONDS: u64 = 60;
/// The longest refresh token that is looked at, in bytes.
const MAX_REFRESH_TOKEN_BYTES: usize = 16 * 1024;

/// Reply of an operation that signs in.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IssuedTokens {
    pub(crate) id_token: String,
    pub(crate) refresh_token: String,
    /// Seconds, in decimal digits.
    pub(crate) expires_in: String,
}

/// A session about to begin: its refresh token exists, the commit that makes it real is still to come.
#[derive(Debug)]
pub(crate) struct Ticket {
    grant: Grant,
    secret: String,
    now: Ts,
}

/// A session in its stored form, under the hash of its secret. The grant is text, because custom claims may nest lists
/// in ways that documents cannot.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Session {
    grant: String,
    /// Seconds since the epoch.
    pub(crate) issued_at: u64,
    /// Network address it began at, as returned by [`Call::place`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    /// The last refresh, in seconds since the epoch; none before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) used_at: Option<u64>,
    /// `User-Agent` of the browser or program that used it last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user_agent: Option<String>,
}

impl Session {
    pub(crate) fn grant(&self) -> Result<Grant> {
        serde_json::from_str(&self.grant).map_err(ApiError::internal)
    }
}

impl Call {
    /// Begins a session: choose its refresh token, and its id unless it goes on under the one it has.
    pub(crate) fn ticket(&self, mut grant: Grant) -> Ticket {
        let entropy = &*self.state.0.entropy;
        let secret = entropy::secret(entropy, SECRET_BYTES);
        if !self.state.is_emulator() {
            grant.session_id.get_or_insert_with(|| entropy::alphanumeric(entropy, SESSION_ID_LENGTH));
        }
        Ticket { grant, secret, now: self.now }
    }

    /// The grant, for an account as the commit leaves it: a sign-in of this moment must not look older than the last
    /// revocation, or programs that compare the two would treat the session as revoked.
    fn granted(&self, ticket: &Ticket, account: &Account) -> Grant {
        let mut grant = ticket.grant.clone();
        if !self.state.is_emulator() {
            grant.auth_time = grant.auth_time.or_else(|| Some(account.issue_time(ticket.now)));
        }
        grant
    }

    /// Notes a session on its account: to go into the commit that signs in.
    pub(crate) fn stamp(&self, ticket: &Ticket, account: &mut Account, also: &mut Vec<Write>) -> Result<()> {
        account.last_refresh_at = Some(ticket.now.rfc3339_millis());
        if self.state.is_emulator() {
            return Ok(());
        }
        // A session that was ended meanwhile cannot go on under new tokens.
        ensure(!account.has_ended(ticket.grant.session_id.as_deref()), "TOKEN_EXPIRED")?;
        let grant = serde_json::to_string(&self.granted(ticket, account)).map_err(ApiError::internal)?;
        also.push(Write {
            path: self.directory.sessions(&account.local_id)?.doc(&hash(&ticket.secret))?,
            op: set(&Session {
                grant,
                issued_at: account.issue_time(ticket.now),
                from: self.place(&account.local_id),
                used_at: None,
                user_agent: self.user_agent.clone(),
            })?,
            precondition: Precondition::None,
        });
        Ok(())
    }

    /// The tokens of a committed session.
    pub(crate) async fn redeem(&self, ticket: Ticket, account: &Account) -> Result<IssuedTokens> {
        let grant = self.granted(&ticket, account);
        let claims = id_token_claims(account, &self.project, &grant, self.now)?;
        let id_token = self.state.0.tokens.seal(&claims, self.now).await?;
        let refresh_token = if self.state.is_emulator() {
            let token = EmulatorToken {
                marker: "DO NOT MODIFY".to_owned(),
                local_id: account.local_id.clone(),
                project_id: self.project.clone(),
                tenant_id: self.tenant.clone(),
                grant,
                issued_at: Some(seconds(self.now)),
            };
            STANDARD.encode(serde_json::to_vec(&token).map_err(ApiError::internal)?)
        } else {
            self.end_stale_sessions(&account.local_id).await?;
            let part = |text: &str| URL_SAFE_NO_PAD.encode(text);
            let tenant = part(self.tenant.as_deref().unwrap_or_default());
            format!("{VERSION}.{}.{tenant}.{}", part(&account.local_id), ticket.secret)
        };
        Ok(IssuedTokens { id_token, refresh_token, expires_in: ID_TOKEN_SECONDS.to_string() })
    }

    /// A new ID token for a refresh token; the refresh token stays the same.
    ///
    /// # Errors
    /// `INVALID_REFRESH_TOKEN`, `TOKEN_EXPIRED` when revoked, `USER_DISABLED`
    pub(crate) async fn refresh(&self, token: &str) -> Result<(Account, IssuedTokens)> {
        let invalid = || ApiError::bad("INVALID_REFRESH_TOKEN");
        ensure(token.len() <= MAX_REFRESH_TOKEN_BYTES, "INVALID_REFRESH_TOKEN")?;
        let (local_id, issued_at, grant) = if self.state.is_emulator() {
            let token = emulator_token(token).ok_or_else(invalid)?;
            ensure(token.project_id == self.project, "INVALID_REFRESH_TOKEN")?;
            (token.local_id, token.issued_at, token.grant)
        } else {
            let (local_id, secret) = serving_token(token).ok_or_else(invalid)?;
            let path = self.directory.sessions(&local_id)?.doc(&hash(&secret))?;
            let (session, version) = self.directory.record::<Session>(&path).await?.ok_or_else(invalid)?;
            let (grant, issued_at) = (session.grant()?, session.issued_at);
            ensure(self.note_use(path, session, version).await?, "INVALID_REFRESH_TOKEN")?;
            (local_id, Some(issued_at), grant)
        };
        let found = self.directory.by_id(&local_id).await?.ok_or_else(invalid)?;
        let mut account = found.account;
        ensure(!account.is_disabled(), "USER_DISABLED")?;
        ensure(!issued_at.is_some_and(|issued| account.revokes(issued)), "TOKEN_EXPIRED")?;
        let noted = Ts::from_micros(self.now.micros().saturating_sub(NOTE_REFRESH_SECONDS * 1_000_000))
            .rfc3339_millis();
        if account.last_refresh_at.as_ref().is_none_or(|at| *at <= noted) {
            let note = |account: &mut Account, _: &mut Vec<Write>| {
                account.last_refresh_at = Some(self.now.rfc3339_millis());
                Ok(())
            };
            (account, ()) = self.directory.update(&local_id, note).await?;
        }
        let claims = id_token_claims(&account, &self.project, &grant, self.now)?;
        let id_token = self.state.0.tokens.seal(&claims, self.now).await?;
        let expires_in = ID_TOKEN_SECONDS.to_string();
        Ok((account, IssuedTokens { id_token, refresh_token: token.to_owned(), expires_in }))
    }

    /// Notes that a session was used. False if it has ended meanwhile.
    async fn note_use(&self, path: DocPath, session: Session, version: Ts) -> Result<bool> {
        let now = seconds(self.now);
        if now < session.used_at.unwrap_or(session.issued_at) + NOTE_REFRESH_SECONDS {
            return Ok(true);
        }
        let user_agent = self.user_agent.clone().or(session.user_agent);
        let write = Write {
            path: path.clone(),
            op: set(&Session { used_at: Some(now), user_agent, ..session })?,
            precondition: Precondition::UpdateTime(version),
        };
        if self.directory.commit(vec![write]).await? == Outcome::Done {
            return Ok(true);
        }
        // Another refresh has noted it, or it is gone.
        Ok(self.directory.record::<Session>(&path).await?.is_some())
    }

    /// The stored sessions of an account.
    pub(crate) async fn stored_sessions(&self, local_id: &str) -> Result<Vec<(DocPath, Session)>> {
        let stored = self.directory.documents(&self.directory.sessions(local_id)?, None, u32::MAX).await?;
        stored.into_iter().map(|document| Ok((document.path, record_of(&document.fields)?))).collect()
    }

    /// The grant of a session that goes on under new tokens: it keeps what it was issued with. The official emulator
    /// forgets all but the provider.
    pub(crate) async fn same_session(&self, signed_in: &SignedIn) -> Result<Grant> {
        let grant = Grant::new(&signed_in.provider);
        if self.state.is_emulator() {
            return Ok(grant);
        }
        let session_id = signed_in.session_id().map(ToOwned::to_owned);
        // Only the stored grant tells the session's own claims from those of the account, which may have lost some.
        let extra_claims = match &session_id {
            Some(id) => self.claims_of_session(&signed_in.found.account.local_id, id).await?,
            None => Claims::new(),
        };
        let firebase = signed_in.claims.get("firebase");
        Ok(Grant {
            auth_time: signed_in.claims.get("auth_time").and_then(Value::as_u64),
            second_factor: signed_in.second_factor(),
            sign_in_attributes: firebase.and_then(|claim| claim.get("sign_in_attributes")).cloned(),
            extra_claims,
            session_id,
            ..grant
        })
    }

    async fn claims_of_session(&self, local_id: &str, id: &str) -> Result<Claims> {
        for (_, session) in self.stored_sessions(local_id).await? {
            let grant = session.grant()?;
            if grant.session_id.as_deref() == Some(id) {
                return Ok(grant.extra_claims);
            }
        }
        Ok(Claims::new())
    }

    /// The caller's address in its stored form: hashed, so that the data do not reveal where people were.
    fn place(&self, local_id: &str) -> Option<String> {
        self.peer.map(|peer| hash(&format!("{local_id}/{}", network_of(peer))))
    }

    /// True if a session of the account began at the caller's address.
    pub(crate) async fn has_been_here(&self, local_id: &str) -> Result<bool> {
        let Some(here) = self.place(local_id) else { return Ok(false) };
        let sessions = self.directory.documents(&self.directory.sessions(local_id)?, None, u32::MAX).await?;
        let began_here = |session: &Document| match session.fields.get("from") {
            Some(docstore::model::Value::String(from)) => *from == here,
            _ => false,
        };
        Ok(sessions.iter().any(began_here))
    }

    /// Revokes every token of an account. In serving mode those of the same second, too.
    pub(crate) fn revoke(&self, account: &mut Account) {
        if self.state.is_emulator() { account.revoke_before(self.now) } else { account.revoke_all(self.now) }
    }

    /// Records that the caller has proved to own the account's address. If nobody had before, every credential that
    /// could sign in or change the account is removed: somebody else may have registered the address first.
    pub(crate) async fn prove_address(&self, local_id: &str) -> Result<()> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(found) = self.directory.by_id(local_id).await? else { return Ok(()) };
            if found.account.is_address_proved() {
                return Ok(());
            }
            let mut account = found.account.clone();
            account.forget_unproved();
            account.set_email_verified(true);
            self.revoke(&mut account);
            account.settle();
            let mut also = self.end_sessions(local_id).await?;
            also.extend(self.directory.naming("codes", "localId", local_id).await?);
            if self.directory.replace(&found, &account, also).await? == Outcome::Done {
                return Ok(());
            }
        }
        Err(contended())
    }

    /// Ends every session of an account: the writes that do it.
    pub(crate) async fn end_sessions(&self, local_id: &str) -> Result<Vec<Write>> {
        if self.state.is_emulator() {
            return Ok(Vec::new());
        }
        let sessions = self.directory.documents(&self.directory.sessions(local_id)?, None, u32::MAX).await?;
        Ok(sessions.into_iter().map(|session| delete(session.path)).collect())
    }

    async fn end_stale_sessions(&self, local_id: &str) -> Result<()> {
        let mut sessions =
            self.directory.documents(&self.directory.sessions(local_id)?, None, u32::MAX).await?;
        if sessions.len() > MAX_SESSIONS {
            // A session is written when it begins and when its use is noted.
            sessions.sort_by_key(|session| session.update_time);
            let stale = sessions.len() - MAX_SESSIONS;
            let writes = sessions.into_iter().take(stale).map(|session| delete(session.path)).collect();
            self.directory.commit(writes).await?;
        }
        Ok(())
    }
}

/// A secret's name in the store.
pub(crate) fn hash(secret: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(secret.as_bytes()))
}

/// Adds the tokens to a reply.
pub(crate) fn with_tokens(mut reply: Value, tokens: &IssuedTokens) -> Value {
    reply["idToken"] = json!(tokens.id_token);
    reply["refreshToken"] = json!(tokens.refresh_token);
    reply["expiresIn"] = json!(tokens.expires_in);
    reply
}
