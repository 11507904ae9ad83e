//! Live cards: a table takes the cards of its project as they are changed. The server packs them, never a member's
//! browser; for every table at most one run at a time, and one each [`PACK_EVERY`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use docstore::model::DocPath;
use futures::future::BoxFuture;
use serde_json::{Value as Json, json};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tuckbox_table::game_box::{BoxChange, GameBox, Source};

use super::limits::PACK_EVERY;

/// Cards that a message names.
const NAMED_CARDS: usize = 50;

/// A reason for which a project was not packed, for those who lead the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotPacked(pub String);

impl fmt::Display for NotPacked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Packs a project's components into the box of a table.
pub trait Packer: fmt::Debug + Send + Sync {
    /// The reason for which this server cannot pack, if it cannot.
    fn hindrance(&self) -> BoxFuture<'_, Option<String>>;

    /// The box of a project as it is now.
    fn pack<'a>(
        &'a self,
        project: &'a DocPath,
        components: &'a [String],
    ) -> BoxFuture<'a, Result<GameBox, NotPacked>>;
}

/// A server that packs nothing.
#[derive(Debug)]
pub struct NoPacker;

impl Packer for NoPacker {
    fn hindrance(&self) -> BoxFuture<'_, Option<String>> {
        Box::pin(async { Some("This server packs no cards.".to_owned()) })
    }

    fn pack<'a>(&'a self, _: &'a DocPath, _: &'a [String]) -> BoxFuture<'a, Result<GameBox, NotPacked>> {
        Box::pin(async { Err(NotPacked("This server packs no cards.".to_owned())) })
    }
}

/// A change of the cards that waits for a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) hash: String,
    pub(super) change: BoxChange,
}

impl Waiting {
    pub(super) fn new(change: BoxChange) -> Self {
        Self { hash: change.hash(), change }
    }

    /// The change in numbers of cards. Which cards those are only owners and editors of the project are told, by ids of
    /// documents that they may read.
    pub(super) fn message(&self, game_box: &GameBox, for_maker: bool) -> Json {
        let mut parts: BTreeMap<&str, Part<'_>> = BTreeMap::new();
        for (no, now) in &self.change.definitions {
            let Some(Source { component, cards }) = &now.source else { continue };
            let part = parts.entry(component).or_default();
            let was = game_box.definition(*no);
            *match was {
                None => &mut part.new,
                Some(was) if was.copies > 0 && now.copies == 0 => &mut part.gone,
                Some(_) => &mut part.changed,
            } += 1;
            part.cards.extend(cards.iter().map(|id| &**id));
        }
        let name = |id: &str| {
            let sets = self.change.sets.as_deref().into_iter().flatten().chain(game_box.sets());
            let named = { sets }.find(|set| set.component.as_deref() == Some(id));
            named.map_or_else(String::new, |set| set.name.clone())
        };
        let components: Vec<_> = parts
            .iter()
            .map(|(id, Part { new, gone, changed, cards })| {
                let mut part = json!({"name": name(id), "new": new, "gone": gone, "changed": changed});
                if for_maker {
                    part["id"] = json!(id);
                    part["cards"] = cards.iter().take(NAMED_CARDS).copied().collect();
                }
                part
            })
            .collect();
        let layouts = self.change.common.is_some() || !self.change.backs.is_empty();
        json!({"hash": self.hash, "components": components, "layouts": layouts})
    }
}

/// Changed cards of a component.
#[derive(Default)]
struct Part<'a> {
    new: usize,
    gone: usize,
    changed: usize,
    cards: BTreeSet<&'a str>,
}

/// Components whose cards are in a box.
pub(super) fn components(game_box: &GameBox) -> Vec<String> {
    let sources = game_box.definitions().filter_map(|(_, one)| one.source.as_ref());
    let all: BTreeSet<_> = sources.map(|source| &*source.component).collect();
    all.into_iter().map(str::to_owned).collect()
}

/// The outcome of a run.
pub(super) type Packed = Result<GameBox, NotPacked>;

/// The runs of one table.
pub(super) struct Runs {
    /// Changes when the project's cards do.
    pub(super) feed: watch::Receiver<u64>,
    pub(super) results: mpsc::Receiver<Packed>,
    sender: mpsc::Sender<Packed>,
    packer: Arc<dyn Packer>,
    /// True if the table may be behind its project.
    pub(super) is_due: bool,
    pub(super) is_running: bool,
    /// The next run begins no earlier.
    pub(super) next_at: Instant,
}

impl Runs {
    pub(super) fn new(feed: watch::Receiver<u64>, packer: Arc<dyn Packer>) -> Self {
        let (sender, results) = mpsc::channel(1);
        Self { feed, results, sender, packer, is_due: true, is_running: false, next_at: Instant::now() }
    }

    /// Begins a run, whose outcome comes as one of `results`.
    pub(super) fn begin(&mut self, project: &DocPath, game_box: &GameBox) {
        (self.is_due, self.is_running) = (false, true);
        self.next_at = Instant::now() + PACK_EVERY;
        let (packer, sender) = (Arc::clone(&self.packer), self.sender.clone());
        let (project, components) = (project.clone(), components(game_box));
        tokio::spawn(async move {
            let packed = packer.pack(&project, &components).await;
            // The table may sleep by now.
            drop(sender.send(packed).await);
        });
    }
}
