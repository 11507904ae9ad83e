//! The view of one seat, for all who look from there, and the patches kept for those who come back.

use std::collections::VecDeque;
use std::sync::Arc;

use auth_emu::entropy::Entropy;
use serde::Serialize;
use tuckbox_table::ids::SeatNo;
use tuckbox_table::log::Entry;
use tuckbox_table::view::ShortPatch;
use tuckbox_table::{Session, View};

use super::limits::{CHECK_EVERY, KEPT_BYTES, KEPT_PATCHES};
use super::messages::{Frame, Have, State, frame};

/// Random bytes of an epoch's name.
const EPOCH_BYTES: usize = 9;

/// The audience of a seat.
pub(super) struct Audience {
    view: View,
    /// Name of the view. Handles and patches are of use within it only.
    epoch: String,
    /// The account that sits there. Another one gets a view of its own.
    who: Option<String>,
    /// Everything on view at the table's present entry, once somebody has asked for it.
    whole: Option<Frame>,
    kept: VecDeque<(u64, Frame)>,
    bytes: usize,
    /// The last entry at which somebody looked from here.
    used: u64,
}

#[derive(Serialize)]
struct Joined<'a> {
    state: State<'a>,
}

#[derive(Serialize)]
struct Checked {
    #[serde(flatten)]
    patch: ShortPatch,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<u32>,
}

impl Audience {
    pub(super) fn open(session: &Session, seat: SeatNo, entropy: &dyn Entropy) -> Self {
        let (mut key, mut epoch) = ([0; 32], [0; EPOCH_BYTES]);
        entropy.fill(&mut key);
        entropy.fill(&mut epoch);
        let table = session.table();
        let (view, _) = View::open(table, session.game_box(), seat, key);
        let who = table.seats.get(&seat).and_then(|seat| seat.who.clone());
        Self { view, epoch: hex(&epoch), who, whole: None, kept: VecDeque::new(), bytes: 0, used: table.n }
    }

    pub(super) fn view(&self) -> &View {
        &self.view
    }

    /// Bytes of the patches kept.
    pub(super) fn kept_bytes(&self) -> usize {
        self.bytes
    }

    /// True if the seat is still that of the account that this view was made for.
    pub(super) fn is_of(&self, session: &Session) -> bool {
        let seat = session.table().seats.get(&self.view.seat());
        self.view.seat() == SeatNo::OBSERVER || seat.is_some_and(|seat| seat.who == self.who)
    }

    /// Notes that somebody looks from here.
    pub(super) fn use_at(&mut self, n: u64) {
        self.used = n;
    }

    /// True if nobody who looked from here could come back with what they have.
    pub(super) fn is_stale(&self, n: u64) -> bool {
        n.saturating_sub(self.used) > KEPT_PATCHES as u64
    }

    /// Everything on view. It is made once for all who ask between two entries.
    pub(super) fn state(&mut self, session: &Session) -> Frame {
        if let Some(whole) = &self.whole {
            return Arc::clone(whole);
        }
        let seat = self.view.seat();
        let patch = self.view.everything(session.table(), session.game_box());
        let state = State {
            epoch: &self.epoch,
            seat: Some(seat).filter(|seat| *seat != SeatNo::OBSERVER),
            commitment: hex(&session.commitment()),
            patch: &patch,
        };
        let whole = frame(&Joined { state });
        self.whole = Some(Arc::clone(&whole));
        whole
    }

    /// Lets go of the whole view, which may be large; who is being sent it keeps it.
    pub(super) fn forget_whole(&mut self) {
        self.whole = None;
    }

    /// The difference that the session's last entry makes.
    pub(super) fn patch(&mut self, session: &Session, entry: &Entry) -> Frame {
        self.whole = None;
        let patch = self.view.patch(session.table(), session.game_box(), entry);
        let n = patch.n;
        let check = n.is_multiple_of(CHECK_EVERY).then(|| self.view.check());
        let frame = frame(&Checked { patch: patch.into(), check });
        self.bytes += frame.len();
        self.kept.push_back((n, Arc::clone(&frame)));
        while self.kept.len() > KEPT_PATCHES || self.bytes > KEPT_BYTES {
            let Some((_, gone)) = self.kept.pop_front() else { break };
            self.bytes -= gone.len();
        }
        frame
    }

    /// The patches that somebody lacks; `None` if they need everything.
    pub(super) fn since(&self, have: &Have, now: u64) -> Option<Vec<Frame>> {
        let first = self.kept.front().map_or(now + 1, |(n, _)| *n);
        if have.epoch != self.epoch || have.n > now || have.n + 1 < first {
            return None;
        }
        Some(self.kept.iter().filter(|(n, _)| *n > have.n).map(|(_, frame)| Arc::clone(frame)).collect())
    }
}

/// Bytes in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
        }
        text
    })
}
