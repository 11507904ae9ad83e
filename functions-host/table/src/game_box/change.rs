//! Changes of a box: the cards of its project as they are later, under the numbers that the table knows them by.

use super::{Back, CardSet, Definition, GameBox, InvalidBox, Parts, Source};
use crate::ids::{BackNo, DefNo};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The difference between a box and a later one of the same project. Numbers stay: what has left the project keeps its
/// definition, so that pieces of it can lie on, and comes out of the box no more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoxChange {
    /// Definitions that are new or different.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub definitions: BTreeMap<DefNo, Definition>,
    /// Backs that are new or different.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub backs: BTreeMap<BackNo, Back>,
    /// All sets, if one is different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sets: Option<Vec<CardSet>>,
    /// The common text, if it is different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common: Option<Box<str>>,
}

impl BoxChange {
    /// True if nothing is different.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Its SHA-256, in hexadecimal: the log names it by that.
    pub fn hash(&self) -> String {
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl GameBox {
    /// The change that makes this box that of the project as `later` has it.
    ///
    /// # Errors
    /// A definition of `later` does not say which card it is.
    pub fn change_to(&self, later: &Self) -> Result<BoxChange, InvalidBox> {
        let known = self.parts.definitions.iter().enumerate();
        let known: HashMap<&Source, usize> =
            known.filter_map(|(no, own)| Some((own.source.as_ref()?, no))).collect();
        let mut next = self.parts.definitions.len();
        let mut numbers = Vec::with_capacity(later.parts.definitions.len());
        for (at, fresh) in later.parts.definitions.iter().enumerate() {
            let source = fresh.source.as_ref().ok_or(InvalidBox::NoSource(at))?;
            let same = known.get(source).copied().filter(|no| self.is_alike(*no, later, fresh));
            numbers.push(same.unwrap_or_else(|| {
                next += 1;
                next - 1
            }));
        }
        let mut change = BoxChange::default();
        let backs = self.backs_of(later, &numbers, &mut change);
        for (no, fresh) in numbers.iter().zip(&later.parts.definitions) {
            let own = self.parts.definitions.get(*no);
            let kept = own.map(|own| own.back).filter(|back| backs.carried.get(back) == Some(&fresh.back));
            let back = kept.or_else(|| backs.numbers.get(&fresh.back).copied()).unwrap_or(fresh.back);
            let now = Definition { back, ..fresh.clone() };
            if own != Some(&now) {
                change.definitions.insert(DefNo(*no as u16), now);
            }
        }
        let present: BTreeSet<_> = numbers.iter().copied().collect();
        for (no, own) in self.parts.definitions.iter().enumerate() {
            if !present.contains(&no) && own.copies > 0 && own.source.is_some() {
                change.definitions.insert(DefNo(no as u16), Definition { copies: 0, ..own.clone() });
            }
        }
        let sets = self.sets_with(later, &numbers);
        change.sets = (sets != self.parts.sets).then_some(sets);
        change.common = (self.parts.common != later.parts.common).then(|| later.parts.common.clone());
        Ok(change)
    }

    /// True if a piece of a definition may be of a later one: a die cannot become a card.
    fn is_alike(&self, no: usize, later: &Self, fresh: &Definition) -> bool {
        let own = self.parts.definitions.get(no).and_then(|own| self.back(own.back));
        let kind = |back: &Back| (back.kind, back.sides);
        own.map(kind) == later.back(fresh.back).map(kind)
    }

    /// Backs under the table's numbers. Cards with one back cannot be told apart by it; a change of some of them must not
    /// mark those that lie on the table. So a back carries on only if all its cards still have one back; otherwise
    /// pieces keep it as it was, and what comes out of the box from then on has a new one.
    fn backs_of(&self, later: &Self, numbers: &[usize], change: &mut BoxChange) -> Backs {
        let mut becomes: BTreeMap<BackNo, BTreeSet<BackNo>> = BTreeMap::new();
        for (no, fresh) in numbers.iter().zip(&later.parts.definitions) {
            if let Some(own) = self.parts.definitions.get(*no) {
                becomes.entry(own.back).or_default().insert(fresh.back);
            }
        }
        let mut backs = Backs::default();
        for (own, fresh) in becomes {
            if let (1, Some(fresh)) = (fresh.len(), fresh.first()) {
                backs.carried.insert(own, *fresh);
                backs.numbers.entry(*fresh).or_insert(own);
            }
        }
        for (own, fresh) in &backs.carried {
            if let Some(look) = later.back(*fresh).filter(|look| self.back(*own) != Some(*look)) {
                change.backs.insert(*own, look.clone());
            }
        }
        let mut next = self.parts.backs.len();
        let used: BTreeSet<_> = later.parts.definitions.iter().map(|fresh| fresh.back).collect();
        for fresh in used {
            if let (false, Some(look)) = (backs.numbers.contains_key(&fresh), later.back(fresh)) {
                let no = BackNo(next as u16);
                next += 1;
                backs.numbers.insert(fresh, no);
                change.backs.insert(no, look.clone());
            }
        }
        backs
    }

    /// The sets with the members that are new. None goes: zones take and set-ups name sets by their numbers.
    fn sets_with(&self, later: &Self, numbers: &[usize]) -> Vec<CardSet> {
        let mut sets = self.parts.sets.clone();
        for fresh in &later.parts.sets {
            let members = fresh.members.iter();
            let members = members.filter_map(|no| Some(DefNo(*numbers.get(usize::from(no.0))? as u16)));
            let is_same = |own: &&mut CardSet| {
                own.component.is_some() && own.component == fresh.component && own.value == fresh.value
            };
            let own = sets.iter_mut().find(is_same);
            if let Some(own) = own {
                if own.value.is_some() {
                    // A card may have another value by now; one that has left the project has none.
                    own.members.clear();
                }
                let all: BTreeSet<_> = own.members.iter().copied().chain(members).collect();
                own.members = all.into_iter().collect();
                own.name.clone_from(&fresh.name);
            } else {
                let all: BTreeSet<_> = members.collect();
                sets.push(CardSet { members: all.into_iter().collect(), ..fresh.clone() });
            }
        }
        sets
    }

    /// The box after a change.
    ///
    /// # Errors
    /// The change does not fit: it is not of this box, or leads to one that is too large.
    pub fn changed(&self, change: &BoxChange) -> Result<Self, InvalidBox> {
        let mut parts: Parts = self.parts.clone();
        for (no, back) in &change.backs {
            let at = usize::from(no.0);
            if self.back(*no).is_some_and(|own| (own.kind, own.sides) != (back.kind, back.sides)) {
                return Err(InvalidBox::OtherKind(at));
            }
            put(&mut parts.backs, at, back.clone()).ok_or(InvalidBox::NoSuchBack(at))?;
        }
        for (no, definition) in &change.definitions {
            let at = usize::from(no.0);
            put(&mut parts.definitions, at, definition.clone()).ok_or(InvalidBox::OtherKind(at))?;
        }
        if let Some(sets) = &change.sets {
            parts.sets.clone_from(sets);
        }
        if let Some(common) = &change.common {
            parts.common.clone_from(common);
        }
        Self::try_from(parts)
    }
}

/// Backs of a later box under the table's numbers.
#[derive(Default)]
struct Backs {
    /// Backs that carry on, with those of the later box.
    carried: BTreeMap<BackNo, BackNo>,
    /// The number of each back of the later box.
    numbers: BTreeMap<BackNo, BackNo>,
}

/// Puts a value in its place, or behind the last one.
fn put<T>(list: &mut Vec<T>, at: usize, value: T) -> Option<()> {
    if at == list.len() {
        list.push(value);
    } else {
        *list.get_mut(at)? = value;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_box::Kind;
    use proptest::prelude::*;

    /// Cards by id: text, and the part of it that the back shows.
    type Cards = BTreeMap<u8, (u8, u8)>;

    fn packed(cards: &Cards, common: &str) -> GameBox {
        let shades: BTreeSet<u8> = cards.values().map(|(_, back)| *back).collect();
        let shades: Vec<u8> = shades.into_iter().collect();
        let back = |shade: &u8| Back {
            look: format!("back {shade}").into(),
            kind: Kind::Card,
            size: (630, 880),
            sides: 0,
        };
        let definition = |(id, (text, shade)): (&u8, &(u8, u8))| Definition {
            face: format!("card {id} {text}").into(),
            back: BackNo(shades.iter().position(|one| one == shade).unwrap() as u16),
            copies: 1,
            source: Some(Source { component: "c".into(), cards: vec![id.to_string().into()] }),
        };
        let definitions: Vec<_> = cards.iter().map(definition).collect();
        let members = (0..definitions.len()).map(|no| DefNo(no as u16)).collect();
        let set = CardSet { name: "C".to_owned(), members, component: Some("c".into()), value: None };
        let parts = Parts {
            backs: shades.iter().map(back).collect(),
            definitions,
            sets: vec![set],
            common: common.into(),
        };
        GameBox::try_from(parts).unwrap()
    }

    fn number(game_box: &GameBox, id: u8) -> Option<usize> {
        let id = id.to_string();
        let is = |one: &Definition| one.source.as_ref().is_some_and(|source| *source.cards[0] == *id);
        game_box.parts.definitions.iter().position(is)
    }

    fn cards() -> impl Strategy<Value = Cards> {
        prop::collection::btree_map(0_u8..12, (0_u8..4, 0_u8..3), 1..10)
    }

    proptest! {
        #[test]
        fn a_box_follows_its_project(states in prop::collection::vec((cards(), 0_u8..3), 2..6)) {
            let mut own = packed(&states[0].0, "0");
            for (later, common) in &states[1..] {
                let before = own.clone();
                let fresh = packed(later, &common.to_string());
                let change = own.change_to(&fresh).unwrap();
                own = own.changed(&change).unwrap();
                prop_assert!(own.change_to(&fresh).unwrap().is_empty(), "nothing is left to change");
                prop_assert_eq!(own.common(), fresh.common());
                for (id, (text, shade)) in later {
                    let no = number(&own, *id).unwrap();
                    let definition = &own.parts.definitions[no];
                    prop_assert_eq!(&*definition.face, format!("card {id} {text}"));
                    let look = &*own.back(definition.back).unwrap().look;
                    prop_assert_eq!(look, format!("back {shade}"));
                    prop_assert!(own.parts.sets[0].members.contains(&DefNo(no as u16)));
                    if let Some(was) = number(&before, *id) {
                        prop_assert_eq!(was, no, "a card keeps its number");
                    }
                }
                for (no, was) in before.parts.definitions.iter().enumerate() {
                    let id: u8 = was.source.as_ref().unwrap().cards[0].parse().unwrap();
                    if !later.contains_key(&id) {
                        prop_assert_eq!(own.parts.definitions[no].copies, 0);
                    }
                }
            }
        }

        /// Pieces keep the number of their back, so those that looked alike from behind do so after any change.
        #[test]
        fn no_back_on_the_table_is_told_apart_by_a_change(one in cards(), other in cards()) {
            let own = packed(&one, "");
            let change = own.change_to(&packed(&other, "")).unwrap();
            let after = own.changed(&change).unwrap();
            for (no, back) in own.backs().iter().enumerate() {
                let now = &after.backs()[no];
                prop_assert_eq!((now.kind, now.sides), (back.kind, back.sides));
                let cards: BTreeSet<_> = one
                    .iter()
                    .filter(|(_, (_, shade))| format!("back {shade}") == *back.look)
                    .filter_map(|(id, _)| Some(other.get(id)?.1))
                    .collect();
                if cards.len() > 1 {
                    prop_assert_eq!(now, back, "cards that part leave it as it was");
                }
            }
        }
    }

    #[test]
    fn changes_that_do_not_fit_are_refused() {
        let own = packed(&Cards::from([(1, (0, 0))]), "");
        let mut nameless = own.parts.clone();
        nameless.definitions[0].source = None;
        let nameless = GameBox::try_from(nameless).unwrap();
        assert_eq!(own.change_to(&nameless).unwrap_err(), InvalidBox::NoSource(0));
        let die = Back { kind: Kind::Die, sides: 6, ..own.backs()[0].clone() };
        let change = BoxChange { backs: BTreeMap::from([(BackNo(0), die)]), ..BoxChange::default() };
        assert_eq!(own.changed(&change).unwrap_err(), InvalidBox::OtherKind(0));
        let far = BTreeMap::from([(DefNo(7), own.parts.definitions[0].clone())]);
        assert!(own.changed(&BoxChange { definitions: far, ..BoxChange::default() }).is_err());
    }
}
