//! The state of a table.

use super::button::Button;
use super::piece::{Container, Holder, Piece, Pos, Spot};
use super::settings::{Clock, Follow, Pending, Proposal, Role, Seat, Settings};
use crate::ids::{PieceNo, SeatNo, SeatSet, SurfaceNo};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A table: the fold of its log. Stored as it is in snapshots; it is never sent to a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Number of the last entry; 0 for an empty table.
    pub n: u64,
    /// Surfaces.
    pub surfaces: u8,
    /// All pieces.
    pub(crate) pieces: BTreeMap<PieceNo, Piece>,
    /// The number of the next new piece. It never falls.
    pub(crate) next_piece: u32,
    /// Seats that play.
    pub seats: BTreeMap<SeatNo, Seat>,
    /// Turn, phase and round.
    pub clock: Clock,
    /// Settings.
    pub settings: Settings,
    /// Seats that look through a container.
    pub(crate) searches: BTreeMap<SeatNo, PieceNo>,
    /// An undo that waits for votes.
    pub proposal: Option<Proposal>,
    /// A button that waits for the host.
    pub pending: Option<Pending>,
    /// Buttons by name.
    pub buttons: BTreeMap<String, Button>,
    /// The button that sets the table up.
    pub setup: Option<Button>,
    /// True once the game has ended.
    pub ended: bool,
    /// Changes of the box so far.
    #[serde(default)]
    pub revision: Revision,
}

/// Changes of a box: their number, and their bytes as JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the type says it")]
pub struct Revision {
    pub no: u32,
    pub bytes: u64,
}

impl Table {
    /// An empty table.
    pub fn new(surfaces: u8, settings: Settings) -> Self {
        Self {
            n: 0,
            surfaces: surfaces.clamp(1, crate::limits::SURFACES),
            pieces: BTreeMap::new(),
            next_piece: 1,
            seats: BTreeMap::new(),
            clock: Clock::default(),
            settings,
            searches: BTreeMap::new(),
            proposal: None,
            pending: None,
            buttons: BTreeMap::new(),
            setup: None,
            ended: false,
            revision: Revision::default(),
        }
    }

    /// A piece, if there is one of this number.
    pub fn piece(&self, no: PieceNo) -> Option<&Piece> {
        self.pieces.get(&no)
    }

    /// The container side of a piece.
    pub fn container(&self, no: PieceNo) -> Option<&Container> {
        self.pieces.get(&no)?.container.as_deref()
    }

