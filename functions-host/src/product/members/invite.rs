//! Making an invitation.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::Code;
use docstore::commit::Draft;
use docstore::model::{Fields, Precondition, Query, Source, Value, Write, WriteOp};
use serde::{Deserialize, Serialize};

use super::mailer::Message;
use super::{
    DAY_MICROS, DeckName, MAX_DAYS, MAX_INVITATIONS, MAX_USES, Members, Person, Role, TOKEN_BYTES,
    USUAL_USES, entry, full, member_count, owners_only, role_of, text, text_of,
};
use crate::functions::callable::CallError;
use crate::project;

#[derive(Debug, Deserialize)]
pub(super) struct Request {
    #[serde(flatten)]
    pub(super) deck: DeckName,
    pub(super) role: Role,
    /// Invitee's address; without one the invitation is a link.
    pub(super) email: Option<String>,
    /// Validity in days.
    pub(super) days: u64,
    /// Most people who may join by a link.
    pub(super) uses: Option<u32>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invited {
    pub(super) invitation: String,
    /// Milliseconds since the epoch.
    pub(super) expires_at: i64,
    /// True if a message was sent to the address.
    pub(super) mailed: bool,
}

impl Members {
    pub(super) async fn invite(&self, person: &Person, request: &Request) -> Result<Invited, CallError> {
        if request.days == 0 || request.days > MAX_DAYS {
            return Err(CallError::invalid(format!("days must be from 1 to {MAX_DAYS}.")));
        }
        let uses = request.uses.unwrap_or(USUAL_USES);
        if uses == 0 || uses > MAX_USES {
            return Err(CallError::invalid(format!("uses must be from 1 to {MAX_USES}.")));
        }
        let email = request.email.as_deref().map(address).transpose()?;
        let path = request.deck.path()?;
        let found =
            self.database.get(std::slice::from_ref(&path), None).await?.value.into_iter().flatten().next();
        let Some(deck) = found.filter(|deck| request.deck.names(deck)) else {
            return Err(request.deck.not_found(person));
        };
        if role_of(&deck.fields, &person.uid) != Some(Role::Owner) {
            return Err(owners_only());
        }
        let most = self.most(&deck.fields).await?;
        if member_count(&deck.fields) >= most {
            return Err(full(most));
        }
        let open = self.open_invitations(&path).await?;
        if open >= MAX_INVITATIONS {
            return Err(CallError::new(
                Code::ResourceExhausted,
                format!("{MAX_INVITATIONS} invitations are open already: withdraw some first."),
            ));
        }
        let mut random = [0; TOKEN_BYTES];
        self.entropy.fill(&mut random);
        // Leading underscores could make a reserved name.
        let token = format!("i{}", URL_SAFE_NO_PAD.encode(random));
        let now = self.store.clock().now().micros();
        let expires_at = millis(now.saturating_add(request.days.saturating_mul(DAY_MICROS)));
        let mut fields = Fields::from([
            ("ownerId".to_owned(), deck.fields.get("owner").cloned().unwrap_or(Value::Null)),
            ("deckId".to_owned(), text(&request.deck.deck_id)),
            ("deckName".to_owned(), deck.fields.get("name").cloned().unwrap_or(Value::Null)),
            ("role".to_owned(), text(request.role.name())),
            ("invitedBy".to_owned(), text(&person.name)),
            ("invitedById".to_owned(), text(&person.uid)),
            ("createdAt".to_owned(), Value::Integer(millis(now))),
            ("expiresAt".to_owned(), Value::Integer(expires_at)),
        ]);
        match &email {
            Some(email) => fields.insert("email".to_owned(), Value::String(email.clone())),
            None => fields.insert("uses".to_owned(), Value::Integer(uses.into())),
        };
        let invitation = Write {
            path: path.child("invitations")?.doc(&token)?,
            op: WriteOp::Set { fields, transforms: Vec::new() },
            precondition: Precondition::Exists(false),
        };
        // The owner's name, shown to members in their list of projects.
        let named = Write {
            path: path.clone(),
            op: WriteOp::Update {
                fields: Fields::from([("people".to_owned(), entry(&person.uid, text(&person.name)))]),
                mask: vec![super::change::field(&["people", &person.uid])?],
                transforms: Vec::new(),
            },
            precondition: Precondition::Exists(true),
        };
        self.database.commit(Draft::of(vec![invitation, named])).await?;
        let mailed = match &email {
            Some(to) => {
                let deck_name = text_of(&deck.fields, "name").unwrap_or_default();
                let message = Message {
                    to,
                    owner: project::owner(&deck.fields).unwrap_or_default(),
                    deck: &request.deck.deck_id,
                    deck_name: &deck_name,
                    role: request.role.name(),
                    invitation: &token,
                    days: request.days,
                };
                self.mailer.send(person, &message, now).await
            }
            None => false,
        };
        Ok(Invited { invitation: token, expires_at, mailed })
    }

    async fn open_invitations(&self, deck: &docstore::model::DocPath) -> Result<usize, CallError> {
        let source = Source { collection: Some("invitations".to_owned()), all_descendants: false };
        let limit = u32::try_from(MAX_INVITATIONS).ok();
        let query = Query { select: Some(Vec::new()), limit, ..Query::all(Some(deck.clone()), source) };
        Ok(self.database.run(&query, None).await?.documents.len())
    }
}

/// An address in its stored form: lower case, as in accounts.
fn address(email: &str) -> Result<String, CallError> {
    let email = email.trim().to_lowercase();
    if auth_emu::is_email(&email) {
        return Ok(email);
    }
    Err(CallError::invalid("email must be an e-mail address, such as ada@example.com."))
}

fn millis(micros: u64) -> i64 {
    i64::try_from(micros / 1_000).unwrap_or(i64::MAX)
}
