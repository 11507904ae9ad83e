//! Pieces, the places they lie in, and the policies of containers.

use super::secret::{Grant, Sealed};
use crate::game_box::Kind;
use crate::ids::{BackNo, DefNo, PieceNo, SeatNo, SeatSet, SurfaceNo};
use serde::{Deserialize, Serialize};

/// The side that lies up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Facing {
    /// The face.
    Up,
    /// The back.
    Down,
}

impl Facing {
    /// The other side.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }
}

/// A position in tenths of a millimetre, and the height in the pile of everything (higher lies on top).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the type says it")]
pub struct Pos {
    pub x: i32,
    pub y: i32,
    pub z: u64,
}

/// The one thing a piece lies on or in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Holder {
    /// A surface of the table.
    On(SurfaceNo),
    /// A container.
    In(PieceNo),
}

/// A place: holder, index in it (0 is the bottom; unused on a surface) and position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the type says it")]
pub struct Spot {
    pub holder: Holder,
    pub at: u32,
    pub pos: Pos,
}

/// State that people put on a piece. It would mark a piece, so it is lost in a stack, bag or hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// Degrees clockwise, below 360.
    pub turn: u16,
    /// True if it may not be moved, turned or flipped.
    pub locked: bool,
    /// Pieces with one number move together.
    pub group: Option<u64>,
    /// Colour, 24 bits.
    pub tint: Option<u32>,
    /// A die's side, a counter's value.
    pub value: Option<i64>,
    /// Text of a note.
    pub text: Option<String>,
    /// Name; buttons find pieces by it.
    pub name: Option<String>,
}

/// A piece. What it is (its definition) is sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Its number.
    pub no: PieceNo,
    /// Its kind.
    pub kind: Kind,
    secret: Option<Sealed<DefNo>>,
    /// Its back; none for pieces made at the table.
    pub back: Option<BackNo>,
    /// Sides of a die.
    pub sides: u16,
    /// The thing it lies on or in.
    pub holder: Holder,
    /// Position on a surface, or in a zone or tray.
    pub pos: Pos,
    /// The side that lies up.
    pub facing: Facing,
    /// State that people put on it.
    pub marks: Marks,
    /// Seats that may look at its face while it lies hidden.
    pub known: SeatSet,
    /// The entry that last took it through hiding. Handles of earlier entries no longer name it.
    pub trail: u64,
    /// Its contents, if it is a container.
    pub container: Option<Box<Container>>,
}

impl Piece {
    /// A piece of a definition that a button or a person named.
    pub(crate) fn of(no: PieceNo, definition: DefNo, back: BackNo, kind: Kind, sides: u16) -> Self {
        Self { secret: Some(Sealed::new(definition)), back: Some(back), sides, ..Self::made(no, kind) }
    }

    /// A piece that is made at the table: a note or a container.
    pub(crate) fn made(no: PieceNo, kind: Kind) -> Self {
        Self {
            no,
            kind,
            secret: None,
            back: None,
            sides: 0,
            holder: Holder::On(SurfaceNo(0)),
            pos: Pos::default(),
            facing: Facing::Up,
            marks: Marks::default(),
            known: SeatSet::NONE,
            trail: 0,
            container: None,
        }
    }

    /// Its definition, for those who hold a grant.
    pub(super) fn definition(&self, grant: &Grant) -> Option<DefNo> {
        self.secret.as_ref().map(|sealed| sealed.open(grant))
    }

    /// True if it has no hidden side.
    pub fn is_open(&self) -> bool {
        self.secret.is_none() || matches!(self.kind, Kind::Board | Kind::Counter | Kind::Timer)
    }
}

/// A kind of container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContainerKind {
    /// A deck or pile: only the top is seen.
    Stack,
    /// A bag: no order, drawn from by chance.
    Bag,
    /// A seat's hand.
    Hand,
    /// A private area of seats.
    Tray,
    /// An area of the table.
    Zone,
}

/// The way contents are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Arrangement {
    #[default]
    Free,
    Fan,
    Row,
    Grid,
}