    /// All pieces by number.
    pub fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.values()
    }

    /// Number of pieces, containers included.
    pub fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    /// The piece on top of a container.
    pub(crate) fn top(&self, container: PieceNo) -> Option<PieceNo> {
        self.container(container)?.contents.last().copied()
    }

    /// The container that a piece lies in.
    pub(crate) fn container_of(&self, piece: &Piece) -> Option<(PieceNo, &Container)> {
        match piece.holder {
            Holder::On(_) => None,
            Holder::In(no) => Some((no, self.container(no)?)),
        }
    }

    /// The place of a piece.
    pub(crate) fn spot(&self, piece: &Piece) -> Spot {
        let at = self.container_of(piece).and_then(|(_, container)| {
            // Most acts take from the top.
            container.contents.iter().rposition(|no| *no == piece.no)
        });
        Spot { holder: piece.holder, at: at.unwrap_or(0) as u32, pos: piece.pos }
    }

    /// Orders pieces by the places that everybody who sees them sees: containers before contents, low before high. Their
    /// numbers would tell hidden pieces apart.
    pub(crate) fn place_key(&self, piece: &Piece) -> (u8, [u64; 6]) {
        let mut path = [0; 6];
        let (mut depth, mut at) = (0_u8, piece);
        // Containers nest twice at most.
        while depth < 4 {
            match at.holder {
                Holder::On(surface) => {
                    path[0] = u64::from(surface.0);
                    path[1] = at.pos.z;
                    break;
                }
                Holder::In(no) => {
                    path[5 - usize::from(depth)] = u64::from(self.spot(at).at);
                    let Some(holder) = self.piece(no) else { break };
                    at = holder;
                    depth += 1;
                }
            }
        }
        // The index of the outer container comes first.
        path[2..].rotate_left(4 - usize::from(depth.min(4)));
        (depth, path)
    }

    /// The position on the surface of a piece or of what holds it.
    pub(crate) fn surface_pos(&self, no: PieceNo) -> Option<(SurfaceNo, Pos)> {
        let mut piece = self.piece(no)?;
        // Containers nest twice at most; the bound keeps a damaged state from looping.
        for _ in 0..4 {
            match piece.holder {
                Holder::On(surface) => return Some((surface, piece.pos)),
                Holder::In(holder) => piece = self.piece(holder)?,
            }
        }
        None
    }

    /// The hand of a seat.
    pub(crate) fn hand(&self, seat: SeatNo) -> Option<PieceNo> {
        self.pieces
            .values()
            .find(|piece| {
                let hand = piece.container.as_ref();
                hand.is_some_and(|hand| hand.kind == super::ContainerKind::Hand && hand.owner == Some(seat))
            })
            .map(|piece| piece.no)
    }

    /// The piece of a name that belongs to nobody, or to the seat.
    pub(crate) fn named(&self, name: &str, owner: Option<SeatNo>) -> Option<PieceNo> {
        let of_owner = |piece: &&Piece| piece.container.as_ref().and_then(|inside| inside.owner) == owner;
        self.pieces
            .values()
            .filter(|piece| piece.marks.name.as_deref() == Some(name))
            .find(of_owner)
            .map(|piece| piece.no)
    }

    /// Seats with somebody on them, in order.
    pub(crate) fn players(&self) -> Vec<SeatNo> {
        self.seats.iter().filter(|(_, seat)| seat.who.is_some()).map(|(no, _)| *no).collect()
    }

    /// True if a host or co-host sits there.
    pub fn leads(&self, seat: SeatNo) -> bool {
        self.seats.get(&seat).is_some_and(|seat| seat.role != Role::Player)
    }

    /// True if whoever sits there may change the table: containers, buttons, the set-up.
    pub fn may_edit(&self, seat: SeatNo) -> bool {
        self.leads(seat) || (self.settings.rights.edit && self.seats.contains_key(&seat))
    }

    /// Every seat, and observers as one.
    pub(crate) fn viewers(&self) -> SeatSet {
        self.seats.keys().copied().chain([SeatNo::OBSERVER]).collect()
    }

    /// True if observers see what all seats see.
    pub fn is_open_to_observers(&self) -> bool {
        let mut players = self.seats.values().filter(|seat| seat.who.is_some()).peekable();
        self.settings.open_to_observers && players.peek().is_some() && players.all(|seat| seat.agrees)
    }

    /// The table from which somebody plays on alone, on all seats. Numbers of entries go on, since places follow them.
    #[must_use]
    pub fn forked(&self, who: &str) -> Self {
        let mut fork = self.clone();
        for (no, seat) in &mut fork.seats {
            seat.who = Some(who.to_owned());
            seat.role = if no.0 == 0 { Role::Host } else { Role::Player };
            seat.agrees = false;
        }
        fork.settings.follow = Follow::Frozen;
        fork.settings.open_to_observers = false;
        fork.searches.clear();
        (fork.proposal, fork.pending, fork.ended) = (None, None, false);
        fork.revision = Revision::default();
        fork
    }

    /// Checks that every piece is in exactly one place and that containers form a forest.
    ///
    /// # Errors
    /// Says which piece is misplaced.
    pub fn check(&self) -> Result<(), String> {
        let mut inside = BTreeMap::new();
        for piece in self.pieces.values() {
            let contents = piece.container.iter().flat_map(|container| &container.contents);
            for content in contents {
                if inside.insert(*content, piece.no).is_some() {
                    return Err(format!("piece {} is in two places", content.0));
                }
            }
        }
        for (no, piece) in &self.pieces {
            let holder = inside.remove(no);
            let expected = match piece.holder {
                Holder::On(_) => None,
                Holder::In(container) => Some(container),
            };
            if piece.no != *no || holder != expected {
                return Err(format!("piece {} is not where it says", no.0));
            }
            if self.surface_pos(*no).is_none() {
                return Err(format!("piece {} lies in a circle", no.0));
            }
            if no.0 >= self.next_piece {
                return Err(format!("piece {} has a number that is still to come", no.0));
            }
        }
        match inside.first_key_value() {
            Some((content, _)) => Err(format!("piece {} is missing", content.0)),
            None => Ok(()),
        }
    }
}
