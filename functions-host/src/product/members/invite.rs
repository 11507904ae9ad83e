//! Making an invitation.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::Code;
use docstore::model::{DocPath, Document, Fields, Precondition, Query, Source, Value, Write, WriteOp};
use docstore::txn::{TxnId, TxnOptions};
use serde::{Deserialize, Serialize};

use super::change::field;
use super::languages::{LANGUAGES, Languages};
use super::mailer::Message;
use super::{
    DAY_MICROS, DeckName, MAX_DAYS, MAX_INVITATIONS, MAX_USES, Members, Person, Role, TOKEN_BYTES,
    USUAL_USES, entry, full, member_count, owners_only, role_of, text, text_of,
};
use crate::functions::callable::{CallError, retried};
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
    /// Of a translator.
    #[serde(default)]
    pub(super) languages: Vec<String>,
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

/// An invitation that is about to be committed.
struct Made {
    token: String,
    expires_at: i64,
    /// The project's fields.
    deck: Fields,
    writes: Vec<Write>,
}

impl Members {
    /// Makes an invitation. Whoever loses the role of an owner meanwhile makes none.
    pub(super) async fn invite(&self, person: &Person, request: &Request) -> Result<Invited, CallError> {
        if request.days == 0 || request.days > MAX_DAYS {
            return Err(CallError::invalid(format!("days must be from 1 to {MAX_DAYS}.")));
        }
        let uses = request.uses.unwrap_or(USUAL_USES);
        if uses == 0 || uses > MAX_USES {
            return Err(CallError::invalid(format!("uses must be from 1 to {MAX_USES}.")));
        }
        let email = request.email.as_deref().map(address).transpose()?;
        let (token, expires_at, deck) =
            retried(|| self.try_invite(person, request, email.as_deref(), uses)).await?;
        let mailed = match &email {
            Some(to) => {
                let deck_name = text_of(&deck, "name").unwrap_or_default();
                let message = Message {
                    to,
                    owner: project::owner(&deck).unwrap_or_default(),
                    deck: &request.deck.deck_id,
                    deck_name: &deck_name,
                    role: request.role.name(),
                    invitation: &token,
                    days: request.days,
                };
                self.mailer.send(person, &message, self.store.clock().now().micros()).await
            }
            None => false,
        };
        Ok(Invited { invitation: token, expires_at, mailed })
    }

    async fn try_invite(
        &self,
        person: &Person,
        request: &Request,
        email: Option<&str>,
        uses: u32,
    ) -> Result<(String, i64, Fields), CallError> {
        let path = request.deck.path()?;
        let txn = self.database.begin(TxnOptions::ReadWrite { retry: None }).await?;
        let planned = match self.deck_in(txn, &path).await {
            Ok(found) => match found.filter(|deck| request.deck.names(deck)) {
                Some(deck) => self.plan_invitation(txn, person, request, deck, (email, uses)).await,
                None => Err(request.deck.not_found(person)),
            },
            Err(error) => Err(error.into()),
        };
        match planned {
            Ok(Made { token, expires_at, deck, writes }) => {
                self.end(txn, writes).await?;
                Ok((token, expires_at, deck))
            }
            Err(error) => {
                self.database.rollback(txn).await?;
                Err(error)
            }
        }
    }

    async fn deck_in(&self, txn: TxnId, path: &DocPath) -> docstore::Result<Option<Document>> {
        let found = self.database.get_in(txn, std::slice::from_ref(path)).await?.value;
        Ok(found.into_iter().flatten().next())
    }

    /// Checks that the person may invite, and prepares the invitation: for an address, or a link for so many.
    async fn plan_invitation(
        &self,
        txn: TxnId,
        person: &Person,
        request: &Request,
        deck: Document,
        (email, uses): (Option<&str>, u32),
    ) -> Result<Made, CallError> {
        if role_of(&deck.fields, &person.uid) != Some(Role::Owner) {
            return Err(owners_only());
        }
        let languages = Languages::asked(Some(request.role), &request.languages)?;
        let most = self.most(&deck.fields).await?;
        if member_count(&deck.fields) >= most {
            return Err(full(most));
        }
        if self.open_invitations(txn, &deck.path).await? >= MAX_INVITATIONS {
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
        if request.role == Role::Translator {
            fields.insert(LANGUAGES.to_owned(), languages.value());
        }
        match email {
            Some(email) => fields.insert("email".to_owned(), text(email)),
            None => fields.insert("uses".to_owned(), Value::Integer(uses.into())),
        };
        let invitation = Write {
            path: deck.path.child("invitations")?.doc(&token)?,
            op: WriteOp::Set { fields, transforms: Vec::new() },
            precondition: Precondition::Exists(false),
        };
        // The owner's name, shown to members in their list of projects.
        let named = Write {
            path: deck.path,
            op: WriteOp::Update {
                fields: Fields::from([("people".to_owned(), entry(&person.uid, text(&person.name)))]),
                mask: vec![field(&["people", &person.uid])?],
                transforms: Vec::new(),
            },
            precondition: Precondition::Exists(true),
        };
        Ok(Made { token, expires_at, deck: deck.fields, writes: vec![invitation, named] })
    }

    async fn open_invitations(&self, txn: TxnId, deck: &DocPath) -> Result<usize, CallError> {
        let source = Source { collection: Some("invitations".to_owned()), all_descendants: false };
        let limit = u32::try_from(MAX_INVITATIONS).ok();
        let query = Query { select: Some(Vec::new()), limit, ..Query::all(Some(deck.clone()), source) };
        Ok(self.database.run_in(txn, &query).await?.documents.len())
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
