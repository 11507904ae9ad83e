//! Numbers of pieces, seats and definitions, and the handles that clients know pieces by.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! number {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $inner);
    };
}

number! {
    /// A piece's number in the log. It follows the order of the box and would tell what a hidden card is, so it
    /// never leaves the server: no type of [`crate::view`] holds one.
    PieceNo(u32)
}
number! {
    /// A definition of the box: one version of one card.
    DefNo(u16)
}
number! {
    /// A back of the box; definitions with the same back cannot be told apart while they lie face down.
    BackNo(u16)
}
number! {
    /// A named set of definitions, such as all cards that cost more than 3.
    SetNo(u16)
}
number! {
    /// A surface of the table.
    SurfaceNo(u8)
}
number! {
    /// A seat. [`SeatNo::OBSERVER`] stands for all observers, who are shown the same.
    SeatNo(u8)
}

impl SeatNo {
    /// All observers together: a seat that owns nothing.
    pub const OBSERVER: Self = Self(63);
    /// The table itself, which follows its project.
    pub const TABLE: Self = Self(62);
}

/// A set of seats, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatSet(u64);

impl SeatSet {
    /// No seat.
    pub const NONE: Self = Self(0);
    /// Every seat, observers included.
    pub const ALL: Self = Self(u64::MAX);

    /// The set of one seat.
    pub fn of(seat: SeatNo) -> Self {
        Self(1_u64.checked_shl(u32::from(seat.0)).unwrap_or(0))
    }

    /// True if the seat is in the set.
    pub fn has(self, seat: SeatNo) -> bool {
        self.0 & Self::of(seat).0 != 0
    }

    /// Seats of either set.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Seats of both sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Seats of this set that are not in the other.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// True if no seat is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of seats.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }
}

impl FromIterator<SeatNo> for SeatSet {
    fn from_iter<I: IntoIterator<Item = SeatNo>>(seats: I) -> Self {
        seats.into_iter().fold(Self::NONE, |set, seat| set.or(Self::of(seat)))
    }
}

/// A client's name for a piece: 60 bits as 12 characters of base32. It belongs to one seat's view and ends when the
/// piece passes through hiding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Handle(u64);

const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
const HANDLE_CHARS: u32 = 12;

impl Handle {
    /// The handle of the lowest 60 bits.
    pub fn from_bits(bits: u64) -> Self {
        Self(bits & ((1 << (HANDLE_CHARS * 5)) - 1))
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for at in 0..HANDLE_CHARS {
            let digit = (self.0 >> (at * 5)) & 31;
            write!(f, "{}", char::from(BASE32[digit as usize]))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Handle> for String {
    fn from(handle: Handle) -> Self {
        handle.to_string()
    }
}

impl TryFrom<String> for Handle {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.len() != HANDLE_CHARS as usize {
            return Err("a handle has 12 characters");
        }
        let mut bits = 0;
        for (at, byte) in text.bytes().enumerate() {
            let digit = BASE32.iter().position(|known| *known == byte).ok_or("a handle is base32")?;
            bits |= (digit as u64) << (at * 5);
        }
        Ok(Self(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_handle_reads_as_it_was_written(bits in any::<u64>()) {
            let handle = Handle::from_bits(bits);
            prop_assert_eq!(Handle::try_from(handle.to_string()), Ok(handle));
        }
    }

    #[test]
    fn other_texts_are_no_handles() {
        for text in ["", "abc", "ABCDEFGHIJKL", "abcdefghijk1", "ééééééé"] {
            assert!(Handle::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
