//! The people in a room: who comes, on which seats they sit, who may not stay, and who goes.

use tuckbox_table::Act;
use tuckbox_table::act::Verb;
use tuckbox_table::ids::SeatNo;
use tuckbox_table::log::Entry;
use tuckbox_table::model::{Role, Seat};

use super::super::admission::{Admission, Entry as Joined};
use super::super::limits::{OBSERVERS, SOCKETS_OF_SEAT};
use super::super::live::refusal_at;
use super::super::messages::{self, Refused};
use super::super::outbox::Outbox;
use super::{Guests, Member, MemberNo, Rates, Room, Standing, Standings, Visitor};

impl Room {
    /// Lets somebody in, who is sent what they lack.
    pub(in super::super) fn enter(
        &mut self,
        visitor: Visitor,
        outbox: Outbox,
        at: u64,
    ) -> Result<MemberNo, Refused> {
        self.check(&visitor.uid)?;
        let seat = self.seat_of(&visitor.uid, visitor.seat);
        let most = if seat == SeatNo::OBSERVER { OBSERVERS } else { SOCKETS_OF_SEAT };
        let there = self.members.values().filter(|member| member.seat == seat && member.stays).count();
        if visitor.stays && there >= most {
            return Err(Refused::Full);
        }
        let n = self.session.table().n;
        let missed = visitor.have.and_then(|have| self.audience(seat).since(&have, n));
        let rates = self.rates.entry(visitor.uid.clone()).or_insert_with(|| Rates::full(at));
        if missed.is_none() && !rates.views.is_paid(at) {
            return Err(Refused::TooFast);
        }
        let no = self.next;
        self.next += 1;
        self.moved |= visitor.stays;
        let member = Member {
            uid: visitor.uid,
            wanted: visitor.seat,
            seat,
            stays: visitor.stays,
            outbox,
            pointer: None,
            ping: None,
        };
        self.members.insert(no, member);
        match missed {
            Some(missed) => self.waiting.extend(missed.into_iter().map(|frame| (no, frame))),
            None => self.send_state(no, seat),
        }
        Ok(no)
    }

    /// Refuses those who may not come in. A lock keeps nobody out who sits at the table or has given its code before.
    fn check(&self, uid: &str) -> Result<(), Refused> {
        let Guests { standings, admission, .. } = &self.guests;
        match (standings.get(uid), refusal_at(admission, uid)) {
            (Some(Standing::Maker), _) | (_, None) => Ok(()),
            (None, Some(refused)) => Err(refused),
            (Some(Standing::Member), _) if !admission.locked || !self.seats_of(uid).is_empty() => Ok(()),
            (Some(Standing::Member), _) => Err(Refused::Locked),
        }
    }

    /// The seats that an account sits on.
    pub(super) fn seats_of(&self, uid: &str) -> Vec<SeatNo> {
        let seats = self.session.table().seats.iter();
        seats.filter(|(_, seat)| seat.who.as_deref() == Some(uid)).map(|(no, _)| *no).collect()
    }

    /// True if somebody leads the table: owners and editors of the project, and hosts and co-hosts. Nobody says who comes to
    /// a sample table.
    pub(in super::super) fn leads(&self, uid: &str) -> bool {
        if self.guests.is_sample {
            return false;
        }
        let leading = |seat: &Seat| seat.role != Role::Player && seat.who.as_deref() == Some(uid);
        self.guests.standings.get(uid) == Some(&Standing::Maker)
            || self.session.table().seats.values().any(leading)
    }

    /// Looks from another seat of one's own.
    pub(in super::super) fn look(&mut self, no: MemberNo, seat: SeatNo, at: u64) {
        let Some(Member { uid, .. }) = self.members.get(&no) else { return };
        let there = self.members.values().filter(|member| member.seat == seat && member.stays).count();
        if !self.seats_of(uid).contains(&seat) || there >= SOCKETS_OF_SEAT || !self.may_be_sent_all(no, at) {
            return;
        }
        if let Some(member) = self.members.get_mut(&no) {
            (member.seat, member.wanted, member.pointer) = (seat, Some(seat), None);
        }
        self.send_state(no, seat);
        self.moved = true;
    }

