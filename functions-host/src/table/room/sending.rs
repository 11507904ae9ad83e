//! Messages to the people in a room. They wait until all before them is stored.

use std::sync::Arc;

use serde_json::json;
use tuckbox_table::ids::SeatNo;

use super::super::audience::Audience;
use super::super::messages::{self, Frame, Refused, frame};
use super::{Member, MemberNo, Room};

impl Room {
    /// Tells somebody of themselves, and whoever leads of admission.
    pub(in super::super) fn greet(&mut self, no: MemberNo) {
        let Some(Member { uid, stays, .. }) = self.members.get(&no) else { return };
        // Whoever stays is told of admission whenever people come and go, they among them.
        let leads = self.leads(uid);
        let is_told = leads && !stays;
        let you = json!({"seats": self.seats_of(uid), "leads": leads, "table": self.guests.name});
        self.waiting.push((no, frame(&json!({ "you": you }))));
        if is_told {
            let cards = self.cards_for(uid);
            self.waiting.extend([(no, self.admission()), (no, cards)]);
        }
    }

    fn admission(&self) -> Frame {
        let here = |uid: &str| self.members.values().any(|member| member.stays && member.uid == uid);
        messages::admission(&self.guests.admission, |uid| self.seats_of(uid), here)
    }

    /// Sends somebody everything on view. Who asks for more than their rate is let go, and comes back later.
    pub(in super::super) fn refresh(&mut self, no: MemberNo, at: u64) {
        let Some(seat) = self.members.get(&no).map(|member| member.seat) else { return };
        if self.may_be_sent_all(no, at) {
            self.send_state(no, seat);
        }
    }

    pub(super) fn may_be_sent_all(&mut self, no: MemberNo, at: u64) -> bool {
        let is_paid = self.rates_of(no, at).is_some_and(|rates| rates.views.is_paid(at));
        if let Some(member) = self.members.get(&no).filter(|_| !is_paid) {
            let why = Refused::TooFast;
            member.outbox.push(messages::bye(why.word(), why.is_passing()));
            self.leave(no);
        }
        is_paid
    }

    pub(super) fn send_state(&mut self, no: MemberNo, seat: SeatNo) {
        self.audience(seat);
        if let Some(audience) = self.audiences.get_mut(&seat) {
            let whole = audience.state(&self.session);
            let rates = self.members.get(&no).and_then(|member| self.rates.get_mut(&member.uid));
            if let Some(rates) = rates {
                rates.views.spend(whole.len());
            }
            self.waiting.push((no, whole));
        }
        if self.session.table().ended {
            self.waiting.push((no, self.fair()));
        }
    }

    /// Sends what waits; all entries are stored. Who reads too slowly is let go, and comes back with what they have.
    pub(in super::super) fn flush(&mut self) {
        loop {
            if std::mem::take(&mut self.moved) {
                let people = self.people();
                self.broadcast(&people);
                let admission = self.admission();
                let leading = self.members.iter().filter(|(_, one)| one.stays && self.leads(&one.uid));
                let both = |(no, one): (&MemberNo, &Member)| {
                    [(*no, Arc::clone(&admission)), (*no, self.cards_for(&one.uid))]
                };
                let leading: Vec<_> = leading.flat_map(both).collect();
                self.waiting.extend(leading);
            }
            for (no, frame) in std::mem::take(&mut self.waiting) {
                // At once: a later message that fits would leave a gap.
                if self.members.get(&no).is_some_and(|member| !member.outbox.push(frame)) {
                    self.leave(no);
                }
            }
            if !self.moved {
                self.audiences.values_mut().for_each(Audience::forget_whole);
                return;
            }
        }
    }

    /// Everybody whose socket is open is sent a message.
    fn broadcast(&mut self, frame: &Frame) {
        self.broadcast_but(None, frame);
    }

    /// Everybody whose socket is open is sent a message, but those at one seat.
    pub(super) fn broadcast_but(&mut self, seat: Option<SeatNo>, frame: &Frame) {
        let told = self.members.iter().filter(|(_, member)| member.stays && Some(member.seat) != seat);
        self.waiting.extend(told.map(|(no, _)| (*no, Arc::clone(frame))));
    }

    fn people(&self) -> Frame {
        let staying = self.members.values().filter(|member| member.stays);
        let seats: Vec<_> = staying.map(|member| member.seat).collect();
        let observers = seats.iter().filter(|seat| **seat == SeatNo::OBSERVER).count();
        let mut seats: Vec<_> = seats.into_iter().filter(|seat| *seat != SeatNo::OBSERVER).collect();
        seats.sort_unstable();
        seats.dedup();
        frame(&json!({"people": {"seats": seats, "observers": observers}}))
    }
}
