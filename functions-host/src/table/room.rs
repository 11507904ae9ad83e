//! A table that is awake, without its log: the session, who is there, and what is to be sent once all is stored.

mod live_cards;
mod people;
mod pointers;
mod sending;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use auth_emu::entropy::SharedEntropy;
use serde_json::json;
use tuckbox_table::act::Verb;
use tuckbox_table::ids::SeatNo;
use tuckbox_table::log::Entry;
use tuckbox_table::model::{Change, Role};
use tuckbox_table::{Act, Refusal, Session};

use super::admission::Admission;
use super::audience::{Audience, hex};
use super::bucket::Bucket;
use super::departures::Departures;
use super::limits::{ACTS_A_SECOND, PIECE_BYTES, POINTS_A_SECOND, VIEW_BYTES_A_SECOND, WORK_A_SECOND};
use super::live::refusal_at;
use super::messages::{self, Asked, Frame, Have, Pointer, frame};
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

    fn audience(&mut self, seat: SeatNo) -> &mut Audience {
        let (session, entropy) = (&self.session, &*self.entropy);
        self.audiences.entry(seat).or_insert_with(|| Audience::open(session, seat, entropy))
    }

    fn rates_of(&mut self, from: MemberNo, at: u64) -> Option<&mut Rates> {
        let member = self.members.get(&from)?;
        Some(self.rates.entry(member.uid.clone()).or_insert_with(|| Rates::full(at)))
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
}
