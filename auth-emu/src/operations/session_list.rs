//! `/__/account/sessions`: the sessions of who is signed in, and the end of a single one.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::filled;
use crate::accounts::{EndedSession, MAX_ATTEMPTS, Outcome, contended, delete};
use crate::call::Call;
use crate::encoding::time::seconds;
use crate::error::{ApiError, Result, ensure, require};
use crate::tokens::ID_TOKEN_SECONDS;
use crate::wire::OwnAccountRequest;

/// Sessions ended one by one within the life of an ID token; more end with all others.
const MAX_ENDED: usize = 100;

/// One session: all tokens that it went on under.
struct Listed {
    begun_at: u64,
    used_at: u64,
    user_agent: Option<String>,
    provider: String,
}

/// `GET sessions`: newest use first; null in emulator mode, which keeps none. Times in seconds since the epoch.
pub(crate) async fn list(call: Call, request: OwnAccountRequest) -> Result<Value> {
    call.enabled()?;
    if call.state.is_emulator() {
        return Ok(json!({ "sessions": null }));
    }
    let signed_in = call.signed_in(filled(request.id_token.as_ref())).await?;
    let account = &signed_in.found.account;
    let mut sessions: BTreeMap<String, Listed> = BTreeMap::new();
    for (path, session) in call.stored_sessions(&account.local_id).await? {
        if account.revokes(session.issued_at) {
            continue;
        }
        let grant = session.grant()?;
        let used_at = session.used_at.unwrap_or(session.issued_at);
        let id = id_of(path.id(), grant.session_id);
        let (begun_at, user_agent) = (session.issued_at, session.user_agent);
        let one = Listed { begun_at, used_at, user_agent, provider: grant.provider };
        match sessions.get_mut(&id) {
            None => _ = sessions.insert(id, one),
            Some(known) => {
                let begun_at = known.begun_at.min(one.begun_at);
                if one.used_at >= known.used_at {
                    *known = one;
                }
                known.begun_at = begun_at;
            }
        }
    }
    let mut sessions: Vec<_> = sessions.into_iter().collect();
    sessions.sort_by_key(|(_, session)| std::cmp::Reverse(session.used_at));
    let shown = |(id, session): &(String, Listed)| {
        json!({
            "id": id, "begunAt": session.begun_at, "usedAt": session.used_at, "userAgent": session.user_agent,
            "provider": session.provider, "current": signed_in.session_id() == Some(id),
        })
    };
    Ok(json!({ "sessions": sessions.iter().map(shown).collect::<Vec<_>>() }))
}

/// `DELETE sessions/ID`: ends a session of the caller's own account. Its tokens are refused at once.
///
/// # Errors
/// `SESSION_NOT_FOUND` if the account has no such session; `OPERATION_NOT_ALLOWED` in emulator mode.
pub(crate) async fn end(call: Call, request: OwnAccountRequest) -> Result<Value> {
    call.enabled()?;
    ensure(!call.state.is_emulator(), "OPERATION_NOT_ALLOWED : An emulator keeps no sessions.")?;
    let signed_in = call.signed_in(filled(request.id_token.as_ref())).await?;
    let local_id = &signed_in.found.account.local_id;
    let wanted = call.path.rsplit('/').next().unwrap_or_default();
    let now = seconds(call.now);
    for _ in 0..MAX_ATTEMPTS {
        // The account first: whatever begins or goes on after this read makes the commit fail.
        let found = require(call.directory.by_id(local_id).await?, "USER_NOT_FOUND")?;
        let mut ends = Vec::new();
        for (path, session) in call.stored_sessions(local_id).await? {
            if id_of(path.id(), session.grant()?.session_id) == wanted {
                ends.push(delete(path));
            }
        }
        ensure(!ends.is_empty(), "SESSION_NOT_FOUND : The session has ended already.")?;
        let mut account = found.account.clone();
        account.ended_sessions.retain(|ended| ended.until > now);
        if account.ended_sessions.len() >= MAX_ENDED {
            return Err(ApiError::too_many(
                "Too many sessions were signed out. Sign out everywhere instead.",
            ));
        }
        account
            .ended_sessions
            .push(EndedSession { id: wanted.to_owned(), until: now + 2 * ID_TOKEN_SECONDS });
        if call.directory.replace(&found, &account, ends).await? == Outcome::Done {
            return Ok(json!({}));
        }
    }
    Err(contended())
}

/// A session's id; one of an earlier version has none but its document's.
fn id_of(document: &str, id: Option<String>) -> String {
    id.unwrap_or_else(|| document.to_owned())
}
