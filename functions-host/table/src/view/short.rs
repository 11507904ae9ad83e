//! Patches as sockets send them: a piece that only lies elsewhere is its position, and not all that it looks like. Most acts
//! of a game are such moves.

use super::{Patch, Say};
use crate::ids::Handle;
use serde::Serialize;
use std::collections::BTreeMap;

/// A patch in its short form. The long one is for replays, which are read for as long as they are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShortPatch {
    /// The rest of it, without what the other fields say.
    #[serde(flatten)]
    pub patch: Patch,
    /// Pieces on view that lie elsewhere, all else as before: to the right, down, and the height.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub put: BTreeMap<Handle, (i32, i32, u64)>,
    /// Pieces of the one log line `moved`, which names no container; their faces are those on view.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub did: Vec<Handle>,
}

impl From<Patch> for ShortPatch {
    fn from(mut patch: Patch) -> Self {
        let did = named_alone(&patch);
        if did.is_some() {
            patch.say.clear();
        }
        let mut put = BTreeMap::new();
        for handle in std::mem::take(&mut patch.moved) {
            if let Some(Some(shown)) = patch.set.remove(&handle) {
                put.insert(handle, shown.on.position());
            }
        }
        Self { patch, put, did: did.unwrap_or_default() }
    }
}

/// The pieces of a patch's one log line, if it says no more than that they were handled.
fn named_alone(patch: &Patch) -> Option<Vec<Handle>> {
    let [Say::Moved { pieces, from: None, to: None }] = patch.say.as_slice() else { return None };
    let alone = |named: &super::Named| {
        let handle = named.handle?;
        let shown = patch.set.get(&handle)?.as_ref()?;
        (shown.face == named.face).then_some(handle)
    };
    let named: Option<Vec<_>> = pieces.iter().map(alone).collect();
    named.filter(|named| !named.is_empty())
}
