//! Requests to a table, and their answers.

use std::convert::Infallible;

use tokio::sync::oneshot;
use tuckbox_table::game_box::GameBox;
use tuckbox_table::ids::SeatNo;

use super::super::admission::Admission;
use super::super::messages::{Asked, Frame, Pointer, Refused};
use super::super::outbox::Outbox;
use super::super::room::{MemberNo, Visitor};

/// The answer to a call: the messages that a socket would have been sent.
pub(super) type Answer = oneshot::Sender<Result<Vec<Frame>, Refused>>;

/// The answer to cards that somebody brings: true if they changed anything, or the refusal in words.
pub(super) type CardsTaken = oneshot::Sender<Result<Result<bool, String>, Refused>>;

/// The answer to whoever is given a seat: that seat, if one was free.
pub(super) type Given = oneshot::Sender<Result<Option<SeatNo>, Refused>>;

/// Dropped once everybody is gone who may not stay.
pub(super) type Told = oneshot::Sender<Infallible>;

/// Answers a request. Whoever does not wait any longer needs no answer.
pub(super) fn answer<T>(reply: oneshot::Sender<T>, with: T) {
    let _ = reply.send(with);
}

/// A request to a table.
pub(in super::super) enum Request {
    Enter {
        visitor: Visitor,
        outbox: Outbox,
        reply: oneshot::Sender<Result<MemberNo, Refused>>,
    },
    Leave(MemberNo),
    Act(MemberNo, Asked),
    Point(MemberNo, Pointer),
    /// The reader's view is not the server's.
    Fresh(MemberNo),
    /// Looks from another seat of one's own.
    Look(MemberNo, SeatNo),
    /// Admission has changed.
    Admission(Admission, Told),
    /// Asks whether somebody leads the table.
    Leads(String, oneshot::Sender<Result<bool, Refused>>),
    /// Gives somebody the first free seat, under the name that they have on each.
    Sit {
        uid: String,
        names: Vec<String>,
        reply: Given,
    },
    /// Takes the cards that somebody's browser packed.
    Cards {
        uid: String,
        game_box: Box<GameBox>,
        reply: CardsTaken,
    },
    /// The table is being deleted.
    Close,
    /// Another table needs the room: sleeps if nobody is there.
    Rest,
    /// Comes, acts or not, takes what there is, and goes.
    Call {
        visitor: Visitor,
        asked: Option<Asked>,
        reply: Answer,
    },
}

impl Request {
    /// Answers that nothing was done.
    pub(in super::super) fn refuse(self, why: Refused) {
        match self {
            Self::Enter { reply, .. } => answer(reply, Err(why)),
            Self::Call { reply, .. } => answer(reply, Err(why)),
            Self::Leads(_, reply) => answer(reply, Err(why)),
            Self::Sit { reply, .. } => answer(reply, Err(why)),
            Self::Cards { reply, .. } => answer(reply, Err(why)),
            // Whoever wakes the table next reads what is stored.
            Self::Admission(_, told) => drop(told),
            Self::Look(..)
            | Self::Leave(_)
            | Self::Act(..)
            | Self::Point(..)
            | Self::Fresh(_)
            | Self::Close
            | Self::Rest => {}
        }
    }
}
