//! Messages between a table and its clients, the same over sockets and callables. JSON objects:
//!
//! ```text
//! → {hello:2, token, seat?, have?:{epoch,n}}   first message of a socket
//! → {act:{c, verb, as?, …}}                    answered by a patch with `ack`, or by {no:c, code, say}
//! → {at:[x,y], drag?:[dx,dy,turn]}             the own pointer; never stored
//! → {ping:[x,y]}                              shows everybody a place; never stored
//! → {look:seat}                                looks from another seat of one's own
//! → {fresh:n}                                  the view does not have the hash of patch n: asks for all of it
//! → {token}                                    a newer token
//! ← {state:{epoch, seat, n, set, common, …}}   everything
//! ← {n, by, verb, set, put?:{h:[x,y,z]}, say, did?:[h…], ack?, check?, …}   one entry; `put` are pieces that lie elsewhere,
//!                                             `did` those of a line that says no more than that they were handled
//! ← {you:{seats, leads, table}}                 the own seats, whether one leads, and the table's name
//! ← {cards:{why, trouble, behind, waiting?}}   for those who lead: changes of the project's cards
//! ← {admission:{code, locked, asks, people}}         for those who lead: who came by the code, and who may
//! ← {people:{seats, observers}} · {pointers:[[seat,x,y,drag?]…], pings?:[[seat,x,y]…]} · {fair:{commitment, seal, seed?}} · {bye:{why, again}}
//! ```

use std::fmt;
use std::sync::Arc;

use docstore::{Code, Error};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tuckbox_table::ids::{Handle, SeatNo};
use tuckbox_table::view::Patch;
use tuckbox_table::{Act, Refusal};

use super::admission::{Admission, Person};

/// The state that a client comes back with.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Have {
    /// The view it belongs to.
    pub epoch: String,
    /// The last entry it has.
    pub n: u64,
}

/// A socket's first message.
#[derive(Debug, Clone, Deserialize)]
pub struct Hello {
    /// Version of the messages: 2.
    pub hello: u32,
    /// The account's token.
    pub token: String,
    /// The seat to act as, for somebody who has several.
    #[serde(default)]
    pub seat: Option<SeatNo>,
    /// State from an earlier socket.
    #[serde(default)]
    pub have: Option<Have>,
}

/// A later message of a socket; one of its fields is set.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the module's description")]
pub struct Message {
    pub act: Option<Asked>,
    pub at: Option<(i32, i32)>,
    pub drag: Option<(i32, i32, i32)>,
    pub ping: Option<(i32, i32)>,
    pub fresh: Option<u64>,
    pub look: Option<SeatNo>,
    pub token: Option<String>,
}

/// An act that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Asked {
    /// The client's own number, which the answer carries.
    #[serde(default)]
    pub c: u64,
    /// The seat to sit down on, for `claim`. Verbs have fields called `seat`.
    #[serde(default, rename = "as")]
    pub seat: Option<SeatNo>,
    /// The act.
    #[serde(flatten)]
    pub act: Act<Handle>,
}

/// A pointer: position, how far what it drags is from its place, and whether it shows that position to everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the type says it")]
pub struct Pointer {
    pub at: (i32, i32),
    pub drag: Option<(i32, i32, i32)>,
    pub ping: bool,
}

/// A message as it is sent.
pub type Frame = Arc<str>;

/// Everything on view, for somebody who joins.
#[derive(Serialize)]
pub(super) struct State<'a> {
    pub(super) epoch: &'a str,
    /// `null` for observers.
    pub(super) seat: Option<SeatNo>,
    /// SHA-256 of the seed, in hexadecimal.
    pub(super) commitment: String,
    #[serde(flatten)]
    pub(super) patch: &'a Patch,
}

pub(super) fn frame(message: &impl Serialize) -> Frame {
    // Maps have text keys and nothing else fails; the error would quote the value.
    serde_json::to_string(message).unwrap_or_default().into()
}

/// A patch's frame with the number of the act that made it.
pub(super) fn acknowledged(patch: &str, c: u64) -> Frame {
    format!("{{\"ack\":{c},{}", patch.get(1..).unwrap_or_default()).into()
}

pub(super) fn refusal(c: u64, refusal: &Refusal) -> Frame {
    frame(&json!({"no": c, "code": refusal.code(), "say": refusal.to_string()}))
}

/// The answer to an act of which it is not known whether it counts.
pub(super) fn unknown(c: u64) -> Frame {
    let say = "The server could not store this. Look whether it happened before you try again.";
    frame(&json!({"no": c, "code": "unknown", "say": say}))
}

/// The answer to an act beyond the rate.
pub(super) fn too_fast(c: u64) -> Frame {
    frame(&json!({"no": c, "code": "rate", "say": "That was too fast. Wait a second."}))
}

/// Admission as those see it who lead the table: `seats` are those of each person, `here` says who is connected.
pub(super) fn admission(
    admission: &Admission,
    seats: impl Fn(&str) -> Vec<SeatNo>,
    here: impl Fn(&str) -> bool,
) -> Frame {
    let people: Vec<_> = { admission.people.iter() }
        .map(|(uid, Person { name, entry, guest })| {
            json!({"id": uid, "name": name, "entry": entry, "guest": guest, "seats": seats(uid), "here": here(uid)})
        })
        .collect();
    let Admission { code, locked, asks, .. } = admission;
    frame(&json!({"admission": {"code": code, "locked": locked, "asks": asks, "people": people}}))
}

