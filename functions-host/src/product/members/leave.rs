//! Leaving all decks, when an account is deleted.

use docstore::Code;
use docstore::model::{DocPath, FieldFilter, FieldOp, FieldPath, Filter, Query, Source};
use docstore::txn::TxnOptions;

use super::change::{Gone, taking_out};
use super::{Members, text};
use crate::functions::callable::{CallError, retried};
use crate::project;

/// Decks read per query.
const BATCH: u32 = 100;

/// Most queries; a user who is a member of more has to repeat the call.
const MAX_BATCHES: u32 = 1_000;

impl Members {
    /// Removes a user, including their display name, from all projects. Those of their own are left without a member.
    pub(in crate::product) async fn leave_all(&self, uid: &str) -> Result<(), CallError> {
        let filter = Filter::Field(FieldFilter {
            field: FieldPath::parse("memberIds")?,
            op: FieldOp::ArrayContains,
            value: text(uid),
        });
        let source = Source { collection: Some(project::COLLECTION.to_owned()), all_descendants: false };
        let query = Query { filter: Some(filter), limit: Some(BATCH), ..Query::all(None, source) };
        for _ in 0..MAX_BATCHES {
            let decks = self.database.run(&query, None).await?.documents;
            for deck in &decks {
                self.leave(uid, &deck.path).await?;
            }
            if decks.len() < BATCH as usize {
                return Ok(());
            }
        }
        Err(CallError::new(
            Code::ResourceExhausted,
            "You are a member of very many projects, and some are left. Try again to leave those too.",
        ))
    }

    async fn leave(&self, uid: &str, deck: &DocPath) -> Result<(), CallError> {
        retried(|| self.try_leave(uid, deck)).await
    }

    async fn try_leave(&self, uid: &str, deck: &DocPath) -> Result<(), CallError> {
        let txn = self.database.begin(TxnOptions::ReadWrite { retry: None }).await?;
        let found = self.database.get_in(txn, std::slice::from_ref(deck)).await?.value;
        let writes = match found.into_iter().flatten().next() {
            // Whatever `members` says: the user was found by `memberIds`, and would be found again.
            Some(deck) => {
                let mut writes = self.leave_tables(txn, deck.path.id(), uid).await?;
                writes.extend(self.withdraw_offer_to(txn, &deck, uid).await?);
                writes.push(taking_out(deck, uid, Gone::WithAccount)?);
                writes
            }
            None => Vec::new(),
        };
        Ok(self.end(txn, writes).await?)
    }
}
