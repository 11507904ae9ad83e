//! Pieces and containers that a seat may name, move and use.

use super::draft::Draft;
use crate::act::Refusal;
use crate::ids::PieceNo;
use crate::model::{Audience, Container, ContainerKind, Level, Piece, level};

impl Draft<'_> {
    /// A piece that the seat may name.
    pub(super) fn reach(&self, no: PieceNo) -> Result<&Piece, Refusal> {
        let piece = self.piece(no)?;
        if level(self.table, piece, self.by) < Level::Present {
            return Err(Refusal::NotThere);
        }
        if let Some((_, holder)) = self.table.container_of(piece)
            && !self.may_open(holder)
        {
            return Err(Refusal::NotThere);
        }
        Ok(piece)
    }

    /// A piece that the seat may move, turn or change.
    pub(super) fn touch(&self, no: PieceNo) -> Result<&Piece, Refusal> {
        let piece = self.reach(no)?;
        if piece.marks.locked {
            return Err(Refusal::Locked);
        }
        let own = |container: &Container| container.owner == Some(self.by);
        let is_own = self.table.container_of(piece).is_some_and(|(_, holder)| own(holder));
        if !is_own && !self.leads() && !self.table.settings.rights.move_all {
            return Err(Refusal::NotAllowed("At this table, players move only their own pieces."));
        }
        Ok(piece)
    }

    /// A container that the seat may use.
    pub(super) fn reach_container(&self, no: PieceNo) -> Result<&Container, Refusal> {
        self.reach(no)?;
        let container = self.container(no)?;
        if !self.may_open(container) {
            return Err(Refusal::NotAllowed("That belongs to another seat."));
        }
        Ok(container)
    }

    fn may_open(&self, container: &Container) -> bool {
        match container.kind {
            ContainerKind::Hand => container.owner == Some(self.by),
            ContainerKind::Tray => match container.policy.audience {
                Audience::All => true,
                Audience::Owner => container.owner == Some(self.by),
                Audience::Nobody => self.leads(),
                Audience::Seats(seats) => seats.has(self.by) || container.owner == Some(self.by),
            },
            _ => true,
        }
    }

    pub(super) fn leads(&self) -> bool {
        self.table.leads(self.by)
    }

    /// Refuses while somebody else looks through a container; a button ends the look instead.
    pub(super) fn free(&mut self, container: PieceNo) -> Result<(), Refusal> {
        let others: Vec<_> = self
            .table
            .searches
            .iter()
            .filter(|(seat, at)| **at == container && **seat != self.by)
            .map(|(seat, _)| *seat)
            .collect();
        if others.is_empty() {
            return Ok(());
        }
        if !self.is_button {
            return Err(Refusal::Busy);
        }
        self.end_searches(container, Some(self.by))
    }
}
