//! The box: definitions of all pieces that a session can hold, packed from a project. Faces and backs are opaque JSON
//! texts for the painter.

mod change;

use crate::ids::{BackNo, DefNo, SetNo};
use crate::limits;
pub use change::BoxChange;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of piece. It shows in the back look, so it is no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Kind {
    Card,
    Token,
    Tile,
    Die,
    Board,
    Counter,
    Note,
    Standee,
    Timer,
    /// A stack, bag, hand, tray or zone.
    Container,
}

/// A back: all that is seen of a piece whose face is hidden.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Back {
    /// JSON text for the painter: layout and the cells that it reads.
    pub look: Box<str>,
    /// Kind of all pieces with this back.
    pub kind: Kind,
    /// Width and height in tenths of a millimetre.
    pub size: (u16, u16),
    /// Sides of a die; 0 for other kinds.
    #[serde(default)]
    pub sides: u16,
}

/// One version of one card, token, die …
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// JSON text for the painter: layout and cells. Secret while the piece lies hidden.
    pub face: Box<str>,
    /// Its back.
    pub back: BackNo,
    /// Pieces of this definition in the box.
    pub copies: u16,
    /// The card of the project that it is. Without it the table cannot follow its project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A card of a project, by the ids of its documents. It never leaves the server but to those who may read the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Source {
    /// The component.
    pub component: Box<str>,
    /// Its card; of a die one for each side.
    pub cards: Vec<Box<str>>,
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Definition").field("back", &self.back).finish_non_exhaustive()
    }
}

/// A named set of definitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardSet {
    /// Name for people.
    pub name: String,
    /// Its definitions, ascending.
    pub members: Vec<DefNo>,
    /// The component of the project whose cards they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component: Option<Box<str>>,
    /// The column and the value that its cards have in common, of those of the component.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<(Box<str>, Box<str>)>,
}

/// A box with consistent numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct GameBox {
    parts: Parts,
    /// Per set and back: true if the set has a definition with that back.
    backs_of_sets: Vec<Vec<bool>>,
}

/// Parts of a box, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parts {
    /// Backs; definitions name them by index.
    pub backs: Vec<Back>,
    /// Definitions; pieces name them by index.
    pub definitions: Vec<Definition>,
    /// Card sets.
    #[serde(default)]
    pub sets: Vec<CardSet>,
    /// JSON text for the painter that faces and backs refer to, such as layouts. Everybody at the table is sent it.
    #[serde(default)]
    pub common: Box<str>,
}

/// A box that cannot be used, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidBox {
    /// More definitions, sets or bytes than the limit.
    TooLarge(&'static str, usize),
    /// A definition names a back that the box does not have.
    NoSuchBack(usize),
    /// A back of containers or notes, which are made at the table.
    NotForBoxes(usize),
    /// A die without sides, or with sides for another kind.
    Sides(usize),
    /// The name of a set is longer than [`limits::SET_NAME_CHARS`].
    SetName(usize),
    /// A set names a definition that the box does not have, or not in ascending order.
    NoSuchMember(usize),
    /// A definition of a later state does not say which card it is.
    NoSource(usize),
    /// A change of another kind of piece, or not of this box.
    OtherKind(usize),
}

impl fmt::Display for InvalidBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(what, limit) => write!(f, "The box has too many {what}; the limit is {limit}."),
            Self::NoSuchBack(at) => write!(f, "Definition {at} of the box names a back that is missing."),
            Self::NotForBoxes(at) => write!(f, "Back {at} is of a kind that is made at the table."),
            Self::Sides(at) => write!(f, "Back {at}: a die needs 1 to 1,000 sides, other kinds none."),
            Self::SetName(at) => {
                write!(f, "Set {at} needs a name of at most {} characters.", limits::SET_NAME_CHARS)
            }
            Self::NoSuchMember(at) => {
                write!(f, "Set {at} needs ascending numbers of definitions of the box.")
            }
            Self::NoSource(at) => write!(f, "Definition {at} does not say which card of the project it is."),
            Self::OtherKind(at) => write!(f, "Change {at} is not one of this box."),
        }
    }
}