/// Those inside a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// Every seat, observers too.
    All,
    /// The container's owner.
    Owner,
    /// No seat.
    Nobody,
    /// These seats.
    Seats(SeatSet),
}

/// The most that a container shows of its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shows {
    /// Nothing, not even the number.
    Nothing,
    /// The number of pieces.
    Count,
    /// A piece in each place.
    Presence,
    /// The backs, in order.
    Back,
    /// The side that lies up.
    AsItLies,
    /// The faces.
    Face,
}

/// A container's policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Those to whom it shows `inside`.
    pub audience: Audience,
    /// Shown to the audience.
    pub inside: Shows,
    /// Shown to everybody else.
    pub outside: Shows,
    /// The side that comes to lie up when a piece enters.
    #[serde(default)]
    pub auto_face: Option<Facing>,
    /// The turn of a piece that enters, in degrees.
    #[serde(default)]
    pub auto_turn: Option<u16>,
    /// The only pieces that may enter.
    #[serde(default)]
    pub accepts: Option<crate::ids::SetNo>,
    /// The most pieces inside.
    #[serde(default)]
    pub capacity: Option<u32>,
}

impl Policy {
    /// The usual policy of a kind.
    pub fn usual(kind: ContainerKind) -> Self {
        let (audience, inside, outside, auto_face) = match kind {
            ContainerKind::Stack | ContainerKind::Zone => {
                (Audience::All, Shows::AsItLies, Shows::AsItLies, None)
            }
            ContainerKind::Bag => (Audience::Nobody, Shows::Count, Shows::Count, None),
            ContainerKind::Hand | ContainerKind::Tray => (Audience::Owner, Shows::Face, Shows::Count, None),
        };
        Self { audience, inside, outside, auto_face, auto_turn: None, accepts: None, capacity: None }
    }
}

/// The container side of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Container {
    /// Its kind.
    pub kind: ContainerKind,
    /// The layout of its contents.
    pub arrangement: Arrangement,
    /// Its policy: the contents it shows and takes.
    pub policy: Policy,
    /// Its owner; a hand has one.
    pub owner: Option<SeatNo>,
    /// False for a pile made by hand, which ends with its last but one piece.
    pub stays: bool,
    /// Width and height in tenths of a millimetre.
    pub size: (u32, u32),
    /// Contents from the bottom. Verbs read the order to carry it out; clients are shown what `seen.rs` grants.
    pub(crate) contents: Vec<PieceNo>,
}

impl Container {
    /// An empty container with the usual policy.
    pub fn new(kind: ContainerKind) -> Self {
        Self {
            kind,
            arrangement: Arrangement::default(),
            policy: Policy::usual(kind),
            owner: None,
            stays: true,
            size: (0, 0),
            contents: Vec::new(),
        }
    }

    /// Number of pieces inside. It is a secret if the policy shows nothing.
    pub fn len(&self) -> usize {
        self.contents.len()
    }

    /// True if nothing is inside.
    pub fn is_empty(&self) -> bool {
        self.contents.is_empty()
    }

    /// Shown to a seat at most.
    pub fn shows_to(&self, seat: SeatNo) -> Shows {
        let inside = match self.policy.audience {
            Audience::All => true,
            Audience::Owner => self.owner == Some(seat),
            Audience::Nobody => false,
            Audience::Seats(seats) => seats.has(seat),
        };
        let shows = if inside { self.policy.inside } else { self.policy.outside };
        // A bag has no places that could be seen.
        if self.kind == ContainerKind::Bag { shows.min(Shows::Count) } else { shows }
    }

    /// True if a piece that goes in or out of it gets a new handle.
    pub fn hides(&self) -> bool {
        self.kind != ContainerKind::Zone
            || self.policy.inside != Shows::AsItLies
            || self.policy.outside != Shows::AsItLies
    }

    /// True if pieces lose their marks in it.
    pub fn clears_marks(&self) -> bool {
        matches!(self.kind, ContainerKind::Stack | ContainerKind::Bag | ContainerKind::Hand)
    }

    /// True if pieces have a position of their own inside.
    pub fn has_positions(&self) -> bool {
        matches!(self.kind, ContainerKind::Zone | ContainerKind::Tray)
    }
}
