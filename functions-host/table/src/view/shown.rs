//! The look of a piece and of the table to one seat.

use crate::game_box::{CardSet, GameBox, Kind};
use crate::ids::{BackNo, DefNo, Handle, SeatNo, SetNo, SurfaceNo};
use crate::model::{
    Arrangement, Button, Clock, ContainerKind, Facing, Holder, Level, Piece, Policy, Proposal, Role,
    Settings, Shows, Table,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The place of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the fields of Spot, with handles")]
pub enum Place {
    On { surface: SurfaceNo, x: i32, y: i32, z: u64 },
    In { holder: Handle, at: u32, x: i32, y: i32, z: u64 },
}

/// The container side of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownContainer {
    /// Its kind.
    pub kind: ContainerKind,
    /// The layout of its contents.
    pub arrangement: Arrangement,
    /// Its policy.
    pub policy: Policy,
    /// Its owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<SeatNo>,
    /// Width and height in tenths of a millimetre.
    pub size: (u32, u32),
    /// Pieces inside, unless that is hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Seats that look through it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searched_by: Vec<SeatNo>,
}

/// The look of a piece. A missing field is not seen, or has its usual value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// Its place.
    #[serde(flatten)]
    pub on: Place,
    /// Its kind, from its back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Its back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<BackNo>,
    /// Its definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub face: Option<DefNo>,
    /// The side that lies up, if the seat knows the face.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<Facing>,
    /// Degrees clockwise.
    #[serde(default, skip_serializing_if = "is_default")]
    pub turn: u16,
    /// True if it is locked.
    #[serde(default, skip_serializing_if = "is_default")]
    pub locked: bool,
    /// Pieces with one number move together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<u64>,
    /// Colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tint: Option<u32>,
    /// A die's side, a counter's value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// Text of a note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// True if the seat may look at it although others may not: it is known.
    #[serde(default, skip_serializing_if = "is_default")]
    pub known: bool,
    /// Its container side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<Box<ShownContainer>>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Place {
    /// Its position: to the right, down, and the height.
    pub(super) fn position(&self) -> (i32, i32, u64) {
        match *self {
            Self::On { x, y, z, .. } | Self::In { x, y, z, .. } => (x, y, z),
        }
    }

    fn at(&self, (x, y, z): (i32, i32, u64)) -> Self {
        match *self {
            Self::On { surface, .. } => Self::On { surface, x, y, z },
            Self::In { holder, at, .. } => Self::In { holder, at, x, y, z },
        }
    }
}

impl Shown {
    /// True if it differs from `later` in its position alone.
    pub(super) fn lies_as(&self, later: &Self) -> bool {
        // Places first: a piece that was turned or changed hands is not copied to be compared.
        self.on != later.on && {
            let on = self.on.at(later.on.position());
            on == later.on && *later == Self { on, ..self.clone() }
        }
    }

    /// The look at a level, with the face and the holder's handle that the seat may know.
    pub(super) fn of(
        table: &Table,
        piece: &Piece,
        seat: SeatNo,
        (level, face, holder): (Level, Option<DefNo>, Option<Handle>),
    ) -> Self {
        let pos = piece.pos;
        let on = match (piece.holder, holder) {
            (Holder::On(surface), _) => Place::On { surface, x: pos.x, y: pos.y, z: pos.z },
            // A holder is on view before its contents are.
            (Holder::In(_), holder) => Place::In {
                holder: holder.unwrap_or(Handle::from_bits(0)),
                at: table.spot(piece).at,
                x: pos.x,
                y: pos.y,
                z: pos.z,
            },
        };
        let marks = &piece.marks;
        let (sees_back, sees_face) = (level >= Level::Back, level == Level::Face);
        // A die's side and a note's text are faces; a counter on a card lies on top of it.
        let sees_value = if piece.kind == Kind::Die { sees_face } else { sees_back };
        Self {
            on,
            kind: sees_back.then_some(piece.kind),
            back: piece.back.filter(|_| sees_back),
            face,
            facing: (sees_face && piece.back.is_some()).then_some(piece.facing),
            turn: if sees_back { marks.turn } else { 0 },
            locked: marks.locked,
            group: marks.group,
            tint: marks.tint,
            value: marks.value.filter(|_| sees_value),
            text: marks.text.clone().filter(|_| sees_face),
            name: marks.name.clone().filter(|_| sees_back),
            known: sees_face && piece.known.has(seat) && piece.facing == Facing::Down,
            container: piece.container.as_deref().map(|container| {
                let shows = container.shows_to(seat);
                let is_searching = table.searches.get(&seat) == Some(&piece.no);
                Box::new(ShownContainer {
                    kind: container.kind,
                    arrangement: container.arrangement,
                    policy: container.policy,
                    owner: container.owner,
                    size: container.size,
                    count: (shows >= Shows::Count || is_searching).then_some(container.len() as u32),
                    searched_by: {
                        let searches = table.searches.iter().filter(|(_, at)| **at == piece.no);
                        searches.map(|(seat, _)| *seat).collect()
                    },
                })
            }),
        }
    }
}

