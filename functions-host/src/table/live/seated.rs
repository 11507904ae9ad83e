//! A place at a table.

use std::fmt;

use tokio::sync::mpsc;
use tuckbox_table::ids::SeatNo;

use super::super::actor::Request;
use super::super::messages::{Asked, Frame, Pointer};
use super::super::outbox::Inbox;
use super::super::room::MemberNo;

/// Somebody's place at a table. Dropping it leaves the table.
pub struct Seated {
    pub(super) requests: mpsc::Sender<Request>,
    pub(super) no: MemberNo,
    pub(super) inbox: Inbox,
}

impl fmt::Debug for Seated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seated").field("no", &self.no).finish_non_exhaustive()
    }
}

impl Seated {
    /// The next message; `None` once the table has let go.
    pub async fn next(&mut self) -> Option<Frame> {
        self.inbox.next().await
    }

    /// Acts. Waits while the table has much to do. False if the table is gone.
    pub async fn act(&self, asked: Asked) -> bool {
        self.requests.send(Request::Act(self.no, asked)).await.is_ok()
    }

    /// Moves the pointer, unless the table has much to do.
    pub fn point(&self, pointer: Pointer) {
        // The next one brings others up to date.
        drop(self.requests.try_send(Request::Point(self.no, pointer)));
    }

    /// Looks from another seat of one's own. False if the table is gone.
    pub async fn look(&self, seat: SeatNo) -> bool {
        self.requests.send(Request::Look(self.no, seat)).await.is_ok()
    }

    /// Asks for everything on view, because the client's view has another hash. False if the table is gone.
    pub async fn refresh(&self) -> bool {
        self.requests.send(Request::Fresh(self.no)).await.is_ok()
    }
}

impl Drop for Seated {
    fn drop(&mut self) {
        // With a full mailbox the table finds the closed inbox by itself.
        drop(self.requests.try_send(Request::Leave(self.no)));
    }
}
