//! The state recorded in the view, by which a start recognises one that is missing, truncated, outdated or foreign.

use crate::model::Ts;

/// Stored in the view, written after every layer of commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ViewState {
    /// Beginning of the log that the view belongs to: the identity of the store.
    pub(crate) begins: Ts,
    /// Start of the build in microseconds; distinguishes the view from earlier and later ones.
    pub(crate) generation: u64,
    /// The view has every commit up to here.
    pub(crate) applied: Ts,
}

impl ViewState {
    /// Length of [`Self::to_bytes`], in bytes.
    const LEN: usize = 24;

    /// The three fields in order as 8-byte big-endian numbers.
    pub(crate) fn to_bytes(self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        let numbers = [self.begins.micros(), self.generation, self.applied.micros()];
        for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        bytes
    }

    /// `None` if the bytes are not a state.
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

/// Contents of `CHECKPOINT`: the durable position of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine::disk) struct Checkpoint {
    /// The view has every commit up to here, durably.
    pub(in crate::engine::disk) at: Ts,
    /// Versions replaced by commits up to here are removed from the view.
    pub(in crate::engine::disk) collected: Ts,
    /// Generation of the view that the checkpoint applies to.
    pub(in crate::engine::disk) generation: u64,
}

impl Checkpoint {
    /// Three lines of decimal numbers, then their CRC-32C as eight hexadecimal digits.
    pub(in crate::engine::disk) fn to_text(self) -> String {
        let numbers = self.numbers();
        format!("{numbers}{:08x}\n", crc32c::crc32c(numbers.as_bytes()))
    }

    fn numbers(self) -> String {
        format!("{}\n{}\n{}\n", self.at.micros(), self.collected.micros(), self.generation)
    }

    /// `None` if the text is damaged, or incomplete as in folders from before views had a generation. Folders from
    /// before checkpoints had a checksum are read.
    pub(in crate::engine::disk) fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut number = || lines.next()?.parse::<u64>().ok();
        let (at, collected, generation) = (number()?, number()?, number()?);
        let checkpoint = Self { at: Ts::from_micros(at), collected: Ts::from_micros(collected), generation };
        (text == checkpoint.to_text() || text == checkpoint.numbers()).then_some(checkpoint)
    }
}

/// Reason why a view cannot be used and is rebuilt.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::engine::disk) enum Mismatch {
    /// It has no state: it was never completed, or has an older layout.
    NoState,
    /// It belongs to another store, or is an earlier or later view of this one.
    Another,
    /// It has lost commits that the checkpoint says it holds.
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

/// Compares the state of a view with the checkpoint of its folder.
pub(in crate::engine::disk) fn verify(
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
        assert_eq!(Checkpoint::parse("800\n300\n77\n"), Some(CHECKPOINT));
        assert_eq!(Checkpoint::parse("800\n300\n"), None);
    }

    #[test]
    fn a_checkpoint_with_any_bit_flipped_or_any_end_missing_is_not_used() {
        let whole = CHECKPOINT.to_text().into_bytes();
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << bit;
                let read = std::str::from_utf8(&damaged).ok().and_then(Checkpoint::parse);
                assert_eq!(read, None, "bit {bit} of byte {at}");
            }
            // Without its last line it is a checkpoint of an older server.
            let read = std::str::from_utf8(&whole[..at]).ok().and_then(Checkpoint::parse);
            assert!(read.is_none_or(|read| read == CHECKPOINT), "cut at {at}");
        }
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
