//! Numbers of steps by formula. A formula reads only what everybody at the table sees, so its result tells nobody anything.

use super::button::Ref;
use crate::limits;
use serde::{Deserialize, Serialize};

/// A formula over whole numbers. It is stored as it was read, and worked out when its step is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Formula {
    /// Always this.
    Number(i64),
    /// Seats with somebody on them.
    Players,
    /// The present round.
    Round,
    /// Pieces in a container whose number everybody sees.
    Count(Ref),
    /// The value of a counter or a die that everybody sees.
    Value(Ref),
    /// The sum of two.
    Plus(Box<(Formula, Formula)>),
    /// The difference of two.
    Minus(Box<(Formula, Formula)>),
    /// The product of two.
    Times(Box<(Formula, Formula)>),
    /// The quotient of two, rounded down.
    Over(Box<(Formula, Formula)>),
    /// The quotient of two, rounded up.
    Up(Box<(Formula, Formula)>),
    /// The smaller of two.
    Min(Box<(Formula, Formula)>),
    /// The greater of two.
    Max(Box<(Formula, Formula)>),
}

impl Formula {
    /// Its parts: numbers, names and operations.
    pub fn parts(&self) -> usize {
        match self {
            Self::Number(_) | Self::Players | Self::Round | Self::Count(_) | Self::Value(_) => 1,
            Self::Plus(pair)
            | Self::Minus(pair)
            | Self::Times(pair)
            | Self::Over(pair)
            | Self::Up(pair)
            | Self::Min(pair)
            | Self::Max(pair) => 1 + pair.0.parts() + pair.1.parts(),
        }
    }
}

/// A result within the range of a counter.
pub(crate) fn bounded(value: i64) -> i64 {
    value.clamp(-limits::VALUE, limits::VALUE)
}

/// A quotient; `None` for a division by nothing.
pub(crate) fn quotient(one: i64, other: i64, up: bool) -> Option<i64> {
    let (whole, rest) = (one.checked_div(other)?, one.checked_rem(other)?);
    let is_below = (rest < 0) != (other < 0);
    Some(match (rest, is_below, up) {
        (0, ..) | (_, false, false) | (_, true, true) => whole,
        (_, true, false) => whole - 1,
        (_, false, true) => whole + 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quotients_round_down_and_up(one in -1_000_i64..1_000, other in -40_i64..40) {
            prop_assume!(other != 0);
            let exact = one as f64 / other as f64;
            prop_assert_eq!(quotient(one, other, false), Some(exact.floor() as i64));
            prop_assert_eq!(quotient(one, other, true), Some(exact.ceil() as i64));
            prop_assert_eq!(quotient(one, 0, false), None);
        }
    }

    #[test]
    fn formulas_are_stored_as_short_json() {
        let text = r#"{"over":[{"count":{"name":"Deck","own":false}},{"plus":["players",{"number":1}]}]}"#;
        let read: Formula = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        assert_eq!(read.parts(), 5);
    }
}
