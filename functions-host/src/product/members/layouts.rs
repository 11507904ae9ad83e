//! Layouts name the decks that use them, so that the rules can let those decks' members read them.
//!
//! When the first member joins, only the owner has edited the deck, and its layouts are shared in the same transaction.
//! From then on the owner's application shares each layout as it is connected. A component's reference alone shares
//! nothing any more, because editors write those too.

use std::collections::BTreeSet;

use docstore::model::{
    DocPath, Document, FieldPath, FieldTransform, Fields, Precondition, Query, Source, Transform, Value,
    Write, WriteOp,
};
use docstore::txn::TxnId;

use super::{Members, text, text_of};
use crate::functions::callable::CallError;
use crate::product::project;

/// Most components of a deck that are searched.
const MAX_COMPONENTS: u32 = 500;

/// Most layouts of a deck that are shared.
const MAX_LAYOUTS: usize = 500;

impl Members {
    /// Writes that add the deck to `deckIds` of every layout used by its components.
    pub(super) async fn opened_layouts(&self, txn: TxnId, deck: &Document) -> Result<Vec<Write>, CallError> {
        let owner = project::owner(&deck.fields).unwrap_or_default();
        let source = Source { collection: Some("components".to_owned()), all_descendants: false };
        let query = Query { limit: Some(MAX_COMPONENTS), ..Query::all(Some(deck.path.clone()), source) };
        let components = self.database.run_in(txn, &query).await?.documents;
        let used: BTreeSet<String> =
            components.iter().flat_map(|component| used_by(&component.fields)).collect();
        let paths: Vec<DocPath> = used
            .iter()
            .filter(|id| !id.contains('/'))
            .filter_map(|id| DocPath::parse(&format!("users/{owner}/layouts/{id}")).ok())
            .take(MAX_LAYOUTS)
            .collect();
        let known = self.database.get_in(txn, &paths).await?.value.into_iter().flatten();
        let name = text(deck.path.id());
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

/// Ids of the layouts named by a component: for all its cards, and by the value of a column.
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
