//! What the view says of itself, so that a start can tell a whole view from one that is missing, cut, old or another's.

use crate::model::Ts;

/// Lies in the view, written behind every layer of commits that it takes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ViewState {
    /// Where the log of the folder that the view belongs to begins: the identity of the store.
    pub(crate) begins: Ts,
    /// Tells a view from one that was built before or after it: the time in microseconds at which it was begun.
    pub(crate) generation: u64,
    /// The view holds every commit up to here.
    pub(crate) applied: Ts,
}

impl ViewState {
    /// Bytes of [`Self::to_bytes`].
    const LEN: usize = 24;

    /// Three numbers of 8 bytes, big endian, in the order of the fields.
    pub(crate) fn to_bytes(self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        let numbers = [self.begins.micros(), self.generation, self.applied.micros()];
        for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        bytes
    }

    /// `None` when these are not the bytes of a state.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::LEN {
            return None;
        }
        let mut numbers =
            bytes.chunks_exact(8).filter_map(|number| number.try_into().ok()).map(u64::from_be_bytes);
        Some(Self {
            begins: Ts::from_micros(numbers.next()?),
            generation: numbers.next()?,
            applied: Ts::from_micros(numbers.next()?),
        })
    }
}

/// The contents of `CHECKPOINT`: what a crash cannot take from the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Checkpoint {
    /// The view holds everything up to here.
    pub(super) at: Ts,
    /// What commits up to here have replaced is gone from the view.
    pub(super) collected: Ts,
    /// The view this was written of.
    pub(super) generation: u64,
}

impl Checkpoint {
    /// Three lines of decimal numbers.
    pub(super) fn to_text(self) -> String {
        format!("{}\n{}\n{}\n", self.at.micros(), self.collected.micros(), self.generation)
    }

    /// `None` when the text is not whole, as in folders written before views had a generation.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines().map(|line| line.parse::<u64>().ok());
        let (at, collected, generation) = (lines.next()??, lines.next()??, lines.next()??);
        Some(Self { at: Ts::from_micros(at), collected: Ts::from_micros(collected), generation })
    }
}

/// Why a view cannot be used and is built again.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Mismatch {
    /// It has no state: it was never finished, or is of an older layout.
    NoState,
    /// It belongs to another store, or to an earlier or later view of this one.
    Another,
    /// It has lost what the checkpoint says it holds.
    Older,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoState => "it does not say what it holds",
            Self::Another => "it is not the one that the checkpoint was written of",
            Self::Older => "it holds less than the checkpoint says",
        })
    }
}

/// Compares what a view says of itself with the checkpoint of the folder it lies in.
pub(super) fn verify(
    state: Option<ViewState>,
    checkpoint: Checkpoint,
    begins: Ts,
) -> Result<ViewState, Mismatch> {
    let state = state.ok_or(Mismatch::NoState)?;
    if state.begins != begins || state.generation != checkpoint.generation {
        return Err(Mismatch::Another);
    }
    if state.applied < checkpoint.at {
        return Err(Mismatch::Older);
    }
    Ok(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: ViewState =
        ViewState { begins: Ts::from_micros(5), generation: 77, applied: Ts::from_micros(900) };
    const CHECKPOINT: Checkpoint =
        Checkpoint { at: Ts::from_micros(800), collected: Ts::from_micros(300), generation: 77 };

    #[test]
    fn states_and_checkpoints_come_back() {
        assert_eq!(ViewState::from_bytes(&STATE.to_bytes()), Some(STATE));
        assert_eq!(ViewState::from_bytes(&STATE.to_bytes()[1..]), None);
        assert_eq!(Checkpoint::parse(&CHECKPOINT.to_text()), Some(CHECKPOINT));
        assert_eq!(Checkpoint::parse("800\n300\n"), None);
    }

    #[test]
    fn only_a_view_that_holds_what_the_checkpoint_says_is_used() {
        let begins = STATE.begins;
        assert_eq!(verify(Some(STATE), CHECKPOINT, begins), Ok(STATE));
        assert_eq!(verify(None, CHECKPOINT, begins), Err(Mismatch::NoState));
        assert_eq!(verify(Some(STATE), CHECKPOINT, Ts::from_micros(6)), Err(Mismatch::Another));
        let other = ViewState { generation: 78, ..STATE };
        assert_eq!(verify(Some(other), CHECKPOINT, begins), Err(Mismatch::Another));
        let older = ViewState { applied: Ts::from_micros(799), ..STATE };
        assert_eq!(verify(Some(older), CHECKPOINT, begins), Err(Mismatch::Older));
    }
}