impl std::error::Error for InvalidBox {}

impl TryFrom<Parts> for GameBox {
    type Error = InvalidBox;

    fn try_from(parts: Parts) -> Result<Self, InvalidBox> {
        check_sizes(&parts)?;
        for (at, back) in parts.backs.iter().enumerate() {
            if matches!(back.kind, Kind::Container | Kind::Note) {
                return Err(InvalidBox::NotForBoxes(at));
            }
            let sides = if back.kind == Kind::Die { 1..=1_000 } else { 0..=0 };
            if !sides.contains(&back.sides) {
                return Err(InvalidBox::Sides(at));
            }
        }
        for (at, definition) in parts.definitions.iter().enumerate() {
            if usize::from(definition.back.0) >= parts.backs.len() {
                return Err(InvalidBox::NoSuchBack(at));
            }
        }
        let mut backs_of_sets = Vec::with_capacity(parts.sets.len());
        for (at, set) in parts.sets.iter().enumerate() {
            if set.name.chars().count() > limits::SET_NAME_CHARS {
                return Err(InvalidBox::SetName(at));
            }
            let mut backs = vec![false; parts.backs.len()];
            let ascends = set.members.windows(2).all(|pair| pair[0] < pair[1]);
            for member in &set.members {
                let definition = parts.definitions.get(usize::from(member.0));
                let definition = definition.filter(|_| ascends).ok_or(InvalidBox::NoSuchMember(at))?;
                backs[usize::from(definition.back.0)] = true;
            }
            backs_of_sets.push(backs);
        }
        Ok(Self { parts, backs_of_sets })
    }
}

fn bytes_of(parts: &Parts) -> usize {
    let source =
        |source: &Source| source.component.len() + source.cards.iter().map(|id| id.len()).sum::<usize>();
    let set = |set: &CardSet| {
        set.name.len() + set.value.as_ref().map_or(0, |(column, value)| column.len() + value.len())
    };
    let definition = |one: &Definition| one.face.len() + one.source.as_ref().map_or(0, source);
    parts.definitions.iter().map(definition).sum::<usize>()
        + parts.backs.iter().map(|back| back.look.len()).sum::<usize>()
        + parts.sets.iter().map(set).sum::<usize>()
        + parts.common.len()
}

fn check_sizes(parts: &Parts) -> Result<(), InvalidBox> {
    let bytes = bytes_of(parts);
    for (what, has, limit) in [
        ("definitions", parts.definitions.len(), limits::DEFINITIONS),
        ("backs", parts.backs.len(), limits::DEFINITIONS),
        ("sets", parts.sets.len(), limits::SETS),
        ("bytes", bytes, limits::BOX_BYTES),
    ] {
        if has > limit {
            return Err(InvalidBox::TooLarge(what, limit));
        }
    }
    Ok(())
}

impl From<GameBox> for Parts {
    fn from(value: GameBox) -> Self {
        value.parts
    }
}

impl GameBox {
    /// A back, if the box has it.
    pub fn back(&self, no: BackNo) -> Option<&Back> {
        self.parts.backs.get(usize::from(no.0))
    }

    /// A definition, if the box has it.
    pub fn definition(&self, no: DefNo) -> Option<&Definition> {
        self.parts.definitions.get(usize::from(no.0))
    }

    /// A set, if the box has it.
    pub fn set(&self, no: SetNo) -> Option<&CardSet> {
        self.parts.sets.get(usize::from(no.0))
    }

    /// True if it says of any definition which card of the project that is.
    pub fn knows_cards(&self) -> bool {
        self.parts.definitions.iter().any(|one| one.source.is_some())
    }

    /// All sets.
    pub fn sets(&self) -> &[CardSet] {
        &self.parts.sets
    }

    /// True if the set contains the definition.
    pub fn set_has(&self, set: SetNo, definition: DefNo) -> bool {
        self.set(set).is_some_and(|set| set.members.binary_search(&definition).is_ok())
    }

