//! Layouts that a deck uses say so, so that rules can let its members see them.

use std::collections::BTreeSet;

use docstore::commit::Draft;
use docstore::model::{
    DocPath, FieldPath, FieldTransform, Fields, Precondition, Query, Source, Transform, Value, Write, WriteOp,
};

use super::{DeckName, Members, text, text_of};
use crate::callable::CallError;

/// How many components of a deck are looked through.
const MAX_COMPONENTS: u32 = 500;

/// How many layouts one commit changes.
const BATCH: usize = 200;

impl Members {
    /// Adds the deck to the `deckIds` of every layout its components use.
    pub(super) async fn open_layouts(&self, deck: &DeckName) -> Result<(), CallError> {
        let source = Source { collection: Some("components".to_owned()), all_descendants: false };
        let query = Query { limit: Some(MAX_COMPONENTS), ..Query::all(Some(deck.path()?), source) };
        let components = self.database.run(&query, None).await?.documents;
        let used: BTreeSet<String> =
            components.iter().flat_map(|component| used_by(&component.fields)).collect();
        let paths: Vec<DocPath> = used
            .iter()
            .filter(|id| !id.contains('/'))
            .filter_map(|id| DocPath::parse(&format!("users/{}/layouts/{id}", deck.owner_id)).ok())
            .collect();
        let known = self.database.get(&paths, None).await?.value.into_iter().flatten();
        let name = text(&deck.deck_id);
        let field = FieldPath::parse("deckIds")?;
        let closed: Vec<Write> = known
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
            .collect();
        for batch in closed.chunks(BATCH) {
            self.database.commit(Draft::of(batch.to_vec())).await?;
        }
        Ok(())
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