/// The hash of pieces on view.
pub(super) fn hash_of<'a>(pieces: impl Iterator<Item = (Handle, &'a Shown)>) -> u32 {
    let sorted: BTreeMap<String, &Shown> =
        pieces.map(|(handle, shown)| (handle.to_string(), shown)).collect();
    let mut hash = 0x811c_9dc5_u32;
    for (handle, shown) in sorted {
        let mut json = String::new();
        canonical(&serde_json::to_value(shown).unwrap_or_default(), &mut json);
        for byte in handle.bytes().chain(json.bytes()) {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    hash
}

/// JSON without spaces, the keys of every object in order.
fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => {
            let sorted: BTreeMap<_, _> = fields.iter().collect();
            for (nth, (key, value)) in sorted.into_iter().enumerate() {
                out.push(if nth == 0 { '{' } else { ',' });
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                canonical(value, out);
            }
            out.push_str(if fields.is_empty() { "{}" } else { "}" });
        }
        Value::Array(items) => {
            out.push('[');
            for (nth, item) in items.iter().enumerate() {
                out.push_str(if nth == 0 { "" } else { "," });
                canonical(item, out);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

/// A set of the box, by its number, for those who write steps about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownSet {
    /// Name for people.
    pub name: String,
    /// Pieces of it in the box.
    pub pieces: u32,
    /// Backs that its pieces have.
    pub backs: Vec<BackNo>,
    /// True if it is part of another set: the cards of a component with one value in a column.
    #[serde(default, skip_serializing_if = "is_default")]
    pub part: bool,
}

impl ShownSet {
    pub(super) fn all_of(game_box: &GameBox) -> Vec<Self> {
        let shown = |(no, set): (u16, &CardSet)| {
            let definitions = set.members.iter().filter_map(|no| game_box.definition(*no));
            let backs = 0..game_box.backs().len() as u16;
            Self {
                name: set.name.clone(),
                pieces: definitions.map(|one| u32::from(one.copies)).sum(),
                backs: backs.map(BackNo).filter(|back| game_box.set_has_back(SetNo(no), *back)).collect(),
                part: set.value.is_some(),
            }
        };
        (0..).zip(game_box.sets()).map(shown).collect()
    }
}

/// A seat as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of Seat")]
pub struct PublicSeat {
    pub name: String,
    pub colour: u32,
    pub role: Role,
    /// True if somebody sits there.
    pub taken: bool,
    pub agrees: bool,
}

/// Everything beside the pieces; all of it is public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of Table")]
pub struct PublicTable {
    pub surfaces: u8,
    pub seats: BTreeMap<SeatNo, PublicSeat>,
    pub clock: Clock,
    pub settings: Settings,
    pub proposal: Option<Proposal>,
    /// The button that waits for the host.
    pub waiting: Option<String>,
    pub buttons: BTreeMap<String, Button>,
    pub has_setup: bool,
    pub ended: bool,
}

impl PublicTable {
    pub(super) fn of(table: &Table) -> Self {
        let public = |(no, seat): (&SeatNo, &crate::model::Seat)| {
            let taken = seat.who.is_some();
            let seat = PublicSeat {
                name: seat.name.clone(),
                colour: seat.colour,
                role: seat.role,
                taken,
                agrees: seat.agrees,
            };
            (*no, seat)
        };
        Self {
            surfaces: table.surfaces,
            seats: table.seats.iter().map(public).collect(),
            clock: table.clock.clone(),
            settings: table.settings.clone(),
            proposal: table.proposal.clone(),
            waiting: table.pending.as_ref().map(|pending| pending.button.clone()),
            buttons: table.buttons.clone(),
            has_setup: table.setup.is_some(),
            ended: table.ended,
        }
    }
}