    /// Takes admission as it is stored now. Who may not stay is let go, and gets up: answers those entries.
    pub(in super::super) fn set_admission(&mut self, admission: Admission, at: u64) -> Vec<Entry> {
        if admission.rev < self.guests.admission.rev {
            return Vec::new();
        }
        self.guests.admission = admission;
        self.moved = true;
        self.let_go();
        let Guests { standings, admission, .. } = &self.guests;
        let out = |uid: &str| !standings.contains_key(uid) && admission.entry(uid) == Some(Joined::Out);
        let seats = self.session.table().seats.iter();
        let left = seats.filter(|(_, seat)| seat.who.as_deref().is_some_and(out)).map(|(no, _)| *no);
        let left: Vec<_> = left.collect();
        let mut entries = Vec::new();
        for seat in left {
            match self.session.act(seat, &Act::new(Verb::Leave { seat: None }), at).cloned() {
                Ok(entry) => {
                    self.show(&entry, None);
                    entries.push(entry);
                }
                Err(refusal) => tracing::warn!("a seat was not freed: {refusal}"),
            }
        }
        entries
    }

    /// Lets those go who may not be there any more.
    fn let_go(&mut self) {
        let gone = self.members.iter().filter_map(|(no, member)| Some((*no, self.check(&member.uid).err()?)));
        // A lock is for those who come.
        let gone: Vec<_> = gone.filter(|(_, why)| *why != Refused::Locked).collect();
        for (no, why) in gone {
            if let Some(member) = self.members.get(&no) {
                member.outbox.push(messages::bye(why.word(), why.is_passing()));
            }
            self.leave(no);
        }
    }

    /// Lets somebody go.
    pub(in super::super) fn leave(&mut self, no: MemberNo) {
        if let Some(gone) = self.members.remove(&no) {
            let n = self.session.table().n;
            if let Some(audience) = self.audiences.get_mut(&gone.seat) {
                audience.use_at(n);
            }
            self.moved |= gone.stays;
            let seats = &self.session.table().seats;
            let sits = |uid: &str| seats.values().any(|seat| seat.who.as_deref() == Some(uid));
            self.departures.note(gone.uid, sits);
        }
    }

    /// The account that sits on a seat, if it left so long ago that somebody else may take the seat over.
    pub(super) fn left_by(&self, seat: SeatNo) -> Option<String> {
        let sits = self.session.table().seats.get(&seat)?.who.as_ref()?;
        let is_here = self.members.values().any(|member| member.uid == *sits);
        (!is_here && self.departures.are_long_ago(sits)).then(|| sits.clone())
    }

    /// Lets those go whose sockets have ended without a word.
    pub(in super::super) fn prune(&mut self) {
        let gone = self.members.iter().filter(|(_, member)| member.outbox.is_closed());
        let gone: Vec<_> = gone.map(|(no, _)| *no).collect();
        gone.into_iter().for_each(|no| self.leave(no));
    }

    /// The seat that somebody looks from: the wanted one if it is theirs, otherwise the first of theirs.
    pub(super) fn seat_of(&self, uid: &str, wanted: Option<SeatNo>) -> SeatNo {
        let seats = &self.session.table().seats;
        let mut own = seats.iter().filter(|(_, seat)| seat.who.as_deref() == Some(uid)).map(|(no, _)| *no);
        let is_own = |no: &SeatNo| seats.get(no).is_some_and(|seat| seat.who.as_deref() == Some(uid));
        wanted.filter(is_own).or_else(|| own.next()).unwrap_or(SeatNo::OBSERVER)
    }

    /// After seats changed: nobody keeps the view of a seat that is not theirs any more.
    pub(super) fn reseat(&mut self) {
        let session = &self.session;
        self.audiences.retain(|_, audience| audience.is_of(session));
        let mut changed = Vec::new();
        for (no, member) in &self.members {
            let kept = Some(member.seat).filter(|seat| *seat != SeatNo::OBSERVER);
            let seat = self.seat_of(&member.uid, kept.or(member.wanted));
            if seat != member.seat || !self.audiences.contains_key(&seat) {
                changed.push((*no, seat));
            }
        }
        for (no, seat) in changed {
            if let Some(member) = self.members.get_mut(&no) {
                member.seat = seat;
                (member.pointer, member.ping) = (None, None);
            }
            self.send_state(no, seat);
        }
        let staying = self.members.iter().filter(|(_, member)| member.stays).map(|(no, _)| *no);
        let staying: Vec<_> = staying.collect();
        staying.into_iter().for_each(|no| self.greet(no));
        self.moved = true;
    }

    /// Takes the project's members as they are now. Who is none any more, and never gave the code, is let go.
    pub(in super::super) fn set_standings(&mut self, standings: Standings) {
        self.guests.standings = standings;
        let Guests { standings, admission, .. } = &self.guests;
        self.rates.retain(|uid, _| standings.contains_key(uid) || refusal_at(admission, uid).is_none());
        self.let_go();
        self.flush();
    }

    /// Lets everybody go with a reason.
    pub(in super::super) fn close(&mut self, why: Refused) {
        for member in std::mem::take(&mut self.members).into_values() {
            member.outbox.push(messages::bye(why.word(), why.is_passing()));
        }
    }
}
