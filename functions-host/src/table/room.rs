//! A table that is awake, without its log: the session, who is there, and what is to be sent once all is stored.

mod live_cards;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use auth_emu::entropy::SharedEntropy;
use serde_json::json;
use tuckbox_table::act::Verb;
use tuckbox_table::ids::SeatNo;
use tuckbox_table::log::Entry;
use tuckbox_table::model::{Change, Role, Seat};
use tuckbox_table::{Act, Refusal, Session};

use super::admission::{Admission, Entry as Joined};
use super::audience::{Audience, hex};
use super::bucket::Bucket;
use super::departures::Departures;
use super::limits::{
    ACTS_A_SECOND, OBSERVERS, PIECE_BYTES, POINTS_A_SECOND, SOCKETS_OF_SEAT, VIEW_BYTES_A_SECOND,
    WORK_A_SECOND,
};
use super::live::refusal_at;
use super::messages::{self, Asked, Frame, Have, Pointer, Refused, frame};
use super::outbox::Outbox;

/// Standing of a member of the table's project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// May watch and take seats of players.
    Member,
    /// May take the host's seat too: an owner or editor.
    Maker,
}

/// The members of a project.
pub type Standings = HashMap<String, Standing>;

/// People who may come to a table, and its name.
pub(super) struct Guests {
    pub(super) standings: Standings,
    pub(super) admission: Admission,
    pub(super) name: String,
    /// True at a sample table: it has no members, so anybody takes the host's seat, and nobody has a say in who comes.
    pub(super) is_sample: bool,
}

/// Number of somebody at the table. It is never used again.
pub(super) type MemberNo = u64;

/// Somebody who comes to the table.
#[derive(Debug, Clone)]
pub(super) struct Visitor {
    pub(super) uid: String,
    /// The seat to look from, among several of one's own.
    pub(super) seat: Option<SeatNo>,
    pub(super) have: Option<Have>,
    /// False for a call, which others do not see come and go.
    pub(super) stays: bool,
}

/// Rates of an account.
struct Rates {
    acts: Bucket,
    work: Bucket,
    points: Bucket,
    views: Bucket,
}

impl Rates {
    fn full(at: u64) -> Self {
        let [acts, work, points, views] =
            [ACTS_A_SECOND, WORK_A_SECOND, POINTS_A_SECOND, VIEW_BYTES_A_SECOND]
                .map(|a_second| Bucket::full(a_second, at));
        Self { acts, work, points, views }
    }
}

struct Member {
    uid: String,
    wanted: Option<SeatNo>,
    seat: SeatNo,
    stays: bool,
    outbox: Outbox,
    /// A pointer that was not sent on yet.
    pointer: Option<Pointer>,
    /// A place that was shown to everybody and not sent on yet.
    ping: Option<(i32, i32)>,
}

/// See the module's description.
pub(super) struct Room {
    session: Session,
    entropy: SharedEntropy,
    guests: Guests,
    audiences: BTreeMap<SeatNo, Audience>,
    members: BTreeMap<MemberNo, Member>,
    next: MemberNo,
    /// Messages that wait until all before them is stored.
    waiting: Vec<(MemberNo, Frame)>,
    /// True if people came, went or changed seats.
    moved: bool,
    rates: HashMap<String, Rates>,
    departures: Departures,
    cards: live_cards::Cards,
}

impl Room {
    /// A table that wakes at `now`, in milliseconds since the epoch. `hindrance` is the reason for which its cards are not
    /// packed here.
    pub(super) fn new(
        session: Session,
        guests: Guests,
        entropy: SharedEntropy,
        now: u64,
        hindrance: Option<String>,
    ) -> Self {
        Self {
            session,
            entropy,
            guests,
            audiences: BTreeMap::new(),
            members: BTreeMap::new(),
            next: 0,
            waiting: Vec::new(),
            moved: false,
            rates: HashMap::new(),
            departures: Departures::since(now),
            cards: live_cards::Cards::new(hindrance),
        }
    }

    /// Notes the time of the request that follows, in milliseconds since the epoch.
    pub(super) fn begin(&mut self, now: u64) {
        self.departures.begin(now);
    }

    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    /// Bytes in memory, roughly: box, entries, pieces, and the views with what they keep.
    pub(super) fn held(&self) -> usize {
        let pieces = self.session.table().piece_count() * PIECE_BYTES;
        let views = self.audiences.values().map(|audience| pieces + audience.kept_bytes());
        self.session.held() + pieces + views.sum::<usize>()
    }