    /// True if a piece with this back may be of the set.
    pub fn set_has_back(&self, set: SetNo, back: BackNo) -> bool {
        let backs = self.backs_of_sets.get(usize::from(set.0));
        backs.and_then(|backs| backs.get(usize::from(back.0))).copied().unwrap_or(false)
    }

    /// All definitions with their numbers.
    pub fn definitions(&self) -> impl Iterator<Item = (DefNo, &Definition)> {
        self.parts.definitions.iter().enumerate().map(|(at, definition)| (DefNo(at as u16), definition))
    }

    /// The text that everybody at the table is sent.
    pub fn common(&self) -> &str {
        &self.parts.common
    }

    /// Bytes of its faces, backs and names.
    pub fn bytes(&self) -> usize {
        bytes_of(&self.parts)
    }

    /// All backs.
    pub fn backs(&self) -> &[Back] {
        &self.parts.backs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> Parts {
        let back = |kind, sides| Back { look: "{}".into(), kind, size: (630, 880), sides };
        let definition = |back| Definition {
            face: "{\"name\":\"secret\"}".into(),
            back: BackNo(back),
            copies: 1,
            source: None,
        };
        Parts {
            backs: vec![back(Kind::Card, 0), back(Kind::Die, 6)],
            definitions: vec![definition(0), definition(0), definition(1)],
            sets: vec![CardSet {
                name: "Odd".to_owned(),
                members: vec![DefNo(1)],
                component: None,
                value: None,
            }],
            common: Box::default(),
        }
    }

    #[test]
    fn sets_are_known_by_definition_and_by_back() {
        let game_box = GameBox::try_from(parts()).unwrap();
        assert!(game_box.set_has(SetNo(0), DefNo(1)) && !game_box.set_has(SetNo(0), DefNo(0)));
        assert!(game_box.set_has_back(SetNo(0), BackNo(0)) && !game_box.set_has_back(SetNo(0), BackNo(1)));
        assert!(!game_box.set_has_back(SetNo(1), BackNo(0)));
        let stored = serde_json::to_string(&game_box).unwrap();
        assert_eq!(serde_json::from_str::<GameBox>(&stored).unwrap(), game_box);
    }

    #[test]
    fn inconsistent_boxes_are_refused() {
        let broken = |change: fn(&mut Parts)| {
            let mut parts = parts();
            change(&mut parts);
            GameBox::try_from(parts).unwrap_err()
        };
        assert_eq!(broken(|parts| parts.definitions[2].back = BackNo(2)), InvalidBox::NoSuchBack(2));
        assert_eq!(broken(|parts| parts.backs[0].kind = Kind::Container), InvalidBox::NotForBoxes(0));
        assert_eq!(broken(|parts| parts.backs[1].sides = 0), InvalidBox::Sides(1));
        assert_eq!(broken(|parts| parts.backs[0].sides = 6), InvalidBox::Sides(0));
        assert_eq!(broken(|parts| parts.sets[0].members = vec![DefNo(9)]), InvalidBox::NoSuchMember(0));
        assert_eq!(
            broken(|parts| parts.sets[0].members = vec![DefNo(1), DefNo(0)]),
            InvalidBox::NoSuchMember(0)
        );
        assert_eq!(broken(|parts| parts.sets[0].name = "x".repeat(501)), InvalidBox::SetName(0));
        assert_eq!(
            broken(|parts| parts.backs[0].look = "x".repeat(limits::BOX_BYTES).into()),
            InvalidBox::TooLarge("bytes", limits::BOX_BYTES)
        );
        assert_eq!(
            broken(|parts| parts.common = "x".repeat(limits::BOX_BYTES).into()),
            InvalidBox::TooLarge("bytes", limits::BOX_BYTES)
        );
    }

    #[test]
    fn a_definition_does_not_print_its_face() {
        assert!(!format!("{:?}", GameBox::try_from(parts()).unwrap()).contains("secret"));
    }
}
