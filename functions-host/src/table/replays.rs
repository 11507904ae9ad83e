//! Replays of games that have ended, as texts that a page shows: the patches of observers, and with open hands those of
//! all seats and the chance of the game.

use auth_emu::entropy::Entropy;
use docstore::{Code, Error};
use serde::Serialize;
use tuckbox_table::chance::Chance;
use tuckbox_table::ids::SeatNo;
use tuckbox_table::replay::{Decided, Replay};
use tuckbox_table::view::Patch;

use super::audience::hex;
use super::limits::REPLAY_BYTES;
use super::live::LiveTables;
use super::messages::State;
use super::store::{History, ReplayPart};

/// Version of the text.
const VERSION: u32 = 1;
/// Random bytes of a link, which nobody can guess.
const LINK_BYTES: usize = 16;

/// A reason for which a game is not replayed.
#[derive(Debug)]
pub enum NotReplayed {
    /// It has not ended, so hidden things must stay hidden.
    NotEnded,
    /// Its replay is longer than [`REPLAY_BYTES`].
    TooLong,
    /// The log is damaged.
    Damaged(Error),
}

impl From<Error> for NotReplayed {
    fn from(error: Error) -> Self {
        Self::Damaged(error)
    }
}

impl LiveTables {
    /// Stores the replay of a table whose game has ended at a link, a new one unless there is one already, and returns
    /// the link. `hands` is true if it shows what each seat saw.
    ///
    /// # Errors
    /// [`NotReplayed`]
    pub async fn publish_replay(
        &self,
        id: &str,
        name: &str,
        link: Option<String>,
        hands: bool,
    ) -> Result<String, NotReplayed> {
        let shared = self.shared();
        let _reading = shared.histories.lock().await;
        let (history, seed) = (shared.tables.history(id).await?, shared.tables.seed(id).await?);
        let (name, entropy) = (name.to_owned(), shared.entropy.clone());
        let link = link.unwrap_or_else(|| {
            let mut bytes = [0; LINK_BYTES];
            entropy.fill(&mut bytes);
            hex(&bytes)
        });
        let text = tokio::task::spawn_blocking(move || text(&history, seed, &name, hands, &*entropy));
        let text = text.await.map_err(|_| damaged())??;
        shared.tables.put_replay(id, &link, &text).await?;
        Ok(link)
    }

    /// A part of the replay at a link; `None` if no link leads there, or it has no such part.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn replay_part(&self, link: &str, nth: usize) -> docstore::Result<Option<ReplayPart>> {
        self.shared().tables.replay_part(link, nth).await
    }

    /// The links that lead to replays of a table.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn replay_links(&self, id: &str) -> docstore::Result<Vec<String>> {
        self.shared().tables.replay_links(id).await
    }

    /// Closes the link of a table's replay, and deletes it.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn close_replay(&self, id: &str, link: &str) -> docstore::Result<()> {
        self.shared().tables.close_replay(id, link).await
    }
}

/// Randomness and chance of a game: seed and commitment are of use after its end alone.
#[derive(Serialize)]
struct Fair {
    commitment: String,
    seed: String,
    /// All chance of the game; `null` if its entries do not follow from its seed by the rules of now.
    decided: Option<Vec<Decided>>,
}

/// The text of a replay. `hands` is true if it shows what each seat saw.
///
/// # Errors
/// [`NotReplayed`]
fn text(
    history: &History,
    seed: [u8; 32],
    name: &str,
    hands: bool,
    entropy: &dyn Entropy,
) -> Result<String, NotReplayed> {
    let History { start, game_box, updates, log } = history;
    let replay = Replay::of(start.clone(), game_box.clone(), updates, log).ok_or(NotReplayed::NotEnded)?;
    let times: Vec<_> = log.iter().map(|entry| entry.at).collect();
    let seats = replay.seats().into_iter().filter(|_| hands);
    let mut text = format!(
        "{{\"version\":{VERSION},\"name\":{},\"hands\":{hands},\"times\":{},\"tracks\":[",
        json(&name),
        json(&times)
    );
    let commitment = hex(&Chance::new(seed, 0).commitment());
    for (nth, seat) in [SeatNo::OBSERVER].into_iter().chain(seats).enumerate() {
        if nth > 0 {
            text.push(',');
        }
        let mut key = [0; 32];
        entropy.fill(&mut key);
        let (first, mut track) = replay.track(seat, key);
        let seat = Some(seat).filter(|seat| *seat != SeatNo::OBSERVER);
        text += &format!(
            "{{\"seat\":{},\"state\":{},\"patches\":[",
            json(&seat),
            state(seat, &commitment, &first)
        );
        let mut is_first = true;
        while let Some((_, patch)) = track.next_patch().map_err(|_| damaged())? {
            if !std::mem::take(&mut is_first) {
                text.push(',');
            }
            text += &json(&patch);
            if text.len() > REPLAY_BYTES {
                return Err(NotReplayed::TooLong);
            }
        }
        text += "]}";
    }
    let fair = hands.then(|| Fair { commitment, seed: hex(&seed), decided: replay.decided(seed) });
    text += &format!("],\"fair\":{}}}", json(&fair));
    if text.len() > REPLAY_BYTES { Err(NotReplayed::TooLong) } else { Ok(text) }
}

fn state(seat: Option<SeatNo>, commitment: &str, patch: &Patch) -> String {
    json(&State { epoch: "replay", seat, commitment: commitment.to_owned(), patch })
}

/// Maps have text keys and nothing else fails.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn damaged() -> NotReplayed {
    NotReplayed::Damaged(Error::new(Code::DataLoss, "NoReplay", "the log of a table could not be replayed"))
}