    /// True if no socket is open.
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// True if somebody is a member of the project, or was let in by the table's code.
    pub(super) fn knows(&self, uid: &str) -> bool {
        self.guests.standings.contains_key(uid) || refusal_at(&self.guests.admission, uid).is_none()
    }

    /// Lets somebody in, who is sent what they lack.
    pub(super) fn enter(&mut self, visitor: Visitor, outbox: Outbox, at: u64) -> Result<MemberNo, Refused> {
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
    fn seats_of(&self, uid: &str) -> Vec<SeatNo> {
        let seats = self.session.table().seats.iter();
        seats.filter(|(_, seat)| seat.who.as_deref() == Some(uid)).map(|(no, _)| *no).collect()
    }

    /// True if somebody leads the table: owners and editors of the project, and hosts and co-hosts. Nobody says who comes to
    /// a sample table.
    pub(super) fn leads(&self, uid: &str) -> bool {
        if self.guests.is_sample {
            return false;
        }
        let leading = |seat: &Seat| seat.role != Role::Player && seat.who.as_deref() == Some(uid);
        self.guests.standings.get(uid) == Some(&Standing::Maker)
            || self.session.table().seats.values().any(leading)
    }

    /// Tells somebody of themselves, and whoever leads of admission.
    pub(super) fn greet(&mut self, no: MemberNo) {
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

    /// Looks from another seat of one's own.
    pub(super) fn look(&mut self, no: MemberNo, seat: SeatNo, at: u64) {
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
    pub(super) fn set_admission(&mut self, admission: Admission, at: u64) -> Vec<Entry> {
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
    pub(super) fn leave(&mut self, no: MemberNo) {
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
    fn left_by(&self, seat: SeatNo) -> Option<String> {
        let sits = self.session.table().seats.get(&seat)?.who.as_ref()?;
        let is_here = self.members.values().any(|member| member.uid == *sits);
        (!is_here && self.departures.are_long_ago(sits)).then(|| sits.clone())
    }

    /// Lets those go whose sockets have ended without a word.
    pub(super) fn prune(&mut self) {
        let gone = self.members.iter().filter(|(_, member)| member.outbox.is_closed());
        let gone: Vec<_> = gone.map(|(no, _)| *no).collect();
        gone.into_iter().for_each(|no| self.leave(no));
    }

    /// Sends somebody everything on view. Who asks for more than their rate is let go, and comes back later.
    pub(super) fn refresh(&mut self, no: MemberNo, at: u64) {
        let Some(seat) = self.members.get(&no).map(|member| member.seat) else { return };
        if self.may_be_sent_all(no, at) {
            self.send_state(no, seat);
        }
    }

    fn may_be_sent_all(&mut self, no: MemberNo, at: u64) -> bool {
        let is_paid = self.rates_of(no, at).is_some_and(|rates| rates.views.is_paid(at));
        if let Some(member) = self.members.get(&no).filter(|_| !is_paid) {
            let why = Refused::TooFast;
            member.outbox.push(messages::bye(why.word(), why.is_passing()));
            self.leave(no);
        }
        is_paid
    }

    /// Does an act. Answers and patches wait until [`Room::flush`]; even a refusal tells of entries before it.
    pub(super) fn act(&mut self, from: MemberNo, asked: Asked, at: u64) -> Option<Entry> {
        let c = asked.c;
        let rates = self.rates_of(from, at);
        if !rates
            .is_some_and(|rates| rates.work.is_paid(at) && rates.views.is_paid(at) && rates.acts.take(at))
        {
            self.waiting.push((from, messages::too_fast(c)));
            return None;
        }
        let entry = match self.attempt(from, asked, at) {
            Ok(entry) => entry,
            Err(refusal) => {
                self.waiting.push((from, messages::refusal(c, &refusal)));
                return None;
            }
        };
        self.show(&entry, Some((from, c)));
        Some(entry)
    }

    /// Gives somebody the first free seat, unless they have one; `names` are theirs by seat. Answers the seat, and the entry
    /// of sitting down. Without a free seat they watch.
    pub(super) fn sit(&mut self, uid: &str, names: &[String], at: u64) -> (Option<SeatNo>, Option<Entry>) {
        if let Some(own) = self.seats_of(uid).first() {
            return (Some(*own), None);
        }
        let free: Vec<_> = { self.session.table().seats.iter() }
            .filter(|(_, seat)| seat.who.is_none())
            .filter_map(|(no, _)| Some((*no, names.get(usize::from(no.0))?.clone())))
            .collect();
        for (seat, name) in free {
            let claim = Act::new(Verb::Claim { who: uid.to_owned(), name, left_by: None });
            if let Ok(entry) = self.session.act(seat, &claim, at).cloned() {
                self.show(&entry, None);
                return (Some(seat), Some(entry));
            }
        }
        (None, None)
    }

    /// Sends the session's last entry to everybody; `asked` is who asked for it, and their number.
    fn show(&mut self, entry: &Entry, asked: Option<(MemberNo, u64)>) {
        for (seat, audience) in &mut self.audiences {
            let patch = audience.patch(&self.session, entry);
            for (no, _) in self.members.iter().filter(|(_, member)| member.seat == *seat) {
                let answer = asked.filter(|(from, _)| from == no);
                let patch =
                    answer.map_or_else(|| Arc::clone(&patch), |(_, c)| messages::acknowledged(&patch, c));
                self.waiting.push((*no, patch));
            }
        }
        if entry.changes.iter().any(|change| matches!(change, Change::Seat { .. })) {
            self.reseat();
        }
        if entry.changes.iter().any(|change| matches!(change, Change::Ended { .. })) {
            let fair = self.fair();
            self.waiting.extend(self.members.keys().map(|no| (*no, Arc::clone(&fair))));
        }
        let n = entry.n;
        let used: Vec<_> = self.members.values().map(|member| member.seat).collect();
        self.audiences.retain(|seat, audience| used.contains(seat) || !audience.is_stale(n));
    }

    fn attempt(&mut self, from: MemberNo, asked: Asked, at: u64) -> Result<Entry, Refusal> {
        let member = self.members.get(&from).ok_or(Refusal::NotThere)?;
        self.check_follow(&asked.act.verb)?;
        let (by, act) = if let Verb::Claim { name, .. } = asked.act.verb {
            let seat = asked.seat.ok_or(Refusal::Malformed("Say which seat to take (`as`)."))?;
            let role = self.session.table().seats.get(&seat).map(|seat| seat.role);
            let is_maker = self.guests.standings.get(&member.uid) == Some(&Standing::Maker);
            match role {
                None => return Err(Refusal::Malformed("The table has no such seat.")),
                Some(Role::Host | Role::Cohost) if !is_maker && !self.guests.is_sample => {
                    return Err(Refusal::NotAllowed("That seat is for owners and editors of the project."));
                }
                Some(_) => {
                    let left_by = self.left_by(seat);
                    (seat, Act::new(Verb::Claim { who: member.uid.clone(), name, left_by }))
                }
            }
        } else {
            if asked.seat.is_some_and(|seat| seat != member.seat) {
                return Err(Refusal::NotAllowed("You do not act from that seat."));
            }
            let audience = self.audiences.get(&member.seat).ok_or(Refusal::Internal)?;
            (member.seat, audience.view().resolve(&asked.act)?)
        };
        let uid = member.uid.clone();
        let done = self.session.act(by, &act, at).cloned();
        let work = self.session.work();
        if let Some(rates) = self.rates.get_mut(&uid) {
            rates.work.spend(work);
        }
        done
    }

    /// Commitment, seal, and once the game has ended the seed: what the verifier needs.
    fn fair(&self) -> Frame {
        let seed = self.session.seed().map(|seed| hex(&seed));
        let (commitment, seal) = (hex(&self.session.commitment()), hex(&self.session.seal()));
        frame(&json!({"fair": {"commitment": commitment, "seal": seal, "seed": seed}}))
    }

    /// The seat that somebody looks from: the wanted one if it is theirs, otherwise the first of theirs.
    fn seat_of(&self, uid: &str, wanted: Option<SeatNo>) -> SeatNo {
        let seats = &self.session.table().seats;
        let mut own = seats.iter().filter(|(_, seat)| seat.who.as_deref() == Some(uid)).map(|(no, _)| *no);
        let is_own = |no: &SeatNo| seats.get(no).is_some_and(|seat| seat.who.as_deref() == Some(uid));
        wanted.filter(is_own).or_else(|| own.next()).unwrap_or(SeatNo::OBSERVER)
    }

    /// After seats changed: nobody keeps the view of a seat that is not theirs any more.
    fn reseat(&mut self) {
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

    fn audience(&mut self, seat: SeatNo) -> &mut Audience {
        let (session, entropy) = (&self.session, &*self.entropy);
        self.audiences.entry(seat).or_insert_with(|| Audience::open(session, seat, entropy))
    }

    fn send_state(&mut self, no: MemberNo, seat: SeatNo) {
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
    pub(super) fn flush(&mut self) {
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
        let staying = self.members.iter().filter(|(_, member)| member.stays);
        self.waiting.extend(staying.map(|(no, _)| (*no, Arc::clone(frame))));
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

    fn rates_of(&mut self, from: MemberNo, at: u64) -> Option<&mut Rates> {
        let member = self.members.get(&from)?;
        Some(self.rates.entry(member.uid.clone()).or_insert_with(|| Rates::full(at)))
    }

    /// Moves somebody's pointer. Observers have none that others see.
    pub(super) fn point(&mut self, from: MemberNo, pointer: Pointer, at: u64) {
        if !self.rates_of(from, at).is_some_and(|rates| rates.points.take(at)) {
            return;
        }
        if let Some(member) = self.members.get_mut(&from).filter(|member| member.seat != SeatNo::OBSERVER) {
            if pointer.ping {
                member.ping = Some(pointer.at);
            } else {
                member.pointer = Some(pointer);
            }
        }
    }

    /// True if pointers wait to be sent on.
    pub(super) fn has_pointers(&self) -> bool {
        self.members.values().any(|member| member.pointer.is_some() || member.ping.is_some())
    }

    /// Sends the pointers that moved to everybody, in one message. A seat that moved alone needs not be told.
    pub(super) fn send_pointers(&mut self) {
        let (mut pointers, mut pings) = (Vec::new(), Vec::new());
        let mut moved = BTreeSet::new();
        for member in self.members.values_mut() {
            if let Some((x, y)) = member.ping.take() {
                pings.push(json!([member.seat, x, y]));
            }
            if let Some(Pointer { at: (x, y), drag, .. }) = member.pointer.take() {
                moved.insert(member.seat);
                pointers.push(match drag {
                    Some(drag) => json!([member.seat, x, y, drag]),
                    None => json!([member.seat, x, y]),
                });
            }
        }
        let pointers = if pings.is_empty() {
            frame(&json!({ "pointers": pointers }))
        } else {
            frame(&json!({ "pointers": pointers, "pings": pings }))
        };
        let alone = moved.first().copied().filter(|_| moved.len() == 1 && pings.is_empty());
        let told = self.members.iter().filter(|(_, member)| member.stays && Some(member.seat) != alone);
        self.waiting.extend(told.map(|(no, _)| (*no, Arc::clone(&pointers))));
        self.flush();
    }

    /// Takes the project's members as they are now. Who is none any more, and never gave the code, is let go.
    pub(super) fn set_standings(&mut self, standings: Standings) {
        self.guests.standings = standings;
        let Guests { standings, admission, .. } = &self.guests;
        self.rates.retain(|uid, _| standings.contains_key(uid) || refusal_at(admission, uid).is_none());
        self.let_go();
        self.flush();
    }

    /// Goes on from what is stored, after a failed append. Nothing that waited is sent; `lost` are the acts of which
    /// nobody knows whether they count.
    pub(super) fn restart(&mut self, session: Session, lost: &[(MemberNo, u64)]) {
        self.session = session;
        self.audiences.clear();
        self.waiting.clear();
        let seats: Vec<_> = self
            .members
            .iter()
            .map(|(no, member)| (*no, self.seat_of(&member.uid, Some(member.seat).or(member.wanted))))
            .collect();
        for (no, seat) in seats {
            if let Some(member) = self.members.get_mut(&no) {
                member.seat = seat;
            }
            self.send_state(no, seat);
        }
        self.waiting.extend(lost.iter().map(|(no, c)| (*no, messages::unknown(*c))));
    }

    /// Lets everybody go with a reason.
    pub(super) fn close(&mut self, why: Refused) {
        for member in std::mem::take(&mut self.members).into_values() {
            member.outbox.push(messages::bye(why.word(), why.is_passing()));
        }
    }
}
