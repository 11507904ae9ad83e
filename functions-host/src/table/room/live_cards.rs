//! Changes of the project's cards: done by the table, or waiting until a host says so.

use serde_json::json;
use tuckbox_table::Refusal;
use tuckbox_table::act::{Edit, Verb};
use tuckbox_table::game_box::{BoxChange, GameBox};
use tuckbox_table::ids::SeatNo;
use tuckbox_table::log::Entry;
use tuckbox_table::model::Follow;

use super::super::cards::{Waiting, components};
use super::super::messages::{self, Asked, Frame, frame};
use super::{MemberNo, Room, Standing};

/// State of the cards, which those who lead the table are told.
#[derive(Default)]
pub(super) struct Cards {
    /// The reason for which the table cannot take changes at once.
    hindrance: Option<String>,
    /// The reason for which the last change was not taken.
    trouble: Option<String>,
    waiting: Option<Waiting>,
    /// True if the project changed, and only a host's browser can tell how.
    is_behind: bool,
}

impl Cards {
    pub(super) fn new(hindrance: Option<String>) -> Self {
        Self { hindrance, ..Self::default() }
    }
}

const NOT_LIVE: Refusal =
    Refusal::NotPossible("Here a table cannot take changed cards at once. Choose to be asked.");
const OLD_HASH: Refusal =
    Refusal::NotPossible("The project has changed again. Look at the changes once more.");

impl Room {
    /// The way the table takes changes now; an ended game takes none.
    pub(in super::super) fn follow(&self) -> Follow {
        let table = self.session.table();
        if table.ended { Follow::Frozen } else { table.settings.follow }
    }

    /// True if the server packs cards for this table.
    pub(in super::super) fn is_packed(&self) -> bool {
        self.cards.hindrance.is_none()
    }

    /// The state of the cards, as somebody is told who leads the table.
    pub(super) fn cards_for(&self, uid: &str) -> Frame {
        let Cards { hindrance, trouble, waiting, is_behind } = &self.cards;
        let is_maker = self.guests.standings.get(uid) == Some(&Standing::Maker);
        let game_box = self.session.game_box();
        let mut cards = json!({"why": hindrance, "trouble": trouble, "behind": is_behind});
        if let Some(waiting) = waiting {
            cards["waiting"] = waiting.message(game_box, is_maker);
        }
        if *is_behind && is_maker {
            cards["components"] = json!(components(game_box));
        }
        frame(&json!({ "cards": cards }))
    }

    fn tell_cards(&mut self) {
        let leading = self.members.iter().filter(|(_, one)| one.stays && self.leads(&one.uid));
        let frames: Vec<_> = leading.map(|(no, one)| (*no, self.cards_for(&one.uid))).collect();
        self.waiting.extend(frames);
    }

    fn set_cards(&mut self, change: impl FnOnce(&mut Cards)) {
        change(&mut self.cards);
        self.tell_cards();
    }

    /// Notes that a change of the project was not taken.
    pub(in super::super) fn set_trouble(&mut self, why: String) {
        if self.cards.trouble.as_ref() != Some(&why) {
            self.set_cards(|cards| cards.trouble = Some(why));
        }
    }

    /// Notes that the project changed where the server cannot pack it.
    pub(in super::super) fn set_behind(&mut self) {
        if !self.cards.is_behind {
            self.set_cards(|cards| cards.is_behind = true);
        }
    }

    /// Notes the change that waits for a host, or that there is none.
    pub(in super::super) fn set_waiting(&mut self, change: Option<BoxChange>) {
        let waiting = change.map(Waiting::new);
        if self.cards.waiting != waiting || self.cards.trouble.is_some() || self.cards.is_behind {
            self.set_cards(|cards| {
                (cards.waiting, cards.trouble, cards.is_behind) = (waiting, None, false);
            });
        }
    }

    /// Takes a change of the cards; `asked` is who asked for it, and their number.
    pub(in super::super) fn update(
        &mut self,
        by: SeatNo,
        change: &BoxChange,
        at: u64,
        asked: Option<(MemberNo, u64)>,
    ) -> Result<Entry, Refusal> {
        let entry = self.session.update(by, change, at)?.clone();
        self.show(&entry, asked);
        self.set_waiting(None);
        Ok(entry)
    }

    /// Takes the change that waits, for a host who has seen it.
    pub(in super::super) fn confirm(
        &mut self,
        from: MemberNo,
        asked: &Asked,
        at: u64,
    ) -> Option<(Entry, BoxChange)> {
        let is_paid =
            self.rates_of(from, at).is_some_and(|rates| rates.work.is_paid(at) && rates.acts.take(at));
        if !is_paid {
            self.waiting.push((from, messages::too_fast(asked.c)));
            return None;
        }
        let Verb::Update { hash } = &asked.act.verb else { return None };
        let waiting = self.cards.waiting.clone().filter(|waiting| waiting.hash == *hash);
        let by = self.members.get(&from).map(|member| member.seat);
        let done = match (waiting, by) {
            (Some(waiting), Some(by)) => self
                .update(by, &waiting.change, at, Some((from, asked.c)))
                .map(|entry| (entry, waiting.change)),
            _ => Err(OLD_HASH),
        };
        match done {
            Ok(done) => Some(done),
            Err(refusal) => {
                self.waiting.push((from, messages::refusal(asked.c, &refusal)));
                None
            }
        }
    }

    /// Takes the cards that the browser of an owner or editor packed, who leads the table: where the server packs none.
    pub(in super::super) fn take_box(
        &mut self,
        uid: &str,
        later: &GameBox,
        at: u64,
    ) -> Result<Option<(Entry, BoxChange)>, Refusal> {
        let is_maker = self.guests.standings.get(uid) == Some(&Standing::Maker);
        let leading = self.seats_of(uid).into_iter().find(|seat| self.session.table().leads(*seat));
        let Some(seat) = leading.filter(|_| is_maker) else {
            return Err(Refusal::NotAllowed("Only hosts who edit the project bring its cards to the table."));
        };
        if self.is_packed() {
            return Err(Refusal::NotPossible("This server packs the cards itself."));
        }
        if self.follow() != Follow::Ask {
            return Err(Refusal::NotPossible("This table takes no changes of its cards."));
        }
        let change = self.session.game_box().change_to(later);
        let change = change.map_err(|_| Refusal::Malformed("The box does not say which cards it has."))?;
        if change.is_empty() {
            self.set_waiting(None);
            return Ok(None);
        }
        self.update(seat, &change, at, None).map(|entry| Some((entry, change)))
    }

    /// Refuses to follow a project at once where that cannot be.
    pub(super) fn check_follow(&self, verb: &Verb) -> Result<(), Refusal> {
        let is_live = matches!(verb, Verb::Edit { edit: Edit::Follow { follow: Follow::Live } });
        if is_live && !self.is_packed() { Err(NOT_LIVE) } else { Ok(()) }
    }
}
