//! Layouts that a deck uses say so, so that rules can let its members see them.
//!
//! Who joins first finds a deck that nobody but its owner has written: its layouts are opened then, in the same
//! transaction. From then on the owner's application opens each layout as it is connected. What a component names
//! opens nothing any more, since editors write that too.

use std::collections::BTreeSet;

use docstore::model::{
    DocPath, FieldPath, FieldTransform, Fields, Precondition, Query, Source, Transform, Value, Write, WriteOp,
};
use docstore::txn::TxnId;

use super::{DeckName, Members, text, text_of};
use crate::callable::CallError;

/// How many components of a deck are looked through.
const MAX_COMPONENTS: u32 = 500;

/// How many layouts of a deck are opened.
const MAX_LAYOUTS: usize = 500;

impl Members {
    /// What adds the deck to the `deckIds` of every layout its components use.
    pub(super) async fn opened_layouts(&self, txn: TxnId, deck: &DeckName) -> Result<Vec<Write>, CallError> {
        let source = Source { collection: Some("components".to_owned()), all_descendants: false };
        let query = Query { limit: Some(MAX_COMPONENTS), ..Query::all(Some(deck.path()?), source) };
        let components = self.database.run_in(txn, &query).await?.documents;
        let used: BTreeSet<String> =
            components.iter().flat_map(|component| used_by(&component.fields)).collect();
        let paths: Vec<DocPath> = used
            .iter()
            .filter(|id| !id.contains('/'))
            .filter_map(|id| DocPath::parse(&format!("users/{}/layouts/{id}", deck.owner_id)).ok())
            .take(MAX_LAYOUTS)
            .collect();
        let known = self.database.get_in(txn, &paths).await?.value.into_iter().flatten();
        let name = text(&deck.deck_id);
        let field = FieldPath::parse("deckIds")?;
        Ok(known
            .filter(|layout| !matches!(layout.fields.get("deckIds"), Some(Value::Array(ids)) if ids.contains(&name)))
            .map(|layout| Write {
                path: layout.path,
                op: WriteOp::Update {
                    fields: Fields::new(),
                    mask: Vec::new(),
                    transforms: vec![FieldTransform {
                        field: field.clone(),
                        transform: Transform::ArrayUnion(vec![name.clone()]),
                    }],
                },
                precondition: Precondition::None,
            })
            .collect())
    }
}

/// The ids of the layouts that a component names: for all its cards, and by the value of a column.
fn used_by(component: &Fields) -> Vec<String> {
    let mut used: Vec<String> =
        ["layoutId", "backLayoutId"].iter().filter_map(|name| text_of(component, name)).collect();
    for name in ["frontBy", "backBy"] {
        let Some(Value::Map(by)) = component.get(name) else { continue };
        let Some(Value::Map(layouts)) = by.get("layouts") else { continue };
        used.extend(layouts.keys().filter_map(|value| text_of(layouts, value)));
    }
    used
}