/// The last message of a socket: the reason, and whether it is worth connecting again.
pub(super) fn bye(why: &str, again: bool) -> Frame {
    frame(&json!({"bye": {"why": why, "again": again}}))
}

/// A reason for which somebody does not come to a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// There is no such table, or the caller is no member of its project and never gave its code: one answer for all.
    Stranger,
    /// It was a sample table, and its time is over.
    Gone,
    /// Waits until the host says yes.
    Waiting,
    /// Was removed.
    Out,
    /// Nobody new joins.
    Locked,
    /// The seat, or the ring of observers, has as many sockets as it may.
    Full,
    /// Too many tables are awake, or too much of them.
    TooMany,
    /// The tables awake of the project's owner take as much as one owner's may.
    OwnerFull,
    /// The sample tables awake take as much as they may.
    SamplesFull,
    /// The caller was sent the whole view too often; nothing was done.
    TooFast,
    /// The table could not be loaded or stored. An act may count all the same.
    Unavailable,
    /// The table fell asleep at this moment; nothing was done.
    Asleep,
}

impl Refused {
    /// A stable word for clients.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stranger => "not-found",
            Self::Gone => "gone",
            Self::Waiting => "let-in",
            Self::Out => "out",
            Self::Locked => "locked",
            Self::Full => "full",
            Self::TooMany => "busy",
            Self::OwnerFull => "owner-busy",
            Self::SamplesFull => "samples-busy",
            Self::TooFast => "rate",
            Self::Unavailable | Self::Asleep => "unavailable",
        }
    }

    /// The error of a call.
    pub fn error(self) -> Error {
        let (code, tag) = match self {
            Self::Stranger => (Code::NotFound, "NoSuchTable"),
            Self::Gone => (Code::NotFound, "TableGone"),
            Self::Waiting => (Code::FailedPrecondition, "WaitsForHost"),
            Self::Out => (Code::PermissionDenied, "ShownOut"),
            Self::Locked => (Code::PermissionDenied, "TableLocked"),
            Self::Full => (Code::ResourceExhausted, "TableFull"),
            Self::TooMany | Self::OwnerFull | Self::SamplesFull => (Code::ResourceExhausted, "TooManyTables"),
            Self::TooFast => (Code::ResourceExhausted, "TooManyViews"),
            Self::Unavailable | Self::Asleep => (Code::Unavailable, "TableUnavailable"),
        };
        Error::new(code, tag, self.to_string())
    }

    /// True if it may work later.
    pub fn is_passing(self) -> bool {
        !matches!(self, Self::Stranger | Self::Gone | Self::Out | Self::Locked)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stranger => {
                "There is no such table, or it is not open to you. Ask for an invitation to its project."
            }
            Self::Gone => "This sample table is gone: each lasts an hour. Open a new one.",
            Self::Waiting => "The host has not let you in yet.",
            Self::Out => "The host has removed you from this table.",
            Self::Locked => "The host has locked this table: nobody new joins. Ask them to unlock it.",
            Self::Full => "As many people watch this table as can. Close another window, or try again later.",
            Self::TooMany => {
                "This server has as many tables in play as it can hold. Try again in a few minutes."
            }
            Self::OwnerFull => {
                "People are at as many tables of this project's owner as this server has room for. Leave one of them, or try again in a few minutes."
            }
            Self::SamplesFull => {
                "People are at as many sample tables as this server has room for. Each goes an hour after it was opened: try again in a few minutes."
            }
            Self::TooFast => "You asked for the whole table too often. Wait a few seconds.",
            Self::Unavailable | Self::Asleep => {
                "The table could not be reached. Look whether your last act happened, and try again."
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuckbox_table::Verb;

    #[test]
    fn messages_are_read() {
        let text = r#"{"act":{"c":7,"verb":"turn","by":90,"pieces":["abcdefghijkl"]}}"#;
        let asked = serde_json::from_str::<Message>(text).unwrap().act.unwrap();
        assert_eq!((asked.c, asked.act.pieces.len()), (7, 1));
        assert_eq!(asked.act.verb, Verb::Turn { by: 90 });
        let claim = r#"{"act":{"c":1,"verb":"claim","name":"Bob","as":1}}"#;
        let asked = serde_json::from_str::<Message>(claim).unwrap().act.unwrap();
        assert_eq!(asked.seat, Some(SeatNo(1)));
        let pointer = serde_json::from_str::<Message>(r#"{"at":[1,2],"drag":[3,4,5]}"#).unwrap();
        assert_eq!((pointer.at, pointer.drag, pointer.ping), (Some((1, 2)), Some((3, 4, 5)), None));
        for bad in [r#"{"act":{"c":1}}"#, r#"{"act":{"c":1,"verb":"fly"}}"#, "7", r#"{"at":[1]}"#] {
            assert!(serde_json::from_str::<Message>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_acknowledged_patch_is_the_patch_with_a_number() {
        let patch = frame(&Patch { n: 3, ..Patch::default() });
        let value: serde_json::Value = serde_json::from_str(&acknowledged(&patch, 9)).unwrap();
        assert_eq!((&value["ack"], &value["n"]), (&json!(9), &json!(3)));
    }
}
