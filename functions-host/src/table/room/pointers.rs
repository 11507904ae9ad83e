//! Pointers and pings of the people in a room.

use std::collections::BTreeSet;

use serde_json::json;
use tuckbox_table::ids::SeatNo;

use super::super::messages::{Pointer, frame};
use super::{MemberNo, Room};

impl Room {
    /// Moves somebody's pointer. Observers have none that others see.
    pub(in super::super) fn point(&mut self, from: MemberNo, pointer: Pointer, at: u64) {
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
    pub(in super::super) fn has_pointers(&self) -> bool {
        self.members.values().any(|member| member.pointer.is_some() || member.ping.is_some())
    }

    /// Sends the pointers that moved to everybody, in one message. A seat that moved alone needs not be told.
    pub(in super::super) fn send_pointers(&mut self) {
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
        self.broadcast_but(alone, &pointers);
        self.flush();
    }
}
