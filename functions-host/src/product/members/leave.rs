//! Leaving every deck, when an account goes.

use docstore::model::{DocPath, FieldFilter, FieldOp, FieldPath, Filter, Query, Source};
use docstore::txn::TxnOptions;

use super::change::{again, taking_out};
use super::{MAX_ATTEMPTS, Members, role_of, text};
use crate::callable::CallError;

/// How many decks are looked up at a time.
const BATCH: u32 = 100;

impl Members {
    /// Takes somebody out of all decks of others that they are a member of, with the name they had there.
    pub(in crate::product) async fn leave_all(&self, uid: &str) -> Result<(), CallError> {
        let filter = Filter::Field(FieldFilter {
            field: FieldPath::parse("memberIds")?,
            op: FieldOp::ArrayContains,
            value: text(uid),
        });
        let source = Source { collection: Some("decks".to_owned()), all_descendants: true };
        let query = Query { filter: Some(filter), limit: Some(BATCH), ..Query::all(None, source) };
        loop {
            let decks = self.database.run(&query, None).await?.documents;
            for deck in &decks {
                self.leave(uid, &deck.path).await?;
            }
            if decks.len() < BATCH as usize {
                return Ok(());
            }
        }
    }

    async fn leave(&self, uid: &str, deck: &DocPath) -> Result<(), CallError> {
        let mut attempts = 0;
        loop {
            attempts += 1;
            match self.try_leave(uid, deck).await {
                Err(error) if again(&error) && attempts < MAX_ATTEMPTS => {}
                outcome => break outcome,
            }
        }
    }

    async fn try_leave(&self, uid: &str, deck: &DocPath) -> Result<(), CallError> {
        let txn = self.database.begin(TxnOptions::ReadWrite { retry: None }).await?;
        let found = self.database.get_in(txn, std::slice::from_ref(deck)).await?.value;
        let writes = match found.into_iter().flatten().next() {
            Some(deck) if role_of(&deck.fields, uid).is_some() => vec![taking_out(deck, uid, None)?],
            // It went meanwhile, or they did.
            _ => Vec::new(),
        };
        Ok(self.end(txn, writes).await?)
    }
}
